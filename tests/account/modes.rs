//! Tests that the numbers of AFD, of Lamina and of whole requests can be opened as accounts (trees of formulas), like
//! those of a colocated deployment.

use model_core::account::{
    Account, Explained, Quantity, Subject, account_of_lamina, account_of_service, account_of_unit,
    open,
};
use model_core::afd::decision::ShownUnit;
use model_core::afd::simulate::Simulation;
use model_core::apart::{LatencySource, Partition, QEarly, Scatter};
use model_core::hardware::catalog as accelerators;
use model_core::inputs::{Inputs, Number, Version};
use model_core::lamina::{Split, SplitSetup, evaluate};
use model_core::permalink;
use model_core::preset::PRESETS;
use model_core::service::{Service, service};
use model_core::workload::Pools;
use ridgepoint_tests::law::tried;
use ridgepoint_tests::space;

use super::{SCENARIOS, obeys};

/// A random scenario, and further random draws with which tests vary it.
struct Drawn {
    inputs: Inputs,
    draws: Vec<u32>,
}

impl Drawn {
    fn of(seed: u64) -> Self {
        let mut source = space::seeded(seed);
        let mut inputs = space::inputs(&mut source);
        let mut other = inputs;
        other.version = Version::ALL[seed as usize % Version::ALL.len()];
        if other.scenario().is_ok() {
            inputs = other;
        }
        Self {
            inputs,
            draws: space::seeded(seed ^ 0x5eed).take(16).collect(),
        }
    }

    /// Picks one of the values, using the random draw at index `draw`.
    fn of_values<T: Copy>(&self, draw: usize, values: &[T]) -> T {
        values[self.draws[draw] as usize % values.len()]
    }

    /// Sets the number to one of the values with probability 2/3, using the random draw at index `draw`.
    fn perhaps(&mut self, draw: usize, number: Number, values: &[f64]) {
        if !self.draws[draw].is_multiple_of(3) {
            let value = values[self.draws[draw] as usize / 3 % values.len()];
            self.inputs.state(number, Some(value));
        }
    }
}

/// Checks that a quantity has an account (tree of formulas) if and only if it is shown, and that the account has all
/// required properties.
fn opens(tree: Option<&Account>, shown: Option<f64>, quantity: Quantity) -> Result<(), String> {
    match (tree, shown) {
        (Some(tree), Some(shown)) => {
            obeys(tree, shown).map_err(|why| format!("{}: {why}", quantity.id()))
        }
        (None, None) => Ok(()),
        (tree, shown) => Err(format!(
            "{}: {shown:?}, but account {}",
            quantity.id(),
            tree.is_some()
        )),
    }
}

fn of(subject: Subject) -> impl Iterator<Item = Quantity> {
    Quantity::ALL
        .into_iter()
        .filter(move |quantity| quantity.subject() == subject)
}

/// Checks a property on successive seeds until it has applied to `SCENARIOS` of them; panics with the first
/// violations.
fn law(name: &str, check: impl Fn(Drawn) -> Option<Result<(), (String, Inputs)>> + Sync) {
    let most = tried(SCENARIOS);
    let (mut applied, mut seed) = (0, 0);
    let mut broken = Vec::new();
    while applied < most {
        assert!(seed < 20 * most, "{name}: only {applied} of {seed} apply");
        match check(Drawn::of(seed)) {
            None => {}
            Some(Ok(())) => applied += 1,
            Some(Err((why, inputs))) => {
                applied += 1;
                broken.push(format!("{why}\n  at {}", permalink::write_inputs(&inputs)));
            }
        }
        seed += 1;
    }
    let first: Vec<_> = broken.iter().take(8).collect();
    assert!(broken.is_empty(), "{}: {first:#?}", broken.len());
}

