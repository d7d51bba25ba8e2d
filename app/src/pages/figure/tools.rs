//! A chart's tools: as table, download, copy link, embed.

use super::Chart;
use super::export::{FileKind, file_name, save as to_file};
use crate::controls::choice::radio;
use crate::controls::shown::words_of;
use crate::icons;
use crate::pages::shell::clipboard::copy;
use crate::pages::shell::popover::Popover;
use crate::pages::shell::toast::Toast;
use crate::part::{Part, not_loaded};
use crate::state::{App, address};
use leptos::prelude::*;
use leptos::task::spawn_local;
use model_core::inputs::Number;
use model_core::permalink::{self, Link, Shown, Sliders};

/// The row of icons beside a chart's title.
pub fn tools(app: App, toast: Toast, chart: Chart, as_table: RwSignal<bool>) -> AnyView {
    let id = chart.id.id();
    let named = move |what: &str| format!("{what}: {}", chart.question);
    let anchored = move || format!("{}#{id}", address::absolute(&app.text.get_untracked()));
    view! {
        <div class="chart-tools">
            <button
                type="button"
                class="icon-button"
                title="As table"
                aria-label=named("As table")
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

/// The icon that opens a popover of a chart.
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

/// Saves a chart as a file, as soon as what does so is there, and says so.
fn save(app: App, toast: Toast, chart: Chart, kind: FileKind) {
    spawn_local(async move {
        match save_part(app, chart, kind).await {
            Ok(true) => toast.say("Saved"),
            Ok(false) => toast.say("There is nothing to save"),
            Err(_) => toast.say(not_loaded("What saves it").await),
        }
    });
}

/// The link of a figure alone, following the reader's colours unless it has some of its own.
fn embed_link(
    app: App,
    figure: permalink::FigureId,
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

/// Heights of a frame to choose from; the first has room for the tallest chart at the width of a column of text.
const HEIGHTS_PX: [u32; 3] = [420, 320, 560];
/// Colours of a figure to choose from.
const THEMES: [(Option<permalink::ThemeChoice>, &str); 3] = [
    (None, "the reader's"),
    (Some(permalink::ThemeChoice::Light), "light"),
    (Some(permalink::ThemeChoice::Dark), "dark"),
];

/// Sliders to choose from; a link may name any other number.
const LIVE: [Number; Sliders::MOST] = [
    Number::Gpus,
    Number::ScaleOut,
    Number::Batch,
    Number::Context,
    Number::Beta,
    Number::Slo,
];

/// A row of sliders below a figure, of which a column of text has two side by side.
const SLIDERS_PX: u32 = 68;

/// Height of a frame whose figure has so many sliders below it.
fn with_sliders(height_px: u32, sliders: Sliders) -> u32 {
    let count = sliders.iter().count() as u32;
    height_px + SLIDERS_PX * count.div_ceil(2)
}

/// A figure in a frame. No `style`, which MDX refuses as text, and the spelling of the border that React knows.
pub fn iframe_code(url: &str, title: &str, height: u32) -> String {
    format!(
        "<iframe src=\"{}\" title=\"{title}\" width=\"100%\" height=\"{height}\" frameBorder=\"0\" loading=\"lazy\"></iframe>",
        escape(url)
    )
}

/// A saved picture with a link, in Markdown.
fn still_code(file: &str, url: &str, title: &str) -> String {
    format!("[![{title}]({file})]({url})")
}

/// A figure as an element that sizes itself; a plain script, which a host without CORS headers may serve, and a link
/// where it does not run.
pub fn element_code(script: &str, url: &str, title: &str) -> String {
    let (script, url) = (escape(script), escape(url));
    format!(
        "<script src=\"{script}\" async></script>\n<ridgepoint-figure src=\"{url}\"><a href=\"{url}\">{title} – Ridgepoint</a></ridgepoint-figure>"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}

/// Options of an embedded figure, kept while its chart lives.
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
        height_px: RwSignal::new(HEIGHTS_PX[0]),
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

/// The figure as others will see it, what can be chosen, and what to copy.
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
    let heights = HEIGHTS_PX.map(|value| {
        let (chosen, choose) = (move || height.get() == value, move || height.set(value));
        radio(
            format!("{name}-height"),
            "",
            chosen,
            choose,
            format!("{value} px"),
        )
    });
    let tried = move || {
        LIVE.map(|number| {
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
        })
        .collect_view()
    };
    view! {
        <iframe
            class="embed-preview"
            title="Preview"
            src=link
            style:height=move || format!("{}px", with_sliders(height.get(), sliders.get()))
        ></iframe>
        <fieldset class="choices-list" aria-label="Sliders that stay below it">
            <span class="choices-name">"Sliders"</span>
            {tried()}
        </fieldset>
        <fieldset class="choices-list" aria-label="Colours">{themes.collect_view()}</fieldset>
        <fieldset class="choices-list" aria-label="Height of the frame">{heights.collect_view()}</fieldset>
        {code(toast, "A frame, for any page:", iframe, "Copy frame", "Frame copied")}
        {code(toast, "An element that sizes itself:", element, "Copy element", "Element copied")}
        {code(
            toast,
            "A still for places that strip frames, in Markdown; save it as SVG first:",
            still,
            "Copy Markdown",
            "Markdown copied",
        )}
    }
    .into_any()
}

/// Code with its explanation and a button that copies it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_to_embed_is_escaped() {
        let code = iframe_code("https://a.b/?v=1&embed=memory", "Does it fit?", 420);
        assert!(
            code.contains("src=\"https://a.b/?v=1&amp;embed=memory\""),
            "{code}"
        );
        assert!(!code.contains("style="), "MDX takes no text for a style");
        let few = Sliders::NONE.with(Number::Batch, true);
        assert_eq!(with_sliders(420, Sliders::NONE), 420);
        assert!(with_sliders(420, few) > 420);
        let still = still_code("figure.svg", "https://a.b/?v=1", "Why?");
        assert_eq!(still, "[![Why?](figure.svg)](https://a.b/?v=1)");
        let code = element_code("https://a.b/embed.js", "https://a.b/?v=1&x=\"", "Why?");
        let link = "<a href=\"https://a.b/?v=1&amp;x=&quot;\">Why? – Ridgepoint</a>";
        assert!(
            code.contains("src=\"https://a.b/?v=1&amp;x=&quot;\">") && code.contains(link),
            "{code}"
        );
    }
}
