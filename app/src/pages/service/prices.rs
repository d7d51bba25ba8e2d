//! Fields for the prices of the pools' accelerators, shown in the Service view.

use crate::controls::field::field;
use crate::controls::picker::prefill_select;
use crate::state::App;
use answer::service::of_prefill;
use answer::words::names::one_name;
use leptos::prelude::*;
use model_core::inputs::Number;

/// Draws each pool's accelerator with its price. The prefill pool has a separate price field only if its accelerator
/// differs from that of the decode pool.
pub fn prices(app: App) -> AnyView {
    let own = Memo::new(move |_| app.current.with(one_name));
    let other = Memo::new(move |_| app.current.with(of_prefill).is_some());
    let wrong = RwSignal::new(None::<String>);
    let price = move |number: Number, id: &'static str| {
        field(app, number, id.to_owned(), "prices-help".to_owned(), wrong)
    };
    view! {
        <p class="service-prices">
            {move || own.get()} " at "
            {price(Number::Price, "service-price")}
            <span class="hidden" id="prices-help">"US dollars per GPU-hour."</span>
            "· prefill on "
            {prefill_select(app)}
            {move || other.get().then(|| view! { " at " {price(Number::PrefillPrice, "service-prefill-price")} })}
            {move || wrong.get().map(|reason| view! { <span class="tone-bad" role="alert">{reason}</span> })}
        </p>
    }
    .into_any()
}
