//! Tests of the page in a real browser.
//!
//! `cargo xtask test` builds the page, finds the browser and runs these tests.

mod benchmark;
mod charts;
mod compare;
mod embed;
mod engines;
mod explain;
mod guide;
mod history;
mod host;
mod hosting;
mod keyboard;
mod layout;
mod leaks;
mod levers;
mod limits;
mod links;
mod loader;
mod offline;
mod opening;
mod own;
mod own_model;
mod papers;
mod phone;
mod plans;
mod print;
mod ratio;
mod reader;
mod schedule;
mod service;
mod sliders;
mod smoke;
mod split;
mod trouble;
mod typing;
