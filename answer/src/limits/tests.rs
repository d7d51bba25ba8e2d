//! Tests of the Limits view; scenarios are given as permalinks.

use super::*;
use crate::Tone;
use crate::charts::MapData;
use crate::words::headline::Headline;
use model_core::cost::memory::batch_capacity;
use model_core::limits::growth::on_gpus;
use model_core::limits::saturation::saturation;
use model_core::permalink::{self, Metric};

/// The cluster of [B] section III: B200s connected by NVLink, in BF16, without overlap.
const B200: &str = "gpu=custom&peak_bf16=2250&hbm=8000&capacity=192&precision=bf16&calibration=ideal&overlap=none&beta=1&redundant=0&scale_up=900&domain=32&gpus=32";

fn say(link: &str) -> LimitsAnswer {
    let link = permalink::read(link);
    limits_answer(&link.current, link.pinned.as_ref()).expect("a possible scenario")
}

fn charted(link: &str) -> LimitsCharts {
    let link = permalink::read(link);
    limits_charts(&link.current, link.pinned.as_ref(), link.shown.against).expect("possible")
}

fn mapped(link: &str) -> MapData {
    let link = permalink::read(link);
    let field =
        Arc::new(field(&Plane::of(&link.current), Resolution::FINE).expect("a possible scenario"));
    map_data(field, &link.current, link.pinned.as_ref(), Metric::Tpot).expect("a possible scenario")
}

fn text(link: &str) -> String {
    say(link).headline.plain_text()
}

fn values(link: &str) -> [String; 6] {
    say(link).figures.map(|cell| cell.value)
}

#[test]
fn headlines_of_limits() {
    let said = ["v=1", "v=1&slo=20&batch=4096", "v=1&batch=72&context=600k"].map(text);
    assert_eq!(
        said,
        [
            "At most 29,880 sequences fit, 415 per GPU; output levels off at 27,007.",
            "At most 6,993 sequences meet 20 tok/s/user.",
            "Batch too small: this plan needs ≥ 144 sequences; memory holds 72.",
        ]
    );
    let slow = Headline::TooFew {
        least: 144.0,
        room: None,
        slo: Some(40.0),
    };
    assert_eq!(
        slow.sentence().plain_text(),
        "Batch too small: this plan needs ≥ 144 sequences; that batch misses 40 tok/s/user."
    );
    assert!(limits_answer(&permalink::read("v=1&ep=64").current, None).is_none());
}

#[test]
fn figures_have_one_number_each() {
    let paper = format!("model=deepseek-r1&context=8192&batch=4096&{B200}");
    assert_eq!(
        values(&paper),
        ["4,096", "–", "9,538", "9,908", "7,264", "–"]
    );
    let states = say(&paper).figures.map(|cell| cell.state);
    let muted = |text: &str| Some((text.to_owned(), Tone::Muted));
    assert_eq!(states[0], muted("56% of the maximum"));
    assert_eq!(states[1], muted("no SLO set"));
    assert_eq!(states[2], muted("B_attn 9,000 · > memory"));
    assert_eq!(states[4], muted("B_cap · 227 per GPU"));
    let over = say("v=1&batch=36864").figures;
    assert_eq!(
        over[0].state,
        Some(("out of memory: 1.16×".to_owned(), Tone::Bad))
    );
    let slo = say("v=1&calibration=aleph-alpha-2025&slo=20&batch=9216").figures;
    assert_eq!(slo[1].value, "11,545");
    assert_eq!(slo[5].name, "Cost at 11,545 · $2/GPU·h");
    let pinned = say("v=1&a.gpus=144").figures;
    assert!(pinned[4].state.is_none() && pinned[4].versus.is_some());
}

#[test]
fn meaningless_limits_are_dashes() {
    let own = say("v=1").figures;
    let none = say("v=1&slo=1000").figures;
    assert_eq!((own[1].value.as_str(), none[1].value.as_str()), ("–", "–"));
    assert_ne!(own[1].help, none[1].help);
    let full = say("v=1&model=mixtral-8x22b&gpus=1&batch=512").figures;
    assert_eq!(full[4].value, "–");
    // With this little compute, one sequence saturates the experts.
    let slow = say("v=1&gpu=custom&peak_bf16=1&peak_fp8=1&hbm=8000&capacity=192").figures;
    assert_eq!((slow[2].value.as_str(), slow[3].value.as_str()), ("8", "–"));
    let map = mapped(
        "v=1&gpus=1&model=llama-3-70b&gpu=custom&peak_bf16=1&peak_fp8=1&hbm=8000&capacity=192",
    );
    assert_eq!(map.field.full.len(), 0);
}

