//! Tests of the Plans view, with the answers that the worker gives.

use super::*;
use crate::sharding;
use crate::words::headline::{Headline, NoPlan};
use model_core::evaluate::evaluate;
use model_core::levers::is_feasible;
use model_core::permalink::{self, Per};
use model_core::plan::{Overlap, Plan as Sharding, PlanSpec};
use model_core::preset::PRESETS;
use model_core::scenario::Scenario;
use model_core::sweep::Strategy;
use worker::{Answer, Job, Request};

/// Runs the search of a permalink to its end, the way the page and the worker do.
fn searched(link: &str) -> Searched {
    let asked = asked(&permalink::read(link));
    let mut job = Job::new(&Request::Search(asked.0, asked.1.clone()));
    job.advance(|| false);
    let Some(Answer::Search(answer)) = job.answer(0.1) else {
        panic!("no answer to {link}");
    };
    let candidates = Candidates::new(&asked.0, &asked.1);
    Searched::new(asked, Arc::new(candidates), answer, Stage::Done)
}

pub fn told(link: &str) -> PlansAnswer {
    searched(link).say(&Look::of(&permalink::read(link)))
}

/// Scenario on 32 H200, with 10 µs per collective and the calibration that was the default before release 1.0.
const ENGINEER: &str = "v=1&calibration=aleph-alpha-2025&alpha_us=10&model=deepseek-r1&gpu=h200&gpus=32&batch=1024&context=6000&slo=30";
const COMPARED: &str = "&accelerators=h200,b200,gb200,mi300x";

fn preset(id: &str) -> &'static str {
    let preset = PRESETS.iter().find(|preset| preset.id == id);
    preset.expect("it is there").link
}

fn sentence(said: &PlansAnswer) -> String {
    let headline = said.headline.as_ref().expect("the search is over");
    headline.sentence().plain_text()
}

fn row_of(said: &PlansAnswer, name: &str) -> BestRow {
    let row = said.best.rows.iter().find(|row| row.name == name);
    row.expect("it is searched").clone()
}

#[test]
fn headline_sentences() {
    let of = |link: &str| sentence(&told(link));
    let said = [
        of("v=1&gpu=h200&gpus=16&batch=512&model=deepseek-r1&calibration=aleph-alpha-2025&slo=15"),
        of("v=1&gpus=72&calibration=aleph-alpha-2025"),
        of("v=1&slo=100000&gpus=32&search_gpus=32"),
        of("v=1&context=16M&gpus=8&search_gpus=8&families=dp-ep"),
        of("v=1&families=none"),
    ];
    assert_eq!(
        said,
        [
            "Best plan at ≥ 15 tok/s/user: DP + EP, 3.44k tok/s/GPU.",
            "Best plan on 72 H100: 3 × 24, DP + EP, 3.33k tok/s/GPU, 12.3 per user.",
            "No plan on your 32 H100 reaches 100,000 tok/s/user; the fastest reaches 114.",
            "No plan on your 8 H100 is feasible: 83% do not fit in memory.",
            "No plan on your 72 H100: no parallelism strategy is selected.",
        ]
    );
    for said in said {
        let words = said.split(' ');
        let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
        assert!(words.count() <= 18, "{said}");
    }
}

/// Checks that several accelerators are ranked by their best plans, with the ratios of a reference table.
#[test]
fn ranked_accelerators() {
    let said = told(&format!("{ENGINEER}{COMPARED}"));
    assert_eq!(said.best.title, "Best plan at ≥ 30 tok/s/user");
    assert_eq!(said.best.caption, "32 GPUs each, DP 32 · EP 32");
    let rows: Vec<(&str, Option<String>, Option<String>)> = said
        .best
        .rows
        .iter()
        .map(|row| {
            let ratio = row.ratio.map(format::factor);
            (row.name.as_str(), row.rate.map(format::si), ratio)
        })
        .collect();
    let row = |name, rate: &str, ratio: &str| (name, Some(rate.to_owned()), Some(ratio.to_owned()));
    assert_eq!(
        rows,
        [
            row("GB200 NVL72", "5.22k", "4.89×"),
            row("B200 SXM", "3.54k", "3.31×"),
            row("MI300X", "1.22k", "1.14×"),
            row("H200 SXM", "1.07k", "1.00×"),
            ("Current plan", Some("832".to_owned()), None),
        ]
    );
    let others = said.others.expect("strategies beside accelerators");
    assert_eq!(
        (others.title, others.caption.as_str()),
        ("By strategy", "on your 32 H200, at 30 tok/s/user")
    );
    assert!(others.absent.contains(&("Medha", "dense models only")));
}

