//! Tests of web hosting: the headers that hosts send, the referrers in their logs, and a static host without settings.

use ridgepoint_tests::driver::{Element, Page, Result, View, on_page};
use serde_json::json;
use site::POLICY;

use crate::reader::{agrees, go_to, painted, reads};

/// Scrolls to the first live figure of a page and returns its frame.
pub fn first_frame(page: &Page) -> Result<Element<'_>> {
    let script = "const figure = document.querySelector('ridgepoint-figure'); figure.scrollIntoView();\
        return [figure.shadowRoot?.querySelector('iframe')].filter(frame => frame)";
    let look = || page.find(script, &[]);
    page.wait_for("a frame", || Ok(look()?.len()), |count| *count == 1)?;
    Ok(look()?.remove(0))
}

/// Checks that no referrer contains the URL query, which encodes the scenario; only the request for the page itself
/// contains the query.
#[test]
fn no_referer_has_the_scenario() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&model=gpt-oss-120b&gpus=8")?;
        agrees(page)?;
        for place in ["Plans", "Traffic"] {
            go_to(page, place)?;
        }
        page.open_url(&format!("{}guide/decode.html?from=here", page.home()))?;
        page.css("h1")?;
        let told: Vec<_> = page
            .served()
            .into_iter()
            .filter_map(|request| Some((request.target, request.referer?)))
            .filter(|(_, referer)| referer.contains('?'))
            .collect();
        assert!(told.is_empty(), "{told:?}");
        Ok(())
    })
}

#[test]
fn trusted_types() -> Result {
    on_page(View::DESKTOP, |page| {
        let policy = |more: &str| {
            format!("Content-Security-Policy: {POLICY}; require-trusted-types-for 'script'{more}")
        };
        page.set_headers(&["Cache-Control: no-store", &policy("")]);
        page.open("v=3")?;
        agrees(page)?;
        for place in ["Plans", "Traffic", "Evidence"] {
            go_to(page, place)?;
        }
        // The URL of the worker's script is also a sink of Trusted Types.
        go_to(page, "Bottleneck")?;
        page.set_headers(&[
            "Cache-Control: no-store",
            &policy("; trusted-types default"),
        ]);
        page.open("v=3&embed=pareto")?;
        painted(page, "Is the batch size right?")
    })?;
    // Not `on_page`: the browser logs the forbidden policy as an error.
    let page = Page::start(View::DESKTOP)?;
    let policy = format!(
        "Content-Security-Policy: {POLICY}; require-trusted-types-for 'script'; trusted-types other"
    );
    page.set_headers(&["Cache-Control: no-store", &policy]);
    page.open_url(&format!("{}?v=3", page.home()))?;
    reads(
        &page,
        "This server requires Trusted Types: it must allow the policy name “default”.",
    )
    .map(drop)
}

/// Checks the page on a static host without settings. The host sends no policy header, sets short cache lifetimes,
/// and uses generic media types for file types that it does not know.
#[test]
fn a_plain_static_host() -> Result {
    on_page(View::DESKTOP, |page| {
        page.set_headers(&[
            "Cache-Control: max-age=600",
            "Access-Control-Allow-Origin: *",
        ]);
        for ending in [".wasm", ".tsv", ".webmanifest", ".woff2"] {
            page.retype_file(ending, "application/octet-stream");
        }
        page.open("v=3")?;
        agrees(page)?;
        for place in ["Plans", "Traffic", "Evidence"] {
            go_to(page, place)?;
        }
        page.open_url(&format!("{}guide/", page.home()))?;
        page.css("h1").map(drop)
    })
}

/// Checks the preview (title, text and picture) that other sites show for a permalink, and that the web app's icons
/// load.
#[test]
fn links_have_a_preview() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3")?;
        let script = "const of = name => document.querySelector(`meta[property='${name}']`)?.content;\
            const picture = new Image(); picture.src = of('og:image');\
            const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json();\
            const icons = await Promise.all(manifest.icons.map(icon => fetch(icon.src).then(answer => answer.ok)));\
            await picture.decode();\
            return [picture.naturalWidth, picture.naturalHeight, !!of('og:title'), !!of('og:description'), icons]";
        let script = format!("return (async () => {{ {script} }})()");
        let found = page.run(&script, &[])?;
        assert_eq!(found, json!([1200, 630, true, true, [true, true, true]]));
        Ok(())
    })
}
