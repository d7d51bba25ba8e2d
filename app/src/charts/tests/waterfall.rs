//! "What changed since A?", whatever changed.

use super::random::Dice;
use super::*;
use crate::theme::Role;

/// A random waterfall; now and then something is next to nothing, or hides much.
pub fn waterfall(dice: &mut Dice) -> WaterfallData {
    let scale = dice.decades(1e-2, 1e4);
    let names = [
        ("messages", Some(Role::Messages)),
        ("attention", Some(Role::Attention)),
        ("dense", Some(Role::Dense)),
        ("embedding, head", Some(Role::Head)),
        ("experts", Some(Role::Experts)),
        ("overhead", Some(Role::Overhead)),
        ("price", None),
    ];
    let mut terms: Vec<WaterfallTerm> = names
        .iter()
        .map(|(name, role)| WaterfallTerm {
            name: (*name).to_owned(),
            role: *role,
            hides: false,
            from: if dice.chance(0.8) {
                dice.decades(1e-3, 1.0) * scale
            } else {
                0.0
            },
            to: if dice.chance(0.8) {
                dice.decades(1e-3, 1.0) * scale
            } else {
                0.0
            },
        })
        .collect();
    let sum = |of: fn(&WaterfallTerm) -> f64, terms: &[WaterfallTerm]| -> f64 {
        terms.iter().map(of).sum()
    };
    let (from, to) = (sum(|t| t.from, &terms), sum(|t| t.to, &terms));
    terms.push(WaterfallTerm {
        name: "hidden".to_owned(),
        role: None,
        hides: true,
        from: -dice.between(0.0, 0.6) * from,
        to: -dice.between(0.0, 0.6) * to,
    });
    let stack = terms
        .iter()
        .filter_map(|term| Some((term.role?, term.to)))
        .filter(|(_, value)| *value > 0.0)
        .collect();
    WaterfallData {
        from: sum(|t| t.from, &terms),
        to: sum(|t| t.to, &terms),
        terms,
        stack,
        axis: "ms per step",
        dollars: dice.chance(0.3),
        unit: "ms",
        sides: vec![
            ("72 GPUs".to_owned(), "144 GPUs".to_owned()),
            (
                "50 GB/s scale-out".to_owned(),
                "100 GB/s scale-out".to_owned(),
            ),
        ],
        notes: vec![
            "72 → 144 GPUs".to_owned(),
            "Bound by scale-out messages before, by HBM bandwidth now.".to_owned(),
        ],
        nothing: None,
        source: "somewhere".to_owned(),
    }
}

#[test]
fn waterfalls_are_readable_at_any_size() {
    for_each_seed(|dice, (width, _), stretch| {
        let size = (width, WaterfallData::height_px(width));
        let data = waterfall(dice);
        check(&data, size, stretch);
        let none = WaterfallData::empty("Nothing is pinned: Compare does that");
        check(&none, size, stretch);
        // A and now are always said.
        let words = texts(&data, size);
        assert!(words.iter().any(|word| word == "now"), "{words:?}");
        assert!(words.iter().any(|word| word.starts_with('A')), "{words:?}");
    });
}

/// The columns lead from A to now without a jump.
#[test]
fn columns_join() {
    for_each_seed(|dice, _, _| {
        let data = waterfall(dice);
        let table = data.table();
        let last = table.rows.last().unwrap();
        let number = |cell: &Cell| match cell {
            Cell::Number(value) => *value,
            _ => f64::NAN,
        };
        let moved: f64 = table.rows[..table.rows.len() - 1]
            .iter()
            .map(|row| number(&row[3]))
            .sum();
        assert!((moved - number(&last[3])).abs() < 1e-9 * (data.from + data.to));
    });
}
