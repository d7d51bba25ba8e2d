//! Stops of each slider: commonly used values, adapted to the scenario.

use super::scale::{Absent, TrackCurve, TrackScale};
use model_core::afd::decision::ratios;
use model_core::evaluate::EAGER_PREFILL_MICROS;
use model_core::inputs::{Inputs, Number};
use model_core::lamina::search;
use model_core::math;
use model_core::order::sort_numbers;

/// Mantissas commonly used for bandwidths and FLOP rates.
const NICE: [f64; 15] = [
    1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0,
];

/// Returns stops from 0 to 300 GiB for memory per GPU, in steps of 0.5 GiB.
pub(super) fn gib(number: Number, inputs: &Inputs) -> TrackScale {
    let stops = steps(0.0, 300.0, 600);
    TrackScale::new(TrackCurve::Linear, with_default(stops, number, inputs)).or_absent(Absent::Left)
}

pub(super) fn bytes_per_element(_: Number, _: &Inputs) -> TrackScale {
    TrackScale::new(TrackCurve::Log, vec![0.5, 1.0, 2.0, 4.0])
}

pub(super) fn bytes_per_index_key(_: Number, _: &Inputs) -> TrackScale {
    TrackScale::new(TrackCurve::Log, vec![0.5, 0.53125, 1.0, 1.03125, 2.0, 4.0])
}

pub(super) fn even_parts(_: Number, inputs: &Inputs) -> TrackScale {
    TrackScale::new(TrackCurve::Log, divisors(whole(inputs, Number::Gpus)))
}

pub(super) fn factor(number: Number, inputs: &Inputs) -> TrackScale {
    let scale = TrackScale::new(
        TrackCurve::Linear,
        with_default(steps(1.0, 4.0, 60), number, inputs),
    );
    match inputs.default_of(number) {
        Some(_) => scale,
        None => scale.or_absent(Absent::Left),
    }
}

pub(super) fn fixed_time(number: Number, inputs: &Inputs) -> TrackScale {
    let most = if number == Number::HostMicros {
        10_000.0
    } else {
        200.0
    };
    let scale = TrackScale::new(
        TrackCurve::FromZero(2.0),
        with_default(from_zero(0.5, most), number, inputs),
    );
    match inputs.default_of(number) {
        Some(_) => scale,
        None => scale.or_absent(Absent::Left),
    }
}

/// Returns stops for the host time of prefill, including the value of engines that run prefill outside CUDA graphs.
pub(super) fn host_time(_: Number, _: &Inputs) -> TrackScale {
    let mut stops = from_zero(50.0, 3000.0);
    stops.push(EAGER_PREFILL_MICROS);
    sort_numbers(&mut stops);
    stops.dedup();
    TrackScale::new(TrackCurve::FromZero(50.0), stops)
}

pub(super) fn nodelimit_stops(_: Number, _: &Inputs) -> TrackScale {
    TrackScale::new(TrackCurve::Log, (1..=16).map(f64::from).collect()).or_absent(Absent::Right)
}

pub(super) fn peak(number: Number, inputs: &Inputs) -> TrackScale {
    nice(10.0, 50_000.0, number, inputs).or_absent(Absent::Left)
}

pub(super) fn slope(number: Number, inputs: &Inputs) -> TrackScale {
    let stops = decades(-4, 3);
    TrackScale::new(TrackCurve::Log, with_default(stops, number, inputs)).or_absent(Absent::Left)
}

pub(super) fn intercept(number: Number, inputs: &Inputs) -> TrackScale {
    TrackScale::new(
        TrackCurve::FromZero(10.0),
        with_default(zero_and(decades(0, 5)), number, inputs),
    )
    .or_absent(Absent::Left)
}

pub(super) fn tokens(number: Number, inputs: &Inputs) -> TrackScale {
    TrackScale::new(
        TrackCurve::FromZero(20.0),
        with_default(zero_and(decades(1, 5)), number, inputs),
    )
}

