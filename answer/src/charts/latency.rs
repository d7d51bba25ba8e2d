//! The chart "Where does the step time go?": the parts of one step as bars in lanes, and step time vs. batch size.

mod areas;
mod corners;
mod lanes;
mod notes;
mod over_batch;
mod parts;

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct LatencyData {
    pub now: StepSample,
    /// Names of attention types (by mixer and indexer), each with its share of the current attention time; empty if
    /// there is only one.
    pub attention: Vec<(String, f64)>,
    /// Resources that limit the step, each with its share of the step time; the largest share is first.
    pub limits: Vec<LimitedShare>,
    /// True if compute and communication overlap; the step then has two lanes instead of one.
    pub overlaps: bool,
    /// Step times at batch sizes from about 0 to the end of the axis, in ascending order of the batch.
    pub samples: Vec<StepSample>,
    /// Batch per GPU at which communication takes as long as compute.
    pub crossing_batch_per_gpu: Option<f64>,
    /// Largest batch per GPU that fits in memory; `None` if not even one sequence fits.
    pub capacity_batch_per_gpu: Option<f64>,
    /// Total GPUs, used to show the total batch in the tooltip.
    pub gpus: f64,
    pub pinned: Option<PinnedStep>,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSample {
    pub batch_per_gpu: f64,
    pub step: StepTimes,
}

/// A resource, with the share of the step time that it limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitedShare {
    /// Long and short name of the resource.
    pub names: [&'static str; 2],
    /// Share of the step time that the resource limits, 0 to 1.
    pub share: f64,
}

/// Times of one step, summed over all layers. The parts add up to `step_s` plus the overlapped time, which is at most
/// the shorter of compute and communication.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepTimes {
    pub attention_s: f64,
    pub dense_s: f64,
    /// Time of the routed and shared experts, with the router.
    pub experts_s: f64,
    pub head_s: f64,
    /// Time of kernel launches and framework overhead; it occupies the GPU like compute.
    pub overhead_s: f64,
    /// CPU time between steps; it is never overlapped.
    pub host_s: f64,
    /// Time per step for prefill of other requests in the same engine, while this step's sequences wait.
    pub prompts_s: f64,
    pub scale_out_s: f64,
    pub scale_up_s: f64,
    /// Time of the whole step, including the wait for prefill of other requests.
    pub step_s: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PinnedStep {
    pub now: StepSample,
    /// True if this is the preview of a change instead of the pinned scenario.
    pub previewed: bool,
    /// Pairs of batch per GPU and step time in seconds, in ascending order of the batch.
    pub envelope: Vec<(f64, f64)>,
}

impl PinnedStep {
    /// Returns the label: "A" for the pinned scenario, or "after" for a previewed change.
    pub const fn name(&self) -> &'static str {
        if self.previewed { "after" } else { "A" }
    }
}

