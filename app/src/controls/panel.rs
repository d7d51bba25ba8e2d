//! Draws the scenario panel.

use super::find::find;
use super::groups::group_view;
use super::traffic::{first_rows, traffic};
use crate::state::App;
use answer::controls::shown::{unused_in_view, words_of};
use answer::controls::table::{FIRST, PanelGroup};
use answer::corrected::measured_points;
use answer::difference;
use answer::page::presets;
use answer::papers::cited;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Number, Version};
use model_core::permalink::View;
use model_core::search::Search;

/// Draws the whole scenario panel; `of_disaggregation` draws the group of controls that only the AFD view has.
pub fn panel(app: App, of_disaggregation: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let disaggregated = Memo::new(move |_| {
        app.link
            .with(|link| link.shown.view == View::Disaggregation)
    });
    let serves = Memo::new(move |_| app.link.with(|link| link.shown.view == View::Service));
    let unused = Memo::new(move |_| app.link.with(unused_in_view));
    // Initially, the help text describes an input at the top of the panel.
    Effect::new(move |_| {
        app.helped.set(match serves.get() {
            true => Number::Rate,
            false => Number::ScaleOut,
        });
    });
    view! {
        <div class="panel-scroll">
            {header(app)}
            {move || match (serves.get(), unused.get()) {
                (true, _) => traffic(app),
                (_, false) => first_rows(app, &FIRST),
                (_, true) => view! {
                    <details class="unused-rows">
                        <summary>{format!("{} inputs not used here", FIRST.len())}</summary>
                        {first_rows(app, &FIRST)}
                    </details>
                }
                .into_any(),
            }}
            {move || disaggregated.get().then(&of_disaggregation)}
            {find(app)}
            <div class="groups">{PanelGroup::ALL.map(|group| group_view(app, group)).collect_view()}</div>
            {measured_note(app)}
            {pinned_note(app)}
        </div>
        <div class="panel-foot">{help(app)} {link_text(app)}</div>
    }
    .into_any()
}

fn header(app: App) -> AnyView {
    let changes = Memo::new(move |_| app.link.with(presets::changes_shown));
    view! {
        <div class="panel-head">
            <h2>"Scenario"</h2>
            <span class="panel-changes">
                {move || match changes.get() {
                    0 => "default".to_owned(),
                    1 => "1 change".to_owned(),
                    n => format!("{n} changes"),
                }}
            </span>
            <button
                type="button"
                class="quiet"
                disabled=move || changes.get() == 0
                on:click=move |_| app.change(|link| {
                    link.current = Inputs::defaults_of(Version::NEWEST);
                    if link.shown.view == View::Plans {
                        link.search = Search::default();
                    }
                })
            >
                "reset"
            </button>
        </div>
    }
    .into_any()
}

fn measured_note(app: App) -> AnyView {
    let points = Memo::new(move |_| app.current.with(measured_points));
    let point = |(batch, time): (String, String)| view! { <p class="measured-point">{batch} <span>{time}</span></p> };
    view! {
        {move || (!points.with(Vec::is_empty)).then(|| view! {
            <div class="pinned-note">
                <p class="pinned-title">
                    "Measured"
                    <button type="button" class="quiet" on:click=move |_| app.measure(None)>"compare"</button>
                </p>
                {points.get().into_iter().map(point).collect_view()}
            </div>
        })}
    }
    .into_any()
}

fn pinned_note(app: App) -> AnyView {
    view! {
        {move || {
            app.pinned
                .get()
                .map(|pinned| {
                    let difference = app
                        .current
                        .with(|current| difference(current, &pinned))
                        .map_or_else(
                            || "Same as current".to_owned(),
                            |how| format!("{how}; rest unchanged"),
                        );
                    view! {
                        <div class="pinned-note">
                            <p class="pinned-title">
                                <span class="a-mark" aria-hidden="true">"A"</span>
                                "Pinned for comparison"
                                <button type="button" class="quiet" on:click=move |_| app.swap()>"swap"</button>
                                <button type="button" class="quiet" on:click=move |_| app.unpin()>"unpin"</button>
                            </p>
                            <p class="pinned-difference">{difference}</p>
                        </div>
                    }
                })
        }}
    }
    .into_any()
}

fn help(app: App) -> AnyView {
    view! {
        <p class="panel-help">
            {move || {
                let number = app.helped.get();
                let words = words_of(number);
                let (base, index) = words.symbol;
                view! {
                    // Hidden from screen readers, which read the same text in the row. The citation is not hidden,
                    // because it is a link only here.
                    <span aria-hidden="true">
                        <b>{words.name}</b>
                        " "
                        {(!base.is_empty()).then(|| view! { <i>{base}</i> <sub>{index}</sub> ". " })}
                        {words.help}
                        " "
                    </span>
                    {citation(words.source)}
                }
            }}
        </p>
    }
    .into_any()
}

/// Draws a citation as a link to the published paper, or as plain text if the paper's address is unknown.
fn citation(source: &'static str) -> AnyView {
    match cited(source) {
        Some((title, address)) => view! {
            <a class="cite" href=address title=title target="_blank" rel="noopener noreferrer">{source}</a>
        }
        .into_any(),
        None => view! { <span>{source}</span> }.into_any(),
    }
}

fn link_text(app: App) -> AnyView {
    view! {
        <p class="panel-link" title=move || format!("?{}", app.text.get())>
            <span class="hidden">"Link: "</span>
            {move || format!("?{}", app.text.get())}
        </p>
    }
    .into_any()
}
