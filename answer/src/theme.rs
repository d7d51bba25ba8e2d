//! Colors and sizes of the light and the dark scheme, used by the charts and by the page's styles.
//!
//! A role's color has no other meaning. In the dark scheme, a role has one color for lines and dots and another for
//! fills. Neither color is a translucent version of the light scheme's color.

mod series;
pub mod size;

pub use series::{Series, SeriesColours};

use plotters_backend::BackendColor;
use std::fmt::{self, Write};

/// Font families of the page: its subset of Inter once that font has loaded, and the user’s system font until then.
pub const FONT_FAMILY: &str =
    "Inter, system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", sans-serif";

/// An sRGB color with alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// Red, green and blue as `0xRRGGBB`.
    pub rgb: u32,
    /// Opacity of the color, 0 to 1.
    pub alpha: f64,
}

impl Colour {
    /// Creates an opaque color from `0xRRGGBB`.
    pub const fn opaque(rgb: u32) -> Self {
        Self { rgb, alpha: 1.0 }
    }

    /// Returns this color with its opacity replaced.
    pub const fn with_alpha(self, alpha: f64) -> Self {
        Self {
            rgb: self.rgb,
            alpha,
        }
    }
}

impl From<Colour> for BackendColor {
    fn from(colour: Colour) -> Self {
        let [_, red, green, blue] = colour.rgb.to_be_bytes();
        Self {
            alpha: colour.alpha,
            rgb: (red, green, blue),
        }
    }
}

/// Formats the color as CSS: `#3D7FD6`, or `rgb(252 252 250 / 0.62)` if it is translucent.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.alpha >= 1.0 {
            return write!(f, "#{:06X}", self.rgb);
        }
        let [_, red, green, blue] = self.rgb.to_be_bytes();
        write!(f, "rgb({red} {green} {blue} / {})", self.alpha)
    }
}

/// Category of a time span, a memory part or an operator. The page derives it from the roles of operators in the
/// performance model. Charts use it only for color and order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Attention operators and their weights.
    Attention,
    /// Dense FFN layers.
    Dense,
    /// Routed and shared experts, with their router.
    Experts,
    /// Output head and embedding.
    Head,
    /// Communication between GPUs.
    Messages,
    /// Kernel launches and framework overhead.
    Overhead,
    /// Prefill of other requests in the same engine as decode.
    Prompts,
    /// The KV cache.
    Kv,
    /// Activations between operators.
    Activations,
    /// All weights, drawn as a bracket over the roles of weights in the memory chart.
    Weights,
    /// Idle time or free memory, drawn as a dashed outline without a fill.
    Idle,
}

impl Role {
    /// All roles, in the order of stacked bars and legends.
    pub const ALL: [Self; 11] = [
        Self::Attention,
        Self::Dense,
        Self::Experts,
        Self::Head,
        Self::Messages,
        Self::Overhead,
        Self::Prompts,
        Self::Kv,
        Self::Activations,
        Self::Weights,
        Self::Idle,
    ];

    /// Returns the role's name, which is used in labels and in CSS properties.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attention => "attention",
            Self::Dense => "dense",
            Self::Experts => "experts",
            Self::Head => "head",
            Self::Messages => "communication",
            Self::Overhead => "overhead",
            Self::Prompts => "prefill",
            Self::Kv => "kv",
            Self::Activations => "activations",
            Self::Weights => "weights",
            Self::Idle => "idle",
        }
    }

    /// Returns an explanation of the role, if the role's name is not clear enough; `None` for the other roles.
    pub const fn stands_for(self) -> Option<&'static str> {
        match self {
            Self::Overhead => Some("norms, RoPE, quantization, top-k, sampling, launch gaps"),
            _ => None,
        }
    }

    /// True for the roles that are types of weights. They share a bracket in the memory chart.
    pub const fn is_weights(self) -> bool {
        matches!(
            self,
            Self::Attention | Self::Dense | Self::Experts | Self::Head | Self::Weights
        )
    }
}

