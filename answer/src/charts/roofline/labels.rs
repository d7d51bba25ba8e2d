//! Labels of the operators on the roofline: next to isolated points, or in a column with leader lines where points
//! are crowded.

use crate::charts::prelude::*;
use crate::order::sort_by;

/// The mark of an operator on the roofline chart, with its label and colors.
#[derive(Clone)]
pub struct OperatorMark {
    pub at: Point,
    /// Position of the operator in the pinned scenario.
    pub ghost: Option<Point>,
    pub radius: f64,
    /// True if the operator takes a large share of the compute time; its name is then in bold.
    pub important: bool,
    /// Share of the compute time; labels of larger shares have priority.
    pub share: f64,
    pub colour: Colour,
    /// Outline color, set if the fill color alone is too light.
    pub rim: Option<Colour>,
    /// Color of an outline around an operator that reads the KV cache.
    pub kv_ring: Option<Colour>,
    /// Name of the operator; its numbers are in the tooltip.
    pub name: String,
    /// Batch at which the operator reaches its ridge point, for the most important operator only.
    pub ridge_batch: Option<f64>,
}

impl OperatorMark {
    /// Returns the line from the operator's pinned position to its current one; `None` without a pinned position or
    /// if both nearly coincide.
    pub fn way(&self) -> Option<[Point; 2]> {
        let ghost = self.ghost.filter(|ghost| ghost.distance(self.at) > 3.0)?;
        Some([ghost.along(self.at, 4.0), self.at])
    }
}

/// Distance in px below which points are considered crowded.
const CROWD_PX: f64 = 36.0;
/// Distance in px below which points share one label.
const SAME_PX: f64 = 6.0;
/// Share of the compute time below which an operator has no label, unless its intensity is the lowest or the highest.
const LEAST_SHARE: f64 = 0.05;

/// Returns the operators to label. Operators at the same position share one label, such as "router, head".
pub fn named(marks: &[OperatorMark]) -> Vec<OperatorMark> {
    let ends = [0, marks.len().saturating_sub(1)];
    let worth =
        |(index, mark): &(usize, &OperatorMark)| mark.share >= LEAST_SHARE || ends.contains(index);
    let worthy = marks.iter().enumerate().filter(worth);
    let worthy: Vec<OperatorMark> = worthy.map(|(_, mark)| mark.clone()).collect();
    let merged = groups(&worthy).into_iter().filter_map(|group| {
        let lead = group.iter().max_by(|a, b| a.share.total_cmp(&b.share))?;
        let names: Vec<&str> = group.iter().map(|mark| mark.name.as_str()).collect();
        Some(OperatorMark {
            name: names.join(", "),
            ..(**lead).clone()
        })
    });
    merged.collect()
}

/// Minimum horizontal distance in px from a column of labels to the points it labels.
const COLUMN_GAP_PX: f64 = 26.0;
const LEADER_PX: f64 = 110.0;
/// Length in px of the horizontal part of a leader line.
const ELBOW_PX: f64 = 9.0;

/// Lines on the chart that restrict leader lines: ridge lines, which they should not cross, and roofs, which they
/// never cross.
type Crossed<'c> = (&'c [[Point; 2]], &'c [(Point, Point)]);

/// Writes the names of all operators for which there is room. Returns the leader lines, which later labels should not
/// cross.
pub fn write(
    pen: &mut Pen<'_>,
    plot: &Plot,
    marks: &[OperatorMark],
    crossed: Crossed<'_>,
) -> Vec<[Point; 2]> {
    let mut sorted: Vec<&OperatorMark> = marks.iter().collect();
    sort_by(&mut sorted, |a, b| b.share.total_cmp(&a.share));
    let lone = |mark: &&OperatorMark| {
        let mut others = marks.iter().filter(|other| !std::ptr::eq(*mark, *other));
        others.all(|other| !near(mark, other, CROWD_PX))
    };
    let (mut alone, crowded): (Vec<&OperatorMark>, Vec<&OperatorMark>) =
        sorted.into_iter().partition(lone);
    let things: Vec<Thing> = marks
        .iter()
        .map(|of| pen.dot(of.at, of.radius + 2.0))
        .collect();
    let own = |mark: &OperatorMark| {
        let place = marks.iter().position(|of| std::ptr::eq(of, mark));
        place.map(|place| things[place])
    };
    let lines = pen.lines().to_vec();
    alone.retain(|mark| {
        let label = beside(pen.theme, mark);
        label.write_clear_of(pen, plot.area, &lines).is_none()
    });
    let mut crowd = crowded;
    let (mut left_out, mut leaders) = (alone, Vec::new());
    while crowd.len() > 1 {
        if let Some(column) = best_column(pen, plot, &crowd, (crossed, &lines)) {
            leaders = write_column(pen, &crowd, &column);
            crowd.clear();
        }
        left_out.extend(take_least(&mut crowd));
    }
    left_out.extend(crowd);
    // Operators without a place in the column may still be labeled beside their points, or with a leader line.
    for leader in &leaders {
        pen.avoid(leader);
    }
    sort_by(&mut left_out, |a, b| b.share.total_cmp(&a.share));
    for mark in left_out {
        let label = beside(pen.theme, mark);
        let label = own(mark).map_or(label.clone(), |own| label.naming(own));
        // A label across a ridge line is better than none.
        if label.write_in(pen, plot.area).is_none() && mark.share >= LEAST_SHARE {
            beside(pen.theme, mark).write_clear_of(pen, plot.area, crossed.1);
        }
    }
    leaders
}

