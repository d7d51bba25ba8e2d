//! Prints digests of many results for `cargo xtask test`, which compares the output of the native program with that
//! of WebAssembly. With the argument `links`, prints permalinks on which `cargo xtask test` compares the npm package
//! with the command line.
//!
//! A line is `<name> <digest>`. The digest covers the bits of many numbers from ten scenarios at a time, so that a
//! difference names its scenarios.

#![allow(
    clippy::expect_used,
    reason = "a scenario without a result is a failure"
)]
#![cfg_attr(
    target_family = "wasm",
    allow(dead_code, reason = "the package's links are natively printed")
)]

use std::cell::RefCell;

use model_core::afd::simulate::Simulation;
use model_core::apart::Scatter;
use model_core::calibration::NamedCalibration;
use model_core::evaluate::{evaluate, prefill};
use model_core::inputs::{Inputs, Number};
use model_core::levers::Levers;
use model_core::limits::limits;
use model_core::math;
use model_core::measured::{Edit, WITHOUT, compare};
use model_core::ops::LatentForm;
use model_core::pareto::Frontier;
use model_core::permalink;
use model_core::preset::PRESETS;
use model_core::report::{Reporter, report};
use model_core::sweep::{Space, Strategy, TriedPlan};
use ridgepoint_tests::runs::rows;
use ridgepoint_tests::{numbers, space};

/// Number of compared scenarios; each printed line covers `GROUP` of them.
const SCENARIOS: u64 = 1000;
const GROUP: u64 = 10;
/// Number of scenarios with several layer types.
const LAYERED: usize = 2000;

/// Printed digest lines for one type of result.
type Lines = Vec<String>;

const KINDS: [fn() -> Lines; 10] = [
    functions_of_analysis,
    evaluations,
    layered_evaluations,
    levers,
    links_and_results,
    splits,
    ratios,
    simulations,
    searches,
    measured_systems,
];

fn line(name: &str, digest: Digest) -> String {
    format!("{name} {:016x}", digest.0)
}

/// FNV-1a digest over the bits of 64-bit words; because bits are compared, +0 and −0 differ.
#[derive(Clone, Copy)]
struct Digest(u64);

impl Digest {
    const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
    }

    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.word(u64::from(byte)));
    }

    fn numbers(&mut self, numbers: numbers::Numbers) {
        for (name, value) in numbers {
            self.text(&name);
            self.number(value);
        }
    }
}

/// Returns one digest line per group of scenarios; `each` adds one scenario to the digest.
fn groups(name: &str, each: impl Fn(&mut Digest, &Inputs)) -> Lines {
    let group = |first: u64| {
        let mut digest = Digest::EMPTY;
        for seed in first..first + GROUP {
            each(&mut digest, &space::inputs(&mut space::seeded(seed)));
        }
        line(&format!("{name} {first:03}"), digest)
    };
    (0..SCENARIOS).step_by(GROUP as usize).map(group).collect()
}

fn functions_of_analysis() -> Lines {
    let mut digest = Digest::EMPTY;
    for n in 1..=20_000_u32 {
        let x = f64::from(n) / 7.0;
        digest.number(x.sqrt() * 3.0 - 0.1);
        digest.number(math::ln(x));
        digest.number(math::log10(x));
        digest.number(math::exp(x / 100.0 - 10.0));
        digest.number(math::pow(1.0 - 1.0 / (x + 1.0), 1e6 / x));
        digest.number(math::gamma(1.0 + x / 100.0));
    }
    vec![line("functions of analysis", digest)]
}

fn evaluations() -> Lines {
    groups("evaluations", |digest, inputs| {
        let scenario = inputs
            .scenario()
            .expect("the space holds possible scenarios only");
        let evaluation = evaluate(&scenario).expect("ordinary inputs have finite results");
        digest.numbers(numbers::of_evaluation(&scenario, &evaluation));
        let limits = limits(&scenario).expect("and finite limits");
        digest.numbers(numbers::of_limits(&limits));
        for form in LatentForm::ALL {
            let prompt = scenario.workload.context;
            let first = prefill(&scenario, prompt, form).expect("and finite prompts");
            digest.number(first.step().get());
        }
    })
}

