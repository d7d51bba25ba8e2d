//! The Split half: attention on memory devices, everything else on compute devices.

use crate::pages::headline::verdict;
use crate::pages::toast::Toast;
use crate::state::App;
use leptos::prelude::*;

/// The half.
pub fn split(app: App, _toast: Toast) -> AnyView {
    verdict(app)
}
