//! Derivation trees of prefill: either one prompt per attention group in a single pass, or the passes of a prefill
//! replica.

use super::case::{Case, Factors, Measured};
use super::equation::Equation;
use super::load::Loaded;
use super::operator::Pass;
use super::step::Weighted;
use super::symbol::Symbol;
use super::tree::{Account, How, Term};
use crate::calibration::term::CalibrationTerm;
use crate::calibration::{PrefillCount, kernels, prefill as terms};
use crate::cost::roofline::Rates;
use crate::evaluate::{first_token, prompt_of_equations, prompt_of_kernels};
use crate::inputs::Number;
use crate::ops::{LatentForm, Load, OperatorRole, PromptTokens};
use crate::schedule::prefill::{self, Passes, by_passes};
use crate::schedule::{Block, for_each_block};
use crate::workload::Serving;

/// Prompts that a pass processes: m prompts per attention group, each split into J chunks over J passes.
struct Prompts {
    tokens: PromptTokens,
    together: f64,
    head: bool,
}

/// Derives the prefill time that other requests add per output token; `None` if prefill is disaggregated.
pub fn per_token(case: &Case<'_>) -> Option<Account> {
    let prefills = case.evaluation.prefills?;
    let Serving::Aggregated(lengths) = case.scenario.workload.serving else {
        return None;
    };
    let passes = passes(case)?;
    let prompt = corrected(case, lengths.prompt);
    let value = prefills.per_token.get();
    // The equation of a corrected prompt takes p·f as one more multiplier, which saves a tree level.
    let node = match prompt.how {
        How::Equation(Equation::CorrectedPrefill) => {
            let mut prompt = prompt;
            prompt.parts.push(passes);
            prompt
        }
        _ => {
            let parts = vec![passes, prompt.shown_as(prefills.each.get())];
            Account::of(Term::Plain(Symbol::Prefilling), value, How::Product, parts)
        }
    };
    Some(node.named(Term::Plain(Symbol::Prefilling)).shown_as(value))
}

/// Derives the number of prompt passes per output token (p·f in the TPOT equation); `None` if prefill is disaggregated.
pub fn passes(case: &Case<'_>) -> Option<Account> {
    let scenario = case.scenario;
    let Serving::Aggregated(lengths) = scenario.workload.serving else {
        return None;
    };
    let spec = scenario.plan.spec();
    let waits = scenario.calibration.engine.is_some() && spec.dp > 1 && spec.ep > 1;
    let waits = f64::from(u8::from(waits));
    let parts = vec![
        case.input(Symbol::Batch, Number::Batch, scenario.workload.batch),
        case.ways(Symbol::Dp, Number::Dp, spec.dp),
        case.input(Symbol::OutputLength, Number::MeanOutput, lengths.output),
        case.chosen(Symbol::Waits, "calibration", waits),
    ];
    let how = How::Equation(Equation::PromptPasses);
    Some(Account::folded(
        Term::Plain(Symbol::PromptPasses),
        how,
        parts,
    ))
}

/// Derives the TTFT of an idle engine; `None` if prefill is not modeled.
pub fn ttft(case: &Case<'_>) -> Option<Account> {
    let value = first_token(case.inputs, case.scenario)?.get();
    let scenario = case.scenario;
    let prompt = case.inputs.stated(Number::MeanPrompt);
    let prompt = prompt.unwrap_or(scenario.workload.context);
    let term = Term::Plain(Symbol::Ttft);
    let decodes = scenario.workload.serving == Serving::Decode;
    let uncorrected = scenario.uncorrected();
    let own = case.with(&uncorrected);
    let tree = if decodes && by_passes(scenario) {
        let replica = prefill::replica(scenario, prompt)?;
        let chunks = case.input(Symbol::Chunks, Number::Chunk, replica.prompt.chunks);
        let pass = replica_pass(&own, &replica.prompt, 1.0)?;
        Account::folded(term, How::Product, vec![chunks, pass])
    } else if decodes {
        whole(&own, prompt).named(term)
    } else {
        corrected(case, prompt).named(term)
    };
    Some(tree.shown_as(value))
}

/// Derives the time of one prefill-replica pass, including the output head.
pub fn replica_pass(case: &Case<'_>, tokens: &PromptTokens, together: f64) -> Option<Account> {
    let passes = Passes::of(case.scenario)?;
    let prompts = Prompts {
        tokens: *tokens,
        together,
        head: true,
    };
    Some(pass(case, &passes, &prompts))
}