#[test]
fn map_rests_while_its_point_moves() {
    let plane = |link: &str| Plane::of(&permalink::read(link).current);
    assert_eq!(plane("v=1"), plane("v=1&batch=720&context=64k"));
    assert_ne!(plane("v=1"), plane("v=1&beta=0.5"));
    assert_ne!(plane("v=1"), plane("v=1&context=4M"), "its point is on it");
}

#[test]
fn map_and_figures_share_limits() {
    let map = mapped("v=1&slo=20");
    let at = |line: &[(f64, f64)], context: f64| {
        let near = |(at, _): &&(f64, f64)| (*at - context).abs() < 1e-6;
        line.iter().find(near).map(|(_, batch)| *batch)
    };
    let evaluated = |link: &str| Evaluated::new(&permalink::read(link).current).expect("possible");
    let case = evaluated("v=1&slo=20&context=4096");
    let field = &map.field;
    assert_eq!(at(&field.capacity, 4096.0), Some(case.limits.b_cap));
    let largest = case.largest.map(|largest| largest.batch);
    assert_eq!(at(&field.kept.concat(), 4096.0), largest.ok());
    let full = saturation(&case.scenario);
    let [attention, ffn] = field.full.as_slice() else {
        panic!("{:?}", field.full);
    };
    assert_eq!(Some(attention.batch), full.attention);
    assert_eq!(Some(ffn.batch), full.ffn);
    // No line continues beyond the memory limit.
    let room = |context: f64| at(&field.capacity, context).unwrap_or(0.0);
    for full in &field.full {
        let within = |(context, batch): &(f64, f64)| *batch <= room(*context);
        assert!(full.line.iter().all(within), "{}", full.name);
    }
    for (context, batch) in field.kept.concat() {
        let room = field.capacity.iter().rfind(|(at, _)| *at <= context);
        assert!(room.is_some_and(|(_, most)| batch < *most), "at {context}");
    }
    let here = evaluated("v=1&slo=20");
    assert_eq!(map.largest_now, here.largest.ok().map(|it| it.batch));
    assert!((map.capacity_now - here.limits.b_cap).abs() < 1e-9);
}

