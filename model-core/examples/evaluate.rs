//! Links on standard input, one per line; results as JSON lines on standard output.
//!
//! ```text
//! echo '?v=1&gpus=144&batch=36k' | cargo run --release -q -p model-core --example evaluate
//! ```
//!
//! `--no-levers` leaves out the levers, which makes it ten times as fast.

use std::io::{self, BufRead, BufWriter, Write};

use model_core::report::Reporter;

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    let mut reporter = Reporter::default();
    let alone = std::env::args().any(|word| word == "--no-levers");
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let link = String::from_utf8_lossy(&line);
        match alone {
            true => serde_json::to_writer(&mut output, &reporter.unadvised(&link))?,
            false => serde_json::to_writer(&mut output, &reporter.advised(&link))?,
        }
        output.write_all(b"\n")?;
    }
    output.flush()
}
