//! Measurements of the user's deployment, as given in a permalink.

use crate::named::named;
use crate::number::Number;
use crate::units::Seconds;

named! {
    /// Use of the user's measurements: to correct computed times, or only for comparison with them.
    pub enum Anchoring {
        /// Computed times are corrected by the measurements.
        On = "on",
        /// Measurements are compared with computed times, which are not corrected.
        Off = "off",
    }
}

/// Unit of a measured time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum TimeUnit {
    /// Milliseconds.
    Millis,
    /// Seconds.
    Seconds,
    /// Tokens per second for one user.
    PerUser,
}

impl TimeUnit {
    /// All units. If one suffix ends with another, the unit with the longer suffix comes first: `ms` before `s`.
    pub const ALL: [Self; 3] = [Self::Millis, Self::Seconds, Self::PerUser];

    /// Returns the suffix of the unit in a permalink.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Millis => "ms",
            Self::Seconds => "s",
            Self::PerUser => "u",
        }
    }
}

/// Measured time, in the unit in which it was entered.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredTime {
    value: f64,
    unit: TimeUnit,
}

impl MeasuredTime {
    /// Shortest and longest time allowed, in seconds.
    pub const RANGE: [f64; 2] = [1e-9, 1e6];

    /// Creates a time, rounded to the six digits that a permalink holds; `None` outside [`Self::RANGE`].
    pub fn new(value: f64, unit: TimeUnit) -> Option<Self> {
        let value = format!("{value:.5e}").parse().unwrap_or(value);
        let time = Self { value, unit };
        let [least, most] = Self::RANGE;
        (value > 0.0 && (least..=most).contains(&time.seconds().get())).then_some(time)
    }

    /// Returns the time in seconds.
    pub fn seconds(self) -> Seconds {
        Seconds::new(match self.unit {
            TimeUnit::Millis => self.value * 1e-3,
            TimeUnit::Seconds => self.value,
            TimeUnit::PerUser => 1.0 / self.value,
        })
    }

    /// Returns the number as entered, in [`Self::unit`].
    pub const fn value(self) -> f64 {
        self.value
    }

    /// Returns the unit in which the time was entered.
    pub const fn unit(self) -> TimeUnit {
        self.unit
    }
}

/// Request lengths, or context length, of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum MeasuredLengths {
    /// Mean context length per sequence, in tokens.
    Context(f64),
    /// Mean lengths of a request, in tokens.
    Request {
        /// Mean prompt length in tokens.
        prompt: f64,
        /// Mean output length in tokens.
        output: f64,
    },
}

/// Measured time per output token for one user, as seen by a client.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredPoint {
    /// Measured time per output token.
    pub time: MeasuredTime,
    /// Concurrent sequences per replica; `None` for the scenario's batch.
    pub batch: Option<f64>,
    /// Request lengths or context; `None` for those of the scenario.
    pub lengths: Option<MeasuredLengths>,
}

impl MeasuredPoint {
    /// Creates a measurement at the scenario's batch and lengths.
    pub const fn new(time: MeasuredTime) -> Self {
        Self {
            time,
            batch: None,
            lengths: None,
        }
    }

    /// Returns true if every number of the measurement is within the range of its permalink key.
    pub fn is_allowed(&self) -> bool {
        let lengths = match self.lengths {
            None => true,
            Some(MeasuredLengths::Context(context)) => Number::Context.allows(context),
            Some(MeasuredLengths::Request { prompt, output }) => {
                Number::MeanPrompt.allows(prompt) && Number::MeanOutput.allows(output)
            }
        };
        lengths && self.batch.is_none_or(|batch| Number::Batch.allows(batch))
    }
}

/// Measured TTFT of one request, on an otherwise idle engine that runs both prefill and decode.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredTtft {
    /// Measured TTFT.
    pub time: MeasuredTime,
    /// Prompt length in tokens; `None` for that of the scenario.
    pub prompt: Option<f64>,
}

/// Measurements of one deployment, made by the user.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Measurements {
    points: [Option<MeasuredPoint>; Measurements::MOST],
    /// Measured TTFT, if given.
    pub ttft: Option<MeasuredTtft>,
}

impl Measurements {
    /// Maximum number of measured points.
    pub const MOST: usize = 8;
    /// Empty set of measurements.
    pub const NONE: Self = Self {
        points: [None; Self::MOST],
        ttft: None,
    };

    /// Creates measurements from points. Points with a number outside the range of its key are skipped, and only the
    /// first [`Self::MOST`] valid points are used.
    pub fn of(points: impl IntoIterator<Item = MeasuredPoint>) -> Self {
        let mut measured = Self::NONE;
        let allowed = points.into_iter().filter(MeasuredPoint::is_allowed);
        for (place, point) in measured.points.iter_mut().zip(allowed) {
            *place = Some(point);
        }
        measured
    }

    /// Returns the points, in the order in which they were given.
    pub fn points(&self) -> impl Iterator<Item = MeasuredPoint> + use<> {
        self.points.into_iter().flatten()
    }

    /// Returns true if there is neither a point nor a TTFT.
    pub const fn is_empty(&self) -> bool {
        self.points[0].is_none() && self.ttft.is_none()
    }
}
