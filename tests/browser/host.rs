//! Tests of figures in third-party pages, embedded by the element of `embed.js` or by plain frames.

use ridgepoint_tests::driver::{Element, Page, Result, View, on_page};
use serde_json::{Value, json};
use site::POLICY;

use crate::reader::{painted, reads, text};

/// Opens a page with these figures under the content security policy of all tests; the page has no inline scripts or
/// styles.
fn host(page: &Page, figures: &str) -> Result {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Host</title>\
         <link rel=\"icon\" href=\"./icon.svg\"><script src=\"./embed.js\"></script>\
         <link rel=\"stylesheet\" href=\"./host.css\">\
         <body><h1>Somebody's page</h1>{figures}</body></html>"
    );
    page.replace_file("host.html", 200, &html);
    // A column of text, like that of documentation pages.
    page.replace_file("host.css", 200, "body { max-width: 700px; margin: auto }");
    page.open_url(&format!("{}host.html", page.home()))
}

/// Returns the HTML of one embedded figure, with a fallback link for readers without scripts or frames.
fn element(link: &str, attributes: &str) -> String {
    let link = link.replace('&', "&amp;");
    format!(
        "<p>About a figure.</p><ridgepoint-figure src=\"./?{link}\" {attributes}>\
         <a href=\"./?{link}\">A figure</a></ridgepoint-figure>"
    )
}

/// Waits for the frame inside the figure's element and returns it.
pub fn frame(page: &Page) -> Result<Element<'_>> {
    let script = "const inside = document.querySelector('ridgepoint-figure').shadowRoot;\
        return [...inside.querySelectorAll('iframe')]";
    let look = || page.find(script, &[]);
    let found = page.wait_for("a frame", || Ok(look()?.len()), |count| *count == 1);
    found.and_then(|_| Ok(look()?.remove(0)))
}

/// Script that returns, for each figure of the page, an array of content height, frame height and number of drawn
/// charts. The entry is null if the figure has no content yet.
const SHOWN: &str = "return [...document.querySelectorAll('ridgepoint-figure')].map(figure => {\
    const frame = figure.shadowRoot.querySelector('iframe');\
    const inside = frame?.contentDocument?.querySelector('.embed');\
    const drawn = canvas => canvas.width > 300 && new Set(new Uint32Array(canvas.getContext('2d')\
      .getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size > 30;\
    return inside && [Math.ceil(inside.getBoundingClientRect().height), frame.offsetHeight,\
      [...inside.querySelectorAll('.plot canvas')].filter(drawn).length] })";

/// Returns true if the figure has a drawn chart and its frame is as high as its content.
fn is_whole(figure: &Value) -> bool {
    figure[0].is_u64() && figure[0] == figure[1] && figure[2].as_u64() >= Some(1)
}

const SHIFT: &str = "window.shift = 0; new PerformanceObserver(list => {\
    for (const entry of list.getEntries()) shift += entry.value;\
    }).observe({ type: 'layout-shift', buffered: true })";

fn holds_still(page: &Page) -> Result {
    let shift = page.run("return shift", &[])?.as_f64().unwrap_or(f64::NAN);
    assert!(shift <= 0.05, "layout shift {shift}");
    Ok(())
}

/// Returns the HTML of twelve figures: six charts, each on two accelerators.
fn twelve() -> String {
    let figures = [
        "roofline",
        "breakdown",
        "pareto",
        "memory",
        "timeline",
        "context",
    ];
    let gpus = ["h100", "h200"];
    let each = gpus.map(|gpu| figures.map(|id| element(&format!("v=1&gpu={gpu}&embed={id}"), "")));
    each.concat().concat()
}

#[test]
fn twelve_figures_load_once_and_hold_still() -> Result {
    on_page(View::DESKTOP, |page| {
        let policy = format!("Content-Security-Policy: {POLICY}");
        page.set_headers(&["Cache-Control: max-age=600", &policy]);
        page.at_every_start(SHIFT)?;
        host(page, &twelve())?;
        // Scroll from top to bottom.
        let step = "scrollBy(0, 300); return scrollY + innerHeight >= document.documentElement.scrollHeight - 1";
        page.wait_for(
            "the end of the page",
            || {
                std::thread::sleep(std::time::Duration::from_millis(250));
                page.run(step, &[])
            },
            |end| *end == true,
        )?;
        all_whole(page)?;
        let served = page.served();
        let programs = served.iter().filter(|request| {
            request.target.ends_with("_bg.wasm") && !request.target.contains("worker")
        });
        assert_eq!(programs.count(), 1, "downloads of the program");
        holds_still(page)?;
        let notes = "return [...document.querySelectorAll('ridgepoint-figure')]\
            .filter(figure => figure.shadowRoot.querySelector('p')).length";
        assert_eq!(
            page.run(notes, &[])?,
            json!(0),
            "figures that “do not answer”"
        );
        Ok(())
    })
}

