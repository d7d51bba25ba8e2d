//! The derivation of a number as a tree, operated by mouse or arrow keys.

use crate::controls::reveal::reveal;
use answer::explain::{ExplainLine, Leaf, Piece, equation, filled, first_line, lines_below};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use model_core::account::Account;
use std::collections::BTreeSet;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Lines whose initial state (open or closed) the user has toggled, each identified by its path of indices from the
/// root.
#[derive(Clone, Copy)]
struct Turned(RwSignal<BTreeSet<Vec<usize>>>);

/// State that determines which lines of the tree are open.
#[derive(Clone, Copy)]
struct Lines {
    turned: RwSignal<BTreeSet<Vec<usize>>>,
    painted: RwSignal<bool>,
}

/// Number of tree levels that are open initially.
const OPEN: usize = 2;

/// Tooltip of the link from a formula to the same equation in `docs/model.md`.
const EQUATION: &str = "This equation in the model";

/// Draws the tree. Only the root line is open until the first paint; afterwards, two levels are open. Lines that the
/// user opened stay open when the scenario changes.
pub fn tree(root: &Arc<Account>, painted: RwSignal<bool>) -> AnyView {
    let lines = Lines {
        turned: crate::part::kept(|| Turned(RwSignal::new(BTreeSet::new()))).0,
        painted,
    };
    view! {
        <ul class="explain-tree" role="tree" aria-labelledby="explain-title" on:keydown=move |event| walk(&event)>
            {line(root, &first_line(root), Vec::new(), lines)}
        </ul>
    }
    .into_any()
}

/// Draws a line; its child lines are created when the line is opened.
fn line(root: &Arc<Account>, of: &ExplainLine, path: Vec<usize>, lines: Lines) -> AnyView {
    let Lines { turned, painted } = lines;
    let level = path.len();
    let has_parts = of.leaf.is_none();
    let own = StoredValue::new(path);
    let open = Memo::new(move |_| {
        let other = own.with_value(|path| turned.with(|turned| turned.contains(path)));
        let first = level == 0 || painted.get();
        has_parts && ((first && level < OPEN) != other)
    });
    let turn = move || {
        let path = own.get_value();
        turned.update(|turned| {
            if !turned.remove(&path) {
                turned.insert(path);
            }
        });
    };
    let root = Arc::clone(root);
    let more = of.more.clone();
    let share = of.share.map(|share| format!("{:.1}%", 100.0 * share));
    view! {
        <li
            role="treeitem"
            prop:ariaLevel=(level + 1).to_string()
            aria-expanded=move || has_parts.then(|| open.get().to_string())
            tabindex=if level == 0 { "0" } else { "-1" }
        >
            <div class="explain-line" class:turns=has_parts on:click=move |event| {
                if has_parts && !is_control(&event) {
                    turn();
                }
            }>
                <span class="explain-mark" aria-hidden="true">
                    {move || has_parts.then(|| if open.get() { "▾" } else { "▸" })}
                </span>
                <span class="explain-name">
                    {of.times.clone().map(|times| view! { <span class="tone-muted">{times} " "</span> })}
                    {of.name}
                </span>
                {share.map(|share| view! { <i class="explain-share" aria-hidden="true"><b style:width=share></b></i> })}
                <span class="explain-value">{of.value.clone()}</span>
                {of.leaf.clone().map(origin)}
                {move || open.get().then_some(())}
            </div>
            {formula(of)}
            {move || open.get().then(|| {
                let path = own.get_value();
                let parts = lines_below(&root, &path);
                view! {
                    <ul role="group">
                        {parts
                            .iter()
                            .enumerate()
                            .map(|(at, part)| {
                                let mut below = path.clone();
                                below.push(at);
                                line(&root, part, below, lines)
                            })
                            .collect_view()}
                        {more.clone().map(|more| view! { <li class="tone-muted explain-more" role="none">{more}</li> })}
                    </ul>
                }
            })}
        </li>
    }
    .into_any()
}

/// Returns true if the click hit a link or button within a line; such a click does not open or close the line.
fn is_control(event: &leptos::ev::MouseEvent) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|target| target.closest("a, button").ok().flatten().is_some())
}