/// Returns digest lines for models with several layer types, or with attention to only part of the context.
fn layered_evaluations() -> Lines {
    let layered = (SCENARIOS..)
        .map(|seed| space::inputs(&mut space::seeded(seed)))
        .filter(|inputs| !inputs.model.arch().attends_to_all())
        .take(LAYERED);
    let (mut digest, mut lines) = (Digest::EMPTY, Lines::new());
    for (index, inputs) in (1..).zip(layered) {
        let scenario = inputs
            .scenario()
            .expect("the space holds possible scenarios only");
        let evaluation = evaluate(&scenario).expect("ordinary inputs have finite results");
        digest.numbers(numbers::of_evaluation(&scenario, &evaluation));
        if index % 100 == 0 {
            lines.push(line(&format!("layered evaluations {index:04}"), digest));
        }
    }
    lines
}

/// Returns digest lines for the levers of all scenarios on at most 16 GPUs. The digest covers each lever's permalink
/// and factor.
fn levers() -> Lines {
    groups("levers", |digest, inputs| {
        // Only a tenth of the scenarios, because a list of levers takes a thousand evaluations.
        if inputs.get(Number::Gpus).is_some_and(|gpus| gpus > 16.0) {
            return;
        }
        for lever in Levers::of(inputs).all {
            digest.text(&permalink::write_inputs(&lever.inputs));
            digest.number(lever.factor.unwrap_or(0.0));
        }
    })
}

/// Returns digest lines for permalinks, for results, and for the refusals of invalid permalinks. The lines cover both
/// parsing and formatting of numbers.
fn links_and_results() -> Lines {
    let reporter = RefCell::new(Reporter::default());
    let report = |text: &str| reporter.borrow_mut().report(text);
    groups("links and results", |digest, inputs| {
        let link = permalink::write_inputs(inputs);
        digest.text(&link);
        digest.text(&format!("{:?}", permalink::read(&link)));
        let result = serde_json::to_string(&report(&link)).expect("a result is JSON");
        digest.text(&result);
        let broken = report(&format!(
            "{link}&ep=37&beta=1e-3&context=0.3M&scale_up=123.4Gb"
        ));
        digest.text(&serde_json::to_string(&broken).expect("a refusal is JSON"));
    })
}

/// Returns digest lines for a Lamina deployment of every scenario, with varying accelerators.
fn splits() -> Lines {
    groups("splits", |digest, inputs| {
        let link = permalink::write_inputs(inputs);
        let memory = ["h20", "mi300x", "h200"][link.len() % 3];
        let asked = format!("{link}&mode=split&memory_gpu={memory}&budget=100&compute_gpus=4");
        let result = serde_json::to_string(&report(&asked)).expect("a result is JSON");
        digest.text(&result);
    })
}

fn ratios() -> Lines {
    groups("ratios", |digest, inputs| {
        let link = permalink::write_inputs(inputs);
        let result = report(&format!("{link}&mode=ratio"));
        digest.text(&serde_json::to_string(&result).expect("a result is JSON"));
    })
}

fn simulations() -> Lines {
    let mut lines = Lines::new();
    for lengths in Scatter::all().map(Scatter::id) {
        for (seed, ratio) in [(1, 1.0), (2, 9.0), (4_294_967_295_u32, 3.5)] {
            let link = format!(
                "v=1&latencies=table2&lengths={lengths}&slots=32&requests=200&seed={seed}&ffn_instances=2"
            );
            let bundle = permalink::read(&link)
                .current
                .bundle()
                .expect("a possible bundle");
            let outcome = Simulation::run(bundle.setup(ratio)).expect("it ends");
            let mut digest = Digest::EMPTY;
            for number in outcome.means() {
                digest.number(number);
            }
            digest.number(outcome.elapsed.get());
            digest.word(outcome.steps);
            for step in &outcome.timeline {
                for interval in step
                    .attention
                    .iter()
                    .chain([&step.out, &step.ffn, &step.back])
                {
                    digest.number(interval.start.get());
                    digest.number(interval.end.get());
                }
            }
            let name = format!("simulation {lengths} {ratio} {seed}");
            lines.push(line(&name, digest));
        }
    }
    lines
}