/// Returns one stop for each A:F split of the scenario's GPUs that has whole attention ranks. If there is no such
/// split, returns generic AFD ratios.
pub(super) fn ratio_stops(_: Number, inputs: &Inputs) -> TrackScale {
    let own = ratios(inputs).filter(|own| !own.is_empty());
    let scale = match own {
        Some(own) => TrackScale::new(TrackCurve::Log, own),
        None => TrackScale::new(TrackCurve::Log, decades(-1, 3)),
    };
    scale.or_absent(Absent::Left)
}

pub(super) fn devices(number: Number, inputs: &Inputs) -> TrackScale {
    let counts = search::sizes(512).map(f64::from).collect();
    TrackScale::new(TrackCurve::Log, with_default(counts, number, inputs))
}

pub(super) fn price(number: Number, inputs: &Inputs) -> TrackScale {
    let scale = TrackScale::new(
        TrackCurve::Linear,
        with_default(steps(0.0, 12.0, 240), number, inputs),
    );
    match inputs.default_of(number) {
        Some(_) => scale,
        None => scale.or_absent(Absent::Left),
    }
}

pub(super) fn whole(inputs: &Inputs, number: Number) -> u32 {
    inputs.get(number).unwrap_or(1.0).max(1.0) as u32
}

pub(super) fn with_default(mut stops: Vec<f64>, number: Number, inputs: &Inputs) -> Vec<f64> {
    let (least, most) = (
        stops.first().copied().unwrap_or(0.0),
        stops.last().copied().unwrap_or(0.0),
    );
    stops.extend(
        inputs
            .default_of(number)
            .filter(|default| (least..=most).contains(default)),
    );
    stops
}

pub(super) fn nice(least: f64, most: f64, number: Number, inputs: &Inputs) -> TrackScale {
    let decades = [0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
    let stops = decades
        .into_iter()
        .flat_map(|ten| NICE.map(|mantissa| tidy(mantissa * ten)));
    let stops = stops.filter(|stop| (least..=most).contains(stop)).collect();
    TrackScale::new(TrackCurve::Log, with_default(stops, number, inputs))
}

pub(super) fn doublings(least: f64, most: f64) -> Vec<f64> {
    let doubled = |stop: &f64| Some(2.0 * stop);
    std::iter::successors(Some(least), doubled)
        .take_while(|stop| *stop <= most)
        .collect()
}

/// Divides the range from `least` to `most` into `count` equal steps, free of floating-point noise.
pub(super) fn steps(least: f64, most: f64, count: u32) -> Vec<f64> {
    (0..=count)
        .map(|step| tidy(least + (most - least) * f64::from(step) / f64::from(count)))
        .collect()
}

/// Returns zero, then 1, 1.5, 2, 3, 4, 5 and 7 times powers of ten, from `least` to `most`.
pub(super) fn from_zero(least: f64, most: f64) -> Vec<f64> {
    let mut stops = vec![0.0];
    for ten in [0.1, 1.0, 10.0, 100.0, 1000.0] {
        stops.extend([1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0].map(|mantissa| tidy(mantissa * ten)));
    }
    stops.retain(|stop| *stop == 0.0 || (least..=most).contains(stop));
    stops
}

/// Returns 1, 1.5, 2, 3, 4, 5 and 7 times each power of ten, from 10^`least` to 10^`most` inclusive.
pub(super) fn decades(least: i32, most: i32) -> Vec<f64> {
    (least..most)
        .flat_map(|power| {
            let ten = math::pow(10.0, f64::from(power));
            [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0].map(|mantissa| tidy(mantissa * ten))
        })
        .chain([math::pow(10.0, f64::from(most))])
        .collect()
}

pub(super) fn zero_and(mut stops: Vec<f64>) -> Vec<f64> {
    stops.push(0.0);
    stops
}

fn tidy(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

pub(super) fn divisors(gpus: u32) -> Vec<f64> {
    math::divisors(gpus).map(f64::from).collect()
}

/// Returns whole numbers, about eight per octave: 1, 2, …, 16, 18, …, 32, 36, …
pub(super) fn octaves(most: u32) -> Vec<u32> {
    let mut stops = Vec::new();
    let mut stop = 1_u32;
    while stop <= most {
        stops.push(stop);
        let octave = 1 << (31 - stop.leading_zeros());
        stop += (octave / 8).max(1);
    }
    stops
}

/// Returns GPU counts. Within a scale-up domain: its divisors, powers of two and multiples of 8. Beyond it: multiples
/// of the domain.
pub(super) fn gpus(domain: u32, most: u32) -> Vec<f64> {
    let domain = domain.min(most);
    let within = (1..=domain)
        .filter(|gpus| gpus.is_power_of_two() || domain.is_multiple_of(*gpus) || gpus % 8 == 0);
    let beyond = octaves(most / domain).into_iter().map(|n| n * domain);
    within.chain(beyond).chain([most]).map(f64::from).collect()
}

/// Returns batch sizes: powers of two below the number of attention ranks (DP), multiples of this number, and `most`.
pub(super) fn batch(inputs: &Inputs, most: f64) -> Vec<f64> {
    let dp = whole(inputs, Number::Dp);
    let below = (0..14).map(|power| 1_u32 << power).filter(|n| *n < dp);
    let even = octaves((most / f64::from(dp)) as u32)
        .into_iter()
        .map(|n| n * dp);
    below.chain(even).map(f64::from).chain([most]).collect()
}

/// Returns context lengths: 1, 2 and 5 times powers of ten (as in papers), powers of two, and a few values in between.
pub(super) fn context(most: f64) -> Vec<f64> {
    let decimal = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7]
        .into_iter()
        .flat_map(|ten| [1.0, 2.0, 5.0].map(|mantissa| mantissa * ten));
    let binary = (0..=24).map(|power| f64::from(1_u32 << power));
    let between = [
        1500.0, 3000.0, 4000.0, 6000.0, 8000.0, 24_576.0, 49_152.0, 98_304.0,
    ];
    decimal
        .chain(binary)
        .chain(between)
        .filter(|stop| *stop <= most)
        .collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "stops are whole numbers")]
