//! Tests of the mode *Lamina*: attention on memory devices, all other operators on compute devices.

use model_core::lamina::alternative::user_rate;
use model_core::lamina::{evaluate, slo};
use ridgepoint_tests::driver::{Page, Result, View, key, on_page};
use serde_json::{Value, json};

use crate::reader::{enter, item, number, painted, plot, query, stated, text, verdict_with};

const LAMINA: &str = "v=1&view=disagg&mode=split&model=llama-3-70b&gpus=4&batch=42&context=12206&precision=bf16\
                      &overlap=none&calibration=lamina&reserve=0.1";

/// Charts of the Lamina mode: the identifier of each chart in permalinks, and its question.
const CHARTS: [(&str, &str); 5] = [
    ("split-time", "Where does the step time go?"),
    ("split-rotation", "Idle time"),
    ("split-bandwidth", "How fast must the network be?"),
    ("split-degrees", "What does the budget buy?"),
    ("apart", "Colocated or disaggregated?"),
];

/// Returns the Lamina deployment's row of the table: throughput, interactivity, and step time.
fn figures(page: &Page) -> Result<Vec<String>> {
    let script = "return ['throughput', 'per user', 'step'].map(column => document.querySelector(\
        `.split-table tr.split td[data-column=\"${column}\"] > span`)?.textContent ?? '')";
    Ok(crate::reader::texts(&page.run(script, &[])?))
}

/// Waits until the Lamina deployment's row in the table agrees with the model. The model evaluates the permalink in the
/// address bar at the interactivity of the comparison.
fn agrees(page: &Page) -> Result {
    page.wait_until("figures that are the model's for the link", || {
        let (link, shown) = (page.query()?, figures(page)?);
        let inputs = model_core::permalink::read(&link).current;
        let users = user_rate(&inputs);
        let Some(split) = slo::served(&inputs, users)
            .ok()
            .and_then(|setup| evaluate(&setup).ok())
        else {
            return Ok(Err(format!("no split at {link}")));
        };
        let wanted = [
            ("throughput", split.tokens, 1.0),
            ("per user", split.tokens_per_user, 1.0),
            ("step", split.step.get(), 1e3),
        ];
        for (value, (name, of_model, scale)) in shown.iter().zip(wanted) {
            let of_model = of_model * scale;
            // The cell of the step contains the unit; a rate below the target is followed by " of " and the target.
            let value = value.split(" of ").next().unwrap_or_default();
            let (value, scale) = match (value.strip_suffix(" ms"), value.strip_suffix(" s")) {
                (Some(value), _) => (value, 1.0),
                (_, Some(value)) => (value, 1e3),
                _ => (value, 1.0),
            };
            let Ok(seen) = number(value).map(|seen| seen * scale) else {
                return Ok(Err(format!("{name} reads “{value}” at {link}")));
            };
            if (seen - of_model).abs() > 0.0051 * of_model.abs() {
                return Ok(Err(format!("{name} {seen}, not {of_model}, at {link}")));
            }
        }
        Ok(Ok(()))
    })
}

fn unfold(page: &Page) -> Result {
    page.run(
        "document.querySelectorAll('.chart-fold > button[aria-expanded=false]').forEach(fold => fold.click())",
        &[],
    )?;
    page.settle()
}

fn tip(page: &Page, question: &str) -> Result<String> {
    let script = "const tip = arguments[0].querySelector('[role=status]');\
        return tip && tip.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? tip.innerText : ''";
    Ok(text(&plot(page, question)?.call(script, &Value::Null)?).to_owned())
}

fn in_view(page: &Page, question: &str) -> Result {
    plot(page, question)?.call(
        "arguments[0].scrollIntoView({ block: 'center' })",
        &Value::Null,
    )?;
    page.settle()
}

#[test]
fn devices_are_typed_and_taken_back() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(&format!("{LAMINA}&trace=kimi-conv"))?;
        agrees(page)?;
        enter(page, "Memory devices", "8")?;
        query(page, "eight memory devices", |query| {
            query.contains("memory_gpus=8")
        })?;
        agrees(page)?;
        page.back()?;
        query(page, "four again", |query| !query.contains("memory_gpus"))?;
        agrees(page)
    })
}

#[test]
fn a_refusal_offers_its_choices() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(&format!("{LAMINA}&memory_gpus=5"))?;
        verdict_with(page, "Invalid plan")?;
        item(page, ".trouble-choices button", "Use 4 memory devices")?.click()?;
        // Four is the default.
        query(page, "four memory devices", |query| {
            !query.contains("memory_gpus")
        })?;
        agrees(page)
    })
}

