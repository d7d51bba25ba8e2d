//! Tests of charts: tooltips by pointer and keyboard, and exports.

use std::fs;
use std::path::PathBuf;

use ridgepoint_tests::driver::{Page, Pointer, Result, View, key, on_page};
use serde_json::{Value, json};

use crate::reader::{CHARTS, agrees, all_charts, item, painted, plot, query, reads, text, texts};

/// Returns the text of a chart's tooltip, or an empty string if none is shown.
fn tip(page: &Page, question: &str) -> Result<String> {
    let script = "const tip = arguments[0].querySelector('[role=status]');\
        return tip && tip.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? tip.innerText : ''";
    let said = plot(page, question)?.call(script, &Value::Null)?;
    Ok(text(&said).to_owned())
}

/// Returns true if a tooltip has at least three lines, a digit, and a hint about the effect of a click.
fn tells(tip: &str) -> bool {
    let lines = tip.lines().filter(|line| !line.trim().is_empty()).count();
    lines >= 3
        && tip.chars().any(|letter| letter.is_ascii_digit())
        && (tip.contains("pins.")
            || tip.contains("selects this batch.")
            || tip.contains("explains this number."))
}

#[test]
fn hovering_tells_values() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for (_, question) in CHARTS {
            painted(page, question)?;
            let area = plot(page, question)?.rect()?;
            let mut found = Vec::new();
            // Hover along two lines through the marks.
            for step in (4..=19).step_by(2) {
                let across = f64::from(step) / 20.0;
                for down in [0.35, 0.62] {
                    page.hover(area.at(across, down))?;
                    let said = tip(page, question)?;
                    if !said.is_empty() && !found.contains(&said) {
                        found.push(said);
                    }
                }
            }
            assert!(found.len() >= 2, "“{question}” tells {found:?}");
            for said in &found {
                assert!(tells(said), "“{question}”: {said:?}");
            }
            page.hover(area.at(0.5, 0.5).offset(0.0, -area.height))?;
            page.wait_for(
                "no tooltip away from the chart",
                || tip(page, question),
                String::is_empty,
            )?;
        }
        Ok(())
    })
}

/// Checks that a tooltip stays on the screen even if its mark is near an edge, and that a click pins the tooltip.
#[test]
fn a_click_holds_the_tooltip() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        let question = "Where does the step time go?";
        painted(page, question)?;
        let area = plot(page, question)?.rect()?;
        let place = area.at(0.92, 0.7);
        page.hover(place)?;
        let said = page.wait_for("a tooltip", || tip(page, question), |said| tells(said))?;
        page.press(Pointer::Mouse, place)?;
        page.hover(area.at(0.3, 0.7))?;
        let held = page.wait_for(
            "it to be held",
            || tip(page, question),
            |tip| tip.contains("unpins"),
        )?;
        assert_eq!(
            held.lines().next(),
            said.lines().next(),
            "the one that was clicked"
        );
        let inside = "const r = arguments[0].querySelector('[role=status]').getBoundingClientRect();\
            return r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight";
        let chart = plot(page, question)?;
        page.wait_for(
            "it on the screen",
            || chart.call(inside, &Value::Null),
            |on| *on == json!(true),
        )?;
        page.press(Pointer::Mouse, place)?;
        page.hover(area.at(0.5, -0.3))?;
        page.wait_for("it to be let go", || tip(page, question), String::is_empty)
            .map(drop)
    })
}

#[test]
fn the_keyboard_steps_through_the_marks() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for (_, question) in CHARTS {
            painted(page, question)?;
            plot(page, question)?.focus()?;
            let press = |key: char, wanted: &str, right: &dyn Fn(&str) -> bool| {
                page.keys(&key.to_string())?;
                page.wait_for(
                    &format!("{wanted} of “{question}”"),
                    || tip(page, question),
                    |tip| right(tip),
                )
            };
            let first = press(key::RIGHT, "the mark of now", &|said| tells(said))?;
            let second = press(key::RIGHT, "the mark beside it", &|said| {
                !said.is_empty() && said != first
            })?;
            press(key::LEFT, "the mark of now again", &|said| said == first)?;
            let last = press(key::END, "the last mark", &|said| {
                !said.is_empty() && said != first
            })?;
            let home = press(key::HOME, "the first mark of all", &|said| {
                !said.is_empty() && said != last
            })?;
            press(key::ESCAPE, "nothing", &str::is_empty)?;
            assert!(
                [&first, &second, &last, &home]
                    .into_iter()
                    .all(|said| tells(said)),
                "{first:?} {second:?} {last:?}"
            );
        }
        Ok(())
    })
}

