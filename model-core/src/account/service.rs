//! Derivation trees of serving whole requests: GPUs, TTFT and cost of the pools.

use super::cache;
use super::case::{Case, Factors, Measured};
use super::equation::Equation;
use super::messages::{link, message_terms};
use super::prefill;
use super::quantity::Quantity;
use super::step::step;
use super::symbol::Symbol;
use super::tpot::{self, yielded};
use super::tree::{Account, DEEPEST, How, Term};
use crate::cost::collective::Collective;
use crate::evaluate::{Evaluation, evaluate};
use crate::hardware::NetworkLink;
use crate::inputs::{Inputs, Number};
use crate::ops::PromptTokens;
use crate::plan::Plan;
use crate::scenario::Scenario;
use crate::service::Service;
use crate::service::answer::{Aggregated, Disaggregated, HOUR};
use crate::service::decode::DecodeReplica;
use crate::service::prefill::PrefillReplica;
use crate::service::queue::replicas_for;
use crate::units::Seconds;
use crate::workload::Pools;

struct Served<'a> {
    service: &'a Service,
}

struct Replica {
    inputs: Inputs,
    scenario: Scenario,
    evaluation: Evaluation,
}

/// Builds the derivation tree of a quantity of whole-request serving; `None` if `service` has no such quantity.
/// `prefill` has the inputs of the prefill pool.
pub fn account(service: &Service, prefill: &Inputs, quantity: Quantity) -> Option<Account> {
    let value = value(service, quantity)?;
    let served = Served { service };
    let tree = match service.choice? {
        Pools::Aggregated => {
            let of = service.aggregated.as_ref().ok()?;
            let own = Replica::of(&of.inputs)?;
            served.aggregated(of, &own, quantity)
        }
        _ => {
            let of = service.disaggregated.as_ref().ok()?;
            let own = Replica::of(&of.decode.inputs)?;
            served.pools(of, &own, prefill, quantity)
        }
    };
    Some(tree?.shown_as(value))
}

/// Returns the displayed value of a quantity of whole-request serving; `None` if `service` has no such quantity.
pub fn value(service: &Service, quantity: Quantity) -> Option<f64> {
    let per_request = |rated: Option<f64>, full: Option<f64>| {
        let full = full.map(|dollars| dollars / HOUR);
        Some(rated.or(full)? * 1e3)
    };
    let rated = service.cost();
    Some(match (quantity, service.choice?) {
        (Quantity::ServicePerUser, _) => 1.0 / service.tpot()?.get(),
        (Quantity::ServiceOutputCost, _) => rated?.per_million_output,
        (Quantity::ServiceGpus, Pools::Aggregated) => {
            let of = service.aggregated.as_ref().ok()?;
            let loaded = of.loaded.map(|loaded| loaded.pool.gpus as f64);
            loaded.unwrap_or(f64::from(of.replica.gpus))
        }
        (Quantity::ServiceGpus, _) => {
            let of = service.disaggregated.as_ref().ok()?;
            let set = of.matched;
            let matched = set.prefill * of.prefill.gpus + set.decode * of.decode.gpus;
            of.loaded
                .map_or(f64::from(matched), |loaded| loaded.gpus() as f64)
        }
        (Quantity::ServiceTtft, Pools::Aggregated) => {
            let of = service.aggregated.as_ref().ok()?;
            let loaded = of.loaded.map(|loaded| loaded.first_token.total());
            loaded.unwrap_or(of.replica.alone()).get()
        }
        (Quantity::ServiceTtft, _) => {
            let of = service.disaggregated.as_ref().ok()?;
            let loaded = of.loaded.map(|loaded| loaded.first_token.total());
            loaded.unwrap_or(of.prefill.alone()).get()
        }
        (Quantity::ServiceCost, Pools::Aggregated) => {
            let of = service.aggregated.as_ref().ok()?;
            per_request(rated.map(|cost| cost.per_request), of.dollars_per_rate)?
        }
        (Quantity::ServiceCost, _) => {
            let of = service.disaggregated.as_ref().ok()?;
            per_request(rated.map(|cost| cost.per_request), of.dollars_per_rate)?
        }
        _ => return None,
    })
}

