//! “What helps?”: the best levers (suggested changes) next to a chart. A lever with several changes opens a panel that
//! lists them.

use super::helps::{Helps, address_of, plain};
use crate::controls::dock::focus;
use crate::pages::shell::scroll::scroll_to;
use crate::pages::shell::words::tone_class;
use crate::part::Part;
use crate::state::{App, address};
use answer::levers::{LeverRow, Strip};
use answer::{FigureCell, preview};
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::Inputs;
use model_core::permalink::{self, FigureId, View};

/// Draws the section of levers (suggested changes) next to Explore's first chart. The content belongs to a program
/// part that loads later.
pub fn helps(app: App) -> AnyView {
    let helps = Helps::of_page(app);
    helps.follow(app);
    let content = STRIPS.shown(true, move || strip_part(app, helps));
    section(move || helps.fresh.get(), content)
}

fn section(fresh: impl Fn() -> bool + Send + Sync + 'static, content: AnyView) -> AnyView {
    let stale = Memo::new(move |_| !fresh());
    view! {
        <section id=STRIP class="helps" tabindex="-1" class:stale=move || stale.get() aria-label="What helps">
            {content}
        </section>
    }
    .into_any()
}

const STRIPS: Part = Part {
    name: "The list of changes",
    styles: &["levers"],
    load: Some(|| Box::pin(load_strip())),
};

part!(below, strip_part, load_strip, page_strip(app: App, helps: Helps) -> AnyView);

fn page_strip(app: App, helps: Helps) -> AnyView {
    lists(app, helps, helps.strip(app), true)
}

/// Draws the levers (suggested changes) that a separate request found, for example for a service. There is no link to
/// the full table.
pub fn strip_view(
    app: App,
    helps: Helps,
    strip: Memo<Option<Strip>>,
    fresh: Memo<bool>,
) -> AnyView {
    section(move || fresh.get(), lists(app, helps, strip, false))
}

/// Draws two lists of levers (suggested changes), for settings and for hardware. If `table` is true, a link leads to
/// the full table.
fn lists(app: App, helps: Helps, strip: Memo<Option<Strip>>, table: bool) -> AnyView {
    let basis = move || {
        let basis = strip.with(|strip| strip.as_ref().map(|strip| strip.basis.clone()));
        basis.unwrap_or_default()
    };
    let hardware_basis = move || strip.with(|strip| strip.as_ref()?.hardware_basis);
    let marks = move || {
        strip.with(|strip| {
            let rows = strip
                .iter()
                .flat_map(|strip| strip.settings.iter().chain(&strip.hardware));
            let (mut assumed, mut extrapolated) = (false, false);
            for row in rows {
                assumed |= row.assumed;
                extrapolated |= row.extrapolated;
            }
            (assumed, extrapolated)
        })
    };
    let marks = Memo::new(move |_| marks());
    let rows = move |select: fn(&Strip) -> &Vec<LeverRow>| {
        Memo::new(move |_| strip.with(|strip| strip.as_ref().map(|strip| select(strip).clone())))
    };
    let (settings, hardware) = (rows(|strip| &strip.settings), rows(|strip| &strip.hardware));
    let opened = OpenedLever::new(None);
    let all = move || strip.with(|strip| strip.as_ref().map_or(0, |strip| strip.all));
    view! {
        <h2 class="chart-question">"What helps?"</h2>
        <p class="helps-basis">
            {basis}
            <span class="helps-hardware">{hardware_basis}</span>
            {move || marks.get().0.then(|| view! { <span class="helps-mark"><sup>"a"</sup>" assumed"</span> })}
            {move || marks.get().1.then(|| view! { <span class="helps-mark"><sup>"e"</sup>" extrapolated"</span> })}
        </p>
        <div class="helps-lists">
            {lever_list(app, helps, "Settings", settings, opened)}
            {lever_list(app, helps, "Hardware", hardware, opened)}
        </div>
        <p class="helps-foot">
            {move || (table && all() > 0).then(|| view! {
                <a class="helps-all" href=move || table_address(app) on:click=move |event| to_table(app, &event)>
                    {move || format!("All {} changes", all())}
                </a>
            })}
            {move || undo(app, helps)}
        </p>
    }
    .into_any()
}

fn lever_list(
    app: App,
    helps: Helps,
    name: &'static str,
    rows: Memo<Option<Vec<LeverRow>>>,
    opened: OpenedLever,
) -> AnyView {
    let nothing = move || {
        let empty = rows.with(|rows| rows.as_ref().is_some_and(Vec::is_empty));
        empty.then(|| view! { <li class="tone-muted">"no listed change helps"</li> })
    };
    view! {
        <div class="helps-list">
            <h3 class="helps-name">{name}</h3>
            <ul aria-label=name>
                {move || rows.get().unwrap_or_default().into_iter().map(|row| one(app, helps, row, opened)).collect_view()}
                {nothing}
            </ul>
        </div>
    }
    .into_any()
}

/// Draws a lever (suggested change) with its gain, as a bar and as a factor.
fn one(app: App, helps: Helps, row: LeverRow, opened: OpenedLever) -> AnyView {
    let (bar, gives, tone) = (row.bar, row.gives.clone(), row.tone);
    let sheet = sheet(app, helps, row.clone(), opened);
    view! {
        <li>
            {lever_link(app, helps, row, opened)}
            {bar.map(|bar| view! {
                <span class="lever-bar" aria-hidden="true">
                    <span style:width=format!("{:.1}%", bar * 100.0)></span>
                </span>
            })}
            <span class=format!("lever-gives {}", tone_class(tone))>{gives}</span>
            {sheet}
        </li>
    }
    .into_any()
}

