//! The About panel: the page's purpose, how to read the charts, the model's limitations, and the sources.

use super::popover::Popover;
use crate::icons;
use crate::part::Part;
use crate::state::App;
use answer::around::accuracy_line;
use answer::papers::PAPERS;
use leptos::prelude::*;
use model_core::permalink::{Evidence, View};

/// Explanations of charts and terms.
const READING: [(&str, &str); 6] = [
    (
        "The headline",
        "names the bottleneck; “What helps?” lists changes by gain. All numbers on the page are for the same scenario.",
    ),
    (
        "Colors",
        "each mark one component: attention, dense layers, experts, head, communication, KV cache. Green is better; red is worse, too slow or out of memory.",
    ),
    (
        "Patterns",
        "each mark one state. Rising hatch: overlapped; falling hatch: out of memory. Dashed: pinned scenario A. Teeth: the infeasible side of a limit.",
    ),
    (
        "Per GPU",
        "means divided by all GPUs of the deployment; per user means per sequence. Link bandwidths are per GPU and direction.",
    ),
    (
        "Every field",
        "accepts 32k, 1.5M or 400Gb. Double-click to reset. The URL holds the whole scenario.",
    ),
    (
        "The range under a metric",
        "covers 80% of comparable measured runs.",
    ),
];

/// Limitations of Ridgepoint's model.
const LIMITS: [&str; 5] = [
    "Steady state: full batches, no queueing, arrivals or failures.",
    "Averages replace distributions: a single context length, a single expert balancedness.",
    "Prefill is modeled only in aggregated deployments and for TTFT. Otherwise the GPUs only decode.",
    "“Extrapolated” next to the headline lists what no published measurement covers.",
    "Prices are list prices per GPU-hour; the source is in the tooltip. Set your own.",
];

const ABOUT: Part = Part {
    name: "About",
    styles: &[],
    load: Some(|| Box::pin(load_about())),
};

part!(beside, about_part, load_about, panel(app: App, popover: Popover) -> AnyView);

/// Draws the button in the top bar and the About panel that it opens.
pub fn about(app: App) -> AnyView {
    let popover = Popover::new();
    view! {
        <div class="popover about-tool" node_ref=popover.node>
            <button
                type="button"
                class="tool"
                title="Guide, accuracy and sources"
                aria-label="About"
                aria-haspopup="dialog"
                aria-expanded=move || popover.is_open().to_string()
                on:click=move |_| popover.toggle()
            >
                {icons::about()}
                <span class="tool-name" aria-hidden="true">"About"</span>
            </button>
            {move || {
                popover
                    .is_open()
                    .then(|| {
                        view! {
                            <div class="menu menu-right about" role="dialog" aria-label="About Ridgepoint" tabindex="-1">
                                {ABOUT.shown(true, move || about_part(app, popover))}
                            </div>
                        }
                    })
            }}
        </div>
    }
    .into_any()
}

fn panel(app: App, popover: Popover) -> AnyView {
    let to_papers = move |_| {
        popover.close();
        app.change(|link| {
            link.shown.view = View::Papers;
            link.shown.listed.evidence = Evidence::Measured;
        });
    };
    view! {
        <button type="button" class="icon-button menu-close" aria-label="Close" on:click=move |_| popover.close()>
            {icons::close()}
        </button>
        <h2>"About Ridgepoint"</h2>
        <p>
            "What limits an LLM deployment, and what would help: computed in your browser from model shapes, \
             GPU data sheets and kernel benchmarks. No data leaves your browser."
        </p>
        <h3>"How to read the chart"</h3>
        <dl>
            {READING.map(|(what, is)| view! { <dt>{what}</dt> <dd>{is}</dd> }).collect_view()}
        </dl>
        <p><a class="act" href="./guide/">"Guide: how a model is served, in seven short chapters"</a></p>
        <h3>"Accuracy"</h3>
        <p>
            {move || { app.runs.track(); accuracy_line() }}
            " The default calibration, kernels-2026-12, is built from published kernel and collective benchmarks and \
             engine overhead measured on one H200. The other calibrations are from the papers, or assume hardware peak. "
            <button type="button" class="act" on:click=to_papers>"Predicted vs. measured, run by run"</button>
        </p>
        <h3>"Not modeled"</h3>
        <ul>{LIMITS.map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
        <h3>"Sources"</h3>
        <ul>
            {PAPERS
                .iter()
                .map(|paper| view! {
                    <li>
                        <b>{paper.letter}</b>
                        " "
                        <a href=paper.address target="_blank" rel="noopener noreferrer">{paper.named()}</a>
                    </li>
                })
                .collect_view()}
        </ul>
        <p class="about-foot">
            "GPU and model sources are in the pickers; chart sources are in the tooltips."
        </p>
    }
    .into_any()
}
