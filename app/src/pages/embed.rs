//! A single figure, or the answer alone, for other people's pages.

use super::chart::{Chart, chart, latency, memory, pareto, roofline, sensitivity, timeline};
use super::disagg::apart::apart;
use super::disagg::ratio::Half;
use super::disagg::split::SplitHalf;
use super::explore::answer;
use super::icons;
use super::limits;
use super::plans;
use super::toast::Toast;
use crate::charts;
use crate::charts::apart::Mark;
use crate::state::{App, address};
use leptos::html;
use leptos::prelude::*;
use model_core::permalink::{self, Figure, Link, Shown};
use model_core::scenario::Mode;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

/// The figure that the link asks for.
pub fn embed(app: App, toast: Toast, figure: Figure) -> AnyView {
    let frame = NodeRef::<html::Div>::new();
    tell_height(frame);
    let content = match figure {
        Figure::Roofline => single(app, toast, roofline(app)),
        Figure::Breakdown => single(app, toast, latency(app)),
        Figure::Pareto => single(app, toast, pareto(app)),
        Figure::Memory => single(app, toast, memory(app)),
        Figure::Timeline => single(app, toast, timeline(app)),
        Figure::Sensitivity => single(app, toast, sensitivity(app, toast)),
        Figure::SplitTime => single(app, toast, SplitHalf::new(app).parts()),
        Figure::SplitRotation => single(app, toast, SplitHalf::new(app).rotation()),
        Figure::SplitBandwidth => single(app, toast, SplitHalf::new(app).bandwidth()),
        Figure::SplitTraces => single(app, toast, SplitHalf::new(app).traces()),
        Figure::SplitDegrees => single(app, toast, SplitHalf::new(app).degrees()),
        Figure::Apart => single(app, toast, apart(app, mark_of(app))),
        Figure::Plans => single(app, toast, plans::embedded(app)),
        Figure::Ratio | Figure::Waits | Figure::Steps => half(app, toast, figure),
        Figure::Explore => view! { <main>{answer(app, toast)}</main> }.into_any(),
        Figure::Map => alone(app, limits::map_chart(app, toast)),
        Figure::Tradeoff => single(app, toast, limits::tradeoff_and_growth(app).0),
        Figure::Growth => single(app, toast, limits::tradeoff_and_growth(app).1),
        Figure::Instances => alone(app, limits::instances_chart(app, toast)),
    };
    let home = move || {
        app.link.with(|link| {
            let shown = Shown {
                view: figure.view(),
                embed: None,
                ..link.shown
            };
            address::absolute(&permalink::write(&Link {
                shown,
                ..link.clone()
            }))
        })
    };
    view! {
        <div class=format!("embed embed-{}", figure.id()) node_ref=frame>
            {content}
            <footer>
                <a class="embed-open" href=home target="_blank" rel="noopener">
                    "Open in Ridgepoint"
                    {icons::open()}
                </a>
            </footer>
        </div>
    }
    .into_any()
}

/// A chart of the Ratio half, which simulates by itself.
fn half(app: App, toast: Toast, figure: Figure) -> AnyView {
    let half = Half::new(app);
    match figure {
        Figure::Waits => single(app, toast, half.waits()),
        Figure::Steps => single(app, toast, half.steps()),
        _ => single(app, toast, half.ratio()),
    }
}

fn single<F: charts::Figure>(app: App, toast: Toast, data: Chart<F>) -> AnyView {
    alone(app, chart(app, toast, data))
}

/// A chart that is all there is.
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
                                <b class="tone-bad">"Impossible. "</b>
                                {format!("{} {}.", problem.rule, problem.facts)}
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
            // A height is no secret: whoever frames the figure may know it.
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

/// The deployment that the link asks about.
fn mark_of(app: App) -> Mark {
    match app.current.with_untracked(|inputs| inputs.mode) {
        Mode::Split => Mark::Split,
        Mode::Ratio | Mode::Simulate => Mark::Ratio,
        Mode::Colocated => Mark::Colocated,
    }
}
