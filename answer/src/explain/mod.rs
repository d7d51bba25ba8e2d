//! "Why this number?": the derivation of a number as lines, with formulas in symbols and in values.

pub mod chart;
mod opening;
mod text;

pub use opening::OpeningChart;

use crate::words::format;
use model_core::account::{Account, Equation, How, Section, Symbol, Term, Unit};
use model_core::source::Source;

/// A line of a number's derivation, with its sub-lines.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainLine {
    /// Name of the quantity: "dispatch".
    pub name: &'static str,
    /// Multiplier, "58 ×", if the quantity occurs more than once in its parent.
    pub times: Option<String>,
    /// Value with unit: "0.55 ms".
    pub value: String,
    /// Share of the parent's value, 0 to 1; `None` unless the parent is a sum, a maximum or an overlap of its parts.
    pub share: Option<f64>,
    /// Formula of the value; empty for a leaf.
    pub formula: Vec<Piece>,
    /// Section of Ridgepoint's documentation that contains the equation; `None` for a leaf.
    pub section: Option<Section>,
    /// Origin of the value, if this line is a leaf.
    pub leaf: Option<Leaf>,
    /// Parts from which the value is computed.
    pub parts: Vec<ExplainLine>,
    /// Summary of the parts that are not listed, if a sum has too many: "7 more: 0.12 ms".
    pub more: Option<String>,
}

/// Returns the URL of an equation in Ridgepoint's documentation, relative to the page’s folder.
pub fn equation(section: Section) -> String {
    format!("guide/model.html#{}", section.id())
}

