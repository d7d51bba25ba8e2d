//! Screens on which the page is tested.

use serde_json::{Value, json};

/// Size, pixel density, touch, color scheme and other preferences of a screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// True if the screen is a touch screen, without a mouse.
    pub touch: bool,
    /// True if the user prefers a dark color scheme.
    pub dark: bool,
    /// True if the user prefers reduced motion.
    pub still: bool,
    /// True if only the system's few colors are shown (forced-colors mode).
    pub forced: bool,
}

impl View {
    /// A laptop screen, for which the page is primarily designed.
    pub const DESKTOP: Self = Self::screen(1440, 900, false);
    /// A phone held upright.
    pub const PHONE: Self = Self::screen(390, 844, true);
    /// Narrowest screen on which the page has to work.
    pub const NARROW: Self = Self::screen(360, 740, true);

    /// A4 paper, without its margins of 14 mm.
    pub const PAPER: Self = Self::screen(688, 1017, false);

    /// Returns a light screen of this size at scale 1.
    #[must_use]
    pub const fn screen(width: u32, height: u32, touch: bool) -> Self {
        Self {
            width,
            height,
            scale: 1.0,
            touch,
            dark: false,
            still: false,
            forced: false,
        }
    }

    /// Returns this screen with a preference for a dark color scheme.
    #[must_use]
    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// Returns this screen with `scale` device pixels per CSS pixel.
    #[must_use]
    pub const fn scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Returns this screen with a preference for reduced motion.
    #[must_use]
    pub const fn still(self) -> Self {
        Self {
            still: true,
            ..self
        }
    }

    /// Returns this screen in forced-colors mode, with only the system's small set of colors.
    #[must_use]
    pub const fn forced(self) -> Self {
        Self {
            forced: true,
            ..self
        }
    }

    /// Returns the DevTools commands that set this screen. WebDriver's window size is not enough, because it includes
    /// the browser's frame and has no density.
    pub(super) fn commands(&self) -> [(&'static str, Value); 3] {
        let size = json!({
            "width": self.width, "height": self.height,
            "deviceScaleFactor": self.scale, "mobile": self.touch,
        });
        let touch = json!({ "enabled": self.touch, "maxTouchPoints": 5 });
        let scheme = if self.dark { "dark" } else { "light" };
        let motion = if self.still {
            "reduce"
        } else {
            "no-preference"
        };
        let colours = if self.forced { "active" } else { "none" };
        let media = json!({ "features": [
            { "name": "forced-colors", "value": colours },
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ] });
        [
            ("Emulation.setDeviceMetricsOverride", size),
            ("Emulation.setTouchEmulationEnabled", touch),
            ("Emulation.setEmulatedMedia", media),
        ]
    }
}