fn searches() -> Lines {
    let links = [
        "v=1&gpu=gb200&context=1M&beta=1",
        "v=1&model=llama-3.1-405b&gpu=gb200&precision=fp4&calibration=helix&context=1M",
    ];
    let search = |link: &str| {
        let base = permalink::read(link)
            .current
            .scenario()
            .expect("a possible scenario");
        let batches = vec![1.0, 3.0, 8.0, 64.0, 1024.0];
        let space = Space::new(&base, &Strategy::ALL, &[1, 6, 8, 16], batches);
        let frontier = Frontier::of((0..space.len()).filter_map(
            |index| match space.outcome(index) {
                TriedPlan::Fits(point) => Some(point),
                _ => None,
            },
        ));
        let mut digest = Digest::EMPTY;
        for point in frontier.points() {
            digest.word(point.index as u64);
            digest.number(point.tokens_per_user);
            digest.number(point.tokens_per_gpu);
        }
        line(&format!("search {link}"), digest)
    };
    links.map(search).into()
}

/// Returns one digest line per measured run; it covers the run under every calibration, and with every calibration
/// term left out in turn.
fn measured_systems() -> Lines {
    let measured = rows().map(|row| {
        let mut digest = Digest::EMPTY;
        let mut compared = |edit: &Edit<'_>| {
            let found = compare(row, edit).expect("it is evaluated");
            digest.number(found.computed.get());
            digest.number(found.measured.get());
        };
        for calibration in NamedCalibration::ALL {
            compared(&Edit::keys(&format!("calibration={}", calibration.id())));
        }
        WITHOUT.iter().for_each(|term| compared(&term.edit));
        line(&format!("measured {}", row.id), digest)
    });
    measured.collect()
}

/// Returns the permalinks on which the npm package is compared with the native program. They are those of the presets
/// and of random scenarios in every mode, some with measurements or mistakes.
fn links() -> Lines {
    const MORE: [&str; 8] = [
        "",
        "&ep=37&beta=1e-3&context=0.3M&scale_up=123.4Gb",
        "&mode=ratio",
        "&mode=split&memory_gpu=mi300x&compute_gpus=4",
        "&v=3&serving=aggregated&prompt=1000&output=500&measured=90ms@64,12ms&measured_ttft=1s",
        "&mode=simulate&latencies=table2&r=2&slots=8&requests=100",
        "&v=2&gpu_name=%F0%9F%90%88é&unknown=\u{2028}\"",
        "&a.v=1&a.gpus=16&prices=h200:2.3",
    ];
    let presets = PRESETS.iter().map(|preset| preset.link.to_owned());
    let scenarios = (0..).map(|seed| {
        // A scenario with an SLO takes hundreds of evaluations.
        let inputs = space::inputs(&mut space::seeded(seed)).without(Number::Slo);
        let link = permalink::write_inputs(&inputs);
        match seed % 50 {
            48 => format!("{link}&slo=20&target_usd=1"),
            49 => format!("{link}&v=3"),
            _ => format!("{link}{}", MORE[seed as usize % MORE.len()]),
        }
    });
    presets.chain(scenarios).take(SCENARIOS as usize).collect()
}

/// Prints the digest lines of every type of result, or the permalinks for the comparison with the npm package.
#[cfg(not(target_family = "wasm"))]
fn main() {
    let lines: Vec<Lines> = if std::env::args().any(|word| word == "links") {
        vec![links()]
    } else {
        std::thread::scope(|scope| {
            let running = KINDS.map(|kind| scope.spawn(kind));
            running
                .into_iter()
                .map(|kind| kind.join().expect("it has printed why"))
                .collect()
        })
    };
    for line in lines.concat() {
        println!("{line}");
    }
}

#[cfg(target_family = "wasm")]
fn main() {}

/// Returns the digest lines of every type of result; Node calls it in the WebAssembly build.
#[cfg(target_family = "wasm")]
#[wasm_bindgen::prelude::wasm_bindgen]
#[must_use]
pub fn lines() -> String {
    KINDS.map(|kind| kind()).concat().join("\n")
}
