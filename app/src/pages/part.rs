//! The parts of the program: what surrounds every view comes with Explore, each other view when it is first shown, and
//! what opens beside a button when it is first opened.
//!
//! `build.rs` says whether the program is cut. Where it is not, every part is there from the start. A part reaches the
//! rest of the page through this file alone: whatever else names one of its functions pulls it into the first load.

mod styles;

use super::figure::Chart;
use super::figure::catalog::{DISAGGREGATION, EXPLORE, LIMITS, PAPERS, PLANS};
use super::figure::export::FileKind;
use super::figure::tools::{self, Embedding};
use super::shell::about;
use super::shell::popover::Popover;
use super::shell::toast::Toast;
use super::{disagg, explore, limits, papers, plans};
use crate::controls::own_model::own_model;
use crate::state::App;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::SplitLoaderError as NotLoaded;
use model_core::arch::hf_config::{self, ConfigError, Imported};
use model_core::permalink::{FigureId, View};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// What opens beside a button.
#[derive(Clone, Copy)]
pub enum Beside {
    /// What the page is.
    About(Popover),
    /// How a figure is put into another page.
    Embed(Toast, Chart, Embedding),
    /// Where a model of the visitor's own goes.
    OwnModel,
    /// Nothing that is seen: a chart becomes a file.
    Save(Toast, Chart, FileKind),
}

/// What is wanted of a view.
#[derive(Clone, Copy)]
pub enum Ask {
    /// The view itself.
    View,
    /// One of its figures.
    Figure(FigureId),
    /// What it puts into the panel of the scenario.
    Panel,
    /// That it begins on what it will need: it will probably be opened.
    Ahead,
}

part!(limits_part, load_limits, of_limits(app: App, toast: Toast, ask: Ask) -> AnyView);
part!(plans_part, load_plans, of_plans(app: App, toast: Toast, ask: Ask) -> AnyView);
part!(disagg_part, load_disagg, of_disagg(app: App, toast: Toast, ask: Ask) -> AnyView);
part!(papers_part, load_papers, of_papers(app: App, toast: Toast, ask: Ask) -> AnyView);
part!(beside_part, load_beside, of_beside(app: App, what: Beside) -> AnyView);
part!(config_part, load_config, read_config(text: String) -> Result<Imported, ConfigError>);

fn read_config(text: String) -> Result<Imported, ConfigError> {
    hf_config::read(&text)
}

/// Reads a `config.json`, once what can read it is there.
pub async fn config(text: String) -> Result<Imported, String> {
    match config_part(text).await {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err("What reads it could not be loaded; please try again.".to_owned()),
    }
}

fn of_limits(app: App, toast: Toast, ask: Ask) -> AnyView {
    match ask {
        Ask::View => limits::limits(app, toast),
        Ask::Figure(id) => LIMITS.figure(app, toast, id),
        Ask::Panel | Ask::Ahead => nothing(),
    }
}

fn of_plans(app: App, toast: Toast, ask: Ask) -> AnyView {
    match ask {
        Ask::View => plans::plans(app, toast),
        Ask::Figure(id) => PLANS.figure(app, toast, id),
        Ask::Panel | Ask::Ahead => nothing(),
    }
}

fn of_disagg(app: App, toast: Toast, ask: Ask) -> AnyView {
    match ask {
        Ask::View => disagg::disaggregation(app, toast),
        Ask::Figure(id) => DISAGGREGATION.figure(app, toast, id),
        Ask::Panel => disagg::panel_group(app),
        Ask::Ahead => nothing(),
    }
}

fn of_papers(app: App, toast: Toast, ask: Ask) -> AnyView {
    match ask {
        Ask::View => papers::papers(app, toast),
        Ask::Figure(id) => PAPERS.figure(app, toast, id),
        Ask::Panel => papers::panel(app),
        Ask::Ahead => {
            papers::ahead(app);
            nothing()
        }
    }
}

fn of_explore(app: App, toast: Toast, ask: Ask) -> AnyView {
    match ask {
        Ask::View => explore::answer(app, toast),
        Ask::Figure(id) => EXPLORE.figure(app, toast, id),
        Ask::Panel | Ask::Ahead => nothing(),
    }
}

fn of_beside(app: App, what: Beside) -> AnyView {
    match what {
        Beside::About(popover) => about::panel(app, popover),
        Beside::Embed(toast, chart, embedding) => tools::embed_menu(app, toast, chart, embedding),
        Beside::OwnModel => own_model(app),
        Beside::Save(toast, chart, kind) => {
            tools::save(app, toast, chart, kind);
            nothing()
        }
    }
}

fn nothing() -> AnyView {
    ().into_any()
}

async fn make(app: App, toast: Toast, view: View, ask: Ask) -> Result<AnyView, NotLoaded> {
    match view {
        View::Explore => Ok(of_explore(app, toast, ask)),
        View::Limits => limits_part(app, toast, ask).await,
        View::Plans => plans_part(app, toast, ask).await,
        View::Disaggregation => disagg_part(app, toast, ask).await,
        View::Papers => papers_part(app, toast, ask).await,
    }
}

/// A part of the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Of(View),
    Beside,
}

