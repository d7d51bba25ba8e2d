//! Compares measured runs with Ridgepoint's predictions, under any calibration.

use super::row::{ErrorMark, EvidenceRow, Reproduction, along};
use crate::charts::measured::{MarkShape, MeasuredData, MeasuredPoint};
use crate::runs::{recent, rows};
use crate::words::format;
use crate::words::names::short_name;
use crate::words::sentence::{Sentence, Tone};
use model_core::calibration::NamedCalibration;
use model_core::hardware::{Coverage, Family};
use model_core::inputs::Gpu;
use model_core::math::ln;
use model_core::measured::{Compared, Edit, PublishedFigure, Run, RunKind, compare, ends, summary};
use model_core::service::recipes::{RECIPES, Recipe};

/// A measured run and Ridgepoint's prediction for it. Both are in seconds if the publication reports seconds, else in
/// tok/s/GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRow {
    /// The measured run.
    pub run: &'static Run,
    /// Permalink of the run's scenario, under the selected calibration.
    pub link: String,
    /// The measured value, in seconds or tok/s/GPU.
    pub measured: f64,
    /// The value that Ridgepoint predicts, in the unit of the measured value.
    pub predicted: f64,
    /// Lowest and highest prediction over the possible values of the settings that the publication omits.
    pub range: (f64, f64),
    /// Predicted value ÷ measured value.
    pub ratio: f64,
    /// Short name of the run's accelerator.
    pub gpu: &'static str,
    /// Accelerator family whose measured kernel efficiencies are used; `None` if no kernels were measured for this
    /// accelerator.
    pub family: Option<Family>,
}

impl MeasuredRow {
    fn new(run: &'static Run, calibration: &str) -> Option<Self> {
        let keys = format!("calibration={calibration}");
        let compared = compare(run, &Edit::keys(&keys))?;
        let (least, most) = ends(run, &compared, &keys)?;
        let measured = measured(run, &compared);
        let computed = |error| predicted(run, measured, error);
        let predicted = computed(compared.error());
        let (one, other) = (computed(least), computed(most));
        let inputs = &compared.inputs;
        Some(Self {
            measured,
            predicted,
            range: (one.min(other), one.max(other)),
            ratio: predicted / measured,
            gpu: match inputs.gpu {
                Gpu::Catalog(entry) => short_name(entry.name),
                Gpu::Custom => "Ascend 910C",
            },
            family: match inputs.gpu.coverage(inputs.family) {
                Coverage::Measured(family) | Coverage::MemoryOnly(family) => Some(family),
                Coverage::Range(_) | Coverage::Borrowed(_) | Coverage::Unclaimed => None,
            },
            link: compared.link,
            run,
        })
    }

    /// True if predicted ÷ measured is between 1/`factor` and `factor`.
    pub fn within(&self, factor: f64) -> bool {
        self.ratio <= factor && self.ratio >= 1.0 / factor
    }

    /// Returns the run's model and hardware as text: "DeepSeek-R1, 4×8 H200".
    pub fn system(&self) -> String {
        format!("{}, {}", self.run.model, self.run.hardware)
    }

    /// True if the run counts toward the accuracy score.
    fn counts(&self) -> bool {
        self.run.kind.counts()
    }

