//! "How many GPUs?" of requests: GPUs of pools and of aggregated replicas over the rate.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct StairsData {
    /// Rates ascending, that of now among them.
    pub steps: Vec<StairMark>,
    pub now: Option<StairNow>,
    pub finding: String,
    pub source: String,
}

/// GPUs at a rate of requests; `None` where that way cannot serve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StairMark {
    /// Requests per second.
    pub rate: f64,
    pub pools: Option<f64>,
    pub aggregated: Option<f64>,
}

/// The stated rate, and the GPUs that serve it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StairNow {
    pub rate: f64,
    pub gpus: f64,
    /// They are pools.
    pub pools: bool,
}

type Way = fn(&StairMark) -> Option<f64>;

impl StairMark {
    /// The fewest GPUs of both ways.
    fn fewest(&self) -> Option<f64> {
        [self.pools, self.aggregated]
            .into_iter()
            .flatten()
            .reduce(f64::min)
    }
}

impl StairsData {
    /// Rates at which anything serves.
    fn drawn(&self) -> Vec<StairMark> {
        let worth = |step: &&StairMark| positive(step.rate) && step.fewest().is_some_and(positive);
        self.steps.iter().filter(worth).copied().collect()
    }
}

/// A flight of stairs: level to the next rate, then up.
fn flight(steps: &[StairMark], way: Way) -> Vec<(f64, f64)> {
    let known = steps
        .iter()
        .filter_map(|step| Some((step.rate, way(step)?)));
    let mut line: Vec<(f64, f64)> = Vec::new();
    for (rate, gpus) in known {
        if let Some((_, before)) = line.last().copied() {
            line.push((rate, before));
        }
        line.push((rate, gpus));
    }
    line
}

fn columns<'a>(steps: impl IntoIterator<Item = &'a StairMark>) -> Columns<&'a StairMark> {
    Table::of(steps)
        .col("rate", "requests/s", |of| of.rate)
        .col("in pools", "GPUs", |of| of.pools)
        .tip(format::count)
        .col("aggregated", "GPUs", |of| of.aggregated)
        .tip(format::count)
}

impl Figure for StairsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = usual_area(pen);
        let drawn = self.drawn();
        if drawn.len() < 2 {
            return nothing_to_show(pen, &area, "no replica serves these requests");
        }
        let (first, last) = extent(drawn.iter().map(|step| step.rate));
        let ways = drawn.iter().flat_map(|step| [step.pools, step.aggregated]);
        let (least, most) = extent(ways.flatten().filter(|gpus| positive(*gpus)));
        let plot = Plot::new(
            area,
            Scale::log(first, last),
            Scale::log(least / 1.4, most * 1.4),
        );
        si_axes(pen, &plot, "GPUs, log", "requests/s, log");
        let (ink, soft) = (pen.theme.ink_1, pen.theme.series(Series::Third));
        let mut xy = Xy::new(plot);
        let solid = |ink| CurveStroke::solid(ink, size::CURVE_PX);
        let line = flight(&drawn, |step| step.pools);
        if !line.is_empty() {
            xy.curve(line, solid(ink)).says([Words::note("pools", ink)]);
        }
        let line = flight(&drawn, |step| step.aggregated);
        if !line.is_empty() {
            xy.curve(line, solid(soft.line))
                .says([Words::note("aggregated", soft.text)]);
        }
        if let Some(now) = &self.now {
            let how = if now.pools { "in pools" } else { "aggregated" };
            let gpus = format!("now: {}", format::count(now.gpus));
            let bold = Words::label(gpus, ink).bold();
            xy.dot((now.rate, now.gpus), DotInk::Now(true))
                .says([bold.clone().and(format!(" {how}"), pen.theme.ink_2), bold]);
        }
        xy.draw(pen);
        let place = |step: &StairMark| plot.at(step.rate, step.fewest().unwrap_or(least));
        let start = self.now.and_then(|now| {
            let at_least = |step: &StairMark| step.rate >= now.rate;
            drawn.iter().position(at_least)
        });
        Hits::rulers(drawn.iter().map(place), &plot.area)
            .on(&plot)
            .starting_at(start)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        columns(&self.steps).done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let step = *self.drawn().get(index)?;
        let rate = format::si(step.rate);
        let tip = Tooltip::new(format!("{rate} requests/s"), "", &self.source)
            .across(rate)
            .rows(columns([&step]).tips());
        Some(tip)
    }
}