fn unit_opens(inputs: &Inputs, unit: &ShownUnit) -> Result<(), String> {
    let point = &unit.point;
    let derived = unit.bundle.derived.is_some();
    let divided = unit.decision.as_ref().is_none_or(|it| it.asked.is_some());
    let whole = inputs.stated(Number::WeightsGib).is_some();
    for quantity in of(Subject::Afd) {
        let per_gpu = match unit.decision.is_some() {
            true => point.per_weight_in_flight,
            false => point.per_weight,
        };
        let shown = match quantity {
            Quantity::AfdPerGpu => derived.then_some(per_gpu),
            Quantity::AfdPerRank => (!derived).then_some(point.per_instance),
            Quantity::AfdTpot => Some(point.tpot.get()),
            Quantity::AfdPerUser => Some(1.0 / point.tpot.get()),
            Quantity::AfdAttention => Some(point.attention.get()),
            Quantity::AfdCommunication => Some(point.messages.get()),
            Quantity::AfdFfn => Some(point.ffn.get()),
            Quantity::AfdIdleAttention => Some(point.idle_attention),
            Quantity::AfdIdleFfn => Some(point.idle_ffn),
            Quantity::AfdRatio => {
                let asked = unit.decision.as_ref().and_then(|it| it.asked);
                asked.map(|asked| f64::from(asked.instances))
            }
            Quantity::AfdBestRatio => (!derived).then(|| unit.bundle.answer().best.ratio),
            // A stated weight size covers the whole model, so the memory of one rank is unknown.
            Quantity::AfdMemory | Quantity::AfdFfnMemory if whole => None,
            Quantity::AfdMemory => Some(unit.bundle.attention_memory().most().get()),
            Quantity::AfdFfnMemory => Some(unit.bundle.ffn_memory(point.ratio).most().get()),
            _ => None,
        };
        let shown = match quantity {
            Quantity::AfdColocated => {
                let decision = unit.decision.as_ref();
                decision.and_then(|it| Some(it.colocated?.per_gpu))
            }
            _ => shown.filter(|_| divided),
        };
        let tree = account_of_unit(inputs, unit, quantity);
        opens(tree.as_ref(), shown, quantity)?;
    }
    Ok(())
}

#[test]
fn numbers_of_random_units_open() {
    law("AFD", |mut drawn| {
        let latencies = drawn.of_values(0, &[LatencySource::Derived; 3]);
        drawn.inputs.latencies = match drawn.draws[1] % 8 {
            0 => LatencySource::Table2,
            _ => latencies,
        };
        drawn.inputs.lengths = drawn.of_values(2, &Scatter::all().collect::<Vec<_>>());
        let ratio = drawn.of_values(3, &[1.0, 0.25, 3.5, 9.0, 64.0]);
        drawn.inputs.state(Number::Ratio, Some(ratio));
        drawn.perhaps(4, Number::Slots, &[1.0, 16.0, 257.0, 4096.0]);
        drawn.perhaps(5, Number::FfnInstances, &[1.0, 2.0, 8.0]);
        drawn.perhaps(6, Number::Requests, &[100.0, 5000.0]);
        for (draw, number) in [
            Number::AttentionSlopeMicros,
            Number::AttentionInterceptMicros,
            Number::FfnSlopeMicros,
            Number::FfnInterceptMicros,
            Number::MessageSlopeMicros,
            Number::MessageInterceptMicros,
        ]
        .into_iter()
        .enumerate()
        {
            if drawn.draws[7 + draw] % 6 == 0 {
                drawn.inputs.state(number, Some([0.002, 40.0][draw % 2]));
            }
        }
        let inputs = drawn.inputs.decoding();
        let bundle = inputs.bundle().ok()?;
        let point = bundle.asked();
        let numbers = [point.per_weight, point.tpot.get(), point.per_instance];
        if !numbers
            .iter()
            .all(|number| number.is_finite() && *number > 0.0)
        {
            return None;
        }
        let unit = ShownUnit {
            bundle,
            point,
            decision: None,
        };
        Some(unit_opens(&inputs, &unit).map_err(|why| (why, inputs)))
    });
}

#[test]
fn numbers_of_searched_units_open() {
    for link in [
        "v=3&gpu=gb200&gpus=72&dp=72&ep=72&context=2000",
        "v=1&gpus=32&batch=1024",
        "v=3&gpu=h200&gpus=16&mtp=2&slo=20",
        "v=1&gpus=72&slots=128",
        "v=3&model=llama-3.3-70b&gpu=h100&gpus=16",
        "v=1&latencies=table2",
        "v=1&latencies=table2&lengths=fixed",
    ] {
        let inputs = permalink::read(link).current;
        let unit = ShownUnit::of(&inputs).unwrap_or_else(|why| panic!("{link}: {why:?}"));
        unit_opens(&inputs, &unit).unwrap_or_else(|why| panic!("{link}: {why}"));
    }
}

