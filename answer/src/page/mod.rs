//! Decisions of the page that need no browser: what it writes into the history, which colors it has, where a tooltip is.

pub mod embed;
pub mod glue;
pub mod history;
pub mod pace;
pub mod presets;
pub mod scheme;
pub mod tooltip;
