//! Scrolls to a chart.

use leptos::prelude::*;

/// Max number of animation frames to wait for a chart that is not on the page yet, as its program part may be loading.
const PATIENCE: u32 = 300;

/// Scrolls to the element with this `id` once it exists.
pub fn scroll_to(id: String) {
    look(id, PATIENCE);
}

fn look(id: String, frames: u32) {
    request_animation_frame(move || match document().get_element_by_id(&id) {
        Some(target) => target.scroll_into_view(),
        None if frames > 0 => look(id, frames - 1),
        None => {}
    });
}
