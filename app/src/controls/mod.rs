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
pub mod show;
pub mod slider;
mod terms;
mod traffic;
