//! Regression tests of numbered contradictions, found by a review, between the answers for a single scenario.

use answer::levers::{gives, table};
use answer::limits::limits_charts;
use answer::picture::table::Cell;
use answer::words::headline::{Headline, Remedy};
use answer::{FigureCell, FirstScreen, Outcome, answer, sizing};
use model_core::bottleneck::{Bottleneck, Resource};
use model_core::cost::collective::Collective;
use model_core::cost::roofline::Bound;
use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::{Inputs, Number};
use model_core::levers::{Change, Levers};
use model_core::limits::saturation::saturation;
use model_core::ops::OperatorRole;
use model_core::permalink::read;
use model_core::plan::Overlap;
use model_core::preset::PRESETS;
use model_core::report::{Report, report};
use model_core::scenario::Scenario;
use model_core::timeline::{Work, group_of, layer_of};
use ridgepoint_tests::space;

/// Permalink to Kimi K2 on 64 GPUs of a custom accelerator, with an SLO of 25 tok/s/user.
const OWN: &str = "v=2&model=kimi-k2&gpu=custom&peak_bf16=750&peak_fp8=1500&hbm=6000&capacity=192\
    &gpus=64&domain=16&scale_up=400&batch=512&context=128k&slo=25";

fn inputs(link: &str) -> Inputs {
    read(link).current
}

fn evaluated(link: &str) -> (Scenario, Evaluation) {
    let scenario = inputs(link).scenario().unwrap();
    let evaluation = evaluate(&scenario).unwrap();
    (scenario, evaluation)
}

fn page(link: &str) -> FirstScreen {
    match answer(&inputs(link), None) {
        Outcome::Possible(page) => *page,
        Outcome::Impossible(problems) => panic!("{problems:?}"),
    }
}

/// Checks the fix of contradiction 1: a model on one GPU has no redundant experts, which make sense only in a plan on
/// many GPUs.
#[test]
fn one_gpu_has_no_redundant_experts() {
    let link = "v=3&model=gpt-oss-120b&gpu=h100&gpus=1&batch=1&context=2050";
    let (_, own) = evaluated(link);
    let (_, none) = evaluated(&format!("{link}&redundant=0"));
    assert!(own.memory.fits());
    assert_eq!(own.memory, none.memory);
}

/// Checks the fix of contradiction 3: a preset question uses today's defaults or names the calibration of its paper,
/// and the time lost to unbalanced experts is reported.
///
/// Permalinks: `?v=1&calibration=aleph-alpha-2025&batch=9216&slo=20&view=limits`,
/// `?v=2&batch=9216&slo=20&view=limits`
#[test]
fn questions_name_their_calibration() {
    for preset in PRESETS {
        let today = preset.link.starts_with("v=3") && !preset.link.contains("calibration=");
        let named = preset.detail.contains("calibration")
            || preset.link.contains("latencies=")
            || preset.link.contains("mode=split");
        assert!(today || named, "{}: {}", preset.id, preset.link);
    }
    let balance = |beta: &str| {
        let (scenario, evaluation) = evaluated(&format!("v=3&gpus=72&batch=9216&beta={beta}"));
        Bottleneck::of(&scenario, &evaluation).share(Resource::Balance)
    };
    assert!(balance("1") <= 0.0 && balance("0.8") > 0.01);
}

/// Checks the fix of contradiction 7: each lever is listed in only one row, with one TPOT.
#[test]
fn a_lever_is_one_row() {
    let random = (0..100).map(|seed| space::inputs(&mut space::seeded(seed)).normalized());
    for now in [inputs(OWN)].into_iter().chain(random) {
        let levers = Levers::of(&now);
        let open = |inputs: &Inputs| inputs.with(Number::Batch, 1.0);
        for (place, one) in levers.all.iter().enumerate() {
            let same = levers.all[place + 1..].iter().find(|other| {
                let fit = Change::FitOther;
                (one.change == fit || other.change == fit)
                    && open(&one.inputs) == open(&other.inputs)
            });
            assert!(same.is_none(), "{:?} and {:?}", one.change, same);
        }
    }
    let overlap = Levers::of(&inputs(OWN));
    let mut rows = overlap.all.iter();
    let off = rows.find(|lever| lever.inputs.schedule() == Overlap::Sequential);
    let tpot = off.unwrap().tpot_same_batch(&inputs(OWN)).unwrap();
    assert!((tpot.as_millis() - 34.4).abs() < 0.1, "{tpot:?}");
}

