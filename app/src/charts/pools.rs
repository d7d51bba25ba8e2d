//! "Which pool binds?": the rate that each pool could serve beside the demand.

use crate::charts::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub struct PoolsData {
    /// Prefill, decode, aggregated replicas.
    pub pools: Vec<PoolBar>,
    /// Requests per second that arrive.
    pub rate: f64,
    pub finding: String,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PoolBar {
    pub name: &'static str,
    pub role: Role,
    pub replicas: f64,
    /// GPUs of each replica.
    pub gpus: f64,
    /// Requests per second of each replica.
    pub rate: f64,
}

impl PoolBar {
    fn capacity(&self) -> f64 {
        self.replicas * self.rate
    }
}

const HEIGHT_PX: f64 = 284.0;
const NAMES_PX: f64 = 78.0;
const ABOVE_PX: f64 = 30.0;
/// Replicas up to which each is seen.
const SEEN: f64 = 40.0;

impl PoolsData {
    fn draws(&self) -> bool {
        let worth = |pool: &PoolBar| positive(pool.capacity());
        positive(self.rate) && !self.pools.is_empty() && self.pools.iter().all(worth)
    }

    /// Used of demand over capacity.
    fn used(&self, pool: &PoolBar) -> f64 {
        self.rate / pool.capacity()
    }

    fn says(&self, pool: &PoolBar) -> [String; 3] {
        let used = format::share(self.used(pool));
        let sum = format!(
            "{} × {} = {}",
            format::count(pool.replicas),
            format::si(pool.rate),
            format::si(pool.capacity())
        );
        [format!("{sum}, {used} used"), format!("{used} used"), used]
    }
}

impl Figure for PoolsData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        let area = plot_area(&pen.canvas, NAMES_PX, ABOVE_PX);
        if !self.draws() {
            return nothing_to_show(pen, &area, "no rate is stated, or nothing serves it");
        }
        let (_, most) = extent(self.pools.iter().map(PoolBar::capacity));
        // A pool that is hardly used reaches far beyond the demand.
        let end = most.min(4.0 * self.rate).max(1.15 * self.rate);
        let plot = Plot::new(area, Scale::linear(0.0, end), Scale::linear(0.0, 1.0));
        si_x_axis(pen, &plot, "requests/s");
        let pitch = area.height() / self.pools.len() as f64;
        let mut boxes = Vec::new();
        for (index, pool) in self.pools.iter().enumerate() {
            let top = area.top + pitch * index as f64;
            let bar_px = (pitch * 0.34).min(26.0);
            let row = rect(area.left, top + 4.0, area.right, top + 4.0 + bar_px);
            lanes::name(pen, &row, &Words::tick(pool.name, pen.theme.ink_1));
            let whole = row.across(area.left, plot.x_at(pool.capacity().min(end)));
            let used = row.across(area.left, plot.x_at(self.rate.min(pool.capacity())));
            marks::idle(pen, whole, 0.0);
            lanes::stretch(pen, used, pool.role, 0.0);
            let replicas = if pool.replicas <= SEEN {
                pool.replicas
            } else {
                1.0
            };
            let mut at = pool.rate;
            for _ in 1..replicas as u32 {
                if at < end {
                    let x = plot.x_at(at);
                    let seam = [point(x, row.top), point(x, row.bottom)];
                    pen.line(seam[0], seam[1], hair(pen.theme.background));
                }
                at += pool.rate;
            }
            let under = point(area.left, row.bottom + 14.0);
            let said = self
                .says(pool)
                .map(|text| Words::tick(text, pen.theme.ink_2));
            pen.write_first(said, under, Align::Start);
            boxes.push(whole);
        }
        pen.seam();
        let x = plot.x_at(self.rate);
        for bar in &boxes {
            let ink = stroke(pen.theme.ink_1, 1.5);
            pen.line(point(x, bar.top - 3.0), point(x, bar.bottom + 3.0), ink);
        }
        let words = Words::label(format!("demand {}", format::si(self.rate)), pen.theme.ink_1);
        tick_label(pen, &words.bold(), x, area.top - 13.0);
        Hits::boxes(boxes)
    }

    fn finding(&self) -> String {
        self.finding.clone()
    }

    fn table(&self) -> Table {
        Table::of(&self.pools)
            .col("pool", "", |pool| pool.name)
            .col("replicas", "", |pool| pool.replicas)
            .col("GPUs each", "", |pool| pool.gpus)
            .col("rate each", "requests/s", |pool| pool.rate)
            .col("used", "", |pool| self.used(pool))
            .done()
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let pool = self.pools.get(index)?;
        let title = format!(
            "{}: {} × {} GPUs",
            pool.name,
            format::count(pool.replicas),
            format::count(pool.gpus)
        );
        let tip = Tooltip::new(title, "", &self.source)
            .row(
                "each serves",
                format!("{} requests/s", format::si(pool.rate)),
            )
            .row(
                "all serve",
                format!("{} requests/s", format::si(pool.capacity())),
            )
            .row("used", format::share(self.used(pool)));
        Some(tip)
    }

    fn height_px(_width_px: f64) -> f64 {
        HEIGHT_PX
    }
}
