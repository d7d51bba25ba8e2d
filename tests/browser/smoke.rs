//! The page opens from a sub-path, without errors or requests to other hosts.

use ridgepoint_tests::driver::{Result, View, on_page};

#[test]
fn opens_without_errors() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        let title = page.run("return document.title", &[])?;
        assert!(
            title
                .as_str()
                .is_some_and(|title| title.contains("Ridgepoint")),
            "{title}"
        );
        Ok(())
    })
}
