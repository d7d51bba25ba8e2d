//! The chart "Where does request latency come from?": queueing, prefill, transfer and decode, to scale, for
//! disaggregated and for aggregated replicas.

use crate::chart::prelude::*;
use model_core::service::Service;
use model_core::service::answer::{Aggregated, Disaggregated};
use model_core::workload::Pools;

const SOURCE: &str = "averages for Poisson arrivals; no percentiles";

/// Height of the chart; it is the same at any width.
pub const SHAPE: Shape = Shape::Px(284.0);

/// Builds the chart of the latency of a request, served by disaggregated pools and by aggregated replicas.
pub fn chart(service: &Service) -> Chart {
    let pools = service.disaggregated.as_ref().ok();
    let replicas = service.aggregated.as_ref().ok();
    let pools = pools.map(|of| apart(service, of));
    let replicas = replicas.map(|of| together(service, of));
    let ways: Vec<Way> = pools.into_iter().chain(replicas).collect();
    let chosen = ways.iter().find(|way| way.chosen);
    let finding = chosen.map_or_else(
        || "no replica meets the limits".to_owned(),
        |way| {
            let of = |name| {
                let parts = way.parts.iter().filter(|part| part.name == name);
                parts.map(|part| part.seconds).sum::<f64>()
            };
            let all: f64 = way.parts.iter().map(|part| part.seconds).sum();
            let decode = of("decode") / all;
            match decode < 0.995 {
                true => format!("{} decode", format::share(decode)),
                false => "over 99% decode".to_owned(),
            }
        },
    );
    let all = |way: &Way| way.parts.len();
    let listed: usize = ways.iter().map(all).sum();
    let every = ways
        .iter()
        .flat_map(|way| way.parts.iter().map(move |part| (way, part, true)));
    let shown = [true, false].into_iter().flat_map(|whole| {
        let ways = ways.iter();
        ways.flat_map(move |way| way.shown(whole).map(move |part| (way, part, whole)))
    });
    let items: Vec<(&Way, &Part, bool)> = every.chain(shown).collect();
    let rows = Rows::of(&items)
        .col("served by", "", |(way, ..)| way.name)
        .col("part", "", |(_, part, _)| part.name)
        .col("time", "s", |(_, part, _)| part.seconds)
        .listing(listed)
        .telling(|(way, part, whole)| {
            let (sum, of) = (
                way.seconds(*whole),
                if *whole { "E2E latency" } else { "TTFT" },
            );
            Tooltip::new(way.name, "", SOURCE)
                .part(part.role, part.name, format::duration(part.seconds))
                .row("share", format::share(part.seconds / sum))
                .row(of, format::duration(sum))
        });
    let timed = |way: &Way| positive(way.seconds(true));
    let draws = !ways.is_empty() && ways.iter().all(timed);
    let hits = listed..rows.len();
    let limit_s = service.demand.first_token.map(|limit| limit.get());
    Chart {
        finding,
        rows,
        own: draws.then(|| Own::new(Request { ways, limit_s }, hits)),
        empty: "no feasible replica".into(),
        shape: SHAPE,
        ..Chart::default()
    }
}

fn part(role: Role, name: &'static str, seconds: f64) -> Part {
    Part {
        role,
        name,
        seconds,
        after: false,
    }
}

/// Returns the part of the latency spent on decoding all tokens after the first one.
fn decode(service: &Service, tpot_s: f64) -> Part {
    Part {
        after: true,
        ..part(
            // Same color as decode in the other charts of this view.
            Role::Weights,
            "decode",
            (service.requests.output - 1.0).max(0.0) * tpot_s,
        )
    }
}

fn apart(service: &Service, of: &Disaggregated) -> Way {
    let (wait, prefill, transfer) = match &of.loaded {
        Some(loaded) => {
            let first = loaded.first_token;
            (first.wait.get(), first.prefill.get(), first.rest.get())
        }
        None => {
            let transfer = of.prefill.transfer.get();
            (0.0, of.prefill.alone().get() - transfer, transfer)
        }
    };
    Way {
        name: "disagg.",
        chosen: service
            .choice
            .is_some_and(|choice| choice != Pools::Aggregated),
        parts: vec![
            part(Role::Idle, "queue", wait),
            part(Role::Prompts, "prefill", prefill),
            part(Role::Messages, "transfer", transfer),
            decode(service, of.decode.tpot.get()),
        ],
    }
}

