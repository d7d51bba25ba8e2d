//! Tests of permalinks: valid ones open unchanged, and broken ones open with a notice.

use model_core::permalink::{read, write};
use ridgepoint_tests::driver::{Page, Result, View, on_page};

use crate::reader::{
    MEMORY, agrees, enter, field, figure, open_group, query, reads, reload, slider, text, value,
    verdict,
};

const RICH: &str = "v=1&model=kimi-k2&gpu=h200&gpus=128&scale_out=100&batch=16k&context=32k&beta=0.6\
                    &redundant=0&overlap=none&precision=bf16&slo=5&price=3.5&theme=dark&a.gpu=h200";

fn check_rich(page: &Page) -> Result {
    agrees(page)?;
    for (name, wanted) in [
        ("GPUs", 128.0),
        ("Scale-out, GB/s", 100.0),
        ("Batch, seq", 16_000.0),
        ("Context, tok", 32_768.0),
        ("Balancedness", 0.6),
    ] {
        let now = value(page, name)?;
        assert!((now - wanted).abs() < 1e-9, "{name} is {now}");
    }
    assert!(figure(page, MEMORY)?.unit.contains("141 GiB"));
    let spoken = slider(page, "Scale-out")?.attribute("aria-valuetext")?;
    assert_eq!(spoken.as_deref(), Some("100 GB/s per GPU, one way"));
    // Texts are complete in the document even if a row truncates them.
    let script = r"return document.querySelector('[aria-label=Scenario]').textContent.replace(/\s/g, ' ').replace(/[\u200b\u2060]/g, '')";
    let groups = text(&page.run(script, &[])?).to_owned();
    for part in [
        "Kimi K2",
        "H200",
        "SLO 5 tok/s",
        "bf16",
        "Pinned for comparison",
    ] {
        assert!(groups.contains(part), "{part} in\n{groups}");
    }
    let title = page.run("return document.title", &[])?;
    assert!(text(&title).contains("Kimi K2 on 128 H200"), "{title}");
    Ok(())
}

#[test]
fn a_link_holds_the_whole_state() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(RICH)?;
        check_rich(page)?;
        open_group(page, "Parallelism")?;
        assert!(
            page.named("radio", "none")?.property("checked")? == true,
            "the overlap"
        );
        reload(page)?;
        check_rich(page)?;

        // Typed by hand: another order, other notations.
        page.open("?beta=.6&context=32768&gpus=1_28&v=1&model=kimi-k2&gpu=h200&scale_out=800Gb&batch=16,000\
                   &redundant=0&overlap=none&precision=bf16&slo=5&price=3.5&theme=dark&a.gpu=h200")?;
        check_rich(page)?;
        // One change rewrites the link in its canonical form.
        enter(page, "GPUs", "72")?;
        enter(page, "GPUs", "128")?;
        let written = write(&read(RICH));
        query(page, "the link as it is written", |query| query == written)?;
        Ok(())
    })
}

#[test]
fn an_address_edited_by_hand_opens_anew() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&gpus=72")?;
        // Error bands appear after the first paint.
        page.settle()?;
        let before = agrees(page)?;
        page.open("v=1&gpus=144")?;
        assert_ne!(agrees(page)?, before);
        assert_eq!(field(page, "GPUs")?.value()?, "144");
        page.back()?;
        page.wait_for(
            "72 GPUs",
            || field(page, "GPUs")?.value(),
            |now| now == "72",
        )?;
        agrees(page).map(drop)
    })
}

/// Broken permalinks, each with the key that the page's notice names and part of the notice's text.
const BROKEN: [(&str, &str, &str); 12] = [
    ("model=gpt-9&beta=0.6", "model", "“gpt-9” is unknown"),
    ("gpu=h900&beta=0.6", "gpu", "“h900” is unknown"),
    ("gpus=0&beta=0.6", "gpus", "“0” must be between 1 and 4096"),
    ("beta=0.6&gpus=-8", "gpus", "“-8”"),
    ("context=2k&beta=0", "beta", "“0” must be > 0 and ≤ 1"),
    ("context=2k&beta=2", "beta", "“2” must be > 0 and ≤ 1"),
    (
        "batch=1e99&beta=0.6",
        "batch",
        "“1e99” must be between 1 and 10000000",
    ),
    ("batch=NaN&beta=0.6", "batch", "“NaN”"),
    ("colour=red&beta=0.6", "colour", "is an unknown parameter"),
    ("beta=0.6&model=%E0%A4%A&", "model", "is unknown"),
    ("beta=0.6&gpus=80%", "gpus", "“80%” is not a number"),
    (
        "beta=0.6&model=<img/src=x:y onerror=alert(1)>",
        "model",
        "is unknown",
    ),
];