/// Checks that the headline, the table and the curve have the same best plan, and that no plan on the user’s GPUs
/// beats it.
#[test]
fn one_best_plan_everywhere() {
    for link in [
        "v=1".to_owned(),
        "v=1&slo=40".to_owned(),
        "v=1&slo=40&search_gpus=any".to_owned(),
        format!("{ENGINEER}{COMPARED}"),
        format!("{ENGINEER}{COMPARED}&search_gpus=any"),
        format!("{ENGINEER}{COMPARED}&lines=family"),
        format!("{ENGINEER}&overlap=none&batch=1223"),
        "v=1&search_gpus=any".to_owned(),
        "v=1&search_gpus=8,16&gpus=32".to_owned(),
        "v=1&replicas=3&gpus=24".to_owned(),
        "v=1&model=llama-3-70b&gpus=8&batch=64&precision=bf16&precisions=bf16,deepseek-fp8&slo=40".to_owned(),
        "v=1&model=qwen3-235b-a22b&gpu=b200&gpus=16&batch=512&slo=50&per=dollar&accelerators=b200,h200".to_owned(),
    ] {
        let read = permalink::read(&link);
        let look = Look::of(&read);
        let said = searched(&link).say(&look);
        let own = said.own.as_ref().expect("there is a plan");
        let slo = read.current.get(Number::Slo);
        let scenario = own.inputs.scenario().expect("possible");
        let evaluation = evaluate(&scenario).expect("finite");
        assert!(is_feasible(&scenario, &evaluation), "{link}");
        let gpus = own_gpus;
        assert_eq!(gpus(&own.inputs), gpus(&read.current), "{link}");
        assert_eq!(own.point.gpus as u32, gpus(&read.current), "{link}");
        match &said.headline {
            Some(Headline::BestPlan { rates: [rate, _], strategy, slo: at, .. }) => {
                assert_eq!(rate.to_bits(), own.point.per_gpu.to_bits(), "{link}");
                assert_eq!(*strategy, sharding::strategy(own.strategy));
                assert_eq!(*at, slo);
            }
            other => panic!("{link}: {other:?}"),
        }
        let (told, _) = said.frontiers.told.as_ref().expect("it is marked");
        assert_eq!(told.point, own.point);
        let rows = &said.best.rows;
        let mine: Vec<&BestRow> = rows.iter().filter(|row| row.is_own).collect();
        assert_eq!(mine.len(), 1, "{link}");
        assert_eq!(mine[0].rate, Some(own.point.per_gpu), "{link}");
        assert_eq!(mine[0].dollars, own.dollars, "{link}");
        if look.own_gpus && look.lines(&searched(&link)) == PlanLines::Strategy
            && read.search.accelerators(&read.current).len() == 1
        {
            assert!(rows[0].is_own, "{link}");
        }
        // All ratios have the same base. Rows that miss the SLO are last and have no bar.
        assert!(rows.is_sorted_by_key(|row| row.misses), "{link}");
        for row in rows {
            assert_eq!(row.bar.is_some(), !row.misses && row.rate.is_some());
            if let (Some(ratio), Some(rate)) = (row.ratio, row.rate) {
                assert!((ratio - rate / own.point.per_gpu).abs() < 1e-12, "{link}");
            }
            let Some(opened) = row.inputs else { continue };
            let scenario = opened.scenario().expect("possible");
            let evaluation = evaluate(&scenario).expect("finite");
            let rate = row.rate.expect("a plan");
            assert!((evaluation.tokens_per_gpu / rate - 1.0).abs() < 1e-9, "{link}");
            assert!(slo.is_none_or(|slo| evaluation.tokens_per_user >= slo));
        }
        let longest = rows.iter().filter_map(|row| row.bar).fold(0.0, f64::max);
        assert!((longest - 1.0).abs() < 1e-12, "{link}: {longest}");
        let most = own.point.per_gpu * (1.0 + 1e-9);
        for plan in said.frontiers.plans().filter(|plan| plan.meets(slo)) {
            let mine = plan.inputs.gpu == read.current.gpu
                && plan.inputs.precision == read.current.precision
                && plan.point.gpus.to_bits() == own.point.gpus.to_bits();
            assert!(!mine || plan.point.per_gpu <= most, "{link}");
        }
        // Every line is a Pareto frontier, and its best plan is the last one that meets the SLO.
        for line in &said.frontiers.lines {
            let plans = &line.plans;
            for pair in plans.windows(2) {
                assert!(pair[0].point.per_user > pair[1].point.per_user);
                let worth = |plan: &ShownPlan| plan.worth(look.shown.per);
                assert!(worth(&pair[0]) < worth(&pair[1]), "{link}");
            }
            let met = plans.iter().filter(|plan| plan.meets(slo)).count();
            assert_eq!(line.best, met.checked_sub(1));
        }
    }
}

