//! Figures of the papers that the page draws anew, as `tests/golden/figures.tsv` has them.

use model_core::inputs::Number;
use model_core::permalink::PaperCurve;
use model_core::sweep::Strategy;

use super::{Case, OF_PAPERS};

static TABLE: &str = include_str!("../../tests/golden/figures.tsv");

/// A figure of a paper: axes, sweep and claim.
#[derive(Debug)]
pub struct PaperFigure {
    /// `title`: paper and number.
    pub title: &'static str,
    /// `x`: quantity of the axis.
    pub x: &'static str,
    /// `y`: quantity of the axis.
    pub y: &'static str,
    /// Logarithmic axes, marked ", log" in the table.
    pub log: (bool, bool),
    /// `along`: the sweep.
    pub along: Along,
    /// `per_gpu`: x is per GPU of the scenario.
    pub per_gpu: bool,
    /// `fits`: what does not fit in memory is dotted.
    pub fits: bool,
    /// `ends`: first and last x.
    pub ends: (f64, f64),
    /// `powers`: x in powers of two, else evenly spaced on the axis.
    pub powers: bool,
    /// `bound`: a value of y that the paper names.
    pub bound: Option<(f64, &'static str)>,
    /// `rule`: a value of x that the paper names.
    pub rule: Option<(f64, &'static str)>,
    /// `finding`: its subject.
    pub finding: &'static str,
    /// `claim`: the paper's, in one sentence.
    pub claim: &'static str,
    /// `outcome`: of its reproduction.
    pub outcome: &'static str,
    /// The lines.
    pub lines: Vec<PaperLine>,
}

/// Sweep along the lines of a figure.
#[derive(Debug)]
pub enum Along {
    /// `batch`, `gpus tp`, `kvp gpus×8`: a number of the link, and the keys that state it, each with a factor.
    Keys(Number, Vec<(&'static str, f64)>),
    /// `requests` of HOP-B.
    Requests,
    /// The four `traces` of [L].
    Traces,
    /// `frontiers` of plans.
    Frontiers,
}

/// A line of a figure.
#[derive(Debug)]
pub struct PaperLine {
    /// Its name in the chart.
    pub name: &'static str,
    /// `role`: whose color it has.
    pub role: Option<&'static str>,
    /// `case`: the golden case whose locator begins so, or the scenario of a `link`; `measure` (quantity and unit)
    /// and `per_gpu` state what is drawn of it.
    pub case: Case,
    /// `x`: quantity and unit, where x is not the swept number.
    pub x: Option<(&'static str, &'static str)>,
    /// `printed`: x and a golden case with its value.
    pub printed: Vec<(f64, &'static Case)>,
    /// `run`: measured runs, by their identifiers.
    pub runs: Vec<&'static str>,
    /// `plans`: strategies of the frontier.
    pub plans: Vec<Strategy>,
}

/// Marks a logarithmic axis.
const LOG: &str = ", log";

/// The figure with this identifier.
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

/// A case without an expected value: a quantity of a link.
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

/// "9.3 r* ≈ 9.3": a number and what follows.
fn number_and_words(text: &'static str) -> Option<(f64, &'static str)> {
    let (number, words) = text.split_once(' ')?;
    Some((number.parse().ok()?, words))
}

/// Fields of a row.
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
