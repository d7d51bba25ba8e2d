//! A field that reads a pasted or dropped text and shows the values found in it.

use super::show::show_element;
use answer::words::format;
use js_sys::JsString;
use leptos::prelude::*;
use leptos::{ev, html};
use std::future::Future;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Max bytes read from a file: one byte more than any parser accepts, so that a longer file is rejected.
const MOST_BYTES: i32 = 1_000_001;
/// Max length of a typed, pasted or dropped text, checked before the text is copied from the browser.
const LONGEST: u32 = 1_000_000;

/// Texts and height of a paste field.
#[derive(Clone, Copy)]
pub struct PasteField {
    /// Title of the collapsed field; a click on the title opens the field.
    pub summary: &'static str,
    /// Name of the field for screen readers.
    pub label: &'static str,
    /// Example text, shown while the field is empty.
    pub placeholder: &'static str,
    /// Height of the field, in lines of text.
    pub rows: &'static str,
}

/// Result of reading the last text, as shown to the user.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    Nothing,
    Taken(Taken),
    Refused(String),
}

/// Result of reading a pasted text, as shown to the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// Sentence about the values that were read; empty if the caveats are enough.
    pub result: String,
    /// Parts of the pasted text that were left out, and values that were assumed.
    pub caveats: Vec<String>,
}

/// Draws a paste field. `read` parses the text or returns why it cannot be read; `take` applies the parsed value and
/// describes it.
pub fn pasted<T, F>(
    field: PasteField,
    read: impl Fn(String) -> F + Copy + Send + Sync + 'static,
    take: impl Fn(T) -> Taken + Copy + Send + Sync + 'static,
) -> AnyView
where
    T: 'static,
    F: Future<Output = Result<T, String>> + 'static,
{
    let said = RwSignal::new(Said::Nothing);
    let over = RwSignal::new(false);
    let node = NodeRef::<html::Div>::new();
    // The report appears below the field and may be out of view.
    Effect::new(move |_| {
        if said.with(|said| *said != Said::Nothing)
            && let Some(words) = node.get_untracked()
        {
            request_animation_frame(move || show_element(&words));
        }
    });
    let turn = StoredValue::new(0_u32);
    let enter = move |text: String| {
        let asked = turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        });
        if text.trim().is_empty() {
            said.set(Said::Nothing);
            return;
        }
        leptos::task::spawn_local(async move {
            let found = read(text).await;
            // Discard the result if the text has changed since, or if the field has been removed.
            if turn.try_get_value() == asked {
                said.set(found.map_or_else(Said::Refused, |found| Said::Taken(take(found))));
            }
        });
    };
    let fits = move |length: f64| {
        let fits = length <= f64::from(LONGEST);
        if !fits {
            let megabytes = format::sig3(length / 1e6);
            said.set(Said::Refused(format!(
                "The text has {megabytes} MB; max {} MB.",
                LONGEST / 1_000_000
            )));
        }
        fits
    };
    let drop = move |event: ev::DragEvent| {
        over.set(false);
        if fits(size_of(&event)) {
            dropped(&event, enter);
        } else {
            event.prevent_default();
            event.stop_propagation();
        }
    };
    let typed = move |event: ev::Event| {
        let length = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::HtmlTextAreaElement>().ok())
            .map_or(0, |area| area.text_length());
        if fits(f64::from(length)) {
            enter(event_target_value(&event));
        }
    };
    view! {
        <details class="own-model">
            <summary>{field.summary}</summary>
            <textarea
                rows=field.rows
                spellcheck="false"
                aria-label=field.label
                placeholder=field.placeholder
                class:over=move || over.get()
                on:input=typed
                on:dragover=move |event: ev::DragEvent| {
                    event.prevent_default();
                    over.set(true);
                }
                on:dragleave=move |_| over.set(false)
                on:drop=drop
            ></textarea>
            <div aria-live="polite" node_ref=node>{move || words(said.get())}</div>
        </details>
    }
    .into_any()
}

/// Returns the size in bytes of the dropped files, or the length of a dropped text, without copying the text from the
/// browser.
fn size_of(event: &ev::DragEvent) -> f64 {
    let Some(data) = event.data_transfer() else {
        return 0.0;
    };
    match data.files().filter(|files| files.length() > 0) {
        Some(files) => (0..files.length())
            .filter_map(|at| files.get(at))
            .map(|file| file.size())
            .sum(),
        None => {
            let text = data.unchecked_ref::<DroppedText>().data("text");
            text.map_or(0.0, |text| f64::from(text.length()))
        }
    }
}

#[wasm_bindgen]
extern "C" {
    /// A `DataTransfer` whose text can be measured without copying it.
    type DroppedText;
    #[wasm_bindgen(method, js_name = getData, catch)]
    fn data(this: &DroppedText, format: &str) -> Result<JsString, JsValue>;
}

/// Passes dropped files or a dropped text to `take`. Reads at most `MOST_BYTES` bytes of each file.
pub fn dropped(event: &ev::DragEvent, take: impl Fn(String) + 'static) {
    event.prevent_default();
    event.stop_propagation();
    let Some(data) = event.data_transfer() else {
        return;
    };
    match data.files().filter(|files| files.length() > 0) {
        Some(files) => read_files(files, take),
        None => take(data.get_data("text").unwrap_or_default()),
    }
}

/// Reads the beginning of each file in order and passes the joined texts to `take`.
pub fn read_files(files: web_sys::FileList, take: impl Fn(String) + 'static) {
    leptos::task::spawn_local(async move {
        let mut texts = Vec::new();
        for at in 0..files.length() {
            let Some(file) = files.get(at) else { continue };
            let Ok(start) = file.slice_with_i32_and_i32(0, MOST_BYTES) else {
                continue;
            };
            let text = JsFuture::from(start.text()).await.ok();
            texts.extend(text.and_then(|text| text.as_string()));
        }
        take(texts.join("\n"));
    });
}

fn words(said: Said) -> AnyView {
    match said {
        Said::Nothing => ().into_any(),
        Said::Refused(why) => view! { <p class="tone-bad">{why}</p> }.into_any(),
        Said::Taken(Taken { result, caveats }) => view! {
            {(!result.is_empty()).then(|| view! { <p>{result}</p> })}
            {caveats
                .into_iter()
                .map(|caveat| view! { <p class="origin-caveat">{caveat}</p> })
                .collect_view()}
        }
        .into_any(),
    }
}
