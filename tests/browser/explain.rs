//! Tests of the panel "Why this number?": a figure can be expanded down to every leaf of its formulas, and the
//! displayed terms of a sum add up.

use ridgepoint_tests::driver::{Result, View, key, on_page};
use serde_json::json;

use crate::reader::query;

/// Script that expands every line of the panel "Why this number?". Returns the number of lines, and the number of
/// leaves that name no origin.
const OPEN_ALL: &str = "const closed = () => [...document.querySelectorAll('.explain-tree [aria-expanded=false] > .explain-line')];\
    return new Promise(done => {\
      const next = () => {\
        const some = closed().slice(0, 40);\
        if (some.length) { some.forEach(line => line.click()); requestAnimationFrame(() => setTimeout(next)); return }\
        const items = [...document.querySelectorAll('.explain-tree [role=treeitem]')];\
        const leaves = items.filter(item => !item.hasAttribute('aria-expanded'));\
        done([items.length, leaves.filter(leaf => !leaf.querySelector('.explain-origin')).length]);\
      };\
      next();\
    })";

/// Script that returns, for each formula that only adds times, the displayed sum and the displayed terms.
const SUMS: &str = "const seconds = text => { const m = text.match(/^(?:([\\d,.]+) × )?([\\d,.]+) (s|ms|µs)$/);\
      return m && (m[1] ? +m[1].replace(/,/g, '') : 1) * +m[2].replace(/,/g, '') * { s: 1, ms: 1e-3, 'µs': 1e-6 }[m[3]] };\
    return [...document.querySelectorAll('.explain-tree [aria-expanded=true]')].map(item => {\
      const value = seconds(item.querySelector('.explain-value').textContent);\
      const formula = item.querySelectorAll(':scope > .explain-formula p')[1]?.textContent.replace(/^= /, '') ?? '';\
      const terms = formula.split(' + ').map(seconds);\
      return value && terms.length > 1 && terms.every(term => term !== null) ? [value, ...terms] : null;\
    }).filter(Boolean)";

#[test]
fn a_figure_opens_to_its_leaves_and_adds_up() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3")?;
        page.settle()?;
        page.css(".figure.opens")?.click()?;
        query(page, "explain=tpot", |query| query.contains("explain=tpot"))?;
        page.wait_for(
            "the tree",
            || page.css_all(".explain-tree [role=treeitem]"),
            |found| !found.is_empty(),
        )?;
        let opened = page.run(OPEN_ALL, &[])?;
        assert!(opened[0].as_u64() > Some(100), "{opened}");
        assert_eq!(opened[1], json!(0), "leaves without an origin");
        let sums = page.run(SUMS, &[])?;
        let sums = sums.as_array().cloned().unwrap_or_default();
        assert!(sums.len() > 3, "{sums:?}");
        for sum in sums {
            let all: Vec<f64> = sum
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|one| one.as_f64())
                .collect();
            let (value, terms) = all.split_first().expect("a value");
            let total: f64 = terms.iter().sum();
            assert!(
                (total / value - 1.0).abs() < 2e-3,
                "{value} is not {terms:?}"
            );
        }
        // Escape closes the panel, and a permalink opens it.
        page.keys(&key::ESCAPE.to_string())?;
        query(page, "nothing open", |query| !query.contains("explain"))?;
        page.open("v=3&explain=memory")?;
        page.wait_for(
            "memory",
            || page.text(),
            |text| text.contains("Why is memory per GPU"),
        )?;
        Ok(())
    })
}

/// Checks that the arrow keys move through the tree of formulas, and that a leaf leads to the control of its input.
#[test]
fn the_tree_is_walked_by_keys_and_leads_to_controls() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&explain=tpot")?;
        page.wait_for(
            "the tree",
            || page.css_all(".explain-tree [role=treeitem]"),
            |found| !found.is_empty(),
        )?;
        page.css(".explain-tree [role=treeitem]")?.focus()?;
        let level = || {
            page.run(
                "return document.activeElement.getAttribute('aria-level')",
                &[],
            )
        };
        page.keys(&key::DOWN.to_string())?;
        assert_eq!(level()?, json!("2"));
        page.keys(&key::LEFT.to_string())?;
        let open = page.run(
            "return document.activeElement.getAttribute('aria-expanded')",
            &[],
        )?;
        assert_eq!(open, json!("false"));
        page.run(OPEN_ALL, &[])?;
        page.run(
            "[...document.querySelectorAll('.explain-origin button')].at(0).click()",
            &[],
        )?;
        page.wait_for(
            "a focused control",
            || page.run("return !!document.activeElement.closest('.panel')", &[]),
            |inside| inside == true,
        )?;
        Ok(())
    })
}

/// Clicks the figure with this index; checks that the panel "Why this number?" opens and that the permalink names the
/// explained number.
fn opens_by_click(view: &str, figure: usize, explained: &str) -> Result<()> {
    on_page(View::DESKTOP, |page| {
        page.open(view)?;
        page.settle()?;
        let figures = page.wait_for(
            "figures that open",
            || page.css_all(".figure.opens"),
            |found| found.len() > figure,
        )?;
        figures[figure].click()?;
        let wanted = format!("explain={explained}");
        query(page, &wanted, |query| query.contains(&wanted))?;
        page.wait_for(
            "the tree",
            || page.css_all(".explain-tree [role=treeitem]"),
            |found| found.len() > 1,
        )?;
        Ok(())
    })
}

