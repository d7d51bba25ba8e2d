//! The AFD view: attention–FFN disaggregation in a ratio, or Lamina's model–attention disaggregation.

pub mod apart;
mod panel;
pub mod ratio;
pub mod split;

pub use panel::panel_group;

use super::shell::toast::Toast;
use crate::charts::split::{BandwidthData, DegreesData, PartsData, RotationData};
use crate::charts::{ApartData, RatioData, StepsData};
use crate::controls::choice::radio;
use crate::pages::figure::catalog::{FigureTable, plain};
use crate::state::App;
use leptos::prelude::*;
use model_core::inputs::{Inputs, Mode};
use model_core::permalink::FigureId;

/// Attention–FFN and model–attention disaggregation.
pub static FIGURES: FigureTable = FigureTable(&[
    plain::<RatioData>(FigureId::Ratio, ratio::made_asking).growing(0.36),
    plain::<StepsData>(FigureId::Steps, ratio::made).growing(0.19),
    plain::<ApartData>(FigureId::Apart, apart::made).growing(0.36),
    plain::<PartsData>(FigureId::SplitTime, split::made).growing(0.27),
    plain::<RotationData>(FigureId::SplitRotation, split::made),
    plain::<BandwidthData>(FigureId::SplitBandwidth, split::made).growing(0.32),
    plain::<DegreesData>(FigureId::SplitDegrees, split::made_taking).growing(0.32),
]);

/// The view: its mode is the link's `mode`.
pub fn disaggregation(app: App, toast: Toast) -> AnyView {
    let shown = Memo::new(move |_| app.current.with(half_of));
    view! {
        <div class="half-switches">{switch(app, shown)}</div>
        {move || match shown.get() {
            ModeTab::Ratio => ratio::ratio(app, toast),
            ModeTab::Split => split::split(app, toast),
        }}
    }
    .into_any()
}

/// The modes of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModeTab {
    /// Attention and FFN ranks. Source: [R].
    Ratio,
    /// Attention on memory devices. Source: [L].
    Split,
}

impl ModeTab {
    const ALL: [Self; 2] = [Self::Ratio, Self::Split];

    const fn name(self) -> &'static str {
        match self {
            Self::Ratio => "AFD ratio",
            Self::Split => "Lamina",
        }
    }

    const fn detail(self) -> &'static str {
        match self {
            Self::Ratio => "attention–FFN disaggregation",
            Self::Split => "model–attention disaggregation: attention on memory devices",
        }
    }

    const fn mode(self) -> Mode {
        match self {
            Self::Ratio => Mode::Ratio,
            Self::Split => Mode::Split,
        }
    }
}

const fn half_of(inputs: &Inputs) -> ModeTab {
    match inputs.mode {
        Mode::Split => ModeTab::Split,
        Mode::Colocated | Mode::Ratio | Mode::Simulate => ModeTab::Ratio,
    }
}

/// "AFD ratio | Lamina".
fn switch(app: App, shown: Memo<ModeTab>) -> AnyView {
    let half = move |half: ModeTab| {
        let chosen = move || shown.get() == half;
        let choose = move || app.edit(|inputs| inputs.mode = half.mode());
        let detail = view! { <span class="half-detail" title=half.detail()>{half.detail()}</span> };
        radio(
            "half",
            half.mode().id(),
            chosen,
            choose,
            (half.name(), detail),
        )
    };
    view! {
        <fieldset class="halves">
            <legend class="hidden">"Kind of disaggregation"</legend>
            {ModeTab::ALL.map(half).collect_view()}
        </fieldset>
    }
    .into_any()
}