#[test]
fn broken_link_opens_with_notice() -> Result {
    on_page(View::DESKTOP, |page| {
        for (link, key, reason) in BROKEN {
            page.open(link)?;
            let notice = page.css("[role=status]")?.text()?;
            assert!(notice.contains("ignored:"), "{link}: {notice:?}");
            assert!(
                notice.contains(key) && notice.contains(reason),
                "{link}: {notice:?}"
            );
            agrees(page)?;
            let kept = ["beta=0.6", "context=2k"]
                .into_iter()
                .find(|kept| link.contains(kept));
            let (name, wanted) = match kept {
                Some("beta=0.6") => ("Balancedness", 0.6),
                _ => ("Context, tok", 2048.0),
            };
            assert!(
                (value(page, name)? - wanted).abs() < 1e-9,
                "{link}: the rest is kept"
            );
            assert!(
                page.css_all("img")?.is_empty(),
                "{link}: a link is text, not markup"
            );
        }
        // A dismissed notice stays away; valid parts stay.
        page.named("button", "Dismiss")?.click()?;
        page.wait_for(
            "no notice",
            || page.text(),
            |all| !all.contains("was ignored:"),
        )?;
        agrees(page).map(drop)
    })
}

#[test]
fn several_faults_in_one_notice() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("gpus=0&beta=2&colour=red&context=32k&=&&a.gpus=x&%00=%00&v=7")?;
        let notice = page.css("[role=status]")?.text()?;
        for part in [
            "Some permalink parameters",
            "gpus",
            "beta",
            "colour",
            "a.gpus",
        ] {
            assert!(notice.contains(part), "{part} in {notice:?}");
        }
        agrees(page)?;
        assert_eq!(field(page, "Context, tok")?.value()?, "32k");
        Ok(())
    })
}

/// Checks a scenario with seven redundant experts: the resulting 264 experts cannot be divided evenly among 72 GPUs,
/// so the scenario is valid but shows a hint.
#[test]
fn experts_that_do_not_divide_are_hinted_at() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("redundant=7")?;
        agrees(page)?;
        open_group(page, "Parallelism")?;
        reads(
            page,
            "264 experts on 72 GPUs: max 4 per GPU, 24 slots unused",
        )?;
        Ok(())
    })
}

#[test]
fn a_hundred_kilobytes_of_link_open() -> Result {
    on_page(View::DESKTOP, |page| {
        let junk = "x".repeat(50_000);
        for link in [
            format!("beta=0.6&junk={junk}{junk}"),
            format!("beta=0.6&{junk}{junk}=1"),
            format!("beta=0.6&model=custom&arch={junk}{junk}"),
            format!("beta=0.6&{}", "k=1&".repeat(25_000)),
        ] {
            page.open(&link)?;
            let start = &link[..40];
            let said = verdict(page)?;
            assert!(
                said.contains("limit 57% and expert imbalance 38% of 154 ms"),
                "{start}…: {said}"
            );
            agrees(page)?;
            assert_eq!(field(page, "Balancedness")?.value()?, "0.60", "{start}…");
            // The notice is brief, and leaves half of the screen for the answer.
            let script = "const notice = document.querySelector('[role=status]');\
                return [notice.innerText.length, notice.offsetHeight, notice.scrollWidth - notice.clientWidth]";
            let size = page.run(script, &[])?;
            let small = size[0].as_u64() < Some(2000) && size[1].as_u64() < Some(450);
            assert!(
                small && size[2].as_i64() < Some(2),
                "{start}…: a notice of {size}"
            );
        }
        Ok(())
    })
}
