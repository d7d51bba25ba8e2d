//! The scenario panel and its controls.

pub mod choice;
pub mod dock;
pub mod field;
mod find;
pub mod groups;
mod own_log;
mod own_model;
pub mod panel;
pub mod pasted;
pub mod picker;
mod placement;
pub mod price;
pub mod reveal;
pub mod row;
pub mod scale;
pub mod show;
pub mod shown;
pub mod slider;
pub mod stops;
pub mod table;
mod terms;
mod traffic;
pub mod words;
