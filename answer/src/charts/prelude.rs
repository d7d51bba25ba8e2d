//! Imports needed by charts that draw themselves.

pub use super::points::{self, OperatingPoint};
pub use crate::chart::prelude::*;
pub use crate::picture::table::{Cell, Table};
pub use std::sync::Arc;