/// The colors of one role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoleColours {
    /// Color of lines, of dots, and of the line on top of a fill.
    pub line: Colour,
    /// Color of fills.
    pub fill: Colour,
    /// Color of text on the page.
    pub text: Colour,
    /// Color of text on the fill.
    pub on_fill: Colour,
}

/// A color scheme: colors of roles, of the interface, and of states that are drawn over other colors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// True for the dark scheme, in which fills have an edge line on top.
    pub dark: bool,
    /// Background of the page.
    pub background: Colour,
    /// Background of the scenario panel.
    pub panel: Colour,
    /// Background of tooltips and of the preset picker.
    pub raised: Colour,
    /// Color of primary text and of the current scenario.
    pub ink_1: Colour,
    /// Color of secondary text.
    pub ink_2: Colour,
    /// Color of tertiary text: axis names, ticks, units.
    pub ink_3: Colour,
    /// Color of hairlines.
    pub line: Colour,
    /// Color of strong hairlines and of axes.
    pub strong: Colour,
    /// Color of grid lines.
    pub grid: Colour,
    /// Color of controls and levers.
    pub accent: Colour,
    /// Color of values that are worse, invalid or out of memory.
    pub bad: Colour,
    /// Color of the 45° hatch over overlapped time.
    pub hidden: Colour,
    /// Color of the translucent veil over marks that do not fit in memory.
    pub veil: Colour,
    /// Color of the −45° hatch over the veil on marks that do not fit in memory.
    pub veil_hatch: Colour,
    /// Color of the faint shade under the memory-bandwidth roof of the roofline chart.
    pub shade: Colour,
    /// Color of an area that does not fit in memory, under its hatch.
    pub unfit: Colour,
    /// Color of the −45° hatch over an area that does not fit in memory.
    pub unfit_hatch: Colour,
    /// Sequential color scale for the values of one quantity, from good to bad. It contains no role's color and is
    /// readable without color vision.
    pub ramp: [Colour; 8],
    /// Color of contour lines drawn on the sequential color scale.
    pub contour: Colour,
    /// Opacity of the fill of exposed communication, which is drawn above the compute time.
    pub exposed_alpha: f64,
    attention: RoleColours,
    dense: RoleColours,
    experts: RoleColours,
    head: RoleColours,
    messages: RoleColours,
    overhead: RoleColours,
    prompts: RoleColours,
    kv: RoleColours,
    activations: RoleColours,
    weights: RoleColours,
    idle: RoleColours,
    series: [SeriesColours; Series::ALL.len()],
}

const fn role(line: u32, fill: u32, text: u32, on_fill: u32) -> RoleColours {
    RoleColours {
        line: Colour::opaque(line),
        fill: Colour::opaque(fill),
        text: Colour::opaque(text),
        on_fill: Colour::opaque(on_fill),
    }
}

