//! The chart "Does it fit?": contents of one GPU's memory.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct MemoryData {
    /// Parts of the memory in the order of the bar: weights, engine memory, then the parts that grow with the batch.
    pub parts: Vec<MemoryPart>,
    pub capacity_bytes: f64,
    /// Reserved memory, in bytes.
    pub reserve_bytes: f64,
    /// Name of the accelerator, shown at the capacity: `H100`.
    pub accelerator: String,
    pub batch_per_gpu: f64,
    /// Largest number of whole sequences that fit, such as "415 per GPU" or "42 sequences".
    pub room: Option<String>,
    /// Numbers of sequences that fit at the two ends of the KV cache pool's error band, such as "395 – 435".
    pub likely: Option<String>,
    /// Error band of the KV cache pool, in words.
    pub band: Option<String>,
    /// Largest batch per GPU that fits; `None` if not even one sequence fits.
    pub capacity_batch_per_gpu: Option<f64>,
    pub pinned: Option<PinnedMemory>,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MemoryPart {
    /// Role of the part, which sets its color. One bracket spans all parts with the role of weights.
    pub role: Role,
    /// Name of the part, such as `embedding, head`.
    pub name: String,
    pub bytes: f64,
    /// Reason for the part's size, such as `replicated on all 72 GPUs`.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PinnedMemory {
    pub total_bytes: f64,
    pub capacity_bytes: f64,
}

impl MemoryData {
    /// Returns the usable memory of the accelerator: capacity without reserve, in bytes.
    fn usable_bytes(&self) -> f64 {
        (self.capacity_bytes - self.reserve_bytes).max(0.0)
    }

    /// Returns the parts that can be drawn, each with its start and end in bytes, in the order of their hover
    /// targets.
    fn stacked(&self) -> Vec<(&MemoryPart, f64, f64)> {
        let mut end = 0.0;
        self.parts
            .iter()
            .filter(|part| part.bytes > 0.0 && part.bytes.is_finite())
            .map(|part| {
                let start = end;
                end += part.bytes;
                (part, start, end)
            })
            .collect()
    }

    fn total_bytes(&self) -> f64 {
        self.stacked().last().map_or(0.0, |(_, _, end)| *end)
    }

    fn sum(&self, of: impl Fn(Role) -> bool) -> f64 {
        let stacked = self.stacked();
        let parts = stacked.iter().filter(|(part, ..)| of(part.role));
        parts.map(|(part, ..)| part.bytes).sum()
    }

    fn weights_bytes(&self) -> f64 {
        self.sum(Role::is_weights)
    }

    /// Returns the bytes of weights and engine memory, which do not depend on the batch.
    fn fixed_bytes(&self) -> f64 {
        self.sum(|role| role.is_weights() || role == Role::Overhead)
    }

    /// Returns the bytes that one more sequence per GPU needs.
    fn bytes_per_sequence(&self) -> Option<f64> {
        let growing = self.total_bytes() - self.fixed_bytes();
        let each = growing / self.batch_per_gpu;
        (each.is_finite() && each > 0.0).then_some(each)
    }

    fn over_bytes(&self) -> f64 {
        (self.total_bytes() - self.usable_bytes()).max(0.0)
    }

    fn draws(&self) -> bool {
        self.capacity_bytes > 0.0 && self.capacity_bytes.is_finite() && self.total_bytes() > 0.0
    }
}

impl MemoryData {
    /// Height of the chart, the same at any width.
    pub const SHAPE: Shape = Shape::Px(112.0);

