//! Icons, 16 px, drawn with hairlines in the color of the surrounding text.

use leptos::prelude::*;

fn icon(paths: &'static str) -> AnyView {
    view! {
        <svg
            class="icon"
            viewBox="0 0 16 16"
            width="16"
            height="16"
            fill="none"
            stroke="currentColor"
            stroke-width="1.3"
            stroke-linecap="round"
            stroke-linejoin="round"
            aria-hidden="true"
        >
            <path d=paths></path>
        </svg>
    }
    .into_any()
}

/// The product's logo: a roofline with its ridge point.
pub fn brand() -> AnyView {
    view! {
        <svg class="brand-icon" viewBox="0 0 26 16" width="26" height="16" fill="none" aria-hidden="true">
            <path d="M1.5 14.5 12 4" stroke="currentColor" stroke-width="2" stroke-linecap="round"></path>
            <path d="M19 2.5h5.5" stroke="currentColor" stroke-width="2" stroke-linecap="round"></path>
            <circle cx="15" cy="2.8" r="2.3" fill="var(--accent)"></circle>
        </svg>
    }
    .into_any()
}

/// Icon: arrow of a collapsible section.
pub fn chevron() -> AnyView {
    icon("m6 4 4 4-4 4")
}

/// Icon: arrow of a drop-down menu.
pub fn chevron_down() -> AnyView {
    icon("m4 6 4 4 4-4")
}

/// Icon: a table.
pub fn table() -> AnyView {
    icon("M2 3h12v10H2zM2 6.5h12M6.5 6.5V13")
}

/// Icon: download.
pub fn download() -> AnyView {
    icon("M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11")
}

/// Icon: link, for copying the permalink.
pub fn link() -> AnyView {
    icon(
        "M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2.3-2.3A2.6 2.6 0 0 0 9 3.300L8 4.300M9.3 6.700a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.700l1-1",
    )
}

/// Icon: embed code.
pub fn embed() -> AnyView {
    icon("M5 4.5 1.5 8 5 11.500M11 4.5 14.5 8 11 11.5")
}

/// Icon: share.
pub fn share() -> AnyView {
    icon("M8 10V2M5.2 4.5 8 1.700l2.8 2.800M4.5 7.500h-2v6.500h11V7.500h-2")
}

/// Icon: a gauge, for measurements.
pub fn measure() -> AnyView {
    icon("M2 12.500a6 6 0 1 1 12 0M8 12.500l3-5")
}

/// Icon: sliders, for the full scenario panel.
pub fn sliders() -> AnyView {
    icon(
        "M1.5 5h6M11.5 5h3M1.5 11h3M8.5 11h6M9.5 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4M6.5 9a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
    )
}

/// Icon: an open book, for the guide.
pub fn learn() -> AnyView {
    icon(
        "M8 4.2v9M8 4.2c-1.7-1.1-3.9-1.3-6-.5v9c2.1-.8 4.3-.6 6 .5 1.7-1.1 3.9-1.3 6-.5v-9c-2.1-.8-4.3-.6-6 .5",
    )
}

/// Icon: close.
pub fn close() -> AnyView {
    icon("m4 4 8 8M12 4l-8 8")
}

/// Icon: open in another view or page.
pub fn open() -> AnyView {
    icon("M6 3H3v10h10v-3M9 2.500h4.500V7M13.5 2.5 7.5 8.5")
}

/// Icon: question mark.
pub fn about() -> AnyView {
    icon(
        "M8 1.8a6.200 6.200 0 1 1 0 12.400A6.200 6.200 0 0 1 8 1.800M6.200 6.300a1.900 1.900 0 1 1 2.700 1.700c-.6.3-.9.6-.9 1.300M8 11.400v.2",
    )
}

/// Icon: half dark, half light, for the color theme.
pub fn colours() -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" stroke-width="1.4"></circle>
            <path d="M8 2.200a5.8 5.8 0 0 1 0 11.600z" fill="currentColor"></path>
        </svg>
    }
    .into_any()
}
