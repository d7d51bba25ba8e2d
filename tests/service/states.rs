//! Tests of service results: the state behind each headline, the keys of permalinks, and refusals.

use model_core::inputs::Number;
use model_core::permalink::{read, write_inputs};
use model_core::report::Reporter;
use model_core::service::{ServiceState, service};
use model_core::workload::Pools;
use serde_json::Value;

fn state(link: &str) -> ServiceState {
    service(&read(link).current)
        .expect("it can be planned")
        .state()
}

const CHAT: &str = "v=1&model=qwen3-235b-a22b&gpu=h200&redundant=0&prompt=4000&output=1000&slo=25";

#[test]
fn a_state_for_each_headline() {
    let with = |more: &str| state(&format!("{CHAT}&{more}"));
    let aggregated = with("rate=50&pools=aggregated");
    assert!(matches!(aggregated, ServiceState::Aggregated { over: Some(over) } if over > 0.0));
    assert!(matches!(
        with("rate=50&pools=disaggregated"),
        ServiceState::Disaggregated { over: Some(_) }
    ));
    assert!(matches!(
        with("pools=disaggregated"),
        ServiceState::Matched {
            choice: Pools::Disaggregated,
            ..
        }
    ));
    match with("rate=50&ttft=0.02") {
        ServiceState::FirstTokenMissed { soonest, limit } => assert!(soonest > limit),
        other => panic!("{other:?}"),
    }
    match state(&format!("{CHAT}&rate=50").replace("slo=25", "slo=100000")) {
        ServiceState::TooSlow { fastest, least } => assert!(fastest > 0.0 && fastest < least),
        other => panic!("{other:?}"),
    }
    let tiny = "v=1&gpu=custom&capacity=0.1&peak_bf16=1000&peak_fp8=2000&rate=1";
    assert_eq!(state(tiny), ServiceState::NothingFits);
    assert_eq!(
        with("rate=1&prefill_gpus=8&prefill_tp=3&pools=disaggregated"),
        ServiceState::Refused
    );
}

/// Checks that the reported minimum TTFT is achievable: a TTFT limit 2% above it is met.
#[test]
fn the_soonest_first_token_can_be_asked_for() {
    let link = format!("{CHAT}&rate=50");
    let ServiceState::FirstTokenMissed { soonest, .. } = state(&format!("{link}&ttft=0.02")) else {
        panic!("it is missed");
    };
    let limit = soonest.get() * 1.02;
    let met = state(&format!("{link}&ttft={limit}"));
    assert!(
        matches!(
            met,
            ServiceState::Aggregated { .. } | ServiceState::Disaggregated { .. }
        ),
        "{met:?}"
    );
}

#[test]
fn refusals_name_their_key() {
    let reasons = |link: &str| {
        let found = serde_json::to_value(Reporter::default().unadvised(link)).expect("JSON");
        let missed = found["service"]["missed"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let reasons = found["service"]["reasons"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let keys = missed
            .iter()
            .chain(&reasons)
            .map(|miss| miss["key"].clone());
        keys.collect::<Vec<Value>>()
    };
    let has = |link: &str, key: &str| {
        let found = reasons(&format!("{CHAT}&rate=5&{link}"));
        assert!(found.iter().any(|found| found == key), "{link}: {found:?}");
    };
    has("prefill_gpus=8&prefill_tp=3", "prefill_tp");
    has("prefill_gpus=256", "prefill_gpus");
    has("prefill_gpu=a100", "prefill_gpu");
    has("ttft=0.001", "ttft");
    has("gpus=8&pp=2&tp=4&dp=1", "pp");
    has("output=0", "output");
    has("fmt_ffn=fp4", "fmt_ffn");
}

#[test]
fn milliseconds_per_token_are_an_slo() {
    let inputs = read("v=1&tpot=40").current;
    assert_eq!(inputs.stated(Number::Slo), Some(25.0));
    assert_eq!(write_inputs(&inputs), "v=1&slo=25");
    assert!(!read("v=1&tpot=0").notes.is_empty());
}

/// Checks that a permalink with a request rate gives the same service after it is read and written again, even if its
/// size and plan are set to their defaults.
#[test]
fn links_are_the_same_when_written_again() {
    for more in [
        "rate=50",
        "rate=50&gpus=72",
        "gpus=72&dp=72&tp=1&ep=72&ffn_tp=1&batch=9216&rate=2000",
        "pools=aggregated&gpus=8&tp=8&dp=1",
    ] {
        let inputs = read(&format!("{CHAT}&{more}")).current;
        let again = read(&write_inputs(&inputs)).current;
        let answers = [inputs, again].map(|inputs| {
            let found = service(&inputs).expect("it can be planned");
            (
                found.gpus(),
                found.first_token(),
                found.tpot(),
                found.choice,
            )
        });
        assert_eq!(answers[0], answers[1], "{more}");
    }
}
