//! Writes permalinks with only the values that differ from their defaults.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::candidates::{CANDIDATES, write_candidates};
use super::choice::ChoiceKey;
use super::number::write_number;
use super::points::{MEASURED, MEASURED_TTFT, write_points, write_ttft};
use super::prices::{PRICES, write_prices};
use super::search::SearchKey;
use super::{Link, ListedKey, Shown, View};
use crate::inputs::{Inputs, Model, Number, Prices};
use crate::label::{GPU_LABEL, MODEL_LABEL, in_link};

/// Returns a permalink without its leading `?`. It contains the version, values that differ from the defaults, the
/// pinned scenario, the plan search and the page state.
pub fn write(link: &Link) -> String {
    let version = link.current.version;
    let mut text = format!("v={}", version.id());
    push_inputs(&mut text, "", &link.current);
    if let Some(pinned) = &link.pinned {
        // The prices apply to both scenarios, so they are written only once.
        let mut unpriced = *pinned;
        unpriced.prices = Prices::NONE;
        let stated = stated(&unpriced);
        if pinned.version != version || stated.is_empty() {
            push(&mut text, "a.", "v", pinned.version.id());
        }
        for (key, value) in stated {
            push(&mut text, "a.", key, &value);
        }
    }
    for key in SearchKey::ALL {
        if let Some(value) = key.stated(&link.search, &link.current) {
            push(&mut text, "", key.id(), &value);
        }
    }
    if let Some(candidates) = write_candidates(&link.candidates) {
        push(&mut text, "", CANDIDATES, &candidates);
    }
    let Shown {
        view,
        metric,
        per,
        lines,
        axes,
        embed,
        sliders,
        untitled,
        layer,
        theme,
        listed,
        change,
        overlay,
        against,
        explain,
    } = link.shown;
    if view != View::Explore {
        push(&mut text, "", "view", view.id());
    }
    if metric != Shown::DEFAULT.metric {
        push(&mut text, "", "metric", metric.id());
    }
    if per != Shown::DEFAULT.per {
        push(&mut text, "", "per", per.id());
    }
    if let Some(lines) = lines {
        push(&mut text, "", "lines", lines.id());
    }
    if axes != Shown::DEFAULT.axes {
        push(&mut text, "", "axes", axes.id());
    }
    for key in ListedKey::ALL {
        if let Some(value) = key.stated(&listed) {
            push(&mut text, "", key.id(), value);
        }
    }
    if change != Shown::DEFAULT.change {
        push(&mut text, "", "change", change.id());
    }
    if overlay {
        push(&mut text, "", "overlay", "measured");
    }
    if let Some(model) = against {
        push(&mut text, "", "against", model);
    }
    if let Some(explained) = explain {
        push(&mut text, "", "explain", &explained.id());
    }
    if let Some(figure) = embed {
        push(&mut text, "", "embed", figure.id());
    }
    if !sliders.is_empty() {
        push(&mut text, "", "sliders", &sliders.id());
    }
    if untitled {
        push(&mut text, "", "title", "off");
    }
    if let Some(layer) = layer {
        push(&mut text, "", "layer", &layer.id());
    }
    if let Some(theme) = theme {
        push(&mut text, "", "theme", theme.id());
    }
    text
}

/// Returns the permalink of a single scenario, without its leading `?`.
pub fn write_inputs(inputs: &Inputs) -> String {
    write(&Link::to(*inputs))
}

fn push_inputs(text: &mut String, prefix: &str, inputs: &Inputs) {
    for (key, value) in stated(inputs) {
        push(text, prefix, key, &value);
    }
}

/// Returns the keys and values that a permalink of these inputs contains, in permalink order. Measurements are left
/// out if only half of their correction applies, since they were made with another plan.
pub fn stated(inputs: &Inputs) -> Vec<(&'static str, String)> {
    let inputs = inputs.normalized();
    let mut stated = Vec::new();
    for choice in ChoiceKey::ALL {
        if let Some(id) = choice.stated(&inputs) {
            stated.push((choice.key(), id.to_owned()));
        }
        if let (ChoiceKey::Model, Model::Custom(arch)) = (choice, &inputs.model) {
            let json = crate::arch::json::write(arch);
            stated.push(("arch", URL_SAFE_NO_PAD.encode(json)));
        }
        let label = match choice {
            ChoiceKey::Model => inputs.model_label.map(|label| (MODEL_LABEL, label)),
            ChoiceKey::Gpu => inputs.gpu_label.map(|label| (GPU_LABEL, label)),
            _ => None,
        };
        stated.extend(label.map(|(key, label)| (key, in_link(label.as_str()))));
    }
    for number in Number::ALL {
        if let Some(value) = inputs.stated(number) {
            stated.push((number.spec().key, write_number(number, value)));
        } else if let (Number::KvBytes, Some(layout)) = (number, inputs.kv_layout) {
            stated.push((number.spec().key, layout.id().to_owned()));
        }
    }
    let prices = write_prices(&inputs.prices);
    stated.extend(prices.map(|prices| (PRICES, prices)));
    if inputs.has_half_correction() {
        return stated;
    }
    let points = write_points(&inputs.measured);
    stated.extend(points.map(|points| (MEASURED, points)));
    let ttft = inputs.measured.ttft.as_ref().map(write_ttft);
    stated.extend(ttft.map(|ttft| (MEASURED_TTFT, ttft)));
    stated
}

fn push(text: &mut String, prefix: &str, key: &str, value: &str) {
    text.push('&');
    text.push_str(prefix);
    text.push_str(key);
    text.push('=');
    text.push_str(value);
}
