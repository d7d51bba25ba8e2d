//! The scenario panel and its controls.

pub mod choice;
pub mod dock;
pub mod field;
pub mod groups;
pub mod own_model;
pub mod panel;
pub mod picker;
mod placement;
pub mod row;
pub mod scale;
pub mod shown;
pub mod slider;
pub mod stops;
pub mod table;
mod terms;
mod traffic;
pub mod words;
