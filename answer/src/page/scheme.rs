//! Color scheme, light or dark: set by the permalink, else by the reader, else by the operating system.

use model_core::permalink;

/// Color scheme that the reader chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// The scheme of the operating system.
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Preference {
    /// Returns the next scheme in the cycle of the top bar's button.
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Returns the name shown after "Colors:".
    pub const fn words(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// Returns the name under which the choice is stored; `None` for the system's scheme, which is not stored.
    pub const fn id(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// True if the page is dark, given the permalink's scheme and the operating system's.
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
