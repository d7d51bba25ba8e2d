//! Tests of the engine flags that Ridgepoint writes, by reading them back as the engines do.

use model_core::inputs::Inputs;
use model_core::permalink::read;
use model_core::plan::{Overlap, PlanSpec};
use model_core::service::flags::{Command, EngineReplica, Flag, Software, Unexpressed, command};
use model_core::service::miss::ReplicaWork;
use model_core::service::service;

use super::{demand, demands};

/// Returns the value of a flag of a launch command, or 1 if the flag is left out; both engines have this default.
fn count(command: &Command, name: &str) -> u32 {
    let flag = command.flags.iter().find(|flag| flag.name == name);
    flag.map_or(1, |flag| flag.value.as_ref().unwrap().parse().unwrap())
}

fn has(command: &Command, name: &str) -> bool {
    command.flags.iter().any(|flag| flag.name == name)
}

/// Returns a number in the JSON value of a launch command's flag, or 0 if the flag is left out.
fn in_json(command: &Command, name: &str, field: &str) -> u32 {
    let flag = command.flags.iter().find(|flag| flag.name == name);
    flag.map_or(0, |Flag { value, .. }| {
        let text = value.as_ref().unwrap().trim_matches('\'').to_owned();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        json[field].as_u64().unwrap() as u32
    })
}

/// Returns the plan that vLLM derives from its flags, the maximum number of running sequences over all ranks, and the
/// number of draft tokens.
fn of_vllm(command: &Command, setup: &EngineReplica) -> (PlanSpec, u32, u32) {
    let kvp = count(command, "--decode-context-parallel-size");
    let width = count(command, "--tensor-parallel-size");
    let dp = count(command, "--data-parallel-size") * command.engines;
    let stage = width * dp;
    let moe = setup.experts > 0;
    let (ep, ffn_tp) = match (moe, has(command, "--enable-expert-parallel")) {
        (false, _) => (1, width),
        (true, true) => (stage, 1),
        (true, false) => (1, stage),
    };
    let overlap = match has(command, "--enable-dbo") {
        true => Overlap::TwoBatch,
        false => Overlap::Sequential,
    };
    let spec = PlanSpec {
        dp,
        tp: width / kvp,
        kvp,
        pp: count(command, "--pipeline-parallel-size"),
        ep,
        ffn_tp,
        overlap,
        redundant: in_json(command, "--eplb-config", "num_redundant_experts"),
        ..setup.spec
    };
    let drafts = in_json(command, "--speculative-config", "num_speculative_tokens");
    (spec, count(command, "--max-num-seqs") * dp, drafts)
}

/// Returns the plan that SGLang derives from its flags, the maximum number of running sequences over all ranks, and
/// the number of draft tokens.
fn of_sglang(command: &Command, setup: &EngineReplica) -> (PlanSpec, u32, u32) {
    let (width, dp) = (count(command, "--tp-size"), count(command, "--dp-size"));
    let shared = has(command, "--enable-dp-attention");
    let moe = setup.experts > 0;
    let ep = count(command, "--ep-size");
    let overlap = match has(command, "--enable-two-batch-overlap") {
        true => Overlap::TwoBatch,
        false => Overlap::Sequential,
    };
    let redundant = command
        .flags
        .iter()
        .find(|flag| flag.name == "--ep-num-redundant-experts");
    let spec = PlanSpec {
        dp,
        tp: if shared { width / dp } else { width },
        kvp: 1,
        pp: count(command, "--pp-size"),
        ep,
        ffn_tp: if moe { width / ep } else { width },
        overlap,
        redundant: redundant.map_or(0, |flag| flag.value.as_ref().unwrap().parse().unwrap()),
        ..setup.spec
    };
    let steps = command
        .flags
        .iter()
        .find(|flag| flag.name == "--speculative-num-steps");
    let drafts = steps.map_or(0, |flag| flag.value.as_ref().unwrap().parse().unwrap());
    (spec, count(command, "--max-running-requests"), drafts)
}

/// Checks that every engine that can express the plan derives it from the flags written for the engine. Returns the
/// number of these engines.
fn comes_back(setup: &EngineReplica) -> usize {
    let mut expressed = 0;
    for software in Software::ALL {
        let command = command(software, setup);
        if !command.unexpressed.is_empty() {
            continue;
        }
        expressed += 1;
        let (spec, batch, drafts) = match software {
            Software::Vllm => of_vllm(&command, setup),
            Software::Sglang => of_sglang(&command, setup),
        };
        let mut expected = setup.spec;
        // Without expert parallelism there are no redundant experts.
        if expected.ep == 1 {
            expected.redundant = 0;
        }
        assert_eq!(spec, expected, "{command:?}");
        if let Some(most) = setup.batch {
            let groups = f64::from(setup.spec.dp);
            assert!(
                f64::from(batch) >= most && f64::from(batch) < most + groups,
                "{command:?}"
            );
        }
        assert_eq!(drafts, setup.drafts);
    }
    expressed
}