/// Checks the account (tree of formulas) of a simulated throughput: the closed-form equation with one more factor,
/// simulated ÷ closed-form time.
#[test]
fn simulated_units_open() {
    for link in [
        "v=3&gpu=h200&gpus=16&requests=200",
        "v=3&gpu=h200&gpus=16&mtp=2&slo=20&requests=300&lengths=fixed",
        "v=1&gpus=72&slots=16&requests=100",
        "v=3&model=llama-3.3-70b&gpu=h100&gpus=16&requests=500",
    ] {
        let inputs = permalink::read(link).current;
        let unit = ShownUnit::of(&inputs).unwrap_or_else(|why| panic!("{link}: {why:?}"));
        let asked = unit.decision.as_ref().and_then(|it| it.asked);
        let asked = asked.expect("a split");
        let setup = unit.bundle.setup(f64::from(asked.instances));
        let end = Simulation::run(setup).expect("a run");
        let ranks = f64::from(asked.instances) + 1.0;
        let gpus = f64::from(asked.attention + asked.ffn);
        let shown = end.per_instance_generated * ranks / gpus;
        let tree = open(&inputs, Explained::Quantity(Quantity::AfdSimulated)).expect("it opens");
        obeys(&tree, shown).unwrap_or_else(|why| panic!("{link}: {why}"));
        let closed = account_of_unit(&inputs, &unit, Quantity::AfdPerGpu).expect("a closed form");
        let (factor, parts) = tree.parts.split_last().expect("a factor");
        assert_eq!(parts, closed.parts, "{link}");
        assert!(
            (closed.value / factor.value / shown - 1.0).abs() < 1e-12,
            "{link}"
        );
        assert_eq!(
            factor.parts[0].value.to_bits(),
            end.straggling.to_bits(),
            "{link}"
        );
    }
}

fn deployment_opens(inputs: &Inputs, setup: &SplitSetup, split: &Split) -> Result<(), String> {
    for quantity in of(Subject::Lamina) {
        let shown = match quantity {
            Quantity::LaminaTokens => Some(split.tokens),
            Quantity::LaminaPerUser => Some(split.tokens_per_user),
            Quantity::LaminaCost => split.tokens_per_dollar.map(|tokens| 1e6 / tokens),
            Quantity::LaminaStep => Some(split.step.get()),
            Quantity::LaminaModel => Some(split.times.model.get()),
            Quantity::LaminaAttention => Some(split.times.attention.get()),
            Quantity::LaminaNetwork => Some(split.times.network().get()),
            Quantity::LaminaBatch => {
                let fits = split.capacity > 0.0 && setup.batch() <= split.capacity;
                fits.then(|| setup.batch())
            }
            Quantity::LaminaCapacity => Some(split.capacity).filter(|most| *most > 0.0),
            Quantity::LaminaComputeMemory => Some(split.memory[0].total().get()),
            Quantity::LaminaMemory => Some(split.memory[1].total().get()),
            _ => Some(split.hidden.get()).filter(|hidden| *hidden > 0.0),
        };
        let tree = account_of_lamina(inputs, setup, split, quantity);
        opens(tree.as_ref(), shown, quantity)?;
    }
    Ok(())
}

#[test]
fn numbers_of_random_lamina_deployments_open() {
    law("Lamina", |mut drawn| {
        let rows: Vec<_> = accelerators::CATALOG.iter().collect();
        drawn.inputs.memory_gpu = drawn.of_values(0, &rows);
        if drawn.draws[1] % 3 > 0 {
            drawn.inputs.compute_gpu = Some(drawn.of_values(2, &rows));
        }
        drawn.inputs.partition = drawn.of_values(
            3,
            &[None, Some(Partition::Heads), Some(Partition::Requests)],
        );
        drawn.inputs.q_early = drawn.of_values(4, &QEarly::ALL);
        let batches = drawn.draws[5] % 5 + 1;
        let each = 1_u32 << (drawn.draws[6] % 5);
        let compute = batches.saturating_sub(1).max(1) * each;
        for (number, value) in [
            (Number::Batches, f64::from(batches)),
            (Number::ComputeGpus, f64::from(compute)),
            (Number::MemoryGpus, f64::from(1_u32 << (drawn.draws[7] % 6))),
        ] {
            drawn.inputs.state(number, Some(value));
        }
        drawn.perhaps(8, Number::Net, &[50.0, 0.5, 1e4]);
        drawn.perhaps(9, Number::NetMicros, &[33.0, 0.0, 1000.0]);
        drawn.perhaps(10, Number::ComputePrice, &[2.0]);
        drawn.perhaps(11, Number::MemoryPrice, &[1.5]);
        let inputs = drawn.inputs;
        let setup = SplitSetup::of(&inputs).ok()?;
        let split = evaluate(&setup).ok()?;
        Some(deployment_opens(&inputs, &setup, &split).map_err(|why| (why, inputs)))
    });
}

