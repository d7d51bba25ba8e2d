//! Imports needed by code that draws charts.

pub use super::frame::*;
pub use super::hits::{self, Handle, HitArea, Hits, Pointed, TipRow, Tooltip, nothing_to_show};
pub use super::marks::{self, CurveStroke};
pub use super::{At, Chart, DotInk, Ink, Own, Painter, Rows, Shape, Xy, lanes};
pub use crate::picture::geometry::{Hatch, Point, Rect, height_at, point, rect, segments};
pub use crate::picture::label::{Label, Toward, Toward::*};
pub use crate::picture::naming::{Thing, call_out};
pub use crate::picture::pen::{Pen, hair, stroke};
pub use crate::picture::scale::{
    Scale, binary_step, ceil_125, extent, floor_125, multiples, nice_step, positive,
};
pub use crate::picture::text::{Align, Side, Spot, Words, spot};
pub use crate::theme::{Colour, Role, Series, Theme, size};
pub use crate::words::format;
