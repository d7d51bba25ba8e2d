//! Derivation trees of Lamina results: compute devices, memory devices, and the network between them.

use super::case::{Case, Factors};
use super::equation::Equation;
use super::load::Loaded;
use super::messages::message_terms;
use super::operator::Pass;
use super::quantity::Quantity;
use super::rank::Rank;
use super::step::Weighted;
use super::symbol::Symbol;
use super::tpot::yielded;
use super::tree::{Account, How, Term};
use crate::cost::collective::Collective;
use crate::evaluate::evaluate;
use crate::hardware::NetworkLink;
use crate::inputs::split::{compute_inputs, memory_inputs};
use crate::inputs::{Inputs, Number};
use crate::lamina::step::key_value_share;
use crate::lamina::traffic::{links, traffic_of};
use crate::lamina::{Split, SplitSetup, SplitSide};
use crate::ops::{Kind, Load, OperatorRole, Operators, Place};
use crate::schedule::Block;
use crate::units::Seconds;

pub(super) struct Deployment<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) setup: &'a SplitSetup,
    pub(super) split: &'a Split,
    /// True if the batch is a single sequence; used to derive the memory that each sequence takes.
    pub(super) one: bool,
}

/// Returns the derivation tree of a Lamina quantity; `None` if the deployment has no such quantity.
pub fn account(
    stated: &Inputs,
    setup: &SplitSetup,
    split: &Split,
    quantity: Quantity,
) -> Option<Account> {
    let inputs = *stated;
    let value = match quantity {
        Quantity::LaminaBatch => setup.batch(),
        _ => value(split, quantity)?,
    };
    let deployment = Deployment {
        inputs: &inputs,
        setup,
        split,
        one: false,
    };
    let tree = match quantity {
        Quantity::LaminaTokens => deployment.tokens(),
        Quantity::LaminaPerUser => deployment.per_user(),
        Quantity::LaminaCost => deployment.cost(),
        Quantity::LaminaStep => deployment.step(),
        Quantity::LaminaModel => deployment.model(),
        Quantity::LaminaAttention => deployment.attention(),
        Quantity::LaminaNetwork => deployment.network(),
        Quantity::LaminaOverlapped => deployment.overlapped(),
        Quantity::LaminaBatch => deployment.served(),
        Quantity::LaminaCapacity => deployment.capacity(),
        Quantity::LaminaComputeMemory => deployment.memory(SplitSide::Compute),
        Quantity::LaminaMemory => deployment.memory(SplitSide::Memory),
        _ => None,
    };
    Some(tree?.shown_as(value))
}

/// Returns the value of a Lamina quantity; `None` if the deployment has no such quantity.
pub fn value(split: &Split, quantity: Quantity) -> Option<f64> {
    Some(match quantity {
        Quantity::LaminaTokens => split.tokens,
        Quantity::LaminaPerUser => split.tokens_per_user,
        Quantity::LaminaCost => 1e6 / split.tokens_per_dollar?,
        Quantity::LaminaStep => split.step.get(),
        Quantity::LaminaModel => split.times.model.get(),
        Quantity::LaminaAttention => split.times.attention.get(),
        Quantity::LaminaNetwork => split.times.network().get(),
        Quantity::LaminaOverlapped => {
            Some(split.hidden.get()).filter(|overlapped| *overlapped > 0.0)?
        }
        Quantity::LaminaCapacity => Some(split.capacity).filter(|most| *most > 0.0)?,
        Quantity::LaminaComputeMemory => split.memory[SplitSide::Compute as usize].total().get(),
        Quantity::LaminaMemory => split.memory[SplitSide::Memory as usize].total().get(),
        _ => return None,
    })
}

