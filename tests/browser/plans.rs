//! Tests of the Plans view: searching, canceling, opening a plan, and finding no plan.

mod worker;

use model_core::inputs::Number;
use model_core::permalink;
use model_core::search::{Candidates, Found};
use ridgepoint_tests::driver::{Page, Result, View, key, on_page};
use serde_json::json;

use crate::reader::{
    agrees, button_with, enter, entries, item, painted, plot, query, reads, texts, verdict_with,
};

const QUESTION: &str = "Which plan?";

/// Permalink to a search over millions of plans, which takes longer than any test waits.
const ENDLESS: &str = "view=plans&model=qwen3.5-397b-a17b&search_batch=10M&batch_steps=4\
    &accelerators=h100,h800,h20,h200,b200,gb200,b300,gb300,mi300x,mi325x,mi355x,a100,l40s,tpu-v5p,tpu-v6e,tpu-v7,ascend-910c&precisions=deepseek-fp8,bf16,fp4\
    &search_gpus=720,840,1008,1080,1200,1260,1344,1440,1512,1680,1800,1920,2016,2160,2340,2400,2520,2640,2688,2880,3360,3600,3780,3840";

/// Permalink to a plan search over four accelerators, for a scenario of 32 H200 GPUs with 10 µs per collective.
const ENGINEER: &str = "v=1&model=deepseek-r1&gpu=h200&gpus=32&batch=1024&context=6000&calibration=aleph-alpha-2025&alpha_us=10&slo=30&accelerators=h200,b200,gb200,mi300x&view=plans";

/// Returns the search space and the result of a permalink's search, computed without the page.
fn search(link: &str) -> (Candidates, Found) {
    let link = permalink::read(link);
    let candidates = Candidates::new(&link.current, &link.search);
    let own = link.current.get(Number::Gpus).unwrap_or(0.0);
    let found = Found::all(&candidates.space, own as u32);
    (candidates, found)
}

/// Returns the number of plans in a permalink's search, including plans that violate a plan rule.
fn plans_of(link: &str) -> usize {
    let link = permalink::read(link);
    let candidates = Candidates::new(&link.current, &link.search);
    candidates.space.len() + candidates.excluded().total()
}

fn status(page: &Page) -> Result<String> {
    page.css(".plans-status [role=status]")?.text()
}

/// Waits for the end of a search over this number of plans; returns its status line.
fn done(page: &Page, plans: usize) -> Result<String> {
    let wanted = format!("{} plans searched", thousands(plans));
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

/// Returns the first number in a text such as "Searching: 41,472 of…".
fn first_count(text: &str) -> usize {
    let digits = text
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .filter(char::is_ascii_digit);
    digits.collect::<String>().parse().unwrap_or_default()
}

fn rows(page: &Page, table: &str) -> Result<Vec<Vec<String>>> {
    let script = "return [...document.querySelectorAll(arguments[0] + ' tbody tr')]\
        .map(row => [...row.cells].map(cell => cell.innerText.trim()).join('|'))";
    let found = page.run(script, &[json!(table)])?;
    let row = |row: &String| row.split('|').map(str::to_owned).collect();
    Ok(texts(&found).iter().map(row).collect())
}

/// Opens the plan in the legend's row with this name, and returns the plan's permalink.
fn opened(page: &Page, name: &str) -> Result<String> {
    page.named("button", &format!("Open in Bottleneck: {name}"))?
        .click()?;
    query(page, "a plan in Explore", |query| !query.contains("view="))
}

/// Checks that the headline, the legend, the strategies and the scenarios opened from them agree.
#[test]
fn headline_and_legend_agree() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(ENGINEER)?;
        done(page, plans_of(ENGINEER))?;
        painted(page, QUESTION)?;
        let legend = rows(page, ".plans-best")?;
        let column = |index: usize| -> Vec<&str> {
            let lines = legend
                .iter()
                .map(|row| row[index].lines().next().unwrap_or(""));
            lines.collect()
        };
        assert_eq!(column(2), ["5.22k", "3.54k", "1.22k", "1.07k", "832"]);
        assert_eq!(column(3), ["4.89×", "3.31×", "1.14×", "1×", "–"]);
        // The user's own row has the headline's value; a row that misses the SLO has no bar.
        let own = page.css(".plans-best tr.own .best-value")?.text()?;
        verdict_with(page, own.lines().next().unwrap_or("no number"))?;
        let bars = page.run(
            "return [...document.querySelectorAll('.plans-best tbody tr')]\
             .map(row => row.querySelectorAll('.best-bar span').length)",
            &[],
        )?;
        assert_eq!(bars, json!([1, 1, 1, 1, 0]));
        let strategies = rows(page, ".plans-others")?;
        assert_eq!(
            strategies[0][..2],
            ["DP + EP", "DP 32 · EP 32, batch 1,139"]
        );
        // A click toggles a line.
        let lines = "return document.querySelectorAll('.plans-best tr.legend.off').length";
        page.css(".plans-best tr.legend .best-name")?.click()?;
        assert_eq!(page.run(lines, &[])?, json!(1));
        page.css(".plans-best tr.legend .best-name")?.click()?;
        assert_eq!(page.run(lines, &[])?, json!(0));
        // Explore agrees with the opened plan.
        let opened = opened(page, "H200 SXM")?;
        assert!(
            opened.contains("batch=1139") && opened.contains("overlap=none"),
            "{opened}"
        );
        let figures = agrees(page)?;
        assert!(figures[0].below.contains("30.0 tok/s/user"));
        Ok(())
    })
}

