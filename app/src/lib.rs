//! The front end of Ridgepoint.

#[macro_use]
pub mod part;

pub mod answer;
pub mod charts;
pub mod compute;
pub mod controls;
pub mod format;
pub mod icons;
pub mod pages;
pub mod picture;
pub mod state;
pub mod theme;

// Charts use nothing else of the model.
pub use model_core::order;
