//! Groups of the settings panel: the controls of each group and its one-line summary.

use super::table::{CONTROLS, Control, Home, PanelGroup};
use crate::sharding;
use crate::words::format;
use crate::words::names::gpu_of;
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::permalink::{Link, View};
use model_core::precision::NamedPrecision;
use model_core::workload::Engine;

impl PanelGroup {
    /// Returns the controls of this group, in panel order.
    pub fn controls(self) -> impl Iterator<Item = &'static Control> {
        let here = move |control: &&Control| control.home == Home::Group(self);
        CONTROLS.iter().filter(here)
    }

    /// True if one of the group's controls has this permalink key.
    pub fn holds(self, key: &str) -> bool {
        self.controls().any(|control| control.holds(key))
    }

    /// Summarizes the group's settings in one line, as they apply to the view on screen.
    pub fn summary_in_view(self, link: &Link) -> String {
        let inputs = &link.current;
        match self {
            _ if link.shown.view != View::Service => self.summary(inputs),
            // In Service, the size and the plan of replicas are results unless the user sets them.
            Self::Parallelism if !inputs.is_planned() => match inputs.stated(Number::Gpus) {
                Some(gpus) => format!("best plan on {} GPUs", format::count(gpus)),
                None => "searched".to_owned(),
            },
            Self::Workload => {
                let mut facts = vec!["best batch".to_owned()];
                if let Some(batch) = inputs.stated(Number::Batch) {
                    facts = vec![format!("batch {}", format::count(batch))];
                }
                let depth = inputs.get(Number::SpeculationDepth);
                let depth = depth.filter(|depth| *depth > 0.0);
                facts.extend(depth.map(|depth| format!("MTP {depth}")));
                facts.join(", ")
            }
            _ => self.summary(inputs),
        }
    }

    /// Summarizes the group's settings in one line.
    pub fn summary(self, inputs: &Inputs) -> String {
        let get = |number| inputs.get(number);
        match self {
            Self::Model => format!(
                "{}, {} layers",
                inputs.model_name(),
                inputs.model.arch().layers()
            ),
            Self::Hardware => {
                let accelerator = inputs.accelerator();
                let name = match (inputs.gpu, inputs.gpu_label) {
                    (Gpu::Custom, None) => "Custom",
                    // Without the form factor: "H100 SXM" is shown as H100.
                    _ => gpu_of(inputs),
                };
                let memory = format::printed(accelerator.capacity.as_gib());
                let bandwidth = format::bandwidth(accelerator.hbm.as_gb() * 1e9);
                let mut parts = vec![name.to_owned()];
                for (number, part) in [
                    (Number::HbmScale, "HBM"),
                    (Number::CapacityScale, "capacity"),
                    (Number::PeakScale, "FLOP/s"),
                    (Number::LatencyScale, "α"),
                    (Number::OverheadScale, "overhead"),
                ] {
                    if let Some(times) = inputs.stated(number) {
                        parts.push(format!("{}× {part}", format::printed(times)));
                    }
                }
                if parts.len() == 1 {
                    parts.extend([format!("{memory} GB"), bandwidth.to_string()]);
                }
                parts.join(", ")
            }
            Self::Parallelism => {
                let mut parts = Vec::new();
                if let Some(count) = inputs.stated(Number::Replicas) {
                    parts.push(format!("{} ×", format::count(count)));
                }
                for (number, name) in [
                    (Number::Dp, "DP"),
                    (Number::Tp, "TP"),
                    (Number::Kvp, "KVP"),
                    (Number::Ep, "EP"),
                    (Number::FfnTp, "FFN TP"),
                    (Number::Pp, "PP"),
                ] {
                    if let Some(value) = get(number).filter(|value| *value > 1.0) {
                        parts.push(format!("{name} {value}"));
                    }
                }
                parts.push(sharding::overlap(inputs.schedule()).to_owned());
                parts.join(" · ")
            }
            Self::Workload => {
                let work = match inputs.engine {
                    Engine::Decode => "decode",
                    Engine::Aggregated => "aggregated prefill",
                };
                let mut text = match get(Number::Slo) {
                    Some(slo) => format!("{work}, SLO {} tok/s/user", format::printed(slo)),
                    None => format!("{work}, no SLO"),
                };
                if let Some(depth) = get(Number::SpeculationDepth).filter(|depth| *depth > 0.0) {
                    text.push_str(&format!(", MTP {depth}"));
                }
                text
            }
            Self::Precision if inputs.is_released() => "released checkpoint".to_owned(),
            Self::Precision => edited(
                match inputs.precision {
                    NamedPrecision::Fp4 => "fp4 incl. attention",
                    precision => precision.id(),
                },
                inputs.precision() != inputs.with_precision(inputs.precision).precision(),
            ),
            Self::Calibration => edited(
                inputs.calibration.id(),
                inputs.calibration() != inputs.named_calibration(),
            ),
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

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    #[test]
    fn groups_sum_up_the_default_scenario() {
        let inputs = Inputs::DEFAULT;
        assert_eq!(PanelGroup::Model.summary(&inputs), "DeepSeek-V3, 61 layers");
        assert_eq!(
            PanelGroup::Hardware.summary(&inputs),
            "H100, 80 GB, 3.35 TB/s"
        );
        assert_eq!(
            PanelGroup::Parallelism.summary(&inputs),
            "DP 72 · EP 72 · two-batch"
        );
        assert_eq!(PanelGroup::Calibration.summary(&inputs), "kernels-2026");
        let link = read("slo=10&w_attn=2&mtp=1").current;
        assert_eq!(
            PanelGroup::Workload.summary(&link),
            "decode, SLO 10 tok/s/user, MTP 1"
        );
        assert_eq!(PanelGroup::Precision.summary(&link), "deepseek-fp8, edited");
    }

    #[test]
    fn a_service_says_what_it_searches() {
        let said = |group: PanelGroup, link: &str| group.summary_in_view(&read(link));
        let searched = "v=2&view=service&gpu=h200&slo=25&rate=50";
        assert_eq!(said(PanelGroup::Parallelism, searched), "searched");
        assert_eq!(said(PanelGroup::Workload, searched), "best batch");
        let stated = "v=2&view=service&gpu=h200&gpus=16&mtp=1&batch=512";
        assert_eq!(
            said(PanelGroup::Parallelism, stated),
            "best plan on 16 GPUs"
        );
        assert_eq!(said(PanelGroup::Workload, stated), "batch 512, MTP 1");
        let planned = "v=2&view=service&gpu=h200&gpus=16&ep=16";
        assert!(said(PanelGroup::Parallelism, planned).contains("EP 16"));
        assert!(said(PanelGroup::Workload, "v=2&slo=25").contains("SLO 25"));
    }
}
