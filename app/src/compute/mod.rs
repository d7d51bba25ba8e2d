//! Long computations beside the page: asked for, shown as they come, cancelled, and answered for when
//! they fail.
//!
//! A [`Compute`] has a web worker of its own, which starts with the first request. The newest request
//! wins. Where no worker can be had, the page does the same job itself in short slices; where a worker
//! dies, that is a state with a way out.

mod engine;
mod queue;

use crate::state::address::{in_browser, now_ms};
use engine::{Engine, Event};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use queue::{Queue, Todo};
use std::sync::Arc;
use worker::{Answer, Request, Stage};

/// How a computation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing was asked.
    Idle,
    /// It runs.
    Running,
    /// It is done.
    Done,
    /// The reader stopped it.
    Cancelled,
    /// It broke, with what was said.
    Failed(String),
}

/// What has come of a request so far.
#[derive(Debug, Clone)]
pub struct Answered {
    /// What was asked.
    pub request: Request,
    /// What there is.
    pub answer: Answer,
    /// How far it is.
    pub stage: Stage,
}

/// Computations of one kind, one at a time.
#[derive(Clone, Copy)]
pub struct Compute {
    /// How the newest computation is.
    pub state: RwSignal<State>,
    /// The newest answer, which may be to an earlier request while [`State::Running`].
    pub outcome: RwSignal<Option<Arc<Answered>>>,
    /// Whether the page itself computes, because no worker could be had; with the reason.
    pub in_page: RwSignal<Option<String>>,
    queue: StoredValue<Queue>,
    engine: StoredValue<Option<Engine>, LocalStorage>,
}

impl Compute {
    /// Nothing asked, no worker started. Made once, by whoever lives as long as its answers matter.
    pub fn new() -> Self {
        Self {
            state: RwSignal::new(State::Idle),
            outcome: RwSignal::new(None),
            in_page: RwSignal::new(None),
            queue: StoredValue::new(Queue::default()),
            engine: StoredValue::new_local(None),
        }
    }

    /// Asks; the newest request wins. What is asked already is not asked again.
    pub fn run(self, request: Request) {
        let step = self
            .queue
            .try_update_value(|queue| queue.ask(request, now_ms()));
        self.take(step.flatten());
    }

    /// Asks again, whatever was answered, cancelled or failed.
    pub fn run_again(self, request: Request) {
        self.queue.update_value(Queue::forget);
        self.run(request);
    }

    /// Stops what runs; what there is stays.
    pub fn cancel(self) {
        let step = self.queue.try_update_value(Queue::cancel);
        self.take(step.flatten());
    }

    /// Starts a new worker and asks it what was asked last.
    pub fn try_again(self) {
        self.engine.set_value(None);
        self.in_page.set(None);
        if let Some(request) = self.queue.with_value(|queue| queue.last().cloned()) {
            self.run_again(request);
        }
    }

    /// What was asked last.
    pub fn asked(self) -> Option<Request> {
        self.queue.with_value(|queue| queue.last().cloned())
    }

    /// Takes a state; the page says in `data-busy` how many computations run, to whoever has to wait for them.
    fn enter(self, state: State) {
        let runs = state == State::Running;
        let ran = self.state.try_get_untracked() == Some(State::Running);
        self.state.set(state);
        if runs == ran || !in_browser() {
            return;
        }
        if let Some(page) = document().document_element() {
            let busy = page.get_attribute("data-busy");
            let busy: u32 = busy.and_then(|text| text.parse().ok()).unwrap_or_default();
            let busy = busy.saturating_add_signed(if runs { 1 } else { -1 });
            let _ = page.set_attribute("data-busy", &busy.to_string());
        }
    }

    fn take(self, step: Option<Todo>) {
        match step {
            None => {}
            Some(Todo::Send(id, request)) => {
                self.enter(State::Running);
                self.send(id, &request);
            }
            Some(Todo::Wait(milliseconds)) => {
                self.enter(State::Running);
                let look = move || {
                    let step = self
                        .queue
                        .try_update_value(|queue| queue.look(now_ms()))
                        .flatten();
                    self.take(step);
                };
                Timeout::new(milliseconds.ceil() as u32, look).forget();
            }
            Some(Todo::Cancel(id)) => {
                // It is cancelled when the engine says so: until then what it has done still comes.
                self.engine.with_value(|engine| {
                    if let Some(engine) = engine {
                        engine.cancel(id);
                    }
                });
            }
        }
    }

    fn send(self, id: u32, request: &Request) {
        if self.engine.with_value(Option::is_none) {
            let engine = Engine::start(move |event| self.hear(event));
            self.engine.set_value(Some(engine));
        }
        self.engine.with_value(|engine| {
            if let Some(engine) = engine {
                engine.send(id, request);
            }
        });
    }

    fn hear(self, event: Event) {
        match event {
            Event::Answer { id, stage, numbers } => {
                let Some((request, current, step)) = self
                    .queue
                    .try_update_value(|queue| queue.answered(id, stage))
                    .flatten()
                else {
                    return;
                };
                if let Some(answer) = Answer::read(&request, &numbers) {
                    self.outcome.set(Some(Arc::new(Answered {
                        request,
                        answer,
                        stage,
                    })));
                }
                if stage != Stage::Running && step.is_none() {
                    // What is done, but was no longer asked for, was cancelled while it ended.
                    let done = current && stage == Stage::Done;
                    self.enter(if done { State::Done } else { State::Cancelled });
                }
                self.take(step);
            }
            Event::NoWorker(why) => {
                self.in_page.set(Some(why));
                self.engine
                    .set_value(Some(Engine::in_page(move |event| self.hear(event))));
                let again = self.queue.try_update_value(Queue::resend).flatten();
                self.take(again);
            }
            Event::Broken(why) => {
                self.engine.set_value(None);
                self.queue.update_value(Queue::broke);
                self.enter(State::Failed(why));
            }
        }
    }
}

impl Default for Compute {
    fn default() -> Self {
        Self::new()
    }
}
