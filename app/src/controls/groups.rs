//! The rest of the scenario, in groups that fold.

use super::choice::choice_row;
use super::own_log::own_log;
use super::picker::{accelerator_picker, layer_strip, model_picker};
use super::placement::placement_note;
use super::row::{RowPlace, slider_row, trouble_of};
use super::table::{CONTROLS, Control, CustomRow, Home, PanelGroup, Widget};
use super::terms::terms;
use crate::icons;
use crate::listen::on_key;
use crate::part::{Part, kept};
use crate::state::App;
use crate::state::lasting::Lasting;
use answer::sharding;
use answer::words::format;
use answer::words::names::gpu_of;
use leptos::prelude::*;
use model_core::inputs::{Gpu, Inputs, Number};
use model_core::permalink::{Link, View};
use model_core::precision::NamedPrecision;
use model_core::workload::Engine;

impl PanelGroup {
    /// Its controls, in order.
    fn controls(self) -> impl Iterator<Item = &'static Control> {
        let here = move |control: &&Control| control.home == Home::Group(self);
        CONTROLS.iter().filter(here)
    }

    /// True if the group has the control with this key.
    pub fn holds(self, key: &str) -> bool {
        self.controls().any(|control| control.holds(key))
    }

    /// The group in one line, in the view shown.
    pub fn summary_in_view(self, link: &Link) -> String {
        let inputs = &link.current;
        match self {
            _ if link.shown.view != View::Service => self.summary(inputs),
            // Sizes and plans of replicas are results there, unless set.
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

    /// The group in one line.
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

    fn rows(self, app: App) -> AnyView {
        let row = |control: &'static Control| {
            // A memo, so that rows are made anew only when they come or go.
            let there = Memo::new(move |_| app.current.with(control.when));
            move || there.get().then(|| control_row(app, control))
        };
        // A memo, too: rows made anew at each change of the link would lose what is typed into them.
        let serves = Memo::new(move |_| app.link.with(|link| link.shown.view == View::Service));
        let serves = serves.get();
        let rows = self
            .controls()
            .filter(|control| !serves || control.is_of_service());
        rows.map(row).collect_view().into_any()
    }
}

fn control_row(app: App, control: &Control) -> AnyView {
    match control.kind {
        Widget::Slider(slider) => slider_row(app, slider.number, RowPlace::Panel),
        Widget::Choice(choice) => choice_row(app, choice.key),
        Widget::Custom(_, row) => match row {
            CustomRow::Models => model_picker(app),
            CustomRow::Accelerators => accelerator_picker(app),
            CustomRow::Placement => placement_note(app),
            CustomRow::OwnLog => own_log(app),
            CustomRow::Terms => terms(app),
        },
    }
}

fn edited(name: &str, differs: bool) -> String {
    if differs {
        format!("{name}, edited")
    } else {
        name.to_owned()
    }
}

part!(settings, rows_part, load_rows, rows_of(app: App, group: PanelGroup) -> AnyView);

/// Controls of the groups, loaded when the first is opened.
const SETTINGS: Part = Part {
    name: "Settings",
    styles: &[],
    load: Some(|| Box::pin(load_rows())),
};

fn rows_of(app: App, group: PanelGroup) -> AnyView {
    group.rows(app)
}

/// Allows line breaks only between facts, so that each is either whole on the first line or cut.
fn whole_facts(summary: &str) -> String {
    let joined = ["-", "/"]
        .into_iter()
        .fold(summary.to_owned(), |text, mark| {
            text.replace(mark, &format!("{mark}\u{2060}"))
        });
    let kept = joined.replace(' ', "\u{a0}");
    kept.replace(",\u{a0}", "\u{200b},\u{a0}")
        .replace("\u{a0}·", "\u{200b}\u{a0}·")
}

/// A group: its heading with a summary, its controls when it is open.
pub fn group_view(app: App, group: PanelGroup) -> AnyView {
    let open = RwSignal::new(false);
    let summary = Memo::new(move |_| app.link.with(|link| group.summary_in_view(link)));
    let troubled = Memo::new(move |_| {
        app.problems
            .with(|problems| problems.iter().any(|problem| group.holds(problem.key)))
    });
    // One group is open at a time, as it lies over the page.
    let inspected = Inspected::of_page().0;
    Effect::new(move |_| {
        if open.get() {
            inspected.set(Some(group));
        }
    });
    Effect::new(move |_| {
        if inspected.get() != Some(group) {
            open.set(false);
        }
    });
    on_key("Escape", move || open.set(false));
    let summary = view! {
        <span class="group-summary" title=move || summary.get()>{move || whole_facts(&summary.get())}</span>
    };
    let class = move || match troubled.get() {
        true => "inspects troubled",
        false => "inspects",
    };
    let shown = view! {
        {(group == PanelGroup::Model).then(|| layer_strip(app))}
        // Errors are shown next to their control, or where it opens.
        {move || (troubled.get() && !open.get()).then(|| trouble_of(app, move |key| group.holds(key)))}
    };
    folding(
        group.name(),
        class,
        open,
        (summary.into_any(), shown.into_any()),
        move || {
            view! {
                <div class="inspector-head">
                    <h2>{group.name()}</h2>
                    <button type="button" class="icon-button" aria-label="Close" title="Close" on:click=move |_| open.set(false)>
                        {icons::close()}
                    </button>
                </div>
                {SETTINGS.shown(true, move || rows_part(app, group))}
            }
            .into_any()
        },
    )
}

/// The group that is open over the page.
#[derive(Clone, Copy)]
struct Inspected(Lasting<RwSignal<Option<PanelGroup>>>);

impl Inspected {
    fn of_page() -> Self {
        kept(|| Self(Lasting::signal(None)))
    }
}

/// A part of the panel that folds: its heading with a summary, what is `shown` under it in any case, its body when
/// open.
pub fn folding(
    name: &'static str,
    class: impl Fn() -> &'static str + Send + 'static,
    open: RwSignal<bool>,
    (summary, shown): (AnyView, AnyView),
    body: impl Fn() -> AnyView + Send + 'static,
) -> AnyView {
    let id = format!("group-{}", name.to_ascii_lowercase());
    let class = move || {
        let open = if open.get() { "open" } else { "" };
        format!("group {} {open}", class())
    };
    view! {
        <section class=class aria-label=name>
            <h3>
                <button
                    type="button"
                    class="group-head"
                    aria-expanded=move || open.get().to_string()
                    aria-controls=id.clone()
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <span class="group-name">{name}</span>
                    {summary}
                    {icons::chevron()}
                </button>
            </h3>
            {shown}
            <div class="group-body" id=id hidden=move || !open.get()>
                {move || open.get().then(&body)}
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
    fn lines_break_between_facts_alone() {
        let kept = whole_facts("H100, 3.35 TB/s · two-batch");
        let facts: Vec<&str> = kept.split('\u{200b}').collect();
        assert_eq!(facts.len(), 3, "{facts:?}");
        assert!(!kept.contains(' ') && kept.contains("two-\u{2060}batch"));
    }

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
