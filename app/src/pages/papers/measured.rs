//! Measured systems: the chart, the error without each term, and a table that opens.

use super::{FIGURES, Papers, list, papers_of_page, tools};
use crate::answer::papers::measured::{
    MeasuredRow, SystemRow, chart, formerly, on_strip, pool_rows, recent_rows, systems, terms,
    verdict,
};
use crate::charts::AnyFigure;
use crate::format;
use crate::pages::figure::Made;
use crate::pages::shell::toast::Toast;
use crate::pages::shell::words::sentence;
use crate::state::App;
use leptos::prelude::*;
use model_core::calibration::NamedCalibration;
use model_core::measured;
use model_core::permalink::{self, FigureId, View};
use std::sync::Arc;

/// The chart; a click on a run opens it.
pub fn made(app: App, _: FigureId) -> Made {
    let page = papers_of_page(app);
    let data = Memo::new(move |_| {
        let calibration = app.current.with(|inputs| inputs.calibration);
        Arc::new(
            page.measured
                .with(|rows| chart(rows, &formerly(rows, calibration.id()))),
        )
    });
    let made = Made::of(move || Some(data.with(AnyFigure::of)));
    if app.link.with_untracked(|link| link.shown.embed.is_some()) {
        return made;
    }
    made.acting(" opens it in Explore.", move |hit| {
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

/// The half of the view.
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
        <div class="verdict">
            <h1 aria-live="polite" aria-atomic="true">
                {move || page.measured.with(|rows| sentence(&verdict(rows)))}
            </h1>
        </div>
        {tools::tools(app, page)}
        <div class="charts papers-charts">
            {FIGURES.figure(app, toast, FigureId::Measured)}
            <div class="papers-beside">
                {strips(page)}
                {worth(app)}
                {calibrations(app, page)}
            </div>
        </div>
        {list::list(app, page, rows)}
        {absent()}
    }
    .into_any()
}

/// A table or list in the frame of a chart: a question, its finding, and the body.
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

/// Predicted over measured by system, each run on a strip.
fn strips(page: Papers) -> AnyView {
    let found = Memo::new(move |_| page.measured.with(|rows| systems(rows)));
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let (from, to) = (on_strip(1.0 / 1.2), on_strip(1.2));
    let row = move |system: SystemRow| {
        let dots = system.runs.into_iter().map(|(at, far)| {
            view! { <i class="dot" class:far=far style:left=percent(at)></i> }
        });
        view! {
            <tr class:gap=system.far>
                <th scope="row">
                    {system.name}
                    {(!system.unknown.is_empty()).then(|| {
                        let unknown = format!("not published: {}", system.unknown);
                        view! { <span class="papers-run" title=unknown.clone()>{unknown.clone()}</span> }
                    })}
                </th>
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
                            <div class="papers-dots" aria-hidden="true">
                                <span style:left=percent(from)>"÷1.2"</span>
                                <span style:left=percent(to)>"1.2×"</span>
                            </div>
                        </th>
                        <th scope="col" class="numeric">"over measured"</th>
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
        "Which systems?",
        move || found.with(|(_, finding)| finding.clone()),
        body.into_any(),
    )
}

/// Every calibration over the runs that count; a click chooses one.
fn calibrations(app: App, page: Papers) -> AnyView {
    let now = Memo::new(move |_| app.current.with(|inputs| inputs.calibration));
    let row = move |calibration: NamedCalibration| {
        let score = move || {
            let scores = page.scores.read();
            let score = scores.iter().find(|score| score.id == calibration.id())?;
            let mean = format::share(score.mean);
            Some(format!("{} · {} · {mean}", score.near, score.far))
        };
        let choose = move || app.edit(|inputs| inputs.calibration = calibration);
        tools::button(
            calibration.id(),
            score,
            move || now.get() == calibration,
            choose,
        )
    };
    let body = view! {
        <div role="group" aria-label="Calibration">{NamedCalibration::ALL.map(row).collect_view()}</div>
    };
    section(
        "chart",
        "calibrations-title",
        "Which calibration?",
        || "Runs within 1.2×, within 2×, mean error".to_owned(),
        body.into_any(),
    )
}

/// The mean error without each term of the calibration.
fn worth(app: App) -> AnyView {
    let found = Memo::new(move |_| {
        let calibration = app.current.with(|inputs| inputs.calibration);
        terms(calibration.id())
    });
    let body = view! {
        {move || {
                found
                    .get()
                    .map(|(all, terms)| {
                        let most = terms.iter().map(|term| term.mean).fold(all, f64::max);
                        let row = |name: String, mean: f64| {
                            let share = |value: f64| format!("{:.1}%", 100.0 * value / most);
                            view! {
                                <li>
                                    <span class="papers-term">{name}</span>
                                    <span class="papers-bar" aria-hidden="true">
                                        <i style:width=share(mean)></i>
                                        <i class="all" style:width=share(all.min(mean))></i>
                                    </span>
                                    <b>{format!("{}%", format::tenths(100.0 * mean))}</b>
                                </li>
                            }
                        };
                        view! {
                            <ul>
                                {row("all terms".to_owned(), all)}
                                {terms
                                    .into_iter()
                                    .map(|term| row(format!("– {}", term.what), term.mean))
                                    .collect_view()}
                            </ul>
                        }
                    })
            }}
    };
    section(
        "chart papers-terms",
        "terms-title",
        "What is each term worth?",
        || "Mean error with one left out, nothing refitted".to_owned(),
        body.into_any(),
    )
}

/// Published runs that no row stands for.
fn absent() -> AnyView {
    let count: u32 = measured::absent().map(|absent| absent.count).sum();
    view! {
        <details class="papers-errata">
            <summary>
                <b>"Left out"</b>
                " "
                <span class="tone-muted">{count} " published runs, and why"</span>
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
