//! The Disaggregation view: attention and feed-forward on separate machines.

use super::headline::verdict;
use super::toast::Toast;
use crate::state::App;
use leptos::prelude::*;

/// The view.
pub fn disaggregation(app: App, _toast: Toast) -> AnyView {
    verdict(app)
}
