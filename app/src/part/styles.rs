//! Style sheets of a program part. index.html contains them in a `<template>`, so that no browser fetches them before
//! they are needed.

use gloo_events::EventListener;
use js_sys::{Array, Promise};
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DocumentFragment, Element, HtmlTemplateElement};

/// Adds missing style sheets to the page. Each promise resolves to true or false: its sheet has loaded or failed. The
/// promises never reject, because nobody handles a rejection if the part's program fails to load first.
pub fn wanted(names: &[&str]) -> Vec<Promise> {
    names.iter().filter_map(|name| put(name)).collect()
}

/// Adds all style sheets to the page.
pub fn all() {
    if let Some(sheets) = sheets()
        && let Some(head) = document().head()
    {
        drop(head.append_child(&sheets));
    }
}

/// Waits for all style sheets; returns true if every one has loaded.
pub async fn arrived(sheets: Vec<Promise>) -> bool {
    let all = Promise::all(&sheets.into_iter().collect::<Array>());
    let came = JsFuture::from(all).await;
    came.is_ok_and(|all| Array::from(&all).iter().all(|came| came.is_truthy()))
}

fn sheets() -> Option<DocumentFragment> {
    let template = document().get_element_by_id("sheets-of-parts")?;
    let template: HtmlTemplateElement = template.dyn_into().ok()?;
    Some(template.content())
}

fn put(name: &str) -> Option<Promise> {
    let sheets = sheets()?;
    let sheet: Element = sheets
        .query_selector(&format!("link[href*='/{name}']"))
        .ok()??;
    // Moved from the template to the page, and back if it fails to load.
    let promise = Promise::new(&mut |done, _| {
        let (link, home) = (sheet.clone(), sheets.clone());
        let came = done.clone();
        EventListener::once(&sheet, "load", move |_| {
            drop(came.call1(&JsValue::NULL, &JsValue::TRUE));
        })
        .forget();
        EventListener::once(&sheet, "error", move |_| {
            drop(home.append_child(&link));
            drop(done.call1(&JsValue::NULL, &JsValue::FALSE));
        })
        .forget();
    });
    document().head()?.append_child(&sheet).ok()?;
    Some(promise)
}
