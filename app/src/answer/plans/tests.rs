//! What is said of a search, from the worker's own answers.

use super::*;
use crate::charts::Figure;
use model_core::limits::{enough, largest};
use model_core::permalink::Per;
use model_core::scenario::preset::PRESETS;
use model_core::sweep::Family;
use worker::{Answer, Job, Request};

/// Runs what a link asks to its end, as the page and the worker do.
fn searched(link: &str) -> Searched {
    let asked = asked(&permalink::read(link));
    let request = Request::Search {
        link: asked.clone(),
    };
    let mut job = Job::new(&request);
    job.advance(|| false);
    let Some(Answer::Search(answer)) = Answer::read(&request, &job.answer(0.1)) else {
        panic!("no answer to {link}");
    };
    let (link, candidates) = lay_out(&asked);
    assert!(link.notes.is_empty(), "{:?}", link.notes);
    Searched::new(&asked, link, Arc::new(candidates), answer, Stage::Done)
}

pub fn told(link: &str) -> PlansAnswer {
    searched(link).say(&Look::of(&permalink::read(link)))
}

/// The engineer of 32 H200, as the calibration before release 1.0 had it, with 10 µs per collective.
const ENGINEER: &str = "v=1&calibration=aleph-alpha-2025&alpha_us=10&model=deepseek-r1&gpu=h200&gpus=32&batch=1024&context=6000&slo=30";
const COMPARED: &str = "&accelerators=h200,b200,gb200,mi300x";

/// What Explore and Limits offer is what Plans says: the batch where throughput is flat, the fewest GPUs, and plans without
/// copies of experts in every precision that is searched.
#[test]
fn one_question_has_the_answer_of_the_other_views() {
    let text = |link: &str| told(link).verdict.plain_text();
    let flat = text("v=1&slo=20&batch=4096&calibration=ideal&search_gpus=72");
    assert!(
        flat.contains("at batch 5,945: ") && flat.contains("3.99k"),
        "{flat}"
    );
    let one = "v=1&model=llama-3-70b&gpu=h100&gpus=1&batch=16&context=8k&precision=bf16";
    let small = told(one);
    let fewest = advice::more_gpus(&permalink::read(one).current);
    let fewest = fewest.expect("some number does").label;
    assert_eq!(
        small.offers.first().map(|offer| offer.label.clone()),
        Some(fewest.clone())
    );
    let said = small.verdict.plain_text();
    let count = fewest.trim_start_matches("Use ").trim_end_matches(" GPUs");
    assert!(said.contains(&format!("{count} H100 would do")), "{said}");
    let rescued = text(
        "v=1&model=mixtral-8x22b&gpu=a100&gpus=8&batch=128&context=4k&slo=25&precisions=deepseek-fp8,bf16",
    );
    assert!(
        rescued.starts_with("Your 8 A100 keep 25 tok/s per user ")
            && rescued.contains("redundant experts in bf16 at batch "),
        "{rescued}"
    );
    // The same by its button, and with as many sequences as the precision alone gives.
    let link = "v=1&model=mixtral-8x22b&gpu=a100&gpus=8&batch=128&context=4k&slo=25";
    let ways = told(link).trouble.expect("none in FP8").ways;
    let too = ways.iter().find(|way| way.label == "Search bf16 too");
    let mut pressed = permalink::read(link);
    too.expect("A100 computes in BF16").edit.make(&mut pressed);
    let pressed = text(&permalink::write(&pressed));
    let alone = text(&format!("{link}&precision=bf16"));
    let batch = |said: &str| {
        let (_, rest) = said.split_once("at batch ").expect("a batch");
        rest.split(' ').take(4).collect::<Vec<_>>().join(" ")
    };
    assert!(pressed.starts_with("Your 8 A100 keep 25 "), "{pressed}");
    assert_eq!(batch(&pressed), batch(&alone), "{pressed} / {alone}");
}

