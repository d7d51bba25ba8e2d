//! Tests of sliders by mouse and by keyboard: each moves in the right direction and adds one history entry.

use ridgepoint_tests::driver::{Page, Pointer, Result, View, key, on_page};
use serde_json::json;

use crate::reader::{
    MEMORY, PER_GPU, TPOT, agrees, amount, entries, query, slider, stated, thumb, value,
};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Up,
    Down,
    Changes,
}

impl Way {
    fn holds(self, before: f64, after: f64) -> bool {
        match self {
            Self::Up => after > before,
            Self::Down => after < before,
            Self::Changes => (after - before).abs() > 1e-9 * before.abs(),
        }
    }

    const fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Changes => Self::Changes,
        }
    }
}

fn same(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

/// A slider, and the figures that change when its value increases.
struct Quantity {
    name: &'static str,
    field: &'static str,
    key: &'static str,
    ends: (f64, f64),
    does: &'static [(&'static str, Way)],
}

#[test]
fn gpus() -> Result {
    slides(&Quantity {
        name: "GPUs",
        field: "GPUs",
        key: "gpus",
        ends: (1.0, 4096.0),
        does: &[(MEMORY, Way::Down), (PER_GPU, Way::Changes)],
    })
}

#[test]
fn scale_out() -> Result {
    slides(&Quantity {
        name: "Scale-out",
        field: "Scale-out, GB/s",
        key: "scale_out",
        ends: (5.0, 1000.0),
        does: &[(TPOT, Way::Down), (PER_GPU, Way::Up)],
    })
}

#[test]
fn batch() -> Result {
    slides(&Quantity {
        name: "Batch",
        field: "Batch, seq",
        key: "batch",
        ends: (1.0, 1e7),
        does: &[(TPOT, Way::Up), (MEMORY, Way::Up)],
    })
}

#[test]
fn context() -> Result {
    slides(&Quantity {
        name: "Context",
        field: "Context, tok",
        key: "context",
        ends: (1.0, 16.0 * 1_048_576.0),
        does: &[(MEMORY, Way::Up)],
    })
}

#[test]
fn expert_balance() -> Result {
    slides(&Quantity {
        name: "Balancedness",
        field: "Balancedness",
        key: "beta",
        ends: (0.1, 1.0),
        does: &[(TPOT, Way::Down), (PER_GPU, Way::Up)],
    })
}

fn slides(quantity: &Quantity) -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        by_mouse(page, quantity)?;
        by_keyboard(page, quantity)?;
        reset(page, quantity)
    })
}

/// Returns the current values of the figures that depend on the slider.
fn moved(page: &Page, quantity: &Quantity) -> Result<Vec<f64>> {
    quantity
        .does
        .iter()
        .map(|(name, _)| amount(page, name))
        .collect()
}

fn assert_moved(quantity: &Quantity, up: bool, before: &[f64], after: &[f64]) {
    for ((name, way), (before, after)) in quantity.does.iter().zip(before.iter().zip(after)) {
        let way = if up { *way } else { way.back() };
        assert!(
            way.holds(*before, *after),
            "{} {}: {name} goes {before} → {after}, wanted {way:?}",
            quantity.name,
            if up { "up" } else { "down" },
        );
    }
}

