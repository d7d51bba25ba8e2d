//! Error page after a panic, with a way back.

use leptos::prelude::*;

/// Shows a readable page where a panic would leave a dead one.
pub fn watch() {
    std::panic::set_hook(Box::new(|info| {
        let what = info.to_string();
        leptos::logging::error!("{what}");
        show(&what);
    }));
}

fn show(what: &str) {
    let document = document();
    let (Some(body), Ok(page)) = (document.body(), document.create_element("main")) else {
        return;
    };
    page.set_class_name("failed");
    page.set_inner_html(
        "<h1>Something went wrong in this page.</h1>\
         <p>It is a fault of the program, not of your scenario. \
         <a href=\"\">Load the page again</a>, or \
         <a href=\"?\">start from the default scenario</a>.</p>\
         <p>The link in the address bar keeps what you entered. If it fails again, please report it with this text:</p>\
         <pre></pre>",
    );
    if let Ok(Some(text)) = page.query_selector("pre") {
        text.set_text_content(Some(what));
    }
    body.set_inner_html("");
    let _ = body.append_child(&page);
}
