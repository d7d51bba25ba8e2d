//! Imports the user's model from a pasted or dropped Hugging Face `config.json`.

use super::pasted::{PasteField, Taken, pasted};
use crate::part::not_loaded;
use crate::state::App;
use answer::page::presets;
use leptos::prelude::*;
use model_core::arch::hf_config::{self, ConfigError, Imported};
use model_core::inputs::{Model, Number};
use model_core::label::Label;
use model_core::limits::with_room;

part!(config, config_part, load_config, read_config(text: String) -> Result<Imported, ConfigError>);

fn read_config(text: String) -> Result<Imported, ConfigError> {
    hf_config::read(&text)
}

/// Reads a `config.json` after loading the program part that parses it.
async fn config(text: String) -> Result<Imported, String> {
    match config_part(text).await {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err(format!("{}.", not_loaded("The config reader").await)),
    }
}

/// Returns the model parts that were left out or assumed, then the config keys that were ignored.
fn caveats(imported: &Imported) -> Vec<String> {
    let mut caveats: Vec<_> = imported.caveats.iter().map(ToString::to_string).collect();
    if !imported.unread.is_empty() {
        caveats.push(format!("Ignored keys: {}.", imported.unread.join(", ")));
    }
    caveats
}

/// Draws a field that reads a pasted or dropped `config.json`.
pub fn own_model(app: App) -> AnyView {
    let field = PasteField {
        summary: "Custom: paste or drop a config.json",
        label: "Hugging Face config.json",
        placeholder: "{ \"architectures\": …, \"hidden_size\": … }",
        rows: "4",
    };
    pasted(field, config, move |imported| {
        let caveats = caveats(&imported);
        let name = imported.name.unwrap_or_else(|| "Your model".to_owned());
        app.change(|link| {
            presets::leave(link);
            let inputs = &mut link.current;
            inputs.model = Model::Custom(imported.arch);
            inputs.model_label = Label::of(name.rsplit('/').next().unwrap_or(&name));
            inputs.state(Number::TableGib, imported.table_gib);
            *inputs = with_room(inputs);
        });
        Taken {
            result: format!("Loaded {name}; its shape is now in the permalink."),
            caveats,
        }
    })
}
