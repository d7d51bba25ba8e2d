//! What the view says of scenarios whose limits are known.

use super::*;
use crate::answer::Tone;
use crate::charts::{Figure, MapData};
use crate::format;
use model_core::limits::best_batch;
use model_core::permalink::{self, Metric, View};
use model_core::scenario::preset::PRESETS;

/// [B] III: B200s joined by NVLink, BF16, nothing hidden.
const B200: &str = "gpu=custom&peak_bf16=2250&hbm=8000&capacity=192&precision=bf16&calibration=ideal&overlap=none&beta=1&redundant=0&scale_up=900&domain=32&gpus=32";

fn say(link: &str) -> LimitsAnswer {
    let link = permalink::read(link);
    limits_answer(&link.current, link.pinned.as_ref()).expect("a possible scenario")
}

fn mapped(link: &str) -> MapData {
    let link = permalink::read(link);
    let field =
        Arc::new(field(&Plane::of(&link.current), Resolution::FINE).expect("a possible scenario"));
    map_data(field, &link.current, link.pinned.as_ref(), Metric::Tpot).expect("a possible scenario")
}

fn text(link: &str) -> String {
    say(link).verdict.plain_text()
}

#[test]
fn the_limit_that_stops_the_batch_is_named_with_what_lifts_it() {
    assert_eq!(
        text(&format!("model=deepseek-r1&context=8192&batch=4096&{B200}")),
        "Up to 7,264 sequences fit, 227 per GPU: 1.23× the throughput of yours at 1.44× the time per \
         token. One drafted token (80% accepted) gives 1.33× the throughput with users as fast, with 5,444 sequences. \
         At the largest batch twice the HBM bandwidth gives 1.22×."
    );
    assert_eq!(
        text("v=1&calibration=aleph-alpha-2025"),
        "Up to 29,880 sequences fit, 415 per GPU, and 10,295 sequences serve as much: 0.995× the throughput of \
         yours at 0.561× the time per token. Twice the scale-out link gives 1.84× as much. 3 instances of 24 GPUs \
         with an FP8 KV cache give 1.33× with users as fast."
    );
    let slo = text("v=1&batch=18432&slo=20");
    assert!(
        slo.starts_with("At most ")
            && slo.contains(" keep 20 tok/s per user; your 18,432 miss it, at "),
        "{slo}"
    );
}

#[test]
fn what_cannot_run_at_all_says_why_and_what_would_make_room() {
    let nothing = text("v=1&model=mixtral-8x22b&gpus=8&batch=512");
    assert!(
        nothing.starts_with("Does not fit. The weights alone take "),
        "{nothing}"
    );
    let cache = text("v=1&context=16M&batch=72");
    assert!(
        cache.contains("No room for the KV cache of one sequence per group"),
        "{cache}"
    );
    let slow = text("v=1&slo=1000");
    assert!(
        slow.starts_with(
            "No batch keeps 1,000 tok/s per user: 144 sequences, the fewest of this plan, get "
        ),
        "{slow}"
    );
    assert!(limits_answer(&permalink::read("v=1&ep=64").current, None).is_none());
}

#[test]
fn a_lift_of_the_sentence_is_the_limit_of_the_lifted_scenario() {
    let link = format!("model=deepseek-r1&context=8192&batch=4096&{B200}");
    let doubled = say(&link.replace("capacity=192", "capacity=384"));
    assert_eq!(doubled.figures[4].value, "18,720");
    let answer = say(&link);
    assert_eq!(answer.free, 2);
    let factors: Vec<(String, f64)> = answer
        .lifts
        .into_iter()
        .map(|row| (row.label, (row.factor * 100.0).round() / 100.0))
        .collect();
    assert_eq!(factors[0], ("1 drafted token".to_owned(), 1.08));
    assert_eq!(factors[1], ("FP8 KV cache".to_owned(), 1.21));
    // Each is what the GPUs serve with the largest batch that then works, over what they serve with it now.
    let limit = |link: &str| {
        let scenario = permalink::read(link).current.scenario().expect("possible");
        served(&scenario, best_batch(&scenario))
    };
    let memory = limit(&link.replace("capacity=192", "capacity=384")) / limit(&link);
    let row = factors.iter().find(|(label, _)| label == "2× memory");
    assert_eq!(row.map(|row| row.1), Some((memory * 100.0).round() / 100.0));
}