#[test]
fn hits_with_hidden_lines() {
    let said = told(&format!("{ENGINEER}{COMPARED}"));
    let hidden = [said.frontiers.lines[1].key.names().0.to_owned()];
    let chart = said.frontiers.chart(&hidden, None);
    let hits = chart.hits().len();
    for hit in 0..hits {
        let row = chart.row(hit).expect("a row for each hit");
        let number = |column| chart.rows.number(column, row);
        let (line, place) = number(LINE).zip(number(PLACE)).expect("a plan");
        let (line, place) = (line as usize, place as usize);
        assert_ne!(line, 1);
        let plan = &said.frontiers.lines[line].plans[place];
        assert_eq!(number("interactivity"), Some(plan.point.per_user));
    }
    assert!(hits > 0 && chart.row(hits).is_none());
}

#[test]
fn absent_keys_name_their_rule() {
    let why = |said: &PlansAnswer, name: &str| {
        let absent = said.best.absent.iter().find(|(of, _)| *of == name);
        absent.map(|(_, why)| *why)
    };
    let default = told("v=1");
    assert_eq!(why(&default, "TP"), Some("out of memory"));
    assert_eq!(why(&default, "Medha"), Some("dense models only"));
    assert!(default.best.rows.iter().all(|row| row.rate.is_some()));
    let formats = told("v=1&gpus=64&batch=1024&precision=fp4&gpu=b200&accelerators=b200,h100");
    assert_eq!(why(&formats, "H100 SXM"), Some("format not supported"));
    let small = told("v=1&gpus=8&batch=64&context=1M&accelerators=h100,h200");
    assert_eq!(why(&small, "H100 SXM"), Some("out of memory"));
}

/// Checks that lines are ranked by ascending cost if the y-axis shows cost, and that lines can also be strategies or
/// precisions.
#[test]
fn lines_of_every_key_and_cost() {
    let cost = told(&format!("{ENGINEER}{COMPARED}&per=dollar"));
    let costs = cost.frontiers.lines.iter().map(|line| {
        let best = line.plans.iter().rfind(|plan| plan.point.per_user >= 30.0);
        best.and_then(|plan| plan.dollars).unwrap_or(f64::INFINITY)
    });
    let costs: Vec<f64> = costs.collect();
    assert!(costs.windows(2).all(|pair| pair[0] <= pair[1]), "{costs:?}");
    let look = Look::of(&permalink::read(&format!(
        "{ENGINEER}{COMPARED}&lines=family"
    )));
    let strategies = searched(&format!("{ENGINEER}{COMPARED}")).say(&look);
    assert_eq!(strategies.best.rows[0].name, "DP + EP");
    assert_eq!(strategies.others, None);
    assert_eq!(look.shown.per, Per::Gpu);
    let precisions = told("v=1&gpus=64&batch=1024&precisions=deepseek-fp8,bf16");
    let names: Vec<&str> = precisions
        .best
        .rows
        .iter()
        .map(|row| row.name.as_str())
        .collect();
    assert_eq!(names[..2], ["deepseek-fp8", "bf16"]);
}

