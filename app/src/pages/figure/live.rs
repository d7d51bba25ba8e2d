//! A chart's picture: a canvas that follows data, size, screen, colours and pointer.

use super::Chart;
use crate::charts::{Hits, Pointed, Tooltip, record, record_glow};
use crate::pages::shell::listen::on_window;
use crate::picture::Picture;
use crate::picture::canvas::{self, PageFont};
use crate::state::App;
use crate::theme::{LIGHT, Theme};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::HtmlCanvasElement;

/// The width before the first layout is known.
const FIRST_WIDTH_PX: f64 = 530.0;

/// A canvas that follows its chart, and what can be done to it.
#[derive(Clone, Copy)]
pub struct LivePlot {
    /// Around canvas and tooltip.
    pub frame: NodeRef<html::Div>,
    /// The canvas.
    pub canvas: NodeRef<html::Canvas>,
    /// Its height in CSS px.
    pub height: Memo<f64>,
    /// What is drawn, and what can be pointed at.
    drawing: StoredValue<(Picture, Hits)>,
    /// Counts drawings: the tooltip moves with its mark.
    pub drawn: RwSignal<u32>,
    /// The hit that is pointed at.
    pub focus: RwSignal<Option<usize>>,
    /// Whether a click holds the tooltip.
    pub held: RwSignal<bool>,
    /// The tooltip of what is pointed at.
    pub tip: Memo<Option<Tip>>,
}

/// A tooltip and the mark it belongs to, in the chart's CSS px.
#[derive(Clone, Debug, PartialEq)]
pub struct Tip {
    /// The hit.
    pub index: usize,
    /// What it says.
    pub content: Tooltip,
    /// The mark, from the left.
    pub x: f64,
    /// The mark, from the top.
    pub y: f64,
}

/// Draws a chart whenever something that it shows has changed, and lights up what is pointed at.
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
        // Most of a frame goes into pixels: in the middle of a drag one to a CSS px will do, rather than a late frame.
        false if app.is_behind() => canvas::density().min(1.0),
        false => canvas::density(),
    };
    // The glow on the canvas, and the drawing that it lies on.
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
            // What is pointed at no more leaves the picture as it was, to the last pixel.
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
            true => on_paper(chart, width.get()),
            false => (width.get(), height.get()),
        };
        let theme = app.theme();
        let held = app.held.get();
        if canvas.with(Option::is_none) {
            return;
        }
        // A frame of a drag is for what is seen; the rest follows when the slider is let go.
        let misses = held && drawn.get_untracked() > 0 && !sight.seen.get_value();
        sight.missed.set_value(misses);
        if misses {
            return;
        }
        draw(theme, size);
        drawn.update(|drawn| *drawn = drawn.wrapping_add(1));
    });
    // Paper gets its picture before any effect runs.
    on_window("beforeprint", move |_| {
        let size = on_paper(chart, width.get_untracked());
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
            // The chart is as it was: however often the pointer moves in a frame, it is painted once.
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

/// Device pixels in a CSS px of paper.
const PAPER_DENSITY: f64 = 3.0;

/// What of a wide screen is no view: the panel and the margins.
const PANEL_PX: f64 = 348.0;
/// A chart with up to this share of the view shares its row.
const HALF_OF_VIEW: f64 = 0.52;

/// The size of a chart on A4 paper, where the style sheet has half its width for one that shares a row: what it is
/// drawn for, as nothing is laid out again after `beforeprint`.
fn on_paper(chart: Chart, width_px: f64) -> (f64, f64) {
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
    (width, (chart.height_px)(width))
}

/// On screens up to this height charts have their usual one, in CSS px.
const USUAL_SCREEN_PX: f64 = 900.0;
/// How much faster than the screen charts grow: what is around them does not.
const GROWTH: f64 = 1.5;
/// Up to this width a view's charts stand below each other, and no screen is left empty.
const STACKED_PX: f64 = 1120.0;

/// The height of a chart on the screen: some grow with it, as a tall one would be left empty.
fn on_screen(chart: Chart, width_px: f64) -> f64 {
    let usual = (chart.height_px)(width_px);
    let [wide, tall] = [window().inner_width(), window().inner_height()]
        .map(|side| side.ok().and_then(|px| px.as_f64()).unwrap_or(0.0));
    let more = (tall / USUAL_SCREEN_PX - 1.0).max(0.0);
    if wide <= STACKED_PX || more <= 0.0 {
        return usual;
    }
    let taller = usual * (1.0 + GROWTH * more);
    taller.min(chart.of_screen * tall).max(usual).round()
}

/// Whether the screen is used by touch.
pub fn by_touch() -> bool {
    window()
        .match_media("(hover: none)")
        .ok()
        .flatten()
        .is_some_and(|query| query.matches())
}

/// Whether a click is a finger's tap.
fn by_finger(event: &web_sys::MouseEvent) -> bool {
    match event.dyn_ref::<web_sys::PointerEvent>() {
        Some(event) => matches!(event.pointer_type().as_str(), "touch" | "pen"),
        // Older browsers do not say what has clicked.
        None => by_touch(),
    }
}

impl LivePlot {
    /// Something of what can be pointed at.
    pub fn hits<T>(self, look: impl FnOnce(&Hits) -> T) -> T {
        self.drawing.with_value(|(_, hits)| look(hits))
    }

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
        self.hits(|hits| hits.hover(x, y))
    }

    /// The hit that a click does something with: of a mouse what it is on, not only near. A finger, which has not
    /// pointed at it before, is told first what it is and acts with its second tap.
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

    /// Points at a hit.
    pub fn show(self, hit: Option<usize>) {
        // What has the focus loses it when its view goes, and says so after that.
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
        // A finger that lifts has left, but what it tapped stays.
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

    /// Lets go of what is held and points at nothing.
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

/// Whether a chart is on the screen. The browser tells when that changes: to ask it would have it lay the page out.
#[derive(Clone, Copy)]
struct Sight {
    seen: StoredValue<bool>,
    /// Something changed that was not drawn.
    missed: StoredValue<bool>,
}

impl Sight {
    /// Follows `frame`; a chart that comes into view after it has missed something has `screen` count on.
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

/// Watches whether an element is seen until it is dropped.
struct SightWatch {
    observer: web_sys::IntersectionObserver,
    _tell: Closure<dyn Fn(js_sys::Array)>,
}

impl Drop for SightWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Watches an element's size until it is dropped.
struct SizeWatch {
    observer: web_sys::ResizeObserver,
    _measure: Closure<dyn Fn()>,
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Keeps `width` at the frame's width in CSS px.
fn follow_width(frame: NodeRef<html::Div>, width: RwSignal<f64>) {
    let watch = StoredValue::new_local(None::<SizeWatch>);
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
        if let Ok(observer) = web_sys::ResizeObserver::new(measure.as_ref().unchecked_ref()) {
            observer.observe(&frame);
            // It ends with the chart that it measures.
            watch.set_value(Some(SizeWatch {
                observer,
                _measure: measure,
            }));
        }
    });
}

/// Counts changes of the screen's density and arrivals of fonts.
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
