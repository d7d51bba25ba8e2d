//! Media types of served files.

use std::path::Path;

/// Returns the `Content-Type` of a file, from its extension.
///
/// `application/wasm` is required, because browsers refuse to compile a streamed module of another type. Unknown
/// types are sent as bytes, which a browser downloads instead of guessing their type.
#[must_use]
pub fn of(file: &Path) -> &'static str {
    let extension = file
        .extension()
        .and_then(|text| text.to_str())
        .unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        "tsv" => "text/tab-separated-values; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "xml" => "application/xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wasm_and_module_types() {
        assert_eq!(of(Path::new("a/ridgepoint_bg.wasm")), "application/wasm");
        assert!(of(Path::new("ridgepoint-1f.js")).starts_with("text/javascript"));
        assert!(of(Path::new("INDEX.HTML")).starts_with("text/html"));
        assert_eq!(of(Path::new("LICENSE")), "application/octet-stream");
    }
}
