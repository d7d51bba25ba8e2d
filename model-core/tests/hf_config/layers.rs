//! What kinds of layers are told apart: windows, dense and expert layers, those that are refused.

use super::*;

#[test]
fn windows_are_counted_by_the_rules_of_the_family() {
    let windows = |name, fields| {
        let caveats = with(name, fields).unwrap().caveats;
        let window = caveats
            .into_iter()
            .find(|caveat| matches!(caveat, Caveat::Window { .. }));
        window.map(|window| match window {
            Caveat::Window { tokens, layers, .. } => (tokens, layers),
            _ => unreachable!(),
        })
    };
    assert_eq!(
        windows(
            "qwen2-0.5b",
            json!({"use_sliding_window": true, "max_window_layers": 20})
        ),
        Some((Some(131_072), Some(4)))
    );
    assert_eq!(
        windows("qwen2-0.5b", json!({"use_sliding_window": null})),
        None
    );
    assert_eq!(windows("mistral-7b", json!({"sliding_window": null})), None);
    // Gemma 3: every sixth layer is full; Gemma 2 does not say which are.
    let gemma = json!({"model_type": "gemma3_text", "sliding_window_pattern": 6, "head_dim": 128});
    assert_eq!(windows("mistral-7b", gemma), Some((Some(4096), Some(27))));
    let gemma = json!({"model_type": "gemma2", "head_dim": 128});
    assert_eq!(windows("mistral-7b", gemma), Some((Some(4096), None)));
    assert_eq!(
        windows("gpt-oss-120b", json!({"layer_types": null})),
        Some((Some(128), None))
    );
    assert!(imported("llama-4-scout").caveats.contains(&Caveat::Window {
        kind: Window::Chunked,
        tokens: Some(8192),
        layers: None,
        of: 48,
    }));
}

#[test]
fn layers_of_another_kind_are_refused_by_their_field() {
    let refused = [
        (
            "qwen3-next-80b-a3b",
            "full_attention_interval is 4: linear attention",
        ),
        ("minimax-text-01", "attn_type_list is [0,0,0,0,0,0,0,1,"),
        (
            "llama-4-maverick",
            "text_config.interleave_moe_layer_step is 2: dense layers between",
        ),
    ];
    for (name, start) in refused {
        let message = match name {
            // The family is refused as such before its list is looked at.
            "minimax-text-01" => refusal(with(name, json!({"model_type": "minimax"}))),
            _ => refusal(read(text(name))),
        };
        assert!(message.starts_with(start), "{message}");
    }
    assert!(
        refusal(read(text("minimax-text-01"))).starts_with("model_type is \"minimax_text_01\"")
    );
    let minimax = |fields| refusal(with("minimax-m2", fields));
    assert!(
        minimax(json!({"model_type": "minimax", "attn_type_list": null}))
            .starts_with("attn_type_list is missing")
    );
    for (name, fields, start) in [
        (
            "llama-3-70b",
            json!({"mamba_d_state": 16}),
            "mamba_d_state is 16: state-space",
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
            json!({"model_type": "bert"}),
            "model_type is \"bert\": only decoders",
        ),
        (
            "llama-3-70b",
            json!({"is_encoder_decoder": true}),
            "is_encoder_decoder is true",
        ),
        (
            "llama-3-70b",
            json!({"v_head_dim": 64}),
            "v_head_dim is 64: values of another width",
        ),
        (
            "deepseek-v3",
            json!({"compress_ratios": [4, 128]}),
            "compress_ratios is [4,128]",
        ),
        (
            "deepseek-v3",
            json!({"moe_layer_freq": 2}),
            "moe_layer_freq is 2: dense layers between",
        ),
        (
            "deepseek-v3",
            json!({"qk_head_dim": 128}),
            "qk_head_dim is 128: qk_nope_head_dim and",
        ),
        (
            "qwen3-30b-a3b",
            json!({"decoder_sparse_step": 2}),
            "decoder_sparse_step is 2",
        ),
        (
            "qwen3-30b-a3b",
            json!({"mlp_only_layers": [5]}),
            "mlp_only_layers is [5]: dense layers",
        ),
        (
            "qwen3-30b-a3b",
            json!({"mlp_only_layers": [48]}),
            "mlp_only_layers is [48]: there are 48",
        ),
        (
            "qwen3-30b-a3b",
            json!({"num_experts": 0}),
            "num_experts is 0: other fields speak",
        ),
        (
            "qwen3-30b-a3b",
            json!({"num_local_experts": 64}),
            "num_local_experts is 64: num_experts says 128",
        ),
        (
            "qwen1.5-moe-a2.7b",
            json!({"shared_expert_intermediate_size": 5000}),
            "shared_expert_intermediate_size is 5000: a multiple of the width of an expert, 1408",
        ),
        (
            "gpt-oss-120b",
            json!({"layer_types": ["full_attention"]}),
            "layer_types is [\"full_attention\"]: it has 1",
        ),
        (
            "opt-66b",
            json!({"word_embed_proj_dim": 512}),
            "word_embed_proj_dim is 512",
        ),
        (
            "mixtral-8x22b",
            json!({"hidden_act": "relu2"}),
            "num_local_experts is 8: experts that are not gated",
        ),
    ] {
        let message = refusal(with(name, fields));
        assert!(message.starts_with(start), "{message}");
    }
    let mut kinds = vec!["full_attention"; 80];
    kinds[7] = "linear_attention";
    let message = refusal(with("llama-3-70b", json!({"layer_types": kinds})));
    assert!(
        message.ends_with("layers of kind \"linear_attention\" are not modelled."),
        "{message}"
    );
    let mut kinds = vec![json!("full_attention"); 80];
    kinds[7] = json!("x".repeat(10_000));
    let message = refusal(with("llama-3-70b", json!({"layer_types": kinds})));
    assert!(message.len() < 300, "{message}");
}

#[test]
fn leading_dense_layers_may_be_told_in_several_ways() {
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
        message.contains("3 leading dense layers, first_k_dense_replace makes 1"),
        "{message}"
    );
    let all = refusal(with("deepseek-v3", json!({"first_k_dense_replace": 61})));
    assert_eq!(
        all,
        "The shape has dense_layers = 61, which must be between 1 and 60."
    );
}
