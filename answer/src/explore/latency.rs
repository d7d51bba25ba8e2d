//! Data of "Where does the step time go?": the current step, and step times at a range of batch sizes.

use model_core::bottleneck::Bottleneck;
use model_core::evaluate::Evaluation;
use model_core::hardware::NetworkLink as Link;
use model_core::ops::Place;
use model_core::order::sort_numbers;
use model_core::plan::Overlap;

use crate::case::{Evaluated, threshold};
use crate::charts::{LatencyData, LimitedShare, PinnedStep, StepSample, StepTimes};
use crate::words::format;
use crate::words::names::{self, resource, resource_short};

/// Number of samples along the batch axis. Times are nearly linear between samples.
const SAMPLES: u32 = 64;

/// Smallest share of step time for which a limiting resource is listed.
const LEAST_SHARE: f64 = 0.005;

/// Returns the current step, step times at a range of batch sizes, and the batch from which communication exceeds
/// compute.
pub fn data(case: &Evaluated, pinned: Option<&Evaluated>) -> LatencyData {
    let end = axis_end(case);
    let two_batch = case.scenario.plan.spec().overlap == Overlap::TwoBatch;
    let hides = case.evaluation.breakdown.hidden.get() > 0.0;
    let mut data = LatencyData {
        now: sample(case, &case.evaluation, case.batch_per_gpu()),
        attention: attention(case),
        limits: limits(case),
        overlaps: two_batch || hides,
        samples: over_batch(case, end),
        crossing_batch_per_gpu: two_batch.then(|| crossing(case, end)).flatten(),
        capacity_batch_per_gpu: case.capacity_per_gpu(),
        gpus: case.gpus(),
        pinned: pinned.map(|pinned| PinnedStep {
            now: sample(pinned, &pinned.evaluation, pinned.batch_per_gpu()),
            previewed: false,
            envelope: over_batch(pinned, end)
                .into_iter()
                .map(|sample| (sample.batch_per_gpu, sample.step.step_s))
                .collect(),
        }),
        source: source(case).into(),
        finding: String::new(),
    };
    data.finding = finding(&data);
    data
}

/// Returns the resources that limit the step with their shares of its time, largest share first.
fn limits(case: &Evaluated) -> Vec<LimitedShare> {
    let bottleneck = Bottleneck::of(&case.scenario, &case.evaluation);
    let limits = bottleneck.ranked().map(|of| LimitedShare {
        names: [resource(of), resource_short(of)],
        share: bottleneck.share(of),
    });
    let shown = { limits.into_iter() }.filter(|of| of.share >= LEAST_SHARE);
    shown.collect()
}

/// Returns each attention type's share of the attention time, with the sparse-attention indexer as a separate entry.
/// Empty if there is only one entry.
fn attention(case: &Evaluated) -> Vec<(String, f64)> {
    let mixers = case.scenario.arch.mixers();
    let mut kinds: Vec<(String, f64)> = Vec::new();
    for timed in case.evaluation.timed(&case.scenario) {
        let Place::Mixer(number) = timed.place else {
            continue;
        };
        let kind = timed.operator.kind;
        let name = match mixers.get(number) {
            _ if kind.is_index() => "index".to_owned(),
            Some(mixer) => names::mixer_name(&mixer.shape),
            None => continue,
        };
        let time = timed.time.get() * f64::from(timed.layers);
        match kinds.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => kinds.push((name, time)),
        }
    }
    let sum: f64 = kinds.iter().map(|(_, time)| time).sum();
    if kinds.len() < 2 || sum <= 0.0 {
        return Vec::new();
    }
    kinds
        .into_iter()
        .map(|(name, time)| (name, time / sum))
        .collect()
}

fn source(case: &Evaluated) -> &'static str {
    match case.scenario.plan.spec().overlap {
        Overlap::TwoBatch => "2 × max(compute, communication) at half batch, [A] eq 49",
        Overlap::Sequential => "attention + FFN + communication, [A] eq 48",
        Overlap::HopB => "attention overlaps the KVP exchange request by request, [H] 2.1.3",
    }
}

/// Returns the end of the batch axis, in sequences per GPU. It is 1.25 times the current batch or, if larger, 1.2 times
/// the memory capacity but at most 4 times the current batch. It is at most 3.5 times the capacity. It is rounded up to
/// eighths of powers of two, so that the axis does not move with the slider.
pub fn axis_end(case: &Evaluated) -> f64 {
    let now = case.batch_per_gpu();
    let capacity = case.capacity_per_gpu().unwrap_or(2.0 * now);
    let wanted = (1.25 * now).max((1.2 * capacity).min(4.0 * now));
    let wanted = wanted.min(3.5 * capacity).max(1e-6);
    let mut octave = 1.0;
    while octave < wanted {
        octave *= 2.0;
    }
    while octave / 2.0 >= wanted {
        octave /= 2.0;
    }
    [5.0, 6.0, 7.0]
        .map(|eighths| octave * eighths / 8.0)
        .into_iter()
        .find(|end| *end >= wanted)
        .unwrap_or(octave)
}

