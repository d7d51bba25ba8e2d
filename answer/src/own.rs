//! The user's saved list of named scenarios and accelerator prices. The browser stores it, and it can be exported as
//! a file.

use model_core::inputs::Prices;
use model_core::permalink::{read_prices, write_prices};
use serde_json::{Value, json};
use std::fmt;

/// A scenario saved by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnScenario {
    /// Name of the scenario, unique in the list.
    pub name: String,
    /// Permalink of the scenario, without the `?`.
    pub link: String,
}

/// Saved scenarios, in the order in which they were saved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnList(Vec<OwnScenario>);

/// Reason why the saved list was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnError {
    /// The name of the scenario to save is empty.
    Unnamed,
    /// Another saved scenario already has this name.
    Taken,
    /// The list already has [`OwnList::MOST`] scenarios, or its permalinks would exceed their maximum total length.
    Full,
    /// The permalink is longer than [`OwnList::LONGEST_LINK`].
    Long,
}

impl fmt::Display for OwnError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unnamed => out.write_str("Enter a name"),
            Self::Taken => out.write_str("Another scenario has this name"),
            Self::Full => out.write_str("The list is full; export it and delete some"),
            Self::Long => out.write_str("This permalink is too long to save"),
        }
    }
}

/// A list parsed from text.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadList {
    /// Scenarios read from the text.
    pub list: OwnList,
    /// Accelerator prices read from the text, in US dollars per GPU-hour.
    pub prices: Prices,
    /// Number of entries in the text that could not be read or added.
    pub ignored: usize,
}

/// Value of the key `format` in an exported file, which identifies it as a list of scenarios.
const FORMAT: &str = "ridgepoint-scenarios";

impl OwnList {
    /// Maximum number of saved scenarios.
    pub const MOST: usize = 200;
    /// Maximum length of a scenario's name, in characters.
    pub const LONGEST_NAME: usize = 80;
    /// Maximum length of a permalink, in bytes. A custom model with 16 layer groups takes half of this length.
    pub const LONGEST_LINK: usize = 16_384;
    /// Maximum size of an imported file, in bytes. The page reads a file as a whole.
    pub const LONGEST_FILE: usize = 1_000_000;
    /// Maximum total length of all permalinks, in bytes. The remaining bytes of a file are for names and JSON.
    const LINKS: usize = 900_000;

    /// Parses an exported file or the text stored by the browser. Returns `None` if it is not a saved list.
    /// Unreadable entries are skipped and counted.
    pub fn read(text: &str) -> Option<ReadList> {
        let file: Value = serde_json::from_str(text).ok()?;
        let entries = file["scenarios"].as_array()?;
        if file["format"] != FORMAT {
            return None;
        }
        let mut list = Self::default();
        let mut ignored = 0;
        for entry in entries {
            let found = entry["name"].as_str().zip(entry["link"].as_str());
            let added = found.map(|(name, link)| list.add(name, link));
            ignored += usize::from(!matches!(added, Some(Ok(()))));
        }
        let (prices, faults) = match file["prices"].as_str() {
            Some(prices) => read_prices(prices),
            None => (Prices::NONE, Vec::new()),
        };
        ignored += faults.len();
        Some(ReadList {
            list,
            prices,
            ignored,
        })
    }

    /// Returns the list and the accelerator `prices` as the text of a file.
    pub fn write(&self, prices: &Prices) -> String {
        let scenario = |one: &OwnScenario| json!({ "name": one.name, "link": one.link });
        let scenarios: Vec<Value> = self.0.iter().map(scenario).collect();
        let file =
            json!({ "format": FORMAT, "scenarios": scenarios, "prices": write_prices(prices) });
        format!("{file:#}\n")
    }

    /// Returns the scenarios, in the order in which they were saved.
    pub fn all(&self) -> &[OwnScenario] {
        &self.0
    }

    /// Saves a scenario. A scenario with the same name is replaced.
    pub fn save(&mut self, name: &str, link: &str) -> Result<(), OwnError> {
        let name = tidy(name)?;
        match self.0.iter_mut().find(|one| one.name == name) {
            Some(_) if link.len() > Self::LONGEST_LINK => Err(OwnError::Long),
            Some(one) => {
                link.clone_into(&mut one.link);
                Ok(())
            }
            None => self.push(name, link),
        }
    }

    /// Adds a scenario unless it is already in the list. If a different scenario has the same name, a number is
    /// appended to the new name: "A (2)".
    pub fn add(&mut self, name: &str, link: &str) -> Result<(), OwnError> {
        let name = tidy(name)?;
        let others = (2..).map(|number| format!("{name} ({number})"));
        for name in std::iter::once(name.clone()).chain(others) {
            match self.0.iter().find(|one| one.name == name) {
                Some(one) if one.link == link => return Ok(()),
                Some(_) => {}
                None => return self.push(name, link),
            }
        }
        Ok(())
    }

