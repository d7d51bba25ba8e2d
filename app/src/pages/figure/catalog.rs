//! Rows of a view's figures: picture and place; identifier and question are declared in `permalink`. Each view has its own table, so that it loads alone.

use super::plot::plot;
use super::{Chart, Made};
use crate::charts::Figure;
use crate::state::App;
use leptos::prelude::AnyView;
use model_core::permalink::FigureId;

/// A figure of the page.
pub struct FigureRow {
    /// Its identifier in links, which knows its view.
    pub id: FigureId,
    /// Its height at a width, both in CSS px.
    pub height_px: fn(f64) -> f64,
    /// Largest share of a tall screen's height.
    pub of_screen: f64,
    /// Makes its data on the page.
    pub make: fn(App, FigureId) -> Made,
    /// Its picture, with controls above and rows below.
    pub body: fn(App, Chart) -> AnyView,
    /// Elements beside the whole figure.
    pub beside: Option<fn(App, AnyView) -> AnyView>,
}

/// A figure that is a picture alone.
pub const fn plain<F: Figure>(id: FigureId, make: fn(App, FigureId) -> Made) -> FigureRow {
    FigureRow {
        id,
        height_px: F::height_px,
        of_screen: 0.0,
        make,
        body: plot,
        beside: None,
    }
}

impl FigureRow {
    /// It grows with the screen, up to a share of its height.
    pub const fn growing(self, of_screen: f64) -> Self {
        Self { of_screen, ..self }
    }
}

/// The figures of a view.
pub struct FigureTable(pub &'static [FigureRow]);

impl FigureTable {
    /// The row of a figure.
    pub fn row(&self, id: FigureId) -> Option<&'static FigureRow> {
        self.0.iter().find(|row| row.id == id)
    }
}