fn near(a: &OperatorMark, b: &OperatorMark, reach: f64) -> bool {
    a.at.distance(b.at) < reach
}

fn take_least<'m>(crowd: &mut Vec<&'m OperatorMark>) -> Option<&'m OperatorMark> {
    let shares = crowd.iter().map(|mark| mark.share).enumerate();
    let (index, _) = shares.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some(crowd.remove(index))
}

/// Groups the marks that are at the same position.
fn groups(marks: &[OperatorMark]) -> Vec<Vec<&OperatorMark>> {
    let mut groups: Vec<Vec<&OperatorMark>> = Vec::new();
    for mark in marks {
        let same = |group: &&mut Vec<&OperatorMark>| near(group[0], mark, SAME_PX);
        match groups.iter_mut().find(same) {
            Some(group) => group.push(mark),
            None => groups.push(vec![mark]),
        }
    }
    groups
}

fn words(mark: &OperatorMark, theme: &Theme) -> Words {
    let name = Words::label(mark.name.clone(), theme.ink_1);
    if mark.important { name.bold() } else { name }
}

/// Returns the label of an isolated point. Its preferred position is at the lower right, where no roof is in the way;
/// other positions around the point follow.
fn beside(theme: &Theme, mark: &OperatorMark) -> Label {
    let mut long = vec![words(mark, theme)];
    long.extend(mark.ridge_batch.map(|batch| ridge_words(theme, batch)));
    let (at, reach) = (mark.at, (mark.radius + 5.0) as i8);
    let sides = [
        SE(reach, -2),
        NW(reach, -2),
        E(reach, 0),
        W(reach, 0),
        SE(reach, 8),
        S(0, reach),
        N(0, reach),
        S(14, reach + 4),
        S(0, reach + 12),
    ];
    Label::blocks([long, vec![words(mark, theme)]]).near(at, &sides)
}

fn ridge_words(theme: &Theme, batch: f64) -> Words {
    let text = format!("ridge at {} per GPU", format::count(batch));
    Words::note(text, theme.ink_2)
}

#[derive(Clone, Copy)]
struct Column {
    x: f64,
    align: Align,
    top: f64,
}

const HALF_CAPITAL_PX: f64 = 4.4;

impl Column {
    fn baseline(&self, index: usize) -> f64 {
        self.top + index as f64 * size::LABEL_PITCH_PX + HALF_CAPITAL_PX
    }

    /// Returns the horizontal part of a label's leader line: its start and its bend.
    fn elbow(&self, index: usize) -> (Point, Point) {
        let away = if self.align == Align::End { 1.0 } else { -1.0 };
        let y = self.baseline(index) - HALF_CAPITAL_PX;
        let at = |px: f64| point(self.x + away * px, y);
        (at(4.0), at(4.0 + ELBOW_PX))
    }

    /// Returns the cost of a column: the length of its leader lines, plus a penalty for each ridge they cross. The
    /// left side costs less, since the upper left of a roofline is empty.
    fn cost(&self, sorted: &[&OperatorMark], ridges: &[[Point; 2]]) -> f64 {
        let leader = |(index, mark): (usize, &&OperatorMark)| self.elbow(index).1.distance(mark.at);
        let leaders: f64 = sorted.iter().enumerate().map(leader).sum();
        let crossed = |[top, _]: &&[Point; 2]| {
            let other = |mark: &&OperatorMark| (mark.at.x > top.x) != (self.x > top.x);
            sorted.iter().any(other)
        };
        let crossings = ridges.iter().filter(crossed).count() as f64;
        let side = if self.align == Align::End { 0.0 } else { 25.0 };
        leaders + (side + 150.0 * crossings) * sorted.len() as f64
    }

