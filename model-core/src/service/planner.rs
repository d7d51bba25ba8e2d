//! Searches replicas for serving whole requests, and caches them between demands.

use super::aggregated::{self, AggregatedEngine, AggregatedReplica};
use super::answer::{Aggregated, ComparedCosts, Disaggregated, LoadedPools, Service};
use super::chosen::{AS_GOOD, Chosen, cheapest};
use super::decode::{self, DecodeReplica};
use super::known::{KnownReplica, KnownReplicas};
use super::miss::{Miss, Missed, ReplicaWork};
use super::prefill::{self, PrefillReplica};
use super::queue::replicas_for;
use super::traffic::{Demand, Requests, without_demand};
use crate::inputs::{Inputs, Mode, Number};
use crate::levers::{Plans, plans};
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::scenario::Scenario;
use crate::units::Seconds;
use crate::workload::Pools;

/// Size of the largest replica that is searched, in scale-up domains.
const DOMAINS: u32 = 8;

/// Candidate replicas for given request lengths, searched once and reused for every demand.
///
/// Each pool is searched separately, from small replicas to large ones. The search stops when a single replica has
/// more GPUs than the whole best pool so far, since it would cost more. Replicas already found are reused for the
/// next demand.
#[derive(Debug, Clone)]
pub struct Planner {
    inputs: Inputs,
    requests: Requests,
    /// Inputs of the decode pool; replica size and plan are left open unless set.
    base: Inputs,
    prefill: Result<Vec<PrefillReplica>, Miss>,
    sizes: Vec<Size>,
    /// The only decode replica, if its plan is set or it is known from an earlier search; `None` if decode replicas
    /// are searched.
    decode: Option<Result<DecodeReplica, Miss>>,
    /// Reason why no aggregated replica is feasible, if known from an earlier search.
    missed: Option<Miss>,
    plans: Plans,
}

/// Replicas with a given GPU count; they are searched on first use.
#[derive(Debug, Clone)]
struct Size {
    gpus: u32,
    decode: Option<Vec<DecodeReplica>>,
    aggregated: Option<Engines>,
}

/// Aggregated engines on a given GPU count, and replicas of the engine with the highest request rate.
#[derive(Debug, Clone, Default)]
struct Engines {
    all: Vec<AggregatedEngine>,
    /// Interactivity of the fastest engine among those that miss the required tok/s/user.
    too_slow: Option<f64>,
    most: Vec<AggregatedReplica>,
}

impl Size {
    const fn unsearched(gpus: u32) -> Self {
        Self {
            gpus,
            decode: None,
            aggregated: None,
        }
    }
}

impl Planner {
    /// Creates the planner for these inputs. If no plan can make the inputs valid, the error lists the broken rules.
    pub fn new(inputs: &Inputs) -> Result<Self, Vec<Refusal>> {
        let mut planner = Self::open(inputs)?;
        let (inputs, base) = (&planner.inputs, &planner.base);
        let stated = |number| inputs.stated(number).map(|value| value as u32);
        let prefill = prefill_pool(base, inputs);
        let prefill_sizes = match stated(Number::PrefillGpus) {
            Some(gpus) => vec![gpus],
            None => sizes(&prefill),
        };
        let tp = stated(Number::PrefillTp);
        let prefill = prefill::candidates(&prefill, &prefill_sizes, tp, &planner.requests);
        let sizes = match stated(Number::Gpus) {
            Some(gpus) => vec![gpus],
            None => sizes(base),
        };
        planner.sizes = sizes.into_iter().map(Size::unsearched).collect();
        planner.prefill = prefill.map_err(Miss::from);
        if inputs.is_planned() {
            planner.decode = Some(decode::stated(base, &planner.requests));
        }
        Ok(planner)
    }

