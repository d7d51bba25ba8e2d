//! Tests of embedded figures and of color schemes.

use ridgepoint_tests::driver::{Page, Result, View, key, on_page};
use serde_json::{Value, json};

use crate::host::frame;
use crate::reader::{
    CHARTS, PER_GPU, agrees, all_charts, figures, paint, painted, plot, reads, text, verdict,
};

/// Selectors of elements that only the whole page has, not an embedded figure.
const CHROME: &str =
    "header, aside, [aria-label=Scenario], [aria-haspopup=menu][class*=preset], input[type=range]";

#[test]
fn a_figure_stands_alone_with_a_way_home() -> Result {
    on_page(View::screen(640, 420, false), |page| {
        for (id, question) in all_charts() {
            page.open(&format!("v=1&gpus=64&embed={id}"))?;
            painted(page, question)?;
            assert!(
                page.css_all(CHROME)?.is_empty(),
                "{id}: more than the figure"
            );
            assert_eq!(page.css_all("[role=application]")?.len(), 1, "{id}");
            let home = page.named("link", "Open in Ridgepoint")?;
            let wanted = format!("{}?v=1&gpus=64", page.home());
            assert_eq!(home.attribute("href")?, Some(wanted));
            assert_eq!(home.attribute("target")?.as_deref(), Some("_blank"));
            let wide = page.run(
                "return document.documentElement.scrollWidth - innerWidth",
                &[],
            )?;
            assert!(
                wide.as_i64() <= Some(0),
                "{id} is wider than its frame by {wide}"
            );
        }
        page.open("v=1&gpus=64&embed=explore")?;
        assert!(page.css_all(CHROME)?.is_empty());
        assert_eq!(figures(page)?.len(), 4);
        assert!(verdict(page)?.starts_with("Scale-out links"));
        page.open("embed=breakdown&ep=64")?;
        reads(page, "Invalid plan: ")?;
        page.named("link", "Open in Ridgepoint").map(drop)
    })
}

/// Checks that `embed.js` shows a live figure in a third-party page, in a frame as high as the figure.
#[test]
fn the_element_sizes_itself() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        let script = "document.body.innerHTML = '<ridgepoint-figure src=\"?v=1&embed=roofline\"></ridgepoint-figure>';\
            const code = document.createElement('script');\
            code.type = 'module'; code.src = './embed.js'; document.head.append(code)";
        page.run(script, &[])?;
        let frame = frame(page)?;
        page.enter_frame(&frame)?;
        painted(page, "Compute or memory?")?;
        page.leave_frame()?;
        // Height of the content, and of its frame.
        let script = "const inside = arguments[0].contentDocument.querySelector('.embed');\
            return [Math.ceil(inside.getBoundingClientRect().height), arguments[0].offsetHeight]";
        page.wait_for(
            "a frame as high as its figure",
            || frame.call(script, &Value::Null),
            |heights| {
                heights[0] == heights[1] && heights[1] != 380 && heights[1].as_u64() > Some(200)
            },
        )?;
        Ok(())
    })
}

/// Checks that the sliders named in the permalink appear below an embedded figure. They update the figure, without
/// changing the reader's browser history.
#[test]
fn live_figure_keeps_sliders() -> Result {
    on_page(View::screen(640, 520, false), |page| {
        page.open("v=1&embed=breakdown&sliders=batch,slo")?;
        painted(page, "Where does the step time go?")?;
        let names = page.run(
            "return [...document.querySelectorAll('input[type=range]')].map(e => e.ariaLabel)",
            &[],
        )?;
        assert_eq!(names, json!(["Batch", "SLO"]));
        let before = page.run("return history.length", &[])?;
        let slider = page.css(".embed-sliders input[type=range]")?;
        slider.focus()?;
        page.keys(&key::END.to_string())?;
        page.wait_for(
            "the largest batch in the link",
            || page.query(),
            |query| query.contains("batch=") && query.contains("sliders=batch,slo"),
        )?;
        let home = page
            .named("link", "Open in Ridgepoint")?
            .attribute("href")?;
        let home = home.unwrap_or_default();
        assert!(
            home.contains("batch=") && !home.contains("sliders"),
            "{home}"
        );
        assert_eq!(page.run("return history.length", &[])?, before);
        page.open("v=1&embed=memory")?;
        painted(page, "Does it fit?")?;
        assert!(page.css_all("input[type=range]")?.is_empty());
        Ok(())
    })
}

