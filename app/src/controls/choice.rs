//! Choices among a few options, shown as buttons or as a list.

mod overlap;
mod radio;
mod row;

pub use radio::radio;
pub use row::{choice_row, select_row};