#[test]
fn every_chart_is_a_table_too() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        for (id, question) in all_charts() {
            let button = page.named("button", &format!("Show table: {question}"))?;
            button.click()?;
            let table = page.named("region", &format!("{question} (table)"))?;
            let script =
                "return [...arguments[0].querySelectorAll('tr')].map(row => row.innerText)";
            let rows = texts(&table.call(script, &Value::Null)?);
            assert!(rows.len() > 4, "{question}: {rows:?}");
            let numeric = |row: &&String| row.chars().any(|letter| letter.is_ascii_digit());
            assert!(
                rows[1..].iter().all(|row| numeric(&row)),
                "{question}: {rows:?}"
            );
            let known = match id {
                "roofline" => "experts",
                "breakdown" => "118",
                "pareto" => "2,180",
                "timeline" => "combine",
                "drafts" => "no drafts",
                "bandwidth" => "scale-out",
                _ => "KV cache",
            };
            assert!(
                rows.iter().any(|row| row.contains(known)),
                "{known} in {rows:#?}"
            );
            assert_eq!(button.attribute("aria-pressed")?.as_deref(), Some("true"));
            button.click()?;
            page.wait_for(
                "the picture again",
                || page.css_all("table:not(.levers-table table)"),
                Vec::is_empty,
            )?;
            painted(page, question)?;
        }
        Ok(())
    })
}

#[test]
fn pictures_and_numbers_can_be_saved() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        page.allow_downloads()?;
        for (id, question) in all_charts() {
            painted(page, question)?;
            for (kind, ending) in [("PNG", "png"), ("SVG", "svg"), ("CSV", "csv")] {
                page.named("button", &format!("Download: {question}"))?
                    .click()?;
                item(page, "[role=menuitem]", kind)?.click()?;
                let name = format!("ridgepoint-{id}-deepseek-v3-h100.{ending}");
                let bytes = saved(page, &name)?;
                check_file(page, id, ending, &bytes)?;
            }
        }
        Ok(())
    })
}

fn saved(page: &Page, name: &str) -> Result<Vec<u8>> {
    page.wait_until(&format!("the file {name}"), || {
        let files = page.downloads()?;
        let found: Option<&PathBuf> = files.iter().find(|file| file.ends_with(name));
        let bytes = found
            .and_then(|file| fs::read(file).ok())
            .filter(|bytes| !bytes.is_empty());
        Ok(bytes.ok_or_else(|| format!("{files:?}")))
    })
}

fn check_file(page: &Page, id: &str, ending: &str, bytes: &[u8]) -> Result {
    let content = String::from_utf8_lossy(bytes);
    match ending {
        "png" => {
            assert!(
                bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
                "{id}: {:?}",
                &bytes[..16.min(bytes.len())]
            );
            assert!(
                bytes.len() > 8000,
                "{id}: a picture of {} bytes",
                bytes.len()
            );
        }
        "svg" => {
            assert!(
                content.contains("DeepSeek-V3 · 72 × H100"),
                "{id} says what it is of"
            );
            // Other programs can parse the SVG.
            let script = "const svg = new DOMParser().parseFromString(arguments[0], 'image/svg+xml').documentElement;\
                return [svg.localName, svg.querySelectorAll('path, rect, line, circle, polyline').length,\
                        svg.querySelectorAll('text').length, /NaN|undefined/.test(arguments[0])]";
            let read = page.run(script, &[json!(content)])?;
            let drawn = read[1].as_u64() > Some(5) && read[2].as_u64() > Some(5);
            assert!(
                read[0] == "svg" && drawn && read[3] == false,
                "{id}: {read}"
            );
        }
        _ => {
            // Three comment lines give the title and source.
            assert!(
                content.contains("DeepSeek-V3 · 72 × H100"),
                "{id}: {content}"
            );
            let mut lines = content.lines().skip_while(|line| line.starts_with("\"# "));
            let columns = lines.next().map_or(0, |line| line.split(',').count());
            assert!(
                columns >= 2 && lines.clone().count() >= 4,
                "{id}: {content}"
            );
            let value = |line: &str| line.split(',').any(|cell| cell.parse::<f64>().is_ok());
            assert!(
                lines.all(value) && !content.contains("NaN"),
                "{id}: {content}"
            );
        }
    }
    Ok(())
}

