//! The Limits view: how far batch and context can go.

use super::headline::verdict;
use super::toast::Toast;
use crate::state::App;
use leptos::prelude::*;

/// The view.
pub fn limits(app: App, _toast: Toast) -> AnyView {
    verdict(app)
}
