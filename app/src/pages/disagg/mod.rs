//! The Disaggregation view: attention and feed-forward in a ratio, or attention split from the rest.

pub mod apart;
mod panel;
pub mod ratio;
pub mod split;

pub use panel::panel_group;

use super::explore::headline::fit;
use super::shell::toast::Toast;
use crate::state::App;
use leptos::html;
use leptos::prelude::*;
use model_core::scenario::{Inputs, Mode};

/// The view: which half it shows is the link's `mode`.
pub fn disaggregation(app: App, toast: Toast) -> AnyView {
    let shown = Memo::new(move |_| app.current.with(half_of));
    view! {
        <div class="half-switches">{switch(app, shown)} {apart::per_switch(app)}</div>
        {move || match shown.get() {
            Half::Ratio => ratio::ratio(app, toast),
            Half::Split => split::split(app, toast),
        }}
    }
    .into_any()
}

/// What a half says first: in two lines, set smaller where it would take more.
fn words(said: impl Fn() -> Option<AnyView> + Send + 'static) -> AnyView {
    let room = NodeRef::<html::Div>::new();
    fit(room);
    view! {
        <div class="verdict-words" node_ref=room>
            <h1 aria-live="polite" aria-atomic="true">{said}</h1>
        </div>
    }
    .into_any()
}

/// The halves of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    /// Attention and feed-forward instances. Source: [R].
    Ratio,
    /// Attention on memory devices. Source: [L].
    Split,
}

impl Half {
    const ALL: [Self; 2] = [Self::Ratio, Self::Split];

    const fn name(self) -> &'static str {
        match self {
            Self::Ratio => "Ratio",
            Self::Split => "Split",
        }
    }

    const fn detail(self) -> &'static str {
        match self {
            Self::Ratio => "attention and feed-forward on GPUs of their own",
            Self::Split => "attention on memory devices, the rest on compute devices",
        }
    }

    const fn mode(self) -> Mode {
        match self {
            Self::Ratio => Mode::Ratio,
            Self::Split => Mode::Split,
        }
    }
}

const fn half_of(inputs: &Inputs) -> Half {
    match inputs.mode {
        Mode::Split => Half::Split,
        Mode::Colocated | Mode::Ratio | Mode::Simulate => Half::Ratio,
    }
}

/// "Ratio | Split".
fn switch(app: App, shown: Memo<Half>) -> AnyView {
    let half = move |half: Half| {
        view! {
            <label class="choice" class:chosen=move || shown.get() == half title=half.detail()>
                <input
                    type="radio"
                    name="half"
                    value=half.mode().id()
                    prop:checked=move || shown.get() == half
                    on:change=move |_| app.edit(|inputs| inputs.mode = half.mode())
                />
                {half.name()}
                <span class="half-detail">{half.detail()}</span>
            </label>
        }
    };
    view! {
        <fieldset class="halves">
            <legend class="hidden">"How attention is set apart"</legend>
            {Half::ALL.map(half).collect_view()}
        </fieldset>
    }
    .into_any()
}