    fn push(&mut self, name: String, link: &str) -> Result<(), OwnError> {
        let bytes: usize = self.0.iter().map(|one| one.link.len()).sum();
        if self.0.len() >= Self::MOST || bytes + link.len() > Self::LINKS {
            return Err(OwnError::Full);
        }
        if link.len() > Self::LONGEST_LINK {
            return Err(OwnError::Long);
        }
        let link = link.to_owned();
        self.0.push(OwnScenario { name, link });
        Ok(())
    }

    /// Renames the scenario `before` to `after`.
    pub fn rename(&mut self, before: &str, after: &str) -> Result<(), OwnError> {
        let after = tidy(after)?;
        if after != before && self.0.iter().any(|one| one.name == after) {
            return Err(OwnError::Taken);
        }
        if let Some(one) = self.0.iter_mut().find(|one| one.name == before) {
            one.name = after;
        }
        Ok(())
    }

    /// Removes the scenario with this name.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|one| one.name != name);
    }

    /// Adds all scenarios of another list to this one. Returns the number of scenarios that could not be added.
    pub fn merge(&mut self, other: &Self) -> usize {
        let refused = |one: &&OwnScenario| self.add(&one.name, &one.link).is_err();
        other.0.iter().filter(refused).count()
    }
}

/// Returns the name on one line, truncated to the maximum length.
///
/// Errors: the name is empty.
fn tidy(name: &str) -> Result<String, OwnError> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name: String = words
        .join(" ")
        .chars()
        .take(OwnList::LONGEST_NAME)
        .collect();
    let name = name.trim_end().to_owned();
    if name.is_empty() {
        return Err(OwnError::Unnamed);
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::hardware::catalog;

    fn list(all: &[(&str, &str)]) -> OwnList {
        let mut list = OwnList::default();
        for (name, link) in all {
            list.add(name, link).unwrap();
        }
        list
    }

    #[test]
    fn lists_are_written_and_read() {
        let list = list(&[("A", "v=3&gpus=8"), ("Ünï \"code\" </script>", "v=1")]);
        let mut prices = Prices::NONE;
        assert!(prices.state(catalog::find("h200").unwrap(), Some(2.3)));
        let read = OwnList::read(&list.write(&prices)).unwrap();
        let ignored = 0;
        let expected = ReadList {
            list,
            prices,
            ignored,
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn other_texts_are_no_lists_and_bad_entries_are_left_out() {
        for text in [
            "",
            "null",
            "[]",
            "{}",
            "{\"scenarios\":[]}",
            "\u{0}",
            "{\"format\":1",
        ] {
            assert_eq!(OwnList::read(text), None, "{text}");
        }
        let text = "{\"format\":\"ridgepoint-scenarios\",\"prices\":\"h200:x,b200:4,abacus:1\",\
            \"scenarios\":[1,{\"name\":\"A\"},{\"name\":\" \",\"link\":\"v=1\"},{\"name\":\"B\",\"link\":\"v=1\"}]}";
        let read = OwnList::read(text).unwrap();
        assert_eq!(read.list, list(&[("B", "v=1")]));
        assert_eq!(read.ignored, 5);
        assert_eq!(read.prices.given().count(), 1);
    }

    #[test]
    fn names_are_unique() {
        let mut own = list(&[("A", "v=1")]);
        own.add(" A ", "v=1").unwrap();
        own.add("A", "v=2").unwrap();
        assert_eq!(own, list(&[("A", "v=1"), ("A (2)", "v=2")]));
        own.save("A", "v=3").unwrap();
        assert_eq!(own.all()[0].link, "v=3");
        assert_eq!(own.rename("A", "A (2)"), Err(OwnError::Taken));
        assert_eq!(own.rename("A", " "), Err(OwnError::Unnamed));
        own.rename("A", "C\n D").unwrap();
        own.remove("A (2)");
        assert_eq!(own, list(&[("C D", "v=3")]));
        assert_eq!(own.save("long", &"x".repeat(20_000)), Err(OwnError::Long));
        let many: Vec<String> = (0..300).map(|at| at.to_string()).collect();
        let many: Vec<_> = many.iter().map(|name| (name.as_str(), "v=1")).collect();
        let mut full = OwnList::default();
        let refused = many
            .iter()
            .filter(|(name, link)| full.add(name, link).is_err());
        assert_eq!(refused.count(), 100);
        assert_eq!(own.merge(&full), 1);
        assert_eq!(own.all().len(), OwnList::MOST);
    }
}
