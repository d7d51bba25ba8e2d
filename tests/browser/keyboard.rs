//! Tests of keyboard and screen-reader use: every control is reachable, visibly focused, and named.

use ridgepoint_tests::driver::{Page, Result, View, key, on_page};
use serde_json::json;

use crate::reader::{GROUPS, agrees, open_group, query, reads, text, texts};

/// Script that returns the focused element's kind and name, and `seen`: true if the element is on the screen. Returns
/// null if nothing is focused. `plain` is true if losing focus changed the look of the previously focused element, its
/// parent or its siblings.
const FOCUSED: &str = "
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const look = e => { const s = getComputedStyle(e); return s.opacity === '0' ? '' : [s.outlineStyle === 'none' ? '' : s.outline, s.boxShadow,
      s.borderColor, s.backgroundColor, s.color, s.textDecorationLine, s.transform, s.opacity].join('|') };
    window.look_of ||= e => [e, e.parentElement, ...e.parentElement.children].map(look).join('\\n');
    const before = window.last_focused;
    const plain = before ? window.look_of(before) !== window.last_look : true;
    window.last_focused = element;
    window.last_look = window.look_of(element);
    const r = element.getBoundingClientRect();
    return { plain, kind: element.getAttribute('role') || element.type || element.localName,
      name: (element.ariaLabel || element.innerText || '').trim(),
      seen: r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth }";

/// Returns every control reached by the Tab key as “kind: name”; checks that each control looks different when
/// focused.
fn tour(page: &Page) -> Result<Vec<String>> {
    let mut stops: Vec<String> = Vec::new();
    for _ in 0..140 {
        page.keys(&key::TAB.to_string())?;
        let stop = page.run(FOCUSED, &[])?;
        if stop.is_null() {
            break;
        }
        let last = stops.last().map(String::as_str).unwrap_or_default();
        assert!(
            stop["plain"] == true,
            "nothing shows that “{last}” has the focus"
        );
        let name = format!(
            "{}: {}",
            text(&stop["kind"]),
            text(&stop["name"]).replace('\n', " ")
        );
        assert!(
            stop["seen"] == true,
            "“{name}” has the focus off the screen"
        );
        // The tour ends when the first control is focused again; two links to one place may share a name.
        if stops.first() == Some(&name) {
            break;
        }
        stops.push(name);
    }
    Ok(stops)
}

#[test]
fn tab_reaches_everything() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&gpus=72&batch=9216&context=2000&a.scale_out=100")?;
        agrees(page)?;
        page.settle()?;
        let stops = tour(page)?;
        let mut from = 0;
        // In reading order.
        let above = [
            "Skip to the answer",
            "Ridgepoint, default scenario",
            "Custom scenario",
            "Unpin",
            "Share",
            "Theme: system",
            "range: GPUs",
            "range: Scale-out",
            "range: Batch",
            "range: Context",
            "range: Balancedness",
        ];
        let below = [
            "swap",
            "unpin",
            "Show table: Where does the step time go?",
            "Download: Where does the step time go?",
            "Copy link: Where does the step time go?",
            "Embed: Where does the step time go?",
            "application: Where does the step time go?",
            "application: Is the batch size right?",
            "application: Compute or memory?",
            "application: Does it fit?",
        ];
        for wanted in above.iter().chain(&GROUPS).chain(&below) {
            let found = stops[from..].iter().position(|stop| stop.contains(wanted));
            assert!(
                found.is_some(),
                "“{wanted}” is not reached after {from} of {stops:#?}"
            );
            from += found.unwrap_or_default();
        }
        for field in [
            "GPUs",
            "Scale-out, GB/s",
            "Batch, seq",
            "Context, tok",
            "Balancedness",
        ] {
            assert!(
                stops.contains(&format!("text: {field}")),
                "{field} in {stops:#?}"
            );
        }
        Ok(())
    })
}

