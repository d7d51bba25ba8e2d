//! Reads and writes numbers in a permalink or an input field.

use crate::number::{Notation, Number};

/// Reasons why a text cannot be read as a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReadError {
    /// The text is not a number in the expected notation.
    NotANumber,
    /// The number has a fractional part, but a whole number is expected.
    NotWhole,
    /// The number is below [`Number::FINEST`], but not 0.
    TooSmall,
    /// The number is outside its allowed range.
    OutOfRange {
        /// The input whose allowed range is violated.
        number: Number,
    },
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotANumber => out.write_str("is not a number"),
            Self::NotWhole => out.write_str("must be a whole number"),
            Self::TooSmall => write!(out, "must be 0 or ≥ {:e}", Number::FINEST),
            Self::OutOfRange { number } => {
                let spec = number.spec();
                let most = write_number(*number, spec.most);
                if spec.above_least {
                    write!(out, "must be > 0 and ≤ {most}")
                } else {
                    let least = write_number(*number, spec.least);
                    write!(out, "must be between {least} and {most}")
                }
            }
        }
    }
}

/// Parses a number such as `18,432`, `32k`, `1.5M`, `400Gb`, `0.08T` or `80 GB/s`.
pub fn read_number(number: Number, text: &str) -> Result<f64, ReadError> {
    let value = parse(number.spec().notation, text).ok_or(ReadError::NotANumber)?;
    if number.spec().notation == Notation::Count && value.fract() != 0.0 {
        return Err(ReadError::NotWhole);
    }
    if number.allows(value) {
        Ok(value)
    } else if value > 0.0 && value < Number::FINEST {
        Err(ReadError::TooSmall)
    } else {
        Err(ReadError::OutOfRange { number })
    }
}

/// Permalink key for an SLO in milliseconds per token.
pub const PER_TOKEN: &str = "tpot";

/// Parses a time in milliseconds per token, such as `40` or `40ms`, and returns the SLO in tok/s/user.
pub fn read_per_token(text: &str) -> Result<f64, ReadError> {
    let number = Number::Slo;
    let text = text.trim().trim_end_matches("ms");
    let millis = parse(Notation::Plain, text).ok_or(ReadError::NotANumber)?;
    let rate = tidy(1000.0 / millis);
    if number.allows(rate) {
        Ok(rate)
    } else {
        Err(ReadError::OutOfRange { number })
    }
}

fn parse(notation: Notation, text: &str) -> Option<f64> {
    let text: String = text
        .chars()
        .filter(|c| !matches!(c, '_' | ',') && !c.is_whitespace())
        .collect();
    let (digits, unit) = split_unit(&text);
    if digits.is_empty() || !digits.chars().any(|c| c.is_ascii_digit()) {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    let factor = match notation {
        Notation::Count => match unit {
            "" => 1.0,
            "k" | "K" => 1e3,
            "M" => 1e6,
            "G" => 1e9,
            _ => return None,
        },
        Notation::Context => match unit {
            "" => 1.0,
            "k" | "K" => 1024.0,
            "M" => 1_048_576.0,
            _ => return None,
        },
        Notation::Bandwidth => bandwidth_in_gb(unit)?,
        Notation::Tera => match unit.trim_end_matches("FLOP/s").trim_end_matches("FLOPS") {
            "" | "T" => 1.0,
            "P" | "k" | "K" => 1e3,
            "G" => 1e-3,
            _ => return None,
        },
        Notation::Plain => plain_factor(unit)?,
    };
    // 0.08 T is 80 G to a person, but the binary product is 80.00000000000001 or so.
    Some(tidy(value * factor))
}

/// Splits a number from its unit: `400Gb` into `400` and `Gb`. An exponent (`1e7`) counts as part of the number.
fn split_unit(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let exponent = matches!(bytes[end], b'e' | b'E')
            && bytes.get(end + 1).is_some_and(|next| {
                next.is_ascii_digit()
                    || (matches!(next, b'+' | b'-')
                        && bytes.get(end + 2).is_some_and(u8::is_ascii_digit))
            });
        let sign = matches!(bytes[end], b'+' | b'-')
            && (end == 0 || matches!(bytes[end - 1], b'e' | b'E'));
        if bytes[end].is_ascii_digit() || bytes[end] == b'.' || exponent || sign {
            end += 1;
        } else {
            break;
        }
    }
    text.split_at(end)
}

/// Returns the factor that converts a bandwidth unit to GB/s; `None` for an unknown unit. A unit that ends in `b` or
/// `bit`, before an optional `/s` or `ps`, is in bits; any other unit is in bytes.
fn bandwidth_in_gb(unit: &str) -> Option<f64> {
    let rate = unit
        .strip_suffix("/s")
        .or_else(|| unit.strip_suffix("ps"))
        .unwrap_or(unit);
    let (prefix, bits) = match rate.strip_suffix('b') {
        Some(prefix) => (prefix, true),
        None => (
            rate.strip_suffix("bit").unwrap_or(rate),
            rate.ends_with("bit"),
        ),
    };
    let prefix = if bits {
        prefix
    } else {
        prefix.strip_suffix('B').unwrap_or(prefix)
    };
    let factor = match prefix {
        "" if rate.is_empty() => 1.0,
        "M" => 1e-3,
        "G" | "g" => 1.0,
        "T" => 1e3,
        _ => return None,
    };
    Some(if bits { factor / 8.0 } else { factor })
}

/// Returns the conversion factor of a unit that may be typed after the number, such as the unit displayed next to the
/// input field.
fn plain_factor(unit: &str) -> Option<f64> {
    match unit {
        "" | "GiB" | "µs" | "us" | "W" | "B" | "×" | "x" => Some(1.0),
        "%" => Some(0.01),
        _ => None,
    }
}

/// Rounds to fifteen significant digits, which removes the rounding error of unit conversion.
fn tidy(value: f64) -> f64 {
    format!("{value:.14e}").parse().unwrap_or(value)
}

/// Formats a number so that it reads back as the same value. A context that is a multiple of 1024 becomes, for
/// example, `32k`; other numbers are plain digits.
pub fn write_number(number: Number, value: f64) -> String {
    if number.spec().notation == Notation::Context && value >= 1024.0 {
        for (unit, size) in [("M", 1_048_576.0), ("k", 1024.0)] {
            let scaled = value / size;
            if scaled >= 1.0 && scaled.fract() == 0.0 {
                return format!("{scaled}{unit}");
            }
        }
    }
    format!("{value}")
}
