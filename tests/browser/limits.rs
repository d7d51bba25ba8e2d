//! Tests of the Limits view: a map with a movable point, figures, and charts.

use ridgepoint_tests::driver::{Element, Page, Point, Pointer, Result, View, key, on_page};
use serde_json::{Value, json};

use crate::reader::{
    agrees, entries, item, number, painted, query, reads, slider, stated, text, verdict,
    verdict_with,
};

const MAP: &str = "Max batch and context?";

/// Charts next to the map; their tooltips can be pinned like those of Explore.
const CHARTS: [(&str, &str); 2] = [
    ("growth", "Which GPU count fits?"),
    ("context", "What does context cost?"),
];

fn map(page: &Page) -> Result<Element<'_>> {
    page.css(&format!("[role=group][aria-label^='{MAP}']"))
}

fn point(page: &Page) -> Result<Element<'_>> {
    slider(page, "Batch and context")
}

fn tip(page: &Page) -> Result<String> {
    let script = "const tip = arguments[0].querySelector('[role=status]');\
        return tip && tip.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? tip.innerText : ''";
    Ok(text(&map(page)?.call(script, &Value::Null)?).to_owned())
}

fn drawn(page: &Page) -> Result {
    let script = "const canvas = arguments[0].querySelector('canvas');\
        const handle = arguments[0].querySelector('[role=slider]');\
        return canvas.width > 0 && handle.checkVisibility()";
    let look = || map(page)?.call(script, &Value::Null);
    page.wait_for("the map", look, |there| *there == json!(true))
        .map(drop)
}

/// Returns the batch and context in the permalink, or their defaults.
fn place(page: &Page) -> Result<(f64, f64)> {
    let batch = stated(page, "batch")?.map_or(Ok(18_432.0), |batch| number(&batch))?;
    let context = match stated(page, "context")? {
        None => 2000.0,
        Some(context) => {
            let value = number(&context)?;
            let binary = context.ends_with('k') || context.ends_with('M');
            if binary { value * 1.024 } else { value }
        }
    };
    Ok((batch, context))
}

fn middle(page: &Page) -> Result<Point> {
    Ok(point(page)?.rect()?.at(0.5, 0.5))
}

#[test]
fn drag_is_one_history_entry() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits")?;
        drawn(page)?;
        let (before, from) = (entries(page)?, middle(page)?);
        let (right, up) = (60.0, -40.0);
        let via = from.offset(120.0, 30.0);
        page.drag_through(Pointer::Mouse, &[from, via, from.offset(right, up)])?;
        query(page, "a link with both", |link| {
            link.contains("batch=") && link.contains("context=")
        })?;
        let (batch, context) = place(page)?;
        assert!(batch > 18_432.0, "up is a larger batch: {batch}");
        assert!(context > 2000.0, "right is a longer context: {context}");
        assert_eq!(entries(page)?, before + 1, "one entry for the whole drag");
        // The point is where it was dropped, rounded to slider stops.
        let at = middle(page)?;
        let (dx, dy) = (at.x - from.x - right, at.y - from.y - up);
        assert!(dx.abs() < 13.0 && dy.abs() < 13.0, "off by {dx}, {dy}");
        page.back()?;
        query(page, "the link of before", |link| !link.contains("batch="))?;
        page.wait_for(
            "the point of before",
            || middle(page),
            |at| (at.x - from.x).abs() < 1.0 && (at.y - from.y).abs() < 1.0,
        )
        .map(drop)
    })
}

#[test]
fn hover_and_click_on_the_map() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits&slo=20")?;
        drawn(page)?;
        let area = map(page)?.rect()?;
        let mut found = Vec::new();
        for share in [0.3, 0.5, 0.7, 0.9] {
            page.hover(area.at(share, 0.5))?;
            let said = page.wait_for("values", || tip(page), |said| said.contains("tok/s/GPU"))?;
            assert!(
                said.contains("SLO 20 tok/s") && said.contains("moves the point"),
                "{said}"
            );
            assert!(!found.contains(&said), "each place has its own values");
            found.push(said);
        }
        assert!(found[3].contains("out of memory"), "{}", found[3]);
        let aimed = area.at(0.35, 0.75);
        page.press(Pointer::Mouse, aimed)?;
        query(page, "the batch of the place", |link| {
            link.contains("batch=")
        })?;
        let at = middle(page)?;
        // Rounded to slider stops.
        let (dx, dy) = (at.x - aimed.x, at.y - aimed.y);
        assert!(dx.abs() < 13.0 && dy.abs() < 13.0, "off by {dx}, {dy}");
        page.wait_for(
            "the values of now",
            || tip(page),
            |said| said.contains("now:"),
        )?;
        page.hover(area.at(0.5, -0.2))?;
        page.wait_for(
            "no tooltip away from the map",
            || tip(page),
            String::is_empty,
        )
        .map(drop)
    })
}

