//! Runs long computations in the background, and handles requests, partial answers, cancellation and failures.
//!
//! A [`Compute`] has a web worker, started by the first request. A new request replaces the previous one. If no
//! worker can be started, the page runs the same job in short slices. If a worker dies, the state is
//! [`ComputeState::Failed`], and the user can try again.

mod engine;

pub use worker::queue::ComputeState;

use crate::state::address::now_ms;
use crate::state::lasting::Lasting;
use engine::{Event, Executor};
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use worker::queue::{Queue, Todo};
use worker::{Answer, Request, Stage};

/// A request and its newest answer.
#[derive(Debug, Clone)]
pub struct Answered {
    /// The request that was sent.
    pub request: Request,
    /// Answer to the request, as far as computed.
    pub answer: Answer,
    /// Stage of the computation: running, done or canceled.
    pub stage: Stage,
}

/// Runs computations of one type, one at a time.
#[derive(Clone, Copy)]
pub struct Compute {
    /// State of the newest request.
    pub state: Lasting<RwSignal<ComputeState>>,
    /// The newest answer. While the state is [`ComputeState::Running`], this may be the answer to an earlier request.
    pub outcome: Lasting<RwSignal<Option<Arc<Answered>>>>,
    /// Reason why no worker could be started, so that the page itself computes; `None` if there is a worker.
    pub in_page: Lasting<RwSignal<Option<String>>>,
    queue: StoredValue<Queue>,
    engine: StoredValue<Option<Executor>, LocalStorage>,
}

impl Compute {
    /// Creates an idle computation; its worker starts with the first request. Once the current reactive owner is
    /// dropped, no more answers arrive.
    pub fn new() -> Self {
        let compute = Self {
            state: Lasting::signal(ComputeState::Idle),
            outcome: Lasting::signal(None),
            in_page: Lasting::signal(None),
            queue: StoredValue::new(Queue::default()),
            engine: StoredValue::new_local(None),
        };
        // When the owner is dropped, its worker stops without an answer; a running request counts as canceled.
        on_cleanup(move || {
            if compute.state.try_get_untracked() == Some(ComputeState::Running) {
                compute.enter(ComputeState::Cancelled);
            }
        });
        compute
    }

    /// Sends a request, which replaces the previous one; does nothing if the request equals the last one.
    pub fn run(self, request: Request) {
        let step = self
            .queue
            .try_update_value(|queue| queue.ask(request, now_ms()));
        self.take(step.flatten());
    }

    /// Sends a request even if it equals the last one.
    pub fn run_again(self, request: Request) {
        self.queue.update_value(Queue::forget);
        self.run(request);
    }

    /// Cancels the running request; its partial answer remains.
    pub fn cancel(self) {
        let step = self.queue.try_update_value(Queue::cancel);
        self.take(step.flatten());
    }

    /// Discards the worker, starts a new one, and sends it the last request again.
    pub fn try_again(self) {
        self.engine.set_value(None);
        self.in_page.set(None);
        if let Some(request) = self.queue.with_value(|queue| queue.last().cloned()) {
            self.run_again(request);
        }
    }

    /// Returns the last request.
    pub fn asked(self) -> Option<Request> {
        self.queue.with_value(|queue| queue.last().cloned())
    }

    /// Enters a state and updates the page's `data-busy` attribute, which holds the number of running computations.
    /// Tests wait until it is 0.
    fn enter(self, state: ComputeState) {
        let runs = state == ComputeState::Running;
        let ran = self.state.try_get_untracked() == Some(ComputeState::Running);
        self.state.set(state);
        if runs == ran {
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
                self.enter(ComputeState::Running);
                self.send(id, request);
            }
            Some(Todo::Wait(milliseconds)) => {
                self.enter(ComputeState::Running);
                let look = move || {
                    let step = self
                        .queue
                        .try_update_value(|queue| queue.look(now_ms()))
                        .flatten();
                    self.take(step);
                };
                set_timeout(look, Duration::from_millis(milliseconds.ceil() as u64));
            }
            Some(Todo::Cancel(id)) => {
                // Canceled only after the engine confirms: partial answers may still arrive.
                self.engine.with_value(|engine| {
                    if let Some(engine) = engine {
                        engine.cancel(id);
                    }
                });
            }
        }
    }

    fn send(self, id: u32, request: Request) {
        if self.engine.with_value(Option::is_none) {
            let engine = Executor::start(move |event| self.hear(event));
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
            Event::Answer(id, stage, answer) => {
                let Some((request, current, step)) = self
                    .queue
                    .try_update_value(|queue| queue.answered(id, stage))
                    .flatten()
                else {
                    return;
                };
                if let Some(answer) = answer {
                    self.outcome.set(Some(Arc::new(Answered {
                        request,
                        answer,
                        stage,
                    })));
                }
                if stage != Stage::Running && step.is_none() {
                    // A final answer to an older request means that it ended while it was canceled.
                    let done = current && stage == Stage::Done;
                    self.enter(if done {
                        ComputeState::Done
                    } else {
                        ComputeState::Cancelled
                    });
                }
                self.take(step);
            }
            Event::NoWorker(why) => {
                self.in_page.set(Some(why));
                self.engine
                    .set_value(Some(Executor::in_page(move |event| self.hear(event))));
                let again = self.queue.try_update_value(Queue::resend).flatten();
                self.take(again);
            }
            Event::Broken(why) => {
                self.engine.set_value(None);
                self.queue.update_value(Queue::broke);
                self.enter(ComputeState::Failed(why));
            }
        }
    }
}

impl Default for Compute {
    fn default() -> Self {
        Self::new()
    }
}
