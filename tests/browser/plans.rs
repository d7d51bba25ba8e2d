//! The Plans view: searching, cancelling, opening what is found, and what is said when nothing is.

mod worker;

use model_core::permalink;
use model_core::search::{Candidates, Found};
use ridgepoint_tests::driver::{Page, Pointer, Result, View, key, on_page};
use serde_json::json;

use crate::reader::{
    agrees, button_with, enter, entries, item, painted, plot, query, reads, slider, text, thumb,
    verdict_with,
};

const QUESTION: &str = "Which plan?";

/// Millions of plans: longer than any test waits.
const ENDLESS: &str = "view=plans&search_batch=10M&batch_steps=4\
    &accelerators=h100,h800,h20,h200,b200,gb200,b300,gb300,mi300x,mi325x,mi355x,a100,l40s,tpu-v5p,tpu-v6e,tpu-v7,ascend-910c&precisions=deepseek-fp8,bf16,fp4\
    &search_gpus=720,840,1008,1080,1200,1260,1344,1440,1512,1680,1800,1920,2016,2160,2340,2400,2520,2640,2688,2880,3360,3600,3780,3840";

/// What a search of a link comes to, without a browser.
fn search(link: &str) -> (Candidates, Found) {
    let link = permalink::read(link);
    let candidates = Candidates::new(&link.current, &link.search);
    let mut found = Found::default();
    for index in 0..candidates.space.len() {
        found.take(&candidates.space, index);
    }
    (candidates, found)
}

/// The line below the verdict.
fn status(page: &Page) -> Result<String> {
    page.css(".plans-status [role=status]")?.text()
}

/// Waits for a search of so many plans to be done.
fn done(page: &Page, plans: usize) -> Result<String> {
    let wanted = format!("{} plans in ", thousands(plans));
    page.wait_for(&wanted, || status(page), |said| said.starts_with(&wanted))
}

fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The first number in a text: "Searching: 41,472 of …".
fn first_count(text: &str) -> usize {
    let digits = text
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .filter(char::is_ascii_digit);
    digits.collect::<String>().parse().unwrap_or_default()
}

#[test]
fn a_search_finds_in_the_page_what_it_finds_outside() -> Result {
    on_page(View::DESKTOP, |page| {
        let link = "v=1&view=plans&slo=20&search_gpus=32,64,72";
        let (candidates, found) = search(link);
        page.open(link)?;
        done(page, candidates.space.len())?;
        painted(page, QUESTION)?;
        let fitting = format!(
            "{} of {} fit and meet the SLO",
            thousands(found.fitting),
            thousands(found.evaluated)
        );
        reads(page, &fitting)?;
        verdict_with(page, "keep 20 tok/s per user")?;
        reads(page, "Best under my SLO")?;
        reads(page, "Cheapest under my SLO")?;

        // From the bar to the table: its first row is the winner among all frontiers.
        let cells = "return [...document.querySelectorAll('.plans-table tbody tr:first-child > *')].map(cell => cell.innerText)";
        let row = crate::reader::texts(&page.run(cells, &[])?);
        let most = found.frontier(&model_core::sweep::Family::ALL);
        let most = most.points().last().map(|point| point.tokens_per_gpu);
        let shown = crate::reader::number(&row[8])?;
        assert!(
            (shown / most.unwrap_or_default() - 1.0).abs() < 0.006,
            "{row:?} {most:?}"
        );
        Ok(())
    })
}

