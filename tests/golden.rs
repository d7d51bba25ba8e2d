//! Tests that compare the model with papers, published parameter counts, and measured runs.

#![allow(clippy::expect_used, reason = "helpers of tests are tests too")]

use papers::{Case, Judgement, OF_PAPERS, OTHERS, Tolerance, judge};

/// Compares every golden case of a file with the model and prints the comparison; panics with the list of cases that
/// disagree.
fn file_holds(name: &str) {
    let mut files = OF_PAPERS.iter().chain(OTHERS);
    let file = files.find(|file| file.path == name);
    let file = file.expect("the file is compiled in");
    println!("{} — {} ({name})", file.paper, file.title);
    let judged: Vec<_> = file.cases.iter().map(judge).collect();
    for case in &judged {
        println!("  {case}");
    }
    let wrong: Vec<_> = judged
        .iter()
        .filter(|case| !case.holds())
        .map(ToString::to_string)
        .collect();
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    let mut facts: Vec<_> = file.cases.iter().map(identity).collect();
    facts.sort();
    facts.dedup();
    assert_eq!(
        facts.len(),
        file.cases.len(),
        "{name}: a case stands there twice"
    );
}

fn identity(case: &Case) -> String {
    format!(
        "{} {} {} {:?}",
        case.locator, case.link, case.measure, case.against
    )
}

macro_rules! golden {
    ($($test:ident: $path:literal),+ $(,)?) => {
        $(#[test]
        fn $test() {
            file_holds($path);
        })+

        #[test]
        fn every_file_is_judged() {
            let judged = [$($path),+];
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
            for folder in ["a", "b", "equations", "h", "l", "measured", "model", "r"] {
                let files = std::fs::read_dir(root.join(folder)).expect("the folder is there");
                for file in files {
                    let file = file.expect("it can be listed").file_name();
                    let path = format!("{folder}/{}", file.to_string_lossy());
                    assert!(judged.contains(&path.as_str()), "{path} is not judged");
                }
            }
        }
    };
}

golden! {
    a_weights: "a/weights.toml",
    a_arithmetic: "a/arithmetic.toml",
    a_experts: "a/experts.toml",
    a_communication: "a/communication.toml",
    a_whole: "a/whole.toml",
    a_prefill: "a/prefill.toml",
    a_figures: "a/figures.toml",
    b_limits: "b/limits.toml",
    b_intensity: "b/intensity.toml",
    b_cache: "b/cache.toml",
    b_reordering: "b/reordering.toml",
    b_systems: "b/systems.toml",
    equations_dense: "equations/dense.toml",
    equations_experts: "equations/experts.toml",
    equations_memory_and_limits: "equations/memory_and_limits.toml",
    helix_overlap: "h/overlap.toml",
    helix_figure_1: "h/figure_1.toml",
    helix_frontier: "h/frontier.toml",
    lamina_underutilization: "l/underutilization.toml",
    lamina_network: "l/network.toml",
    lamina_equal_price: "l/equal_price.toml",
    model_parameters: "model/parameters.toml",
    model_kv_cache: "model/kv_cache.toml",
    ratio_closed_form: "r/ratio.toml",
    ratio_simulated: "r/simulation.toml",
    measured_systems: "measured/systems.toml",
    measured_ratios: "measured/ratios.toml",
}

fn case(expected: f64, known_gap: Option<&'static str>) -> Case {
    Case {
        locator: "none",
        link: "v=1",
        measure: "layers",
        times: &[],
        per: &[],
        against: None,
        given: &[],
        expected: Some(expected),
        tolerance: Some(Tolerance::Percent(1.0)),
        at_least: None,
        at_most: None,
        unit: "1",
        because: "an example",
        known_gap,
    }
}

#[test]
fn a_case_is_met_or_missed_by_its_tolerance() {
    assert_eq!(judge(&case(61.0, None)).outcome, Judgement::Met);
    assert_eq!(judge(&case(60.5, None)).outcome, Judgement::Met);
    assert_eq!(judge(&case(60.0, None)).outcome, Judgement::Missed);
}

#[test]
fn a_gap_must_be_declared_and_stay_open() {
    assert_eq!(
        judge(&case(60.0, Some("counted otherwise"))).outcome,
        Judgement::Gap
    );
    assert_eq!(
        judge(&case(61.0, Some("counted otherwise"))).outcome,
        Judgement::Closed
    );
}

#[test]
fn a_case_that_cannot_be_judged_says_why() {
    let broken = |change: fn(&mut Case)| {
        let mut case = case(61.0, None);
        change(&mut case);
        matches!(judge(&case).outcome, Judgement::Broken(_))
    };
    assert!(
        broken(|case| case.link = "v=1&gpu=h1000"),
        "a link with a note"
    );
    assert!(
        broken(|case| case.link = "v=1&ep=7"),
        "an impossible scenario"
    );
    assert!(
        broken(|case| case.measure = "operator.q_sideways.flop"),
        "no such quantity"
    );
    assert!(broken(|case| case.unit = "furlongs"), "no such unit");
    assert!(
        broken(|case| case.because = ""),
        "no reason for the tolerance"
    );
    assert!(broken(|case| case.tolerance = None), "no tolerance");
    assert!(
        broken(|case| case.expected = None),
        "a tolerance of nothing"
    );
    assert!(
        broken(|case| case.at_most = Some(62.0)),
        "a value and a bound"
    );
}