/// Inputs of the lever whose panel of changes is open, if any.
pub type OpenedLever = RwSignal<Option<Inputs>>;

/// Draws the link of a lever. A plain click applies a single change in place; several changes are first shown in a
/// panel. Hovering over the link previews the lever.
pub fn lever_link(app: App, helps: Helps, row: LeverRow, opened: OpenedLever) -> AnyView {
    let inputs = row.inputs;
    let taken = row.clone();
    let several = row.changes.len() > 1;
    let is_open = move || opened.get() == Some(inputs);
    let click = move |event: ev::MouseEvent| {
        if !plain(&event) {
            return;
        }
        event.prevent_default();
        match several {
            true => opened.update(|of| *of = (*of != Some(inputs)).then_some(inputs)),
            false => {
                helps.apply(app, &taken);
                follow_focus(&event, UNDO);
            }
        }
    };
    let show = move || helps.preview.set(Some(inputs));
    // While a lever's panel is open, its preview stays. After a lever is applied, the list may already be removed.
    let hide = move || helps.preview.set(opened.try_get_untracked().flatten());
    view! {
        <a
            class="lever"
            href=move || address_of(helps, inputs)
            title=row.help
            aria-expanded=move || several.then(|| is_open().to_string())
            on:click=click
            on:pointerenter=move |_| show()
            on:pointerleave=move |_| hide()
            on:focus=move |_| show()
            on:blur=move |_| hide()
        >
            <span class="lever-name">{row.name}</span>
            {row.assumed.then(|| view! { <sup>"a"</sup> })}
            {row.extrapolated.then(|| view! { <sup>"e"</sup> })}
        </a>
    }
    .into_any()
}

/// Draws the panel of a lever's changes while it is open: each setting before and after, the results, and the button
/// that applies the lever.
pub fn sheet(app: App, helps: Helps, row: LeverRow, opened: OpenedLever) -> AnyView {
    let inputs = row.inputs;
    let open = Memo::new(move |_| opened.get() == Some(inputs));
    let content = move || {
        let row = row.clone();
        SHEETS.shown(true, move || sheet_part(app, helps, row.clone(), opened))
    };
    view! { {move || open.get().then(&content)} }.into_any()
}

const SHEETS: Part = Part {
    name: "The changes",
    styles: &[],
    load: Some(|| Box::pin(load_sheet())),
};

part!(beside, sheet_part, load_sheet, opened_sheet(app: App, helps: Helps, row: LeverRow, opened: OpenedLever) -> AnyView);

fn opened_sheet(app: App, helps: Helps, row: LeverRow, opened: OpenedLever) -> AnyView {
    let results = match row.results.is_empty() {
        true => app.current.with_untracked(|now| preview(now, &row.inputs)),
        false => Some(row.results.clone()),
    };
    let close = move || {
        opened.set(None);
        helps.preview.set(None);
    };
    let changes = row.changes.clone().into_iter();
    let changes = changes.map(|(before, after)| view! { <li>{before} " → " <b>{after}</b></li> });
    let result = |cell: FigureCell| {
        let versus = cell.versus?;
        Some(view! {
            <li>
                {cell.name} " " {versus.pinned} " → " <b>{cell.value}</b> " " {cell.unit} " "
                <span class=tone_class(versus.tone)>{versus.change}</span>
            </li>
        })
    };
    let apply = move |event: ev::MouseEvent| {
        close();
        helps.apply(app, &row);
        follow_focus(&event, UNDO);
    };
    view! {
        <div
            class="lever-sheet"
            role="group"
            aria-label="Changes and their effect"
            on:keydown=move |event: ev::KeyboardEvent| if event.key() == "Escape" {
                close();
            }
        >
            <ul>{changes.collect_view()}</ul>
            <ul class="lever-results">{results.into_iter().flatten().filter_map(result).collect_view()}</ul>
            <p>
                <button type="button" class="act" on:click=apply>"Apply"</button>
                <button type="button" class="quiet" on:click=move |_| close()>"Cancel"</button>
            </p>
        </div>
    }
    .into_any()
}

/// Id of the section with the levers.
const STRIP: &str = "helps";
/// Id of the button that undoes a lever.
const UNDO: &str = "helps-undo";

/// Moves the focus after a click made by keyboard, because the list was redrawn and the clicked link is gone.
fn follow_focus(event: &ev::MouseEvent, to: &'static str) {
    // In a click made by keyboard, `detail` (the number of pointer clicks) is 0.
    if event.detail() == 0 {
        request_animation_frame(move || focus(to));
    }
}

/// Draws a button that undoes the applied lever, until the user makes another change.
fn undo(app: App, helps: Helps) -> Option<AnyView> {
    let (name, before, after) = helps.applied.get()?;
    app.current
        .with(|current| *current == after.normalized())
        .then(|| {
            let back = move |event: ev::MouseEvent| {
                helps.applied.set(None);
                app.edit(|current| *current = before);
                follow_focus(&event, STRIP);
            };
            view! {
                <span class="helps-undo" role="status">
                    {format!("Applied {name} ")}
                    <button type="button" id=UNDO class="act" on:click=back>"Undo"</button>
                </span>
            }
            .into_any()
        })
}

fn table_address(app: App) -> String {
    app.link.with(|link| {
        let mut to = link.clone();
        to.shown.view = View::Explore;
        format!("{}#levers", address::absolute(&permalink::write(&to)))
    })
}

/// Shows the table of all levers in the Explore view.
fn to_table(app: App, event: &ev::MouseEvent) {
    if !plain(event) {
        return;
    }
    event.prevent_default();
    app.show(View::Explore);
    scroll_to(FigureId::Levers.id().to_owned());
}
