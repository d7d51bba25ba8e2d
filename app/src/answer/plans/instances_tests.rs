//! One large deployment or many: the visitor's own links, the papers' case, and impossible ones.

use super::{ShownPlan, instances_data, tests::told};
use crate::charts::{Figure, InstancePoint, Large, WinsFrom};
use model_core::permalink::{self, View};
use model_core::preset::PRESETS;

/// [B] III: B200s joined by NVLink, BF16, nothing hidden.
const B200: &str = "gpu=custom&peak_bf16=2250&hbm=8000&capacity=192&precision=bf16&calibration=ideal&overlap=none&beta=1&redundant=0&scale_up=900&domain=32&gpus=32";

/// [B] VII-C and Figure 12.
#[test]
fn one_domain_wins_as_in_paper_b() {
    let data = |context: &str, link: f64| {
        let link = permalink::read(&format!(
            "model=deepseek-r1&{B200}&context={context}&interconnect={link}&search_overlap=none"
        ));
        instances_data(&link).expect("a possible scenario")
    };
    let wins_from = |context: &str| match data(context, 900.0).joined {
        Large::OneDomain {
            wins: WinsFrom::Bandwidth(bytes),
            ..
        } => bytes / 1e9,
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
    assert_eq!(data("16384", 300.0).finding(), "One domain: 1.02×");
    assert_eq!(data("16384", 100.0).finding(), "Many: 1.38× one domain");
}

/// On the visitor's own links either side is the best plan of Plans on as many GPUs.
#[test]
fn either_side_is_its_best_plan() {
    const SYSTEM: &str =
        "v=1&model=deepseek-r1&gpu=h200&overlap=none&batch=1136&context=6000&slo=30";
    let link = |gpus: u32| format!("{SYSTEM}&gpus={gpus}");
    let data = instances_data(&permalink::read(&link(32))).expect("possible");
    assert_eq!(data.joined, Large::OwnLinks);
    let best = |gpus: u32| told(&link(gpus)).own.expect("it has a plan");
    let alike = |side: &Option<InstancePoint>, own: &ShownPlan| {
        let side = side.as_ref().expect("it works");
        assert_eq!(
            side.point.per_gpu.to_bits(),
            own.point.per_gpu.to_bits(),
            "{}",
            side.plan
        );
    };
    let (small, large) = (best(32), best(256));
    alike(&data.small.best, &small);
    alike(&data.large.best, &large);
    let gain = large.point.per_gpu / small.point.per_gpu;
    assert!(gain > 1.4, "{gain}");
    assert_eq!(
        data.finding(),
        format!("One: {} at 30 tok/s", crate::format::factor(gain))
    );
    let plan = data.large.best.map(|best| best.plan);
    assert_eq!(plan.as_deref(), Some("DP 256 · EP 256 · two-batch"));
    // The bandwidth from which one domain wins does not depend on the bandwidth that is set.
    let wins = [25, 50, 400].map(|bandwidth| {
        let link = format!("{}&interconnect={bandwidth}", link(32));
        let data = instances_data(&permalink::read(&link)).expect("possible");
        match data.joined {
            Large::OneDomain {
                wins: WinsFrom::Bandwidth(bytes),
                ..
            } => bytes.to_bits(),
            other => panic!("{other:?}"),
        }
    });
    assert!(wins.iter().all(|other| *other == wins[0]), "{wins:?}");
    // [B]'s comparison is labelled as such.
    let domain = instances_data(&permalink::read(&format!("{}&joined=domain", link(32))));
    let domain = domain.expect("possible");
    assert!(matches!(domain.joined, Large::OneDomain { .. }));
}

#[test]
fn replicas_that_cannot_be_joined() {
    for joined in ["own", "domain"] {
        let link = format!("v=1&gpus=1024&instances=64&joined={joined}");
        let data = instances_data(&permalink::read(&link)).expect("the small one is possible");
        assert_eq!(
            data.trouble.as_deref(),
            Some("65,536 GPUs are too many for one")
        );
        assert_eq!(data.finding(), "There are no two to compare");
    }
}

/// [B]'s Figure 12 as its preset shows it.
#[test]
fn preset_of_figure_12() {
    let preset = PRESETS.iter().find(|preset| preset.id == "b-figure-12");
    let link = permalink::read(preset.expect("the preset is there").link);
    assert_eq!((link.notes.len(), link.shown.view), (0, View::Plans));
    let data = instances_data(&link).expect("possible");
    assert_eq!(
        (data.finding(), data.wins()),
        ("One domain: 1.02×".into(), "wins from 270".into())
    );
}

/// Every curve contains its best point.
#[test]
fn a_curve_holds_its_best() {
    for link in [
        "v=1&calibration=ideal".to_owned(),
        format!("v=1&model=deepseek-r1&{B200}&batch=4096&context=8k"),
        "v=1&model=gpt-oss-120b&gpus=8&batch=48&context=128k&redundant=0&overlap=none".to_owned(),
    ] {
        let data = instances_data(&permalink::read(&link)).expect("possible");
        for side in [&data.small, &data.large] {
            let best = side.best.as_ref().expect("it works");
            assert!(side.points.contains(best), "{link}: {best:?}");
            let along = side.points.windows(2);
            for pair in along {
                let [one, other] = [&pair[0].point, &pair[1].point];
                assert!(one.per_user >= other.per_user, "{link}");
                assert!(one.per_gpu <= other.per_gpu * (1.0 + 1e-9), "{link}");
            }
        }
    }
}
