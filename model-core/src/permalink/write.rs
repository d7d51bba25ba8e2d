//! Brief writing of links.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::choice::ChoiceKey;
use super::number::write_number;
use super::search::SearchKey;
use super::{Link, ListedKey, Shown, View};
use crate::inputs::{Inputs, Model, Number};

/// The link without its `?`: its version, values that differ from the defaults, the pinned scenario, the search, the state
/// of the page.
pub fn write(link: &Link) -> String {
    let version = link.current.version;
    let mut text = format!("v={}", version.id());
    push_inputs(&mut text, "", &link.current);
    if let Some(pinned) = &link.pinned {
        let stated = stated(pinned);
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
    let Shown {
        view,
        metric,
        per,
        lines,
        axes,
        joined,
        embed,
        sliders,
        untitled,
        layer,
        theme,
        listed,
        change,
        overlay,
        against,
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
    if joined != Shown::DEFAULT.joined {
        push(&mut text, "", "joined", joined.id());
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

/// The link of one scenario alone.
pub fn write_inputs(inputs: &Inputs) -> String {
    write(&Link::to(*inputs))
}

fn push_inputs(text: &mut String, prefix: &str, inputs: &Inputs) {
    for (key, value) in stated(inputs) {
        push(text, prefix, key, &value);
    }
}

/// Keys and values that a link of the inputs states, in its order.
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
    }
    for number in Number::ALL {
        if let Some(value) = inputs.stated(number) {
            stated.push((number.spec().key, write_number(number, value)));
        }
    }
    stated
}

fn push(text: &mut String, prefix: &str, key: &str, value: &str) {
    text.push('&');
    text.push_str(prefix);
    text.push_str(key);
    text.push('=');
    text.push_str(value);
}
