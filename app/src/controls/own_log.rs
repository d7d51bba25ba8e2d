//! Imports the memory use of the user's engine from pasted lines of its start-up log.

use super::pasted::{PasteField, Taken, pasted};
use crate::part::not_loaded;
use crate::state::App;
use answer::controls::log::{read_log, taken};
use leptos::prelude::*;
use model_core::inputs::Inputs;
use model_core::startup_log::{LogError, StartupLog};

part!(config, log_part, load_log, read_log(text: String, inputs: Inputs) -> Result<(StartupLog, Inputs), LogError>);

/// Draws a field that reads lines of an engine's start-up log and sets weight memory, engine memory and reserve.
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
