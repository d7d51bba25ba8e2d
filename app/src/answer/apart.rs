//! Data of "Together or apart?": both sides of the half that is shown, on one Pareto.

use model_core::apart::LatencySource;
use model_core::cost::memory::batch_capacity;
use model_core::disagg::own::{How, Way};
use model_core::disagg::split::alternative::{Homogeneous, homogeneous};
use model_core::disagg::split::memory::batch_capacity as split_capacity;
use model_core::disagg::split::{Setup, evaluate as evaluate_split, slo};
use model_core::evaluate::with_batch;
use model_core::math;
use model_core::plan::{Overlap, PlanSpec};
use model_core::scenario::{Inputs, Number};
use model_core::workload::Engine;

use super::operating_point;
use super::ratio::decision::{self, Decision, SAME, Standing, Winner};
use super::split::{Judged, short_name};
use crate::charts::OperatingPoint;
use crate::charts::apart::{self as chart, ApartCurve, ApartData, ApartPoint, Mark, Turn};
use crate::format;

/// Points of a curve.
const POINTS: i32 = 40;

/// The two deployments that the half compares, at every speed for users; `shown` says which half it is.
///
/// The ratio half has the same GPUs on either side, the split half the cluster of about the same price, so
/// that one is drawn per dollar wherever prices are known. The finding is the verdict's own comparison.
pub fn data(inputs: &Inputs, shown: Mark, per_dollar: bool) -> ApartData {
    match shown {
        Mark::Split => split_half(inputs, per_dollar),
        Mark::Ratio | Mark::Colocated => of_decision(
            inputs,
            Decision::of(inputs).as_ref(),
            per_dollar,
            inputs.engine == Engine::Aggregated,
            None,
        ),
    }
}

/// The ratio half's, of the comparison that its verdict has.
pub(super) fn of_decision(
    inputs: &Inputs,
    decision: Option<&Decision>,
    per_dollar: bool,
    prompts_elsewhere: bool,
    simulated: Option<f64>,
) -> ApartData {
    let price = inputs.get(Number::Price);
    let empty = ApartData {
        finding: "Nothing to compare".into(),
        nothing: if inputs.latencies == LatencySource::Table2 {
            "a table's latencies do not say on which GPUs".into()
        } else if per_dollar && price.is_none() {
            NO_PRICE.into()
        } else {
            "neither is possible".into()
        },
        curves: Vec::new(),
        per_dollar,
        factor: None,
        turns: Vec::new(),
        source: String::new(),
    };
    let Some(decision) = decision else {
        return empty;
    };
    let sides = Sides {
        inputs,
        decision,
        price,
    };
    ApartData {
        curves: vec![sides.together(), sides.apart()],
        factor: decision.factor().map(format::factor),
        turns: sides.turns(),
        source: format!(
            "{} × {} either way, together as {}, each in its best way at every speed{}, [R] and [A]",
            decision.duel.gpus,
            short_name(inputs.gpu.name()),
            decision::plans(&decision.duel.together),
            elsewhere(prompts_elsewhere)
        ),
        finding: told(decision, simulated),
        ..empty
    }
}

/// What a chart says where the scenario's engine reads prompts and neither side of the comparison does.
const fn elsewhere(prompts: bool) -> &'static str {
    if prompts {
        ", prompts read elsewhere"
    } else {
        ""
    }
}

/// The curves of a comparison on the same GPUs.
struct Sides<'a> {
    inputs: &'a Inputs,
    decision: &'a Decision,
    price: Option<f64>,
}

/// Batches per GPU that are named along together's curve.
const NAMED: [f64; 10] = [1.0, 4.0, 8.0, 16.0, 32.0, 64.0, 96.0, 128.0, 256.0, 512.0];

