//! A panel row for one numeric input: label, slider, text field, and errors below them.

use super::field::field;
use super::show::show_element;
use super::slider::slider;
use crate::state::App;
use answer::Problem;
use answer::controls::scale::{Absent, TrackScale};
use answer::controls::shown::{hint_in_view, remedy_words, shown, words_of};
use answer::controls::table::scale_of;
use leptos::html;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Number};
use model_core::precision::NamedPrecision;
use std::sync::Arc;

/// Location of a slider row. It determines the element ids, which must differ between the panel and the dock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowPlace {
    /// The row is in the scenario panel.
    Panel,
    /// The row is in the dock at the bottom of a phone screen, or below an embedded figure.
    Dock,
}

impl RowPlace {
    const fn prefix(self) -> &'static str {
        match self {
            Self::Panel => "",
            Self::Dock => "dock-",
        }
    }
}

/// Draws the row of `number`: label, text field, slider, help and errors.
pub fn slider_row(app: App, number: Number, place: RowPlace) -> AnyView {
    let words = words_of(number);
    let key = number.spec().key;
    let id = format!("{}{key}", place.prefix());
    let help = format!("{id}-help");
    let scale = Memo::new(move |_| app.current.with(|inputs| scale_of(number, inputs)));
    let hint = Memo::new(move |_| app.link.with(|link| hint_in_view(number, link)));
    let wrong = RwSignal::new(None::<String>);
    let troubled = Memo::new(move |_| {
        app.problems
            .with(|problems| problems.iter().any(|problem| problem.key == key))
    });
    view! {
        <div
            class="row"
            class:troubled=move || troubled.get() || wrong.get().is_some()
            data-row=key
            on:pointerenter=move |_| app.helped.set(number)
            on:focusin=move |_| app.helped.set(number)
        >
            <div class="row-head">
                <span class="row-name">
                    {words.name}
                    {(number == Number::Beta).then(|| symbol(number))}
                </span>
                <span class="row-hint" title=move || hint.get()>{move || hint.get()}</span>
                {field(app, number, id.clone(), help.clone(), wrong)}
            </div>
            {slider(app, number, scale, help.clone())}
            <div class="row-range" aria-hidden="true">
                <span>{move || scale.with(|scale| end(number, scale, false))}</span>
                <span>{move || scale.with(|scale| end(number, scale, true))}</span>
            </div>
            <span class="row-help" id=help>
                {format!("{} {}", words.help, words.source)}
            </span>
            {move || wrong.get().map(|reason| view! { <p class="row-wrong" role="alert">{reason}</p> })}
            {trouble(app, key)}
        </div>
    }
    .into_any()
}

/// Draws the row of a numeric input without a slider: name, hint, text field, and further elements on the same line.
pub fn field_row(
    app: App,
    number: Number,
    (name, hint): (&'static str, &'static str),
    after: AnyView,
) -> AnyView {
    let words = words_of(number);
    let key = number.spec().key;
    let help = format!("{key}-help");
    let wrong = RwSignal::new(None::<String>);
    view! {
        <div
            class="row compact-row"
            class:troubled=move || wrong.get().is_some()
            data-row=key
            on:pointerenter=move |_| app.helped.set(number)
            on:focusin=move |_| app.helped.set(number)
        >
            <span class="row-name">{name}</span>
            <span class="row-hint" title=hint>{hint}</span>
            {field(app, number, key.to_owned(), help.clone(), wrong)}
            {after}
            <span class="row-help" id=help>{format!("{} {}", words.help, words.source)}</span>
            {move || wrong.get().map(|reason| view! { <p class="row-wrong" role="alert">{reason}</p> })}
            {trouble(app, key)}
        </div>
    }
    .into_any()
}

/// Returns the label at one end of the slider's scale, shown while the row is hovered or has the keyboard focus.
fn end(number: Number, scale: &TrackScale, right: bool) -> String {
    let absent = if right { Absent::Right } else { Absent::Left };
    if scale.absent() == absent {
        return answer::controls::shown::absent(number).to_owned();
    }
    let (least, most) = scale.ends();
    shown(number, if right { most } else { least })
}

/// Draws the symbol of a numeric input with its subscript, such as β_eb.
pub fn symbol(number: Number) -> AnyView {
    let (base, index) = words_of(number).symbol;
    view! {
        <span class="symbol">
            {" "}{base}{(!index.is_empty()).then(|| view! { <sub>{index}</sub> })}
        </span>
    }
    .into_any()
}

/// Draws the errors caused by the control with this key, with buttons that set the nearest valid values.
pub fn trouble(app: App, key: &'static str) -> AnyView {
    trouble_of(app, move |other| other == key)
}

/// Draws the errors caused by all controls whose keys satisfy `wanted`.
pub fn trouble_of(
    app: App,
    wanted: impl Fn(&str) -> bool + Copy + Send + Sync + 'static,
) -> AnyView {
    let here = move || {
        let of_it = |problems: &Arc<Vec<Problem>>| {
            let here = problems.iter().filter(|problem| wanted(problem.key));
            here.cloned().collect()
        };
        app.problems.with(of_it)
    };
    broken_rules(here, move |problem| {
        let ways = ways_out(app, &problem, usize::MAX).into_any();
        (problem.rule, problem.facts, ways)
    })
}

/// Draws, at a control, the rules that the scenario violates: each rule, the numbers that violate it, and buttons that
/// fix it.
pub fn broken_rules<P: PartialEq + Clone + Send + Sync + 'static>(
    problems: impl Fn() -> Vec<P> + Send + Sync + 'static,
    say: impl Fn(P) -> (String, String, AnyView) + Send + 'static,
) -> AnyView {
    let here = Memo::new(move |_| problems());
    let node = NodeRef::<html::Div>::new();
    // Scroll to the errors: a change to another control may cause them while this control is out of view.
    Effect::new(move |_| {
        if here.with(|here| !here.is_empty()) {
            request_animation_frame(move || {
                if let Some(node) = node.try_get_untracked().flatten() {
                    show_element(&node);
                }
            });
        }
    });
    view! {
        <div class="trouble" aria-live="polite" node_ref=node>
            {move || {
                here.get()
                    .into_iter()
                    .map(|problem| {
                        let (rule, facts, ways) = say(problem);
                        view! {
                            <p class="trouble-rule">{format!("{rule}.")}</p>
                            <p class="trouble-facts">{facts}</p>
                            <p class="trouble-choices">{ways}</p>
                        }
                    })
                    .collect_view()
            }}
        </div>
    }
    .into_any()
}

/// Draws buttons for at most `most` changes; any one of them makes the scenario valid.
pub fn ways_out(app: App, problem: &Problem, most: usize) -> AnyView {
    let remedies = problem
        .remedies
        .iter()
        .map(|remedy| remedy_button(app, *remedy));
    let precisions = problem
        .precisions
        .iter()
        .map(|precision| precision_button(app, *precision));
    remedies
        .chain(precisions)
        .take(most)
        .collect_view()
        .into_any()
}

fn precision_button(app: App, precision: NamedPrecision) -> AnyView {
    view! {
        <button
            type="button"
            class="act"
            on:click=move |_| app.edit(|inputs| *inputs = inputs.with_precision(precision))
        >
            {format!("Use {} precision", precision.id())}
        </button>
    }
    .into_any()
}

fn remedy_button(app: App, (number, repaired): (Number, Inputs)) -> AnyView {
    view! {
        <button type="button" class="act" on:click=move |_| app.edit(|inputs| *inputs = repaired)>
            {remedy_words(number, repaired.get(number).unwrap_or_default())}
        </button>
    }
    .into_any()
}