    /// Returns the chart's result in a few words.
    pub fn finding(&self) -> String {
        if !self.draws() {
            return "Nothing to plot".to_owned();
        }
        let over = self.over_bytes();
        if over <= 0.0 {
            let used = format::within(self.total_bytes() / GIB, self.usable_bytes() / GIB);
            let all = format::printed(self.usable_bytes() / GIB);
            let room = self.room.as_ref().map(|most| format!("; {most} fit"));
            let likely = self.likely.as_ref().filter(|_| room.is_some());
            let likely = likely.map(|likely| format!(" ({likely})"));
            return format!(
                "{used} of {all} GiB{}{}",
                room.unwrap_or_default(),
                likely.unwrap_or_default()
            );
        }
        let too_much = format!("{} GiB over", format::sig3(over / GIB));
        if self.weights_bytes() > self.usable_bytes() {
            return format!("{too_much}: weights alone exceed memory");
        }
        if self.fixed_bytes() > self.usable_bytes() {
            return format!("{too_much}: weights and engine alone exceed memory");
        }
        match self.sum(|role| role == Role::Kv) >= over {
            true => format!("{too_much}, due to KV cache"),
            false => too_much,
        }
    }

    /// Builds the chart "Does it fit?".
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding(), Self::SHAPE)
    }
}

impl Painter for MemoryData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        if !self.draws() {
            let canvas = pen.canvas;
            return nothing_to_show(pen, &canvas, "nothing to plot");
        }
        let capacity = capacity_words(pen, self);
        let pinned = self.pinned.as_ref().map_or(0.0, |it| it.total_bytes);
        let longest = self.total_bytes().max(pinned);
        // Reserve a margin for the capacity's label, which is centered under the capacity.
        let margin = (pen.width(&capacity) / 2.0).max(14.0);
        let room = |margin: f64| (pen.canvas.right - margin).max(10.0);
        let px_per_byte = (room(margin) / self.capacity_bytes).min(room(6.0) / longest);
        let end = self.capacity_bytes.max(self.total_bytes());
        let area = rect(0.0, BAR_TOP_PX, end * px_per_byte, BAR_BOTTOM_PX);
        let plot = Plot::new(area, Scale::linear(0.0, end), Scale::linear(0.0, 1.0));
        let across = &Across(plot);
        let mut boxes: Vec<Rect> = Vec::new();
        for (part, start, end) in self.stacked() {
            let area = across.bar(start, end);
            marks::bar(pen, area, pen.theme.role(part.role));
            boxes.push(area);
        }
        boxes.push(rest(pen, self, across));
        pen.seam();
        lower_axis(pen, self, across, &capacity);
        upper_axis(pen, self, across);
        label_parts(pen, self, across);
        Hits::boxes(boxes)
    }

    fn table(&self) -> Option<Table> {
        let row = |name: &str, bytes: f64, note: &str| (name.to_owned(), bytes, note.to_owned());
        let parts = self.parts.iter();
        let parts = parts.map(|part| row(&part.name, part.bytes, &part.note));
        let reserve = row("reserve", self.reserve_bytes, "reserved");
        let rest = match self.over_bytes() {
            over if over > 0.0 => row("over by", over, "out of memory"),
            _ => row("free", self.usable_bytes() - self.total_bytes(), ""),
        };
        let pool = self.band.as_ref().map(|band| {
            let bytes = self.usable_bytes() - self.fixed_bytes();
            row("KV cache pool", bytes.max(0.0), band)
        });
        let rows = parts
            .chain([row("total", self.total_bytes(), "")])
            .chain((self.reserve_bytes > 0.0).then_some(reserve))
            .chain(pool)
            .chain([
                rest,
                row("capacity", self.capacity_bytes, &self.accelerator),
            ]);
        let rows: Vec<_> = rows.collect();
        let table = Rows::of(&rows)
            .col("part", "", |(name, ..)| name.clone())
            .col("size", "GiB", |(_, bytes, _)| bytes / GIB)
            .col("share of capacity", "%", |(_, bytes, _)| {
                bytes / self.capacity_bytes * 100.0
            })
            .col("detail", "", |(.., note)| note.clone())
            .done();
        Some(table)
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let stacked = self.stacked();
        let tip = |title: &str, bytes: f64, role: Option<Role>| {
            let share = format::share(bytes / self.capacity_bytes);
            let all = format::printed(self.capacity_bytes / GIB);
            let size = TipRow::plain("size", format::gib(bytes));
            Tooltip::new(title, format!("{share} of {all} GiB"), &self.source)
                .rows([TipRow { role, ..size }])
        };
        if let Some((part, ..)) = stacked.get(index) {
            let noted = !part.note.is_empty();
            let tip = tip(&part.name, part.bytes, Some(part.role));
            return Some(tip.maybe(&part.note, noted.then_some("")));
        }
        let tip = match self.over_bytes() {
            over if over > 0.0 => tip("over by", over, None),
            _ => {
                let free = self.usable_bytes() - self.total_bytes();
                tip("free", free, Some(Role::Idle))
            }
        };
        let full = self.room.clone();
        (index == stacked.len() && self.draws()).then(|| {
            tip.maybe("full at", full)
                .maybe("likely", self.likely.clone())
        })
    }
}