/// Derives the prefill time of one prompt on an aggregated replica, corrected by measurements.
pub fn corrected(case: &Case<'_>, prompt: f64) -> Account {
    let mut parts = prompt_parts(case, prompt);
    match (parts.len(), parts.pop()) {
        (1, Some(own)) => own,
        (_, last) => {
            parts.extend(last);
            let how = How::Equation(Equation::CorrectedPrefill);
            Account::folded(Term::Plain(Symbol::Prompt), how, parts)
        }
    }
}

/// Derives the prefill time of one prompt on an aggregated replica. If measurements correct this time, the added time
/// and the correction factor follow as separate nodes.
pub fn prompt_parts(case: &Case<'_>, prompt: f64) -> Vec<Account> {
    let correction = &case.scenario.correction;
    let uncorrected = case.scenario.uncorrected();
    let mut parts = vec![whole(&case.with(&uncorrected), prompt)];
    if !correction.is_none() {
        parts.extend([
            case.chosen(Symbol::AddedPrefill, "measured", correction.prefill_added_s),
            case.chosen(Symbol::Correction, "measured", correction.prefill),
        ]);
    }
    parts
}

/// Derives the time of a single prefill pass over one prompt per attention group, including the host time of its
/// layers.
fn whole(case: &Case<'_>, prompt: f64) -> Account {
    let scenario = case.scenario;
    let passes = Passes::of(scenario).filter(|_| by_passes(scenario));
    let mut node = match passes {
        Some(passes) => {
            let prompts = Prompts {
                tokens: prefill::unchunked(scenario, prompt),
                together: 1.0,
                head: false,
            };
            pass(case, &passes, &prompts)
        }
        None => in_sequence(case, prompt),
    };
    let host = scenario
        .workload
        .prompts
        .host
        .map_or(0.0, |host| host.get());
    let counts = scenario.calibration.prefill != PrefillCount::Kernels || by_passes(scenario);
    if host > 0.0 && counts && case.evaluation.prefills.is_some() {
        let each = case.input(Symbol::PrefillHost, Number::PrefillMicros, host);
        let layers = case.model_fact(Symbol::Layers, scenario.arch.whole_layers());
        let host = Account::folded(
            Term::Plain(Symbol::PrefillHost),
            How::Product,
            vec![each, layers],
        );
        node.value += host.value;
        node.parts.push(host);
    }
    node.named(Term::Plain(Symbol::Prompt))
}

/// Derives a prompt's prefill time without overlap and without the output head. The calibration decides between
/// per-kernel times and the papers’ equations.
fn in_sequence(case: &Case<'_>, prompt: f64) -> Account {
    let scenario = case.scenario;
    let (subject, load) = match scenario.calibration.prefill {
        PrefillCount::Equations => prompt_of_equations(scenario, prompt, LatentForm::Plain),
        PrefillCount::Kernels | PrefillCount::Passes => prompt_of_kernels(scenario, prompt),
    };
    let own = Rates::new(
        &scenario.cluster,
        &scenario.precision,
        &scenario.calibration,
    );
    let rates = own.unwrap_or(case.evaluation.rates);
    let tokens = PromptTokens {
        new: prompt,
        cached: 0.0,
        chunks: 1.0,
    };
    let pass = Pass {
        case,
        subject,
        loaded: loaded(case, &load, &tokens, 1.0),
        rates: rates.without_added_tokens(),
        draft: false,
        slowed: Vec::new(),
        recorded: 1.0,
    };
    let (compute, messages) = pass.sums(scenario, false, 1.0);
    let nodes = compute.into_iter().chain(messages).collect();
    Account::folded(Term::Plain(Symbol::Pass), How::Sum, nodes)
}

