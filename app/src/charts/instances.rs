//! "One large or many?": the same GPUs as one deployment or as several.

mod draw;

use crate::charts::prelude::*;
/// The chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct InstancesData {
    /// One of the small deployments.
    pub small: InstanceCurve,
    /// The large one.
    pub large: InstanceCurve,
    /// How many small ones there are.
    pub count: f64,
    /// GPUs of each small one.
    pub small_gpus: f64,
    /// What joins the GPUs of the large one, per GPU and direction.
    pub interconnect_bytes_per_s: f64,
    /// From which interconnect on the large one wins.
    pub break_even: WinsFrom,
    /// Why there are no two to compare; then both curves are empty.
    pub trouble: Option<String>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// From which interconnect on the large deployment does at least as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WinsFrom {
    /// Any.
    Any,
    /// This one, in bytes per second.
    Bandwidth(f64),
    /// None.
    Never,
}

/// Throughput over the batch, and the best point that fits and meets the SLO.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceCurve {
    /// Batches ascending.
    pub points: Vec<InstancePoint>,
    /// The best; `None` where nothing fits or meets the SLO.
    pub best: Option<InstancePoint>,
}

/// One batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstancePoint {
    /// Sequences per GPU.
    pub batch_per_gpu: f64,
    /// Throughput of one GPU.
    pub tokens_per_s_per_gpu: f64,
    /// Speed for one user.
    pub tokens_per_s_per_user: f64,
    /// Whether it fits in memory.
    pub fits: bool,
}

impl InstancePoint {
    fn draws(&self) -> bool {
        self.batch_per_gpu > 0.0
            && self.batch_per_gpu.is_finite()
            && self.tokens_per_s_per_gpu.is_finite()
            && self.tokens_per_s_per_gpu >= 0.0
    }
}

impl InstancesData {
    fn drawn(curve: &InstanceCurve) -> Vec<InstancePoint> {
        let points = curve.points.iter().filter(|point| point.draws());
        points.copied().collect()
    }

    /// "8 × 72 GPUs".
    fn small_name(&self) -> String {
        format!(
            "{} × {} GPUs",
            format::count(self.count),
            format::count(self.small_gpus)
        )
    }

    /// "1 × 576 GPUs".
    fn large_name(&self) -> String {
        format!("1 × {} GPUs", format::count(self.count * self.small_gpus))
    }

    fn link(&self) -> String {
        format::bandwidth(self.interconnect_bytes_per_s).to_string()
    }

    /// Throughput of the large one over that of the small ones.
    fn gain(&self) -> Option<f64> {
        let gain = self.large.best?.tokens_per_s_per_gpu / self.small.best?.tokens_per_s_per_gpu;
        gain.is_finite().then_some(gain)
    }

    /// "from 188 GB/s", "at any link", "at no link".
    fn wins(&self) -> String {
        match self.break_even {
            WinsFrom::Any => "at any link".to_owned(),
            WinsFrom::Bandwidth(bytes) => {
                let gigabytes = format::sig3(bytes / 1e9);
                format!("from {gigabytes} GB/s")
            }
            WinsFrom::Never => "at no link".to_owned(),
        }
    }
}

impl Figure for InstancesData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        if self.trouble.is_some() {
            return "There are no two to compare".to_owned();
        }
        match (self.gain(), self.small.best, self.large.best) {
            (Some(gain), ..) if (gain - 1.0).abs() < 0.005 => {
                format!("The same; one wins {}", self.wins())
            }
            (Some(gain), ..) if gain > 1.0 => {
                format!("One: {}, wins {}", format::factor(gain), self.wins())
            }
            (Some(gain), ..) => format!(
                "Many: {}; one wins {}",
                format::factor(1.0 / gain),
                self.wins()
            ),
            (None, None, Some(_)) => "Only the large one fits".to_owned(),
            (None, Some(_), None) => "Only the small ones fit".to_owned(),
            _ => "Neither fits".to_owned(),
        }
    }

    fn table(&self) -> Table {
        let rows = |name: String, curve: &InstanceCurve| -> Vec<Vec<Cell>> {
            let best = curve
                .best
                .iter()
                .map(|point| (format!("{name}, best"), point));
            let others = curve.points.iter().map(|point| (name.clone(), point));
            best.chain(others)
                .map(|(name, point)| {
                    vec![
                        name.into(),
                        point.batch_per_gpu.into(),
                        point.tokens_per_s_per_gpu.into(),
                        point.tokens_per_s_per_user.into(),
                        if point.fits { "yes" } else { "no" }.into(),
                    ]
                })
                .collect()
        };
        Table {
            columns: vec![
                Column::new("deployment", ""),
                Column::new("batch", "sequences per GPU"),
                Column::new("throughput", "tokens/s per GPU"),
                Column::new("interactivity", "tokens/s per user"),
                Column::new("fits in memory", ""),
            ],
            rows: [
                rows(self.small_name(), &self.small),
                rows(self.large_name(), &self.large),
            ]
            .concat(),
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let (small, large) = (Self::drawn(&self.small), Self::drawn(&self.large));
        let (name, point) = match index.checked_sub(small.len()) {
            None => (self.small_name(), *small.get(index)?),
            Some(index) => (
                format!("{} at {}", self.large_name(), self.link()),
                *large.get(index)?,
            ),
        };
        Some(Tooltip {
            title: name,
            aside: if point.fits { "fits" } else { "does not fit" }.to_owned(),
            rows: vec![
                TipRow::plain(
                    "batch",
                    format!("{} per GPU", format::batch(point.batch_per_gpu)),
                ),
                TipRow::plain(
                    "throughput",
                    format!("{} tok/s/GPU", format::si(point.tokens_per_s_per_gpu)),
                ),
                TipRow::plain(
                    "interactivity",
                    format!("{} tok/s/user", format::sig3(point.tokens_per_s_per_user)),
                ),
            ],
            source: self.source.clone(),
        })
    }

    fn axis_value(&self, index: usize) -> Option<String> {
        let (small, large) = (Self::drawn(&self.small), Self::drawn(&self.large));
        let point = small.iter().chain(&large).nth(index)?;
        Some(format::batch(point.batch_per_gpu))
    }

    fn height_px(width_px: f64) -> f64 {
        chart_height_px(width_px)
    }
}