impl Replica {
    fn of(inputs: &Inputs) -> Option<Self> {
        Self::evaluated(inputs, inputs.scenario().ok()?)
    }

    fn of_prefill(inputs: &Inputs, replica: &PrefillReplica) -> Option<Self> {
        let mut scenario = inputs.scenario().ok()?;
        scenario.plan = Plan::new(replica.spec, &scenario.arch, replica.gpus).ok()?;
        scenario.cluster.gpus = replica.gpus;
        Self::evaluated(inputs, scenario)
    }

    fn evaluated(inputs: &Inputs, scenario: Scenario) -> Option<Self> {
        Some(Self {
            inputs: inputs.settled(),
            scenario,
            evaluation: evaluate(&scenario).ok()?,
        })
    }

    fn case(&self) -> Case<'_> {
        Case::new(&self.inputs, &self.scenario, &self.evaluation)
    }
}

impl Served<'_> {
    fn rate(&self, case: &Case<'_>) -> Option<[Account; 2]> {
        let demand = &self.service.demand;
        Some([
            case.input(Symbol::RequestRate, Number::Rate, demand.rate?),
            case.input(Symbol::Utilization, Number::Util, demand.utilisation),
        ])
    }

    fn limit(&self, case: &Case<'_>) -> Option<Account> {
        let limit = self.service.demand.first_token?;
        Some(case.input(Symbol::TtftLimit, Number::Ttft, limit.get()))
    }

    fn output(&self, case: &Case<'_>) -> Account {
        let output = self.service.requests.output;
        case.input(Symbol::OutputLength, Number::MeanOutput, output)
    }

    fn price(&self, case: &Case<'_>) -> Option<Account> {
        let price = self.service.demand.price?;
        Some(case.input(Symbol::Price, Number::Price, price))
    }

    /// Returns the batch, output length and TPOT of a replica, as inputs of an equation.
    fn decoding(&self, case: &Case<'_>, batch: f64, tpot: Account) -> Vec<Account> {
        let batch = case.input(Symbol::Batch, Number::Batch, batch);
        vec![batch, self.output(case), tpot]
    }

    fn per_user(case: &Case<'_>, tpot: Account) -> Account {
        let one = case.definition(Symbol::OneToken, 1.0);
        Account::quotient(Term::Plain(Symbol::PerUser), vec![one], vec![tpot])
    }

    fn aggregated(&self, of: &Aggregated, own: &Replica, quantity: Quantity) -> Option<Account> {
        let case = own.case();
        let case = &case;
        let replica = &of.replica;
        let prompt = || {
            let node = prefill::corrected(case, self.service.requests.prompt);
            node.shown_as(replica.prefill.get())
        };
        let own_step = |room| step(case, room).shown_as(replica.step.get());
        let tpot = |room: usize| self.aggregated_tpot(case, of, room);
        let size = || case.ways(Symbol::ReplicaGpus, Number::Gpus, replica.gpus);
        let groups = || case.ways(Symbol::Dp, Number::Dp, replica.spec.dp);
        let gpus = |room: usize| -> Option<Account> {
            let mut parts = vec![size()];
            parts.extend(self.rate(case)?);
            parts.extend(self.decoding(case, replica.batch, tpot(room - 1)));
            let pool = of.loaded?.pool;
            let demand = &self.service.demand;
            let for_rate = replicas_for(demand.rate?, replica.rate, demand.utilisation);
            let limit = self.limit(case);
            // Prompts may need more replicas than the rate does.
            if limit.is_some() || for_rate < pool.replicas as f64 {
                parts.extend([prompt(), own_step(room - 1), groups()]);
                parts.extend(limit);
            }
            let term = Term::Plain(Symbol::ServiceGpus);
            let value = pool.gpus as f64;
            let how = How::Equation(Equation::AggregatedGpus);
            Some(Account::of(term, value, how, parts))
        };
        let rated = of.loaded.is_some();
        Some(match quantity {
            Quantity::ServicePerUser => Self::per_user(case, tpot(DEEPEST - 1)),
            Quantity::ServiceGpus if rated => gpus(DEEPEST)?,
            Quantity::ServiceGpus => size(),
            Quantity::ServiceTtft => {
                let term = Term::Plain(Symbol::Ttft);
                let mut parts = vec![prompt(), own_step(DEEPEST - 1)];
                if let Some(loaded) = of.loaded {
                    let mut queue = self.rate(case)?.to_vec();
                    queue.extend(self.decoding(case, replica.batch, tpot(DEEPEST - 2)));
                    queue.extend([prompt(), own_step(DEEPEST - 2), groups()]);
                    queue.extend(self.limit(case));
                    let how = How::Equation(Equation::AggregatedWait);
                    let wait = loaded.first_token.wait.get();
                    let queueing = Term::Plain(Symbol::Queueing);
                    parts.insert(0, Account::of(queueing, wait, how, queue));
                }
                Account::folded(term, How::Sum, parts)
            }
            Quantity::ServiceCost => {
                let factors = Factors::one(self.price(case)?)
                    .times(case.definition(Symbol::Thousand, 1e3))
                    .over(case.definition(Symbol::Hour, HOUR));
                let factors = match self.rate(case) {
                    Some([rate, _]) => factors.times(gpus(DEEPEST - 1)?).over(rate),
                    None => {
                        let batch = case.input(Symbol::Batch, Number::Batch, replica.batch);
                        let factors = factors.times(size()).times(self.output(case));
                        factors.times(tpot(DEEPEST - 1)).over(batch)
                    }
                };
                factors.node(Term::Plain(Symbol::RequestCost))
            }
            Quantity::ServiceOutputCost => {
                let [rate, _] = self.rate(case)?;
                let one = case.definition(Symbol::OneToken, 1.0);
                let parts = vec![
                    self.price(case)?,
                    gpus(DEEPEST - 1)?,
                    case.definition(Symbol::Hour, HOUR),
                    rate,
                    self.output(case),
                    own_step(DEEPEST - 1),
                    yielded(case).unwrap_or(one),
                    tpot(DEEPEST - 1),
                ];
                let term = Term::Plain(Symbol::OutputCost);
                let how = How::Equation(Equation::AggregatedOutputCost);
                Account::folded(term, how, parts)
            }
            _ => return None,
        })
    }

    /// Derives the TPOT of an aggregated replica in a single node, to save tree levels. The equation is step time ÷
    /// acceptance length + prompt passes per token × prefill time of a prompt.
    fn aggregated_tpot(&self, case: &Case<'_>, of: &Aggregated, room: usize) -> Account {
        let one = case.definition(Symbol::OneToken, 1.0);
        let mut parts = vec![
            step(case, room - 1).shown_as(of.replica.step.get()),
            yielded(case).unwrap_or(one),
        ];
        parts.extend(prefill::passes(case));
        parts.extend(prefill::prompt_parts(case, self.service.requests.prompt));
        let term = Term::Plain(Symbol::Tpot);
        let how = How::Equation(Equation::AggregatedTpot);
        Account::of(term, of.replica.tpot.get(), how, parts)
    }

    fn pools(
        &self,
        of: &Disaggregated,
        own: &Replica,
        prefill: &Inputs,
        quantity: Quantity,
    ) -> Option<Account> {
        let case = own.case();
        let case = &case;
        let prefiller = Replica::of_prefill(prefill, &of.prefill)?;
        let reading = prefiller.case();
        let reading = &reading;
        let tpot = |room| decode_tpot(case, &of.decode, room);
        let decode_size = || case.ways(Symbol::ReplicaGpus, Number::Gpus, of.decode.gpus);
        let prefill_size =
            || reading.ways(Symbol::ReplicaGpus, Number::PrefillGpus, of.prefill.gpus);
        let decode_gpus = |room: usize| -> Option<Account> {
            let mut parts = vec![decode_size()];
            parts.extend(self.rate(case)?);
            parts.extend(self.decoding(case, of.decode.batch, tpot(room - 1)));
            let value = of.loaded?.decode.gpus as f64;
            let how = How::Equation(Equation::DecodeGpus);
            Some(Account::of(
                Term::Plain(Symbol::DecodeGpus),
                value,
                how,
                parts,
            ))
        };
        let queue = || -> Option<Vec<Account>> {
            let mut parts = self.rate(case)?.to_vec();
            parts.extend(prefiller.queue(reading, &of.prefill)?);
            if let Some(limit) = self.limit(case) {
                parts.push(prefiller.lone(reading, &of.prefill)?);
                parts.extend([self.transfer(reading, &of.prefill), limit]);
            }
            Some(parts)
        };
        let prefill_gpus = || -> Option<Account> {
            let mut parts = vec![prefill_size()];
            parts.extend(queue()?);
            let value = of.loaded?.prefill.gpus as f64;
            let how = How::Equation(Equation::PrefillGpus);
            Some(Account::of(
                Term::Plain(Symbol::PrefillGpus),
                value,
                how,
                parts,
            ))
        };
        let input = || {
            let price = self.service.demand.prefill_price?;
            Some(case.input(Symbol::PrefillPrice, Number::PrefillPrice, price))
        };
        let rated = of.loaded.is_some();
        Some(match quantity {
            Quantity::ServicePerUser => Self::per_user(case, tpot(DEEPEST - 1)),
            Quantity::ServiceGpus => {
                let term = Term::Plain(Symbol::ServiceGpus);
                if rated {
                    let parts = vec![prefill_gpus()?, decode_gpus(DEEPEST - 1)?];
                    Account::folded(term, How::Sum, parts)
                } else {
                    let mut parts = vec![prefill_size()];
                    parts.extend(prefiller.queue(reading, &of.prefill)?);
                    parts.push(decode_size());
                    parts.extend(self.decoding(case, of.decode.batch, tpot(DEEPEST - 1)));
                    Account::folded(term, How::Equation(Equation::MatchedGpus), parts)
                }
            }
            Quantity::ServiceTtft => {
                let mut parts = Vec::new();
                if let Some(loaded) = of.loaded {
                    let how = How::Equation(Equation::PrefillWait);
                    let wait = loaded.first_token.wait.get();
                    let term = Term::Plain(Symbol::Queueing);
                    parts.push(Account::of(term, wait, how, queue()?));
                }
                let chunks = of.prefill.passes.prompt.chunks;
                let passes = vec![
                    reading.input(Symbol::Chunks, Number::Chunk, chunks),
                    prefiller.lone(reading, &of.prefill)?,
                ];
                let term = Term::Plain(Symbol::ReplicaPass);
                parts.push(Account::folded(term, How::Product, passes));
                parts.push(self.transfer(reading, &of.prefill));
                Account::folded(Term::Plain(Symbol::Ttft), How::Sum, parts)
            }
            Quantity::ServiceCost => {
                let term = Term::Plain(Symbol::RequestCost);
                if let Some([rate, _]) = self.rate(case) {
                    let parts = vec![
                        input()?,
                        prefill_gpus()?,
                        self.price(case)?,
                        decode_gpus(DEEPEST - 1)?,
                        case.definition(Symbol::Hour, HOUR),
                        rate,
                    ];
                    Account::folded(term, How::Equation(Equation::PoolsCost), parts)
                } else {
                    let mut parts = vec![input()?, prefill_size()];
                    parts.extend(prefiller.queue(reading, &of.prefill)?);
                    parts.extend([self.price(case)?, decode_size()]);
                    parts.extend(self.decoding(case, of.decode.batch, tpot(DEEPEST - 1)));
                    Account::folded(term, How::Equation(Equation::FullUseCost), parts)
                }
            }
            Quantity::ServiceOutputCost => {
                let [rate, _] = self.rate(case)?;
                let factors = Factors::one(self.price(case)?)
                    .times(decode_gpus(DEEPEST - 1)?)
                    .times(case.definition(Symbol::Million, 1e6))
                    .over(case.definition(Symbol::Hour, HOUR))
                    .over(rate)
                    .over(self.output(case));
                factors.node(Term::Plain(Symbol::OutputCost))
            }
            _ => return None,
        })
    }

    /// Derives the KV transfer time of a prompt, α_o + bytes/(tp σ_o W_out): scale-out latency, plus bytes ÷ (tp ×
    /// efficiency × bandwidth).
    fn transfer(&self, case: &Case<'_>, of: &PrefillReplica) -> Account {
        let mut whole = *case.scenario;
        whole.workload.context = self.service.requests.prompt;
        let stored = case.with(&whole);
        let across = whole.calibration.messages.across;
        let network = NetworkLink::ScaleOut;
        let terms = message_terms(case, Collective::ExpertAllToAll, network);
        let measured: Measured = terms.measured;
        let mut parts = Vec::new();
        if across.start > Seconds::ZERO {
            let scale = (Number::LatencyScale, Symbol::LatencyScale);
            let key = Some(Number::LatencyMicros);
            let start = across.start.get();
            let fixed = case.fixed(Symbol::FixedTime, &terms.start, key, start, scale, measured);
            parts.push(fixed.node(Term::Plain(Symbol::Latency)));
        }
        let key = Number::NetworkFactor;
        let sent = Factors::one(cache::of_whole_sequence(&stored))
            .and(case.inefficiency(&terms.share, key, across.factor, measured))
            .and(link(case, network))
            .over(case.ways(Symbol::Tp, Number::PrefillTp, of.tp));
        parts.push(sent.node(Term::Plain(Symbol::Transfer)));
        let term = Term::Plain(Symbol::KvTransfer);
        Account::of(term, of.transfer.get(), How::Sum, parts)
    }
}