impl Sides<'_> {
    fn point(&self, way: &Way) -> ApartPoint {
        ApartPoint {
            point: OperatingPoint {
                batch: way.batch,
                gpus: f64::from(self.decision.duel.gpus),
                tpot_s: 1.0 / way.users,
                per_user: way.users,
                per_gpu: way.per_gpu,
                fits: true,
            },
            tokens_per_dollar: self
                .price
                .filter(|price| *price > 0.0)
                .map(|price| way.per_gpu * 3600.0 / price),
            way: match decision::parts(way) {
                Some(parts) => chart::Way::Divided(parts.attention, parts.ffn),
                None => chart::Way::Scheduled(decision::schedule(way)),
            },
        }
    }

    fn together(&self) -> ApartCurve {
        let Decision { duel, together, .. } = self.decision;
        let gpus = f64::from(duel.gpus);
        // Fast ways lie densely in batch: one batch in four digits is as good as its neighbour.
        let near = |each: &f64| {
            let away = |way: &Way| (way.batch / gpus / each).max(each * gpus / way.batch);
            let nearest = duel
                .together
                .iter()
                .min_by(|a, b| away(a).total_cmp(&away(b)))?;
            let own = together.is_some_and(|now| (now.batch / nearest.batch - 1.0).abs() < 0.1);
            (away(nearest) < 1.03 && !own).then(|| (self.point(nearest), format::count(*each)))
        };
        let mut stops: Vec<(ApartPoint, String)> = NAMED.iter().filter_map(near).collect();
        if let Some((_, first)) = stops.first_mut() {
            first.push_str(" per GPU");
        }
        let now = together.as_ref().map(|way| self.point(way));
        let present =
            together.is_some_and(|way| decision::change(self.inputs, &way, None).is_none());
        let name = together.map_or_else(String::new, |way| {
            format!("{} per GPU", format::batch(way.batch / gpus))
        });
        ApartCurve {
            mark: Mark::Colocated,
            label: "together".into(),
            name,
            points: duel.together.iter().map(|way| self.point(way)).collect(),
            now,
            shown: now.is_some(),
            present,
            stops,
            beyond: self.beyond().iter().map(|way| self.point(way)).collect(),
        }
    }

    fn apart(&self) -> ApartCurve {
        let Decision { duel, apart, .. } = self.decision;
        let fastest = duel.apart.first().map_or(0.0, |way| way.users);
        let stop = duel
            .apart_at(0.68 * fastest)
            .and_then(|way| Some((self.point(way), decision::parts(way)?)))
            .map(|(at, parts)| (at, format!("{} : {}", parts.attention, parts.ffn)));
        ApartCurve {
            mark: Mark::Ratio,
            label: "apart".into(),
            name: self
                .decision
                .parts()
                .map_or_else(String::new, |parts| decision::name(&parts)),
            points: duel.apart.iter().map(|way| self.point(way)).collect(),
            now: apart.as_ref().map(|way| self.point(way)),
            shown: self.decision.together.is_none(),
            present: false,
            stops: stop.into_iter().collect(),
            beyond: Vec::new(),
        }
    }

    /// The fastest way of two batches in turns next to one batch at a time of the same sharding, where the one goes over
    /// into the other; and its plan.
    fn knee(&self) -> Option<(Way, PlanSpec)> {
        let ways = &self.decision.duel.together;
        ways.windows(2)
            .find_map(|pair| match (pair[0].how, pair[1].how) {
                (How::Together(alone), How::Together(turns))
                    if alone.overlap == Overlap::Sequential
                        && turns.overlap == Overlap::TwoBatch
                        && decision::alike(&alone, &turns) =>
                {
                    Some((pair[1], turns))
                }
                _ => None,
            })
    }

    /// Two batches in turns beyond the speed at which one at a time serves more.
    fn beyond(&self) -> Vec<Way> {
        let Some((knee, plan)) = self.knee() else {
            return Vec::new();
        };
        let mut ways = self.decision.duel.plan(plan);
        ways.retain(|way| way.users >= knee.users);
        ways.reverse();
        ways
    }

    fn turns(&self) -> Vec<Turn> {
        let duel = &self.decision.duel;
        let turn = |way: &Way, says: &[&str], short: &str, crossing| Turn {
            at: self.point(way),
            says: says.iter().map(|line| (*line).to_owned()).collect(),
            short: short.to_owned(),
            crossing,
        };
        let knee = self.knee().map(|(way, _)| {
            turn(
                &way,
                &["drop the overlap,", "one batch at a time"],
                "drop the overlap",
                false,
            )
        });
        // As the verdict says it.
        let place = match duel.standing(SAME) {
            Some(Standing::Ahead { at, ratio, .. })
                if self.decision.winner() == Some(Winner::Apart) =>
            {
                Some((
                    at,
                    format!("apart gains most, {}", format::factor(ratio)),
                    "apart most",
                ))
            }
            Some(Standing::Ahead { from, to: None, .. }) => Some((
                from,
                "apart is ahead from here on".to_owned(),
                "apart ahead",
            )),
            Some(Standing::Ahead { at, ratio, .. }) => Some((
                at,
                format!("apart ahead, {}", format::factor(ratio)),
                "apart ahead",
            )),
            Some(Standing::Nearest { at, ratio }) if ratio * SAME > 1.0 => Some((
                at,
                format!("apart level, {}", format::factor(ratio)),
                "apart level",
            )),
            _ => None,
        };
        let crossing = match place {
            Some((users, says, short)) => duel
                .apart_at(users)
                .map(|way| turn(way, &[&says], short, true)),
            None => {
                let beyond = self.beyond();
                let passed = beyond.iter().find_map(|way| {
                    let apart = duel.apart_at(way.users)?;
                    (apart.per_gpu >= way.per_gpu).then_some(apart)
                });
                passed.map(|way| {
                    let says = ["apart overtakes", "overlapped batches,", "not single ones"];
                    turn(way, &says, "apart passes overlap", true)
                })
            }
        };
        knee.into_iter().chain(crossing).collect()
    }
}

