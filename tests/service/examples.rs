//! Tests the `service` result on twenty examples that were computed independently.

use model_core::report::Reporter;
use model_core::service::chosen::{Chosen, cheapest};
use serde_json::Value;

fn examples() -> Vec<Value> {
    let text = include_str!("../golden/service/service.json");
    let file: Value = serde_json::from_str(text).expect("it is JSON");
    file["examples"].as_array().expect("a list").clone()
}

/// Returns the `service` result of a permalink, as the command `ridgepoint` prints it.
fn service(link: &str) -> Value {
    let found = Reporter::default().unadvised(link);
    let found = serde_json::to_value(found).expect("a result is JSON");
    found["service"].clone()
}

/// Requires that `found` has every field of `expected`, with numbers that agree to 1e-9.
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

/// Returns an example's permalink with the plan of one of its candidates added.
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

/// Names of the parts of the `service` result, in the order of the indices that [`kind_of`] returns.
const PARTS: [&str; 3] = ["prefill", "decode", "aggregated"];

/// Returns the index in `PARTS` of the part of the `service` result to which a candidate belongs.
fn kind_of(candidate: &Value) -> usize {
    ["prefill_gpus", "gpus_replica", "aggregated_gpus"]
        .iter()
        .position(|kind| !candidate[*kind].is_null())
        .unwrap()
}

/// Checks a candidate by its own permalink. Returns the GPUs per replica and the number of replicas, or `None` for a
/// candidate that is too slow.
fn checked(link: &str, candidate: &Value) -> Option<(u32, f64)> {
    let one = of_candidate(link, candidate);
    let kind = kind_of(candidate);
    let part = PARTS[kind];
    let printed = service(&one);
    if candidate["meets"] == false {
        let slow = printed["missed"].as_array().unwrap();
        let slow = slow
            .iter()
            .any(|miss| miss["key"] == "slo" && miss["work"] == part);
        assert!(slow, "{one}: {printed}");
        return None;
    }
    let mut found = printed[part].clone();
    let (counts, replicas) = match kind {
        0 => (&printed["pools"], "prefill_replicas"),
        1 => (&printed["pools"], "decode_replicas"),
        _ => (&printed["aggregated"], "replicas"),
    };
    let (count, first_token) = (counts[replicas].clone(), counts["ttft_s"].clone());
    let gpus = ["prefill_gpus", "gpus_replica", "aggregated_gpus"][kind];
    let gpus = found[gpus].as_u64().expect("a replica");
    let replicas = count.as_u64().expect("replicas");
    found["replicas"] = count;
    found["ttft_s"] = first_token;
    found["gpus"] = (replicas * gpus).into();
    found["fits"] = true.into();
    found["meets"] = true.into();
    same(&one, candidate, &found);
    Some((gpus as u32, replicas as f64))
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
            if let Some((gpus, replicas)) = checked(link, candidate) {
                let rate = candidate["rate"].as_f64().unwrap();
                let one = Chosen::new(candidate.clone(), gpus, rate, Some(replicas));
                pools[kind_of(candidate)].push(one);
            }
        }
        let best = &example["best"];
        let mut gpus = Vec::new();
        for (pool, part) in pools.into_iter().zip(PARTS) {
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
