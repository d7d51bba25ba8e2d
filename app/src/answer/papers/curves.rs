//! Figures of the papers, drawn anew in their own axes: the model swept along one number of a link, with every value
//! that the paper prints of the same quantity beside the curve. Their own curves are pictures; nothing is read off them.

mod catalog;

use super::{cases, row};
use crate::charts::curve::{CurveData, CurveLine, CurvePoint};
use crate::format;
use crate::theme::Role;
use catalog::FIGURES;
use model_core::evaluate::evaluate;
use model_core::inputs::Number;
use model_core::measured;
use model_core::order::sort_by;
use model_core::permalink::{self, Curve};
use model_core::sweep::Family;
use model_core::trace;
use papers::{Case, Desk, found_at, measure};

/// Scenario that a line sweeps.
enum Of {
    /// That of the golden case whose locator begins so.
    Case(&'static str),
    /// One of its own.
    Link(&'static str),
}

/// A line of a figure.
struct Sweep {
    /// Its name in the chart.
    name: &'static str,
    /// Role whose colour it has, if any.
    role: Option<Role>,
    of: Of,
    /// Quantity and unit, where they are not the case's.
    measure: Option<(&'static str, &'static str)>,
    /// Quantities that it is divided by.
    per: &'static [&'static str],
    /// Quantity and unit of the x axis, where it is not the swept number.
    x: Option<(&'static str, &'static str)>,
    /// Printed values: x and the locator of the golden case.
    printed: &'static [(f64, &'static str)],
    /// Measured runs that the figure shows, by their identifiers.
    runs: &'static [&'static str],
}

/// Sweep along a line.
enum Along {
    /// A number of the link; the keys that state it, each with a factor.
    Keys(Number, &'static [(&'static str, f64)]),
    /// Requests of HOP-B.
    Requests,
    /// The four traces of [L].
    Traces,
    /// A frontier of plans of these families, one after another for the lines.
    Frontiers(&'static [&'static [Family]]),
}

/// A figure of a paper.
struct Plan {
    id: Curve,
    /// The x axis, with "log" where it is.
    x: &'static str,
    /// The y axis.
    y: &'static str,
    log: (bool, bool),
    along: Along,
    /// x is per GPU of the scenario.
    per_gpu: bool,
    /// The lines show the golden cases' printed values of this quantity.
    printed: bool,
    /// Scenarios that do not fit in memory are dotted.
    fits: bool,
    /// First and last x.
    ends: (f64, f64),
    /// Values of x to evaluate: powers of two, else evenly spaced on the axis.
    powers: bool,
    /// A bound that the paper prints.
    bound: Option<(f64, &'static str)>,
    /// A value of x that the paper prints.
    rule: Option<(f64, &'static str)>,
    sweeps: &'static [Sweep],
    /// The finding, in a few words.
    finding: &'static str,
    /// The paper's claim, and the outcome.
    claim: &'static str,
}

/// Values between the ends of an axis.
const STEPS: u32 = 48;

fn plan(id: Curve) -> Option<&'static Plan> {
    FIGURES.iter().find(|plan| plan.id == id)
}

/// A figure of a paper with the model's curve.
pub fn curve(id: Curve, desk: &Desk) -> Option<CurveData> {
    let plan = plan(id)?;
    let lines: Vec<CurveLine> = plan
        .sweeps
        .iter()
        .enumerate()
        .filter_map(|(index, sweep)| plan.line(index, sweep, desk))
        .collect();
    let any = lines.iter().any(|line| !line.printed.is_empty());
    Some(CurveData {
        lines,
        x: plan.x,
        y: plan.y,
        log: plan.log,
        bound: plan.bound,
        rule: plan.rule,
        finding: plan.finding,
        source: if any {
            "circles: printed or measured; lines: computed"
        } else {
            "computed; the paper prints no numbers of it"
        }
        .to_owned(),
    })
}

/// Text under an enlarged figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The paper's claim.
    pub claim: &'static str,
    /// Legend of its circles, or a note that there are none.
    pub printed: String,
    /// The link of its first line's scenario, without its `?`.
    pub link: Option<String>,
}

