//! The first screen: an answer without any input.

use model_core::preset::PRESETS;
use ridgepoint_tests::driver::{Page, Result, View, on_page};

use crate::reader::{
    CHARTS, agrees, button_with, figures, in_parts, item, painted, reads, text, verdict,
};

#[test]
fn opens_on_an_answer() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open_address(&page.home())?;
        let verdict = verdict(page)?;
        let said = "Scale-out communication fills the 95.8 ms step; compute idles 47.4 ms.";
        assert_eq!(verdict, said);
        let shown = agrees(page)?;
        let wanted = [
            ("Time per output token", "95.8", "ms"),
            ("Interactivity", "10.4", "tok/s/user"),
            ("Throughput per GPU", "2.67k", "tok/s/GPU"),
            ("Time to first token", "464", "ms"),
            ("Cost at", "$0.", "/M tok"),
            ("Memory per GPU", "59.9", "of 72 GiB"),
        ];
        for (figure, (name, value, unit)) in shown.iter().zip(wanted) {
            assert!(figure.name.starts_with(name), "{figure:?}");
            assert!(figure.value.starts_with(value), "{figure:?}");
            assert_eq!(figure.unit, unit, "{figure:?}");
            assert!(
                !figure.below.contains(" A "),
                "nothing to compare with: {figure:?}"
            );
        }
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        let title = page.run("return document.title", &[])?;
        let title = text(&title);
        assert!(
            ["DeepSeek-V3", "72", "H100", "Ridgepoint"]
                .iter()
                .all(|part| title.contains(part)),
            "{title}"
        );
        let lang = page.css("html")?.attribute("lang")?;
        assert_eq!(lang.as_deref(), Some("en"));
        assert_eq!(
            page.query()?,
            PRESETS[0].link,
            "the address states what is shown"
        );
        Ok(())
    })
}

/// A wide screen shows headline, levers, figures and the first four charts at once.
#[test]
fn wide_screen_without_scrolling() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        let script = "const plots = [...document.querySelectorAll('[role=application]')].slice(0, 4);\
                      return [...document.querySelectorAll('h1, [aria-label=Figures]'), ...plots]\
                      .map(e => e.getBoundingClientRect()).filter(r => r.top < 0 || r.bottom > innerHeight).length";
        assert_eq!(page.run(script, &[])?, 0, "something is below the fold");
        Ok(())
    })
}

/// A page that was loaded works on without its server.
#[test]
fn works_on_without_a_network() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        page.set_online(false);
        crate::reader::enter(page, "Scale-out, GB/s", "100")?;
        page.wait_for(
            "an answer without a network",
            || figures(page),
            |all| all.first().is_some_and(|tpot| tpot.value != "118"),
        )?;
        painted(page, CHARTS[0].1)
    })
}

/// The first load has the frame of every view, Explore, with its charts further down in a part that follows, and the
/// worker for levers: no other view.
#[test]
fn first_load_is_minimal() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        page.settle()?;
        let later = ["_split_", "/plans-", "/service-", "/disagg-", "/papers-"];
        let early: Vec<_> = page
            .served()
            .into_iter()
            .map(|request| request.target)
            .filter(|target| later.iter().any(|part| target.contains(part)))
            .filter(|target| !target.contains("_split_below"))
            .collect();
        assert!(early.is_empty(), "{early:?}");
        Ok(())
    })
}

/// A view whose part fails to load says so, leaves the page as it was, and loads on the next try.
#[test]
fn a_view_that_does_not_arrive_says_so() -> Result {
    // Not `on_page`: the browser logs the missing part as an error.
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    agrees(&page)?;
    if !in_parts(&page) {
        return Ok(());
    }
    // One with its own style sheet, and one without.
    for (view, shows) in [("Limits", ".limit-charts"), ("Plans", ".plans-bar")] {
        page.set_online(false);
        let says = format!("{view} could not be loaded.");
        item(&page, ".tabs .tab", view)?.click()?;
        reads(&page, &says)?;
        item(&page, ".tabs .tab", "Explore")?.click()?;
        agrees(&page)?;
        item(&page, ".tabs .tab", view)?.click()?;
        reads(&page, &says)?;
        page.set_online(true);
        button_with(&page, "Try again")?.click()?;
        page.css(shows)?;
    }
    let styled = "return getComputedStyle(document.querySelector('.plans-bar')).display";
    assert_eq!(
        page.run(styled, &[])?.as_str(),
        Some("flex"),
        "its styles came"
    );
    Ok(())
}
