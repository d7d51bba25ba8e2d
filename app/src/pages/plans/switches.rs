//! The switches between the plans chart's title and its plot: what a line represents, the plotted value, and the
//! axes.

use super::PlansSearch;
use crate::controls::choice::radio;
use crate::pages::explore::bodies::laid_over;
use crate::state::App;
use answer::overlay;
use answer::plans::Look;
use leptos::prelude::*;
use model_core::permalink::{Axes, Link, Per, PlanLines};

/// Draws the row of switches above the plans chart.
pub fn switches(app: App, plans: PlansSearch) -> AnyView {
    let lines = Memo::new(move |_| {
        let look = app.link.with(Look::of);
        plans.searched.with(|searched| {
            let searched = searched.as_ref()?;
            Some(look.lines(searched))
        })
    });
    let lines_of = PlanLines::ALL.map(|of| {
        let set = move |link: &mut Link| link.shown.lines = Some(of);
        one(
            app,
            "plans-lines",
            name_of(of),
            move || lines.get() == Some(of),
            set,
        )
    });
    let values = [(Per::Gpu, "tok/s/GPU"), (Per::Dollar, "$/M tok")].map(|(per, name)| {
        let chosen = move || app.link.with(|link| link.shown.per == per);
        one(app, "plans-value", name, chosen, move |link| {
            link.shown.per = per
        })
    });
    // With one accelerator, cost is throughput in another unit, so the choice of value is hidden.
    let prices = Memo::new(move |_| {
        app.link.with(|link| {
            link.shown.per == Per::Dollar || link.search.accelerators(&link.current).len() > 1
        })
    });
    let axes = Axes::ALL.map(|axes| {
        let chosen = move || app.link.with(|link| link.shown.axes == axes);
        one(app, "plans-axes", axes.id(), chosen, move |link| {
            link.shown.axes = axes
        })
    });
    view! {
        <div class="plans-switches">
            <div role="radiogroup" aria-label="One line per" class="plan-switch plan-lines">
                <span class="plan-switch-name">"lines by"</span>
                {lines_of.collect_view()}
            </div>
            <div
                role="radiogroup"
                aria-label="Value"
                class="plan-switch plan-value"
                hidden=move || !prices.get()
            >{values.collect_view()}</div>
            <div role="radiogroup" aria-label="Axes" class="plan-switch plan-axes">{axes.collect_view()}</div>
        </div>

    }
    .into_any()
}

const fn name_of(lines: PlanLines) -> &'static str {
    match lines {
        PlanLines::Strategy => "strategy",
        PlanLines::Accelerator => "accelerator",
        PlanLines::Precision => "precision",
    }
}

fn one(
    app: App,
    group: &'static str,
    name: &'static str,
    chosen: impl Fn() -> bool + Copy + Send + Sync + 'static,
    set: impl Fn(&mut Link) + Copy + Send + Sync + 'static,
) -> AnyView {
    // The style sheet uses `data-text` to reserve the width of the text in bold.
    let words = view! { <span data-text=name>{name}</span> };
    radio(group, "", chosen, move || app.change(set), words)
}

/// Draws the plans chart. If the searched accelerators have measured runs, a toggle for these runs is shown above the
/// chart.
pub fn measured(app: App, plot: AnyView) -> AnyView {
    let measured = Memo::new(move |_| {
        app.link.with(|link| {
            let accelerators = link.search.accelerators(&link.current);
            overlay::count_on(&link.current, &accelerators)
        })
    });
    view! {
        <div class="plans-plot">
            <div class="switch switch-right" role="group" aria-label="Overlay" hidden=move || measured.get() == 0>
                {laid_over(app, measured)}
            </div>
            {plot}
        </div>
    }
    .into_any()
}
