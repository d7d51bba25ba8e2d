//! Screens on which the page is tested.

use serde_json::{Value, json};

/// Size, density, touch and color scheme of a screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub scale: f64,
    /// Touch instead of a mouse.
    pub touch: bool,
    /// Prefers dark.
    pub dark: bool,
    /// Prefers reduced motion.
    pub still: bool,
    /// Shows the system's own few colors alone.
    pub forced: bool,
}

impl View {
    /// A laptop, the first screen of the design.
    pub const DESKTOP: Self = Self::screen(1440, 900, false);
    /// A phone held upright.
    pub const PHONE: Self = Self::screen(390, 844, true);
    /// The narrowest screen the page has to work on.
    pub const NARROW: Self = Self::screen(360, 740, true);

    /// A4 paper between margins of 14 mm.
    pub const PAPER: Self = Self::screen(688, 1017, false);

    /// A light screen of this size at scale 1.
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

    /// The same screen, dark.
    #[must_use]
    pub const fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// The same screen at another density.
    #[must_use]
    pub const fn scale(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// The same screen with reduced motion.
    #[must_use]
    pub const fn still(self) -> Self {
        Self {
            still: true,
            ..self
        }
    }

    /// The same screen in the system's own few colors.
    #[must_use]
    pub const fn forced(self) -> Self {
        Self {
            forced: true,
            ..self
        }
    }

    /// The DevTools commands for this screen; WebDriver's window size includes the browser's own frame, and has no
    /// density.
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
