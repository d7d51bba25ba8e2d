//! What has stayed the same for a moment: long work is not begun for what a drag passes over.

use crate::state::App;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

/// Longer than a frame of a drag, shorter than a glance at the answer.
const REST_MS: u32 = 140;

/// `source` as it was when it last rested; to begin with, as it is.
pub fn rested<T>(source: Memo<T>) -> ReadSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    resting(source, || true)
}

/// `source` as it is, and while a slider is dragged as it was when the slider last rested.
pub fn undragged<T>(app: App, source: Memo<T>) -> ReadSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    resting(source, move || app.held.get())
}

fn resting<T>(source: Memo<T>, waits: impl Fn() -> bool + Send + Sync + 'static) -> ReadSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let (rested, set_rested) = signal(source.get_untracked());
    // Dropped, it does not ring.
    let timer = StoredValue::new_local(None::<Timeout>);
    let stop = move || {
        timer.try_update_value(Option::take);
    };
    Effect::new(move |_| {
        let now = source.get();
        let waits = waits();
        stop();
        if rested.with_untracked(|rested| *rested == now) {
            return;
        }
        if waits {
            timer.set_value(Some(Timeout::new(REST_MS, move || set_rested.set(now))));
        } else {
            set_rested.set(now);
        }
    });
    on_cleanup(stop);
    rested
}
