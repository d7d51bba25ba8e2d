//! "What helps?": the list of levers, computed in the background, and its strip under every headline.

use crate::answer::levers::{LeverRow, Strip, strip};
use crate::compute::{Compute, ComputeState};
use crate::pages::shell::rest::undragged;
use crate::pages::shell::scroll::scroll_to;
use crate::part::kept;
use crate::state::lasting::Lasting;
use crate::state::{App, address};
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Mode};
use model_core::permalink::{self, FigureId, Link, View, write_inputs};
use std::sync::Arc;
use worker::levers::LeversAnswer;
use worker::{Answer, Request};

/// A list, with its inputs.
pub type ListedLevers = (Inputs, LeversAnswer);

/// The list of the current scenario, followed as long as a view shows it.
#[derive(Clone, Copy)]
pub struct Helps {
    compute: Compute,
    /// The newest list, with its inputs.
    pub list: Lasting<Memo<Option<Arc<ListedLevers>>>>,
    /// The list is of the current scenario.
    pub fresh: Lasting<Memo<bool>>,
    /// The lever under the pointer: figures show what it would change.
    pub preview: Lasting<RwSignal<Option<Inputs>>>,
    /// The link without its scenario, so that a drag does not change the levers' addresses.
    around: Lasting<Memo<Link>>,
    /// The lever applied last: its name, and the inputs before and after.
    applied: Lasting<RwSignal<Option<(String, Inputs, Inputs)>>>,
}

impl Helps {
    /// The page's one list.
    pub fn of_page(app: App) -> Self {
        kept(|| Self::new(app))
    }

    fn new(app: App) -> Self {
        let compute = Compute::new();
        let asked = Memo::new(move |_| app.current.with(link_of));
        let list = Lasting::memo(move |_| {
            let outcome = compute.outcome.get()?;
            let (Request::Levers { link }, Answer::Levers(answer)) =
                (&outcome.request, &outcome.answer)
            else {
                return None;
            };
            let inputs = permalink::read(link).current;
            Some(Arc::new((inputs, answer.clone())))
        });
        let fresh = Lasting::memo(move |_| {
            let of = list.with(|list| list.as_ref().map(|list| link_of(&list.0)));
            of.is_some_and(|of| asked.with(|asked| *asked == of))
        });
        Self {
            compute,
            list,
            fresh,
            preview: Lasting::signal(None),
            around: Lasting::memo(move |_| {
                let current = permalink::read("").current;
                app.link.with(|link| Link {
                    current,
                    ..link.clone()
                })
            }),
            applied: Lasting::signal(None),
        }
    }

    /// Follows the current scenario with requests, as long as the calling view lives.
    pub fn follow(self, app: App) {
        let asked = undragged(app, Memo::new(move |_| app.current.with(link_of)));
        Effect::new(move |_| self.compute.run(Request::Levers { link: asked.get() }));
        on_cleanup(move || {
            self.preview.try_set(None);
            if self.compute.state.try_get_untracked() == Some(ComputeState::Running) {
                self.compute.cancel();
            }
        });
    }

    /// Applies a lever, as one entry of the history.
    pub fn apply(self, app: App, row: &LeverRow) {
        let before = app.current.get_untracked();
        let after = row.inputs;
        self.preview.set(None);
        app.edit(|current| *current = after);
        self.applied.set(Some((row.name.clone(), before, after)));
    }

    /// The rows of the strip.
    fn strip(self, app: App) -> Memo<Option<Strip>> {
        let mode = Memo::new(move |_| app.current.with(|inputs| inputs.mode));
        Memo::new(move |_| {
            let mode = mode.get();
            self.list.with(|list| {
                let (inputs, answer) = &**list.as_ref()?;
                Some(strip(&answer.levers, &inputs.in_mode(mode)))
            })
        })
    }
}

/// Link of the list's request: levers are of the colocated deployment in every view.
fn link_of(inputs: &Inputs) -> String {
    write_inputs(&inputs.in_mode(Mode::Colocated))
}

/// The address of a lever: its scenario, the view and what is pinned.
pub fn address_of(helps: Helps, inputs: Inputs) -> String {
    helps.around.with(|link| {
        let with = Link {
            current: inputs,
            ..link.clone()
        };
        address::absolute(&permalink::write(&with))
    })
}

/// The strip: two rows of levers under a headline.
pub fn helps(app: App) -> AnyView {
    let helps = Helps::of_page(app);
    helps.follow(app);
    let fresh = Memo::new(move |_| helps.fresh.get());
    strip_view(app, helps, helps.strip(app), fresh, true)
}

