//! Measurements of the user's own deployment, as a link states them.

use crate::named::named;
use crate::number::Number;
use crate::units::Seconds;

named! {
    /// Use of the stated measurements.
    pub enum Anchoring {
        /// Computed times are corrected by them.
        On = "on",
        /// They are compared with computed times, which stay as they are.
        Off = "off",
    }
}

/// Unit of a stated time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum TimeUnit {
    /// Milliseconds.
    Millis,
    /// Seconds.
    Seconds,
    /// Tokens per second of one user.
    PerUser,
}

impl TimeUnit {
    /// All units; a suffix follows those that end like it.
    pub const ALL: [Self; 3] = [Self::Millis, Self::Seconds, Self::PerUser];

    /// Suffix in a link.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Millis => "ms",
            Self::Seconds => "s",
            Self::PerUser => "u",
        }
    }
}

/// A measured time, in the unit it was stated in.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredTime {
    value: f64,
    unit: TimeUnit,
}

impl MeasuredTime {
    /// Shortest and longest time in seconds.
    pub const RANGE: [f64; 2] = [1e-9, 1e6];

    /// A time, to the six digits that a link states; `None` outside [`Self::RANGE`].
    pub fn new(value: f64, unit: TimeUnit) -> Option<Self> {
        let value = format!("{value:.5e}").parse().unwrap_or(value);
        let time = Self { value, unit };
        let [least, most] = Self::RANGE;
        (value > 0.0 && (least..=most).contains(&time.seconds().get())).then_some(time)
    }

    /// The time.
    pub fn seconds(self) -> Seconds {
        Seconds::new(match self.unit {
            TimeUnit::Millis => self.value * 1e-3,
            TimeUnit::Seconds => self.value,
            TimeUnit::PerUser => 1.0 / self.value,
        })
    }

    /// The set number, in [`Self::unit`].
    pub const fn value(self) -> f64 {
        self.value
    }

    /// The unit it was stated in.
    pub const fn unit(self) -> TimeUnit {
        self.unit
    }
}

/// Request lengths or context of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum MeasuredLengths {
    /// Mean tokens of context per sequence.
    Context(f64),
    /// Mean tokens of a request.
    Request {
        /// Tokens of the prompt.
        prompt: f64,
        /// Tokens of the output.
        output: f64,
    },
}

/// A measured time per output token of a user, as a client sees it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredPoint {
    /// Time per output token.
    pub time: MeasuredTime,
    /// Concurrent sequences of a replica; `None` for the scenario's.
    pub batch: Option<f64>,
    /// Lengths; `None` for the scenario's.
    pub lengths: Option<MeasuredLengths>,
}

impl MeasuredPoint {
    /// A measured time at the scenario's batch and lengths.
    pub const fn new(time: MeasuredTime) -> Self {
        Self {
            time,
            batch: None,
            lengths: None,
        }
    }

    /// True if every number is within the range of its key.
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

/// A measured time to first token of one request in an idle engine that also decodes.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredTtft {
    /// Time to first token.
    pub time: MeasuredTime,
    /// Tokens of its prompt; `None` for the scenario's.
    pub prompt: Option<f64>,
}

/// Measurements of one deployment.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Measurements {
    points: [Option<MeasuredPoint>; Measurements::MOST],
    /// Time to first token, if stated.
    pub ttft: Option<MeasuredTtft>,
}

impl Measurements {
    /// Max points.
    pub const MOST: usize = 8;
    /// No measurements.
    pub const NONE: Self = Self {
        points: [None; Self::MOST],
        ttft: None,
    };

    /// The first [`Self::MOST`] of these points whose numbers are within the ranges of their keys.
    pub fn of(points: impl IntoIterator<Item = MeasuredPoint>) -> Self {
        let mut measured = Self::NONE;
        let allowed = points.into_iter().filter(MeasuredPoint::is_allowed);
        for (place, point) in measured.points.iter_mut().zip(allowed) {
            *place = Some(point);
        }
        measured
    }

    /// The points, in the order stated.
    pub fn points(&self) -> impl Iterator<Item = MeasuredPoint> + use<> {
        self.points.into_iter().flatten()
    }

    /// True without a point and a time to first token.
    pub const fn is_empty(&self) -> bool {
        self.points[0].is_none() && self.ttft.is_none()
    }
}
