//! Imports that charts with a painter need.

pub use super::points::{self, OperatingPoint};
pub use crate::chart::prelude::*;
pub use crate::picture::table::{Cell, Table};
pub use std::sync::Arc;
