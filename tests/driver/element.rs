//! An element of the page, and the actions on it.

use serde_json::{Value, json};

use super::failure::{Failure, Result};
use super::input::Point;
use super::session::Session;

/// Key of an element reference in WebDriver's JSON.
const REFERENCE: &str = "element-6066-11e4-a52e-4f735466cecf";

/// An element found on the page; it goes stale when the page replaces it.
#[derive(Clone, Debug)]
pub struct Element<'a> {
    session: &'a Session,
    id: String,
}

/// An element's rectangle, in CSS pixels from the top left of the viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Left edge, in CSS pixels from the left of the viewport.
    pub x: f64,
    /// Top edge, in CSS pixels from the top of the viewport.
    pub y: f64,
    /// Width, in CSS pixels.
    pub width: f64,
    /// Height, in CSS pixels.
    pub height: f64,
}

impl Rect {
    /// Returns the point at these fractions of width and height; `at(0.5, 0.5)` is the center.
    #[must_use]
    pub fn at(&self, across: f64, down: f64) -> Point {
        Point {
            x: self.x + across * self.width,
            y: self.y + down * self.height,
        }
    }
}

impl<'a> Element<'a> {
    /// Returns the page element to which an answer of the WebDriver server refers, if any.
    pub(super) fn from_answer(session: &'a Session, answer: &Value) -> Option<Self> {
        let id = answer[REFERENCE].as_str()?.to_owned();
        Some(Self { session, id })
    }

    /// Returns the JSON reference that WebDriver commands to this element contain.
    pub(super) fn reference(&self) -> Value {
        json!({ REFERENCE: self.id })
    }

    /// Returns all elements inside this element that match a selector.
    pub fn css_all(&self, selector: &str) -> Result<Vec<Element<'a>>> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self
            .session
            .post(&format!("/element/{}/elements", self.id), &body)?;
        let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(found
            .iter()
            .filter_map(|one| Element::from_answer(self.session, one))
            .collect())
    }

    /// Returns the visible text of the element.
    pub fn text(&self) -> Result<String> {
        self.ask("text")
    }

    /// Returns an attribute as written in the document, if present.
    pub fn attribute(&self, name: &str) -> Result<Option<String>> {
        let value = self.call(
            "return arguments[0].getAttribute(arguments[1])",
            &json!(name),
        )?;
        Ok(value.as_str().map(str::to_owned))
    }

    /// Returns a property of the element's DOM object, such as `value`, `checked` or `scrollWidth`.
    pub fn property(&self, name: &str) -> Result<Value> {
        self.session
            .get(&format!("/element/{}/property/{name}", self.id))
    }

    /// Returns the value of an input, select or textarea.
    pub fn value(&self) -> Result<String> {
        Ok(self
            .property("value")?
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// Returns a computed style; `style("color")` gives a value such as `rgba(8, 116, 106, 1)`.
    pub fn style(&self, property: &str) -> Result<String> {
        self.ask(&format!("css/{property}"))
    }

    /// Returns the element's ARIA role.
    pub fn role(&self) -> Result<String> {
        self.ask("computedrole")
    }

    /// Returns the accessible name of the element, as a screen reader announces it.
    pub fn name(&self) -> Result<String> {
        self.ask("computedlabel")
    }

    /// Returns true if WebDriver considers the element visible.
    pub fn is_shown(&self) -> Result<bool> {
        let shown = self
            .session
            .get(&format!("/element/{}/displayed", self.id))?;
        Ok(shown.as_bool().unwrap_or_default())
    }

    /// Returns true if a screen reader finds the element. Unlike WebDriver's visibility, this includes a transparent
    /// input under a drawing.
    pub fn is_there(&self) -> Result<bool> {
        let script = "return arguments[0].checkVisibility({ visibilityProperty: true })";
        Ok(self.call(script, &Value::Null)? == true)
    }

    /// Scrolls the element into view and returns its rectangle.
    pub fn rect(&self) -> Result<Rect> {
        let script = "arguments[0].scrollIntoView({ block: 'nearest', behavior: 'instant' });\
                      const r = arguments[0].getBoundingClientRect();\
                      return [r.x, r.y, r.width, r.height]";
        let sides = self.call(script, &Value::Null)?;
        let side = |index: usize| sides[index].as_f64().unwrap_or(f64::NAN);
        Ok(Rect {
            x: side(0),
            y: side(1),
            width: side(2),
            height: side(3),
        })
    }

    /// Scrolls the element out from under the top bar and clicks its center, as a person would. The click is refused
    /// if something covers the element.
    pub fn click(&self) -> Result {
        let script = "arguments[0].scrollIntoView({ block: 'nearest', behavior: 'instant' })";
        self.call(script, &Value::Null)?;
        self.session
            .post(&format!("/element/{}/click", self.id), &json!({}))
            .map(drop)
    }

    /// Focuses the element and types a text; see [`super::key`] for keys that are not letters.
    pub fn type_keys(&self, text: &str) -> Result {
        let body = json!({ "text": text });
        self.session
            .post(&format!("/element/{}/value", self.id), &body)
            .map(drop)
    }

    /// Focuses the element.
    pub fn focus(&self) -> Result {
        self.call("arguments[0].focus()", &Value::Null).map(drop)
    }

    /// Replaces the text of a field as a person does: selects all text, then types.
    pub fn type_over(&self, text: &str) -> Result {
        self.call("arguments[0].focus(); arguments[0].select()", &Value::Null)?;
        self.type_keys(text)
    }

    /// Runs a script with this element as `arguments[0]` and a value as `arguments[1]`.
    pub fn call(&self, script: &str, argument: &Value) -> Result<Value> {
        let args = json!([self.reference(), argument]);
        self.session
            .post("/execute/sync", &json!({ "script": script, "args": args }))
    }

    fn ask(&self, what: &str) -> Result<String> {
        let answer = self.session.get(&format!("/element/{}/{what}", self.id))?;
        answer.as_str().map(str::to_owned).ok_or_else(|| {
            Failure::Transport(format!("`{what}` of an element is not a text: {answer}"))
        })
    }
}
