//! Measured runs of the scenario's model and accelerator, overlaid on charts of operating points.

use std::sync::OnceLock;

use model_core::inputs::{Gpu, Inputs, Number};
use model_core::math::ln;
use model_core::measured::{Edit, Run, compare};
use model_core::permalink;

use super::compare::changes;
use crate::charts::{MeasuredMark, OperatingPoint};
use crate::runs::{Nearest, known, recent, rows};
use crate::words::format;
use crate::words::names::short_name;

type RunInputs = (&'static Run, Inputs);

/// Returns every measured run with its inputs, parsed on first use; empty until the page has loaded the table of runs.
/// The runs shown on charts come first.
fn runs() -> &'static [RunInputs] {
    static RUNS: OnceLock<Vec<RunInputs>> = OnceLock::new();
    if known().is_none() {
        return &[];
    }
    let read = |run: &'static Run| (run, permalink::read(run.link).current);
    RUNS.get_or_init(|| rows().chain(recent()).map(read).collect())
}

/// True if a run has the scenario's model on the same accelerator, with the same forms of MLA and of the attention
/// kernel.
fn is_alike(inputs: &Inputs, run: &Inputs) -> bool {
    let chip = |of: &Inputs| Number::CHIP_SCALES.map(|scale| of.get(scale));
    run.model == inputs.model
        && run.gpu == inputs.gpu
        && run.accelerator() == inputs.accelerator()
        && chip(run) == chip(inputs)
        && (run.latent, run.fusion) == (inputs.latent, inputs.fusion)
}

/// Returns the measured runs to show on charts: those with the scenario's model on the same accelerator.
fn alike(inputs: &Inputs) -> impl Iterator<Item = &'static RunInputs> {
    let known = runs().iter().take(rows().count());
    known.filter(|(_, run)| is_alike(inputs, run))
}

/// Returns the number of measured runs that charts show for the scenario's model and accelerator.
pub fn count(inputs: &Inputs) -> usize {
    alike(inputs).count()
}

/// Returns the number of measured runs with the scenario's model on any of these accelerators.
pub fn count_on(inputs: &Inputs, accelerators: &[Gpu]) -> usize {
    let on = |gpu: &Gpu| count(&with_gpu(inputs, *gpu));
    accelerators.iter().map(on).sum()
}

/// Returns the chart marks of the measured runs on any of these accelerators. Each run is compared with the scenario
/// moved to the run's accelerator.
pub fn marks_on(inputs: &Inputs, accelerators: &[Gpu]) -> Vec<MeasuredMark> {
    let on = |gpu: &Gpu| marks(&with_gpu(inputs, *gpu));
    accelerators.iter().flat_map(on).collect()
}

fn with_gpu(inputs: &Inputs, gpu: Gpu) -> Inputs {
    let mut with = *inputs;
    with.gpu = gpu;
    with
}

/// Returns the chart marks of the measured runs, each with the run's differences from the scenario.
pub fn marks(inputs: &Inputs) -> Vec<MeasuredMark> {
    alike(inputs)
        .filter_map(|known| mark(inputs, known))
        .collect()
}

fn mark(inputs: &Inputs, (row, run): &RunInputs) -> Option<MeasuredMark> {
    let compared = compare(row, &Edit::keys(""))?;
    let measured = compared.measured.get();
    let (batch, gpus) = (run.get(Number::Batch)?, run.get(Number::Gpus)?);
    Some(MeasuredMark {
        name: format!(
            "{} seq/GPU on {} {}",
            format::batch(batch / gpus),
            format::count(gpus),
            short_name(run.gpu.name())
        ),
        run: row.settings.to_owned(),
        point: OperatingPoint {
            batch,
            gpus,
            tpot_s: measured,
            per_user: 1.0 / measured,
            per_gpu: batch / gpus / measured,
            fits: true,
        },
        predicted_per_gpu: batch / gpus / compared.computed.get(),
        dollars_per_mtok: inputs
            .get(Number::Price)
            .map(|price| price / 3600.0 / (batch / gpus / measured) * 1e6),
        differs: differs(inputs, run),
        source: row.source.title.to_owned(),
    })
}