/// A strip of levers, with the way to the `table` of all of them.
pub fn strip_view(
    app: App,
    helps: Helps,
    strip: Memo<Option<Strip>>,
    fresh: Memo<bool>,
    table: bool,
) -> AnyView {
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
    let colocated =
        Memo::new(move |_| app.link.with(|link| link.shown.view) == View::Disaggregation);
    let rows = move |select: fn(&Strip) -> &Vec<LeverRow>| {
        Memo::new(move |_| strip.with(|strip| strip.as_ref().map(|strip| select(strip).clone())))
    };
    let (settings, hardware) = (rows(|strip| &strip.settings), rows(|strip| &strip.hardware));
    let first = rows(|strip| &strip.first);
    let all = move || strip.with(|strip| strip.as_ref().map_or(0, |strip| strip.all));
    view! {
        <section class="helps" class:stale=move || !fresh.get() aria-label="What helps">
            <p class="helps-basis">
                <b>"What helps "</b>
                {move || colocated.get().then_some("colocated: ")}
                {basis}
                <span class="helps-hardware">{hardware_basis}</span>
                {move || marks.get().0.then(|| view! { <span class="helps-mark"><sup>"a"</sup>" assumed"</span> })}
                {move || marks.get().1.then(|| view! { <span class="helps-mark"><sup>"e"</sup>" extrapolated"</span> })}
                {move || undo(app, helps)}
            </p>
            <div class="helps-rows helps-wide">
                {lever_row(app, helps, "settings", settings)}
                {lever_row(app, helps, "hardware", hardware)}
            </div>
            <div class="helps-rows helps-narrow">{lever_row(app, helps, "", first)}</div>
            {table.then(|| view! {
                <a class="helps-all" href=move || table_address(app) on:click=move |event| to_table(app, &event)>
                    {move || format!("all {}", all())}
                </a>
            })}
        </section>
    }
    .into_any()
}

/// A row of three levers; missing ones leave their place empty.
fn lever_row(
    app: App,
    helps: Helps,
    name: &'static str,
    rows: Memo<Option<Vec<LeverRow>>>,
) -> AnyView {
    let nothing = move || {
        let empty = rows.with(|rows| rows.as_ref().is_some_and(Vec::is_empty));
        (empty && name == "settings")
            .then(|| view! { <li class="tone-muted">"nothing left to set"</li> })
    };
    view! {
        <span class="helps-name">{name}</span>
        <ul aria-label=name>
            {move || rows.get().unwrap_or_default().into_iter().map(|row| one(app, helps, row)).collect_view()}
            {nothing}
        </ul>
    }
    .into_any()
}

/// A lever with its bar and factor.
fn one(app: App, helps: Helps, row: LeverRow) -> AnyView {
    let (bar, gives) = (row.bar, row.gives.clone());
    view! {
        <li>
            {lever_link(app, helps, row)}
            {bar.map(|bar| view! {
                <span class="lever-bar" aria-hidden="true">
                    <span style:width=format!("{:.1}%", bar * 100.0)></span>
                </span>
            })}
            <span class="lever-gives">{gives}</span>
        </li>
    }
    .into_any()
}

/// The link of a lever: a plain click applies it in place, pointing at it previews it.
pub fn lever_link(app: App, helps: Helps, row: LeverRow) -> AnyView {
    let inputs = row.inputs;
    let taken = row.clone();
    let click = move |event: ev::MouseEvent| {
        if plain(&event) {
            event.prevent_default();
            helps.apply(app, &taken);
        }
    };
    let show = move || helps.preview.set(Some(inputs));
    let hide = move || helps.preview.set(None);
    view! {
        <a
            class="lever"
            href=move || address_of(helps, inputs)
            title=row.help
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

/// True for a click without modifier keys, which opens no other tab or window.
pub fn plain(event: &ev::MouseEvent) -> bool {
    event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}

/// Undo of the applied lever, as long as nothing else changed.
fn undo(app: App, helps: Helps) -> Option<AnyView> {
    let (name, before, after) = helps.applied.get()?;
    app.current
        .with(|current| *current == after.normalized())
        .then(|| {
            let back = move |_| {
                helps.applied.set(None);
                app.edit(|current| *current = before);
            };
            view! {
                <span class="helps-undo" role="status">
                    {format!("applied {name} ")}
                    <button type="button" class="act" on:click=back>"Undo"</button>
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

/// Shows the table of all levers, in Explore.
fn to_table(app: App, event: &ev::MouseEvent) {
    if !plain(event) {
        return;
    }
    event.prevent_default();
    app.show(View::Explore);
    scroll_to(FigureId::Levers.id().to_owned());
}
