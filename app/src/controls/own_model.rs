//! A model of the visitor's own: a pasted or dropped Hugging Face `config.json`.

use crate::part::not_loaded;
use crate::state::App;
use leptos::ev;
use leptos::prelude::*;
use model_core::arch::hf_config::{self, ConfigError, Imported};
use model_core::inputs::Model;
use wasm_bindgen_futures::JsFuture;

/// Result of reading the last text.
#[derive(Debug, Clone, PartialEq)]
enum Read {
    Nothing,
    Taken { name: String, caveats: Vec<String> },
    Refused(String),
}

part!(config, config_part, load_config, read_config(text: String) -> Result<Imported, ConfigError>);

fn read_config(text: String) -> Result<Imported, ConfigError> {
    hf_config::read(&text)
}

/// Reads a `config.json`, once what can read it is there.
async fn config(text: String) -> Result<Imported, String> {
    match config_part(text).await {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err(format!("{}.", not_loaded("What reads it").await)),
    }
}

/// Field that takes a `config.json`.
pub fn own_model(app: App) -> AnyView {
    let read = RwSignal::new(Read::Nothing);
    let over = RwSignal::new(false);
    let turn = StoredValue::new(0_u32);
    let take = move |text: String| {
        let asked = turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        });
        if text.trim().is_empty() {
            read.set(Read::Nothing);
            return;
        }
        leptos::task::spawn_local(async move {
            let imported = config(text).await;
            // Something else has been typed since, or the reader has gone.
            if turn.try_get_value() != asked {
                return;
            }
            read.set(match imported {
                Ok(imported) => {
                    app.edit(|inputs| inputs.model = Model::Custom(imported.arch));
                    Read::Taken {
                        name: imported.name.unwrap_or_else(|| "Your model".to_owned()),
                        caveats: imported.caveats.iter().map(ToString::to_string).collect(),
                    }
                }
                Err(why) => Read::Refused(why),
            });
        });
    };
    let drop = move |event: ev::DragEvent| {
        event.prevent_default();
        over.set(false);
        let Some(data) = event.data_transfer() else {
            return;
        };
        match data.files().and_then(|files| files.get(0)) {
            Some(file) => leptos::task::spawn_local(async move {
                let text = JsFuture::from(file.text()).await;
                take(
                    text.ok()
                        .and_then(|text| text.as_string())
                        .unwrap_or_default(),
                );
            }),
            None => take(data.get_data("text").unwrap_or_default()),
        }
    };
    view! {
        <details class="own-model">
            <summary>"Your own: paste or drop a config.json"</summary>
            <textarea
                rows="4"
                spellcheck="false"
                aria-label="Hugging Face config.json"
                placeholder="{ \"architectures\": …, \"hidden_size\": … }"
                class:over=move || over.get()
                on:input=move |event| take(event_target_value(&event))
                on:dragover=move |event: ev::DragEvent| {
                    event.prevent_default();
                    over.set(true);
                }
                on:dragleave=move |_| over.set(false)
                on:drop=drop
            ></textarea>
            <div aria-live="polite">
                {move || match read.get() {
                    Read::Nothing => ().into_any(),
                    Read::Refused(why) => view! { <p class="tone-bad">{why}</p> }.into_any(),
                    Read::Taken { name, caveats } => {
                        view! {
                            <p>{format!("{name} is read; its shape is in the link now.")}</p>
                            {caveats
                                .into_iter()
                                .map(|caveat| view! { <p class="origin-caveat">{caveat}</p> })
                                .collect_view()}
                        }
                            .into_any()
                    }
                }}
            </div>
        </details>
    }
    .into_any()
}
