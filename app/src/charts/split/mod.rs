//! Charts of the Disaggregation view's split: attention on memory devices, the rest on compute devices.

pub mod bandwidth;
pub mod degrees;
pub mod parts;
pub mod rotation;

pub use bandwidth::{BandwidthData, ContextLine};
pub use degrees::{Degree, DegreesData};
pub use parts::{PartOfStep, PartsData, PartsRow};
pub use rotation::{RotationBar, RotationData, RotationLane};
