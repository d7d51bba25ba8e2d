//! Comma-separated lists in a permalink.

/// Note on an empty list, phrased as a predicate of its key.
pub(super) const EMPTY: &str = "is empty";

/// Returns the entries of a list, trimmed and without empty ones.
pub(super) fn entries(value: &str) -> impl Iterator<Item = &str> {
    let entries = value.split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty())
}