    fn fits(&self, pen: &Pen<'_>, plot: &Plot, widths: &[f64], lines: &[(Point, Point)]) -> bool {
        let within = plot.area.down(0.0, plot.area.bottom);
        let line = Words::sized(size::LABEL_PX);
        widths.iter().enumerate().all(|(index, width)| {
            let at = point(self.x, self.baseline(index));
            let bounds = line.bounds(at, self.align, *width);
            let near = bounds.grown(1.0);
            let clear = |(from, to): &(Point, Point)| near.clip(*from, *to).is_none();
            within.holds(&bounds) && pen.is_free(&bounds) && lines.iter().all(clear)
        })
    }
}

/// Returns the label column with the lowest cost among those that are clear of `lines` and other labels.
fn best_column(
    pen: &Pen<'_>,
    plot: &Plot,
    crowd: &[&OperatorMark],
    ((ridges, roofs), lines): (Crossed<'_>, &[(Point, Point)]),
) -> Option<Column> {
    let sorted = by_height(crowd);
    let (left, right) = extent(sorted.iter().map(|mark| mark.at.x));
    let (left, right) = (left - COLUMN_GAP_PX, right + COLUMN_GAP_PX);
    let height = (sorted.len() as f64 - 1.0) * size::LABEL_PITCH_PX;
    let rows = (plot.area.height() - 2.0 - height) / 4.0;
    let rows = rows.max(-1.0).floor() as i32;
    let columns = [0.0, 15.0, 30.0, 50.0, 75.0, 100.0, 140.0]
        .into_iter()
        .flat_map(|away| [(left - away, Align::End), (right + away, Align::Start)])
        .flat_map(|(x, align)| {
            (0..=rows).map(move |row| Column {
                x,
                align,
                top: plot.area.top - 4.0 + f64::from(row) * 4.0,
            })
        });
    // Measure the labels once, since many columns are tried, the cheapest first.
    let words = sorted.iter().map(|mark| words(mark, pen.theme));
    let widths: Vec<f64> = words.map(|words| pen.width(&words)).collect();
    let costs = columns.map(|column| (column.cost(&sorted, ridges), column));
    let mut tried: Vec<(f64, Column)> = costs.collect();
    sort_by(&mut tried, |(a, _), (b, _)| a.total_cmp(b));
    let works = |column: &Column| {
        let mut leads = sorted.iter().enumerate();
        column.fits(pen, plot, &widths, lines)
            && leads.all(|(index, mark)| {
                let ((start, bend), to) = (column.elbow(index), mark.at);
                let crosses = |a, b| start.crosses(bend, a, b) || bend.crosses(to, a, b);
                let others = sorted
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != index);
                let mut others = others.map(|(other, mark)| (column.elbow(other).1, mark.at));
                bend.distance(to) < LEADER_PX
                    && !pen.crosses_words(bend, to)
                    && !roofs.iter().any(|(a, b)| crosses(*a, *b))
                    && !others.any(|(a, b)| crosses(a, b))
            })
    };
    let mut columns = tried.into_iter().map(|(_, column)| column);
    columns.find(works)
}

fn by_height<'m>(crowd: &[&'m OperatorMark]) -> Vec<&'m OperatorMark> {
    let mut sorted = crowd.to_vec();
    sort_by(&mut sorted, |a, b| {
        a.at.y.total_cmp(&b.at.y).then(b.at.x.total_cmp(&a.at.x))
    });
    sorted
}

fn write_column(pen: &mut Pen<'_>, crowd: &[&OperatorMark], column: &Column) -> Vec<[Point; 2]> {
    let theme = pen.theme;
    let halo = Some(theme.background);
    let sorted = by_height(crowd);
    let mut leaders = Vec::with_capacity(sorted.len());
    for (index, mark) in sorted.iter().enumerate() {
        let (start, bend) = column.elbow(index);
        let end = mark.at.along(bend, mark.radius + 1.0);
        pen.polyline(&[start, bend, end], stroke(theme.ink_3, 0.8));
        leaders.push([bend, end]);
    }
    for (index, mark) in sorted.iter().enumerate() {
        let at = point(column.x, column.baseline(index));
        let words = words(mark, theme);
        pen.write(&words, at, column.align, halo);
    }
    // The line above the column states the ridge batch of the topmost operator.
    if let Some(batch) = sorted.first().and_then(|mark| mark.ridge_batch) {
        let at = point(column.x, column.baseline(0) - size::LABEL_PITCH_PX);
        let words = ridge_words(theme, batch);
        let bounds = words.bounds(at, column.align, pen.width(&words));
        let mut lines = leaders
            .iter()
            .map(|[from, to]| (*from, *to))
            .chain(pen.lines().iter().copied());
        if lines.all(|(from, to)| bounds.clip(from, to).is_none()) {
            pen.write_if_free(&words, at, column.align, halo);
        }
    }
    leaders
}
