//! The top bar: sections, presets, comparison, sharing and color theme.

use super::about::about;
use super::preset_menu::preset_menu;
use super::toast::Toast;
use crate::icons;
use crate::pages::places::places;
use crate::state::{App, address};
use leptos::prelude::*;

/// Draws the top bar.
pub fn topbar(app: App, toast: Toast) -> AnyView {
    let pinned = Memo::new(move |_| app.pinned.with(Option::is_some));
    view! {
        <header class="topbar">
            <a class="brand" href="?" aria-label="Ridgepoint, default scenario">
                {icons::brand()}
                <span>"Ridgepoint"</span>
            </a>
            {places(app, toast)}
            {preset_menu(app, toast)}
            <nav class="topbar-tools" aria-label="Tools">
                <a class="tool learn" href="./guide/" title="How a model is served, in seven short chapters">
                    {icons::learn()}
                    <span class="tool-name">"Learn"</span>
                </a>
                <button
                    type="button"
                    class="tool"
                    aria-pressed=move || pinned.get().to_string()
                    title=move || {
                        if pinned.get() { "Unpin A" } else { "Pin this scenario as A for comparison" }
                    }
                    on:click=move |_| if pinned.get_untracked() { app.unpin() } else { app.pin() }
                >
                    <span class="a-mark" aria-hidden="true">"A"</span>
                    <span class="tool-name">{move || if pinned.get() { "Unpin" } else { "Compare" }}</span>
                </button>
                <button
                    type="button"
                    class="tool"
                    aria-label="I measured this"
                    title="Paste a benchmark to compare it with this scenario"
                    on:click=move |_| app.measure(None)
                >
                    {icons::measure()}
                    <span class="tool-name">"I measured this"</span>
                </button>
                <button type="button" class="tool" title="Copy link to this scenario" on:click=move |_| share(app, toast)>
                    {icons::share()}
                    <span class="tool-name">"Share"</span>
                </button>
                <button
                    type="button"
                    class="tool"
                    aria-label=move || format!("Theme: {}", app.preference.get().words())
                    title=move || format!("Theme: {}", app.preference.get().words())
                    on:click=move |_| {
                        app.turn_colours();
                        toast.say(format!("Theme: {}", app.preference.get_untracked().words()));
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

/// On a phone, passes the permalink to the system's share sheet. Elsewhere, copies it to the clipboard.
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
        // Dismissing the share sheet is not an error.
        super::clipboard::forget(navigator.share_with_data(&data));
    } else {
        super::clipboard::copy(url, toast, "Link copied");
    }
}