fn decode_tpot(case: &Case<'_>, of: &DecodeReplica, room: usize) -> Account {
    tpot::tpot(case, room).shown_as(of.tpot.get())
}

impl Replica {
    /// Returns dp, prompts per pass, chunks per prompt and pass time of a prefill replica, as inputs of an equation.
    fn queue(&self, case: &Case<'_>, of: &PrefillReplica) -> Option<Vec<Account>> {
        let passes = &of.passes;
        let pass = self.pass(case, &passes.prompt, passes.together, passes.pass.time())?;
        Some(vec![
            case.ways(Symbol::Dp, Number::PrefillTp, of.spec.dp),
            case.input(Symbol::Prompts, Number::Chunk, passes.together),
            case.input(Symbol::Chunks, Number::Chunk, passes.prompt.chunks),
            pass,
        ])
    }

    /// Derives the time of a prefill pass over a single prompt.
    fn lone(&self, case: &Case<'_>, of: &PrefillReplica) -> Option<Account> {
        let passes = &of.passes;
        let pass = self.pass(case, &passes.prompt, 1.0, passes.alone.time())?;
        Some(pass.named(Term::Plain(Symbol::LonePass)))
    }

    fn pass(
        &self,
        case: &Case<'_>,
        prompt: &PromptTokens,
        together: f64,
        time: Seconds,
    ) -> Option<Account> {
        Some(prefill::replica_pass(case, prompt, together)?.shown_as(time.get()))
    }
}
