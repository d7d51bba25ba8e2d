//! Tests of permalink version 3, in which a model and an accelerator are enough: the other settings are those of a
//! typical deployment.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

use model_core::arch::catalog as models;
use model_core::calibration::NamedCalibration;
use model_core::evaluate::evaluate;
use model_core::hardware::catalog as accelerators;
use model_core::inputs::{Gpu, Inputs, Model, Number, NumberOf, Version};
use model_core::measured::Residuals;
use model_core::permalink::{read, write_inputs};
use model_core::plan::Overlap;
use model_core::preset::PRESETS;
use model_core::report::report;
use std::thread;

/// Permalinks that a newcomer would type, each with the expected default number of GPUs.
const TYPED: [(&str, Option<u32>); 10] = [
    ("v=3&model=gpt-oss-120b&gpu=h100", Some(1)),
    ("v=3&model=kimi-k2.5&gpu=h200", Some(8)),
    ("v=3&model=deepseek-v4-flash&gpu=b300", Some(1)),
    ("v=3&model=kimi-k3&gpu=gb200", Some(16)),
    ("v=3&model=llama-3.1-8b&gpu=rtx-4090", Some(1)),
    ("v=3&model=qwen3-30b-a3b&gpu=rtx-pro-6000", None),
    ("v=3&model=deepseek-r1&gpu=mi355x&batch=64", Some(4)),
    ("v=3&model=glm-5.2&gpu=h200", Some(8)),
    ("v=3&model=deepseek-v3&gpu=h100", Some(16)),
    ("v=3&model=llama-3.3-70b&gpu=h100&context=128k", Some(4)),
];

/// Checks each permalink that a newcomer would type. It can be evaluated, has the expected GPU count, fits in memory,
/// and its error band contains the result.
#[test]
fn typed_links_mean_what_people_run() {
    let residuals = Residuals::of(
        NamedCalibration::Kernels202612,
        &ridgepoint_tests::runs::RUNS,
    );
    for (link, gpus) in TYPED {
        let read = read(link);
        assert!(read.notes.is_empty(), "{link}: {:?}", read.notes);
        let scenario = read.current.scenario().expect("a typed link is possible");
        let evaluation = evaluate(&scenario).expect("finite");
        assert!(evaluation.memory.fits(), "{link}: {:?}", evaluation.memory);
        assert!(
            gpus.is_none_or(|gpus| scenario.cluster.gpus == gpus),
            "{link}: {}",
            scenario.cluster.gpus
        );
        let band = residuals.band(&read.current, &scenario, &evaluation);
        let band = band.expect("no number is overridden");
        assert!(band.low <= 1.0 && band.high >= 1.0, "{link}: {band:?}");
    }
}

#[test]
fn published_runs_of_typed_systems_are_within_their_bands() {
    let residuals = Residuals::of(
        NamedCalibration::Kernels202612,
        &ridgepoint_tests::runs::RUNS,
    );
    for (link, seconds) in [
        // SGLang on one node of MI355X, InferenceX.
        (
            "v=3&model=deepseek-r1&gpu=mi355x&gpus=8&context=1382&batch=64",
            0.0234,
        ),
        // vLLM on 8 H200, mstar-project/mstar issue 272.
        ("v=3&model=glm-5.2&gpu=h200&context=1536&batch=1", 0.019),
        // vLLM 0.24.0 on one H200, this project.
        (
            "v=3&model=llama-3.1-8b&gpu=h200&precision=bf16&context=1024&batch=1",
            0.004886,
        ),
    ] {
        let inputs = read(link).current;
        let scenario = inputs.scenario().expect("possible");
        let evaluation = evaluate(&scenario).expect("finite");
        let band = residuals
            .band(&inputs, &scenario, &evaluation)
            .expect("a band");
        let times = seconds / evaluation.tpot.get();
        assert!(
            (band.low..=band.high).contains(&times),
            "{link}: {times}, {band:?}"
        );
    }
}