#[test]
fn the_row_of_limits_says_what_each_means() {
    let answer = say(&format!("model=deepseek-r1&context=8192&batch=4096&{B200}"));
    let values = answer.figures.clone().map(|cell| cell.value);
    assert_eq!(values, ["4,096", "none", "9,538", "9,908", "7,264", "–"]);
    let states = |answer: &LimitsAnswer| answer.figures.clone().map(|cell| cell.state.unwrap());
    let muted = |text: &str| (text.to_owned(), Tone::Muted);
    let said = states(&answer);
    assert_eq!(said[0], muted("56% of what fits"));
    assert_eq!(said[1], muted("no SLO is set"));
    // [B]'s bounds, by their names: weights alone, in one batch.
    assert_eq!(said[2], muted("B_attn 9,000 · the first"));
    assert_eq!(said[3], muted("B_MoE 9,000 · the last"));
    assert_eq!(said[4], muted("B_cap · 227 per GPU"));
    let dense = say("v=1&model=llama-3-70b&gpus=8&precision=bf16&batch=64");
    assert!(states(&dense)[3].0.starts_with("of a dense model"));
    let over = say("v=1&batch=36864");
    assert_eq!(
        states(&over)[0],
        ("does not fit: 1.16×".to_owned(), Tone::Bad)
    );
    let slo = say("v=1&calibration=aleph-alpha-2025&slo=20&batch=9216");
    assert_eq!(slo.figures[1].name, "Keeps 20 tok/s per user up to");
    assert_eq!(slo.figures[1].value, "11,545");
    let below = &states(&slo)[1].0;
    assert!(below.ends_with(" tok/s/GPU"), "{below}");
    let price = &slo.figures[5];
    assert_eq!(price.name, "Cost at 11,545 · $2/GPU·h");
    assert!(states(&slo)[5].0.starts_with("your 9,216: $"));
    let pinned = permalink::read("v=1&a.gpus=144");
    let pinned = limits_answer(&pinned.current, pinned.pinned.as_ref()).expect("possible");
    let change = |index: usize| {
        pinned.figures[index]
            .versus
            .clone()
            .map(|versus| versus.change)
    };
    assert!(pinned.figures[4].state.is_none() && change(4).is_some());
}

#[test]
fn the_map_rests_while_its_point_moves() {
    let plane = |link: &str| Plane::of(&permalink::read(link).current);
    assert_eq!(plane("v=1"), plane("v=1&batch=720&context=64k"));
    assert_ne!(plane("v=1"), plane("v=1&beta=0.5"));
    assert_ne!(
        plane("v=1"),
        plane("v=1&context=4M"),
        "the point is always on it"
    );
}

#[test]
fn limits_of_the_map_are_those_of_the_row() {
    let map = mapped("v=1&slo=20");
    let at = |line: &[(f64, f64)], context: f64| {
        let near = |(at, _): &&(f64, f64)| (*at - context).abs() < 1e-6;
        line.iter().find(near).map(|(_, batch)| *batch)
    };
    let case =
        Evaluated::new(&permalink::read("v=1&slo=20&context=4096").current).expect("possible");
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
    // No line goes on where memory does not.
    let room = |context: f64| at(&field.capacity, context).unwrap_or(0.0);
    for full in &field.full {
        let within = |(context, batch): &(f64, f64)| *batch <= room(*context);
        assert!(full.line.iter().all(within), "{}", full.name);
    }
    for (context, batch) in field.kept.concat() {
        let room = field.capacity.iter().rfind(|(at, _)| *at <= context);
        assert!(room.is_some_and(|(_, most)| batch < *most), "at {context}");
    }
    let here = Evaluated::new(&permalink::read("v=1&slo=20").current).expect("possible");
    assert_eq!(map.largest_now, here.largest.ok().map(|it| it.batch));
    assert!((map.capacity_now - here.limits.b_cap).abs() < 1e-9);
    let dense = mapped("v=1&model=llama-3-70b&gpus=8&precision=bf16&batch=64");
    let names: Vec<&str> = dense.field.full.iter().map(|full| full.name).collect();
    assert!(!names.contains(&"experts saturate"), "{names:?}");
}

