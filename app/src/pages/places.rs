//! The four top-level sections of the page, the views in each, and their shared header.

use super::shell::toast::Toast;
use super::views::prefetch;
use crate::controls::reveal::reveal;
use crate::pages::helps::plain;
use crate::state::{App, address};
use answer::controls::shown::shown_in_view;
use answer::page::presets;
use answer::setting::{SettingPart, setting};
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::{Mode, Number};
use model_core::permalink::{self, Evidence, Link, View};
use model_core::preset::PRESETS;

/// A top-level section of the page; each answers one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The limits of one deployment.
    Bottleneck,
    /// The best plan for a number of GPUs.
    Plans,
    /// The number of GPUs for a request rate.
    Traffic,
    /// Published and measured results compared with computed ones.
    Evidence,
}

impl Place {
    /// All sections, in the order of the top bar.
    pub const ALL: [Self; 4] = [Self::Bottleneck, Self::Plans, Self::Traffic, Self::Evidence];

    /// Returns the section that contains a view.
    pub const fn of(view: View) -> Self {
        match view {
            View::Explore | View::Limits => Self::Bottleneck,
            View::Plans | View::Disaggregation => Self::Plans,
            View::Service => Self::Traffic,
            View::Papers => Self::Evidence,
        }
    }

    /// Returns the name of the section in the top bar.
    pub const fn name(self) -> &'static str {
        self.first().place()
    }

    /// Returns the view with which the section opens.
    const fn first(self) -> View {
        match self {
            Self::Bottleneck => View::Explore,
            Self::Plans => View::Plans,
            Self::Traffic => View::Service,
            Self::Evidence => View::Papers,
        }
    }

    /// Returns the permalink for entering this section. For Traffic, the permalink always has a request rate. For
    /// Evidence, it lists measured runs unless a paper or figure is chosen.
    fn entered(self, link: &Link) -> Link {
        let mut to = link.clone();
        to.shown.view = self.first();
        let listed = &mut to.shown.listed;
        if self == Self::Evidence && listed.paper.is_none() && listed.figure.is_none() {
            listed.evidence = Evidence::Measured;
        }
        if self == Self::Traffic && link.current.stated(Number::Rate).is_none() {
            let opening = presets::matching(link).is_some_and(|preset| preset.id == PRESETS[0].id);
            let chat = PRESETS.iter().find(|preset| opening && preset.id == CHAT);
            match chat {
                Some(chat) => to.current = chat.opened().current,
                None => {
                    to.current.state(Number::Rate, Some(FIRST_RATE));
                }
            }
        }
        to
    }
}

/// Traffic preset for a visitor who has not changed anything yet.
const CHAT: &str = "service-chat";

/// Request rate, in requests/s, for a scenario that states none.
const FIRST_RATE: f64 = 50.0;

/// A view within a section, with its mode if the view has several.
#[derive(Clone, Copy, PartialEq)]
struct Tab {
    name: &'static str,
    view: View,
    mode: Option<Mode>,
}

const fn tab(name: &'static str, view: View, mode: Option<Mode>) -> Tab {
    Tab { name, view, mode }
}

/// Returns the views of a section; empty if the section has only one view.
const fn tabs_of(place: Place) -> &'static [Tab] {
    const BOTTLENECK: [Tab; 2] = [
        tab("This batch", View::Explore, None),
        tab("How far can it go?", View::Limits, None),
    ];
    const PLANS: [Tab; 3] = [
        tab("Colocated", View::Plans, None),
        tab("AFD", View::Disaggregation, Some(Mode::Ratio)),
        tab("Lamina", View::Disaggregation, Some(Mode::Split)),
    ];
    match place {
        Place::Bottleneck => &BOTTLENECK,
        Place::Plans => &PLANS,
        Place::Traffic | Place::Evidence => &[],
    }
}

impl Tab {
    fn is_shown(self, link: &Link) -> bool {
        let split = link.current.mode == Mode::Split;
        link.shown.view == self.view && self.mode.is_none_or(|mode| (mode == Mode::Split) == split)
    }

    fn entered(self, link: &Link) -> Link {
        let mut to = link.clone();
        to.shown.view = self.view;
        let split = link.current.mode == Mode::Split;
        if let Some(mode) = self.mode.filter(|mode| (*mode == Mode::Split) != split) {
            to.current.mode = mode;
        }
        to
    }
}

/// Draws a link within the page. A plain click opens its target in place; the user can also open the target in a new
/// tab.
fn way(
    app: App,
    class: &'static str,
    name: &'static str,
    shown: impl Fn(&Link) -> bool + Copy + Send + Sync + 'static,
    to: impl Fn(&Link) -> Link + Copy + Send + Sync + 'static,
    near: impl Fn() + Copy + 'static,
) -> AnyView {
    let here = Memo::new(move |_| app.link.with(shown));
    let follow = move |event: ev::MouseEvent| {
        if plain(&event) {
            event.prevent_default();
            if !here.get_untracked() {
                app.change(|link| *link = to(link));
                window().scroll_to_with_x_and_y(0.0, 0.0);
            }
        }
    };
    view! {
        <a
            class=class
            href=move || app.link.with(|link| address::absolute(&permalink::write(&to(link))))
            aria-current=move || here.get().then_some("page")
            on:click=follow
            on:pointerenter=move |_| near()
            on:focus=move |_| near()
        >
            {name}
        </a>
    }
    .into_any()
}

/// Draws the sections in the top bar.
pub fn places(app: App, toast: Toast) -> AnyView {
    let place = move |place: Place| {
        way(
            app,
            "tab",
            place.name(),
            move |link| Place::of(link.shown.view) == place,
            move |link| place.entered(link),
            move || prefetch(app, toast, place.first()),
        )
    };
    view! { <nav class="tabs" aria-label="Places">{Place::ALL.map(place).collect_view()}</nav> }
        .into_any()
}

/// Draws the header of a section: the scenario as a sentence, and tabs for the section's views.
pub fn place_head(app: App, toast: Toast) -> AnyView {
    let place = Memo::new(move |_| app.link.with(|link| Place::of(link.shown.view)));
    let tabs = move || {
        let tabs = tabs_of(place.get());
        (!tabs.is_empty()).then(|| {
            let one = |tab: Tab| {
                way(
                    app,
                    "view-tab",
                    tab.name,
                    move |link| tab.is_shown(link),
                    move |link| tab.entered(link),
                    move || prefetch(app, toast, tab.view),
                )
            };
            view! {
                <nav class="view-tabs" aria-label=place.get().name()>
                    {tabs.iter().copied().map(one).collect_view()}
                </nav>
            }
        })
    };
    view! {
        <div class="place-head">
            {sentence(app)}
            {tabs}
        </div>
    }
    .into_any()
}

/// Draws the scenario as a sentence; a click on a value leads to its control.
fn sentence(app: App) -> AnyView {
    let parts = Memo::new(move |_| {
        app.link.with(|link| {
            setting(&link.current, link.shown.view, &|number| {
                shown_in_view(number, link)
            })
        })
    });
    let part = |part: SettingPart| {
        match part {
        SettingPart::Words(",") => ", ".into_any(),
        SettingPart::Words(words) => format!(" {words} ").into_any(),
        SettingPart::Value(text, key) => view! {
            <button type="button" class="setting-value" on:click=move |_| reveal(key)>{text}</button>
        }
        .into_any(),
    }
    };
    view! {
        <p class="setting" aria-label="Scenario in a sentence">
            {move || parts.get().into_iter().map(part).collect_view()}
        </p>
    }
    .into_any()
}
