//! Field for an accelerator's price, which is stored in the permalink.

use crate::controls::field::{FieldNames, typed_input};
use crate::state::App;
use crate::state::own_prices::type_price;
use answer::controls::typed::read_typed;
use answer::words::format;
use leptos::ev;
use leptos::prelude::*;
use model_core::inputs::{Gpu, Number};

/// Draws the field for an accelerator's price per GPU-hour; the field is empty if there is no price. A price set by
/// the user is marked. An error in the typed text goes to `wrong`.
pub fn price_field(
    app: App,
    gpu: Gpu,
    price: impl Fn() -> Option<f64> + Send + Sync + 'static,
    wrong: RwSignal<Option<String>>,
) -> AnyView {
    let text = Memo::new(move |_| price().map(format::printed).unwrap_or_default());
    let names = FieldNames {
        name: format!("Price of {}, $/GPU-hour", gpu.name()),
        title: Some("US dollars per GPU-hour; leave empty for the list price"),
        placeholder: Some("none"),
        ..FieldNames::default()
    };
    let given = Memo::new(move |_| {
        app.link
            .with(|link| link.current.prices.of_gpu(gpu).is_some())
    });
    let read = move |before: &str, typed: &str| read_typed(Number::Price, before, typed);
    let enter = move |value| app.change(|link| type_price(link, gpu, value));
    view! {
        <label
            class="field price-field"
            class:wrong=move || wrong.get().is_some()
            on:click=|event: ev::MouseEvent| event.stop_propagation()
        >
            <span class="unit">"$"</span>
            {typed_input(names, text, wrong, read, enter)}
            {move || given.get().then(|| view! { <span class="unit" title="Your price, in the permalink">"yours"</span> })}
        </label>
    }
    .into_any()
}
