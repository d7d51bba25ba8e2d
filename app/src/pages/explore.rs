//! The Explore view: verdict, figures and charts of one scenario.

use super::chart::{chart, latency, memory, pareto, roofline, sensitivity, timeline};
use super::headline::{figures, gains, verdict};
use super::toast::Toast;
use crate::state::App;
use leptos::prelude::*;

/// Verdict, gains, figures and charts: the view, and what `embed=explore` shows.
pub fn answer(app: App, toast: Toast) -> AnyView {
    let stale = Memo::new(move |_| !app.possible());
    let empty = Memo::new(move |_| app.answer.with(Option::is_none));
    view! {
        {verdict(app)}
        <div class="answer" class:stale=move || stale.get()>
            {move || if empty.get() {
                nothing_yet().into_any()
            } else {
                view! {
                    {gains(app)}
                    {figures(app)}
                    <div class="charts">
                        {chart(app, toast, roofline(app))}
                        {chart(app, toast, latency(app))}
                        {chart(app, toast, pareto(app))}
                        {chart(app, toast, memory(app))}
                        {chart(app, toast, sensitivity(app, toast))}
                        {chart(app, toast, timeline(app))}
                    </div>
                }.into_any()
            }}
        </div>
    }
    .into_any()
}

/// What stands where the charts would, when a link opens on an impossible scenario.
pub fn nothing_yet() -> AnyView {
    view! {
        <div class="empty">
            <p>"No plan obeys these numbers, so there is nothing to draw yet."</p>
            <p class="tone-muted">
                "Take one of the choices above, change the control that is marked in the scenario, or "
                <a href="?v=1">"start from the default scenario"</a>
                "."
            </p>
        </div>
    }
    .into_any()
}
