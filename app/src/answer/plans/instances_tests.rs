//! One large deployment or many: the papers' case, and what cannot be.

use super::instances_data;
use crate::charts::{Figure, WinsFrom};
use model_core::permalink::{self, View};
use model_core::scenario::preset::PRESETS;

/// [B] III: B200s joined by NVLink, BF16, nothing hidden.
const B200: &str = "gpu=custom&peak_bf16=2250&hbm=8000&capacity=192&precision=bf16&calibration=ideal&overlap=none&beta=1&redundant=0&scale_up=900&domain=32&gpus=32";

/// [B] VII-C and Figure 12.
#[test]
fn one_large_instance_wins_where_the_paper_says() {
    let data = |context: &str, link: f64| {
        let inputs = permalink::read(&format!(
            "model=deepseek-r1&{B200}&context={context}&interconnect={link}"
        ));
        instances_data(&inputs.current).expect("a possible scenario")
    };
    let wins_from = |context: &str| match data(context, 900.0).break_even {
        WinsFrom::Bandwidth(bytes) => bytes / 1e9,
        other => panic!("{other:?}"),
    };
    assert!(
        (wins_from("2048") / 900.0 - 1.0).abs() < 0.03,
        "equivalent at 900 GB/s"
    );
    assert!(
        (100.0..300.0).contains(&wins_from("16384")),
        "300 GB/s is enough, 100 is not"
    );
    assert_eq!(data("16384", 300.0).finding(), "One: 1.02×");
    assert_eq!(data("16384", 100.0).finding(), "Many: 1.38×");
}

#[test]
fn instances_that_cannot_be_joined_say_why() {
    let too_many = instances_data(&permalink::read("v=1&gpus=1024&instances=64").current);
    let data = too_many.expect("the small one is possible");
    assert_eq!(
        data.trouble.as_deref(),
        Some("65,536 GPUs are too many for one")
    );
    assert_eq!(data.finding(), "There are no two to compare");
}

/// What [B] prints, beside what its preset shows, in its view and in the one that links of before name.
#[test]
fn the_preset_of_the_papers_figure_shows_its_ratio() {
    let preset = PRESETS.iter().find(|preset| preset.id == "b-figure-12");
    let link = permalink::read(preset.expect("the preset is there").link);
    assert_eq!((link.notes.len(), link.shown.view), (0, View::Plans));
    let data = instances_data(&link.current).expect("possible");
    assert_eq!(
        (data.finding(), data.wins()),
        ("One: 1.02×".into(), "wins from 270".into())
    );
    let before = crate::answer::limits::limits_answer(&link.current, None).expect("possible");
    let said =
        crate::answer::asked::in_plans(&link.current, link.search.two_batch).expect("it answers");
    assert_eq!(said, before.verdict);
}
