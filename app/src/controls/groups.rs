//! The rest of the scenario, in groups that fold.

use super::choice::{Choice, choice_row};
use super::picker::{accelerator_picker, model_picker};
use super::row::{Place, slider_row};
use super::terms::terms;
use super::words::placement_hint;
use crate::format;
use crate::pages::shell::icons;
use crate::state::App;
use leptos::prelude::*;
use model_core::arch::{Attention, Ffn};
use model_core::scenario::{Gpu, Inputs, Number};

/// A group of controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The architecture.
    Model,
    /// Accelerator and links.
    Hardware,
    /// Sharding and schedule.
    Parallelism,
    /// Speculation, SLO, price.
    Workload,
    /// Bytes and formats.
    Precision,
    /// Inefficiencies.
    Calibration,
}

impl Group {
    /// All groups, in the panel's order.
    pub const ALL: [Self; 6] = [
        Self::Model,
        Self::Hardware,
        Self::Parallelism,
        Self::Workload,
        Self::Precision,
        Self::Calibration,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Model => "Model",
            Self::Hardware => "Hardware",
            Self::Parallelism => "Parallelism",
            Self::Workload => "Workload",
            Self::Precision => "Precision",
            Self::Calibration => "Calibration",
        }
    }

    /// Whether the control with this key is in the group.
    fn holds(self, key: &str) -> bool {
        let keys: &[&str] = match self {
            Self::Model => &["model", "arch", "mla", "kernel"],
            Self::Hardware => &[
                "gpu",
                "domain",
                "scale_up",
                "hbm",
                "capacity",
                "watts",
                "peak_bf16",
                "peak_fp8",
                "peak_fp4",
            ],
            Self::Parallelism => &[
                "dp",
                "tp",
                "kvp",
                "ffn_tp",
                "ep",
                "pp",
                "redundant",
                "shared",
                "overlap",
                "node_limit",
            ],
            Self::Workload => &[
                "mtp",
                "acceptance",
                "slo",
                "price",
                "reserve",
                "serving",
                "prompt",
                "output",
            ],
            Self::Precision => &[
                "precision",
                "fmt_attn",
                "fmt_ffn",
                "w_attn",
                "w_ffn",
                "kv",
                "act",
                "dispatch",
                "combine",
            ],
            Self::Calibration => &[
                "calibration",
                "family",
                "fold",
                "e_mem",
                "e_attn",
                "e_ffn",
                "e_net",
                "alpha_us",
                "overhead_us",
                "layer_us",
                "host_us",
            ],
        };
        keys.contains(&key)
    }

    /// The group in one line.
    pub fn summary(self, inputs: &Inputs) -> String {
        let get = |number| inputs.get(number);
        match self {
            Self::Model => format!(
                "{}, {} layers",
                inputs.model.name(),
                inputs.model.arch().layers
            ),
            Self::Hardware => {
                let accelerator = inputs.accelerator();
                let name = match inputs.gpu {
                    // The form factor goes without saying: "H100 SXM" is an H100.
                    Gpu::Catalog(entry) => entry.name.split(' ').next().unwrap_or(entry.name),
                    Gpu::Custom => "Your own",
                };
                let memory = format::printed(accelerator.capacity.as_gib());
                let bandwidth = format::bandwidth(accelerator.hbm.as_gb() * 1e9);
                format!("{name}, {memory} GiB, {bandwidth}")
            }
            Self::Parallelism => {
                let mut parts = Vec::new();
                for (number, name) in [
                    (Number::Dp, "DP"),
                    (Number::Tp, "TP"),
                    (Number::Kvp, "KVP"),
                    (Number::Ep, "EP"),
                    (Number::FfnTp, "FTP"),
                    (Number::Pp, "PP"),
                ] {
                    if let Some(value) = get(number).filter(|value| *value > 1.0) {
                        parts.push(format!("{name} {value}"));
                    }
                }
                parts.push(match inputs.overlap.id() {
                    "none" => "no overlap".to_owned(),
                    other => other.replace("hop-b", "HOP-B"),
                });
                parts.join(" · ")
            }
            Self::Workload => {
                let mut text = match get(Number::Slo) {
                    Some(slo) => format!("decode, SLO {} tok/s", format::printed(slo)),
                    None => "decode, no SLO".to_owned(),
                };
                if let Some(depth) = get(Number::SpeculationDepth).filter(|depth| *depth > 0.0) {
                    text.push_str(&format!(", MTP {depth}"));
                }
                text
            }
            Self::Precision => edited(
                inputs.precision.id(),
                inputs.precision() != inputs.precision.precision(),
            ),
            Self::Calibration => edited(
                inputs.calibration.id(),
                inputs.calibration() != inputs.named_calibration(),
            ),
        }
    }

    fn rows(self, app: App) -> AnyView {
        let number = move |number| slider_row(app, number, Place::Panel);
        // Memos, so that rows are made anew only when they come or go.
        let is_moe = Memo::new(move |_| app.current.with(is_moe));
        let is_latent = Memo::new(move |_| app.current.with(is_latent));
        let is_custom = Memo::new(move |_| app.current.with(is_custom));
        let has_folds = Memo::new(move |_| {
            app.current
                .with(|inputs| !inputs.calibration.tells_kernels_apart())
        });
        let placement = Memo::new(move |_| app.current.with(placement_hint));
        match self {
            Self::Model => view! {
                {model_picker(app)}
                {move || is_latent.get().then(|| choice_row(app, Choice::Latent))}
                {choice_row(app, Choice::Fusion)}
            }
            .into_any(),
            Self::Hardware => view! {
                {accelerator_picker(app)}
                {move || is_custom.get().then(|| {
                    [Number::PeakBf16, Number::PeakFp8, Number::PeakFp4, Number::Hbm, Number::Capacity, Number::Watts]
                        .map(number)
                        .collect_view()
                })}
                {number(Number::ScaleUp)}
                {number(Number::Domain)}
            }
            .into_any(),
            Self::Parallelism => view! {
                {number(Number::Dp)}
                {number(Number::Tp)}
                {number(Number::Kvp)}
                {move || is_moe.get().then(|| number(Number::Ep))}
                {number(Number::FfnTp)}
                {number(Number::Pp)}
                {move || is_moe.get().then(|| view! {
                    {number(Number::Redundant)}
                    <p class="row-note">{move || placement.get()}</p>
                    {choice_row(app, Choice::Shared)}
                })}
                {choice_row(app, Choice::Overlap)}
                {move || is_moe.get().then(|| number(Number::NodeLimit))}
            }
            .into_any(),
            Self::Workload => view! {
                {number(Number::Slo)}
                {choice_row(app, Choice::Engine)}
                {[
                    Number::MeanPrompt,
                    Number::MeanOutput,
                    Number::SpeculationDepth,
                    Number::Acceptance,
                    Number::Reserve,
                    Number::Price,
                ]
                    .map(number)
                    .collect_view()}
            }
            .into_any(),
            Self::Precision => view! {
                {choice_row(app, Choice::Precision)}
                {choice_row(app, Choice::AttentionFormat)}
                {choice_row(app, Choice::FfnFormat)}
                {[
                    Number::AttentionWeightBytes,
                    Number::FfnWeightBytes,
                    Number::KvBytes,
                    Number::ActivationBytes,
                    Number::DispatchBytes,
                    Number::CombineBytes,
                ]
                    .map(number)
                    .collect_view()}
            }
            .into_any(),
            Self::Calibration => view! {
                {choice_row(app, Choice::Calibration)}
                {move || is_custom.get().then(|| choice_row(app, Choice::Family))}
                {move || has_folds.get().then(|| choice_row(app, Choice::Fold))}
                {[
                    Number::MemoryFactor,
                    Number::AttentionFactor,
                    Number::FfnFactor,
                    Number::NetworkFactor,
                    Number::LatencyMicros,
                    Number::OverheadMicros,
                    Number::LayerMicros,
                    Number::HostMicros,
                ]
                    .map(number)
                    .collect_view()}
                {terms(app)}
            }
            .into_any(),
        }
    }
}

