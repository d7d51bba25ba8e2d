//! Draws a chart on a canvas. Redraws the chart when the data, the size, the screen, the colors or the pointer
//! position change.

use super::Chart;
use crate::canvas::{self, PageFont};
use crate::listen::on_window;
use crate::state::App;
use answer::chart::hits::{Hits, Pointed, Tooltip};
use answer::chart::{record, record_glow};
use answer::picture::Picture;
use answer::theme::{LIGHT, Theme};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::HtmlCanvasElement;

/// Width of a chart, in CSS px, before its first layout is known.
const FIRST_WIDTH_PX: f64 = 530.0;

/// The canvas of a chart, with its hit areas (hover and click targets), focus and tooltip.
#[derive(Clone, Copy)]
pub struct LivePlot {
    /// Element that contains the canvas and the tooltip.
    pub frame: NodeRef<html::Div>,
    /// The chart's canvas element.
    pub canvas: NodeRef<html::Canvas>,
    /// Height of the canvas in CSS px.
    pub height: Memo<f64>,
    /// The picture as drawn, and its hit areas (hover and click targets).
    drawing: StoredValue<(Picture, Hits)>,
    /// Counter of redraws; each increase moves the tooltip to the new position of its mark.
    pub drawn: RwSignal<u32>,
    /// Index of the hit area (hover target) under the pointer or keyboard focus, if any.
    pub focus: RwSignal<Option<usize>>,
    /// True if the tooltip is pinned, by a click or by Enter.
    pub held: RwSignal<bool>,
    /// Tooltip of the hit area (hover target) in focus, if any.
    pub tip: Memo<Option<Tip>>,
}

/// A tooltip, and the position of the chart mark that it describes, in the chart's CSS px.
#[derive(Clone, Debug, PartialEq)]
pub struct Tip {
    /// Index of the hit area (hover target) that the tooltip describes.
    pub index: usize,
    /// Text of the tooltip.
    pub content: Tooltip,
    /// Distance of the tooltip's mark from the chart's left edge, in CSS px.
    pub x: f64,
    /// Distance of the tooltip's mark from the chart's top edge, in CSS px.
    pub y: f64,
}

