//! Reads the fields of a JSON object with type checks; error texts include the name of the field.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::message::ConfigError;

/// Largest number allowed in a shape; a larger number in the file is an error.
const MOST: u32 = 1 << 24;
/// Max characters of a value that an error text quotes.
const QUOTED: usize = 60;

/// Names of the fields that were read, each with the name of the JSON object that contains the field (empty for the
/// file's top level).
#[derive(Default)]
pub(super) struct ReadFields(RefCell<BTreeSet<(&'static str, String)>>);

/// A JSON object in the file; a field that is `null` is treated as absent.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    object: &'a Map<String, Value>,
    /// Name of the field that holds this object; empty for the file's top level.
    inside: &'static str,
    read: &'a ReadFields,
}

impl<'a> Fields<'a> {
    pub(super) const fn new(
        object: &'a Map<String, Value>,
        inside: &'static str,
        read: &'a ReadFields,
    ) -> Self {
        Self {
            object,
            inside,
            read,
        }
    }

    /// Wraps another object of the same file; both objects share one record of the fields read.
    pub(super) const fn beside(
        &self,
        object: &'a Map<String, Value>,
        inside: &'static str,
    ) -> Self {
        Self::new(object, inside, self.read)
    }

    /// Returns the name of a field, prefixed with the name of its object.
    pub(super) fn path(&self, name: &str) -> String {
        if self.inside.is_empty() {
            quote(name)
        } else {
            format!("{}.{}", self.inside, quote(name))
        }
    }

    /// Returns the value of a field and records the field as read.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        let value = self.object.get(name)?;
        self.read
            .0
            .borrow_mut()
            .insert((self.inside, name.to_owned()));
        Some(value).filter(|value| !value.is_null())
    }

    /// Records fields as read without reading them, because their values follow from other fields.
    pub(super) fn redundant(&self, names: &[&str]) {
        for name in names {
            self.get(name);
        }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        self.inside == other.inside
    }

    /// Returns the names of fields that were not read although their value is not `null`, `false`, 0 or empty.
    pub(super) fn unread(&self) -> Vec<&'a str> {
        let read = self.read.0.borrow();
        let unread = |name: &&str| !read.contains(&(self.inside, (*name).to_owned()));
        self.stated().map(|(name, _)| name).filter(unread).collect()
    }

    /// True if the file has the field, even if its value is `null`.
    pub(super) fn has(&self, name: &str) -> bool {
        self.object.contains_key(name)
    }

    /// True if the field has a value other than `null`, `false`, 0 or empty. This check does not record the field as
    /// read.
    pub(super) fn states(&self, name: &str) -> bool {
        self.object.get(name).is_some_and(says_something)
    }

    /// Iterates over every field whose value is not `null`, `false`, 0 or empty.
    pub(super) fn stated(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let object = self.object;
        object
            .iter()
            .filter(|(_, value)| says_something(value))
            .map(|(name, value)| (name.as_str(), value))
    }

    /// Returns the whole number of a field that has several alternative names; if several are present, their values
    /// must agree.
    pub(super) fn whole(&self, names: &[&'static str]) -> Result<Option<u32>, ConfigError> {
        let mut found: Option<(&str, u32)> = None;
        for &name in names {
            let Some(value) = self.get(name) else {
                continue;
            };
            let number = whole(value).map_err(|why| self.refuse(name, why))?;
            match found {
                Some((earlier, other)) if other != number => {
                    let why = format!("{} is {other}", self.path(earlier));
                    return Err(self.refuse(name, why));
                }
                _ => found = Some((name, number)),
            }
        }
        Ok(found.map(|(_, number)| number))
    }

    /// Returns a whole number that the shape requires; a missing field is an error.
    pub(super) fn needed(
        &self,
        names: &[&'static str],
        needed_for: &'static str,
    ) -> Result<u32, ConfigError> {
        let first = names.first().copied().unwrap_or_default();
        self.whole(names)?
            .ok_or_else(|| self.missing(first, needed_for))
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, ConfigError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.refuse(name, "expected true or false")),
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>, ConfigError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.refuse(name, "expected a string")),
        }
    }

    pub(super) fn inner(&self, name: &'static str) -> Result<Option<Fields<'a>>, ConfigError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(self.beside(object, name))),
            Some(_) => Err(self.refuse(name, "expected an object")),
        }
    }

    pub(super) fn list(&self, name: &str) -> Result<Option<&'a [Value]>, ConfigError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            Some(_) => Err(self.refuse(name, "expected an array")),
        }
    }

    pub(super) fn missing(&self, name: &str, needed_for: &'static str) -> ConfigError {
        let field = self.path(name);
        ConfigError::Missing { field, needed_for }
    }

    pub(super) fn refuse(&self, name: &str, why: impl Into<String>) -> ConfigError {
        let value = self.object.get(name).unwrap_or(&Value::Null);
        ConfigError::NotUnderstood {
            field: self.path(name),
            value: quote(&value.to_string()),
            why: why.into(),
        }
    }
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_u64() != Some(0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}

/// Converts a JSON value to a whole number between 0 and [`MOST`]; the error describes the fault.
pub(super) fn whole(value: &Value) -> Result<u32, &'static str> {
    let Value::Number(number) = value else {
        return Err("expected an integer");
    };
    if let Some(number) = number.as_u64() {
        return match u32::try_from(number) {
            Ok(number) if number <= MOST => Ok(number),
            _ => Err("exceeds the supported maximum"),
        };
    }
    match number.as_f64() {
        Some(number) if number < 0.0 => Err("it must not be negative"),
        Some(number) if number.fract() != 0.0 => Err("expected an integer"),
        // Exact: whole, not negative and at most 2^24.
        Some(number) if number <= f64::from(MOST) => Ok(number as u32),
        _ => Err("exceeds the supported maximum"),
    }
}

/// Shortens a text from the file and removes control characters, so that an error can quote it.
pub(super) fn quote(text: &str) -> String {
    let mut printable = text.chars().filter(|c| !c.is_control());
    let mut short: String = printable.by_ref().take(QUOTED).collect();
    if printable.next().is_some() {
        short.push('…');
    }
    short
}