#[test]
fn ones_own_gpus_come_first_then_the_best_of_the_others() {
    let said = told(&format!("{ENGINEER}{COMPARED}"));
    assert!(
        said.verdict.plain_text().starts_with(
            "Your 32 H200 keep 30 tok/s per user without overlap at batch 1,139: 1.07k tok/s per GPU; your plan misses it. 32 GB200 would serve 4.89× that, at "
        ),
        "{}",
        said.verdict.plain_text()
    );
    assert_eq!(
        said.short.plain_text(),
        "Your 32 H200 keep 30 tok/s per user without overlap at batch 1,139: 1.07k tok/s per GPU. \
         32 GB200 would serve 4.89× that. \
         One draft, no copies: 2.73k."
    );
    assert_eq!(said.best.title, "Best at 30 tok/s per user");
    assert_eq!(said.best.caption, "32 of each, DP 32 · EP 32");
    let rows: Vec<(&str, &str, &str, &str)> = said
        .best
        .rows
        .iter()
        .map(|row| {
            let (name, detail) = (row.name.as_str(), row.detail.as_str());
            (name, detail, row.value.as_str(), row.ratio.as_str())
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("GB200 NVL72", "batch 5,566 · no overlap", "5.22k", "4.89×"),
            ("B200 SXM", "batch 3,772 · two-batch", "3.54k", "3.31×"),
            ("MI300X", "batch 1,300 · no overlap", "1.22k", "1.14×"),
            ("H200 SXM", "batch 1,139 · no overlap", "1.07k", "1×"),
            ("Your plan now", "misses it: 26.0 of 30 tok/s", "832", "–"),
        ]
    );
    assert_eq!(
        said.chart.finding(),
        "GB200 leads at every speed; next B200"
    );
    let others = said.others.expect("families beside accelerators");
    assert_eq!(
        (others.title, others.caption.as_str()),
        ("By family", "on your 32 H200, at 30 tok/s")
    );
    let last = others.rows.last().expect("six families");
    assert_eq!(
        (last.name, last.detail.as_str()),
        ("Medha", "has no plan for a model with experts")
    );
    assert!(said.trouble.is_none() && said.counts.contains("meet the SLO"));
}

/// The batch that Limits calls the largest for the same plan is the one that is offered, to the sequence.
#[test]
fn the_best_is_at_the_limit_that_limits_evaluates() {
    for link in [
        ENGINEER.to_owned(),
        format!("{ENGINEER}{COMPARED}"),
        "v=1&slo=20&search_gpus=72".to_owned(),
        "v=1&model=llama-3.1-405b&gpu=h200&gpus=16&batch=64&slo=25&precision=bf16".to_owned(),
        "v=1&gpus=32&batch=64&redundant=0".to_owned(),
    ] {
        let said = told(&link);
        let own = said.own.as_ref().expect("there is a plan");
        let largest = largest(&own.scenario).expect("it works").batch;
        let largest = enough(&own.scenario, largest);
        assert_eq!(
            own.scenario.workload.batch.to_bits(),
            largest.to_bits(),
            "{link}"
        );
        for row in said.best.rows.iter().filter_map(|row| row.inputs) {
            let scenario = row.scenario().expect("possible");
            let most = model_core::limits::largest(&scenario)
                .expect("it works")
                .batch;
            let most = enough(&scenario, most);
            assert!(
                (scenario.workload.batch - most).abs() < 0.5,
                "{link}: {} of {most}",
                scenario.workload.batch
            );
        }
    }
}