/// Draws a chart whenever its data, size or colors change, and highlights the hit area in focus.
pub fn live(app: App, chart: Chart) -> LivePlot {
    let frame = NodeRef::<html::Div>::new();
    let canvas = NodeRef::<html::Canvas>::new();
    let drawing = StoredValue::new((Picture::default(), Hits::default()));
    let drawn = RwSignal::new(0_u32);
    let focus = RwSignal::new(None);
    let width = RwSignal::new(FIRST_WIDTH_PX);
    let screen = RwSignal::new(0_u32);
    follow_width(frame, width);
    follow_screen(screen);
    let sight = Sight::of(frame, screen);
    let height = Memo::new(move |_| {
        screen.track();
        on_screen(chart, width.get())
    });
    let draw = move |theme: &Theme, size: (f64, f64)| {
        let picture = chart.of_untracked(|data| record(data, theme, &PageFont, size));
        drawing.set_value(picture.unwrap_or_else(|| (Picture::sized(size), Hits::default())));
    };
    let density = move || match app.printing.get_untracked() {
        true => PAPER_DENSITY,
        // Painting takes most of a frame's time, so a lagging drag paints at most one pixel per CSS px.
        false if app.is_behind() => canvas::density().min(1.0),
        false => canvas::density(),
    };
    // The highlight now on the canvas, and the value of `drawn` for the picture below it.
    let painted = StoredValue::new((0_u32, None::<Picture>));
    let light = move |element: &HtmlCanvasElement, theme: &Theme, tip: Option<&Tip>| {
        let turn = drawn.get_untracked();
        drawing.with_value(|(picture, hits)| {
            let glow = tip.and_then(|Tip { index, content, .. }| {
                let (index, tip) = (*index, Some(content));
                let (pointed, size) = (Pointed { index, hits, tip }, picture.size_px);
                chart.of_untracked(|data| record_glow(data, pointed, theme, &PageFont, size))
            });
            let (ground, density) = (theme.background, density());
            let before = painted.try_update_value(std::mem::take);
            // To remove a highlight, repaint the whole picture, so that no pixel of the highlight remains.
            let again = before.filter(|(of, _)| *of == turn && turn > 0 && glow.is_some());
            let done = again.and_then(|(_, before)| {
                let glows = (before.as_ref(), glow.as_ref());
                canvas::repaint(element, picture, glows, ground, density)
            });
            if done.is_none() {
                canvas::paint(element, picture, glow.as_ref(), ground, density);
            }
            painted.set_value((turn, glow));
        });
    };
    Effect::new(move |_| {
        screen.track();
        chart.data.track();
        let size = match app.printing.get() {
            true => on_paper(app, chart, width.get()),
            false => (width.get(), height.get()),
        };
        let theme = app.theme();
        if canvas.with(Option::is_none) {
            return;
        }
        // During a drag, only visible charts are drawn; all others are drawn when the drag ends.
        let moving = app.moving.get_untracked();
        let misses = moving && drawn.get_untracked() > 0 && !sight.seen.get_value();
        sight.missed.set_value(misses || app.is_behind());
        if misses {
            return;
        }
        draw(theme, size);
        drawn.update(|drawn| *drawn = drawn.wrapping_add(1));
    });
    Effect::new(move |_| {
        if !app.moving.get() && sight.missed.try_update_value(std::mem::take) == Some(true) {
            screen.update(|turn| *turn = turn.wrapping_add(1));
        }
    });
    // The browser captures the page for printing before any effect runs, so draw here.
    on_window("beforeprint", move |_| {
        // A frame that was never in view has reported no width.
        if let Some(frame) = frame.get_untracked() {
            take_width(&frame, width);
        }
        let size = on_paper(app, chart, width.get_untracked());
        if let Some(element) = canvas.get_untracked() {
            draw(&LIGHT, size);
            painted.set_value((0, None));
            light(&element, &LIGHT, None);
        }
    });
    let tip = Memo::new(move |_| {
        drawn.track();
        let index = focus.get()?;
        let (x, y) = drawing.with_value(|(_, hits)| hits.anchor_px(index))?;
        let content = chart.of(|data| data.tooltip(index))??;
        Some(Tip {
            index,
            content,
            x,
            y,
        })
    });
    let relight = move || {
        if let Some(element) = canvas.try_get_untracked().flatten() {
            let theme = untrack(|| app.theme());
            tip.with_untracked(|tip| light(&element, theme, tip.as_ref()));
        }
    };
    let waits = StoredValue::new(false);
    Effect::new(move |before: Option<u32>| {
        tip.track();
        let turn = drawn.get();
        if turn == 0 {
            return turn;
        }
        if before != Some(turn) {
            relight();
        } else if !waits.get_value() {
            // The chart is unchanged, so pointer moves repaint it at most once per frame.
            waits.set_value(true);
            request_animation_frame(move || {
                if waits.try_set_value(false).is_none() {
                    relight();
                }
            });
        }
        turn
    });
    LivePlot {
        frame,
        canvas,
        height,
        drawing,
        drawn,
        focus,
        held: RwSignal::new(false),
        tip,
    }
}

/// Device pixels per CSS px when printing.
const PAPER_DENSITY: f64 = 3.0;

/// Width of the sidebar and margins, in px.
const PANEL_PX: f64 = 348.0;
/// Max width of a chart that shares its row with another chart, as a share of the view's width.
const HALF_OF_VIEW: f64 = 0.52;

/// Returns the size of a chart on A4 paper. A chart that shares its row has half the page width; an embedded figure
/// has the width of its frame. The size is computed here, because no layout follows `beforeprint`.
fn on_paper(app: App, chart: Chart, width_px: f64) -> (f64, f64) {
    let embedded = app.link.with_untracked(|link| link.shown.embed);
    if embedded == Some(chart.id) {
        return (width_px, chart.shape.height_px(width_px));
    }
    let screen = window().inner_width().ok().and_then(|px| px.as_f64());
    let most = match screen.unwrap_or(0.0) {
        stacked if stacked <= STACKED_PX => 600.0,
        wide => HALF_OF_VIEW * (wide - PANEL_PX),
    };
    let width = match width_px {
        small if small < 300.0 => small,
        half if half < most => 328.0,
        _ => 688.0,
    };
    (width, chart.shape.height_px(width))
}

