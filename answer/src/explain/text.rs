//! Derivation of a number as text and as Markdown, for *Copy*.

use super::{ExplainLine, Leaf, equation, filled};
use model_core::source::Source;

impl ExplainLine {
    /// Returns the derivation as indented text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text
    }

    fn write(&self, level: usize, text: &mut String) {
        let indent = "  ".repeat(level);
        let origin = match &self.leaf {
            Some(Leaf::Input(key)) => format!(" (input {key})"),
            Some(leaf) => sourced(leaf, |source| source.short())
                .map_or_else(String::new, |source| format!(" ({source})")),
            None => String::new(),
        };
        text.push_str(&format!(
            "{indent}{}{} {}{}{origin}\n",
            self.counted(),
            self.name,
            self.value,
            self.filled("=")
        ));
        for part in &self.parts {
            part.write(level + 1, text);
        }
        if let Some(more) = &self.more {
            text.push_str(&format!("{indent}  {more}\n"));
        }
    }

    /// Returns the derivation as a nested Markdown list that links to sources and equations. `page` is the URL of the
    /// page’s folder.
    pub fn markdown(&self, page: &str) -> String {
        let filled = self.linked(page);
        let mut text = format!("**{} {}**{filled}\n\n", self.name, self.value);
        for part in &self.parts {
            part.item(0, page, &mut text);
        }
        self.rest(0, &mut text);
        text
    }

    fn item(&self, level: usize, page: &str, text: &mut String) {
        let cited = |source: &Source| match source.address() {
            Some(address) => format!("[{}]({address})", source.short()),
            None => source.short(),
        };
        let origin = match &self.leaf {
            Some(Leaf::Input(key)) => format!(" – input `{key}`"),
            Some(leaf) => {
                let kind = match leaf {
                    Leaf::Constant(_, true) => "constant, extrapolated",
                    Leaf::Constant(_, false) => "constant",
                    _ => "fact",
                };
                let source = sourced(leaf, cited);
                source.map_or_else(String::new, |source| format!(" – {kind}, {source}"))
            }
            None => String::new(),
        };
        text.push_str(&format!(
            "{}- {}{} **{}**{}{origin}\n",
            "  ".repeat(level),
            self.counted(),
            self.name,
            self.value,
            self.linked(page)
        ));
        for part in &self.parts {
            part.item(level + 1, page, text);
        }
        self.rest(level + 1, text);
    }

    fn rest(&self, level: usize, text: &mut String) {
        if let Some(more) = &self.more {
            text.push_str(&format!("{}- {more}\n", "  ".repeat(level)));
        }
    }

    fn counted(&self) -> String {
        let times = self.times.as_deref();
        times.map_or_else(String::new, |times| format!("{times} "))
    }

    /// Returns the formula with its values, preceded by an equals sign; empty for a leaf.
    fn filled(&self, equals: &str) -> String {
        match self.formula.is_empty() {
            true => String::new(),
            false => format!(" {equals} {}", filled(&self.formula)),
        }
    }

    /// Returns the formula with its values, preceded by an equals sign that links to the equation.
    fn linked(&self, page: &str) -> String {
        let address = self.section.map(equation).unwrap_or_default();
        self.filled(&format!("[=]({page}{address})"))
    }
}

fn sourced(leaf: &Leaf, said: impl Fn(&Source) -> String) -> Option<String> {
    match leaf {
        Leaf::Fact(source) | Leaf::Constant(source, _) => source.as_ref().map(said),
        Leaf::Input(_) => None,
    }
}