    /// Returns this run as a row of the table of evidence.
    pub fn listed(&self) -> EvidenceRow {
        let value = |value: f64| match self.run.figure {
            PublishedFigure::Seconds(_) => format::duration(value).to_string(),
            PublishedFigure::Prefill(_) => format!("{} input tok/s/GPU", format::sig3(value)),
            _ => format!("{} tok/s/GPU", format::sig3(value)),
        };
        let mut reason = match self.run.open_names() {
            open if open.is_empty() => "All relevant settings are published.".to_owned(),
            open => format!("Not published: {open}."),
        };
        let (low, high) = self.range;
        if low < high {
            let (low, high) = (format::sig3(low), format::sig3(high));
            reason += &format!(" Computed range: {low} to {high}.");
        }
        for more in [self.run.engine, self.run.note] {
            if !more.is_empty() {
                reason += &format!(" {more}.");
            }
        }
        let scored = self.counts() || self.run.kind == RunKind::Prefill;
        if !scored {
            reason += " Excluded from the accuracy score.";
        }
        let off = ln(self.ratio);
        EvidenceRow {
            paper: None,
            what: self.system(),
            run: self.run.settings,
            place: self.run.source.title.to_owned(),
            source: Some(self.run.source),
            published: value(self.measured),
            computed: value(self.predicted),
            amounts: (self.measured, self.predicted),
            error: format::factor(self.ratio),
            mark: Some(ErrorMark::new(off, (along(-ln(NEAR)), along(ln(NEAR))))),
            word: self.run.kind.name().to_owned(),
            reason,
            state: match scored && !self.within(NEAR) {
                true => Reproduction::Gap,
                false => Reproduction::Met,
            },
            claim: false,
            counts: scored,
            link: self.link.clone(),
            anchor: self.counts().then_some(self.run),
            off,
        }
    }
}

/// Returns the measured time in seconds if the publication reports seconds, else the throughput in tok/s/GPU.
fn measured(run: &Run, compared: &Compared) -> f64 {
    let time = compared.measured.get();
    match run.figure {
        PublishedFigure::Seconds(_) => time,
        _ => compared.scenario.workload.batch / f64::from(compared.scenario.cluster.gpus) / time,
    }
}

/// Computes the predicted value, given the measured value and the relative error of the predicted time.
fn predicted(run: &Run, measured: f64, error: f64) -> f64 {
    match run.figure {
        PublishedFigure::Seconds(_) => measured * (1.0 + error),
        _ => measured / (1.0 + error),
    }
}

/// Largest factor between prediction and measurement for which a run counts as predicted correctly.
const NEAR: f64 = 1.2;

/// Returns the runs for the chart of measured runs, grouped by publication, with their predictions under this
/// calibration.
pub fn measured_rows(calibration: &str) -> Vec<MeasuredRow> {
    rows()
        .filter_map(|run| MeasuredRow::new(run, calibration))
        .collect()
}

/// Returns the measured runs published in 2026, as rows of the table of evidence.
pub fn recent_rows(calibration: &str) -> Vec<EvidenceRow> {
    recent()
        .filter_map(|run| Some(MeasuredRow::new(run, calibration)?.listed()))
        .collect()
}

/// Returns published splits of GPUs into prefill and decode pools, as rows of the table of evidence.
pub fn pool_rows(calibration: &str) -> Vec<EvidenceRow> {
    let row = |recipe: Recipe| {
        let (published, computed) = (recipe.prefill_per_decode, recipe.computed(calibration)?);
        let ratio = computed / published;
        let value = |ratio: f64| format!("{} prefill GPUs per decode GPU", format::sig3(ratio));
        Some(EvidenceRow {
            paper: None,
            what: format!("{} pools", recipe.name),
            run: recipe.of,
            place: recipe.source.title.to_owned(),
            source: Some(recipe.source),
            published: value(published),
            computed: value(computed),
            amounts: (published, computed),
            error: format::factor(ratio),
            mark: Some(ErrorMark::new(
                ln(ratio),
                (along(-ln(NEAR)), along(ln(NEAR))),
            )),
            word: "pools".to_owned(),
            reason: format!(
                "Not published: {}. The pool ratio was set by hand, so it is excluded from the accuracy score.",
                recipe.open
            ),
            state: Reproduction::Met,
            claim: false,
            counts: false,
            link: format!("{}&calibration={calibration}&view=service", recipe.link),
            anchor: None,
            off: ln(ratio),
        })
    };
    RECIPES.into_iter().filter_map(row).collect()
}

