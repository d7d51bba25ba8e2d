//! Reads and writes measurements in a permalink: `measured=12.8ms@8x7373+922,78u@4` and `measured_ttft=166ms@4194`.

use super::number::{read_number, write_number};
use super::quote::quote;
use crate::measurement::{
    MeasuredLengths, MeasuredPoint, MeasuredTime, MeasuredTtft, Measurements, TimeUnit,
};
use crate::number::Number;

/// Permalink key of the measured points.
pub const MEASURED: &str = "measured";
/// Permalink key of the measured TTFT.
pub const MEASURED_TTFT: &str = "measured_ttft";

/// A part of the permalink's `measured` key that is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadPoint {
    /// Position of the part in the comma-separated list, from 1.
    pub number: usize,
    /// Text of the part as written in the permalink, shortened if it is long.
    pub text: String,
    /// Reason why the part is not used, phrased to follow its text in a sentence.
    pub reason: String,
}

pub(super) fn read_points(value: &str) -> (Vec<MeasuredPoint>, Vec<UnreadPoint>) {
    let mut points = Vec::new();
    let mut unread = Vec::new();
    let parts = value.split(',').map(str::trim).enumerate();
    for (at, part) in parts.filter(|(_, part)| !part.is_empty()) {
        match read_point(part) {
            Ok(_) if points.len() == Measurements::MOST => {
                let reason = format!("is beyond the first {} points", Measurements::MOST);
                unread.push(unread_point(at, part, reason));
            }
            Ok(point) => points.push(point),
            Err(reason) => unread.push(unread_point(at, part, reason)),
        }
    }
    (points, unread)
}

fn unread_point(at: usize, part: &str, reason: String) -> UnreadPoint {
    UnreadPoint {
        number: at + 1,
        text: quote(&part.replace(' ', "+")),
        reason,
    }
}

/// Parses a measured point: `TIME[@BATCH[xCONTEXT | xPROMPT+OUTPUT]]`. URL decoding may have turned the plus into a
/// space.
fn read_point(part: &str) -> Result<MeasuredPoint, String> {
    let (time, load) = match part.split_once('@') {
        Some((time, load)) => (time, Some(load)),
        None => (part, None),
    };
    let mut point = MeasuredPoint::new(read_time(time)?);
    let Some(load) = load else {
        return Ok(point);
    };
    let (batch, lengths) = match load.split_once('x') {
        Some((batch, lengths)) => (batch, Some(lengths.trim())),
        None => (load, None),
    };
    point.batch = Some(read_part(Number::Batch, batch)?);
    point.lengths = match lengths.map(|text| (text, text.split_once(['+', ' ']))) {
        None => None,
        Some((_, Some((prompt, output)))) => Some(MeasuredLengths::Request {
            prompt: read_part(Number::MeanPrompt, prompt)?,
            output: read_part(Number::MeanOutput, output)?,
        }),
        Some((context, None)) => {
            let context = read_part(Number::Context, context)?;
            Some(MeasuredLengths::Context(context))
        }
    };
    Ok(point)
}

/// Parses a measured TTFT: `TIME[@PROMPT]`.
pub(super) fn read_ttft(value: &str) -> Result<MeasuredTtft, String> {
    let (time, prompt) = match value.split_once('@') {
        Some((time, prompt)) => (time, Some(prompt)),
        None => (value, None),
    };
    let time = read_time(time)?;
    if time.unit() == TimeUnit::PerUser {
        return Err("must be in ms or s".to_owned());
    }
    let prompt = prompt.map(|prompt| read_part(Number::MeanPrompt, prompt));
    Ok(MeasuredTtft {
        time,
        prompt: prompt.transpose()?,
    })
}

fn read_time(text: &str) -> Result<MeasuredTime, String> {
    let text = text.trim();
    let units = TimeUnit::ALL.into_iter();
    let mut stated =
        units.filter_map(|unit| Some((text.strip_suffix(unit.suffix())?.trim_end(), unit)));
    let number = stated
        .next()
        .and_then(|(digits, unit)| Some((digits.parse::<f64>().ok()?, unit)));
    let Some((value, unit)) = number else {
        return Err("is not a time (examples: 12.8ms, 0.0128s, or 78u for tok/s/user)".to_owned());
    };
    MeasuredTime::new(value, unit).ok_or_else(|| {
        let [least, most] = MeasuredTime::RANGE;
        format!("must be between {least:e} and {most:e} s")
    })
}

