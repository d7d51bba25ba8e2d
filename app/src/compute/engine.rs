//! Runs computations in a web worker or, in time slices, on the page itself.

use crate::part::not_loaded;
use crate::state::address::beside;
use js_sys::Uint8Array;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use worker::{Answer, FromWorker, Job, PROTOCOL, Request, Stage, ToWorker, read, write};

/// Timeout for loading the worker's program on a slow network; after this time the page gives up on the worker.
const PATIENCE: Duration = Duration::from_secs(20);
/// Length, in ms, of one computing slice when the page itself computes. It is under half a frame, so that the page
/// stays responsive.
const SLICE_MS: f64 = 6.0;
/// Interval, in ms, between partial answers when the page computes without a worker.
const ANSWER_MS: f64 = 120.0;

/// Events that an [`Executor`] of background computations reports to its listener.
#[allow(
    clippy::large_enum_variant,
    reason = "used immediately, and never stored in bulk"
)]
pub enum Event {
    /// Partial or final results of the request with this number; `None` if there are none yet.
    Answer(u32, Stage, Option<Answer>),
    /// No web worker could be started, for this reason.
    NoWorker(String),
    /// The web worker died during a computation, with this error.
    Broken(String),
}

type Listener = Rc<dyn Fn(Event)>;

/// Runs computations in a web worker or on the page itself.
pub struct Executor(Runs);

enum Runs {
    Worker(Rc<Hired>),
    Page(Rc<InPage>),
}

impl Executor {
    /// Starts a worker; `listener` receives every event.
    pub fn start(listener: impl Fn(Event) + 'static) -> Self {
        Self(Runs::Worker(Hired::hire(Rc::new(listener))))
    }

    /// Creates an executor without a web worker: the page itself computes.
    pub fn in_page(listener: impl Fn(Event) + 'static) -> Self {
        Self(Runs::Page(Rc::new(InPage {
            listener: Rc::new(listener),
            asked: Cell::default(),
            running: RefCell::new(None),
        })))
    }

    /// Sends a request, which replaces the previous one.
    pub fn send(&self, id: u32, request: Request) {
        match &self.0 {
            Runs::Worker(hired) => hired.post(&ToWorker::Start(id, request)),
            Runs::Page(page) => page.send(id, request),
        }
    }

    /// Cancels a request; its partial result arrives as the final answer.
    pub fn cancel(&self, id: u32) {
        match &self.0 {
            Runs::Worker(hired) => hired.post(&ToWorker::Cancel(id)),
            Runs::Page(page) => page.cancel(id),
        }
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        if let Runs::Worker(hired) = &self.0 {
            hired.dismiss();
        }
    }
}

/// Returns the URL of the script that starts the worker. The URL is read from `index.html`, because file names in a
/// built page contain hashes.
fn loader() -> String {
    let named = document()
        .query_selector("meta[name=worker]")
        .ok()
        .flatten()
        .and_then(|meta| meta.get_attribute("content"));
    beside(&named.unwrap_or_default())
}

/// Event listeners of a web worker, dropped when the worker is dropped.
#[derive(Default)]
struct Ears(
    #[allow(dead_code, reason = "owned only to stay alive, never called from here")]
    Option<(Message, Failure)>,
);

type Message = Closure<dyn Fn(web_sys::MessageEvent)>;
type Failure = Closure<dyn Fn(web_sys::Event)>;

/// A worker, and the requests that wait until the worker is ready.
struct Hired {
    worker: Option<web_sys::Worker>,
    listener: Listener,
    /// Requests to send once the worker is ready; `None` after they have been sent. A worker may not receive anything
    /// before it is ready.
    waiting: RefCell<Option<Vec<Vec<u8>>>>,
    ears: RefCell<Ears>,
    dismissed: Cell<bool>,
}

impl Hired {
    fn hire(listener: Listener) -> Rc<Self> {
        let options = web_sys::WorkerOptions::new();
        options.set_type(web_sys::WorkerType::Module);
        let worker = web_sys::Worker::new_with_options(&loader(), &options).ok();
        let hired = Rc::new(Self {
            worker,
            listener,
            waiting: RefCell::new(Some(Vec::new())),
            ears: RefCell::default(),
            dismissed: Cell::default(),
        });
        let Some(worker) = hired.worker.clone() else {
            let told = hired.clone();
            let refused = move || told.give_up("web workers are blocked");
            set_timeout(refused, Duration::ZERO);
            return hired;
        };
        let by = Rc::downgrade(&hired);
        let hear = Closure::<dyn Fn(web_sys::MessageEvent)>::new(move |event| {
            if let Some(hired) = by.upgrade() {
                hired.hear(&event);
            }
        });
        worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        let by = Rc::downgrade(&hired);
        let fail = Closure::<dyn Fn(web_sys::Event)>::new(move |event: web_sys::Event| {
            // The error is reported below; keep it out of the console.
            event.prevent_default();
            let what = event
                .dyn_ref::<web_sys::ErrorEvent>()
                .map(web_sys::ErrorEvent::message)
                .filter(|what| !what.is_empty());
            if let Some(hired) = by.upgrade() {
                hired.give_up(what.as_deref().unwrap_or("the worker failed to load"));
            }
        });
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        hired.ears.replace(Ears(Some((hear, fail))));
        let by = Rc::downgrade(&hired);
        let late = move || {
            if let Some(hired) = by
                .upgrade()
                .filter(|hired| hired.waiting.borrow().is_some())
            {
                hired.give_up("the worker did not start");
            }
        };
        set_timeout(late, PATIENCE);
        hired
    }

