//! Files of a build: reading, writing, and names that contain a hash of the content.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Result};

/// Computes the FNV-1a hash of bytes.
pub fn hash<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Reads the bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(failed("read", path))
}

/// Reads the text of a file.
pub fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(failed("read", path))
}

/// Writes a file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, content).map_err(failed("write", path))
}

/// Returns the names of the entries in a folder, sorted.
pub fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed("read", folder))? {
        let path = entry.map_err(failed("read", folder))?.path();
        names.extend(path.file_name().and_then(OsStr::to_str).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// Copies the files of a folder into another folder, creating that folder if necessary.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(failed("make", to))?;
    for name in names(from)? {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            write(&to, read(&from)?)?;
        }
    }
    Ok(())
}

/// Applies `make` to a file's text, and writes the result into a folder under a name that contains the result's hash.
/// Returns that name.
pub fn copy_hashed(from: &Path, to: &Path, make: fn(&str) -> String) -> Result<String> {
    let bytes = make(&text(from)?).into_bytes();
    let part = |part: Option<&OsStr>| part.and_then(OsStr::to_str).unwrap_or_default().to_owned();
    let (stem, ending) = (part(from.file_stem()), part(from.extension()));
    let name = format!("{stem}-{:016x}.{ending}", hash(&bytes));
    write(&to.join(&name), bytes)?;
    Ok(name)
}

/// Removes comment lines and indentation from a script.
pub fn plain_script(script: &str) -> String {
    let lines = script.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// Removes comments and indentation from a style sheet.
pub fn plain_style(style: &str) -> String {
    let mut parts = style.split("/*");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += part.split_once("*/").map_or("", |(_, rest)| rest);
    }
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// Turns an error about a file into a failure.
pub fn failed(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    let path = path.to_owned();
    move |cause| Failure::File { doing, path, cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_served() {
        let script =
            "// What it is.\n(() => {\n  // Why.\n  const at = \"http://a\"; // b\n})();\n";
        let plain = "(() => {\nconst at = \"http://a\"; // b\n})();\n";
        assert_eq!(plain_script(script), plain);
        let style = "/* a\n b */\n.c { /* d */\n  top: 0;\n}\n";
        assert_eq!(plain_style(style), ".c {\ntop: 0;\n}\n");
    }
}
