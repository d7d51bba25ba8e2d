//! Tests that every shown number can be opened as an account, a tree of formulas. The root equals the shown number,
//! each node equals its formula, and each leaf names its origin.
//!
//! `RIDGEPOINT_SCENARIOS=10000` tries 10,000 scenarios per mode, in about four minutes; a run of all tests tries
//! fewer.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod modes;
mod moves;

use model_core::account::{
    Account, DEEPEST, How, LISTED, Quantity, Section, Symbol, Term, account, operator,
};
use model_core::cost::memory::batch_capacity;
use model_core::evaluate::{Evaluation, evaluate, first_token};
use model_core::inputs::{Inputs, Version};
use model_core::permalink;
use model_core::preset::PRESETS;
use model_core::scenario::Scenario;
use ridgepoint_tests::law::tried;
use ridgepoint_tests::space;

/// Number of random scenarios on which each property is tested; the environment variable `RIDGEPOINT_SCENARIOS`
/// overrides it.
const SCENARIOS: u64 = 1_000;

/// Returns the value that the page shows for a quantity of a colocated deployment.
fn shown(
    inputs: &Inputs,
    scenario: &Scenario,
    evaluation: &Evaluation,
    quantity: Quantity,
) -> Option<f64> {
    let breakdown = &evaluation.breakdown;
    Some(match quantity {
        Quantity::Tpot => evaluation.tpot.get(),
        Quantity::PerUser => evaluation.tokens_per_user,
        Quantity::PerGpu => evaluation.tokens_per_gpu,
        Quantity::Throughput => evaluation.tokens,
        Quantity::Cost => evaluation.dollars_per_mtok?,
        Quantity::Memory => evaluation.memory.most().get(),
        Quantity::Capacity => batch_capacity(scenario),
        Quantity::Ttft => first_token(inputs, scenario)?.get(),
        Quantity::Step => evaluation.step.get(),
        Quantity::Attention => breakdown.attention.get(),
        Quantity::Dense => breakdown.dense.get(),
        Quantity::Experts => breakdown.experts.get(),
        Quantity::Head => breakdown.head.get(),
        Quantity::Communication => breakdown.messages.get(),
        Quantity::Overhead => breakdown.overhead.get(),
        Quantity::Overlapped => breakdown.hidden.get(),
        _ => return None,
    })
}

/// Checks the properties of one account tree, whose root has to equal the shown number; an error describes a
/// violation.
pub fn obeys(tree: &Account, shown: f64) -> Result<(), String> {
    if tree.value.to_bits() != shown.to_bits() {
        return Err(format!("the root is {} instead of {shown}", tree.value));
    }
    let mut broken = None;
    let mut fail = |why: String| {
        broken.get_or_insert(why);
    };
    tree.visit(&mut |node, level| {
        let name = node.term.name();
        if level > DEEPEST {
            fail(format!("{name} is on level {level}"));
        }
        let lines = node.listed();
        if lines.parts.len() + usize::from(lines.more > 0) > LISTED {
            fail(format!("{name} lists {} parts", lines.parts.len()));
        }
        if node.is_leaf() {
            let known = match &node.how {
                How::Input(key) => !key.is_empty(),
                _ => node.source.is_some(),
            };
            if !known || !node.parts.is_empty() {
                fail(format!("{name} has no origin"));
            }
            return;
        }
        if matches!(node.section(), None | Some(Section::Symbols)) {
            fail(format!("{name} has no place of its equation"));
        }
        let values: Vec<f64> = node.parts.iter().map(|part| part.value).collect();
        let Some(value) = node.how.of(&values) else {
            return fail(format!("{name} has no formula for {values:?}"));
        };
        let scale = match node.how {
            How::Difference | How::LayerSum(_) => values
                .iter()
                .zip(node.weights())
                .map(|(value, weight)| (value * weight).abs())
                .sum(),
            _ => node.value.abs(),
        };
        let off = (value - node.value).abs();
        if off.is_nan() || off > 1e-12 * scale {
            fail(format!(
                "{name} is {} instead of {value}: {:?} of {:?}",
                node.value,
                node.how,
                node.parts
                    .iter()
                    .map(|part| (part.term.name(), part.value))
                    .collect::<Vec<_>>()
            ));
        }
    });
    broken.map_or(Ok(()), Err)
}

fn every_number(
    inputs: &Inputs,
    scenario: &Scenario,
    evaluation: &Evaluation,
    operators: usize,
) -> Result<(), String> {
    for quantity in Quantity::ALL {
        let tree = account(inputs, scenario, evaluation, quantity);
        match (tree, shown(inputs, scenario, evaluation, quantity)) {
            (Some(tree), Some(shown)) => {
                obeys(&tree, shown).map_err(|why| format!("{}: {why}", quantity.id()))?;
            }
            (None, Some(shown)) if shown.abs() > 0.0 => {
                return Err(format!("{}: no account", quantity.id()));
            }
            _ => {}
        }
    }
    for (number, timed) in evaluation.timed(scenario).enumerate().take(operators) {
        let tree = operator(inputs, scenario, evaluation, number).ok_or("no operator")?;
        obeys(&tree, timed.time.get())?;
    }
    Ok(())
}

