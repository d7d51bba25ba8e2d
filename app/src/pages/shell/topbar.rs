//! The top bar: views, presets, compare, share, colours.

use super::about::about;
use super::preset_menu::preset_menu;
use super::toast::Toast;
use crate::icons;
use crate::pages::views::expect;
use crate::state::{App, address};
use leptos::ev;
use leptos::prelude::*;
use model_core::permalink::{self, Link, Shown, View};

/// The top bar.
pub fn topbar(app: App, toast: Toast) -> AnyView {
    let pinned = Memo::new(move |_| app.pinned.with(Option::is_some));
    view! {
        <header class="topbar">
            <a class="brand" href="?" aria-label="Ridgepoint, default scenario">
                {icons::brand()}
                <span>"Ridgepoint"</span>
            </a>
            {tabs(app, toast)}
            {preset_menu(app)}
            <nav class="topbar-tools" aria-label="Tools">
                <button
                    type="button"
                    class="tool"
                    aria-pressed=move || pinned.get().to_string()
                    title=move || {
                        if pinned.get() { "Unpin A" } else { "Pin this scenario as A, to compare with" }
                    }
                    on:click=move |_| if pinned.get_untracked() { app.unpin() } else { app.pin() }
                >
                    <span class="a-mark" aria-hidden="true">"A"</span>
                    <span class="tool-name">{move || if pinned.get() { "Unpin" } else { "Compare" }}</span>
                </button>
                <button type="button" class="tool" title="Copy the link to this scenario" on:click=move |_| share(app, toast)>
                    {icons::share()}
                    <span class="tool-name">"Share"</span>
                </button>
                <button
                    type="button"
                    class="tool"
                    aria-label=move || format!("Colours: {}", app.preference.get().words())
                    title=move || format!("Colours: {}", app.preference.get().words())
                    on:click=move |_| {
                        app.turn_colours();
                        toast.say(format!("Colours: {}", app.preference.get_untracked().words()));
                    }
                >
                    {icons::colours()}
                </button>
                {about(app)}
            </nav>
        </header>
    }
    .into_any()
}

/// The views. Each tab is a link to the scenario in that view, so that it opens in a new tab too.
fn tabs(app: App, toast: Toast) -> AnyView {
    let shown = Memo::new(move |_| app.link.with(|link| link.shown.view));
    let tab = move |view: View| {
        let address = move || {
            app.link.with(|link| {
                let shown = Shown { view, ..link.shown };
                format!(
                    "?{}",
                    permalink::write(&Link {
                        shown,
                        ..link.clone()
                    })
                )
            })
        };
        let follow = move |event: ev::MouseEvent| {
            let elsewhere = event.ctrl_key() || event.meta_key() || event.shift_key();
            if !elsewhere {
                event.prevent_default();
                app.show(view);
            }
        };
        view! {
            <a
                class="tab"
                href=address
                aria-current=move || (shown.get() == view).then_some("page")
                on:click=follow
                on:pointerenter=move |_| expect(app, toast, view)
                on:focus=move |_| expect(app, toast, view)
            >
                {view.name()}
            </a>
        }
    };
    view! { <nav class="tabs" aria-label="Views">{View::ALL.map(tab).collect_view()}</nav> }
        .into_any()
}

/// Hands the link to the system's share sheet on a phone, else to the clipboard.
fn share(app: App, toast: Toast) {
    let url = address::absolute(&app.text.get_untracked());
    let narrow = window()
        .match_media("(pointer: coarse)")
        .ok()
        .flatten()
        .is_some_and(|query| query.matches());
    let navigator = window().navigator();
    let can_share = js_sys::Reflect::has(&navigator, &"share".into()).unwrap_or(false);
    if narrow && can_share {
        let data = web_sys::ShareData::new();
        data.set_title("Ridgepoint");
        data.set_url(&url);
        // Dismissing the sheet is no error.
        super::clipboard::forget(navigator.share_with_data(&data));
    } else {
        super::clipboard::copy(url, toast, "Link copied");
    }
}