impl Deployment<'_> {
    /// Calls `look` with the scenario of one side, evaluated at one micro-batch.
    pub(super) fn with_case<T>(
        &self,
        side: SplitSide,
        look: impl FnOnce(&Case<'_>) -> Option<T>,
    ) -> Option<T> {
        let setup = self.setup;
        let (mut scenario, inputs) = match side {
            SplitSide::Compute => {
                let inputs = compute_inputs(self.inputs, setup.replica_gpus());
                (setup.compute, inputs)
            }
            SplitSide::Memory => {
                let inputs = memory_inputs(self.inputs, setup.memory_gpus, setup.partition);
                (setup.memory, inputs)
            }
        };
        scenario.workload.batch = setup.batch_each();
        let evaluation = evaluate(&scenario).ok()?;
        let inputs = inputs.settled();
        look(&Case::new(&inputs, &scenario, &evaluation))
    }

    /// Calls `look` with the evaluated scenario of the compute side, which supplies the leaves of the deployment's
    /// derivation trees.
    pub(super) fn leaves<T>(&self, look: impl FnOnce(&Case<'_>) -> Option<T>) -> Option<T> {
        self.with_case(SplitSide::Compute, look)
    }

    pub(super) fn batch(&self, case: &Case<'_>) -> Account {
        if self.one {
            return case.definition(Symbol::One, 1.0);
        }
        case.input(Symbol::Batch, Number::Batch, self.setup.batch())
    }

    fn batches(&self, case: &Case<'_>) -> Account {
        case.ways(Symbol::MicroBatches, Number::Batches, self.setup.batches)
    }

    /// Returns the two factors of the number of sequences in a Lamina micro-batch: batch B ÷ micro-batches j.
    pub(super) fn micro_batch(&self, case: &Case<'_>) -> Factors {
        Factors::one(self.batch(case)).over(self.batches(case))
    }

    fn tokens(&self) -> Option<Account> {
        let above = self.leaves(|case| {
            let mut above = vec![self.batch(case)];
            above.extend(yielded(case));
            Some(above)
        })?;
        let term = Term::Plain(Symbol::LaminaTokens);
        Some(Account::quotient(term, above, vec![self.step()?]))
    }

    fn per_user(&self) -> Option<Account> {
        let above = self.leaves(|case| {
            let one = case.definition(Symbol::OneToken, 1.0);
            Some(yielded(case).unwrap_or(one))
        })?;
        let term = Term::Plain(Symbol::LaminaPerUser);
        Some(Account::quotient(term, vec![above], vec![self.step()?]))
    }

    /// Derives the cost of a million tokens: the hourly price of both sides × step time ÷ tokens that all sequences
    /// yield in a step.
    fn cost(&self) -> Option<Account> {
        let factors = self.leaves(|case| {
            let setup = self.setup;
            let side = |symbol, [gpus, price]: [(Symbol, Number, f64); 2]| {
                let parts =
                    [gpus, price].map(|(symbol, key, value)| case.input(symbol, key, value));
                Account::folded(Term::Plain(symbol), How::Product, parts.to_vec())
            };
            let compute = [
                (
                    Symbol::ComputeGpus,
                    Number::ComputeGpus,
                    f64::from(setup.compute_gpus),
                ),
                (Symbol::Price, Number::ComputePrice, setup.compute_price?),
            ];
            let memory = [
                (
                    Symbol::MemoryGpus,
                    Number::MemoryGpus,
                    f64::from(setup.memory_gpus),
                ),
                (Symbol::Price, Number::MemoryPrice, setup.memory_price?),
            ];
            let parts = vec![
                side(Symbol::HourlyCompute, compute),
                side(Symbol::HourlyMemory, memory),
            ];
            let hourly = Account::folded(Term::Plain(Symbol::Hourly), How::Sum, parts);
            let mut factors = Factors::one(hourly)
                .times(case.definition(Symbol::Million, 1e6))
                .over(case.definition(Symbol::Hour, 3600.0))
                .over(self.batch(case));
            if let Some(tokens) = yielded(case) {
                factors = factors.over(tokens);
            }
            Some(factors)
        })?;
        let factors = factors.times(self.step()?);
        Some(factors.node(Term::Plain(Symbol::Cost)))
    }

    /// Derives the Lamina step time: the longest of a micro-batch’s turnaround and the busy times of compute devices,
    /// memory devices and links.
    fn step(&self) -> Option<Account> {
        let (setup, split) = (self.setup, self.split);
        let busy = |symbol, value: Seconds, above: Vec<Account>, below: Vec<Account>| {
            Account::quotient(Term::Plain(symbol), above, below).shown_as(value.get())
        };
        let (batches, replicas, all) = self.leaves(|case| {
            let replicas = setup.replicas;
            let all = setup.compute_gpus.min(setup.memory_gpus);
            let key = match setup.compute_gpus <= setup.memory_gpus {
                true => Number::ComputeGpus,
                false => Number::MemoryGpus,
            };
            Some((
                self.batches(case),
                case.ways(Symbol::ModelReplicas, Number::Batches, replicas),
                [
                    case.input(Symbol::Links, key, links(setup)),
                    case.ways(Symbol::AllLinks, key, all),
                ],
            ))
        })?;
        let [own_links, all_links] = all;
        let mut sent = vec![batches.clone(), own_links];
        sent.insert(0, self.sending(false)?);
        let parts = vec![
            self.turnaround()?,
            busy(
                Symbol::ModelBusy,
                split.model_busy,
                vec![self.model()?, batches.clone()],
                vec![replicas],
            ),
            busy(
                Symbol::AttentionBusy,
                split.attention_busy,
                vec![self.attention()?, batches],
                Vec::new(),
            ),
            // Sum the transfers. The model subtracts the round trips from the network time instead, which loses digits.
            Account::quotient(Term::Plain(Symbol::NetworkBusy), sent, vec![all_links]),
        ];
        let term = Term::Plain(Symbol::LaminaStep);
        Some(Account::of(term, split.step.get(), How::LargerOf, parts))
    }

    fn turnaround(&self) -> Option<Account> {
        let mut parts = vec![self.model()?, self.attention()?, self.network()?];
        parts.extend(self.overlapped());
        let term = Term::Plain(Symbol::Turnaround);
        let value = self.split.turnaround().get();
        let how = How::Equation(Equation::Turnaround);
        Some(Account::of(term, value, how, parts))
    }

    /// Derives the time of everything except attention on one model replica: MTIME(B) in [L].
    fn model(&self) -> Option<Account> {
        let value = self.split.times.model.get();
        let node = self.side(SplitSide::Compute, |pass| Rank {
            pass,
            roles: &OperatorRole::ALL,
            runs: |kind| !kind.needs_cache(),
            sends: |_| true,
            overhead: true,
            samples: true,
            drafts: false,
        })?;
        Some(node.named(Term::Plain(Symbol::ModelTime)).shown_as(value))
    }

    /// Derives the attention time on the memory devices: ATIME(B, l) in [L].
    fn attention(&self) -> Option<Account> {
        let value = self.split.times.attention.get();
        let node = self.side(SplitSide::Memory, |pass| Rank {
            pass,
            roles: &OperatorRole::ALL,
            runs: Kind::needs_cache,
            sends: |_| false,
            overhead: false,
            samples: false,
            drafts: false,
        })?;
        Some(
            node.named(Term::Plain(Symbol::DeviceAttention))
                .shown_as(value),
        )
    }

    fn side(
        &self,
        side: SplitSide,
        rank: impl for<'a> FnOnce(Pass<'a>) -> Rank<'a>,
    ) -> Option<Account> {
        self.with_case(side, |case| {
            let pass = self.pass(case);
            rank(pass).parts().folded(Term::Plain(Symbol::ModelTime))
        })
    }

    /// Returns the decode pass of one micro-batch.
    pub(super) fn pass<'a>(&self, case: &'a Case<'a>) -> Pass<'a> {
        let scenario = case.scenario;
        let load = Load::decode(self.setup.batch_each(), &scenario.plan, &scenario.workload);
        let loaded = Loaded {
            all: self.micro_batch(case),
            ..Loaded::decode(case, &load)
        };
        Pass::of_load(case, loaded)
    }

    /// Derives a Lamina micro-batch's network time, including round trips.
    fn network(&self) -> Option<Account> {
        let value = self.split.times.network().get();
        Some(self.sending(true)?.shown_as(value))
    }

    /// Derives the time to send queries, keys, values and outputs; adds the round trips if `trips` is true.
    fn sending(&self, trips: bool) -> Option<Account> {
        let mut parts = vec![
            self.sent(Symbol::SendQuery)?,
            self.sent(Symbol::SendKeyValue)?,
            self.sent(Symbol::SendOutput)?,
        ];
        if trips {
            parts.push(self.trips()?);
        }
        let term = Term::Plain(Symbol::NetworkTime);
        Some(Account::folded(term, How::Sum, parts))
    }

    /// Derives the time of one type of transfer, summed over all layers. `symbol` selects the transfer: of queries,
    /// of keys and values, or of attention outputs.
    fn sent(&self, symbol: Symbol) -> Option<Account> {
        let setup = self.setup;
        let times = &self.split.times;
        let value = match symbol {
            Symbol::SendQuery => times.send_query,
            Symbol::SendKeyValue => times.send_key_value,
            _ => times.send_output,
        };
        self.leaves(|case| {
            let precision = &setup.memory.precision;
            let carried = setup.memory.workload.speculation.carried();
            let bytes = match symbol {
                Symbol::SendKeyValue => case.input(Symbol::KvBytes, Number::KvBytes, precision.kv),
                _ => {
                    let key = Number::ActivationBytes;
                    case.input(Symbol::ActivationBytes, key, precision.activations)
                }
            };
            let cost = setup.compute.calibration.messages.across;
            let terms = message_terms(case, Collective::ExpertAllToAll, NetworkLink::ScaleOut);
            let key = match setup.replica_gpus() <= setup.memory_gpus {
                true => Number::ComputeGpus,
                false => Number::MemoryGpus,
            };
            let mut all = Weighted::default();
            for part in setup.compute.arch.mixers() {
                let traffic = traffic_of(setup, &part.shape, setup.batch_each());
                let sent = match symbol {
                    Symbol::SendQuery => traffic.query,
                    Symbol::SendKeyValue => traffic.key_value,
                    _ => traffic.output,
                };
                let tokens = setup.batch_each() * carried;
                let elements = sent.get() / (tokens * bytes.value);
                let mut factors = Factors::one(case.model_fact(Symbol::SentElements, elements))
                    .and(self.micro_batch(case))
                    .times(bytes.clone());
                if carried > 1.0 {
                    let key = Number::SpeculationDepth;
                    factors = factors.times(case.input(Symbol::Carried, key, carried));
                }
                let rate = case.inefficiency(
                    &terms.share,
                    Number::NetworkFactor,
                    cost.factor,
                    terms.measured,
                );
                let factors = factors
                    .and(rate)
                    .over(case.input(Symbol::Net, Number::Net, setup.net.get()))
                    .over(case.input(Symbol::Links, key, links(setup)));
                all.push(
                    factors.node(Term::Plain(Symbol::Transfer)),
                    f64::from(part.layers),
                );
            }
            let node = all.folded(Term::Plain(symbol))?;
            Some(node.shown_as(value.get()))
        })
    }

    fn trips(&self) -> Option<Account> {
        self.leaves(|case| {
            let layers = f64::from(case.scenario.arch.mixer_layers());
            let each = self.setup.round_trip.get();
            let parts = vec![
                case.input(Symbol::RoundTrip, Number::NetMicros, each),
                case.model_fact(Symbol::Layers, layers),
            ];
            let term = Term::Plain(Symbol::RoundTrips);
            Some(Account::folded(term, How::Product, parts))
        })
    }

    /// Derives the time saved by sending queries early; `None` if nothing is saved.
    fn overlapped(&self) -> Option<Account> {
        let hidden = self.split.hidden;
        if hidden <= Seconds::ZERO {
            return None;
        }
        let parts = vec![
            self.key_value()?,
            self.sent(Symbol::SendQuery)?,
            self.sent(Symbol::SendKeyValue)?,
            self.trips()?,
            self.attention()?,
        ];
        let term = Term::Plain(Symbol::EarlyQuery);
        let how = How::Equation(Equation::EarlyQuery);
        Some(Account::of(term, hidden.get(), how, parts))
    }

    /// Derives the projection time of keys and values. If Q, K and V share one projection, this is the share of the K
    /// and V columns; otherwise it is the time of their separate operator.
    fn key_value(&self) -> Option<Account> {
        let value = self.split.times.key_value.get();
        let term = Term::Plain(Symbol::KeyValueTime);
        self.with_case(SplitSide::Compute, |case| {
            let pass = self.pass(case);
            let arch = &case.scenario.arch;
            let mut all = Weighted::default();
            for (number, part) in arch.mixers().iter().enumerate() {
                let place = Place::Mixer(number);
                let list: Operators = pass.subject.operators(place, &pass.loaded.load);
                let share = key_value_share(&part.shape, case.scenario.plan.spec().tp);
                for operator in list.as_slice() {
                    let by = match operator.kind {
                        Kind::Qkv => share,
                        Kind::KvDown => 1.0,
                        _ => continue,
                    };
                    let time = pass.operator(place, operator);
                    all.push(time, by * f64::from(part.layers));
                }
            }
            let own = all.folded(term);
            let fits = |node: &Account| (node.value - value).abs() <= 1e-12 * value;
            match own {
                Some(node) if fits(&node) => Some(node.shown_as(value)),
                None => Some(case.definition(Symbol::KeyValueTime, 0.0)),
                // The block bounds this time and may take less than the sum of its operators.
                Some(_) => {
                    let mut all = Weighted::default();
                    for block in case.evaluation.blocks(case.scenario) {
                        if block.role != OperatorRole::Attention {
                            continue;
                        }
                        let own = Block {
                            operators: block.operators.only(|kind| !kind.needs_cache()),
                            ..block
                        };
                        for time in pass.block(&own, block.role) {
                            all.push(time, f64::from(block.layers));
                        }
                    }
                    Some(all.folded(term)?.shown_as(value))
                }
            }
        })
    }
}
