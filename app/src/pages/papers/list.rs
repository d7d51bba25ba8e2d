//! The table of published numbers or measured runs, filtered by a search and sorted by column; and the papers'
//! errata.

use super::{Papers, open};
use crate::part::runs::start_from;
use crate::state::App;
use answer::papers::{
    ERRATA, EvidenceColumn, EvidenceLine, EvidenceRow, PAPERS, Reproduction, lines,
};
use leptos::prelude::*;
use model_core::permalink::Evidence;
use std::sync::Arc;

/// Number of measured runs listed until the user asks for all.
const FEW: usize = 20;

/// Draws the listed rows.
pub fn list(app: App, page: Papers, rows: Memo<Arc<Vec<EvidenceRow>>>) -> AnyView {
    let measured = page
        .listed
        .with_untracked(|listed| listed.evidence == Evidence::Measured);
    let few = RwSignal::new(measured);
    let listed = Memo::new(move |_| {
        let paper = page.listed.with(|listed| listed.paper);
        let paper = paper.filter(|_| !measured);
        let words = page.words.read();
        let mut lines = lines(&rows.read(), paper, &words, page.sort.get());
        if few.get() && words.is_empty() {
            lines.truncate(FEW);
        }
        lines
    });
    let count = Memo::new(move |_| rows.read().len());
    let names = if measured {
        [
            "system and run",
            "source",
            "measured",
            "predicted",
            "÷ measured",
            "type; unpublished settings",
        ]
    } else {
        [
            "what",
            "where",
            "published",
            "computed",
            "error",
            "tolerance or gap; reason",
        ]
    };
    let head = |at: usize, column: EvidenceColumn, class: &'static str| {
        let sorts = move || page.sort.get().filter(|(by, _)| *by == column);
        let aria = move || sorts().map(|(_, back)| if back { "descending" } else { "ascending" });
        // Clicks cycle through ascending, descending and printed order.
        let turn = move |_| {
            page.sort.set(match sorts() {
                None => Some((column, false)),
                Some((_, false)) => Some((column, true)),
                Some(_) => None,
            });
        };
        view! {
            <th scope="col" class=class aria-sort=aria>
                <button type="button" title="Sort" on:click=turn>{names[at]}</button>
            </th>
        }
    };
    view! {
        <div class="papers-table">
            <table>
                <thead>
                    <tr>
                        {head(0, EvidenceColumn::What, "")}
                        {head(1, EvidenceColumn::Place, "")}
                        {head(2, EvidenceColumn::Published, "numeric")}
                        {head(3, EvidenceColumn::Computed, "numeric")}
                        <th scope="col" class="papers-axis">
                            <span>"½×"</span><span>"equal"</span><span>"2×"</span>
                        </th>
                        {head(4, EvidenceColumn::Error, "numeric")}
                        {head(5, EvidenceColumn::Reason, "")}
                        <th scope="col"><span class="hidden">"open"</span></th>
                    </tr>
                </thead>
                <tbody>
                    <For each=move || listed.get() key=|line| *line children=move |line| match line {
                        EvidenceLine::Paper(place) => heading(place),
                        EvidenceLine::Row(index, _) => row(app, rows.with_untracked(|rows| rows[index].clone())),
                        EvidenceLine::All(place, count) => all(app, page, place, count),
                    }/>
                </tbody>
            </table>
            {move || listed.read().is_empty().then(|| view! { <p class="tone-muted papers-none">"No matching rows."</p> })}
            {move || (few.get() && page.words.read().is_empty()).then(|| view! {
                <button type="button" class="papers-more" on:click=move |_| few.set(false)>
                    {move || format!("all {} runs", count.get())}
                </button>
            })}
        </div>
        <p class="papers-counting tone-muted">
            {if measured {
                "The gray band is a factor of 1.2 either way. Unpublished settings are varied over their range, \
                    one at a time."
            } else {
                "Error: computed ÷ published, log axis. The gray band is the tolerance; an open dot marks a known gap."
            }}
        </p>
    }
    .into_any()
}

/// Draws the table heading of a paper: the paper's claim, and the outcome of reproducing it.
fn heading(place: usize) -> AnyView {
    let paper = &PAPERS[place];
    view! {
        <tr class="papers-head">
            <th scope="rowgroup" colspan="8">
                <h2 title=paper.title>{paper.letter} " " {paper.name}</h2>
                <p>
                    {paper.claim}
                    " "
                    {paper.outcome}
                    " "
                    <a class="papers-source" href=paper.address title=paper.title target="_blank" rel="noopener noreferrer">
                        "Paper"
                    </a>
                </p>
            </th>
        </tr>
    }
    .into_any()
}

