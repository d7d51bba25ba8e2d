//! The strip of what helps a service, computed between frames once the scenario rests.

use crate::answer::levers::Strip;
use crate::answer::service::lever_strip;
use crate::pages::helps::{Helps, strip_view};
use crate::pages::shell::rest::undragged;
use crate::state::App;
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use model_core::inputs::Inputs;
use model_core::service::levers::LeverWork;
use std::sync::Arc;

/// Pause before the first lever: a change that follows at once needs none of the last.
const REST_MS: u32 = 250;
/// Work between two frames, and the pause after it.
const SLICE_MS: f64 = 5.0;
const PAUSE_MS: u32 = 12;

/// Levers in progress, of some inputs.
#[derive(Clone, Copy)]
struct Progress {
    work: StoredValue<Option<LeverWork>, LocalStorage>,
    /// Dropping a timer cancels it.
    timer: StoredValue<Option<Timeout>, LocalStorage>,
    found: RwSignal<Option<Arc<(Inputs, Strip)>>>,
}

impl Progress {
    fn start(self, app: App, inputs: Inputs) {
        self.work.set_value(None);
        self.after(REST_MS, app, inputs);
    }

    fn after(self, pause_ms: u32, app: App, inputs: Inputs) {
        let next = Timeout::new(pause_ms, move || self.advance(app, inputs));
        self.timer.try_set_value(Some(next));
    }

    /// A slice of the work, unless something is being dragged.
    fn advance(self, app: App, inputs: Inputs) {
        if app.held.try_get_untracked() != Some(false) {
            return self.after(REST_MS, app, inputs);
        }
        let until = js_sys::Date::now() + SLICE_MS;
        let done = self.work.try_update_value(|work| {
            let work = work.get_or_insert_with(|| LeverWork::new(&inputs));
            while js_sys::Date::now() < until {
                if !work.step() {
                    return Some(lever_strip(&work.found, &inputs));
                }
            }
            None
        });
        match done {
            Some(Some(strip)) => drop(self.found.try_set(Some(Arc::new((inputs, strip))))),
            Some(None) => self.after(PAUSE_MS, app, inputs),
            None => {}
        }
    }
}

/// The strip under the headline.
pub fn levers(app: App) -> AnyView {
    let progress = Progress {
        work: StoredValue::new_local(None),
        timer: StoredValue::new_local(None),
        found: RwSignal::new(None),
    };
    let now = Memo::new(move |_| app.current.with(|inputs| inputs.normalized()));
    let asked = undragged(app, now);
    Effect::new(move |_| progress.start(app, asked.get()));
    on_cleanup(move || drop(progress.timer.try_update_value(Option::take)));
    let found = progress.found;
    let strip = Memo::new(move |_| found.with(|found| found.as_ref().map(|found| found.1.clone())));
    let fresh = Memo::new(move |_| {
        let now = now.get();
        found.with(|found| found.as_ref().is_some_and(|found| found.0 == now))
    });
    strip_view(app, Helps::of_page(app), strip, fresh, false)
}