/// Returns the runs that match the search words. If any of them counts toward the accuracy score, only the runs that
/// count are returned.
pub fn found(rows: &[MeasuredRow], words: &str) -> Vec<MeasuredRow> {
    let found = rows.iter().filter(|row| row.listed().holds(words));
    let counting = found.clone().any(MeasuredRow::counts);
    let kept = found.filter(|row| row.counts() || !counting);
    kept.cloned().collect()
}

/// Prediction errors of a calibration over the runs that count toward the accuracy score.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// Identifier of the scored calibration in permalinks.
    pub id: &'static str,
    /// Number of runs whose prediction is within 1.2× of the measurement.
    pub near: usize,
    /// Number of runs whose prediction is within 2× of the measurement.
    pub far: usize,
    /// Mean absolute relative error of the predicted times.
    pub mean: f64,
}

/// Returns the score of each calibration. All calibrations are scored on the same runs.
pub fn scores() -> Vec<Score> {
    NamedCalibration::ALL
        .into_iter()
        .filter_map(|calibration| score(calibration.id()))
        .collect()
}

/// Returns the relative error of the predicted time for each run that counts toward the accuracy score.
fn errors(edit: &Edit<'_>) -> Vec<f64> {
    rows()
        .filter(|run| run.kind.counts())
        .filter_map(|run| Some(compare(run, edit)?.error()))
        .collect()
}

fn score(id: &'static str) -> Option<Score> {
    let errors = errors(&Edit::keys(&format!("calibration={id}")));
    let within = |factor: f64| {
        let near = |error: &&f64| 1.0 + **error <= factor && 1.0 + **error >= 1.0 / factor;
        errors.iter().filter(near).count()
    };
    Some(Score {
        id,
        near: within(NEAR),
        far: within(2.0),
        mean: summary(errors.iter().copied())?.mean,
    })
}

/// The measured runs of one engine and model on one accelerator.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemRow {
    /// Engine and model: "SGLang, DeepSeek-R1".
    pub name: String,
    /// Settings that are not published for these runs, separated by commas.
    pub unknown: String,
    /// Short name of the accelerator that the runs used.
    pub gpu: &'static str,
    /// For each run, the position of predicted ÷ measured on the log axis (0 to 1). The flag is true if the
    /// prediction is off by more than 1.2×.
    pub runs: Vec<(f64, bool)>,
    /// Lowest and highest predicted ÷ measured of the runs: "0.97–0.99".
    pub range: String,
    /// True if the prediction of at least one run is off by more than 1.2×.
    pub far: bool,
}

/// Largest value of predicted ÷ measured on a system's log axis; the smallest value is the reciprocal.
const STRIP: f64 = 1.7;

/// Returns the position of a predicted ÷ measured ratio on a system's log axis, clamped to 0–1.
pub fn on_strip(ratio: f64) -> f64 {
    let (log, end) = (ln(ratio), ln(STRIP));
    (0.5 + log / (2.0 * end)).clamp(0.0, 1.0)
}

/// Groups runs by engine, model and accelerator. The returned text states in how many groups every run is predicted
/// within 1.2×.
pub fn systems(rows: &[MeasuredRow]) -> (Vec<SystemRow>, String) {
    let mut found: Vec<Vec<&MeasuredRow>> = Vec::new();
    for row in rows {
        let same = |other: &&mut Vec<&MeasuredRow>| {
            other.iter().any(|other| {
                (other.run.engine, other.run.model, other.gpu)
                    == (row.run.engine, row.run.model, row.gpu)
            })
        };
        match found.iter_mut().find(same) {
            Some(known) => known.push(row),
            None => found.push(vec![row]),
        }
    }
    let systems: Vec<SystemRow> = found
        .into_iter()
        .filter_map(|runs| {
            let first = *runs.first()?;
            let mut unknown: Vec<&str> = runs
                .iter()
                .flat_map(|run| &run.run.open)
                .map(|open| open.what)
                .collect();
            unknown.sort_unstable();
            unknown.dedup();
            let least = runs
                .iter()
                .map(|run| run.ratio)
                .fold(f64::INFINITY, f64::min);
            let most = runs.iter().map(|run| run.ratio).fold(0.0, f64::max);
            let (from, to) = (format::sig3(least), format::sig3(most));
            Some(SystemRow {
                name: format!("{}, {}", first.run.engine, first.run.model),
                unknown: unknown.join(", "),
                gpu: first.gpu,
                far: runs.iter().any(|run| !run.within(NEAR)),
                runs: runs
                    .iter()
                    .map(|run| (on_strip(run.ratio), !run.within(NEAR)))
                    .collect(),
                range: match from == to {
                    true => format!("{from}{}", format::TIMES),
                    false => format!("{from}–{to}"),
                },
            })
        })
        .collect();
    let near = systems.iter().filter(|system| !system.far).count();
    let finding = format!(
        "{near} of {} systems within 1.2× for all runs",
        systems.len()
    );
    (systems, finding)
}

