//! A chart's picture: a canvas that follows data, size, screen, colours and pointer.

use super::chart::Chart;
use super::tooltip::{Tip, tooltip};
use crate::charts::{Figure, Hits, canvas};
use crate::state::App;
use crate::theme::{LIGHT, Theme};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// The width before the first layout is known.
const FIRST_WIDTH_PX: f64 = 530.0;

/// What a plot's parts share.
#[derive(Clone, Copy)]
pub struct Plot {
    /// Around canvas and tooltip.
    pub frame: NodeRef<html::Div>,
    /// What can be pointed at.
    pub hits: StoredValue<Hits>,
    /// Counts drawings: the tooltip moves with its mark.
    pub drawn: RwSignal<u32>,
    /// The hit that is pointed at.
    pub focus: RwSignal<Option<usize>>,
    /// Whether a click holds the tooltip.
    pub held: RwSignal<bool>,
}

/// A canvas that follows its chart, and what it needs on the page.
#[derive(Clone, Copy)]
pub struct Picture {
    /// What the parts share.
    pub plot: Plot,
    /// The canvas.
    pub canvas: NodeRef<html::Canvas>,
    /// Its height in CSS px.
    pub height: Memo<f64>,
}

/// Draws a chart whenever something that it shows has changed.
pub fn picture<F: Figure>(app: App, chart: Chart<F>) -> Picture {
    let shared = Plot {
        frame: NodeRef::new(),
        hits: StoredValue::new(Hits::default()),
        drawn: RwSignal::new(0),
        focus: RwSignal::new(None),
        held: RwSignal::new(false),
    };
    let canvas = NodeRef::<html::Canvas>::new();
    let width = RwSignal::new(FIRST_WIDTH_PX);
    let screen = RwSignal::new(0_u32);
    follow_width(shared.frame, width);
    follow_screen(screen);

    let height = Memo::new(move |_| F::height_px(width.get()));
    Effect::new(move |_| {
        screen.track();
        app.printing.track();
        let (size, theme, focus) = ((width.get(), height.get()), app.theme(), shared.focus.get());
        let held = app.held.get();
        let Some(element) = canvas.get() else { return };
        // A frame of a drag is for what is seen; the rest follows when the slider is let go.
        let drawn = shared.drawn.get_untracked() > 0;
        if held && drawn && out_of_view(&element) {
            return;
        }
        let hits = chart.of(|data| paint(&element, data, theme, focus, size));
        shared.hits.set_value(hits.unwrap_or_default());
        shared.drawn.update(|drawn| *drawn = drawn.wrapping_add(1));
    });
    // Paper gets its picture before any effect runs.
    let print = window_event_listener_untyped("beforeprint", move |_| {
        let size = (width.get_untracked(), height.get_untracked());
        if let Some(element) = canvas.get_untracked() {
            chart.of_untracked(|data| paint(&element, data, &LIGHT, None, size));
        }
    });
    on_cleanup(move || print.remove());
    Picture {
        plot: shared,
        canvas,
        height,
    }
}

/// The tooltip of what is pointed at.
pub fn tip<F: Figure>(chart: Chart<F>, plot: Plot) -> Option<Tip> {
    plot.drawn.track();
    let index = plot.focus.get()?;
    let (x, y) = plot.hits.with_value(|hits| hits.anchor_px(index))?;
    let content = chart.of(|data| data.tooltip(index))??;
    Some(Tip { content, x, y })
}

/// A chart in one sentence, for screen readers.
pub fn spoken<F: Figure>(chart: Chart<F>) -> String {
    let finding = chart.of(Figure::finding).unwrap_or_default();
    format!("{} {finding}.", chart.question)
}

/// The picture of a chart.
pub fn plot<F: Figure>(app: App, chart: Chart<F>) -> AnyView {
    let Picture {
        plot: shared,
        canvas,
        height,
    } = picture(app, chart);
    view! {
        <div
            class="plot"
            node_ref=shared.frame
            tabindex="0"
            role="application"
            aria-roledescription="chart"
            aria-label=move || spoken(chart)
            class:pointing=move || shared.focus.get().is_some()
            style:height=move || format!("{}px", height.get())
            on:pointermove=move |event| shared.point(&event)
            on:pointerleave=move |event| shared.leave(&event)
            on:click=move |event| match (chart.act, shared.at(&event)) {
                (Some(act), Some(hit)) => act.run.run(hit),
                _ => shared.click(&event),
            }
            on:keydown=move |event| match (chart.act, shared.focus.get_untracked()) {
                (Some(act), Some(hit)) if matches!(event.key().as_str(), "Enter" | " ") => {
                    event.prevent_default();
                    act.run.run(hit);
                }
                _ => shared.key(&event),
            }
            on:blur=move |_| shared.clear()
        >
            <canvas node_ref=canvas aria-hidden="true"></canvas>
            {tooltip(shared, chart.act, move || tip(chart, shared))}
        </div>
    }
    .into_any()
}

