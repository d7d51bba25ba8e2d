//! The papers' figures that the page reproduces, defined in `tests/golden/figures.tsv`.

use model_core::inputs::Number;
use model_core::permalink::PaperCurve;
use model_core::sweep::Strategy;

use super::{Case, OF_PAPERS};

static TABLE: &str = include_str!("../../tests/golden/figures.tsv");

/// A figure of a paper: its axes, its sweep, and the paper's claim.
#[derive(Debug)]
pub struct PaperFigure {
    /// Column `title`: the paper and the figure's number.
    pub title: &'static str,
    /// Column `x`: the quantity on the x axis.
    pub x: &'static str,
    /// Column `y`: the quantity on the y axis.
    pub y: &'static str,
    /// For the x axis and the y axis: true if the axis is logarithmic, marked by ", log" in the columns `x` and `y`.
    pub log: (bool, bool),
    /// Column `along`: the quantity swept along the lines.
    pub along: Along,
    /// Column `per_gpu`: true if x is divided by the scenario's number of GPUs.
    pub per_gpu: bool,
    /// Column `fits`: true if points that do not fit in memory are drawn dotted.
    pub fits: bool,
    /// Column `ends`: the first and the last value of x.
    pub ends: (f64, f64),
    /// Column `powers`: true if x takes powers of two; otherwise x is evenly spaced on the axis.
    pub powers: bool,
    /// Column `bound`: a value of y that the paper mentions, and a label for that value.
    pub bound: Option<(f64, &'static str)>,
    /// Column `rule`: a value of x that the paper mentions, and a label for that value.
    pub rule: Option<(f64, &'static str)>,
    /// Column `finding`: the subject of the figure's finding (the sentence under its title).
    pub finding: &'static str,
    /// Column `claim`: the paper's claim, in one sentence.
    pub claim: &'static str,
    /// Column `outcome`: the outcome of reproducing the claim.
    pub outcome: &'static str,
    /// The lines of the figure.
    pub lines: Vec<PaperLine>,
}

/// The quantity that is swept along the lines of a figure.
#[derive(Debug)]
pub enum Along {
    /// A numeric input of the permalink, and the permalink keys set to its value, each with a factor. Examples:
    /// `batch`, `gpus tp`, `kvp gpus×8`.
    Keys(Number, Vec<(&'static str, f64)>),
    /// Column value `requests`: the number of requests in HOP-B.
    Requests,
    /// Column value `traces`: the four traces of [L].
    Traces,
    /// Column value `frontiers`: the plans on the frontiers.
    Frontiers,
}

/// A line in a figure.
#[derive(Debug)]
pub struct PaperLine {
    /// Name of the line in the chart.
    pub name: &'static str,
    /// Column `role`: the component, such as attention or experts, whose color the line has.
    pub role: Option<&'static str>,
    /// Scenario and quantity of the line. Column `case` names a golden case by the start of its locator; column
    /// `link` gives a scenario instead. Columns `measure` (quantity and unit) and `per_gpu` change what is plotted.
    pub case: Case,
    /// Column `x`: quantity and unit of x, if x is not the swept number.
    pub x: Option<(&'static str, &'static str)>,
    /// Column `printed`: values printed in the paper, each as an x value and a golden case.
    pub printed: Vec<(f64, &'static Case)>,
    /// Column `run`: identifiers of measured runs.
    pub runs: Vec<&'static str>,
    /// Column `plans`: the parallelism strategies whose frontier is drawn.
    pub plans: Vec<Strategy>,
}

/// Suffix that marks a logarithmic axis.
const LOG: &str = ", log";

/// Returns the figure with this identifier.
pub fn figure(id: PaperCurve) -> Option<PaperFigure> {
    let mut rows = TABLE.lines();
    let row = rows.find(|row| row.split('\t').next() == Some(id.id()))?;
    let own = Fields(row);
    let lines = rows.map_while(|row| row.strip_prefix('\t'));
    let (x, y) = (own.get("x")?, own.get("y")?);
    Some(PaperFigure {
        title: own.get("title")?,
        x: x.strip_suffix(LOG).unwrap_or(x),
        y: y.strip_suffix(LOG).unwrap_or(y),
        log: (x.ends_with(LOG), y.ends_with(LOG)),
        along: along(own.get("along")?)?,
        per_gpu: own.get("per_gpu").is_some(),
        fits: own.get("fits").is_some(),
        ends: match own.pair("ends") {
            Some((from, to)) => (from, to.parse().ok()?),
            None => (1.0, 1.0),
        },
        powers: own.get("powers").is_some(),
        bound: own.pair("bound"),
        rule: own.pair("rule"),
        finding: own.get("finding")?,
        claim: own.get("claim")?,
        outcome: own.get("outcome")?,
        lines: lines.map(line).collect::<Option<_>>()?,
    })
}

/// Returns a golden case without an expected value; it defines only a scenario (permalink) and a quantity.
pub const fn quantity_of(
    link: &'static str,
    (measure, unit): (&'static str, &'static str),
) -> Case {
    Case {
        locator: "",
        link,
        measure,
        times: &[],
        per: &[],
        against: None,
        given: &[],
        expected: None,
        tolerance: None,
        at_least: None,
        at_most: None,
        unit,
        because: "",
        known_gap: None,
    }
}

fn along(words: &'static str) -> Option<Along> {
    Some(match words {
        "requests" => Along::Requests,
        "traces" => Along::Traces,
        "frontiers" => Along::Frontiers,
        keys => {
            let key = |key: &'static str| match key.split_once('×') {
                Some((key, factor)) => Some((key, factor.parse().ok()?)),
                None => Some((key, 1.0)),
            };
            let keys: Vec<_> = keys.split(' ').map(key).collect::<Option<_>>()?;
            Along::Keys(Number::find(keys.first()?.0)?, keys)
        }
    })
}

fn line(row: &'static str) -> Option<PaperLine> {
    let own = Fields(row);
    let measure = own.get("measure").map(|words| words.split_once(' '));
    let case = match (own.get("case"), own.get("link"), measure) {
        (Some(locator), None, None) => *golden(locator)?,
        (Some(locator), None, Some(measure)) => quantity_of(golden(locator)?.link, measure?),
        (None, Some(link), Some(measure)) => quantity_of(link, measure?),
        _ => return None,
    };
    let per: &[&str] = own.get("per_gpu").map_or(case.per, |_| &["gpus"]);
    let strategy = |id: &str| Strategy::ALL.into_iter().find(|family| family.id() == id);
    let plans = own.get("plans").into_iter().flat_map(|ids| ids.split(' '));
    let printed = own.all("printed").map(|words| {
        let (x, locator) = number_and_words(words)?;
        Some((x, golden(locator)?))
    });
    Some(PaperLine {
        name: row.split('\t').next()?,
        role: own.get("role"),
        case: Case { per, ..case },
        x: own.get("x").and_then(|words| words.split_once(' ')),
        printed: printed.collect::<Option<_>>()?,
        runs: own.all("run").collect(),
        plans: plans.map(strategy).collect::<Option<_>>()?,
    })
}

fn golden(locator: &str) -> Option<&'static Case> {
    let mut cases = OF_PAPERS.iter().flat_map(|file| file.cases);
    cases.find(|case| case.locator.starts_with(locator))
}

/// Splits a text such as "9.3 r* ≈ 9.3" into a number and the words after it.
fn number_and_words(text: &'static str) -> Option<(f64, &'static str)> {
    let (number, words) = text.split_once(' ')?;
    Some((number.parse().ok()?, words))
}

struct Fields(&'static str);

impl Fields {
    fn all(&self, name: &'static str) -> impl Iterator<Item = &'static str> {
        let fields = self.0.split('\t').skip(1);
        fields.filter_map(move |field| field.strip_prefix(name)?.strip_prefix('='))
    }

    fn get(&self, name: &'static str) -> Option<&'static str> {
        self.all(name).next()
    }

    fn pair(&self, name: &'static str) -> Option<(f64, &'static str)> {
        number_and_words(self.get(name)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_rows_are_the_same() {
        for id in PaperCurve::ALL {
            assert!(figure(id).is_some(), "{}", id.id());
        }
        let rows = TABLE.lines().filter(|row| !row.starts_with(['#', '\t']));
        assert_eq!(rows.count(), PaperCurve::ALL.len());
    }
}
