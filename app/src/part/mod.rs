//! The parts of the program, each loaded when first used.
//!
//! `build.rs` decides whether the program is split. In an unsplit program, every part is available from the start. A
//! part's functions are marked by [`part!`]; any use that bypasses the macro pulls them into the first load.

mod styles;

use crate::state::lasting::Lasting;
use leptos::prelude::*;
use leptos::task::spawn_local;
pub use leptos::wasm_split::SplitLoaderError as NotLoaded;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Defines two functions: `$name` runs a function of the program part `$part`, and `$load` loads that part.
#[cfg(parts)]
macro_rules! part {
    ($part:ident, $name:ident, $load:ident, $whole:ident($($given:ident: $type:ty),*) -> $answer:ty) => {
        #[leptos::wasm_split::wasm_split($part, wasm_split_path = ::leptos::wasm_split, fallible, preload($load))]
        fn $name($($given: $type),*) -> Result<$answer, $crate::part::NotLoaded> {
            Ok($whole($($given),*))
        }
    };
}

/// Defines the functions `$name` and `$load` for a program that is not split, where every part is available from the
/// start.
#[cfg(not(parts))]
macro_rules! part {
    ($part:ident, $name:ident, $load:ident, $whole:ident($($given:ident: $type:ty),*) -> $answer:ty) => {
        async fn $name($($given: $type),*) -> Result<$answer, $crate::part::NotLoaded> {
            Ok($whole($($given),*))
        }

        #[allow(dead_code, reason = "code in the main module is never prefetched")]
        async fn $load() -> Result<(), $crate::part::NotLoaded> {
            Ok(())
        }
    };
}

pub mod runs;

/// Function that loads a part of the program.
pub type PartLoader = fn() -> Pin<Box<dyn Future<Output = Result<(), NotLoaded>>>>;

/// A part of the program that can be loaded separately.
#[derive(Clone, Copy)]
pub struct Part {
    /// Unique name of the part.
    pub name: &'static str,
    /// Style sheets that only this part needs, named as in index.html.
    pub styles: &'static [&'static str],
    /// Loads the program part; `None` if it belongs to the first load.
    pub load: Option<PartLoader>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PartState {
    Absent,
    Coming,
    Here,
    /// Loading failed; the page shows the cause.
    Failed,
    /// The part belongs to an old build that the host no longer serves.
    Outdated,
}

type State = Lasting<RwSignal<PartState>>;

/// Notice shown if a part is missing because a new version of the site was deployed.
const RENEWED: &str = "A new version is available. Reload; your scenario is saved in the URL";

/// Loading state of every part, and the reactive owner of state that outlives its view.
#[derive(Clone)]
struct Parts {
    states: StoredValue<Vec<(&'static str, State)>>,
    page: Owner,
    /// True once the table of measured runs has loaded.
    runs: Lasting<RwSignal<bool>>,
    /// Cause of the last failure to load a part, as a sentence; empty if unknown.
    cause: Lasting<RwSignal<String>>,
}

/// Provides the parts to the whole page and requests the table of measured runs.
pub fn provide(runs: Lasting<RwSignal<bool>>) {
    let Some(page) = Owner::current() else { return };
    if !cfg!(parts) {
        styles::all();
    }
    let states = StoredValue::default();
    let cause = Lasting::signal(String::new());
    provide_context(Parts {
        states,
        page,
        runs,
        cause,
    });
    spawn_local(async move {
        let _ = runs::arrived(runs).await;
    });
}

/// Returns state that lives as long as the page: created on first use and shared afterwards.
pub fn kept<T: Clone + Send + Sync + 'static>(make: impl FnOnce() -> T) -> T {
    use_context::<T>().unwrap_or_else(|| {
        expect_context::<Parts>().page.with(|| {
            let made = make();
            provide_context(made.clone());
            made
        })
    })
}

impl Parts {
    fn state(&self, part: Part) -> State {
        let of = |all: &Vec<(&str, State)>| {
            let found = all.iter().find(|(name, _)| *name == part.name);
            found.map(|(_, state)| *state)
        };
        self.states.with_value(of).unwrap_or_else(|| {
            let here = part.load.is_none() || !cfg!(parts);
            let first = if here {
                PartState::Here
            } else {
                PartState::Absent
            };
            let state = self.page.with(|| Lasting::signal(first));
            self.states.update_value(|all| all.push((part.name, state)));
            state
        })
    }

