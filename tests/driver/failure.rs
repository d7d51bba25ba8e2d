//! Failures of a browser test.

use std::fmt;
use std::path::PathBuf;

/// Result of a browser test.
pub type Result<T = ()> = std::result::Result<T, Failure>;

/// A reason for which a browser test stops.
pub enum Failure {
    /// The test was misconfigured, or a program that it needs did not start.
    Setup(String),
    /// The WebDriver server did not answer.
    Transport(String),
    /// The WebDriver server refused a command with an error such as `no such element` or `stale element reference`.
    Refused {
        /// The WebDriver request that was refused.
        command: String,
        /// WebDriver's name of the error, such as `no such element`.
        error: String,
        /// The WebDriver server's explanation of the error.
        message: String,
    },
    /// The page did not reach an expected state in time.
    Waited {
        /// The state that the test waited for.
        wanted: String,
        /// The last state that was observed before the timeout.
        seen: String,
    },
    /// The page did something that is never allowed, such as an error in the console or a request to another host.
    Manners(Vec<String>),
    /// A file or folder could not be read or written.
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
                // Only the first line: the rest is the driver's stack trace.
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

/// Prints a failure in readable form, because a test that returns a failure prints its `Debug`.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}
