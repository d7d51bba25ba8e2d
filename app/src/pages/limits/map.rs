//! The map across batch and context, used as a control: the point can be dragged, the metric chosen, and any position
//! opened in Explore.

use crate::controls::choice::radio;
use crate::icons;
use crate::pages::figure::live::{LivePlot, live};
use crate::pages::figure::plot::spoken;
use crate::pages::figure::tooltip::tooltip;
use crate::pages::figure::{Act, Chart};
use crate::state::App;
use answer::chart::hits::{Handle, Hits};
use answer::charts::MapData;
use answer::controls::shown::{shown, words_of};
use answer::controls::table::scale_of;
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::Number;
use model_core::permalink::{Metric, View};
use wasm_bindgen::JsCast;

/// Draws the map with its metric switch.
pub fn body(app: App, chart: Chart) -> AnyView {
    view! {
        {switch(app)}
        {plane(app, chart)}
    }
    .into_any()
}

const fn label(metric: Metric) -> &'static str {
    match metric {
        Metric::Tpot => "TPOT",
        Metric::PerGpu => "tok/s/GPU",
        Metric::PerUser => "tok/s/user",
    }
}

/// Draws the switch of metrics and the button that opens the point in Explore.
fn switch(app: App) -> AnyView {
    let chosen = Memo::new(move |_| app.link.with(|link| link.shown.metric));
    let option = move |metric: Metric| {
        let choose = move || app.change(|link| link.shown.metric = metric);
        let chosen = move || chosen.get() == metric;
        radio("metric", metric.id(), chosen, choose, label(metric))
    };
    view! {
        <div class="map-tools">
            <fieldset class="choices-list" aria-label="Color scale">
                {Metric::ALL.map(option).collect_view()}
            </fieldset>
            <button type="button" class="act" on:click=move |_| app.show(View::Explore)>
                "Open this batch and context"
                {icons::open()}
            </button>
        </div>
    }
    .into_any()
}

/// Radius around the current point, in px. Within it, hovering selects that point instead of the map cell under the
/// pointer.
const GRIP_PX: f64 = 14.0;

/// Max distance, in px, between two taps that are treated as taps at the same position.
const FINGER_PX: f64 = 22.0;

/// Name of the gesture that moves batch and context at the same time, as one undo step.
const GESTURE: &str = "map";

/// Draws the canvas with the draggable point on it.
fn plane(app: App, chart: Chart) -> AnyView {
    let plot = live(app, chart);
    let dragging = RwSignal::new(false);
    let handle = Memo::new(move |_| {
        plot.drawn.track();
        plot.hits(Hits::handle)
    });
    let moved = move |event: &web_sys::MouseEvent| {
        if let Some((x, y)) = plot.place(event) {
            move_to(app, plot, x, y);
        }
    };
    let start = move |event: &ev::PointerEvent, anywhere: bool| {
        let on_plane = plot
            .place(event)
            .zip(handle.get_untracked())
            .is_some_and(|((x, y), handle)| handle.holds(x, y));
        if event.button() != 0 || anywhere && !on_plane {
            return;
        }
        event.prevent_default();
        if let Some(target) = event
            .current_target()
            .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        {
            // If the browser refuses the capture, the drag still works, but ends at the chart's edge.
            let _ = target.set_pointer_capture(event.pointer_id());
        }
        app.hold();
        dragging.set(true);
        if anywhere {
            moved(event);
        }
        grasp(plot);
    };
    let finish = move || {
        if dragging.try_get_untracked().unwrap_or(false) {
            dragging.set(false);
            app.release();
        }
    };
    let hover = move |event: &ev::PointerEvent| {
        if dragging.try_get_untracked().unwrap_or(false) {
            moved(event);
            grasp(plot);
        } else {
            point(plot, event);
        }
    };
    // By touch, the first tap shows the tooltip; a second tap at the same position moves the point.
    let told = RwSignal::new(None::<(f64, f64)>);
    let tap = move |event: &web_sys::MouseEvent| {
        let Some((x, y)) = plot.place(event) else {
            return;
        };
        let near = |(left, top): &(f64, f64)| {
            (left - x) * (left - x) + (top - y) * (top - y) <= FINGER_PX * FINGER_PX
        };
        if let Some((x, y)) = told.get_untracked().filter(near) {
            told.set(None);
            plot.clear();
            move_to(app, plot, x, y);
            grasp(plot);
            return;
        }
        let hit = plot.hits(|hits| hits.hover(x, y));
        told.set(hit.map(|_| (x, y)));
        plot.held.set(hit.is_some());
        plot.show(hit);
    };
    let act = Act {
        on: Callback::new(|_| true),
        says: " moves the point; double-click opens it.",
        run: Callback::new(|_| {}),
    };
    view! {
        <div
            class="plot map-plot"
            node_ref=plot.frame
            tabindex="-1"
            role="group"
            aria-roledescription="chart"
            aria-label=move || spoken(chart)
            class:pointing=move || plot.focus.get().is_some()
            class:dragging=move || dragging.get()
            style:height=move || format!("{}px", plot.height.get())
            on:pointerdown=move |event| {
                // Touch scrolls the page unless it starts on the point.
                if event.pointer_type() == "mouse" {
                    start(&event, true);
                }
            }
            on:pointermove=move |event| {
                if event.pointer_type() == "mouse" || dragging.get_untracked() {
                    hover(&event);
                }
            }
            on:pointerup=move |_| finish()
            on:pointercancel=move |_| finish()
            on:pointerleave=move |event| {
                if event.pointer_type() == "mouse" && !dragging.try_get_untracked().unwrap_or(true) {
                    plot.show(None);
                }
            }
            on:click=move |event| {
                let mouse = event
                    .dyn_ref::<web_sys::PointerEvent>()
                    .is_some_and(|event| event.pointer_type() == "mouse");
                if !mouse {
                    tap(&event);
                }
            }
            on:blur=move |_| {
                told.set(None);
                plot.clear();
            }
            on:dblclick=move |_| app.show(View::Explore)
        >
            <canvas node_ref=plot.canvas aria-hidden="true"></canvas>
            <div
                class="map-handle"
                tabindex="0"
                role="slider"
                aria-label="Batch and context"
                aria-orientation="vertical"
                aria-valuemin="1"
                aria-valuemax=Number::Batch.spec().most.to_string()
                aria-valuenow=move || app.current.with(|inputs| inputs.get(Number::Batch)).unwrap_or(1.0).to_string()
                aria-valuetext=move || said(app, chart)
                hidden=move || handle.get().is_none()
                style:left=move || format!("{:.1}px", handle.get().map_or(0.0, |handle| handle.x_px))
                style:top=move || format!("{:.1}px", handle.get().map_or(0.0, |handle| handle.y_px))
                on:pointerdown=move |event| {
                    event.stop_propagation();
                    start(&event, false);
                }
                on:click=move |event| event.stop_propagation()
                on:focus=move |_| grasp(plot)
                on:blur=move |_| plot.show(None)
                on:keydown=move |event| key(app, &event)
            ></div>
            {tooltip(plot, Some(act))}
        </div>
    }
    .into_any()
}

