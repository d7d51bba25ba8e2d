//! Tests how layer types are read: mixers, windows, dense and MoE layers, and unsupported layers.

use super::*;
use model_core::arch::Layered;

fn mixers(arch: &Arch) -> String {
    let word = |part: &Layered<Mixer>| format!("{} {}", part.layers, part.shape);
    arch.mixers()
        .iter()
        .map(word)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Describes the layer groups of a model in sorted order. Leaves out attention sinks, which have no cost in
/// Ridgepoint.
fn groups(arch: &Arch) -> Vec<String> {
    let mut groups: Vec<String> = arch
        .groups()
        .iter()
        .map(|group| {
            let mut mixer = arch.mixer_of(group).copied();
            if let Some(Mixer::Grouped(shape)) = &mut mixer {
                shape.sinks = false;
            }
            format!("{} {mixer:?} {:?}", group.count, arch.ffn_of(group))
        })
        .collect();
    groups.sort();
    groups
}

#[test]
fn files_make_the_shapes_of_the_catalogue() {
    for (name, id) in [
        ("deepseek-v4-flash", "deepseek-v4-flash"),
        ("deepseek-v4-flash-ref", "deepseek-v4-flash"),
        ("deepseek-v4-pro", "deepseek-v4-pro"),
        ("gemma-4-26b-a4b", "gemma-4-26b-a4b"),
        ("gemma-4-31b", "gemma-4-31b"),
        ("glm-5.1-nvfp4", "glm-5"),
        ("glm-5.2", "glm-5.2"),
        ("gpt-oss-120b", "gpt-oss-120b"),
        ("gpt-oss-20b", "gpt-oss-20b"),
        ("kimi-k2.6-nvfp4", "kimi-k2.5"),
        ("kimi-k3", "kimi-k3"),
        ("kimi-linear-48b", "kimi-linear-48b"),
        ("llama-4-maverick", "llama-4-maverick"),
        ("llama-4-scout", "llama-4-scout"),
        ("mimo-v2-flash", "mimo-v2-flash"),
        ("minimax-m1", "minimax-m1"),
        ("minimax-m2.7", "minimax-m2.5"),
        ("minimax-m3", "minimax-m3"),
        ("minimax-m3-nvfp4", "minimax-m3"),
        ("minimax-text-01", "minimax-m1"),
        ("nemotron-3-nano-30b-a3b", "nemotron-3-nano-30b-a3b"),
        ("nemotron-3-super-120b-a12b", "nemotron-3-super-120b-a12b"),
        ("nemotron-3-ultra-550b-a55b", "nemotron-3-ultra-550b-a55b"),
        ("qwen3-coder-480b-a35b", "qwen3-coder-480b-a35b"),
        ("qwen3-next-80b-a3b", "qwen3-next-80b-a3b"),
        ("qwen3-vl-235b-a22b", "qwen3-235b-a22b"),
        ("qwen3.5-122b-a10b", "qwen3.5-122b-a10b"),
        ("qwen3.5-27b", "qwen3.5-27b"),
        ("qwen3.5-35b-a3b", "qwen3.5-35b-a3b"),
        ("qwen3.5-397b-a17b", "qwen3.5-397b-a17b"),
        ("qwen3.6-35b-a3b-nvfp4", "qwen3.5-35b-a3b"),
        ("step-3", "step-3"),
        ("step-3.5-flash", "step-3.5-flash"),
    ] {
        let (file, row) = (imported(name).arch, catalog::find(id).unwrap().arch);
        assert_eq!(groups(&file), groups(&row), "{name}");
        let sizes = |arch: &Arch| (arch.hidden, arch.vocab, arch.tied, arch.residual_streams);
        assert_eq!(sizes(&file), sizes(&row), "{name}");
    }
}

#[test]
fn models_outside_the_catalogue() {
    for (name, layers, total) in [
        // Gemma 3's report, Table 1: 10,759 + 1,012 and 3,209 + 675 million.
        ("gemma-3-12b", "40 window 1024, 8 full", 11.771),
        ("gemma-3-27b", "52 window 1024, 10 full", 27.0),
        ("gemma-3-4b", "29 window 1024, 5 full", 3.884),
        ("glm-5.3-flash", "34 kda, 11 sparse 2048", 313.3),
        ("inkling", "55 window 512, 11 full", 946.6),
        ("laguna-xs-2.1", "10 full, 30 window 512", 33.4),
        // 124 B if each of KDA's two gates is a single matrix.
        ("ling-3.0-flash", "35 kda, 7 full", 124.41),
        ("ling-3.0-tiny", "18 kda, 6 full", 7.893),
        ("mellum2-12b-a2.5b", "21 window 1024, 7 full", 12.15),
        ("muse-glimmer-30b", "39 window 2048, 13 full", 27.85),
        ("muse-glimmer-30b-flat", "39 window 2048, 13 full", 27.85),
        ("llama-3.1-8b", "32 full", 8.03),
        ("mimo-7b", "36 full", 7.62),
        ("mixtral-8x7b", "32 full", 46.7),
        ("nemotron-h-56b", "54 mamba2, 10 full", 56.3),
        ("qwen3-0.6b", "28 full", 0.596),
        ("qwen3-32b", "64 full", 32.8),
        ("qwen3-8b-vl", "36 full", 8.19),
        (
            "qwen3.8-flash-next",
            "36 gated_delta, 12 sparse 2051",
            125.07,
        ),
        (
            "qwen3.8-flash-next-nemo",
            "36 gated_delta, 12 sparse 2051",
            125.07,
        ),
    ] {
        let arch = imported(name).arch;
        assert_eq!(mixers(&arch), layers, "{name}");
        let counted = params::parameters(&arch).total / 1e9;
        assert!((counted / total - 1.0).abs() < 2e-3, "{name}: {counted}");
    }
}

#[test]
fn windows_by_family() {
    let of = |name, fields| mixers(&with(name, fields).unwrap().arch);
    let sliding = json!({"use_sliding_window": true, "max_window_layers": 20});
    assert_eq!(of("qwen2-0.5b", sliding), "20 full, 4 window 131072");
    assert_eq!(
        of("qwen2-0.5b", json!({"use_sliding_window": null})),
        "24 full"
    );
    assert_eq!(of("mistral-7b", json!({})), "32 window 4096");
    assert_eq!(of("mistral-7b", json!({"sliding_window": null})), "32 full");
    // In Gemma 3, every sixth layer has full attention; Gemma 2's file does not say which layers do.
    let gemma = json!({"model_type": "gemma3_text", "sliding_window_pattern": 6, "head_dim": 128});
    assert_eq!(of("mistral-7b", gemma), "27 window 4096, 5 full");
    let unsaid = |name, fields| {
        let import = with(name, fields).unwrap();
        let found = import
            .caveats
            .iter()
            .any(|caveat| matches!(caveat, Caveat::Window { .. }));
        found.then(|| mixers(&import.arch))
    };
    let gemma = json!({"model_type": "gemma2", "head_dim": 128});
    assert_eq!(unsaid("mistral-7b", gemma), Some("32 full".into()));
    let nothing = json!({"layer_types": null});
    assert_eq!(unsaid("gpt-oss-120b", nothing), Some("36 full".into()));
    let window = Caveat::Window {
        kind: Window::Sliding,
        tokens: Some(128),
        of: 36,
    };
    assert_eq!(
        window.to_string(),
        "Some of the 36 layers use a window of 128 tokens, but the file does not say which; all layers use \
         full attention here, so KV memory and attention time are overestimated at long context."
    );
}

#[test]
fn family_by_class_and_fields() {
    for (name, id) in [
        ("deepseek-v4-flash", "deepseek-v4-flash"),
        ("qwen3-next-80b-a3b", "qwen3-next-80b-a3b"),
        ("kimi-linear-48b", "kimi-linear-48b"),
        ("mimo-v2-flash", "mimo-v2-flash"),
        ("nemotron-3-nano-30b-a3b", "nemotron-3-nano-30b-a3b"),
        ("minimax-m3", "minimax-m3"),
    ] {
        let row = catalog::find(id).unwrap().arch;
        for fields in [
            json!({"model_type": "of_tomorrow"}),
            json!({"model_type": "of_tomorrow", "architectures": null}),
        ] {
            let import = with(name, fields).unwrap();
            let mixers_alike = mixers(&import.arch) == mixers(&imported(name).arch);
            assert!(
                mixers_alike || groups(&import.arch) == groups(&row),
                "{name}"
            );
        }
    }
}

#[test]
fn infinity_in_unread_fields() {
    assert!(text("nemotron-h-56b").contains("Infinity"));
    imported("nemotron-h-56b");
    let quoted = read("{\"model_type\": \"Infinity \\\" Infinity\"}");
    assert!(refusal(quoted).starts_with("Missing hidden_size,"));
    assert!(read("{\"hidden_size\": Infinity}").is_err());
}

/// Checks that an FFN of width 0 is refused, since its permalink could not be read again.
#[test]
fn a_feed_forward_has_a_width() {
    let none = json!({"intermediate_size": 0});
    let said = refusal(with("llama-3-70b", none));
    assert!(said.contains("intermediate_size = 0"), "{said}");
}

#[test]
fn foreign_layers_are_refused() {
    let step = refusal(read(text("step-3.7-flash")));
    assert!(
        step.starts_with("Missing attention_other_setting,"),
        "{step}"
    );
    let minimax = |fields| refusal(with("minimax-m2", fields));
    assert!(
        minimax(json!({"model_type": "minimax", "attn_type_list": null}))
            .starts_with("Missing attn_type_list,")
    );
    for (name, fields, start) in [
        (
            "llama-3-70b",
            json!({"mamba_d_state": 16}),
            "mamba_d_state is 16: SSM layers",
        ),
        (
            "llama-3-70b",
            json!({"linear_attn_config": {"a": 1}}),
            "linear_attn_config is",
        ),
        (
            "llama-3-70b",
            json!({"cross_attention_layers": [3]}),
            "cross_attention_layers is [3]",
        ),
        (
            "llama-3-70b",
            json!({"multi_query": true}),
            "multi_query is true",
        ),
        (
            "llama-3-70b",
            json!({"is_encoder_decoder": true}),
            "is_encoder_decoder is true",
        ),
        (
            "llama-3-70b",
            json!({"num_kv_shared_layers": 3}),
            "num_kv_shared_layers is 3: cross-layer KV sharing is not modeled",
        ),
        (
            "deepseek-v4-pro",
            json!({"model_type": "deepseek_v41"}),
            "model_type is \"deepseek_v41\": KV caches and indexer keys shared between layers",
        ),
        (
            "deepseek-v4-pro",
            json!({"kv_source_layer_ids": [2, 8]}),
            "kv_source_layer_ids is [2,8]: cross-layer KV sharing",
        ),
        (
            "llama-3-70b",
            json!({"hidden_size_per_layer_input": 256}),
            "hidden_size_per_layer_input is 256: per-layer embeddings",
        ),
        (
            "llama-3-70b",
            json!({"use_double_wide_mlp": true}),
            "use_double_wide_mlp is true",
        ),
        (
            "llama-3-70b",
            json!({"zero_expert_num": 2}),
            "zero_expert_num is 2",
        ),
        (
            "llama-3-70b",
            json!({"block_configs": [{"a": 1}]}),
            "block_configs is",
        ),
        (
            "glm-5.2",
            json!({"indexer_types": ["full", "shared"]}),
            "indexer_types is [\"full\",\"shared\"]: it has 2 elements for 78 layers",
        ),
        (
            "deepseek-v3",
            json!({"compress_ratios": [4, 128]}),
            "compress_ratios is [4,128]",
        ),
        (
            "deepseek-v3",
            json!({"qk_head_dim": 128}),
            "qk_head_dim is 128: qk_nope_head_dim + qk_rope_head_dim = 192",
        ),
        (
            "qwen3-30b-a3b",
            json!({"mlp_only_layers": [48]}),
            "mlp_only_layers is [48]: the model has only 48",
        ),
        (
            "qwen3-30b-a3b",
            json!({"num_experts": 0}),
            "num_experts is 0: other fields of the file describe",
        ),
        (
            "qwen3-30b-a3b",
            json!({"num_local_experts": 64}),
            "num_local_experts is 64: num_experts is 128",
        ),
        (
            "gpt-oss-120b",
            json!({"layer_types": ["full_attention"]}),
            "layer_types is [\"full_attention\"]: it has 1",
        ),
    ] {
        let message = refusal(with(name, fields));
        assert!(message.starts_with(start), "{message}");
    }
    let mut kinds = vec!["full_attention"; 80];
    kinds[7] = "linear_attention";
    let message = refusal(with("llama-3-70b", json!({"layer_types": kinds})));
    assert!(
        message.ends_with("layer type \"linear_attention\" is not modeled."),
        "{message}"
    );
    let mut kinds = vec![json!("full_attention"); 80];
    kinds[7] = json!("x".repeat(10_000));
    let message = refusal(with("llama-3-70b", json!({"layer_types": kinds})));
    assert!(message.len() < 300, "{message}");
}

#[test]
fn leading_dense_layers() {
    let dense_layers = |fields| with("qwen3-30b-a3b", fields).unwrap().arch.dense_layers();
    let sparse_from = |first, dense: Value, sparse: Value| {
        (0..48)
            .map(|layer| {
                if layer < first {
                    dense.clone()
                } else {
                    sparse.clone()
                }
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(dense_layers(json!({"mlp_only_layers": [1, 0]})), 2);
    assert_eq!(
        dense_layers(json!({"moe_layer_freq": sparse_from(1, json!(0), json!(1))})),
        1
    );
    let kinds = sparse_from(3, json!("dense"), json!("sparse"));
    assert_eq!(dense_layers(json!({"mlp_layer_types": kinds})), 3);
    assert_eq!(
        dense_layers(json!({"moe_layers": (4..48).collect::<Vec<_>>()})),
        4
    );
    let message = refusal(with(
        "qwen3-30b-a3b",
        json!({"mlp_layer_types": kinds, "first_k_dense_replace": 1}),
    ));
    assert!(
        message.contains("first_k_dense_replace lists other layers as MoE"),
        "{message}"
    );
    // Dense layers between MoE layers.
    let between = |name, fields| with(name, fields).unwrap().arch.dense_layers();
    assert_eq!(between("deepseek-v3", json!({"moe_layer_freq": 2})), 32);
    assert_eq!(
        between("qwen3-30b-a3b", json!({"decoder_sparse_step": 2})),
        24
    );
    assert_eq!(between("qwen3-30b-a3b", json!({"mlp_only_layers": [5]})), 1);
    let all = refusal(with("deepseek-v3", json!({"first_k_dense_replace": 61})));
    assert!(
        all.starts_with("first_k_dense_replace is 61: no layer would"),
        "{all}"
    );
}

#[test]
fn gates_heads_and_streams() {
    let grouped = |name: &str| -> Vec<Grouped> {
        let arch = imported(name).arch;
        let grouped = arch.mixers().iter().filter_map(|part| match part.shape {
            Mixer::Grouped(shape) => Some(shape),
            _ => None,
        });
        grouped.collect()
    };
    let laguna = grouped("laguna-xs-2.1");
    let heads: Vec<_> = laguna
        .iter()
        .map(|part| (part.heads, part.kv_heads))
        .collect();
    assert_eq!(heads, [(48, 8), (64, 8)]);
    for (name, gate) in [
        ("laguna-xs-2.1", false),
        ("muse-glimmer-30b", true),
        ("muse-glimmer-30b-flat", true),
        ("qwen3.8-flash-next", true),
        ("qwen3.8-flash-next-nemo", true),
    ] {
        assert!(grouped(name).iter().all(|part| part.gate == gate), "{name}");
    }
    let ungated = with(
        "muse-glimmer-30b-flat",
        json!({"use_attn_output_gate": false}),
    );
    let counted = params::parameters(&ungated.unwrap().arch).total / 1e9;
    assert!((counted - 26.44).abs() < 0.01, "{counted}");
    let next = imported("qwen3.8-flash-next").arch;
    assert_eq!((next.residual_streams, next.residual_rank), (4, Some(320)));
    let per_head = Caveat::LeftOut {
        what: "Per-head gates",
    };
    for name in ["laguna-xs-2.1", "ling-3.0-flash", "ling-3.0-tiny"] {
        assert!(imported(name).caveats.contains(&per_head), "{name}");
    }
}

/// Checks that Ling's field `no_kda_lora` is required. The Ling 2.5 releases have the same `model_type` but use
/// lightning attention instead of KDA.
#[test]
fn ling_needs_its_kda_fields() {
    let said = refusal(without("ling-3.0-flash", "no_kda_lora"));
    assert!(said.starts_with("Missing no_kda_lora"), "{said}");
}

#[test]
fn deepseek_v4_1_is_refused_with_its_parts() {
    let said = refusal(read(text("deepseek-v4.1-flash")));
    for part in ["KV caches", "indexer keys", "prefill", "Engram"] {
        assert!(said.contains(part), "{said}");
    }
}