/// Memory is full: what is beside the present context among the samples is not the edge.
#[test]
fn a_batch_that_fits_fits_at_its_own_context() {
    let link = "v=1&model=llama-3-70b&precision=bf16&overlap=none&calibration=lamina&gpus=4&batch=42&context=12206&reserve=0.1";
    assert_eq!(mapped(link).finding(), "This batch fits up to 12.2k tokens");
}

#[test]
fn the_map_says_where_its_limit_halves() {
    let map = mapped("v=1&slo=20&batch=1024");
    let finding = map.finding();
    let said = finding
        .strip_prefix("The limit halves at ")
        .and_then(|rest| rest.strip_suffix("k tokens"))
        .and_then(|number| number.parse::<f64>().ok())
        .unwrap_or_else(|| panic!("{finding}"));
    let there = format!("v=1&slo=20&context={}", said * 1000.0);
    let there = Evaluated::new(&permalink::read(&there).current).expect("possible");
    let (there, here) = (
        there.largest.expect("some").batch,
        map.largest_now.expect("some"),
    );
    assert!((there / here - 0.5).abs() < 0.01, "{there} of {here}");
}

/// [B] IV-A and Figure 3: up to 53.67 × the throughput of GPT-3, where neither has room for more.
#[test]
fn deepseek_r1_serves_as_much_more_than_gpt_3_as_the_paper_says() {
    let pinned = format!("model=gpt-3-175b&tp=8&{B200}")
        .split('&')
        .map(|pair| format!("&a.{pair}"))
        .collect::<String>();
    let map = mapped(&format!(
        "model=deepseek-r1&context=8192&batch=4096&{B200}{pinned}"
    ));
    let (context, times) = map
        .pinned
        .as_ref()
        .and_then(|pinned| pinned.advantage)
        .expect("both fit");
    assert!((times / 53.67 - 1.0).abs() < 0.05, "{times} at {context}");
    assert_eq!(
        map.finding(),
        format!(
            "Full, up to {} A's throughput, at 256k",
            format::factor(times)
        )
    );
}

#[test]
fn a_larger_batch_is_priced_in_latency() {
    let link = permalink::read(&format!("model=deepseek-r1&context=8192&batch=1024&{B200}"));
    let charts = limits_charts(&link.current, None, None).expect("a possible scenario");
    let symbols = |charts: &LimitsCharts| -> Vec<String> {
        let marks = charts.tradeoff.marks.iter();
        marks.map(|mark| mark.symbol.clone()).collect()
    };
    assert_eq!(symbols(&charts), ["memory is full"], "arithmetic never is");
    let large = permalink::read("v=1&calibration=aleph-alpha-2025");
    let large = limits_charts(&large.current, None, None).expect("a possible scenario");
    assert_eq!(
        symbols(&large),
        ["memory is full", "attention saturates"],
        "experts saturate beyond what fits"
    );
    let ticks = &large.tradeoff.ticks;
    assert_eq!((ticks[0].batch, ticks[1].batch), (72.0, 128.0));
    let finding = charts.tradeoff.finding();
    assert!(
        finding.starts_with("Full: ") && finding.contains("× throughput, "),
        "{finding}"
    );
    assert_eq!(charts.growth.finding(), "1,024 sequences need at least 11");
    assert_eq!(charts.growth.bars.len(), 11);
}

