//! Tests in Firefox and WebKit: these browsers show every view, respond to dragging and display an embedded figure. A
//! browser that is not installed is skipped.

use ridgepoint_tests::driver::{Engine, Page, Point, Pointer, Result};
use serde_json::{Value, json};

use crate::reader::{TPOT, agrees, figure, text, verdict};

/// Script that returns the charts on which nothing but a background is drawn.
const BLANK: &str = "return [...document.querySelectorAll('canvas')].filter(e => e.offsetWidth > 60).filter(e => {\
    const { data } = e.getContext('2d').getImageData(0, 0, e.width, e.height);\
    const pixels = new Uint32Array(data.buffer);\
    return new Set(pixels).size < 3\
    }).map(e => e.closest('figure, section')?.innerText ?? '')";

/// Script that starts recording the page's errors. The browser's "ResizeObserver loop" notice is not an error.
const LISTEN: &str = "window.faults = [];\
    for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation'])\
      addEventListener(kind, event => event.message?.startsWith('ResizeObserver loop')\
        || faults.push(event.message ?? String(event.reason ?? event.violatedDirective)))";

fn in_others(test: impl Fn(&Page) -> Result) -> Result {
    for engine in [Engine::Firefox, Engine::WebKit] {
        let Some(page) = Page::start_in_other(engine)? else {
            println!("skipped: {engine:?} with its driver is not installed");
            continue;
        };
        page.open("v=2")?;
        page.run(LISTEN, &[])?;
        test(&page)?;
    }
    Ok(())
}

fn has_no_fault(page: &Page) -> Result {
    assert_eq!(page.run("return faults", &[])?, json!([]));
    Ok(())
}

#[test]
fn shows_every_view() -> Result {
    in_others(|page| {
        agrees(page)?;
        for view in ["explore", "limits", "plans", "service", "disagg", "papers"] {
            page.follow(&format!("v=2&view={view}"))?;
            let said = || verdict(page);
            page.wait_for("a headline", said, |said| !said.is_empty())?;
            page.wait_for(
                "drawn charts",
                || page.run(BLANK, &[]),
                |blank| *blank == json!([]),
            )?;
            assert!(
                view == "papers"
                    || page
                        .run("return document.querySelectorAll('canvas').length", &[])?
                        .as_u64()
                        > Some(1),
                "{view}"
            );
        }
        has_no_fault(page)
    })
}

#[test]
fn follows_a_drag() -> Result {
    in_others(|page| {
        agrees(page)?;
        let before = figure(page, TPOT)?.value;
        let slider = page.css("input[type=range][aria-label=Batch]")?;
        let rect = slider.rect()?;
        let at = |part: f64| Point {
            x: rect.x + part * rect.width,
            y: rect.y + rect.height / 2.0,
        };
        page.drag_through(Pointer::Mouse, &[at(0.6), at(0.4), at(0.3)])?;
        assert!(page.query()?.contains("batch="), "{}", page.query()?);
        agrees(page)?;
        assert_ne!(figure(page, TPOT)?.value, before);
        has_no_fault(page)
    })
}

#[test]
fn holds_a_figure() -> Result {
    in_others(|page| {
        let script = "const [src, done] = arguments;\
            const figure = document.createElement('iframe');\
            figure.width = 700; figure.height = 420; figure.src = src;\
            figure.onload = () => done(true);\
            document.body.prepend(figure)";
        page.run_async(
            script,
            &[json!(format!("{}?v=2&embed=roofline", page.home()))],
        )?;
        page.enter_frame(&page.css("iframe")?)?;
        page.wait_for(
            "the figure's question",
            || page.run("return document.body.innerText", &[]),
            |said| text(said).contains("Compute or memory?"),
        )?;
        page.wait_for(
            "a drawn figure",
            || page.run(BLANK, &[]),
            |blank: &Value| *blank == json!([]),
        )?;
        page.leave_frame()?;
        has_no_fault(page)
    })
}