/// Text of a figure.
pub fn about(id: Curve, data: &CurveData) -> Option<About> {
    let plan = plan(id)?;
    let printed: usize = data.lines.iter().map(|line| line.printed.len()).sum();
    let link = plan.sweeps.iter().find_map(|sweep| sweep.open());
    Some(About {
        claim: plan.claim,
        printed: match printed {
            0 => "The figure is a picture and no number of it is printed: the curves are computed."
                .to_owned(),
            1 => "The circle is printed, to the digits that the text has; the curves are computed."
                .to_owned(),
            many => format!(
                "The {} circles are printed or measured, to the digits that the source has; the curves are computed.",
                format::in_words(many)
            ),
        },
        link,
    })
}

impl Sweep {
    fn case(&self) -> Option<&'static Case> {
        match self.of {
            Of::Case(locator) => golden(locator),
            Of::Link(_) => None,
        }
    }

    /// Evaluated case, with its link and the link it is divided by.
    fn measured(&self) -> Option<(Case, &'static str, Option<&'static str>)> {
        let bare = |name, unit| Case {
            locator: "",
            link: "",
            measure: name,
            times: &[],
            per: self.per,
            against: None,
            given: &[],
            expected: None,
            tolerance: None,
            at_least: None,
            at_most: None,
            unit,
            because: "",
            known_gap: None,
        };
        let case = match (self.case(), self.measure) {
            (_, Some((name, unit))) => bare(name, unit),
            (Some(case), None) => *case,
            (None, None) => return None,
        };
        Some(match self.of {
            Of::Case(_) => {
                let golden = self.case()?;
                let against = golden.against.filter(|_| self.measure.is_none());
                (case, golden.link, against)
            }
            Of::Link(link) => (case, link, None),
        })
    }

    /// Link that opens the line's scenario.
    fn open(&self) -> Option<String> {
        let (case, link, against) = self.measured()?;
        Some(row::link(&Case {
            link,
            against,
            ..case
        }))
    }
}

fn golden(locator: &str) -> Option<&'static Case> {
    let found = cases().find(|(_, case)| case.locator.starts_with(locator));
    found.map(|(_, case)| case)
}

impl Plan {
    fn values(&self) -> Vec<f64> {
        let (from, to) = self.ends;
        if self.powers {
            let doubled = std::iter::successors(Some(from), |value| Some(value * 2.0));
            return doubled.take_while(|value| *value <= to).collect();
        }
        let mut values: Vec<f64> = (0..=STEPS)
            .map(|step| {
                let share = f64::from(step) / f64::from(STEPS);
                if self.log.0 {
                    from * model_core::math::exp(share * model_core::math::ln(to / from))
                } else {
                    from + share * (to - from)
                }
            })
            // Batches and all other linear sweeps are of whole numbers.
            .map(f64::round)
            .collect();
        values.dedup();
        values
    }

