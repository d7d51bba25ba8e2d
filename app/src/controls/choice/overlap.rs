//! Draws a timeline of the chosen overlap schedule: a lane for compute above a lane for communication.

use leptos::prelude::*;

/// Returns the SVG paths of both lanes: for each lane, the blocks of the first batch, then those of the second batch.
/// Blocks are 12 px high; the drawing is 240 px wide.
const fn lanes(schedule: &str) -> [[&'static str; 2]; 2] {
    match schedule.as_bytes() {
        b"two-batch" => [
            [
                "M0 2h58v12h-58zM120 2h58v12h-58z",
                "M60 2h58v12h-58zM180 2h58v12h-58z",
            ],
            ["M60 18h46v12h-46zM180 18h46v12h-46z", "M120 18h46v12h-46z"],
        ],
        b"hop-b" => [
            [
                "M0 2h28v12h-28zM60 2h28v12h-28zM122 2h76v12h-76z",
                "M30 2h28v12h-28z",
            ],
            ["M30 18h24v12h-24zM90 18h24v12h-24z", "M60 18h24v12h-24z"],
        ],
        _ => [
            ["M0 2h68v12h-68zM120 2h68v12h-68z", ""],
            ["M70 18h48v12h-48zM190 18h48v12h-48z", ""],
        ],
    }
}

/// Draws the chosen schedule. Screen readers skip the drawing, because the help text describes it.
pub fn picture(schedule: Memo<&'static str>) -> AnyView {
    let lane = |place: usize, class: &'static str| {
        let path = move |other: usize| lanes(schedule.get())[place][other];
        view! {
            <g class=class>
                <path d=move || path(0)></path>
                <path d=move || path(1) opacity="0.5"></path>
            </g>
        }
    };
    view! {
        <svg class="overlap-picture" viewBox="0 0 240 32" aria-hidden="true">
            {lane(0, "overlap-compute")}
            {lane(1, "overlap-comm")}
        </svg>
    }
    .into_any()
}
