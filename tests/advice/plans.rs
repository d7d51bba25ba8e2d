//! The Plans view: its headline, its table and its chart speak of one best plan, and nothing beside it beats it.

use std::sync::Arc;

use app::answer::advice::more_gpus;
use app::answer::plans::{
    BestRow, Look, PlansAnswer, Searched, asked, grown, instances_data, lay_out,
};
use app::charts::InstancePoint;
use app::format;
use model_core::advice::{Basis, Levers, most, works};
use model_core::evaluate::evaluate;
use model_core::limits::{FASTER, LEVEL};
use model_core::permalink::Link;
use model_core::scenario::{Inputs, Number};
use worker::{Answer, Job, Request, Stage};

use super::{law, pages};

/// Each search looks at tens of thousands of plans.
const SEARCHES_PER_PAGE: u64 = 8;

/// The view of a scenario, its own number of GPUs searched, as page and worker do it.
fn told(inputs: &Inputs) -> Option<PlansAnswer> {
    let gpus = inputs.get(Number::Gpus)?;
    let mut link = Link::to(*inputs);
    link.search.gpus = Some(vec![gpus as u32]);
    let text = asked(&link);
    let request = Request::Search { link: text.clone() };
    let mut job = Job::new(&request);
    job.advance(|| false);
    let Some(Answer::Search(answer)) = Answer::read(&request, &job.answer(0.1)) else {
        panic!("a search has an answer");
    };
    let (read, candidates) = lay_out(&text);
    let searched = Searched::new(&text, read, Arc::new(candidates), answer, Stage::Done);
    Some(searched.say(&Look::of(&link)))
}

