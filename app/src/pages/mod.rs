//! The page: its views and the frame around them.

pub mod apart;
pub mod benchmark;
pub mod candidates;
pub mod embed;
pub mod explain;
pub mod explore;
pub mod figure;
pub mod helps;
pub mod hero;
pub mod limits;
pub mod papers;
pub mod places;
pub mod plans;
pub mod service;
pub mod shell;
pub mod strip;
pub mod turns;
mod views;

use crate::part;
use crate::state::{App, address, colours};
use answer::theme;
use answer::words::names;
use leptos::mount::mount_to_body;
use leptos::prelude::*;
use model_core::permalink::{FigureId, Note};
use shell::scroll::scroll_to;
use shell::toast::Toast;

/// Starts the page in the browser.
pub fn start() {
    shell::trouble::watch();
    style();
    let app = App::open(&address::query());
    show_view_of_anchor(app);
    app.follow_history();
    // Remove the placeholder that is shown while the page loads.
    if let Some(outline) = document().get_element_by_id("first-paint") {
        outline.remove();
    }
    mount_to_body(move || root(app));
    show_anchor();
}

fn root(app: App) -> AnyView {
    Effect::new(move |_| {
        app.printing.track();
        colours::apply(app.dark.get());
    });
    Effect::new(move |_| title(app));
    part::provide(app.runs);
    let toast = Toast::new();
    let embedded = Memo::new(move |_| {
        let figure = app.link.with(|link| link.shown.embed);
        // A frame that requests an unknown figure gets a note instead of the whole page.
        let asked = |notes: &Vec<Note>| notes.iter().any(|note| note.key == "embed");
        (figure.is_some() || app.notes.with(asked)).then_some(figure)
    });
    view! {
        {move || match embedded.get() {
            Some(figure) => embed::embed(app, toast, figure),
            None => shell::page(app, toast),
        }}
        {toast.view()}
    }
    .into_any()
}

/// Makes the colors of `theme` available as CSS custom properties. A constructed style sheet is used because a
/// content security policy may forbid inline styles.
fn style() {
    if let Ok(sheet) = web_sys::CssStyleSheet::new()
        && sheet.replace_sync(&theme::stylesheet()).is_ok()
    {
        document().set_adopted_style_sheets(&js_sys::Array::of1(&sheet));
    }
}

fn title(app: App) {
    let title = app
        .link
        .with(|link| names::tab(&link.current, link.shown.view));
    document().set_title(&title);
}

fn anchor() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// Switches to the view of the chart named in the URL fragment. An old link may name another view, because some charts
/// have moved.
fn show_view_of_anchor(app: App) {
    if let Some(figure) = FigureId::of_id(&anchor()) {
        app.link
            .update_untracked(|link| link.shown.view = figure.view());
    }
}

/// Scrolls to the chart named in the URL fragment.
fn show_anchor() {
    let id = anchor();
    let figure = FigureId::of_id(&id);
    let id = figure.map_or_else(|| id.clone(), |figure| figure.id().to_owned());
    if !id.is_empty() {
        scroll_to(id);
    }
}