/// A part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A quantity: its symbol and index, and its value.
    Quantity([&'static str; 2], String),
    /// An arithmetic operator with the spaces around it, a bracket, or a function name.
    Sign(&'static str),
    /// A plain number without a symbol.
    Number(String),
}

/// Origin of a leaf's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Leaf {
    /// An input, with its permalink key.
    Input(&'static str),
    /// A fact about the LLM or the accelerator, with its source if known.
    Fact(Option<Source>),
    /// A calibration constant and its source. The flag is true if the constant is extrapolated: no measurement covers
    /// the scenario.
    Constant(Option<Source>, bool),
}

/// Converts the derivation of a number to nested lines, including every level.
pub fn explained(account: &Account) -> ExplainLine {
    fn whole(account: &Account, mut line: ExplainLine, memory: bool) -> ExplainLine {
        let parts = parts(account, memory);
        line.parts = parts.map(|(part, own)| whole(part, own, memory)).collect();
        line
    }
    whole(account, first_line(account), in_memory(account))
}

/// Returns the first line of a derivation, without its parts.
pub fn first_line(account: &Account) -> ExplainLine {
    line(account, 1.0, None, in_memory(account))
}

/// Returns the lines below the node at `path` from the root, each without its parts. Since a whole derivation has about
/// a thousand lines, the page requests only those it shows.
pub fn lines_below(root: &Account, path: &[usize]) -> Vec<ExplainLine> {
    let mut at = root;
    for index in path {
        match at.listed().parts.get(*index) {
            Some((part, _)) => at = part,
            None => return Vec::new(),
        }
    }
    parts(at, in_memory(root)).map(|(_, line)| line).collect()
}

/// True for derivations of a memory size or a number of sequences, which show bytes in binary units. Traffic to
/// memory and network is shown in decimal units, as bandwidths are.
const fn in_memory(root: &Account) -> bool {
    matches!(root.term.unit(), Unit::Bytes | Unit::Sequences)
}

fn parts(account: &Account, memory: bool) -> impl Iterator<Item = (&Account, ExplainLine)> {
    let sizes = matches!(
        account.how,
        How::Sum | How::LayerSum(_) | How::LargerOf | How::Overlap { .. }
    );
    account
        .listed()
        .parts
        .into_iter()
        .map(move |(part, weight)| {
            let share = (sizes && account.value > 0.0)
                .then(|| (part.value * weight / account.value).clamp(0.0, 1.0));
            (part, line(part, weight, share, memory))
        })
}

/// Builds the line of a node, without its parts.
fn line(account: &Account, weight: f64, share: Option<f64>, memory: bool) -> ExplainLine {
    let listed = account.listed();
    let unit = account.term.unit();
    ExplainLine {
        name: account.term.name(),
        times: ((weight - 1.0).abs() > 1e-12 && weight > 0.0)
            .then(|| format!("{} ×", format::printed(weight))),
        value: quantity(unit, account.value, memory),
        share,
        formula: formula(account, memory),
        section: account.section(),
        leaf: leaf(account),
        parts: Vec::new(),
        more: (listed.more > 0).then(|| {
            format!(
                "{} more: {}",
                listed.more,
                quantity(unit, listed.rest, memory)
            )
        }),
    }
}

fn leaf(account: &Account) -> Option<Leaf> {
    match account.how {
        How::Input(key) => Some(Leaf::Input(key)),
        How::Fact => Some(Leaf::Fact(account.source)),
        How::Constant { extrapolated } => Some(Leaf::Constant(account.source, extrapolated)),
        _ => None,
    }
}

/// Formats a value with its unit and a suitable prefix. Bytes of memory use binary units.
pub fn quantity(unit: Unit, value: f64, memory: bool) -> String {
    const MEMORY: [(f64, &str); 4] = [
        (1_073_741_824.0, "GiB"),
        (1_048_576.0, "MiB"),
        (1024.0, "KiB"),
        (1.0, "B"),
    ];
    const BYTES: [(f64, &str); 5] = [
        (1e12, "TB"),
        (1e9, "GB"),
        (1e6, "MB"),
        (1e3, "kB"),
        (1.0, "B"),
    ];
    const FLOP: [(f64, &str); 5] = [
        (1e15, "PFLOP"),
        (1e12, "TFLOP"),
        (1e9, "GFLOP"),
        (1e6, "MFLOP"),
        (1.0, "FLOP"),
    ];
    const SECONDS: [(f64, &str); 3] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let scaled = |steps: &[(f64, &'static str)], per: &str| {
        let fits = |(step, _): &&(f64, &str)| value.abs() >= *step;
        let last = steps.last().copied().unwrap_or((1.0, ""));
        let (step, name) = match value == 0.0 {
            true => last,
            false => steps.iter().find(fits).copied().unwrap_or(last),
        };
        format!("{} {name}{per}", format::sig4(value / step))
    };
    let named = |name: &str| format!("{} {name}", format::sig4(value));
    match unit {
        Unit::Seconds => scaled(&SECONDS, ""),
        Unit::Bytes if memory => scaled(&MEMORY, ""),
        Unit::Bytes => scaled(&BYTES, ""),
        Unit::BytesPerSecond => scaled(&BYTES, "/s"),
        Unit::Flop => scaled(&FLOP, ""),
        Unit::FlopPerSecond => scaled(&FLOP, "/s"),
        Unit::Tokens => named("tokens"),
        Unit::TokensPerSecond => named("tok/s"),
        Unit::RequestsPerSecond => named("req/s"),
        Unit::Sequences => named("sequences"),
        Unit::Gpus => named("GPUs"),
        Unit::DollarsPerHour => format!("{}/h", format::dollars(value)),
        Unit::DollarsPerMillion => format!("{}/M tok", format::dollars(value)),
        Unit::DollarsPerThousand => format!("{}/1,000 req", format::dollars(value)),
        Unit::Elements | Unit::Share | Unit::Factor | Unit::Number => format::sig4(value),
    }
}

/// Returns the formula of a node, in symbols and values; empty for a leaf.
fn formula(account: &Account, memory: bool) -> Vec<Piece> {
    let listed = account.listed();
    let one = |(part, weight): &(&Account, f64)| {
        let value = Piece::Quantity(
            symbol(part.term),
            quantity(part.term.unit(), part.value, memory),
        );
        match account.how {
            How::LayerSum(_) if (weight - 1.0).abs() > 1e-12 => vec![
                Piece::Number(format::printed(*weight)),
                Piece::Sign(" × "),
                value,
            ],
            _ => vec![value],
        }
    };
    let mut pieces: Vec<Vec<Piece>> = listed.parts.iter().map(one).collect();
    if listed.more > 0 {
        pieces.push(vec![Piece::Sign("…")]);
    }
    let join = |pieces: &[Vec<Piece>], sign: &'static str| pieces.join(&Piece::Sign(sign));
    let call = |name: &'static str, inside: Vec<Piece>| {
        let mut all = vec![Piece::Sign(name), Piece::Sign("(")];
        all.extend(inside);
        all.push(Piece::Sign(")"));
        all
    };
    match &account.how {
        How::Input(_) | How::Fact | How::Constant { .. } => Vec::new(),
        How::Sum | How::LayerSum(_) => join(&pieces, " + "),
        How::Difference => join(&pieces, " − "),
        How::Product => join(&pieces, " × "),
        How::Quotient { above } => {
            let (above, below) = pieces.split_at((*above).min(pieces.len()));
            let mut all = match above {
                [] => vec![Piece::Number("1".to_owned())],
                above => join(above, " × "),
            };
            if !below.is_empty() {
                all.push(Piece::Sign(" ÷ "));
                all.extend(match below {
                    [only] => only.clone(),
                    many => bracketed(join(many, " × ")),
                });
            }
            all
        }
        How::LargerOf => call("max", join(&pieces, ", ")),
        How::SmallerOf => call("min", join(&pieces, ", ")),
        How::RoundedUp => wrapped("⌈", join(&pieces, ", "), "⌉"),
        How::Overlap { first, second } => {
            let (first, rest) = pieces.split_at((*first).min(pieces.len()));
            let (second, rest) = rest.split_at((*second).min(rest.len()));
            let zero = [vec![Piece::Number("0".to_owned())]];
            let or_zero = |sum: &[Vec<Piece>]| match sum {
                [] => join(&zero, ""),
                sum => join(sum, " + "),
            };
            let mut inside = or_zero(first);
            inside.push(Piece::Sign(", "));
            inside.extend(or_zero(second));
            let mut all = call("max", inside);
            for part in rest {
                all.push(Piece::Sign(" + "));
                all.extend(part.iter().cloned());
            }
            all
        }
        How::Equation(Equation::PeakRatio) => {
            let (above, below) = pieces.split_at(1.min(pieces.len()));
            let mut inside = join(above, "");
            inside.push(Piece::Sign(" ÷ "));
            inside.extend(bracketed(join(below, " × ")));
            call(name_of(Equation::PeakRatio), inside)
        }
        How::Equation(equation) => call(name_of(*equation), join(&pieces, ", ")),
    }
}

/// Returns the symbol and index of a quantity. Times of operators and collectives have the operator's name as index.
fn symbol(term: Term) -> [&'static str; 2] {
    match term {
        Term::Operator(_, Symbol::OperatorTime) | Term::Collective(..) => ["t", term.name()],
        _ => term.indexed(),
    }
}

fn bracketed(inside: Vec<Piece>) -> Vec<Piece> {
    wrapped("(", inside, ")")
}

fn wrapped(open: &'static str, inside: Vec<Piece>, close: &'static str) -> Vec<Piece> {
    let mut all = vec![Piece::Sign(open)];
    all.extend(inside);
    all.push(Piece::Sign(close));
    all
}

const fn name_of(equation: Equation) -> &'static str {
    match equation {
        Equation::AcceptanceLength => "acceptance length",
        Equation::ExpertsRead => "experts read",
        Equation::RingShare => "ring factor",
        Equation::OutsideShare => "share outside the domain",
        Equation::InsideShare => "share inside the domain",
        Equation::RemoteShare => "remote share",
        Equation::OtherRanks => "share of other ranks",
        Equation::Others => "other ranks",
        Equation::GatheredShare => "gathered outputs",
        Equation::ResultShare => "output share",
        Equation::HopB | Equation::HopBFolded => "overlapped by HOP-B",
        Equation::HeadPadding => "head padding",
        Equation::Resident => "resident experts",
        Equation::Fit => "whole sequences",
        Equation::Pages | Equation::WindowPages => "whole pages",
        Equation::CorrectedPrefill => "corrected prefill",
        Equation::PromptPasses => "prompt passes",
        Equation::TwoInFlight => "two micro-batches in flight",
        Equation::Idle => "idle share",
        Equation::PeakRatio => "√",
        Equation::HorizonContext | Equation::LongRunContext => "mean context",
        Equation::ChordSlope | Equation::ChordIntercept => "line",
        Equation::EarlyQuery => "overlapped by early queries",
        Equation::Turnaround => "turnaround",
        Equation::AggregatedTpot => "decode and prefill per token",
        Equation::AggregatedGpus | Equation::DecodeGpus | Equation::PrefillGpus => "whole replicas",
        Equation::AggregatedWait | Equation::PrefillWait => "mean wait",
        Equation::MatchedGpus => "balanced pools",
        Equation::FullUseCost => "cost at full utilization",
        Equation::PoolsCost => "cost of both pools",
        Equation::AggregatedOutputCost => "cost of decode",
    }
}

/// Formats a formula with its values: "7.9 MB ÷ (50 GB/s × 0.29)".
pub fn filled(formula: &[Piece]) -> String {
    let mut text = String::new();
    for piece in formula {
        match piece {
            Piece::Quantity(_, words) | Piece::Number(words) => text.push_str(words),
            Piece::Sign(sign) => text.push_str(sign),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::account::{Quantity, account};
    use model_core::evaluate::evaluate;
    use model_core::permalink;

    fn of(link: &str, quantity: Quantity) -> ExplainLine {
        let inputs = permalink::read(link).current;
        let scenario = inputs.scenario().unwrap();
        let evaluation = evaluate(&scenario).unwrap();
        explained(&account(&inputs, &scenario, &evaluation, quantity).unwrap())
    }

    fn each(line: &ExplainLine, see: &mut impl FnMut(&ExplainLine)) {
        see(line);
        line.parts.iter().for_each(|part| each(part, see));
    }

    #[test]
    fn every_line_has_a_formula_or_an_origin() {
        for link in ["v=1", "v=3&model=deepseek-r1&gpu=h200&mtp=3&accept_len=2.4"] {
            for quantity in Quantity::ALL {
                let inputs = permalink::read(link).current;
                let scenario = inputs.scenario().unwrap();
                let evaluation = evaluate(&scenario).unwrap();
                let Some(found) = account(&inputs, &scenario, &evaluation, quantity) else {
                    continue;
                };
                each(&explained(&found), &mut |line| {
                    assert!(!line.value.contains('–'), "{line:?}");
                    assert_eq!(line.formula.is_empty(), line.leaf.is_some(), "{line:?}");
                    assert_eq!(line.parts.is_empty(), line.leaf.is_some(), "{line:?}");
                });
            }
        }
    }

    #[test]
    fn memory_is_binary_and_traffic_decimal() {
        assert!(of("v=1", Quantity::Memory).value.ends_with(" GiB"));
        assert!(of("v=1", Quantity::Tpot).text().contains(" MB"));
    }

    /// Checks that expanding a derivation line by line, by path, yields the same lines as expanding the whole tree.
    #[test]
    fn lines_open_one_by_one() {
        let inputs = permalink::read("v=1").current;
        let scenario = inputs.scenario().unwrap();
        let evaluation = evaluate(&scenario).unwrap();
        let root = account(&inputs, &scenario, &evaluation, Quantity::Tpot).unwrap();
        fn same(root: &Account, line: &ExplainLine, path: &mut Vec<usize>) {
            let below = lines_below(root, path);
            assert_eq!(below.len(), line.parts.len());
            for (at, (own, part)) in below.iter().zip(&line.parts).enumerate() {
                assert_eq!((&own.name, &own.value), (&part.name, &part.value));
                path.push(at);
                same(root, part, path);
                path.pop();
            }
        }
        same(&root, &explained(&root), &mut Vec::new());
    }

    #[test]
    fn text_has_every_line_and_its_values() {
        let line = of("v=1", Quantity::Tpot);
        let text = line.text();
        assert!(text.starts_with("TPOT "), "{text}");
        assert!(text.lines().count() > 20, "{text}");
        let markdown = line.markdown("https://example.org/");
        let equation = "** [=](https://example.org/guide/model.html#the-step) ";
        assert!(markdown.contains(equation), "{markdown}");
    }
}
