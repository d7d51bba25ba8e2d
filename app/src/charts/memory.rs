//! "Does it fit?": what a GPU's memory holds.

mod axes;
mod draw;

use crate::charts::prelude::*;
/// The memory chart's data.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryData {
    /// What is stored, in the order of the bar: weights first, then what grows with the batch.
    pub parts: Vec<MemoryPart>,
    /// The accelerator's memory.
    pub capacity_bytes: f64,
    /// What is set aside of it.
    pub reserve_bytes: f64,
    /// The accelerator's name, at the capacity: `H100`.
    pub accelerator: String,
    /// Sequences per GPU now.
    pub batch_per_gpu: f64,
    /// The most that fit; `None` when even one does not.
    pub capacity_batch_per_gpu: Option<f64>,
    /// The pinned scenario.
    pub pinned: Option<PinnedMemory>,
    /// Where the values come from, for the tooltip.
    pub source: String,
}

/// One part of the memory.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryPart {
    /// What it belongs to; weights are bracketed together.
    pub role: Role,
    /// Its name: `embedding, head`.
    pub name: String,
    /// Its size.
    pub bytes: f64,
    /// Why it is that large: `replicated on all 72 GPUs`.
    pub note: String,
}

/// The pinned scenario's memory.
#[derive(Clone, Debug, PartialEq)]
pub struct PinnedMemory {
    /// All it stores.
    pub total_bytes: f64,
    /// Its accelerator's memory.
    pub capacity_bytes: f64,
}

impl MemoryData {
    /// What the accelerator has for all this.
    fn usable_bytes(&self) -> f64 {
        (self.capacity_bytes - self.reserve_bytes).max(0.0)
    }

    /// The parts that can be drawn, with their edges: the order of hits.
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

    fn weights_bytes(&self) -> f64 {
        self.stacked()
            .iter()
            .filter(|(part, _, _)| part.role.is_weights())
            .map(|(part, _, _)| part.bytes)
            .sum()
    }

    /// What one more sequence per GPU takes.
    fn bytes_per_sequence(&self) -> Option<f64> {
        let growing = self.total_bytes() - self.weights_bytes();
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

impl Figure for MemoryData {
    fn draw(&self, pen: &mut Pen<'_>) -> Hits {
        draw::draw(pen, self)
    }

    fn finding(&self) -> String {
        if !self.draws() {
            return "Nothing to store".to_owned();
        }
        let over = self.over_bytes();
        if over <= 0.0 {
            let used = format::sig3(self.total_bytes() / GIB);
            let all = format::printed(self.capacity_bytes / GIB);
            let room = self
                .capacity_batch_per_gpu
                .map(|most| format!(", room for {} per GPU", format::batch(most)));
            return format!("{used} of {all} GiB{}", room.unwrap_or_default());
        }
        let too_much = format!("{} GiB too much", format::sig3(over / GIB));
        if self.weights_bytes() > self.usable_bytes() {
            return format!("{too_much}: the weights alone do not fit");
        }
        let kv: f64 = self
            .stacked()
            .iter()
            .filter(|(part, ..)| part.role == Role::Kv)
            .map(|(part, ..)| part.bytes)
            .sum();
        if kv >= over {
            format!("{too_much}, all of it KV cache")
        } else {
            too_much
        }
    }

    fn table(&self) -> Table {
        let row = |name: &str, bytes: f64, note: &str| -> Vec<Cell> {
            let share = bytes / self.capacity_bytes * 100.0;
            vec![name.into(), (bytes / GIB).into(), share.into(), note.into()]
        };
        let mut rows: Vec<Vec<Cell>> = self
            .parts
            .iter()
            .map(|part| row(&part.name, part.bytes, &part.note))
            .collect();
        rows.push(row("in all", self.total_bytes(), ""));
        if self.reserve_bytes > 0.0 {
            rows.push(row("reserve", self.reserve_bytes, "set aside"));
        }
        let over = self.over_bytes();
        if over > 0.0 {
            rows.push(row("over by", over, "does not fit"));
        } else {
            rows.push(row("free", self.usable_bytes() - self.total_bytes(), ""));
        }
        rows.push(row("capacity", self.capacity_bytes, &self.accelerator));
        Table {
            columns: vec![
                Column::new("part", ""),
                Column::new("size", "GiB"),
                Column::new("share of capacity", "%"),
                Column::new("why", ""),
            ],
            rows,
        }
    }

    fn tooltip(&self, index: usize) -> Option<Tooltip> {
        let stacked = self.stacked();
        let share = |bytes: f64| {
            format!(
                "{} of {} GiB",
                format::share(bytes / self.capacity_bytes),
                format::printed(self.capacity_bytes / GIB)
            )
        };
        let source = self.source.clone();
        if let Some((part, ..)) = stacked.get(index) {
            let mut rows = vec![TipRow::of(
                part.role,
                "size",
                "",
                format::gib(part.bytes).to_string(),
            )];
            if !part.note.is_empty() {
                rows.push(TipRow::plain(part.note.clone(), ""));
            }
            return Some(Tooltip {
                title: part.name.clone(),
                aside: share(part.bytes),
                rows,
                source,
            });
        }
        let (title, bytes, role) = if self.over_bytes() > 0.0 {
            ("over by", self.over_bytes(), None)
        } else {
            (
                "free",
                self.usable_bytes() - self.total_bytes(),
                Some(Role::Idle),
            )
        };
        let mut rows = vec![TipRow {
            role,
            ..TipRow::plain("size", format::gib(bytes).to_string())
        }];
        if let Some(most) = self.capacity_batch_per_gpu {
            rows.push(TipRow::plain(
                "full at",
                format!("{} per GPU", format::batch(most)),
            ));
        }
        (index == stacked.len() && self.draws()).then(|| Tooltip {
            title: title.to_owned(),
            aside: share(bytes),
            rows,
            source,
        })
    }

    fn height_px(_width_px: f64) -> f64 {
        112.0
    }
}

/// Bytes in a GiB.
const GIB: f64 = 1_073_741_824.0;