#[test]
fn links_and_frames_can_be_copied() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&gpus=64")?;
        agrees(page)?;
        page.clipboard()?;
        for (id, question) in all_charts() {
            page.named("button", &format!("Copy link: {question}"))?
                .click()?;
            let wanted = format!("{}?v=1&gpus=64#{id}", page.home());
            page.wait_for(
                "the chart's link",
                || page.clipboard(),
                |text| *text == wanted,
            )?;
            reads(page, "Link copied")?;

            page.named("button", &format!("Embed: {question}"))?
                .click()?;
            page.named("button", "Copy frame")?.click()?;
            let source = format!("{}?v=1&amp;gpus=64&amp;embed={id}", page.home());
            let frame = page.wait_for(
                "the frame",
                || page.clipboard(),
                |text| text.starts_with("<iframe ") && text.contains(&format!("src=\"{source}\"")),
            )?;
            assert!(frame.contains(&format!("title=\"{question}\"")), "{frame}");
            page.named("button", "Copy element")?.click()?;
            let script = format!("src=\"{}embed.js\"", page.home());
            page.wait_for(
                "the element",
                || page.clipboard(),
                |text| {
                    text.contains(&script)
                        && text.contains(&format!("<ridgepoint-figure src=\"{source}\""))
                },
            )?;
            page.keys(&key::ESCAPE.to_string())?;
            page.wait_for(
                "the menu to close",
                || page.css_all("[role=dialog]"),
                Vec::is_empty,
            )?;
        }
        page.named("button", "Share")?.click()?;
        let wanted = format!("{}?v=1&gpus=64", page.home());
        page.wait_for(
            "the scenario's link",
            || page.clipboard(),
            |text| *text == wanted,
        )?;
        query(page, "the address as it was", |query| {
            query == "v=1&gpus=64"
        })
        .map(drop)
    })
}

#[test]
fn a_click_on_the_curve_takes_its_batch() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        let question = "Is the batch size right?";
        painted(page, question)?;
        let chart = plot(page, question)?;
        chart.focus()?;
        page.keys(&key::RIGHT.to_string().repeat(4))?;
        page.wait_for("a tooltip", || tip(page, question), |said| tells(said))?;
        page.keys(&key::ENTER.to_string())?;
        query(page, "that batch", |link| link.contains("batch="))?;
        agrees(page).map(drop)
    })
}

/// Script that points at several positions of every chart, then moves the pointer away. Each change is painted by the
/// end of the next frame. The script returns the charts that show no highlight, and those where a trace of the
/// highlight remains.
const RETRACE: &str = "const done = arguments[arguments.length - 1];\
    const frame = () => new Promise(requestAnimationFrame);\
    const move = (plot, kind, [x, y]) => {\
      const box = plot.getBoundingClientRect();\
      plot.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType: 'mouse',\
        clientX: box.left + box.width * x, clientY: box.top + box.height * y }));\
    };\
    const places = [...Array(7).keys()].map(i => [(i + .5) / 7, .2 + .6 * (i * 5 % 7) / 7]);\
    (async () => {\
      const wrong = [];\
      for (const plot of document.querySelectorAll('.plot')) {\
        plot.scrollIntoView({ block: 'center' });\
        await frame(); await frame();\
        const canvas = plot.querySelector('canvas'), name = plot.closest('section').id;\
        const bare = canvas.toDataURL(), seen = new Set();\
        for (const place of places) {\
          move(plot, 'pointermove', place);\
          await frame(); await frame();\
          seen.add(canvas.toDataURL());\
        }\
        if (seen.size < 2) wrong.push(`${name} never lights up`);\
        move(plot, 'pointerleave', [0, 0]);\
        await frame(); await frame();\
        if (canvas.toDataURL() !== bare) wrong.push(`${name} afterwards`);\
      }\
      done(wrong);\
    })()";

/// Checks that every chart highlights a mark under the pointer, and that no trace of the highlight remains after the
/// pointer leaves.
#[test]
fn pointing_leaves_no_trace() -> Result {
    for scale in [1.0, 1.5, 2.0] {
        on_page(View::DESKTOP.scale(scale), |page| {
            page.open("")?;
            for link in ["v=1", "v=1&view=limits", "v=1&view=disagg&mode=split"] {
                page.follow(link)?;
                page.settle()?;
                let wrong = page.run_async(RETRACE, &[])?;
                assert_eq!(wrong, json!([]), "“{link}” at {scale}");
            }
            Ok(())
        })?;
    }
    Ok(())
}
