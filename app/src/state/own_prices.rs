//! Prices typed by the user, stored per accelerator for the next time that the accelerator is chosen.
//!
//! A stored price applies only once the permalink states it, so that a permalink means the same for everyone.

use super::storage::{store, stored};
use model_core::hardware::catalog::Entry;
use model_core::inputs::{Gpu, Number, Prices};
use model_core::permalink::{Link, read_prices, write_prices};

const STORED: &str = "ridgepoint-prices";

/// Returns the stored prices, in US dollars per GPU-hour.
pub fn own_prices() -> Prices {
    stored(STORED).map_or(Prices::NONE, |text| read_prices(&text).0)
}

/// Stores the price of an accelerator, or deletes it for `None`. If storage is blocked, the price is lost when the
/// page closes.
pub fn store_price(entry: &'static Entry, price: Option<f64>) {
    let mut prices = own_prices();
    if prices.of(entry) != price && prices.state(entry, price) {
        store(STORED, write_prices(&prices).as_deref());
    }
}

/// Sets the price that the user typed for an accelerator, in the permalink and, for a catalog accelerator, for later
/// visits. `None` restores the list price.
pub fn type_price(link: &mut Link, gpu: Gpu, price: Option<f64>) {
    match gpu {
        Gpu::Catalog(entry) => {
            if link.set_price(entry, price) {
                store_price(entry, price);
            }
        }
        Gpu::Custom => {
            link.current.state(Number::Price, price);
        }
    }
}

/// Stores the price that the user typed for the scenario's accelerator; `None` restores the list price.
pub fn remember_price(link: &mut Link, price: Option<f64>) {
    if let Gpu::Catalog(entry) = link.current.gpu {
        if price.is_none() {
            link.set_price(entry, None);
        }
        store_price(entry, price);
    }
}

/// Applies the stored price of an accelerator that was just chosen, unless the permalink already has a price for it.
pub fn recall_price(link: &mut Link, gpu: Gpu) {
    if let Gpu::Catalog(entry) = gpu
        && link.current.prices.of(entry).is_none()
        && let Some(price) = own_prices().of(entry)
    {
        link.set_price(entry, Some(price));
    }
}
