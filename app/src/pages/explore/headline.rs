//! The verdict, what would help, and the six figures.

use crate::answer::advice::repaired;
use crate::answer::around::Range;
use crate::answer::{self, FigureCell, FirstScreen, FirstToken, GainRow, Offer, Problem, Sentence};
use crate::controls::row::ways_out;
use crate::format;
use crate::pages::shell::listen::on_window;
use crate::pages::shell::words::{sentence, tone_class, with_index};
use crate::state::App;
use leptos::html;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// The hero: the verdict, or why there is none.
pub fn verdict(app: App) -> AnyView {
    let said = move || {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.verdict.clone()))
    };
    let offers = move || {
        app.answer.with(|answer| {
            answer
                .as_ref()
                .map(|answer| answer.offers.clone())
                .unwrap_or_default()
        })
    };
    hero(app, Signal::derive(said), Signal::derive(offers))
}

/// A view's verdict in its place: `said`, unless the scenario is impossible, and what can be done about it.
pub fn hero(app: App, said: Signal<Option<Sentence>>, offers: Signal<Vec<Offer>>) -> AnyView {
    let room = NodeRef::<html::Div>::new();
    fit(room);
    view! {
        <div class="verdict fitted" node_ref=room>
            <h1 aria-live="polite" aria-atomic="true">
                {move || {
                    let problems = app.problems.get();
                    match (problems.first(), said.get()) {
                        (Some(problem), _) => impossible(problem),
                        (None, Some(said)) => sentence(&said),
                        (None, None) => ().into_any(),
                    }
                }}
            </h1>
            // An em space, which a line may end with but never begin with.
            "\u{2003}"
            <wbr/>
            {move || repairs(app, offers)}
            {beyond(app)}
            {biased(app)}
        </div>
    }
    .into_any()
}

/// The sizes of a verdict that is too long for its room, from ordinary to smallest; one for which even that is too
/// large takes the room it needs.
const SIZES: [&str; 5] = ["", "large", "long", "longest", OVER];
const OVER: &str = "over";

/// How far down what an element holds reaches.
fn needs_px(element: &web_sys::Element) -> f64 {
    let top = element.get_bounding_client_rect().top();
    let children = element.children();
    (0..children.length())
        .filter_map(|index| children.item(index))
        .map(|child| child.get_bounding_client_rect().bottom() - top)
        .fold(0.0, f64::max)
}

/// A verdict has room for what most say, and what is below must not move while something is dragged: a longer one
/// is set smaller. The browser tells when its words have changed, which is before they are painted.
pub fn fit(room: NodeRef<html::Div>) {
    let again = move || {
        if let Some(element) = room.try_get_untracked().flatten() {
            set_size(&element);
        }
    };
    on_window("resize", move |_| again());
    let watch = StoredValue::new_local(None::<WordsWatch>);
    Effect::new(move |_| {
        let Some(element) = room.get() else { return };
        let changed = Closure::<dyn Fn()>::new(again);
        let Ok(observer) = web_sys::MutationObserver::new(changed.as_ref().unchecked_ref()) else {
            return;
        };
        let words = web_sys::MutationObserverInit::new();
        words.set_child_list(true);
        words.set_character_data(true);
        words.set_subtree(true);
        if observer.observe_with_options(&element, &words).is_ok() {
            watch.set_value(Some(WordsWatch {
                observer,
                _changed: changed,
            }));
        }
        again();
    });
}

/// Watches an element's words until it is dropped.
struct WordsWatch {
    observer: web_sys::MutationObserver,
    _changed: Closure<dyn Fn()>,
}

impl Drop for WordsWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// The largest size that has room.
fn set_size(element: &web_sys::Element) {
    let Ok(Some(style)) = window().get_computed_style(element) else {
        return;
    };
    let pixels = |name: &str| {
        let value = style.get_property_value(name).ok()?;
        value.trim().trim_end_matches("px").parse().ok()
    };
    let room: f64 = ["--room", "min-height"]
        .into_iter()
        .find_map(pixels)
        .unwrap_or(f64::MAX);
    for size in SIZES {
        for other in SIZES.into_iter().filter(|other| !other.is_empty()) {
            let _ = element.class_list().toggle_with_force(other, other == size);
        }
        if size == OVER || needs_px(element) <= room {
            break;
        }
    }
}

