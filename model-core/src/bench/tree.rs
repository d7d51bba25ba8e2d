//! Values of JSON and YAML, each with its line.

use super::said::{At, Said, number, sensible};

/// A value of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// Null, NaN, or an infinite number.
    Null,
    /// True or false.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Tree>),
    /// Keys and values, in the order of the file.
    Map(Vec<(String, Tree)>),
}

/// A value and its line in the cleaned text.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The value.
    pub node: Node,
    /// The line on which it starts.
    pub line: u32,
}

/// Levels of lists and maps that are followed.
pub const MOST_LEVELS: usize = 64;

impl Tree {
    /// Keys and values; none of anything but a map.
    pub fn entries(&self) -> &[(String, Self)] {
        match &self.node {
            Node::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Values of a list; none of anything else.
    pub fn items(&self) -> &[Self] {
        match &self.node {
            Node::List(items) => items,
            _ => &[],
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let mut entries = self.entries().iter();
        entries
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The value at the end of a path of keys; an empty key is the first value of a list.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, key| match *key {
            "" => tree.items().first(),
            key => tree.get(key),
        })
    }

    /// Tests whether it has a key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The number of this value, also if it is written as a text.
    pub fn as_number(&self) -> Said {
        let value = match &self.node {
            Node::Number(value) => sensible(*value),
            Node::Text(text) => number(text),
            _ => None,
        };
        value.map(|value| At::new(value, self.line))
    }

    /// The number of a key.
    pub fn number(&self, key: &str) -> Said {
        self.get(key)?.as_number()
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<At<&str>> {
        let value = self.get(key)?;
        match &value.node {
            Node::Text(text) => Some(At::new(text.as_str(), value.line)),
            _ => None,
        }
    }

    /// The truth of a key, also if it is written as a text.
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