/// What the verdict calls best is beaten by no point of the chart, nor by now; what a row opens is what it says.
#[test]
fn nothing_on_the_page_beats_what_is_called_best() {
    for link in [
        format!("{ENGINEER}{COMPARED}"),
        format!("{ENGINEER}{COMPARED}&search_gpus=any"),
        format!("{ENGINEER}{COMPARED}&lines=family"),
        format!("{ENGINEER}&overlap=none&batch=1223"),
        "v=1&search_gpus=any".to_owned(),
        "v=1&model=llama-3-70b&gpus=8&batch=64&precision=bf16&precisions=bf16,deepseek-fp8&slo=40".to_owned(),
        "v=1&model=qwen3-235b-a22b&gpu=b200&gpus=16&batch=512&slo=50&per=dollar&accelerators=b200,h200".to_owned(),
    ] {
        let read = permalink::read(&link);
        let searched = searched(&link);
        let look = Look::of(&read);
        let said = searched.say(&look);
        let own = said.own.as_ref().expect("there is a plan");
        let slo = read.current.get(Number::Slo).unwrap_or(0.0);
        let most = own.evaluation.tokens_per_gpu * (1.0 + 1e-9);
        let mut others = 0.0_f64;
        for plan in said.plans.iter().flatten() {
            if plan.point.per_user < slo {
                continue;
            }
            others = others.max(plan.point.per_gpu);
            let mine = plan.inputs.gpu == read.current.gpu
                && plan.inputs.precision == own.inputs.precision
                && Some(plan.point.gpus) == read.current.get(Number::Gpus);
            assert!(!mine || plan.point.per_gpu <= most, "{link}");
            // What is opened is what is drawn.
            let scenario = plan.inputs.scenario().expect("possible");
            let evaluation = model_core::evaluate::evaluate(&scenario).expect("finite");
            assert!((evaluation.tokens_per_gpu / plan.point.per_gpu - 1.0).abs() < 1e-9);
        }
        // The factor over one's own best is that of the best point there is.
        let ratio = format::factor(others / own.evaluation.tokens_per_gpu);
        let text = said.verdict.plain_text();
        // Several instances of one's own GPUs come before fewer of them.
        let smaller = Levers::of(&read.current).smaller;
        let known = smaller.map_or(0.0, |smaller| smaller.each.evaluation.tokens_per_gpu);
        let beyond = others > own.evaluation.tokens_per_gpu.max(known) * 1.01;
        assert!(!beyond || text.contains(&format!("would serve {ratio}")), "{link}: {text} {ratio}");
        let now = said.chart.now.as_ref().expect("possible");
        let works = now.point.fits && now.point.per_user >= slo;
        assert!(!works || now.point.per_gpu <= most, "{link}");
        // Every line is a frontier, and its best the last that is fast enough.
        for (line, plans) in said.chart.lines.iter().zip(&said.plans) {
            assert_eq!(line.points.len(), plans.len());
            for pair in plans.windows(2) {
                assert!(pair[0].point.per_user > pair[1].point.per_user);
                let worth = |plan: &Plan| plan.worth(look.shown.per);
                assert!(worth(&pair[0]) < worth(&pair[1]), "{link}");
            }
            let met = plans.iter().filter(|plan| plan.point.per_user >= slo).count();
            assert_eq!(line.best, met.checked_sub(1));
        }
    }
}

#[test]
fn hits_are_plans_whatever_is_hidden() {
    let said = told(&format!("{ENGINEER}{COMPARED}"));
    let mut chart = (*said.chart).clone();
    chart.lines[1].hidden = true;
    let count = chart.hits().count();
    for (hit, (line, point, _)) in chart.hits().enumerate() {
        let (place, index) = chart.place(hit).expect("a place for each hit");
        assert_eq!(place, line);
        let plan = &said.plans[place][index];
        assert_eq!(plan.point, point.point);
    }
    assert_eq!(chart.place(count), None);
    assert!(chart.hits().all(|(line, ..)| line != 1));
}

