//! Reading `config.json`: the catalogue's shapes, what is said, what is refused, and hostile input.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests"
)]

use model_core::arch::hf_config::{Caveat, ConfigError, Imported, MOST_BYTES, Window, read};
use model_core::arch::{Arch, Attention, Ffn, catalog, params};
use serde_json::{Value, json};

macro_rules! configs {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("configs/", $name, ".json")))),*]
    };
}

/// Excerpts of published files: every field that decides a shape, with its true name and value.
const READ: &[(&str, &str)] = configs![
    "deepseek-v2",
    "deepseek-v2-lite",
    "deepseek-v3",
    "deepseek-v3.2",
    "falcon-7b",
    "glm-4.5",
    "glm-5",
    "gpt-oss-120b",
    "gpt2",
    "kimi-k2",
    "kimi-k2.5",
    "llama-3-70b",
    "llama-3.1-405b",
    "llama-4-scout",
    "minimax-m2",
    "mistral-7b",
    "mixtral-8x22b",
    "opt-66b",
    "qwen1.5-moe-a2.7b",
    "qwen2-0.5b",
    "qwen3-235b-a22b",
    "qwen3-30b-a3b",
];
/// Excerpts of files whose layers the model does not know.
const REFUSED: &[(&str, &str)] =
    configs!["llama-4-maverick", "minimax-text-01", "qwen3-next-80b-a3b"];

fn text(name: &str) -> &'static str {
    let all = READ.iter().chain(REFUSED);
    all.clone().find(|(other, _)| *other == name).unwrap().1
}

fn object(name: &str) -> Value {
    serde_json::from_str(text(name)).unwrap()
}

