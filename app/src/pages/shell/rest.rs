//! Debounced values: while a drag passes over intermediate values, no long computation starts for them.

use crate::state::App;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;

/// Debounce time in milliseconds: longer than one frame of a drag, but too short for the user to notice.
const REST_MS: u32 = 140;

/// A readable reactive value, such as a memo, that can be debounced.
pub trait MemoSource<T>: Get<Value = T> + GetUntracked<Value = T> + Send + Sync + 'static {}

impl<T, S: Get<Value = T> + GetUntracked<Value = T> + Send + Sync + 'static> MemoSource<T> for S {}

/// Returns a debounced copy of `source`.
pub fn rested<T>(source: impl MemoSource<T>) -> ReadSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    resting(source, || true)
}

/// Returns a copy of `source` that is debounced only during drags.
pub fn undragged<T>(app: App, source: impl MemoSource<T>) -> ReadSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    resting(source, move || app.moving.get())
}

fn resting<T>(
    source: impl MemoSource<T>,
    waits: impl Fn() -> bool + Send + Sync + 'static,
) -> ReadSignal<T>
where
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let (rested, set_rested) = signal(source.get_untracked());
    // Dropping a timer cancels it.
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
