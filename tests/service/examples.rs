//! Twenty examples of `service`, computed independently.

use model_core::permalink::read;
use model_core::report::Reporter;
use model_core::service::chosen::{Chosen, cheapest};
use model_core::service::{Demand, Planner};
use serde_json::Value;

fn examples() -> Vec<Value> {
    let text = include_str!("../golden/service/service.json");
    let file: Value = serde_json::from_str(text).expect("it is JSON");
    file["examples"].as_array().expect("a list").clone()
}

/// The service of a link, as `evaluate` prints it.
fn service(link: &str) -> Value {
    let found = Reporter::default().unadvised(link);
    let found = serde_json::to_value(found).expect("a result is JSON");
    found["service"].clone()
}

/// Requires every field of `expected`, numbers to 1e-9.
fn same(path: &str, expected: &Value, found: &Value) {
    match (expected, found) {
        (Value::Object(fields), _) => {
            for (name, value) in fields {
                same(&format!("{path}.{name}"), value, &found[name]);
            }
        }
        (Value::Number(expected), Value::Number(found)) => {
            let (expected, found) = (expected.as_f64().unwrap(), found.as_f64().unwrap());
            let off = (expected - found).abs();
            assert!(
                off <= 1e-9 * expected.abs(),
                "{path}: {found}, not {expected}"
            );
        }
        _ => assert_eq!(expected, found, "{path}"),
    }
}

#[test]
fn replicas_pools_and_costs() {
    let all = examples();
    assert_eq!(all.len(), 20);
    let stated = all.iter().filter(|example| example["candidates"].is_null());
    let mut tried = 0;
    for example in stated {
        let link = example["link"].as_str().unwrap();
        let kind = example["kind"].as_str().unwrap();
        let found = service(link);
        for part in [
            "prefill",
            "decode",
            "gpus_prefill_per_decode",
            "matched",
            "pools",
            "aggregated",
        ] {
            if !example[part].is_null() {
                same(&format!("{kind}: {part}"), &example[part], &found[part]);
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 29);
}

/// The link of one candidate among those that an example states.
fn of_candidate(link: &str, candidate: &Value) -> String {
    let number = |key: &str| candidate[key].as_f64();
    if let Some(gpus) = number("prefill_gpus") {
        let tp = number("prefill_tp").unwrap();
        return format!("{link}&prefill_gpus={gpus}&prefill_tp={tp}");
    }
    let gpus = number("gpus_replica")
        .or(number("aggregated_gpus"))
        .unwrap();
    let (dp, tp, batch) = (
        number("dp").unwrap(),
        number("tp").unwrap(),
        number("batch").unwrap(),
    );
    format!("{link}&gpus={gpus}&dp={dp}&tp={tp}&ep={gpus}&ffn_tp=1&batch={batch}&overlap=none")
}

#[test]
fn candidates_and_the_cheapest_of_them() {
    let all = examples();
    let searched = all
        .iter()
        .filter(|example| !example["candidates"].is_null());
    for example in searched {
        let link = example["link"].as_str().unwrap();
        let mut pools = [Vec::new(), Vec::new(), Vec::new()];
        for candidate in example["candidates"].as_array().unwrap() {
            let one = of_candidate(link, candidate);
            let inputs = read(&one).current;
            let found = Planner::new(&inputs).unwrap().answer(&Demand::of(&inputs));
            let place = ["prefill_gpus", "gpus_replica", "aggregated_gpus"]
                .iter()
                .position(|kind| !candidate[*kind].is_null())
                .unwrap();
            let meets = candidate["meets"].as_bool().unwrap_or(true);
            let printed = service(&one);
            let (part, gpus) = match place {
                0 => (
                    "prefill",
                    found
                        .disaggregated
                        .as_ref()
                        .ok()
                        .map(|pools| pools.prefill.gpus),
                ),
                1 => (
                    "decode",
                    found
                        .disaggregated
                        .as_ref()
                        .ok()
                        .map(|pools| pools.decode.gpus),
                ),
                _ => (
                    "aggregated",
                    found.aggregated.as_ref().ok().map(|one| one.replica.gpus),
                ),
            };
            if !meets {
                let slow = printed["missed"].as_array().unwrap();
                let slow = slow
                    .iter()
                    .any(|miss| miss["key"] == "slo" && miss["work"] == part);
                assert!(slow, "{one}: {printed}");
                continue;
            }
            let gpus = match place {
                // The decode pool beside a candidate of prefill is searched.
                0 | 1 if found.disaggregated.is_err() => panic!("{one}"),
                _ => gpus.unwrap(),
            };
            let mut printed_one = printed[part].clone();
            let counts = match place {
                0 => [
                    &printed["pools"]["prefill_replicas"],
                    &printed["pools"]["ttft_s"],
                ],
                1 => [&printed["pools"]["decode_replicas"], &Value::Null],
                _ => [&printed[part]["replicas"], &printed[part]["ttft_s"]],
            };
            printed_one["replicas"] = counts[0].clone();
            printed_one["ttft_s"] = counts[1].clone();
            let replicas = counts[0].as_f64().unwrap();
            printed_one["gpus"] = (replicas as u64 * u64::from(gpus)).into();
            printed_one["fits"] = true.into();
            printed_one["meets"] = true.into();
            same(&one, candidate, &printed_one);
            let rate = candidate["rate"].as_f64().unwrap();
            pools[place].push(Chosen::new(candidate.clone(), gpus, rate, Some(replicas)));
        }
        let best = &example["best"];
        let mut gpus = Vec::new();
        for (pool, part) in pools.into_iter().zip(["prefill", "decode", "aggregated"]) {
            let chosen = cheapest(pool).unwrap();
            gpus.push(chosen.total());
            assert_eq!(chosen.replica, best[part], "{link}");
        }
        let expected = |name: &str| best[name].as_f64().unwrap();
        let off = (gpus[0] + gpus[1] - expected("gpus_disaggregated")).abs()
            + (gpus[2] - expected("gpus_aggregated")).abs();
        assert!(off < 0.5, "{link}: {gpus:?}");
        let cheaper = gpus[0] + gpus[1] < gpus[2];
        assert_eq!(cheaper, best["choice"] == "disaggregated", "{link}");
    }
}
