//! A chart on the page: its canvas and tooltip, and the handling of pointer and key events.

use super::Chart;
use super::live::live;
use super::tooltip::tooltip;
use crate::state::App;
use leptos::prelude::*;

/// Describes a chart in one sentence for screen readers.
pub fn spoken(chart: Chart) -> String {
    let finding = chart.of(|data| data.finding.clone()).unwrap_or_default();
    format!("{} {finding}.", chart.question)
}

/// Draws a chart's canvas and tooltip.
pub fn plot(app: App, chart: Chart) -> AnyView {
    let plot = live(app, chart);
    view! {
        <div
            class="plot"
            node_ref=plot.frame
            tabindex="0"
            role="application"
            aria-roledescription="chart"
            aria-label=move || spoken(chart)
            class:pointing=move || plot.focus.get().is_some()
            style:height=move || format!("{}px", plot.height.get())
            on:pointermove=move |event| plot.point(&event)
            on:pointerleave=move |event| plot.leave(&event)
            on:click=move |event| match plot.acts_on(&event).and_then(|hit| Some((chart.act_on(hit)?, hit))) {
                Some((act, hit)) => {
                    plot.clear();
                    act.run.run(hit);
                }
                None => plot.click(&event),
            }
            on:keydown=move |event| match plot.focus.get_untracked().and_then(|hit| Some((chart.act_on(hit)?, hit))) {
                Some((act, hit)) if matches!(event.key().as_str(), "Enter" | " ") => {
                    event.prevent_default();
                    act.run.run(hit);
                }
                _ => plot.key(&event),
            }
            on:blur=move |_| plot.clear()
        >
            <canvas node_ref=plot.canvas aria-hidden="true"></canvas>
            {tooltip(plot, chart.act)}
        </div>
    }
    .into_any()
}
