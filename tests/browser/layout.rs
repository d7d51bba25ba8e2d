//! Tests of the layout from a narrow phone to a wide screen: no text is cut off or covered.

use model_core::preset::PRESETS;
use ridgepoint_tests::driver::{Page, Result, View, on_page};
use serde_json::{Value, json};

use crate::reader::{item, long_headlines, texts};

const WIDTHS: [(u32, u32); 13] = [
    (320, 640),
    (360, 740),
    (390, 844),
    (480, 900),
    (760, 1000),
    (768, 1024),
    (900, 1000),
    (1024, 768),
    (1280, 800),
    (1366, 768),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
];

/// Script that returns the faults of all visible texts:
/// - cut off by a box, unless the box ends in `…` or drops whole lines, and its title is the whole text;
/// - outside the page;
/// - overlapping another text, unless one of the two is in a floating bar (dock, top bar) under which the page scrolls.
const FAULTS: &str = r"
    const faults = [], pieces = [];
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth - innerWidth} px too wide`);
    const short = text => text.trim().replace(/\s+/g, ' ').slice(0, 40);
    const ancestors = function* (e) { for (; e && e !== document.body; e = e.parentElement) yield e };
    const floats = e => [...ancestors(e)].find(e => ['fixed', 'sticky'].includes(getComputedStyle(e).position));
    const titled = e => [...ancestors(e)].slice(0, 4).some(e => e.title || [...e.children].some(child => child.title));
    const take = (element, text, boxes) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return;
      let ends = Infinity;
      const cut = [];
      for (const box of ancestors(element)) {
        const style = getComputedStyle(box), edge = box.getBoundingClientRect();
        if (style.opacity === '0' && box !== element) return;
        // Only for screen readers.
        if (edge.width <= 1.5 && edge.height <= 1.5 || style.clipPath !== 'none') return;
        if (style.display === 'inline') continue;
        const does = (axis, ...how) => how.includes(style[`overflow${axis}`]);
        if (does('X', 'auto', 'scroll') || does('Y', 'auto', 'scroll')) {
          // Text that is scrolled out of view is not cut off.
          boxes = boxes.filter(r => r.bottom > edge.top + 1 && r.top < edge.bottom - 1
            && r.right > edge.left + 1 && r.left < edge.right - 1).map(r => ({
              left: Math.max(r.left, edge.left), right: Math.min(r.right, edge.right),
              top: Math.max(r.top, edge.top), bottom: Math.min(r.bottom, edge.bottom) }));
          continue;
        }
        if (titled(box)) boxes = boxes.filter(r => r.top < edge.bottom - 1);
        const across = does('X', 'hidden', 'clip') && boxes.some(r => r.right > edge.right + 1 || r.left < edge.left - 1);
        const down = does('Y', 'hidden', 'clip') && boxes.some(r => r.bottom > edge.bottom + 3 || r.top < edge.top - 3);
        if (across && style.textOverflow === 'ellipsis') {
          ends = Math.min(ends, edge.right);
          // The device and direction of a bandwidth have to be readable in full.
          if (/one way/.test(text)) cut.push(`cut off with …: ${short(text)}`);
          if (!titled(box)) cut.push(`cut off with … and without a title: ${short(box.innerText)}`);
        } else if (across || down) cut.push(`cut off: ${short(text)}`);
      }
      if (boxes.length) faults.push(...cut);
      const float = floats(element);
      for (const { left, top, bottom, ...r } of boxes) {
        const right = Math.min(r.right, ends);
        if (!float && (left < -1 || right > innerWidth + 1)) faults.push(`outside the page: ${short(text)}`);
        pieces.push({ element, text: short(text), left, right, top, bottom, float });
      }
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; node = walker.nextNode();) {
      if (!node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter(r => r.width > 0.5 && r.height > 0.5);
      take(node.parentElement, node.data, boxes.map(({ left, right, top, bottom }) => ({ left, right, top, bottom })));
    }
    for (const field of document.querySelectorAll('input[type=text]')) {
      const { left, right, top, bottom } = field.getBoundingClientRect();
      if (!right) continue;
      if (field.scrollWidth > field.clientWidth + 1) faults.push(`a field too small for ${field.value}`);
      take(field, field.value, [{ left, right, top: top + 3, bottom: bottom - 3 }]);
    }
    pieces.sort((a, b) => a.top - b.top);
    for (let i = 0; i < pieces.length; i += 1)
      for (let j = i + 1; j < pieces.length && pieces[j].top < pieces[i].bottom; j += 1) {
        const [a, b] = [pieces[i], pieces[j]];
        if (a.float !== b.float || a.element === b.element) continue;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // A line of text is higher than its letters.
        const line = Math.min(a.bottom - a.top, b.bottom - b.top);
        if (across > 1.5 && down > 0.35 * line) faults.push(`“${a.text}” over “${b.text}”`);
      }
    window.pieces_seen = pieces.length;
    return [...new Set(faults)]";

fn look(page: &Page, what: &str, least: u64) -> Result<Vec<String>> {
    let script =
        "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";
    page.run(script, &[])?;
    let faults = texts(&page.run(FAULTS, &[])?);
    let seen = page.run("return window.pieces_seen", &[])?;
    assert!(
        seen.as_u64() >= Some(least),
        "{what}: only {seen} pieces of text"
    );
    Ok(faults
        .into_iter()
        .map(|fault| format!("{what}: {fault}"))
        .collect())
}

fn at_every_width(link: &str, least: u64) -> Result {
    on_page(View::DESKTOP, |page| {
        let mut faults = Vec::new();
        page.open(link)?;
        page.settle()?;
        for (width, height) in WIDTHS {
            page.set_view(View::screen(width, height, width < 768))?;
            faults.extend(look(page, &format!("{width} px"), least)?);
        }
        assert!(faults.is_empty(), "?{link}\n{}", faults.join("\n"));
        Ok(())
    })
}

#[test]
fn the_first_screen() -> Result {
    at_every_width("", 60)
}

/// Checks the layout of a comparison that shows as much text as possible: a pinned scenario, many changed inputs, and
/// long names.
#[test]
fn a_full_comparison() -> Result {
    at_every_width(
        "model=llama-4-maverick&gpus=4096&batch=1500k&context=6000&scale_out=333.3&beta=0.123&slo=12.5&price=3.33\
         &a.model=qwen3-235b-a22b&a.gpu=ascend-910c&a.batch=1M",
        60,
    )
}

#[test]
fn out_of_memory() -> Result {
    at_every_width("batch=36864&a.batch=9216", 60)
}

#[test]
fn an_impossible_plan() -> Result {
    at_every_width("ep=64", 12)
}

#[test]
fn a_notice() -> Result {
    let long = "a_very_long_key_that_nobody_knows_and_that_has_no_place_to_break=1";
    at_every_width(&format!("gpus=0&beta=2&batch=many&{long}"), 60)
}

#[test]
fn the_limits() -> Result {
    at_every_width("view=limits", 40)
}

#[test]
fn the_limits_of_much() -> Result {
    at_every_width(
        "view=limits&model=llama-3.1-405b&gpu=gb200&gpus=4096&batch=1500k&context=6000&slo=12.5&precision=fp4",
        35,
    )
}

#[test]
fn the_limits_of_an_impossible_plan() -> Result {
    at_every_width("view=limits&ep=64", 12)
}

#[test]
fn the_plans() -> Result {
    at_every_width("view=plans", 60)
}

#[test]
fn the_plans_of_several_accelerators() -> Result {
    at_every_width(
        "view=plans&slo=20&accelerators=h100,gb200,ascend-910c,tpu-v5p",
        60,
    )
}

#[test]
fn no_plan_at_all() -> Result {
    at_every_width("view=plans&slo=100000", 20)
}

#[test]
fn a_ratio() -> Result {
    at_every_width("view=disagg&mode=ratio", 50)
}

#[test]
fn a_ratio_that_memory_cannot_hold() -> Result {
    at_every_width(
        "view=disagg&mode=ratio&context=1M&gpu=l40s&precision=bf16",
        12,
    )
}

#[test]
fn a_split() -> Result {
    at_every_width("view=disagg&mode=split", 45)
}

#[test]
fn a_split_over_a_trace() -> Result {
    at_every_width(
        "view=disagg&mode=split&model=llama-3-70b&precision=bf16&calibration=lamina&trace=kimi-ta&batches=4",
        45,
    )
}

/// Checks the layout with each group of scenario controls open in turn, at widths of 360, 1024 and 1440 px.
#[test]
fn every_control() -> Result {
    for (width, height) in [(360, 740), (1024, 768), (1440, 900)] {
        on_page(View::screen(width, height, width < 768), |page| {
            page.open("mtp=2&node_limit=4&slo=10&a.scale_out=100")?;
            if width < 768 {
                page.named("button", "Full scenario")?.click()?;
                page.settle()?;
            }
            let mut faults = Vec::new();
            for group in crate::reader::GROUPS {
                let head = item(page, "button", group)?;
                head.click()?;
                faults.extend(look(page, &format!("{group} at {width} px"), 20)?);
                head.click()?;
            }
            assert!(faults.is_empty(), "{}", faults.join("\n"));
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn zoomed_in() -> Result {
    on_page(View::screen(720, 450, false).scale(2.0), |page| {
        page.open("a.scale_out=100")?;
        page.settle()?;
        let faults = look(page, "zoomed to 200%", 60)?;
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        Ok(())
    })
}

/// Checks that at 400% zoom the beginning of the headline is on the first screen of every view and is not covered.
#[test]
fn answer_is_on_the_first_screen_at_any_zoom() -> Result {
    const COVERED: &str = "const range = document.createRange(), h1 = document.querySelector('h1');\
        range.selectNodeContents(h1);\
        const { x, y, width, height } = range.getClientRects()[0];\
        return y + height <= innerHeight && x + width <= innerWidth\
          && h1.contains(document.elementFromPoint(x + width / 2, y + height / 2)) ? null : `${y}`";
    on_page(View::screen(320, 256, false).scale(4.0), |page| {
        for view in ["", "limits", "plans", "service", "disagg", "papers"] {
            page.open(&format!("v=2&view={view}"))?;
            page.settle()?;
            assert_eq!(page.run(COVERED, &[])?, Value::Null, "{view}");
        }
        Ok(())
    })
}

/// Checks that in forced-colors mode a slider shows its track and the current view is marked.
#[test]
fn forced_colours_keep_tracks_and_marks() -> Result {
    const SEEN: &str = "const style = (css, part) => getComputedStyle(document.querySelector(css))[part];\
        const panel = getComputedStyle(document.body).backgroundColor;\
        return [matchMedia('(forced-colors: active)').matches,\
          style('.slider-track', 'backgroundColor') !== panel,\
          style('.tab[aria-current]', 'borderBottomStyle') === 'solid',\
          style('.tab:not([aria-current])', 'borderBottomStyle') === 'none']";
    on_page(View::DESKTOP.forced(), |page| {
        page.open("v=2")?;
        page.settle()?;
        assert_eq!(page.run(SEEN, &[])?, json!([true, true, true, true]));
        Ok(())
    })
}

/// Script that returns the words on the page with less contrast than WCAG AA requires. It includes the effect of the
/// parent elements' backgrounds and opacities.
const FAINT: &str = r#"
const rgba = text => { const [r, g, b, a] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a ?? 1]; };
const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
const luminance = colour => colour.slice(0, 3).map(part => part / 255)
  .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const around = element => element ? [element, ...around(element.parentElement)] : [];
const found = new Set(), words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const element = words.currentNode.parentElement, text = words.currentNode.data.trim();
  if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.getBoundingClientRect().width < 2
    || element.closest('.hidden, option, :disabled, [aria-disabled=true]')) continue;
  const styles = around(element).map(at => getComputedStyle(at));
  const ground = styles.map(style => rgba(style.backgroundColor)).reduceRight((below, top) => over(top, below), [255, 255, 255]);
  const ink = rgba(styles[0].color);
  ink[3] *= styles.reduce((product, style) => product * style.opacity, 1);
  if (!ink[3]) continue;
  const [bright, dark] = [luminance(over(ink, ground)), luminance(ground)].sort((one, other) => other - one);
  const large = parseFloat(styles[0].fontSize) >= 24;
  const ratio = (bright + 0.05) / (dark + 0.05);
  if (ratio < (large ? 3 : 4.5)) found.add(`${text}: ${ratio.toFixed(2)}`);
}
return [...found];
"#;

#[test]
fn words_stand_out_from_their_ground() -> Result {
    const LINKS: [&str; 9] = [
        "v=2&batch=60000",
        "v=2&tp=7",
        "v=2&a.beta=0.8&a.gpus=144",
        "v=2&view=limits",
        "v=2&view=plans",
        "v=2&view=service&rate=50",
        "v=2&view=disagg",
        "v=2&view=disagg&mode=split",
        "v=2&view=papers&show=measured",
    ];
    on_page(View::DESKTOP, |page| {
        for link in LINKS {
            page.open(link)?;
            page.settle()?;
            page.run(
                "for (const head of document.querySelectorAll('.group-head')) head.click()",
                &[],
            )?;
            for view in [View::DESKTOP, View::DESKTOP.dark()] {
                page.set_view(view)?;
                page.settle()?;
                let faint = page.run(FAINT, &[])?;
                assert_eq!(faint, serde_json::json!([]), "{link} {view:?}");
            }
            page.set_view(View::DESKTOP)?;
        }
        Ok(())
    })
}

#[test]
fn headers_have_words_and_sliders_a_landmark() -> Result {
    const FAULTS: &str = "const lands = 'main, aside, nav, header, footer, [role=region], section[aria-label]';\
        const heard = th => { const e = th.cloneNode(true); e.querySelectorAll('[aria-hidden=true]').forEach(part => part.remove());\
          return e.textContent.trim() };\
        return [...document.querySelectorAll('th')].filter(th => !th.closest('[aria-hidden=true]') && !heard(th))\
          .concat([...document.querySelectorAll('input[type=range]')].filter(e => !e.closest(lands)))\
          .map(e => e.outerHTML)";
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for link in [
            "v=2",
            "v=2&view=limits",
            "v=2&view=plans",
            "v=2&view=service&rate=50",
            "v=2&view=disagg",
            "v=2&view=disagg&mode=split",
            "v=2&view=papers",
            "v=2&view=papers&show=measured",
            "v=2&measured=80ms",
            "v=2&embed=roofline&sliders=batch,context",
        ] {
            match link.contains("embed=") {
                // Only a page load shows an embedded figure; following a permalink does not.
                true => page.open(link)?,
                false => page.follow(link)?,
            }
            page.settle()?;
            assert_eq!(
                texts(&page.run(FAULTS, &[])?),
                Vec::<String>::new(),
                "{link}"
            );
        }
        Ok(())
    })
}

/// Checks on a desktop that the question menu shows all questions without scrolling, and that the menu's button shows
/// the selected question in full.
#[test]
fn every_question_is_read_whole() -> Result {
    on_page(View::screen(1440, 900, false), |page| {
        page.open("")?;
        page.settle()?;
        let button = page.css(".preset-button")?;
        button.click()?;
        page.settle()?;
        let hidden = "const menu = document.querySelector('.preset-list');\
            return menu.scrollHeight - menu.clientHeight";
        assert_eq!(page.run(hidden, &[])?, 0, "the menu hides questions");
        let cut = "const words = document.querySelector('.preset-button span'), said = words.textContent;\
            const cut = [...document.querySelectorAll('.preset-title')].map(title => title.textContent).filter(title => {\
              words.textContent = title;\
              return words.scrollWidth > words.clientWidth || words.scrollHeight > words.clientHeight });\
            words.textContent = said; return cut";
        assert_eq!(texts(&page.run(cut, &[])?), Vec::<String>::new());
        Ok(())
    })
}

/// Checks that on a laptop no text in any question's view is cut off with "…", except in links. On the narrowest
/// phone and on a tablet, no question's view scrolls sideways. For every sixth question, all views are checked.
#[test]
fn every_question_fits_its_screen() -> Result {
    const CUT: &str = "return [...document.querySelectorAll('main *, .panel *')].filter(e =>\
        e.innerText && e.scrollWidth > e.clientWidth + 1 && !e.matches('.panel-link')\
        && getComputedStyle(e).textOverflow === 'ellipsis').map(e => e.innerText)";
    const WIDER: &str = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>\
        done(document.documentElement.scrollWidth - innerWidth))))";
    on_page(View::DESKTOP, |page| {
        let (mut cut, mut wide, mut long) = (Vec::new(), Vec::new(), Vec::new());
        page.open("")?;
        let narrow = |at: &str, wide: &mut Vec<String>| {
            for width in [768, 320] {
                page.set_view(View::screen(width, 900, width < 768))?;
                let by = page.run(WIDER, &[])?;
                if by.as_f64().is_none_or(|by| by > 0.0) {
                    wide.push(format!("{at}: {by} px more than {width}"));
                }
            }
            page.set_view(View::DESKTOP)
        };
        for (number, preset) in PRESETS.iter().enumerate() {
            page.follow(preset.link)?;
            page.settle()?;
            let found = texts(&page.run(CUT, &[])?).into_iter();
            cut.extend(found.map(|text| format!("{}: {text}", preset.id)));
            long.extend(long_headlines(page, preset.link)?);
            narrow(preset.id, &mut wide)?;
            if number % 6 == 0 {
                for tab in page.css_all(".tab")? {
                    tab.click()?;
                    page.settle()?;
                    narrow(&format!("{} in {}", preset.id, tab.text()?), &mut wide)?;
                }
            }
        }
        assert!(cut.is_empty(), "{}", cut.join("\n"));
        assert!(wide.is_empty(), "{}", wide.join("\n"));
        assert!(long.is_empty(), "{}", long.join("\n"));
        Ok(())
    })
}

/// Script that checks an open popover: it has to be fully on screen, and nothing, such as the dock, may cover its
/// visible parts.
const OPENED: &str = "const menu = arguments[0], r = menu.getBoundingClientRect();\
    if (r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight)\
      return `${r.left} to ${r.right}, ${r.top} to ${r.bottom} of ${innerWidth} × ${innerHeight}`;\
    const covers = [0.02, 0.5, 0.98].map(share => document.elementFromPoint(r.left + r.width / 2, r.top + share * r.height))\
      .filter(over => !menu.contains(over));\
    return covers.length ? `under ${covers[0]?.className}` : ''";

#[test]
fn popovers_are_on_screen() -> Result {
    on_page(View::PHONE, |page| {
        for (width, height) in [(390, 844), (768, 1024), (820, 1180), (1440, 900)] {
            page.set_view(View::screen(width, height, width < 768))?;
            page.open("")?;
            page.settle()?;
            for (button, opened) in [
                (".preset-button", ".preset-list"),
                ("[aria-label^='About']", ".about"),
                ("[aria-label^='Embed']", ".embed-menu"),
                ("[aria-label^='Download']", ".chart-tools .menu"),
            ] {
                page.css(button)?
                    .call("arguments[0].click()", &json!(null))?;
                page.settle()?;
                let said = page.css(opened)?.call(OPENED, &json!(null))?;
                assert_eq!(said, json!(""), "{opened} at {width}");
                page.css(button)?
                    .call("arguments[0].click()", &json!(null))?;
                page.settle()?;
            }
        }
        Ok(())
    })
}

/// Script that adds the style sheets of all lazily loaded parts to the page. Returns the boxes whose position, size,
/// color, appearance or font weight changes as a result.
const MOVED: &str = r#"
const done = arguments[0];
// The duration of a simulation changes by itself.
const steady = [...document.querySelectorAll("header *, .panel *, main *")].filter((element) => !element.closest(".simulation"));
const boxes = () => steady.map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const { color, appearance, fontWeight } = getComputedStyle(element);
  return [element.tagName, element.getAttribute("class"), x, y, width, height, color, appearance, fontWeight].join(" ");
});
const before = boxes();
const sheets = document.getElementById("sheets-of-parts").content.querySelectorAll("link");
Promise.all([...sheets].map((sheet) => new Promise((come, lost) => {
  const link = sheet.cloneNode();
  link.onload = come;
  link.onerror = lost;
  document.head.append(link);
})))
  .then(() => new Promise(requestAnimationFrame))
  .then(() => {
    const after = boxes();
    done(before.map((box, index) => `${box} -> ${after[index]}`).filter((_, index) => before[index] !== after[index]).slice(0, 6));
  });
"#;

/// Checks that a view looks the same, whichever style sheets of other views are loaded.
#[test]
fn a_view_has_all_of_its_styles() -> Result {
    for screen in [View::DESKTOP, View::PHONE] {
        on_page(screen, |page| {
            for view in ["", "limits", "plans", "service", "disagg", "papers"] {
                page.open(&format!("?v=1&slo=20&view={view}"))?;
                page.settle()?;
                let moved = page.run_async(MOVED, &[])?;
                assert_eq!(moved, json!([]), "{view} on {screen:?}");
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Permalinks of the main tabs and their views, each with a plot on its first screen.
const PLACES: [&str; 7] = [
    "v=3&gpus=72&context=2050&beta=1&reserve=0.12&engine_gib=0",
    "v=3&view=limits",
    "v=3&gpus=72&view=plans",
    "v=3&gpus=72&view=disagg",
    "v=3&gpus=72&view=disagg&mode=split",
    "v=3&view=service&gpu=h200&rate=50&prompt=4000&output=1000&hit=0.3&ttft=2&slo=25",
    "v=3&view=papers&show=measured",
];

/// Checks that the first plot is near the top of the first screen, and that few words on this screen are outside
/// plots.
#[test]
fn first_screens_are_brief() -> Result {
    const SEEN: &str = "const words = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);\
        let node, count = 0;\
        while (node = words.nextNode()) {\
          const parent = node.parentElement, range = document.createRange();\
          if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;\
          if (parent.closest('.hidden, .figure-opens')) continue;\
          range.selectNodeContents(node);\
          const bounds = range.getBoundingClientRect();\
          if (bounds.width < 2 || bounds.top > innerHeight || bounds.bottom < 0) continue;\
          count += node.data.split(/\\s+/).filter(word => /[\\p{L}\\p{N}]/u.test(word)).length;\
        }\
        const plots = [...document.querySelectorAll('main canvas')].filter(plot => plot.checkVisibility());\
        return [count, Math.min(...plots.map(plot => plot.getBoundingClientRect().top))]";
    for (screen, words, top) in [
        (View::screen(1440, 900, false), 170, 320.0),
        (View::PHONE, 170, 470.0),
    ] {
        on_page(screen, |page| {
            for link in PLACES {
                page.open(link)?;
                page.settle()?;
                let seen = page.run(SEEN, &[])?;
                assert!(seen[0].as_u64() <= Some(words), "{link}: {seen}");
                assert!(seen[1].as_f64().is_some_and(|y| y < top), "{link}: {seen}");
            }
            Ok(())
        })?;
    }
    Ok(())
}
