//! Draws the panel's collapsible groups of settings, which follow the panel's first sliders.

use super::choice::choice_row;
use super::own_log::own_log;
use super::picker::{accelerator_picker, layer_strip, model_picker};
use super::placement::placement_note;
use super::row::{RowPlace, slider_row, trouble_of};
use super::terms::terms;
use crate::icons;
use crate::listen::on_key;
use crate::part::{Part, kept};
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::controls::table::{Control, CustomRow, PanelGroup, Widget};
use answer::page::glue::whole_facts;
use leptos::prelude::*;
use model_core::permalink::View;

part!(settings, rows_part, load_rows, rows_of(app: App, group: PanelGroup) -> AnyView);

/// Program part with the controls of all groups, loaded when the first group is opened.
const SETTINGS: Part = Part {
    name: "Settings",
    styles: &[],
    load: Some(|| Box::pin(load_rows())),
};

fn rows_of(app: App, group: PanelGroup) -> AnyView {
    let row = |control: &'static Control| {
        // A memo, so that a row is rebuilt only when it appears or disappears.
        let there = Memo::new(move |_| app.current.with(control.when));
        move || there.get().then(|| control_row(app, control))
    };
    // Also a memo: rebuilding the rows at each change of the link would lose text that is being typed.
    let serves = Memo::new(move |_| app.link.with(|link| link.shown.view == View::Service));
    let serves = serves.get();
    let rows = group
        .controls()
        .filter(|control| !serves || control.is_of_service());
    rows.map(row).collect_view().into_any()
}

fn control_row(app: App, control: &Control) -> AnyView {
    match control.kind {
        Widget::Slider(slider) => slider_row(app, slider.number, RowPlace::Panel),
        Widget::Choice(choice) => choice_row(app, choice.key),
        Widget::Custom(_, row) => match row {
            CustomRow::Models => model_picker(app),
            CustomRow::Accelerators => accelerator_picker(app),
            CustomRow::Placement => placement_note(app),
            CustomRow::OwnLog => own_log(app),
            CustomRow::Terms => terms(app),
        },
    }
}

/// Draws a group of settings: its heading with a summary and, while the group is open, its controls.
pub fn group_view(app: App, group: PanelGroup) -> AnyView {
    let open = RwSignal::new(false);
    let summary = Memo::new(move |_| app.link.with(|link| group.summary_in_view(link)));
    let troubled = Memo::new(move |_| {
        app.problems
            .with(|problems| problems.iter().any(|problem| group.holds(problem.key)))
    });
    // Only one group is open at a time, because it covers part of the page.
    let inspected = Inspected::of_page().0;
    Effect::new(move |_| {
        if open.get() {
            inspected.set(Some(group));
        }
    });
    Effect::new(move |_| {
        if inspected.get() != Some(group) {
            open.set(false);
        }
    });
    on_key("Escape", move || open.set(false));
    let summary = view! {
        <span class="group-summary" title=move || summary.get()>{move || whole_facts(&summary.get())}</span>
    };
    let class = move || match troubled.get() {
        true => "inspects troubled",
        false => "inspects",
    };
    let shown = view! {
        {(group == PanelGroup::Model).then(|| layer_strip(app))}
        // Errors are shown next to their control or, while the group is closed, below the group's heading.
        {move || (troubled.get() && !open.get()).then(|| trouble_of(app, move |key| group.holds(key)))}
    };
    folding(
        group.name(),
        class,
        open,
        (summary.into_any(), shown.into_any()),
        move || {
            view! {
                <div class="inspector-head">
                    <h2>{group.name()}</h2>
                    <button type="button" class="icon-button" aria-label="Close" title="Close" on:click=move |_| open.set(false)>
                        {icons::close()}
                    </button>
                </div>
                {SETTINGS.shown(true, move || rows_part(app, group))}
            }
            .into_any()
        },
    )
}

/// The settings group that is open as an overlay on the page, if any.
#[derive(Clone, Copy)]
struct Inspected(Lasting<RwSignal<Option<PanelGroup>>>);

impl Inspected {
    fn of_page() -> Self {
        kept(|| Self(Lasting::signal(None)))
    }
}

/// Draws a collapsible section of the panel: a heading with a summary, the always visible view `shown`, and `body`
/// while the section is open.
pub fn folding(
    name: &'static str,
    class: impl Fn() -> &'static str + Send + 'static,
    open: RwSignal<bool>,
    (summary, shown): (AnyView, AnyView),
    body: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let id = format!("group-{}", name.to_ascii_lowercase());
    let class = move || {
        let open = if open.get() { "open" } else { "" };
        format!("group {} {open}", class())
    };
    view! {
        <section class=class aria-label=name>
            <h3>
                <button
                    type="button"
                    class="group-head"
                    aria-expanded=move || open.get().to_string()
                    aria-controls=id.clone()
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <span class="group-name">{name}</span>
                    {summary}
                    {icons::chevron()}
                </button>
            </h3>
            {shown}
            <div class="group-body" id=id hidden=move || !open.get()>
                {move || open.get().then(&body)}
            </div>
        </section>
    }
    .into_any()
}
