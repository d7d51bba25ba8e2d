//! Tests on a phone: the answer is at the top of the screen, and the slider in use at the bottom.

use ridgepoint_tests::driver::{Page, Pointer, Result, View, on_page};
use serde_json::json;

use crate::reader::{agrees, amount, item, plot, query, slider, texts, thumb, verdict};
use crate::sliders::WATCH;

const TABS: [(&str, &str); 5] = [
    ("GPUs", "gpus"),
    ("Scale-out", "scale_out"),
    ("Batch", "batch"),
    ("Context", "context"),
    ("Balancedness", "beta"),
];

/// Script that returns true if an element is completely on the screen.
const ON_SCREEN: &str = "const r = arguments[0].getBoundingClientRect();\
    return r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth";

fn sees_verdict(page: &Page) -> Result<bool> {
    Ok(page.css("h1")?.call(ON_SCREEN, &json!(null))? == true)
}

#[test]
fn docked_slider_changes_verdict() -> Result {
    on_page(View::PHONE, |page| {
        page.open("")?;
        agrees(page)?;
        let tabs = page.css_all("[role=tablist] [role=tab]")?;
        assert_eq!(tabs.len(), 5);
        for (tab, (name, _)) in tabs.iter().zip(TABS) {
            assert!(tab.name()?.starts_with(name), "{} for {name}", tab.name()?);
            assert_eq!(tab.call(ON_SCREEN, &json!(null))?, json!(true), "{name}");
        }
        for (tab, (name, key)) in tabs.iter().zip(TABS) {
            tab.click()?;
            let docked = slider(page, name)?;
            assert_eq!(
                docked.call(ON_SCREEN, &json!(null))?,
                json!(true),
                "{name} is not at hand"
            );
            let (before, link) = (verdict(page)?, page.query()?);
            let (from, width) = (thumb(&docked)?, docked.rect()?.width);
            page.drag(Pointer::Finger, from, from.offset(-0.25 * width, 0.0))?;
            query(page, &format!("{key} in the address"), |query| {
                query.contains(&format!("{key}="))
            })?;
            agrees(page)?;
            page.wait_for(
                &format!("another verdict after {name}"),
                || verdict(page),
                |now| *now != before,
            )?;
            assert!(sees_verdict(page)?, "the verdict scrolled away");
            assert_eq!(
                page.run("return scrollY", &[])?,
                json!(0),
                "dragging scrolled the page"
            );
            page.back()?;
            query(page, "the address before the drag", |query| query == link)?;
        }
        Ok(())
    })
}

/// Checks that the first screen of each listed view shows more than 80 px of a chart above the dock.
#[test]
fn the_first_screen_holds_a_chart() -> Result {
    on_page(View::PHONE, |page| {
        for view in [
            "",
            "view=limits",
            "view=plans&slo=20",
            "view=disagg",
            "view=disagg&mode=split",
            "view=papers",
        ] {
            page.open(view)?;
            page.settle()?;
            let script = "const dock = document.querySelector('.dock');\
                const foot = dock && dock.checkVisibility() ? dock.getBoundingClientRect().top : innerHeight;\
                const seen = [...document.querySelectorAll('main :is(canvas, svg)')].map(e => {\
                  const r = e.getBoundingClientRect(); return Math.min(r.bottom, foot) - Math.max(r.top, 0) });\
                return Math.max(0, ...seen)";
            page.wait_for(
                &format!("a chart on the first screen of ?{view}"),
                || page.run(script, &[]),
                |seen| seen.as_f64() > Some(80.0),
            )?;
        }
        Ok(())
    })
}

#[test]
fn nothing_moves_but_what_changed() -> Result {
    on_page(View::PHONE, |page| {
        page.open("a.scale_out=100")?;
        page.settle()?;
        page.run("window.only_on_screen = true", &[])?;
        let watched = page.run(WATCH, &[])?;
        assert!(watched.as_u64() > Some(10), "{watched} things watched");
        for (tab, (name, _)) in page.css_all("[role=tab]")?.iter().zip(TABS) {
            tab.click()?;
            let docked = slider(page, name)?;
            let (from, width) = (thumb(&docked)?, docked.rect()?.width);
            let (up, down) = (
                from.offset(0.2 * width, 0.0),
                from.offset(-0.3 * width, 0.0),
            );
            page.drag_through(Pointer::Finger, &[from, up, down, from])?;
            let strayed = page.run("return Object.entries(window.strayed).slice(0, 5)", &[])?;
            assert!(strayed == json!([]), "{strayed} while {name} was dragged");
        }
        Ok(())
    })
}

