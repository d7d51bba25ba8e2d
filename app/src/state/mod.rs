//! The state of the page: one permalink, and everything else computed from it.

pub mod address;
pub mod colours;
pub mod lasting;
pub mod own_prices;
pub mod storage;

use address::now_ms;
use answer::page::history::{Gesture, Origin, Write};
use answer::page::pace::DragFrames;
use answer::page::scheme::Preference;
use answer::theme::{DARK, LIGHT, Theme};
use answer::{FirstScreen, Outcome, Problem, answer, obstacles, runs};
use lasting::Lasting;
use leptos::prelude::*;
use model_core::account::Explained;
use model_core::anchor::{Carry, anchored_pair, carry};
use model_core::inputs::{Inputs, Number};
use model_core::permalink::{self, Link, Note, Shown, Sliders, View};
use model_core::preset::PRESETS;
use own_prices::remember_price;
use std::sync::Arc;
use std::time::Duration;

/// Interval at which the page checks whether a slider is still being moved by keyboard. A move ends after a full
/// interval without a change.
const RESTS: Duration = Duration::from_millis(150);

/// State of the page, and the methods that change it.
#[derive(Clone, Copy)]
pub struct App {
    /// The parsed permalink: scenario, pinned scenario, and how they are shown.
    pub link: Lasting<RwSignal<Link>>,
    /// The scenario being edited.
    pub current: Lasting<Memo<Inputs>>,
    /// The scenario pinned for comparison.
    pub pinned: Lasting<Memo<Option<Inputs>>>,
    /// Headline, metrics and charts of the current scenario; while the scenario is invalid, the last valid ones.
    pub answer: Lasting<Memo<Option<Arc<FirstScreen>>>>,
    /// Errors of the current scenario; empty if it is valid.
    pub problems: Lasting<Memo<Arc<Vec<Problem>>>>,
    /// The current permalink as text, without the `?`. During a slider move, it is newer than the address bar.
    pub text: Lasting<Memo<String>>,
    /// Ignored parts of the permalink that opened the page.
    pub notes: Lasting<RwSignal<Vec<Note>>>,
    /// True once the table of measured runs has loaded; error bands and nearest runs depend on it.
    pub runs: Lasting<RwSignal<bool>>,
    /// The user's choice of colors.
    pub preference: Lasting<RwSignal<Preference>>,
    /// True for the dark theme.
    pub dark: Lasting<Memo<bool>>,
    /// True while the page is printed, always in the light theme.
    pub printing: Lasting<ReadSignal<bool>>,
    /// State of the section for pasted benchmarks.
    pub measuring: Lasting<RwSignal<Measuring>>,
    /// True if the scenario's deployment differs from the measured deployment, and the user has not yet decided about
    /// the measurements.
    pub strayed: Lasting<RwSignal<bool>>,
    /// Numeric input whose help text is shown at the bottom of the panel.
    pub helped: Lasting<RwSignal<Number>>,
    /// True while a slider is moved by pointer or keys; updates outside the visible area may wait.
    pub moving: Lasting<RwSignal<bool>>,
    /// Frame times of the current slider move.
    pace: StoredValue<DragFrames>,
    /// True if the slider has moved since the last check for the end of the move.
    moved: StoredValue<bool>,
    gesture: StoredValue<Gesture>,
    /// Inputs before the current gesture. Each step of a drag is applied to a copy of these inputs, so that earlier
    /// steps leave no trace.
    base: StoredValue<Inputs>,
    waiting: StoredValue<Option<Slide>>,
    /// True if the address bar is not yet up to date with the permalink.
    unwritten: StoredValue<bool>,
}

/// State of the “I measured this” section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Measuring {
    /// True while the section is shown.
    pub open: bool,
    /// The pasted text.
    pub text: String,
}

/// Numeric inputs that one control sets while it is dragged.
#[derive(Debug, Clone, PartialEq)]
struct Slide {
    /// Key of the dragged control; the key identifies the gesture.
    control: &'static str,
    changes: Vec<(Number, Option<f64>)>,
}

