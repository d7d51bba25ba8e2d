//! The browser side of the worker: its connection to the page and its timing.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};
use worker::{FromWorker, Job, PROTOCOL, Request, Stage, ToWorker, read, write};

/// Milliseconds of work between two checks for requests; a newer request therefore waits at most this long.
const SLICE_MS: f64 = 8.0;
/// Milliseconds between two partial answers.
const ANSWER_MS: f64 = 60.0;
/// Milliseconds until the first partial answer: early enough to show a chart soon, late enough for short searches to
/// finish first.
const FIRST_ANSWER_MS: f64 = 120.0;

struct Running {
    id: u32,
    job: Job,
    began: f64,
    next_answer: f64,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
    static WAKE: RefCell<Option<MessagePort>> = const { RefCell::new(None) };
}

/// Installs the listeners and reports to the page that the worker is ready.
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        post(&FromWorker::Failed(info.to_string()));
    }));
    // A message that the worker posts to itself is handled after all waiting messages, milliseconds sooner than a
    // timer.
    if let Ok(channel) = MessageChannel::new() {
        let slice = Closure::<dyn Fn()>::new(work);
        channel
            .port1()
            .set_onmessage(Some(slice.as_ref().unchecked_ref()));
        slice.forget();
        WAKE.set(Some(channel.port2()));
    }
    let listener = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| hear(&event));
    scope().set_onmessage(Some(listener.as_ref().unchecked_ref()));
    // Both closures stay alive for the lifetime of the worker.
    listener.forget();
    post(&FromWorker::Ready(PROTOCOL));
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn now() -> f64 {
    scope()
        .performance()
        .map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// Handles bytes sent by the page: a new request replaces the running one; a cancellation ends the running one with a
/// partial answer.
fn hear(event: &MessageEvent) {
    let (id, request) = match read(&Uint8Array::new(&event.data()).to_vec()) {
        Some(ToWorker::Start(id, request)) => (id, request),
        Some(ToWorker::Cancel(id)) => {
            if let Some(stopped) = RUNNING.take().filter(|running| running.id == id) {
                stopped.answer(Stage::Cancelled);
            }
            return;
        }
        None => return,
    };
    let began = now();
    // Send the replicas as soon as they are found, because the headline does not need the results for other demands.
    let first = match request {
        Request::Replicas(_) => 0.0,
        _ => FIRST_ANSWER_MS,
    };
    RUNNING.set(Some(Running {
        id,
        job: Job::new(&request),
        began,
        next_answer: began + first,
    }));
    wake();
}

fn wake() {
    WAKE.with_borrow(|port| {
        if let Some(port) = port {
            let _ = port.post_message(&JsValue::NULL);
        }
    });
}

/// Computes one time slice of the running job.
fn work() {
    let Some(mut running) = RUNNING.take() else {
        return;
    };
    let end = now() + SLICE_MS;
    running.job.advance(|| now() >= end);
    if running.job.is_done() {
        running.answer(Stage::Done);
        return;
    }
    let time = now();
    if time >= running.next_answer {
        running.answer(Stage::Running);
        running.next_answer = time + ANSWER_MS;
    }
    RUNNING.set(Some(running));
    wake();
}

impl Running {
    fn answer(&self, stage: Stage) {
        let seconds = (now() - self.began) / 1e3;
        let answer = self.job.answer(seconds);
        post(&FromWorker::Answer(self.id, stage, answer));
    }
}

/// Posts an answer to the page; its bytes are transferred, not copied.
fn post(message: &FromWorker) {
    let bytes = Uint8Array::from(write(message).as_slice());
    let _ = scope().post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer()));
}