#[test]
fn keyboard_on_the_map() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits")?;
        drawn(page)?;
        point(page)?.focus()?;
        let said = || {
            Ok(point(page)?
                .attribute("aria-valuetext")?
                .unwrap_or_default())
        };
        assert_eq!(said()?, "batch 18,432 seq, context 2,000 tok");
        page.keys(&key::UP.to_string().repeat(3))?;
        query(page, "a larger batch", |link| link.contains("batch="))?;
        page.keys(&key::RIGHT.to_string().repeat(2))?;
        query(page, "a longer context", |link| link.contains("context="))?;
        let (batch, context) = place(page)?;
        assert!(batch > 18_432.0 && context > 2000.0);
        page.keys(&key::DOWN.to_string().repeat(3))?;
        page.keys(&key::LEFT.to_string().repeat(2))?;
        query(page, "where it began", |link| {
            !link.contains("batch=") && !link.contains("context=")
        })?;
        page.keys(&key::UP.to_string())?;
        let there = query(page, "a larger batch", |link| link.contains("batch="))?;
        page.keys(&key::ENTER.to_string())?;
        query(page, "the same scenario in Explore", |link| {
            !link.contains("view=") && there.starts_with(link)
        })?;
        agrees(page)?;
        page.back()?;
        query(page, "the map again", |link| link == there)?;
        drawn(page)
    })
}

#[test]
fn metric_is_in_the_link() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits")?;
        drawn(page)?;
        let shades = || {
            let script = "const canvas = arguments[0].querySelector('canvas');\
                const line = canvas.getContext('2d').getImageData(60, canvas.height - 60, 300, 1);\
                return line.data.join()";
            Ok(text(&map(page)?.call(script, &Value::Null)?).to_owned())
        };
        let time = shades()?;
        page.named("radio", "tok/s/GPU")?.click()?;
        query(page, "the metric", |link| link.contains("metric=tok_s_gpu"))?;
        page.wait_for("other colours", shades, |now| *now != time)?;
        page.back()?;
        query(page, "no metric", |link| !link.contains("metric="))?;
        page.wait_for("the colours of before", shades, |now| *now == time)?;
        page.open("view=limits&metric=tok_s_user")?;
        let chosen = page.named("radio", "tok/s/user")?;
        assert_eq!(chosen.property("checked")?, json!(true));
        Ok(())
    })
}

#[test]
fn a_place_of_the_map_opens_in_explore() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits")?;
        drawn(page)?;
        item(page, "button", "Open this batch and context")?.click()?;
        query(page, "Explore", |link| !link.contains("view="))?;
        agrees(page)?;
        page.back()?;
        drawn(page)?;
        page.press_twice(map(page)?.rect()?.at(0.4, 0.8))?;
        query(page, "that place in Explore", |link| {
            !link.contains("view=") && link.contains("batch=")
        })?;
        agrees(page).map(drop)
    })
}

/// Returns the values of the figures, in page order.
fn figures(page: &Page) -> Result<Vec<String>> {
    let script = "return Array.from(document.querySelectorAll('.limit-figures .figure-number'), \
        number => number.innerText).join('|')";
    Ok(text(&page.run(script, &[])?)
        .split('|')
        .map(str::to_owned)
        .collect())
}

#[test]
fn states_are_designed() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits")?;
        verdict_with(page, "At most 29,880 sequences fit, 415 per GPU")?;
        assert_eq!(figures(page)?[1], "–", "no SLO is set");
        page.open("view=limits&slo=20")?;
        verdict_with(page, "Misses the SLO")?;
        page.open("view=limits&slo=20&context=8k")?;
        verdict_with(page, "Out of memory")?;
        page.open("view=limits&model=mixtral-8x22b&gpus=8&batch=512")?;
        verdict_with(page, "Out of memory")?;
        assert_eq!(figures(page)?[4], "–", "nothing fits");
        page.open("view=limits&ep=64")?;
        verdict_with(page, "Invalid plan")?;
        reads(page, "there is nothing to plot")?;
        // A valid scenario draws the map again.
        page.open("view=limits")?;
        drawn(page)
    })
}

