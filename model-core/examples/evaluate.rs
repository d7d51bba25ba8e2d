//! Links on standard input, one per line; results as JSON lines on standard output.
//!
//! ```text
//! echo '?v=1&gpus=144&batch=36k' | cargo run --release -q -p model-core --example evaluate
//! ```
//!
//! `--no-levers` leaves out the levers, which makes it ten times as fast. `--search` searches the plans of each link
//! instead, as the Plans view does, and prints their frontier.

use std::io::{self, BufRead, BufWriter, Write};

use model_core::inputs::Number;
use model_core::permalink;
use model_core::report::Reporter;
use model_core::search::{Candidates, Found};
use model_core::sweep::Strategy;
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    let mut reporter = Reporter::default();
    let asked = std::env::args().nth(1).unwrap_or_default();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let link = String::from_utf8_lossy(&line);
        match asked.as_str() {
            "--search" => serde_json::to_writer(&mut output, &search(&link))?,
            "--no-levers" => serde_json::to_writer(&mut output, &reporter.unadvised(&link))?,
            _ => serde_json::to_writer(&mut output, &reporter.advised(&link))?,
        }
        output.write_all(b"\n")?;
    }
    output.flush()
}

/// Numbers of plans, and each point of the frontier as a link.
fn search(link: &str) -> Value {
    let link = permalink::read(link);
    let candidates = Candidates::new(&link.current, &link.search);
    let own = link.current.get(Number::Gpus).unwrap_or(0.0);
    let found = Found::all(&candidates.space, own as u32);
    let frontier = found.frontier(&Strategy::ALL);
    let points = frontier.points().iter().map(|point| {
        json!({
            "tok_s_user": point.tokens_per_user,
            "tok_s_gpu": point.tokens_per_gpu,
            "link": candidates.inputs_of(point).map(|inputs| permalink::write_inputs(&inputs)),
        })
    });
    json!({
        "evaluated": found.evaluated,
        "fitting": found.fitting,
        "frontier": points.collect::<Vec<_>>(),
    })
}
