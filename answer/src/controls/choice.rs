//! Settings with a short list of options, shown as buttons.

use model_core::inputs::Inputs;

/// An option of a choice, shown as a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Identifier of the option in permalinks.
    pub id: &'static str,
    /// Text on the button.
    pub label: &'static str,
}

/// Creates an option from its identifier and label.
pub const fn offer(id: &'static str, label: &'static str) -> Offer {
    Offer { id, label }
}

/// A setting of the scenario with a few options, shown as buttons side by side.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Key of the choice in permalinks.
    pub key: &'static str,
    /// Label next to the buttons.
    pub name: &'static str,
    /// Help text: the meaning and effect of the choice, in one or two sentences.
    pub help: &'static str,
    /// True if the buttons need a line of the panel to themselves.
    pub long: bool,
    /// All options of the choice.
    pub options: &'static [Offer],
    /// Returns true if an option applies to these inputs.
    pub has: fn(&Inputs, &str) -> bool,
    /// Returns the identifier of the active option.
    pub of: fn(&Inputs) -> &'static str,
    /// Selects the option with this identifier; an unknown identifier changes nothing.
    pub choose: fn(&mut Inputs, &str),
}
