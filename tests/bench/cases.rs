//! Tests the diagnosis of public performance questions, each with measured times and a known cause.

use model_core::diagnosis::{self, Evidence, Side, Term};
use model_core::evaluate::evaluate;
use model_core::inputs::Number;
use model_core::measured::{Residuals, Runs};
use model_core::permalink;

use super::{golden, id, near, read, sample, start};

fn diagnosed(link: &str) -> diagnosis::Diagnosis {
    let inputs = permalink::read(link).current;
    let residuals = Residuals::of(inputs.calibration, &Runs::built_in());
    diagnosis::diagnosed(&inputs, &residuals, &[Evidence::NoDrafts])
        .unwrap()
        .0
}

/// Checks the diagnosis of a single stream on eight PCIe cards that ran at half the speed of a similar machine. The
/// excess time per step is fixed and due to the all-reduce.
#[test]
fn case_h2_is_the_all_reduce() {
    let link = golden("diagnoses.json")[0]["links"][0]
        .as_str()
        .unwrap()
        .to_owned();
    let one = diagnosed(&format!("{link}&measured=25.3ms@1x1k"));
    assert_eq!(one.verdict, Some(Side::Slower));
    assert_eq!(one.top.first(), Some(&Term::Latency));
    let two = diagnosed(&format!("{link}&measured=25.3ms@1x1k,37.2ms@16x1k"));
    assert_eq!(two.verdict, Some(Side::Slower));
    assert_eq!(two.top, [Term::Latency, Term::Start]);
    assert_eq!(two.next, diagnosis::Next::AllReduceTest);
    let shape = two.shape.unwrap();
    assert_eq!(shape.mostly, diagnosis::Mostly::Fixed);
    assert!((shape.fixed - 0.014).abs() < 0.0005, "{}", shape.fixed);
    let [computed, explained] = two.suspects[0].each.unwrap();
    assert!(
        computed < 6e-6 && (8e-5..1e-4).contains(&explained),
        "{explained}"
    );
}

/// Reads a log in which three draft tokens per step give a mean acceptance length of 2.1. Checks the resulting
/// acceptance rate per draft token (57%) and step time (97.7 ms).
#[test]
fn case_h3_drafts_cost_more_than_they_bring() {
    let log = "Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 2744.7 tokens/s, Running: 128 \
               reqs, Waiting: 0 reqs\nSpecDecoding metrics: Mean acceptance length: 2.095, Accepted: 1095 tokens, Drafted: \
               3000 tokens, Per-position acceptance rate: 0.6, 0.3, 0.195, Avg Draft acceptance rate: 36.5%";
    let reading = read(log);
    let acceptance = reading
        .fact("acceptance")
        .map(id)
        .unwrap()
        .as_f64()
        .unwrap();
    assert!((acceptance - 0.5748).abs() < 1e-4, "{acceptance}");
    let step = reading.points[0].step.unwrap().get();
    assert!((step - 0.0977).abs() < 1e-4, "{step}");
}

/// Checks the diagnosis of a 405B model that was reported to be slower on B200 than on H200. The predicted time
/// matches the measurement on H200, but not on B200.
#[test]
fn case_h16_is_a_fault_of_one_accelerator() {
    let link = golden("diagnoses.json")[2]["links"][0]
        .as_str()
        .unwrap()
        .to_owned();
    let of = |gpu: &str, rate: f64| {
        let link = link.replace("gpu=b200", &format!("gpu={gpu}"));
        diagnosed(&format!("{link}&measured={}ms", 256.0 / rate * 1e3))
    };
    let b200 = of("b200", 3396.0);
    assert!((b200.points[0].off - 1.83).abs() < 0.005);
    assert_eq!(b200.verdict, Some(Side::Slower));
    assert_eq!(of("h200", 6051.0).verdict, Some(Side::Normal));
}

/// Checks the diagnosis of 773 tok/s from 200 simultaneous prompts: this rate matches 8 running sequences, so the
/// scheduler is the limit, not the GPU. An unreachable rate gives `None`.
#[test]
fn case_h18_is_the_scheduler() {
    let link = "?v=2&model=deepseek-v4-flash&gpu=b300&gpus=1&dp=1&tp=1&ep=1&overlap=none&redundant=0&w_ffn=0.53125&batch=200&context=1k";
    let scenario = permalink::read(link).current.scenario().unwrap();
    for (tokens, batch) in [(773.0, 8.133), (1216.0, 16.93)] {
        let found = diagnosis::running_batch(&scenario, tokens, 200.0).unwrap();
        assert!(near(found, batch, 0.02), "{tokens}: {found}, not {batch}");
    }
    assert_eq!(diagnosis::running_batch(&scenario, 1e9, 200.0), None);
}

/// Checks a launch command for gpt-oss-120b with the weight formats of its release: the model fits on one GPU.
#[test]
fn case_h11_fits_as_released() {
    let reading = read("vllm serve openai/gpt-oss-120b --max-num-seqs 1\n1 x H100");
    let inputs = reading.applied(&start().with(Number::Batch, 1.0));
    let scenario = inputs.scenario().unwrap();
    assert!(evaluate(&scenario).unwrap().memory.fits());
    assert_eq!(reading.limit, Some(1.0));
}

#[test]
fn pastes_are_evidence() {
    let of = |text: &str| diagnosis::evidence_of(&read(text));
    assert_eq!(
        of("vllm serve a/b -tp 4 --enforce-eager"),
        [
            Evidence::GraphOff,
            Evidence::DtypeUnknown,
            Evidence::NoDrafts
        ]
    );
    assert_eq!(of(&sample("trtllm-log.txt")), [Evidence::HostBound]);
    assert_eq!(of(&sample("sglang-log.txt")), [Evidence::GraphOff]);
    assert_eq!(of(&sample("vllm-serve.txt")), []);
}
