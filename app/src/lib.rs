//! The front end of Ridgepoint.

pub mod charts;
pub mod format;
pub mod theme;
