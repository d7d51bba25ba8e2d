//! Figures of the papers as small multiples; a click enlarges one.

use super::{Papers, figure, open};
use crate::controls::show::show_element;
use crate::icons;
use crate::pages::shell::toast::Toast;
use crate::state::App;
use answer::chart::Chart;
use answer::chart::record;
use answer::papers::{about, title};
use answer::picture::metrics::Inter;
use answer::picture::svg;
use answer::theme::Theme;
use leptos::html;
use leptos::prelude::*;
use model_core::permalink::{FigureId, PaperCurve};

/// Ids of the figures shown initially: one or two of each paper.
const FIRST: &str = "a-figure-10 b-figure-12 h-figure-1 h-figure-5 r-figure-6 l-figure-4";

/// Returns the figures shown initially.
pub fn first() -> impl Iterator<Item = PaperCurve> {
    FIRST.split(' ').filter_map(PaperCurve::of_id)
}

/// Width and height of a small multiple, in CSS px.
const SMALL: (f64, f64) = (163.0, 104.0);

/// Returns the figure named in the URL fragment, as in a copied link.
pub fn asked() -> Option<PaperCurve> {
    let fragment = window().location().hash().ok()?;
    match FigureId::of_id(fragment.strip_prefix('#')?)? {
        FigureId::Curve(curve) => Some(curve),
        _ => None,
    }
}

/// Draws a small multiple as SVG.
pub fn draw(data: &Chart, theme: &Theme) -> String {
    let (picture, _) = record(data, theme, &Inter::default(), SMALL);
    svg::document(&picture, None, theme, &data.finding)
}

/// Draws the figures of the listed papers, with the enlarged figure below.
pub fn strip(app: App, toast: Toast, page: Papers) -> AnyView {
    let paper = Memo::new(move |_| page.listed.with(|listed| listed.paper));
    let all = RwSignal::new(false);
    let shown = Memo::new(move |_| -> Vec<PaperCurve> {
        let of_paper = |curve: &PaperCurve| paper.get().is_none_or(|paper| curve.paper() == paper);
        match (paper.get(), all.get()) {
            (None, false) => first().collect(),
            _ => PaperCurve::ALL.into_iter().filter(of_paper).collect(),
        }
    });
    let every = Memo::new(move |_| paper.get().is_none());
    // During a search, the enlarged figure is hidden, so that the matching rows come first.
    let open = Memo::new(move |_| page.figure.get().filter(|_| page.words.read().is_empty()));
    view! {
        <section class="papers-figures" aria-label="Figures of the papers">
            <div class="papers-strip" class:wrapped=move || all.get() || !every.get()>
                <For each=move || shown.get() key=|id| id.id() children=move |id| one(app, page, id)/>
            </div>
            {move || every.get().then(|| view! {
                <button
                    type="button"
                    class="papers-more"
                    aria-expanded=move || all.get().to_string()
                    on:click=move |_| all.update(|all| *all = !*all)
                >
                    {move || if all.get() {
                        "fewer figures".to_owned()
                    } else {
                        format!("all {} figures", PaperCurve::ALL.len())
                    }}
                </button>
            })}
            {move || open.get().map(|id| enlarged(app, toast, page, id))}
        </section>
    }
    .into_any()
}

/// Draws one small multiple: its name, finding (one sentence) and picture.
fn one(app: App, page: Papers, id: PaperCurve) -> AnyView {
    let finding = page.curve(id).map(|data| data.finding.clone());
    let picture = move || page.drawn(app, id);
    let pressed = move || page.figure.get() == Some(id);
    view! {
        <button
            type="button"
            class="papers-small"
            aria-pressed=move || pressed().to_string()
            title="Enlarge"
            on:click=move |_| page.enlarge(app, (page.figure.get_untracked() != Some(id)).then_some(id))
        >
            <b>{title(id)}</b>
            <span>{finding}</span>
            <span class="papers-picture" aria-hidden="true" inner_html=picture></span>
        </button>
    }
    .into_any()
}

/// Draws the enlarged figure with its paper's claim.
fn enlarged(app: App, toast: Toast, page: Papers, id: PaperCurve) -> AnyView {
    let about = about(id);
    let frame = NodeRef::<html::Div>::new();
    // The figure may open below the visible part of the page.
    Effect::new(move |_| {
        if let Some(frame) = frame.get() {
            request_animation_frame(move || show_element(&frame));
        }
    });
    view! {
        <div class="papers-enlarged" node_ref=frame>
            {figure(app, toast, FigureId::Curve(id))}
            {about.map(|about| view! {
                <p class="papers-legend">
                    <span class="tone-muted">{about.printed}</span>
                    " "
                    {about.link.map(|link| open(app, link))}
                </p>
            })}
            <button
                type="button"
                class="icon-button papers-close"
                title="Close"
                aria-label="Close the figure"
                on:click=move |_| page.enlarge(app, None)
            >
                {icons::close()}
            </button>
        </div>
    }
    .into_any()
}