/// "At 12.5 tok/s per user together, 0.490× apart".
fn told(decision: &Decision, simulated: Option<f64>) -> String {
    let users = format!("At {} tok/s per user", format::sig3(decision.users));
    match (decision.winner(), decision.factor()) {
        (Some(Winner::Apart), Some(factor)) if decision::turned(decision, simulated).is_some() => {
            format!(
                "{users} apart gives {} before waits",
                format::factor(factor)
            )
        }
        (Some(Winner::Together), Some(factor)) => {
            format!("{users} together: apart {}", format::factor(factor))
        }
        (Some(Winner::Apart), Some(factor)) => {
            format!("{users} apart gives {}", format::factor(factor))
        }
        (Some(Winner::Neither), Some(factor)) => {
            format!("{users} much the same: apart {}", format::factor(factor))
        }
        (Some(Winner::Together), None) => format!("{users} only together"),
        (Some(_), None) => format!("{users} only apart"),
        (None, _) => format!("{users} neither"),
    }
}

const NO_PRICE: &str = "no source prices these accelerators: set their prices";

fn split_half(inputs: &Inputs, per_dollar: bool) -> ApartData {
    let Ok(setup) = slo::setup(inputs) else {
        return ApartData {
            finding: "Nothing to compare".into(),
            nothing: "neither of them is possible".into(),
            curves: Vec::new(),
            per_dollar,
            factor: None,
            turns: Vec::new(),
            source: String::new(),
        };
    };
    of_split(
        inputs,
        &setup,
        homogeneous(inputs, &setup).as_ref(),
        per_dollar,
    )
}

/// The split half's, of the split and what it is compared with.
pub(super) fn of_split(
    inputs: &Inputs,
    setup: &Setup,
    other: Option<&Homogeneous>,
    per_dollar: bool,
) -> ApartData {
    let speed = || {
        let slo = setup.compute.workload.slo.unwrap_or_default();
        format!("{} tok/s per user", format::printed(slo))
    };
    let finding = match super::split::judged(setup, other) {
        Some(Judged::Compared(Winner::Apart, factor)) => {
            format!("Split: {} the tokens per dollar", format::factor(factor))
        }
        Some(Judged::Compared(Winner::Together, factor)) => format!(
            "Together: split has {} the tokens per dollar",
            format::factor(factor)
        ),
        Some(Judged::Compared(Winner::Neither, _)) => "Much the same per dollar".into(),
        Some(Judged::Only(Winner::Apart)) => format!("Only split keeps {}", speed()),
        Some(Judged::Only(_)) => format!("Only together keeps {}", speed()),
        Some(Judged::Neither) => format!("Neither keeps {}", speed()),
        None if setup.dollars_per_hour().is_none() => "The split alone: no price for both".into(),
        None if other.is_some() => "The split does not fit".into(),
        None => "No cluster of that price to compare".into(),
    };
    let curves = [
        other.and_then(|other| together(inputs, other)),
        split(inputs, setup),
    ];
    ApartData {
        finding,
        nothing: if per_dollar {
            NO_PRICE.into()
        } else {
            "neither of them is possible".into()
        },
        per_dollar: per_dollar || other.is_some() && setup.dollars_per_hour().is_some(),
        factor: None,
        turns: Vec::new(),
        source: format!(
            "about the same price, at {} tokens of context{}, [L] 6.1",
            format::count(setup.context()),
            elsewhere(inputs.engine == Engine::Aggregated)
        ),
        curves: curves.into_iter().flatten().collect(),
    }
}

/// `POINTS` numbers from `first` to `last`, in equal factors.
fn spread(first: f64, last: f64) -> Vec<f64> {
    let ratio = math::pow((last / first).max(1.0), 1.0 / f64::from(POINTS - 1));
    let mut at = first;
    (0..POINTS)
        .map(|_| {
            let now = at.min(last);
            at *= ratio;
            now
        })
        .collect()
}