#[test]
fn a_plan_opens_in_explore_and_back_returns_to_the_search() -> Result {
    on_page(View::DESKTOP, |page| {
        let link = "v=1&view=plans&slo=20&families=tp,dp-ep&search_gpus=32,64";
        let (candidates, found) = search(link);
        page.open(link)?;
        done(page, candidates.space.len())?;
        let begun = entries(page)?;

        // A click on the chart: the point that the keyboard starts at is the best one.
        let chart = plot(page, QUESTION)?;
        chart.focus()?;
        page.keys(&key::RIGHT.to_string())?;
        page.css(".tooltip.shown")?;
        let tip = page.css(".tooltip.shown")?.text()?;
        assert!(
            tip.contains("sharding") && tip.contains("opens it in Explore"),
            "{tip}"
        );
        page.keys(&key::ENTER.to_string())?;
        let opened = query(page, "a plan in Explore", |query| !query.contains("view="))?;
        assert_eq!(entries(page)?, begun + 1, "one entry");
        assert!(
            opened.contains("families=tp,dp-ep"),
            "the search stays in the link: {opened}"
        );
        let figures = agrees(page)?;
        let best = found.best.first.expect("a plan meets the SLO");
        let (_, inputs) = candidates.inputs(best.index).expect("the best plan");
        let read = permalink::read(&opened).current;
        assert_eq!(read.scenario(), inputs.scenario());
        assert!(
            figures[1]
                .value
                .parse::<f64>()
                .is_ok_and(|users| users >= 19.9),
            "{figures:?}"
        );

        page.back()?;
        query(page, "the search again", |query| query == link)?;
        done(page, candidates.space.len())?;
        painted(page, QUESTION)?;

        // The winner's button opens the same plan, the table's another.
        page.named("button", "Open in Explore: Best under my SLO")?
            .click()?;
        query(page, "the same plan", |query| query == opened)?;
        page.back()?;
        query(page, "the search again", |query| query == link)?;
        done(page, candidates.space.len())?;
        button_with(page, "batch")?.click()?;
        item(page, ".plans-table tbody .quiet", "Open")?.click()?;
        query(page, "another plan", |query| {
            !query.contains("view=") && query != opened
        })?;
        agrees(page).map(drop)
    })
}

#[test]
fn a_long_search_is_drawn_as_it_goes_cancelled_and_run_again() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(ENDLESS)?;
        let running = |said: &String| said.starts_with("Searching: ");
        let early = page.wait_for("a search under way", || status(page), running)?;
        painted(page, QUESTION)?;
        let later = |said: &String| running(said) && first_count(said) > first_count(&early);
        page.wait_for("more plans", || status(page), later)?;

        // The page answers meanwhile.
        enter(page, "Context, tok", "4k")?;
        query(page, "another context", |query| {
            query.contains("context=4k")
        })?;
        page.wait_for("the newer search", || status(page), running)?;

        button_with(page, "Cancel")?.click()?;
        let cancelled = page.wait_for(
            "the end",
            || status(page),
            |said| said.starts_with("Cancelled after"),
        )?;
        assert!(first_count(&cancelled) > 0, "{cancelled}");
        painted(page, QUESTION)?;
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(
            status(page)?,
            cancelled,
            "it goes on though it is cancelled"
        );

        button_with(page, "Search again")?.click()?;
        page.wait_for("it to run again", || status(page), running)?;
        // Something smaller takes its place without being asked to stop.
        let small = "v=1&view=plans&families=tp&search_gpus=8";
        page.run("history.pushState(null, '', '?' + arguments[0]); dispatchEvent(new PopStateEvent('popstate'))", &[json!(small)])?;
        done(page, search(small).0.space.len()).map(drop)
    })
}

#[test]
fn a_search_that_finds_nothing_says_why_and_leads_out() -> Result {
    on_page(View::DESKTOP, |page| {
        for (link, why) in [
            (
                "v=1&view=plans&slo=100000&search_gpus=8,16",
                "No plan meets the SLO.",
            ),
            (
                "v=1&view=plans&context=1M&search_gpus=8&families=dp-ep",
                "do not fit the memory",
            ),
            (
                "v=1&view=plans&families=tp&search_gpus=6,12",
                "split the query heads unevenly",
            ),
            ("v=1&view=plans&families=none", "No plan family is chosen"),
        ] {
            page.open(link)?;
            verdict_with(page, why)?;
            let ways = page.css_all(".plans-verdict .act")?;
            assert!(!ways.is_empty(), "no way out of {link}");
            ways[0].click()?;
            page.wait_for(
                &format!("a plan after {link}"),
                || page.css("h1")?.text(),
                |said| said.contains("serve most") || said.contains("keep "),
            )?;
            page.back()?;
            verdict_with(page, why)?;
        }
        Ok(())
    })
}