fn by_mouse(page: &Page, quantity: &Quantity) -> Result {
    let Quantity {
        name, field, key, ..
    } = *quantity;
    let slider = slider(page, name)?;
    let (from, width) = (thumb(&slider)?, slider.rect()?.width);
    let (was, figures, entered) = (value(page, field)?, moved(page, quantity)?, entries(page)?);

    page.drag(Pointer::Mouse, from, from.offset(0.14 * width, 0.0))?;
    query(page, &format!("{key} in the address"), |link| {
        link.contains(&format!("{key}="))
    })?;
    agrees(page)?;
    let now = value(page, field)?;
    assert!(now > was, "{name} {was} → {now}");
    assert_moved(quantity, true, &figures, &moved(page, quantity)?);
    let spoken = slider.attribute("aria-valuetext")?.unwrap_or_default();
    let shown = crate::reader::field(page, field)?.value()?;
    assert!(
        spoken.starts_with(&shown),
        "a screen reader says {spoken}, the field {shown}"
    );
    assert_eq!(
        entries(page)?,
        entered + 1,
        "a drag is one entry of the history"
    );

    let dragged = page.query()?;
    page.back()?;
    query(page, "the address before the drag", |query| query == "v=1")?;
    agrees(page)?;
    assert!(same(value(page, field)?, was));
    assert_eq!(moved(page, quantity)?, figures);
    page.forward()?;
    query(page, "the address after the drag", |link| link == dragged)?;
    agrees(page)?;
    assert!(same(value(page, field)?, now));

    // Drag left, past the starting position.
    let from = thumb(&slider)?;
    page.drag(Pointer::Mouse, from, from.offset(-0.24 * width, 0.0))?;
    query(page, "another address", |link| link != dragged)?;
    agrees(page)?;
    assert!(value(page, field)? < was);
    assert_moved(quantity, false, &figures, &moved(page, quantity)?);
    Ok(())
}

fn by_keyboard(page: &Page, quantity: &Quantity) -> Result {
    let Quantity {
        name,
        field,
        ends: (least, most),
        ..
    } = *quantity;
    page.open("")?;
    agrees(page)?;
    let (was, figures) = (value(page, field)?, moved(page, quantity)?);
    let press = |key: char, wanted: &str, right: &dyn Fn(f64) -> bool| {
        page.keys(&key.to_string())?;
        let value = page.wait_for(
            &format!("{name} {wanted}"),
            || value(page, field),
            |v| right(*v),
        )?;
        agrees(page)?;
        Result::Ok(value)
    };
    slider(page, name)?.focus()?;
    let step = press(key::RIGHT, "a step up", &|now| now > was)?;
    assert_moved(quantity, true, &figures, &moved(page, quantity)?);
    press(key::LEFT, "a step back", &|now| (now - was).abs() < 1e-9)?;
    press(key::UP, "the same step up", &|now| {
        (now - step).abs() < 1e-9
    })?;
    press(key::DOWN, "and back", &|now| (now - was).abs() < 1e-9)?;
    assert_eq!(moved(page, quantity)?, figures);
    press(key::PAGE_UP, "a page up", &|now| now > step)?;
    assert_moved(quantity, true, &figures, &moved(page, quantity)?);
    press(key::PAGE_DOWN, "a page down", &|now| now <= step)?;
    press(key::END, "at the end", &|now| {
        (now - most).abs() < 1e-6 * most
    })?;
    press(key::HOME, "at the start", &|now| (now - least).abs() < 1e-6)?;
    assert!(stated(page, quantity.key)?.is_some(), "{}", page.query()?);
    assert_moved(quantity, false, &figures, &moved(page, quantity)?);
    Ok(())
}

/// Resets a slider by a double click on its thumb, which is at the left end after the Home key.
fn reset(page: &Page, quantity: &Quantity) -> Result {
    let slider = slider(page, quantity.name)?;
    page.press_twice(slider.rect()?.at(0.06, 0.5))?;
    query(page, "the default after a double click", |link| {
        link == "v=1"
    })?;
    agrees(page)?;
    Ok(())
}

