//! "Do pools pay?", searched in the background for values that stay.

use super::Answered;
use crate::answer::service::pays_data;
use crate::charts::AnyFigure;
use crate::compute::Compute;
use crate::pages::figure::Made;
use crate::pages::shell::rest::rested;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::{FigureId, write_inputs};
use model_core::service::pays::Lengths;
use std::sync::Arc;
use worker::{Answer, Request};

/// The data of the plane; the last one while another is searched.
pub fn made(app: App, _: FigureId) -> Made {
    let answer = Answered::of_page(app).answer;
    let compute = Compute::new();
    // Lengths within the plane only move the point on it.
    let plane = Memo::new(move |_| {
        app.current
            .with(|inputs| write_inputs(&Lengths::asked(inputs)))
    });
    let asked = rested(plane);
    Effect::new(move |_| compute.run(Request::Pays { link: asked.get() }));
    let data = Memo::new(move |_| {
        let outcome = compute.outcome.get()?;
        let Answer::Pays(found) = &outcome.answer else {
            return None;
        };
        answer.with(|answer| {
            let shown = answer.shown.as_ref()?;
            let inputs = app.current.get();
            Some(Arc::new(pays_data(found, shown, &inputs)))
        })
    });
    Made::of(move || data.with(|data| data.as_ref().map(AnyFigure::of)))
}