/// Checks a search over "any number" of GPUs: every row is compared with the user's best plan, which is also the plan
/// in the headline.
#[test]
fn any_number_has_one_base() -> Result {
    on_page(View::DESKTOP, |page| {
        let link = "v=1&gpus=64&view=plans&search_gpus=any";
        page.open(link)?;
        done(page, plans_of(link))?;
        let own = page.css(".plans-best tr.own .best-value")?.text()?;
        let own = own.lines().next().unwrap_or("no number").to_owned();
        verdict_with(page, &own)?;
        let ratio = page.css(".plans-best tr.own .best-ratio")?.text()?;
        assert_eq!(ratio, "1×");
        Ok(())
    })
}

/// Checks that the permalink contains the selected curves, quantity, axes and GPU counts.
#[test]
fn lines_values_axes_in_the_link() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(ENGINEER)?;
        done(page, plans_of(ENGINEER))?;
        for (name, key) in [
            ("strategy", "lines=family"),
            ("log", "axes=log"),
            ("$/M tok", "per=dollar"),
        ] {
            page.named("radio", name)?.click()?;
            query(page, key, |query| query.contains(key))?;
            painted(page, QUESTION)?;
        }
        let first = rows(page, ".plans-best")?[0][1].clone();
        let lines: Vec<&str> = first.lines().collect();
        assert_eq!(lines[0], "DP + EP");
        item(page, ".bar-counts .choice", "any count")?.click()?;
        query(page, "any number", |query| {
            query.contains("search_gpus=any")
        })?;
        page.css(".bar-counts .choice")?.click()?;
        query(page, "one's own number", |query| {
            !query.contains("search_gpus")
        })?;
        item(page, ".bar-reset", "reset")?.click()?;
        query(page, "a search of one's own", |query| {
            !query.contains("accelerators=")
        })?;
        let slo = page.css("#plans-slo")?;
        slo.type_over(&format!("{}{}", key::BACKSPACE, key::ENTER))?;
        query(page, "no SLO", |query| !query.contains("slo="))?;
        reads(page, "Best plan, no SLO").map(drop)
    })
}

