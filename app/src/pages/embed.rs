//! Embedded pages for other sites: a single figure, or Explore's headline, metrics and charts.

use super::shell::toast::Toast;
use super::views::{ViewRequest, of_view};
use crate::controls::row::{RowPlace, slider_row};
use crate::icons;
use crate::state::{App, address};
use answer::in_a_line_of;
use leptos::html;
use leptos::prelude::*;
use model_core::permalink::{self, FigureId, Link, Shown, Sliders, View};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

/// Draws an embedded page with the chart `shown`, which the permalink names. If the permalink names an unknown chart,
/// `shown` is `None`, and a note reports the unknown name.
pub fn embed(app: App, toast: Toast, shown: Option<FigureId>) -> AnyView {
    let frame = NodeRef::<html::Div>::new();
    tell_height(frame);
    let content = match shown {
        None => view! { <main><h1 class="hidden">"Ridgepoint"</h1></main> }.into_any(),
        Some(FigureId::Explore) => {
            view! { <main>{of_view(app, toast, View::Explore, ViewRequest::View)}</main> }
                .into_any()
        }
        Some(id) => alone(app, of_view(app, toast, id.view(), ViewRequest::Figure(id))),
    };
    let view = shown.map_or(View::Explore, FigureId::view);
    let home = move || {
        app.link.with(|link| {
            let shown = Shown {
                view,
                embed: None,
                sliders: Sliders::NONE,
                untitled: false,
                ..link.shown
            };
            address::absolute(&permalink::write(&Link {
                shown,
                ..link.clone()
            }))
        })
    };
    let ignored = move || {
        let notes = app.notes.get();
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        format!("Ignored permalink parameters: {}.", notes.join("; "))
    };
    view! {
        <div
            class=format!("embed embed-{}", shown.map_or("", FigureId::id))
            class:untitled=move || app.link.with(|link| link.shown.untitled)
            node_ref=frame
        >
            {content}
            <p class="embed-ignored" role="status" hidden=move || app.notes.with(Vec::is_empty)>
                {ignored}
            </p>
            {sliders(app)}
            <footer>
                <span class="embed-scenario">{move || app.link.with(|link| in_a_line_of(view, link))}</span>
                <a class="embed-open" href=home target="_blank" rel="noopener">
                    "Open in Ridgepoint"
                    {icons::open()}
                </a>
            </footer>
        </div>
    }
    .into_any()
}

/// Draws the sliders named in the permalink, so that the embedded figure is interactive.
fn sliders(app: App) -> AnyView {
    let named = Memo::new(move |_| app.link.with(|link| link.shown.sliders));
    view! {
        <div class="embed-sliders" role="region" aria-label="Try it" hidden=move || named.get().is_empty()>
            {move || named.get().iter().map(|number| slider_row(app, number, RowPlace::Dock)).collect_view()}
        </div>
    }
    .into_any()
}

/// Draws a page with a single chart. If the plan is invalid, an error is shown above the chart.
fn alone(app: App, figure: AnyView) -> AnyView {
    view! {
        <main>
            <h1 class="hidden">"Ridgepoint"</h1>
            {move || {
                let problems = app.problems.get();
                problems
                    .first()
                    .map(|problem| {
                        view! {
                            <p class="embed-trouble">
                                <b class="tone-bad">"Invalid plan"</b>
                                {format!(": {}: {}.", problem.rule, problem.facts)}
                            </p>
                        }
                    })
            }}
            {figure}
        </main>
    }
    .into_any()
}

/// Delay before the height is reported, so that a figure reaches its final size and the embedding page shifts only
/// once.
const SETTLE: Duration = Duration::from_millis(50);

/// Reports the embedded page's height, once and after each change, to the embedding page, where `embed.js` receives it.
fn tell_height(frame: NodeRef<html::Div>) {
    Effect::new(move |_| {
        let Some(frame) = frame.get() else { return };
        let measured = frame.clone();
        let waits = Rc::new(Cell::new(false));
        let tell = move || {
            if waits.replace(true) {
                return;
            }
            let (waits, measured) = (waits.clone(), measured.clone());
            let post = move || {
                waits.set(false);
                // Wait for parts that are still loading: they change the height.
                if measured.query_selector(".part[aria-busy]") == Ok(None) {
                    post_height(measured.get_bounding_client_rect().height().ceil());
                }
            };
            set_timeout(post, SETTLE);
        };
        // Report once now: in a frame that is out of view, the observer does not fire.
        tell();
        let tell = Closure::<dyn Fn()>::new(tell);
        if let Ok(watcher) = web_sys::ResizeObserver::new(tell.as_ref().unchecked_ref()) {
            watcher.observe(&frame);
        }
        // Never freed, because the page listens until it is closed.
        tell.forget();
    });
}

fn post_height(height_px: f64) {
    let message = js_sys::Object::new();
    for (key, value) in [
        ("ridgepoint", JsValue::from_str("height")),
        ("height", JsValue::from_f64(height_px)),
    ] {
        let _ = js_sys::Reflect::set(&message, &JsValue::from_str(key), &value);
    }
    // Any origin may know the height.
    if let Ok(Some(parent)) = window().parent() {
        let _ = parent.post_message(&message, "*");
    }
}
