//! The frame around every view: top bar, scenario panel, notices, and the dock on a phone.

pub mod about;
pub mod clipboard;

mod notice;
mod own;
pub mod popover;
mod preset_menu;
pub mod rest;
pub mod scroll;
pub mod toast;
mod topbar;
pub mod trouble;
pub mod words;

use super::places::place_head;
use super::views::{ViewRequest, explanation, of_view};
use crate::controls::dock::{dock, focus};
use crate::controls::panel::panel;
use crate::controls::pasted::dropped;
use crate::icons;
use crate::listen::on_key;
use crate::state::App;
use answer::words::names::chapter;
use leptos::ev::DragEvent;
use leptos::prelude::*;
use model_core::permalink::View;
use notice::notice;
use toast::Toast;
use topbar::topbar;

/// Draws the whole page.
pub fn page(app: App, toast: Toast) -> AnyView {
    let sheet = RwSignal::new(false);
    let shown = Memo::new(move |_| app.link.with(|link| link.shown.view));
    // Papers has separate scenarios, so the panel has no controls there.
    let evidence = Memo::new(move |_| shown.get() == View::Papers);
    let open_sheet = move || {
        sheet.set(true);
        request_animation_frame(|| focus("sheet-close"));
    };
    let of_disaggregation = move || of_view(app, toast, View::Disaggregation, ViewRequest::Panel);
    on_key("Escape", move || {
        if sheet.get_untracked() {
            sheet.set(false);
        }
    });
    view! {
        <a class="skip" href="#answer" on:click=move |event| { event.prevent_default(); focus("answer"); }>
            "Skip to the answer"
        </a>
        {topbar(app, toast)}
        <div
            class="page"
            class:wide=move || evidence.get()
            on:dragover=|event: DragEvent| event.prevent_default()
            on:drop=move |event: DragEvent| dropped(&event, move |text| app.measure(Some(text)))
        >
            {move || (!evidence.get()).then(|| view! {
                <aside class="panel" class:sheet=move || sheet.get() aria-label="Scenario">
                    <button type="button" id="sheet-close" class="sheet-close" on:click=move |_| sheet.set(false)>
                        "Done"
                        {icons::close()}
                    </button>
                    {panel(app, of_disaggregation)}
                </aside>
            })}
            <main id="answer" class="main" tabindex="-1">
                {notice(app)}
                {move || (!evidence.get()).then(|| place_head(app, toast))}
                <a class="lesson" href=move || format!("./guide/{}.html", chapter(shown.get()))>"Guide"</a>
                {move || of_view(app, toast, shown.get(), ViewRequest::View)}
            </main>
            {explanation(app, toast)}
        </div>
        {move || (!evidence.get()).then(|| dock(app, open_sheet))}
    }
    .into_any()
}
