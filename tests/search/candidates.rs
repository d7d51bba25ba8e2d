//! Tests of the plan search that a permalink describes: its candidates and their permalinks. Its results are compared
//! with an evaluation of every candidate.

use model_core::limits::largest;
use model_core::permalink;
use model_core::search::{Candidates, Found, replicas_on};
use model_core::sweep::{Exclusion, Strategy, SweepPoint, TriedPlan};

/// Permalinks to searches with several accelerators and precisions, explicit interconnects and bytes, a price, an
/// SLO, and odd GPU counts.
const LINKS: [&str; 4] = [
    "v=1&search_gpus=6,8,16&search_batch=4096",
    "v=1&model=llama-3.1-405b&gpus=16&gpu=gb200&precision=fp4&slo=25&search_gpus=6,8,16&search_batch=512&accelerators=gb200,b200,h100&precisions=fp4,bf16",
    "v=1&model=kimi-k2&scale_out=100&domain=4&price=2&kv=1&ep=7&search_gpus=32&search_batch=16k&batch_steps=1&accelerators=h100,h200",
    "v=1&gpu=custom&peak_bf16=800&hbm=4000&capacity=140&precision=bf16&search_gpus=16&families=tp,dp-ep&accelerators=custom,mi300x&overlap=none&search_overlap=none",
];

fn candidates(link: &str) -> Candidates {
    let link = permalink::read(link);
    assert!(link.notes.is_empty(), "{:?}", link.notes);
    Candidates::new(&link.current, &link.search)
}

fn search(candidates: &Candidates) -> Found {
    // Every permalink here searches 16 or 32 GPUs.
    let own = [16, 32].into_iter().find(|own| {
        let plans = candidates.space.plans();
        plans.iter().any(|(_, plan)| plan.gpus() == *own)
    });
    Found::all(&candidates.space, own.expect("one of them is"))
}

/// Checks that the inputs of a candidate, and also the permalink written from them, give exactly the scenario that the
/// search evaluates.
#[test]
fn candidates_open_as_evaluated() {
    for link in LINKS {
        let candidates = candidates(link);
        assert!(candidates.space.len() > 500, "{link}");
        for index in (0..candidates.space.len()).step_by(7) {
            let (strategy, scenario) = candidates.space.scenario(index).expect("a candidate");
            let (again, inputs) = candidates.inputs(index).expect("the same candidate");
            assert_eq!(again, strategy);
            assert_eq!(inputs.scenario(), Ok(scenario), "{link} {index}");
            let read = permalink::read(&permalink::write_inputs(&inputs)).current;
            assert_eq!(read.scenario(), Ok(scenario), "{link} {index} by its link");
            assert_eq!(
                candidates.setting(index),
                Some((inputs.gpu, inputs.precision))
            );
        }
        assert_eq!(candidates.inputs(candidates.space.len()), None);
    }
}

