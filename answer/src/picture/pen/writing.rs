//! Text on a picture: measures text, prevents labels from overlapping, and places blocks of lines.

use super::Pen;

use crate::picture::geometry::{Point, Rect, point};
use crate::picture::naming::Own;
use crate::picture::text::{ASCENT, Align, Spot, TextRun, Words};
use crate::picture::{Mark, Text, UNITS_PER_PX};
use crate::theme::{Colour, size};

/// Minimum horizontal distance between neighboring labels, in px.
const LABEL_GAP_PX: f64 = 3.0;

impl Pen<'_> {
    pub fn width(&self, words: &Words) -> f64 {
        words
            .runs
            .iter()
            .map(|run| self.run_width(run, words.size_px))
            .sum()
    }

    fn run_width(&self, run: &TextRun, size_px: f64) -> f64 {
        // Round to the integer units of plotters.
        let width = self.measure.width_px(&run.text, size_px, run.bold);
        (width * UNITS_PER_PX).round() / UNITS_PER_PX
    }

    /// Writes a line of text and reserves the text's box, so that labels avoid it. Returns the box.
    pub fn write(
        &mut self,
        words: &Words,
        baseline: Point,
        align: Align,
        halo: Option<Colour>,
    ) -> Rect {
        let bounds = words.bounds(baseline, align, self.width(words));
        self.taken.push(bounds);
        self.written.push(bounds);
        let mut x = bounds.left;
        for run in &words.runs {
            self.write_run(run, words.size_px, point(x, baseline.y), 0.0, halo);
            x += self.run_width(run, words.size_px);
        }
        bounds
    }

    /// Writes a line of text, which must be a single run, rotated by `degrees` about the start of its baseline. The
    /// text's box is not reserved; see [`Self::reserve`].
    pub fn write_turned(
        &mut self,
        words: &Words,
        start: Point,
        degrees: f64,
        halo: Option<Colour>,
    ) {
        if let [run] = words.runs.as_slice() {
            self.write_run(run, words.size_px, start, degrees, halo);
        }
    }

    fn write_run(
        &mut self,
        run: &TextRun,
        size_px: f64,
        at: Point,
        degrees: f64,
        halo: Option<Colour>,
    ) {
        let whole = |px: f64| (px * UNITS_PER_PX).round() / UNITS_PER_PX;
        let text = Text {
            words: run.text.clone(),
            at: point(whole(at.x), whole(at.y)),
            width_px: self.run_width(run, size_px),
            size_px,
            bold: run.bold,
            ink: run.colour,
            degrees,
            halo,
        };
        self.picture.marks.push(Mark::Text(text));
    }

    /// Reserves a box, so that labels avoid it.
    pub fn reserve(&mut self, area: Rect) {
        self.taken.push(area);
    }

    pub fn crosses_words(&self, from: Point, to: Point) -> bool {
        self.written
            .iter()
            .any(|bounds| bounds.clip(from, to).is_some())
    }

    /// True if a line to the point `at` would cross text, or would cross a reserved box that does not contain `at`.
    pub fn is_taken_along(&self, from: Point, to: Point, at: Point) -> bool {
        let crossed = |area: &Rect| area.clip(from, to).is_some();
        let point_s = |area: &Rect| area.holds(&Rect::about(at, 0.0));
        let taken = |area: &&Rect| crossed(area) && !point_s(area);
        self.taken.iter().any(|area| taken(&area)) || self.crosses_words(from, to)
    }

    /// True if a box is on the canvas and does not overlap any reserved box.
    pub fn is_free(&self, area: &Rect) -> bool {
        self.is_free_by(area, 0.0)
    }

    /// Like [`Self::is_free`], but the box also needs `gap` px of free space to its left and right.
    pub fn is_free_by(&self, area: &Rect, gap: f64) -> bool {
        let apart = Rect {
            left: area.left - gap,
            right: area.right + gap,
            ..*area
        };
        self.canvas.grown(0.01).holds(area)
            && !self.taken.iter().any(|other| other.overlaps(&apart))
    }

    /// Writes a line of text if the text's box is free. Returns the box, or `None` if nothing was written.
    pub fn write_if_free(
        &mut self,
        words: &Words,
        baseline: Point,
        align: Align,
        halo: Option<Colour>,
    ) -> Option<Rect> {
        let bounds = words.bounds(baseline, align, self.width(words));
        self.is_free_by(&bounds, LABEL_GAP_PX)
            .then(|| self.write(words, baseline, align, halo))
    }

    /// Tries several one-line wordings in turn and writes the first whose box is free. Returns that box.
    pub fn write_first(
        &mut self,
        wordings: impl IntoIterator<Item = Words>,
        baseline: Point,
        align: Align,
    ) -> Option<Rect> {
        let mut wordings = wordings.into_iter();
        wordings.find_map(|words| self.write_if_free(&words, baseline, align, None))
    }

    /// Writes a line of text, vertically centered on the point `middle`, if the text's box is free. Returns the box.
    pub fn write_about(
        &mut self,
        words: &Words,
        middle: Point,
        align: Align,
        halo: Option<Colour>,
    ) -> Option<Rect> {
        let baseline = point(middle.x, words.baseline_about(middle.y));
        self.write_if_free(words, baseline, align, halo)
    }

    pub fn block_size(&self, lines: &[Words]) -> (f64, f64) {
        let width = lines
            .iter()
            .map(|line| self.width(line))
            .fold(0.0, f64::max);
        (width, lines.len() as f64 * size::LINE_PITCH_PX)
    }

    /// Returns the box of a block of this size at a spot. Returns `None` unless the box is free, inside `within` and
    /// clear of the lines in `avoid`.
    pub fn stands(
        &self,
        (width, height): (f64, f64),
        spot: &Spot,
        within: &Rect,
        avoid: &[(Point, Point)],
    ) -> Option<Rect> {
        let bounds = spot.bounds(width, height);
        let clear = |(from, to): &(Point, Point)| bounds.grown(1.5).clip(*from, *to).is_none();
        let free = within.grown(0.01).holds(&bounds)
            && self.is_free_by(&bounds, LABEL_GAP_PX)
            && avoid.iter().all(clear);
        free.then_some(bounds)
    }

    pub fn write_block(&mut self, lines: &[Words], spot: Spot, bounds: Rect, halo: Option<Colour>) {
        let x = match spot.align {
            Align::Start => bounds.left,
            Align::Middle => bounds.centre().x,
            Align::End => bounds.right,
        };
        for (index, line) in lines.iter().enumerate() {
            let top = bounds.top + index as f64 * size::LINE_PITCH_PX;
            let baseline =
                top + (size::LINE_PITCH_PX - line.size_px) / 2.0 + (ASCENT + 0.05) * line.size_px;
            self.write(line, point(x, baseline), spot.align, halo);
        }
    }

    /// Writes the first of several wordings that fits in one of the spots, trying the longest wording first. Returns
    /// the box of the written block.
    pub fn place(
        &mut self,
        wordings: &[Vec<Words>],
        spots: &[Spot],
        within: &Rect,
        avoid: &[(Point, Point)],
        halo: Option<Colour>,
    ) -> Option<Rect> {
        self.place_by(None, wordings, spots, within, avoid, halo)
    }

    /// Like [`Self::place`], but for the name of a curve or point. The name's box must be nearer to that thing than
    /// to any other.
    pub fn place_by(
        &mut self,
        own: Option<&Own>,
        wordings: &[Vec<Words>],
        spots: &[Spot],
        within: &Rect,
        avoid: &[(Point, Point)],
        halo: Option<Colour>,
    ) -> Option<Rect> {
        for lines in wordings {
            let size = self.block_size(lines);
            let found = spots.iter().find_map(|spot| {
                let bounds = self.stands(size, spot, within, avoid)?;
                own.is_none_or(|own| own.has(&bounds))
                    .then_some((*spot, bounds))
            });
            if let Some((spot, bounds)) = found {
                self.write_block(lines, spot, bounds, halo);
                return Some(bounds);
            }
        }
        None
    }

    /// Writes the wording at the spot where the text covers the least length of lines. A shorter wording is chosen only
    /// if it covers over 10 px less. Text that covers lines is written on a patch in the halo color. Returns the
    /// block's box.
    pub fn place_across(
        &mut self,
        own: Option<&Own>,
        wordings: &[Vec<Words>],
        spots: &[Spot],
        within: &Rect,
        halo: Option<Colour>,
    ) -> Option<Rect> {
        // Px of crossed lines that a shorter wording must save.
        const SHORTER_PX: f64 = 10.0;
        let mut least: Option<(f64, &Vec<Words>, Spot, Rect)> = None;
        for (order, lines) in wordings.iter().enumerate() {
            let size = self.block_size(lines);
            for spot in spots {
                let Some(bounds) = self.stands(size, spot, within, &[]) else {
                    continue;
                };
                if own.is_some_and(|own| !own.has(&bounds)) {
                    continue;
                }
                let cost = self.struck_px(&bounds) + order as f64 * SHORTER_PX;
                if least.as_ref().is_none_or(|(best, ..)| cost < *best) {
                    least = Some((cost, lines, *spot, bounds));
                }
            }
        }
        let (_, lines, spot, bounds) = least?;
        if let Some(paper) = halo.filter(|_| self.struck_px(&bounds) > 0.0) {
            self.fill_rounded(bounds.grown(1.0), 3.0, paper);
        }
        self.write_block(lines, spot, bounds, halo);
        Some(bounds)
    }

    /// Returns the total length, inside a box, of the lines that labels avoid, in px.
    fn struck_px(&self, area: &Rect) -> f64 {
        let inside = self
            .lines
            .iter()
            .filter_map(|(from, to)| area.clip(*from, *to));
        inside.map(|(from, to)| from.distance(to)).sum()
    }
}
