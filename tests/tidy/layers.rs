//! Tests of invariants 9 and 10 in ARCHITECTURE.md: dependencies between parts of the project.

use answer::theme::{DARK, LIGHT};

use super::source::{files, none, offenders, read};

/// Checks that the code of pictures and charts does not use the performance model. The compiler already excludes
/// browser code from the crate `answer`; these tests separate the crate's folders.
#[test]
fn pictures_and_charts_know_no_model() {
    none(
        "a chart draws data, it does not call the model",
        &offenders("answer/src/charts", &["model_core", "crate::explore"], &[]),
    );
    none(
        "a chart is a value that knows no model",
        &offenders("answer/src/chart", &["model_core", "crate::charts"], &[]),
    );
    none(
        "a picture and its replays know no chart",
        &offenders("answer/src/picture", &["crate::charts", "model_core"], &[]),
    );
}

#[test]
fn pages_and_controls_do_not_draw() {
    let drawing = [
        "plotters",
        "CanvasRenderingContext2d",
        "picture::pen",
        "picture::geometry",
    ];
    for folder in ["app/src/pages", "app/src/controls", "app/src/state"] {
        none("charts draw", &offenders(folder, &drawing, &[]));
    }
}

/// Checks that the page loads nothing from other hosts. Addresses that only name an XML namespace are allowed,
/// because they are not fetched.
#[test]
fn the_page_asks_no_other_host() {
    let named = ["http://www.w3.org/", "https://www.w3.org/"];
    let mut found = Vec::new();
    let mut look = |path: &str, text: &str| {
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            let bare = named
                .iter()
                .fold(line.to_owned(), |line, name| line.replace(name, ""));
            if bare.contains("http://") || bare.contains("https://") || bare.contains("url(//") {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    };
    look("index.html", &read("index.html"));
    for sheet in files("app", ".css") {
        look(&sheet.path, &sheet.text);
    }
    for script in [
        "public/embed.js",
        "public/sw.js",
        "app/start.js",
        "app/offline.js",
    ] {
        look(script, &read(script));
    }
    none("no request leaves the page's origin", &found);
    let fetches = [
        "fetch_with",
        "XmlHttpRequest",
        "WebSocket",
        "EventSource",
        "send_beacon",
    ];
    none(
        "no request leaves the page's origin",
        &offenders("app/src", &fetches, &[]),
    );
}

/// Checks that there are no inline scripts or styles, because a content security policy may forbid style attributes.
/// Styles are set with `style:property`, which uses the CSSOM.
#[test]
fn nothing_inline() {
    let inline = [" style=", "(style=", "attr:style", "<style", "<script"];
    let mut found = offenders("app/src", &inline, &[]);
    let page = read("index.html");
    let own = page
        .lines()
        .filter(|line| !line.contains("<script data-trunk src="));
    found.extend(
        own.filter(|line| inline.iter().any(|word| line.contains(word)))
            .map(|line| format!("index.html: {}", line.trim())),
    );
    none("no inline script or style", &found);
}

/// Checks that the colors in the style sheet are those of the theme, because the first paint uses the style sheet,
/// before the program applies its theme.
#[test]
fn the_style_sheet_has_the_colors_of_the_theme() {
    let sheet = read("app/style.css");
    for theme in [LIGHT, DARK] {
        let first = [theme.background, theme.panel, theme.line, theme.grid];
        for color in first.into_iter().chain([theme.ink_1, theme.ink_2]) {
            assert!(sheet.contains(&color.to_string()), "{color} in style.css");
        }
    }
}
