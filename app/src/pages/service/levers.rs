//! The strip of what helps a service.

use crate::answer::levers::Strip;
use crate::answer::service::lever_strip;
use crate::compute::Compute;
use crate::pages::helps::{Helps, strip_view};
use crate::pages::shell::rest::rested;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{read, write_inputs};
use worker::{Answer, Request, Stage};

/// The strip under the headline.
pub fn levers(app: App) -> AnyView {
    let compute = Compute::new();
    let now = Memo::new(move |_| app.current.with(write_inputs));
    // Each lever is a search: for values that stay, whoever moves them.
    let asked = rested(now);
    Effect::new(move |_| compute.run(Request::ServiceLevers { link: asked.get() }));
    // Complete lists alone: rows keep their places.
    let found = Memo::new(move |earlier: Option<&Option<(Strip, String)>>| {
        let done = compute.outcome.get();
        let done = done.filter(|outcome| outcome.stage == Stage::Done);
        let made = done.and_then(|outcome| match (&outcome.request, &outcome.answer) {
            (Request::ServiceLevers { link }, Answer::ServiceLevers(answer)) => {
                Some((lever_strip(answer, &read(link).current), link.clone()))
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
    strip_view(app, Helps::of_page(app), strip, fresh, false)
}
