//! Tests of user-defined models and accelerators. After a `config.json` is pasted, a confirmation with the model's
//! name is visible on the screen. A text that is too long is refused before it is read. A line of specifications sets
//! an accelerator.

use ridgepoint_tests::driver::{Page, Result, View, on_page};
use serde_json::json;

use crate::reader::{open_group, query, reads};

const PASTE: &str = "const box = document.querySelector('.own-model textarea');\
    box.closest('details').open = true;\
    box.value = arguments[0].repeat(arguments[1]); box.dispatchEvent(new Event('input', { bubbles: true }))";

/// Script that returns the text under the field for a model's `config.json`, or an empty string if the text is out of
/// view.
const SAID: &str = "const said = document.querySelector('.own-model [aria-live]');\
    const at = said.getBoundingClientRect();\
    return at.height > 0 && at.top >= 0 && at.top < innerHeight ? said.innerText : ''";

const CONFIG: &str = r#"{ "model_type": "qwen3", "hidden_size": 4096, "num_hidden_layers": 36,
    "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288,
    "vocab_size": 151936, "tie_word_embeddings": false, "some_new_key": 3 }"#;

fn open_field(page: &Page) -> Result {
    page.open("v=2")?;
    // On a phone the groups are in a sheet.
    if let Some(sheet) = page.css_all(".dock .icon-button")?.first()
        && sheet.is_shown()?
    {
        sheet.click()?;
        page.settle()?;
    }
    open_group(page, "Model")?;
    page.wait_for(
        "the field",
        || page.css_all(".own-model textarea"),
        |found| !found.is_empty(),
    )?;
    Ok(())
}

/// Checks the confirmation, the caveats and the name of a pasted model. The state of the paste field survives the
/// change of the scenario that the paste causes.
#[test]
fn a_pasted_config_is_confirmed_in_view() -> Result {
    for view in [View::DESKTOP, View::PHONE] {
        on_page(view, |page| {
            open_field(page)?;
            page.run(PASTE, &[json!(CONFIG), json!(1)])?;
            query(page, "the model's name", |query| {
                query.contains("model_name=qwen3")
            })?;
            let said = page.wait_for(
                "the confirmation",
                || page.run(SAID, &[]),
                |said| {
                    said.as_str()
                        .is_some_and(|said| said.contains("Loaded qwen3"))
                },
            )?;
            let said = said.as_str().unwrap_or_default().to_owned();
            assert!(said.contains("Ignored keys: some_new_key"), "{said}");
            Ok(())
        })?;
    }
    Ok(())
}

/// Checks that a 20 MB text is refused because of its length, before it is copied.
#[test]
fn a_long_text_is_refused_by_its_length() -> Result {
    on_page(View::DESKTOP, |page| {
        open_field(page)?;
        page.run(PASTE, &[json!("x".repeat(1000)), json!(20_000)])?;
        page.wait_for(
            "the refusal",
            || page.run(SAID, &[]),
            |said| said.as_str().is_some_and(|said| said.contains("max 1 MB")),
        )?;
        Ok(())
    })
}

/// Checks that a line of specifications sets the fields of an accelerator, and that unread parts of the line are
/// named.
#[test]
fn specifications_are_read_from_a_line() -> Result {
    const TYPED: &str = "1.5 PFLOPS FP8, 192 GB at 6 TB/s, 16 × 400 GB/s, fast";
    const ENTER: &str = "const [field, text] = arguments; field.value = text;\
        field.dispatchEvent(new Event('change', { bubbles: true }))";
    on_page(View::DESKTOP, |page| {
        page.open("v=3&gpu=custom&peak_fp8=100&hbm=1000&capacity=80&gpus=16")?;
        open_group(page, "Hardware")?;
        let field = page.css(".picker input[placeholder*=PFLOPS]")?;
        field.call(ENTER, &json!(TYPED))?;
        query(page, "its numbers", |query| {
            [
                "peak_fp8=1500",
                "hbm=6000",
                "capacity=192",
                "domain=16",
                "scale_up=400",
            ]
            .iter()
            .all(|pair| query.contains(pair))
        })?;
        reads(page, "Not read: fast.")?;
        Ok(())
    })
}
