//! Tests the diagnosis of measured times, both from given time terms and from the terms that the model computes. Also
//! tests queueing and the number of running sequences.

use model_core::diagnosis::{self, Evidence, Observed, Side, Term, Terms, Waiting};
use model_core::evaluate::evaluate;
use model_core::permalink;
use serde_json::Value;

use super::{golden, near, numbers};

/// Builds the measured points of a golden diagnosis from the time terms in its file, and the error band of each
/// point.
fn given(row: &Value) -> (Vec<Observed>, Vec<Option<[f64; 2]>>) {
    let points = row["points"].as_array().unwrap();
    let measured = numbers(&row["measured_ms"]);
    let point = |(point, measured): (&Value, f64)| {
        let of = |key: &str, default: f64| point[key].as_f64().unwrap_or(default);
        let part = |term: Term| point["parts_ms"][term.id()].as_f64().unwrap() * 1e-3;
        let floor = |key: &str| point["floor"][key].as_f64().unwrap();
        let terms = Terms {
            seconds: Term::ADDENDS.map(part),
            hidden: of("hidden_ms", 0.0) * 1e-3,
            experts: of("experts_ms", 0.0) * 1e-3,
            slack: [0.0; 2],
            floors: ["weights", "cache", "compute"].map(floor),
            collectives: of("collectives", 0.0),
        };
        let observed = Observed {
            measured: measured * 1e-3,
            terms,
            batch: of("batch", 0.0),
            context: of("context", 0.0),
            yielded: of("y", 1.0),
            drafts: of("drafts", 0.0),
            beta: of("beta", 1.0),
            ep: of("ep", 1.0),
        };
        let band = numbers(&point["band"]);
        (observed, Some([band[0], band[1]]))
    };
    points.iter().zip(measured).map(point).unzip()
}

fn find<T: Copy>(all: &[T], id: impl Fn(T) -> &'static str, wanted: &str) -> T {
    *all.iter()
        .find(|value| id(**value) == wanted)
        .unwrap_or_else(|| panic!("{wanted}"))
}