#[test]
fn both_sides_take_any_accelerator() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(&format!("{LAMINA}&gpu=h200"))?;
        page.css("#unpriced-compute")?;
        page.css("select[aria-label='Memory accelerator']")?.call(
            "arguments[0].value = 'mi300x'; arguments[0].dispatchEvent(new Event('change', { bubbles: true }))",
            &Value::Null,
        )?;
        query(page, "MI300X", |query| query.contains("memory_gpu=mi300x"))?;
        page.wait_for(
            "MI300X in the table",
            || page.css(".split-table")?.text(),
            |text| text.contains("MI300X"),
        )?;
        agrees(page)
    })
}

#[test]
fn every_chart_has_keyboard_access() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(&format!("{LAMINA}&trace=kimi-conv"))?;
        agrees(page)?;
        unfold(page)?;
        for (_, question) in CHARTS {
            in_view(page, question)?;
            painted(page, question)?;
            let chart = plot(page, question)?;
            chart.focus()?;
            page.keys(&key::RIGHT.to_string())?;
            let said = page.wait_for(
                &format!("a tooltip of “{question}”"),
                || tip(page, question),
                |said| !said.is_empty(),
            )?;
            assert!(said.lines().count() >= 3, "{question}: {said}");
        }
        Ok(())
    })
}

#[test]
fn a_split_in_the_search_is_taken_by_enter() -> Result {
    const BUDGET: &str = "What does the budget buy?";
    on_page(View::DESKTOP, |page| {
        page.open(&format!(
            "{LAMINA}&trace=kimi-conv&compute_gpus=4&memory_gpus=8&budget=100"
        ))?;
        agrees(page)?;
        in_view(page, BUDGET)?;
        painted(page, BUDGET)?;
        plot(page, BUDGET)?.focus()?;
        // The keyboard starts at the scenario's split, so the previous one differs.
        page.keys(&key::RIGHT.to_string())?;
        for _ in 0..30 {
            page.keys(&key::LEFT.to_string())?;
            let said = tip(page, BUDGET)?;
            if said.contains(" + ") && !said.contains("now") {
                break;
            }
        }
        page.keys("\u{E007}")?;
        query(page, "another split", |query| {
            !query.contains("compute_gpus=4&memory_gpus=8")
        })?;
        agrees(page)?;
        assert!(stated(page, "budget")?.is_some());
        Ok(())
    })
}

#[test]
fn no_sideways_scrolling_on_a_phone() -> Result {
    for view in [View::PHONE, View::NARROW] {
        on_page(view, |page| {
            page.open(&format!("{LAMINA}&trace=kimi-conv"))?;
            agrees(page)?;
            let script = "return document.documentElement.scrollWidth - window.innerWidth";
            assert_eq!(page.run(script, &[])?, json!(0));
            unfold(page)?;
            for (_, question) in CHARTS {
                in_view(page, question)?;
                painted(page, question)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn its_charts_can_be_embedded() -> Result {
    on_page(View::DESKTOP, |page| {
        for (id, question) in CHARTS {
            page.open(&format!("{LAMINA}&trace=kimi-conv&embed={id}"))?;
            painted(page, question)?;
            let one = page.run("return document.querySelectorAll('.chart').length", &[])?;
            assert_eq!(one, json!(1), "{id}");
        }
        Ok(())
    })
}

/// Checks the page without prices: no section is empty, and the prices of compute and memory devices can be entered
/// where they are missing.
#[test]
fn missing_prices_can_be_entered() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(
            "model=deepseek-r1&gpu=h200&gpus=32&batch=1136&context=6000&view=disagg&mode=split",
        )?;
        let questions = |page: &Page| {
            let script = "return [...document.querySelectorAll('.split-answer .charts .chart-question')].map(e => e.innerText)";
            Ok(crate::reader::texts(&page.run(script, &[])?))
        };
        let asked = page.wait_for(
            "four charts",
            || questions(page),
            |all: &Vec<String>| all.len() == 4,
        )?;
        assert_eq!(asked[3], "Idle time");
        for (field, dollars) in [("#unpriced-compute", "2.9"), ("#unpriced-memory", "1.5")] {
            let field = page.css(field)?;
            let place = field.rect()?;
            assert!(place.width < 80.0, "in the line: {place:?}");
            field.type_over(&format!("{dollars}{}", key::ENTER))?;
        }
        query(page, "both prices", |query| {
            query.contains("compute_price=2.9") && query.contains("memory_price=1.5")
        })?;
        verdict_with(page, "per $")?;
        page.wait_for(
            "the budget",
            || questions(page),
            |all: &Vec<String>| all.len() == 4 && all[3] == "What does the budget buy?",
        )
        .map(drop)
    })
}
