//! `cargo xtask shots`: takes screenshots of the page at several screen sizes.

use std::path::PathBuf;
use std::process::ExitCode;

use model_core::preset::PRESETS;
use ridgepoint_tests::driver::{Page, Result, View};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let query = words.next().unwrap_or_default();
    let folder = PathBuf::from(words.next().unwrap_or_else(|| "target/shots".to_owned()));
    match shoot(&query, &folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn shoot(query: &str, folder: &std::path::Path) -> Result {
    let query = if query.is_empty() {
        PRESETS[0].link
    } else {
        query
    };
    let page = Page::start(View::DESKTOP)?;
    for (name, screen) in [("desktop", View::DESKTOP), ("phone", View::PHONE)] {
        for (scheme, view) in [("light", screen), ("dark", screen.dark())] {
            for scale in [1.0, 2.0] {
                page.set_view(view.scale(scale))?;
                page.open(query)?;
                page.settle()?;
                let file = folder.join(format!("{name}-{scheme}-{scale}x.png"));
                page.picture(&file)?;
                println!("{}", file.display());
                if screen.touch && scale > 1.0 {
                    let file = folder.join(format!("{name}-{scheme}-full.png"));
                    page.full_picture(&file)?;
                    println!("{}", file.display());
                }
            }
        }
    }
    // A picture can look right despite an error.
    page.check_manners()
}
