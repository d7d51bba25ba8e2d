//! The “I measured this” section of the Explore view, for pasted benchmarks. If the scenario has measurements, the
//! section also has a status line.

mod line;
mod paste;
mod verdict;

use super::figure::Made;
use super::shell::toast::Toast;
use crate::pages::figure::catalog::{FigureTable, drawn};
use crate::part::kept;
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::benchmark::{MEASURED_BATCH, measured_chart};
use answer::chart::Chart;
use answer::overlay;
use leptos::prelude::*;
use model_core::inputs::Number;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// The chart of measured and computed TPOT vs. batch size.
pub static FIGURES: FigureTable = FigureTable(&[drawn(FigureId::Benchmark, made).growing(0.4)]);

/// Data of the chart of measurements; while the scenario is invalid, the last valid data.
#[derive(Clone, Copy)]
struct Shown(Lasting<Memo<Option<Arc<Chart>>>>);

/// Returns the chart of TPOT vs. batch size; a click sets the batch size.
fn made(app: App, _: FigureId) -> Made {
    let data = kept(|| {
        Shown(Lasting::memo(
            move |earlier: Option<&Option<Arc<Chart>>>| {
                app.runs.track();
                let current = app.current.get();
                let chart = measured_chart(&current, &overlay::marks(&current));
                chart.map(Arc::new).or_else(|| earlier.cloned().flatten())
            },
        ))
    })
    .0;
    Made::of(move || data.with(|chart| chart.clone())).acting(" selects this batch.", move |hit| {
        let batch = data.with_untracked(|chart| {
            let chart = chart.as_ref()?;
            chart.rows.number(MEASURED_BATCH, chart.row(hit)?)
        });
        if let Some(batch) = batch {
            app.edit(|inputs| {
                inputs.state(Number::Batch, Some(batch.round().max(1.0)));
            });
        }
    })
}

/// Draws the section while it is open. If the scenario has measurements, also draws a status line on them.
pub fn section(app: App, toast: Toast) -> AnyView {
    let open = Memo::new(move |_| app.measuring.with(|measuring| measuring.open));
    let stated = Memo::new(move |_| app.current.with(|inputs| !inputs.measured.is_empty()));
    view! {
        <section class="benchmark" class:open=move || open.get() aria-label="I measured this">
            {move || open.get().then(|| paste::paste(app))}
            {move || (open.get() && stated.get()).then(|| view! {
                <div class="charts wide">{FIGURES.figures(app, toast, &[FigureId::Benchmark])}</div>
            })}
            {move || stated.get().then(|| line::line(app, open))}
        </section>
    }
    .into_any()
}
