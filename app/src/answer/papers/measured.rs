//! Measured systems beside what the model says of them, under any calibration.

use crate::answer::sentence::{Sentence, Tone};
use crate::answer::split::short_name;
use crate::charts::measured::{MeasuredData, MeasuredPoint, Shape};
use crate::format;
use model_core::cost::calibration::{Coverage, Family, NamedCalibration};
use model_core::measured::{Edit, Group, Measurement, WITHOUT, compare, ends, rows, summary};
use model_core::permalink;
use model_core::scenario::Gpu;

/// A measured run and the model's time for it.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRow {
    /// The run.
    pub row: &'static Measurement,
    /// The link that stands for it, under the calibration.
    pub link: String,
    /// Output tokens per second and GPU, as measured.
    pub measured: f64,
    /// The same as the model has it.
    pub predicted: f64,
    /// Its range over what is not published.
    pub range: (f64, f64),
    /// Predicted over measured.
    pub ratio: f64,
    /// The accelerator's short name.
    pub gpu: &'static str,
    /// The serving system, or who measured.
    pub by: &'static str,
    /// Whose kernel shares its accelerator takes; nobody's where none were measured on its like.
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
                Gpu::Custom => row.hardware,
            },
            by: SYSTEMS
                .into_iter()
                .find(|(part, _)| row.source.title.contains(part))
                .map_or("others", |(_, name)| name),
            family: match inputs.gpu.coverage(inputs.family) {
                Coverage::Measured(family) | Coverage::MemoryOnly(family) => Some(family),
                Coverage::Borrowed(_) | Coverage::Unclaimed => None,
            },
        })
    }

    /// Whether it is within a factor.
    pub fn within(&self, factor: f64) -> bool {
        self.ratio <= factor && self.ratio >= 1.0 / factor
    }

    /// What is not published, "balancedness, batch".
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
}

/// Every run under a calibration, by publication.
pub fn measured_rows(calibration: &str) -> Vec<MeasuredRow> {
    rows()
        .filter_map(|row| MeasuredRow::new(row, calibration))
        .collect()
}

/// Runs of one kind, or all whose accuracy counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Runs {
    /// Those that say how accurate the model is.
    #[default]
    Counting,
    /// One group.
    Group(Group),
    /// All.
    All,
}

impl Runs {
    /// All choices, in the order of the switch.
    pub fn choices() -> impl Iterator<Item = Self> {
        [Self::Counting]
            .into_iter()
            .chain(Group::ALL.map(Self::Group))
            .chain([Self::All])
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counting => "all that count",
            Self::Group(group) => group.name(),
            Self::All => "everything",
        }
    }

    /// Whether a run is one of them.
    pub fn hold(self, row: &Measurement) -> bool {
        match self {
            Self::Counting => row.group.counts(),
            Self::Group(group) => row.group == group,
            Self::All => true,
        }
    }

    /// How many there are.
    pub fn count(self) -> usize {
        rows().filter(|row| self.hold(row)).count()
    }
}

/// Whose measurement: what its publication names, the engine before the model.
const SYSTEMS: [(&str, &str); 6] = [
    ("TensorRT-LLM", "TensorRT-LLM"),
    ("SGLang", "SGLang"),
    ("vLLM", "vLLM"),
    ("InferenceX", "InferenceX"),
    ("CloudMatrix", "CloudMatrix384"),
    ("DeepSeek", "DeepSeek"),
];

/// A narrower choice among runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Only {
    /// One accelerator, by its name.
    pub gpu: Option<&'static str>,
    /// One serving system.
    pub system: Option<&'static str>,
}

impl Only {
    /// Whether a row is one of them.
    pub fn holds(self, row: &MeasuredRow) -> bool {
        self.gpu.is_none_or(|gpu| gpu == row.gpu)
            && self.system.is_none_or(|system| system == row.by)
    }
}