/// Returns the permalink for a query; an empty query gives the first preset.
fn opened(query: &str) -> Link {
    match query {
        "" => PRESETS[0].opened(),
        query => permalink::read(query),
    }
}

impl App {
    /// Creates the state of a page that is opened with this query.
    pub fn open(query: &str) -> Self {
        let mut opened = opened(query);
        if query.is_empty() {
            address::set(&permalink::write(&opened), Write::Replace);
        }
        let notes = Lasting::signal(std::mem::take(&mut opened.notes));
        let link = Lasting::signal(opened);
        let current = Lasting::memo(move |_| link.with(|link| link.current));
        let pinned = Lasting::memo(move |_| link.with(|link| link.pinned));
        let runs = Lasting::signal(runs::known().is_some());
        // Lazy, because only Explore needs this evaluation, the most expensive one of the page.
        let answer = Lasting::memo(move |earlier: Option<&Option<Arc<FirstScreen>>>| {
            runs.track();
            let current = current.get();
            let outcome = answer(&current, pinned.get().as_ref());
            match outcome {
                Outcome::Possible(answer) => Some(Arc::new(*answer)),
                Outcome::Impossible(_) => earlier.cloned().flatten(),
            }
        });
        let problems = Lasting::memo(move |_| Arc::new(current.with(obstacles)));
        let preference = Lasting::signal(colours::remembered());
        let system_dark = colours::system_dark();
        let printing = Lasting::from(colours::printing());
        let around = colours::around();
        let dark = Lasting::memo(move |_| {
            let said = link.with(|link| link.shown.theme).or(around.get());
            preference.get().is_dark(said, system_dark.get()) && !printing.get()
        });
        Self {
            link,
            current,
            pinned,
            answer,
            problems,
            text: Lasting::memo(move |_| link.with(permalink::write)),
            notes,
            runs,
            preference,
            dark,
            printing,
            measuring: Lasting::signal(Measuring::default()),
            strayed: Lasting::signal(false),
            helped: Lasting::signal(Number::ScaleOut),
            moving: Lasting::signal(false),
            pace: StoredValue::default(),
            moved: StoredValue::new(false),
            gesture: StoredValue::new(Gesture::default()),
            base: StoredValue::new(Inputs::DEFAULT),
            waiting: StoredValue::new(None),
            unwritten: StoredValue::new(false),
        }
    }

    /// Returns true if the current scenario is valid.
    pub fn possible(self) -> bool {
        self.problems.with(|problems| problems.is_empty())
    }