#[test]
fn only_searched_schedules_and_hop_b_never_loses() {
    for id in ["r1-helix-plans", "405b-helix-plans"] {
        let link = permalink::read(preset(id));
        let said = told(preset(id));
        let plans = || said.frontiers.plans();
        assert!(plans().all(|plan| plan.spec.overlap != Overlap::TwoBatch));
        let line = |strategy: Strategy| -> Vec<&ShownPlan> {
            plans().filter(|plan| plan.strategy == strategy).collect()
        };
        let (plain, hop_b) = (line(Strategy::Helix), line(Strategy::HelixHopB));
        assert!(!plain.is_empty() && !hop_b.is_empty());
        for point in plain {
            let users = point.point.per_user * (1.0 - 1e-12);
            let at_least = hop_b.iter().filter(|plan| plan.point.per_user >= users);
            let most = at_least.map(|plan| plan.point.per_gpu).fold(0.0, f64::max);
            assert!(
                most >= point.point.per_gpu * (1.0 - 1e-12),
                "{id}: {} at {users}",
                point.sharding
            );
        }
        // HOP-B slows no candidate down, whether or not it is on a frontier.
        let (inputs, search) = asked(&link);
        let candidates = Candidates::new(&inputs, &search);
        for index in (0..candidates.space.len()).step_by(5) {
            let (strategy, scenario) = candidates.space.scenario(index).expect("a candidate");
            if strategy != Strategy::HelixHopB {
                continue;
            }
            let spec = PlanSpec {
                overlap: Overlap::Sequential,
                ..*scenario.plan.spec()
            };
            let plan = Sharding::new(spec, &scenario.arch, scenario.cluster.gpus);
            let plain = Scenario {
                plan: plan.expect("a plan of Helix"),
                ..scenario
            };
            let speed = |of: &Scenario| evaluate(of).map(|found| found.tokens_per_user);
            if let (Ok(with), Ok(without)) = (speed(&scenario), speed(&plain)) {
                assert!(with >= without * (1.0 - 1e-12), "{spec:?}");
            }
        }
    }
}

#[test]
fn no_plan_has_its_reason() {
    let why = |link: &str| match told(link).headline {
        Some(Headline::NoPlan { why, .. }) => why,
        other => panic!("{link}: {other:?}"),
    };
    let rule = |link: &str| match why(link) {
        NoPlan::Rule { rule, share } => {
            assert!(share > 0.0 && share <= 1.0);
            rule
        }
        other => panic!("{link}: {other:?}"),
    };
    let memory = "v=1&context=16M&gpus=8&search_gpus=8&families=dp-ep";
    assert_eq!(rule(memory), Exclusion::OutOfMemory);
    let heads = "v=1&families=tp&search_gpus=6,12";
    assert_eq!(rule(heads), Exclusion::Heads);
    let few = "v=1&gpus=64&batch=1&search_gpus=64&families=dp-ep&search_batch=8";
    assert_eq!(rule(few), Exclusion::TooFewSequences);
    assert_eq!(rule("v=1&precision=fp4"), Exclusion::Format);
    assert_eq!(why("v=1&families=none"), NoPlan::NothingSearched);
    assert_eq!(why("v=1&families=medha"), NoPlan::NothingSearched);
    let slow = why("v=1&slo=100000&gpus=32&search_gpus=32&families=dp-ep");
    assert!(
        matches!(slow, NoPlan::TooSlow { slo, fastest } if fastest > 0.0 && fastest < slo),
        "{slow:?}"
    );
}

#[test]
fn a_search_under_way_has_no_verdict() {
    let mut searched = searched("v=1&context=16M&gpus=8&search_gpus=8&families=dp-ep");
    searched.stage = Stage::Running;
    let look = Look::of(&permalink::read(
        "v=1&context=16M&gpus=8&search_gpus=8&families=dp-ep",
    ));
    let said = searched.say(&look);
    assert!(said.headline.is_none() && said.own.is_none());
}

