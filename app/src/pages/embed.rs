//! A single figure, or the answer alone, for other people's pages.

use super::explore::answer;
use super::shell::toast::Toast;
use super::views::{Ask, of_view};
use crate::answer::in_a_line_of;
use crate::controls::row::{Place, slider_row};
use crate::icons;
use crate::state::{App, address};
use leptos::html;
use leptos::prelude::*;
use model_core::permalink::{self, FigureId, Link, Shown, Sliders};
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

/// The figure that the link asks for.
pub fn embed(app: App, toast: Toast, shown: FigureId) -> AnyView {
    let frame = NodeRef::<html::Div>::new();
    tell_height(frame);
    let content = match shown {
        FigureId::Explore => view! { <main>{answer(app, toast)}</main> }.into_any(),
        id => alone(app, of_view(app, toast, id.view(), Ask::Figure(id))),
    };
    let home = move || {
        app.link.with(|link| {
            let shown = Shown {
                view: shown.view(),
                embed: None,
                sliders: Sliders::NONE,
                ..link.shown
            };
            address::absolute(&permalink::write(&Link {
                shown,
                ..link.clone()
            }))
        })
    };
    view! {
        <div class=format!("embed embed-{}", shown.id()) node_ref=frame>
            {content}
            {sliders(app)}
            <footer>
                <span class="embed-scenario">{move || app.link.with(|link| in_a_line_of(shown.view(), link))}</span>
                <a class="embed-open" href=home target="_blank" rel="noopener">
                    "Open in Ridgepoint"
                    {icons::open()}
                </a>
            </footer>
        </div>
    }
    .into_any()
}

/// The sliders that the link names: the figure is live.
fn sliders(app: App) -> AnyView {
    let named = Memo::new(move |_| app.link.with(|link| link.shown.sliders));
    view! {
        <div class="embed-sliders" role="group" aria-label="Try it" hidden=move || named.get().is_empty()>
            {move || named.get().iter().map(|number| slider_row(app, number, Place::Dock)).collect_view()}
        </div>
    }
    .into_any()
}

/// Page with a single chart.
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
                                <b class="tone-bad">"Impossible"</b>
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

/// Tells the page around the frame how tall the figure is; `embed.js` listens.
fn tell_height(frame: NodeRef<html::Div>) {
    Effect::new(move |_| {
        let Some(frame) = frame.get() else { return };
        let measured = frame.clone();
        let tell = Closure::<dyn Fn()>::new(move || {
            let height = measured.get_bounding_client_rect().height().ceil();
            let message = js_sys::Object::new();
            let _ = js_sys::Reflect::set(
                &message,
                &JsValue::from_str("ridgepoint"),
                &JsValue::from_str("height"),
            );
            let _ = js_sys::Reflect::set(
                &message,
                &JsValue::from_str("height"),
                &JsValue::from_f64(height),
            );
            // Any origin may know the height.
            if let Ok(Some(parent)) = window().parent() {
                let _ = parent.post_message(&message, "*");
            }
        });
        if let Ok(watcher) = web_sys::ResizeObserver::new(tell.as_ref().unchecked_ref()) {
            watcher.observe(&frame);
        }
        // Listens as long as the page lives.
        tell.forget();
    });
}
