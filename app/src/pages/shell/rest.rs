//! What has stayed the same for a moment: long work is not begun for what a drag passes over.

use crate::state::App;
use leptos::prelude::*;
use std::time::Duration;

/// Longer than a frame of a drag, shorter than a glance at the answer.
const REST: Duration = Duration::from_millis(140);

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
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        if let Some(timer) = timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    };
    Effect::new(move |_| {
        let now = source.get();
        let waits = waits();
        stop();
        if rested.with_untracked(|rested| *rested == now) {
            return;
        }
        if waits {
            let rest = set_timeout_with_handle(move || set_rested.set(now), REST);
            timer.set_value(rest.ok());
        } else {
            set_rested.set(now);
        }
    });
    on_cleanup(stop);
    rested
}