/// Opens the account (tree of formulas) of every shown number, for one random scenario per seed. Returns a
/// description of each failure.
fn random(operators: usize, seeds: impl Iterator<Item = u64>) -> Vec<String> {
    let mut broken = Vec::new();
    for seed in seeds {
        let mut inputs = space::inputs(&mut space::seeded(seed));
        let version = Version::ALL[seed as usize % Version::ALL.len()];
        let mut other = inputs;
        other.version = version;
        if other.scenario().is_ok() {
            inputs = other;
        }
        let scenario = inputs.scenario().expect("a possible scenario");
        let evaluation = evaluate(&scenario).expect("a finite result");
        if let Err(why) = every_number(&inputs, &scenario, &evaluation, operators) {
            broken.push(format!("{why}\n  at {}", permalink::write_inputs(&inputs)));
        }
    }
    broken
}

#[test]
fn numbers_of_random_scenarios_open() {
    let most = tried(SCENARIOS);
    let broken = random(0, 0..most);
    let first: Vec<_> = broken.iter().take(12).collect();
    assert!(broken.is_empty(), "{} of {most}: {first:#?}", broken.len());
}

#[test]
fn operators_of_random_scenarios_open() {
    let most = tried(SCENARIOS);
    let broken = random(usize::MAX, most..most + most / 10);
    assert!(broken.is_empty(), "{}: {:#?}", broken.len(), broken.first());
}

#[test]
fn corrected_numbers_open() {
    for link in [
        "v=3&model=gpt-oss-120b&gpu=h100&batch=8&measured=12.8ms@8,34.6ms@62",
        "v=3&gpu=h200&gpus=72&measured=40ms@1000",
        "v=3&model=gpt-oss-120b&gpu=h100&serving=aggregated&prompt=2000&output=500&batch=32&measured=20ms@32",
    ] {
        let inputs = permalink::read(link).current;
        let scenario = inputs.scenario().expect("a possible scenario");
        let evaluation = evaluate(&scenario).expect("a finite result");
        every_number(&inputs, &scenario, &evaluation, usize::MAX)
            .unwrap_or_else(|why| panic!("{link}: {why}"));
    }
}

#[test]
fn numbers_of_presets_open() {
    for preset in PRESETS {
        let inputs = permalink::read(preset.link).current;
        let Ok(scenario) = inputs.scenario() else {
            continue;
        };
        let evaluation = evaluate(&scenario).expect("a finite result");
        every_number(&inputs, &scenario, &evaluation, usize::MAX)
            .unwrap_or_else(|why| panic!("{}: {why}", preset.link));
    }
}

const MODEL: &str = include_str!("../../docs/model.md");

#[test]
fn parts_of_cpu_overhead_have_their_own_names() {
    for link in ["v=3", "v=3&model=gpt-oss-120b&gpu=h100"] {
        let inputs = permalink::read(link).current;
        let scenario = inputs.scenario().expect("a possible scenario");
        let evaluation = evaluate(&scenario).expect("a finite result");
        let tree = account(&inputs, &scenario, &evaluation, Quantity::Overhead);
        let mut names = Vec::new();
        tree.expect("an account").visit(&mut |node, _| {
            if node.term == Term::Plain(Symbol::Host) {
                names = node.parts.iter().map(|part| part.term.name()).collect();
            }
        });
        assert_eq!(
            names,
            ["CPU overhead per step", "CPU overhead of sampled tokens"],
            "{link}"
        );
    }
}

/// Checks that the symbol table in `docs/model.md` lists every symbol with its name, unit and section.
#[test]
fn symbols_are_documented() {
    let rows: Vec<&str> = MODEL
        .split("\n## Symbols\n")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .unwrap_or_default()
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .collect();
    let place = |section: Section| match section {
        Section::Symbols => String::new(),
        other => format!("[{}](#{})", other.name(), other.id()),
    };
    let own: Vec<String> = Symbol::ALL
        .iter()
        .map(|one| {
            let (symbol, name, unit) = (one.symbol(), one.name(), one.unit().id());
            format!("| {symbol} | {name} | {unit} | {} |", place(one.section()))
        })
        .collect();
    if std::env::var_os("RIDGEPOINT_RECORD").is_some() {
        println!("{}", own.join("\n"));
        return;
    }
    assert_eq!(rows, own);
}

/// Returns the anchors of a Markdown text: one per heading, and the explicit `<a id>` ones.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| {
        let (marks, heading) = line.split_once(' ')?;
        (marks.len() > 1 && marks.chars().all(|mark| mark == '#')).then(|| {
            let words = heading.split(|letter: char| !letter.is_alphanumeric());
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            words.join("-").to_lowercase()
        })
    });
    let own = text.split("<a id=\"").skip(1);
    let own = own.filter_map(|rest| rest.split('"').next());
    headings.chain(own.map(str::to_owned)).collect()
}

#[test]
fn every_place_of_an_equation_exists_once() {
    let anchors = anchors(MODEL);
    for section in Section::ALL {
        let same = anchors.iter().filter(|anchor| *anchor == section.id());
        assert_eq!(same.count(), 1, "#{}", section.id());
    }
    for link in MODEL.split("](#").skip(1) {
        let link = link.split(')').next().unwrap_or_default();
        assert!(anchors.iter().any(|anchor| anchor == link), "#{link}");
    }
}
