//! Choices from short lists.

mod row;

pub use row::{choice_row, select_row};

use model_core::inputs::Inputs;

/// One of a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The identifier in links.
    pub id: &'static str,
    /// On the button.
    pub label: &'static str,
}

/// An option of a row.
pub const fn offer(id: &'static str, label: &'static str) -> Offer {
    Offer { id, label }
}

/// A choice of the scenario that is shown as buttons side by side.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The key in links.
    pub key: &'static str,
    /// Beside the buttons.
    pub name: &'static str,
    /// What it means and does.
    pub help: &'static str,
    /// Whether the buttons need a line of their own.
    pub long: bool,
    /// What there is to choose.
    pub options: &'static [Offer],
    /// Whether an option is one for these inputs.
    pub has: fn(&Inputs, &str) -> bool,
    /// The choice in force.
    pub of: fn(&Inputs) -> &'static str,
    /// Chooses; an unknown identifier changes nothing.
    pub choose: fn(&mut Inputs, &str),
}
