//! Reads the specifications of an accelerator from a line of text, such as
//! `1.5 PFLOPS FP8, 192 GB at 6 TB/s, 16 × 400 GB/s, 50 GB/s out`.

use crate::inputs::Number;

/// Numbers read from a line of specifications, and the clauses that could not be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Specs {
    /// Inputs of a custom accelerator and its interconnects. Each input occurs at most once, in the unit that
    /// permalinks use.
    pub numbers: Vec<(Number, f64)>,
    /// Clauses of the line that were not read, or were read only in part.
    pub unread: Vec<String>,
    /// Assumed BF16 peak in TFLOP/s if the line has only an FP8 peak: half of the FP8 peak, as on most GPUs.
    pub assumed_bf16: Option<f64>,
}

/// Words that identify a quantity, and the input number for that quantity.
type Words = (&'static [&'static str], Number);

/// Words that name the compute format of a peak FLOP/s.
const FORMATS: [Words; 3] = [
    (&["fp8"], Number::PeakFp8),
    (&["fp4", "nvfp4", "mxfp4"], Number::PeakFp4),
    (&["bf16", "fp16"], Number::PeakBf16),
];

/// Words that identify the network or memory to which a bandwidth belongs.
const BANDWIDTHS: [Words; 3] = [
    (
        &[
            "out",
            "scale-out",
            "network",
            "nic",
            "infiniband",
            "ethernet",
            "rdma",
        ],
        Number::ScaleOut,
    ),
    (&["scale-up", "nvlink", "domain", "up"], Number::ScaleUp),
    (&["hbm", "memory", "bandwidth"], Number::Hbm),
];

/// Words that mark the number before them as a count of accelerators.
const GPUS: [&str; 8] = [
    "gpu",
    "gpus",
    "accelerator",
    "accelerators",
    "chip",
    "chips",
    "device",
    "devices",
];

/// Words that mark a count of accelerators as the size of a scale-up domain.
const IN_DOMAIN: [&str; 5] = ["domain", "scale-up", "node", "rack", "per"];

/// Words that mark a peak FLOP/s as sparse; a clause with such a word is not read.
const SPARSE: [&str; 2] = ["sparse", "sparsity"];

/// Threshold in GB/s: a bandwidth without a word that describes it counts as memory bandwidth at or above this value.
const OF_MEMORY: f64 = 1000.0;

/// Max number of characters shown of a clause that was not read.
const LONGEST: usize = 40;

/// Reads a line of accelerator specifications. A peak must name its compute format. A bandwidth below 1 TB/s must
/// name its network or memory, unless it is written like `16 × 400 GB/s`.
pub fn specs(text: &str) -> Specs {
    let mut specs = Specs::default();
    let text = text.replace(" at ", ", ").replace(" and ", ", ");
    let clauses = text.split([';', '\n', '(', ')']);
    let clauses = clauses.flat_map(|part| part.split(", "));
    let clauses = clauses.map(|clause| clause.trim_matches([' ', ',']));
    for clause in clauses.filter(|clause| !clause.is_empty()) {
        let tokens = tokens(clause);
        let mut found = clause_of(&tokens);
        found.retain(|(number, value)| number.allows(*value));
        let numbers = { tokens.iter() }.filter(|token| matches!(token, Token::Number(_)));
        if found.is_empty() || found.len() < numbers.count() {
            specs.unread.push(clause.chars().take(LONGEST).collect());
        }
        found.retain(|(number, _)| specs.numbers.iter().all(|(known, _)| known != number));
        specs.numbers.extend(found);
    }
    let peak = |of: Number| specs.numbers.iter().find(|(number, _)| *number == of);
    specs.assumed_bf16 = match (peak(Number::PeakFp8), peak(Number::PeakBf16)) {
        (Some((_, fp8)), None) => Some(fp8 / 2.0),
        _ => None,
    };
    specs
}

enum Token<'a> {
    Number(f64),
    Word(&'a str),
}

/// Splits a clause into numbers, units and words, even if a unit follows its number without a space.
fn tokens(clause: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = clause.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_digit = |mark: char| mark.is_ascii_digit() || matches!(mark, '.' | ',');
        let times = matches!(first, '×' | 'x')
            && rest[first.len_utf8()..].trim_start().starts_with(is_digit);
        let end = match (first.is_ascii_digit(), times || first == '$') {
            (true, _) => rest.find(|mark| !is_digit(mark)),
            (false, true) => Some(first.len_utf8()),
            (false, false) => rest.find(char::is_whitespace),
        };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let number = first
            .is_ascii_digit()
            .then(|| word.replace(',', "").parse());
        found.push(match number {
            Some(Ok(value)) => Token::Number(value),
            _ => Token::Word(word),
        });
        rest = after.trim_start();
    }
    found
}