impl Part {
    /// Its number among all of them.
    fn number(self) -> usize {
        let number = match self {
            Self::Of(view) => View::ALL.iter().position(|other| *other == view),
            Self::Beside => Some(View::ALL.len()),
        };
        number.unwrap_or_default()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Of(view) => view.name(),
            Self::Beside => "This",
        }
    }

    /// The style sheets that only it needs, as index.html names them.
    const fn styles(self) -> &'static [&'static str] {
        match self {
            Self::Of(View::Plans) => &["plans"],
            Self::Of(View::Disaggregation) => &["disagg"],
            // Its tables are those of Disaggregation.
            Self::Of(View::Papers) => &["disagg", "papers"],
            Self::Of(View::Explore | View::Limits) | Self::Beside => &[],
        }
    }

    async fn load(self) -> Result<(), NotLoaded> {
        match self {
            Self::Of(View::Explore) => Ok(()),
            Self::Of(View::Limits) => load_limits().await,
            Self::Of(View::Plans) => load_plans().await,
            Self::Of(View::Disaggregation) => load_disagg().await,
            Self::Of(View::Papers) => load_papers().await,
            Self::Beside => load_beside().await,
        }
    }
}

/// Whether a part is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Absent,
    Coming,
    Here,
    Failed,
}

/// The parts, and what their views keep while the reader is elsewhere.
#[derive(Clone)]
pub struct Parts {
    states: [RwSignal<State>; View::ALL.len() + 1],
    page: Owner,
}

impl Parts {
    /// Provides the parts to everything on the page.
    pub fn provide() {
        let Some(page) = Owner::current() else { return };
        let states = std::array::from_fn(|number| {
            let first = number == Part::Of(View::Explore).number();
            let here = first || !cfg!(parts);
            RwSignal::new(if here { State::Here } else { State::Absent })
        });
        if !cfg!(parts) {
            for view in View::ALL {
                styles::wanted(Part::Of(view).styles());
            }
        }
        provide_context(Self { states, page });
    }

    fn of_page() -> Self {
        expect_context::<Self>()
    }

    fn state(&self, part: Part) -> RwSignal<State> {
        self.states[part.number()]
    }

    /// Loads a part, unless it is under way already; `here` runs once it is there.
    fn load(&self, part: Part, here: impl FnOnce() + 'static) {
        let state = self.state(part);
        match state.get_untracked() {
            State::Here => return here(),
            State::Coming => return,
            State::Absent | State::Failed => {}
        }
        state.set(State::Coming);
        let styles = styles::wanted(part.styles());
        spawn_local(async move {
            let loaded = part.load().await.is_ok() && styles::arrived(styles).await;
            state.set(if loaded { State::Here } else { State::Failed });
            if loaded {
                here();
            }
        });
    }
}

/// Loads the part of a view that will probably be wanted, and has it begin on what it will need.
pub fn expect(app: App, toast: Toast, view: View) {
    let parts = Parts::of_page();
    let page = parts.page.clone();
    parts.load(Part::Of(view), move || {
        page.with(|| now(make(app, toast, view, Ask::Ahead)));
    });
}

/// What a view keeps as long as the page lives: made where it is first asked for, found again by who comes back.
pub fn kept<T: Clone + Send + Sync + 'static>(make: impl FnOnce() -> T) -> T {
    use_context::<T>().unwrap_or_else(|| {
        Parts::of_page().page.with(|| {
            let made = make();
            provide_context(made.clone());
            made
        })
    })
}

/// What is wanted of a view, as soon as its part is there.
pub fn part(app: App, toast: Toast, view: View, ask: Ask) -> AnyView {
    let seen = matches!(ask, Ask::View | Ask::Figure(_));
    shown(Part::Of(view), seen, move || {
        now(make(app, toast, view, ask))
    })
}

/// What opens beside a button, as soon as it is there.
pub fn beside(app: App, what: Beside) -> AnyView {
    shown(Part::Beside, true, move || now(beside_part(app, what)))
}

/// Saves a chart as a file, as soon as what does so is there.
pub fn save(app: App, toast: Toast, chart: Chart, kind: FileKind) {
    spawn_local(async move {
        let save = Beside::Save(toast, chart, kind);
        if beside_part(app, save).await.is_err() {
            toast.say("What saves it could not be loaded; please try again");
        }
    });
}

/// What a part makes; until it is there, that it is coming, where that would be seen.
fn shown(
    part: Part,
    seen: bool,
    make: impl Fn() -> Option<Result<AnyView, NotLoaded>> + Send + 'static,
) -> AnyView {
    let parts = Parts::of_page();
    let state = parts.state(part);
    parts.load(part, || {});
    view! {
        {move || match state.get() {
            State::Here => make().and_then(Result::ok).unwrap_or_else(nothing),
            _ if !seen => nothing(),
            State::Failed => failed(part),
            State::Absent | State::Coming => coming(part),
        }}
    }
    .into_any()
}

/// What a future gives that need not wait.
fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

fn coming(part: Part) -> AnyView {
    let says = match part {
        Part::Of(view) => format!("Loading {} …", view.name()),
        Part::Beside => "Loading …".to_owned(),
    };
    view! { <p class="part" aria-busy="true" role="status">{says}</p> }.into_any()
}

fn failed(part: Part) -> AnyView {
    view! {
        <p class="part part-failed" role="alert">
            <b>{format!("{} could not be loaded. ", part.name())}</b>
            "The connection may be gone; what is here keeps working. "
            <button type="button" class="act" on:click=move |_| Parts::of_page().load(part, || {})>"Try again"</button>
        </p>
    }
    .into_any()
}
