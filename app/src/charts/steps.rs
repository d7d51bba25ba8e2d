//! "What happens in a step?": two periods of a division, in each of which every sequence gains a token.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct StepsData {
    /// Attention, communication out, FFN, communication back.
    pub lanes: Vec<StepLane>,
    /// When each period ends, from zero; the last one is what is shown.
    pub periods_s: Vec<f64>,
    pub finding: String,
    /// The reason for an empty chart.
    pub nothing: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StepLane {
    pub name: String,
    /// On a narrow chart: `attn`.
    pub short: &'static str,
    pub role: Role,
    /// When it works, in order, cut to what is shown.
    pub bars: Vec<StepBar>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBar {
    /// From the beginning of the picture.
    pub start_s: f64,
    pub end_s: f64,
    /// Which of the two batches: 0 or 1.
    pub batch: usize,
    /// Its duration, cut or not.
    pub takes_s: f64,
}

/// Share of the background in the second batch's fill.
const SECOND: f64 = 0.42;
/// From a lane to the next one, on a phone and elsewhere, and between the two.
const PITCH_PX: [f64; 2] = [23.0, 34.0];
const GAP_PX: f64 = 5.0;
const PHONE_PX: f64 = 440.0;
const LANES: f64 = 4.0;
const TOP_PX: f64 = 4.0;
const FOOT_PX: f64 = 20.0;
/// Room for the lanes' names, and where there is little room.
const NAMES_PX: f64 = 118.0;
const SHORT_NAMES_PX: f64 = 62.0;
/// Narrower than this, names are short.
const NARROW_PX: f64 = 560.0;

impl StepsData {
    fn bars(&self) -> impl Iterator<Item = (&StepLane, &StepBar)> {
        let lanes = self.lanes.iter();
        lanes.flat_map(|lane| lane.bars.iter().map(move |bar| (lane, bar)))
    }

    fn span_s(&self) -> f64 {
        self.periods_s.last().copied().unwrap_or(0.0)
    }

    fn draws(&self) -> bool {
        self.span_s().is_finite() && self.span_s() > 0.0 && !self.lanes.is_empty()
    }
}

impl Figure for StepsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let narrow = pen.canvas.width() < NARROW_PX;
        let names = if narrow { SHORT_NAMES_PX } else { NAMES_PX };
        let area = plot_area(&pen.canvas, names, TOP_PX);
        let bottom = (pen.canvas.bottom - FOOT_PX).max(TOP_PX + 1.0);
        let area = Rect { bottom, ..area };
        if !self.draws() {
            return nothing_to_show(pen, &area, &self.nothing);
        }
        let time = Scale::linear(0.0, self.span_s());
        let plot = Plot::new(area, time, Scale::linear(0.0, 1.0));
        self.axis(pen, &plot);
        // A tall one has no more lanes, but higher ones.
        let most = PITCH_PX[1].max(area.height() / LANES);
        let pitch = (area.height() / self.lanes.len() as f64).min(most);
        let first = self.periods_s.first().copied().unwrap_or(0.0);
        let foot = area.top + pitch * self.lanes.len() as f64;
        for at in &self.periods_s {
            let x = plot.x_at(*at);
            pen.reserve(rect(x - 1.5, area.top, x + 1.5, foot));
        }
        let mut boxes = Vec::new();
        for (index, lane) in self.lanes.iter().enumerate() {
            let top = area.top + index as f64 * pitch + GAP_PX / 2.0;
            let row = area.down(top, top + pitch - GAP_PX);
            let name = if narrow { lane.short } else { &lane.name };
            lanes::name(pen, &row, &Words::note(name, pen.theme.ink_2));
            idle(pen, &plot, &row, lane, first);
            let mut free = row.left;
            for bar in &lane.bars {
                let named = bar.end_s <= first * 1.02;
                let [left, right] = [bar.start_s, bar.end_s].map(|time| plot.x_at(time));
                // A seam between neighbours.
                let area = row.across(left, (right - 0.8).max(left + 0.5));
                draw_bar(pen, (area, free), lane.role, bar, named);
                free = area.right;
                boxes.push(area);
            }
        }
        for at in std::iter::once(0.0).chain(self.periods_s.iter().copied()) {
            let x = plot.x_at(at);
            let ink = stroke(pen.theme.ink_1, size::ROOF_PX);
            pen.line(point(x, area.top - 2.0), point(x, foot), ink);
        }
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        Table::of(self.bars())
            .col("what", "", |(lane, _)| lane.name.clone())
            .col("batch", "", |(_, bar)| bar.batch as f64 + 1.0)
            .col("begins", "ms", |(_, bar)| bar.start_s * 1e3)
            .col("takes", "ms", |(_, bar)| bar.takes_s * 1e3)
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (lane, bar) = self.bars().nth(index)?;
        let batch = format!("batch {}", bar.batch + 1);
        let tip = Tooltip::new(&lane.name, batch, &self.source)
            .part(lane.role, "takes", format::duration(bar.takes_s))
            .row("begins at", format::duration(bar.start_s));
        Some(tip)
    }

    fn height_px(width_px: f64) -> f64 {
        TOP_PX + LANES * PITCH_PX[usize::from(width_px > PHONE_PX)] + FOOT_PX
    }
}

