//! The levers (suggested changes to the scenario), computed in the background, and their preview.

use crate::compute::{Compute, ComputeState};
use crate::pages::shell::rest::undragged;
use crate::part::kept;
use crate::state::lasting::Lasting;
use crate::state::{App, address};
use answer::levers::{LeverRow, Strip, strip};
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Mode};
use model_core::permalink::{self, Link};
use std::sync::Arc;
use worker::levers::LeversAnswer;
use worker::{Answer, Request};

/// A list of levers (suggested changes), and the inputs for which the list was computed.
pub type ListedLevers = (Inputs, LeversAnswer);

/// The levers (suggested changes) of the current scenario, updated while a view shows them.
#[derive(Clone, Copy)]
pub struct Helps {
    compute: Compute,
    /// The newest list of levers (suggested changes), with the inputs for which it was computed.
    pub list: Lasting<Memo<Option<Arc<ListedLevers>>>>,
    /// True if the list of levers belongs to the current scenario.
    pub fresh: Lasting<Memo<bool>>,
    /// The scenario's inputs after applying the lever under the pointer; the metrics and charts preview the change.
    pub preview: Lasting<RwSignal<Option<Inputs>>>,
    /// The permalink without its scenario, used to build the levers' URLs. Dragging a control does not change this
    /// value.
    around: Lasting<Memo<Link>>,
    /// The last applied lever (suggested change): its name, and the inputs before and after.
    pub applied: Lasting<RwSignal<Option<(String, Inputs, Inputs)>>>,
}

impl Helps {
    /// Returns the page's shared list of levers.
    pub fn of_page(app: App) -> Self {
        kept(|| Self::new(app))
    }

    fn new(app: App) -> Self {
        let compute = Compute::new();
        let asked = Memo::new(move |_| app.current.with(of_all_views));
        let list = Lasting::memo(move |_| {
            let outcome = compute.outcome.get()?;
            match (&outcome.request, &outcome.answer) {
                (Request::Levers(inputs), Answer::Levers(answer)) => {
                    Some(Arc::new((*inputs, answer.clone())))
                }
                _ => None,
            }
        });
        let fresh = Lasting::memo(move |_| {
            let of = list.with(|list| Some(list.as_ref()?.0));
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

    /// Requests the levers of each new scenario for as long as the calling view exists.
    pub fn follow(self, app: App) {
        let asked = undragged(app, Memo::new(move |_| app.current.with(of_all_views)));
        Effect::new(move |_| self.compute.run(Request::Levers(asked.get())));
        on_cleanup(move || {
            self.preview.try_set(None);
            if self.compute.state.try_get_untracked() == Some(ComputeState::Running) {
                self.compute.cancel();
            }
        });
    }

    /// Applies a lever (suggested change) as one undo step.
    pub fn apply(self, app: App, row: &LeverRow) {
        let before = app.current.get_untracked();
        let after = row.inputs;
        self.preview.set(None);
        app.edit(|current| *current = after);
        self.applied.set(Some((row.name.clone(), before, after)));
    }

    /// Returns the rows of the short list of levers.
    pub fn strip(self, app: App) -> Memo<Option<Strip>> {
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

/// Returns the inputs for which levers are computed. In every view, levers apply to the colocated deployment.
fn of_all_views(inputs: &Inputs) -> Inputs {
    inputs.in_mode(Mode::Colocated).normalized()
}

/// Returns the URL of a lever: the changed scenario, with the current view and pinned scenario.
pub fn address_of(helps: Helps, inputs: Inputs) -> String {
    helps.around.with(|link| {
        let with = Link {
            current: inputs,
            ..link.clone()
        };
        address::absolute(&permalink::write(&with))
    })
}

/// Returns true for a plain left click. A click with a modifier key may open a new tab or window instead.
pub fn plain(event: &ev::MouseEvent) -> bool {
    event.button() == 0
        && !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}
