//! Lines of the papers' figures: Ridgepoint's result as one input varies, with every published value of the same
//! quantity.

use super::cases;
use crate::theme::Role;
use crate::words::format;
use model_core::evaluate::evaluate;
use model_core::inputs::Number;
use model_core::measured;
use model_core::order::sort_by;
use model_core::permalink;
use model_core::trace;
use papers::figure::{Along, PaperFigure, PaperLine, quantity_of};
use papers::{Case, Desk, found_at, measure};

/// Number of steps from one end of the varied axis to the other.
const STEPS: u32 = 48;

/// A computed line, with the published values of the same quantity.
#[derive(Debug)]
pub struct CurveLine {
    /// Name of the line in the figure.
    pub name: &'static str,
    /// Chart role that gives the line its color; `None` for the text color.
    pub role: Option<Role>,
    /// Computed (x, y) points, with x ascending.
    pub points: Vec<(f64, f64)>,
    /// Number of points, from the start of the line, that are drawn as fitting in memory; all points if the figure does
    /// not check memory.
    pub fits: usize,
    /// Published values of the same quantity as the line.
    pub printed: Vec<CurvePoint>,
}

/// A published value, with its location in the source.
#[derive(Debug)]
pub struct CurvePoint {
    /// Value of the point on the x-axis.
    pub x: f64,
    /// Value of the point on the y-axis.
    pub y: f64,
    /// Text of the point: the location in the source, and the value.
    pub place: String,
}

/// Computes the lines of a paper's figure.
pub fn lines(drawn: &PaperFigure, desk: &Desk) -> Vec<CurveLine> {
    let lines = drawn.lines.iter();
    lines
        .filter_map(|line| curve_line(drawn, line, desk))
        .collect()
}

/// Returns the x values at which a figure is evaluated.
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
            // All swept inputs, such as the batch, are whole numbers.
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
    let role = |name| Role::ALL.into_iter().find(|role| role.name() == name);
    Some(CurveLine {
        name: line.name,
        role: line.role.and_then(role),
        fits: match drawn.fits {
            true => fits_to.unwrap_or(0),
            false => points.len(),
        },
        points,
        printed: circles(drawn, line),
    })
}

/// Returns the published points of a line: values printed in papers, and measured runs.
pub fn circles(drawn: &PaperFigure, line: &PaperLine) -> Vec<CurvePoint> {
    let mut circles = printed_beside(drawn, &line.case);
    for (x, case) in &line.printed {
        circles.extend(case.expected.map(|y| CurvePoint {
            x: *x,
            y,
            place: format!("{}: {}", case.locator, format::printed(y)),
        }));
    }
    for id in &line.runs {
        let run = crate::runs::rows().find(|row| row.id == *id);
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

/// Returns the published values of the case's quantity, in scenarios that differ from the case only along the varied
/// axis.
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

fn fits(link: &str) -> bool {
    let scenario = permalink::read(link).current.scenario();
    let evaluation = scenario.ok().and_then(|scenario| evaluate(&scenario).ok());
    evaluation.is_some_and(|evaluation| evaluation.memory.fits())
}

/// Sets each of the `keys` that a permalink contains to `value` times the key's factor. If it contains none, sets the
/// first key. If `value` is zero, removes the keys.
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
    fn a_link_is_swept_along_its_keys() {
        let keys = [("gpus", 8.0), ("tp", 1.0)];
        assert_eq!(with("v=1&gpus=1&tp=1", &keys, 8.0), "v=1&gpus=64&tp=8");
        assert_eq!(with("v=1", &[("slots", 1.0)], 64.0), "v=1&slots=64");
        assert_eq!(with("v=1&slots=3&x=1", &[("slots", 1.0)], 0.0), "v=1&x=1");
    }
}