    fn line(&self, index: usize, sweep: &Sweep, desk: &Desk) -> Option<CurveLine> {
        let (case, link, against) = sweep.measured()?;
        let (mut points, mut fits_to) = (Vec::new(), None);
        match &self.along {
            Along::Keys(_, keys) => {
                let scale = if self.per_gpu {
                    permalink::read(link).current.get(Number::Gpus)?
                } else {
                    1.0
                };
                for x in self.values() {
                    let at = |link: &str| with(link, keys, x * scale);
                    let (link, against) = (at(link), against.map(at));
                    let Ok(y) = found_at(&case, &link, against.as_deref()) else {
                        continue;
                    };
                    let along = match sweep.x {
                        None => Some(x),
                        Some((name, unit)) => quantity(name, unit, &link),
                    };
                    let Some(x) = along else { continue };
                    if !self.fits || fits(&link) {
                        fits_to = Some(points.len() + 1);
                    }
                    points.push((x, y));
                }
            }
            Along::Requests => {
                let subject = permalink::read(link).current.scenario().ok()?;
                let subject = measure::Subject::new(subject)?;
                for requests in self.values() {
                    let given: Vec<(&str, f64)> = case
                        .given
                        .iter()
                        .map(|(name, value)| match *name {
                            "requests" => (*name, requests),
                            _ => (*name, *value),
                        })
                        .collect();
                    let found = measure::measure(&subject, case.measure, &given);
                    points.extend(found.map(|y| (requests, y)));
                }
            }
            Along::Traces => {
                for of in trace::of_lamina() {
                    let link = format!("{link}&trace={}", of.id);
                    let found = found_at(&case, &link, None).ok();
                    points.extend(found.map(|y| (of.prompt + of.output, y)));
                }
                sort_by(&mut points, |one, other| one.0.total_cmp(&other.0));
            }
            Along::Frontiers(families) => {
                points = desk.frontier(link, families.get(index)?)?;
                sort_by(&mut points, |one, other| one.0.total_cmp(&other.0));
            }
        }
        let last = fits_to.unwrap_or(points.len());
        Some(CurveLine {
            name: sweep.name,
            role: sweep.role,
            fits: if self.fits { last } else { points.len() },
            points,
            printed: self.circles(sweep, &case, link),
        })
    }

    /// Printed and measured points of a line.
    fn circles(&self, sweep: &Sweep, case: &Case, link: &str) -> Vec<CurvePoint> {
        let mut circles = if self.printed && sweep.measure.is_none() {
            self.printed_beside(case, link)
        } else {
            Vec::new()
        };
        for (x, locator) in sweep.printed {
            let printed = golden(locator).and_then(|case| Some((case, case.expected?)));
            circles.extend(printed.map(|(case, y)| CurvePoint {
                x: *x,
                y,
                place: format!("{}: {}", case.locator, format::printed(y)),
            }));
        }
        for id in sweep.runs {
            let run = measured::rows().find(|row| row.id == *id);
            circles.extend(run.and_then(|row| {
                let link = permalink::read(row.link).current;
                let gpus = link.get(Number::Gpus)?;
                let each = link.get(Number::Batch)? / gpus;
                let compared = measured::compare(row, &measured::Edit::keys(""))?;
                let y = each / compared.measured.get();
                Some(CurvePoint {
                    x: each,
                    y,
                    place: format!("measured, {}: {}", row.source.title, format::sig3(y)),
                })
            }));
        }
        circles
    }

    /// Every printed value of the same quantity, whose scenario differs along the axis alone.
    fn printed_beside(&self, of: &Case, link: &str) -> Vec<CurvePoint> {
        let Along::Keys(number, keys) = &self.along else {
            return Vec::new();
        };
        let bare = |link: &str| permalink::read(&with(link, keys, 0.0)).current;
        cases()
            .filter(|(_, case)| {
                let same = case.measure == of.measure && case.per == of.per && case.unit == of.unit;
                same && bare(case.link) == bare(link)
            })
            .filter_map(|(_, case)| {
                let scale = keys.iter().find(|(key, _)| *key == number.spec().key);
                let scale = scale.map_or(1.0, |(_, scale)| *scale);
                Some(CurvePoint {
                    x: permalink::read(case.link).current.get(*number)? / scale,
                    y: case.expected?,
                    place: format!("{}: {}", case.locator, format::printed(case.expected?)),
                })
            })
            .collect()
    }
}

/// A quantity of a link in a unit.
fn quantity(name: &'static str, unit: &'static str, link: &str) -> Option<f64> {
    let sweep = Sweep {
        measure: Some((name, unit)),
        ..catalog::sweep("", Of::Link(""))
    };
    let (case, ..) = sweep.measured()?;
    found_at(&case, link, None).ok()
}

