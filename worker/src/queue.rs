//! Request queue: one runs, the newest waits, answers to older ones are dropped.
//!
//! A new request takes the place of the running one, but not at once: while a control is dragged there is a new one
//! every frame, and if each stopped the one before, no answer would ever come. One that has run for less than
//! [`GRACE_MS`] may finish; the newest waits, those between are forgotten.

use crate::{Request, Stage};

/// Time a running request may go on while a newer one waits.
pub const GRACE_MS: f64 = 300.0;

/// State of a computation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ComputeState {
    /// No request yet.
    Idle,
    /// It runs.
    Running,
    /// Done.
    Done,
    /// The reader stopped it.
    Cancelled,
    /// The engine failed, with its message.
    Failed(String),
}

/// Next action of the caller.
#[derive(Debug, Clone, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "used at once, and never held in numbers"
)]
pub enum Todo {
    /// Send a request under a number.
    Send(u32, Request),
    /// Call [`Queue::look`] after this many milliseconds.
    Wait(f64),
    /// Cancel the request of a number.
    Cancel(u32),
}

/// A request that was sent.
#[derive(Debug, Clone, PartialEq)]
struct Sent {
    id: u32,
    request: Request,
    at_ms: f64,
}

/// One computation at a time; the newest request wins.
#[derive(Debug, Default)]
pub struct Queue {
    next: u32,
    running: Option<Sent>,
    waiting: Option<Request>,
    last: Option<Request>,
}

impl Queue {
    /// Takes a request, unless it is the same as the last one.
    pub fn ask(&mut self, request: Request, now_ms: f64) -> Option<Todo> {
        if self.last.as_ref() == Some(&request) {
            return None;
        }
        self.last = Some(request.clone());
        let Some(running) = &self.running else {
            return Some(self.send(request, now_ms));
        };
        if running.request == request {
            // The same as the running one: the waiting one is dropped.
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

    /// Called after a wait: the waiting request replaces the running one.
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

    /// Request that an answer belongs to, true if it is the newest, and the next action; `None` for a dropped
    /// request.
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

    /// Stops everything.
    pub fn cancel(&mut self) -> Option<Todo> {
        self.waiting = None;
        let running = self.running.as_ref()?;
        Some(Todo::Cancel(running.id))
    }

    /// Sends the newest request again, to another engine.
    pub fn resend(&mut self) -> Option<Todo> {
        let running = self.running.take()?;
        let request = self.waiting.take().unwrap_or(running.request);
        Some(self.send(request, running.at_ms))
    }

    /// Called when the engine died: nothing runs, and the last request may be repeated.
    pub fn broke(&mut self) {
        self.running = None;
        self.waiting = None;
    }

    /// Forgets the last request, so that it may be repeated.
    pub fn forget(&mut self) {
        *self = Self {
            next: self.next,
            ..Self::default()
        };
    }

    /// The last request.
    pub const fn last(&self) -> Option<&Request> {
        self.last.as_ref()
    }

    fn send(&mut self, request: Request, now_ms: f64) -> Todo {
        // 0 is the worker's own.
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