const GIB: f64 = 1_073_741_824.0;

const AXIS_NAME_BASELINE_PX: f64 = 9.5;
const LABEL_BASELINE_PX: f64 = 27.0;
const UPPER_AXIS_PX: f64 = 38.5;
const BAR_TOP_PX: f64 = 44.0;
const BAR_BOTTOM_PX: f64 = 84.0;
const LOWER_AXIS_PX: f64 = 88.0;

/// Converts bytes to horizontal positions.
struct Across(Plot);

impl Across {
    fn at(&self, bytes: f64) -> f64 {
        self.0.x_at(bytes)
    }

    fn bar(&self, from: f64, to: f64) -> Rect {
        self.0.area.across(self.at(from), self.at(to))
    }
}

/// Draws free memory and the reserve as dashed outlines or, if usable memory is exceeded, hatches the excess. Returns
/// the area of the free memory or of the excess.
fn rest(pen: &mut Pen<'_>, data: &MemoryData, across: &Across) -> Rect {
    let theme = pen.theme;
    let (usable, total) = (data.usable_bytes(), data.total_bytes());
    if data.reserve_bytes > 0.0 && total < data.capacity_bytes {
        let set_aside = across.bar(usable.max(total), data.capacity_bytes);
        pen.fill_rect(set_aside, theme.panel);
        marks::idle(pen, set_aside, 0.0);
    }
    if total > usable {
        let over = across.bar(usable, total);
        let lines = stroke(theme.bad.with_alpha(0.75), 1.2);
        pen.hatch(&over.corners(), 9.0, Hatch::Falling, lines);
        pen.outline(over, stroke(theme.bad, 2.0));
        return over;
    }
    let free = across.bar(total, usable);
    marks::idle(pen, free, 1.5);
    free
}

fn label_parts(pen: &mut Pen<'_>, data: &MemoryData, across: &Across) {
    let theme = pen.theme;
    let (usable, total) = (data.usable_bytes(), data.total_bytes());
    let value = |bytes: f64| format::sig3(bytes / GIB);
    for (part, start, end) in data.stacked() {
        let ink = theme.role(part.role).on_fill;
        let visible = across.bar(start, end.min(usable));
        two_lines(pen, visible, &part.name, value(part.bytes), [ink; 2], None);
    }
    if total > usable {
        // The excess may cover several colors, so its label has a background.
        let over = across.bar(usable, total);
        let (paper, ink) = (theme.background, theme.bad);
        let said = value(total - usable);
        let lines = [
            Words::label("over by", ink),
            Words::label(said.clone(), ink).bold(),
        ];
        let (wide, _) = pen.block_size(&lines);
        if wide + 15.0 <= over.width() {
            let Point { x, y } = over.centre();
            let half = wide / 2.0 + 4.0;
            pen.fill_rounded(rect(x - half, y - 15.0, x + half, y + 15.0), 2.0, paper);
        }
        return two_lines(pen, over, "over by", said, [ink; 2], Some(paper));
    }
    let inks = [theme.ink_2, theme.ink_1];
    let free = across.bar(total, usable);
    two_lines(pen, free, "free", value(usable - total), inks, None);
    if data.reserve_bytes > 0.0 {
        let set_aside = across.bar(usable, data.capacity_bytes);
        let reserve = value(data.reserve_bytes);
        two_lines(pen, set_aside, "reserve", reserve, inks, None);
    }
}