/// Checks that in a search over several accelerators, user-set values apply only to the scenario's accelerator. Other
/// accelerators have their catalog values.
#[test]
fn stated_values_stay_with_their_gpu() {
    let candidates = candidates(LINKS[2]);
    let mut seen = Vec::new();
    for index in 0..candidates.space.len() {
        let (_, inputs) = candidates.inputs(index).expect("a candidate");
        let (_, scenario) = candidates.space.scenario(index).expect("a candidate");
        assert!(
            (scenario.precision.kv - 1.0).abs() < 1e-12,
            "the cache's bytes are the precision's"
        );
        let cluster = scenario.cluster;
        let facts = (
            inputs.gpu.name(),
            cluster.domain,
            cluster.scale_out.as_gb(),
            scenario.dollars_per_hour,
        );
        if !seen.contains(&facts) {
            seen.push(facts);
        }
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_eq!((seen[0].1, seen[0].2, seen[0].3), (4, 100.0, Some(2.0)));
    assert_eq!((seen[1].1, seen[1].2), (8, 50.0));
    assert_ne!(seen[1].3, Some(2.0));
}

/// Checks the count of candidates that are excluded because an accelerator lacks a number format. It equals the
/// number of candidates that would use the format.
#[test]
fn missing_formats_are_counted() {
    let all = candidates(LINKS[1]);
    // H100 has no FP4; five settings of six remain.
    assert_eq!(all.formatless().len(), 1);
    let each = all.space.len() / 5;
    assert_eq!(all.excluded().of(Exclusion::Format), each);
    let none = candidates(&format!(
        "{}&gpu=h100&accelerators=h100&precisions=fp4",
        "v=1&model=llama-3.1-405b&search_gpus=6,8,16&search_batch=512"
    ));
    assert!(none.space.is_empty());
    let two_batch = candidates("v=1&model=llama-3.1-405b&search_gpus=6,8,16&search_batch=512");
    assert_eq!(none.excluded().of(Exclusion::Format), two_batch.space.len());
    assert_eq!(
        none.excluded().most().map(|(rule, _)| rule),
        Some(Exclusion::Format)
    );
    // 128 heads cannot be divided by 3 or 6, as some plans on 6 GPUs require.
    assert!(all.excluded().of(Exclusion::Heads) > 0);
}

#[test]
fn found_equals_exhaustive_search() {
    for link in LINKS {
        let candidates = candidates(link);
        let space = &candidates.space;
        let found = search(&candidates);
        let mut fitting = Vec::new();
        let mut drawn = Vec::new();
        for index in 0..space.len() {
            match space.outcome(index) {
                TriedPlan::Fits(point) => {
                    fitting.push(point);
                    drawn.push(point);
                }
                TriedPlan::MissesSlo(point) => drawn.push(point),
                TriedPlan::Excluded(_) => {}
            }
        }
        assert_eq!(found.evaluated, space.len());
        assert_eq!(found.fitting, fitting.len());
        assert_eq!(found.fitting + found.excluded.total(), space.len());
        assert!(found.groups.iter().all(|group| {
            let most = group.any.frontier.points().last();
            group.any.best.is_none() || most.is_some()
        }));
        best_of_every_plan(&candidates, &found, &fitting, link);
        for strategy in Strategy::ALL {
            let of_strategy = drawn
                .iter()
                .filter(|point| point.strategy == strategy)
                .copied();
            let frontier = model_core::pareto::Frontier::of(of_strategy);
            assert_eq!(found.frontier(&[strategy]), frontier, "{link} {strategy:?}");
        }
    }
}

/// Checks the best plan for each accelerator and strategy by comparison with all feasible candidates and with every
/// plan at its largest feasible batch. The check covers plans of any GPU count and plans on the scenario's GPU count.
fn best_of_every_plan(candidates: &Candidates, found: &Found, fitting: &[SweepPoint], link: &str) {
    let space = &candidates.space;
    let most_batch = permalink::read(link).search.most_batch;
    let lasts = (0..space.len()).filter(|index| space.is_last_batch(*index));
    let edges: Vec<SweepPoint> = lasts
        .filter_map(|index| {
            let (strategy, mut scenario) = space.scenario(index)?;
            let last = scenario.workload.batch;
            scenario.workload.batch = largest(&scenario).ok()?.batch.min(last);
            assert!(scenario.workload.batch <= most_batch);
            let evaluation = model_core::evaluate::evaluate(&scenario).ok()?;
            model_core::levers::is_feasible(&scenario, &evaluation)
                .then(|| SweepPoint::of(index, strategy, scenario.workload.batch, &evaluation))
        })
        .collect();
    let gpus = |point: &SweepPoint| space.plan(point.index).map(|(_, plan)| plan.gpus());
    for base in 0..candidates.bases().len() {
        for strategy in Strategy::ALL {
            let here = |point: &&SweepPoint| {
                space.base(point.index) == Some(base) && point.strategy == strategy
            };
            let best = |own: bool| {
                let all = fitting.iter().chain(&edges).filter(here);
                let uses = |point: &&SweepPoint| {
                    let count = gpus(point).and_then(|size| replicas_on(found.own_gpus, size));
                    let count = f64::from(count.unwrap_or(0));
                    count > 0.0 && count * point.batch <= space.most_batch()
                };
                let all = all.filter(|point| !own || uses(point));
                all.map(|point| point.tokens_per_gpu).reduce(f64::max)
            };
            let group = found.group(base, strategy);
            let said = |own: bool| {
                let scope = group.map(|group| if own { &group.own } else { &group.any });
                let found = scope.and_then(|scope| scope.best.as_ref());
                found.map(|point| point.tokens_per_gpu)
            };
            assert_eq!(said(false), best(false), "{link} {base} {strategy:?}");
            assert_eq!(said(true), best(true), "{link} {base} {strategy:?}");
        }
    }
}
