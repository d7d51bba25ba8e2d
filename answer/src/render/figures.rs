//! Computes the figure that a permalink shows on the page, including results that the page requests from the worker.

use crate::benchmark::measured_chart;
use crate::candidates::{self, CandidatesAnswer};
use crate::chart::Chart;
use crate::charts::MapData;
use crate::levers::table;
use crate::plans::{Look, Searched};
use crate::service::{FoundReplicas, ServiceAnswer};
use crate::{
    Outcome, afd, answer, below, drafts, explain, lamina, limits, overlay, papers, plans, sizing,
};
use model_core::compare::Quantity;
use model_core::inputs::Mode;
use model_core::levers::Levers;
use model_core::permalink::{FigureId, Link};
use model_core::search::Candidates;
use model_core::service::pays::LengthGrid;
use std::sync::Arc;
use worker::pays::PaysAnswer;
use worker::{Answer, Job, Request, Stage};

/// Resolution of the figures that evaluate a grid of points.
#[derive(Debug, Clone, Copy)]
pub struct Detail {
    /// Resolution of the map of the Limits view.
    pub map: limits::Resolution,
    /// Number of prompt lengths and number of output lengths in the grid; `None` for the numbers that the page uses.
    pub lengths: Option<(usize, usize)>,
}

impl Detail {
    /// Full resolution, which the page uses while no slider moves.
    pub const FINE: Self = Self {
        map: limits::Resolution::FINE,
        lengths: None,
    };
}

/// Returns the figure of a permalink; `None` if the permalink's scenario is invalid or has nothing to plot.
pub fn drawn(link: &Link, id: FigureId, detail: Detail) -> Option<Arc<Chart>> {
    let (current, pinned) = (&link.current, link.pinned.as_ref());
    match id {
        FigureId::Breakdown => match answer(current, pinned) {
            Outcome::Possible(answer) => answer.figure(id),
            Outcome::Impossible(_) => None,
        },
        FigureId::Pareto | FigureId::Memory | FigureId::Roofline => {
            let marks = match link.shown.overlay {
                true => overlay::marks(current),
                false => Vec::new(),
            };
            let sized = sizing(current, pinned, &marks)?;
            Some(match id {
                FigureId::Pareto => sized.pareto,
                FigureId::Roofline => sized.roofline.chart(),
                _ => sized.memory.chart(),
            })
        }
        FigureId::Timeline => {
            let below = below(current, pinned)?;
            let layer = below.timelines.pick(link.shown.layer)?;
            Some(Arc::clone(&layer.chart))
        }
        FigureId::Waterfall => {
            pinned?;
            let of = |one: &Quantity| *one == link.shown.change;
            let number = Quantity::ALL.iter().position(of)?;
            below(current, pinned)?.changed.get(number).cloned()
        }
        FigureId::Benchmark => {
            let marks = overlay::marks(current);
            let shown = !current.measured.is_empty();
            measured_chart(current, &marks)
                .filter(|_| shown)
                .map(Arc::new)
        }
        FigureId::Explain => explain::chart::chart(link).map(Arc::new),
        FigureId::Drafts => drafts(current, pinned).map(Arc::new),
        FigureId::Bandwidth => crate::bandwidth::chart(current, pinned).map(Arc::new),
        FigureId::Levers => Some(Arc::new(table(&Levers::of(current), current)).chart()),
        FigureId::SplitTime | FigureId::SplitRotation | FigureId::SplitBandwidth => {
            split(link)?.figure(id)
        }
        FigureId::Apart if current.mode == Mode::Split => split(link)?.figure(id),
        FigureId::SplitDegrees => lamina::degrees(&current.in_mode(Mode::Split)).map(Arc::new),
        FigureId::Apart | FigureId::Ratio | FigureId::Steps => ratio(link)?.figure(id),
        FigureId::Plans => plans(link),
        FigureId::Map => map(link, detail.map).map(|map| Arc::new(map).chart()),
        FigureId::Context | FigureId::Growth => {
            limits::limits_charts(current, pinned, link.shown.against)?.figure(id)
        }
        FigureId::Candidates => Some(candidates(link)?.chart),
        FigureId::Stairs | FigureId::Request | FigureId::Binds => serve(link)?.figure(id),
        FigureId::Pays => {
            let shown = serve(link)?.shown?;
            let lengths = match detail.lengths {
                Some(points) => LengthGrid::with(current, points),
                None => LengthGrid::around(current),
            };
            let found = (0..lengths.len()).map(|index| lengths.compared(current, index));
            let found = found.collect();
            let answer = PaysAnswer { lengths, found };
            Some(crate::service::pays::pays(Some(&answer), &shown, current))
        }
        FigureId::Measured => {
            let calibration = current.calibration.id();
            let rows = papers::measured::measured_rows(calibration);
            let formerly = papers::measured::formerly(&rows, calibration);
            let measured = papers::measured::chart(&rows, &formerly);
            Some(Arc::new(measured).chart())
        }
        FigureId::Curve(curve) => papers::Book::default().curve(curve),
        FigureId::Explore => None,
    }
}