/// Writes a name above its value if both fit, or the value alone if only that fits.
fn two_lines(
    pen: &mut Pen<'_>,
    area: Rect,
    name: &str,
    value: String,
    inks: [Colour; 2],
    halo: Option<Colour>,
) {
    let name = Words::label(name, inks[0]);
    let value = Words::label(value, inks[1]).bold();
    let Point { x, y } = area.centre();
    let fits = |words: &Words| pen.width(words) + 7.0 <= area.width();
    let lines = match (fits(&name), fits(&value)) {
        (true, true) => vec![(name, y - 7.3), (value, y + 7.7)],
        (_, true) => vec![(value, y)],
        _ => Vec::new(),
    };
    for (words, y) in lines {
        let at = point(x, words.baseline_about(y));
        pen.write(&words, at, Align::Middle, halo);
    }
}

/// Returns the capacity as a label, with its unit if there is room for it.
fn capacity_words(pen: &Pen<'_>, data: &MemoryData) -> Words {
    let ink = pen.theme.ink_1;
    let capacity = format::printed(data.capacity_bytes / GIB);
    let full = Words::tick(format!("{capacity} GiB"), ink).bold();
    let wide = pen.canvas.width();
    match wide < 400.0 || pen.width(&full) > wide / 4.0 {
        true => Words::tick(capacity, ink).bold(),
        false => full,
    }
}

/// Draws the axis below the memory bar: ticks in GiB, the capacity, and a mark at the pinned scenario's total.
fn lower_axis(pen: &mut Pen<'_>, data: &MemoryData, across: &Across, capacity: &Words) {
    let theme = pen.theme;
    let x = across.at(data.capacity_bytes);
    let (head, foot) = (point(x, BAR_TOP_PX - 7.0), point(x, LOWER_AXIS_PX + 4.0));
    pen.line(head, foot, stroke(theme.ink_1, 2.0));
    tick_label(pen, capacity, x, LOWER_AXIS_PX + 15.0);
    let pinned = data.pinned.as_ref().map(|pinned| pinned.total_bytes);
    if let Some(total) = pinned.filter(|total| *total > 0.0) {
        // Start the line below the labels in the bar.
        let x = across.at(total);
        let dashes = stroke(theme.ink_2, 1.2);
        let (from, to) = (point(x, BAR_BOTTOM_PX - 8.0), point(x, BAR_BOTTOM_PX + 3.0));
        pen.dashed_rule(from, to, (3.0, 2.0), dashes);
        marks::ghost_tick(pen, "A", x, LOWER_AXIS_PX + 1.0, LOWER_AXIS_PX + 17.0);
    }
    let Across(mut plot) = *across;
    plot.area.bottom = LOWER_AXIS_PX;
    let end = plot.x.high() / GIB;
    let most = (pen.canvas.width() / 62.0).clamp(2.0, 5.0) as usize;
    let ticks = multiples(0.0, end, nice_step(end, most)).into_iter();
    let says = |bytes: f64| match bytes {
        0.0 => "0 GiB".to_owned(),
        _ => format::printed(bytes / GIB),
    };
    let axis = Axis::of(pen, ticks.map(|gib| gib * GIB), says, "");
    x_axis(pen, &plot, &axis);
}