/// Draws the button that lists all rows of a paper.
fn all(app: App, page: Papers, place: usize, count: usize) -> AnyView {
    let paper = &PAPERS[place];
    let choose = move |_| page.list(app, |listed| listed.paper = Some(paper.id));
    view! {
        <tr class="papers-all">
            <td colspan="8">
                <button type="button" class="papers-more" on:click=choose>
                    {format!("all {count} rows for {}", paper.letter)}
                </button>
            </td>
        </tr>
    }
    .into_any()
}

fn row(app: App, row: EvidenceRow) -> AnyView {
    let gap = row.state == Reproduction::Gap || row.state == Reproduction::Wrong;
    let mark = row.mark.map(|mark| {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let (from, to) = mark.band;
        let (low, high) = (mark.at.min(0.5), mark.at.max(0.5));
        let at = percent(mark.at);
        let end = if mark.at < 0.5 { "‹" } else { "›" };
        view! {
            <div class="papers-mark" class:gap=gap aria-hidden="true">
                <i class="band" style:left=percent(from) style:width=percent(to - from)></i>
                <i class="stem" style:left=percent(low) style:width=percent(high - low)></i>
                {if mark.beyond {
                    view! { <b class="beyond" style:left=at>{end}</b> }.into_any()
                } else {
                    view! { <i class="dot" style:left=at></i> }.into_any()
                }}
            </div>
        }
    });
    let computed = if row.state == Reproduction::Waiting {
        "simulating…".to_owned()
    } else {
        row.computed
    };
    let place = match row.source {
        None => raised(&row.place),
        Some(source) => view! {
            <a class="papers-source" href=source.address() title=source.locator target="_blank" rel="noopener noreferrer">
                {row.place}
            </a>
        }
        .into_any(),
    };
    view! {
        <tr class="papers-line" class:gap=gap class:uncounted=!row.counts>
            <th scope="row">
                {row.what}
                {(!row.run.is_empty()).then(|| view! { <span class="papers-run">{row.run}</span> })}
            </th>
            <td class="papers-place">{place}</td>
            <td class="numeric" data-name="published ">{row.published}</td>
            <td class="numeric" data-name="computed ">{computed}</td>
            <td class="papers-axis">{mark}</td>
            <td class="numeric papers-error">{row.error}</td>
            <td class="papers-why"><details><summary>{row.word}</summary>{row.reason}</details></td>
            <td class="papers-opens">
                {open(app, row.link)}
                {row.anchor.map(|run| view! {
                    " "
                    <button
                        type="button"
                        class="quiet papers-start"
                        title="Start from this run: use its measured series as your measurements"
                        on:click=move |_| start_from(app, run)
                    >
                        "start here"
                    </button>
                })}
            </td>
        </tr>
    }
    .into_any()
}

/// Draws text such as "W^KR" with a superscript in place of the part after "^".
fn raised(text: &str) -> AnyView {
    let Some((before, rest)) = text.split_once('^') else {
        return text.to_owned().into_any();
    };
    let end = rest.find(|of: char| !of.is_ascii_alphanumeric());
    let (above, after) = rest.split_at(end.unwrap_or(rest.len()));
    view! { {before.to_owned()}<sup>{above.to_owned()}</sup>{raised(after)} }.into_any()
}

/// Draws a collapsed list of contradictions within the papers.
pub fn errata() -> AnyView {
    view! {
        <details class="papers-errata">
            <summary>
                <b>"Errata of the papers"</b>
                " "
                <span class="tone-muted">{ERRATA.len()} ", with the interpretation used here and its effect"</span>
            </summary>
            <div class="half-scroll half-table">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"where"</th>
                            <th scope="col">"printed"</th>
                            <th scope="col">"used here"</th>
                            <th scope="col">"effect"</th>
                        </tr>
                    </thead>
                    <tbody>
                        {ERRATA
                            .iter()
                            .map(|erratum| view! {
                                <tr>
                                    <th scope="row">{erratum.place}</th>
                                    <td>{erratum.printed}</td>
                                    <td>{erratum.reading}</td>
                                    <td>{erratum.effect}</td>
                                </tr>
                            })
                            .collect_view()}
                    </tbody>
                </table>
            </div>
        </details>
        <p class="papers-counting tone-muted">
            "Units as in each source; kB, MB, GB, TB are decimal, GiB is binary. A multiply–add is two FLOP; bandwidths are per GPU and direction; peaks are dense; tokens are output tokens. All numbers are computed when this view opens."
        </p>
    }
    .into_any()
}
