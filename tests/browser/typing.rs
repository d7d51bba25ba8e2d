//! Tests of typed values, in various notations and as unreadable text.

use ridgepoint_tests::driver::{Page, Result, View, key, on_page};
use serde_json::json;

use crate::reader::{agrees, enter, field, query, reads, value};

/// A field, the typed text, the resulting value, and the resulting `key=value` in the permalink (empty for a default
/// value).
struct Typed(&'static str, &'static str, f64, &'static str);

const UNITS: [Typed; 9] = [
    Typed("Context, tok", "32k", 32_768.0, "context=32k"),
    Typed("Context, tok", "1M", 1_048_576.0, "context=1M"),
    Typed("Context, tok", "2,000", 2000.0, ""),
    Typed("Scale-out, GB/s", "400Gb", 50.0, ""),
    Typed("Scale-out, GB/s", "0.08T", 80.0, "scale_out=80"),
    Typed("Scale-out, GB/s", "80G", 80.0, "scale_out=80"),
    Typed("Batch, seq", "36k", 36_000.0, "batch=36000"),
    Typed("GPUs", "1_44", 144.0, "gpus=144"),
    Typed("Balancedness", ".5", 0.5, "beta=0.5"),
];

#[test]
fn units_are_read_as_people_write_them() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for Typed(name, text, wanted, link) in &UNITS {
            enter(page, name, "77")?;
            enter(page, name, text)?;
            page.wait_for(
                &format!("{name} to be {wanted} after “{text}”"),
                || value(page, name),
                |now| (now - wanted).abs() < 1e-9,
            )?;
            let wanted = format!("v=1&{link}");
            let wanted = wanted.trim_end_matches('&');
            query(
                page,
                &format!("“{wanted}” after “{text}”"),
                |query| query == wanted,
            )?;
            agrees(page)?;
            enter(page, name, "default")?;
        }
        Ok(())
    })
}

/// Fields, each with an unreadable text and part of the error that it causes.
const NONSENSE: [(&str, &str, &str); 6] = [
    ("Context, tok", "long", "“long” is not a number"),
    ("Balancedness", "2", "“2” must be > 0 and ≤ 1"),
    ("GPUs", "0", "“0” must be between 1 and 4096"),
    ("GPUs", "72.5", "“72.5” must be"),
    (
        "Batch, seq",
        "1e99",
        "“1e99” must be between 1 and 10000000",
    ),
    ("Scale-out, GB/s", "-5", "“-5” "),
];

#[test]
fn nonsense_is_refused_beside_the_field() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("beta=0.6")?;
        // Error bands appear after the first paint.
        page.settle()?;
        let before = agrees(page)?;
        for (name, text, reason) in NONSENSE {
            let old = field(page, name)?.value()?;
            enter(page, name, text)?;
            reads(page, reason)?;
            let typed = field(page, name)?;
            assert_eq!(
                typed.attribute("aria-invalid")?.as_deref(),
                Some("true"),
                "{name}"
            );
            assert_eq!(typed.value()?, text, "what was typed can be corrected");
            beside(page, name, reason)?;
            assert_eq!(agrees(page)?, before, "the old value holds");
            assert_eq!(page.query()?, "beta=0.6", "and the address stays");

            page.keys(&key::ESCAPE.to_string())?;
            let shown = || field(page, name)?.value();
            page.wait_for(&format!("{name} as it was"), shown, |now| *now == old)?;
            assert!(
                !page.text()?.contains(reason),
                "the reason is gone with the text"
            );
        }
        Ok(())
    })
}

/// Checks that the top of a field's error message is less than 60 px below the field.
fn beside(page: &Page, name: &str, reason: &str) -> Result {
    let script = "const field = arguments[0].getBoundingClientRect();\
        const alerts = [...document.querySelectorAll('[role=alert]')];\
        const alert = alerts.find(alert => alert.innerText.includes(arguments[1]));\
        return alert ? alert.getBoundingClientRect().top - field.bottom : 'not there'";
    let away = field(page, name)?.call(script, &json!(reason))?;
    let near = away
        .as_f64()
        .is_some_and(|pixels| (0.0..60.0).contains(&pixels));
    assert!(near, "{away} px below {name}");
    Ok(())
}

#[test]
fn an_empty_field_means_the_default() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("context=32k&beta=0.6")?;
        agrees(page)?;
        let context = field(page, "Context, tok")?;
        context.call(
            "arguments[0].focus(); arguments[0].value = ''",
            &json!(null),
        )?;
        page.keys(&key::ENTER.to_string())?;
        query(page, "the default context", |query| query == "v=1&beta=0.6")?;
        assert_eq!(field(page, "Context, tok")?.value()?, "2,000");
        page.named("button", "reset")?.click()?;
        query(page, "the default scenario", |query| query == "v=3")?;
        agrees(page).map(drop)
    })
}

/// Checks that leaving a field with Tab enters its text: an unreadable text gives an error, and the corrected text
/// removes the error.
#[test]
fn leaving_a_field_enters_it() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        let batch = field(page, "Batch, seq")?;
        batch.type_over("abc")?;
        page.keys(&key::TAB.to_string())?;
        reads(page, "“abc” is not a number")?;
        batch.type_over("9216")?;
        page.keys(&key::TAB.to_string())?;
        query(page, "the corrected batch", |query| {
            query.contains("batch=9216")
        })?;
        assert!(!page.text()?.contains("is not a number"));
        agrees(page).map(drop)
    })
}
