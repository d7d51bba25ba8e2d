//! Sizes shared by all charts, in CSS px.

/// Type size of the labels of marks, in CSS px.
pub const LABEL_PX: f64 = 12.0;
/// Type size of annotations, in CSS px.
pub const ANNOTATION_PX: f64 = 11.5;
/// Type size of ticks and axis names, in CSS px.
pub const TICK_PX: f64 = 11.0;
/// Vertical distance from one label to the next in a column of labels, in CSS px.
pub const LABEL_PITCH_PX: f64 = 12.8;
/// Vertical distance from one line of an annotation to the next, in CSS px.
pub const LINE_PITCH_PX: f64 = 13.5;
/// Width of axes, grid lines and rules, in CSS px.
pub const HAIRLINE_PX: f64 = 1.0;
/// Width of strong lines, such as the roof of the roofline chart, in CSS px.
pub const ROOF_PX: f64 = 1.5;
/// Width of the step-time curve in the latency chart, which is the envelope of the stacked times, in CSS px.
pub const ENVELOPE_PX: f64 = 1.7;
/// Line width of a chart's main curve, such as the Pareto curve, in CSS px.
pub const CURVE_PX: f64 = 1.8;
/// Width of the line on top of a fill in the dark scheme, in CSS px.
pub const EDGE_PX: f64 = 2.0;
/// Width of the halo around text that is written over lines, in CSS px.
pub const HALO_PX: f64 = 3.0;
/// Left margin of charts that have no lane names, in CSS px.
pub const MARGIN_LEFT_PX: f64 = 42.0;
/// Left margin of charts that have lane names, in CSS px.
pub const MARGIN_LANES_PX: f64 = 66.0;
/// Right margin of charts, in CSS px.
pub const MARGIN_RIGHT_PX: f64 = 12.0;
/// Top margin of charts, in CSS px.
pub const MARGIN_TOP_PX: f64 = 20.0;
/// Bottom margin of charts, in CSS px; it contains the ticks and the axis name.
pub const MARGIN_BOTTOM_PX: f64 = 36.0;
