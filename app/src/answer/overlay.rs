//! Measured systems of the scenario's own model and accelerator, to be laid over a chart of operating points.

use std::sync::LazyLock;

use model_core::inputs::{Gpu, Inputs, Number};
use model_core::math::ln;
use model_core::measured::{Edit, Run, RunText, compare, recent, row_texts, rows};
use model_core::permalink;

use super::compare::changes;
use super::names::short_name;
use crate::charts::{MeasuredMark, OperatingPoint};
use crate::format;

/// Every measured run with the inputs of its link, read once; those with texts for charts come first.
static RUNS: LazyLock<Vec<(Run, Inputs)>> = LazyLock::new(|| {
    let read = |run: Run| {
        let inputs = permalink::read(run.link).current;
        (run, inputs)
    };
    rows().chain(recent()).map(read).collect()
});

/// True for a run of the same model on the same accelerator.
fn is_alike(inputs: &Inputs, run: &Inputs) -> bool {
    let chip = |of: &Inputs| Number::CHIP_SCALES.map(|scale| of.get(scale));
    run.model == inputs.model
        && run.gpu == inputs.gpu
        && run.accelerator() == inputs.accelerator()
        && chip(run) == chip(inputs)
        && (run.latent, run.fusion) == (inputs.latent, inputs.fusion)
}

/// Measured runs with texts, of the same model on the same accelerator.
fn alike(inputs: &Inputs) -> impl Iterator<Item = (&'static (Run, Inputs), RunText)> {
    let known = RUNS.iter().zip(row_texts());
    known.filter(|((_, run), _)| is_alike(inputs, run))
}

/// Number of measured runs of the scenario's model and accelerator.
pub fn count(inputs: &Inputs) -> usize {
    alike(inputs).count()
}

/// Number of measured runs of the model on any of these accelerators.
pub fn count_on(inputs: &Inputs, accelerators: &[Gpu]) -> usize {
    let on = |gpu: &Gpu| count(&with_gpu(inputs, *gpu));
    accelerators.iter().map(on).sum()
}

/// Marks of the runs on any of these accelerators, each compared with the scenario on its own.
pub fn marks_on(inputs: &Inputs, accelerators: &[Gpu]) -> Vec<MeasuredMark> {
    let on = |gpu: &Gpu| marks(&with_gpu(inputs, *gpu));
    accelerators.iter().flat_map(on).collect()
}

fn with_gpu(inputs: &Inputs, gpu: Gpu) -> Inputs {
    let mut with = *inputs;
    with.gpu = gpu;
    with
}

/// Marks of the measured runs, with their differences from the scenario.
pub fn marks(inputs: &Inputs) -> Vec<MeasuredMark> {
    alike(inputs)
        .filter_map(|(known, text)| mark(inputs, known, text))
        .collect()
}

fn mark(inputs: &Inputs, (row, run): &(Run, Inputs), text: RunText) -> Option<MeasuredMark> {
    let compared = compare(row, &Edit::keys(""))?;
    let measured = compared.measured.get();
    let (batch, gpus) = (run.get(Number::Batch)?, run.get(Number::Gpus)?);
    Some(MeasuredMark {
        name: format!(
            "{} per GPU on {} {}",
            format::batch(batch / gpus),
            format::count(gpus),
            short_name(run.gpu.name())
        ),
        run: text.run.to_owned(),
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

/// The measured run nearest to a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Computed over measured time, less one.
    pub error: f64,
    /// "9×8 H100, InfiniBand".
    pub hardware: &'static str,
    /// Its publication.
    pub source: &'static str,
    /// Settings in which it differs: "72 GPUs → 144 GPUs".
    pub differs: Vec<String>,
}

/// The measured run of the same model and accelerator that is nearest in GPUs, batch per GPU and context, computed
/// under the scenario's calibration; `None` where none was measured.
pub fn nearest(inputs: &Inputs) -> Option<Nearest> {
    let distance = |run: &Inputs| {
        let get = |of: &Inputs, number| of.get(number).unwrap_or(1.0).max(1.0);
        let far = |number| ln(get(run, number) / get(inputs, number));
        let gpus = far(Number::Gpus);
        gpus.abs() + (far(Number::Batch) - gpus).abs() + far(Number::Context).abs()
    };
    let counting = RUNS
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
    })
}

/// Changes from a scenario to a run; calibration, targets, price and kept memory are none.
fn differs(inputs: &Inputs, run: &Inputs) -> Vec<String> {
    let mut ours = *inputs;
    let mut theirs = *run;
    theirs.calibration = ours.calibration;
    theirs.version = ours.version;
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
        // SGLang's 22.3k tokens per second of a node: 256 sequences on each of 72.
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
            // The accelerator is no difference: it stands beside its own line.
            let said = mark.differs.join("; ");
            assert!(!said.contains("H200") && !said.contains("B200"), "{said}");
            let cost = mark.dollars_per_mtok.unwrap();
            assert!((0.01..1000.0).contains(&cost), "{mark:?}");
        }
    }
}
