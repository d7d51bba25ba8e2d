//! A chart's tooltip, placed next to its mark and never off the screen.

use super::Act;
use super::live::{LivePlot, by_touch};
use answer::chart::hits::{TipRow, Tooltip};
use answer::page::tooltip::place;
use answer::theme::Role;
use leptos::html;
use leptos::prelude::*;

/// Draws the tooltip of a chart.
pub fn tooltip(plot: LivePlot, act: Option<Act>) -> AnyView {
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        let Some(mark) = plot.tip.with(|tip| tip.as_ref().map(|tip| (tip.x, tip.y))) else {
            return;
        };
        // When the microtask runs, the tooltip's text is set, so that one layout both measures and shows it.
        queue_microtask(move || {
            let node = node.try_get_untracked().flatten();
            let frame = plot.frame.try_get_untracked().flatten();
            if let Some((node, frame)) = node.zip(frame) {
                put(&node, &frame, mark);
            }
        });
    });
    view! {
        <div
            class="tooltip"
            node_ref=node
            role="status"
            class:shown=move || plot.tip.with(Option::is_some)
            class:held=move || plot.held.get()
        >
            {move || plot.tip.get().map(|tip| content(&tip.content, act.filter(|act| act.on.run(tip.index)), plot.held.get()))}
        </div>
    }
    .into_any()
}

/// Measures a tooltip and places it next to its mark.
fn put(node: &web_sys::HtmlDivElement, frame: &web_sys::HtmlDivElement, mark: (f64, f64)) {
    let number = |value: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| {
        value.ok().and_then(|value| value.as_f64()).unwrap_or(1e4)
    };
    let window = window();
    let screen = (
        number(window.inner_width()),
        number(window.inner_height()) - dock_height(),
    );
    let bounds = frame.get_bounding_client_rect();
    let size = (
        f64::from(node.offset_width()),
        f64::from(node.offset_height()),
    );
    let (x, y) = place(mark, size, (bounds.left(), bounds.top()), screen);
    // A transform does not trigger another layout.
    let moved = format!("translate({x:.0}px, {y:.0}px)");
    let _ = web_sys::HtmlElement::style(node).set_property("transform", &moved);
}

/// Returns the height of the dock at the bottom of a phone screen; 0 if there is no dock.
fn dock_height() -> f64 {
    document()
        .query_selector(".dock")
        .ok()
        .flatten()
        .map_or(0.0, |dock| dock.get_bounding_client_rect().height())
}

/// Returns the gesture ("Click", "Tap" or "Tap again") that runs a hit area's action or, if it has none, pins or
/// unpins its tooltip.
fn gesture(acts: bool, held: bool) -> &'static str {
    match by_touch() {
        true if acts && held => "Tap again",
        true => "Tap",
        false => "Click",
    }
}

fn content(tooltip: &Tooltip, act: Option<Act>, held: bool) -> AnyView {
    let source = tooltip.source.trim_end_matches('.').to_owned();
    view! {
        <p class="tooltip-head">
            <b>{tooltip.title.clone()}</b>
            <span>{tooltip.aside.clone()}</span>
        </p>
        <ul>{tooltip.rows.iter().map(row).collect_view()}</ul>
        <p class="tooltip-source">
            {(!source.is_empty()).then(|| format!("{source}. "))}
            {gesture(act.is_some(), held)}
            {match act {
                Some(act) => act.says,
                None if held => " unpins.",
                None => " pins.",
            }}
        </p>
    }
    .into_any()
}

fn row(row: &TipRow) -> AnyView {
    let swatch = row.role.map(|role| match role {
        Role::Idle => view! { <span class="swatch outline"></span> }.into_any(),
        role => {
            let colour = format!("var(--{}-fill)", role.name());
            view! { <span class="swatch" style:background=colour></span> }.into_any()
        }
    });
    view! {
        <li>
            <span class="tooltip-swatch">{swatch}</span>
            <span class="tooltip-label">
                {row.label.clone()}
                " "
                <span class="tone-muted">{row.note.clone()}</span>
            </span>
            <span class="tooltip-value">{row.value.clone()}</span>
        </li>
    }
    .into_any()
}