fn edited(name: &str, differs: bool) -> String {
    if differs {
        format!("{name}, edited")
    } else {
        name.to_owned()
    }
}

fn is_moe(inputs: &Inputs) -> bool {
    matches!(inputs.model.arch().ffn, Ffn::Moe { .. })
}

fn is_latent(inputs: &Inputs) -> bool {
    matches!(inputs.model.arch().attention, Attention::Latent { .. })
}

fn is_custom(inputs: &Inputs) -> bool {
    matches!(inputs.gpu, Gpu::Custom)
}

/// A group: its heading with a summary, its controls when it is open.
pub fn group_view(app: App, group: Group) -> AnyView {
    let open = RwSignal::new(false);
    let summary = Memo::new(move |_| app.current.with(|inputs| group.summary(inputs)));
    let troubled = Memo::new(move |_| {
        app.problems
            .with(|problems| problems.iter().any(|problem| group.holds(problem.key)))
    });
    // What is impossible explains itself beside its control, so the control has to be there.
    Effect::new(move |_| {
        if troubled.get() {
            open.set(true);
        }
    });
    let id = format!("group-{}", group.name().to_lowercase());
    view! {
        <section class="group" class:open=move || open.get() class:troubled=move || troubled.get()>
            <h3>
                <button
                    type="button"
                    class="group-head"
                    aria-expanded=move || open.get().to_string()
                    aria-controls=id.clone()
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <span class="group-name">{group.name()}</span>
                    <span class="group-summary" title=move || summary.get()>{move || summary.get()}</span>
                    {icons::chevron()}
                </button>
            </h3>
            <div class="group-body" id=id hidden=move || !open.get()>
                {move || open.get().then(|| group.rows(app))}
            </div>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    #[test]
    fn groups_sum_up_the_default_scenario() {
        let inputs = Inputs::DEFAULT;
        assert_eq!(Group::Model.summary(&inputs), "DeepSeek-V3, 61 layers");
        assert_eq!(Group::Hardware.summary(&inputs), "H100, 80 GiB, 3.35 TB/s");
        assert_eq!(
            Group::Parallelism.summary(&inputs),
            "DP 72 · EP 72 · two-batch"
        );
        assert_eq!(Group::Calibration.summary(&inputs), "kernels-2026");
        let link = read("slo=10&w_attn=2&mtp=1").current;
        assert_eq!(
            Group::Workload.summary(&link),
            "decode, SLO 10 tok/s, MTP 1"
        );
        assert_eq!(Group::Precision.summary(&link), "deepseek-fp8, edited");
    }

    #[test]
    fn every_number_has_its_place() {
        let first = ["gpus", "scale_out", "batch", "context", "beta"];
        // They belong to a view, where they stand beside their chart.
        let views = ["instances", "interconnect"];
        for number in Number::ALL {
            let key = number.spec().key;
            let homes = Group::ALL.iter().filter(|group| group.holds(key)).count();
            let elsewhere = first.contains(&key)
                || views.contains(&key)
                || number.describes_split()
                || number.describes_ratio();
            assert_eq!(homes + usize::from(elsewhere), 1, "{key}");
        }
    }
}
