//! Measured systems beside the model's predictions, under any calibration.

use super::row::{ErrorMark, EvidenceRow, Reproduction, along};
use crate::answer::names::short_name;
use crate::answer::sentence::{Sentence, Tone};
use crate::charts::measured::{MeasuredData, MeasuredPoint, Shape};
use crate::format;
use model_core::calibration::NamedCalibration;
use model_core::hardware::{Coverage, Family};
use model_core::inputs::Gpu;
use model_core::math::ln;
use model_core::measured::{Edit, Measurement, System, WITHOUT, compare, ends, rows, summary};
use model_core::order::sort_by;
use model_core::permalink;

/// A measured run and the model's time for it.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRow {
    /// The run.
    pub row: &'static Measurement,
    /// The link that stands for it, under the calibration.
    pub link: String,
    /// Output tokens per second and GPU, as measured.
    pub measured: f64,
    /// The same, predicted.
    pub predicted: f64,
    /// Range of the prediction over unpublished settings.
    pub range: (f64, f64),
    /// Predicted over measured.
    pub ratio: f64,
    /// The accelerator's short name.
    pub gpu: &'static str,
    /// The serving system, or who measured.
    pub by: System,
    /// Accelerator family with the kernel efficiencies used; `None` where none were measured.
    pub family: Option<Family>,
}

impl MeasuredRow {
    fn new(row: &'static Measurement, calibration: &str) -> Option<Self> {
        let keys = format!("calibration={calibration}");
        let compared = compare(row, &Edit::keys(&keys))?;
        let inputs = permalink::read(&compared.link).current;
        let scenario = inputs.scenario().ok()?;
        let each = scenario.workload.batch / f64::from(scenario.cluster.gpus);
        let measured = each / compared.measured.get();
        let (least, most) = ends(row, &keys)?;
        // A longer time is a lower rate.
        let rate = |error: f64| measured / (1.0 + error);
        let predicted = rate(compared.error());
        Some(Self {
            row,
            link: compared.link,
            measured,
            predicted,
            range: (rate(most), rate(least)),
            ratio: predicted / measured,
            gpu: match inputs.gpu {
                Gpu::Catalog(entry) => short_name(entry.name),
                Gpu::Custom => "Ascend 910C",
            },
            by: System::of(row),
            family: match inputs.gpu.coverage(inputs.family) {
                Coverage::Measured(family) | Coverage::MemoryOnly(family) => Some(family),
                Coverage::Range(_) | Coverage::Borrowed(_) | Coverage::Unclaimed => None,
            },
        })
    }

    /// True if the ratio is within a factor.
    pub fn within(&self, factor: f64) -> bool {
        self.ratio <= factor && self.ratio >= 1.0 / factor
    }

    /// Unpublished settings: "balancedness, batch".
    pub fn unknown(&self) -> String {
        let names: Vec<&str> = self
            .row
            .unknown
            .iter()
            .map(|unknown| unknown.what)
            .collect();
        names.join(", ")
    }

    /// "DeepSeek-R1, 4×8 H200".
    pub fn system(&self) -> String {
        format!("{}, {}", self.row.model, self.row.hardware)
    }

    /// True for runs that count for accuracy.
    fn counts(&self) -> bool {
        self.row.group.counts()
    }

    /// The run as a row of the table.
    pub fn listed(&self) -> EvidenceRow {
        let rate = |value: f64| format!("{} tok/s/GPU", format::sig3(value));
        let mut reason = match self.unknown() {
            unknown if unknown.is_empty() => "Everything that decides is published.".to_owned(),
            unknown => {
                let (low, high) = self.range;
                let (low, high) = (format::sig3(low), format::sig3(high));
                format!("Not published: {unknown}. It computes {low} to {high} over their range.")
            }
        };
        if let Some(note) = self.row.note {
            reason += &format!(" {note}");
        }
        if !self.counts() {
            reason += " It does not count for accuracy.";
        }
        let off = ln(self.ratio);
        EvidenceRow {
            paper: None,
            what: self.system(),
            run: self.row.run,
            place: self.row.source.title.to_owned(),
            source: Some(&self.row.source),
            published: rate(self.measured),
            computed: rate(self.predicted),
            amounts: (self.measured, self.predicted),
            error: format::factor(self.ratio),
            mark: Some(ErrorMark::new(off, (along(-ln(NEAR)), along(ln(NEAR))))),
            word: self.row.group.name().to_owned(),
            reason,
            state: match self.counts() && !self.within(NEAR) {
                true => Reproduction::Gap,
                false => Reproduction::Met,
            },
            claim: false,
            link: self.link.clone(),
            off,
        }
    }
}