fn check_diagnosis(row: &Value) {
    let name = row["id"].as_str().unwrap();
    let expected = &row["expected"];
    let (points, bands) = given(row);
    let ids = row["evidence"].as_array().unwrap().iter();
    let evidence: Vec<Evidence> = ids
        .map(|id| find(&Evidence::ALL, Evidence::id, id.as_str().unwrap()))
        .collect();
    let found = diagnosis::diagnose(&points, &bands, &evidence).unwrap();
    let side = |side: Option<Side>| side.map(Side::id);
    assert_eq!(side(found.verdict), expected["verdict"].as_str(), "{name}");
    let all = |what: &str, found: Vec<f64>, expected: &Value, share: f64| {
        let expected = numbers(expected);
        assert_eq!(found.len(), expected.len(), "{name}: {what}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                near(*found, *expected, share),
                "{name}: {what} {found}, not {expected}"
            );
        }
    };
    all(
        "off",
        found.points.iter().map(|point| point.off).collect(),
        &expected["off"],
        5e-4,
    );
    for (place, judged) in found.points.iter().enumerate() {
        let band = judged.band.unwrap().map(|end| end * 1e3).to_vec();
        all("band", band, &expected["band_ms"][place], 5e-4);
        assert_eq!(
            side(judged.side),
            expected["outside"][place].as_str(),
            "{name}"
        );
    }
    let top: Vec<&str> = found.top.iter().map(|term| term.id()).collect();
    let wanted: Vec<&str> = expected["top"]
        .as_array()
        .unwrap()
        .iter()
        .map(|term| term.as_str().unwrap())
        .collect();
    assert_eq!(top, wanted, "{name}");
    assert_eq!(
        found.next.id(),
        expected["next"].as_str().unwrap(),
        "{name}"
    );
    let terms = expected["terms"].as_array().unwrap();
    let ids: Vec<&str> = found
        .suspects
        .iter()
        .map(|suspect| suspect.term.id())
        .collect();
    assert_eq!(ids.len(), terms.len(), "{name}: {ids:?}");
    for (place, wanted) in terms.iter().enumerate() {
        let term = find(&Term::ALL, Term::id, wanted["term"].as_str().unwrap());
        let at = found
            .suspects
            .iter()
            .position(|suspect| suspect.term == term);
        let suspect = &found.suspects[at.unwrap_or_else(|| panic!("{name}: no {}", term.id()))];
        let what = |key: &str| format!("{} {key}", term.id());
        let possible = wanted["possible"].as_bool().unwrap();
        assert_eq!(
            suspect.impossible.is_none(),
            possible,
            "{name}: {}",
            term.id()
        );
        if possible {
            assert_eq!(at, Some(place), "{name}: {ids:?}");
        }
        // Golden time terms have five digits, so small terms and factors far from 1 are less exact.
        all(
            &what("factors"),
            suspect.factors.clone(),
            &wanted["factors"],
            2e-3,
        );
        let one = |key: &str, found: f64, share: f64| {
            if let Some(expected) = wanted[key].as_f64() {
                assert!(
                    near(found, expected, share),
                    "{name}: {} {found}, not {expected}",
                    what(key)
                );
            }
        };
        // Scores in the tail of the bell curve are compared only roughly.
        let tail = wanted["score"].as_f64().unwrap() < 1e-6;
        one("score", suspect.score, if tail { 0.2 } else { 1e-2 });
        one("factor", suspect.factor, 2e-3);
        one("rms", suspect.rms, 1e-2);
        one("beta", suspect.beta.unwrap_or(0.0), 1e-3);
        one("tokens_per_step", suspect.yielded.unwrap_or(0.0), 1e-3);
        if let (Some(each), true) = (suspect.each, wanted["each_us"].is_array()) {
            all(
                &what("each"),
                each.map(|time| time * 1e6).to_vec(),
                &wanted["each_us"],
                5e-3,
            );
        }
    }
    if let Some(shape) = expected.get("shape") {
        let found = found.shape.unwrap();
        all(
            "excess",
            found.excess.iter().map(|time| time * 1e3).collect(),
            &shape["excess_ms"],
            1e-3,
        );
        let part = |key: &str, found: f64| {
            let expected = shape[key].as_f64().unwrap();
            assert!(
                near(found, expected, 5e-3),
                "{name}: {key} {found}, not {expected}"
            );
        };
        part("fixed_ms", found.fixed * 1e3);
        if let Some(each) = found.per_sequence {
            part("per_sequence_ms", each * 1e3);
        }
        if let Some(each) = found.per_token {
            part("per_1000_tokens_ms", each * 1e6);
        }
        assert_eq!(
            found.mostly.id(),
            shape["mostly"].as_str().unwrap(),
            "{name}"
        );
    }
}

#[test]
fn diagnoses_follow_from_terms() {
    for row in golden("diagnoses.json").as_array().unwrap() {
        check_diagnosis(row);
    }
}

/// Checks that the terms in the golden diagnoses equal those that the model computes for the permalinks of the
/// diagnoses. Times are compared only for points without draft tokens.
#[test]
fn terms_are_the_model_s() {
    for row in golden("diagnoses.json").as_array().unwrap() {
        let (points, _) = given(row);
        let links = row["links"].as_array().unwrap();
        for (link, given) in links.iter().zip(points) {
            let name = format!("{} {link}", row["id"]);
            let scenario = permalink::read(link.as_str().unwrap())
                .current
                .scenario()
                .unwrap();
            let evaluation = evaluate(&scenario).unwrap();
            let terms = Terms::read(&scenario, &evaluation);
            let total = evaluation.tpot.get();
            assert!((terms.total() - total).abs() <= 1e-12 * total, "{name}");
            let close = |what: &str, found: f64, expected: f64, share: f64| {
                let close = (found - expected).abs() <= (share * expected).max(1e-4);
                assert!(close, "{name}: {what} {found}, not {expected}");
            };
            // With draft tokens, the golden terms have no separate drafter time; it is spread over all terms.
            if given.drafts < 1.0 {
                for (place, term) in Term::ADDENDS.into_iter().enumerate() {
                    let [found, expected] =
                        [terms, given.terms].map(|terms| terms.seconds[place] * 1e3);
                    close(term.id(), found, expected, 1e-4);
                }
                close(
                    "experts",
                    terms.experts * 1e3,
                    given.terms.experts * 1e3,
                    1e-4,
                );
                close(
                    "collectives",
                    terms.collectives,
                    given.terms.collectives,
                    0.0,
                );
            }
            // The golden compute floor is 0.845 of the calibration's share of peak, so it is not compared.
            for place in 0..2 {
                close(
                    "floor",
                    terms.floors[place],
                    given.terms.floors[place],
                    2e-3,
                );
            }
        }
    }
}