#[test]
fn schedules_and_experts_follow_the_links() {
    let spec = |link: &str| *read(link).current.scenario().expect("possible").plan.spec();
    // Tensor parallelism has no two-batch overlap.
    let one = spec("v=3&model=deepseek-r1&gpu=mi355x&gpus=8&batch=64");
    assert_eq!((one.tp, one.ep, one.overlap), (8, 1, Overlap::Sequential));
    assert_eq!(one.redundant, 0);
    // Expert parallelism over two domains, without redundant experts.
    let some = spec("v=3&model=deepseek-v3&gpu=h100");
    assert_eq!((some.dp, some.tp, some.ep, some.redundant), (16, 1, 16, 0));
    // Wide expert parallelism.
    let wide = spec("v=3&model=deepseek-v3&gpu=h200&gpus=64");
    assert_eq!((wide.ep, wide.redundant), (64, 32));
    assert_eq!(wide.overlap, Overlap::TwoBatch);
    assert_eq!(spec("v=3&model=kimi-k2&gpu=h200&gpus=64").redundant, 0);
    // A dense model larger than a domain has one pipeline stage per domain.
    let dense = spec("v=3&model=llama-3.1-405b&gpu=h100");
    assert_eq!((dense.tp, dense.pp, dense.dp), (8, 2, 1));
}

/// Checks that every model on every accelerator can be evaluated and fits in memory, or that a note gives the reason
/// why not.
#[test]
fn every_pair_starts() {
    let mut unfit = 0;
    for model in models::CATALOG {
        for gpu in accelerators::CATALOG {
            let mut inputs = Inputs::defaults_of(Version::V3);
            inputs.model = Model::Catalog(model);
            inputs.gpu = Gpu::Catalog(gpu);
            let link = write_inputs(&inputs);
            let scenario = inputs
                .scenario()
                .unwrap_or_else(|why| panic!("{link}: {why:?}"));
            let evaluation = evaluate(&scenario).unwrap_or_else(|why| panic!("{link}: {why}"));
            let fits = evaluation.memory.fits();
            assert_eq!(fits, inputs.nothing_fits().is_none(), "{link}");
            unfit += usize::from(!fits);
        }
    }
    let pairs = models::CATALOG.len() * accelerators::CATALOG.len();
    assert!(60 * unfit < pairs, "{unfit} of {pairs} pairs fit nowhere");
}

/// Permalinks in which a test sets every default explicitly, one at a time.
const PLAIN: [&str; 9] = [
    "v=3",
    "v=3&model=gpt-oss-120b",
    "v=3&model=kimi-k2.5&gpu=h200",
    "v=3&model=deepseek-v4-flash&gpu=b300",
    "v=3&model=llama-3.1-405b",
    "v=3&model=qwen3.5-27b&gpu=l40s",
    "v=3&model=deepseek-v3&gpu=h200&gpus=288",
    "v=3&model=mixtral-8x22b&gpu=gb10",
    "v=3&model=kimi-k3&gpu=h100&mtp=2",
];

/// Returns true for inputs that change what is computed once they are set, even if they are set to their default.
fn lasts(number: Number) -> bool {
    let prompts = [
        Number::MeanPrompt,
        Number::MeanOutput,
        Number::Hit,
        Number::Chunk,
    ];
    prompts.contains(&number)
        || !matches!(
            number.spec().of,
            NumberOf::Scenario | NumberOf::EngineMemory
        )
}

#[test]
fn stating_a_default_changes_nothing() {
    for link in PLAIN {
        let inputs = read(link).current;
        let plain = evaluate(&inputs.scenario().expect("possible")).expect("finite");
        let mut all = inputs;
        for number in Number::ALL.into_iter().filter(|number| !lasts(*number)) {
            let Some(default) = inputs.default_of(number) else {
                continue;
            };
            // Kernel factors are quotients; setting one replaces all factors of its kind.
            if number.spec().key.starts_with("e_") || number.spec().key.ends_with("_us") {
                continue;
            }
            let stated = match inputs.stated(number) {
                Some(_) => inputs,
                None => inputs.with(number, default),
            };
            assert_eq!(
                stated.normalized(),
                inputs.normalized(),
                "{link} {number:?}"
            );
            let found = evaluate(&stated.scenario().expect("possible")).expect("finite");
            assert_eq!(found.step, plain.step, "{link} {number:?}");
            assert_eq!(found.memory, plain.memory, "{link} {number:?}");
            all.state(number, inputs.get(number));
        }
        all.overlap = Some(inputs.schedule());
        assert_eq!(all.normalized(), inputs.normalized(), "{link}");
        let found = evaluate(&all.scenario().expect("possible")).expect("finite");
        assert_eq!(found.step, plain.step, "{link}: all stated");
        assert_eq!(found.memory, plain.memory, "{link}: all stated");
    }
}

