//! "Where does a request's time go?": wait, prefill, transfer and decode of both ways to serve, to scale.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct RequestData {
    /// Pools, aggregated replicas.
    pub ways: Vec<RequestWay>,
    /// Limit of the mean time to first token.
    pub limit_s: Option<f64>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RequestWay {
    pub name: &'static str,
    /// It serves: the other one is what it is compared with.
    pub chosen: bool,
    /// In order of time; decode is the last.
    pub parts: Vec<RequestPart>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RequestPart {
    pub role: Role,
    pub name: &'static str,
    pub seconds: f64,
    /// After the first token.
    pub after: bool,
}

impl RequestWay {
    fn seconds(&self, whole: bool) -> f64 {
        self.shown(whole).map(|part| part.seconds).sum()
    }

    /// Its parts, or those up to the first token.
    fn shown(&self, whole: bool) -> impl Iterator<Item = &RequestPart> {
        let shows = move |part: &&RequestPart| (whole || !part.after) && part.seconds > 0.0;
        self.parts.iter().filter(shows)
    }
}

const HEIGHT_PX: f64 = 284.0;
/// Room for the names of ways, and for the sums after bars.
const NAMES_PX: f64 = 78.0;
const SUMS_PX: f64 = 62.0;
/// The name of a plot above it, and its axis below.
const ABOVE_PX: f64 = 18.0;
const AXIS_PX: f64 = 34.0;

impl RequestData {
    fn draws(&self) -> bool {
        let timed = |way: &RequestWay| positive(way.seconds(true));
        !self.ways.is_empty() && self.ways.iter().all(timed)
    }

    /// Parts in the order of hits: those of whole requests, then those up to the first token.
    fn drawn(&self) -> Vec<(&RequestWay, &RequestPart, bool)> {
        let of = |whole: bool| {
            let ways = self.ways.iter();
            ways.flat_map(move |way| way.shown(whole).map(move |part| (way, part, whole)))
        };
        of(true).chain(of(false)).collect()
    }

    /// The end of an axis: the longest way, and a limit that is near.
    fn end_s(&self, whole: bool) -> f64 {
        let (_, longest) = extent(self.ways.iter().map(|way| way.seconds(whole)));
        let limit = self
            .limit_s
            .filter(|limit| !whole && *limit < 3.0 * longest);
        limit.unwrap_or(0.0).max(longest).max(1e-9)
    }

    fn draw_bars(&self, pen: &mut Pen<'_>, area: Rect, whole: bool) -> Vec<Rect> {
        let end = self.end_s(whole);
        let plot = Plot::new(area, Scale::linear(0.0, end), Scale::linear(0.0, 1.0));
        let unit = if end >= 2.0 {
            (1.0, "s")
        } else {
            lanes::unit(end)
        };
        lanes::time_axis(pen, &plot, unit, "", 56.0, Vec::new());
        let name = if whole {
            "whole request"
        } else {
            "first token"
        };
        let name = Words::tick(name, pen.theme.ink_3);
        pen.write_if_free(&name, point(0.0, area.top - 6.0), Align::Start, None);
        let pitch = area.height() / self.ways.len() as f64;
        let (mut boxes, mut sums) = (Vec::new(), Vec::new());
        for (index, way) in self.ways.iter().enumerate() {
            let top = area.top + pitch * index as f64;
            let row = rect(area.left, top, area.right, top + pitch).grown(-3.0);
            let row = row.across(area.left, area.right);
            let ink = [pen.theme.ink_2, pen.theme.ink_1][usize::from(way.chosen)];
            let words = Words::tick(way.name, ink);
            let words = if way.chosen { words.bold() } else { words };
            lanes::name(pen, &row, &words);
            let mut from = 0.0;
            for part in way.shown(whole) {
                let place = row.across(plot.x_at(from), plot.x_at(from + part.seconds));
                from += part.seconds;
                lanes::stretch(pen, place, part.role, 0.0);
                let (ink, _) = lanes::inks(pen.theme, part.role);
                let time = format::duration(part.seconds);
                let said = [format!("{} {time}", part.name), part.name.to_owned()];
                let said = said.map(|text| Words::tick(text, ink));
                marks::inside(pen, &place, said, Align::Middle, None);
                boxes.push(place);
            }
            let sum = Words::label(format::duration(from).to_string(), ink).bold();
            sums.push((sum, point(plot.x_at(from), row.centre().y)));
        }
        if let Some(limit) = self.limit_s.filter(|_| !whole) {
            let mut xy = Xy::new(plot);
            let words = format!("limit {} s", format::printed(limit));
            xy.upright(limit, RuleInk::Limit)
                .says([Words::note(words, pen.theme.ink_1)]);
            xy.draw(pen);
        }
        // Beside its bar, or beyond the limit where that is in the way.
        let canvas = pen.canvas;
        let beyond = plot.x_at(self.limit_s.unwrap_or(0.0).min(end));
        for (sum, at) in sums {
            let after = point(beyond.max(at.x), at.y);
            let label = Label::lines([sum]).near(at, &[E(6, 0)]);
            label.near(after, &[E(6, 0)]).write_in(pen, canvas);
        }
        boxes
    }
}

impl Figure for RequestData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let canvas = pen.canvas;
        let right = (canvas.right - SUMS_PX).max(NAMES_PX + 1.0);
        let each = ((canvas.height() - 2.0 * (ABOVE_PX + AXIS_PX)) / 2.0).max(1.0);
        let block = |index: f64| {
            let top = canvas.top + ABOVE_PX + index * (each + ABOVE_PX + AXIS_PX);
            rect(NAMES_PX, top, right, top + each)
        };
        if !self.draws() {
            return nothing_to_show(pen, &usual_area(pen), "no replica serves these requests");
        }
        let mut boxes = self.draw_bars(pen, block(0.0), true);
        boxes.extend(self.draw_bars(pen, block(1.0), false));
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        let parts = self.ways.iter().flat_map(|way| {
            let part = move |part| (way, part);
            way.parts.iter().map(part)
        });
        Table::of(parts)
            .col("served by", "", |(way, _)| way.name)
            .col("part", "", |(_, part)| part.name)
            .col("time", "s", |(_, part)| part.seconds)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (way, part, whole) = *self.drawn().get(index)?;
        let (sum, of) = match whole {
            true => (way.seconds(true), "whole request"),
            false => (way.seconds(false), "first token"),
        };
        let share = format::share(part.seconds / sum);
        let tip = Tooltip::new(way.name, "", &self.source)
            .part(part.role, part.name, format::duration(part.seconds))
            .row("share", share)
            .row(of, format::duration(sum));
        Some(tip)
    }

    fn height_px(_width_px: f64) -> f64 {
        HEIGHT_PX
    }
}