    /// Loads a part, then runs `here`. If the part has already loaded, `here` runs immediately; if another call is
    /// loading it, `here` never runs.
    fn load(&self, part: Part, here: impl FnOnce() + 'static) {
        let state = self.state(part);
        let load = match (state.get_untracked(), part.load) {
            (PartState::Absent | PartState::Failed | PartState::Outdated, Some(load)) => load,
            (PartState::Coming, _) => return,
            _ => return here(),
        };
        state.set(PartState::Coming);
        let styles = styles::wanted(part.styles);
        let (runs, cause) = (self.runs, self.cause);
        spawn_local(async move {
            let loaded =
                load().await.is_ok() && styles::arrived(styles).await && runs::arrived(runs).await;
            state.set(if loaded {
                PartState::Here
            } else if is_outdated().await {
                PartState::Outdated
            } else {
                cause.set(
                    why()
                        .await
                        .ok()
                        .and_then(|why| why.as_string())
                        .unwrap_or_default(),
                );
                PartState::Failed
            });
            if loaded {
                here();
            }
        });
    }
}

impl Part {
    /// Loads the part in advance, because the user will probably need it; afterwards runs `begin`.
    pub fn prefetch(self, begin: impl FnOnce() + 'static) {
        let parts = expect_context::<Parts>();
        let page = parts.page.clone();
        parts.load(self, move || page.with(begin));
    }

    /// Draws the view that a function of the part creates. If `seen` is true, a note is drawn until the part has
    /// loaded.
    pub fn shown<M>(self, seen: bool, make: impl Fn() -> M + Send + 'static) -> AnyView
    where
        M: Future<Output = Result<AnyView, NotLoaded>>,
    {
        let parts = expect_context::<Parts>();
        let state = parts.state(self);
        parts.load(self, || {});
        let nothing = || ().into_any();
        view! {
            {move || match state.get() {
                PartState::Here => now(make()).and_then(Result::ok).unwrap_or_else(nothing),
                _ if !seen => nothing(),
                PartState::Failed => self.failed(parts.cause),
                PartState::Outdated => outdated(),
                PartState::Absent | PartState::Coming => self.coming(),
            }}
        }
        .into_any()
    }

    fn coming(self) -> AnyView {
        let says = format!("Loading {}…", self.name);
        // `app/style.css` shows `part-late` only after a delay.
        view! {
            <p class="part" aria-busy="true" role="status">
                {says}
                <span class="part-late">
                    " The connection is slow, or a file is blocked. "
                    {reload_button()}
                </span>
            </p>
        }
        .into_any()
    }

    fn failed(self, cause: Lasting<RwSignal<String>>) -> AnyView {
        let again = move |_| expect_context::<Parts>().load(self, || {});
        view! {
            <p class="part part-failed" role="alert">
                <b>{format!("{} failed to load. ", self.name)}</b>
                {move || cause.with(|cause| match cause.as_str() {
                    "" => "Check your connection.".to_owned(),
                    cause => cause.to_owned(),
                })}
                " The rest of the page still works. "
                <button type="button" class="act" on:click=again>"Try again"</button>
            </p>
        }
        .into_any()
    }
}

fn outdated() -> AnyView {
    view! {
        <p class="part part-failed" role="alert">
            <b>{RENEWED}</b>
            ". "
            {reload_button()}
        </p>
    }
    .into_any()
}

fn reload_button() -> AnyView {
    let reload = move |_| drop(window().location().reload());
    view! { <button type="button" class="act" on:click=reload>"Reload"</button> }.into_any()
}

#[wasm_bindgen]
extern "C" {
    /// Checks, through `app/start.js`, whether the host serves a newer build than this page.
    #[wasm_bindgen(js_namespace = ridgepoint, catch)]
    async fn renewed() -> Result<JsValue, JsValue>;

    /// Returns, from `app/start.js`, the reason why the last missing file could not be loaded; empty if unknown.
    #[wasm_bindgen(js_namespace = ridgepoint, catch)]
    async fn why() -> Result<JsValue, JsValue>;
}

/// Returns true if a new version of the site was deployed after this page was loaded.
async fn is_outdated() -> bool {
    renewed().await.is_ok_and(|now| now.is_truthy())
}

/// Returns a sentence that reports what failed to load and what the user can do.
pub async fn not_loaded(what: &str) -> String {
    if is_outdated().await {
        RENEWED.to_owned()
    } else {
        format!("{what} failed to load; please try again")
    }
}

/// Returns the output of a future that is ready at once; otherwise returns `None`.
pub fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