fn setups(inputs: &Inputs) -> Vec<EngineReplica> {
    let Ok(found) = service(inputs) else {
        return Vec::new();
    };
    let mut setups = Vec::new();
    if let Ok(pools) = &found.disaggregated {
        setups.push(EngineReplica::prefill(inputs, &pools.prefill));
        setups.push(EngineReplica::decode(inputs, &pools.decode));
    }
    if let Ok(together) = &found.aggregated {
        setups.push(EngineReplica::aggregated(inputs, &together.replica));
    }
    setups
}

#[test]
fn plans_come_back_from_their_flags() {
    let (mut tried, mut expressed) = (0, 0);
    for number in 0..demands() {
        for setup in setups(&demand(number)) {
            tried += 2;
            expressed += comes_back(&setup);
        }
    }
    assert!(
        tried > 60 && expressed * 2 > tried,
        "{expressed} of {tried}"
    );
}

#[test]
fn every_expressible_sharding_comes_back() {
    let inputs = read("v=1&model=deepseek-v3&redundant=0").current;
    let spec = *inputs.scenario().unwrap().plan.spec();
    let mut expressed = 0;
    for (dp, tp, kvp, pp, ep, ffn_tp) in [
        (8, 1, 1, 1, 8, 1),
        (1, 8, 1, 1, 1, 8),
        (1, 8, 1, 1, 8, 1),
        (4, 2, 1, 1, 4, 2),
        (16, 4, 1, 2, 64, 1),
        (1, 2, 4, 1, 8, 1),
        (1, 2, 4, 1, 2, 4),
    ] {
        for overlap in Overlap::ALL {
            for (redundant, drafts) in [(0, 0), (32, 2)] {
                let setup = EngineReplica {
                    spec: PlanSpec {
                        dp,
                        tp,
                        kvp,
                        pp,
                        ep,
                        ffn_tp,
                        overlap,
                        redundant,
                        ..spec
                    },
                    work: ReplicaWork::Decode,
                    experts: 256 + redundant,
                    batch: Some(1000.0),
                    chunk: None,
                    drafts,
                    narrow_cache: false,
                };
                expressed += comes_back(&setup);
                let cannot = |software| command(software, &setup).unexpressed;
                assert_eq!(
                    cannot(Software::Sglang).contains(&Unexpressed::ContextSplit),
                    kvp > 1
                );
                let grid = ep > 1 && ffn_tp > 1;
                assert_eq!(
                    cannot(Software::Vllm).contains(&Unexpressed::ExpertGrid),
                    grid
                );
                for software in Software::ALL {
                    let hop_b = cannot(software).contains(&Unexpressed::HopB);
                    assert_eq!(hop_b, overlap == Overlap::HopB);
                }
            }
        }
    }
    assert!(expressed >= 20, "{expressed}");
}

#[test]
fn a_command_for_each_pool() {
    let inputs = read("v=1&model=deepseek-v3&gpu=h200&redundant=0&rate=100&pools=disaggregated&gpus=16&dp=16&ep=16&tp=1&ffn_tp=1&batch=1024&overlap=two-batch&prefill_gpus=8&prefill_tp=1&chunk=8192").current;
    let [prefill, decode] = setups(&inputs)[..2].try_into().unwrap();
    let text = |software, setup: &EngineReplica| command(software, setup).text("MODEL");
    assert_eq!(
        text(Software::Sglang, &prefill),
        "python3 -m sglang.launch_server --model-path MODEL --tp-size 8 --dp-size 8 --enable-dp-attention --ep-size 8 \
         --moe-a2a-backend deepep --deepep-mode normal --enable-two-batch-overlap --chunked-prefill-size 65536 \
         --disaggregation-mode prefill"
    );
    assert_eq!(
        text(Software::Vllm, &decode),
        "vllm serve MODEL --tensor-parallel-size 1 --data-parallel-size 16 --enable-expert-parallel \
         --all2all-backend deepep_low_latency --enable-dbo --max-num-seqs 64 \
         --kv-transfer-config '{\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_both\"}'"
    );
}