    fn post(&self, message: &ToWorker) {
        let message = write(message);
        if let Some(waiting) = self.waiting.borrow_mut().as_mut() {
            waiting.push(message);
        } else {
            self.post_now(&message);
        }
    }

    fn post_now(&self, message: &[u8]) {
        if let Some(worker) = &self.worker {
            let _ = worker.post_message(&Uint8Array::from(message));
        }
    }

    fn hear(self: Rc<Self>, event: &web_sys::MessageEvent) {
        let bytes = Uint8Array::new(&event.data()).to_vec();
        // Messages stay in order: after its first message, the worker waits for a request, which is sent only once the
        // chunk that decodes messages is loaded.
        spawn_local(async move {
            match read_part(bytes).await {
                Ok(message) => self.heard(message),
                Err(_) => self.give_up(&not_loaded("The worker").await),
            }
        });
    }

    fn heard(&self, message: Option<FromWorker>) {
        if self.dismissed.get() {
            return;
        }
        match message {
            Some(FromWorker::Ready(PROTOCOL)) => {
                let waiting = self.waiting.borrow_mut().take();
                for message in waiting.unwrap_or_default() {
                    self.post_now(&message);
                }
            }
            Some(FromWorker::Failed(why)) => self.give_up(&why),
            Some(FromWorker::Answer(id, stage, answer)) => {
                (self.listener)(Event::Answer(id, stage, answer));
            }
            Some(FromWorker::Ready(_)) | None => self.give_up("worker and page versions differ"),
        }
    }

    /// Terminates a worker that failed to start or died, and reports the failure once.
    fn give_up(&self, why: &str) {
        let ready = self.waiting.borrow().is_none();
        self.dismiss();
        let why = why.to_owned();
        (self.listener)(if ready {
            Event::Broken(why)
        } else {
            Event::NoWorker(why)
        });
    }

    fn dismiss(&self) {
        self.dismissed.set(true);
        if let Some(worker) = &self.worker {
            worker.set_onmessage(None);
            worker.set_onerror(None);
            worker.terminate();
        }
    }
}

// The code that decodes the many types of answers is a separate chunk, loaded with the worker.
part!(answers, read_part, load_read, read_message(bytes: Vec<u8>) -> Option<FromWorker>);

fn read_message(bytes: Vec<u8>) -> Option<FromWorker> {
    read(&bytes)
}

// The code of jobs is a separate chunk, which a page with a worker never loads.
part!(jobs, jobs_part, load_jobs, begin(request: Request) -> Job);

fn begin(request: Request) -> Job {
    Job::new(&request)
}

/// A running job: its request number, start time, and the time of its next partial answer.
struct Running {
    id: u32,
    job: Job,
    began: f64,
    next: f64,
}

/// Computes on the page: runs one slice, lets the page do other work, then runs the next slice.
struct InPage {
    listener: Listener,
    /// Id of the newest request; 0 after a cancellation.
    asked: Cell<u32>,
    running: RefCell<Option<Running>>,
}

impl InPage {
    fn send(self: &Rc<Self>, id: u32, request: Request) {
        self.asked.set(id);
        let page = self.clone();
        spawn_local(async move {
            let job = jobs_part(request).await;
            if page.asked.get() != id {
                return;
            }
            match job {
                Ok(job) => page.begin(id, job),
                Err(_) => {
                    (page.listener)(Event::Broken(not_loaded("The worker").await));
                }
            }
        });
    }

    fn begin(self: Rc<Self>, id: u32, job: Job) {
        let began = precise_ms();
        let next = began + ANSWER_MS;
        let idle = self.running.borrow().is_none();
        self.running.replace(Some(Running {
            id,
            job,
            began,
            next,
        }));
        if idle {
            self.soon();
        }
    }

    fn soon(self: Rc<Self>) {
        set_timeout(move || self.work(), Duration::ZERO);
    }

    fn work(self: Rc<Self>) {
        let Some(mut running) = self.running.take() else {
            return;
        };
        let end = precise_ms() + SLICE_MS;
        running.job.advance(|| precise_ms() >= end);
        if running.job.is_done() {
            // The listener may send the next request, which schedules its own first slice.
            self.answer(Stage::Done, &running);
            return;
        }
        let now = precise_ms();
        if now >= running.next {
            self.answer(Stage::Running, &running);
            running.next = now + ANSWER_MS;
        }
        if self.running.borrow().is_none() {
            self.running.replace(Some(running));
            self.soon();
        }
    }

    fn cancel(&self, id: u32) {
        match self.running.take().filter(|running| running.id == id) {
            Some(running) => self.answer(Stage::Cancelled, &running),
            None if self.asked.get() == id => {
                (self.listener)(Event::Answer(id, Stage::Cancelled, None));
            }
            None => {}
        }
        self.asked.set(0);
    }

    fn answer(&self, stage: Stage, running: &Running) {
        let answer = running.job.answer((precise_ms() - running.began) / 1e3);
        (self.listener)(Event::Answer(running.id, stage, answer));
    }
}

fn precise_ms() -> f64 {
    window()
        .performance()
        .map_or_else(js_sys::Date::now, |performance| performance.now())
}