/// Checks that one tap opens the sheet of the full scenario. The sheet contains the sliders of the dock and the
/// groups of all other controls.
#[test]
fn the_sheet_holds_everything_else() -> Result {
    on_page(View::PHONE, |page| {
        page.open("")?;
        agrees(page)?;
        assert!(
            !page.css("[aria-label=Scenario]")?.is_there()?,
            "the sheet is open from the start"
        );
        page.named("button", "Full scenario")?.click()?;
        page.settle()?;
        let sheet = page.css("[aria-label=Scenario]")?;
        assert!(sheet.is_shown()?);
        let area = sheet.rect()?;
        assert!(area.width > 380.0 && area.height > 600.0, "{area:?}");
        let names = "return [...arguments[0].querySelectorAll('input[type=range]')].map(input => input.ariaLabel)";
        assert_eq!(
            texts(&sheet.call(names, &json!(null))?),
            TABS.map(|(name, _)| name.to_owned())
        );
        for group in crate::reader::GROUPS {
            item(page, "button", group)?;
        }
        item(page, "button", "Parallelism")?.click()?;
        page.named("radio", "HOP-B")?
            .call("arguments[0].closest('label').click()", &json!(null))?;
        query(page, "HOP-B in the address", |query| {
            query.contains("overlap=hop-b")
        })?;
        item(page, "button", "Done")?.click()?;
        page.wait_for("the sheet to go", || sheet.is_shown(), |shown| !shown)?;
        agrees(page)?;
        assert!(sees_verdict(page)?);
        Ok(())
    })
}

/// Checks that an invalid scenario shows its remedies on the screen, not in the closed sheet.
#[test]
fn trouble_shows_above_the_dock() -> Result {
    on_page(View::PHONE, |page| {
        page.open("ep=64")?;
        let way = item(page, "main .helps-list a", "EP 72")?;
        assert_eq!(way.call(ON_SCREEN, &json!(null))?, json!(true));
        way.click()?;
        agrees(page)?;
        Ok(())
    })
}

/// Checks that controls are large enough for a finger, and that a tap on a chart shows the nearest mark.
#[test]
fn tap_finds_nearest_mark() -> Result {
    on_page(View::PHONE, |page| {
        page.open("")?;
        agrees(page)?;
        page.wait_for(
            "levers",
            || page.css_all(".helps-list .lever"),
            |levers| levers.len() >= 3,
        )?;
        let script = "return [...document.querySelectorAll('button, a[href], input')]\
            .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.closest('[hidden]'))\
            .map(e => {\
              const label = e.closest('label'), [one, other] = [e, label || e].map(e => e.getBoundingClientRect());\
              const around = getComputedStyle(e, '::before'), more = around.position === 'absolute' && around.content !== 'none';\
              const px = side => more ? Math.min(0, parseFloat(around[side]) || 0) : 0;\
              return [e.ariaLabel || e.innerText, one.height > other.height ? one : other,\
                { x: px('left') + px('right'), y: px('top') + px('bottom') }] })\
            .map(([name, r, room]) => [name, r, r.width - room.x, r.height - room.y])\
            .filter(([, r, wide, high]) => r.right > 2 && r.width > 2 && (wide < 24 || high < 31.5))\
            .map(([name, , wide, high]) => `${name} ${wide}×${high}`)";
        let small = texts(&page.run(script, &[])?);
        assert!(small.is_empty(), "too small for fingers: {small:?}");

        let chart = plot(page, "Where does the step time go?")?;
        chart.call(
            "arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })",
            &json!(null),
        )?;
        page.press(Pointer::Finger, chart.rect()?.at(0.6, 0.75))?;
        let tip = || {
            let script =
                "const tip = arguments[0].querySelector('[role=status]'); return tip.innerText";
            chart.call(script, &json!(null))
        };
        page.wait_for("what was tapped", tip, |said| {
            said.as_str().is_some_and(|said| said.contains("unpins"))
        })?;
        assert!(amount(page, "TPOT")? > 0.0);
        Ok(())
    })
}
