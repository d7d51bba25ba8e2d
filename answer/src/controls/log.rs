//! Reads memory sizes from an engine's start-up log.

use crate::words::format;
use model_core::inputs::Inputs;
use model_core::startup_log::{self, LogError, StartupLog};

/// Parses a start-up log. Returns the log, and `inputs` with the log's memory sizes applied. Fails if nothing was
/// found, or if the values found contradict each other.
pub fn read_log(text: String, inputs: Inputs) -> Result<(StartupLog, Inputs), LogError> {
    let log = startup_log::read(&text)?;
    Ok((log, log.applied(&inputs)?))
}

/// Returns two sentences: the values read ("Read: weights 14.99 GiB, KV cache 51.38 GiB.") and those missing from the
/// log.
pub fn taken(log: &StartupLog) -> [String; 2] {
    let (mut read, mut absent) = (Vec::new(), Vec::new());
    for (name, unit, value) in log.figures() {
        match value {
            Some(value) => read.push(format!("{name} {}{unit}", format::printed(value))),
            None => absent.push(name),
        }
    }
    let absent = match absent.is_empty() {
        true => String::new(),
        false => format!("Not in the log: {}.", absent.join(", ")),
    };
    [format!("Read: {}.", read.join(", ")), absent]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_listed_as_read_and_missing() {
        let text = "Model loading took 14.99 GiB\nAvailable KV cache memory: 51.38 GiB";
        let inputs = model_core::permalink::read("v=3&model=llama-3.1-8b&gpu=h100").current;
        let (log, _) = read_log(text.to_owned(), inputs).unwrap();
        assert_eq!(
            taken(&log),
            [
                "Read: weights 14.99 GiB, KV cache 51.38 GiB.",
                "Not in the log: KV cache tokens, CUDA graphs, utilization."
            ]
        );
    }
}
