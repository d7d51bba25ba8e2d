//! `cargo xtask accuracy`: prints the errors of the model relative to measurements.

use std::env;
use std::fs;

use ridgepoint_tests::accuracy;

fn main() -> Result<(), String> {
    match env::args().nth(1).as_deref() {
        None => print!("{}", accuracy::all()?),
        Some("--write") => {
            for (path, text, right) in accuracy::documents()? {
                if text != right {
                    fs::write(&path, right)
                        .map_err(|error| format!("{}: {error}", path.display()))?;
                    println!("{} has new tables", path.display());
                }
            }
        }
        Some(other) => return Err(format!("there is no option {other}")),
    }
    Ok(())
}
