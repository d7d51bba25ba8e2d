//! Tests of scenarios that are invalid or do not fit in memory: the page explains the problem at the input that
//! causes it, and offers remedies.

use ridgepoint_tests::driver::{Element, Page, Result, View, on_page};
use serde_json::{Value, json};

use crate::reader::{
    CHARTS, MEMORY, agrees, button_with, enter, figure, figures, item, open_group, painted,
    possible, query, reads, take_lever, verdict, verdict_with,
};

/// Returns the texts of the visible remedy buttons within this many pixels below a field.
fn ways_out(field: &Element<'_>, within: f64) -> Result<Vec<String>> {
    let script = "const from = arguments[0].getBoundingClientRect();\
        return [...document.querySelectorAll('button')].filter(button => {\
          const to = button.getBoundingClientRect();\
          return button.checkVisibility() && button.innerText.startsWith('Use ') && to.left < from.right\
            && to.top > from.top && to.top < from.bottom + arguments[1];\
        }).map(button => button.innerText)";
    Ok(crate::reader::texts(&field.call(script, &json!(within))?))
}

/// Returns the opacity of an element, multiplied by the opacities of all elements that contain it.
fn opacity(element: &Element<'_>) -> Result<f64> {
    let script = "let ink = 1; for (let e = arguments[0]; e; e = e.parentElement)\
                  ink *= getComputedStyle(e).opacity; return ink";
    Ok(element
        .call(script, &Value::Null)?
        .as_f64()
        .unwrap_or(f64::NAN))
}

#[test]
fn impossible_plan_beside_control() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("context=4k")?;
        // Error bands appear after the first paint.
        page.settle()?;
        let good = agrees(page)?;
        open_group(page, "Parallelism")?;
        enter(page, "EP experts", "64")?;
        verdict_with(page, "Invalid plan: ep × ffn_tp × pp must equal gpus.")?;
        reads(page, "64 × 1 × 1 = 64, not 72")?;
        query(page, "the scenario as it is wanted", |query| {
            query.contains("ep=64")
        })?;

        // Next to the control: the rule, its values, the nearest choices.
        let control = page.named("textbox", "EP experts")?;
        let rule = "let row = arguments[0].closest('[data-row]'); return row.innerText";
        let row = control.call(rule, &Value::Null)?;
        let row = row.as_str().unwrap_or_default();
        assert!(row.contains("64 × 1 × 1 = 64, not 72"), "{row}");
        let ways = ways_out(&control, 160.0)?;
        assert!(ways.len() >= 2, "{ways:?}");
        assert!(ways.iter().any(|way| way == "Use EP 72"), "{ways:?}");
        assert!(ways.iter().any(|way| way.ends_with("GPUs")), "{ways:?}");

        // The last figures stay, marked as outdated.
        assert_eq!(figures(page)?, good);
        page.settle()?;
        let faded = opacity(&page.css("[aria-label='Key metrics']")?)?;
        assert!(
            faded < 0.6,
            "the last answer looks like one of now: opacity {faded}"
        );

        button_with(page, "Use EP 72")?.click()?;
        query(page, "the repaired scenario", |query| {
            !query.contains("ep=64")
        })?;
        assert_eq!(agrees(page)?, good, "EP 72 is the default here");
        assert!(
            !page.text()?.contains("not 72"),
            "the trouble is still there"
        );
        page.settle()?;
        assert!(opacity(&page.css("[aria-label='Key metrics']")?)? > 0.99);
        Ok(())
    })
}