    /// Creates a planner that has no replicas yet. If no plan can make the inputs valid, the error lists the broken
    /// rules.
    fn open(inputs: &Inputs) -> Result<Self, Vec<Refusal>> {
        let inputs = inputs.normalized();
        let requests = Requests::of(&inputs);
        for (number, tokens) in [
            (Number::MeanPrompt, requests.prompt),
            (Number::MeanOutput, requests.output),
        ] {
            if tokens < 1.0 {
                return Err(vec![Refusal::RequestLength { number }]);
            }
        }
        let base = pool(&inputs, &requests);
        open(&base).scenario()?;
        Ok(Self {
            inputs,
            requests,
            base,
            prefill: Ok(Vec::new()),
            sizes: Vec::new(),
            decode: None,
            missed: None,
            plans: Plans::default(),
        })
    }

    /// Creates a planner with only the known replicas, so that it answers without a search. If `inputs` has other
    /// lengths or limits, the replicas get new batches. If no plan can make the inputs valid, the error lists the
    /// broken rules.
    pub fn of(inputs: &Inputs, known: &KnownReplicas) -> Result<Self, Vec<Refusal>> {
        let mut planner = Self::new(inputs)?;
        if planner.decode.is_some() {
            return Ok(planner);
        }
        let (base, requests) = (planner.base, planner.requests);
        let same = planner.serves(&known.of);
        let on = |one: &KnownReplica| on(&base, one.gpus).planned(&one.spec);
        planner.sizes.clear();
        planner.decode = Some(known.decode.clone().and_then(|one| {
            let inputs = match same {
                true => on(&one).with(Number::Batch, one.batch),
                false => on(&one),
            };
            let found = decode::stated(&inputs, &requests)?;
            let extrapolated = one.extrapolated;
            Ok(DecodeReplica {
                extrapolated,
                ..found
            })
        }));
        match &known.aggregated {
            Ok(one) => {
                let mut engines = Engines::default();
                if let Ok(scenario) = on(one).scenario() {
                    engines.take(&scenario, &requests);
                }
                if same {
                    let inputs = on(one).with(Number::Batch, one.batch);
                    let exact = aggregated::stated(&inputs, &requests, None);
                    engines.most.splice(0..0, exact);
                }
                planner.sizes.push(Size {
                    aggregated: Some(engines),
                    ..Size::unsearched(one.gpus)
                });
            }
            Err(miss) => planner.missed = Some(miss.clone()),
        }
        Ok(planner)
    }

    /// Returns the decode replica and the aggregated replica that best serve a demand.
    pub fn known(&mut self, demand: &Demand) -> KnownReplicas {
        let decode = self.decode_pool(demand, Count::Whole);
        let aggregated = self.aggregated_pool(demand, Count::Whole, f64::INFINITY);
        KnownReplicas {
            of: self.inputs,
            decode: decode.map(|one| KnownReplica::from(&one.replica)),
            aggregated: aggregated.map(|one| KnownReplica::from(&one.replica)),
        }
    }

    /// Returns the number of prefill GPUs per decode GPU at equal request rates, for another prompt length and the
    /// replicas of `service`. `None` if these replicas cannot serve prompts of that length.
    pub fn ratio_at(&self, prompt: f64, service: &Service) -> Option<f64> {
        let pools = service.disaggregated.as_ref().ok()?;
        let inputs = self
            .inputs
            .with(Number::MeanPrompt, prompt)
            .with(Number::PrefillGpus, f64::from(pools.prefill.gpus))
            .with(Number::PrefillTp, f64::from(pools.prefill.tp));
        let known = KnownReplicas {
            of: self.inputs,
            decode: Ok(KnownReplica::from(&pools.decode)),
            aggregated: Err(Miss::NothingFits),
        };
        let matched = Demand {
            rate: None,
            first_token: None,
            ..service.demand
        };
        let pools = Self::of(&inputs, &known).ok()?.disaggregated(&matched);
        Some(pools.ok()?.gpus_ratio)
    }

    /// Returns true if this planner's replicas are valid for `inputs`, which may differ from the planner's inputs only
    /// in the demand.
    pub fn serves(&self, inputs: &Inputs) -> bool {
        without_demand(&self.inputs) == without_demand(&inputs.normalized())
    }

    /// Returns the service that answers a demand: disaggregated, aggregated, and the choice between them.
    pub fn answer(&mut self, demand: &Demand) -> Service {
        let disaggregated = self.disaggregated(demand);
        let aggregated = self.aggregated(demand, f64::INFINITY);
        Service::of(self.requests, *demand, disaggregated, aggregated)
    }

