//! Compares measured with computed times. Shows the verdict, each measured point with its expected band, the terms
//! that may explain a deviation, and the next measurement to take.

use crate::pages::shell::words::{sentence, with_index};
use crate::state::App;
use answer::benchmark::{PointRow, Strip, SuspectRow, Verdict, verdict};
use leptos::prelude::*;
use model_core::bench::Reading;
use std::sync::Arc;

/// Draws the verdict on the scenario's measurements, with evidence from the pasted text.
pub fn judged(app: App, reading: Memo<Option<Arc<Reading>>>) -> AnyView {
    let found = Memo::new(move |earlier: Option<&Option<Verdict>>| {
        app.runs.track();
        // Each point is evaluated again, so during a drag the verdict waits until the drag ends.
        if app.moving.get() {
            return earlier.cloned().flatten();
        }
        reading.with(|reading| {
            app.current
                .with(|inputs| verdict(inputs, reading.as_deref()))
        })
    });
    view! { {move || found.get().map(shown)} }.into_any()
}

fn shown(verdict: Verdict) -> AnyView {
    let suspects = suspects(&verdict);
    view! {
        <h2 class="benchmark-verdict" aria-live="polite">{sentence(&verdict.headline)}</h2>
        <div class="benchmark-halves">
            <div>{points(&verdict)}</div>
            <div>
                {match verdict.folded {
                    true => view! {
                        <details>
                            <summary>"Which single term explains the gap?"</summary>
                            {suspects}
                        </details>
                    }
                    .into_any(),
                    false => suspects,
                }}
            </div>
        </div>
        {verdict.next.map(|next| view! {
            <p class="benchmark-next"><b>"Measure next: "</b>{next}"."</p>
        })}
    }
    .into_any()
}

fn points(verdict: &Verdict) -> AnyView {
    let row = |row: &PointRow| {
        view! {
            <tr>
                <th scope="row">{row.batch.clone()}</th>
                <td class="numeric">{row.measured.clone()}</td>
                <td class="numeric plain">{row.computed.clone()}</td>
                <td class="numeric" class:tone-bad=row.outside>{row.off.clone()}</td>
                <td class="numeric plain">{row.band.clone()}</td>
                <td class="benchmark-strip" aria-hidden="true">{strip(&row.strip, row.outside)}</td>
            </tr>
        }
    };
    view! {
        <table class="benchmark-points">
            <caption>
                <b>"Is it normal?"</b>
                " "
                <span class="tone-muted">"TPOT; gray covers 80% of comparable published runs"</span>
            </caption>
            <thead>
                <tr>
                    <th scope="col">"batch"</th>
                    <th scope="col" class="numeric">"measured"</th>
                    <th scope="col" class="numeric">"computed"</th>
                    <th scope="col" class="numeric">"off"</th>
                    <th scope="col" class="numeric">"band, ms"</th>
                    <th scope="col" class="benchmark-strip"><span class="hidden">"points"</span>{ticks(&verdict.axis)}</th>
                </tr>
            </thead>
            <tbody>{verdict.points.iter().map(row).collect_view()}</tbody>
        </table>
    }
    .into_any()
}

fn suspects(verdict: &Verdict) -> AnyView {
    let row = |row: &SuspectRow| {
        view! {
            <tr class:named=row.named>
                <th scope="row">
                    {row.name}
                    {(!row.check.is_empty()).then(|| view! { <span class="benchmark-check">"Check: " {row.check}</span> })}
                </th>
                <td class="benchmark-strip" aria-hidden="true">{strip(&row.strip, row.named)}</td>
                <td class="numeric plain">{with_index(&row.factor)}</td>
                <td class="benchmark-state">{row.state.clone()}</td>
            </tr>
        }
    };
    view! {
        <table class="benchmark-suspects">
            <caption>
                <b>"Which single term explains the gap?"</b>
                " "
                <span class="tone-muted">"gray: factors seen in practice; dots: factor per measured point"</span>
            </caption>
            <thead>
                <tr>
                    <th scope="col">"term"</th>
                    <th scope="col" class="benchmark-strip"><span class="hidden">"points"</span>{ticks(&verdict.factors)}</th>
                    <th scope="col" class="numeric">"factor"</th>
                    <th scope="col"><span class="hidden">"judgement"</span></th>
                </tr>
            </thead>
            <tbody>{verdict.suspects.iter().map(row).collect_view()}</tbody>
        </table>
    }
    .into_any()
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn ticks(ticks: &[(f64, String)]) -> AnyView {
    let tick = |(at, words): &(f64, String)| view! { <span style:left=percent(*at)>{words.clone()}</span> };
    view! { <div class="benchmark-ticks" aria-hidden="true">{ticks.iter().map(tick).collect_view()}</div> }.into_any()
}

/// Draws bands, a tick and points on the axis shared by all rows of the table.
fn strip(of: &Strip, strong: bool) -> AnyView {
    let ranges = of.ranges.iter().map(|[from, to]| {
        view! { <i class="range" style:left=percent(*from) style:width=percent(to - from)></i> }
    });
    let dots = of
        .dots
        .iter()
        .map(|at| view! { <b class="dot" style:left=percent(*at)></b> });
    view! {
        <div class="benchmark-marks" class:strong=strong>
            {ranges.collect_view()}
            {of.tick.map(|at| view! { <i class="tick" style:left=percent(at)></i> })}
            {dots.collect_view()}
        </div>
    }
    .into_any()
}