#[test]
fn the_view_answers_for_every_corner() {
    for link in [
        "gpus=1&batch=1&context=1",
        "gpus=4096&batch=10M&context=16M",
        "gpus=1&model=llama-3-70b",
        "gpus=8&model=gpt-3-175b&precision=bf16&overlap=hop-b&slo=5",
        "slo=1e6",
        "scale_out=1e-3&scale_up=1e-3&slo=1",
        "reserve=0.9",
    ] {
        let read = permalink::read(link);
        assert!(!text(link).is_empty(), "{link}");
        let charts = limits_charts(&read.current, Some(&read.current), None).expect("possible");
        assert!(!charts.tradeoff.curve.is_empty(), "{link}");
        let map = mapped(link);
        let field = &map.field;
        assert!(
            field.contexts.0 <= map.now.context && map.now.context <= field.contexts.1,
            "{link}"
        );
        assert!(
            field.batches.0 <= map.now.point.batch && map.now.point.batch <= field.batches.1,
            "{link}"
        );
    }
}

/// What [B] prints, beside what its presets show.
#[test]
fn presets_of_the_papers_figures_show_their_ratios() {
    let open = |id: &str| {
        let preset = PRESETS.iter().find(|preset| preset.id == id);
        let link = permalink::read(preset.expect("the preset is there").link);
        assert!(link.notes.is_empty(), "{id}: {:?}", link.notes);
        assert_eq!(link.shown.view, View::Limits);
        link
    };
    let link = open("b-figure-3");
    let map = mapped(&permalink::write(&link));
    assert_eq!(map.finding(), "Full, up to 54.6× A's throughput, at 256k");

    let link = open("b-figure-9");
    let charts = limits_charts(&link.current, link.pinned.as_ref(), None).expect("possible");
    let full = charts.tradeoff.full.expect("it fits").batch;
    let pinned = charts
        .tradeoff
        .pinned
        .as_ref()
        .and_then(|pinned| pinned.full);
    let theirs = pinned.expect("it fits").batch;
    assert!((full / 7360.0 - 1.0).abs() < 0.1 && (theirs / 124.0 - 1.0).abs() < 0.1);
    assert!((full / theirs / 59.35 - 1.0).abs() < 0.1, "nearly 60 times");

    let link = open("b-figure-8");
    let charts = limits_charts(&link.current, None, None).expect("possible");
    let bars = &charts.growth.bars;
    assert!(bars.windows(2).all(|pair| {
        let total =
            |bar: &crate::charts::GrowthBar| bar.parts.iter().map(|part| part.1).sum::<f64>();
        total(&pair[1]) <= total(&pair[0])
    }));
}

#[test]
fn a_batch_that_does_not_work_is_offered_one_that_does() {
    for link in ["v=1&batch=36864", "v=1&slo=20", "v=1&slo=20&context=8k"] {
        let batch = say(link).better_batch.expect("another batch works");
        let better = say(&format!("{link}&batch={batch}"));
        assert_eq!(better.better_batch, None, "{link} with {batch}");
        let state = better.figures[0]
            .state
            .clone()
            .expect("it says where it stands");
        assert_eq!(state.1, Tone::Muted, "{link}: {}", state.0);
    }
    assert_eq!(say("v=1").better_batch, None);
    assert_eq!(say("v=1&slo=1000").better_batch, None, "none works");
}