/// The light color scheme.
pub const LIGHT: Theme = Theme {
    dark: false,
    background: Colour::opaque(0xFCFCFA),
    panel: Colour::opaque(0xF6F6F3),
    raised: Colour::opaque(0xFFFFFF),
    ink_1: Colour::opaque(0x14181D),
    ink_2: Colour::opaque(0x4A5460),
    ink_3: Colour::opaque(0x626C78),
    line: Colour::opaque(0xDEDFDB),
    strong: Colour::opaque(0xC3C6C4),
    grid: Colour::opaque(0xECECE8),
    accent: Colour::opaque(0x08746A),
    bad: Colour::opaque(0xB23A22),
    hidden: Colour::opaque(0xFCFCFA).with_alpha(0.62),
    veil: Colour::opaque(0xF0F0ED).with_alpha(0.78),
    veil_hatch: Colour::opaque(0x6B7178),
    shade: Colour::opaque(0x14181D).with_alpha(0.03),
    unfit: Colour::opaque(0xF0F0ED),
    unfit_hatch: Colour::opaque(0xB9BCBA),
    ramp: [
        Colour::opaque(0xFCFCFA),
        Colour::opaque(0xF7F5F1),
        Colour::opaque(0xE9E6DF),
        Colour::opaque(0xDDD8CE),
        Colour::opaque(0xCFC9BC),
        Colour::opaque(0xC0B8A8),
        Colour::opaque(0xB1A794),
        Colour::opaque(0xA39883),
    ],
    contour: Colour::opaque(0x8B867C),
    exposed_alpha: 0.22,
    attention: role(0x3D7FD6, 0x3D7FD6, 0x24599E, 0x050F20),
    dense: role(0x5E6B1E, 0x5E6B1E, 0x5E6B1E, 0xFFFFFF),
    experts: role(0xE0822F, 0xE0822F, 0x9A5010, 0x2B1400),
    head: role(0xDDCB50, 0xDDCB50, 0x756600, 0x241F00),
    messages: role(0x74126F, 0x74126F, 0x74126F, 0xFFFFFF),
    overhead: role(0x7E8893, 0x9AA2AB, 0x566069, 0x14181D),
    prompts: role(0x6E9B8A, 0x6E9B8A, 0x3E6A5A, 0x07160F),
    kv: role(0x6FC1E1, 0x6FC1E1, 0x1B6C8C, 0x06222E),
    activations: role(0xA9B0B8, 0xA9B0B8, 0x626C78, 0x14181D),
    weights: role(0x56616E, 0x56616E, 0x56616E, 0xFFFFFF),
    idle: role(0xC3C6C4, 0xFCFCFA, 0x4A5460, 0x4A5460),
    series: series::LIGHT,
};

/// The dark color scheme.
pub const DARK: Theme = Theme {
    dark: true,
    background: Colour::opaque(0x101418),
    panel: Colour::opaque(0x14191E),
    raised: Colour::opaque(0x1A2026),
    ink_1: Colour::opaque(0xECEFF2),
    ink_2: Colour::opaque(0xAEB8C2),
    ink_3: Colour::opaque(0x8792A0),
    line: Colour::opaque(0x262D34),
    strong: Colour::opaque(0x3A434C),
    grid: Colour::opaque(0x1C2329),
    accent: Colour::opaque(0x45CDB8),
    bad: Colour::opaque(0xFF8B6B),
    hidden: Colour::opaque(0x101418).with_alpha(0.52),
    veil: Colour::opaque(0x161B20).with_alpha(0.78),
    veil_hatch: Colour::opaque(0xAEB8C2),
    shade: Colour::opaque(0xECEFF2).with_alpha(0.035),
    unfit: Colour::opaque(0x161B20),
    unfit_hatch: Colour::opaque(0x434C55),
    ramp: [
        Colour::opaque(0x101418),
        Colour::opaque(0x1E2021),
        Colour::opaque(0x2B2927),
        Colour::opaque(0x36332F),
        Colour::opaque(0x413D37),
        Colour::opaque(0x4D483F),
        Colour::opaque(0x595247),
        Colour::opaque(0x655D51),
    ],
    contour: Colour::opaque(0x6E6A63),
    exposed_alpha: 0.34,
    attention: role(0x4187E6, 0x2E74C9, 0x7FB0F2, 0xFFFFFF),
    dense: role(0x76862F, 0x3C4709, 0xA8B866, 0xFFFFFF),
    experts: role(0xF5A557, 0xC08955, 0xF5A557, 0x120A00),
    head: role(0xF1E79B, 0xD3CA80, 0xF1E79B, 0x1C1900),
    messages: role(0xE277B8, 0x973B6E, 0xEE93CB, 0xFFFFFF),
    overhead: role(0x98A2AD, 0x66707B, 0xAEB8C2, 0xFFFFFF),
    prompts: role(0x8FC0AD, 0x4F7A69, 0x9CC9B8, 0xFFFFFF),
    kv: role(0xA3D9F4, 0x79C3E0, 0xA3D9F4, 0x04161F),
    activations: role(0x5E6873, 0x4E5761, 0xAEB8C2, 0xFFFFFF),
    weights: role(0x8A97A6, 0x8A97A6, 0x8A97A6, 0x101418),
    idle: role(0x3A434C, 0x101418, 0xAEB8C2, 0xAEB8C2),
    series: series::DARK,
};

