//! A queue of requests: one runs, the newest waits, and answers to older ones are dropped.
//!
//! A new request replaces the running one, but not immediately. While a control is dragged, every frame brings a new
//! request; if each stopped its predecessor, no answer would ever arrive. A request that has run for less than
//! [`GRACE_MS`] may finish. Meanwhile the newest request waits, and any requests sent before it are dropped.

use crate::{Request, Stage};

/// Time, in milliseconds, for which a running request may continue while a newer one waits.
pub const GRACE_MS: f64 = 300.0;

/// State of a computation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComputeState {
    /// No request has been sent yet.
    Idle,
    /// A request is running.
    Running,
    /// The last request is done.
    Done,
    /// The user canceled the request.
    Cancelled,
    /// The computation failed, for example because the worker died; contains the error text.
    Failed(String),
}

/// Next action that the caller must take.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "used immediately, and never stored in bulk"
)]
pub enum Todo {
    /// Send this request under this number.
    Send(u32, Request),
    /// Call [`Queue::look`] after this many milliseconds.
    Wait(f64),
    /// Cancel the request with this number.
    Cancel(u32),
}

#[derive(Debug, Clone, PartialEq)]
struct Sent {
    id: u32,
    request: Request,
    at_ms: f64,
}

/// A queue that runs one computation at a time; a new request replaces the previous one.
#[derive(Debug, Default)]
pub struct Queue {
    next: u32,
    running: Option<Sent>,
    waiting: Option<Request>,
    last: Option<Request>,
}

impl Queue {
    /// Accepts a request unless it equals the last one, and returns the next action for the caller.
    pub fn ask(&mut self, request: Request, now_ms: f64) -> Option<Todo> {
        if self.last.as_ref() == Some(&request) {
            return None;
        }
        self.last = Some(request.clone());
        let Some(running) = &self.running else {
            return Some(self.send(request, now_ms));
        };
        if running.request == request {
            // The running request is wanted again, so the waiting one is dropped.
            self.waiting = None;
            return None;
        }
        let rest = GRACE_MS - (now_ms - running.at_ms);
        if rest <= 0.0 {
            return Some(self.send(request, now_ms));
        }
        let already = self.waiting.replace(request).is_some();
        (!already).then_some(Todo::Wait(rest))
    }

    /// Replaces the running request with the waiting one, or asks for another wait if the grace period is not over.
    /// Call this after a wait.
    pub fn look(&mut self, now_ms: f64) -> Option<Todo> {
        let rest = self
            .running
            .as_ref()
            .map_or(0.0, |running| GRACE_MS - (now_ms - running.at_ms));
        if self.waiting.is_some() && rest > 0.0 {
            return Some(Todo::Wait(rest));
        }
        let request = self.waiting.take()?;
        Some(self.send(request, now_ms))
    }

    /// Returns the answered request, true if that request is the newest, and the next action; `None` if the request was
    /// dropped.
    pub fn answered(&mut self, id: u32, stage: Stage) -> Option<(Request, bool, Option<Todo>)> {
        let running = self.running.as_ref().filter(|running| running.id == id)?;
        let request = running.request.clone();
        let current = self.last.as_ref() == Some(&request);
        let mut step = None;
        if stage != Stage::Running {
            let at_ms = running.at_ms;
            self.running = None;
            if let Some(next) = self.waiting.take() {
                step = Some(self.send(next, at_ms + GRACE_MS));
            }
        }
        Some((request, current, step))
    }

    /// Drops the waiting request and cancels the running one.
    pub fn cancel(&mut self) -> Option<Todo> {
        self.waiting = None;
        let running = self.running.as_ref()?;
        Some(Todo::Cancel(running.id))
    }

    /// Sends the newest request again, to a new worker.
    pub fn resend(&mut self) -> Option<Todo> {
        let running = self.running.take()?;
        let request = self.waiting.take().unwrap_or(running.request);
        Some(self.send(request, running.at_ms))
    }

