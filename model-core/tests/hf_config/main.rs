//! Tests the reading of `config.json` files: shapes that match the catalog, caveats, refusals and hostile input.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests"
)]

mod fuzz;
mod layers;

use model_core::arch::hf_config::{Caveat, ConfigError, Imported, MOST_BYTES, Window, read};
use model_core::arch::{Arch, Ffn, Grouped, Latent, Mixer, catalog, params};
use serde_json::{Value, json};

macro_rules! configs {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../configs/", $name, ".json")))),*]
    };
}

/// Excerpts of published `config.json` files with every field that affects the shape. Each of these models has a
/// single type of attention, in full or windowed layers.
const READ: &[(&str, &str)] = configs![
    "deepseek-v2",
    "deepseek-v2-lite",
    "deepseek-v3",
    "deepseek-v3.2",
    "glm-4.5",
    "glm-5",
    "gpt-oss-120b",
    "kimi-k2",
    "kimi-k2.5",
    "llama-3-70b",
    "llama-3.1-405b",
    "llama-4-scout",
    "minimax-m2",
    "mistral-7b",
    "mixtral-8x22b",
    "qwen1.5-moe-a2.7b",
    "qwen2-0.5b",
    "qwen3-235b-a22b",
    "qwen3-30b-a3b",
];
#[test]
fn mtp_heads_are_in_published_files() {
    let mut seen = 0;
    for (name, text) in READ.iter().chain(LAYERED) {
        let Some(entry) = catalog::find(name) else {
            continue;
        };
        // JSON has no `Infinity`, and no MTP field has this value.
        let file: Value = serde_json::from_str(&text.replace("Infinity", "0")).unwrap();
        let counted = |file: &Value| {
            ["num_nextn_predict_layers", "mtp_num_hidden_layers"]
                .iter()
                .any(|key| file[key].as_f64().is_some_and(|count| count > 0.0))
        };
        let has = counted(&file) || counted(&file["text_config"]);
        assert!(has || !entry.drafts, "{name}");
        seen += usize::from(entry.drafts);
    }
    assert!(seen >= 8, "{seen}");
}

/// Excerpts of published `config.json` files: models with several types of layers, and later releases.
const LAYERED: &[(&str, &str)] = configs![
    "deepseek-v4-flash",
    "deepseek-v4-flash-ref",
    "deepseek-v4-pro",
    "gemma-3-12b",
    "gemma-3-27b",
    "gemma-3-4b",
    "gemma-4-26b-a4b",
    "gemma-4-31b",
    "glm-5.1-nvfp4",
    "glm-5.2",
    "glm-5.3-flash",
    "gpt-oss-20b",
    "inkling",
    "laguna-xs-2.1",
    "ling-3.0-flash",
    "ling-3.0-tiny",
    "mellum2-12b-a2.5b",
    "muse-glimmer-30b",
    "muse-glimmer-30b-flat",
    "kimi-k2.6-nvfp4",
    "kimi-k3",
    "kimi-linear-48b",
    "llama-3.1-8b",
    "llama-4-maverick",
    "mimo-7b",
    "mimo-v2-flash",
    "minimax-m1",
    "minimax-m2.7",
    "minimax-m3",
    "minimax-m3-nvfp4",
    "minimax-text-01",
    "mixtral-8x7b",
    "nemotron-3-nano-30b-a3b",
    "nemotron-3-super-120b-a12b",
    "nemotron-3-ultra-550b-a55b",
    "nemotron-h-56b",
    "qwen3-0.6b",
    "qwen3-32b",
    "qwen3-8b-vl",
    "qwen3-coder-480b-a35b",
    "qwen3-next-80b-a3b",
    "qwen3-vl-235b-a22b",
    "qwen3.5-122b-a10b",
    "qwen3.5-27b",
    "qwen3.5-35b-a3b",
    "qwen3.5-397b-a17b",
    "qwen3.6-35b-a3b-nvfp4",
    "qwen3.8-flash-next",
    "qwen3.8-flash-next-nemo",
    "step-3",
    "step-3.5-flash",
];
/// `config.json` files that must be refused: their shape is incomplete, or they have layers that are not modeled.
const REFUSED: &[(&str, &str)] = configs![
    "deepseek-v4.1-flash",
    "lfm2.5-8b-a1b",
    "longcat-flash-lite-sparse",
    "step-3.7-flash",
];