fn together(service: &Service, of: &Aggregated) -> Way {
    let (wait, prefill, step) = match &of.loaded {
        Some(loaded) => {
            let first = loaded.first_token;
            (first.wait.get(), first.prefill.get(), first.rest.get())
        }
        None => (0.0, of.replica.prefill.get(), of.replica.step.get()),
    };
    Way {
        name: "aggregated",
        chosen: service.choice == Some(Pools::Aggregated),
        parts: vec![
            part(Role::Idle, "queue", wait),
            part(Role::Prompts, "prefill", prefill),
            part(Role::Weights, "first step", step),
            decode(service, of.replica.tpot.get()),
        ],
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Request {
    /// The alternatives, in this order: disaggregated pools, aggregated replicas.
    ways: Vec<Way>,
    /// Limit on the mean TTFT, in seconds, if one is set.
    limit_s: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Way {
    name: &'static str,
    /// True if this alternative is chosen to serve the requests. The other alternative is only compared with it.
    chosen: bool,
    /// Parts of the latency in chronological order; decode is the last part.
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
struct Part {
    role: Role,
    name: &'static str,
    seconds: f64,
    /// True if this part of the latency comes after the TTFT.
    after: bool,
}

impl Way {
    fn seconds(&self, whole: bool) -> f64 {
        self.shown(whole).map(|part| part.seconds).sum()
    }

    /// Returns the parts of the latency that take any time: all of them if `whole`, else only those of the TTFT.
    fn shown(&self, whole: bool) -> impl Iterator<Item = &Part> {
        let shows = move |part: &&Part| (whole || !part.after) && part.seconds > 0.0;
        self.parts.iter().filter(shows)
    }
}

/// Width reserved for the names of the alternatives, in px; `SUMS_PX` is the width of the latency sums after the
/// bars.
const NAMES_PX: f64 = 90.0;
const SUMS_PX: f64 = 62.0;
/// Height of the axis above the E2E latency bars, in px; `LANE_PX` is the height of the lane of one such bar.
const ABOVE_PX: f64 = 18.0;
const LANE_PX: f64 = 27.0;
/// Height of the zoom lines between the E2E latency bars and the TTFT bars, in px; `LIMIT_PX` is the height of the
/// TTFT limit's label.
const LOOP_PX: f64 = 26.0;
const LIMIT_PX: f64 = 20.0;
const AXIS_PX: f64 = 34.0;
/// Height of the TTFT bars, in px; `WORDS_PX` is the height of a label written above a bar that is too narrow for it.
const BAR_PX: f64 = 30.0;
const WORDS_PX: f64 = 17.0;
/// The TTFT axis is extended to the TTFT limit if the limit is at most this multiple of the longest TTFT.
const NEAR: f64 = 3.0;

/// Boxes drawn in the lanes of the alternatives, with their labels.
#[derive(Default)]
struct Drawn {
    boxes: Vec<Rect>,
    /// Labels that are too wide for their part's box, each with that box.
    narrow: Vec<(Words, Rect)>,
    sums: Vec<(Words, Point)>,
}

impl Painter for Request {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let canvas = pen.canvas;
        let plots = self.plots(&canvas);
        let [whole, first] = &plots;
        let unit = |plot: &Plot| match plot.x.high() {
            end if end >= 2.0 => (1.0, "s"),
            end => lanes::unit(end),
        };
        let name = Words::tick("E2E latency", pen.theme.ink_3);
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
            // Next to its bar, or right of the TTFT limit if the limit's line is in the way.
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
}

impl Request {
    fn longest_s(&self, whole: bool) -> f64 {
        let (_, longest) = extent(self.ways.iter().map(|way| way.seconds(whole)));
        longest.max(1e-9)
    }

    /// Returns the TTFT limit, if it is on the TTFT axis.
    fn near_s(&self) -> Option<f64> {
        let near = |limit: &f64| *limit <= NEAR * self.longest_s(false);
        self.limit_s.filter(near)
    }

    fn misses(&self, way: &Way) -> bool {
        let first = way.seconds(false);
        self.limit_s.is_some_and(|limit| first > limit)
    }

    /// Returns the plot areas and scales of E2E latency and of TTFT.
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

    /// Writes the name of a part in its bar, clear of the TTFT limit's line if the line crosses the bar. A name that
    /// does not fit in a TTFT bar is collected, to be written above the bar. In an E2E latency bar, it is shortened or
    /// left out.
    fn name_part(
        &self,
        pen: &mut Pen<'_>,
        plot: &Plot,
        (part, place, whole): (&Part, Rect, bool),
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

    /// Draws the zoom lines between the E2E latency bars and the TTFT bars.
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
        let name = Words::tick("TTFT", pen.theme.ink_3);
        pen.write_if_free(&name, point(0.0, bottom), Align::Start, None);
    }

    /// Draws the TTFT limit as a line, with teeth on the side that misses it and a label above the lanes. A limit
    /// beyond the end of the axis is drawn as an arrow.
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