    /// Records that the worker died: nothing is running, and the user may repeat the last request.
    pub fn broke(&mut self) {
        self.running = None;
        self.waiting = None;
    }

    /// Forgets all requests, so that the last one may be repeated; a late answer to a forgotten request is dropped.
    pub fn forget(&mut self) {
        *self = Self {
            next: self.next,
            ..Self::default()
        };
    }

    /// Returns the last request.
    pub const fn last(&self) -> Option<&Request> {
        self.last.as_ref()
    }

    fn send(&mut self, request: Request, now_ms: f64) -> Todo {
        // Numbers start at 1; 0 means that no request is wanted.
        self.next = self.next.wrapping_add(1).max(1);
        self.waiting = None;
        self.running = Some(Sent {
            id: self.next,
            request: request.clone(),
            at_ms: now_ms,
        });
        Todo::Send(self.next, request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::inputs::Inputs;

    fn search(name: &str) -> Request {
        Request::Quantity(vec![(name.into(), Inputs::DEFAULT)])
    }

    fn send(id: u32, link: &str) -> Option<Todo> {
        Some(Todo::Send(id, search(link)))
    }

    #[test]
    fn the_newest_waits_for_a_short_one_and_those_between_are_forgotten() {
        let mut queue = Queue::default();
        assert_eq!(queue.ask(search("a"), 0.0), send(1, "a"));
        assert_eq!(queue.ask(search("a"), 1.0), None, "asked already");
        assert_eq!(
            queue.ask(search("b"), 10.0),
            Some(Todo::Wait(GRACE_MS - 10.0))
        );
        assert_eq!(queue.ask(search("c"), 20.0), None, "one look is enough");
        let (request, current, step) = queue.answered(1, Stage::Done).unwrap();
        assert_eq!((request, current), (search("a"), false));
        assert_eq!(step, send(2, "c"));
        assert!(
            queue.answered(1, Stage::Done).is_none(),
            "not wanted any more"
        );
        assert!(queue.answered(2, Stage::Done).unwrap().1);
        assert_eq!(queue.look(GRACE_MS), None, "nothing waits");
    }

    #[test]
    fn a_long_one_gives_way() {
        let mut queue = Queue::default();
        queue.ask(search("a"), 0.0);
        assert_eq!(queue.ask(search("b"), 10.0), Some(Todo::Wait(290.0)));
        assert_eq!(queue.look(100.0), Some(Todo::Wait(200.0)), "too early");
        assert_eq!(queue.look(GRACE_MS), send(2, "b"));
        assert_eq!(queue.ask(search("c"), GRACE_MS + 400.0), send(3, "c"));
        assert!(queue.answered(2, Stage::Running).is_none());
        let (_, current, step) = queue.answered(3, Stage::Running).unwrap();
        assert!(current && step.is_none());
    }

    #[test]
    fn cancelled_stays_cancelled_until_something_else_is_asked() {
        let mut queue = Queue::default();
        queue.ask(search("a"), 0.0);
        queue.ask(search("b"), 1.0);
        assert_eq!(queue.cancel(), Some(Todo::Cancel(1)));
        assert_eq!(queue.look(GRACE_MS), None, "what waited is cancelled, too");
        assert!(queue.answered(1, Stage::Cancelled).is_some());
        assert_eq!(queue.ask(search("b"), 500.0), None);
        queue.forget();
        assert_eq!(queue.ask(search("b"), 501.0), send(2, "b"));
    }

    #[test]
    fn another_engine_gets_the_newest() {
        let mut queue = Queue::default();
        queue.ask(search("a"), 0.0);
        queue.ask(search("b"), 1.0);
        assert_eq!(queue.resend(), send(2, "b"));
        queue.broke();
        assert_eq!(queue.last(), Some(&search("b")));
        assert_eq!(queue.ask(search("b"), 2.0), None);
        assert_eq!(queue.ask(search("a"), 3.0), send(3, "a"));
    }
}