fn text(name: &str) -> &'static str {
    let all = READ.iter().chain(LAYERED).chain(REFUSED);
    all.clone().find(|(other, _)| *other == name).unwrap().1
}

fn object(name: &str) -> Value {
    serde_json::from_str(&text(name).replace("Infinity", "1e308")).unwrap()
}

fn imported(name: &str) -> Imported {
    read(text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Reads an example `config.json` file after setting some of its root fields.
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

/// Returns the mixer of a model; panics if its layers have different mixers.
fn only_mixer(arch: &Arch) -> Mixer {
    let [part] = arch.mixers() else {
        panic!("several mixers");
    };
    part.shape
}

#[test]
fn files_give_catalogue_shapes() {
    for id in [
        "deepseek-v3",
        "kimi-k2",
        "deepseek-v2",
        "qwen3-235b-a22b",
        "qwen3-30b-a3b",
        "glm-4.5",
        "mixtral-8x22b",
        "llama-3.1-405b",
        "llama-3-70b",
        "minimax-m2",
        "deepseek-v3.2",
        "glm-5",
        "gpt-oss-120b",
    ] {
        let expected = catalog::find(id).unwrap().arch;
        assert_eq!(imported(id).arch, expected, "{id}");
    }
    let k2 = catalog::find("kimi-k2").unwrap().arch;
    assert_eq!(imported("kimi-k2.5").arch, k2);
}

#[test]
fn published_parameter_counts() {
    // Total in 10⁹; position embeddings are left out.
    for (name, total, tolerance) in [
        ("deepseek-v2-lite", 15.7, 0.01),
        ("glm-5", 744.0, 0.01),
        ("llama-4-scout", 109.0, 0.02),
        ("mistral-7b", 7.24, 0.01),
        ("qwen1.5-moe-a2.7b", 14.3, 0.01),
        ("qwen2-0.5b", 0.494, 0.01),
    ] {
        let counted = params::parameters(&imported(name).arch).total / 1e9;
        assert!(
            (counted / total - 1.0).abs() < tolerance,
            "{name}: {counted} for {total}"
        );
    }
}

#[test]
fn caveats_for_parts_left_out() {
    let quantised = |method: &str| Caveat::Quantised {
        method: Some(method.to_owned()),
    };
    let groups = |used| Caveat::GroupLimitedRouting { groups: 8, used };
    let predicting = |layers| Caveat::PredictingLayers { layers };
    let part = |read| Caveat::PartOfModel {
        read,
        left_out: vec!["vision_config"],
    };
    for (name, expected) in [
        (
            "deepseek-v3",
            vec![predicting(1), groups(4), quantised("fp8")],
        ),
        (
            "deepseek-v3.2",
            vec![predicting(1), groups(4), quantised("fp8")],
        ),
        ("deepseek-v2", vec![groups(3)]),
        ("deepseek-v2-lite", vec![]),
        ("kimi-k2", vec![quantised("fp8")]),
        (
            "kimi-k2.5",
            vec![part(Some("text_config")), quantised("compressed-tensors")],
        ),
        ("glm-4.5", vec![predicting(1)]),
        ("glm-5", vec![predicting(1)]),
        ("gpt-oss-120b", vec![quantised("mxfp4")]),
        ("minimax-m2", vec![predicting(3), quantised("fp8")]),
        ("mixtral-8x22b", vec![]),
        ("mistral-7b", vec![]),
        ("llama-3.1-405b", vec![]),
        ("llama-3-70b", vec![]),
        ("qwen3-235b-a22b", vec![]),
        ("qwen3-30b-a3b", vec![]),
        ("qwen2-0.5b", vec![]),
        ("qwen1.5-moe-a2.7b", vec![]),
    ] {
        assert_eq!(imported(name).caveats, expected, "{name}");
    }
    for (name, _) in READ {
        for caveat in imported(name).caveats {
            let sentence = caveat.to_string();
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }
}

#[test]
fn direct_query_projection() {
    let Mixer::Latent(Latent { q_rank, .. }) = only_mixer(&imported("deepseek-v2-lite").arch)
    else {
        panic!("not latent");
    };
    assert_eq!(q_rank, None);
    assert!(
        refusal(without("deepseek-v2-lite", "q_lora_rank")).starts_with("Missing q_lora_rank,")
    );
}

#[test]
fn missing_heads_have_their_usual_numbers() {
    let llama = without("llama-3-70b", "num_key_value_heads").unwrap();
    let Mixer::Grouped(Grouped {
        kv_heads, head_dim, ..
    }) = only_mixer(&llama.arch)
    else {
        panic!("not grouped");
    };
    assert_eq!((kv_heads, head_dim), (64, 128));
    assert!(matches!(
        llama.caveats[..],
        [Caveat::Assumed { value: 64, .. }]
    ));
    assert!(refusal(without("qwen3-30b-a3b", "head_dim")).starts_with("Missing head_dim,"));
    let odd = refusal(with("llama-3-70b", json!({"num_attention_heads": 60})));
    assert!(odd.starts_with("Missing head_dim,"), "{odd}");
    assert!(with("llama-3-70b", json!({"num_attention_heads": 0})).is_err());
}

#[test]
fn unknown_families_are_read_and_said_to_be() {
    for (name, model_type) in [("llama-3-70b", "newllama"), ("deepseek-v3", "newseek")] {
        let fields = json!({"model_type": model_type, "architectures": null});
        let import = with(name, fields).unwrap();
        assert_eq!(import.arch, imported(name).arch, "{name}");
        let unknown = Caveat::UnknownFamily {
            model_type: Some(model_type.to_owned()),
        };
        assert!(import.caveats.contains(&unknown), "{name}");
    }
    let plain = with(
        "llama-3-70b",
        json!({"model_type": null, "architectures": null, "hidden_act": "gelu"}),
    )
    .unwrap();
    let ffn = plain.arch.ffns()[0].shape;
    assert!(matches!(ffn, Ffn::Dense(dense) if dense.matrices == 2));
    assert!(matches!(
        plain.caveats[..],
        [
            Caveat::UnknownFamily { model_type: None },
            Caveat::Assumed { value: 2, .. }
        ]
    ));
    let experts = with(
        "mixtral-8x22b",
        json!({"model_type": "newmix", "architectures": null}),
    )
    .unwrap();
    assert_eq!(experts.arch, imported("mixtral-8x22b").arch);
    assert_eq!(experts.caveats.len(), 2);
    let lists = with(
        "llama-3-70b",
        json!({"new_sizes": (0..80).collect::<Vec<_>>()}),
    )
    .unwrap();
    assert_eq!(lists.unread, ["new_sizes"]);
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
        // Without a name, the model type is used as the name.
        ("", Some("llama")),
        ("/", Some("llama")),
    ] {
        let import = with("llama-3-70b", json!({"_name_or_path": path})).unwrap();
        assert_eq!(import.name.as_deref(), name);
    }
}

#[test]
fn invalid_texts_are_refused() {
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
    assert!(refusal(read("{}")).starts_with("Missing hidden_size, needed for"));
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
            .starts_with("Missing text_config.hidden_size,")
    );
}

/// Checks that every field of the published `config.json` files is read, except for one known field, and that unknown
/// fields are listed as unread.
#[test]
fn unread_fields_are_listed() {
    for (name, _) in READ.iter().chain(LAYERED) {
        // Inkling's dense layers use dense_intermediate_size, and its experts moe_intermediate_size.
        let expected: &[&str] = match *name {
            "inkling" => &["text_config.intermediate_size"],
            _ => &[],
        };
        assert_eq!(imported(name).unread, expected, "{name}");
    }
    let gate = json!({"attn_gate": "elementwise", "rope_theta": 1e4, "new_flag": false});
    let import = with("llama-3-70b", gate).unwrap();
    assert_eq!(import.unread, ["attn_gate"]);
    let linear = json!({"kda_layers": [], "gate_rank": 64, "num_heads": 64, "head_dim": 128});
    let mut file = object("glm-5.3-flash");
    file["text_config"]["linear_attn_config"] = linear;
    let import = read(&file.to_string()).unwrap();
    assert_eq!(import.unread, ["linear_attn_config.gate_rank"]);
}
