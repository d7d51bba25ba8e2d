//! Color scheme, light or dark. The permalink takes precedence, then the reader's choice, then the operating system's
//! setting.

use model_core::permalink;

/// The reader's choice of a color scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// The color scheme of the operating system.
    System,
    /// Always the light scheme.
    Light,
    /// Always the dark scheme.
    Dark,
}

impl Preference {
    /// Returns the choice that follows this one when the reader clicks the button in the top bar.
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    /// Returns the name of the scheme, to be shown after "Colors:".
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

    /// True if the page is dark. The permalink's scheme takes precedence over this preference; the operating system's
    /// scheme is used only if neither sets one.
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
