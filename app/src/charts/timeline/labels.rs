//! Names of a lane's marks: level where there is room, upright where there is height, above with a
//! leader where there is neither.

use super::draw::Lanes;
use super::{TimelineData, TimelineMark};
use crate::charts::prelude::*;

/// An upright name needs a bar this wide.
const UPRIGHT_PX: f64 = 13.0;

/// Names above a lane: how far above, and how far to the side of their bar.
const ROWS_PX: [f64; 3] = [5.0, 18.0, 31.0];
const ASIDE_PX: [f64; 9] = [0.0, -8.0, 8.0, -16.0, 16.0, -26.0, 26.0, -38.0, 38.0];

/// More marks of one name in a lane than half batches have are named once.
const MOST_ALIKE: usize = 2;

/// Above this, the page puts a switch.
const ABOVE_TOP_PX: f64 = 18.0;

/// A run of marks with one name side by side: requests of one operator.
struct Run<'a> {
    mark: &'a TimelineMark,
    bounds: Rect,
    time_s: f64,
}

/// Labels one lane.
pub fn label_lane(pen: &mut Pen<'_>, data: &TimelineData, lanes: &Lanes, lane: usize) {
    let mut outside = Vec::new();
    for run in runs(data, lanes, lane) {
        let labelled = level(pen, &run) || upright(pen, &run);
        // Idle stretches show themselves.
        if !labelled && !run.mark.is_idle() && run.mark.role.is_some() {
            outside.push(run);
        }
    }
    // Of requests one after the other, the first says what they all are.
    let often = |run: &Run<'_>| {
        let same = outside
            .iter()
            .filter(|other| other.mark.name == run.mark.name);
        same.count() > MOST_ALIKE
    };
    let repeated: Vec<bool> = outside
        .iter()
        .enumerate()
        .map(|(index, run)| {
            let before = &outside[..index];
            often(run) && before.iter().any(|other| other.mark.name == run.mark.name)
        })
        .collect();
    let mut repeated = repeated.into_iter();
    outside.retain(|_| !repeated.next().unwrap_or(false));
    // Names of longer stretches have the first choice of places.
    outside.sort_by(|left, right| right.time_s.total_cmp(&left.time_s));
    let mut leaders = Vec::new();
    for run in &outside {
        leaders.extend(above(pen, lanes, run, &leaders));
    }
}

fn runs<'a>(data: &'a TimelineData, lanes: &Lanes, lane: usize) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'a>> = Vec::new();
    for (_, mark) in data.marks().filter(|(of, _)| *of == lane) {
        let bounds = lanes.of(lane, mark);
        match runs.last_mut() {
            // Stages are told apart by their micro-batch, which is their name.
            Some(last)
                if last.mark.name == mark.name && (bounds.left - last.bounds.right).abs() < 1.0 =>
            {
                last.bounds.right = bounds.right;
                last.time_s += mark.time_s();
            }
            _ => runs.push(Run {
                mark,
                bounds,
                time_s: mark.time_s(),
            }),
        }
    }
    runs
}

/// "attention 230 µs", "attention", within the bar.
fn level(pen: &mut Pen<'_>, run: &Run<'_>) -> bool {
    let theme = pen.theme;
    let (ink, halo) = match run.mark.role {
        Some(Role::Idle) => (theme.ink_2, theme.background),
        Some(role) => (theme.role(role).on_fill, theme.role(role).fill),
        None => (theme.ink_1, theme.grid),
    };
    let name = run.mark.name.as_str();
    let centre = run.bounds.centre();
    if run.bounds.height() >= 40.0 && run.mark.role.is_some() {
        let lines = [
            Words::label(name, ink),
            Words::label(format::duration(run.time_s).to_string(), ink).bold(),
        ];
        let fits = |words: &Words| pen.width(words) + 8.0 <= run.bounds.width();
        if lines.iter().all(fits) {
            for (words, dy) in lines.iter().zip([-7.5, 7.5]) {
                let at = point(centre.x, words.baseline_about(centre.y + dy));
                pen.write(words, at, Align::Middle, Some(halo));
            }
            return true;
        }
    }
    let words = Words::label(name, ink);
    let height = words.bounds(point(0.0, 0.0), Align::Start, 1.0).height();
    if pen.width(&words) + 6.0 > run.bounds.width() || height > run.bounds.height() {
        return false;
    }
    let at = point(centre.x, words.baseline_about(centre.y));
    pen.write(&words, at, Align::Middle, Some(halo));
    true
}

/// The name from the bar's foot upwards.
fn upright(pen: &mut Pen<'_>, run: &Run<'_>) -> bool {
    let theme = pen.theme;
    let Some(role) = run.mark.role.filter(|role| *role != Role::Idle) else {
        return false;
    };
    let words = Words::tick(run.mark.name.clone(), theme.role(role).on_fill);
    let length = pen.width(&words);
    if run.bounds.width() < UPRIGHT_PX || length + 6.0 > run.bounds.height() {
        return false;
    }
    let centre = run.bounds.centre();
    // Capitals reach a good seven tenths of the size above the baseline.
    let start = point(centre.x + 0.36 * words.size_px, centre.y + length / 2.0);
    pen.write_turned(&words, start, -90.0, None);
    pen.reserve(rect(
        centre.x - 6.0,
        centre.y - length / 2.0,
        centre.x + 6.0,
        centre.y + length / 2.0,
    ));
    true
}

/// A name above the lane with a leader to its bar, where neither meets another; returns the leader.
fn above(
    pen: &mut Pen<'_>,
    lanes: &Lanes,
    run: &Run<'_>,
    leaders: &[(Point, Point)],
) -> Option<(Point, Point)> {
    let theme = pen.theme;
    let words = vec![Words::note(run.mark.name.clone(), theme.ink_2)];
    let width = pen.width(&words[0]);
    let foot = point(run.bounds.centre().x, run.bounds.top - 0.5);
    let within = rect(
        lanes.area.left - 3.0,
        ABOVE_TOP_PX,
        lanes.area.right + size::MARGIN_RIGHT_PX,
        run.bounds.top,
    );
    for row in ROWS_PX {
        for aside in ASIDE_PX {
            let at = point(foot.x + aside, run.bounds.top - row);
            let head = point(
                foot.x.clamp(at.x - width / 2.0, at.x + width / 2.0),
                at.y + 1.0,
            );
            let place = [spot(at, Align::Middle, Side::Above)];
            let free = pen.find_spot(&words, &place, &within, leaders);
            let clear = !pen.crosses_words(head, foot);
            if let (Some((place, bounds)), true) = (free, clear) {
                pen.write_block(&words, place, bounds, None);
                pen.line(head, foot, stroke(theme.ink_3, 0.8));
                return Some((head, foot));
            }
        }
    }
    None
}