#[test]
fn what_is_searched_is_chosen_and_typed() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=plans&families=tp&search_gpus=8")?;
        done(page, search("v=1&families=tp&search_gpus=8").0.space.len())?;
        let space = |page: &Page, name: &str| -> Result { page.named("checkbox", name)?.click() };
        space(page, "DP + EP")?;
        query(page, "two families", |query| {
            query.contains("families=tp,dp-ep")
        })?;
        enter(page, "GPUs", "72")?;
        let field = page.css("#plans-search_gpus")?;
        field.type_over(&format!("16, 32{}", key::ENTER))?;
        let now = query(page, "numbers of GPUs", |query| {
            query.contains("search_gpus=16,32")
        })?;
        done(page, search(&now).0.space.len())?;

        field.type_over(&format!("many{}", key::ENTER))?;
        reads(page, "“many” cannot be read")?;
        assert_eq!(page.query()?, now, "nothing changes");
        field.type_over(&format!("16, 32{}", key::ENTER))?;

        page.css("[aria-label^='Accelerators:']")?.click()?;
        space(page, "B200 SXM")?;
        let both = query(page, "two accelerators", |query| {
            query.contains("accelerators=h100,b200")
        })?;
        done(page, search(&both).0.space.len())?;
        page.keys(&key::ESCAPE.to_string())?;
        for _ in 0..3 {
            page.back()?;
        }
        query(page, "the search as it began", |query| {
            query == "view=plans&families=tp&search_gpus=8"
        })
        .map(drop)
    })
}

/// Two presets show the ratios that paper H prints, within the golden cases' tolerances.
#[test]
fn the_frontiers_of_paper_h_open_from_presets() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for (title, ratios) in [
            (
                "Which plan serves DeepSeek-R1",
                ["1.56×", "36.3×", "32 sequences against 1"],
            ),
            (
                "Which plan serves Llama-405B",
                ["1.03×", "4.12×", "4 sequences against 1"],
            ),
        ] {
            page.css("[aria-haspopup=menu]")?.click()?;
            item(page, "[role=menuitemradio]", title)?.click()?;
            query(page, "the Plans view", |query| query.contains("view=plans"))?;
            for ratio in ratios {
                reads(page, ratio)?;
            }
            painted(page, QUESTION)?;
            assert!(page.css("[aria-haspopup=menu]")?.text()?.starts_with(title));
        }
        Ok(())
    })
}

/// Nothing hangs over the edge of a small screen, and the chart is there.
#[test]
fn the_view_fits_a_phone() -> Result {
    on_page(View::PHONE, |page| {
        page.open("view=plans&slo=20&search_gpus=32,64&accelerators=h100,b200,gb200")?;
        reads(page, "Cheapest under my SLO")?;
        painted(page, QUESTION)?;
        let wide = page.run(
            "return document.documentElement.scrollWidth - innerWidth",
            &[],
        )?;
        assert!(wide.as_f64() <= Some(0.0), "{wide} px too wide");
        let width = plot(page, QUESTION)?.rect()?.width;
        assert!(width > 300.0, "{width}");
        let title = page.run(
            "return document.querySelector('.plans-table h2').innerText",
            &[],
        )?;
        assert!(
            text(&title).starts_with("Plans on the frontiers"),
            "{title}"
        );
        Ok(())
    })
}

#[test]
fn the_interconnect_slides_and_says_where_one_wins() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=plans&families=tp&search_gpus=72&interconnect=100")?;
        reads(page, "Many: ")?;
        let before = entries(page)?;
        let link = slider(page, "Interconnect")?;
        let from = thumb(&link)?;
        page.drag(Pointer::Mouse, from, from.offset(160.0, 0.0))?;
        query(page, "a faster link", |link| {
            !link.contains("interconnect=100&")
        })?;
        reads(page, "One: ")?;
        assert_eq!(entries(page)?, before + 1);
        page.back()?;
        reads(page, "Many: ").map(drop)
    })
}

/// A link to the chart from before it moved opens the view that it is in now.
#[test]
fn an_older_link_to_one_or_many_finds_it() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits&gpus=1024&instances=64&families=tp#instances")?;
        reads(page, "There are no two to compare")?;
        page.open("view=limits&interconnect=100&embed=instances")?;
        reads(page, "Many: ").map(drop)
    })
}
