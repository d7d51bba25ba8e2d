//! Parses the subset of YAML used in reports and engine settings: indented maps, lists and scalars.

use super::clean::Line;
use super::said::number;
use super::tree::{MOST_LEVELS, Node, Tree};

/// Tests whether a line may be YAML: `key:`, `key: value`, `- item`, `---`, a comment or an empty line.
pub fn is_yaml(line: &str) -> bool {
    let line = line.trim();
    let item = line == "-" || line.starts_with("- ");
    line.is_empty() || line.starts_with('#') || line == "---" || item || entry(line).is_some()
}

/// Splits a line into key and value; `None` if the line has no key.
pub fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let of_key = |mark: char| mark.is_ascii_alphanumeric() || "-_./".contains(mark);
    let key = key.trim().trim_matches(['"', '\'']);
    let spaced = value.is_empty() || value.starts_with([' ', '\t']);
    (spaced && !key.is_empty() && key.chars().all(of_key)).then(|| (key, value.trim()))
}

/// Parses lines as one map or list; `offset` is the number of the first line.
pub fn parse(lines: &[Line], offset: usize) -> Tree {
    let rows = (offset..).zip(lines).filter_map(|(number, line)| {
        let text = line.text.trim();
        let skipped = text.is_empty() || text.starts_with('#') || text == "---";
        let indent = line.text.len() - line.text.trim_start().len();
        Some(Row {
            text,
            indent,
            line: u32::try_from(number).ok()?,
        })
        .filter(|_| !skipped)
    });
    let mut reader = Reader {
        rows: rows.collect(),
        at: 0,
    };
    reader.block(0, 0)
}

#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    text: &'a str,
    indent: usize,
    line: u32,
}

struct Reader<'a> {
    rows: Vec<Row<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Row<'a>> {
        self.rows.get(self.at).copied()
    }

    /// Parses the map or list formed by the next rows. Ends before a row that is indented by fewer than `least`
    /// columns, or less than the first row is.
    fn block(&mut self, least: usize, level: usize) -> Tree {
        let first = self.peek();
        let indent = first.map_or(0, |row| row.indent);
        let line = first.map_or(0, |row| row.line);
        let (mut entries, mut items) = (Vec::new(), Vec::new());
        while let Some(row) = self.peek() {
            if row.indent < least || row.indent < indent || level > MOST_LEVELS {
                break;
            }
            if let Some(item) = item_of(row.text) {
                items.push(self.item(row, item, level));
            } else if let Some((key, value)) = entry(row.text) {
                self.at += 1;
                entries.push((key.to_owned(), self.value(row, value, level)));
            } else {
                self.at += 1;
            }
        }
        let node = if entries.is_empty() && !items.is_empty() {
            Node::List(items)
        } else {
            Node::Map(entries)
        };
        Tree { node, line }
    }

    /// Parses the value of a key, which is on the same line or in the block below.
    fn value(&mut self, row: Row<'a>, value: &str, level: usize) -> Tree {
        if !value.is_empty() {
            return scalar(value, row.line);
        }
        let below = self.peek().filter(|next| {
            let listed = next.indent == row.indent && item_of(next.text).is_some();
            next.indent > row.indent || listed && item_of(row.text).is_none()
        });
        match below {
            Some(next) if next.indent == row.indent => self.items(next, level + 1),
            Some(next) => self.block(next.indent, level + 1),
            None => Tree {
                node: Node::Null,
                line: row.line,
            },
        }
    }

    /// Parses a list whose dashes have the same indentation as the key that the list belongs to.
    fn items(&mut self, first: Row<'a>, level: usize) -> Tree {
        let mut items = Vec::new();
        while let Some(row) = self.peek().filter(|row| row.indent == first.indent) {
            let Some(item) = item_of(row.text) else { break };
            items.push(self.item(row, item, level));
        }
        Tree {
            node: Node::List(items),
            line: first.line,
        }
    }

    /// Parses a list item. A map that starts after the dash is indented as far as its first key.
    fn item(&mut self, row: Row<'a>, item: &'a str, level: usize) -> Tree {
        let starts_map = entry(item).is_some() && level < MOST_LEVELS;
        if starts_map {
            let indent = row.indent + row.text.len() - item.len();
            if let Some(slot) = self.rows.get_mut(self.at) {
                *slot = Row {
                    text: item,
                    indent,
                    line: row.line,
                };
            }
            return self.block(indent, level + 1);
        }
        self.at += 1;
        match item {
            "" => self.value(row, "", level),
            text => scalar(text, row.line),
        }
    }
}

fn item_of(text: &str) -> Option<&str> {
    match text {
        "-" => Some(""),
        _ => text.strip_prefix("- ").map(str::trim_start),
    }
}

fn scalar(text: &str, line: u32) -> Tree {
    let bare = text.split(" #").next().unwrap_or(text).trim();
    let quoted = |mark: char| bare.strip_prefix(mark)?.strip_suffix(mark);
    let node = match (quoted('"').or_else(|| quoted('\'')), bare) {
        (Some(text), _) => Node::Text(text.to_owned()),
        (None, "null" | "~") => Node::Null,
        (None, "true" | "True") => Node::Flag(true),
        (None, "false" | "False") => Node::Flag(false),
        (None, word) => number(word)
            .filter(|_| !word.contains([',', '%']))
            .map_or_else(|| Node::Text(word.to_owned()), Node::Number),
    };
    Tree { node, line }
}

#[cfg(test)]
mod tests {

    use super::super::clean::clean;
    use super::super::said::At;
    use super::*;

    #[test]
    fn maps_and_lists_nest_by_indentation() {
        let text = "a:\n  b:\n  - c: 1\n    d:\n      e: x\n  - f: 'y'\n  --g: 2\nh: [1]\n";
        let tree = parse(&clean(text).lines, 10);
        let list = tree.at(&["a", "b"]).unwrap().items();
        assert_eq!(list.len(), 2);
        assert_eq!(list[0].number("c").unwrap().line, 12);
        assert_eq!(list[0].at(&["d"]).unwrap().text("e").unwrap().value, "x");
        assert_eq!(list[1].text("f").unwrap().value, "y");
        let number = tree.at(&["a"]).unwrap().number("--g");
        assert_eq!(number, Some(At::new(2.0, 16)));
        assert_eq!(tree.text("h").unwrap().value, "[1]");
    }

    #[test]
    fn deep_texts_end() {
        let dashes = "- ".repeat(200_000);
        let deep: String = (0..1000).map(|at| " ".repeat(at) + "a:\n").collect();
        for text in [dashes.as_str(), &deep, ":", "- ", "-\n-"] {
            parse(&clean(text).lines, 0);
        }
    }
}
