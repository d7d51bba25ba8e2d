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
use model_core::service::pays::LengthGrid;
use std::sync::Arc;
use worker::pays::PaysAnswer;
use worker::{Answer, Request, Stage};

/// The data of the plane: complete ones alone, the last one while another is searched.
pub fn made(app: App, _: FigureId) -> Made {
    let answer = Answered::of_page(app).followed(app).answer;
    let compute = Compute::new();
    // Lengths within the plane only move the point on it.
    let plane = Memo::new(move |_| {
        app.current
            .with(|inputs| write_inputs(&LengthGrid::asked(inputs)))
    });
    let asked = rested(plane);
    Effect::new(move |_| compute.run(Request::Pays { link: asked.get() }));
    let whole = Memo::new(move |earlier: Option<&Option<PaysAnswer>>| {
        let outcome = compute.outcome.get();
        let done = outcome.filter(|outcome| outcome.stage == Stage::Done);
        match done.as_ref().map(|outcome| &outcome.answer) {
            Some(Answer::Pays(found)) => Some(found.clone()),
            _ => earlier.cloned().flatten(),
        }
    });
    let data = Memo::new(move |_| {
        answer.with(|answer| {
            let shown = answer.shown.as_ref()?;
            let inputs = app.current.get();
            whole.with(|whole| Some(Arc::new(pays_data(whole.as_ref(), shown, &inputs))))
        })
    });
    Made::of(move || data.with(|data| data.as_ref().map(AnyFigure::of)))
}