#[test]
fn groups_and_pickers_open_by_keyboard() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        let hardware = crate::reader::button_with(page, "Hardware")?;
        hardware.focus()?;
        page.keys(&key::ENTER.to_string())?;
        page.wait_for(
            "the group to open",
            || hardware.attribute("aria-expanded"),
            |open| open.as_deref() == Some("true"),
        )?;
        // Once the list of accelerators is loaded, two tabs lead past *Close* into it; arrow keys then select one.
        page.css(".group-body .picker input")?;
        page.keys(&key::TAB.to_string())?;
        page.keys(&key::TAB.to_string())?;
        page.keys(&key::DOWN.to_string())?;
        query(page, "another accelerator", |query| query.contains("gpu="))?;
        agrees(page)?;

        let menu = page.css("[aria-haspopup=menu]")?;
        menu.focus()?;
        page.keys(&key::DOWN.to_string())?;
        let focused = || page.run("return document.activeElement.getAttribute('role')", &[]);
        page.wait_for("an item of the menu", focused, |role| role == "menuitem")?;
        // Move past *Your scenarios*.
        for _ in 0..3 {
            page.keys(&key::DOWN.to_string())?;
        }
        let words = || page.run("return document.activeElement.innerText", &[]);
        page.wait_for("the second item", words, |words| {
            text(words).starts_with("What limits gpt-oss-120b")
        })?;
        page.keys(&key::ENTER.to_string())?;
        query(page, "the second scenario", |query| {
            query.contains("model=gpt-oss-120b")
        })?;
        agrees(page)?;
        page.css("[aria-haspopup=menu]")?.focus()?;
        page.keys(&key::ENTER.to_string())?;
        reads(page, "[A] 3.6: what does an NVL72 rack change?")?;
        page.keys(&key::ESCAPE.to_string())?;
        page.wait_for(
            "the menu to close",
            || page.text(),
            |all| !all.contains("NVL72 rack change"),
        )?;
        let script = "return document.activeElement.getAttribute('aria-haspopup')";
        assert_eq!(
            page.run(script, &[])?,
            json!("menu"),
            "the focus is back on its button"
        );
        Ok(())
    })
}

/// Checks the link that skips the controls and moves the focus to the answer.
#[test]
fn the_answer_is_one_key_away() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        page.keys(&key::TAB.to_string())?;
        page.keys(&key::ENTER.to_string())?;
        let script = "return document.activeElement.localName";
        page.wait_for(
            "the answer to have the focus",
            || page.run(script, &[]),
            |name| name == "main",
        )?;
        assert_eq!(page.query()?, "v=1");
        Ok(())
    })
}

/// Checks that every selected control has an accessible name; returns the number of controls.
fn named(page: &Page, selector: &str) -> Result<usize> {
    let mut seen = 0;
    for element in page.css_all(selector)? {
        if !element.is_there()? {
            continue;
        }
        let (role, name) = (element.role()?, element.name()?);
        let html = || element.property("outerHTML");
        assert!(
            !name.trim().is_empty() || role == "main",
            "no name: {role} {:.300}",
            html()?.to_string()
        );
        seen += 1;
    }
    Ok(seen)
}

/// Checks that all controls have accessible names, that sliders announce units, and that referenced ids exist once.
#[test]
fn everything_has_a_name() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("a.scale_out=100")?;
        agrees(page)?;
        page.settle()?;
        let controls = ":is(button, a[href], input, select, textarea, [role=application], [role=region], [role=dialog], main, aside, nav)";
        let in_group = format!(".group.open .group-body {controls}");
        let mut seen = named(page, controls)?;
        let mut sliders = 0;
        for group in GROUPS {
            open_group(page, group)?;
            page.css(".group.open .group-body .row, .group.open .group-body .terms")?;
            page.settle()?;
            seen += named(page, &in_group)?;
            // Sliders announce their value with its unit, not a position.
            let spoken = "return [...document.querySelectorAll('input[type=range]')].map(input => input.ariaValueText || '')";
            let spoken = texts(&page.run(spoken, &[])?);
            assert!(spoken.iter().all(|text| !text.is_empty()), "{spoken:?}");
            sliders += spoken.len();
        }
        assert!(
            seen > 100 && sliders > 40,
            "only {seen} looked at, {sliders} sliders"
        );
        // Referenced ids: each exists once.
        let script = "const ids = [...document.querySelectorAll('[id]')].map(e => e.id);\
            const twice = ids.filter((id, i) => ids.indexOf(id) !== i);\
            const named = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'];\
            const lost = named.flatMap(a => [...document.querySelectorAll(`[${a}]`)]\
              .flatMap(e => e.getAttribute(a).split(' ').filter(id => !ids.includes(id))));\
            return [...twice.map(id => 'twice: ' + id), ...lost.map(id => 'lost: ' + id)]";
        assert_eq!(texts(&page.run(script, &[])?), Vec::<String>::new());
        Ok(())
    })
}

#[test]
fn about_opens_and_closes_by_keyboard() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits")?;
        let button = page.named("button", "About")?;
        button.focus()?;
        page.keys(&key::ENTER.to_string())?;
        reads(page, "Accuracy")?;
        let script = "return [...document.querySelectorAll('.about a')].map(a => a.href).join(' ')";
        let links = page.run(script, &[])?;
        assert!(
            text(&links).contains("https://arxiv.org/abs/2507.07120"),
            "{links}"
        );
        page.keys(&key::ESCAPE.to_string())?;
        page.wait_for(
            "it to close",
            || page.text(),
            |all| !all.contains("Accuracy"),
        )?;
        let script = "return document.activeElement.getAttribute('aria-label')";
        assert_eq!(page.run(script, &[])?, json!("About"));
        Ok(())
    })
}