/// Checks that a script that loads late does not shift the layout. The host page's styles, as given in the docs, the
/// README and the embed dialog, reserve space for the figures.
#[test]
fn a_late_script_moves_nothing() -> Result {
    let document = include_str!("../../docs/embedding.md");
    let styles = document.split("```css").nth(1).unwrap_or_default();
    let styles = styles.split("```").next().unwrap_or_default().trim();
    assert!(styles.contains(":not(:defined)"), "{styles}");
    on_page(View::DESKTOP, |page| {
        page.at_every_start(SHIFT)?;
        let head = "<script src=\"./embed.js\" async></script><link rel=\"stylesheet\" href=\"./host.css\">";
        let styles = format!("body {{ max-width: 700px; margin: auto }} {styles}");
        page.replace_file("host.css", 200, &styles);
        page.delay_file("embed.js", std::time::Duration::from_secs(2));
        let html = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Host</title>\
             <link rel=\"icon\" href=\"./icon.svg\">{head}<body><h1>Somebody's page</h1>{}</body></html>",
            twelve()
        );
        page.replace_file("host.html", 200, &html);
        page.open_url(&format!("{}host.html", page.home()))?;
        page.run("dispatchEvent(new Event('beforeprint'))", &[])?;
        all_whole(page)?;
        holds_still(page)
    })
}

/// Checks that a figure follows the color scheme of the host page's root element or `<meta>` tag, but not that of the
/// body.
#[test]
fn figures_follow_the_canvas() -> Result {
    for (head, styles, dark) in [
        (
            "<meta name=\"color-scheme\" content=\"light dark\">",
            "",
            true,
        ),
        ("", ":root { color-scheme: light dark }", true),
        // Only the root element's color scheme applies to the canvas.
        ("", "body { color-scheme: light dark }", false),
        ("", "", false),
    ] {
        on_page(View::DESKTOP.dark(), |page| {
            let html = format!(
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Host</title>{head}\
                 <link rel=\"icon\" href=\"./icon.svg\"><script src=\"./embed.js\"></script>\
                 <link rel=\"stylesheet\" href=\"./host.css\"><body>{}</body></html>",
                element("v=1&embed=memory", "")
            );
            page.replace_file("host.html", 200, &html);
            page.replace_file("host.css", 200, styles);
            page.open_url(&format!("{}host.html", page.home()))?;
            let theme = "const frame = document.querySelector('ridgepoint-figure').shadowRoot.querySelector('iframe');\
                return frame?.contentDocument?.documentElement.dataset.theme";
            let wanted = if dark { "dark" } else { "light" };
            page.wait_for(
                &format!("{wanted} with {head}{styles}"),
                || page.run(theme, &[]),
                |theme| text(theme) == wanted,
            )
            .map(drop)
        })?;
    }
    Ok(())
}

fn all_whole(page: &Page) -> Result {
    page.wait_for(
        "twelve whole figures",
        || page.run(SHOWN, &[]),
        |all| {
            let all = all.as_array().map(Vec::as_slice).unwrap_or_default();
            all.len() == 12 && all.iter().all(is_whole)
        },
    )?;
    Ok(())
}

#[test]
fn figures_out_of_view_load_for_print() -> Result {
    on_page(View::DESKTOP, |page| {
        host(page, &twelve())?;
        page.run("dispatchEvent(new Event('beforeprint'))", &[])?;
        all_whole(page).map(drop)
    })
}

/// Checks that content which a framework renders inside the figure's element is not changed, and that it is shown if
/// no frame can be shown.
#[test]
fn content_of_the_element_is_left_alone() -> Result {
    on_page(View::DESKTOP, |page| {
        host(page, &element("v=1&embed=memory", ""))?;
        page.enter_frame(&frame(page)?)?;
        painted(page, "Does it fit?")?;
        page.leave_frame()?;
        let markup = "return document.querySelector('ridgepoint-figure').outerHTML";
        let whole = element("v=1&embed=memory", "");
        let (_, written) = whole.split_once("</p>").unwrap_or_default();
        assert_eq!(
            text(&page.run(markup, &[])?),
            written.replace("\" >", "\">")
        );
        let shown = "const figure = document.querySelector('ridgepoint-figure');\
            return [figure.querySelector('a').checkVisibility(), !!figure.shadowRoot.querySelector('iframe')]";
        assert_eq!(page.run(shown, &[])?, json!([false, true]));
        let set = "document.querySelector('ridgepoint-figure').setAttribute('src', arguments[0])";
        for address in ["javascript:alert(1)", "data:text/html,x", "http://", ""] {
            page.run(set, &[json!(address)])?;
            assert_eq!(page.run(shown, &[])?, json!([true, false]), "{address}");
        }
        page.run(set, &[json!("./?v=1&embed=memory")])?;
        assert_eq!(page.run(shown, &[])?, json!([false, true]));
        page.enter_frame(&frame(page)?)?;
        painted(page, "Does it fit?")?;
        page.leave_frame()
    })
}

