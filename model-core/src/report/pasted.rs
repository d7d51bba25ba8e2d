//! The values read from pasted benchmark output, as `ridgepoint --read` prints them.

use crate::bench::{self, Point, Reading};
use crate::fields::fields;
use crate::inputs::{Inputs, Version};
use crate::permalink::write_inputs;
use crate::units::Seconds;

fields! {
    /// Values read from pasted benchmark output.
    ReadingFields(reading: &Reading, link: String) {
        format: Option<&'static str> = reading.formats.first().map(|format| format.id()),
        link: String = link,
        points: Vec<PointFields> =
            reading.points.iter().chain(&reading.rest).map(PointFields::of).collect(),
        notes: Vec<String> = reading.notes.iter().map(|note| note.id().into_owned()).collect(),
    }
}

fields! {
    /// A measured point from pasted benchmark output; values that cannot be derived from the text are left out.
    PointFields(point: &Point) {
        time_s: f64 = point.time.get(),
        source: &'static str = point.source.id(),
        #[serde(skip_serializing_if = "Option::is_none")]
        batch: Option<f64> = point.batch,
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt: Option<f64> = point.lengths.map(|(prompt, _)| prompt),
        #[serde(skip_serializing_if = "Option::is_none")]
        output: Option<f64> = point.lengths.map(|(_, output)| output),
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<f64> = point.context,
        #[serde(skip_serializing_if = "Option::is_none")]
        ttft_s: Option<f64> = point.ttft.map(Seconds::get),
        #[serde(skip_serializing_if = "Option::is_none")]
        decode_share: Option<f64> = point.decode_share,
        #[serde(skip_serializing_if = "Option::is_none")]
        in_flight: Option<f64> = point.in_flight,
        #[serde(skip_serializing_if = "Option::is_none")]
        decoding: Option<f64> = point.decoding,
        #[serde(skip_serializing_if = "Option::is_none")]
        fill: Option<f64> = point.fill,
        #[serde(skip_serializing_if = "Option::is_none")]
        tok_s_gpu: Option<f64> = point.per_gpu,
        #[serde(skip_serializing_if = "Option::is_none")]
        tokens_per_step: Option<f64> = point.tokens_per_step,
        #[serde(skip_serializing_if = "Option::is_none")]
        step_s: Option<f64> = point.step.map(Seconds::get),
    }
}

/// Reads pasted benchmark output. For everything that the text does not specify, uses the defaults of the newest
/// permalink version.
pub fn read(paste: &str) -> ReadingFields {
    let start = Inputs::defaults_of(Version::NEWEST);
    let reading = bench::read(paste, &start);
    let link = write_inputs(&reading.applied(&start));
    ReadingFields::of(&reading, link)
}