#[test]
fn what_has_no_plan_says_why() {
    let dense = told("v=1&model=llama-3-70b&gpus=8&batch=64&precision=bf16");
    let why = |said: &PlansAnswer, name: &str| -> String {
        let row = said.best.rows.iter().find(|row| row.name == name);
        row.map_or_else(String::new, |row| row.detail.clone())
    };
    assert_eq!(
        why(&dense, "DP + EP"),
        "is DP alone without experts, and does not fit the memory"
    );
    let default = told("v=1");
    assert_eq!(why(&default, "TP"), "would split the heads unevenly");
    assert_eq!(
        why(&default, "Medha"),
        "has no plan for a model with experts"
    );
    let formats = told("v=1&gpus=64&batch=1024&precision=fp4&gpu=b200&accelerators=b200,h100");
    assert_eq!(
        why(&formats, "H100 SXM"),
        "has no arithmetic in this precision"
    );
    // Copies of experts that leave no room are left out, and that is said.
    let bare = told("v=1&gpus=8&batch=64").verdict.plain_text();
    assert!(
        bare.starts_with("By plan alone your 8 H100 serve most as TP 2 · FFN TP 2 · PP 4")
            && bare.contains("without overlap or redundant experts at batch 34 (not measured): "),
        "{bare}"
    );
    let small = told("v=1&gpus=8&batch=64&context=1M&accelerators=h100,h200");
    assert_eq!(why(&small, "H100 SXM"), "does not fit the memory");
    assert!(
        small
            .verdict
            .plain_text()
            .starts_with("No plan on your 8 H100 fits. "),
        "{}",
        small.verdict.plain_text()
    );
}