/// Runs nearer than this factor count as predicted.
const NEAR: f64 = 1.2;

/// Every run under a calibration, by publication.
pub fn measured_rows(calibration: &str) -> Vec<MeasuredRow> {
    rows()
        .filter_map(|row| MeasuredRow::new(row, calibration))
        .collect()
}

/// The runs that a search finds: those that count for accuracy, or all where none does.
pub fn found(rows: &[MeasuredRow], words: &str) -> Vec<MeasuredRow> {
    let found = rows.iter().filter(|row| row.listed().holds(words));
    let counting = found.clone().any(MeasuredRow::counts);
    let kept = found.filter(|row| row.counts() || !counting);
    kept.cloned().collect()
}

/// Errors of a calibration over the runs that count.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// Its identifier in links.
    pub id: &'static str,
    /// Runs within 1.2×.
    pub near: usize,
    /// Runs within 2×.
    pub far: usize,
    /// The mean of the errors of time, without sign.
    pub mean: f64,
}

/// Every calibration over the same runs.
pub fn scores() -> Vec<Score> {
    NamedCalibration::ALL
        .into_iter()
        .filter_map(|calibration| score(calibration.id()))
        .collect()
}

/// Errors of the runs that count.
fn errors(edit: &Edit<'_>) -> Vec<f64> {
    rows()
        .filter(|row| row.group.counts())
        .filter_map(|row| Some(compare(row, edit)?.error()))
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

/// Error of a calibration without one of its terms.
#[derive(Debug, Clone, PartialEq)]
pub struct TermRow {
    /// Its symbol.
    pub symbol: &'static str,
    /// The term left out.
    pub what: String,
    /// The mean error without it.
    pub mean: f64,
}

/// The mean error with every term of a calibration, and with each left out; nothing is fitted anew.
pub fn terms(calibration: &str) -> Option<(f64, Vec<TermRow>)> {
    let mean = |edit: &Edit<'_>| Some(summary(errors(edit))?.mean);
    let keys = format!("calibration={calibration}");
    let all = mean(&Edit::keys(&keys))?;
    let mut found = Vec::new();
    for term in WITHOUT {
        let keys = [keys.as_str(), term.edit.keys].join("&");
        found.push(TermRow {
            symbol: term.symbol,
            // Terms indented under kernel launches are parts of them.
            what: term.what.replace("– of", "starts of"),
            mean: mean(&Edit {
                keys: keys.trim_end_matches('&'),
                calibration: term.edit.calibration,
            })?,
        });
    }
    sort_by(&mut found, |one, other| other.mean.total_cmp(&one.mean));
    Some((all, found))
}

/// The runs of one system on one accelerator.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemRow {
    /// "SGLang, DeepSeek-R1".
    pub name: String,
    /// Unpublished settings of these runs.
    pub unknown: String,
    /// The accelerator.
    pub gpu: &'static str,
    /// Predicted over measured of each run, on the strip's log axis, and true if it is farther off than 1.2×.
    pub runs: Vec<(f64, bool)>,
    /// "0.97–0.99".
    pub range: String,
    /// One of them is farther off than 1.2×.
    pub far: bool,
}

/// The ends of a strip's axis, as a factor.
const STRIP: f64 = 1.7;

/// Position of a ratio on a strip, 0 to 1.
pub fn on_strip(ratio: f64) -> f64 {
    let (log, end) = (ln(ratio), ln(STRIP));
    (0.5 + log / (2.0 * end)).clamp(0.0, 1.0)
}