#[test]
fn attributes_of_the_element() -> Result {
    on_page(View::DESKTOP, |page| {
        host(
            page,
            &element(
                "v=1&embed=memory&theme=light",
                "theme=\"dark\" title=\"off\"",
            ),
        )?;
        let inside = "const frame = document.querySelector('ridgepoint-figure').shadowRoot.querySelector('iframe');\
            const page = frame.contentDocument; const title = page?.querySelector('.chart-question');\
            return [page?.documentElement.dataset.theme, title && getComputedStyle(title).display, frame.title]";
        let is = |theme: &str, title: &str, name: &str| {
            let wanted = json!([theme, title, name]);
            page.wait_for(
                &wanted.to_string(),
                || page.run(inside, &[]),
                |seen| *seen == wanted,
            )
        };
        is("dark", "none", "A figure")?;
        let set = "const figure = document.querySelector('ridgepoint-figure');\
            figure.setAttribute('theme', 'auto'); figure.title = 'Memory'";
        page.run(set, &[])?;
        is("light", "block", "Memory")?;
        // The figure follows the background of the host page, in any CSS color notation.
        page.run(
            "document.body.style.background = 'color(srgb 0.1 0.1 0.2)'",
            &[],
        )?;
        is("dark", "block", "Memory")?;
        page.run("document.body.style.background = '#fff'", &[])?;
        is("light", "block", "Memory").map(drop)
    })
}

/// Checks that a figure that does not respond is reported, but not before it scrolls into view.
#[test]
fn waits_from_when_it_is_seen() -> Result {
    // Not `on_page`: a figure that does not respond is logged as an error.
    let page = Page::start(View::DESKTOP)?;
    page.at_every_start(
        "const later = setTimeout; window.setTimeout = (run, time) => later(run, time === 20000 ? 500 : time)",
    )?;
    page.replace_file("nothing.html", 200, "<p>Nothing of Ridgepoint</p>");
    let far = "<p>.</p>".repeat(400);
    host(
        &page,
        &format!("{far}<ridgepoint-figure src=\"./nothing.html\"></ridgepoint-figure>"),
    )?;
    let note = "return document.querySelector('ridgepoint-figure').shadowRoot.querySelector('p')?.innerText";
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(page.run(note, &[])?, Value::Null, "not seen yet");
    page.run(
        "document.querySelector('ridgepoint-figure').scrollIntoView()",
        &[],
    )?;
    page.wait_for(
        "a note",
        || page.run(note, &[]),
        |said| text(said).contains("did not load"),
    )
    .map(drop)
}

#[test]
fn links_of_figures_that_are_not_understood() -> Result {
    on_page(View::screen(640, 420, false), |page| {
        page.open("v=1&embed=memory&batch=-5&colour=red")?;
        reads(page, "Ignored permalink parameters: ")?;
        reads(page, "colour is an unknown parameter")?;
        page.open("v=1&gpus=64&embed=nonsense")?;
        reads(page, "“nonsense” is not a Ridgepoint chart")?;
        assert!(page.css_all("header, aside, input[type=range]")?.is_empty());
        let home = page
            .named("link", "Open in Ridgepoint")?
            .attribute("href")?;
        assert_eq!(home, Some(format!("{}?v=1&gpus=64", page.home())));
        Ok(())
    })
}

/// Checks a figure in a sandboxed frame, which has no origin. It works if the server's headers let it load the
/// program; otherwise it shows a note with the figure's address.
#[test]
fn sandboxed_frames() -> Result {
    // Not `on_page`: the browser logs files that the frame may not load as errors.
    let page = Page::start(View::DESKTOP)?;
    let sandboxed = "<iframe sandbox=\"allow-scripts\" src=\"./?v=1&amp;embed=memory\" width=\"800\" height=\"500\"></iframe>";
    host(&page, sandboxed)?;
    page.enter_frame(&page.css("iframe")?)?;
    reads(&page, "sandboxed frame lacks allow-same-origin")?;
    reads(&page, &format!("{}?v=1&embed=memory", page.home()))?;
    page.leave_frame()?;
    let policy = format!("Content-Security-Policy: {POLICY}");
    page.set_headers(&[
        "Access-Control-Allow-Origin: *",
        "Cache-Control: no-store",
        &policy,
    ]);
    host(&page, sandboxed)?;
    page.enter_frame(&page.css("iframe")?)?;
    painted(&page, "Does it fit?")
}