fn imported(name: &str) -> Imported {
    read(text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Reads a fixture with some root fields set.
fn with(name: &str, fields: Value) -> Result<Imported, ConfigError> {
    let mut value = object(name);
    for (field, other) in fields.as_object().unwrap() {
        value[field] = other.clone();
    }
    read(&value.to_string())
}

fn without(name: &str, field: &str) -> Result<Imported, ConfigError> {
    let mut value = object(name);
    value.as_object_mut().unwrap().remove(field).unwrap();
    read(&value.to_string())
}

fn refusal(result: Result<Imported, ConfigError>) -> String {
    result.map(|import| import.arch).unwrap_err().to_string()
}

/// The shape with 0 for the width of dense layers it does not have.
fn used(arch: Arch) -> Arch {
    let mut used = arch;
    if let Ffn::Moe {
        dense_layers: 0,
        dense_width,
        ..
    } = &mut used.ffn
    {
        *dense_width = 0;
    }
    used
}

#[test]
fn catalogue_models_come_out_as_the_catalogue_has_them() {
    for id in [
        "deepseek-v3",
        "kimi-k2",
        "deepseek-v2",
        "qwen3-235b-a22b",
        "qwen3-30b-a3b",
        "glm-4.5",
        "gpt-oss-120b",
        "mixtral-8x22b",
        "llama-3.1-405b",
        "llama-3-70b",
    ] {
        let expected = catalog::find(id).unwrap().arch;
        assert_eq!(imported(id).arch, expected, "{id}");
    }
    // The catalogue and the file differ in the width of the dense layers MiniMax-M2 does not have.
    let expected = catalog::find("minimax-m2").unwrap().arch;
    assert_eq!(used(imported("minimax-m2").arch), used(expected));
    let k2 = catalog::find("kimi-k2").unwrap().arch;
    assert_eq!(imported("kimi-k2.5").arch, k2);
    let v3 = catalog::find("deepseek-v3").unwrap().arch;
    assert_eq!(imported("deepseek-v3.2").arch, v3);
}

#[test]
fn parameters_of_the_others_are_those_published() {
    // Total in 10⁹; tied embeddings are stored twice here, position embeddings are left out.
    for (name, total, tolerance) in [
        ("deepseek-v2-lite", 15.7, 0.01),
        ("glm-5", 744.0, 0.01),
        ("gpt2", 0.124 + 0.0386, 0.01),
        ("llama-4-scout", 109.0, 0.02),
        ("mistral-7b", 7.24, 0.01),
        ("opt-66b", 66.0, 0.02),
        ("qwen1.5-moe-a2.7b", 14.3, 0.01),
        ("qwen2-0.5b", 0.494 + 0.136, 0.01),
        ("falcon-7b", 6.92 + 0.295, 0.01),
    ] {
        let counted = params::parameters(&imported(name).arch).total / 1e9;
        assert!(
            (counted / total - 1.0).abs() < tolerance,
            "{name}: {counted} for {total}"
        );
    }
}

#[test]
fn what_a_shape_leaves_out_is_said() {
    let quantised = |method: &str| Caveat::Quantised {
        method: Some(method.to_owned()),
    };
    let groups = |used| Caveat::GroupLimitedRouting { groups: 8, used };
    let predicting = |layers| Caveat::PredictingLayers { layers };
    let window = |tokens, layers, of| Caveat::Window {
        kind: Window::Sliding,
        tokens: Some(tokens),
        layers: Some(layers),
        of,
    };
    let part = |read| Caveat::PartOfModel {
        read,
        left_out: vec!["vision_config"],
    };
    let sparse = Caveat::SparseAttention { tokens: Some(2048) };
    for (name, expected) in [
        (
            "deepseek-v3",
            vec![predicting(1), groups(4), quantised("fp8")],
        ),
        (
            "deepseek-v3.2",
            vec![sparse.clone(), predicting(1), groups(4), quantised("fp8")],
        ),
        ("deepseek-v2", vec![groups(3)]),
        ("deepseek-v2-lite", vec![]),
        ("kimi-k2", vec![quantised("fp8")]),
        (
            "kimi-k2.5",
            vec![part(Some("text_config")), quantised("compressed-tensors")],
        ),
        ("glm-4.5", vec![predicting(1)]),
        ("glm-5", vec![sparse, predicting(1)]),
        (
            "gpt-oss-120b",
            vec![window(128, 18, 36), quantised("mxfp4")],
        ),
        ("minimax-m2", vec![predicting(3), quantised("fp8")]),
        ("mixtral-8x22b", vec![]),
        ("mistral-7b", vec![window(4096, 32, 32)]),
        ("llama-3.1-405b", vec![]),
        ("llama-3-70b", vec![]),
        ("qwen3-235b-a22b", vec![]),
        ("qwen3-30b-a3b", vec![]),
        ("qwen2-0.5b", vec![Caveat::TiedEmbeddings]),
        (
            "qwen1.5-moe-a2.7b",
            vec![Caveat::SharedExpertSplit {
                width: 5632,
                experts: 4,
            }],
        ),
        (
            "gpt2",
            vec![
                Caveat::Assumed {
                    field: "intermediate_size",
                    value: 3072,
                    because: "four times the hidden size",
                },
                Caveat::TiedEmbeddings,
            ],
        ),
    ] {
        assert_eq!(imported(name).caveats, expected, "{name}");
    }
    for (name, _) in READ {
        for caveat in imported(name).caveats {
            let sentence = caveat.to_string();
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }
    assert_eq!(
        window(128, 18, 36).to_string(),
        "18 of 36 layers attend to a window of 128 tokens; here they attend to the whole context, \
         so KV memory and attention time are too high for longer contexts."
    );
}

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

#[test]
fn queries_without_a_rank_are_projected_directly() {
    let Attention::Latent { q_rank, .. } = imported("deepseek-v2-lite").arch.attention else {
        panic!("not latent");
    };
    assert_eq!(q_rank, None);
    assert!(
        refusal(without("deepseek-v2-lite", "q_lora_rank")).starts_with("q_lora_rank is missing")
    );
}

#[test]
fn missing_heads_have_their_usual_numbers() {
    let llama = without("llama-3-70b", "num_key_value_heads").unwrap();
    let Attention::Grouped {
        kv_heads, head_dim, ..
    } = llama.arch.attention
    else {
        panic!("not grouped");
    };
    assert_eq!((kv_heads, head_dim), (64, 128));
    assert!(matches!(
        llama.caveats[..],
        [Caveat::Assumed { value: 64, .. }]
    ));
    let falcon = imported("falcon-7b").arch.attention;
    assert!(matches!(
        falcon,
        Attention::Grouped {
            kv_heads: 1,
            head_dim: 64,
            ..
        }
    ));
    assert!(refusal(without("qwen3-30b-a3b", "head_dim")).starts_with("head_dim is missing"));
    let odd = refusal(with("llama-3-70b", json!({"num_attention_heads": 60})));
    assert!(odd.starts_with("head_dim is missing"), "{odd}");
    assert!(with("llama-3-70b", json!({"num_attention_heads": 0})).is_err());
}

#[test]
fn unknown_families_are_read_and_said_to_be() {
    for (name, model_type) in [("llama-3-70b", "newllama"), ("deepseek-v3", "newseek")] {
        let import = with(name, json!({"model_type": model_type})).unwrap();
        assert_eq!(import.arch, imported(name).arch, "{name}");
        let unknown = Caveat::UnknownFamily {
            model_type: Some(model_type.to_owned()),
        };
        assert!(import.caveats.contains(&unknown), "{name}");
    }
    let plain = with(
        "llama-3-70b",
        json!({"model_type": null, "hidden_act": "gelu"}),
    )
    .unwrap();
    assert!(matches!(plain.arch.ffn, Ffn::Dense { matrices: 2, .. }));
    assert!(matches!(
        plain.caveats[..],
        [
            Caveat::UnknownFamily { model_type: None },
            Caveat::Assumed { value: 2, .. }
        ]
    ));
    let experts = with("mixtral-8x22b", json!({"model_type": "newmix"})).unwrap();
    assert_eq!(experts.arch, imported("mixtral-8x22b").arch);
    assert_eq!(experts.caveats.len(), 2);
    let lists = with(
        "llama-3-70b",
        json!({"new_sizes": (0..80).collect::<Vec<_>>()}),
    )
    .unwrap();
    let field = "new_sizes".to_owned();
    assert_eq!(lists.caveats, [Caveat::PerLayer { field }]);
}

#[test]
fn names_are_not_the_paths_of_a_disk() {
    for (path, name) in [
        (
            "meta-llama/Meta-Llama-3.1-70B",
            Some("meta-llama/Meta-Llama-3.1-70B"),
        ),
        ("/data/models/llama-70b/", Some("llama-70b")),
        ("C:\\models\\llama", Some("llama")),
        ("", None),
        ("/", None),
    ] {
        let import = with("llama-3-70b", json!({"_name_or_path": path})).unwrap();
        assert_eq!(import.name.as_deref(), name);
    }
}

#[test]
fn texts_that_are_no_config_are_refused_with_the_place() {
    assert_eq!(
        read("{\"a\": 1,\n oops}"),
        Err(ConfigError::NotJson {
            line: 2,
            column: 2,
            message: "key must be a string".into()
        })
    );
    assert_eq!(read("[1]"), Err(ConfigError::NotAnObject));
    assert!(matches!(read(""), Err(ConfigError::NotJson { .. })));
    assert!(matches!(
        read("{\"hidden_size\": NaN}"),
        Err(ConfigError::NotJson { .. })
    ));
    assert!(refusal(read("{}")).starts_with("hidden_size is missing; it is needed for"));
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(matches!(read(&deep), Err(ConfigError::NotJson { .. })));
    let long = " ".repeat(MOST_BYTES + 1);
    let (bytes, most) = (MOST_BYTES + 1, MOST_BYTES);
    assert_eq!(read(&long), Err(ConfigError::TooLong { bytes, most }));
    let marked = format!("\u{feff}{}", text("llama-3-70b"));
    assert_eq!(read(&marked), read(text("llama-3-70b")));
    assert!(refusal(read("{\"text_config\": 3}")).starts_with("text_config is 3"));
    assert!(
        refusal(read("{\"text_config\": {\"a\": 1}}"))
            .starts_with("text_config.hidden_size is missing")
    );
}

/// Fields without which a file does not say its shape.
fn decides(name: &str, field: &str, import: &Imported) -> bool {
    let latent = matches!(import.arch.attention, Attention::Latent { .. });
    match field {
        "hidden_size"
        | "n_embd"
        | "num_hidden_layers"
        | "n_layer"
        | "vocab_size"
        | "num_attention_heads"
        | "n_head"
        | "ffn_dim"
        | "kv_lora_rank"
        | "q_lora_rank"
        | "qk_nope_head_dim"
        | "qk_rope_head_dim"
        | "moe_intermediate_size"
        | "num_experts"
        | "n_routed_experts"
        | "num_local_experts"
        | "n_shared_experts"
        | "first_k_dense_replace"
        | "shared_expert_intermediate_size"
        | "layer_types"
        | "index_topk"
        | "multi_query" => true,
        "v_head_dim" => latent,
        "num_key_value_heads" => !latent,
        "head_dim" => !latent && name != "llama-4-scout",
        // gpt-oss writes it twice.
        "num_experts_per_tok" => name != "gpt-oss-120b",
        // Qwen3 has no layer of this width.
        "intermediate_size" => !name.starts_with("qwen3-"),
        _ => false,
    }
}

/// The places of all fields, those of a nested language model included.
fn fields(value: &Value) -> Vec<(Option<&'static str>, String)> {
    let names = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let mut all: Vec<_> = names(value).into_iter().map(|name| (None, name)).collect();
    if let Some(inner) = value.get("text_config") {
        all.extend(
            names(inner)
                .into_iter()
                .map(|name| (Some("text_config"), name)),
        );
    }
    all
}

fn set(value: &Value, inside: Option<&str>, field: &str, to: Option<Value>) -> Value {
    let mut changed = value.clone();
    let place = match inside {
        Some(inside) => &mut changed[inside],
        None => &mut changed,
    };
    let place = place.as_object_mut().unwrap();
    match to {
        Some(to) => place.insert(field.to_owned(), to),
        None => place.remove(field),
    };
    changed
}

fn hostile() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(0.5),
        json!(1e300),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(16_777_216),
        json!(""),
        json!("12"),
        json!([]),
        json!([1, "x", null]),
        json!(vec![1; 2_000]),
        json!({}),
        json!({"a": {"b": []}}),
    ]
}

/// Whatever is read is a shape that can be computed with.
fn sound(result: &Result<Imported, ConfigError>) {
    match result {
        Ok(import) => {
            import.arch.check().unwrap();
            let counted = params::parameters(&import.arch);
            assert!(counted.total.is_finite() && counted.active <= counted.total);
            assert!(
                import
                    .caveats
                    .iter()
                    .all(|caveat| caveat.to_string().len() < 1000)
            );
        }
        Err(error) => assert!(error.to_string().len() < 1000),
    }
}

#[test]
fn no_field_that_decides_can_be_dropped_unnoticed() {
    let mut deciding = 0;
    for (name, text) in READ {
        let (whole, value) = (imported(name), object(name));
        for (inside, field) in fields(&value) {
            let dropped = read(&set(&value, inside, &field, None).to_string());
            sound(&dropped);
            let decides = decides(name, &field, &whole);
            deciding += u32::from(decides);
            let Ok(dropped) = dropped else { continue };
            if decides {
                assert!(
                    (dropped.arch, &dropped.caveats) != (whole.arch, &whole.caveats),
                    "{name} without {field} is the same"
                );
            }
            assert!(
                used(dropped.arch) == used(whole.arch) || dropped.caveats != whole.caveats,
                "{name} without {field} changes in silence"
            );
        }
        assert_eq!(read(text).unwrap(), whole);
    }
    assert!(deciding > 200, "only {deciding} fields were tried");
}

#[test]
fn no_field_that_decides_can_be_altered_unnoticed() {
    for (name, _) in READ.iter().chain(REFUSED) {
        let (whole, value) = (read(text(name)), object(name));
        for (inside, field) in fields(&value) {
            let place = inside.map_or(&value, |inside| &value[inside]);
            let deciding = whole
                .as_ref()
                .is_ok_and(|whole| decides(name, &field, whole));
            let number = place[&field].as_u64().filter(|_| deciding);
            if let Some(number) = number {
                let twice = read(&set(&value, inside, &field, Some(json!(2 * number))).to_string());
                assert!(twice != whole, "{name} with twice {field} is the same");
            }
            for other in hostile() {
                let wrong = !other.is_null() && !other.is_u64();
                let shown = other.to_string();
                let altered = read(&set(&value, inside, &field, Some(other)).to_string());
                sound(&altered);
                if number.is_some() && wrong {
                    let message = refusal(altered);
                    assert!(
                        message.contains(&field),
                        "{name}, {field} = {shown}: {message}"
                    );
                }
            }
        }
    }
}

#[test]
fn files_altered_at_random_are_read_or_refused() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let all: Vec<Value> = READ
        .iter()
        .chain(REFUSED)
        .map(|(name, _)| object(name))
        .collect();
    let hostile = hostile();
    for _ in 0..3000 {
        let mut value = all[random(all.len())].clone();
        for _ in 0..=random(4) {
            let places = fields(&value);
            let (inside, field) = &places[random(places.len())];
            let other = match random(3) {
                0 => None,
                1 => Some(hostile[random(hostile.len())].clone()),
                _ => {
                    // A field of another model.
                    let donor = &all[random(all.len())];
                    let names: Vec<_> = donor.as_object().unwrap().keys().collect();
                    let name = names[random(names.len())];
                    value = set(&value, None, name, Some(donor[name].clone()));
                    continue;
                }
            };
            // What is read goes on being an object with fields.
            if field != "text_config" {
                value = set(&value, *inside, field, other);
            }
        }
        sound(&read(&value.to_string()));
    }
    for (_, text) in READ {
        for (end, _) in text.char_indices() {
            sound(&read(&text[..end]));
        }
    }
}
