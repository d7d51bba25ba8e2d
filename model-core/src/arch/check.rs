//! Checks the bounds of a model shape's fields and the rules between them. Shapes from outside (permalinks, config
//! files) are checked here before any computation.

use super::fields::{RANK, Shape, ShapeError, Walk};
use super::{Arch, Mixer};

type Checked = Result<(), ShapeError>;

fn within(field: &'static str, value: u32, least: u32, most: u32) -> Checked {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(ShapeError::Bound {
            field,
            value,
            least,
            most,
        })
    }
}

fn rule(holds: bool, field: &'static str, rule: &'static str) -> Checked {
    if holds {
        Ok(())
    } else {
        Err(ShapeError::Rule { field, rule })
    }
}

impl Arch {
    /// Checks every bound and rule; returns the first violation as an error.
    pub fn check(&self) -> Checked {
        within("hidden", self.hidden, 1, 1 << 20)?;
        within("vocab", self.vocab, 1, 1 << 24)?;
        within("residual_streams", self.residual_streams, 1, 16)?;
        if let Some(rank) = self.residual_rank {
            within("residual_rank", rank, 1, RANK)?;
            rule(
                self.residual_streams > 1,
                "residual_rank",
                "requires residual_streams > 1",
            )?;
        }
        for group in self.groups() {
            within("count", group.count, 1, 10_000)?;
            let parts = (group.mixer.is_some(), group.ffn.is_some());
            rule(
                parts.0 || parts.1,
                "mixer",
                "a layer needs attention or an FFN",
            )?;
            rule(
                self.residual_streams == 1 || (parts.0 && parts.1),
                "residual_streams",
                "several residual streams require attention and an FFN in every layer",
            )?;
        }
        within("layers", self.layers(), 1, 10_000)?;
        for part in self.mixers() {
            let mut shape = part.shape;
            shape.walk(&mut Bounds)?;
            rules(&shape)?;
        }
        for part in self.ffns() {
            let mut shape = part.shape;
            shape.walk(&mut Bounds)?;
        }
        Ok(())
    }
}

fn rules(mixer: &Mixer) -> Checked {
    if let Mixer::Grouped(shape) = mixer {
        return rule(
            !shape.key_is_value || shape.value_dim == shape.head_dim,
            "key_is_value",
            "requires value_dim = head_dim",
        );
    }
    let Some(index) = mixer.index() else {
        return Ok(());
    };
    if let Mixer::Compressed(shape) = mixer {
        rule(shape.ratio.is_some(), "index", "requires ratio")?;
        rule(
            index.pool == 1,
            "pool",
            "must be 1 with compressed attention",
        )?;
        rule(
            index.block == 1,
            "block",
            "must be 1 with compressed attention",
        )?;
    }
    rule(
        !index.per_kv_head,
        "per_kv_head",
        "requires GQA (per-KV-head selection)",
    )
}

struct Bounds;

impl Walk for Bounds {
    type Error = ShapeError;

    fn needed(&mut self, key: &'static str, least: u32, most: u32, value: &mut u32) -> Checked {
        within(key, *value, least, most)
    }

    fn or(&mut self, key: &'static str, _: u32, least: u32, most: u32, value: &mut u32) -> Checked {
        within(key, *value, least, most)
    }

    fn optional(
        &mut self,
        key: &'static str,
        least: u32,
        most: u32,
        value: &mut Option<u32>,
    ) -> Checked {
        value.map_or(Ok(()), |value| within(key, value, least, most))
    }

    fn flag(&mut self, _: &'static str, _: &mut bool) -> Checked {
        Ok(())
    }

    fn inner<S: Shape>(&mut self, _: &'static str, value: &mut Option<S>) -> Checked {
        value.as_mut().map_or(Ok(()), |shape| shape.walk(self))
    }
}
