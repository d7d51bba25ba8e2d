//! The measured runs in the Papers view: a chart, the errors by system and by calibration, and a table of runs.

use super::{FIGURES, Papers, list, papers_of_page, tools};
use crate::pages::figure::Made;
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::sentence;
use crate::state::App;
use answer::around::{accuracy_line, accuracy_short};
use answer::charts::MeasuredData;
use answer::papers::measured::{
    MeasuredRow, SystemRow, chart, formerly, on_strip, pool_rows, recent_rows, systems, verdict,
};
use answer::words::format;
use leptos::prelude::*;
use model_core::calibration::NamedCalibration;
use model_core::measured;
use model_core::permalink::{self, FigureId, View};
use std::sync::Arc;

/// Returns the chart of measured runs; a click opens a run.
pub fn made(app: App, _: FigureId) -> Made {
    let page = papers_of_page(app);
    let data = Memo::new(move |_| {
        let calibration = app.current.with(|inputs| inputs.calibration);
        Arc::new(
            page.measured
                .with(|rows| chart(rows, &formerly(rows, calibration.id()))),
        )
    });
    let made = Made::of(move || Some(data.with(MeasuredData::chart)));
    if app.link.with_untracked(|link| link.shown.embed.is_some()) {
        return made;
    }
    made.acting(" opens this run in Bottleneck.", move |hit| {
        let link = page
            .measured
            .with_untracked(|rows| rows.get(hit).map(|row| row.link.clone()));
        if let Some(text) = link {
            app.change(|link| {
                link.current = permalink::read(&text).current;
                link.shown.view = View::Explore;
            });
        }
    })
}

/// Draws the half of the Papers view that compares the model with measured runs.
pub fn measured(app: App, toast: Toast) -> AnyView {
    let page = papers_of_page(app);
    let rows = Memo::new(move |_| {
        let runs = page.runs.get();
        let calibration = app.current.with(|inputs| inputs.calibration);
        let listed = runs.iter().map(MeasuredRow::listed);
        let id = calibration.id();
        let others = recent_rows(id).into_iter().chain(pool_rows(id));
        Arc::new(listed.chain(others).collect())
    });
    view! {
        <div class="headline">
            <h1 aria-live="polite" aria-atomic="true">
                {move || page.measured.with(|rows| sentence(&verdict(rows)))}
            </h1>
            <p class="headline-facts">{move || { app.runs.track(); accuracy_short() }}</p>
        </div>
        {tools::tools(app, page)}
        <div class="charts papers-charts">
            {FIGURES.figure(app, toast, FigureId::Measured)}
            <div class="papers-beside">
                {strips(page)}
                {calibrations(app, page)}
            </div>
        </div>
        {list::list(app, page, rows)}
        <p class="papers-counting tone-muted">{move || { app.runs.track(); accuracy_line() }}</p>
        {absent()}
    }
    .into_any()
}

/// Draws a table or list in the frame of a chart, with a question and a finding (one sentence).
fn section(
    class: &'static str,
    id: &'static str,
    question: &'static str,
    finding: impl Fn() -> String + Send + 'static,
    body: AnyView,
) -> AnyView {
    view! {
        <section class=class aria-labelledby=id>
            <div class="chart-head">
                <h2 id=id>
                    <span class="chart-question">{question}</span>
                    " "
                    <span class="chart-finding">{finding}</span>
                </h2>
            </div>
            {body}
        </section>
    }
    .into_any()
}

/// Draws predicted ÷ measured for each system, with one dot per run.
fn strips(page: Papers) -> AnyView {
    let found = Memo::new(move |_| page.measured.with(|rows| systems(rows)));
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let (from, to) = (on_strip(1.0 / 1.2), on_strip(1.2));
    let row = move |system: SystemRow| {
        let dots = system.runs.into_iter().map(|(at, far)| {
            view! { <i class="dot" class:far=far style:left=percent(at)></i> }
        });
        // The table of runs also lists these unpublished settings.
        let unknown =
            (!system.unknown.is_empty()).then(|| format!("unpublished: {}", system.unknown));
        view! {
            <tr class:gap=system.far title=unknown>
                <th scope="row">{system.name}</th>
                <td>{system.gpu}</td>
                <td class="papers-strip-cell" aria-hidden="true">
                    <div class="papers-dots">
                        <i class="band" style:left=percent(from) style:width=percent(to - from)></i>
                        {dots.collect_view()}
                    </div>
                </td>
                <td class="numeric papers-error">{system.range}</td>
            </tr>
        }
    };
    let body = view! {
        <table>
                <thead>
                    <tr>
                        <th scope="col">"system"</th>
                        <th scope="col"><span class="hidden">"accelerator"</span></th>
                        <th scope="col" class="papers-strip-cell">
                            <span class="hidden">"runs"</span>
                            <div class="papers-dots" aria-hidden="true">
                                <span style:left=percent(from)>"÷1.2"</span>
                                <span style:left=percent(to)>"1.2×"</span>
                            </div>
                        </th>
                        <th scope="col" class="numeric">"÷ measured"</th>
                    </tr>
                </thead>
                <tbody>
                    {move || found.get().0.into_iter().map(row).collect_view()}
                </tbody>
            </table>
    };
    section(
        "chart papers-systems",
        "systems-title",
        "Which systems are off?",
        move || found.with(|(_, finding)| finding.clone()),
        body.into_any(),
    )
}

/// Draws a table of each calibration's error over the runs that count toward the accuracy score. A click chooses a
/// calibration.
fn calibrations(app: App, page: Papers) -> AnyView {
    let now = Memo::new(move |_| app.current.with(|inputs| inputs.calibration));
    let row = move |calibration: NamedCalibration| {
        let scores = page.scores.read();
        let score = scores.iter().find(|score| score.id == calibration.id());
        let cells = score.map(|score| {
            let cells = [
                score.near.to_string(),
                score.far.to_string(),
                format::share(score.mean),
            ];
            cells.map(|cell| view! { <td class="numeric">{cell}</td> })
        });
        let choose = move |_| app.edit(|inputs| inputs.calibration = calibration);
        view! {
            <tr>
                <th scope="row">
                    <button
                        type="button"
                        class="papers-choice"
                        aria-pressed=move || (now.get() == calibration).to_string()
                        on:click=choose
                    >
                        <span>{calibration.id()}</span>
                    </button>
                </th>
                {cells}
            </tr>
        }
    };
    let body = view! {
        <table>
            <thead>
                <tr>
                    <th scope="col">"calibration"</th>
                    <th scope="col" class="numeric">"≤ 1.2×"</th>
                    <th scope="col" class="numeric">"≤ 2×"</th>
                    <th scope="col" class="numeric">"mean error"</th>
                </tr>
            </thead>
            <tbody>{move || NamedCalibration::ALL.map(row).collect_view()}</tbody>
        </table>
    };
    section(
        "chart papers-systems papers-calibrations",
        "calibrations-title",
        "Which calibration?",
        || "Runs by error".to_owned(),
        body.into_any(),
    )
}

/// Draws a list of the published runs that are excluded from the table.
fn absent() -> AnyView {
    let count: u32 = measured::absent().map(|absent| absent.count).sum();
    view! {
        <details class="papers-errata">
            <summary>
                <b>"Excluded"</b>
                " "
                <span class="tone-muted">{count} " published runs, with reasons"</span>
            </summary>
            <ul class="papers-absent">
                {measured::absent()
                    .map(|absent| view! { <li>{absent.runs} " (" {absent.count} "): " {absent.why}</li> })
                    .collect_view()}
            </ul>
        </details>
    }
    .into_any()
}
