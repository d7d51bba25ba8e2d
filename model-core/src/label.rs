//! Names that users give to their custom models and accelerators.

/// Permalink key for the name of a custom model.
pub const MODEL_LABEL: &str = "model_name";
/// Permalink key for the name of a custom accelerator.
pub const GPU_LABEL: &str = "gpu_name";
/// Max length of a name in bytes.
pub const LONGEST: usize = 32;

/// A nonempty name of at most [`LONGEST`] bytes, without control characters or leading and trailing spaces.
#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Label {
    bytes: [u8; LONGEST],
    length: u8,
}

impl Label {
    /// Makes a valid name from a text: control characters become spaces, and a long text is truncated at a character
    /// boundary. `None` if nothing is left.
    pub fn of(text: &str) -> Option<Self> {
        let plain: String = text
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        let plain = plain.trim();
        let end = plain
            .char_indices()
            .map(|(at, letter)| at + letter.len_utf8())
            .take_while(|end| *end <= LONGEST)
            .last()?;
        let plain = plain.get(..end)?.trim_end();
        let mut bytes = [0; LONGEST];
        bytes
            .get_mut(..plain.len())?
            .copy_from_slice(plain.as_bytes());
        Some(Self {
            bytes,
            length: plain.len() as u8,
        })
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length));
        bytes
            .and_then(|bytes| str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }
}

impl std::fmt::Debug for Label {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(out)
    }
}

/// Encodes a text as a value in a permalink. Everything but letters, digits and `-._~` is percent-encoded; a space
/// becomes `+`.
pub fn in_link(text: &str) -> String {
    let mut link = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'.' | b'_' | b'~' => {
                link.push(char::from(byte));
            }
            b' ' => link.push('+'),
            byte => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        let name = |text: &str| Label::of(text).map(|label| label.as_str().to_owned());
        assert_eq!(name(" My\tASIC ").as_deref(), Some("My ASIC"));
        assert_eq!(name(" \n"), None);
        let long = name(&"ü".repeat(40)).unwrap();
        assert_eq!(long, "ü".repeat(16));
        assert_eq!(in_link("My ASIC, v2 ü"), "My+ASIC%2C+v2+%C3%BC");
    }
}
