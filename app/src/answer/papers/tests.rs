//! The rows as the page shows them.

use super::measured::{
    by_error, chart, formerly, measured_rows, scores, systems, terms, verdict as told,
};
use super::*;
use model_core::measured::Runs;
use model_core::permalink;

#[test]
fn every_row_has_a_value_an_error_and_opens() {
    let rows = Book::default().rows();
    assert!(rows.len() >= 80);
    for row in &rows {
        assert_ne!(row.state, State::Wrong, "{}", row.what);
        let waits = row.state == State::Waiting;
        assert_eq!(row.computed.is_empty(), waits, "{}", row.what);
        assert!(waits || !row.error.is_empty(), "{}", row.what);
        assert!(!row.published.is_empty() && !row.because.is_empty());
        assert!(!row.computed.contains("NaN") && !row.error.contains("NaN"));
        let link = permalink::read(&row.link());
        assert_eq!(link.notes, [], "{}", row.link());
        assert!(link.current.scenario().is_ok() || link.current.bundle().is_ok());
    }
}

#[test]
fn what_is_divided_by_is_pinned() {
    let rows = Book::default().rows();
    let (row, (_, case)) = rows
        .iter()
        .zip(cases())
        .find(|(_, (_, case))| case.against.is_some())
        .unwrap();
    let link = permalink::read(&row.link());
    let against = permalink::read(case.against.unwrap());
    assert_eq!(link.pinned, Some(against.current));
}

#[test]
fn simulated_rows_wait_for_their_numbers() {
    let before = Book::default().rows();
    let waiting = simulations().lines().count();
    assert!(waiting > 0);
    assert_eq!(Tally::of(before.iter()).waiting, waiting);
    let after = with_simulated(&before, &[8.0]);
    assert_eq!(Tally::of(after.iter()).waiting, waiting - 1);
    assert!(verdict(&after).plain_text().contains(" of "));
}

#[test]
fn sections_hold_every_row_once_and_fold_the_uneventful() {
    let rows = Book::default().rows();
    for order in Order::ALL {
        for (state, kind) in Which::ALL
            .map(|state| Stated::ALL.map(|kind| (state, kind)))
            .concat()
        {
            let held = rows
                .iter()
                .filter(|row| of_state(state, row) && of_kind(kind, row));
            let wanted = held.count();
            let listed = Listed {
                state,
                kind,
                order,
                ..Listed::DEFAULT
            };
            let listed = sections(&rows, &listed);
            let found: usize = listed
                .iter()
                .map(|one| one.first.len() + one.rest.len())
                .sum();
            assert_eq!(found, wanted);
        }
    }
    let one = sections(
        &rows,
        &Listed {
            paper: Some(Paper::H),
            ..Listed::DEFAULT
        },
    );
    assert_eq!(one.len(), 1);
    let sizes: Vec<f64> = one[0].first.iter().map(Row::size).collect();
    assert!(sizes.is_sorted_by(|one, other| one >= other));
    assert!(one[0].more.contains("more"), "{}", one[0].more);
}

#[test]
fn measured_rows_agree_with_their_errors() {
    let rows = measured_rows("kernels-2026");
    assert_eq!(rows.len(), Runs::All.count());
    for row in &rows {
        assert!(
            row.range.0 <= row.predicted * 1.000_001 && row.predicted <= row.range.1 * 1.000_001
        );
        assert_eq!(permalink::read(&row.link).notes, []);
    }
    let score = scores(Runs::All).remove(0);
    assert_eq!(
        score.near,
        rows.iter().filter(|row| row.within(1.2)).count()
    );
    assert!(told(&rows).plain_text().contains("within 1.2×"));
    let before = formerly(&rows, "kernels-2026");
    let drawn = chart(&rows, &before).points;
    assert_eq!(drawn.len(), rows.len());
    let other = measured_rows("aleph-alpha-2025");
    for (point, other) in drawn.iter().zip(&other) {
        assert_eq!(point.formerly, Some(other.predicted), "{}", point.name);
    }
    assert!(formerly(&other, "aleph-alpha-2025").is_empty());
    let (found, finding) = systems(&rows);
    let runs: usize = found.iter().map(|system| system.runs.len()).sum();
    assert_eq!(runs, rows.len());
    assert!(finding.ends_with(&format!("of {} within 1.2× throughout", found.len())));
    let far = found
        .iter()
        .map(|system| system.runs.iter().filter(|(_, far)| *far).count());
    assert_eq!(
        far.sum::<usize>(),
        rows.iter().filter(|row| !row.within(1.2)).count()
    );
    let sorted = by_error(rows);
    assert!(!sorted[0].within(1.2));
}

#[test]
fn leaving_a_term_out_is_told_for_every_term() {
    let (all, terms) = terms(Runs::Counting, "kernels-2026").unwrap();
    assert!(all > 0.0 && terms.len() >= 10);
    assert!(terms[0].mean > all);
}
