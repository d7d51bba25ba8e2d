//! The tools of a chart: show its table, save it as a file, copy its link, and embed it.

use super::Chart;
use super::export::{FileKind, file_name, save as to_file};
use crate::controls::choice::radio;
use crate::icons;
use crate::pages::shell::clipboard::copy;
use crate::pages::shell::popover::Popover;
use crate::pages::shell::toast::Toast;
use crate::part::{Part, not_loaded};
use crate::state::{App, address};
use answer::controls::shown::words_of;
use answer::page::embed::{PLACE, element_code, iframe_code, still_code, with_sliders};
use leptos::prelude::*;
use leptos::task::spawn_local;
use model_core::inputs::Number;
use model_core::permalink::{self, FigureId, Link, Shown, Sliders};

/// Draws the row of tool icons next to a chart's title.
pub fn tools(app: App, toast: Toast, chart: Chart, as_table: RwSignal<bool>) -> AnyView {
    let id = chart.id.id();
    let named = move |what: &str| format!("{what}: {}", chart.question);
    let anchored = move || format!("{}#{id}", address::absolute(&app.text.get_untracked()));
    view! {
        <div class="chart-tools">
            <button
                type="button"
                class="icon-button"
                title="Show table"
                aria-label=named("Show table")
                aria-pressed=move || as_table.get().to_string()
                on:click=move |_| as_table.update(|shown| *shown = !*shown)
            >
                {icons::table()}
            </button>
            {download_menu(app, toast, chart)}
            <button
                type="button"
                class="icon-button"
                title="Copy link"
                aria-label=named("Copy link")
                on:click=move |_| copy(anchored(), toast, "Link copied")
            >
                {icons::link()}
            </button>
            {embed_popover(app, toast, chart)}
        </div>
    }
    .into_any()
}

fn opener(
    popover: Popover,
    chart: Chart,
    title: &'static str,
    opens: &'static str,
    icon: AnyView,
) -> AnyView {
    view! {
        <button
            type="button"
            class="icon-button"
            title=title
            aria-label=format!("{title}: {}", chart.question)
            aria-haspopup=opens
            aria-expanded=move || popover.is_open().to_string()
            on:click=move |_| popover.toggle()
        >
            {icon}
        </button>
    }
    .into_any()
}

fn download_menu(app: App, toast: Toast, chart: Chart) -> AnyView {
    let popover = Popover::new();
    let item = move |kind: FileKind| {
        view! {
            <button
                type="button"
                class="menu-item"
                role="menuitem"
                on:click=move |_| {
                    save(app, toast, chart, kind);
                    popover.close();
                }
            >
                {kind.name()}
                <span class="tone-muted">{kind.detail()}</span>
            </button>
        }
    };
    view! {
        <div class="popover" node_ref=popover.node on:keydown=move |event| popover.key(&event)>
            {opener(popover, chart, "Download", "menu", icons::download())}
            <div class="menu menu-right" role="menu" hidden=move || !popover.is_open()>
                {FileKind::ALL.map(item).collect_view()}
            </div>
        </div>
    }
    .into_any()
}

part!(beside, save_part, load_save, to_file(app: App, chart: Chart, kind: FileKind) -> bool);

/// Saves a chart as a file once the export code has loaded, and shows a toast.
fn save(app: App, toast: Toast, chart: Chart, kind: FileKind) {
    spawn_local(async move {
        match save_part(app, chart, kind).await {
            Ok(true) => toast.say("Saved"),
            Ok(false) => toast.say("Nothing to save"),
            Err(_) => toast.say(not_loaded("The export code").await),
        }
    });
}

/// Returns the permalink of a single embedded figure. If the permalink sets no theme, the figure follows the reader's
/// system theme.
fn embed_link(
    app: App,
    figure: FigureId,
    theme: Option<permalink::ThemeChoice>,
    sliders: Sliders,
) -> String {
    let link = app.link.with(Link::clone);
    let shown = Shown {
        view: figure.view(),
        embed: Some(figure),
        sliders,
        theme,
        ..link.shown
    };
    address::absolute(&permalink::write(&Link { shown, ..link }))
}

/// Returns the height, in px, of an iframe that fits a figure without sliders, at the width of a text column (640 to
/// 760 px).
const fn room_px(figure: FigureId) -> u32 {
    match figure {
        FigureId::Map => 760,
        FigureId::Measured => 660,
        FigureId::Levers => 710,
        FigureId::Plans => 510,
        FigureId::Context => 470,
        FigureId::Pareto | FigureId::Timeline | FigureId::Curve(_) => 445,
        _ => 420,
    }
}

/// Heights, in px, offered for the iframe in addition to the figure's default height.
const OTHER_HEIGHTS_PX: [u32; 2] = [320, 560];
const THEMES: [(Option<permalink::ThemeChoice>, &str); 3] = [
    (None, "system"),
    (Some(permalink::ThemeChoice::Light), "light"),
    (Some(permalink::ThemeChoice::Dark), "dark"),
];

