//! The Explore view: the scenario on the left, the answer on the right.

use super::chart::{LATENCY, MEMORY, PARETO, ROOFLINE, chart};
use super::headline::{figures, gains, verdict};
use super::icons;
use super::notice::notice;
use super::toast::Toast;
use super::topbar::topbar;
use crate::controls::dock::{dock, focus};
use crate::controls::panel::panel;
use crate::state::App;
use leptos::ev;
use leptos::prelude::*;

/// The whole page.
pub fn explore(app: App, toast: Toast) -> AnyView {
    let sheet = RwSignal::new(false);
    let open_sheet = move || {
        sheet.set(true);
        request_animation_frame(|| focus("sheet-close"));
    };
    let escape = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" && sheet.get_untracked() {
            sheet.set(false);
        }
    });
    on_cleanup(move || escape.remove());
    view! {
        <a class="skip" href="#answer" on:click=move |event| { event.prevent_default(); focus("answer"); }>
            "Skip to the answer"
        </a>
        {topbar(app, toast)}
        <div class="page">
            <aside class="panel" class:sheet=move || sheet.get() aria-label="Scenario">
                <button type="button" id="sheet-close" class="sheet-close" on:click=move |_| sheet.set(false)>
                    "Done"
                    {icons::close()}
                </button>
                {panel(app)}
            </aside>
            <main id="answer" class="main" tabindex="-1">
                {notice(app)}
                {answer(app, toast)}
            </main>
        </div>
        {dock(app, open_sheet)}
    }
    .into_any()
}

/// Verdict, gains, figures and charts: also what `embed=explore` shows.
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
                        {chart(app, toast, ROOFLINE)}
                        {chart(app, toast, LATENCY)}
                        {chart(app, toast, PARETO)}
                        {chart(app, toast, MEMORY)}
                    </div>
                }.into_any()
            }}
        </div>
    }
    .into_any()
}

/// What stands where the charts would, when a link opens on an impossible scenario.
fn nothing_yet() -> AnyView {
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