/// While something is dragged the plane is coarser, but of the same things.
#[test]
fn a_coarse_plane_has_the_same_limits() {
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
fn context_is_set_against_a_model_that_is_named() {
    let link =
        permalink::read("v=1&model=deepseek-v3.2&context=128k&batch=256&against=deepseek-v3&a.v=1");
    assert_eq!(link.shown.against, Some("deepseek-v3"));
    let said = |against| {
        let charts = limits_charts(&link.current, link.pinned.as_ref(), against).expect("possible");
        charts.context.finding()
    };
    // The index key adds 132 bytes to the 1,152 of a latent: 1.11 times the cache, at less time.
    let finding = said(link.shown.against);
    assert!(
        finding.starts_with("At 128k: 0.") && finding.contains("DeepSeek-V3's time"),
        "{finding}"
    );
    assert!(finding.ends_with("1.11× its cache"), "{finding}");
    assert!(said(None).contains("A's time"), "{}", said(None));
    // A dense model has no experts to put on 72 GPUs: said, not left out.
    let stated = permalink::read("v=1&ep=72&dp=72&ffn_tp=1&redundant=32&against=llama-3.1-405b");
    let charts = limits_charts(&stated.current, None, stated.shown.against).expect("possible");
    let finding = charts.context.finding();
    assert!(finding.ends_with("cannot run like this"), "{finding}");
}

/// The chart draws powers of two; the least that it names is the one that the button takes.
#[test]
fn the_fewest_gpus_are_the_same_everywhere() {
    for (link, finding, label) in [
        (
            "v=1&gpus=1",
            "18,432 sequences need at least 49",
            "Use 7 × 8 GPUs",
        ),
        (
            "v=1&slo=20",
            "18,432 need at least 49, 206 for 20 tok/s as now",
            "",
        ),
        ("v=1&gpus=1&batch=1", "1 sequence needs at least 11", ""),
    ] {
        let inputs = permalink::read(link).current;
        let charts = limits_charts(&inputs, None, None).expect("possible");
        assert_eq!(charts.growth.finding(), finding, "{link}");
        let labels: Vec<String> = say(link)
            .offers
            .into_iter()
            .map(|offer| offer.label)
            .collect();
        assert!(
            label.is_empty() || labels.iter().any(|own| own == label),
            "{link}: {labels:?}"
        );
    }
    let verdict = say("v=1&gpus=1").verdict.plain_text();
    assert!(verdict.ends_with("It takes 49 GPUs."), "{verdict}");
}

/// At another context the same deployment has the same curve: its own point is what there is to compare with.
#[test]
fn a_context_is_compared_with_the_other_one() {
    let link = |pinned: &str| permalink::read(&format!("v=1&context=32k{pinned}"));
    let said = |pinned| {
        let link = link(pinned);
        let charts = limits_charts(&link.current, link.pinned.as_ref(), None).expect("possible");
        charts.context.finding()
    };
    assert_eq!(
        said("&a.v=1&a.context=4k"),
        "32k: 2.20× the time of A's 4k, 8.00× the cache"
    );
    assert_eq!(said("&a.v=1&a.context=32k"), said(""));
}

/// No button without a word of what it does.
#[test]
fn what_is_offered_is_said() {
    for link in [
        "v=1&model=deepseek-v3&gpus=32&batch=1024",
        "v=1&slo=20",
        "v=1",
    ] {
        let answer = say(link);
        let verdict = answer.verdict.plain_text().to_lowercase();
        for offer in answer.offers {
            let overlap = offer.label.contains("overlap");
            assert!(
                !overlap || verdict.contains("overlap"),
                "{link}: {} of {verdict}",
                offer.label
            );
        }
    }
}

/// Where not every group has room for a sequence no point of a curve is drawn as if it fitted.
#[test]
fn what_fits_at_no_batch_has_no_solid_curve() {
    use crate::answer::{Outcome, answer};
    let inputs = permalink::read("v=1&context=1M").current;
    let Outcome::Possible(explore) = answer(&inputs, None) else {
        panic!("possible");
    };
    let charts = limits_charts(&inputs, None, None).expect("possible");
    let curves = [&explore.pareto.curve, &charts.tradeoff.curve];
    assert!(
        curves
            .iter()
            .all(|curve| curve.len() > 2 && curve.iter().all(|point| !point.fits))
    );
    // The advice is what a search of every plan finds.
    let said = explore.verdict.plain_text();
    assert!(
        said.ends_with(
            "KVP 72 · FFN TP 72 (not measured) would fit, with 69 sequences; one drafted token (80% accepted) and an FP8 KV cache instead 1.17× that."
        ),
        "{said}"
    );
}
