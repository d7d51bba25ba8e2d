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
const NAMES_PX: f64 = 90.0;
const SUMS_PX: f64 = 62.0;
/// The axis above the whole requests, and each of their lanes.
const ABOVE_PX: f64 = 18.0;
const LANE_PX: f64 = 27.0;
/// The way from the whole to its first tokens, and the limit's name above their lanes.
const LOOP_PX: f64 = 26.0;
const LIMIT_PX: f64 = 20.0;
/// The axis below.
const AXIS_PX: f64 = 34.0;
/// Bars of the first token, and the words above one that has no room for them.
const BAR_PX: f64 = 30.0;
const WORDS_PX: f64 = 17.0;
/// A limit up to so many times the longest way is on the axis.
const NEAR: f64 = 3.0;

/// Boxes of the lanes, and words to be written beside them.
#[derive(Default)]
struct Drawn {
    boxes: Vec<Rect>,
    /// Parts without room for their words.
    narrow: Vec<(Words, Rect)>,
    sums: Vec<(Words, Point)>,
}

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

    fn longest_s(&self, whole: bool) -> f64 {
        let (_, longest) = extent(self.ways.iter().map(|way| way.seconds(whole)));
        longest.max(1e-9)
    }

    /// The limit, if the axis of the first token reaches it.
    fn near_s(&self) -> Option<f64> {
        let near = |limit: &f64| *limit <= NEAR * self.longest_s(false);
        self.limit_s.filter(near)
    }

    fn misses(&self, way: &RequestWay) -> bool {
        let first = way.seconds(false);
        self.limit_s.is_some_and(|limit| first > limit)
    }

    /// The plots of whole requests and of first tokens.
    fn plots(&self, canvas: &Rect) -> [Plot; 2] {
        let right = (canvas.right - SUMS_PX).max(NAMES_PX + 1.0);
        let top = canvas.top + ABOVE_PX;
        let whole = rect(NAMES_PX, top, right, top + LANE_PX * self.ways.len() as f64);
        let top = whole.bottom + LOOP_PX + LIMIT_PX;
        let bottom = (canvas.bottom - AXIS_PX).max(top + 1.0);
        let first = self.longest_s(false).max(self.near_s().unwrap_or(0.0));
        let plot = |area, end| Plot::new(area, Scale::linear(0.0, end), Scale::linear(0.0, 1.0));
        [
            plot(whole, self.longest_s(true)),
            plot(rect(NAMES_PX, top, right, bottom), first),
        ]
    }

    fn draw_lanes(&self, pen: &mut Pen<'_>, plot: &Plot, whole: bool) -> Drawn {
        let area = plot.area;
        let pitch = area.height() / self.ways.len() as f64;
        let bar = match whole {
            true => pitch - 6.0,
            false => BAR_PX.min(pitch - WORDS_PX - 4.0).max(1.0),
        };
        let mut drawn = Drawn::default();
        for (index, way) in self.ways.iter().enumerate() {
            let bottom = area.top + pitch * (index + 1) as f64 - 3.0;
            let row = rect(area.left, bottom - bar, area.right, bottom);
            let ink = [pen.theme.ink_2, pen.theme.ink_1][usize::from(way.chosen)];
            let words = Words::tick(way.name, ink);
            let words = if way.chosen { words.bold() } else { words };
            lanes::name(pen, &row, &words);
            let mut from = 0.0;
            for part in way.shown(whole) {
                let place = row.across(plot.x_at(from), plot.x_at(from + part.seconds));
                from += part.seconds;
                lanes::stretch(pen, place, part.role, 0.0);
                self.name_part(pen, plot, (part, place, whole), &mut drawn);
                drawn.boxes.push(place);
            }
            let late = !whole && self.misses(way);
            let ink = if late { pen.theme.bad } else { ink };
            let sum = Words::label(format::duration(from).to_string(), ink).bold();
            drawn
                .sums
                .push((sum, point(plot.x_at(from), row.centre().y)));
        }
        drawn
    }

    /// Names a part in its bar, beside a limit that crosses it; what has no room there is named above.
    fn name_part(
        &self,
        pen: &mut Pen<'_>,
        plot: &Plot,
        (part, place, whole): (&RequestPart, Rect, bool),
        drawn: &mut Drawn,
    ) {
        let (ink, _) = lanes::inks(pen.theme, part.role);
        let time = format::duration(part.seconds);
        let said = [format!("{} {time}", part.name), part.name.to_owned()];
        let limit = self.near_s().filter(|_| !whole).map(|at| plot.x_at(at));
        let room = match limit {
            Some(x) if x - place.left > place.right - x => {
                place.across(place.left, x.min(place.right))
            }
            Some(x) => place.across(x.max(place.left), place.right),
            None => place,
        };
        let inside = said.clone().map(|text| Words::tick(text, ink));
        let [long, short] = inside;
        if marks::inside(pen, &room, [long], Align::Middle, None) {
            return;
        }
        if whole {
            marks::inside(pen, &room, [short], Align::Middle, None);
            return;
        }
        let [long, _] = said;
        let ink = pen.theme.role(part.role).text;
        drawn.narrow.push((Words::tick(long, ink), place));
    }

    /// From the beginning of the whole requests to their first tokens, which are drawn larger.
    fn draw_loop(&self, pen: &mut Pen<'_>, [whole, first]: &[Plot; 2]) {
        let end = first.x.high().min(whole.x.high());
        let (top, bottom) = (whole.area.bottom, whole.area.bottom + LOOP_PX);
        let shape = [
            point(whole.area.left, top),
            point(whole.x_at(end), top),
            point(first.area.right, bottom),
            point(first.area.left, bottom),
        ];
        pen.fill(&shape, pen.theme.panel);
        let edge = hair(pen.theme.strong);
        pen.polyline(&[shape[0], shape[3]], edge);
        pen.polyline(&[shape[1], shape[2]], edge);
        let name = Words::tick("first token", pen.theme.ink_3);
        pen.write_if_free(&name, point(0.0, bottom), Align::Start, None);
    }

    /// The limit with teeth on the side that fails, its name above the lanes; beyond the axis, an arrow to it.
    fn draw_limit(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let Some(limit) = self.limit_s else { return };
        let words = format!("limit {} s", format::printed(limit));
        let words = Words::label(words, pen.theme.ink_1).bold();
        let above = plot.area.top - 5.0;
        let Some(near) = self.near_s() else {
            let at = point(plot.area.right, above);
            let words = words.and_bold(" →", pen.theme.ink_1);
            pen.write_if_free(&words, at, Align::End, None);
            return;
        };
        let [to, from] = plot.upright(near);
        let to = point(to.x, to.y - LIMIT_PX + 4.0);
        marks::limit(pen, &[from, to], false, 1.2);
        let width = pen.width(&words) + 6.0;
        let (x, align) = match to.x - width > plot.area.left {
            true => (to.x - 6.0, Align::End),
            false => (to.x + 9.0, Align::Start),
        };
        pen.write_if_free(&words, point(x, above), align, None);
    }
}