/// Draws a chart on a canvas; a canvas without a context shows nothing, its table still does.
fn paint<F: Figure>(
    element: &web_sys::HtmlCanvasElement,
    data: &F,
    theme: &Theme,
    focus: Option<usize>,
    size: (f64, f64),
) -> Hits {
    canvas::paint(element, data, theme, size, focus).unwrap_or_default()
}

impl Plot {
    /// Where an event happened, in the chart's CSS px.
    pub fn place(self, event: &web_sys::MouseEvent) -> Option<(f64, f64)> {
        let bounds = self.frame.get_untracked()?.get_bounding_client_rect();
        Some((
            f64::from(event.client_x()) - bounds.left(),
            f64::from(event.client_y()) - bounds.top(),
        ))
    }

    fn at(self, event: &web_sys::MouseEvent) -> Option<usize> {
        let (x, y) = self.place(event)?;
        self.hits.with_value(|hits| hits.hover(x, y))
    }

    /// Points at a hit.
    pub fn show(self, hit: Option<usize>) {
        // What has the focus loses it when its view goes, and says so after that.
        if self
            .focus
            .try_get_untracked()
            .is_some_and(|focus| focus != hit)
        {
            self.focus.set(hit);
        }
    }

    fn point(self, event: &ev::PointerEvent) {
        if !self.held.get_untracked() {
            self.show(self.at(event));
        }
    }

    fn leave(self, event: &ev::PointerEvent) {
        // A finger that lifts has left, but what it tapped stays.
        if !self.held.get_untracked() && event.pointer_type() == "mouse" {
            self.show(None);
        }
    }

    fn click(self, event: &ev::MouseEvent) {
        let hit = self.at(event);
        let same = self.held.get_untracked() && hit == self.focus.get_untracked();
        self.held.set(hit.is_some() && !same);
        self.show(hit);
    }

    fn clear(self) {
        if self.held.try_get_untracked().is_none() {
            return;
        }
        self.held.set(false);
        self.show(None);
    }

    fn key(self, event: &ev::KeyboardEvent) {
        let focus = self.focus.get_untracked();
        let step = |delta| self.hits.with_value(|hits| hits.step(focus, delta));
        let last = self.hits.with_value(Hits::len).checked_sub(1);
        match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => self.show(step(1)),
            "ArrowLeft" | "ArrowUp" => self.show(step(-1)),
            "Home" => self.show(last.map(|_| 0)),
            "End" => self.show(last),
            "Enter" | " " => self.held.update(|held| *held = !*held && focus.is_some()),
            "Escape" if focus.is_some() => self.clear(),
            _ => return,
        }
        event.prevent_default();
    }
}

/// Whether nothing of an element is on the screen.
fn out_of_view(element: &web_sys::HtmlCanvasElement) -> bool {
    let bounds = element.get_bounding_client_rect();
    let screen = window().inner_height().ok();
    let bottom = screen.and_then(|height| height.as_f64());
    bounds.bottom() < 0.0 || bottom.is_some_and(|bottom| bounds.top() > bottom)
}

/// Keeps `width` at the frame's width in CSS px.
fn follow_width(frame: NodeRef<html::Div>, width: RwSignal<f64>) {
    let observer = StoredValue::new_local(None::<web_sys::ResizeObserver>);
    Effect::new(move |_| {
        let Some(frame) = frame.get() else { return };
        let measured = frame.clone();
        let measure = Closure::<dyn Fn()>::new(move || {
            let now = f64::from(measured.client_width());
            // A hidden chart keeps its last size.
            let before = width.try_get_untracked().unwrap_or(now);
            if now > 0.0 && (now - before).abs() > 0.5 {
                width.set(now);
            }
        });
        if let Ok(watcher) = web_sys::ResizeObserver::new(measure.as_ref().unchecked_ref()) {
            watcher.observe(&frame);
            observer.set_value(Some(watcher));
        }
        // Lives as long as the page's charts do.
        measure.forget();
    });
    on_cleanup(move || {
        if let Some(observer) = observer.try_update_value(Option::take).flatten() {
            observer.disconnect();
        }
    });
}

/// Counts changes of the screen's density and arrivals of fonts.
fn follow_screen(screen: RwSignal<u32>) {
    let resized = window_event_listener(ev::resize, move |_| {
        screen.update(|turn| *turn = turn.wrapping_add(1));
    });
    on_cleanup(move || resized.remove());
    Effect::new(move |_| {
        let Ok(ready) = document().fonts().ready() else {
            return;
        };
        leptos::task::spawn_local(async move {
            if wasm_bindgen_futures::JsFuture::from(ready).await.is_ok() {
                canvas::forget_text_widths();
                let _ = screen.try_update(|turn| *turn = turn.wrapping_add(1));
            }
        });
    });
}
