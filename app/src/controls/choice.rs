//! Choices from short lists, as buttons or a list.

mod overlap;
mod radio;
mod row;

pub use radio::radio;
pub use row::{choice_row, select_row};
