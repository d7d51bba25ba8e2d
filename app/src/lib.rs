//! The front end of Ridgepoint.