fn read_part(number: Number, text: &str) -> Result<f64, String> {
    let value = read_number(number, text);
    value.map_err(|error| format!("has a {} that {error}", number.spec().key))
}

/// Formats the measured points as they are written in a permalink; `None` if there are none.
pub(super) fn write_points(measured: &Measurements) -> Option<String> {
    let parts: Vec<String> = measured.points().map(|point| write_point(&point)).collect();
    (!parts.is_empty()).then(|| parts.join(","))
}

/// Formats a measured point as it is written in a permalink.
pub fn write_point(point: &MeasuredPoint) -> String {
    let mut text = write_time(point.time);
    if let Some(batch) = point.batch {
        text.push_str(&format!("@{}", write_number(Number::Batch, batch)));
        match point.lengths {
            None => {}
            Some(MeasuredLengths::Context(context)) => {
                text.push_str(&format!("x{}", write_number(Number::Context, context)));
            }
            Some(MeasuredLengths::Request { prompt, output }) => {
                let prompt = write_number(Number::MeanPrompt, prompt);
                let output = write_number(Number::MeanOutput, output);
                text.push_str(&format!("x{prompt}+{output}"));
            }
        }
    }
    text
}

pub(super) fn write_ttft(ttft: &MeasuredTtft) -> String {
    let time = write_time(ttft.time);
    match ttft.prompt {
        Some(prompt) => format!("{time}@{}", write_number(Number::MeanPrompt, prompt)),
        None => time,
    }
}

fn write_time(time: MeasuredTime) -> String {
    format!("{}{}", time.value(), time.unit().suffix())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> (Option<String>, usize) {
        let (points, unread) = read_points(text);
        (write_points(&Measurements::of(points)), unread.len())
    }

    #[test]
    fn points_are_read_and_written() {
        for text in [
            "12.8ms@8,34.6ms@62",
            "9.43ms@4x7373+922,46.91ms@63x7373+922",
            "119u@4",
            "0.0128s",
            "13.2ms@1x1000,16.9ms@32x4k",
            "1ms@36864x8k+1k",
        ] {
            assert_eq!(round(text), (Some(text.to_owned()), 0));
            assert_eq!(round(&text.replace('+', " ")), (Some(text.to_owned()), 0));
        }
        assert_eq!(round("12.345678ms"), (Some("12.3457ms".to_owned()), 0));
        assert_eq!(
            round("1e1ms@2k , 9ms"),
            (Some("10ms@2000,9ms".to_owned()), 0)
        );
    }

    #[test]
    fn unreadable_parts_leave_the_others() {
        for part in [
            "fast",
            "12",
            "ms",
            "nanms",
            "infs",
            "-1ms",
            "0u",
            "5ms@",
            "5ms@0",
            "5ms@1.5",
            "5ms@4x",
            "5ms@4x0",
            "5ms@4x1+",
            "5ms@4x1+2+3",
            "5ms@x4",
            "1e99s",
        ] {
            let (points, unread) = read_points(&format!("{part},15ms@16"));
            assert_eq!(points.len(), 1, "{part}");
            assert_eq!((unread.len(), unread[0].number), (1, 1), "{part}");
        }
        assert_eq!(read_points("10ms@0x7373 922").1[0].text, "10ms@0x7373+922");
        assert_eq!(round(&["1ms"; 10].join(",")).1, 2);
        assert_eq!(round(""), (None, 0));
    }

    #[test]
    fn times_to_first_token() {
        let round = |text| read_ttft(text).map(|ttft| write_ttft(&ttft));
        assert_eq!(round("166ms@4194"), Ok("166ms@4194".to_owned()));
        assert_eq!(round("0.08s"), Ok("0.08s".to_owned()));
        for text in ["78u", "x", "1s@x", ""] {
            assert!(round(text).is_err(), "{text}");
        }
    }
}
