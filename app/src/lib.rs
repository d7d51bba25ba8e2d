//! The front end of Ridgepoint.

#[macro_use]
pub mod part;

pub mod canvas;
pub mod compute;
pub mod controls;
pub mod icons;
pub mod listen;
pub mod pages;
pub mod state;