#[test]
fn searches_again_for_what_decides() {
    let ask = |text: &str| asked(&permalink::read(text));
    let plain = ask("v=1&gpus=64");
    for same in [
        "v=1&gpus=64&batch=4096",
        "v=1&gpus=64&tp=8&ep=64",
        "v=1&gpus=64&view=plans&theme=dark&a.gpus=8",
        "v=1&gpus=64&lines=family&axes=log&per=dollar",
        "v=1&gpus=64&overlap=none",
        "v=1&search_gpus=1,2,4,8,16,32,64&gpus=64",
        "v=1&gpus=16&replicas=4",
    ] {
        assert_eq!(ask(same), plain, "{same}");
    }
    for other in [
        "v=1&gpus=72",
        "v=1&gpus=64&context=4k",
        "v=1&gpus=64&slo=20",
        "v=1&gpus=64&families=tp",
        "v=1&gpus=64&search_gpus=any",
        "v=1&gpus=64&search_overlap=none",
        "v=1&gpus=64&prices=h100:3",
    ] {
        assert_ne!(ask(other), plain, "{other}");
    }
    let (inputs, search) = plain.clone();
    let again = Link {
        search,
        ..Link::to(inputs)
    };
    assert_eq!(asked(&again), plain);
    // By default, plans on the user's GPU count are shown; `search_gpus=any` shows plans on any count.
    let shows = |text: &str| {
        let link = permalink::read(text);
        (
            link.search.shows_own(&link.current),
            permalink::write(&link),
        )
    };
    assert_eq!(shows("v=1&gpus=64"), (true, "v=1&gpus=64".into()));
    let any = "v=1&gpus=64&search_gpus=any";
    assert_eq!(shows(any), (false, any.into()));
    assert_eq!(
        shows("v=1&gpus=64&search_gpus=8,16,32,64,128,256,512"),
        (true, "v=1&gpus=64".into())
    );
    assert!(shows("v=1&gpus=64&search_gpus=64").0);
}

/// Checks that a plan that does not fit in memory has no throughput, ratio or cost.
#[test]
fn what_does_not_fit_serves_nothing() {
    let said = told("v=1&gpus=32&batch=40k&accelerators=h100,gb200");
    let now = row_of(&said, "Current plan");
    assert_eq!(now.detail, ["out of memory"]);
    assert!(now.misses);
    assert_eq!(
        (now.bar, now.rate, now.ratio, now.dollars),
        (None, None, None, None)
    );
    assert!(row_of(&said, "H100 SXM").is_own);
    let slow = told(&format!("{ENGINEER}&batch=4096"));
    let now = row_of(&slow, "Current plan");
    assert!(now.misses && now.rate.is_some() && now.bar.is_none() && now.ratio.is_none());
    assert_eq!(slow.best.rows.last(), Some(&now));
}

/// Checks that the searched replica sizes divide the user’s GPU count. The option "any count" adds other sizes,
/// including whole racks.
#[test]
fn sizes_of_replicas() {
    let gpus = |text: &str| {
        let link = permalink::read(text);
        link.search.gpus(&link.current)
    };
    assert_eq!(gpus("v=1&gpus=72"), [1, 2, 4, 8, 24, 72]);
    assert_eq!(gpus("v=1&gpus=24&replicas=3"), gpus("v=1&gpus=72"));
    assert_eq!(gpus("v=3&gpu=h200&gpus=6"), [1, 2, 6]);
    let any = gpus("v=1&gpus=72&search_gpus=any");
    assert!(
        [1, 8, 24, 48, 64, 72, 512]
            .iter()
            .all(|size| any.contains(size)),
        "{any:?}"
    );
    let racks = gpus("v=1&gpu=gb200&gpus=64&search_gpus=any");
    assert!(
        [72, 144, 288].iter().all(|size| racks.contains(size)),
        "{racks:?}"
    );
    // If the permalink lists GPU counts, only those are searched.
    let stated = [8, 16, 32, 64, 128, 256, 512];
    assert_eq!(
        gpus("v=1&gpu=gb200&gpus=64&search_gpus=8,16,32,64,128,256,512"),
        stated
    );
    let (inputs, search) = asked(&permalink::read("v=1&gpu=gb200&gpus=64&search_gpus=any"));
    assert_eq!(search.gpus(&inputs), racks);
}