    /// Returns the answer to a demand, but skips aggregated replicas that cost more than the disaggregated pools. The
    /// chosen deployment and its cost are the same as in [`Planner::answer`], with a shorter search.
    pub fn cheapest(&mut self, demand: &Demand) -> Service {
        let disaggregated = self.disaggregated(demand);
        let pools = disaggregated.as_ref().ok().and_then(|pools| pools.loaded);
        let most = match (demand.pools, pools) {
            (Pools::Aggregated, _) | (_, None) => f64::INFINITY,
            // Deployments within the factor `AS_GOOD` of the lowest cost count as equal.
            (_, Some(pools)) => AS_GOOD * paid(&pools, demand) + 1.0,
        };
        let aggregated = self.aggregated(demand, most);
        Service::of(self.requests, *demand, disaggregated, aggregated)
    }

    /// Returns the costs of disaggregated pools and of aggregated replicas for a demand, with fractional numbers of
    /// replicas. Each number is at least one, and higher if the TTFT limit requires it.
    pub fn compared(&mut self, demand: &Demand) -> ComparedCosts {
        let prices = demand.prefill_price.zip(demand.price);
        let prices = prices.filter(|(_, price)| *price > 0.0);
        let (input, output) = prices.unwrap_or((1.0, 1.0));
        let prefill = self.prefill_pool(demand, Count::Share).ok();
        let decode = self.decode_pool(demand, Count::Share).ok();
        let aggregated = self.aggregated_pool(demand, Count::Share, f64::INFINITY);
        let pools = prefill.zip(decode);
        ComparedCosts {
            pools: pools.map(|(prefill, decode)| input * prefill.cost + output * decode.cost),
            aggregated: aggregated.ok().map(|one| output * one.cost),
        }
    }

    fn disaggregated(&mut self, demand: &Demand) -> Result<Disaggregated, Missed> {
        let of = |work| move |miss| Missed { work, miss };
        let prefill = self.prefill_pool(demand, Count::Whole);
        let prefill = prefill.map_err(of(ReplicaWork::Prefill))?;
        let decode = self.decode_pool(demand, Count::Whole);
        let decode = decode.map_err(of(ReplicaWork::Decode))?;
        Ok(Disaggregated::of(&self.requests, demand, prefill, decode))
    }

    fn prefill_pool(&self, demand: &Demand, count: Count) -> Result<Chosen<PrefillReplica>, Miss> {
        let all = self.prefill.as_ref().map_err(Clone::clone)?;
        let fit: Vec<&PrefillReplica> = all.iter().filter(|one| one.fits).collect();
        let soonest = fit.iter().map(|one| one.alone()).reduce(Seconds::min);
        let soonest = soonest.ok_or(Miss::NothingFits)?;
        let chosen = |one: &&PrefillReplica| {
            let replicas = match demand.rate {
                Some(rate) => Some(one.replicas(rate, demand)?),
                None => {
                    (demand.first_token.is_none_or(|limit| one.alone() < limit)).then_some(None)?
                }
            };
            let replicas = count.of(replicas, one.rate(), demand);
            Some(Chosen::new(**one, one.gpus, one.rate(), replicas))
        };
        let all: Vec<Chosen<PrefillReplica>> = fit.iter().filter_map(chosen).collect();
        cheapest(all).ok_or(Miss::FirstToken { soonest })
    }

    fn decode_pool(
        &mut self,
        demand: &Demand,
        count: Count,
    ) -> Result<Chosen<DecodeReplica>, Miss> {
        let chosen = |one: &DecodeReplica| {
            let replicas = demand.rate.map(|rate| one.replicas(rate, demand));
            let replicas = count.of(replicas, one.rate, demand);
            Chosen::new(*one, one.gpus, one.rate, replicas)
        };
        if let Some(one) = &self.decode {
            return one.as_ref().map(chosen).map_err(Clone::clone);
        }
        let mut all = Vec::new();
        let mut least = f64::INFINITY;
        for at in 0..self.sizes.len() {
            if demand.rate.is_some() && f64::from(self.sizes[at].gpus) >= least {
                break;
            }
            for one in self.decode_of(at).iter().map(chosen) {
                least = least.min(one.cost);
                all.push(one);
            }
        }
        cheapest(all).ok_or_else(|| self.too_slow())
    }

