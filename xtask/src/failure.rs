//! Failures of a command, with advice to the user.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// Result of every command.
pub type Result<T> = std::result::Result<T, Failure>;

/// A failure with its facts; `Display` formats them as sentences.
#[derive(Debug)]
pub enum Failure {
    /// The command line is invalid.
    Usage(String),
    /// A program could not be started.
    Start {
        program: String,
        cause: io::Error,
        advice: String,
    },
    /// A program ran and failed.
    Exit {
        doing: String,
        status: ExitStatus,
        advice: String,
    },
    /// A file or folder could not be read or written.
    File {
        doing: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    /// A prerequisite is missing and cannot be installed from here.
    Missing { what: String, advice: String },
    /// A check found a wrong result.
    Wrong { what: String, advice: String },
    /// The failure was already reported where it happened.
    Told,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(what) => f.write_str(what),
            Self::Start {
                program,
                cause,
                advice,
            } => {
                write!(f, "`{program}` could not be started: {cause}")?;
                advise(f, advice)
            }
            Self::Exit {
                doing,
                status,
                advice,
            } => {
                write!(f, "{doing} failed ({status}); what it said is above")?;
                advise(f, advice)
            }
            Self::File { doing, path, cause } => {
                write!(f, "could not {doing} {}: {cause}", path.display())
            }
            Self::Missing { what, advice } | Self::Wrong { what, advice } => {
                f.write_str(what)?;
                advise(f, advice)
            }
            Self::Told => Ok(()),
        }
    }
}

fn advise(f: &mut fmt::Formatter<'_>, advice: &str) -> fmt::Result {
    if advice.is_empty() {
        Ok(())
    } else {
        write!(f, "\n  what to do: {advice}")
    }
}
