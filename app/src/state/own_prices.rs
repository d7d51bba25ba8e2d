//! Prices that the user typed, by accelerator, for the next time that the accelerator is chosen.
//!
//! A price acts only where the link states it, so that a link means the same for everybody.

use super::storage::{store, stored};
use model_core::hardware::catalog::Entry;
use model_core::inputs::{Gpu, Number, Prices};
use model_core::permalink::{Link, read_prices, write_prices};

const STORED: &str = "ridgepoint-prices";

/// The stored prices, US dollars per GPU-hour.
pub fn own_prices() -> Prices {
    stored(STORED).map_or(Prices::NONE, |text| read_prices(&text).0)
}

/// Stores the price of an accelerator, or with `None` forgets it. A blocked storage forgets it with the page.
pub fn store_price(entry: &'static Entry, price: Option<f64>) {
    let mut prices = own_prices();
    if prices.of(entry) != price && prices.state(entry, price) {
        store(STORED, write_prices(&prices).as_deref());
    }
}

/// Sets the price of an accelerator, typed by the user, in the link and for the next time; `None`: its list price.
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

/// Stores the price that the user typed for the scenario's accelerator; `None`: its list price.
pub fn remember_price(link: &mut Link, price: Option<f64>) {
    if let Gpu::Catalog(entry) = link.current.gpu {
        if price.is_none() {
            link.set_price(entry, None);
        }
        store_price(entry, price);
    }
}

/// States the stored price of an accelerator that was just chosen, unless the link has one.
pub fn recall_price(link: &mut Link, gpu: Gpu) {
    if let Gpu::Catalog(entry) = gpu
        && link.current.prices.of(entry).is_none()
        && let Some(price) = own_prices().of(entry)
    {
        link.set_price(entry, Some(price));
    }
}