    fn decode_of(&mut self, at: usize) -> &[DecodeReplica] {
        let inputs = on(&self.base, self.sizes[at].gpus);
        let (requests, plans) = (&self.requests, &mut self.plans);
        let search = || decode::best(&inputs, requests, plans);
        self.sizes[at].decode.get_or_insert_with(search)
    }

    fn engines_of(&mut self, at: usize) -> &Engines {
        let inputs = on(&self.base, self.sizes[at].gpus);
        let requests = self.requests;
        let search = || Engines::of(&inputs, &requests);
        self.sizes[at].aggregated.get_or_insert_with(search)
    }

    /// Returns the reason why no decode replica of any size is feasible.
    fn too_slow(&self) -> Miss {
        let scenarios = self.sizes.iter().filter_map(|size| {
            let scenario = on(&self.base, size.gpus).scenario().ok()?;
            let with = |plan: Plan| Scenario { plan, ..scenario };
            Some(plans(&scenario).into_iter().map(with).collect::<Vec<_>>())
        });
        decode::slow(&scenarios.flatten().collect::<Vec<_>>())
    }

    /// Returns the best deployment of aggregated replicas, with fewer than `most` GPUs.
    fn aggregated(&mut self, demand: &Demand, most: f64) -> Result<Aggregated, Missed> {
        let chosen = self.aggregated_pool(demand, Count::Whole, most);
        let chosen = chosen.map_err(|miss| Missed {
            work: ReplicaWork::Aggregated,
            miss,
        })?;
        Ok(Aggregated::of(&self.requests, demand, &self.base, chosen))
    }

    fn aggregated_pool(
        &mut self,
        demand: &Demand,
        count: Count,
        most: f64,
    ) -> Result<Chosen<AggregatedReplica>, Miss> {
        match self.inputs.is_planned() {
            true => self.stated_aggregated(demand, count),
            false => self.searched_aggregated(demand, count, most),
        }
    }

    fn stated_aggregated(
        &self,
        demand: &Demand,
        count: Count,
    ) -> Result<Chosen<AggregatedReplica>, Miss> {
        let replica = aggregated::stated(&self.base, &self.requests, demand.first_token)?;
        let soonest = replica.alone();
        let chosen = aggregated_chosen(&replica, demand).ok_or(Miss::FirstToken { soonest })?;
        Ok(count.aggregated(chosen, demand))
    }

    fn searched_aggregated(
        &mut self,
        demand: &Demand,
        count: Count,
        most: f64,
    ) -> Result<Chosen<AggregatedReplica>, Miss> {
        let mut all: Vec<Chosen<AggregatedReplica>> = Vec::new();
        let mut least = most;
        for at in 0..self.sizes.len() {
            let gpus = f64::from(self.sizes[at].gpus);
            if demand.rate.is_some() && gpus >= least {
                break;
            }
            // `chosen` counts whole replicas, so the bound does not apply to fractional numbers.
            let most = if count == Count::Whole {
                least
            } else {
                f64::INFINITY
            };
            for one in self.engines_of(at).chosen(demand, most) {
                let one = count.aggregated(one, demand);
                least = least.min(one.cost);
                all.push(one);
            }
        }
        cheapest(all).ok_or_else(|| self.no_engine())
    }

    /// Returns the reason why no aggregated replica of any size is feasible.
    fn no_engine(&self) -> Miss {
        if let Some(known) = &self.missed {
            return known.clone();
        }
        let found = self
            .sizes
            .iter()
            .filter_map(|size| size.aggregated.as_ref());
        let soonest = found
            .clone()
            .flat_map(|engines| engines.all.iter().map(AggregatedEngine::soonest));
        if let Some(soonest) = soonest.reduce(Seconds::min) {
            return Miss::FirstToken { soonest };
        }
        let fastest = found
            .filter_map(|engines| engines.too_slow)
            .reduce(f64::max);
        fastest.map_or(Miss::NothingFits, |fastest| Miss::Slow { fastest })
    }
}

