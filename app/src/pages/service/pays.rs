//! “Is disaggregation cheaper?”: a comparison across prompt and output lengths, computed in the background once no
//! slider is being dragged.

use super::Answered;
use crate::compute::Compute;
use crate::pages::figure::Made;
use crate::pages::shell::rest::rested;
use crate::state::App;
use answer::service::pays::pays;
use leptos::prelude::*;
use model_core::permalink::FigureId;
use model_core::service::pays::LengthGrid;
use worker::pays::PaysAnswer;
use worker::{Answer, Request, Stage};

/// Returns the chart of the cheaper alternative (aggregated or disaggregated) across prompt and output lengths. Only
/// complete data are shown; until the computation is done, the previous data remain.
pub fn made(app: App, _: FigureId) -> Made {
    let answer = Answered::of_page(app).followed(app).answer;
    let compute = Compute::new();
    // A change of lengths within the grid only moves the point, and needs no new comparison.
    let plane = Memo::new(move |_| {
        app.current
            .with(|inputs| LengthGrid::asked(inputs).normalized())
    });
    let asked = rested(plane);
    Effect::new(move |_| compute.run(Request::Pays(asked.get())));
    let whole = Memo::new(move |earlier: Option<&Option<PaysAnswer>>| {
        let outcome = compute.outcome.get();
        let done = outcome.filter(|outcome| outcome.stage == Stage::Done);
        match done.as_ref().map(|outcome| &outcome.answer) {
            Some(Answer::Pays(found)) => Some(found.clone()),
            _ => earlier.cloned().flatten(),
        }
    });
    Made::of(move || {
        answer.with(|answer| {
            let shown = answer.shown.as_ref()?;
            let inputs = app.current.get();
            whole.with(|whole| Some(pays(whole.as_ref(), shown, &inputs)))
        })
    })
}
