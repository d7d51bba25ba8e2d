//! The four key metrics of the Explore view, and a preview of them while the pointer is over a suggested change.

use crate::pages::helps::Helps;
use crate::pages::shell::words::{tone_class, with_index};
use crate::state::App;
use answer::around::Range;
use answer::{FigureCell, FirstScreen, Tone, preview};
use leptos::prelude::*;
use model_core::account::{Explained, Quantity};
use std::sync::Arc;

/// Index of the memory metric, which is valid even if the scenario does not fit in memory.
const MEMORY: usize = 3;

/// For each metric, the quantity whose derivation a click opens.
const OPENS: [Quantity; 4] = [
    Quantity::Tpot,
    Quantity::PerGpu,
    Quantity::Cost,
    Quantity::Memory,
];

/// Short names, for a phone, of Explore's four key metrics, with the unit if the name does not imply it.
const SHORT: [(&str, Option<&str>); 4] = [
    ("TPOT", None),
    ("Per GPU", Some("tok/s")),
    ("Cost", None),
    ("Memory", None),
];

/// Draws a metric. A click opens the derivation of its number, if there is one. While `over` returns true, the metric
/// is marked as not fitting in memory.
pub fn opening(
    app: App,
    figure: Memo<Option<FigureCell>>,
    opens: Signal<Option<Quantity>>,
    over: impl Fn() -> bool + Send + 'static,
) -> AnyView {
    let what = move || opens.get().map(Explained::Quantity);
    let opened = move || {
        let what = what();
        what.is_some() && app.link.with(|link| link.shown.explain == what)
    };
    view! {
        <div
            class="figure"
            class:over=over
            class:opens=move || what().is_some()
            class:opened=opened
            title=move || what().map(|_| WHY)
            on:click=move |_| if let Some(what) = opens.get_untracked() {
                app.explain(Explained::Quantity(what));
            }
        >
            {move || figure.get().map(|figure| one_figure(&figure, false))}
            {move || what().map(|_| why(opened, figure))}
        </div>
    }
    .into_any()
}

const WHY: &str = "Why this number?";

fn why(opened: impl Fn() -> bool + Send + 'static, figure: Memo<Option<FigureCell>>) -> AnyView {
    let name = move || figure.with(|figure| figure.as_ref().map(|figure| figure.name.clone()));
    view! {
        <button
            type="button"
            class="figure-opens"
            aria-expanded=move || opened().to_string()
            aria-label=move || format!("{WHY} {}", name().unwrap_or_default())
        >
            "Why?"
        </button>
    }
    .into_any()
}

/// Draws a view's row of six metrics. For each metric, `opens` has the quantity whose derivation a click opens.
/// `over` returns true for a metric that does not fit in memory.
pub fn six(
    app: App,
    label: &'static str,
    opens: [Option<Quantity>; 6],
    of: impl Fn(usize) -> Option<FigureCell> + Copy + Send + Sync + 'static,
    over: impl Fn(usize) -> bool + Copy + Send + Sync + 'static,
) -> AnyView {
    let cell = move |(index, what): (usize, Option<Quantity>)| {
        let figure = Memo::new(move |_| of(index));
        let opens = Signal::derive(move || what);
        opening(app, figure, opens, move || over(index))
    };
    view! {
        <div class="figures limit-figures" role="group" aria-label=label>
            {opens.into_iter().enumerate().map(cell).collect_view()}
        </div>
    }
    .into_any()
}