/// Describes the point in words, for example "batch 18,432 seq, context 2,000 tok".
fn said(app: App, chart: Chart) -> String {
    let value = |number| {
        let value = app.current.with(|inputs| inputs.get(number)).unwrap_or(1.0);
        format!("{} {}", shown(number, value), words_of(number).unit)
    };
    let state = chart.of(|data| {
        let painter = data.own.as_ref()?.painter();
        let map = painter.any().downcast_ref::<MapData>();
        map.map(|map| match (map.now.point.fits, map.now.meets_slo) {
            (false, _) => ", out of memory",
            (true, false) => ", misses the SLO",
            _ => "",
        })
    });
    format!(
        "batch {}, context {}{}",
        value(Number::Batch),
        value(Number::Context),
        state.flatten().unwrap_or_default()
    )
}

/// Moves the focus to the map's current point, which is the last hit area (hover target).
fn grasp(plot: LivePlot) {
    plot.show(plot.hits(|hits| hits.len().checked_sub(1)));
}

/// Moves the focus to the map cell under the pointer, or to the current point if the pointer is near that point.
fn point(plot: LivePlot, event: &ev::PointerEvent) {
    let Some((x, y)) = plot.place(event) else {
        return;
    };
    let near = |handle: Handle| {
        let (dx, dy) = (handle.x_px - x, handle.y_px - y);
        dx * dx + dy * dy <= GRIP_PX * GRIP_PX
    };
    if plot.hits(Hits::handle).is_some_and(near) {
        grasp(plot);
    } else {
        plot.show(plot.hits(|hits| hits.hover(x, y)));
    }
}

/// Sets batch and context to their values at a map position, each rounded to the nearest value of its slider.
fn move_to(app: App, plot: LivePlot, x: f64, y: f64) {
    let Some(handle) = plot.hits(Hits::handle) else {
        return;
    };
    let (context, batch) = handle.values_at(x, y);
    let nearest = |number, value| {
        let scale = app
            .current
            .with_untracked(|inputs| scale_of(number, inputs));
        scale.nearest(scale.fraction(Some(value)))
    };
    app.slide_together(
        GESTURE,
        &[
            (Number::Batch, nearest(Number::Batch, batch)),
            (Number::Context, nearest(Number::Context, context)),
        ],
    );
}

/// Moves the point by keyboard, in slider steps: up and down (or page keys, four steps) for batch, left and right for
/// context. Enter opens the point in Explore.
fn key(app: App, event: &ev::KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let (right, up) = match event.key().as_str() {
        "ArrowRight" => (1, 0),
        "ArrowLeft" => (-1, 0),
        "ArrowUp" => (0, 1),
        "ArrowDown" => (0, -1),
        "PageUp" => (0, 4),
        "PageDown" => (0, -4),
        "Enter" => {
            event.prevent_default();
            app.show(View::Explore);
            return;
        }
        _ => return,
    };
    event.prevent_default();
    // Set both numbers, because each change of a gesture applies to the inputs from before the gesture.
    let step = |number: Number, by: isize| {
        let scale = app
            .current
            .with_untracked(|inputs| scale_of(number, inputs));
        let value = app.aimed(number);
        let target = if by == 0 {
            value
        } else {
            scale.step(value, by)
        };
        (number, target)
    };
    let changes = [step(Number::Batch, up), step(Number::Context, right)];
    app.slide_together(GESTURE, &changes);
}
