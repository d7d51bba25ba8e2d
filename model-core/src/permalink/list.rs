//! Comma-separated lists in a permalink.

/// Note on an empty list. It completes a sentence that starts with the list's permalink key.
pub(super) const EMPTY: &str = "is empty";

/// Returns the entries of a comma-separated list, trimmed and without empty entries.
pub(super) fn entries(value: &str) -> impl Iterator<Item = &str> {
    let entries = value.split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty())
}
