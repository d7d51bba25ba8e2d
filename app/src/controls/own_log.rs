//! Memory from the user's engine: pasted lines of its start-up log.

use super::pasted::{PasteField, Taken, pasted};
use crate::part::not_loaded;
use crate::state::App;
use answer::words::format;
use leptos::prelude::*;
use model_core::inputs::Inputs;
use model_core::startup_log::{self, LogError, StartupLog};

part!(config, log_part, load_log, read_log(text: String, inputs: Inputs) -> Result<(StartupLog, Inputs), LogError>);

fn read_log(text: String, inputs: Inputs) -> Result<(StartupLog, Inputs), LogError> {
    let log = startup_log::read(&text)?;
    Ok((log, log.applied(&inputs)?))
}

/// "Set weights 14.99 GiB, KV cache 51.38 GiB, utilization 0.9.", and what the text does not have.
fn taken(log: &StartupLog) -> [String; 2] {
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

/// Field that takes lines of a start-up log, and sets weights, engine memory and reserve.
pub fn own_log(app: App) -> AnyView {
    let field = PasteField {
        summary: "Your engine’s memory: paste its start-up log",
        label: "Lines of the engine’s start-up log",
        placeholder: "Model loading took 14.99 GiB… Available KV cache memory: 51.38 GiB",
        rows: "3",
    };
    let read = move |text: String| async move {
        match log_part(text, app.current.get_untracked()).await {
            Ok(found) => found.map_err(|why| format!("{why}.")),
            Err(_) => Err(format!("{}.", not_loaded("The log reader").await)),
        }
    };
    pasted(field, read, move |(log, set)| {
        app.edit(|inputs| *inputs = set);
        Taken {
            result: String::new(),
            caveats: taken(&log).into(),
        }
    })
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
