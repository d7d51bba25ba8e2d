//! Parses JSON as benchmark tools write it, and records line numbers. `NaN` and `Infinity` are read as null.
//! `serde_json` supports neither these values nor line numbers.

use super::clean::Line;
use super::tree::{MOST_LEVELS, Node, Tree};

/// A position in the cleaned text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Line number, counted from 0.
    pub line: usize,
    /// Byte offset within the line.
    pub byte: usize,
}

/// Result of parsing a JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed {
    /// The parsed value, and the position after it.
    Value(Tree, Place),
    /// There is no valid JSON at this position; the value is the line of the error.
    Broken(usize),
    /// The text ended before the value was complete.
    Ends,
}

/// Parses the JSON value that starts at a position.
pub fn parse(lines: &[Line], from: Place) -> Parsed {
    let mut reader = Reader {
        lines,
        at: from,
        ends: false,
    };
    match reader.value(0) {
        Some(tree) => Parsed::Value(tree, reader.at),
        None if reader.ends => Parsed::Ends,
        None => Parsed::Broken(reader.at.line),
    }
}

struct Reader<'a> {
    lines: &'a [Line],
    at: Place,
    ends: bool,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        let line = self.lines.get(self.at.line);
        line.and_then(|line| line.text.get(self.at.byte..))
            .unwrap_or_default()
    }

    /// Skips whitespace and returns the next byte without consuming it.
    fn peek(&mut self) -> Option<u8> {
        loop {
            if self.at.line >= self.lines.len() {
                self.ends = true;
                return None;
            }
            let rest = self.rest();
            let skipped = rest.len() - rest.trim_start().len();
            if let Some(mark) = rest.as_bytes().get(skipped) {
                let mark = *mark;
                self.at.byte += skipped;
                return Some(mark);
            }
            self.at = Place {
                line: self.at.line + 1,
                byte: 0,
            };
        }
    }

    fn eat(&mut self, mark: u8) -> Option<()> {
        (self.peek()? == mark).then(|| self.at.byte += 1)
    }

    fn value(&mut self, level: usize) -> Option<Tree> {
        if level > MOST_LEVELS {
            return None;
        }
        let mark = self.peek()?;
        let line = u32::try_from(self.at.line).ok()?;
        let node = match mark {
            b'{' => self.map(level)?,
            b'[' => self.list(level)?,
            b'"' => Node::Text(self.string()?),
            _ => self.word()?,
        };
        Some(Tree { node, line })
    }

    fn map(&mut self, level: usize) -> Option<Node> {
        self.eat(b'{')?;
        let mut entries = Vec::new();
        while self.peek()? != b'}' {
            if !entries.is_empty() {
                self.eat(b',')?;
                if self.peek()? == b'}' {
                    break;
                }
            }
            self.peek()?;
            let key = self.string()?;
            self.eat(b':')?;
            entries.push((key, self.value(level + 1)?));
        }
        self.eat(b'}')?;
        Some(Node::Map(entries))
    }

    fn list(&mut self, level: usize) -> Option<Node> {
        self.eat(b'[')?;
        let mut items = Vec::new();
        while self.peek()? != b']' {
            if !items.is_empty() {
                self.eat(b',')?;
                if self.peek()? == b']' {
                    break;
                }
            }
            items.push(self.value(level + 1)?);
        }
        self.eat(b']')?;
        Some(Node::List(items))
    }

    fn string(&mut self) -> Option<String> {
        let rest = self.rest().strip_prefix('"')?;
        let mut text = String::new();
        let mut marks = rest.char_indices();
        while let Some((at, mark)) = marks.next() {
            match mark {
                '"' => {
                    self.at.byte += at + 2;
                    return Some(text);
                }
                '\\' => {
                    // Names and paths need no other escapes.
                    let (_, mark) = marks.next()?;
                    text.push(if mark == 'n' { '\n' } else { mark });
                }
                _ => text.push(mark),
            }
        }
        self.ends = self.at.line + 1 >= self.lines.len();
        None
    }

    fn word(&mut self) -> Option<Node> {
        let rest = self.rest();
        let of_word = |mark: char| mark.is_ascii_alphanumeric() || "+-.".contains(mark);
        let end = rest.find(|mark| !of_word(mark)).unwrap_or(rest.len());
        let node = match &rest[..end] {
            "null" | "NaN" | "Infinity" | "-Infinity" => Node::Null,
            "true" => Node::Flag(true),
            "false" => Node::Flag(false),
            digits => {
                let starts = digits.starts_with(|mark: char| mark.is_ascii_digit() || mark == '-');
                let value: f64 = digits.parse().ok().filter(|_| starts)?;
                if value.is_finite() {
                    Node::Number(value)
                } else {
                    Node::Null
                }
            }
        };
        self.at.byte += end;
        Some(node)
    }
}

#[cfg(test)]
mod tests {

    use super::super::clean::clean;
    use super::*;

    fn parsed(text: &str) -> Parsed {
        parse(&clean(text).lines, Place { line: 0, byte: 0 })
    }

    #[test]
    fn values_know_their_lines() {
        let Parsed::Value(tree, end) =
            parsed("{\"a\": Infinity,\n \"b\": {\"c\": [1,\n -2.5e1]}} tail")
        else {
            panic!("not read");
        };
        assert_eq!(end, Place { line: 2, byte: 10 });
        assert_eq!(tree.get("a").unwrap().node, Node::Null);
        let list = tree.at(&["b", "c"]).unwrap().items();
        assert_eq!(
            (list[1].node.clone(), list[1].line),
            (Node::Number(-25.0), 2)
        );
    }

    #[test]
    fn broken_texts_are_no_values() {
        assert_eq!(parsed("{\"a\": 1"), Parsed::Ends);
        assert_eq!(parsed("[2026-11-02 TP0] Decode"), Parsed::Broken(0));
        assert_eq!(parsed(&"[".repeat(100_000)), Parsed::Broken(0));
        assert_eq!(parsed("{\"a\": 1]"), Parsed::Broken(0));
        assert_eq!(parsed("{\"a"), Parsed::Ends);
    }
}
