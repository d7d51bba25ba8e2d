//! Headlines of presets: the computed answer to the preset's question.

use std::sync::LazyLock;

use model_core::cost::memory::sequence_bytes;
use model_core::inputs::Inputs;
use model_core::permalink::{self, View};
use model_core::preset::PRESETS;

use super::Evaluated;
use super::names::{own_gpus, sequences};
use super::sentence::{Sentence, Tone};
use crate::format;

/// A preset's scenario, pinned scenario and view.
struct Asked {
    id: &'static str,
    view: View,
    current: Inputs,
    pinned: Option<Inputs>,
}

static ASKED: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    PRESETS
        .iter()
        .map(|preset| {
            let link = permalink::read(preset.link);
            Asked {
                id: preset.id,
                view: link.shown.view,
                current: link.current.normalized(),
                pinned: link.pinned.map(|pinned| pinned.normalized()),
            }
        })
        .collect()
});

/// Preset shown in a view.
pub(super) fn preset(inputs: &Inputs, pinned: Option<&Inputs>, view: View) -> Option<&'static str> {
    let (current, pinned) = (
        inputs.normalized(),
        pinned.map(|pinned| pinned.normalized()),
    );
    ASKED
        .iter()
        .filter(|asked| asked.view == view)
        .find(|asked| asked.current == current && asked.pinned == pinned)
        .map(|asked| asked.id)
}

/// Answer to a preset of Explore, where its question is not the bottleneck.
pub(super) fn in_explore(case: &Evaluated, pinned: Option<&Evaluated>) -> Option<Sentence> {
    let said = Sentence::default();
    let asked = preset(
        &case.inputs,
        pinned.map(|pinned| &pinned.inputs),
        View::Explore,
    )?;
    if asked == "v3-32-h100" {
        let room = case.largest.ok()?.batch;
        return Some(
            said.then(Tone::Strong, "Yes")
                .say(": ")
                .then(Tone::Strong, sequences(case.scenario.workload.batch))
                .say(format!(
                    " serve {} tok/s per GPU at {} per user; {} fit.",
                    format::si(case.evaluation.tokens_per_gpu),
                    format::sig3(case.evaluation.tokens_per_user),
                    format::count(room)
                )),
        );
    }
    let pinned = pinned?;
    let (now, then) = (&case.evaluation, &pinned.evaluation);
    let strong = |text: String| Sentence::default().then(Tone::Strong, text);
    Some(match asked {
        "v3-48-gb200" => {
            strong(format::factor(now.tokens_per_gpu / then.tokens_per_gpu)).say(format!(
                " the throughput per GPU of {}, at {} their user speed.",
                own_gpus(&pinned.inputs),
                format::factor(now.tokens_per_user / then.tokens_per_user)
            ))
        }
        "k2-72-h100" => {
            strong(if now.tpot > then.tpot { "Yes" } else { "No" }.to_owned()).say(format!(
                ": {} takes {} per token, {} {}.",
                case.inputs.model.name(),
                format::millis(now.tpot.get()),
                pinned.inputs.model.name(),
                format::millis(then.tpot.get())
            ))
        }
        "v3-context" => strong(format!(
            "{} the time per token",
            format::factor(now.tpot / then.tpot)
        ))
        .say(format!(
            " of {} tokens, at {} the cost.",
            format::tokens(pinned.scenario.workload.context),
            format::factor(now.dollars_per_mtok? / then.dollars_per_mtok?)
        )),
        "v3.2-sparse" | "gpt-oss-window" => {
            let than = match asked {
                "v3.2-sparse" => pinned.inputs.model.name(),
                _ => "full attention",
            };
            strong(format!("{} the TPOT", format::factor(now.tpot / then.tpot))).say(format!(
                " of {than}; a sequence keeps {}.",
                kept(case, pinned)
            ))
        }
        _ => return None,
    })
}

/// "9.56 GiB against 8.58": the cache of a sequence, whole.
fn kept(case: &Evaluated, pinned: &Evaluated) -> String {
    let [now, then] =
        [case, pinned].map(|case| format::sig3(sequence_bytes(&case.scenario).total.as_gib()));
    format!("{now} GiB against {then}")
}
