//! Rows of a view's figure table: each holds a figure's data source, drawing and shape. A figure's identifier and
//! question are declared in `permalink`. Each view has a separate table, so that each view can be loaded separately.

use super::plot::plot;
use super::{Chart, Made};
use crate::state::App;
use answer::chart::Shape;
use leptos::prelude::AnyView;
use model_core::permalink::FigureId;

/// A figure of the page: a row of a view's figure table.
pub struct FigureRow {
    /// Identifier of the figure in permalinks; the identifier also determines the view.
    pub id: FigureId,
    /// Height as a function of the width, independent of the data, so that the page does not shift.
    pub shape: Shape,
    /// Share of the screen height up to which the figure grows on tall screens. At 0, the figure has its usual height
    /// on every screen.
    pub of_screen: f64,
    /// True if the figure's height is the share `of_screen` of the screen height. Exceptions: its usual height is
    /// larger, or the charts are stacked.
    pub fills: bool,
    /// Creates the figure's data, and the action of a click on the figure.
    pub make: fn(App, FigureId) -> Made,
    /// Draws the figure, with controls above and rows below.
    pub body: fn(App, Chart) -> AnyView,
    /// Draws the figure with further elements next to it; `None` if there are none.
    pub beside: Option<fn(App, AnyView) -> AnyView>,
}

/// Creates the figure-table row of a chart with the usual shape and no further elements.
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
    /// Sets the figure's shape: height as a function of the width.
    pub const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Lets the figure grow with the screen, up to this share of the screen's height.
    pub const fn growing(self, of_screen: f64) -> Self {
        Self { of_screen, ..self }
    }

    /// Makes the figure take this share of the screen's height.
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
    /// Returns the table row of a figure; `None` if the view does not have this figure.
    pub fn row(&self, id: FigureId) -> Option<&'static FigureRow> {
        self.0.iter().find(|row| row.id == id)
    }
}
