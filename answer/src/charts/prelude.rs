//! The parts that charts that draw themselves are made of.

pub use super::points::{self, OperatingPoint};
pub use crate::chart::prelude::*;
pub use crate::picture::table::{Cell, Table};
pub use std::sync::Arc;
