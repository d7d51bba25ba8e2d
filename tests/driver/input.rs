//! Real input events: mouse, finger, wheel and keys.

use std::time::Duration;

use serde_json::{Value, json};

use super::Page;
use super::failure::Result;

/// Number of steps in a drag; a single jump would skip the positions in between.
const STEPS: u32 = 12;
/// Time between two pointer movements, about one frame.
const FRAME: Duration = Duration::from_millis(16);

/// A point in the viewport, in CSS pixels from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Distance from the left, in CSS pixels.
    pub x: f64,
    /// Distance from the top, in CSS pixels.
    pub y: f64,
}

impl Point {
    /// Returns the point moved by these distances to the right and down.
    #[must_use]
    pub fn offset(self, right: f64, down: f64) -> Self {
        Self {
            x: self.x + right,
            y: self.y + down,
        }
    }

    fn towards(self, to: Self, fraction: f64) -> Self {
        self.offset(fraction * (to.x - self.x), fraction * (to.y - self.y))
    }
}

/// Type of pointer: mouse or finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// A mouse, which also hovers.
    Mouse,
    /// A finger; the page needs a view with touch, such as [`super::View::PHONE`].
    Finger,
}

impl Page {
    /// Moves the mouse to a point, without pressing a button.
    pub fn hover(&self, at: Point) -> Result {
        self.pointer(Pointer::Mouse, &[movement(at)])
    }

    /// Presses and releases the pointer at a point.
    pub fn press(&self, pointer: Pointer, at: Point) -> Result {
        self.pointer(pointer, &[movement(at), down(), pause(FRAME), up()])
    }

    /// Presses and releases the mouse twice in a row at a point.
    pub fn press_twice(&self, at: Point) -> Result {
        let twice = [down(), up(), down(), up()];
        let actions: Vec<Value> = [movement(at)].into_iter().chain(twice).collect();
        self.pointer(Pointer::Mouse, &actions)
    }

    /// Presses at one point, moves in steps to another point, and releases there.
    pub fn drag(&self, pointer: Pointer, from: Point, to: Point) -> Result {
        self.drag_through(pointer, &[from, to])
    }

    /// Drags along several points, such as there and back.
    pub fn drag_through(&self, pointer: Pointer, points: &[Point]) -> Result {
        let Some(&first) = points.first() else {
            return Ok(());
        };
        let mut actions = vec![movement(first), down()];
        for pair in points.windows(2) {
            let path = (1..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
            actions.extend(path.map(|part| movement(pair[0].towards(pair[1], part))));
        }
        actions.push(up());
        self.pointer(pointer, &actions)
    }

    /// Turns the wheel at a point, by `down` CSS pixels.
    pub fn scroll(&self, at: Point, down: f64) -> Result {
        let turn = json!({
            "type": "scroll", "origin": "viewport", "x": whole(at.x), "y": whole(at.y),
            "deltaX": 0, "deltaY": whole(down), "duration": 50,
        });
        self.act(&json!({ "type": "wheel", "id": "wheel", "actions": [turn] }))
    }

    /// Types keys into the focused element; see [`key`] for keys that are not characters.
    pub fn keys(&self, text: &str) -> Result {
        let strokes: Vec<Value> = text
            .chars()
            .flat_map(|key| [stroke("keyDown", key), stroke("keyUp", key)])
            .collect();
        self.act(&json!({ "type": "key", "id": "keyboard", "actions": strokes }))
    }

    /// Presses a key while other keys are held, as in `chord(&[key::SHIFT], key::TAB)`.
    pub fn chord(&self, held: &[char], struck: char) -> Result {
        let downs = held.iter().map(|&key| stroke("keyDown", key));
        let ups = held.iter().rev().map(|&key| stroke("keyUp", key));
        let strokes: Vec<Value> = downs
            .chain([stroke("keyDown", struck), stroke("keyUp", struck)])
            .chain(ups)
            .collect();
        self.act(&json!({ "type": "key", "id": "keyboard", "actions": strokes }))
    }

    fn pointer(&self, pointer: Pointer, actions: &[Value]) -> Result {
        let (id, kind) = match pointer {
            Pointer::Mouse => ("mouse", "mouse"),
            Pointer::Finger => ("finger", "touch"),
        };
        let parameters = json!({ "pointerType": kind });
        self.act(
            &json!({ "type": "pointer", "id": id, "parameters": parameters, "actions": actions }),
        )
    }

    fn act(&self, source: &Value) -> Result {
        self.session
            .post("/actions", &json!({ "actions": [source] }))
            .map(drop)
    }
}

fn movement(to: Point) -> Value {
    let time = u64::try_from(FRAME.as_millis()).unwrap_or_default();
    json!({ "type": "pointerMove", "x": whole(to.x), "y": whole(to.y), "duration": time })
}

fn down() -> Value {
    json!({ "type": "pointerDown", "button": 0 })
}

fn up() -> Value {
    json!({ "type": "pointerUp", "button": 0 })
}

fn pause(time: Duration) -> Value {
    json!({ "type": "pause", "duration": u64::try_from(time.as_millis()).unwrap_or_default() })
}

fn stroke(kind: &str, key: char) -> Value {
    json!({ "type": kind, "value": key.to_string() })
}

/// Rounds to whole pixels, which WebDriver requires.
#[expect(clippy::cast_possible_truncation, reason = "a coordinate on a screen")]
fn whole(pixels: f64) -> i64 {
    pixels.round() as i64
}

/// Keys that are not letters, as WebDriver writes them.
pub mod key {
    /// Backspace: deletes the selected text.
    pub const BACKSPACE: char = '\u{E003}';
    /// Tab: moves to the next control.
    pub const TAB: char = '\u{E004}';
    /// Enter, also called Return.
    pub const ENTER: char = '\u{E007}';
    /// Shift, held while another key is pressed.
    pub const SHIFT: char = '\u{E008}';
    /// Control, held while another key is pressed.
    pub const CONTROL: char = '\u{E009}';
    /// Escape: closes popovers.
    pub const ESCAPE: char = '\u{E00C}';
    /// Page Up: moves a slider forward by ten steps.
    pub const PAGE_UP: char = '\u{E00E}';
    /// Page Down: moves a slider back by ten steps.
    pub const PAGE_DOWN: char = '\u{E00F}';
    /// End: moves to the largest or last value.
    pub const END: char = '\u{E010}';
    /// Home: moves to the smallest or first value.
    pub const HOME: char = '\u{E011}';
    /// Left arrow key.
    pub const LEFT: char = '\u{E012}';
    /// Up arrow key.
    pub const UP: char = '\u{E013}';
    /// Right arrow key.
    pub const RIGHT: char = '\u{E014}';
    /// Down arrow key.
    pub const DOWN: char = '\u{E015}';
}