/// Checks that measured runs of the scenario's model are drawn over the frontiers, and that each tooltip names the
/// settings that differ from the scenario.
#[test]
fn measured_systems_over_frontiers() -> Result {
    on_page(View::DESKTOP, |page| {
        let link = "v=1&model=deepseek-r1&gpu=h200&gpus=32&batch=1024&view=plans&families=dp-ep&search_gpus=32&accelerators=h200,b200";
        page.open(link)?;
        done(page, plans_of(link))?;
        painted(page, QUESTION)?;
        button_with(page, "measured runs")?.click()?;
        query(page, "the overlay", |query| {
            query.contains("overlay=measured")
        })?;
        painted(page, QUESTION)?;
        // The last mark is a measured system.
        plot(page, QUESTION)?.focus()?;
        page.keys(&key::END.to_string())?;
        let tip = page.wait_for(
            "its tooltip",
            || page.css(".tooltip.shown")?.text(),
            |tip| tip.contains("measured: "),
        )?;
        assert!(tip.contains("differs"), "{tip}");
        page.named("button", "Show table: Which plan?")?.click()?;
        reads(page, "measured")?;
        // Explore shows measured runs, too, for the scenario's accelerator.
        item(page, "nav a, nav button", "Bottleneck")?.click()?;
        agrees(page)?;
        let pressed = page.css_all(".switch-choice[aria-pressed=true]")?;
        let texts: Result<Vec<String>> = pressed.iter().map(|button| button.text()).collect();
        assert!(texts?.iter().any(|text| text.starts_with("measured runs")));
        Ok(())
    })
}

#[test]
fn plan_opens_and_back_returns() -> Result {
    on_page(View::DESKTOP, |page| {
        let link = "v=1&gpus=64&slo=20&families=tp,dp-ep&search_gpus=32,64&view=plans";
        let (candidates, found) = search(link);
        page.open(link)?;
        done(page, plans_of(link))?;
        let begun = entries(page)?;

        // The keyboard starts at the best point of the chart.
        let chart = plot(page, QUESTION)?;
        chart.focus()?;
        page.keys(&key::RIGHT.to_string())?;
        page.css(".tooltip.shown")?;
        let tip = page.css(".tooltip.shown")?.text()?;
        assert!(
            tip.contains("parallelism") && tip.contains("opens this plan in Bottleneck"),
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
        let bests = found.groups.iter().filter_map(|group| group.any.best);
        let best = bests.max_by(|a, b| a.tokens_per_gpu.total_cmp(&b.tokens_per_gpu));
        let inputs = candidates.inputs_of(&best.expect("a plan meets the SLO"));
        let read = permalink::read(&opened).current;
        assert_eq!(
            Some(read.scenario()),
            inputs.map(|inputs| inputs.scenario())
        );
        assert!(figures[0].below.contains("20.0 tok/s/user"));

        page.back()?;
        query(page, "the search again", |query| query == link)?;
        done(page, plans_of(link))?;
        painted(page, QUESTION)?;
        page.css_all(".plans-best .best-open")?[1].click()?;
        query(page, "another plan", |query| {
            !query.contains("view=") && query != opened
        })?;
        agrees(page).map(drop)
    })
}

#[test]
fn long_search_cancel_and_rerun() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(ENDLESS)?;
        let running = |said: &String| said.starts_with("Searching: ");
        let early = page.wait_for("a search under way", || status(page), running)?;
        painted(page, QUESTION)?;
        let later = |said: &String| running(said) && first_count(said) > first_count(&early);
        page.wait_for("more plans", || status(page), later)?;

        // The page responds meanwhile.
        enter(page, "Context, tok", "4k")?;
        query(page, "another context", |query| {
            query.contains("context=4k")
        })?;
        page.wait_for("the newer search", || status(page), running)?;

        button_with(page, "Cancel")?.click()?;
        let cancelled = page.wait_for(
            "the end",
            || status(page),
            |said| said.starts_with("Canceled after"),
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
        // A smaller search replaces the running one.
        let small = "v=1&view=plans&families=tp&search_gpus=8";
        page.run("history.pushState(null, '', '?' + arguments[0]); dispatchEvent(new PopStateEvent('popstate'))", &[json!(small)])?;
        done(page, plans_of(small)).map(drop)
    })
}

#[test]
fn nothing_found_says_no_plan() -> Result {
    on_page(View::DESKTOP, |page| {
        for link in [
            "v=1&view=plans&slo=100000&search_gpus=8,16",
            "v=1&view=plans&gpus=8&context=1M&search_gpus=8&families=dp-ep",
            "v=1&view=plans&families=tp&search_gpus=6,12",
            "v=1&view=plans&families=none",
        ] {
            page.open(link)?;
            verdict_with(page, "No plan")?;
        }
        Ok(())
    })
}

