//! Sizes in CSS px that charts share.

/// Labels of marks.
pub const LABEL_PX: f64 = 12.0;
/// Annotations.
pub const ANNOTATION_PX: f64 = 11.5;
/// Ticks and axis names.
pub const TICK_PX: f64 = 11.0;
/// From one label to the next in a column.
pub const LABEL_PITCH_PX: f64 = 12.8;
/// From one line of an annotation to the next.
pub const LINE_PITCH_PX: f64 = 13.5;
/// Axes, grid, rules.
pub const HAIRLINE_PX: f64 = 1.0;
/// Roofs.
pub const ROOF_PX: f64 = 1.5;
/// The envelope of a step.
pub const ENVELOPE_PX: f64 = 1.7;
/// The Pareto curve.
pub const CURVE_PX: f64 = 1.8;
/// The line on top of a fill in the dark.
pub const EDGE_PX: f64 = 2.0;
/// The halo around text on lines.
pub const HALO_PX: f64 = 3.0;
/// Chart margins: left, left where lanes are named, right, top, bottom.
pub const MARGIN_LEFT_PX: f64 = 42.0;
/// Left margin where lanes are named.
pub const MARGIN_LANES_PX: f64 = 66.0;
/// Right margin.
pub const MARGIN_RIGHT_PX: f64 = 12.0;
/// Top margin.
pub const MARGIN_TOP_PX: f64 = 20.0;
/// Bottom margin: ticks and the axis name.
pub const MARGIN_BOTTOM_PX: f64 = 36.0;