fn over_batch(case: &Evaluated, end: f64) -> Vec<StepSample> {
    let mut batches: Vec<f64> = (0..=SAMPLES)
        .map(|index| end * f64::from(index.max(1)) / f64::from(SAMPLES))
        .collect();
    batches[0] = end / 1024.0;
    batches.extend(case.capacity_per_gpu().filter(|batch| *batch < end));
    batches.push(case.batch_per_gpu().min(end));
    batches.extend(crossing(case, end));
    let one = 1.0 / case.gpus();
    for batch in &mut batches {
        *batch = batch.max(one);
    }
    sort_numbers(&mut batches);
    batches.dedup();
    batches
        .into_iter()
        .filter_map(|batch| Some(sample(case, &case.at(batch)?, batch)))
        .collect()
}

pub(super) fn sample(case: &Evaluated, evaluation: &Evaluation, batch_per_gpu: f64) -> StepSample {
    let breakdown = &evaluation.breakdown;
    let passes = case.scenario.plan.passes();
    let host_s = breakdown.host.get();
    // Prefill time is per token; a step with MTP yields several.
    let yielded = case.scenario.workload.speculation.yielded();
    let prompts_s = evaluation
        .prefills
        .map_or(0.0, |prefills| prefills.per_token.get() * yielded);
    let over = |link: Link| -> f64 {
        let messages = evaluation.messages(&case.scenario);
        messages
            .iter()
            .filter(|message| message.link == link)
            .map(|message| message.time.get() * f64::from(message.layers) * passes)
            .sum()
    };
    StepSample {
        batch_per_gpu,
        step: StepTimes {
            attention_s: breakdown.attention.get(),
            dense_s: breakdown.dense.get(),
            experts_s: breakdown.experts.get(),
            head_s: breakdown.head.get(),
            overhead_s: (breakdown.overhead.get() - host_s).max(0.0),
            host_s,
            prompts_s,
            scale_out_s: over(Link::ScaleOut),
            scale_up_s: over(Link::ScaleUp),
            step_s: evaluation.step.get() + prompts_s,
        },
    }
}

/// Returns the chart's finding (its one-line result), which states how much is overlapped. Without overlap, or if
/// prefill takes most of the step, it states the two largest limits.
fn finding(data: &LatencyData) -> String {
    let step = &data.now.step;
    if !step.draws() {
        return "No step to show".to_owned();
    }
    if step.overlap_s() <= 0.0 || step.prompts_s > step.step_s * 0.5 {
        let largest = data.limits.iter().take(2);
        let named = largest.map(|of| format!("{} {}", format::share(of.share), of.names[0]));
        return named.collect::<Vec<_>>().join(", ");
    }
    let exposed = step.idle_s();
    if step.messages_s() > step.busy_s() {
        "Compute is fully overlapped".to_owned()
    } else if exposed > step.step_s * 0.005 {
        let exposed = format::sig3(exposed * 1e3);
        format!("{exposed} ms of communication exposed")
    } else {
        "Communication is fully overlapped".to_owned()
    }
}

/// Returns the batch per GPU above which communication takes longer than the sum of compute, kernel launches and
/// framework overhead. `None` if it exceeds `end`, or if communication is always or never longer.
pub(super) fn crossing(case: &Evaluated, end: f64) -> Option<f64> {
    let search = || {
        let far = 2.0 * axis_end(case).max(case.curve_end());
        threshold(far / 4096.0, far, |batch| {
            case.at(batch).is_some_and(|evaluation| {
                let step = sample(case, &evaluation, batch).step;
                step.messages_s() >= step.busy_s()
            })
        })
    };
    let crossing = *case.crossing.get_or_init(search);
    crossing.filter(|batch| *batch <= end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink;

    #[test]
    fn the_parts_of_a_step_make_the_step() {
        for (link, overhead) in [
            ("v=1", true),
            ("v=1&overlap=none", true),
            ("v=1&overlap=none&host_us=700", true),
            ("v=1&host_us=700&batch=180000", true),
            ("v=1&domain=72&batch=720", true),
            (
                "v=1&gpus=8&gpu=h200&batch=64&tp=8&redundant=0&overlap=none&prompt=8k&output=1k&serving=aggregated",
                true,
            ),
            ("v=1&calibration=aleph-alpha-2025", false),
            ("v=1&calibration=helix&overlap=none", false),
            (
                "v=1&gpus=8&model=llama-3-70b&tp=4&pp=2&batch=64&overlap=none",
                true,
            ),
            (
                "v=1&gpus=8&model=gpt-3-175b&precision=bf16&overlap=hop-b",
                true,
            ),
        ] {
            let inputs = permalink::read(link).current;
            let case = Evaluated::new(&inputs).unwrap_or_else(|_| panic!("{link}"));
            let data = data(&case, None);
            for sample in data.samples.iter().chain([&data.now]) {
                let step = &sample.step;
                let parts = step.busy_s() + step.host_s + step.prompts_s + step.messages_s()
                    - step.overlap_s();
                let off = parts / step.step_s - 1.0;
                assert!(off.abs() < 1e-9, "{link}: {off}");
                assert_eq!(step.overhead_s + step.host_s > 0.0, overhead, "{link}");
            }
            let hidden = case.evaluation.breakdown.hidden.get();
            let (shown, whole) = (data.now.step.overlap_s(), data.now.step.step_s);
            assert!((shown - hidden).abs() < 1e-9 * whole, "{link}");
            // TPOT × tokens per step is the time of the step including the prefill of other requests.
            let yielded = case.scenario.workload.speculation.yielded();
            let sum = case.evaluation.tpot.get() * yielded;
            assert!((sum / whole - 1.0).abs() < 1e-12, "{link}");
        }
    }
}