/// Checks the embed dialog: sliders can be selected next to the preview, and are written as an attribute of the
/// figure's HTML element.
#[test]
fn sliders_are_chosen_in_the_dialog() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        page.named("button", "Embed: Does it fit?")?.click()?;
        // The dialog is loaded on first use.
        page.css(".embed-menu label")?;
        let script = "const at = document.querySelector('.embed-menu');\
            [...at.querySelectorAll('label')].find(e => e.innerText.trim() === 'Context').click()";
        page.run(script, &[])?;
        let said = || {
            page.run(
                "const at = document.querySelector('.embed-menu');\
                 return [at.querySelector('iframe').src, at.querySelector('pre').innerText]",
                &[],
            )
        };
        page.wait_for("the slider in preview and code", said, |said| {
            said.as_array().is_some_and(|parts| {
                parts
                    .iter()
                    .all(|part| text(part).contains("sliders=context"))
            })
        })?;
        let script = "document.body.innerHTML = '<ridgepoint-figure src=\"?v=1&embed=memory\" sliders=\"context,batch\"></ridgepoint-figure>';\
            const code = document.createElement('script'); code.src = './embed.js'; document.head.append(code)";
        page.run(script, &[])?;
        let frame = frame(page)?;
        page.enter_frame(&frame)?;
        painted(page, "Does it fit?")?;
        assert_eq!(page.css_all("input[type=range]")?.len(), 2);
        page.leave_frame()
    })
}

/// Script that opens a chart's embed dialog and selects its first two sliders. Returns the address and height of the
/// frame in the embed code, without and with sliders.
const FRAMES: &str = "const [button] = arguments;\
    const until = look => new Promise(found => { const again = () => { const seen = look(); seen ? found(seen) : setTimeout(again, 50) }; again() });\
    return (async () => {\
      button.click();\
      const menu = await until(() => { const menu = button.closest('.popover').querySelector('.embed-menu'); return menu?.querySelector('pre') && menu });\
      const frame = () => { const box = document.createElement('div'); box.innerHTML = menu.querySelector('pre').textContent;\
        return [box.firstChild.getAttribute('src'), Number(box.firstChild.height)] };\
      const plain = frame();\
      const boxes = [...menu.querySelectorAll('input[type=checkbox]')].slice(0, 2);\
      for (const box of boxes) box.click();\
      await until(() => !boxes.length || frame()[0].includes('sliders='));\
      const both = frame();\
      menu.querySelector('.menu-close').click();\
      return [plain, both]\
    })()";

/// Checks that the frame in the embed code is high enough for its figure in a column of text. Without sliders, only
/// the first figure of each view is checked; with sliders, every figure.
#[test]
fn frames_hold_their_figures() -> Result {
    on_page(View::DESKTOP, |page| {
        let mut frames = Vec::new();
        for link in [
            "v=3",
            "v=3&view=limits",
            "v=3&view=plans",
            "v=3&view=service&rate=50",
            "v=3&view=disagg",
            "v=3&view=disagg&mode=split",
            "v=3&view=papers&show=measured",
        ] {
            page.open(link)?;
            page.settle()?;
            let buttons = page.css_all(".chart-tools [title=Embed]")?;
            for (number, button) in buttons.into_iter().enumerate() {
                let found = button.call(FRAMES, &Value::Null)?;
                let found = found.as_array().cloned().unwrap_or_default();
                frames.extend(found.into_iter().skip(usize::from(number > 0)));
            }
        }
        assert!(frames.len() > 25, "{} frames", frames.len());
        let mut cut = Vec::new();
        for frame in frames {
            let height = frame[1].as_u64().unwrap_or_default() as u32;
            page.set_view(View::screen(640, height, false))?;
            page.open_address(text(&frame[0]))?;
            page.settle()?;
            let over = "return document.documentElement.scrollHeight - innerHeight";
            let over = page.run(over, &[])?.as_i64().unwrap_or(i64::MAX);
            if over > 0 {
                cut.push(format!("{over} px of {frame}"));
            }
        }
        assert!(cut.is_empty(), "{}", cut.join("\n"));
        Ok(())
    })
}