#[test]
fn figures_of_service_open() -> Result {
    let view = "v=3&view=service&gpu=h200&rate=50&prompt=4000&output=1000&slo=25";
    opens_by_click(view, 0, "service_gpus")?;
    opens_by_click(view, 3, "service_ttft")
}

#[test]
fn figures_of_afd_open() -> Result {
    let table = "v=1&view=disagg&mode=ratio&latencies=table2";
    opens_by_click(table, 0, "afd_best_ratio")?;
    opens_by_click(table, 1, "afd_tok_s_rank")?;
    let divided = "v=1&view=disagg&mode=ratio&gpus=32&batch=1024";
    opens_by_click(divided, 1, "afd_tok_s_gpu")?;
    opens_by_click(divided, 2, "afd_ratio")
}

/// Checks that a simulated headline number can be opened, and that its account (tree of formulas) contains the factor
/// simulated ÷ closed-form time.
#[test]
fn a_simulated_figure_opens() -> Result {
    let simulated =
        "v=3&model=deepseek-v3&gpu=h200&gpus=16&view=disagg&mode=ratio&explain=afd_simulated";
    on_page(View::DESKTOP, |page| {
        page.open(simulated)?;
        page.wait_for(
            "the account of a simulation",
            || page.text(),
            |text| text.contains("simulated ÷ closed-form time"),
        )?;
        Ok(())
    })
}

/// Checks that every equation links to an existing section of the model's document.
#[test]
fn equations_lead_to_the_model() -> Result {
    const PLACES: &str = "const done = arguments[arguments.length - 1];\
        const links = [...document.querySelectorAll('.explain-formula a')].map(a => a.href.split('#'));\
        fetch(links[0][0]).then(answer => answer.text()).then(text => {\
          const model = new DOMParser().parseFromString(text, 'text/html');\
          done([links.length, links.filter(([, id]) => !model.getElementById(id)).length]);\
        })";
    on_page(View::DESKTOP, |page| {
        page.open("v=3&explain=tpot")?;
        page.wait_for(
            "the tree",
            || page.css_all(".explain-formula a"),
            |found| found.len() > 1,
        )?;
        page.run(OPEN_ALL, &[])?;
        let places = page.run_async(PLACES, &[])?;
        assert!(places[0].as_u64() > Some(50), "{places}");
        assert_eq!(places[1], json!(0), "equations without a place");
        Ok(())
    })
}

#[test]
fn the_largest_batch_opens() -> Result {
    opens_by_click("v=3&view=limits", 0, "b_cap")
}

/// Checks that a number in Lamina's table is a button that opens the panel "Why this number?".
#[test]
fn numbers_of_lamina_open() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&view=disagg&mode=split&gpus=72&batch=9216&context=2000")?;
        page.settle()?;
        let cells = page.wait_for(
            "numbers that open",
            || page.css_all(".split .cell-opens"),
            |found| !found.is_empty(),
        )?;
        cells[0].click()?;
        query(page, "lamina_tok_s", |query| {
            query.contains("explain=lamina_tok_s")
        })?;
        Ok(())
    })
}

/// Checks that Enter explains the selected roofline operator or part of a step. On the curve over batches, Enter only
/// pins the tooltip.
#[test]
fn marks_of_charts_open_by_keys() -> Result {
    on_page(View::DESKTOP, |page| {
        let ratio = "v=1&view=disagg&mode=ratio&gpus=32&batch=1024";
        let split = "v=3&view=disagg&mode=split&gpus=72&batch=9216&context=2000";
        for (view, chart, key, wanted) in [
            ("v=1", "roofline", key::HOME, "explain=operator-"),
            ("v=1", "breakdown", key::END, "explain="),
            (ratio, "steps", key::HOME, "explain=afd_attention"),
            (split, "split-time", key::HOME, "explain=lamina_model"),
        ] {
            page.open(view)?;
            page.settle()?;
            page.css(&format!(".chart-{chart} .plot"))?.focus()?;
            page.keys(&key.to_string())?;
            page.keys(&key::ENTER.to_string())?;
            query(page, wanted, |query| query.contains(wanted))?;
        }
        page.open("v=1")?;
        page.settle()?;
        page.css(".chart-breakdown .plot")?.focus()?;
        page.keys(&key::HOME.to_string())?;
        page.keys(&key::ENTER.to_string())?;
        page.wait_for(
            "a pinned tooltip",
            || page.css_all(".chart-breakdown .tooltip.held"),
            |found| !found.is_empty(),
        )?;
        query(page, "nothing open", |query| !query.contains("explain"))?;
        Ok(())
    })
}

#[test]
fn an_account_is_a_figure() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&embed=explain&explain=memory")?;
        page.wait_for(
            "the account of memory",
            || page.text(),
            |text| text.contains("memory per GPU is"),
        )?;
        Ok(())
    })
}