#[test]
fn search_chosen_and_typed() -> Result {
    on_page(View::DESKTOP, |page| {
        let begun = "view=plans&families=tp&search_gpus=8";
        page.open(begun)?;
        done(page, plans_of(begun))?;
        let tick = |page: &Page, name: &str| -> Result { page.named("checkbox", name)?.click() };
        page.css("[aria-label^='Parallelism strategies:']")?
            .click()?;
        tick(page, "DP + EP")?;
        query(page, "two families", |query| {
            query.contains("families=tp,dp-ep")
        })?;
        page.keys(&key::ESCAPE.to_string())?;
        enter(page, "GPUs", "72")?;
        // Several GPU counts are typed under "More search settings".
        page.css("[aria-label^='More search settings']")?.click()?;
        let field = page.css("#more-plans-search_gpus")?;
        field.type_over(&format!("16, 32{}", key::ENTER))?;
        let now = query(page, "numbers of GPUs", |query| {
            query.contains("search_gpus=16,32")
        })?;
        done(page, plans_of(&now))?;

        field.type_over(&format!("many{}", key::ENTER))?;
        reads(page, "“many” is not a number")?;
        assert_eq!(page.query()?, now, "nothing changes");
        field.type_over(&format!("16, 32{}", key::ENTER))?;
        page.keys(&key::ESCAPE.to_string())?;

        page.css("[aria-label^='Accelerators:']")?.click()?;
        tick(page, "B200 SXM")?;
        let both = query(page, "two accelerators", |query| {
            query.contains("accelerators=h100,b200")
        })?;
        done(page, plans_of(&both))?;
        page.keys(&key::ESCAPE.to_string())?;
        for _ in 0..3 {
            page.back()?;
        }
        query(page, "the search as it began", |query| query == begun).map(drop)
    })
}

/// Checks that two presets of figures in [H] open the Plans view with a headline for 64 GB200 GPUs and a painted
/// chart.
#[test]
fn presets_of_paper_h() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for title in ["[H] Figure 5", "[H] Figure 6"] {
            page.css("[aria-haspopup=menu]")?.click()?;
            item(page, "[role=menuitemradio]", title)?.click()?;
            query(page, "the Plans view", |query| query.contains("view=plans"))?;
            verdict_with(page, "Best plan on 64 GB200")?;
            painted(page, QUESTION)?;
            assert!(page.css("[aria-haspopup=menu]")?.text()?.starts_with(title));
        }
        Ok(())
    })
}

/// Checks that on a phone nothing scrolls sideways, and that the chart is on the first screen.
#[test]
fn the_view_fits_a_phone() -> Result {
    on_page(View::PHONE, |page| {
        page.open(ENGINEER)?;
        done(page, plans_of(ENGINEER))?;
        painted(page, QUESTION)?;
        let wide = page.run(
            "return document.documentElement.scrollWidth - innerWidth",
            &[],
        )?;
        assert!(wide.as_f64() <= Some(0.0), "{wide} px too wide");
        let chart = plot(page, QUESTION)?.rect()?;
        assert!(chart.width > 300.0, "{chart:?}");
        let dock = page.css(".dock")?.rect()?;
        assert!(chart.y + chart.height < dock.y, "{chart:?} {dock:?}");
        let docked = page.css(".dock-tab[aria-selected=true]")?.text()?;
        assert_eq!(docked, "SLO");
        assert!(page.css(".plans-best .best-open")?.rect()?.width > 0.0);
        Ok(())
    })
}

/// Checks that older permalinks to "One large replica or many?" open Figure 12 of [B].
#[test]
fn older_link_to_one_or_many() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("view=limits&gpus=1024&instances=64&families=tp#instances")?;
        reads(page, "One replica vs. eight")?;
        page.open("view=limits&interconnect=100&embed=instances")?;
        reads(page, "One replica vs. eight").map(drop)
    })
}
