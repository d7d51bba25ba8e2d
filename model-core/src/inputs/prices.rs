//! Prices that the user sets for accelerators.

use super::{Gpu, Number};
use crate::hardware::catalog::{CATALOG, Entry};
use crate::sent;

/// US dollars per GPU-hour that the user sets for catalog accelerators, in place of the catalog's prices.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Prices(#[serde(with = "sent::numbers")] [Option<f64>; CATALOG.len()]);

impl Prices {
    /// No prices set.
    pub const NONE: Self = Self([None; CATALOG.len()]);

    fn place(entry: &Entry) -> Option<usize> {
        CATALOG.iter().position(|row| row.id == entry.id)
    }

    /// Returns the price set for a catalog accelerator.
    pub fn of(&self, entry: &Entry) -> Option<f64> {
        *self.0.get(Self::place(entry)?)?
    }

    /// Returns the price set for an accelerator; `None` for a custom accelerator, whose price is [`Number::Price`].
    pub fn of_gpu(&self, gpu: Gpu) -> Option<f64> {
        match gpu {
            Gpu::Catalog(entry) => self.of(entry),
            Gpu::Custom => None,
        }
    }

    /// Sets a price or, with `None`, returns to the catalog's price. A price out of range changes nothing and returns
    /// false.
    pub fn state(&mut self, entry: &Entry, price: Option<f64>) -> bool {
        let allowed = price.is_none_or(|price| Number::Price.allows(price));
        let place = Self::place(entry).filter(|_| allowed);
        if let Some(given) = place.and_then(|place| self.0.get_mut(place)) {
            *given = price;
            return true;
        }
        false
    }

    /// Returns the prices that are set, in catalog order.
    pub fn given(&self) -> impl Iterator<Item = (&'static Entry, f64)> {
        let rows = CATALOG.iter().zip(self.0);
        rows.filter_map(|(entry, price)| Some((entry, price?)))
    }
}
