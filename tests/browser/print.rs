//! Print is light, in any theme.

use ridgepoint_tests::driver::{Result, View, on_page};
use serde_json::json;

use crate::reader::{CHARTS, agrees, painted};

/// Colours of the page and of every chart's corner.
const COLOURS: &str = "const corner = canvas => canvas.getContext('2d').getImageData(1, canvas.height - 2, 1, 1).data[0] > 127;\
    return [document.documentElement.dataset.theme, [...document.querySelectorAll('.chart canvas')].map(corner)]";

/// A browser prints right after `beforeprint`, before anything else runs.
#[test]
fn a_dark_page_prints_light_at_once() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&theme=dark")?;
        agrees(page)?;
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        let dark = json!(["dark", [false, false, false, false, false]]);
        let light = json!(["light", [true, true, true, true, true]]);
        assert_eq!(page.run(COLOURS, &[])?, dark);
        let print = format!("dispatchEvent(new Event('beforeprint')); {COLOURS}");
        assert_eq!(page.run(&print, &[])?, light);
        page.run("dispatchEvent(new Event('afterprint'))", &[])?;
        page.wait_for(
            "the screen's colours again",
            || page.run(COLOURS, &[]),
            |seen| *seen == dark,
        )?;
        // So briefly that nothing runs in between.
        let both =
            "dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))";
        page.run(both, &[])?;
        page.wait_for(
            "them once more",
            || page.run(COLOURS, &[]),
            |seen| *seen == dark,
        )
        .map(drop)
    })
}
