//! “Your scenarios”: the user's saved scenarios and prices, stored in this browser and exportable as a file.

use super::popover::Popover;
use super::toast::Toast;
use crate::controls::pasted::read_files;
use crate::icons;
use crate::listen::on_window;
use crate::pages::figure::export::save_text;
use crate::pages::helps::plain;
use crate::part::Part;
use crate::state::App;
use crate::state::own_prices::{own_prices, store_price};
use crate::state::storage::{store, stored};
use answer::own::{OwnError, OwnList, OwnScenario};
use answer::words::format;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use model_core::hardware::catalog::Entry;
use model_core::inputs::{Gpu, Number, Prices};
use model_core::permalink::{self, Link, Shown, Sliders};

const OWN: Part = Part {
    name: "Your scenarios",
    styles: &["own"],
    load: Some(|| Box::pin(load_own())),
};

part!(beside, own_part, load_own, panel(app: App, toast: Toast, popover: Popover) -> AnyView);

/// Draws the “Your scenarios” dialog while it is open.
pub fn dialog(app: App, toast: Toast, popover: Popover) -> AnyView {
    view! {
        {move || {
            popover
                .is_open()
                .then(|| {
                    view! {
                        <div class="menu menu-right about own-list" role="dialog" aria-label="Your scenarios">
                            {OWN.shown(true, move || own_part(app, toast, popover))}
                        </div>
                    }
                })
        }}
    }
    .into_any()
}

const STORED: &str = "ridgepoint-scenarios";

/// The scenarios and prices stored in this browser, as shown in the dialog.
#[derive(Clone, Copy)]
struct Own {
    list: RwSignal<OwnList>,
    prices: RwSignal<Prices>,
    /// Notice about a storage problem; empty if there is no problem.
    trouble: RwSignal<&'static str>,
    toast: Toast,
}

impl Own {
    fn new(toast: Toast) -> Self {
        let own = Self {
            list: RwSignal::new(OwnList::default()),
            prices: RwSignal::new(own_prices()),
            trouble: RwSignal::new(""),
            toast,
        };
        own.read();
        own
    }

    /// Rereads the list of scenarios from storage, because another tab may have changed it.
    fn read(self) {
        let Some(text) = stored(STORED) else { return };
        match OwnList::read(&text) {
            Some(read) if self.list.with_untracked(|list| *list == read.list) => {}
            Some(read) => self.list.set(read.list),
            None => self
                .trouble
                .set("The saved list cannot be read. Saving starts a new one."),
        }
    }

    /// Changes the list of scenarios and stores it; an error is shown as a toast.
    fn change<T>(self, edit: impl FnOnce(&mut OwnList) -> Result<T, OwnError>) -> Option<T> {
        self.read();
        let mut list = self.list.get_untracked();
        let done = edit(&mut list).map_err(|error| self.toast.say(error.to_string()));
        if done.is_ok() {
            let kept = store(STORED, Some(&list.write(&Prices::NONE)));
            self.trouble.set(match kept {
                true => "",
                false => "This browser’s storage is blocked or full. Export the list before you close this dialog.",
            });
            self.list.set(list);
        }
        done.ok()
    }
}

/// Returns the permalink to save in the list: the current one without embedding options, theme or open derivation.
fn link_now(app: App) -> String {
    app.link.with_untracked(|link| {
        let shown = Shown {
            embed: None,
            sliders: Sliders::NONE,
            theme: None,
            explain: None,
            ..link.shown
        };
        permalink::write(&Link {
            shown,
            ..link.clone()
        })
    })
}

fn panel(app: App, toast: Toast, popover: Popover) -> AnyView {
    let own = Own::new(toast);
    on_window("storage", move |_| {
        own.read();
        own.prices.set(own_prices());
    });
    let close = move |_| popover.close();
    view! {
        <button type="button" class="icon-button menu-close" aria-label="Close" on:click=close>
            {icons::close()}
        </button>
        <h2>"Your scenarios"</h2>
        <p class="preset-detail">"Saved only in this browser. Export a file to move them to another browser."</p>
        {save_form(app, own)}
        {move || {
            let trouble = own.trouble.get();
            (!trouble.is_empty()).then(|| view! { <p class="tone-bad" role="alert">{trouble}</p> })
        }}
        <ul aria-label="Saved scenarios">
            {move || own.list.get().all().iter().map(|one| row(app, own, popover, one)).collect_view()}
        </ul>
        {move || prices(app, own)}
        {foot(own)}
    }
    .into_any()
}