#[test]
fn every_remedy_repairs() -> Result {
    on_page(View::DESKTOP, |page| {
        for link in [
            "ep=64",
            "dp=5",
            "gpus=72&tp=5",
            "kvp=7",
            "pp=7",
            "ffn_tp=5&ep=72",
        ] {
            page.open(link)?;
            verdict_with(page, "Invalid plan")?;
            let script = "return [...document.querySelectorAll('.helps-list .lever-name')].map(name => name.innerText)";
            let found = || Ok(crate::reader::texts(&page.run(script, &[])?));
            crate::levers::complete(page, link)?;
            for way in found()? {
                // An incomplete list could still move the lever before the click.
                crate::levers::complete(page, link)?;
                let lever = || {
                    Ok(page
                        .css_all(".helps-list .lever")?
                        .into_iter()
                        .find(|link| link.text().is_ok_and(|text| text.starts_with(&way))))
                };
                let lever = page.wait_for("its link", lever, Option::is_some)?;
                take_lever(page, &lever.expect("it is there"))?;
                possible(page, &format!("“{way}” to lead out of {link}"))?;
                page.back()?;
                verdict_with(page, "Invalid plan")?;
            }
        }
        Ok(())
    })
}

/// Checks that a permalink to an invalid scenario opens a page that names the violated rule. Opening the group of the
/// control at fault brings the control into view, and the first lever makes the scenario valid.
#[test]
fn impossible_link_opens() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("ep=64")?;
        verdict_with(page, "Invalid plan: ep × ffn_tp × pp must equal gpus.")?;
        reads(page, "64 × 1 × 1 = 64, not 72")?;
        reads(page, "there is nothing to plot")?;
        // Opening the control's group brings the control into view.
        item(page, "button.group-head", "Parallelism")?.click()?;
        let control = page.named("textbox", "EP experts")?;
        let script = "const r = arguments[0].getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight";
        page.wait_for(
            "EP in view",
            || control.call(script, &Value::Null),
            |seen| *seen == json!(true),
        )?;
        page.named("link", "reset to the default scenario")?;
        page.wait_for(
            "levers",
            || page.css_all(".helps-list .lever"),
            |all| !all.is_empty(),
        )?;
        take_lever(page, &page.css_all(".helps-list .lever")?[0])?;
        agrees(page)?;
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        Ok(())
    })
}

#[test]
fn out_of_memory_is_visible() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("batch=36864")?;
        let said = verdict_with(page, "Out of memory")?;
        let all = agrees(page)?;
        let memory = figure(page, MEMORY)?;
        assert_eq!(memory.below, "out of memory: 1.16×", "{said}");
        for figure in all.iter().filter(|figure| figure.name != MEMORY) {
            assert!(figure.below.starts_with("if it fit"), "{figure:?}");
        }
        // The three other figures are struck through.
        let script = "return [...document.querySelectorAll('[aria-label=\"Key metrics\"] .figure-number')]\
                      .map(cell => getComputedStyle(cell).textDecorationLine === 'line-through')";
        assert_eq!(page.run(script, &[])?, json!([true, true, true, false]));

        page.wait_for(
            "levers",
            || page.css_all(".helps-list .lever"),
            |all| !all.is_empty(),
        )?;
        let first = &page.css_all(".helps-list .lever")?[0];
        assert!(first.text()?.starts_with("batch "), "{}", first.text()?);
        take_lever(page, first)?;
        query(page, "a batch that fits", |query| {
            !query.contains("batch=36864")
        })?;
        for figure in agrees(page)? {
            assert!(!figure.below.contains("fit"), "{figure:?}");
        }
        assert!(!verdict(page)?.starts_with("Out of memory"));
        // One more per GPU does not fit.
        enter(page, "Batch, seq", "29952")?;
        verdict_with(page, "Out of memory")?;
        Ok(())
    })
}

/// Checks that typing a valid GPU count repairs an invalid scenario, and that the back button returns to the scenario
/// before the error.
#[test]
fn the_way_back_is_open_in_every_state() -> Result {
    on_page(View::DESKTOP, |page: &Page| {
        page.open("")?;
        agrees(page)?;
        open_group(page, "Parallelism")?;
        enter(page, "EP experts", "64")?;
        verdict_with(page, "Invalid plan")?;
        enter(page, "GPUs", "64")?;
        possible(page, "EP 64 on 64 GPUs")?;
        page.back()?;
        verdict_with(page, "Invalid plan")?;
        page.back()?;
        agrees(page)?;
        verdict_with(page, "Scale-out links")?;
        Ok(())
    })
}