/// Checks that a figure of a paper offers no sliders, because its scenarios are fixed. If its permalink asks for
/// sliders, the figure shows a notice.
#[test]
fn figures_of_papers_have_no_sliders() -> Result {
    on_page(View::screen(760, 600, false), |page| {
        page.open("v=3&embed=b-figure-12&sliders=batch,context")?;
        reads(page, "sliders has no effect on this figure")?;
        assert!(page.css_all("input[type=range]")?.is_empty());
        Ok(())
    })
}

/// Returns the lightness of the page background, from 0 to 255.
fn lightness(page: &Page) -> Result<f64> {
    let script = "const parts = e => getComputedStyle(e).backgroundColor.match(/[\\d.]+/g).map(Number);\
        const [body, root] = [parts(document.body), parts(document.documentElement)];\
        const [r, g, b] = body.length === 4 && body[3] === 0 ? root : body; return (r + g + b) / 3";
    Ok(page.run(script, &[])?.as_f64().unwrap_or(f64::NAN))
}

fn is(page: &Page, dark: bool) -> Result {
    let wanted = if dark { "a dark page" } else { "a light page" };
    page.wait_for(
        wanted,
        || lightness(page),
        |now| (*now < 60.0) == dark && (*now > 200.0) != dark,
    )?;
    let scheme = page.run(
        "return getComputedStyle(document.documentElement).colorScheme",
        &[],
    )?;
    assert_eq!(text(&scheme), if dark { "dark" } else { "light" });
    Ok(())
}

#[test]
fn colours_follow_the_system() -> Result {
    on_page(View::DESKTOP, |page| {
        let picture = || {
            painted(page, CHARTS[0].1)?;
            plot(page, CHARTS[0].1)?.call(
                "return arguments[0].querySelector('canvas').toDataURL()",
                &Value::Null,
            )
        };
        page.open("")?;
        is(page, false)?;
        let light = picture()?;
        // The system turns dark while the page is open.
        page.set_view(View::DESKTOP.dark())?;
        is(page, true)?;
        page.wait_for("a dark chart", picture, |now| *now != light)?;

        let button = |words: &str| page.named("button", &format!("Theme: {words}"));
        button("system")?.click()?;
        is(page, false)?;
        page.wait_for("a light chart", picture, |now| *now == light)?;
        button("light")?.click()?;
        is(page, true)?;
        // Stored for the next visit, not in the link.
        page.set_view(View::DESKTOP)?;
        page.open("gpus=64")?;
        is(page, true)?;
        assert_eq!(page.query()?, "gpus=64");
        button("dark")?.click()?;
        is(page, false)?;
        assert!(paint(page, CHARTS[0].1)?.0 > 30);
        button("system").map(drop)
    })
}

#[test]
fn a_link_can_say_the_colours() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("theme=dark")?;
        is(page, true)?;
        page.open("theme=dark&embed=memory")?;
        is(page, true)?;
        page.set_view(View::DESKTOP.dark())?;
        page.open("theme=light")?;
        is(page, false)?;
        page.open("embed=memory")?;
        is(page, true)?;
        // A reader's choice then overrides the link's.
        page.open("theme=dark")?;
        page.named("button", "Theme: system")?.click()?;
        is(page, false)?;
        page.wait_for(
            "no colours in the link",
            || page.query(),
            |query| !query.contains("theme"),
        )?;
        let shown = agrees(page)?;
        assert!(shown.iter().any(|figure| figure.name == PER_GPU));
        page.run("localStorage.clear()", &[]).map(drop)
    })
}

#[test]
fn reduced_motion() -> Result {
    on_page(View::DESKTOP.still(), |page| {
        page.open("")?;
        let script = "return [...document.querySelectorAll('*')].filter(e => {\
            const s = getComputedStyle(e);\
            return /[1-9]/.test(s.transitionDuration + (s.animationName === 'none' ? '' : s.animationDuration));\
        }).length";
        assert_eq!(page.run(script, &[])?, json!(0), "elements that move");
        page.set_view(View::DESKTOP)?;
        let moving = page.run(script, &[])?;
        assert!(moving.as_u64() > Some(0), "the question is put wrongly");
        Ok(())
    })
}
