//! Figures of the papers, redrawn on their original axes. Each figure varies one input of a permalink and plots
//! Ridgepoint's result, with all published values of the same quantity. The papers show curves only as images; no
//! values are read off them.

use super::row;
use super::sweep::{CurveLine, CurvePoint, circles, lines};
use crate::chart::marks::CurveStroke;
use crate::chart::{At, Axis, Chart, Digits, DotInk, Ink, Rows, RuleInk, Shape, Words, Xy};
use crate::picture::scale::{ceil_125, extent, floor_125};
use crate::theme::size;
use crate::words::format;
use model_core::permalink::PaperCurve;
use papers::Desk;
use papers::figure::{PaperFigure, figure};
use std::borrow::Cow;

/// A row of the figure's table: a published or a computed point of a curve.
struct Value<'a> {
    line: &'a CurveLine,
    x: f64,
    y: f64,
    /// Section or figure that publishes the value; `None` if the value is computed.
    place: Option<&'a str>,
}

/// Draws a paper's figure with the curves computed by Ridgepoint and the published values.
pub fn chart(id: PaperCurve, desk: &Desk) -> Option<Chart> {
    let drawn = figure(id)?;
    let lines = lines(&drawn, desk);
    let mut values: Vec<Value<'_>> = Vec::new();
    let mut through = Vec::new();
    for line in &lines {
        values.extend(line.printed.iter().map(|of| Value {
            line,
            x: of.x,
            y: of.y,
            place: Some(&of.place),
        }));
        let first = values.len();
        values.extend(line.points.iter().map(|&(x, y)| Value {
            line,
            x,
            y,
            place: None,
        }));
        let points = line.points.iter().enumerate();
        let points = points.filter(|(_, (x, y))| x.is_finite() && y.is_finite());
        let at = |(place, at): (usize, &(f64, f64))| {
            At::of(first + place, *at).fitting(place < line.fits)
        };
        through.push(points.map(at).collect());
    }
    let name = |name: &'static str, log: bool| match log {
        true => Cow::Owned(format!("{name}, log")),
        false => name.into(),
    };
    let names = [name(drawn.x, drawn.log.0), name(drawn.y, drawn.log.1)];
    let near = |of: &Value<'_>| {
        let near = |other: &&CurvePoint| (other.x - of.x).abs() <= 1e-6 * of.x.abs();
        Some(of.line.printed.iter().find(near)?.y)
    };
    let rows = Rows::of(&values)
        .col("line", "", |of| of.line.name)
        .col(names[0].clone(), "", |of| of.x)
        .col(names[1].clone(), "", |of| of.y)
        .col("value", "", |of| match of.place {
            Some(place) => Cow::Owned(format!("published, {place}")),
            None => "computed".into(),
        })
        .col(drawn.x, "", |of| of.x)
        .tip(Digits::Printed, "")
        .unlisted()
        .col(drawn.y, "", |of| of.y)
        .tip(Digits::Sig3, "")
        .unlisted()
        .col("printed", "", near)
        .tip(Digits::Printed, "")
        .unlisted()
        .titled(|of| of.line.name, |_| "");
    let any = lines.iter().any(|line| !line.printed.is_empty());
    Some(Chart {
        finding: drawn.finding.to_owned(),
        source: if any {
            "circles: published; lines: computed"
        } else {
            "computed; the paper gives no numbers"
        }
        .into(),
        plots: plot(&drawn, &lines, through, names).into_iter().collect(),
        rows,
        empty: "nothing to plot".into(),
        shape: SHAPE,
        ..Chart::default()
    })
}

/// Height of the papers' redrawn figures: a fraction of the width, within limits in CSS px.
pub const SHAPE: Shape = Shape::Share {
    of: 0.62,
    px: [170.0, 340.0],
};