/// Checks that turning overlap off in the current plan does not change the plans found.
#[test]
fn own_schedule_decides_nothing() {
    const SYSTEM: &str = "v=1&model=deepseek-r1&gpu=h200&gpus=32&batch=1136&context=6000&slo=30";
    for search in [
        "",
        "&search_gpus=any&accelerators=h200,mi300x&batch_steps=1",
    ] {
        let of = |overlap: &str| told(&format!("{SYSTEM}{search}&overlap={overlap}"));
        let [none, two_batch] = ["none", "two-batch"].map(of);
        let plans = |said: &PlansAnswer| {
            let rows = said.best.rows.iter().filter(|row| row.mark != RowMark::Now);
            let rows = rows.map(|row| (row.name.clone(), row.detail.clone(), row.rate));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(plans(&none), plans(&two_batch));
        assert_eq!(none.others, two_batch.others);
        let own = |said: &PlansAnswer| said.own.as_ref().map(|own| own.point);
        assert_eq!(own(&none), own(&two_batch));
    }
    // `search_overlap=none` turns two-batch overlap off.
    let without = told(&format!("{SYSTEM}&overlap=two-batch&search_overlap=none"));
    let schedules = without.frontiers.plans().map(|plan| plan.schedule());
    assert!({ schedules }.all(|schedule| schedule != "two-batch"));
}

/// Checks that a searched plan has the strategy for which it was created, unless several strategies share the plan.
#[test]
fn strategy_of_a_sharding() {
    for link in [
        "v=1&gpus=64",
        "v=1&model=llama-3.1-405b&gpus=64&gpu=h200&precision=bf16",
    ] {
        let (inputs, search) = asked(&permalink::read(link));
        let candidates = Candidates::new(&inputs, &search);
        for (strategy, plan) in candidates.space.plans() {
            let named = Strategy::of(plan.spec());
            let spec = plan.spec();
            let alike = named == *strategy
                // Several strategies share the plans on one GPU, and Helix and Medha those without context splitting.
                || spec.dp * spec.tp * spec.kvp == 1
                || (matches!(strategy, Strategy::Helix | Strategy::Medha) && spec.kvp == 1);
            assert!(alike, "{strategy:?} {spec:?} {named:?}");
        }
    }
}

/// Checks that the legend has the same error bands as the Explore view of the same plans.
#[test]
fn bands_of_opened_rows() {
    let found = told(
        "v=1&gpu=h200&gpus=16&batch=512&model=deepseek-r1&slo=15&families=tp,dp-ep&search_gpus=16&accelerators=h200,b200",
    );
    let mut seen = 0;
    for row in &found.best.rows {
        let Some(inputs) = row.inputs else { continue };
        let crate::Outcome::Possible(opened) = crate::answer(&inputs, None) else {
            panic!("{} does not open", row.name);
        };
        assert_eq!(row.around, opened.figures[1].around, "{}", row.name);
        seen += usize::from(row.around.is_some());
    }
    assert_eq!(seen, 2);
    // Rows still have error bands if the calibration is overridden.
    let own = told(&format!("{ENGINEER}&families=dp-ep&search_gpus=32"));
    assert!(own.best.rows.iter().any(|row| row.around.is_some()));
}

#[test]
fn slo_label_names_the_faster_side() {
    use crate::chart::record;
    use crate::picture::Mark as Drawn;
    use crate::picture::metrics::Inter;
    for link in ["v=1&slo=40", "v=1&slo=20", &format!("{ENGINEER}{COMPARED}")] {
        let frontiers = told(link).frontiers;
        let chart = frontiers.chart(&[], None);
        let slo = frontiers.slo.expect("it is stated");
        for size in [
            (320.0, 300.0),
            (350.0, 300.0),
            (560.0, 320.0),
            (640.0, 358.0),
        ] {
            let font = Inter { stretch: 1.0 };
            let (picture, _) = record(&chart, &crate::theme::LIGHT, &font, size);
            let texts: Vec<_> = { picture.marks.into_iter() }
                .filter_map(|mark| match mark {
                    Drawn::Text(text) => Some(text),
                    _ => None,
                })
                .collect();
            let tick = |value: f64| {
                let words = format::printed(value);
                let found = texts.iter().filter(|text| text.words == words);
                found
                    .map(|text| text.at.x + text.width_px / 2.0)
                    .fold(0.0, f64::max)
            };
            let named = format::printed(slo);
            let label = texts.iter().find(|text| {
                [
                    format!("≥ {named} tok/s/user"),
                    format!("≥ {named} tok/s"),
                    format!("≥ {named}"),
                ]
                .contains(&text.words)
            });
            let label = label.unwrap_or_else(|| panic!("{link} at {size:?} names its rule"));
            // X position of the SLO's tick, or of the tick at zero if the SLO is not a tick.
            let (left, right) = (tick(0.0), tick(slo));
            let rule = if right > left { right } else { left };
            assert!(
                label.at.x > rule,
                "{link} at {size:?}: {label:?}, rule at {rule}"
            );
        }
    }
}