/// The values of a column with how many rows have each, the most frequent first.
pub fn choices(
    rows: &[MeasuredRow],
    of: fn(&MeasuredRow) -> &'static str,
) -> Vec<(&'static str, usize)> {
    let mut found: Vec<(&'static str, usize)> = Vec::new();
    for row in rows {
        match found.iter_mut().find(|(name, _)| *name == of(row)) {
            Some((_, count)) => *count += 1,
            None => found.push((of(row), 1)),
        }
    }
    found.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    found
}

/// How a calibration does over runs.
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
pub fn scores(runs: Runs) -> Vec<Score> {
    NamedCalibration::ALL
        .into_iter()
        .filter_map(|calibration| score(runs, calibration.id()))
        .collect()
}

fn score(runs: Runs, id: &'static str) -> Option<Score> {
    let keys = format!("calibration={id}");
    let errors: Vec<f64> = rows()
        .filter(|row| runs.hold(row))
        .filter_map(|row| Some(compare(row, &Edit::keys(&keys))?.error()))
        .collect();
    let within = |factor: f64| {
        let near = |error: &&f64| 1.0 + **error <= factor && 1.0 + **error >= 1.0 / factor;
        errors.iter().filter(near).count()
    };
    Some(Score {
        id,
        near: within(1.2),
        far: within(2.0),
        mean: summary(errors.iter().copied())?.mean,
    })
}

/// What a term of the calibration is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct TermRow {
    /// Its symbol.
    pub symbol: &'static str,
    /// What is left out.
    pub what: String,
    /// The mean error without it.
    pub mean: f64,
}

/// The mean error with every term of a calibration, and with each left out; nothing is fitted anew.
pub fn terms(runs: Runs, calibration: &str) -> Option<(f64, Vec<TermRow>)> {
    let mean = |edit: &Edit<'_>| {
        let errors = rows()
            .filter(|row| runs.hold(row))
            .filter_map(|row| Some(compare(row, edit)?.error()));
        Some(summary(errors)?.mean)
    };
    let keys = format!("calibration={calibration}");
    let all = mean(&Edit::keys(&keys))?;
    let mut found = Vec::new();
    for term in WITHOUT {
        let keys = [keys.as_str(), term.edit.keys].join("&");
        found.push(TermRow {
            symbol: term.symbol,
            // What is indented under the starts of kernels is a part of them.
            what: term.what.replace("– of", "starts of"),
            mean: mean(&Edit {
                keys: keys.trim_end_matches('&'),
                calibration: term.edit.calibration,
            })?,
        });
    }
    found.sort_by(|one, other| other.mean.total_cmp(&one.mean));
    Some((all, found))
}

/// The verdict over measured runs.
pub fn verdict(rows: &[MeasuredRow]) -> Sentence {
    if rows.is_empty() {
        return Sentence::default().say("No such run was measured.");
    }
    let near = rows.iter().filter(|row| row.within(1.2)).count();
    let far = rows.iter().filter(|row| row.within(2.0)).count();
    let all = rows.len();
    let errors = rows.iter().map(|row| 1.0 / row.ratio - 1.0);
    let median = summary(errors).map_or(f64::NAN, |summary| summary.median);
    let within = if far == all {
        "all within 2×".to_owned()
    } else {
        format!("{far} within 2×")
    };
    let sentence = Sentence::default()
        .then(Tone::Strong, format!("{near} of {all}"))
        .say(format!(
            " measured systems are predicted within 1.2×, {within}; the middle error is "
        ))
        .then(Tone::Strong, format::share(median))
        .say(". ");
    let worst = rows
        .iter()
        .max_by(|one, other| off(one).total_cmp(&off(other)));
    match worst {
        Some(worst) if !worst.within(1.2) => sentence.say(format!(
            "Farthest off: {}, {} too {}.",
            worst.system(),
            format::factor(worst.ratio.max(1.0 / worst.ratio)),
            if worst.ratio > 1.0 { "fast" } else { "slow" },
        )),
        _ => sentence,
    }
}

/// How far off, whatever the direction.
fn off(row: &MeasuredRow) -> f64 {
    model_core::math::ln(row.ratio).abs()
}

/// The rows by how far off they are.
pub fn by_error(mut rows: Vec<MeasuredRow>) -> Vec<MeasuredRow> {
    rows.sort_by(|one, other| off(other).total_cmp(&off(one)));
    rows
}

/// The chart of the rows.
pub fn chart(rows: &[MeasuredRow]) -> MeasuredData {
    let near = rows.iter().filter(|row| row.within(1.2)).count();
    let fast = rows.iter().filter(|row| row.ratio > 1.0).count();
    let lean = match fast * 2 {
        twice if twice > rows.len() => "more too fast than too slow",
        twice if twice < rows.len() => "more too slow than too fast",
        _ => "as many too fast as too slow",
    };
    MeasuredData {
        points: rows
            .iter()
            .map(|row| MeasuredPoint {
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
                    None => Shape::Cross,
                },
                source: row.row.source.title.to_owned(),
            })
            .collect(),
        finding: format!("{near} of {} in the narrow band, {lean}", rows.len()),
    }
}