/// Costs are compared by price, and what has none stays apart.
#[test]
fn lines_may_stand_for_families_precisions_and_costs() {
    let cost = told(&format!("{ENGINEER}{COMPARED}&per=dollar"));
    let costs = cost.plans.iter().map(|plans| {
        let best = plans.iter().rfind(|plan| plan.point.per_user >= 30.0);
        best.and_then(|plan| plan.dollars).unwrap_or(f64::INFINITY)
    });
    let costs: Vec<f64> = costs.collect();
    assert!(costs.windows(2).all(|pair| pair[0] <= pair[1]), "{costs:?}");
    let look = Look::of(&permalink::read(&format!(
        "{ENGINEER}{COMPARED}&lines=family"
    )));
    let families = searched(&format!("{ENGINEER}{COMPARED}")).say(&look);
    assert_eq!(families.best.rows[0].name, "DP + EP");
    assert_eq!(
        families.others.expect("accelerators then").title,
        "By accelerator"
    );
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

/// docs/papers.md prints the same figures.
#[test]
fn the_gains_of_paper_h_are_told() {
    const R1: &str = "v=1&model=deepseek-r1&gpu=gb200&gpus=64&batch=4096&context=1M&beta=1&redundant=0&precision=fp4&overlap=none&calibration=helix&alpha_us=11.5&search_gpus=1,2,4,8,16,32,64&search_batch=4096&batch_steps=1&search_overlap=none";
    let gains = |link: &str| gains::gains(&searched(link))[0].plain_text();
    let text = gains(R1);
    assert!(
        text.starts_with("Helix + HOP-B over the best baseline: 1.56×"),
        "{text}"
    );
    assert!(
        text.contains("36.3×") && text.contains("with 32 sequences against 1"),
        "{text}"
    );
    let llama = R1
        .replace("deepseek-r1", "llama-3.1-405b")
        .replace("&beta=1&redundant=0", "");
    let text = gains(&llama);
    assert!(
        text.contains("1.03×") && text.contains("4.12×") && text.contains("4 sequences against 1"),
        "{text}"
    );
}

/// Every way out leads out, and the reason is the rule that excluded most.
#[test]
fn a_search_that_finds_nothing_says_why_and_what_would_help() {
    for (link, words, least_ways) in [
        (
            "v=1&context=16M&gpus=8&search_gpus=8&families=dp-ep",
            "do not fit the memory",
            1,
        ),
        (
            "v=1&slo=100000&gpus=8&search_gpus=8,16",
            "No plan meets the SLO.",
            1,
        ),
        ("v=1&families=none", "No plan family is chosen", 1),
        ("v=1&families=medha", "no plan to search", 1),
        (
            "v=1&families=tp&search_gpus=6,12",
            "split the query heads unevenly",
            2,
        ),
        ("v=1&precision=fp4", "need a format", 2),
        (
            "v=1&gpus=64&batch=1&search_gpus=64&families=dp-ep&search_batch=8",
            "fewer sequences than groups",
            1,
        ),
    ] {
        let searched = searched(link);
        let said = searched.say(&Look::of(&permalink::read(link)));
        let trouble = said
            .trouble
            .unwrap_or_else(|| panic!("{link} finds something"));
        let text = trouble.sentence.plain_text();
        assert!(text.contains(words), "{link}: {text}");
        assert_eq!(said.verdict, trouble.sentence);
        assert!(
            trouble.ways.len() >= least_ways,
            "{link}: {:?}",
            trouble.ways
        );
        for way in &trouble.ways {
            let mut changed = searched.link.clone();
            way.edit.make(&mut changed);
            let text = permalink::write(&changed);
            assert!(
                self::searched(&text).answer.found.fitting > 0,
                "{link}: {way:?}"
            );
        }
    }
}

#[test]
fn a_search_under_way_is_no_trouble_yet() {
    let mut searched = searched("v=1&context=16M&gpus=8&search_gpus=8&families=dp-ep");
    searched.stage = Stage::Running;
    let look = Look::of(&permalink::read(
        "v=1&context=16M&gpus=8&search_gpus=8&families=dp-ep",
    ));
    let said = searched.say(&look);
    assert!(said.trouble.is_none() && said.own.is_none());
}

/// "Of 576 plans 412 do not fit" and the counts below speak of the same 576.
#[test]
fn plans_are_counted_one_way() {
    let searched = searched("v=1&gpus=3&search_gpus=3");
    let said = searched.say(&Look::of(&permalink::read("v=1&gpus=3&search_gpus=3")));
    let counted: usize = said
        .counts
        .split(", ")
        .filter_map(|part| part.split(' ').next()?.parse::<usize>().ok())
        .sum();
    assert_eq!(counted, searched.plans());
    let of = format!("Of {} plans", searched.plans());
    assert!(
        said.verdict.plain_text().contains(&of),
        "{}",
        said.verdict.plain_text()
    );
}

#[test]
fn a_search_is_asked_again_only_for_what_decides_it() {
    let ask = |text: &str| asked(&permalink::read(text));
    let plain = ask("v=1&gpus=64");
    for same in [
        "v=1&gpus=64&batch=4096",
        "v=1&gpus=64&tp=8&ep=64",
        "v=1&gpus=64&view=plans&theme=dark&a.gpus=8",
        "v=1&gpus=64&lines=family&axes=log&per=dollar",
        "v=1&gpus=64&search_gpus=any",
        "v=1&gpus=64&overlap=none",
        "v=1&search_gpus=8,16,32,64,128,256,512&gpus=64",
    ] {
        assert_eq!(ask(same), plain, "{same}");
    }
    for other in [
        "v=1&gpus=72",
        "v=1&gpus=64&context=4k",
        "v=1&gpus=64&slo=20",
        "v=1&gpus=64&families=tp",
        "v=1&gpus=64&search_overlap=none",
    ] {
        assert_ne!(ask(other), plain, "{other}");
    }
    let (link, _) = lay_out(&plain);
    assert!(link.notes.is_empty());
    assert_eq!(asked(&link), plain);
    // Own numbers are shown first, unless any are asked for.
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

/// Comparisons are named: "1×" is the best on one's own GPUs, and what cannot run is compared with nothing.
#[test]
fn what_does_not_fit_serves_nothing_and_no_word_means_two_things() {
    let said = told("v=1&gpus=32&batch=40k&accelerators=h100,gb200");
    let row = |name: &str| said.best.rows.iter().find(|row| row.name == name);
    let now = row("Your plan now").expect("there is one");
    assert_eq!(now.detail, "does not fit the memory");
    assert_eq!(
        (
            now.bar,
            now.value.as_str(),
            now.ratio.as_str(),
            now.cost.as_str()
        ),
        (0.0, "–", "–", "–")
    );
    let own = row("H100 SXM").expect("it is searched");
    assert_eq!((own.tag, own.ratio.as_str()), ("yours", "1×"));
    let longest = said.best.rows.iter().map(|row| row.bar).fold(0.0, f64::max);
    assert!((longest - 1.0).abs() < 1e-12, "{longest}");
    let families = told("v=1&gpus=32&batch=1024&search_gpus=any");
    assert!(
        families
            .best
            .rows
            .iter()
            .any(|row| row.tag == "your family")
    );
}

/// The presets of [H] ask for a plan: it is named, with what Helix brings.
#[test]
fn which_plan_is_answered_by_a_plan() {
    for (id, words) in [
        (
            "405b-helix-plans",
            [
                "Helix + HOP-B as ",
                " GB200: ",
                " the throughput of ",
                "1.03×",
            ],
        ),
        (
            "r1-helix-plans",
            [
                "Helix + HOP-B as ",
                " GB200: ",
                " the throughput of ",
                "1.56×",
            ],
        ),
    ] {
        let preset = PRESETS;
        let preset = preset
            .iter()
            .find(|preset| preset.id == id)
            .expect("it is there");
        let said = told(preset.link);
        let text = said.verdict.plain_text();
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(text.chars().count() < 190, "{text}");
        assert_eq!(said.gains.len(), 2);
        let opened = said.open.expect("a plan").scenario().unwrap();
        let named = sharding::words(opened.plan.spec(), &opened.arch);
        assert!(
            text.contains(&format!(" as {named} on ")),
            "{named}: {text}"
        );
        // A step away the question is another one.
        assert!(told(&format!("{}&context=900k", preset.link)).verdict != said.verdict);
    }
}

/// A rack's domain is a number of GPUs that can be had, and so are its multiples.
#[test]
fn any_number_offers_whole_domains() {
    let gpus = |text: &str| {
        let link = permalink::read(text);
        link.search.gpus(&link.current)
    };
    let plain = [8, 16, 32, 64, 128, 256, 512];
    assert_eq!(gpus("v=1&gpu=h200&gpus=64"), plain);
    let racks = [8, 16, 32, 64, 72, 128, 144, 256, 288, 512];
    assert_eq!(gpus("v=1&gpu=gb200&gpus=64&search_gpus=any"), racks);
    assert_eq!(gpus("v=1&gpu=h200&gpus=64&accelerators=h200,gb200"), racks);
    // What is stated is searched, and nothing else.
    assert_eq!(
        gpus("v=1&gpu=gb200&gpus=64&search_gpus=8,16,32,64,128,256,512"),
        plain
    );
    let asked = asked(&permalink::read("v=1&gpu=gb200&gpus=64&search_gpus=any"));
    assert_eq!(
        lay_out(&asked)
            .0
            .search
            .gpus(&permalink::read(&asked).current),
        racks
    );
}

/// Whoever turns overlap off, as the page proposes, finds the same plans afterwards.
#[test]
fn the_schedule_that_there_is_decides_nothing_that_is_found() {
    const SYSTEM: &str = "v=1&model=deepseek-r1&gpu=h200&gpus=32&batch=1136&context=6000&slo=30";
    for search in [
        "",
        "&search_gpus=any&accelerators=h200,mi300x&batch_steps=1",
    ] {
        let of = |overlap: &str| told(&format!("{SYSTEM}{search}&overlap={overlap}"));
        let [none, two_batch] = ["none", "two-batch"].map(of);
        let plans = |said: &PlansAnswer| {
            let rows = said.best.rows.iter().filter(|row| row.mark != Mark::Now);
            let rows = rows.map(|row| (row.name.clone(), row.detail.clone(), row.value.clone()));
            rows.collect::<Vec<_>>()
        };
        assert_eq!(plans(&none), plans(&two_batch));
        assert_eq!(none.others, two_batch.others);
        let own = |said: &PlansAnswer| said.own.as_ref().map(|own| own.evaluation);
        assert_eq!(own(&none), own(&two_batch));
        assert_eq!(none.counts, two_batch.counts);
    }
    // What says otherwise is a key of the search.
    let without = told(&format!("{SYSTEM}&overlap=two-batch&search_overlap=none"));
    let schedules = without.plans.iter().flatten().map(|plan| plan.schedule());
    assert!({ schedules }.all(|schedule| schedule != "two-batch"));
    // So it is with one large deployment and many.
    let pair = |text: &str| {
        let link = permalink::read(&format!("{SYSTEM}&{text}"));
        let data = instances_data(&link).expect("possible");
        (data.small.best, data.large.best)
    };
    assert_eq!(pair("overlap=none"), pair("overlap=two-batch"));
    assert_ne!(pair("search_overlap=none"), pair("overlap=two-batch"));
}

/// Every family of a scenario is one of those that are searched.
#[test]
fn a_sharding_knows_its_family() {
    for link in [
        "v=1&gpus=64",
        "v=1&model=llama-3.1-405b&gpus=64&gpu=h200&precision=bf16",
    ] {
        let (_, candidates) = lay_out(&asked(&permalink::read(link)));
        for (family, plan) in candidates.space.plans() {
            let named = sharding::family_of(plan.spec());
            let spec = plan.spec();
            let alike = named == *family
                // One GPU, and one group of heads, are the same in several families.
                || spec.dp * spec.tp * spec.kvp == 1
                || (matches!(family, Family::Helix | Family::Medha) && spec.kvp == 1);
            assert!(alike, "{family:?} {spec:?} {named:?}");
        }
    }
}

/// The legend has the bands that Explore has of the same plans.
#[test]
fn bands_are_those_of_what_a_row_opens() {
    let found = told(
        "v=1&gpu=h200&gpus=16&batch=512&model=deepseek-r1&slo=15&families=tp,dp-ep&search_gpus=16&accelerators=h200,b200",
    );
    let mut seen = 0;
    for row in &found.best.rows {
        let Some(inputs) = row.inputs else { continue };
        let crate::answer::Outcome::Possible(opened) = crate::answer::answer(&inputs, None) else {
            panic!("{} does not open", row.name);
        };
        assert_eq!(row.around, opened.figures[2].around, "{}", row.name);
        seen += usize::from(row.around.is_some());
    }
    assert_eq!(seen, 2);
    // A calibration that was overridden was never measured.
    let own = told(&format!("{ENGINEER}&families=dp-ep&search_gpus=32"));
    assert!(own.best.rows.iter().all(|row| row.around.is_none()));
}

/// One plan is one row, whatever families come to it; what is called one's own is what there is now.
#[test]
fn one_plan_is_one_row() {
    let told = |id: &str| {
        let preset = PRESETS.iter().find(|preset| preset.id == id);
        told(preset.expect("it is there").link)
    };
    let said = told("l-kimi-70b");
    let rows: Vec<_> = said.best.rows.iter().collect();
    let row = |index: usize| (rows[index].name.as_str(), rows[index].detail.as_str());
    assert_eq!(row(0), ("TP", "batch 42 · TP 4 · no overlap"));
    assert_eq!(row(1), ("Helix", "the same plan as TP"));
    assert_eq!(row(2), ("Helix + HOP-B", "the same plan as TP"));
    assert!(rows[1..3].iter().all(|row| {
        row.value.is_empty() && row.inputs.is_none() && !row.least && row.line.is_some()
    }));
    assert_eq!(
        said.chart.finding(),
        "TP leads at every speed; next TP × PP"
    );
    let said = told("r1-helix-plans");
    let tagged = said.best.rows.iter().filter(|row| !row.tag.is_empty());
    let tagged: Vec<_> = tagged.map(|row| (row.name.as_str(), row.tag)).collect();
    assert_eq!(tagged, [("Helix + HOP-B", "your family")]);
}
