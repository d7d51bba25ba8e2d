//! Values parsed from JSON and YAML, each with its line number.

use super::said::{At, Said, number, sensible};

/// A parsed value of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Null, NaN, or an infinite number.
    Null,
    /// A Boolean.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// Keys and values, in the order of the file.
    Map(Vec<(String, Tree)>),
}

/// A parsed value and its line in the cleaned text.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The parsed value.
    pub node: Node,
    /// Line of the cleaned text on which the value starts.
    pub line: u32,
}

/// Max nesting depth of lists and maps that is read.
pub const MOST_LEVELS: usize = 64;

impl Tree {
    /// Returns the keys and values of a map; empty for any other value.
    pub fn entries(&self) -> &[(String, Self)] {
        match &self.node {
            Node::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a list; empty for any other value.
    pub fn items(&self) -> &[Self] {
        match &self.node {
            Node::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the value of a key in a map.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let mut entries = self.entries().iter();
        entries
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// Returns the value that is reached by a path of keys; an empty key selects the first item of a list.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, key| match *key {
            "" => tree.items().first(),
            key => tree.get(key),
        })
    }

    /// Tests whether the value is a map that contains a key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Returns this value as a number, even if it is written as a string.
    pub fn as_number(&self) -> Said {
        let value = match &self.node {
            Node::Number(value) => sensible(*value),
            Node::Text(text) => number(text),
            _ => None,
        };
        value.map(|value| At::new(value, self.line))
    }

    /// Returns the value of a key as a number.
    pub fn number(&self, key: &str) -> Said {
        self.get(key)?.as_number()
    }

    /// Returns the string value of a key.
    pub fn text(&self, key: &str) -> Option<At<&str>> {
        let value = self.get(key)?;
        match &value.node {
            Node::Text(text) => Some(At::new(text.as_str(), value.line)),
            _ => None,
        }
    }

    /// Returns the Boolean value of a key, even if it is written as a string.
    pub fn flag(&self, key: &str) -> Option<At<bool>> {
        let value = self.get(key)?;
        let truth = match &value.node {
            Node::Flag(truth) => *truth,
            Node::Text(text) if text.eq_ignore_ascii_case("true") => true,
            Node::Text(text) if text.eq_ignore_ascii_case("false") => false,
            _ => return None,
        };
        Some(At::new(truth, value.line))
    }
}