mod tests {
    use super::*;
    use crate::controls::table::scale_of;
    use model_core::permalink::read;

    fn stops_of(number: Number, inputs: &Inputs) -> Vec<f64> {
        let scale = scale_of(number, inputs);
        let mut stops = Vec::new();
        let mut at = scale.first().or_else(|| scale.step(None, 1));
        while let Some(stop) = at {
            stops.push(stop);
            at = scale.step(Some(stop), 1).filter(|next| *next > stop);
        }
        stops
    }

    #[test]
    fn every_stop_can_be_stated_and_every_default_is_a_stop() {
        for (link, whole) in [
            ("v=1", true),
            ("gpu=gb200&gpus=48", false),
            ("gpu=custom", false),
            ("model=llama-3-70b", false),
            ("gpus=97", false),
        ] {
            let inputs = read(link).current;
            for number in Number::ALL {
                let stops = stops_of(number, &inputs);
                assert!(!stops.is_empty(), "{number:?}");
                for stop in &stops {
                    assert!(number.allows(*stop), "{number:?} {stop}");
                }
                if let Some(default) = inputs.default_of(number) {
                    let batch_of_others = number == Number::Batch && !whole;
                    assert!(
                        stops.contains(&default) || batch_of_others,
                        "{number:?} in {link}: {default} not in {stops:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn gpus_stop_at_whole_nodes() {
        let stops = gpus(8, 4096);
        assert!(
            [1.0, 2.0, 4.0, 8.0, 16.0, 72.0, 4096.0]
                .iter()
                .all(|n| stops.contains(n))
        );
        assert!(stops.iter().all(|n| *n <= 8.0 || n % 8.0 == 0.0));
        assert!(gpus(72, 4096).contains(&48.0));
        assert!(gpus(16_384, 4096).contains(&4096.0));
    }

    #[test]
    fn batches_are_even_over_the_groups() {
        let inputs = read("v=1").current;
        let stops = batch(&inputs, 1e7);
        assert!(stops.contains(&18_432.0));
        assert!(
            stops
                .iter()
                .all(|n| *n < 72.0 || n % 72.0 == 0.0 || *n == 1e7)
        );
    }

    #[test]
    fn context_knows_both_ways_of_counting() {
        let stops = context(16.0 * 1_048_576.0);
        assert!(
            [2000.0, 2048.0, 32_768.0, 1_048_576.0]
                .iter()
                .all(|n| stops.contains(n))
        );
    }
}