impl StepTimes {
    /// Combines the time of each part of this step with that of the same part of another step. The caller has to set
    /// `step_s`, which is 0 in the result.
    pub fn with(&self, other: &Self, mix: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            attention_s: mix(self.attention_s, other.attention_s),
            dense_s: mix(self.dense_s, other.dense_s),
            experts_s: mix(self.experts_s, other.experts_s),
            head_s: mix(self.head_s, other.head_s),
            overhead_s: mix(self.overhead_s, other.overhead_s),
            host_s: mix(self.host_s, other.host_s),
            prompts_s: mix(self.prompts_s, other.prompts_s),
            scale_out_s: mix(self.scale_out_s, other.scale_out_s),
            scale_up_s: mix(self.scale_up_s, other.scale_up_s),
            step_s: 0.0,
        }
    }

    pub fn compute_s(&self) -> f64 {
        self.attention_s + self.dense_s + self.experts_s + self.head_s
    }

    pub fn messages_s(&self) -> f64 {
        self.scale_out_s + self.scale_up_s
    }

    /// Returns the time in which the GPUs are occupied: compute, kernel launches and framework overhead.
    pub fn busy_s(&self) -> f64 {
        self.compute_s() + self.overhead_s
    }

    /// Returns the time in which compute and communication overlap.
    pub fn overlap_s(&self) -> f64 {
        let overlap =
            self.busy_s() + self.messages_s() + self.host_s + self.prompts_s - self.step_s;
        // Rounding errors in the sum do not count as overlap.
        if overlap < self.step_s * 1e-9 {
            0.0
        } else {
            overlap.min(self.busy_s()).min(self.messages_s())
        }
    }

    /// Returns the exposed communication time, in which the GPUs are idle.
    pub fn idle_s(&self) -> f64 {
        let idle = self.step_s - self.stack_s();
        if idle < self.step_s * 1e-9 { 0.0 } else { idle }
    }

    /// Returns true if communication takes longer than compute, so that compute is overlapped.
    fn compute_hides(&self) -> bool {
        self.messages_s() > self.busy_s()
    }

    /// Returns the height, in seconds, of the stack of all parts except communication. Communication is drawn on top of
    /// this stack.
    fn stack_s(&self) -> f64 {
        self.busy_s() + self.host_s + self.prompts_s
    }

    /// Returns the top of what is drawn for the step, in seconds: the step time, or the stack if it is higher.
    fn top_s(&self) -> f64 {
        self.step_s.max(self.stack_s())
    }

    /// Returns the parts of the step-time stack with their seconds, from bottom to top.
    fn layers(&self) -> [(Role, f64); 6] {
        [
            (Role::Attention, self.attention_s),
            (Role::Dense, self.dense_s),
            (Role::Experts, self.experts_s),
            (Role::Head, self.head_s),
            (Role::Overhead, self.overhead_s + self.host_s),
            (Role::Prompts, self.prompts_s),
        ]
    }

    /// Returns the nonzero communication times by network: name, name with "comm.", and seconds.
    fn networks(&self) -> impl Iterator<Item = (&'static str, &'static str, f64)> {
        let networks = [
            ("scale-out", "scale-out comm.", self.scale_out_s),
            ("scale-up", "scale-up comm.", self.scale_up_s),
        ];
        networks.into_iter().filter(|(.., time)| *time > 0.0)
    }

    /// Returns true if all times of the step can be drawn.
    pub fn draws(&self) -> bool {
        let layers = self.layers().map(|(_, time)| time);
        let times = [
            self.overhead_s,
            self.host_s,
            self.scale_out_s,
            self.scale_up_s,
        ];
        let good = |time: &f64| time.is_finite() && *time >= 0.0;
        positive(self.step_s) && layers.iter().chain(&times).all(good)
    }
}

impl LatencyData {
    fn drawn(&self) -> Vec<StepSample> {
        self.samples
            .iter()
            .filter(|sample| sample.batch_per_gpu.is_finite() && sample.step.draws())
            .copied()
            .collect()
    }

    /// Returns the role (such as attention) of the step part at hover target `hit`; `None` if the target is not a
    /// part of the step.
    pub fn part(&self, hit: usize) -> Option<Role> {
        let lane = hit.checked_sub(self.drawn().len())?;
        parts::parts(self).get(lane).map(|part| part.role)
    }

    /// Returns true if the hover target is in the row of limiting resources, which follows the parts of the step.
    pub fn is_limit(&self, hit: usize) -> bool {
        let first = self.drawn().len() + parts::parts(self).len();
        (first..first + self.limits.len()).contains(&hit)
    }

    fn fits(&self, batch_per_gpu: f64) -> bool {
        let most = self.capacity_batch_per_gpu;
        most.is_some_and(|most| batch_per_gpu <= most)
    }
}

impl LatencyData {
    /// Height of the chart, as a function of its width.
    pub const SHAPE: Shape = Shape::Phone {
        to: 430.0,
        px: 310.0,
        of: 0.42,
        between: [282.0, 454.0],
    };

    /// Builds the chart "Where does the step time go?".
    pub fn chart(self: &Arc<Self>) -> Arc<Chart> {
        Chart::painted(self, self.finding.clone(), Self::SHAPE)
    }
}

