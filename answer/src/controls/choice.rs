//! Choices from short lists.

use model_core::inputs::Inputs;

/// An option of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The identifier in links.
    pub id: &'static str,
    /// On the button.
    pub label: &'static str,
}

/// An option from its identifier and label.
pub const fn offer(id: &'static str, label: &'static str) -> Offer {
    Offer { id, label }
}

/// A choice of the scenario that is shown as buttons side by side.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The key in links.
    pub key: &'static str,
    /// Note next to the buttons.
    pub name: &'static str,
    /// Meaning and effect, in one or two sentences.
    pub help: &'static str,
    /// The buttons need a separate line.
    pub long: bool,
    /// All options.
    pub options: &'static [Offer],
    /// True if an option applies to these inputs.
    pub has: fn(&Inputs, &str) -> bool,
    /// The active choice.
    pub of: fn(&Inputs) -> &'static str,
    /// Sets the choice; an unknown identifier changes nothing.
    pub choose: fn(&mut Inputs, &str),
}