/// A quiet mark where the scenario leaves what was measured; opened, it names what was not.
fn beyond(app: App) -> AnyView {
    let named = Memo::new(move |_| app.current.with(answer::extrapolated));
    let some = Memo::new(move |_| named.with(|named| !named.is_empty()));
    view! {
        {move || some.get().then(|| view! {
            <details class="beyond">
                <summary>"extrapolated"</summary>
                <div>
                    <p>"No measurement behind these numbers covers:"</p>
                    <ul>{move || named.get().into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
                </div>
            </details>
        })}
    }
    .into_any()
}

/// A quiet mark where a calibration's figures lie outside what was measured; opened, it says why.
fn biased(app: App) -> AnyView {
    let why = Memo::new(move |_| app.current.with(answer::biased));
    view! {
        {move || why.get().map(|why| view! {
            <details class="beyond">
                <summary>"outside its band"</summary>
                <div>
                    <p>{format::capital(why)} "."</p>
                </div>
            </details>
        })}
    }
    .into_any()
}

fn impossible(problem: &Problem) -> AnyView {
    let rule = problem.rule.trim_end_matches('.').to_owned();
    view! {
        <b class="tone-bad">"Impossible. "</b>
        {rule}
        ": "
        {problem.facts.clone()}
        "."
    }
    .into_any()
}

/// The nearest choices are enough here; the control offers more.
const HERO_REMEDIES: usize = 2;

/// Offers beside a verdict: more would be a menu.
const HERO_OFFERS: usize = 3;

/// One click each: ways out of an impossible scenario, or what helps a possible one, without cost first.
fn repairs(app: App, offers: Signal<Vec<Offer>>) -> Option<AnyView> {
    let problems = app.problems.get();
    if let Some(problem) = problems.first() {
        let buttons = ways_out(app, problem, HERO_REMEDIES);
        let plan = app
            .current
            .with(repaired)
            .map(|offer| one_offer(app, offer));
        return Some(view! { <p class="verdict-repairs">{buttons}{plan}</p> }.into_any());
    }
    let offers = offers.get();
    let buttons = offers.into_iter().take(HERO_OFFERS);
    let buttons: Vec<AnyView> = buttons.map(|offer| one_offer(app, offer)).collect();
    (!buttons.is_empty()).then(|| view! { <p class="verdict-repairs">{buttons}</p> }.into_any())
}

/// A change as a button.
pub fn one_offer(app: App, offer: Offer) -> AnyView {
    let Offer {
        label,
        help,
        inputs,
    } = offer;
    view! {
        <button
            type="button"
            class="act"
            title=help
            on:click=move |_| app.edit(|current| *current = inputs)
        >
            {label}
        </button>
    }
    .into_any()
}

/// "Throughput with 2× scale-out link 1.44×, …".
pub fn gains(app: App) -> AnyView {
    let rows = Memo::new(move |_| {
        app.answer
            .with(|answer| answer.as_ref().map(|answer| answer.gains.clone()))
            .unwrap_or_default()
    });
    let of = Memo::new(move |_| {
        app.answer.with(|answer| {
            answer
                .as_ref()
                .map_or("Throughput with", |answer| answer.gains_of)
        })
    });
    let first = Memo::new(move |_| {
        app.answer.with(|answer| {
            answer
                .as_ref()
                .and_then(|answer| answer.first_token.clone())
        })
    });
    view! {
        <div class="gains">
            <span class="gains-name" id="gains-name">{move || of.get()}</span>
            <ul aria-labelledby="gains-name">
                {move || rows.get().iter().map(gain).collect_view()}
            </ul>
            {move || first.get().map(|first| first_token(&first))}
        </div>
    }
    .into_any()
}

/// "First token 312 ms".
fn first_token(first: &FirstToken) -> AnyView {
    view! {
        <p class="first-token" title=format!("{}: {}", first.prompt, first.help)>
            "First token "
            <b>{first.time.clone()}</b>
            <span class="hidden">{format!(" for {} {}. {}", format::article(&first.prompt), first.prompt, first.help)}</span>
        </p>
    }
    .into_any()
}

/// One change with what it brings.
pub fn gain(row: &GainRow) -> AnyView {
    let helps = row.factor >= 1.005;
    view! {
        <li class="gain" class:helps=helps>
            <span class="gain-long">{with_index(&row.label)}</span>
            <span class="gain-short">{with_index(&row.short)}</span>
            <span class="gain-bar" aria-hidden="true">
                <span style:width=format!("{:.1}%", row.bar * 100.0)></span>
            </span>
            <span class="gain-factor">{format::factor(row.factor)}</span>
        </li>
    }
    .into_any()
}

/// Memory is the last figure, and the one that is true even where it does not fit.
const MEMORY: usize = 5;

/// The six figures.
pub fn figures(app: App) -> AnyView {
    let cell = move |index: usize| {
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
                {move || figure.get().map(|figure| one_figure(&figure, hypothetical()))}
            </div>
        }
    };
    view! {
        <div class="figures" role="group" aria-label="Figures">
            {(0..6).map(cell).collect_view()}
        </div>
    }
    .into_any()
}

/// What is said first of a number, and whether that is its band: where the estimate lies outside, the band is what
/// to expect.
pub fn first(value: &str, around: Option<&Range>) -> (String, bool) {
    match around.filter(|around| around.leads) {
        Some(around) => (around.text.clone(), true),
        None => (value.to_owned(), false),
    }
}

/// What stands below it: from where to where a measured system may lie, or else what was computed.
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
            {with_index(&figure.name)}
            <span class="hidden">{format!(" ({})", figure.help)}</span>
        </div>
        <div class="figure-value">
            <span class="figure-number" class:spread=spread>{number}</span>
            " "
            <span class="figure-unit">{figure.unit.clone()}</span>
        </div>
        <div class="figure-below">{below}</div>
        {figure.around.as_ref().map(|around| range(&figure.value, around))}
    }
    .into_any()
}