/// Checks that the map uses the schedule of its scenario, in permalinks of version 3. There, the default schedule
/// depends on the batch.
#[test]
fn the_map_has_the_schedule_of_its_point() {
    let link = "v=3&gpu=h200&gpus=64&batch=1189&context=32k";
    let case = Evaluated::new(&permalink::read(link).current).expect("possible");
    let full = saturation(&case.scenario);
    let wanted = [full.attention, full.ffn].into_iter().flatten();
    let field = mapped(link).field;
    let lines = field.full.iter().map(|line| line.batch);
    assert_eq!(lines.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
}

/// Checks [B] IV-A and Figure 3 within 5%: DeepSeek-R1 reaches up to 53.67× the throughput of GPT-3. Each model runs
/// the largest batch that fits in memory.
#[test]
fn r1_over_gpt_3_as_published() {
    let pinned = format!("model=gpt-3-175b&tp=8&{B200}")
        .split('&')
        .map(|pair| format!("&a.{pair}"))
        .collect::<String>();
    let map = mapped(&format!(
        "model=deepseek-r1&context=8192&batch=4096&{B200}{pinned}"
    ));
    let pinned = map.pinned.expect("it is pinned");
    let (context, times) = pinned.advantage.expect("both fit");
    assert!((times / 53.67 - 1.0).abs() < 0.05, "{times} at {context}");
}

#[test]
fn every_corner_is_answered() {
    for link in [
        "gpus=1&batch=1&context=1",
        "gpus=4096&batch=10M&context=16M",
        "gpus=1&model=llama-3-70b",
        "gpus=8&model=gpt-3-175b&precision=bf16&overlap=hop-b&slo=5",
        "slo=1e6",
        "scale_out=1e-3&scale_up=1e-3&slo=1",
        "reserve=0.9",
        "batch=60000&context=64k",
    ] {
        assert!(text(link).split_whitespace().count() <= 18, "{link}");
        charted(link);
        let map = mapped(link);
        let within = |(low, high): (f64, f64), value: f64| low <= value && value <= high;
        assert!(within(map.field.contexts, map.now.context), "{link}");
        assert!(within(map.field.batches, map.now.point.batch), "{link}");
    }
}

#[test]
fn coarse_plane_has_the_same_limits() {
    let plane = Plane::of(&permalink::read("v=1&slo=20").current);
    let fine = field(&plane, Resolution::FINE).expect("possible");
    let coarse = field(&plane, Resolution::COARSE).expect("possible");
    assert_eq!(coarse.capacity, fine.capacity);
    assert_eq!(coarse.full, fine.full);
    assert!(4 * coarse.points.len() <= fine.points.len());
    let samples: Vec<&(f64, f64)> = fine.kept.iter().flatten().collect();
    assert!(!samples.is_empty());
    for (context, batch) in coarse.kept.iter().flatten() {
        let same = |other: &&&(f64, f64)| (other.0 / context - 1.0).abs() < 1e-9;
        let found = samples.iter().find(same).expect("a sample of the fine one");
        assert!((found.1 - batch).abs() <= 1.0);
    }
}

#[test]
fn context_beside_another_model() {
    let link = "v=1&model=deepseek-v3.2&context=128k&batch=256&a.v=1";
    let finding = |link: &str| charted(link).context.finding.clone();
    let named = finding(&format!("{link}&against=deepseek-v3"));
    assert!(named.contains(" DeepSeek-V3: TPOT"), "{named}");
    let pinned = finding(link);
    assert!(pinned.contains(" A: TPOT"), "{pinned}");
    // A dense model has no experts to put on 72 GPUs.
    let stated = "v=1&ep=72&dp=72&ffn_tp=1&redundant=32&against=llama-3.1-405b";
    let dense = finding(stated);
    assert!(dense.ends_with("does not run in this configuration"));
}

/// Checks that a pinned scenario that differs only in context is drawn as one point, because its curve equals the
/// current one.
#[test]
fn context_beside_another_context() {
    let finding = |pinned| {
        let charts = charted(&format!("v=1&context=32k{pinned}"));
        charts.context.finding.clone()
    };
    let other = finding("&a.v=1&a.context=4k");
    assert!(other.contains(" vs. A at 4k: TPOT "), "{other}");
    assert_eq!(finding("&a.v=1&a.context=32k"), finding(""));
}

#[test]
fn a_default_batch_is_the_same_on_any_gpus() {
    let case = Evaluated::new(&permalink::read("v=3").current).unwrap();
    let batch = case.scenario.workload.batch;
    let inputs = case.inputs.with_its_batch();
    let finding = growth::chart(&case).finding;
    let least = growth::fewest_fit(&inputs).unwrap();
    assert!(
        finding.ends_with(&format!("need ≥ {least} GPUs")),
        "{finding}"
    );
    let holds = |gpus: u32| {
        let scenario = on_gpus(&inputs, gpus).unwrap();
        batch_capacity(&scenario) >= batch
    };
    assert!(holds(least) && !holds(12), "{least}");
}

#[test]
fn growth_starts_where_weights_fit() {
    for (link, fewest) in [
        ("v=1&gpus=1", Some(49)),
        ("v=1&slo=20", Some(49)),
        ("v=1&gpus=1&batch=1", Some(11)),
    ] {
        let inputs = permalink::read(link).current;
        assert_eq!(growth::fewest_fit(&inputs), fewest, "{link}");
        let case = Evaluated::new(&inputs).unwrap();
        assert_eq!(growth::growth_of(&case).weights_from, Some(11.0), "{link}");
        let rows = &charted(link).growth.rows;
        assert_eq!(rows.number("GPUs", 0), Some(16.0), "{link}");
    }
    let rows = &charted("v=1").growth.rows;
    let totals = (0..rows.len()).map(|row| rows.number("total", row).unwrap());
    assert!(totals.is_sorted_by(|one, next| one >= next));
    let link = "v=1&reserve=0.9&model=gpt-3-175b&precision=bf16&gpu=l40s";
    let case = Evaluated::new(&permalink::read(link).current).unwrap();
    let none = growth::growth_of(&case);
    assert!(charted(link).growth.own.is_some() || none.weights_from.is_none());
}
