//! The parts that every chart is made of.

pub use super::frame::*;
pub use super::hits::{self, Handle, HitArea, Hits, Pointed, TipRow, Tooltip, nothing_to_show};
pub use super::lanes;
pub use super::marks::{self, CurveStroke};
pub use super::points::{self, OperatingPoint, slo_row, worth_drawing};
pub use super::xy::{DotInk, RuleInk, Xy};
pub use super::{Figure, chart_height_px};
pub use crate::format;
pub use crate::picture::geometry::{Hatch, Point, Rect, height_at, point, rect, segments};
pub use crate::picture::label::{Label, Toward, Toward::*};
pub use crate::picture::naming::{Thing, call_out};
pub use crate::picture::pen::{Pen, Stroke, hair, stroke};
pub use crate::picture::scale::{
    Scale, binary_step, ceil_125, extent, floor_125, multiples, nice_step, positive,
};
pub use crate::picture::table::{Cell, Columns, Table};
pub use crate::picture::text::{Align, Side, Spot, Words, spot};
pub use crate::theme::{Colour, Role, Series, Theme, size};
