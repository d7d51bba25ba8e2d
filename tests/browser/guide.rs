//! Tests of the guide: it is readable without scripts and has live figures with scripts, in both themes, by keyboard,
//! and on a phone.

use ridgepoint_tests::driver::{Page, Result, View, key, on_page};
use serde_json::{Value, json};

use crate::reader::{painted, text};

const CHAPTERS: [&str; 8] = [
    "index",
    "decode",
    "latent-attention",
    "experts",
    "long-context",
    "disaggregation",
    "requests",
    "accuracy",
];

fn open(page: &Page, chapter: &str) -> Result {
    page.open_url(&format!("{}guide/{chapter}.html", page.home()))?;
    page.css("h1").map(drop)
}

/// Script that returns the accessibility faults of a page, named like the axe rules that report the same faults.
const FAULTS: &str = r"
    const faults = [], say = (rule, element) => faults.push(`${rule}: ${element?.outerHTML?.slice(0, 120)}`);
    const all = selector => [...document.querySelectorAll(selector)];
    if (!document.documentElement.lang) say('html-has-lang');
    if (!document.title.trim()) say('document-title');
    if (all('main').length !== 1) say('landmark-one-main');
    if (all('h1').length !== 1) say('page-has-heading-one');
    let level = 0;
    for (const heading of all('h1, h2, h3, h4')) {
        const now = Number(heading.localName[1]);
        if (now > level + 1) say('heading-order', heading);
        level = now;
    }
    const ids = all('[id]').map(element => element.id);
    for (const id of ids) if (ids.filter(other => other === id).length > 1) say('duplicate-id ' + id);
    for (const image of all('img')) if (!image.alt.trim()) say('image-alt', image);
    for (const link of all('a, button, summary'))
        if (!(link.ariaLabel || link.textContent).trim() && !link.hidden) say('link-name', link);
    for (const nav of all('nav')) if (!nav.ariaLabel) say('landmark-unique', nav);
    const light = color => color.match(/[\d.]+/g).slice(0, 3)
        .map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const ground = element => {
        for (let at = element; at; at = at.parentElement) {
            const color = getComputedStyle(at).backgroundColor;
            if (!/, 0\)$/.test(color)) return light(color);
        }
        return light(getComputedStyle(document.documentElement).backgroundColor);
    };
    for (const element of all('header *, nav *, main *')) {
        const words = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        if (!words || !element.checkVisibility() || element.closest('ridgepoint-figure')) continue;
        const [ink, back] = [light(getComputedStyle(element).color), ground(element)];
        const contrast = (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05);
        if (contrast < 4.5) say(`color-contrast ${contrast.toFixed(2)}`, element);
    }
    if (document.documentElement.scrollWidth > innerWidth) say('wider than the screen');
    return faults";

