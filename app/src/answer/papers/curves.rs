//! Figures of the papers, drawn anew in their own axes: the model swept along one number of a link, with every value
//! that the paper prints of the same quantity beside the curve. Their own curves are pictures; nothing is read off them.

use super::{cases, row};
use crate::charts::curve::{CurveData, CurveLine, CurvePoint};
use crate::format;
use crate::theme::Role;
use model_core::evaluate::evaluate;
use model_core::inputs::Number;
use model_core::measured;
use model_core::order::sort_by;
use model_core::permalink::{self, PaperCurve};
use model_core::trace;
use papers::figure::{Along, PaperFigure, PaperLine, figure, quantity_of};
use papers::{Case, Desk, found_at, measure};

/// Values between the ends of an axis.
const STEPS: u32 = 48;

/// A figure of a paper with the model's curve.
pub fn curve(id: PaperCurve, desk: &Desk) -> Option<CurveData> {
    let drawn = figure(id)?;
    let lines = drawn.lines.iter();
    let lines: Vec<CurveLine> = lines
        .filter_map(|line| curve_line(&drawn, line, desk))
        .collect();
    let any = lines.iter().any(|line| !line.printed.is_empty());
    Some(CurveData {
        lines,
        x: drawn.x,
        y: drawn.y,
        log: drawn.log,
        bound: drawn.bound,
        rule: drawn.rule,
        finding: drawn.finding,
        source: if any {
            "circles: printed or measured; lines: computed"
        } else {
            "computed; the paper prints no numbers of it"
        }
        .to_owned(),
    })
}

/// Paper and number of a figure.
pub fn title(id: PaperCurve) -> &'static str {
    figure(id).map_or("", |drawn| drawn.title)
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

/// The search of [H] after the scenario of a frontier.
const PLANS: &str =
    "&view=plans&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1&search_overlap=none";

/// Text of a figure.
pub fn about(id: PaperCurve, data: &CurveData) -> Option<About> {
    let drawn = figure(id)?;
    let printed: usize = data.lines.iter().map(|line| line.printed.len()).sum();
    Some(About {
        claim: drawn.claim,
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
        link: drawn.lines.first().map(|line| {
            let plans = if line.plans.is_empty() { "" } else { PLANS };
            format!("{}{plans}", row::link(&line.case))
        }),
    })
}

/// Values of x to evaluate.
fn values(drawn: &PaperFigure) -> Vec<f64> {
    let (from, to) = drawn.ends;
    if drawn.powers {
        let doubled = std::iter::successors(Some(from), |value| Some(value * 2.0));
        return doubled.take_while(|value| *value <= to).collect();
    }
    let mut values: Vec<f64> = (0..=STEPS)
            .map(|step| {
                let share = f64::from(step) / f64::from(STEPS);
                if drawn.log.0 {
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

fn curve_line(drawn: &PaperFigure, line: &PaperLine, desk: &Desk) -> Option<CurveLine> {
    let case = &line.case;
    let link = case.link;
    let (mut points, mut fits_to) = (Vec::new(), None);
    match &drawn.along {
        Along::Keys(_, keys) => {
            let scale = if drawn.per_gpu {
                permalink::read(link).current.get(Number::Gpus)?
            } else {
                1.0
            };
            for x in values(drawn) {
                let at = |link: &str| with(link, keys, x * scale);
                let (link, against) = (at(link), case.against.map(at));
                let Ok(y) = found_at(case, &link, against.as_deref()) else {
                    continue;
                };
                let along = match line.x {
                    None => Some(x),
                    Some(measure) => found_at(&quantity_of("", measure), &link, None).ok(),
                };
                let Some(x) = along else { continue };
                if !drawn.fits || fits(&link) {
                    fits_to = Some(points.len() + 1);
                }
                points.push((x, y));
            }
        }
        Along::Requests => {
            let subject = permalink::read(link).current.scenario().ok()?;
            let subject = measure::Subject::new(subject)?;
            for requests in values(drawn) {
                let given = case.given.iter();
                let given = given.map(|(name, value)| match *name {
                    "requests" => (*name, requests),
                    _ => (*name, *value),
                });
                let given: Vec<(&str, f64)> = given.collect();
                let found = measure::measure(&subject, case.measure, &given);
                points.extend(found.map(|y| (requests, y)));
            }
        }
        Along::Traces => {
            for of in trace::of_lamina() {
                let link = format!("{link}&trace={}", of.id);
                let found = found_at(case, &link, None).ok();
                points.extend(found.map(|y| (of.prompt + of.output, y)));
            }
            sort_by(&mut points, |one, other| one.0.total_cmp(&other.0));
        }
        Along::Frontiers => {
            points = desk.frontier(link, &line.plans)?;
            sort_by(&mut points, |one, other| one.0.total_cmp(&other.0));
        }
    }
    let last = fits_to.unwrap_or(points.len());
    let role = |name| Role::ALL.into_iter().find(|role| role.name() == name);
    Some(CurveLine {
        name: line.name,
        role: line.role.and_then(role),
        fits: if drawn.fits { last } else { points.len() },
        points,
        printed: circles(drawn, line),
    })
}

/// Printed and measured points of a line.
fn circles(drawn: &PaperFigure, line: &PaperLine) -> Vec<CurvePoint> {
    let mut circles = printed_beside(drawn, &line.case);
    for (x, case) in &line.printed {
        circles.extend(case.expected.map(|y| CurvePoint {
            x: *x,
            y,
            place: format!("{}: {}", case.locator, format::printed(y)),
        }));
    }
    for id in &line.runs {
        let run = measured::rows().find(|row| row.id == *id);
        circles.extend(run.and_then(|row| {
            let link = permalink::read(row.link).current;
            let gpus = link.get(Number::Gpus)?;
            let each = link.get(Number::Batch)? / gpus;
            let compared = measured::compare(&row, &measured::Edit::keys(""))?;
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
fn printed_beside(drawn: &PaperFigure, of: &Case) -> Vec<CurvePoint> {
    let (Along::Keys(number, keys), false) = (&drawn.along, of.locator.is_empty()) else {
        return Vec::new();
    };
    let bare = |link: &str| permalink::read(&with(link, keys, 0.0)).current;
    cases()
        .filter(|(_, case)| {
            let same = case.measure == of.measure && case.per == of.per && case.unit == of.unit;
            same && bare(case.link) == bare(of.link)
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
        for id in PaperCurve::ALL {
            let data = curve(id, &desk).unwrap();
            assert!(!data.lines.is_empty(), "{id:?}");
            let sweeps = figure(id).unwrap().lines.len();
            assert_eq!(data.lines.len(), sweeps, "{id:?}");
            for line in &data.lines {
                let least = if ["h-figure-1-split", "l-figure-11"].contains(&id.id()) {
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
            let data = curve(PaperCurve::of_id(id).unwrap(), &desk).unwrap();
            data.lines
                .iter()
                .map(|line| line.printed.len())
                .sum::<usize>()
        };
        for (id, least) in [
            ("a-figure-10", 3),
            ("a-figure-13", 2),
            ("b-figure-3", 1),
            ("b-figure-8", 1),
            ("b-figure-12", 1),
            ("h-figure-1", 12),
            ("h-figure-1-context", 4),
            ("h-figure-1-split", 4),
            ("h-figure-3", 3),
            ("r-figure-6", 3),
            ("r-figure-7", 2),
            ("l-figure-2", 1),
        ] {
            assert!(printed(id) >= least, "{id:?} has {}", printed(id));
        }
    }

    #[test]
    fn printed_values_stand_within_their_curves() {
        let desk = Desk::default();
        for id in PaperCurve::ALL {
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