fn save_form(app: App, own: Own) -> AnyView {
    let name = NodeRef::<html::Input>::new();
    let proposed = app.current.with_untracked(|inputs| {
        let gpus = inputs.get(Number::Gpus).unwrap_or_default();
        format!(
            "{}, {} {}",
            inputs.model_name(),
            format::count(gpus),
            inputs.gpu.name()
        )
    });
    let save = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(input) = name.get_untracked() else {
            return;
        };
        let (name, link) = (input.value(), link_now(app));
        if own.change(|list| list.save(&name, &link)).is_some()
            && own.trouble.get_untracked().is_empty()
        {
            own.toast.say("Scenario saved");
        }
    };
    Effect::new(move |_| {
        if let Some(input) = name.get() {
            let _ = input.focus();
            input.select();
        }
    });
    view! {
        <form on:submit=save>
            <input
                node_ref=name
                type="text"
                class="preset-search"
                aria-label="Name of this scenario"
                maxlength=OwnList::LONGEST_NAME.to_string()
                autocomplete="off"
                prop:value=proposed
            />
            <button type="submit" class="act">"Save this scenario"</button>
        </form>
    }
    .into_any()
}

fn row(app: App, own: Own, popover: Popover, one: &OwnScenario) -> AnyView {
    let OwnScenario { name, link } = one.clone();
    let renaming = RwSignal::new(false);
    let open = {
        let link = link.clone();
        move |event: ev::MouseEvent| {
            if plain(&event) {
                event.prevent_default();
                popover.close();
                app.open_link(permalink::read(&link));
            }
        }
    };
    let named = |what: &str| format!("{what} {name}");
    let delete = {
        let name = name.clone();
        move |_| {
            own.change(|list| {
                list.remove(&name);
                Ok(())
            });
        }
    };
    let (rename, remove) = (named("Rename"), named("Delete"));
    let title = {
        let (name, open, link) = (name.clone(), open.clone(), link.clone());
        move || match renaming.get() {
            true => rename_field(own, name.clone(), renaming),
            false => {
                let href = format!("?{}", permalink::write(&permalink::read(&link)));
                view! { <a class="act" href=href on:click=open.clone()>{name.clone()}</a> }
                    .into_any()
            }
        }
    };
    view! {
        <li>
            {title}
            <button type="button" class="quiet" aria-label=rename on:click=move |_| renaming.set(true)>"Rename"</button>
            <button type="button" class="quiet" aria-label=remove on:click=delete>"Delete"</button>
        </li>
    }
    .into_any()
}

fn rename_field(own: Own, name: String, renaming: RwSignal<bool>) -> AnyView {
    let node = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = node.get() {
            let _ = input.focus();
            input.select();
        }
    });
    let before = name.clone();
    let key = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            let after = event_target_value(&event);
            if own.change(|list| list.rename(&before, &after)).is_some() {
                renaming.try_set(false);
            }
        }
        "Escape" => {
            // Escape closes the field, not the dialog.
            event.stop_propagation();
            renaming.set(false);
        }
        _ => {}
    };
    view! {
        <input
            node_ref=node
            type="text"
            class="preset-search"
            aria-label=format!("New name of {name}")
            maxlength=OwnList::LONGEST_NAME.to_string()
            prop:value=name
            on:keydown=key
        />
    }
    .into_any()
}

/// Draws the list of the user's prices. A price that the permalink contains is marked; every other price has a button
/// that adds it to the permalink.
fn prices(app: App, own: Own) -> Option<AnyView> {
    let prices = own.prices.get();
    let rows: Vec<AnyView> = { prices.given() }
        .map(|(entry, price)| price_row(app, own, entry, price))
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <h3>"Your prices"</h3>
            <p class="preset-detail">
                "Applied when you choose the accelerator, then stored in the permalink. Permalinks without your prices use list prices."
            </p>
            <ul aria-label="Your prices">{rows}</ul>
        }
        .into_any()
    })
}