#[test]
fn pages_are_accessible_in_both_themes() -> Result {
    for view in [View::DESKTOP, View::DESKTOP.dark(), View::PHONE] {
        on_page(view, |page| {
            page.replace_file("embed.js", 200, "");
            for chapter in CHAPTERS {
                open(page, chapter)?;
                assert_eq!(page.run(FAULTS, &[])?, json!([]), "{chapter}");
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Script that returns the visible still images of each figure: the theme of each image, and true if it has loaded.
const STILLS: &str = "return [...document.querySelectorAll('ridgepoint-figure')].map(figure =>\
    [...figure.querySelectorAll('picture')].filter(picture => picture.checkVisibility())\
      .map(picture => [picture.className, picture.querySelector('img').naturalWidth > 200]).flat())";

#[test]
fn chapters_read_without_scripts() -> Result {
    for (view, still) in [
        (View::DESKTOP, "still-light"),
        (View::DESKTOP.dark(), "still-dark"),
    ] {
        on_page(view, |page| {
            page.replace_file("embed.js", 200, "");
            page.replace_file("guide.js", 200, "");
            for chapter in CHAPTERS {
                open(page, chapter)?;
                // Still images load only near the viewport, so load all of them now.
                page.run(
                    "document.querySelectorAll('img').forEach(image => image.loading = 'eager')",
                    &[],
                )?;
                page.wait_for(
                    "a still in each figure",
                    || page.run(STILLS, &[]),
                    |stills| {
                        let mut figures = stills.as_array().into_iter().flatten();
                        figures.all(|one| *one == json!([still, true]))
                    },
                )?;
                assert!(page.css_all("iframe")?.is_empty(), "{chapter}");
            }
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn figures_are_live_and_numbers_open() -> Result {
    on_page(View::DESKTOP, |page| {
        open(page, "decode")?;
        let script = "const figure = document.querySelector('ridgepoint-figure');\
            return [...figure.shadowRoot.querySelectorAll('iframe')]";
        page.wait_for(
            "a frame",
            || Ok(page.find(script, &[])?.len()),
            |count| *count == 1,
        )?;
        let frame = page.find(script, &[])?.remove(0);
        page.enter_frame(&frame)?;
        painted(page, "Compute or memory?")?;
        let slider = page.css(".embed-sliders input[type=range]")?;
        let before = slider.property("value")?;
        slider.focus()?;
        page.keys(&key::END.to_string())?;
        page.wait_for(
            "a moved slider",
            || slider.property("value"),
            |value| *value != before,
        )?;
        page.leave_frame()?;
        let href = page.css("a.number")?.attribute("href")?.unwrap_or_default();
        let query = href.split_once('?').map_or("", |(_, query)| query);
        page.open(query)?;
        assert!(
            page.css_all(".notice")?.is_empty(),
            "?{query} is read whole"
        );
        Ok(())
    })
}

#[test]
fn colors_are_those_of_the_page() -> Result {
    on_page(View::DESKTOP, |page| {
        open(page, "experts")?;
        let theme = || {
            page.run(
                "return document.documentElement.dataset.theme || 'system'",
                &[],
            )
        };
        assert_eq!(theme()?, "system");
        for wanted in ["light", "dark"] {
            page.css("#theme")?.click()?;
            assert_eq!(theme()?, wanted);
        }
        // The choice is stored for the page and for other chapters.
        open(page, "requests")?;
        assert_eq!(theme()?, "dark");
        page.open("v=3")?;
        assert_eq!(theme()?, "dark");
        page.run("localStorage.clear()", &[]).map(drop)
    })
}

#[test]
fn keys_reach_everything() -> Result {
    on_page(View::DESKTOP, |page| {
        page.replace_file("embed.js", 200, "");
        open(page, "decode")?;
        let focused = "const e = document.activeElement; return (e.ariaLabel || e.textContent).trim().slice(0, 40)";
        let mut stops = Vec::new();
        for _ in 0..60 {
            page.keys(&key::TAB.to_string())?;
            let stop: Value = page.run(focused, &[])?;
            stops.push(text(&stop).to_owned());
            if stops.last().is_some_and(|stop| stop.starts_with("Next: ")) {
                break;
            }
        }
        for wanted in [
            "Skip to the text",
            "Guide",
            "Theme: system",
            "2 Latent attention",
            "Next: Latent attention",
        ] {
            assert!(
                stops.iter().any(|stop| stop == wanted),
                "{wanted}: {stops:?}"
            );
        }
        let question = page.css("summary")?;
        question.focus()?;
        page.keys(&key::ENTER.to_string())?;
        let open = page.run("return document.querySelector('details').open", &[])?;
        assert_eq!(open, json!(true));
        Ok(())
    })
}

/// Checks that the top bar links to the guide, and that the Explore, Service and Evidence views each link to their
/// chapter.
#[test]
fn the_page_leads_to_the_guide() -> Result {
    on_page(View::DESKTOP, |page| {
        for (view, chapter) in [
            ("explore", "decode"),
            ("service", "requests"),
            ("papers", "accuracy"),
        ] {
            page.open(&format!("v=3&view={view}"))?;
            let lesson = page.css(".lesson")?.attribute("href")?;
            let wanted = format!("./guide/{chapter}.html");
            assert_eq!(lesson, Some(wanted), "{view}");
        }
        page.named("link", "Learn")?.click()?;
        page.wait_for("the guide", || page.url(), |url| url.ends_with("/guide/"))?;
        page.css(".contents a").map(drop)
    })
}
