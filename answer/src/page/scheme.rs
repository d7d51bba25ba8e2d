//! Light or dark: the link's, else the reader's choice here, else the system's.

use model_core::permalink;

/// Color scheme chosen by the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// As the system has it.
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Preference {
    /// The one after this, as the button in the top bar goes round.
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// In words, after "Colors:".
    pub const fn words(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The name under which it is stored; the system's is not.
    pub const fn id(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// True for dark, given the link's scheme and the system's.
    pub const fn is_dark(self, link: Option<permalink::ThemeChoice>, system_dark: bool) -> bool {
        match (link, self) {
            (Some(permalink::ThemeChoice::Dark), _) | (None, Self::Dark) => true,
            (Some(permalink::ThemeChoice::Light), _) | (None, Self::Light) => false,
            (None, Self::System) => system_dark,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_wins_then_the_reader_then_the_system() {
        use permalink::ThemeChoice::{Dark, Light};
        assert!(Preference::Light.is_dark(Some(Dark), false));
        assert!(!Preference::Dark.is_dark(Some(Light), true));
        assert!(Preference::Dark.is_dark(None, false));
        assert!(Preference::System.is_dark(None, true));
        assert!(!Preference::System.is_dark(None, false));
    }
}
