//! Shows an error page after a panic, with a link that reloads the page.

use leptos::prelude::*;

/// Installs a panic hook that shows a readable error page.
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
        "<h1>Something went wrong.</h1>\
         <p>This is a bug in Ridgepoint, not in your scenario. \
         <a href=\"\">Reload</a>, or \
         <a href=\"?\">reset to the default scenario</a>.</p>\
         <p>Your scenario is saved in the URL. If it fails again, please report this text:</p>\
         <pre></pre>",
    );
    if let Ok(Some(text)) = page.query_selector("pre") {
        text.set_text_content(Some(what));
    }
    body.set_inner_html("");
    let _ = body.append_child(&page);
}