/// Checks that user-set inputs are preserved when the model, accelerator or GPU count changes, and that all other
/// inputs get the defaults of the new selection.
#[test]
fn stated_numbers_stay_and_the_rest_follows() {
    let model = |id: &str| models::find(id).expect("a model");
    let gpu = |id: &str| accelerators::find(id).expect("an accelerator");
    let mut inputs = read("v=3&model=deepseek-v3&gpu=h200&gpus=64&context=32k&beta=0.9").current;
    let wide = inputs.scenario().expect("possible");
    assert_eq!(wide.plan.spec().redundant, 32);
    inputs.choose_model(model("gpt-oss-120b"));
    inputs.choose_gpu(gpu("b200"));
    inputs.state(Number::Gpus, Some(2.0));
    let small = inputs.scenario().expect("possible");
    let spec = small.plan.spec();
    assert_eq!((spec.dp, spec.tp, spec.ep, spec.redundant), (1, 2, 1, 0));
    assert_eq!(spec.overlap, Overlap::Sequential);
    assert!((small.workload.context - 32_768.0).abs() < 1e-9);
    assert!(small.workload.batch <= 256.0);
    assert_eq!(inputs.stated(Number::Beta), Some(0.9));
    assert!((small.plan.beta() - 1.0).abs() < 1e-9);
    inputs.choose_model(model("deepseek-v3"));
    inputs.choose_gpu(gpu("h200"));
    inputs.state(Number::Gpus, Some(64.0));
    assert_eq!(inputs.scenario(), Ok(wide));
}

/// Checks that an acceptance length or a mean acceptance rate, which engines print, is converted to the acceptance
/// probability that gives it.
#[test]
fn acceptance_is_read_as_engines_print_it() {
    let speculation = |link: &str| {
        read(link)
            .current
            .scenario()
            .expect("possible")
            .workload
            .speculation
    };
    let printed = speculation("v=3&model=deepseek-r1&gpu=h200&mtp=3&accept_len=2.5");
    assert!((printed.yielded() - 2.5).abs() < 1e-9);
    // A rate of 0.365 for three draft tokens gives 2.095 tokens per step.
    let average = speculation("v=3&model=deepseek-r1&gpu=h200&mtp=3&accept_rate=0.365");
    assert!((average.yielded() - 2.095).abs() < 1e-9);
    let all = speculation("v=3&model=deepseek-r1&gpu=h200&mtp=1&accept_len=2");
    assert!((all.acceptance - 1.0).abs() < 1e-9);
    let both = read("v=3&mtp=1&acceptance=0.5&accept_len=1.7");
    assert_eq!(both.notes.len(), 1);
    let refused = serde_json::to_value(report("v=3&mtp=1&accept_len=3")).expect("JSON");
    assert_eq!(refused["reasons"][0]["key"], "mtp");
    assert!(
        refused["reasons"][0]["message"]
            .as_str()
            .expect("text")
            .contains("mtp=2")
    );
}

/// Checks that earlier permalink versions ignore the keys of version 3 with a note.
#[test]
fn earlier_versions_ignore_engine_memory() {
    for key in [
        "precision=released",
        "engine_gib=3",
        "weights_gib=9",
        "encoder_gib=1",
        "state_bytes=2",
        "table_gib=9",
        "table=host",
    ] {
        for version in [1, 2] {
            let with = read(&format!("v={version}&{key}"));
            assert_eq!(with.notes.len(), 1, "{key}");
            assert_eq!(with.current, read(&format!("v={version}")).current, "{key}");
        }
    }
}