#[test]
fn queues_are_told_from_bursts() {
    for row in golden("readings.json")["queue"].as_array().unwrap() {
        let of = |key: &str| row[key].as_f64();
        let waiting = Waiting::of(
            of("ttft_ms").unwrap() * 1e-3,
            of("idle_ms").unwrap() * 1e-3,
            of("conc"),
            of("completed"),
            of("groups").unwrap_or(1.0),
        );
        assert!(
            near(waiting.expected * 1e3, of("expected_ms").unwrap(), 5e-4),
            "{row}"
        );
        assert!(near(waiting.ratio, of("ratio").unwrap(), 5e-3), "{row}");
        assert_eq!(waiting.queues(), row["queue"].as_bool().unwrap(), "{row}");
    }
}

#[test]
fn batches_follow_from_throughput() {
    for row in golden("readings.json")["batch_for"].as_array().unwrap() {
        let curve: Vec<(f64, f64)> = row["curve"]
            .as_array()
            .unwrap()
            .iter()
            .map(|point| {
                let point = numbers(point);
                (point[0], point[1] * 1e-3)
            })
            .collect();
        let found = diagnosis::batch_for(&curve, row["tok_s"].as_f64().unwrap()).unwrap();
        assert!(
            near(found, row["batch"].as_f64().unwrap(), 1e-3),
            "{found}: {row}"
        );
    }
}

/// Checks that multiplying a time term by its diagnosed factor gives the measured time, also with two-batch overlap.
#[test]
fn factors_explain_the_times() {
    let rows = golden("diagnoses.json");
    let given = rows.as_array().unwrap().iter().flat_map(|row| given(row).0);
    let links = [
        "v=1",
        "v=2&gpus=32&dp=32&ep=32&batch=4096&overlap=two-batch",
        "v=3&model=qwen3-235b-a22b&gpus=8&mtp=2&serving=aggregated&prompt=2k&output=1k",
        "v=3&model=kimi-linear-48b&gpu=b200",
        "v=1&calibration=helix&overlap=hop-b&kvp=8&gpus=64&batch=8",
        "v=1&calibration=aleph-alpha-2025",
    ];
    let computed = links.iter().flat_map(|link| {
        let scenario = permalink::read(link).current.scenario().unwrap();
        let evaluation = evaluate(&scenario).unwrap();
        let terms = Terms::read(&scenario, &evaluation);
        let total = evaluation.tpot.get();
        assert!(
            (terms.total() - total).abs() <= 1e-9 * total,
            "{link}: {} {total}",
            terms.total()
        );
        [0.7, 1.5].map(|off| Observed {
            measured: total * off,
            terms,
            batch: 1.0,
            context: 1.0,
            yielded: 1.0,
            drafts: 0.0,
            beta: 0.8,
            ep: 8.0,
        })
    });
    for point in given.chain(computed) {
        for suspect in diagnosis::diagnose(&[point], &[], &[]).unwrap().suspects {
            let time = point.time(suspect.term, suspect.factors[0]);
            let what = suspect.term.id();
            assert!(
                (time - point.measured).abs() <= 1e-9 * point.measured,
                "{what}: {time}"
            );
        }
    }
}
