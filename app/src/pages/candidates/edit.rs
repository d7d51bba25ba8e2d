//! Changes the candidate accelerators in the permalink.

use crate::state::App;
use crate::state::own_prices::recall_price;
use leptos::prelude::With;
use model_core::candidates::{Candidate, compared};
use model_core::hardware::catalog;
use model_core::inputs::Gpu;
use model_core::permalink::{Link, read_candidate};
use model_core::precision::NamedPrecision;

/// Returns the candidate accelerators of the permalink.
pub fn current(app: App) -> Vec<Candidate> {
    app.link
        .with(|link| compared(&link.candidates, &link.search, &link.current))
}

/// Changes the candidates as one undo step. If the permalink used the default candidates, the change writes all
/// candidates into the permalink.
fn change(app: App, change: impl FnOnce(&mut Vec<Candidate>)) {
    app.change(|link| change_in(link, change));
}

fn change_in(link: &mut Link, change: impl FnOnce(&mut Vec<Candidate>)) {
    let mut all = compared(&link.candidates, &link.search, &link.current);
    change(&mut all);
    all.truncate(Candidate::MOST);
    link.candidates = all;
}

/// Applies `change`, which gives one candidate the accelerator `gpu`. If the user has set a price for that
/// accelerator, the price applies.
fn change_to(app: App, gpu: Gpu, change: impl FnOnce(&mut Vec<Candidate>)) {
    app.change(|link| {
        change_in(link, change);
        recall_price(link, gpu);
    });
}

fn change_one(app: App, place: usize, edit: impl FnOnce(&mut Candidate)) {
    change(app, |all| {
        if let Some(candidate) = all.get_mut(place) {
            edit(candidate);
        }
    });
}

/// Adds the catalog accelerator with this identifier as a candidate.
pub fn add(app: App, id: &str) {
    if let Some(entry) = catalog::find(id) {
        let gpu = Gpu::Catalog(entry);
        change_to(app, gpu, |all| all.push(Candidate::of(gpu)));
    }
}

/// Removes the candidate at an index, unless it is the only candidate.
pub fn remove(app: App, place: usize) {
    change(app, |all| {
        if place < all.len() && all.len() > 1 {
            all.remove(place);
        }
    });
}

/// Sets the accelerator of the candidate at an index.
pub fn set_accelerator(app: App, place: usize, id: &str) {
    if let Some(entry) = catalog::find(id) {
        let gpu = Gpu::Catalog(entry);
        change_to(app, gpu, |all| {
            if let Some(candidate) = all.get_mut(place) {
                candidate.gpu = gpu;
            }
        });
    }
}

/// Sets the precision of a candidate; `None` means the scenario's precision.
pub fn set_precision(app: App, place: usize, precision: Option<NamedPrecision>) {
    change_one(app, place, |one| one.precision = precision);
}

/// Sets how many GPUs are available to a candidate: a count ("64"), a budget per hour ("$200"), or empty for no
/// limit. An `Err` is the reason why the text cannot be read.
pub fn set_available(app: App, place: usize, text: &str) -> Result<(), String> {
    let text = text.trim();
    let limit = match text {
        "" => None,
        text => {
            let text = text.trim_end_matches("/h");
            let read = read_candidate(&format!("h100:{text}"))?;
            match read.limit {
                Some(limit) => Some(limit),
                None => {
                    return Err(format!(
                        "“{text}” is not a GPU count or a budget, such as $200"
                    ));
                }
            }
        }
    };
    change_one(app, place, |one| one.limit = limit);
    Ok(())
}