#[test]
fn the_best_plan_is_one_and_nothing_beside_it_beats_it() {
    law(pages() / SEARCHES_PER_PAGE, |_, inputs| {
        let Some(said) = told(inputs) else { return };
        let slo = inputs.get(Number::Slo);
        let now = inputs.scenario().expect("the space is possible");
        let present = evaluate(&now).expect("finite");
        let text = said.verdict.plain_text();
        let Some(own) = &said.own else {
            assert!(!works(&now, &present), "{text}");
            assert!(most(inputs).is_none(), "{text}");
            // What the same GPUs do as several instances is bought by nobody.
            if let Some(smaller) = Levers::of(inputs)
                .smaller
                .filter(|_| said.trouble.is_none())
            {
                let offered: Vec<Inputs> = said.offers.iter().map(|offer| offer.inputs).collect();
                assert_eq!(offered, [smaller.each.inputs], "{text}");
                return;
            }
            // How many GPUs would do is one number in every view.
            if let Some(enough) = more_gpus(inputs).filter(|_| said.trouble.is_none()) {
                let count = enough.inputs.get(Number::Gpus).expect("always");
                let named = format!("{} ", format::count(count));
                assert!(
                    text.contains(&named) && text.contains(" would do"),
                    "{text}"
                );
                assert_eq!(said.offers, [enough]);
            }
            return;
        };
        let best = own.evaluation.tokens_per_gpu;
        // Beside its plan it tells of the levers that Explore and Limits tell of, but of what is that plan already, and of
        // what gives less than that at the same speed; and nothing is said to serve most beside what rests on more.
        if said.trouble.is_none() {
            let levers = Levers::of(inputs);
            let some_fit = Basis::of(&now, &present).evaluation().is_some();
            let same_speed = slo.is_none() && some_fit;
            let free = levers
                .free
                .filter(|free| same_speed && free.inputs != own.inputs);
            let rest = { levers.rest }
                .filter(|more| same_speed || more.evaluation.tokens_per_gpu >= 1.01 * best);
            let offered: Vec<Inputs> = said.offers.iter().map(|offer| offer.inputs).collect();
            let smaller = { levers.smaller.map(|smaller| smaller.each) }
                .filter(|each| same_speed || each.evaluation.tokens_per_gpu >= 1.01 * best);
            let told = free.iter().chain(&rest).chain(&smaller);
            let told: Vec<Inputs> = told.map(|free| free.inputs).collect();
            assert_eq!(offered, told, "{text}");
            assert!(
                rest.is_none() || !text.starts_with("Your ") || slo.is_some(),
                "{text}"
            );
            let gains = free.iter().chain(&rest).chain(&smaller);
            for gain in gains.filter_map(|free| free.gain) {
                assert!(
                    !same_speed || text.contains(&format::factor(gain)),
                    "{gain}: {text}"
                );
            }
        }
        // What is outside its own band is said to be computed, beside what to expect.
        let rows = || said.best.rows.iter().filter_map(|row| row.around.as_ref());
        if text.contains(" tok/s per GPU") && text.starts_with("Your ") && rows().count() > 0 {
            let leads = rows().any(|around| around.leads);
            assert!(leads || !text.contains(", computed "), "{text}");
            let every = rows().all(|around| around.leads);
            assert!(!every || text.contains(", computed "), "{text}");
        }
        let keeps = |speed: f64| slo.is_none_or(|slo| speed >= slo);
        // It works, on the visitor's GPUs, and Explore's free lever, the present plan and every point of the
        // chart on as many of the same GPUs stay below it.
        assert!(works(&own.scenario, &own.evaluation), "{text}");
        assert_eq!(own.inputs.get(Number::Gpus), inputs.get(Number::Gpus));
        // Where throughput is flat, what serves half a percent more leaves users clearly slower.
        let beaten = |per_gpu: f64, per_user: f64| {
            let own = &own.evaluation;
            per_gpu > best * (1.0 + 1e-9)
                && (per_gpu * LEVEL > best * (1.0 + 1e-9) || per_user > own.tokens_per_user)
        };
        if works(&now, &present) {
            let users = present.tokens_per_user;
            assert!(!beaten(present.tokens_per_gpu, users), "{text}");
        }
        if let Some(free) = most(inputs) {
            let free = &free.evaluation;
            let level = own.is_now && free.tokens_per_gpu * LEVEL * LEVEL <= best;
            assert!(
                level || !beaten(free.tokens_per_gpu, free.tokens_per_user),
                "{text}"
            );
        }
        let gpus = f64::from(own.scenario.cluster.gpus);
        for plan in said.plans.iter().flatten() {
            let same = plan.inputs.gpu == inputs.gpu && plan.inputs.precision == inputs.precision;
            let point = &plan.point;
            if same && point.fits && (point.gpus - gpus).abs() < 0.5 && keeps(point.per_user) {
                let level = own.is_now && point.per_gpu * LEVEL <= best;
                assert!(
                    level || !beaten(point.per_gpu, point.per_user),
                    "{text}: {} with {} at {} per user, {} over {best} at {}",
                    plan.sharding,
                    point.batch,
                    point.per_user,
                    point.per_gpu,
                    own.evaluation.tokens_per_user
                );
                // Nor is a slower batch offered where a faster one serves as much.
                assert!(
                    point.per_gpu < best
                        || point.per_user < FASTER * own.evaluation.tokens_per_user,
                    "{text}: {} at {}",
                    plan.sharding,
                    point.batch
                );
            }
        }
        // Headline and table name the same value.
        if said.trouble.is_none() {
            let lines: Vec<_> = said
                .best
                .rows
                .iter()
                .filter(|row| row.line.is_some())
                .collect();
            let (value, one) = (format::si(best), format!("1{}", format::TIMES));
            let named = |row: &&BestRow| row.value == value && row.ratio == one;
            assert!(
                lines.is_empty() || lines.iter().any(named),
                "{value} / {text}"
            );
        }
        // What "least" is said of costs no more than any plan of the table.
        let costs = said.best.rows.iter().filter(|row| row.line.is_some());
        let least: Vec<_> = costs.clone().filter(|row| row.least).collect();
        let dollars = |text: &str| {
            text.trim_start_matches('$')
                .replace(',', "")
                .parse::<f64>()
                .ok()
        };
        for (row, one) in least
            .iter()
            .flat_map(|one| costs.clone().map(move |row| (row, one)))
        {
            if let (Some(this), Some(least)) = (dollars(&row.cost), dollars(&one.cost)) {
                assert!(least <= this, "{} {} / {text}", row.cost, one.cost);
            }
        }
    });
}

/// One large or many: either side is what the view says of as many GPUs.
#[test]
fn one_large_or_many_is_what_plans_says_of_either() {
    law(pages() / SEARCHES_PER_PAGE, |_, inputs| {
        let data = instances_data(&Link::to(*inputs)).expect("the space is possible");
        if data.trouble.is_some() {
            return;
        }
        let large = grown(inputs, data.small_gpus * data.count);
        for (side, inputs) in [(&data.small, inputs), (&data.large, &large)] {
            let own = told(inputs).and_then(|said| said.own);
            let said = own.map(|own| own.evaluation.tokens_per_gpu);
            let best = side.best.as_ref().map(|best| best.point.per_gpu);
            assert_eq!(best, said);
            let keeps = |of: &&InstancePoint| {
                let slo = inputs.get(Number::Slo);
                slo.is_none_or(|slo| of.point.per_user >= slo)
            };
            for of in side.points.iter().filter(keeps) {
                let most = best.expect("something works");
                assert!(
                    of.point.per_gpu * LEVEL <= most * (1.0 + 1e-9),
                    "{}",
                    of.plan
                );
            }
        }
    });
}
