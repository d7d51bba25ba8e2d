//! Renders permalinks without a browser: every chart that the page can embed, as SVG.

pub mod figures;

use figures::{Detail, drawn};

use crate::chart::{Chart, record};
use crate::in_a_line_of;
use crate::picture::caption::{Caption, captioned};
use crate::picture::metrics::Inter;
use crate::picture::svg;
use crate::theme::{DARK, LIGHT};
use model_core::permalink::{self, FigureId, Link, ThemeChoice, View};
use std::fmt;
use std::sync::Arc;

/// Width of a rendered picture, in CSS px.
pub const WIDTH_PX: f64 = 760.0;

/// Reason why a permalink cannot be rendered as a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPicture {
    /// The permalink names no figure.
    Unnamed,
    /// The permalink names a whole view instead of a figure.
    View,
    /// The permalink names a figure that has nothing to plot for the permalink's scenario.
    Nothing(FigureId),
}

impl fmt::Display for NoPicture {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unnamed => write!(
                out,
                "add embed=FIGURE to the permalink; docs/links.md lists figures"
            ),
            Self::View => write!(
                out,
                "embed=explore is a whole view; name one of its figures"
            ),
            Self::Nothing(id) => write!(out, "{} has nothing to plot for this permalink", id.id()),
        }
    }
}

/// The figure of a permalink, computed but not drawn yet.
#[derive(Debug, Clone)]
pub struct Still {
    link: Link,
    id: FigureId,
    chart: Arc<Chart>,
}

impl Still {
    /// Computes the figure that a permalink names.
    ///
    /// Errors: the reason why the permalink has no picture.
    pub fn of(text: &str) -> Result<Self, NoPicture> {
        let link = permalink::read(text);
        let id = link.shown.embed.ok_or(NoPicture::Unnamed)?;
        if id == FigureId::Explore {
            return Err(NoPicture::View);
        }
        let chart = drawn(&link, id, Detail::FINE).ok_or(NoPicture::Nothing(id))?;
        Ok(Self { link, id, chart })
    }

    /// Returns the question that the figure answers; empty for a redrawn figure of a paper.
    pub const fn question(&self) -> &'static str {
        self.id.question()
    }

    /// Returns the view that shows the figure.
    pub const fn view(&self) -> View {
        self.id.view()
    }

    /// Returns the figure's finding: the result in a few words.
    pub fn finding(&self) -> &str {
        &self.chart.finding
    }

    /// True if the permalink asks for the dark theme.
    pub fn is_dark(&self) -> bool {
        self.link.shown.theme == Some(ThemeChoice::Dark)
    }

    /// Draws the figure in a theme, `width_px` wide. Adds the question, finding, scenario and permalink, unless the
    /// permalink has `title=off`.
    pub fn drawn(&self, dark: bool, width_px: f64) -> Drawn {
        let theme = if dark { &DARK } else { &LIGHT };
        let (chart, font) = (&self.chart, Inter::default());
        let size = (width_px, chart.shape.height_px(width_px));
        let (mut picture, _) = record(chart, theme, &font, size);
        if !self.link.shown.untitled {
            let caption = Caption {
                question: self.question().to_owned(),
                finding: chart.finding.clone(),
                scenario: in_a_line_of(self.id.view(), &self.link),
                link: format!("?{}", permalink::write(&self.link)),
            };
            picture = captioned(picture, &caption, theme, &font);
        }
        Drawn {
            svg: svg::document(&picture, None, theme, &chart.finding),
            size_px: picture.size_px.into(),
        }
    }
}

/// A drawn figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The figure as an SVG document.
    pub svg: String,
    /// Width and height of the figure, in CSS px.
    pub size_px: [f64; 2],
}

#[cfg(test)]
mod tests;