fn origin(leaf: Leaf) -> AnyView {
    let cited = |source: Option<model_core::source::Source>| {
        source.map(|source| match source.address() {
            Some(address) => view! {
                <a href=address title=source.locator target="_blank" rel="noopener noreferrer">{source.short()}</a>
            }
            .into_any(),
            None => view! { <span title=source.locator>{source.short()}</span> }.into_any(),
        })
    };
    match leaf {
        Leaf::Input(key) => view! {
            <span class="explain-origin">
                "input · "
                <button type="button" class="quiet" on:click=move |_| reveal(key)>"change"</button>
            </span>
        }
        .into_any(),
        Leaf::Fact(source) => {
            view! { <span class="explain-origin">"fact · " {cited(source)}</span> }.into_any()
        }
        Leaf::Constant(source, extrapolated) => view! {
            <span class="explain-origin">
                {if extrapolated { "constant, extrapolated · " } else { "constant · " }}
                {cited(source)}
            </span>
        }
        .into_any(),
    }
}

/// Draws a formula, such as "= bytes ÷ (bandwidth × share)", once with symbols and once with values.
fn formula(of: &ExplainLine) -> Option<AnyView> {
    if of.formula.is_empty() {
        return None;
    }
    let symbols = of.formula.iter().map(|piece| match piece {
        Piece::Quantity([base, ""], _) => view! { <math><mi>{*base}</mi></math> }.into_any(),
        Piece::Quantity([base, index], _) => {
            view! { <math><msub><mi>{*base}</mi><mtext>{*index}</mtext></msub></math> }.into_any()
        }
        Piece::Number(number) => number.clone().into_any(),
        Piece::Sign(sign) => (*sign).into_any(),
    });
    let symbols = symbols.collect_view();
    Some(
        view! {
            <div class="explain-formula">
                <p>"= " {match of.section {
                    Some(section) => view! {
                        <a href=format!("./{}", equation(section)) title=EQUATION target="_blank" rel="noopener">
                            {symbols}
                        </a>
                    }
                    .into_any(),
                    None => symbols.into_any(),
                }}</p>
                <p>"= " {filled(&of.formula)}</p>
            </div>
        }
        .into_any(),
    )
}

/// Moves the focus by keyboard as in any tree view. Up, Down, Home and End move among the visible lines; Right opens
/// or enters a line; Left closes or leaves it.
fn walk(event: &KeyboardEvent) {
    let Some(here) = focused() else { return };
    let expanded = here.get_attribute("aria-expanded");
    let is = |state: &str| expanded.as_deref() == Some(state);
    let shown = items();
    let place = shown.iter().position(|item| item == &here);
    let to = match (event.key().as_str(), place) {
        ("ArrowDown", Some(place)) => shown.get(place + 1).cloned(),
        ("ArrowUp", Some(place)) => place
            .checked_sub(1)
            .and_then(|place| shown.get(place).cloned()),
        ("Home", _) => shown.first().cloned(),
        ("End", _) => shown.last().cloned(),
        ("ArrowRight", Some(place)) if is("true") => shown.get(place + 1).cloned(),
        ("ArrowRight", _) if is("false") => {
            press(&here);
            None
        }
        ("ArrowLeft", _) if is("true") => {
            press(&here);
            None
        }
        ("ArrowLeft", _) => here
            .parent_element()
            .and_then(|group| group.closest("[role=treeitem]").ok().flatten())
            .and_then(|item| item.dyn_into().ok()),
        ("Enter" | " ", _) if expanded.is_some() => {
            press(&here);
            None
        }
        _ => return,
    };
    event.prevent_default();
    if let Some(to) = to {
        here.set_tab_index(-1);
        to.set_tab_index(0);
        let _ = to.focus();
    }
}

fn focused() -> Option<HtmlElement> {
    let active = document().active_element()?;
    let item = active.dyn_into::<HtmlElement>().ok()?;
    (item.get_attribute("role").as_deref() == Some("treeitem")).then_some(item)
}

fn press(item: &HtmlElement) {
    let line = item.query_selector(".explain-line").ok().flatten();
    if let Some(line) = line.and_then(|line| line.dyn_into::<HtmlElement>().ok()) {
        line.click();
    }
}

/// Returns the visible lines from top to bottom.
fn items() -> Vec<HtmlElement> {
    let Ok(found) = document().query_selector_all(".explain-tree [role=treeitem]") else {
        return Vec::new();
    };
    let item = |at: u32| found.item(at)?.dyn_into::<HtmlElement>().ok();
    (0..found.length()).filter_map(item).collect()
}
