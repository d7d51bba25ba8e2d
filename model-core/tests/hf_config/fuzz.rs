//! Fuzzes `config.json` files: a removed, changed or mutated field must not cause a panic or be ignored silently.

use super::*;

/// Returns true if the model shape read from this `config.json` file depends on `field`.
fn decides(name: &str, field: &str, import: &Imported) -> bool {
    let latent = |part: &model_core::arch::Layered<Mixer>| matches!(part.shape, Mixer::Latent(_));
    let latent = import.arch.mixers().iter().any(latent);
    match field {
        "hidden_size"
        | "num_hidden_layers"
        | "vocab_size"
        | "num_attention_heads"
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
        | "index_topk" => true,
        "v_head_dim" => latent,
        "num_key_value_heads" => !latent,
        "head_dim" => !latent && name != "llama-4-scout",
        // gpt-oss also has this number as `experts_per_token`.
        "num_experts_per_tok" => name != "gpt-oss-120b",
        "sliding_window" => ["mistral-7b", "gpt-oss-120b"].contains(&name),
        // Qwen's MoE models have no layer with this width.
        "intermediate_size" => !name.starts_with("qwen3-") && name != "qwen1.5-moe-a2.7b",
        _ => false,
    }
}

/// Returns the names of all fields of a `config.json` file, including those of a nested language model.
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

/// Checks that the shape of a successfully read `config.json` file is valid, and that the texts of caveats and errors
/// are short.
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
fn dropped_fields_are_noticed() {
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
            // Model families have different defaults for this field.
            let tied = field == "tie_word_embeddings";
            assert!(
                tied || dropped.arch == whole.arch || dropped.caveats != whole.caveats,
                "{name} without {field} changes in silence"
            );
        }
        assert_eq!(read(text).unwrap(), whole);
    }
    assert!(deciding > 200, "only {deciding} fields were tried");
}

#[test]
fn altered_fields_are_noticed() {
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
fn random_mutations() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let all: Vec<Value> = READ
        .iter()
        .chain(LAYERED)
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
                    // A field from another model.
                    let donor = &all[random(all.len())];
                    let names: Vec<_> = donor.as_object().unwrap().keys().collect();
                    let name = names[random(names.len())];
                    value = set(&value, None, name, Some(donor[name].clone()));
                    continue;
                }
            };
            // The language model has to stay an object.
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