/// Draws the bracket over the weights, and an axis that counts the sequences that fit in the remaining memory.
fn upper_axis(pen: &mut Pen<'_>, data: &MemoryData, across: &Across) {
    let theme = pen.theme;
    let (weights, fixed) = (data.weights_bytes(), data.fixed_bytes());
    let start = across.at(fixed);
    let each = data.bytes_per_sequence();
    if let Some(each) = each {
        now_and_full(pen, data, across, each);
    }
    if weights > 0.0 {
        let (top, foot) = (UPPER_AXIS_PX - 4.5, UPPER_AXIS_PX + 1.5);
        let end = (across.at(weights) - 2.0).max(1.0);
        let bracket = [(0.7, foot), (0.7, top), (end, top), (end, foot)];
        let ink = stroke(theme.role(Role::Weights).line, 1.4);
        pen.polyline(&bracket.map(|(x, y)| point(x, y)), ink);
        let text = format!("weights {}", format::sig3(weights / GIB));
        let words = Words::label(text, theme.ink_1).bold();
        pen.write_if_free(&words, point(0.0, LABEL_BASELINE_PX), Align::Start, None);
    }
    let Some(each) = each else {
        return;
    };
    let hair = hair(theme.strong);
    let end = across.0.x.high();
    let (y, wide) = (UPPER_AXIS_PX + 0.5, across.at(end) - start);
    if wide > 4.0 {
        pen.line(point(start, y), point(across.at(end), y), hair);
    }
    let most = (end - fixed) / each;
    let step = binary_step(most, (wide / 70.0).max(1.0) as usize);
    for batch in multiples(0.0, most, step / 2.0) {
        let x = across.at(fixed + batch * each);
        let labelled = (batch / step).fract().abs() < 1e-6;
        let length = if labelled { 4.0 } else { 2.5 };
        pen.line(point(x, y), point(x, y - length), hair);
        if labelled {
            let words = Words::tick(format::batch(batch), theme.ink_3);
            tick_label(pen, &words, x, LABEL_BASELINE_PX);
        }
    }
    let name = Words::tick("sequences per GPU", theme.ink_3);
    let x = start.min(pen.canvas.right - pen.width(&name)).max(0.0);
    pen.write_if_free(&name, point(x, AXIS_NAME_BASELINE_PX), Align::Start, None);
}

fn now_and_full(pen: &mut Pen<'_>, data: &MemoryData, across: &Across, each: f64) {
    let (ink, canvas) = (pen.theme.ink_1, pen.canvas);
    let over = data.over_bytes() > 0.0;
    let (foot, outer, aside) = match over {
        true => (BAR_TOP_PX, Align::Start, -4.0),
        false => (LOWER_AXIS_PX + 4.0, Align::End, 4.0),
    };
    let now_ink = pen.ink(!over);
    let now_x = across.at(data.total_bytes());
    let (head, foot) = (point(now_x, UPPER_AXIS_PX - 7.0), point(now_x, foot));
    pen.line(head, foot, stroke(now_ink, 1.4));
    let label = |x: f64, align: Align| spot(point(x, LABEL_BASELINE_PX - 11.0), align, Side::Below);
    let row = canvas.down(0.0, UPPER_AXIS_PX);
    let full = data.capacity_batch_per_gpu;
    let full = full.map(|most| (most, across.at(data.fixed_bytes() + most * each)));
    // If both labels are near each other, put this one on the outer side; otherwise, center it.
    let near = full.is_some_and(|(_, x)| (x - now_x).abs() < 80.0);
    let first = match near {
        true => label(now_x + aside, outer),
        false => label(now_x, Align::Middle),
    };
    let last = (!near).then(|| label(0.0, Align::Start));
    let now = format!("now {}", format::batch(data.batch_per_gpu));
    Label::lines([Words::label(now, now_ink).bold()])
        .at([first])
        .at([canvas.right, now_x].map(|x| label(x, Align::End)))
        .at(last)
        .within(row)
        .write(pen);
    if let Some((most, x)) = full {
        let words = |text: &str| Words::label(text, ink).and_bold(format::room(most), ink);
        Label::lines([words("full at "), words("full ")])
            .at([
                label(x, Align::End),
                label(x - 4.0, Align::Start),
                label(canvas.right, Align::End),
                label(x - 8.0, Align::End),
            ])
            .within(row)
            .write(pen);
    }
}
