//! The scenario's controls as data: labels, slider scales, help texts and accepted input. The page only displays
//! them.

pub mod choice;
pub mod find;
pub mod groups;
pub mod log;
pub mod placement;
pub mod rows;
pub mod scale;
pub mod shown;
pub mod stops;
pub mod table;
pub mod terms;
pub mod typed;
pub mod words;
