//! One large deployment or many: a chart with its own numbers.

use crate::answer::plans::{impossible_instances, in_one_domain, instances_data, instances_of};
use crate::charts::AnyFigure;
use crate::charts::InstancesData;
use crate::controls::field::field;
use crate::format;
use crate::pages::figure::{Chart, Made, plot::plot};
use crate::pages::shell::rest::undragged;
use crate::state::App;
use leptos::prelude::*;
use model_core::inputs::Number;
use model_core::permalink::FigureId;
use std::sync::Arc;

/// The chart's data, the last ones while the scenario is invalid. Recomputed when a drag ends, like the view's
/// search.
fn data(app: App) -> Memo<Option<Arc<InstancesData>>> {
    let asked = undragged(app, Memo::new(move |_| app.link.with(instances_of)));
    Memo::new(move |earlier: Option<&Option<Arc<InstancesData>>>| {
        asked.with(|link| {
            let data = instances_data(link).map(Arc::new);
            data.or_else(|| earlier.cloned().flatten())
                .or_else(|| Some(Arc::new(impossible_instances(link))))
        })
    })
}

/// Data shared by the chart and the sentence above it.
#[derive(Clone, Copy)]
struct SharedInstances(Memo<Option<Arc<InstancesData>>>);

/// The chart.
pub fn made(app: App, _: FigureId) -> Made {
    let data = data(app);
    provide_context(SharedInstances(data));
    Made::of(move || data.get().as_ref().map(AnyFigure::of))
}

/// The chart under its own numbers: "8 replicas of 32, or one of 256 over the same links", or
/// "8 replicas of 32, or 256 in one domain at 50 GB/s (wins from 33.8)".
pub fn body(app: App, chart: Chart) -> AnyView {
    let shared = use_context::<SharedInstances>();
    let of = move |look: fn(&InstancesData) -> String| {
        shared.and_then(|SharedInstances(data)| data.with(|data| data.as_deref().map(look)))
    };
    let wrong = RwSignal::new(None::<String>);
    let number = move |number: Number, id: &'static str| {
        field(app, number, id.to_owned(), format!("{id}-help"), wrong)
    };
    let domain = Memo::new(move |_| app.link.with(in_one_domain));
    view! {
        <div class="instances-words">
            {number(Number::Instances, "instances-count")}
            {move || if domain.get() {
                view! {
                    <span>
                        {move || of(|data| format!("replicas of {}, or {} in one domain at",
                            format::count(data.small_gpus),
                            format::count(data.small_gpus * data.count)))}
                    </span>
                    {number(Number::Interconnect, "instances-link")}
                    <span class="tone-muted">{move || of(|data| format!("({})", data.wins()))}</span>
                }.into_any()
            } else {
                view! {
                    <span>
                        {move || of(|data| format!("replicas of {}, or one of {} over the same links",
                            format::count(data.small_gpus),
                            format::count(data.small_gpus * data.count)))}
                    </span>
                }.into_any()
            }}
            <span class="hidden" id="instances-count-help">
                "Replicas of this deployment, compared with one large deployment on all their GPUs. [B] VII-C"
            </span>
            <span class="hidden" id="instances-link-help">
                "Bandwidth between all GPUs of the large deployment, per GPU and direction. [B] VII-C"
            </span>
        </div>
        {move || wrong.get().map(|reason| view! { <p class="row-wrong" role="alert">{reason}</p> })}
        {plot(app, chart)}
    }
    .into_any()
}
