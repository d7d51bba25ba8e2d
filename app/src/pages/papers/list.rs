//! Published rows, paper by paper, and the papers' errata.

use super::{Papers, open};
use crate::answer::papers::{ERRATA, Row, Section, State, sections};
use crate::state::App;
use leptos::prelude::*;

/// The papers on the first screen.
const FIRST_SCREEN: usize = 2;

/// Every paper's rows, and their errata; those below the first screen when `all` says so.
pub fn list(app: App, page: Papers, all: RwSignal<bool>) -> AnyView {
    let listed = Memo::new(move |_| {
        page.rows
            .with(|rows| page.listed.with(|listed| sections(rows, listed)))
    });
    let some = move |from: usize, most: usize| {
        listed.with(|listed| {
            let some = listed.iter().skip(from).take(most);
            some.map(|section| one(app, section.clone())).collect_view()
        })
    };
    view! {
        <div class="papers-table">
            {move || some(0, FIRST_SCREEN)}
            {move || all.get().then(|| some(FIRST_SCREEN, usize::MAX))}
        </div>
        {move || all.get().then(errata)}
    }
    .into_any()
}

fn one(app: App, section: Section) -> AnyView {
    let Section {
        paper,
        claim,
        first,
        rest,
        more,
    } = section;
    let unfolded = RwSignal::new(false);
    let rest = StoredValue::new(rest);
    let none = first.is_empty();
    let foldable = rest.with_value(|rest| !rest.is_empty());
    view! {
        <section class="papers-section" aria-label=paper.name>
            <div class="papers-head">
                <h2 title=paper.title>{paper.letter} " " {paper.name}</h2>
                <p>
                    {claim}
                    " "
                    <a class="papers-source" href=paper.address title=paper.title target="_blank" rel="noopener noreferrer">
                        "Read it"
                    </a>
                </p>
            </div>
            {none.then(|| view! { <p class="tone-muted papers-none">"No such row."</p> })}
            {(!none).then(|| view! {
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"what"</th>
                            <th scope="col">"where"</th>
                            <th scope="col" class="numeric">"published"</th>
                            <th scope="col" class="numeric">"computed"</th>
                            <th scope="col" class="papers-axis">
                                <span>"½×"</span><span>"equal"</span><span>"2×"</span>
                            </th>
                            <th scope="col" class="numeric">"error"</th>
                            <th scope="col">"tolerance, or why there is a gap"</th>
                            <th scope="col"><span class="hidden">"open"</span></th>
                        </tr>
                    </thead>
                    <tbody>
                        {first.into_iter().map(|row| line(app, row)).collect_view()}
                        {move || {
                            unfolded
                                .get()
                                .then(|| rest.with_value(|rest| {
                                    rest.iter().map(|row| line(app, row.clone())).collect_view()
                                }))
                        }}
                    </tbody>
                </table>
            })}
            {foldable.then(|| view! {
                <button
                    type="button"
                    class="papers-more"
                    aria-expanded=move || unfolded.get().to_string()
                    on:click=move |_| unfolded.update(|open| *open = !*open)
                >
                    {move || if unfolded.get() { "fold".to_owned() } else { more.clone() }}
                </button>
            })}
        </section>
    }
    .into_any()
}

fn line(app: App, row: Row) -> AnyView {
    let link = row.link();
    let gap = row.state == State::Gap || row.state == State::Wrong;
    let mark = row.mark.map(|mark| {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let (from, to) = mark.band;
        let band = format!("left:{};width:{}", percent(from), percent(to - from));
        let (low, high) = (mark.at.min(0.5), mark.at.max(0.5));
        let stem = format!("left:{};width:{}", percent(low), percent(high - low));
        let at = format!("left:{}", percent(mark.at));
        let end = if mark.at < 0.5 { "‹" } else { "›" };
        view! {
            <div class="papers-mark" class:gap=gap aria-hidden="true">
                <i class="band" style=band></i>
                <i class="stem" style=stem></i>
                {if mark.beyond {
                    view! { <b class="beyond" style=at>{end}</b> }.into_any()
                } else {
                    view! { <i class="dot" style=at></i> }.into_any()
                }}
            </div>
        }
    });
    let computed = if row.state == State::Waiting {
        "simulating …".to_owned()
    } else {
        row.computed
    };
    let why = match row.gap {
        Some(gap) => view! { <b class="tone-bad">"gap "</b> {gap} }.into_any(),
        None => view! { {row.tolerance} ": " {row.because} }.into_any(),
    };
    view! {
        <tr class:gap=gap>
            <th scope="row">{row.what}</th>
            <td class="papers-place">{raised(row.place)}</td>
            <td class="numeric" data-name="published ">{row.published}</td>
            <td class="numeric" data-name="computed ">{computed}</td>
            <td class="papers-axis">{mark}</td>
            <td class="numeric papers-error">{row.error}</td>
            <td class="papers-why">{why}</td>
            <td class="papers-opens">{open(app, link)}</td>
        </tr>
    }
    .into_any()
}

/// "W^KR" with what is raised raised.
fn raised(text: &'static str) -> AnyView {
    let Some((before, rest)) = text.split_once('^') else {
        return text.into_any();
    };
    let end = rest.find(|of: char| !of.is_ascii_alphanumeric());
    let (above, after) = rest.split_at(end.unwrap_or(rest.len()));
    view! { {before}<sup>{above}</sup>{raised(after)} }.into_any()
}

/// The papers' contradictions, folded.
fn errata() -> AnyView {
    view! {
        <details class="papers-errata">
            <summary>
                <b>"Errata of the papers"</b>
                " "
                <span class="tone-muted">{ERRATA.len()} ", with what is read instead and what it changes"</span>
            </summary>
            <div class="half-scroll half-table">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"where"</th>
                            <th scope="col">"printed"</th>
                            <th scope="col">"read here as"</th>
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
            "Units are as each source prints them; kB, MB, GB and TB are powers of ten, GiB of two. FLOP count a multiply and \
             an add as two, bandwidths go one direction per GPU, peaks are dense, tokens are output tokens. Every number is \
             computed from its scenario when this view opens."
        </p>
    }
    .into_any()
}
