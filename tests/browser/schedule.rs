//! The charts below the first screen: what runs when in a layer, and what a change is worth.

use ridgepoint_tests::driver::{Element, Page, Point, Pointer, Result, View, key, on_page};
use serde_json::Value;

use crate::reader::{TPOT, agrees, figure, item, painted, plot, query, reads, slider, text, thumb};

const TIMELINE: &str = "What runs when?";
const SENSITIVITY: &str = "What to buy?";

/// A chart of the lower rows, scrolled into view.
fn in_view<'a>(page: &'a Page, question: &str) -> Result<Element<'a>> {
    painted(page, question)?;
    let chart = plot(page, question)?;
    chart.call(
        "arguments[0].scrollIntoView({ block: 'center' })",
        &Value::Null,
    )?;
    page.settle()?;
    Ok(chart)
}

fn tip(page: &Page, question: &str) -> Result<String> {
    let script = "const tip = arguments[0].querySelector('[role=status]');\
        return tip && tip.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? tip.innerText : ''";
    Ok(text(&plot(page, question)?.call(script, &Value::Null)?).to_owned())
}

/// The title's finding.
fn finding(page: &Page, id: &str) -> Result<String> {
    page.css(&format!("#{id} .chart-finding"))?.text()
}

/// Every tooltip along a line through a chart.
fn told(page: &Page, question: &str, down: f64) -> Result<Vec<(Point, String)>> {
    let area = in_view(page, question)?.rect()?;
    let mut told: Vec<(Point, String)> = Vec::new();
    for step in 8..=48 {
        let at = area.at(f64::from(step) / 50.0, down);
        page.hover(at)?;
        let said = tip(page, question)?;
        if !said.is_empty() && told.last().is_none_or(|(_, last)| *last != said) {
            told.push((at, said));
        }
    }
    Ok(told)
}

#[test]
fn hovering_a_layer_names_its_operators() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        assert_eq!(
            finding(page, "timeline")?,
            "An MoE layer takes 2.03 ms, compute idles 58%"
        );
        let compute = told(page, TIMELINE, 0.34)?;
        let named = |name: &str| compute.iter().find(|(_, said)| said.starts_with(name));
        for (name, parts) in [
            ("attention", ["µs", "%", "-bound", "half batch 1"]),
            ("experts", ["µs", "%", "-bound", "half batch"]),
            ("idle", ["µs", "%", "58 of 61 layers", "of one MoE layer"]),
        ] {
            let (_, said) = named(name).unwrap_or_else(|| panic!("no {name} in {compute:?}"));
            assert!(parts.iter().all(|part| said.contains(part)), "{said}");
        }
        let sent = told(page, TIMELINE, 0.7)?;
        let combine = sent.iter().find(|(_, said)| said.starts_with("combine"));
        assert!(
            combine.is_some_and(|(_, said)| said.contains("over scale-out")),
            "{sent:?}"
        );
        Ok(())
    })
}

#[test]
fn the_timeline_of_another_layer_is_in_the_link() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        agrees(page)?;
        item(page, ".switch-choice", "dense layer")?.click()?;
        query(page, "the dense layer", |query| query == "v=1&layer=dense")?;
        let dense = |said: &String| said.starts_with("A dense layer takes");
        page.wait_for("its finding", || finding(page, "timeline"), dense)?;
        page.back()?;
        let moe = |said: &String| said.starts_with("An MoE layer takes");
        page.wait_for("the first again", || finding(page, "timeline"), moe)?;
        page.open("v=1&model=llama-3-70b&gpus=8&pp=4&tp=2&precision=bf16&batch=64&layer=pipeline")?;
        let round = |said: &String| said.ends_with("no stage waits");
        page.wait_for(
            "a round of the pipeline",
            || finding(page, "timeline"),
            round,
        )?;
        page.open("v=1&embed=timeline&layer=dense")?;
        page.wait_for("it in a frame", || finding(page, "timeline"), dense)
            .map(drop)
    })
}

/// A click on a bar makes that change; back undoes it.
#[test]
fn a_bar_makes_its_change_and_back_undoes_it() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        let before = agrees(page)?;
        let said = finding(page, "sensitivity")?;
        assert_eq!(said, "Scale-out ×2 gives 1.86×, then balance β 1.23×");
        let area = in_view(page, SENSITIVITY)?.rect()?;
        // The first row, right of now.
        let bar = area.at(0.66, 0.11);
        page.hover(bar)?;
        let told = page.wait_for(
            "what it is worth",
            || tip(page, SENSITIVITY),
            |said| said.starts_with("Scale-out ×2"),
        )?;
        let parts = ["50 GB/s → 100 GB/s", "1.86×", "2.18k →", "makes it so."];
        assert!(parts.iter().all(|part| told.contains(part)), "{told}");
        page.press(Pointer::Mouse, bar)?;
        query(page, "the change", |query| query == "v=1&scale_out=100")?;
        reads(page, "Scale-out ×2: back undoes it")?;
        agrees(page)?;
        assert_ne!(figure(page, TPOT)?.value, "118");
        page.back()?;
        query(page, "it undone", |query| query == "v=1")?;
        assert_eq!(agrees(page)?, before);
        Ok(())
    })
}

#[test]
fn the_keyboard_makes_a_change_too() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        agrees(page)?;
        in_view(page, SENSITIVITY)?.focus()?;
        page.keys(&key::HOME.to_string())?;
        page.wait_for(
            "the first change",
            || tip(page, SENSITIVITY),
            |said| said.starts_with("Scale-out ×2"),
        )?;
        page.keys(&key::RIGHT.to_string())?;
        page.wait_for(
            "the second",
            || tip(page, SENSITIVITY),
            |said| said.starts_with("Scale-out ×½"),
        )?;
        page.keys(&key::ENTER.to_string())?;
        query(page, "the change", |query| query == "v=1&scale_out=25").map(drop)
    })
}

/// What does not fit, or is not possible, says so in place of a number.
#[test]
fn what_no_longer_runs_says_why() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&gpus=320&redundant=63&ep=320")?;
        agrees(page)?;
        page.named("button", &format!("As table: {SENSITIVITY}"))?
            .click()?;
        reads(page, "impossible: 320 ranks, 288 experts")?;
        page.open("v=1&batch=36864")?;
        agrees(page)?;
        assert_eq!(
            finding(page, "sensitivity")?,
            "Does not fit; these are if it did"
        );
        page.named("button", &format!("As table: {SENSITIVITY}"))?
            .click()?;
        reads(page, "out of memory: needs").map(drop)
    })
}

/// A drag draws what is seen; once it is let go, the charts below have followed.
#[test]
fn charts_out_of_view_follow_when_a_slider_is_let_go() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        agrees(page)?;
        let look = "return arguments[0].querySelector('canvas').toDataURL()";
        let picture = |question: &str| plot(page, question)?.call(look, &Value::Null);
        for question in [SENSITIVITY, TIMELINE] {
            painted(page, question)?;
        }
        page.settle()?;
        let before = [picture(SENSITIVITY)?, picture(TIMELINE)?];
        let slider = slider(page, "Scale-out")?;
        let from = thumb(&slider)?;
        page.drag(Pointer::Mouse, from, from.offset(60.0, 0.0))?;
        query(page, "another link", |query| query.contains("scale_out="))?;
        for (question, before) in [SENSITIVITY, TIMELINE].into_iter().zip(before) {
            page.wait_for(
                "it to have followed",
                || picture(question),
                |now| *now != before,
            )?;
        }
        Ok(())
    })
}