impl Figure for RequestData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        if !self.draws() {
            return nothing_to_show(pen, &usual_area(pen), "no replica serves these requests");
        }
        let canvas = pen.canvas;
        let plots = self.plots(&canvas);
        let [whole, first] = &plots;
        let unit = |plot: &Plot| match plot.x.high() {
            end if end >= 2.0 => (1.0, "s"),
            end => lanes::unit(end),
        };
        let name = Words::tick("whole request", pen.theme.ink_3);
        pen.write_if_free(&name, point(0.0, whole.area.top - 6.0), Align::Start, None);
        lanes::time_axis_above(pen, whole, unit(whole), 56.0);
        let mut drawn = self.draw_lanes(pen, whole, true);
        self.draw_loop(pen, &plots);
        lanes::time_axis(pen, first, unit(first), "", 56.0, Vec::new());
        let below = self.draw_lanes(pen, first, false);
        pen.seam();
        self.draw_limit(pen, first);
        drawn.boxes.extend(below.boxes);
        for (sum, at) in drawn.sums.into_iter().chain(below.sums) {
            // Beside its bar, or beyond the limit where that is in the way.
            let beyond = first.x_at(self.near_s().unwrap_or(0.0));
            let after = point(beyond.max(at.x) + 5.0, at.y);
            let label = Label::lines([sum]).near(at, &[E(6, 0)]);
            label.near(after, &[E(6, 0)]).write_in(pen, canvas);
        }
        for (words, place) in below.narrow {
            let [left, right, ..] = place.corners();
            Label::lines([words])
                .near(left, &[NE(0, 3)])
                .near(right, &[NW(0, 3), NE(-12, 3)])
                .write_in(pen, canvas);
        }
        Hits::boxes(drawn.boxes)
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