/// Screen height, in CSS px, above which charts grow taller than usual.
const USUAL_SCREEN_PX: f64 = 900.0;
/// Relative growth in chart height ÷ relative growth in screen height. It is above 1, because the rest of the page
/// does not grow.
const GROWTH: f64 = 1.5;
/// Max view width, in CSS px, at which charts are stacked and do not grow.
const STACKED_PX: f64 = 1120.0;

/// Returns the height of a chart on the screen; some charts grow with tall screens.
fn on_screen(chart: Chart, width_px: f64) -> f64 {
    let usual = chart.shape.height_px(width_px);
    let [wide, tall] = [window().inner_width(), window().inner_height()]
        .map(|side| side.ok().and_then(|px| px.as_f64()).unwrap_or(0.0));
    if wide <= STACKED_PX {
        return usual;
    }
    let more = (tall / USUAL_SCREEN_PX - 1.0).max(0.0);
    let taller = match chart.fills {
        true => f64::INFINITY,
        false => usual * (1.0 + GROWTH * more),
    };
    taller.min(chart.of_screen * tall).max(usual).round()
}

/// Returns true for a touch screen.
pub fn by_touch() -> bool {
    window()
        .match_media("(hover: none)")
        .ok()
        .flatten()
        .is_some_and(|query| query.matches())
}

/// Returns true if a click was made by touch or pen.
fn by_finger(event: &web_sys::MouseEvent) -> bool {
    match event.dyn_ref::<web_sys::PointerEvent>() {
        Some(event) => matches!(event.pointer_type().as_str(), "touch" | "pen"),
        // Older browsers give no pointer type.
        None => by_touch(),
    }
}

impl LivePlot {
    /// Returns the result of `look`, which reads the chart's hit areas (hover and click targets).
    pub fn hits<T>(self, look: impl FnOnce(&Hits) -> T) -> T {
        self.drawing.with_value(|(_, hits)| look(hits))
    }

    /// Returns the position of an event in the chart's CSS px.
    pub fn place(self, event: &web_sys::MouseEvent) -> Option<(f64, f64)> {
        let bounds = self.frame.get_untracked()?.get_bounding_client_rect();
        Some((
            f64::from(event.client_x()) - bounds.left(),
            f64::from(event.client_y()) - bounds.top(),
        ))
    }

    fn at(self, event: &web_sys::MouseEvent) -> Option<usize> {
        let (x, y) = self.place(event)?;
        self.hits(|hits| hits.hover(x, y))
    }

    /// Returns the hit area that a click acts on. With a mouse, the pointer must be inside the hit area; being near
    /// it is not enough. By touch, the first tap shows the tooltip, and the second tap acts.
    pub(super) fn acts_on(self, event: &web_sys::MouseEvent) -> Option<usize> {
        if by_finger(event) {
            let told = self
                .focus
                .get_untracked()
                .filter(|_| self.held.get_untracked());
            return self.at(event).filter(|hit| Some(*hit) == told);
        }
        let (x, y) = self.place(event)?;
        self.hits(|hits| hits.aimed(x, y))
    }

    /// Moves the focus to a hit area (hover target) of the chart, or to none.
    pub fn show(self, hit: Option<usize>) {
        // An element that is removed with its view still fires a blur event afterwards.
        let before = self.focus.try_get_untracked();
        if before.is_some_and(|before| before != hit) {
            self.focus.set(hit);
        }
    }

    pub(super) fn point(self, event: &ev::PointerEvent) {
        if !self.held.get_untracked() {
            self.show(self.at(event));
        }
    }

    pub(super) fn leave(self, event: &ev::PointerEvent) {
        // Lifting a finger fires a leave event, too, but the tooltip stays.
        if !self.held.get_untracked() && event.pointer_type() == "mouse" {
            self.show(None);
        }
    }