/// Script that records, on every frame, which watched elements move or change size. Returns the number of watched
/// elements. Elements that the slider sets are excluded, and so is the table of levers, because its length may change.
pub const WATCH: &str = "
    const named = [];
    const shown = r => !window.only_on_screen || r.top < innerHeight && r.bottom > 0;
    const watch = (name, element) => shown(element.getBoundingClientRect()) && named.push([name, element]);
    const all = (name, selector) => document.querySelectorAll(selector).forEach((e, i) => watch(`${name} ${i}`, e));
    all('figure', '[role=group][aria-label=\"Key metrics\"] .figure');
    all('lever list', '.helps-list');
    all('chart', 'main section[aria-labelledby]:not(:has(.levers-table))');
    all('picture', '[role=application]');
    all('tools of chart', 'main section[aria-labelledby]:not(:has(.levers-table)) button');
    all('slider', 'input[type=range]');
    all('group', 'aside h3');
    all('top bar', 'header button, header a');
    watch('headline', document.querySelector('h1').parentElement);
    window.strayed = {};
    const first = new Map();
    const look = () => {
      for (const [name, element] of named) {
        const r = element.getBoundingClientRect();
        const now = element.isConnected ? [r.x, r.y, r.width, r.height] : ['gone'];
        const then = first.get(name) || (first.set(name, now), now);
        if (now.some((side, i) => !(Math.abs(side - then[i]) < 0.5))) window.strayed[name] = `${then} → ${now}`;
      }
      window.frames_seen = (window.frames_seen || 0) + 1;
      requestAnimationFrame(look);
    };
    look();
    return named.length";

/// Checks that dragging a slider moves or resizes no element other than those that the slider sets.
#[test]
fn nothing_moves_but_what_changed() -> Result {
    for view in [View::DESKTOP, View::screen(1024, 768, false)] {
        on_page(view, |page| {
            page.open("a.scale_out=100")?;
            page.settle()?;
            let watched = page.run(WATCH, &[])?;
            assert!(watched.as_u64() > Some(30), "{watched} things watched");
            for name in ["Scale-out", "GPUs", "Batch", "Context", "Balancedness"] {
                let slider = slider(page, name)?;
                let (from, width) = (thumb(&slider)?, slider.rect()?.width);
                let (up, down) = (
                    from.offset(0.2 * width, 0.0),
                    from.offset(-0.3 * width, 0.0),
                );
                page.drag_through(Pointer::Mouse, &[from, up, down, from])?;
                let strayed = page.run("return Object.entries(window.strayed).slice(0, 5)", &[])?;
                assert!(
                    strayed == json!([]),
                    "{strayed} while {name} was dragged at {view:?}"
                );
            }
            let frames = page.run("return window.frames_seen", &[])?;
            assert!(frames.as_u64() > Some(20), "{frames} frames seen");
            Ok(())
        })?;
    }
    Ok(())
}

/// Script that drags a slider while every frame is late. Returns three widths of the first chart's canvas: the smallest
/// and the last in device pixels, and the displayed width in CSS px.
const LATE_DRAG: &str = "const done = arguments[arguments.length - 1];\
    const row = document.querySelector('.panel [data-row=context] input[type=range]');\
    const canvas = document.querySelector('.plot canvas'), css = canvas.getBoundingClientRect().width;\
    row.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 1 }));\
    let turn = 0, least = canvas.width;\
    const tick = () => {\
      const until = performance.now() + 40;\
      while (performance.now() < until);\
      least = Math.min(least, canvas.width);\
      if (turn++ > 12) {\
        row.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1 }));\
        requestAnimationFrame(() => requestAnimationFrame(() => done([least, canvas.width, css])));\
        return;\
      }\
      row.value = Number(row.value) + Number(row.max) / 100;\
      row.dispatchEvent(new Event('input', { bubbles: true }));\
      requestAnimationFrame(tick);\
    };\
    requestAnimationFrame(tick)";

#[test]
fn slow_drag_has_fewer_pixels() -> Result {
    on_page(View::DESKTOP.scale(2.0), |page| {
        page.open("")?;
        page.settle()?;
        let seen = page.run_async(LATE_DRAG, &[])?;
        let [least, last, css] = [0, 1, 2].map(|index| seen[index].as_f64().unwrap_or_default());
        assert!(
            (least - css).abs() <= 1.0,
            "{least} device pixels for {css} px in a late drag"
        );
        assert!(
            (last - 2.0 * css).abs() <= 1.0,
            "{last} device pixels for {css} px at rest"
        );
        Ok(())
    })
}