    /// Returns the active color theme.
    pub fn theme(self) -> &'static Theme {
        if self.dark.get() { &DARK } else { &LIGHT }
    }

    /// Updates the state when the user goes back or forward in the browser.
    pub fn follow_history(self) {
        let _ = window_event_listener(leptos::ev::popstate, move |_| {
            self.waiting.set_value(None);
            self.unwritten.set_value(false);
            let mut link = opened(&address::query());
            self.notes.set(std::mem::take(&mut link.notes));
            self.link.set(link);
        });
    }

    /// Changes the whole permalink as one undo step.
    pub fn change(self, edit: impl FnOnce(&mut Link)) {
        self.apply_waiting();
        let mut link = self.link.get_untracked();
        edit(&mut link);
        self.commit(link, Origin::Once);
    }

    /// Shows another view of the same scenario, as one undo step.
    pub fn show(self, view: View) {
        if self.link.with_untracked(|link| link.shown.view != view) {
            self.change(|link| link.shown.view = view);
            window().scroll_to_with_x_and_y(0.0, 0.0);
        }
    }

    /// Opens the section for benchmarks. If a text is given, puts it into the section's text field.
    pub fn measure(self, text: Option<String>) {
        self.show(View::Explore);
        self.measuring.update(|measuring| {
            measuring.open = true;
            if let Some(text) = text {
                measuring.text = text;
            }
        });
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }

    /// Opens the derivation of a number; if that derivation is already open, closes it.
    pub fn explain(self, what: Explained) {
        self.change(|link| {
            let open = link.shown.explain == Some(what);
            link.shown.explain = (!open).then_some(what);
        });
    }

    /// Changes the current scenario as one undo step.
    pub fn edit(self, edit: impl FnOnce(&mut Inputs)) {
        self.change(|link| edit(&mut link.current));
    }

    /// Sets a numeric input during a drag or while a key is held; `None` restores the default. The page is updated
    /// once per frame.
    pub fn slide(self, number: Number, value: Option<f64>) {
        self.slide_together(number.spec().key, &[(number, value)]);
    }

    /// Like [`Self::slide`], but for a control that sets several numeric inputs; `control` names the control.
    pub fn slide_together(self, control: &'static str, changes: &[(Number, Option<f64>)]) {
        let idle = self.waiting.with_value(Option::is_none);
        let changes = changes.to_vec();
        self.waiting.set_value(Some(Slide { control, changes }));
        if idle {
            request_animation_frame(move || self.apply_waiting());
        }
        self.moved.set_value(true);
        self.begin_move();
    }

    /// Returns the value of a numeric input, including a change that waits for the next frame. Changes can wait,
    /// because key presses can come faster than frames.
    pub fn aimed(self, number: Number) -> Option<f64> {
        let waits = self.waiting.with_value(|slide| {
            let mut changes = slide.iter().flat_map(|slide| &slide.changes);
            changes
                .find(|(waits, _)| *waits == number)
                .map(|(_, value)| *value)
        });
        match waits {
            Some(Some(value)) => Some(value),
            Some(None) => self
                .current
                .with_untracked(|inputs| inputs.default_of(number)),
            None => self.current.with_untracked(|inputs| inputs.get(number)),
        }
    }

    /// Starts a slider move when the pointer is pressed on the slider.
    pub fn hold(self) {
        self.apply_waiting();
        self.gesture.update_value(Gesture::hold);
        self.begin_move();
    }

    /// Ends a slider move when the pointer is released.
    pub fn release(self) {
        self.apply_waiting();
        self.gesture.update_value(Gesture::release);
        self.end_move();
    }

    fn begin_move(self) {
        if !self.moving.get_untracked() {
            self.moving.set(true);
            self.pace.set_value(DragFrames::default());
            self.keep_pace();
            self.look_for_rest();
        }
    }

    /// Records the frame times of a slider move, until the move ends or the page is known to be too slow.
    fn keep_pace(self) {
        request_animation_frame(move || {
            let moving = self.moving.try_get_untracked() == Some(true);
            let noted = self.pace.try_update_value(|pace| pace.frame(now_ms()));
            if moving && noted == Some(false) {
                self.keep_pace();
            }
        });
    }

    /// Ends a slider move made by keyboard once [`RESTS`] has passed without a change.
    fn look_for_rest(self) {
        let look = move || {
            let held = self.gesture.try_with_value(Gesture::is_held);
            if held != Some(false) || !self.moving.get_untracked() {
                return;
            }
            match self.moved.try_update_value(std::mem::take) {
                Some(true) => self.look_for_rest(),
                _ => self.end_move(),
            }
        };
        set_timeout(look, RESTS);
    }

    fn end_move(self) {
        if self.moving.get_untracked() {
            self.moving.set(false);
        }
        self.write_address();
    }

    /// Writes the permalink into the address bar at the end of a slider move, unless the address bar is up to date.
    fn write_address(self) {
        if self.unwritten.try_update_value(std::mem::take) == Some(true) {
            address::set(&self.link.with_untracked(permalink::write), Write::Replace);
        }
    }

    /// Returns true during a drag whose changes the page cannot redraw fast enough.
    pub fn is_behind(self) -> bool {
        self.moving.get_untracked() && self.pace.with_value(DragFrames::behind)
    }

    fn apply_waiting(self) {
        let Some(slide) = self.waiting.try_update_value(Option::take).flatten() else {
            return;
        };
        let origin = Origin::Sliding(slide.control);
        let link = self.link.get_untracked();
        let continues = self
            .gesture
            .with_value(|gesture| gesture.continues(origin, now_ms()));
        if !continues {
            self.base.set_value(link.current);
        }
        let mut current = self.base.get_value();
        for (number, value) in slide.changes {
            state_in(link.shown.view, &mut current, number, value);
        }
        self.commit(Link { current, ..link }, origin);
    }

    /// Sets a numeric input that the user typed; a typed price is also stored for later visits.
    pub fn type_in(self, number: Number, value: Option<f64>) {
        self.change(|link| {
            state_in(link.shown.view, &mut link.current, number, value);
            if number == Number::Price {
                remember_price(link, value);
            }
        });
    }

    /// Opens a permalink in place of the current one, in the user's colors, as one undo step.
    pub fn open_link(self, mut wanted: Link) {
        self.notes.set(std::mem::take(&mut wanted.notes));
        self.change(|link| {
            wanted.shown = Shown {
                theme: link.shown.theme,
                embed: None,
                sliders: Sliders::NONE,
                ..wanted.shown
            };
            *link = wanted;
        });
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }

    /// Sets `strayed` if the scenario changes to another deployment, because measurements hold only for the deployment
    /// on which they were taken.
    fn watch_measurements(self, now: &Inputs) {
        let before = self.link.with_untracked(|link| link.current);
        if now.measured != before.measured || now.measured.is_empty() {
            self.strayed.set(false);
        } else if carry(&before, now) != Carry::Whole {
            self.strayed.set(true);
        }
    }

    fn commit(self, mut link: Link, origin: Origin) {
        let (current, pinned) = anchored_pair(&link.current.normalized(), link.pinned.as_ref());
        (link.current, link.pinned) = (current, pinned);
        self.watch_measurements(&link.current);
        // Pressing a slider's thumb sets the same value again; only a real change may add a history entry.
        if self.link.with_untracked(|shown| *shown == link) {
            return;
        }
        let how = self
            .gesture
            .try_update_value(|gesture| gesture.write(origin, now_ms()))
            .unwrap_or(Write::Push);
        // An embedded figure adds no entries to the browser history of the page around it.
        let how = match link.shown.embed {
            Some(_) => Write::Replace,
            None => how,
        };
        // A slider move writes the address only at its end. A write takes as long as drawing, and browsers refuse more
        // than about a hundred writes in ten seconds.
        if how == Write::Replace && self.moving.get_untracked() {
            self.unwritten.set_value(true);
        } else {
            self.write_address();
            address::set(&permalink::write(&link), how);
        }
        self.link.set(link);
    }

    /// Pins the current scenario as scenario A.
    pub fn pin(self) {
        self.change(|link| link.pinned = Some(link.current));
    }

    /// Removes the pinned scenario A.
    pub fn unpin(self) {
        self.change(|link| link.pinned = None);
    }

    /// Swaps the pinned scenario A and the current scenario.
    pub fn swap(self) {
        self.change(|link| {
            if let Some(pinned) = &mut link.pinned {
                std::mem::swap(pinned, &mut link.current);
            }
        });
    }

    /// Switches to the next color theme; the theme set by the permalink no longer applies.
    pub fn turn_colours(self) {
        let next = self.preference.get_untracked().next();
        colours::remember(next);
        self.preference.set(next);
        if self.link.with_untracked(|link| link.shown.theme.is_some()) {
            self.change(|link| link.shown.theme = None);
        }
    }
}

/// Sets a numeric input from within a view. Request lengths set in the Service view leave the mean context unchanged;
/// those set in other views change it.
fn state_in(view: View, inputs: &mut Inputs, number: Number, value: Option<f64>) {
    match view {
        View::Service => {
            inputs.state(number, value);
        }
        _ => inputs.edit(number, value),
    }
}
