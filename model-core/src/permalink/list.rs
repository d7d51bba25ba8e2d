//! Lists in a link: entries between commas.

/// Note on a list without entries, as a predicate of its key.
pub(super) const EMPTY: &str = "is empty";

/// The entries of a list, trimmed; empty ones are left out.
pub(super) fn entries(value: &str) -> impl Iterator<Item = &str> {
    let entries = value.split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty())
}