/// Checks the fix of contradiction 8: a lever and the growth chart give the same GPU count for the SLO, and the
/// headline names the setting that reaches the SLO.
#[test]
fn counts_of_gpus_agree() {
    let now = inputs(OWN);
    let levers = Levers::of(&now);
    let mut all = levers.all.iter();
    let gpus = all.find(|lever| lever.change == Change::FitGpus).unwrap();
    let gpus = gpus.inputs.get(Number::Gpus).unwrap();
    assert!((gpus - 80.0).abs() < 1e-9);
    let growth = &limits_charts(&now, None, None).unwrap().growth.finding;
    assert!(
        growth.ends_with("67 to meet the SLO (80 in whole domains)"),
        "{growth}"
    );
    let Headline::MissesSlo { remedy, limit, .. } = page(OWN).headline else {
        panic!("it misses the SLO");
    };
    assert_eq!(remedy, Some(Remedy::Overlap(Overlap::Sequential)));
    let (scenario, evaluation) = evaluated(OWN);
    let found = Bottleneck::of(&scenario, &evaluation);
    assert_eq!(limit.resource, found.largest());
}

/// Checks the fix of contradiction 9: a single sequence on a small GPU is memory-bound, even though its GEMMs fill only
/// part of a tile.
#[test]
fn one_sequence_waits_for_bytes() {
    let link = "v=2&model=qwen3-30b-a3b&gpu=custom&peak_bf16=165&peak_fp8=330&hbm=1008&capacity=24\
        &gpus=1&batch=1&context=4k&w_attn=0.5&w_ffn=0.5&redundant=0&overlap=none";
    let (scenario, evaluation) = evaluated(link);
    let found = Bottleneck::of(&scenario, &evaluation);
    assert!(found.share(Resource::Compute) <= 0.0 && found.share(Resource::Hbm) > 0.3);
    assert!(
        evaluation
            .timed(&scenario)
            .all(|timed| timed.bound == Bound::Memory)
    );
    let parts = ["2× FLOP/s"];
    let rows = table(&Levers::of(&inputs(link)), &inputs(link)).rows;
    assert!(
        rows.iter()
            .all(|row| !parts.contains(&row.lever.name.as_str()))
    );
}

/// Checks the fix of contradiction 10: if HBM limits all operators, the headline names HBM.
#[test]
fn hbm_is_named_where_all_wait_for_it() {
    let page = page(
        "v=2&model=gpt-oss-120b&gpu=gb10&gpus=1&batch=1&context=2050&w_attn=2&w_ffn=0.53125&redundant=0",
    );
    let Headline::Limited { limit, .. } = &page.headline else {
        panic!("{:?}", page.headline);
    };
    assert_eq!(limit.resource, Resource::Hbm);
    assert!(
        page.latency.finding.contains("HBM bandwidth"),
        "{}",
        page.latency.finding
    );
}

/// Checks the fix of contradiction 11. The title and the table count the same operators, attention at its saturating
/// batch is compute-bound, and both saturating batches are named.
#[test]
fn operators_are_counted_alike() {
    for link in [
        "v=2",
        "v=3&gpus=72&context=2050&beta=1",
        "v=2&beta=1&context=2050",
    ] {
        let roofline = sizing(&inputs(link), None, &[]).unwrap().roofline;
        let table = roofline.chart().table();
        let bounds = table
            .columns
            .iter()
            .position(|of| of.name == "bound")
            .unwrap();
        let memory = |row: &&Vec<Cell>| row[bounds].shown() == "memory-bound";
        let count = table.rows.iter().filter(memory).count();
        let said = format!("{count} of {} operators", table.rows.len());
        assert!(roofline.finding().starts_with(&said), "{said}");
    }
    let link = "v=2&beta=1&context=2050";
    let batch = saturation(&inputs(link).scenario().unwrap())
        .attention
        .unwrap();
    for (batch, bound) in [(batch, Bound::Compute), (batch - 1.0, Bound::Memory)] {
        let (scenario, evaluation) = evaluated(&format!("{link}&batch={batch}"));
        let attention = |role| role == OperatorRole::Attention;
        let heaviest = evaluation
            .timed(&scenario)
            .filter(|timed| attention(timed.operator.kind.role()))
            .max_by(|one, other| {
                one.operator
                    .weights
                    .get()
                    .total_cmp(&other.operator.weights.get())
            });
        assert_eq!(heaviest.unwrap().bound, bound);
    }
    let figures = answer::limits::limits_answer(&inputs(link), None)
        .unwrap()
        .figures;
    let named = |cell: &FigureCell| {
        cell.state
            .as_ref()
            .is_some_and(|state| state.0.contains("at peak"))
    };
    assert!(named(&figures[2]) && named(&figures[3]));
}

