//! Rows of a view's figures: picture and place; identifier and question are declared in `permalink`. Each view has its
//! own table, so that it loads alone.

use super::plot::plot;
use super::{Chart, Made};
use crate::state::App;
use answer::chart::Shape;
use leptos::prelude::AnyView;
use model_core::permalink::FigureId;

/// A figure of the page.
pub struct FigureRow {
    /// Its identifier in links, which knows its view.
    pub id: FigureId,
    /// Its height at a width, the same for all data so that nothing shifts.
    pub shape: Shape,
    /// Largest share of a tall screen's height.
    pub of_screen: f64,
    /// Has that share of every screen's height, where charts are not stacked.
    pub fills: bool,
    /// Makes its data on the page.
    pub make: fn(App, FigureId) -> Made,
    /// Its picture, with controls above and rows below.
    pub body: fn(App, Chart) -> AnyView,
    /// Elements next to the whole figure.
    pub beside: Option<fn(App, AnyView) -> AnyView>,
}

/// A chart of the usual shape, without further elements.
pub const fn drawn(id: FigureId, make: fn(App, FigureId) -> Made) -> FigureRow {
    FigureRow {
        id,
        shape: Shape::Wide,
        of_screen: 0.0,
        fills: false,
        make,
        body: plot,
        beside: None,
    }
}

impl FigureRow {
    /// It has another shape.
    pub const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// It grows with the screen, up to a share of its height.
    pub const fn growing(self, of_screen: f64) -> Self {
        Self { of_screen, ..self }
    }

    /// It has a share of the screen's height.
    pub const fn filling(self, of_screen: f64) -> Self {
        let fills = true;
        Self {
            of_screen,
            fills,
            ..self
        }
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