#[test]
fn every_chart_hovers_and_is_a_table_too() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits&slo=10")?;
        drawn(page)?;
        for (id, question) in CHARTS {
            painted(page, question)?;
            let area = page.css(&format!("#{id} .plot"))?.rect()?;
            let script = "return arguments[0].querySelector('[role=status]').innerText";
            let chart = page.css(&format!("#{id} .plot"))?;
            let mut found = 0;
            for step in 4..=18 {
                for down in [0.3, 0.5, 0.7] {
                    page.hover(area.at(f64::from(step) / 20.0, down))?;
                    found += usize::from(!text(&chart.call(script, &Value::Null)?).is_empty());
                }
            }
            assert!(found > 3, "“{question}” tells nothing");
        }
        for question in CHARTS
            .map(|(_, question)| question)
            .into_iter()
            .chain([MAP])
        {
            let button = page.named("button", &format!("Show table: {question}"))?;
            // The top bar may cover a half-scrolled button.
            button.call(
                "arguments[0].scrollIntoView({ block: 'center' })",
                &Value::Null,
            )?;
            button.click()?;
            let table = page.named("region", &format!("{question} (table)"))?;
            let rows = table.call(
                "return arguments[0].querySelectorAll('tr').length",
                &Value::Null,
            )?;
            assert!(rows.as_i64() > Some(8), "{question}: {rows}");
        }
        Ok(())
    })
}

#[test]
fn figures_of_the_view_can_be_embedded() -> Result {
    on_page(View::screen(640, 480, false), |page| {
        page.open("embed=map&metric=tok_s_gpu")?;
        drawn(page)?;
        let home = page.named("link", "Open in Ridgepoint")?;
        let wanted = format!("{}?v=1&view=limits&metric=tok_s_gpu", page.home());
        assert_eq!(home.attribute("href")?, Some(wanted));
        for (id, question) in CHARTS {
            page.open(&format!("embed={id}"))?;
            painted(page, question)?;
        }
        // An embedded figure that was replaced opens as its successor.
        page.open("embed=tradeoff")?;
        painted(page, "Is the batch size right?")
    })
}

#[test]
fn a_preset_of_the_view_opens_there() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        item(page, "button", "Custom scenario")?.click()?;
        item(page, "button", "[B] Figure 3")?.click()?;
        query(page, "the Limits view", |link| link.contains("view=limits"))?;
        drawn(page)?;
        verdict_with(page, "At most 7,264 sequences fit").map(drop)
    })
}

/// Checks on a phone that the map's point can be moved by dragging its handle or by a second tap on the map. The
/// first tap only shows a tooltip.
#[test]
fn a_phone_taps_and_drags_the_point() -> Result {
    on_page(View::PHONE, |page| {
        page.open("view=limits")?;
        drawn(page)?;
        let wide = page.run(
            "return document.documentElement.scrollWidth - innerWidth",
            &[],
        )?;
        assert!(wide.as_i64() <= Some(0), "wider than the screen by {wide}");
        // Scroll the map clear of the dock at the bottom.
        let script = "document.getElementById('map').scrollIntoView({ block: 'start' })";
        page.run(script, &[])?;
        let from = middle(page)?;
        page.drag(Pointer::Finger, from, from.offset(30.0, 30.0))?;
        query(page, "a smaller batch of longer contexts", |link| {
            link.contains("batch=") && link.contains("context=")
        })?;
        let (batch, context) = place(page)?;
        assert!(batch < 18_432.0 && context > 2000.0);
        let there = map(page)?.rect()?.at(0.3, 0.8);
        page.press(Pointer::Finger, there)?;
        let tip = || page.css("#map .tooltip")?.text();
        page.wait_for("what was tapped", tip, |said| said.contains("Tap again"))?;
        assert_eq!(place(page)?, (batch, context));
        page.press(Pointer::Finger, there)?;
        page.wait_for(
            "the place that was tapped",
            || place(page),
            |(next, _)| *next < batch,
        )?;
        assert!(!verdict(page)?.is_empty());
        Ok(())
    })
}