/// Returns the measured run that is closest in GPU count, batch per GPU and context. Only runs of the same model and
/// accelerator that count toward the accuracy score are compared; `None` if there is none. The prediction error is
/// computed with the scenario's calibration.
pub fn nearest(inputs: &Inputs) -> Option<Nearest> {
    let distance = |run: &Inputs| {
        let get = |of: &Inputs, number| of.get(number).unwrap_or(1.0).max(1.0);
        let far = |number| ln(get(run, number) / get(inputs, number));
        let gpus = far(Number::Gpus);
        gpus.abs() + (far(Number::Batch) - gpus).abs() + far(Number::Context).abs()
    };
    let counting = runs()
        .iter()
        .filter(|(run, theirs)| run.kind.counts() && is_alike(inputs, theirs));
    let (run, theirs) =
        counting.min_by(|(_, one), (_, other)| distance(one).total_cmp(&distance(other)))?;
    let keys = format!("calibration={}", inputs.calibration.id());
    Some(Nearest {
        error: compare(run, &Edit::keys(&keys))?.error(),
        hardware: run.hardware,
        source: run.source.title,
        differs: differs(inputs, theirs),
        run,
    })
}

/// Lists the settings in which a measured run differs from the scenario, except calibration, targets, price and
/// memory reserve.
fn differs(inputs: &Inputs, run: &Inputs) -> Vec<String> {
    let mut ours = *inputs;
    let mut theirs = *run;
    theirs.calibration = ours.calibration;
    theirs.version = ours.version;
    theirs.mode = ours.mode;
    for number in [
        Number::Slo,
        Number::TargetCost,
        Number::TargetThroughput,
        Number::Price,
        Number::Reserve,
    ] {
        ours = ours.without(number);
        theirs = theirs.without(number);
    }
    changes(&theirs, &ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_the_same_model_and_accelerator_say_what_differs() {
        let inputs = permalink::read("v=1").current;
        let marks = marks(&inputs);
        assert_eq!(marks.len(), count(&inputs));
        assert!(marks.len() >= 2, "{marks:?}");
        for mark in &marks {
            assert!(mark.point.draws(), "{mark:?}");
            assert!(!mark.differs.is_empty(), "{mark:?}");
            let said = mark.differs.join("; ");
            for no in ["calibration", "slo", "price"] {
                assert!(!said.contains(no), "{said}");
            }
        }
        // SGLang, 22.3k tok/s per node of 8 GPUs: 256 sequences on each of 72 GPUs.
        let same = marks
            .iter()
            .find(|mark| (mark.point.batch - 18_432.0).abs() < 0.5)
            .unwrap();
        assert!((same.point.per_gpu - 2_787.0).abs() < 10.0, "{same:?}");
        assert_eq!(count(&permalink::read("v=1&gpu=v100").current), 0);
    }

    #[test]
    fn runs_on_several_accelerators_stand_beside_the_scenario_on_each() {
        let inputs = permalink::read("v=1&model=deepseek-r1").current;
        let gpu = |id: &str| permalink::read(&format!("v=1&gpu={id}")).current.gpu;
        let (h200, b200) = (gpu("h200"), gpu("b200"));
        let both = marks_on(&inputs, &[h200, b200]);
        assert_eq!(both.len(), count_on(&inputs, &[h200, b200]));
        assert_eq!(
            both.len(),
            count_on(&inputs, &[h200]) + count_on(&inputs, &[b200])
        );
        assert!(both.len() >= 4, "{both:?}");
        for mark in &both {
            // The accelerator is not listed as a difference: each run is compared on its own accelerator.
            let said = mark.differs.join("; ");
            assert!(!said.contains("H200") && !said.contains("B200"), "{said}");
            let cost = mark.dollars_per_mtok.unwrap();
            assert!((0.01..1000.0).contains(&cost), "{mark:?}");
        }
    }
}
