//! Browser-independent logic of the page: history entries, color scheme, tooltip position, presets and embedding.

pub mod embed;
pub mod glue;
pub mod history;
pub mod pace;
pub mod presets;
pub mod scheme;
pub mod tooltip;