fn service_opens(inputs: &Inputs, service: &Service) -> Result<(), String> {
    let together = service.aggregated.as_ref().ok();
    let together = together.filter(|_| service.choice == Some(Pools::Aggregated));
    let apart = service.disaggregated.as_ref().ok();
    let cost = service.cost();
    for quantity in of(Subject::Service) {
        let full = match (together, apart) {
            (Some(one), _) => one.dollars_per_rate,
            (_, Some(pools)) => pools.dollars_per_rate,
            _ => None,
        };
        let gpus = || match (together, apart) {
            (Some(one), _) => Some(f64::from(one.replica.gpus)),
            (_, Some(pools)) => {
                let set = pools.matched;
                let all = set.prefill * pools.prefill.gpus + set.decode * pools.decode.gpus;
                Some(f64::from(all))
            }
            _ => None,
        };
        let alone = || match (together, apart) {
            (Some(one), _) => Some(one.replica.alone()),
            (_, Some(pools)) => Some(pools.prefill.alone()),
            _ => None,
        };
        let shown = match quantity {
            Quantity::ServiceGpus => service.gpus().map(|gpus| gpus as f64).or_else(gpus),
            Quantity::ServiceTtft => {
                let first = service.first_token().map(|first| first.total());
                first.or_else(alone).map(|time| time.get())
            }
            Quantity::ServiceCost => {
                let each = cost.map(|cost| cost.per_request);
                each.or(full.map(|dollars| dollars / 3600.0))
                    .map(|each| each * 1e3)
            }
            Quantity::ServiceOutputCost => cost.map(|cost| cost.per_million_output),
            _ => service.tpot().map(|tpot| 1.0 / tpot.get()),
        };
        let shown = shown.filter(|_| service.choice.is_some());
        let tree = account_of_service(inputs, service, quantity);
        opens(tree.as_ref(), shown, quantity)?;
    }
    Ok(())
}

#[test]
fn numbers_of_random_services_open() {
    law("Service", |mut drawn| {
        for (draw, number, values) in [
            (0, Number::MeanPrompt, [500.0, 4000.0, 60_000.5]),
            (1, Number::MeanOutput, [1000.0, 50.0, 7.5]),
            (2, Number::PrefillGpus, [8.0, 1.0, 16.0]),
            (3, Number::PrefillTp, [1.0, 2.0, 8.0]),
        ] {
            let value = drawn.of_values(draw, &values);
            drawn.inputs.state(number, Some(value));
        }
        drawn.perhaps(4, Number::Rate, &[30.0, 0.2, 4000.0]);
        drawn.perhaps(5, Number::Ttft, &[2.0, 0.3, 30.0]);
        drawn.perhaps(6, Number::Util, &[0.5, 1.0, 0.85]);
        drawn.perhaps(7, Number::Price, &[2.5]);
        drawn.perhaps(8, Number::PrefillPrice, &[1.5]);
        if drawn.draws[9] % 2 == 0 {
            drawn.inputs.state(Number::Slo, None);
            let batch = drawn.of_values(10, &[32.0, 1.0, 256.0]);
            let groups = drawn.inputs.get(Number::Dp).unwrap_or(1.0);
            drawn.inputs.state(Number::Batch, Some(batch * groups));
        }
        drawn.inputs.pools = drawn.of_values(11, &Pools::ALL);
        let inputs = drawn.inputs;
        let service = service(&inputs).ok()?;
        service.choice?;
        Some(service_opens(&inputs, &service).map_err(|why| (why, inputs)))
    });
}

#[test]
fn numbers_of_searched_services_open() {
    for link in [
        "v=3&gpu=h200&rate=50&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25",
        "v=3&gpu=h200&prompt=4000&output=1000",
        "v=3&model=gpt-oss-120b&gpu=h100&rate=20&prompt=2000&output=300&pools=disaggregated",
        "v=1&gpu=h200&rate=20&prompt=2000&output=300&pools=aggregated&ttft=1",
        "v=3&gpu=h200&rate=50&prompt=4000&output=1000&measured=40ms@1000",
    ] {
        let inputs = permalink::read(link).current;
        let service = service(&inputs).unwrap_or_else(|why| panic!("{link}: {why:?}"));
        service_opens(&inputs, &service).unwrap_or_else(|why| panic!("{link}: {why}"));
    }
}

#[test]
fn numbers_of_views_of_presets_open() {
    use model_core::account::Explained;
    use model_core::permalink::View;
    for preset in PRESETS {
        let inputs = permalink::read(preset.link).current;
        let opened = |subject| {
            of(subject)
                .filter(|quantity| open(&inputs, Explained::Quantity(*quantity)).is_some())
                .count()
        };
        match preset.opened().shown.view {
            View::Service => {
                let service = service(&inputs).expect("a possible service");
                service_opens(&inputs, &service)
                    .unwrap_or_else(|why| panic!("{}: {why}", preset.link));
                assert_eq!(opened(Subject::Service), 5, "{}", preset.link);
            }
            View::Disaggregation => {
                let unit = ShownUnit::of(&inputs).expect("a possible unit");
                unit_opens(&inputs, &unit).unwrap_or_else(|why| panic!("{}: {why}", preset.link));
                let least = if preset.link.contains("mode=split") {
                    7
                } else {
                    0
                };
                assert!(opened(Subject::Lamina) >= least, "{}", preset.link);
            }
            _ => {}
        }
    }
}