/// Derives the time of a prefill pass without overlap or, if that is faster, as two overlapped micro-batches with half
/// of the prompts each.
fn pass(case: &Case<'_>, passes: &Passes, prompts: &Prompts) -> Account {
    let time = passes.time(&prompts.tokens, prompts.together, prompts.head);
    let term = Term::Plain(Symbol::Pass);
    let value = time.time().get();
    let scenario = &passes.scenario;
    let of = |together: f64, slowed: Vec<Account>| Pass {
        case,
        subject: passes.subject(),
        loaded: loaded(
            case,
            &Load::chunk(&prompts.tokens, together, prompts.head, &scenario.plan),
            &prompts.tokens,
            together,
        ),
        rates: passes.rates,
        draft: false,
        slowed,
        recorded: 1.0,
    };
    let halved = time
        .two_batch
        .filter(|two| *two < time.sequence())
        .is_some();
    if !halved {
        let (compute, messages) =
            of(prompts.together, Vec::new()).sums(scenario, prompts.head, 1.0);
        let nodes = compute.into_iter().chain(messages).collect();
        return Account::of(term, value, How::Sum, nodes);
    }
    let family = scenario.calibration.coverage.family_or_hopper();
    let by_kernel: &[&'static CalibrationTerm] = match case.by_kernel() {
        true => &[&kernels::CONTENTION],
        false => &[],
    };
    let kappa = case.calibrated(
        by_kernel,
        Symbol::Contention,
        None,
        scenario.calibration.contention,
        Measured::Contention,
    );
    let share = terms::HELD.of(family);
    let held = match case.by_kernel() {
        true => case.calibrated(
            &[&terms::HELD],
            Symbol::Held,
            None,
            share,
            Measured::Prefill,
        ),
        false => case.calibrated(&[], Symbol::Held, None, passes.held, Measured::Prefill),
    };
    let half = prompts.together / 2.0;
    let (compute, sent) = of(half, vec![kappa.clone()]).sums(scenario, prompts.head, 2.0);
    let second: Vec<Account> = match passes.held > 0.0 {
        true => {
            let (_, held) = of(half, vec![kappa, held]).sums(scenario, prompts.head, 2.0);
            compute.into_iter().chain(held).collect()
        }
        false => compute.into_iter().collect(),
    };
    let how = How::Overlap {
        first: usize::from(sent.is_some()),
        second: second.len(),
    };
    Account::of(term, value, how, sent.into_iter().chain(second).collect())
}

fn loaded(case: &Case<'_>, load: &Load, tokens: &PromptTokens, together: f64) -> Loaded {
    let prompts = case.scenario.workload.prompts;
    let spec = case.scenario.plan.spec();
    let dp = case.ways(Symbol::Dp, Number::Dp, spec.dp);
    let prompt = || {
        let length = tokens.new + tokens.cached;
        case.input(Symbol::PromptLength, Number::MeanPrompt, length)
    };
    let mut all = Factors::one(dp.clone());
    if (together - 1.0).abs() > 0.0 {
        all = all.times(case.input(Symbol::Prompts, Number::Chunk, together));
    }
    let mut carried = Factors::one(prompt());
    if prompts.hit > 0.0 && by_passes(case.scenario) {
        carried = carried.times(case.input(Symbol::Fresh, Number::Hit, 1.0 - prompts.hit));
    }
    carried = carried.over(case.input(Symbol::Chunks, Number::Chunk, tokens.chunks));
    Loaded {
        load: *load,
        all,
        carried,
        context: Factors::one(prompt()),
        pairs: Factors::one(case.input(Symbol::Pairs, Number::MeanPrompt, tokens.pairs())),
        rows: Factors::one(case.input(Symbol::KeyRows, Number::MeanPrompt, tokens.rows())),
        groups: Factors::one(dp),
        heads: Factors::default(),
    }
}

impl Pass<'_> {
    /// Sums a pass's compute (including framework overhead) and its communication. Every operator and collective is
    /// multiplied by `times`.
    fn sums(
        &self,
        scenario: &crate::scenario::Scenario,
        head: bool,
        times: f64,
    ) -> (Option<Account>, Option<Account>) {
        let (mut compute, mut messages) = (Weighted::default(), Weighted::default());
        let mut blocks: Vec<Block> = Vec::new();
        for_each_block(scenario, &self.subject, &self.loaded.load, 1.0, |block| {
            blocks.push(*block);
        });
        for block in blocks {
            let weight = f64::from(block.layers) * times;
            let is_head = block.role == OperatorRole::Head;
            if is_head && !head {
                continue;
            }
            for time in self.block(&block, block.role) {
                compute.push(time, weight);
            }
            for sent in self.collectives(block.place, block.messages.as_slice(), 0) {
                messages.push(sent, weight);
            }
            if let Some(half) = self.half(block.role).filter(|_| !is_head) {
                compute.push(half, weight);
            }
        }
        if let Some((layer, halves)) = self.layer() {
            compute.push(layer, scenario.arch.whole_layers() * halves * times);
        }
        let folded = |sum: Weighted, symbol| sum.folded(Term::Plain(symbol));
        (
            folded(compute, Symbol::Computing),
            folded(messages, Symbol::Communication),
        )
    }
}
