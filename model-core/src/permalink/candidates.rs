//! Reads and writes the candidates to compare (accelerators), given in a permalink as
//! `candidates=h200,gb200:144,b200:$200:fp4`.

use super::choice::pick;
use super::list::{EMPTY, entries};
use super::number::{read_number, write_number};
use super::quote::quote;
use crate::candidates::{Candidate, Limit};
use crate::hardware::catalog;
use crate::inputs::{Gpu, Number};
use crate::precision::NamedPrecision;

/// Permalink key of the candidates to compare.
pub const CANDIDATES: &str = "candidates";

/// Parses the candidates from the key's value. Also returns, for each ignored part, the reason why it is ignored.
pub(super) fn read_candidates(value: &str) -> (Vec<Candidate>, Vec<String>) {
    let mut found = Vec::new();
    let mut faults = Vec::new();
    if entries(value).next().is_none() {
        faults.push(format!("{EMPTY}; using the default"));
    }
    for part in entries(value) {
        match read_candidate(part) {
            Ok(_) if found.len() == Candidate::MOST => {
                faults.push(format!(
                    "has more than {} candidates; ignoring the rest",
                    Candidate::MOST
                ));
                break;
            }
            Ok(candidate) => found.push(candidate),
            Err(reason) => faults.push(format!("“{}” {reason}; ignored", quote(part))),
        }
    }
    (found, faults)
}

/// Parses a candidate: `ID[:GPUS | :$BUDGET][:PRECISION]`. The error completes a sentence that starts with the
/// candidate's text, for example "has an unknown accelerator".
pub fn read_candidate(part: &str) -> Result<Candidate, String> {
    let mut parts = part.split(':').map(str::trim);
    let gpu = match parts.next().unwrap_or_default() {
        "custom" => Gpu::Custom,
        id => catalog::find(id)
            .map(Gpu::Catalog)
            .ok_or_else(|| format!("has an unknown accelerator, {}", quote(id)))?,
    };
    let mut candidate = Candidate::of(gpu);
    for part in parts {
        read_part(&mut candidate, part)?;
    }
    Ok(candidate)
}

fn read_part(candidate: &mut Candidate, part: &str) -> Result<(), String> {
    if let Some(precision) = pick(NamedPrecision::ALL, NamedPrecision::id, part) {
        candidate.precision = Some(precision);
        return Ok(());
    }
    let read = |number, text| {
        read_number(number, text).map_err(|error| format!("has {}, which {error}", quote(text)))
    };
    candidate.limit = Some(match part.strip_prefix('$') {
        Some(dollars) => Limit::Budget(read(Number::Budget, dollars)?),
        None if part.starts_with(|letter: char| letter.is_ascii_digit()) => {
            Limit::Gpus(read(Number::Gpus, part)? as u32)
        }
        None => {
            let precisions = NamedPrecision::ALL.map(NamedPrecision::id).join(", ");
            let text = quote(part);
            return Err(format!(
                "has {text}, which is not a GPU count, a budget such as $50, or a precision ({precisions})"
            ));
        }
    });
    Ok(())
}

/// Formats a candidate as it is written in a permalink.
pub fn write_candidate(candidate: &Candidate) -> String {
    let limit = candidate.limit.map(|limit| match limit {
        Limit::Gpus(gpus) => gpus.to_string(),
        Limit::Budget(dollars) => format!("${}", write_number(Number::Budget, dollars)),
    });
    let precision = candidate
        .precision
        .map(|precision| precision.id().to_owned());
    let id = Some(candidate.gpu.id().to_owned());
    let parts: Vec<String> = [id, limit, precision].into_iter().flatten().collect();
    parts.join(":")
}

/// Formats the candidates as the value of their permalink key; `None` if there are none.
pub(super) fn write_candidates(candidates: &[Candidate]) -> Option<String> {
    let all: Vec<String> = candidates.iter().map(write_candidate).collect();
    (!all.is_empty()).then(|| all.join(","))
}