impl Theme {
    /// Returns a role's colors in this scheme.
    pub const fn role(&self, role: Role) -> &RoleColours {
        match role {
            Role::Attention => &self.attention,
            Role::Dense => &self.dense,
            Role::Experts => &self.experts,
            Role::Head => &self.head,
            Role::Messages => &self.messages,
            Role::Overhead => &self.overhead,
            Role::Prompts => &self.prompts,
            Role::Kv => &self.kv,
            Role::Activations => &self.activations,
            Role::Weights => &self.weights,
            Role::Idle => &self.idle,
        }
    }

    /// Returns the color of band `index` of `count` bands, from good to bad. If there are more bands than colors,
    /// neighboring bands may have the same color.
    pub fn band(&self, index: usize, count: usize) -> Colour {
        let last = self.ramp.len() - 1;
        let place = match count {
            0 | 1 => 0,
            count if count <= self.ramp.len() => index,
            count => index * last / (count - 1),
        };
        self.ramp[place.min(last)]
    }

    /// Returns the colors of a data series in this scheme.
    pub const fn series(&self, series: Series) -> &SeriesColours {
        &self.series[series as usize]
    }

    /// Returns the scheme as CSS custom properties: `--ink-1: #14181D;` and, for each role, four properties, such as
    /// `--attention`, `--attention-fill`, `--attention-text` and `--attention-on-fill`.
    pub fn css_properties(&self) -> String {
        let interface = [
            ("background", self.background),
            ("panel", self.panel),
            ("raised", self.raised),
            ("ink-1", self.ink_1),
            ("ink-2", self.ink_2),
            ("ink-3", self.ink_3),
            ("line", self.line),
            ("strong", self.strong),
            ("grid", self.grid),
            ("accent", self.accent),
            ("bad", self.bad),
            ("hidden", self.hidden),
            ("veil", self.veil),
            ("unfit-hatch", self.unfit_hatch),
        ];
        let mut css = String::with_capacity(2048);
        for (name, colour) in interface {
            property(&mut css, format_args!("{name}"), colour);
        }
        for role in Role::ALL {
            let (name, colours) = (role.name(), self.role(role));
            property(&mut css, format_args!("{name}"), colours.line);
            property(&mut css, format_args!("{name}-fill"), colours.fill);
            property(&mut css, format_args!("{name}-text"), colours.text);
            property(&mut css, format_args!("{name}-on-fill"), colours.on_fill);
        }
        for series in Series::ALL {
            let (name, colours) = (series.name(), self.series(series));
            property(&mut css, format_args!("{name}"), colours.line);
            property(&mut css, format_args!("{name}-text"), colours.text);
        }
        css
    }
}

fn property(css: &mut String, name: fmt::Arguments<'_>, colour: Colour) {
    // Writing into a String cannot fail.
    let _ = writeln!(css, "--{name}: {colour};");
}

/// Returns both color schemes as a style sheet. The page follows the system setting, unless `data-theme` on the root
/// element overrides it.
pub fn stylesheet() -> String {
    let (light, dark) = (LIGHT.css_properties(), DARK.css_properties());
    format!(
        ":root {{\n--font: {FONT_FAMILY};\ncolor-scheme: light;\n{light}}}\n\
         @media (prefers-color-scheme: dark) {{\n:root:not([data-theme=\"light\"]) {{\ncolor-scheme: dark;\n{dark}}}\n}}\n\
         :root[data-theme=\"dark\"] {{\ncolor-scheme: dark;\n{dark}}}\n"
    )
}

#[cfg(test)]
mod tests;
