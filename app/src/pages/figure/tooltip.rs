//! A chart's tooltip: next to the ruler, never off the screen.

use super::Act;
use super::live::{LivePlot, by_touch};
use answer::chart::hits::{TipRow, Tooltip};
use answer::theme::Role;
use leptos::html;
use leptos::prelude::*;

/// From the ruler to the tooltip.
const GAP_PX: f64 = 14.0;
/// From the tooltip to the screen's edge.
const EDGE_PX: f64 = 8.0;
/// Screen width below which it is a strip over the plot, as in the style sheet.
const STRIP_BELOW_PX: f64 = 761.0;

/// Position of a tooltip: right of its mark, else left, else as far as the screen allows; on a phone over the plot.
///
/// `mark` is relative to a chart at `origin` on the screen; so is the answer.
pub fn place(
    mark: (f64, f64),
    size: (f64, f64),
    origin: (f64, f64),
    screen: (f64, f64),
) -> (f64, f64) {
    if screen.0 < STRIP_BELOW_PX {
        let top = (origin.1 - size.1 - 2.0).max(EDGE_PX);
        return (0.0, top - origin.1);
    }
    let on_screen = mark.0 + origin.0;
    let right = on_screen + GAP_PX;
    let left = on_screen - GAP_PX - size.0;
    let x = if right + size.0 <= screen.0 - EDGE_PX {
        right
    } else if left >= EDGE_PX {
        left
    } else {
        (screen.0 - EDGE_PX - size.0).max(EDGE_PX)
    };
    let lowest = (screen.1 - EDGE_PX - size.1).max(EDGE_PX);
    let y = (mark.1 + origin.1 - 18.0).clamp(EDGE_PX, lowest);
    (x - origin.0, y - origin.1)
}

/// The tooltip of a plot.
pub fn tooltip(plot: LivePlot, act: Option<Act>) -> AnyView {
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        let Some(mark) = plot.tip.with(|tip| tip.as_ref().map(|tip| (tip.x, tip.y))) else {
            return;
        };
        // In a microtask its text is set, and one layout serves to measure and to show it.
        queue_microtask(move || {
            let node = node.try_get_untracked().flatten();
            let frame = plot.frame.try_get_untracked().flatten();
            if let Some((node, frame)) = node.zip(frame) {
                put(&node, &frame, mark);
            }
        });
    });
    view! {
        <div
            class="tooltip"
            node_ref=node
            role="status"
            class:shown=move || plot.tip.with(Option::is_some)
            class:held=move || plot.held.get()
        >
            {move || plot.tip.get().map(|tip| content(&tip.content, act.filter(|act| act.on.run(tip.index)), plot.held.get()))}
        </div>
    }
    .into_any()
}

/// Measures a tooltip and places it next to its mark.
fn put(node: &web_sys::HtmlDivElement, frame: &web_sys::HtmlDivElement, mark: (f64, f64)) {
    let number = |value: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| {
        value.ok().and_then(|value| value.as_f64()).unwrap_or(1e4)
    };
    let window = window();
    let screen = (
        number(window.inner_width()),
        number(window.inner_height()) - dock_height(),
    );
    let bounds = frame.get_bounding_client_rect();
    let size = (
        f64::from(node.offset_width()),
        f64::from(node.offset_height()),
    );
    let (x, y) = place(mark, size, (bounds.left(), bounds.top()), screen);
    // A transform needs no new layout.
    let moved = format!("translate({x:.0}px, {y:.0}px)");
    let _ = web_sys::HtmlElement::style(node).set_property("transform", &moved);
}

/// Height of a phone's dock at the foot of the screen.
fn dock_height() -> f64 {
    document()
        .query_selector(".dock")
        .ok()
        .flatten()
        .map_or(0.0, |dock| dock.get_bounding_client_rect().height())
}

/// Words for the gesture that acts on a hit, or pins its tooltip.
fn gesture(acts: bool, held: bool) -> &'static str {
    match by_touch() {
        true if acts && held => "Tap again",
        true => "Tap",
        false => "Click",
    }
}

fn content(tooltip: &Tooltip, act: Option<Act>, held: bool) -> AnyView {
    let source = tooltip.source.trim_end_matches('.').to_owned();
    view! {
        <p class="tooltip-head">
            <b>{tooltip.title.clone()}</b>
            <span>{tooltip.aside.clone()}</span>
        </p>
        <ul>{tooltip.rows.iter().map(row).collect_view()}</ul>
        <p class="tooltip-source">
            {(!source.is_empty()).then(|| format!("{source}. "))}
            {gesture(act.is_some(), held)}
            {match act {
                Some(act) => act.says,
                None if held => " unpins.",
                None => " pins.",
            }}
        </p>
    }
    .into_any()
}

fn row(row: &TipRow) -> AnyView {
    let swatch = row.role.map(|role| match role {
        Role::Idle => view! { <span class="swatch outline"></span> }.into_any(),
        role => {
            let colour = format!("var(--{}-fill)", role.name());
            view! { <span class="swatch" style:background=colour></span> }.into_any()
        }
    });
    view! {
        <li>
            <span class="tooltip-swatch">{swatch}</span>
            <span class="tooltip-label">
                {row.label.clone()}
                " "
                <span class="tone-muted">{row.note.clone()}</span>
            </span>
            <span class="tooltip-value">{row.value.clone()}</span>
        </li>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::place;

    const SCREEN: (f64, f64) = (1000.0, 800.0);
    const SIZE: (f64, f64) = (220.0, 180.0);

    #[test]
    fn on_a_phone_it_lies_over_the_plot() {
        let phone = (390.0, 700.0);
        assert_eq!(
            place((200.0, 60.0), (350.0, 44.0), (20.0, 300.0), phone),
            (0.0, -46.0)
        );
        // Not above the screen.
        assert_eq!(
            place((200.0, 60.0), (350.0, 44.0), (20.0, 10.0), phone),
            (0.0, -2.0)
        );
    }

    #[test]
    fn beside_the_ruler_and_on_the_screen() {
        assert_eq!(
            place((100.0, 50.0), SIZE, (300.0, 200.0), SCREEN),
            (114.0, 32.0)
        );
        // Too far right: to the left of the ruler.
        assert_eq!(
            place((500.0, 50.0), SIZE, (400.0, 200.0), SCREEN),
            (266.0, 32.0)
        );
        // Too low: up, as far as needed.
        let (_, y) = place((100.0, 260.0), SIZE, (300.0, 500.0), SCREEN);
        assert!((y + 500.0 + SIZE.1 - (SCREEN.1 - 8.0)).abs() < 1e-9);
        // A phone narrower than both sides need.
        let (x, _) = place((150.0, 50.0), SIZE, (16.0, 0.0), (360.0, 800.0));
        assert!(x + 16.0 >= 8.0 && x + 16.0 + SIZE.0 <= 352.0);
    }
}