fn clause_of(tokens: &[Token<'_>]) -> Vec<(Number, f64)> {
    let has = |names: &[&str]| {
        tokens.iter().any(|token| match token {
            Token::Word(word) => names.iter().any(|name| word.eq_ignore_ascii_case(name)),
            Token::Number(_) => false,
        })
    };
    if has(&SPARSE) {
        return Vec::new();
    }
    let named = |rows: &[Words]| {
        let row = rows.iter().find(|(names, _)| has(names));
        row.map(|(_, number)| *number)
    };
    let network = |rate: f64| named(&BANDWIDTHS).or((rate >= OF_MEMORY).then_some(Number::Hbm));
    let count = tokens.windows(2).find_map(|pair| match pair {
        [Token::Number(count), Token::Word(word)] => {
            let counts = GPUS.iter().any(|name| word.eq_ignore_ascii_case(name));
            let of = if has(&IN_DOMAIN) {
                Number::Domain
            } else {
                Number::Gpus
            };
            counts.then_some((of, *count))
        }
        _ => None,
    });
    let found = match tokens {
        [
            Token::Number(gpus),
            Token::Word("×" | "x"),
            Token::Number(value),
            Token::Word(unit),
            ..,
        ] => {
            let rate = bandwidth(*value, unit);
            return rate.map_or_else(Vec::new, |rate| {
                vec![(Number::Domain, *gpus), (Number::ScaleUp, rate)]
            });
        }
        [Token::Word("$"), Token::Number(dollars), ..] => Some((Number::Price, *dollars)),
        [Token::Word(word), .., Token::Number(gpus)] if word.eq_ignore_ascii_case("domain") => {
            Some((Number::Domain, *gpus))
        }
        _ => tokens.windows(2).find_map(|pair| {
            let [Token::Number(value), Token::Word(unit)] = pair else {
                return None;
            };
            match (unit.to_ascii_uppercase().as_str(), bandwidth(*value, unit)) {
                (_, Some(rate)) => Some((network(rate)?, rate)),
                ("PFLOPS" | "PFLOP/S" | "PF", _) => Some((named(&FORMATS)?, value * 1000.0)),
                ("TFLOPS" | "TFLOP/S" | "TF", _) => Some((named(&FORMATS)?, *value)),
                ("GB" | "GIB", _) => Some((Number::Capacity, *value)),
                ("W", _) => Some((Number::Watts, *value)),
                ("KW", _) => Some((Number::Watts, value * 1000.0)),
                _ => None,
            }
        }),
    };
    count.into_iter().chain(found).collect()
}

/// Converts a bandwidth to GB/s. A unit in bits ends in a lowercase b. Returns `None` if the unit is unknown.
fn bandwidth(value: f64, unit: &str) -> Option<f64> {
    match unit {
        "Gb/s" | "Gbps" | "Gbit/s" => Some(value / 8.0),
        _ => match unit.to_ascii_uppercase().as_str() {
            "TB/S" => Some(value * 1000.0),
            "GB/S" => Some(value),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_line_has_every_number() {
        let read = specs("1.5 PFLOPS FP8, 192 GB at 6 TB/s, 16 × 400 GB/s, 50 GB/s out");
        let wanted = [
            (Number::PeakFp8, 1500.0),
            (Number::Capacity, 192.0),
            (Number::Hbm, 6000.0),
            (Number::Domain, 16.0),
            (Number::ScaleUp, 400.0),
            (Number::ScaleOut, 50.0),
        ];
        assert_eq!(read.numbers, wanted);
        assert!(read.unread.is_empty() && read.assumed_bf16 == Some(750.0));
        let told = "1.5 PFLOPS FP8 (750 TFLOPS BF16), 192 GB HBM at 6 TB/s, 16 accelerators per scale-up domain with \
                    400 GB/s each, 50 GB/s per accelerator out of the domain, 64 accelerators";
        let told = specs(told);
        for number in wanted
            .into_iter()
            .chain([(Number::PeakBf16, 750.0), (Number::Gpus, 64.0)])
        {
            assert!(told.numbers.contains(&number), "{number:?}: {told:?}");
        }
        assert!(
            told.unread.is_empty() && told.assumed_bf16.is_none(),
            "{told:?}"
        );
        assert_eq!(specs("16 GPUs, 5 things at 3 TB/s").unread, ["5 things"]);
    }

    #[test]
    fn vendors_write_them_differently() {
        for (text, number, value) in [
            ("FP4 10 PFLOP/s", Number::PeakFp4, 10_000.0),
            ("1,979 TFLOPS FP8", Number::PeakFp8, 1979.0),
            ("989TFLOPS BF16", Number::PeakBf16, 989.0),
            ("192GB HBM3e", Number::Capacity, 192.0),
            ("HBM 900 GB/s", Number::Hbm, 900.0),
            ("NVLink 450 GB/s", Number::ScaleUp, 450.0),
            ("400 Gb/s InfiniBand", Number::ScaleOut, 50.0),
            ("1.2 kW", Number::Watts, 1200.0),
            ("$2.50/h", Number::Price, 2.5),
            ("domain of 72", Number::Domain, 72.0),
        ] {
            assert_eq!(specs(text).numbers, [(number, value)], "{text}");
        }
        assert_eq!(specs("8x450GB/s").numbers.len(), 2);
        for text in [
            "",
            "1.5 PFLOPS",
            "900 GB/s",
            "3 PFLOPS FP8 sparse",
            "×",
            "$",
            "9e9 GB/s x",
            "٣ GB",
        ] {
            assert!(specs(text).numbers.is_empty(), "{text}");
        }
        assert_eq!(specs("fast, 192 GB").unread, ["fast"]);
    }
}
