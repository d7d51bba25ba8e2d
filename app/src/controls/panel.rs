//! The scenario panel: what is being asked.

use super::groups::{Group, group_view};
use super::row::{Place, slider_row};
use super::words::{shown, words_of};
use crate::state::{App, presets};
use leptos::prelude::*;
use model_core::permalink::write_inputs;
use model_core::scenario::{Inputs, Number};

/// The sliders that come first.
pub const FIRST: [Number; 5] = [
    Number::Gpus,
    Number::ScaleOut,
    Number::Batch,
    Number::Context,
    Number::Beta,
];

/// The whole panel.
pub fn panel(app: App) -> AnyView {
    view! {
        <div class="panel-scroll">
            {header(app)}
            <div class="first-rows">
                {FIRST.map(|number| slider_row(app, number, Place::Panel)).collect_view()}
            </div>
            <div class="groups">{Group::ALL.map(|group| group_view(app, group)).collect_view()}</div>
            {pinned_note(app)}
        </div>
        <div class="panel-foot">{help(app)} {link_text(app)}</div>
    }
    .into_any()
}

fn header(app: App) -> AnyView {
    let changes = Memo::new(move |_| app.current.with(presets::changes));
    view! {
        <div class="panel-head">
            <h2>"Scenario"</h2>
            <span class="panel-changes">
                {move || match changes.get() {
                    0 => "default".to_owned(),
                    1 => "1 change".to_owned(),
                    n => format!("{n} changes"),
                }}
            </span>
            <button
                type="button"
                class="quiet"
                disabled=move || changes.get() == 0
                on:click=move |_| app.edit(|inputs| *inputs = Inputs::DEFAULT)
            >
                "reset"
            </button>
        </div>
    }
    .into_any()
}

fn pinned_note(app: App) -> AnyView {
    view! {
        {move || {
            app.pinned
                .get()
                .map(|pinned| {
                    let difference = app.current.with(|current| differences(current, &pinned));
                    view! {
                        <div class="pinned-note">
                            <p class="pinned-title">
                                <span class="a-mark" aria-hidden="true">"A"</span>
                                "Pinned for comparison"
                                <button type="button" class="quiet" on:click=move |_| app.swap()>"swap"</button>
                                <button type="button" class="quiet" on:click=move |_| app.unpin()>"unpin"</button>
                            </p>
                            <p class="pinned-difference">{difference}</p>
                        </div>
                    }
                })
        }}
    }
    .into_any()
}

/// How the pinned scenario differs: "Scale-out 100 GB/s, all else equal".
pub fn differences(current: &Inputs, pinned: &Inputs) -> String {
    const MOST: usize = 3;
    let (now, then) = (write_inputs(current), write_inputs(pinned));
    let pairs = |text: &str| -> Vec<(String, String)> {
        text.split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    };
    let (now, then) = (pairs(&now), pairs(&then));
    let mut keys: Vec<&str> = Vec::new();
    for (key, value) in then.iter().chain(&now) {
        let same = |side: &[(String, String)]| {
            side.iter().any(|(other, theirs)| other == key && theirs == value)
        };
        if !(same(&now) && same(&then)) && !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    keys.retain(|key| *key != "arch");
    if keys.is_empty() {
        return "The same as now".to_owned();
    }
    let mut words: Vec<String> = keys
        .iter()
        .take(MOST)
        .map(|key| value_words(key, pinned))
        .collect();
    if keys.len() > MOST {
        words.push(format!("{} more", keys.len() - MOST));
        return words.join(", ");
    }
    format!("{}, all else equal", words.join(", "))
}

fn value_words(key: &str, inputs: &Inputs) -> String {
    if let Some(number) = Number::find(key) {
        let words = words_of(number);
        let value = inputs
            .get(number)
            .map_or_else(|| "none".to_owned(), |value| shown(number, value));
        return format!("{} {value} {}", words.name, words.unit).trim().to_owned();
    }
    match key {
        "model" => inputs.model.name().to_owned(),
        "gpu" => inputs.gpu.name().to_owned(),
        "overlap" => format!("overlap {}", inputs.overlap.id()),
        "shared" => format!("shared experts {}", inputs.shared.id()),
        "precision" => inputs.precision.id().to_owned(),
        "calibration" => inputs.calibration.id().to_owned(),
        "mla" => format!("latent attention {}", inputs.latent.id()),
        "kernel" => format!("{} kernel", inputs.fusion.id()),
        "fold" => format!("{} fold", inputs.calibration().fold.id()),
        "fmt_attn" => format!("attention in {}", inputs.precision().attention_format.id()),
        "fmt_ffn" => format!("FFN in {}", inputs.precision().ffn_format.id()),
        other => other.to_owned(),
    }
}

fn help(app: App) -> AnyView {
    view! {
        <p class="panel-help" aria-hidden="true">
            {move || {
                let number = app.helped.get();
                let words = words_of(number);
                let (base, index) = words.symbol;
                view! {
                    <b>{words.name}</b>
                    " "
                    {(!base.is_empty()).then(|| view! { <i>{base}</i> <sub>{index}</sub> ". " })}
                    {words.help}
                    " "
                    <span class="cite">{words.source}</span>
                }
            }}
        </p>
    }
    .into_any()
}

fn link_text(app: App) -> AnyView {
    view! {
        <p class="panel-link" title=move || format!("?{}", app.text.get())>
            <span class="hidden">"Link: "</span>
            {move || format!("?{}", app.text.get())}
        </p>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    #[test]
    fn differences_are_said_in_a_line() {
        let say = |current: &str, pinned: &str| {
            differences(&read(current).current, &read(pinned).current)
        };
        assert_eq!(
            say("v=1", "scale_out=100"),
            "Scale-out 100 GB/s, all else equal"
        );
        assert_eq!(say("scale_out=100", "v=1"), "Scale-out 50 GB/s, all else equal");
        assert_eq!(say("v=1", "v=1"), "The same as now");
        assert_eq!(
            say("v=1", "gpu=h200&gpus=8&batch=80&context=32k"),
            "H200, GPUs 8, Batch 80 seq, 1 more"
        );
    }
}