impl Painter for LatencyData {
    /// Draws the chart. Returns hover targets in this order: batch sizes, parts of the step, and limiting resources.
    /// Keyboard navigation starts at the current batch.
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let left = size::MARGIN_LANES_PX;
        let area = plot_area(&pen.canvas, left, PLOT_TOP_PX);
        let lane_area = rect(left, 0.0, area.right, PLOT_TOP_PX - 14.0);
        let samples = self.drawn();
        let hits = match samples.len() > 1 {
            true => areas::draw(pen, area, self, &samples),
            false => nothing_to_show(pen, &area, "no batch to plot"),
        };
        let stretches = match self.now.step.draws() {
            true => lanes::draw(pen, lane_area, self),
            false => nothing_to_show(pen, &lane_area, "no step to show"),
        };
        let now = self.now.batch_per_gpu;
        let start = samples.iter().position(|of| of.batch_per_gpu >= now);
        hits.then(stretches).starting_at(start)
    }

    fn table(&self) -> Option<Table> {
        let all: Vec<_> = [&self.now].into_iter().chain(&self.samples).collect();
        let mut table = Rows::of(&all)
            .col("batch", "sequences per GPU", |of| of.batch_per_gpu)
            .col("step", "ms", |of| of.step.step_s * 1e3);
        for (index, (role, _)) in StepTimes::default().layers().into_iter().enumerate() {
            let name = match role {
                Role::Prompts => "prefill",
                role => role.name(),
            };
            table = table.col(name, "ms", |of| of.step.layers()[index].1 * 1e3);
        }
        Some(
            table
                .col("scale-out communication", "ms", |of| {
                    of.step.scale_out_s * 1e3
                })
                .col("scale-up communication", "ms", |of| {
                    of.step.scale_up_s * 1e3
                })
                .col("overlapped", "ms", |of| of.step.overlap_s() * 1e3)
                .col("idle", "ms", |of| of.step.idle_s() * 1e3)
                .col("fits in memory", "", |of| self.fits(of.batch_per_gpu))
                .done(),
        )
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let samples = self.drawn();
        match samples.get(index) {
            Some(sample) => Some(self.ruler_tooltip(sample)),
            None => self.lane_tooltip(index - samples.len()),
        }
    }

    fn glow(&self, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
        let Pointed { index, hits, .. } = pointed;
        match (self.drawn().get(index), hits.plot()) {
            (Some(sample), Some(plot)) => areas::glow(pen, &plot, sample),
            _ => {
                hits::rulers(pen, pointed);
            }
        }
    }
}

impl LatencyData {
    fn ruler_tooltip(&self, sample: &StepSample) -> Tooltip {
        let step = &sample.step;
        let ms = |seconds: f64| format::sig3(seconds * 1e3);
        let overlaps = step.overlap_s() > 0.0;
        let (compute_note, message_note) = match (overlaps, step.compute_hides()) {
            (false, _) => ("", ""),
            (true, true) => ("overlapped", "bottleneck"),
            (true, false) => ("", "overlapped"),
        };
        let batch = sample.batch_per_gpu;
        let aside = match self.fits(batch) {
            true => format!("{} total", format::count(batch * self.gpus)),
            false => "out of memory".to_owned(),
        };
        let title = format!("{} per GPU", format::batch(batch));
        let mut tip =
            Tooltip::new(title, aside, &self.source).row("step", format!("{} ms", ms(step.step_s)));
        for (name, _, time) in step.networks() {
            let row = TipRow::of(Role::Messages, format!("{name} communication"), ms(time));
            tip = tip.rows([row.note(message_note)]);
        }
        for (role, time) in step.layers().into_iter().filter(|(_, time)| *time > 0.0) {
            let row = TipRow::of(role, role.name(), ms(time)).note(compute_note);
            tip = tip.rows([row]).rows(TipRow::stands_for(role));
        }
        let idles = overlaps && step.idle_s() > step.step_s * 1e-6;
        tip.rows(idles.then(|| TipRow::of(Role::Idle, "idle", ms(step.idle_s()))))
    }

    fn lane_tooltip(&self, index: usize) -> Option<Tooltip> {
        let step = &self.now.step;
        let batch = format!("{} per GPU", format::batch(self.now.batch_per_gpu));
        let parts = parts::parts(self);
        let Some(part) = parts.get(index) else {
            let of = self.limits.get(index - parts.len())?;
            let row = TipRow::plain("limits", format::millis(of.share * step.step_s));
            let row = row.note(format!("{} of step", format::share(of.share)));
            return Some(Tooltip::new(format::capital(of.names[0]), batch, "").rows([row]));
        };
        let whole = part.role == Role::Idle || part.time_s <= 0.0;
        let hidden = if whole { 0.0 } else { part.hidden_s };
        let time = TipRow::of(part.role, "time", format::millis(part.time_s));
        let time = time.note(format!("{} of step", share(part.time_s, step)));
        let title = match part.role == Role::Attention && part.name != part.role.name() {
            true => format!("attention: {}", part.name),
            false => part.name.to_owned(),
        };
        let hidden = (hidden > 0.0).then(|| TipRow::plain("hidden", format::millis(hidden)));
        let tip = Tooltip::new(title, batch, &self.source)
            .rows([time])
            .rows(hidden)
            .rows(TipRow::stands_for(part.role));
        Some(tip)
    }
}

const PLOT_TOP_PX: f64 = 115.0;

fn share(time_s: f64, step: &StepTimes) -> String {
    format::share(time_s / step.step_s)
}