/// Options of an embedded figure, stored for as long as the chart is shown.
#[derive(Clone, Copy)]
struct Embedding {
    theme: RwSignal<Option<permalink::ThemeChoice>>,
    height_px: RwSignal<u32>,
    sliders: RwSignal<Sliders>,
}

const EMBED: Part = Part {
    name: "Embed",
    styles: &[],
    load: Some(|| Box::pin(load_embed())),
};

part!(beside, embed_part, load_embed, embed_menu(app: App, toast: Toast, chart: Chart, embedding: Embedding) -> AnyView);

fn embed_popover(app: App, toast: Toast, chart: Chart) -> AnyView {
    let popover = Popover::new();
    let embedding = Embedding {
        theme: RwSignal::new(None),
        height_px: RwSignal::new(room_px(chart.id)),
        sliders: RwSignal::new(Sliders::NONE),
    };
    view! {
        <div class="popover" node_ref=popover.node>
            {opener(popover, chart, "Embed", "dialog", icons::embed())}
            {move || {
                popover
                    .is_open()
                    .then(|| {
                        view! {
                            <div class="menu menu-right embed-menu" role="dialog" aria-label="Embed this figure">
                                <button
                                    type="button"
                                    class="icon-button menu-close"
                                    aria-label="Close"
                                    on:click=move |_| popover.close()
                                >
                                    {icons::close()}
                                </button>
                                <h2>"Embed this figure"</h2>
                                {EMBED.shown(true, move || embed_part(app, toast, chart, embedding))}
                            </div>
                        }
                    })
            }}
        </div>
    }
    .into_any()
}

/// Draws a preview of the embedded figure, its options, and the code to copy.
fn embed_menu(app: App, toast: Toast, chart: Chart, embedding: Embedding) -> AnyView {
    let Embedding {
        theme,
        height_px: height,
        sliders,
    } = embedding;
    let link = move || embed_link(app, chart.id, theme.get(), sliders.get());
    let iframe = move || {
        let height = with_sliders(height.get(), sliders.get());
        iframe_code(&link(), chart.question, height)
    };
    let still = move || {
        let page = address::absolute(&app.text.get());
        still_code(&file_name(app, chart, "svg"), &page, chart.question)
    };
    let element = move || element_code(&address::beside("embed.js"), &link(), chart.question);
    let name = format!("embed-{}", chart.id.id());
    let themes = THEMES.map(|(value, says)| {
        let chosen = move || theme.get() == value;
        radio(
            format!("{name}-theme"),
            "",
            chosen,
            move || theme.set(value),
            says,
        )
    });
    let [small, large] = OTHER_HEIGHTS_PX;
    let heights = [room_px(chart.id), small, large].map(|value| {
        let (chosen, choose) = (move || height.get() == value, move || height.set(value));
        radio(
            format!("{name}-height"),
            "",
            chosen,
            choose,
            format!("{value} px"),
        )
    });
    let slider = move |number: &Number| {
        let number = *number;
        view! {
            <label class="choice" class:chosen=move || sliders.get().has(number)>
                <input
                    type="checkbox"
                    prop:checked=move || sliders.get().has(number)
                    on:change=move |_| sliders.update(|of| *of = of.with(number, !of.has(number)))
                />
                {words_of(number).name}
            </label>
        }
    };
    let offered = chart.id.sliders();
    view! {
        <iframe
            class="embed-preview"
            title="Preview"
            src=link
            style:height=move || format!("{}px", with_sliders(height.get(), sliders.get()))
        ></iframe>
        {(!offered.is_empty()).then(|| view! {
            <fieldset class="choices-list" aria-label="Sliders shown below the chart">
                <span class="choices-name">"Sliders"</span>
                {offered.iter().map(slider).collect_view()}
            </fieldset>
        })}
        <fieldset class="choices-list" aria-label="Theme">{themes.collect_view()}</fieldset>
        <fieldset class="choices-list" aria-label="Frame height">{heights.collect_view()}</fieldset>
        {code(toast, "iframe:", iframe, "Copy frame", "Frame copied")}
        {code(toast, "Self-sizing element:", element, "Copy element", "Element copied")}
        {code(
            toast,
            "Reserve space while the script loads (for your style sheet):",
            || PLACE.to_owned(),
            "Copy styles",
            "Styles copied",
        )}
        {code(
            toast,
            "Static image in Markdown, for sites that strip iframes (download the SVG first):",
            still,
            "Copy Markdown",
            "Markdown copied",
        )}
    }
    .into_any()
}

fn code(
    toast: Toast,
    about: &'static str,
    text: impl Fn() -> String + Copy + Send + Sync + 'static,
    button: &'static str,
    done: &'static str,
) -> AnyView {
    view! {
        <p>{about}</p>
        <pre tabindex="0">{text}</pre>
        <button type="button" class="act" on:click=move |_| copy(untrack(text), toast, done)>
            {button}
        </button>
    }
    .into_any()
}