/// The cluster of about the split's price over its batch, in the schedule that the comparison found best.
fn together(inputs: &Inputs, other: &Homogeneous) -> Option<ApartCurve> {
    let scenario = &other.scenario;
    let most = batch_capacity(scenario);
    let gpus = f64::from(scenario.cluster.gpus);
    let at = |batch: f64| {
        let evaluation = with_batch(scenario, batch).ok()?;
        Some(ApartPoint {
            point: OperatingPoint {
                fits: batch <= most,
                ..operating_point(&evaluation, batch, gpus)
            },
            tokens_per_dollar: Some(evaluation.tokens * 3600.0 / other.dollars_per_hour),
            way: chart::Way::Only,
        })
    };
    Some(ApartCurve {
        mark: Mark::Colocated,
        label: "together".into(),
        name: format!(
            "{} × {}",
            format::count(gpus),
            short_name(super::split::compute_gpu(inputs).name())
        ),
        points: spread(1.0, most.max(1.0))
            .into_iter()
            .filter_map(at)
            .collect(),
        now: at(scenario.workload.batch),
        shown: false,
        present: false,
        stops: Vec::new(),
        beyond: Vec::new(),
    })
}

fn split(inputs: &Inputs, setup: &Setup) -> Option<ApartCurve> {
    let most = split_capacity(setup);
    let gpus = f64::from(setup.compute_gpus + setup.memory_gpus);
    let at = |batch: f64| {
        let split = evaluate_split(&setup.with_batch(batch)).ok()?;
        Some(ApartPoint {
            point: OperatingPoint {
                batch,
                gpus,
                tpot_s: 1.0 / split.tokens_per_user,
                per_user: split.tokens_per_user,
                per_gpu: split.tokens / gpus,
                fits: split.fits(),
            },
            tokens_per_dollar: split.tokens_per_dollar,
            way: chart::Way::Only,
        })
    };
    Some(ApartCurve {
        mark: Mark::Split,
        label: "split".into(),
        name: format!(
            "{} × {} + {} × {}",
            setup.compute_gpus,
            short_name(super::split::compute_gpu(inputs).name()),
            setup.memory_gpus,
            short_name(inputs.memory_gpu.name)
        ),
        points: spread(1.0, most.max(1.0))
            .into_iter()
            .filter_map(at)
            .collect(),
        now: at(setup.batch()).filter(|now| now.point.fits),
        shown: true,
        present: true,
        stops: Vec::new(),
        beyond: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::Figure;
    use model_core::permalink;

    fn of(link: &str, per_dollar: bool) -> ApartData {
        data(&permalink::read(link).current, Mark::Split, per_dollar)
    }

    fn of_ratio(link: &str) -> ApartData {
        data(&permalink::read(link).current, Mark::Ratio, false)
    }

    #[test]
    fn each_half_has_its_two_sides_and_the_verdicts_finding() {
        let split = of("v=1&mode=split", false);
        let labels: Vec<_> = split.curves.iter().map(|curve| curve.mark).collect();
        assert_eq!(labels, [Mark::Colocated, Mark::Split]);
        assert!(split.per_dollar, "at about one price money is what counts");
        let ratio = of_ratio("v=1&calibration=aleph-alpha-2025");
        let labels: Vec<_> = ratio.curves.iter().map(|curve| curve.mark).collect();
        assert_eq!(labels, [Mark::Colocated, Mark::Ratio]);
        assert_eq!(
            ratio.finding(),
            "At 12.5 tok/s per user together: apart 0.493×"
        );
        assert_eq!(ratio.curves[1].name, "32 : 40");
        for data in [split, ratio] {
            for curve in &data.curves {
                assert!(
                    curve.points.iter().any(|at| at.point.fits),
                    "{}",
                    curve.label
                );
            }
            assert!(data.finding().chars().count() <= 60, "{}", data.finding());
        }
    }

    #[test]
    fn one_source_prices_both_sides() {
        let data = of("v=1&mode=split", true);
        let per_dollar = |curve: &ApartCurve| {
            let now = curve.now.unwrap();
            now.tokens_per_dollar.unwrap() / now.point.per_gpu
        };
        // $11.06 of [L] Table 1 for H100, not the rental price of $2.
        assert!((per_dollar(&data.curves[0]) - 3600.0 / 11.06).abs() < 1e-6);
    }

    #[test]
    fn what_cannot_be_compared_says_so() {
        let table = permalink::read("v=1&latencies=table2").current;
        let table = data(&table, Mark::Ratio, false);
        assert!(table.curves.is_empty());
        assert!(table.nothing.starts_with("a table's latencies"));
        let unpriced = of("v=1&mode=split&gpu=h200", true);
        assert!(
            unpriced
                .curves
                .iter()
                .all(|curve| curve.mark == Mark::Split)
        );
    }
}