#[test]
fn layouts_and_tables_are_written_back() {
    for link in [
        "v=3&model=glm-5.2&gpu=h200&kv=fp8_ds_mla",
        "v=3&model=kimi-k2.5&table=host&table_gib=47.7",
        "v=3&overlap=two-batch",
        "v=3&precision=bf16&overlap=hop-b",
    ] {
        let read = read(link);
        assert!(read.notes.is_empty(), "{link}: {:?}", read.notes);
        let written = write_inputs(&read.current);
        assert_eq!(
            model_core::permalink::read(&written).current,
            read.current,
            "{written}"
        );
        assert!(written.len() <= link.len() + 2, "{written}");
    }
    let layout = read("v=3&model=glm-5.2&kv=fp8_ds_mla").current;
    let bytes = layout.get(Number::KvBytes).expect("bytes");
    assert!((bytes * 576.0 - 656.0).abs() < 1e-9);
    // The release of DeepSeek-V4 has this cache layout, so it is not written.
    assert_eq!(
        write_inputs(&read("v=3&model=deepseek-v4-flash&kv=fp8_ds_mla").current),
        "v=3&model=deepseek-v4-flash"
    );
    assert_eq!(read("v=3&model=llama-3-70b&kv=fp8_ds_mla").notes.len(), 1);
}

/// Checks that a lookup table in HBM takes GPU memory, and that a lookup table in host memory does not.
#[test]
fn tables_take_memory_where_they_lie() {
    let held = |link: &str| {
        let scenario = read(link).current.scenario().expect("possible");
        model_core::cost::memory::memory(&scenario, 1.0)
            .weights()
            .as_gib()
    };
    let base = "v=3&model=qwen3-30b-a3b&gpu=h200&gpus=2";
    let plain = held(base);
    assert!((held(&format!("{base}&table_gib=40")) - plain - 40.0).abs() < 1e-9);
    assert!((held(&format!("{base}&table_gib=40&table=host")) - plain).abs() < 1e-9);
}

#[test]
fn lacking_formats_fall_back_with_a_note() {
    let notes = |link: &str| {
        let answer = serde_json::to_value(report(link)).expect("JSON");
        answer["notes"].as_array().expect("notes").len()
    };
    assert_eq!(notes("v=3&model=gpt-oss-120b&gpu=h100"), 1);
    assert_eq!(notes("v=3&model=gpt-oss-120b&gpu=b200"), 0);
    assert_eq!(notes("v=3&model=deepseek-v3&gpu=a100"), 1);
    assert_eq!(notes("v=3&model=deepseek-v3&gpu=h100"), 0);
}

/// Checks that a single sequence is not compute-bound: more FLOP/s hardly shorten the step, whatever the number
/// format. The only compute-bound operator is attention of 128 heads over one compressed KV cache.
#[test]
fn one_sequence_gains_nothing_of_compute() {
    for gpu in accelerators::CATALOG {
        for model in models::CATALOG {
            for precision in ["", "&precision=bf16", "&precision=bf16&w_ffn=0.53125"] {
                let (model, gpu) = (model.id, gpu.id);
                let link = format!("v=3&model={model}&gpu={gpu}&batch=1&context=2k{precision}");
                let inputs = read(&link).current;
                let Ok(Ok(now)) = inputs.scenario().map(|it| evaluate(&it)) else {
                    continue;
                };
                let faster = inputs.with(Number::PeakScale, 4.0);
                let then = evaluate(&faster.scenario().expect("possible")).expect("finite");
                let gain = now.step / then.step;
                assert!(gain < 1.02, "{link}: {gain}");
            }
        }
    }
}

#[test]
fn refusals_name_a_value_that_works() {
    for broken in [
        "v=3&model=deepseek-v3&gpus=16&dp=7",
        "v=3&model=deepseek-v3&gpus=16&ep=5",
        "v=3&model=llama-3.1-8b&gpus=8&tp=5",
        "v=3&model=llama-3.1-8b&gpus=8&ep=8",
        "v=3&model=llama-3.1-8b&gpus=64&pp=64",
        "v=3&model=deepseek-v3&gpu=a100&gpus=16&fmt_ffn=fp4",
        "v=3&model=deepseek-v3&serving=aggregated",
        "v=3&model=deepseek-v3&serving=aggregated&prompt=1k&output=1k&pp=2&gpus=16",
        "v=3&mtp=1&accept_len=3",
    ] {
        let refused = serde_json::to_value(report(broken)).expect("JSON");
        let reasons = refused["reasons"].as_array().expect(broken);
        for reason in reasons {
            let message = reason["message"].as_str().expect("text");
            let set = message.split([' ', ';']).filter(|word| word.contains('='));
            let mut links = set.map(|set| format!("{broken}&{set}"));
            // If several rules are broken, each needs a separate change.
            let works = |link: String| reasons.len() > 1 || read_last(&link).scenario().is_ok();
            assert!(links.any(works), "{broken}: {message}");
        }
    }
}