/// Returns the cost of the prefill pool plus the decode pool, in units of the price of one decode GPU.
fn paid(pools: &LoadedPools, demand: &Demand) -> f64 {
    match demand.prefill_price.zip(demand.price) {
        Some((input, output)) if output > 0.0 => {
            pools.prefill.gpus as f64 * (input / output) + pools.decode.gpus as f64
        }
        _ => pools.gpus() as f64,
    }
}

/// Counting of replicas: whole numbers, or fractions of at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    Whole,
    /// Fractional number of replicas, at least one; higher if the TTFT limit requires it.
    Share,
}

impl Count {
    fn of(self, replicas: Option<f64>, rate: f64, demand: &Demand) -> Option<f64> {
        let (whole, all) = replicas.zip(demand.rate)?;
        let for_rate = replicas_for(all, rate, demand.utilisation);
        Some(match self {
            Self::Share if whole <= for_rate => (all / (demand.utilisation * rate)).max(1.0),
            _ => whole,
        })
    }

    fn aggregated(
        self,
        chosen: Chosen<AggregatedReplica>,
        demand: &Demand,
    ) -> Chosen<AggregatedReplica> {
        let one = chosen.replica;
        let whole = demand.rate.map(|_| chosen.replicas);
        let replicas = self.of(whole, one.rate, demand);
        Chosen::new(one, one.gpus, one.rate, replicas)
    }
}

fn aggregated_chosen(
    replica: &AggregatedReplica,
    demand: &Demand,
) -> Option<Chosen<AggregatedReplica>> {
    let replicas = match demand.rate {
        Some(rate) => Some(replica.replicas(rate, demand)?),
        None => {
            let soon = |limit| replica.alone() < limit;
            demand.first_token.is_none_or(soon).then_some(None)?
        }
    };
    Some(Chosen::new(*replica, replica.gpus, replica.rate, replicas))
}

impl Engines {
    fn of(inputs: &Inputs, requests: &Requests) -> Self {
        let mut found = Self::default();
        if let Ok(scenario) = inputs.scenario() {
            for plan in plans(&scenario) {
                found.take(&Scenario { plan, ..scenario }, requests);
            }
        }
        found
    }

    /// Adds the aggregated engine of a scenario, if it is feasible.
    fn take(&mut self, scenario: &Scenario, requests: &Requests) {
        match AggregatedEngine::of(scenario, requests) {
            Ok(engine) => {
                let best = self.most.last().map_or(0.0, |most| most.rate);
                if engine.rate_bound() > best
                    && let Some(replicas) = replicas(&engine, None, best)
                {
                    self.most = replicas;
                }
                self.all.push(engine);
            }
            Err(Miss::Slow { fastest }) => {
                self.too_slow = Some(self.too_slow.map_or(fastest, |known| known.max(fastest)));
            }
            Err(_) => {}
        }
    }

    /// Returns the replicas of this size that may be chosen for a demand. `least` is the lowest GPU count found so far:
    /// plans of this size that need at least as many GPUs are not tried.
    ///
    /// The plan with the highest request rate needs the fewest replicas, unless the TTFT limit requires more. In that
    /// case, other plans and smaller batches are tried.
    fn chosen(&self, demand: &Demand, least: f64) -> Vec<Chosen<AggregatedReplica>> {
        let mut all: Vec<Chosen<AggregatedReplica>> = self
            .most
            .iter()
            .filter_map(|one| aggregated_chosen(one, demand))
            .collect();
        let Some(most) = self.most.last() else {
            return all;
        };
        let gpus = f64::from(most.gpus);
        let Some(rate) = demand.rate else {
            if all.is_empty() || self.most.len() > all.len() {
                all.extend(self.soon(demand));
            }
            return all;
        };
        let bound = replicas_for(rate, most.rate, demand.utilisation);
        let known = all
            .iter()
            .map(|one| one.replicas)
            .fold(least / gpus, f64::min);
        if bound >= known {
            return all;
        }
        let mut below = known;
        for engine in &self.all {
            if let Some((replicas, batch)) = engine.fewest(rate, demand, below.ceil())
                && let Some(one) = engine.replica(batch)
            {
                below = replicas;
                all.extend(aggregated_chosen(&one, demand));
                if below <= bound {
                    break;
                }
            }
        }
        all
    }