/// Runs grouped by system, model and accelerator, and a text with the number of groups that are within 1.2×
/// throughout.
pub fn systems(rows: &[MeasuredRow]) -> (Vec<SystemRow>, String) {
    let mut found: Vec<Vec<&MeasuredRow>> = Vec::new();
    for row in rows {
        let same = |other: &&mut Vec<&MeasuredRow>| {
            other.iter().any(|other| {
                (other.by, other.row.model, other.gpu) == (row.by, row.row.model, row.gpu)
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
                .flat_map(|run| run.row.unknown)
                .map(|unknown| unknown.what)
                .collect();
            unknown.sort_unstable();
            unknown.dedup();
            let least = runs
                .iter()
                .map(|run| run.ratio)
                .fold(f64::INFINITY, f64::min);
            let most = runs.iter().map(|run| run.ratio).fold(0.0, f64::max);
            let short = |ratio: f64| format::factor(ratio).replace(format::TIMES, "");
            let (from, to) = (short(least), short(most));
            Some(SystemRow {
                name: format!("{}, {}", first.by.id(), first.row.model),
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
    let finding = format!("{near} of {} within 1.2× throughout", systems.len());
    (systems, finding)
}

/// The verdict over measured runs.
pub fn verdict(rows: &[MeasuredRow]) -> Sentence {
    if rows.is_empty() {
        return Sentence::default().say("No such run was measured.");
    }
    let near = rows.iter().filter(|row| row.within(NEAR)).count();
    let far = rows.iter().filter(|row| row.within(2.0)).count();
    let all = rows.len();
    let errors = rows.iter().map(|row| 1.0 / row.ratio - 1.0);
    // The same number as beside the calibration and in its chart.
    let mean = summary(errors).map_or(f64::NAN, |summary| summary.mean);
    let within = if far == all {
        "all within 2×".to_owned()
    } else {
        format!("{far} within 2×")
    };
    let sentence = Sentence::default()
        .then(Tone::Strong, format!("{near} of {all}"))
        .say(format!(
            " measured systems are predicted within 1.2×, {within}; the mean error is "
        ))
        .then(Tone::Strong, format::share(mean))
        .say(". ");
    let worst = rows
        .iter()
        .max_by(|one, other| off(one).total_cmp(&off(other)));
    match worst {
        Some(worst) if !worst.within(NEAR) => sentence.say(format!(
            "Farthest off: {}, {} too {}.",
            worst.system(),
            format::factor(worst.ratio.max(1.0 / worst.ratio)),
            if worst.ratio > 1.0 { "fast" } else { "slow" },
        )),
        _ => sentence,
    }
}

/// Absolute logarithm of the ratio.
fn off(row: &MeasuredRow) -> f64 {
    ln(row.ratio).abs()
}

/// Throughput of each run under the former default calibration; empty if that one is chosen.
pub fn formerly(rows: &[MeasuredRow], calibration: &str) -> Vec<f64> {
    if calibration == FORMER {
        return Vec::new();
    }
    let keys = format!("calibration={FORMER}");
    let of = |row: &MeasuredRow| {
        let found = compare(row.row, &Edit::keys(&keys));
        found.map_or(f64::NAN, |found| row.measured / (1.0 + found.error()))
    };
    rows.iter().map(of).collect()
}

/// The default calibration before release 1.0.
const FORMER: &str = "aleph-alpha-2025";

/// The chart of the rows; `formerly` has the predictions of an earlier calibration, or is empty.
pub fn chart(rows: &[MeasuredRow], formerly: &[f64]) -> MeasuredData {
    let near = rows.iter().filter(|row| row.within(NEAR)).count();
    let fast = rows.iter().filter(|row| row.ratio > 1.0).count();
    let lean = match fast * 2 {
        twice if twice > rows.len() => "more too fast than too slow",
        twice if twice < rows.len() => "more too slow than too fast",
        _ => "as many too fast as too slow",
    };
    MeasuredData {
        points: rows
            .iter()
            .enumerate()
            .map(|(index, row)| MeasuredPoint {
                formerly: formerly.get(index).copied(),
                name: row.system(),
                run: row.row.run.to_owned(),
                group: row.row.group.name(),
                unknown: row.unknown(),
                measured: row.measured,
                predicted: row.predicted,
                range: row.range,
                counts: row.row.group.counts(),
                shape: match row.family {
                    Some(Family::Hopper) => Shape::Disc,
                    Some(Family::Blackwell) => Shape::Ring,
                    Some(Family::Cdna3 | Family::Cdna4) | None => Shape::Cross,
                },
                source: row.row.source.title.to_owned(),
            })
            .collect(),
        finding: format!("{near} of {} in the narrow band, {lean}", rows.len()),
    }
}