fn plot(
    drawn: &PaperFigure,
    lines: &[CurveLine],
    through: Vec<Vec<At>>,
    [x_name, y_name]: [Cow<'static, str>; 2],
) -> Option<Xy> {
    let printed = lines.iter().flat_map(|line| &line.printed);
    let printed = printed.map(|of| (of.x, of.y));
    let computed = through.iter().flatten().map(|at| (at.x, at.y));
    let all: Vec<(f64, f64)> = computed.chain(printed).collect();
    let (left, right) = extent(all.iter().map(|(x, _)| *x));
    let (low, high) = extent(
        all.iter()
            .map(|(_, y)| *y)
            .chain(drawn.bound.map(|(y, _)| y)),
    );
    let good = right > left && high > 0.0 && (low > 0.0 || !drawn.log.1);
    if !good || (drawn.log.0 && left <= 0.0) {
        return None;
    }
    let x = match drawn.log.0 {
        true => Axis::log(x_name, left, right),
        false => Axis::linear(x_name, 0.0, right),
    };
    let y = match drawn.log.1 {
        true => Axis::log(y_name, floor_125(low / 1.3), ceil_125(high * 1.3)),
        false => Axis::linear(y_name, 0.0, high * 1.18),
    };
    let mut xy = Xy::new(x, y);
    if let Some((value, words)) = drawn.rule {
        xy.upright(value, RuleInk::Dashed(Ink::Faint))
            .says([Words::note(words, Ink::Soft)]);
    }
    if let Some((value, words)) = drawn.bound {
        xy.level(value, RuleInk::Dashed(Ink::Faint))
            .says([Words::note(words, Ink::Soft)]);
    }
    for (line, through) in lines.iter().zip(through) {
        let (ink, text) = match line.role {
            Some(role) => (Ink::Role(role), Ink::Role(role)),
            None => (Ink::Soft, Ink::Strong),
        };
        xy.curve(through, CurveStroke::solid(ink, size::CURVE_PX))
            .says([Words::note(line.name, text)]);
        for of in &line.printed {
            xy.dot(At::new((of.x, of.y)), DotInk::Ring(3.6, Ink::Strong));
        }
    }
    Some(xy)
}

/// Returns the title of a figure: the paper and the figure number.
pub fn title(id: PaperCurve) -> &'static str {
    figure(id).map_or("", |drawn| drawn.title)
}

/// Texts shown next to an enlarged figure of a paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// Claim of the paper, shown as the view's headline.
    pub claim: &'static str,
    /// Outcome of the attempt to reproduce the claim.
    pub outcome: &'static str,
    /// Legend of the circles (published values), or a note that the paper prints no numbers.
    pub printed: String,
    /// Permalink of the scenario of the figure's first curve, without the `?`.
    pub link: Option<String>,
}

/// Plan search of [H] as permalink keys, appended to the permalink of the scenario whose frontier is plotted.
const PLANS: &str =
    "&view=plans&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1&search_overlap=none";

/// Returns the texts shown next to an enlarged figure of a paper.
pub fn about(id: PaperCurve) -> Option<About> {
    let drawn = figure(id)?;
    let printed: usize = { drawn.lines.iter() }
        .map(|line| circles(&drawn, line).len())
        .sum();
    Some(About {
        claim: drawn.claim,
        outcome: drawn.outcome,
        printed: match printed {
            0 => "The paper prints no numbers for this figure; the curves are computed.".to_owned(),
            1 => "The circle is the published value; the curves are computed.".to_owned(),
            many => format!(
                "The {} circles are published values; the curves are computed.",
                format::in_words(many)
            ),
        },
        link: drawn.lines.first().map(|line| {
            let plans = if line.plans.is_empty() { "" } else { PLANS };
            format!("{}{plans}", row::link(&line.case))
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink;

    #[test]
    fn every_figure_has_its_curves_through_what_is_printed() {
        let desk = Desk::default();
        for id in PaperCurve::ALL {
            let drawn = figure(id).unwrap();
            let lines = lines(&drawn, &desk);
            assert!(!lines.is_empty(), "{id:?}");
            assert_eq!(lines.len(), drawn.lines.len(), "{id:?}");
            for line in &lines {
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
            let about = about(id).unwrap();
            assert!(
                [about.claim, about.outcome]
                    .iter()
                    .all(|text| text.len() > 10 && text.ends_with('.')),
                "{id:?}"
            );
            let link = permalink::read(&about.link.unwrap());
            assert_eq!(link.notes, [], "{id:?}");
        }
        let printed = |id| {
            let drawn = figure(PaperCurve::of_id(id).unwrap()).unwrap();
            let lines = lines(&drawn, &desk);
            lines.iter().map(|line| line.printed.len()).sum::<usize>()
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
            for line in lines(&figure(id).unwrap(), &desk) {
                let (first, last) = (line.points[0].0, line.points[line.points.len() - 1].0);
                for printed in &line.printed {
                    let inside = printed.x >= 0.99 * first && printed.x <= 1.01 * last;
                    assert!(inside, "{id:?} {}: {printed:?}", line.name);
                }
            }
        }
    }
}
