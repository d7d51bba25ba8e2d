//! Writes the guide into a folder: `cargo run -p guide -- dist/guide`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use guide::Guide;

fn main() -> ExitCode {
    let Some(out) = std::env::args().nth(1).map(PathBuf::from) else {
        eprintln!("usage: guide FOLDER");
        return ExitCode::FAILURE;
    };
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    match Guide::read(&sources).and_then(|guide| guide.write(&out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