/// True if a link's scenario fits in memory.
fn fits(link: &str) -> bool {
    let scenario = permalink::read(link).current.scenario();
    let evaluation = scenario.ok().and_then(|scenario| evaluate(&scenario).ok());
    evaluation.is_some_and(|evaluation| evaluation.memory.fits())
}

/// A link with `value` for some keys, times the factor of each; zero leaves them out.
fn with(link: &str, keys: &[(&str, f64)], value: f64) -> String {
    let kept = link.split('&').filter(|pair| {
        let key = pair.split('=').next().unwrap_or_default();
        !keys.iter().any(|(name, _)| *name == key)
    });
    let mut text: Vec<String> = kept.map(str::to_owned).collect();
    if value > 0.0 {
        let has = |(key, _): &&(&str, f64)| {
            link.split('&').any(|pair| {
                pair.strip_prefix(*key)
                    .is_some_and(|rest| rest.starts_with('='))
            })
        };
        let stated: Vec<&(&str, f64)> = keys.iter().filter(has).collect();
        let stated = if stated.is_empty() {
            keys.iter().take(1).collect()
        } else {
            stated
        };
        let pair = |(key, factor): &(&str, f64)| format!("{key}={}", value * factor);
        text.extend(stated.into_iter().map(pair));
    }
    text.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_its_curves_through_what_is_printed() {
        let desk = Desk::default();
        for id in Curve::ALL {
            let data = curve(id, &desk).unwrap();
            assert!(!data.lines.is_empty(), "{id:?}");
            let sweeps = plan(id).unwrap().sweeps.len();
            assert_eq!(data.lines.len(), sweeps, "{id:?}");
            for line in &data.lines {
                let least = if matches!(id, Curve::H1Split | Curve::L11) {
                    3
                } else {
                    4
                };
                assert!(
                    line.points.len() >= least && line.points.iter().all(|(_, y)| y.is_finite()),
                    "{id:?} {}: {:?}",
                    line.name,
                    line.points
                );
            }
            let about = about(id, &data).unwrap();
            assert!(
                about.claim.len() > 30 && about.claim.ends_with('.'),
                "{id:?}"
            );
            let link = permalink::read(&about.link.unwrap());
            assert_eq!(link.notes, [], "{id:?}");
        }
        let printed = |id| {
            let data = curve(id, &desk).unwrap();
            data.lines
                .iter()
                .map(|line| line.printed.len())
                .sum::<usize>()
        };
        for (id, least) in [
            (Curve::A10, 3),
            (Curve::A13, 2),
            (Curve::B3, 1),
            (Curve::B8, 1),
            (Curve::B12, 1),
            (Curve::H1, 12),
            (Curve::H1Context, 4),
            (Curve::H1Split, 4),
            (Curve::H3, 3),
            (Curve::R6, 3),
            (Curve::R7, 2),
            (Curve::L2, 1),
        ] {
            assert!(printed(id) >= least, "{id:?} has {}", printed(id));
        }
    }

    #[test]
    fn printed_values_stand_within_their_curves() {
        let desk = Desk::default();
        for id in Curve::ALL {
            for line in curve(id, &desk).unwrap().lines {
                let (first, last) = (line.points[0].0, line.points[line.points.len() - 1].0);
                for printed in &line.printed {
                    let inside = printed.x >= 0.99 * first && printed.x <= 1.01 * last;
                    assert!(inside, "{id:?} {}: {printed:?}", line.name);
                }
            }
        }
    }

    #[test]
    fn a_link_is_swept_along_its_keys() {
        let keys = [("gpus", 8.0), ("tp", 1.0)];
        assert_eq!(with("v=1&gpus=1&tp=1", &keys, 8.0), "v=1&gpus=64&tp=8");
        assert_eq!(with("v=1", &[("slots", 1.0)], 64.0), "v=1&slots=64");
        assert_eq!(with("v=1&slots=3&x=1", &[("slots", 1.0)], 0.0), "v=1&x=1");
    }
}
