//! Tests of charts below the first screen, such as the timeline of a layer.

use ridgepoint_tests::driver::{Element, Page, Point, Pointer, Result, View, on_page};
use serde_json::Value;

use crate::reader::{agrees, item, painted, plot, query, slider, text, thumb};

const TIMELINE: &str = "What overlaps?";

/// Scrolls to a chart that starts below the first screen and returns it.
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

/// Returns a chart's finding (the sentence under the chart's title).
fn finding(page: &Page, id: &str) -> Result<String> {
    page.css(&format!("#{id} .chart-finding"))?.text()
}

/// Returns every tooltip along a horizontal line through a chart, each with the first pointer position at which it
/// appears.
fn told(page: &Page, question: &str, down: f64) -> Result<Vec<(Point, String)>> {
    let area = in_view(page, question)?.rect()?;
    let mut told: Vec<(Point, String)> = Vec::new();
    for step in 3..=48 {
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
            "An MoE layer takes 2.03 ms, compute idle 58%"
        );
        let compute = told(page, TIMELINE, 0.34)?;
        let named = |name: &str| compute.iter().find(|(_, said)| said.starts_with(name));
        for (name, parts) in [
            ("attention", ["µs", "%", "-bound", "half batch 1"]),
            ("experts", ["µs", "%", "-bound", "half batch"]),
            ("idle", ["µs", "%", "58 of 61 layers", "of one MoE layer"]),
        ] {
            let (_, said) = named(name).unwrap_or_else(|| panic!("no {name} in {compute:?}"));
            assert!(parts.iter().all(|part| said.contains(part)), "{compute:?}");
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
fn timeline_layer_in_the_link() -> Result {
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
        let round = |said: &String| said.ends_with("no idle stage");
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

#[test]
fn hidden_charts_follow_after_drag() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        agrees(page)?;
        let look = "return arguments[0].querySelector('canvas').toDataURL()";
        let picture = |question: &str| plot(page, question)?.call(look, &Value::Null);
        painted(page, TIMELINE)?;
        page.settle()?;
        let before = [picture(TIMELINE)?];
        let slider = slider(page, "Scale-out")?;
        let from = thumb(&slider)?;
        page.drag(Pointer::Mouse, from, from.offset(60.0, 0.0))?;
        query(page, "another link", |query| query.contains("scale_out="))?;
        for (question, before) in [TIMELINE].into_iter().zip(before) {
            page.wait_for(
                "it to have followed",
                || picture(question),
                |now| *now != before,
            )?;
        }
        Ok(())
    })
}
