//! Entries of the browser's history: one per user gesture, not one per slider step.

/// Effect of a change on the browser's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// Adds a new entry, so that the Back button undoes the change.
    Push,
    /// Replaces the current entry.
    Replace,
}

/// User action that caused a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A single complete action: a click, a choice, or a typed value.
    Once,
    /// One of many changes while a control is dragged or a key is held. Holds the control's key.
    Sliding(&'static str),
}

/// Pause that ends a keyboard gesture, in ms.
pub const PAUSE_MS: f64 = 900.0;

/// The gesture in progress, if any.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Gesture {
    control: Option<&'static str>,
    held: bool,
    last_ms: f64,
}

impl Gesture {
    /// Ends the previous gesture and starts one with the pointer; called when the pointer is pressed on a control.
    pub fn hold(&mut self) {
        *self = Self {
            control: None,
            held: true,
            last_ms: 0.0,
        };
    }

    /// Ends the gesture; called when the pointer is released.
    pub fn release(&mut self) {
        self.control = None;
        self.held = false;
    }

    /// True while the pointer is pressed.
    pub const fn is_held(&self) -> bool {
        self.held
    }

    /// True if a change from `origin` at `now_ms` continues the gesture in progress.
    pub fn continues(&self, origin: Origin, now_ms: f64) -> bool {
        match origin {
            Origin::Once => false,
            Origin::Sliding(control) => {
                self.control == Some(control) && (self.held || now_ms - self.last_ms <= PAUSE_MS)
            }
        }
    }

    /// Records a change and returns whether to add or replace a history entry. The first change of a gesture adds an
    /// entry; later ones replace it.
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
