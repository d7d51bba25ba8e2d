//! The Plans view: which plan is best.

use super::headline::verdict;
use super::toast::Toast;
use crate::state::App;
use leptos::prelude::*;

/// The view.
pub fn plans(app: App, _toast: Toast) -> AnyView {
    verdict(app)
}
