//! Failures of a browser test.

use std::fmt;
use std::path::PathBuf;

/// The result of a browser test.
pub type Result<T = ()> = std::result::Result<T, Failure>;

/// A reason for a browser test to stop.
pub enum Failure {
    /// The test was misconfigured, or a program it needs did not start.
    Setup(String),
    /// The driver did not answer.
    Transport(String),
    /// The driver refused: `no such element`, `stale element reference`, …
    Refused {
        /// The request.
        command: String,
        /// WebDriver's name of the error.
        error: String,
        /// The driver's explanation.
        message: String,
    },
    /// A state of the page did not come in time.
    Waited {
        /// The expected state.
        wanted: String,
        /// The last state.
        seen: String,
    },
    /// The page did something that is never allowed: an error in the console, a request to another host.
    Manners(Vec<String>),
    /// A file could not be written.
    File(PathBuf, std::io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(what) => f.write_str(what),
            Self::Transport(what) => write!(f, "the driver does not answer: {what}"),
            Self::Refused {
                command,
                error,
                message,
            } => {
                // The first line; the rest is the driver's own stack.
                let message = message.lines().next().unwrap_or_default();
                write!(f, "{command}: {error} ({message})")
            }
            Self::Waited { wanted, seen } => {
                write!(f, "waited in vain for {wanted}\n  last seen: {seen}")
            }
            Self::Manners(faults) => write!(f, "the page misbehaved:\n  {}", faults.join("\n  ")),
            Self::File(path, cause) => write!(f, "could not write {}: {cause}", path.display()),
        }
    }
}

/// A test that returns a failure prints its `Debug`, so it reads like a message.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}