    /// Returns the replica with the highest request rate among those with an idle TTFT below the limit.
    fn soon(&self, demand: &Demand) -> Option<Chosen<AggregatedReplica>> {
        let mut best: Option<AggregatedReplica> = None;
        for engine in &self.all {
            let known = best.map_or(0.0, |best| best.rate);
            if engine.rate_bound() > known
                && let Some(found) = replicas(engine, demand.first_token, known)
            {
                best = found.last().copied().or(best);
            }
        }
        aggregated_chosen(&best?, demand)
    }
}

/// Returns up to two replicas of an engine. The first has the smallest batch that comes close to the highest req/s. The
/// second, returned only if its batch is larger, has the highest req/s.
fn replicas(
    engine: &AggregatedEngine,
    first_token: Option<Seconds>,
    known: f64,
) -> Option<Vec<AggregatedReplica>> {
    let (most, least) = engine.most(first_token, known)?;
    let mut found: Vec<AggregatedReplica> = engine.replica(least).into_iter().collect();
    if most > least {
        found.extend(engine.replica(most));
    }
    Some(found)
}

/// Returns the replica sizes to search: 1, 2, 4, … GPUs, up to 8 scale-up domains.
fn sizes(inputs: &Inputs) -> Vec<u32> {
    let domain = inputs.get(Number::Domain).map_or(1, |domain| domain as u32);
    let most = domain.saturating_mul(DOMAINS);
    let most = most.min(Number::Gpus.spec().most as u32);
    let powers = (0..32).map(|power| 1_u32 << power);
    powers.take_while(|size| *size <= most).collect()
}

/// Returns the given inputs on one GPU, without a set plan or batch.
fn open(inputs: &Inputs) -> Inputs {
    on(inputs, 1)
}

/// Returns the given inputs on `gpus` GPUs, without a set plan or batch.
fn on(inputs: &Inputs, gpus: u32) -> Inputs {
    let mut open = *inputs;
    open.unshard();
    open.without(Number::Batch)
        .with(Number::Gpus, f64::from(gpus))
}

/// Returns the inputs of decode replicas and aggregated replicas: a colocated deployment with the lengths of these
/// requests. If replicas are searched, only half of the correction from measurements applies.
fn pool(inputs: &Inputs, requests: &Requests) -> Inputs {
    let prompts = |number| inputs.get(number).unwrap_or(0.0);
    let sized = |number| inputs.stated(number).is_some();
    let searched = !(inputs.is_planned() && sized(Number::Gpus) && sized(Number::Batch));
    let inputs = match searched {
        true => inputs.like_others(),
        false => *inputs,
    };
    inputs
        .in_mode(Mode::Colocated)
        .decoding()
        .without_service()
        .without(Number::Replicas)
        .with(Number::MeanPrompt, requests.prompt)
        .with(Number::MeanOutput, requests.output)
        // If these keys are set, prefill time is computed from whole passes under every calibration.
        .with(Number::Hit, requests.hit)
        .with(Number::Chunk, prompts(Number::Chunk))
}

/// Returns the inputs of the prefill pool, on one GPU.
pub fn prefill_inputs(inputs: &Inputs) -> Inputs {
    let inputs = inputs.normalized();
    prefill_pool(&pool(&inputs, &Requests::of(&inputs)), &inputs)
}

/// Returns the inputs of the prefill pool on one GPU. No correction applies, because corrections are measured on
/// engines that decode.
fn prefill_pool(base: &Inputs, inputs: &Inputs) -> Inputs {
    let mut prefill = open(base).with_anchored(None);
    if let Some(entry) = inputs.prefill_gpu {
        prefill.choose_gpu(entry);
    }
    prefill
}