fn price_row(app: App, own: Own, entry: &'static Entry, price: f64) -> AnyView {
    let acts = Memo::new(move |_| app.link.with(|link| acts(link, entry, price)));
    let forget = move |_| {
        store_price(entry, None);
        own.prices.set(own_prices());
    };
    let state = move || match acts.get() {
        true => view! { <span class="tone-muted">"in this permalink"</span> }.into_any(),
        false => {
            let take = move |_| {
                app.change(|link| {
                    link.set_price(entry, Some(price));
                });
            };
            let label = format!("Use your price for {}", entry.name);
            view! { <button type="button" class="quiet" aria-label=label on:click=take>"Use"</button> }.into_any()
        }
    };
    view! {
        <li>
            <span>{format!("{} at ${}/h", entry.name, format::printed(price))}</span>
            {state}
            <button type="button" class="quiet" aria-label=format!("Forget your price for {}", entry.name) on:click=forget>
                "Forget"
            </button>
        </li>
    }
    .into_any()
}

/// Returns true if the permalink states this price for this accelerator, so that the price applies.
fn acts(link: &Link, entry: &'static Entry, price: f64) -> bool {
    let of_scenario = (link.current.gpu == Gpu::Catalog(entry))
        .then(|| link.current.stated(Number::Price))
        .flatten();
    of_scenario.or(link.current.prices.of(entry)) == Some(price)
}

/// Draws the buttons for export and import.
fn foot(own: Own) -> AnyView {
    let file = NodeRef::<html::Input>::new();
    let export = move |_| {
        let text = own.list.with_untracked(|list| list.write(&own_prices()));
        let saved = save_text(&text, "application/json", "ridgepoint-scenarios.json");
        own.toast.say(if saved {
            "Saved"
        } else {
            "This browser refuses downloads"
        });
    };
    let import = move |_| {
        let Some(input) = file.get_untracked() else {
            return;
        };
        let Some(files) = input.files().filter(|files| files.length() > 0) else {
            return;
        };
        let bytes: f64 = (0..files.length())
            .filter_map(|at| files.get(at))
            .map(|file| file.size())
            .sum();
        if bytes > OwnList::LONGEST_FILE as f64 {
            own.toast
                .say("This file is too large for a list of scenarios");
        } else {
            read_files(files, move |text| take(own, &text));
        }
    };
    let choose = move |_| {
        if let Some(input) = file.get_untracked() {
            // Clear the value, so that choosing the same file again fires a change event.
            input.set_value("");
            input.click();
        }
    };
    view! {
        <p class="own-foot">
            <button type="button" class="act" on:click=export>"Export to a file"</button>
            <button type="button" class="act" on:click=choose>"Import a file"</button>
            <input
                node_ref=file
                type="file"
                class="hidden"
                tabindex="-1"
                aria-label="File of scenarios"
                accept=".json,application/json"
                on:change=import
            />
        </p>
    }
    .into_any()
}

/// Adds the scenarios and prices read from a file.
fn take(own: Own, text: &str) {
    let Some(read) = OwnList::read(text) else {
        own.toast.say("This file is not a list of scenarios");
        return;
    };
    let refused = own.change(|list| Ok(list.merge(&read.list)));
    for (entry, price) in read.prices.given() {
        store_price(entry, Some(price));
    }
    own.prices.set(own_prices());
    let count = read.list.all().len();
    let ignored = read.ignored + refused.unwrap_or_default();
    own.toast.say(match ignored {
        0 => format!("{} imported", scenarios(count)),
        _ => format!(
            "{} imported; {ignored} unreadable entries ignored",
            scenarios(count)
        ),
    });
}

fn scenarios(count: usize) -> String {
    match count {
        1 => "1 scenario".to_owned(),
        _ => format!("{count} scenarios"),
    }
}
