//! Every figure of the page, in one table for each view: a view is loaded without those of the others.

use super::plot::plot;
use super::{AnyFigure, Chart, Made};
use crate::charts::split::{BandwidthData, DegreesData, PartsData, RotationData};
use crate::charts::{
    ApartData, ContextData, CurveData, Figure, GrowthData, InstancesData, LatencyData, LeversData,
    MapData, MeasuredData, MemoryData, ParetoData, PlansData, RatioData, RooflineData, StepsData,
    TimelineData, WaterfallData,
};
use crate::pages::disagg::{apart, ratio, split};
use crate::pages::shell::toast::Toast;
use crate::pages::{explore, limits, papers, plans};
use crate::state::App;
use leptos::prelude::AnyView;
use model_core::permalink::{Curve, FigureId};

/// A figure of the page.
pub struct Row {
    /// Its identifier in links, which knows its view.
    pub id: FigureId,
    /// What it answers.
    pub question: &'static str,
    /// Its height at a width, both in CSS px.
    pub height_px: fn(f64) -> f64,
    /// How much of a tall screen's height it may take, as a share.
    pub of_screen: f64,
    /// Makes its data on the page.
    pub make: fn(App, Toast) -> Made,
    /// Its picture, with what stands above and below it.
    pub body: fn(App, Chart) -> AnyView,
    /// What stands beside the whole figure.
    pub beside: Option<fn(App, AnyView) -> AnyView>,
}

/// A figure that is a picture alone.
const fn plain<F: Figure>(
    id: FigureId,
    question: &'static str,
    make: fn(App, Toast) -> Made,
) -> Row {
    Row {
        id,
        question,
        height_px: F::height_px,
        of_screen: 0.0,
        make,
        body: plot,
        beside: None,
    }
}

impl Row {
    /// It grows with the screen, up to a share of its height.
    const fn growing(self, of_screen: f64) -> Self {
        Self { of_screen, ..self }
    }
}

/// A figure of a paper.
macro_rules! curve {
    ($id:ident, $name:literal) => {
        plain::<CurveData>(FigureId::Curve(Curve::$id), $name, |app, _| {
            papers::curve_made(app, Curve::$id)
        })
    };
}

/// The figures of a view.
pub struct Table(&'static [Row]);

impl Table {
    /// The row of a figure.
    pub fn row(&self, id: FigureId) -> Option<&'static Row> {
        self.0.iter().find(|row| row.id == id)
    }
}

/// Where the time goes, and what would help.
pub static EXPLORE: Table = Table(&[
    plain::<RooflineData>(FigureId::Roofline, "Compute or memory?", |app, _| {
        explore::made(app, |answer| AnyFigure::of(&answer.roofline))
    })
    .growing(0.4),
    plain::<LatencyData>(FigureId::Breakdown, "Where does a step go?", |app, _| {
        explore::made(app, |answer| AnyFigure::of(&answer.latency))
    })
    .growing(0.4),
    Row {
        body: explore::bodies::pareto,
        ..plain::<ParetoData>(FigureId::Pareto, "Is the batch right?", |app, _| {
            explore::pareto(app)
        })
        .growing(0.4)
    },
    Row {
        body: explore::bodies::memory,
        ..plain::<MemoryData>(FigureId::Memory, "Does it fit?", |app, _| {
            explore::made(app, |answer| AnyFigure::of(&answer.memory))
        })
    },
    Row {
        body: explore::levers::body,
        ..plain::<LeversData>(FigureId::Levers, "What helps?", |app, _| {
            explore::levers::made(app)
        })
    },
    Row {
        body: explore::bodies::waterfall,
        ..plain::<WaterfallData>(FigureId::Waterfall, "What changed since A?", |app, _| {
            explore::waterfall(app)
        })
    },
    Row {
        body: explore::bodies::timeline,
        ..plain::<TimelineData>(FigureId::Timeline, "What runs when?", |app, _| {
            explore::timeline(app)
        })
        .growing(0.27)
    },
]);

/// How far a deployment goes.
pub static LIMITS: Table = Table(&[
    Row {
        body: limits::map::body,
        ..plain::<MapData>(FigureId::Map, "How far can it go?", |app, _| {
            limits::map_made(app)
        })
        .growing(0.72)
    },
    Row {
        body: limits::context::body,
        ..plain::<ContextData>(FigureId::Context, "What does context cost?", |app, _| {
            limits::charts_made(app, |charts| AnyFigure::of(&charts.context))
        })
        .growing(0.35)
    },
    plain::<GrowthData>(FigureId::Growth, "How many GPUs?", |app, _| {
        limits::charts_made(app, |charts| AnyFigure::of(&charts.growth))
    })
    .growing(0.35),
]);