/// Returns the inputs of a permalink, in which the last value of a repeated key counts.
fn read_last(link: &str) -> Inputs {
    let key = |pair: &str| pair.split('=').next().map(str::to_owned);
    let pairs: Vec<&str> = link.split('&').collect();
    let last = |(at, pair): &(usize, &&str)| pairs[at + 1..].iter().all(|it| key(it) != key(pair));
    let kept = pairs.iter().enumerate().filter(last).map(|(_, pair)| *pair);
    read(&kept.collect::<Vec<_>>().join("&")).current
}

/// Checks that a Lamina deployment has the scenario's batch, even if the default batch depends on the GPUs.
#[test]
fn lamina_starts_with_one_batch() {
    for model in ["llama-3-70b", "llama-3.1-405b", "deepseek-v3"] {
        let link = format!("v=3&model={model}&gpu=h100&mode=split");
        let answer = serde_json::to_value(report(&link)).unwrap();
        assert_eq!(answer["ok"], true, "{link}: {answer}");
        let batch = read(&link).current.get(Number::Batch);
        assert_eq!(answer["batch"].as_f64(), batch, "{link}");
    }
}

/// Checks that the deployment of a preset question is dropped when the user selects another model or accelerator.
/// Before permalink version 3 the deployment remains.
#[test]
fn a_question_s_deployment_is_left() {
    let opening = read("v=3&gpus=72&context=2050&beta=1&reserve=0.12&engine_gib=0&overlap=none");
    let mut left = opening.current.restarted(false);
    left.choose_gpu(accelerators::find("h200").expect("an accelerator"));
    left.choose_model(models::find("gpt-oss-120b").expect("a model"));
    assert_eq!(
        write_inputs(&left),
        "v=3&model=gpt-oss-120b&gpu=h200&context=2050"
    );
    assert_eq!(left.get(Number::Gpus), Some(1.0));
    let on_its_gpus = opening.current.restarted(true);
    assert_eq!(write_inputs(&on_its_gpus), "v=3&gpus=72&context=2050");
    let old = read("v=2&beta=1&gpus=24").current;
    assert_eq!(old.restarted(false), old);
}

/// Checks that reading the permalink written for these inputs gives the same plan.
fn keeps_its_plan(inputs: &Inputs, what: &str) {
    const PLAN: [Number; 7] = [
        Number::Gpus,
        Number::Dp,
        Number::Tp,
        Number::Ep,
        Number::FfnTp,
        Number::Redundant,
        Number::Batch,
    ];
    let again = read(&write_inputs(inputs)).current.settled();
    let inputs = inputs.settled();
    for number in PLAN {
        assert_eq!(again.get(number), inputs.get(number), "{what}: {number:?}");
    }
    assert_eq!(again.schedule(), inputs.schedule(), "{what}");
}

#[test]
fn a_written_preset_has_the_same_plan() {
    for preset in PRESETS {
        let link = preset.opened();
        for inputs in [Some(link.current), link.pinned].into_iter().flatten() {
            keeps_its_plan(&inputs, preset.id);
        }
    }
}

#[test]
fn a_written_link_has_the_same_plan() {
    let pieces = [
        "&gpus=16",
        "&dp=16",
        "&tp=8",
        "&ep=16",
        "&ffn_tp=8",
        "&redundant=0",
    ];
    let stated = |chosen: u32| -> String {
        let pieces = pieces.iter().enumerate();
        let pieces = pieces.filter(|(at, _)| chosen >> at & 1 == 1);
        pieces.map(|(_, piece)| *piece).collect()
    };
    thread::scope(|scope| {
        for model in ["deepseek-v3.2", "llama-3.3-70b"] {
            scope.spawn(move || {
                for gpu in ["h200", "gb200"] {
                    for chosen in 0..1 << pieces.len() {
                        let link = format!("v=3&model={model}&gpu={gpu}{}", stated(chosen));
                        keeps_its_plan(&read(&link).current, &link);
                    }
                }
            });
        }
    });
}