/// Returns the verdict on measured runs: how many are predicted within 1.2× and within 2×, and the mean error.
pub fn verdict(rows: &[MeasuredRow]) -> Sentence {
    if rows.is_empty() {
        return Sentence::default().say("No matching measured run.");
    }
    let near = rows.iter().filter(|row| row.within(NEAR)).count();
    let far = rows.iter().filter(|row| row.within(2.0)).count();
    let all = rows.len();
    let errors = rows.iter().map(|row| 1.0 / row.ratio - 1.0);
    // The same mean error as shown next to the calibration and in its chart.
    let mean = summary(errors).map_or(f64::NAN, |summary| summary.mean);
    let within = if far == all {
        "all within 2×".to_owned()
    } else {
        format!("{far} within 2×")
    };
    Sentence::default()
        .then(Tone::Strong, format!("{near} of {all}"))
        .say(format!(
            " measured runs are predicted within 1.2×, {within}; mean error "
        ))
        .then(Tone::Strong, format::share(mean))
        .say(".")
}

/// Returns each run's prediction under the default calibration of releases before 1.0; empty if that calibration is
/// selected.
pub fn formerly(rows: &[MeasuredRow], calibration: &str) -> Vec<f64> {
    if calibration == FORMER {
        return Vec::new();
    }
    let keys = format!("calibration={FORMER}");
    let of = |row: &MeasuredRow| {
        let found = compare(row.run, &Edit::keys(&keys));
        found.map_or(f64::NAN, |found| {
            predicted(row.run, row.measured, found.error())
        })
    };
    rows.iter().map(of).collect()
}

/// Identifier of the default calibration before release 1.0.
const FORMER: &str = "aleph-alpha-2025";

/// Builds the chart of measured runs. `formerly` holds the predictions under an earlier calibration, or is empty.
pub fn chart(rows: &[MeasuredRow], formerly: &[f64]) -> MeasuredData {
    let near = rows.iter().filter(|row| row.within(NEAR)).count();
    let fast = rows.iter().filter(|row| row.ratio > 1.0).count();
    let lean = match fast * 2 {
        twice if twice > rows.len() => "computed mostly too fast",
        twice if twice < rows.len() => "computed mostly too slow",
        _ => "computed equally often too fast and too slow",
    };
    MeasuredData {
        points: rows
            .iter()
            .enumerate()
            .map(|(index, row)| MeasuredPoint {
                formerly: formerly.get(index).copied(),
                name: row.system(),
                run: row.run.settings.to_owned(),
                group: row.run.kind.name(),
                unknown: row.run.open_names(),
                measured: row.measured,
                predicted: row.predicted,
                range: row.range,
                counts: row.counts(),
                shape: match row.family {
                    Some(Family::Hopper) => MarkShape::Disc,
                    Some(Family::Blackwell) => MarkShape::Ring,
                    Some(Family::Cdna3 | Family::Cdna4) | None => MarkShape::Cross,
                },
                source: row.run.source.title.to_owned(),
            })
            .collect(),
        finding: format!("{near} of {} runs within 1.2×; {lean}", rows.len()),
    }
}