/// Which plan is best.
pub static PLANS: Table = Table(&[
    Row {
        body: plans::body,
        ..plain::<PlansData>(FigureId::Plans, "Which plan?", |app, _| plans::made(app))
            .growing(0.62)
    },
    Row {
        body: plans::instances::body,
        ..plain::<InstancesData>(FigureId::Instances, "One large or many?", |app, _| {
            plans::instances::made(app)
        })
        .growing(0.4)
    },
]);

/// Attention–FFN and model–attention disaggregation.
pub static DISAGGREGATION: Table = Table(&[
    plain::<RatioData>(FigureId::Ratio, "How many for each?", |app, _| {
        ratio::made_asking(app, |view| AnyFigure::of(&view.ratio))
    })
    .growing(0.36),
    // Links of before the chart below it was part of it.
    plain::<RatioData>(FigureId::Waits, "How many for each?", |app, _| {
        ratio::made_asking(app, |view| AnyFigure::of(&view.ratio))
    })
    .growing(0.36),
    plain::<StepsData>(FigureId::Steps, "What happens in a step?", |app, _| {
        ratio::made(app, |view| AnyFigure::of(&view.steps))
    })
    .growing(0.19),
    plain::<ApartData>(FigureId::Apart, "Colocated or disaggregated?", |app, _| {
        apart::made(app)
    })
    .growing(0.36),
    plain::<PartsData>(FigureId::SplitTime, "Where does the time go?", |app, _| {
        split::made(app, |answer| AnyFigure::of(&answer.parts))
    })
    .growing(0.27),
    plain::<RotationData>(FigureId::SplitRotation, "Idle time", |app, _| {
        split::made(app, |answer| AnyFigure::of(&answer.rotation))
    }),
    plain::<BandwidthData>(
        FigureId::SplitBandwidth,
        "How fast must the network be?",
        |app, _| split::made(app, |answer| AnyFigure::of(&answer.bandwidth)),
    )
    .growing(0.32),
    plain::<DegreesData>(
        FigureId::SplitDegrees,
        "What does the budget buy?",
        |app, _| split::made_taking(app),
    )
    .growing(0.32),
]);

/// What papers print and systems measured.
pub static PAPERS: Table = Table(&[
    plain::<MeasuredData>(FigureId::Measured, "Does it come out?", |app, _| {
        papers::measured::made(app)
    }),
    curve!(A10, "[A] Figure 10"),
    curve!(A13, "[A] Figure 13"),
    curve!(A14, "[A] Figure 14"),
    curve!(A15, "[A] Figure 15"),
    curve!(A16, "[A] Figure 16"),
    curve!(A17, "[A] Figure 17"),
    curve!(B3, "[B] Figure 3"),
    curve!(B7, "[B] Figure 7"),
    curve!(B8, "[B] Figure 8"),
    curve!(B9, "[B] Figure 9"),
    curve!(B10, "[B] Figure 10"),
    curve!(B11, "[B] Figure 11"),
    curve!(B12, "[B] Figure 12"),
    curve!(H1, "[H] Figure 1, left"),
    curve!(H1Context, "[H] Figure 1, middle"),
    curve!(H1Split, "[H] Figure 1, right"),
    curve!(H3, "[H] Figure 3"),
    curve!(H5, "[H] Figure 5"),
    curve!(H6, "[H] Figure 6"),
    curve!(H7, "[H] Figure 7"),
    curve!(R4, "[R] Figure 4"),
    curve!(R5, "[R] Figure 5"),
    curve!(R6, "[R] Figure 6"),
    curve!(R7, "[R] Figure 7"),
    curve!(R8, "[R] Figure 8"),
    curve!(L2, "[L] Figure 2"),
    curve!(L3, "[L] Figure 3"),
    curve!(L4, "[L] Figure 4"),
    curve!(L10, "[L] Figure 10"),
    curve!(L11, "[L] Figure 11"),
    curve!(L12, "[L] Figure 12"),
]);

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::View;

    #[test]
    fn every_figure_of_a_link_has_its_row() {
        for id in FigureId::ALL {
            // The answer alone is a view, not a chart.
            let rows_in = |table: &Table| table.0.iter().filter(|row| row.id == id).count();
            let all = [&EXPLORE, &LIMITS, &PLANS, &DISAGGREGATION, &PAPERS];
            assert_eq!(
                all.map(rows_in).iter().sum::<usize>(),
                usize::from(id != FigureId::Explore),
                "{id:?}"
            );
            // Its view is loaded with it.
            let own = match id.view() {
                View::Explore => &EXPLORE,
                View::Limits => &LIMITS,
                View::Plans => &PLANS,
                View::Disaggregation => &DISAGGREGATION,
                View::Papers => &PAPERS,
            };
            assert_eq!(own.row(id).is_some(), id != FigureId::Explore, "{id:?}");
        }
    }
}