/// Checks the fix of contradiction 12: every error band contains its estimate.
#[test]
fn bands_hold_their_numbers() {
    let own = "v=1&model=deepseek-r1&gpu=custom&precision=bf16&overlap=none&calibration=ideal\
        &peak_bf16=2250&hbm=8000&capacity=192&gpus=32&domain=32&scale_up=900&batch=2048&context=16k\
        &beta=1&redundant=0";
    let others = [
        "v=2&serving=aggregated&prompt=3000&output=800&batch=1024",
        "v=1&serving=aggregated&prompt=3000&output=800&batch=1024",
        "v=3&serving=aggregated&prompt=3000&output=800",
        "v=1&layer_us=1",
    ];
    for link in [own].into_iter().chain(others) {
        let Report::Answer(said) = report(link) else {
            panic!("{link}");
        };
        let band = said.error_band.unwrap_or_else(|| panic!("{link}"));
        assert!(band.low <= 1.0 && 1.0 <= band.high, "{link}");
        assert!(band.tok_s_gpu[0] <= said.tok_s_gpu && said.tok_s_gpu <= band.tok_s_gpu[1]);
    }
}

/// Checks the fix of contradiction 13: in the timeline, dispatch and combine each take half the latency of the
/// all-to-all, plus the time for their bytes.
#[test]
fn dispatch_and_combine_have_their_latency() {
    let (scenario, evaluation) = evaluated("v=2&overlap=none");
    let line = layer_of(
        &scenario,
        &evaluation,
        &group_of(&scenario.arch, OperatorRole::Experts),
    );
    let time = |work: Work| {
        let mut intervals = line.intervals.iter();
        intervals
            .find(|interval| interval.work == work)
            .unwrap()
            .time()
            .get()
    };
    let messages = evaluation.messages(&scenario);
    let all = messages
        .iter()
        .find(|of| of.collective == Collective::ExpertAllToAll)
        .unwrap();
    let bytes = &scenario.precision;
    let moving = (all.time - all.latency).get() / (bytes.dispatch + bytes.combine);
    for (work, width) in [
        (Work::Dispatch, bytes.dispatch),
        (Work::Combine, bytes.combine),
    ] {
        let stated = all.latency.get() / 2.0 + moving * width;
        assert!((time(work) / stated - 1.0).abs() < 1e-9, "{work:?}");
    }
    assert!(all.latency.get() > 0.0);
}

/// Checks the fix of contradiction 13: a time that is only rounding error is shown as zero, integers are exact, and a
/// batch has at least one sequence.
#[test]
fn tables_are_exact() {
    for link in ["v=2", "v=3", "v=1&overlap=none", "v=3&mode=ratio"] {
        let table = page(link).latency.chart().table();
        for (column, name) in table.columns.iter().enumerate() {
            for row in &table.rows {
                let Cell::Number(value) = row[column] else {
                    continue;
                };
                assert!(
                    value == 0.0 || value.abs() > 1e-9,
                    "{link}: {} {value}",
                    name.name
                );
            }
        }
        let gpus = inputs(link).get(Number::Gpus).unwrap();
        let Cell::Number(least) = table.rows[0][0] else {
            panic!("{link}")
        };
        assert!(least * gpus >= 1.0 - 1e-9, "{link}: {least}");
    }
    assert_eq!(Cell::Number(18_432.0).shown(), "18,432");
    assert_eq!(Cell::from(3.47e-15).shown(), "0");
}

#[test]
fn ratios_are_not_below_one() {
    for link in [OWN, "v=2", "v=3"] {
        for lever in &Levers::of(&inputs(link)).all {
            let said = gives(lever);
            assert!(!said.starts_with("0."), "{link}: {said}");
        }
    }
}