/// Runs a worker request to its end and returns the answer.
fn found(request: &Request) -> Option<Answer> {
    let mut job = Job::new(request);
    job.advance(|| false);
    job.answer(0.1)
}

/// Returns the data of the map "Max batch and context?" for a permalink.
pub fn map(link: &Link, resolution: limits::Resolution) -> Option<MapData> {
    let plane = limits::Plane::of(&link.current);
    let field = Arc::new(limits::field(&plane, resolution)?);
    let pinned = link.pinned.as_ref();
    limits::map_data(field, &link.current, pinned, link.shown.metric)
}

/// Returns the chart of the frontiers found by the plan search of a permalink.
pub fn plans(link: &Link) -> Option<Arc<Chart>> {
    let asked = plans::asked(link);
    let request = Request::Search(asked.0, asked.1.clone());
    let Some(Answer::Search(found)) = found(&request) else {
        return None;
    };
    let candidates = Candidates::new(&asked.0, &asked.1);
    let searched = Searched::new(asked, Arc::new(candidates), found, Stage::Done);
    let chart = searched.say(&Look::of(link)).frontiers.chart(&[], None);
    Some(Arc::new(chart))
}

/// Returns the comparison of the candidates that a permalink selects.
pub fn candidates(link: &Link) -> Option<CandidatesAnswer> {
    let (inputs, search, candidates) = candidates::asked(link);
    let request = Request::Candidates(inputs, search, candidates.clone());
    let Some(Answer::Candidates(found)) = found(&request) else {
        return None;
    };
    Some(CandidatesAnswer::of(&found, &candidates, &link.current))
}

/// Returns the answer to a permalink about the AFD ratio, including the simulation.
pub fn ratio(link: &Link) -> Option<afd::RatioView> {
    let asked = link.current.in_mode(Mode::Simulate);
    let Some(Answer::Simulate(simulated)) = found(&Request::Simulate(asked)) else {
        return None;
    };
    let current = match link.current.mode {
        Mode::Ratio | Mode::Simulate => link.current,
        Mode::Colocated | Mode::Split => asked,
    };
    afd::ratio_view(&current, Some(&simulated)).ok()
}

/// Returns the answer to a permalink about Lamina; `None` if the permalink's scenario is invalid.
pub fn split(link: &Link) -> Option<lamina::SplitAnswer> {
    match lamina::split_answer(&link.current.in_mode(Mode::Split), link.pinned.as_ref()) {
        lamina::SplitOutcome::Possible(answer) => Some(*answer),
        lamina::SplitOutcome::Impossible(_) => None,
    }
}

/// Returns the answer to a permalink about whole requests; `None` if the permalink's scenario is invalid.
pub fn serve(link: &Link) -> Option<ServiceAnswer> {
    let mut replicas = FoundReplicas::default();
    if let Some(Answer::Replicas(found)) = found(&Request::Replicas(link.current)) {
        replicas.take(&found);
    }
    replicas.answer(&link.current, link.pinned.as_ref(), false)
}
