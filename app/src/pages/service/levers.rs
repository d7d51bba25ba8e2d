//! The list of changes that would help a service.

use crate::compute::Compute;
use crate::pages::helps::Helps;
use crate::pages::shell::rest::rested;
use crate::pages::strip::strip_view;
use crate::state::App;
use answer::levers::Strip;
use answer::service::lever_strip;
use leptos::prelude::*;
use model_core::inputs::Inputs;
use worker::{Answer, Request, Stage};

/// Draws the list of changes that would help, below the headline.
pub fn levers(app: App) -> AnyView {
    let compute = Compute::new();
    let now = Memo::new(move |_| app.current.get().normalized());
    // Each lever needs a search, so the request waits until the inputs are at rest.
    let asked = rested(now);
    Effect::new(move |_| compute.run(Request::ServiceLevers(asked.get())));
    // Only complete lists are shown, so that rows do not move.
    let found = Memo::new(move |earlier: Option<&Option<(Strip, Inputs)>>| {
        let done = compute.outcome.get();
        let done = done.filter(|outcome| outcome.stage == Stage::Done);
        let made = done.and_then(|outcome| match (&outcome.request, &outcome.answer) {
            (Request::ServiceLevers(inputs), Answer::ServiceLevers(answer)) => {
                Some((lever_strip(answer, inputs), *inputs))
            }
            _ => None,
        });
        made.or_else(|| earlier.cloned().flatten())
    });
    let strip = Memo::new(move |_| found.with(|found| found.as_ref().map(|found| found.0.clone())));
    let fresh = Memo::new(move |_| {
        let now = now.get();
        found.with(|found| found.as_ref().is_some_and(|found| found.1 == now))
    });
    strip_view(app, Helps::of_page(app), strip, fresh)
}