impl StepsData {
    /// Time, the ends of the periods in bold.
    fn axis(&self, pen: &mut Pen<'_>, plot: &Plot) {
        let unit = lanes::unit(self.span_s());
        let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
        let mut ends = Vec::new();
        for at in &self.periods_s {
            let words = Words::tick(format::sig3(at * unit.0), ink).bold();
            // The first of several says what it is.
            if ends.is_empty() && self.periods_s.len() > 1 {
                let says = words.clone().and(" a token of every sequence", grey);
                ends.push((*at, says));
            }
            ends.push((*at, words));
        }
        lanes::time_axis(pen, plot, unit, "", 90.0, ends);
    }
}

/// Dashed where a lane is idle; in the first period in words, where there is room.
fn idle(pen: &mut Pen<'_>, plot: &Plot, row: &Rect, lane: &StepLane, first_s: f64) {
    let hair = hair(pen.theme.role(Role::Idle).line);
    let ends = lane.bars.iter().map(|bar| bar.end_s);
    let starts = lane.bars.iter().map(|bar| bar.start_s);
    let span = plot.x.high();
    let gaps = std::iter::once(0.0)
        .chain(ends)
        .zip(starts.chain(std::iter::once(span)));
    for (from, to) in gaps {
        let (left, right) = (plot.x_at(from), plot.x_at(to));
        if right - left <= 3.0 {
            continue;
        }
        let idle = row.across(left + 1.0, right - 1.0);
        pen.dashed_outline(idle, hair);
        if to <= first_s * 1.02 {
            let time = format::duration(to - from);
            let ink = pen.theme.ink_2;
            let words = [format!("idle {time}"), time.to_string()];
            let words = words.map(|text| Words::tick(text, ink));
            marks::inside(pen, &idle, words, Align::Middle, None);
        }
    }
}

/// A bar, with its words where none before it lies on it.
fn draw_bar(pen: &mut Pen<'_>, (area, free): (Rect, f64), role: Role, bar: &StepBar, named: bool) {
    let theme = pen.theme;
    let colours = theme.role(role);
    let (fill, ink) = match bar.batch {
        0 => (colours.fill, colours.on_fill),
        _ => (colours.fill.with_alpha(1.0 - SECOND), theme.ink_1),
    };
    let bottom = area.top + size::EDGE_PX;
    pen.fill_rect(area, fill);
    pen.fill_rect(Rect { bottom, ..area }, colours.line);
    if area.height() >= 12.0 {
        let number = bar.batch + 1;
        let time = format::duration(bar.takes_s);
        let long = ["batch ", ""].map(|batch| format!("{batch}{number}  {time}"));
        let words = long.into_iter().filter(|_| named);
        let words = words.chain([number.to_string()]);
        let words = words.map(|text| Words::tick(text, ink));
        let below = area.down(area.top + 2.0, area.bottom);
        let below = below.across(below.left.max(free), below.right);
        marks::inside(pen, &below, words, Align::Start, None);
    }
}
