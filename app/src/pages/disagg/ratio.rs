//! The Ratio half: how many attention instances for each feed-forward instance.

use crate::pages::headline::verdict;
use crate::pages::toast::Toast;
use crate::state::App;
use leptos::prelude::*;

/// The half.
pub fn ratio(app: App, _toast: Toast) -> AnyView {
    verdict(app)
}