    pub(super) fn click(self, event: &ev::MouseEvent) {
        let hit = self.at(event);
        let same = self.held.get_untracked() && hit == self.focus.get_untracked();
        self.held.set(hit.is_some() && !same);
        self.show(hit);
    }

    /// Unpins the tooltip and removes the focus from the hit areas.
    pub fn clear(self) {
        if self.held.try_get_untracked().is_none() {
            return;
        }
        self.held.set(false);
        self.show(None);
    }

    pub(super) fn key(self, event: &ev::KeyboardEvent) {
        let focus = self.focus.get_untracked();
        let step = |delta| self.hits(|hits| hits.step(focus, delta));
        let last = self.hits(Hits::len).checked_sub(1);
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

/// Visibility of a chart on the screen. An intersection observer reports it, because asking the browser directly would
/// force a layout.
#[derive(Clone, Copy)]
struct Sight {
    seen: StoredValue<bool>,
    /// True if the chart's newest change was not drawn, or only at a lower resolution.
    missed: StoredValue<bool>,
}

impl Sight {
    /// Observes `frame`. When a chart that missed a change comes into view, `screen` is increased, which triggers a
    /// redraw.
    fn of(frame: NodeRef<html::Div>, screen: RwSignal<u32>) -> Self {
        let sight = Self {
            seen: StoredValue::new(true),
            missed: StoredValue::new(false),
        };
        let watch = StoredValue::new_local(None::<SightWatch>);
        Effect::new(move |_| {
            let Some(frame) = frame.get() else { return };
            let tell = Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
                let last: web_sys::IntersectionObserverEntry = entries.pop().unchecked_into();
                let seen = last.is_intersecting();
                let _ = sight.seen.try_update_value(|before| *before = seen);
                let missed = seen && sight.missed.try_update_value(std::mem::take) == Some(true);
                if missed {
                    let _ = screen.try_update(|turn| *turn = turn.wrapping_add(1));
                }
            });
            if let Ok(observer) = web_sys::IntersectionObserver::new(tell.as_ref().unchecked_ref())
            {
                observer.observe(&frame);
                watch.set_value(Some(SightWatch {
                    observer,
                    _tell: tell,
                }));
            }
        });
        sight
    }
}

/// Observes an element's visibility until this value is dropped.
struct SightWatch {
    observer: web_sys::IntersectionObserver,
    _tell: Closure<dyn Fn(js_sys::Array)>,
}

impl Drop for SightWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Observes an element's size until this value is dropped.
struct SizeWatch {
    observer: web_sys::ResizeObserver,
    _measure: Closure<dyn Fn()>,
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Updates `width` to the frame's width in CSS px.
fn follow_width(frame: NodeRef<html::Div>, width: RwSignal<f64>) {
    let watch = StoredValue::new_local(None::<SizeWatch>);
    Effect::new(move |_| {
        let Some(frame) = frame.get() else { return };
        // Measure once now: in an out-of-view frame of another origin, the observer does not fire.
        take_width(&frame, width);
        let measured = frame.clone();
        let measure = Closure::<dyn Fn()>::new(move || take_width(&measured, width));
        if let Ok(observer) = web_sys::ResizeObserver::new(measure.as_ref().unchecked_ref()) {
            observer.observe(&frame);
            // Dropped with the chart that it measures.
            watch.set_value(Some(SizeWatch {
                observer,
                _measure: measure,
            }));
        }
    });
}

/// Sets `width` to the frame's width; while the frame is invisible, `width` does not change.
fn take_width(frame: &web_sys::HtmlElement, width: RwSignal<f64>) {
    let now = f64::from(frame.client_width());
    let before = width.try_get_untracked().unwrap_or(now);
    if now > 0.0 && (now - before).abs() > 0.5 {
        width.set(now);
    }
}

/// Increases `screen` when the window is resized or fonts have loaded.
fn follow_screen(screen: RwSignal<u32>) {
    on_window("resize", move |_| {
        screen.update(|turn| *turn = turn.wrapping_add(1));
    });
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
