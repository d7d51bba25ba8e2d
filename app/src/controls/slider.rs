//! A slider: a drawn track, and a native range input for mouse, keyboard and screen readers.

use crate::state::App;
use answer::controls::scale::TrackScale;
use answer::controls::shown::{default_in_view, shown, value_in_view, words_of};
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::Number;

/// Number of positions of the native range input; more than any screen can resolve.
const POSITIONS: f64 = 2000.0;

/// Returns a value in words for screen readers, for example "50 GB/s per GPU, one way".
fn spoken(number: Number, value: Option<f64>) -> String {
    let words = words_of(number);
    match value {
        Some(value) => format!("{} {} {}", shown(number, value), words.unit, words.whose)
            .trim()
            .to_owned(),
        None => answer::controls::shown::absent(number).to_owned(),
    }
}

/// Draws the slider of `number`; `help` is the id of the element that describes it.
pub fn slider(app: App, number: Number, scale: Memo<TrackScale>, help: String) -> AnyView {
    let value = Memo::new(move |_| app.link.with(|link| value_in_view(number, link)));
    let default = Memo::new(move |_| app.link.with(|link| default_in_view(number, link)));
    let pinned = Memo::new(move |_| {
        app.pinned
            .with(|pinned| pinned.map(|inputs| inputs.get(number)))
    });
    let place = move |value: Option<f64>| scale.with(|scale| scale.fraction(value));
    let percent = |fraction: f64| format!("{:.3}%", fraction * 100.0);

    let at = Memo::new(move |_| place(value.get()));
    let default_at = Memo::new(move |_| place(default.get()));
    let pinned_at = Memo::new(move |_| pinned.get().map(place));
    let changed = Memo::new(move |_| app.current.with(|inputs| inputs.stated(number).is_some()));

    let keyboard = move |event: ev::KeyboardEvent| {
        let present = value.get_untracked();
        let target = scale.with_untracked(|scale| {
            Some(match event.key().as_str() {
                "ArrowRight" | "ArrowUp" => scale.step(present, 1),
                "ArrowLeft" | "ArrowDown" => scale.step(present, -1),
                "PageUp" => scale.step(present, scale.page()),
                "PageDown" => scale.step(present, -scale.page()),
                "Home" => scale.first(),
                "End" => scale.last(),
                _ => return None,
            })
        });
        if let Some(target) = target
            && !event.ctrl_key()
            && !event.meta_key()
            && !event.alt_key()
        {
            event.prevent_default();
            app.slide(number, target);
        }
    };
    let dragged = move |event: ev::Event| {
        let position: f64 = event_target_value(&event).parse().unwrap_or(0.0);
        let aimed = scale.with_untracked(|scale| scale.nearest(position / POSITIONS));
        app.slide(number, aimed);
    };

    view! {
        <div class="slider">
            <div class="slider-track"></div>
            <div
                class="slider-fill"
                class:gone=move || !changed.get()
                style:left=move || percent(at.get().min(default_at.get()))
                style:width=move || percent((at.get() - default_at.get()).abs())
            ></div>
            <div class="slider-default" style:left=move || percent(default_at.get())></div>
            {move || {
                pinned_at
                    .get()
                    .map(|at| {
                        view! {
                            <div
                                class="slider-pinned"
                                style:left=percent(at)
                                title=move || format!("A: {}", spoken(number, pinned.get().flatten()))
                            ></div>
                        }
                    })
            }}
            <input
                type="range"
                min="0"
                max=POSITIONS.to_string()
                step="1"
                prop:value=move || (at.get() * POSITIONS).round().to_string()
                aria-label=words_of(number).name
                aria-valuetext=move || spoken(number, value.get())
                aria-describedby=help
                data-key=number.spec().key
                on:pointerdown=move |_| app.hold()
                on:pointerup=move |_| app.release()
                on:pointercancel=move |_| app.release()
                on:change=move |_| app.release()
                on:input=dragged
                on:keydown=keyboard
                on:dblclick=move |_| app.edit(|inputs| { inputs.state(number, None); })
            />
            <div class="slider-thumb" style:left=move || percent(at.get())></div>
        </div>
    }
    .into_any()
}
