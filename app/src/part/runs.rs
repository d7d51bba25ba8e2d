//! The table of measured runs. It is fetched as a separate file, because the first screen does not need it.

use crate::state::App;
use crate::state::lasting::Lasting;
use answer::benchmark::started_from;
use answer::{overlay, runs};
use leptos::prelude::*;
use leptos::task::spawn_local;
use model_core::inputs::Inputs;
use model_core::measured::Run;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Returns the table as text; `app/start.js` fetches it.
    #[wasm_bindgen(js_namespace = ridgepoint, js_name = measured, catch)]
    async fn table() -> Result<JsValue, JsValue>;
}

part!(evidence, evidence_part, load_evidence, provide(table: &'static str) -> ());

fn provide(table: &'static str) {
    runs::provide(table, overlay::nearest);
}

part!(evidence, start_part, load_start, start(run: &'static Run) -> Option<Inputs>);

fn start(run: &'static Run) -> Option<Inputs> {
    started_from(run)
}

/// Opens a published run's scenario, with the run's measured series as the scenario's measurements.
pub fn start_from(app: App, run: &'static Run) {
    spawn_local(async move {
        if let Ok(Some(inputs)) = start_part(run).await {
            app.change(|link| {
                link.current = inputs;
                link.pinned = None;
            });
            app.measure(None);
        }
    });
}

/// Waits for the table of measured runs; returns true if it has loaded.
pub async fn arrived(here: Lasting<RwSignal<bool>>) -> bool {
    if runs::known().is_none() {
        let Some(text) = table().await.ok().and_then(|text| text.as_string()) else {
            return false;
        };
        // The leak happens once in the life of the page.
        if evidence_part(text.leak()).await.is_err() {
            return false;
        }
        here.set(true);
    }
    true
}
