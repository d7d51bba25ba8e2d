//! The six figures, and their preview with the lever under the pointer.

use crate::answer::around::Range;
use crate::answer::{FigureCell, FirstScreen, preview};
use crate::pages::helps::Helps;
use crate::pages::shell::words::{tone_class, with_index};
use crate::state::App;
use leptos::prelude::*;
use std::sync::Arc;

/// Index of the memory figure, which is valid even where the scenario does not fit.
const MEMORY: usize = 5;

/// Names of the six on a phone, and their units where the name says the rest.
const SHORT: [(&str, Option<&str>); 6] = [
    ("TPOT", None),
    ("Interactivity", Some("tok/s")),
    ("Per GPU", Some("tok/s")),
    ("TTFT", None),
    ("Cost", None),
    ("Memory", None),
];

/// A view's row of six figures; `over` marks one that does not fit.
pub fn six(
    label: &'static str,
    of: impl Fn(usize) -> Option<FigureCell> + Copy + Send + Sync + 'static,
    over: impl Fn(usize) -> bool + Copy + Send + Sync + 'static,
) -> AnyView {
    let cell = move |index: usize| {
        let figure = Memo::new(move |_| of(index));
        let shown = move || figure.get().map(|figure| one_figure(&figure, false));
        view! { <div class="figure" class:over=move || over(index)>{shown}</div> }
    };
    view! {
        <div class="figures limit-figures" role="group" aria-label=label>
            {(0..6).map(cell).collect_view()}
        </div>
    }
    .into_any()
}

/// The six figures.
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
        view! {
            <div class="figure" class:hypothetical=hypothetical class:over=move || index == MEMORY && !fits.get()>
                {move || figure.get().map(|figure| named_figure(&figure, hypothetical(), Some(SHORT[index])))}
                {move || then.get().map(|then| would_be(&then))}
            </div>
        }
    };
    view! {
        <div class="figures" role="group" aria-label="Figures">
            // A phone's first screen has room for three.
            <div class="figure-trio">{(0..3).map(cell).collect_view()}</div>
            <div class="figure-trio">{(3..6).map(cell).collect_view()}</div>
        </div>
    }
    .into_any()
}

/// "→ 4.26k +96% better", over whatever stands below a figure.
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

/// Main text of a figure, and true if it is the band, which it is where the estimate lies outside.
pub fn first(value: &str, around: Option<&Range>) -> (String, bool) {
    match around.filter(|around| around.leads) {
        Some(around) => (around.text.clone(), true),
        None => (value.to_owned(), false),
    }
}

/// Text below: the error band, or the computed value where the band is above.
pub fn range(value: &str, around: &Range) -> AnyView {
    let text = match around.leads {
        true => format!("computed {value}"),
        false => around.text.clone(),
    };
    view! {
        <div class="figure-band" title=around.source.clone()>
            {text}
            <span class="hidden">{format!(" ({})", around.source)}</span>
        </div>
    }
    .into_any()
}

/// The inside of a figure's cell.
pub fn one_figure(figure: &FigureCell, hypothetical: bool) -> AnyView {
    named_figure(figure, hypothetical, None)
}

/// [`one_figure`] with a short name, and perhaps a unit, for a phone.
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
    let (number, spread) = first(&figure.value, figure.around.as_ref());
    let below = if hypothetical {
        view! { <span class="tone-muted">"if it fit"</span> }.into_any()
    } else if let Some((text, tone)) = &figure.state {
        view! { <span class=tone_class(*tone)>{with_index(text)}</span> }.into_any()
    } else if let Some(versus) = &figure.versus {
        view! {
            <span class=tone_class(versus.tone)>{versus.change.clone()}</span>
            " "
            <span class="tone-muted">{if spread { "computed, A " } else { "A " }}{versus.pinned.clone()}</span>
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
            <span class="figure-number" class:spread=spread>{number}</span>
            " "
            <span class="figure-unit">{either(figure.unit.clone().into_any(), short_unit)}</span>
        </div>
        <div class="figure-below">{below}</div>
        {figure.around.as_ref().map(|around| range(&figure.value, around))}
    }
    .into_any()
}
