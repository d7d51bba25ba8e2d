//! "What runs when?": one layer as lanes over time, bubbles and all.

mod draw;
mod labels;

use crate::charts::prelude::*;
/// The timeline chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineData {
    /// What it is a picture of: `MoE layer`, `round`.
    pub what: String,
    /// How often a step has it: `58 of 61 layers`.
    pub often: String,
    /// Lanes from top to bottom.
    pub lanes: Vec<TimelineLane>,
    /// How long it takes.
    pub span_s: f64,
    /// The moment half batches change places.
    pub swap_s: Option<f64>,
    /// What is not to be seen in the picture, in a few words: `no fill or drain counted`.
    pub note: String,
    /// The pinned scenario's.
    pub pinned: Option<PinnedTimeline>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// A lane.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineLane {
    /// `compute`, `messages`, `stage 3`.
    pub name: String,
    /// What happens in it, by begin; idle stretches included.
    pub marks: Vec<TimelineMark>,
}

/// A stretch of a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineMark {
    /// What it belongs to; `None` for a stage, which does a bit of everything.
    pub role: Option<Role>,
    /// Its name: `attention`, `dispatch`, `idle`.
    pub name: String,
    /// When it begins.
    pub start_s: f64,
    /// When it ends.
    pub end_s: f64,
    /// Half batch, request or micro-batch, from 0: marks of one are told apart from their neighbours.
    pub batch: u32,
    /// Which that is, in words: `half batch 1`, empty where there is but one.
    pub portion: String,
    /// What sets its time: `memory-bound`, `over scale-out`, or nothing.
    pub bound: String,
    /// Its own time where its block shares one roof, so that it takes less here.
    pub own_s: Option<f64>,
}

/// The pinned scenario's layer.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedTimeline {
    /// How long it takes.
    pub span_s: f64,
    /// Per lane, when it is busy: (begin, end).
    pub busy: Vec<Vec<(f64, f64)>>,
}

impl TimelineMark {
    /// How long it takes.
    pub fn time_s(&self) -> f64 {
        self.end_s - self.start_s
    }

    /// Whether nothing happens.
    pub fn is_idle(&self) -> bool {
        self.role == Some(Role::Idle)
    }
}

impl TimelineData {
    /// Whether this is a round of a pipeline.
    fn is_pipeline(&self) -> bool {
        self.lanes
            .iter()
            .any(|lane| lane.marks.iter().any(|mark| mark.role.is_none()))
    }

    fn draws(&self) -> bool {
        self.span_s.is_finite() && self.span_s > 0.0 && self.marks().next().is_some()
    }

    /// Every mark, lane by lane: the order of hits.
    fn marks(&self) -> impl Iterator<Item = (usize, &TimelineMark)> {
        self.lanes.iter().enumerate().flat_map(|(lane, of)| {
            of.marks
                .iter()
                .filter(|mark| mark.time_s().is_finite() && mark.time_s() > 0.0)
                .map(move |mark| (lane, mark))
        })
    }

    fn idle_s(&self, lane: usize) -> f64 {
        self.lanes.get(lane).map_or(0.0, |lane| {
            let idle = lane.marks.iter().filter(|mark| mark.is_idle());
            idle.map(TimelineMark::time_s).sum()
        })
    }

    fn share(&self, time_s: f64) -> String {
        format::share(time_s / self.span_s)
    }
}

impl Figure for TimelineData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        if !self.draws() {
            return "Nothing to time".to_owned();
        }
        let article = if self.what.starts_with('M') {
            "An"
        } else {
            "A"
        };
        let time = format::duration(self.span_s);
        let takes = format!("{article} {} takes {time}", self.what);
        if self.is_pipeline() {
            return format!("{takes}, no stage waits");
        }
        let (compute, messages) = (self.idle_s(0), self.idle_s(1));
        let least = self.span_s * NOTICED;
        if compute >= least {
            format!("{takes}, compute idles {}", self.share(compute))
        } else if messages >= self.span_s * (1.0 - NOTICED) {
            format!("{takes} and sends nothing")
        } else if messages >= least {
            format!("{takes}, links idle {}", self.share(messages))
        } else {
            format!("{takes}, and nothing idles")
        }
    }

    fn table(&self) -> Table {
        let us = |seconds: f64| Cell::Number(seconds * 1e6);
        let columns = vec![
            Column::new("lane", ""),
            Column::new("what", ""),
            Column::new("of", ""),
            Column::new("begin", "µs"),
            Column::new("end", "µs"),
            Column::new("time", "µs"),
            Column::new("share of it", "%"),
            Column::new("bound", ""),
        ];
        let rows = self
            .marks()
            .map(|(lane, mark)| {
                vec![
                    self.lanes[lane].name.clone().into(),
                    mark.name.clone().into(),
                    mark.portion.clone().into(),
                    us(mark.start_s),
                    us(mark.end_s),
                    us(mark.time_s()),
                    Cell::Number(mark.time_s() / self.span_s * 100.0),
                    mark.bound.clone().into(),
                ]
            })
            .collect();
        Table { columns, rows }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (_, mark) = self.marks().nth(index)?;
        let time = TipRow {
            role: mark.role,
            ..TipRow::plain("time", format::duration(mark.time_s()).to_string())
        };
        let share = TipRow::plain(format!("of one {}", self.what), self.share(mark.time_s()));
        let mut rows = vec![time, share];
        if !mark.bound.is_empty() {
            rows.push(TipRow::plain(mark.bound.clone(), ""));
        }
        if let Some(own) = mark.own_s {
            rows.push(TipRow {
                note: "its block shares a roof".to_owned(),
                ..TipRow::plain("alone", format::duration(own).to_string())
            });
        }
        let aside = if mark.portion.is_empty() {
            self.often.clone()
        } else {
            mark.portion.clone()
        };
        Some(Tooltip {
            title: mark.name.clone(),
            aside,
            rows,
            source: self.source.clone(),
        })
    }

    fn glow(&self, index: usize, hits: &Hits, pen: &mut Pen<'_>) {
        draw::glow(pen, self, index, hits);
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px).min(320.0)
    }
}

/// Idling below this share of a layer is not worth a title.
const NOTICED: f64 = 0.005;
