//! Reads and writes accelerator prices in a permalink: `prices=h200:2.3,gb200:5`.

use super::list::{EMPTY, entries};
use super::number::{read_number, write_number};
use super::quote::quote;
use crate::hardware::catalog;
use crate::inputs::{Number, Prices};

/// Permalink key of the prices.
pub const PRICES: &str = "prices";

/// Parses the prices from the key's value. Also returns, for each ignored part, the reason why it is ignored.
pub fn read_prices(value: &str) -> (Prices, Vec<String>) {
    let mut prices = Prices::NONE;
    let mut faults = Vec::new();
    if entries(value).next().is_none() {
        faults.push(format!("{EMPTY}; using list prices"));
    }
    for part in entries(value) {
        if let Err(reason) = read_price(&mut prices, part) {
            faults.push(format!("“{}” {reason}; ignored", quote(part)));
        }
    }
    (prices, faults)
}

/// Parses the price of one accelerator: `ID:DOLLARS`.
fn read_price(prices: &mut Prices, part: &str) -> Result<(), String> {
    let (id, dollars) = part
        .split_once(':')
        .ok_or("is not of the form accelerator:price, as in h200:2.3")?;
    let entry = catalog::find(id.trim());
    let entry = entry.ok_or_else(|| format!("has an unknown accelerator, {}", quote(id)))?;
    let price = read_number(Number::Price, dollars).map_err(|error| error.to_string())?;
    prices.state(entry, Some(price));
    Ok(())
}

/// Formats the prices as the value of their permalink key; `None` if there are none.
pub fn write_prices(prices: &Prices) -> Option<String> {
    let each = prices.given();
    let each =
        each.map(|(entry, price)| format!("{}:{}", entry.id, write_number(Number::Price, price)));
    let all: Vec<String> = each.collect();
    (!all.is_empty()).then(|| all.join(","))
}