/// Draws Explore's four key metrics.
pub fn figures(app: App) -> AnyView {
    let helps = Helps::of_page(app);
    let previewed = Memo::new(move |_| {
        let then = helps.preview.get()?;
        app.current.with(|now| preview(now, &then))
    });
    let cell = move |index: usize| {
        let then = Memo::new(move |_| {
            previewed.with(|cells| cells.as_ref().and_then(|cells| cells.get(index).cloned()))
        });
        let figure = Memo::new(move |_| {
            app.answer.with(|answer| {
                answer
                    .as_ref()
                    .and_then(|answer| answer.figures.get(index).cloned())
            })
        });
        let fits = Memo::new(move |_| {
            app.answer.with(|answer: &Option<Arc<FirstScreen>>| {
                answer.as_ref().is_none_or(|answer| answer.fits)
            })
        });
        let hypothetical = move || index != MEMORY && !fits.get();
        let what = Explained::Quantity(OPENS[index]);
        let opened = move || app.link.with(|link| link.shown.explain == Some(what));
        view! {
            <div
                class="figure opens"
                class:opened=opened
                class:hypothetical=hypothetical
                class:over=move || index == MEMORY && !fits.get()
                title=WHY
                on:click=move |_| app.explain(what)
            >
                {move || figure.get().map(|figure| named_figure(&figure, hypothetical(), Some(SHORT[index])))}
                {why(opened, figure)}
                {move || then.get().map(|then| would_be(&then))}
            </div>
        }
    };
    view! {
        <div class="figures four" role="group" aria-label="Key metrics">
            {(0..OPENS.len()).map(cell).collect_view()}
        </div>
        {notes(app)}
    }
    .into_any()
}

fn notes(app: App) -> AnyView {
    let notes = Memo::new(move |_| {
        let of = |answer: &Option<Arc<FirstScreen>>| answer.as_ref().map(|it| it.notes.clone());
        app.answer.with(of).unwrap_or_default()
    });
    let note = |said: String| view! { <p class="headline-facts">{said} "."</p> };
    view! { {move || notes.get().into_iter().map(note).collect_view()} }.into_any()
}

/// Draws a preview such as "→ 4.26k 96% more", which replaces the note below a metric.
fn would_be(then: &FigureCell) -> AnyView {
    let change = then.versus.as_ref().map(|versus| {
        view! { " " <span class=tone_class(versus.tone)>{versus.change.clone()}</span> }
    });
    view! {
        <div class="figure-preview">
            "→ "
            <b>{then.value.clone()}</b>
            {change}
        </div>
    }
    .into_any()
}

/// Draws the error band below a metric.
pub fn range(around: &Range) -> AnyView {
    view! {
        <div class="figure-band" title=around.source.clone()>
            {format!("likely {}", around.text)}
            <span class="hidden">{format!(" ({})", around.source)}</span>
        </div>
    }
    .into_any()
}

/// Draws the content of a metric's cell.
pub fn one_figure(figure: &FigureCell, hypothetical: bool) -> AnyView {
    named_figure(figure, hypothetical, None)
}

/// Like [`one_figure`], but with a short name, and optionally a unit, for a phone.
fn named_figure(
    figure: &FigureCell,
    hypothetical: bool,
    short: Option<(&'static str, Option<&'static str>)>,
) -> AnyView {
    let either = |long: AnyView, short: Option<&'static str>| match short {
        None => long,
        Some(short) => view! {
            <span class="figure-long">{long}</span>
            <span class="figure-short">{short}</span>
        }
        .into_any(),
    };
    let (short_name, short_unit) = short.map_or((None, None), |(name, unit)| (Some(name), unit));
    let below = if hypothetical {
        view! { <span class="tone-muted">"if it fit in memory"</span> }.into_any()
    } else if let Some((text, tone)) = figure
        .state
        .as_ref()
        .filter(|(_, tone)| *tone == Tone::Bad || figure.versus.is_none())
    {
        view! { <span class=tone_class(*tone)>{with_index(text)}</span> }.into_any()
    } else if let Some(versus) = &figure.versus {
        view! {
            <span class=tone_class(versus.tone)>{versus.change.clone()}</span>
            " "
            <span class="tone-muted">"was " {versus.pinned.clone()}</span>
        }
        .into_any()
    } else {
        ().into_any()
    };
    view! {
        <div class="figure-name" title=figure.help>
            {either(with_index(&figure.name).into_any(), short_name)}
            <span class="hidden">{format!(" ({})", figure.help)}</span>
        </div>
        <div class="figure-value">
            <span class="figure-number">{figure.value.clone()}</span>
            " "
            <span class="figure-unit">{either(figure.unit.clone().into_any(), short_unit)}</span>
        </div>
        <div class="figure-below">{below}</div>
        {figure.around.as_ref().map(range)}
    }
    .into_any()
}
