//! Entries of the browser's history: one per gesture, not one per pixel.

/// Effect of a change on the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// A new entry: "back" undoes the change.
    Push,
    /// The present entry is replaced.
    Replace,
}

/// Origin of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A click, a choice, a typed value: complete in itself.
    Once,
    /// One of many changes while a control is dragged or a key is held; named by the control's key.
    Sliding(&'static str),
}

/// A pause this long ends a gesture of the keyboard.
pub const PAUSE_MS: f64 = 900.0;

/// The gesture under way, if any.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Gesture {
    control: Option<&'static str>,
    held: bool,
    last_ms: f64,
}

impl Gesture {
    /// Called when the pointer goes down on a control: the gesture before is complete.
    pub fn hold(&mut self) {
        *self = Self {
            control: None,
            held: true,
            last_ms: 0.0,
        };
    }

    /// Called when the pointer goes up.
    pub fn release(&mut self) {
        self.control = None;
        self.held = false;
    }

    /// True while the pointer is down.
    pub const fn is_held(&self) -> bool {
        self.held
    }

    /// True if a change from `origin` at `now_ms` continues the gesture under way.
    pub fn continues(&self, origin: Origin, now_ms: f64) -> bool {
        match origin {
            Origin::Once => false,
            Origin::Sliding(control) => {
                self.control == Some(control) && (self.held || now_ms - self.last_ms <= PAUSE_MS)
            }
        }
    }

    /// Notes a change and returns how it is written: the first of a gesture pushes, the rest replace.
    pub fn write(&mut self, origin: Origin, now_ms: f64) -> Write {
        let continues = self.continues(origin, now_ms);
        self.control = match origin {
            Origin::Once => None,
            Origin::Sliding(control) => Some(control),
        };
        self.last_ms = now_ms;
        if continues {
            Write::Replace
        } else {
            Write::Push
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BATCH: Origin = Origin::Sliding("batch");

    #[test]
    fn a_drag_is_one_entry_however_slow() {
        let mut gesture = Gesture::default();
        gesture.hold();
        assert_eq!(gesture.write(BATCH, 0.0), Write::Push);
        assert_eq!(gesture.write(BATCH, 16.0), Write::Replace);
        assert_eq!(gesture.write(BATCH, 60_000.0), Write::Replace);
        gesture.release();
        gesture.hold();
        assert_eq!(gesture.write(BATCH, 60_100.0), Write::Push);
    }

    #[test]
    fn held_keys_are_one_entry_until_a_pause() {
        let mut gesture = Gesture::default();
        assert_eq!(gesture.write(BATCH, 0.0), Write::Push);
        assert_eq!(gesture.write(BATCH, 30.0), Write::Replace);
        assert_eq!(gesture.write(BATCH, 31.0 + PAUSE_MS), Write::Push);
    }

    #[test]
    fn another_control_or_a_click_is_another_entry() {
        let mut gesture = Gesture::default();
        assert_eq!(gesture.write(BATCH, 0.0), Write::Push);
        assert_eq!(gesture.write(Origin::Sliding("gpus"), 1.0), Write::Push);
        assert_eq!(gesture.write(Origin::Once, 2.0), Write::Push);
        assert_eq!(gesture.write(Origin::Once, 3.0), Write::Push);
        assert_eq!(gesture.write(Origin::Sliding("gpus"), 4.0), Write::Push);
    }
}
