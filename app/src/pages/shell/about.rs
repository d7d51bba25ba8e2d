//! The About panel: purpose, reading, limits and sources of the page.

use super::popover::Popover;
use crate::answer::papers::PAPERS;
use crate::icons;
use crate::part::Part;
use crate::state::App;
use leptos::prelude::*;
use model_core::permalink::View;

/// Explanations of charts and words.
const READING: [(&str, &str); 6] = [
    (
        "The headline",
        "names the bottleneck; “What helps?” below it lists changes by their gain. Every number on the page is of the same scenario.",
    ),
    (
        "Colours",
        "mean one part each: attention, dense layers, experts, head, communication, KV cache. Green is better; red is worse, slow or out of memory.",
    ),
    (
        "Patterns",
        "mean one state each. Lines rising to the right: overlapped; falling: out of memory. Dashes: the scenario pinned as A. Teeth: the failing side of a limit.",
    ),
    (
        "Per GPU",
        "is over all GPUs of the deployment, per user is of one sequence. Link bandwidths are per GPU and one way.",
    ),
    (
        "Every field",
        "takes 32k, 1.5M or 400Gb. A double click restores the default. The address holds the whole scenario.",
    ),
    (
        "The range under a figure",
        "is the band in which four in five measured systems of that kind lie.",
    ),
];

/// Limits of the model.
const LIMITS: [&str; 5] = [
    "It is a steady state: one step of full batches. Queues, arrivals, CPU cache misses and failures are not modelled.",
    "A mean stands for a distribution: one context length, one expert balancedness.",
    "Prefill is modelled where it is aggregated, and for the time to first token (TTFT). Otherwise the GPUs only decode.",
    "“Extrapolated” beside the headline lists the parts that no published measurement covers.",
    "Prices are list prices of a GPU-hour, with their source in the price's help; set your own.",
];

const ABOUT: Part = Part {
    name: "About",
    styles: &[],
    load: Some(|| Box::pin(load_about())),
};

part!(beside, about_part, load_about, panel(app: App, popover: Popover) -> AnyView);

/// The button in the bar, and what it opens.
pub fn about(app: App) -> AnyView {
    let popover = Popover::new();
    view! {
        <div class="popover about-tool" node_ref=popover.node>
            <button
                type="button"
                class="tool"
                title="How to read this page, how wrong it may be, and its sources"
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

/// All of it.
fn panel(app: App, popover: Popover) -> AnyView {
    let to_papers = move |_| {
        popover.close();
        app.show(View::Papers);
    };
    view! {
        <button type="button" class="icon-button menu-close" aria-label="Close" on:click=move |_| popover.close()>
            {icons::close()}
        </button>
        <h2>"About Ridgepoint"</h2>
        <p>
            "What limits a deployment of a language model, and what would help: computed in your browser, from the shapes \
             of models, the data sheets of accelerators and measurements of single kernels. Nothing is sent anywhere."
        </p>
        <h3>"How to read it"</h3>
        <dl>
            {READING.map(|(what, is)| view! { <dt>{what}</dt> <dd>{is}</dd> }).collect_view()}
        </dl>
        <h3>"How wrong it may be"</h3>
        <p>
            "The default calibration, kernels-2026-11, is built from published benchmarks of single kernels and collectives. One \
             constant is fitted, the framework overhead of a layer; nothing is tuned to the systems that it is compared \
             with. The other calibrations are those of the papers, or hardware at its peak. "
            <button type="button" class="act" on:click=to_papers>"Predicted beside measured, system by system"</button>
        </p>
        <h3>"What is not modelled"</h3>
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
            "Sources of accelerators and models are in their lists, those of a chart in its tooltip."
        </p>
    }
    .into_any()
}
