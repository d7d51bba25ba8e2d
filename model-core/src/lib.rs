//! The performance model of Ridgepoint.
