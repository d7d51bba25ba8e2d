//! Tests that the page opens from a sub-path, without errors and without requests to other hosts.

use ridgepoint_tests::driver::{Result, View, on_page};
use site::POLICY;

use crate::reader::{agrees, text};

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

/// Checks that the page is ready for hosts that send no headers. The page contains the security policy; all files but
/// a few have a hash in their name, so they may be cached forever.
#[test]
fn policy_in_the_page_and_hashes_in_names() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        page.settle()?;
        let policy = page.run(
            "return document.querySelector('meta[http-equiv]').content",
            &[],
        )?;
        assert_eq!(text(&policy), POLICY);
        let is_hashed = |name: &str| {
            let is_hash =
                |part: &str| part.len() >= 12 && part.chars().all(|c| c.is_ascii_hexdigit());
            name.split(['-', '_', '.']).any(is_hash)
        };
        let unhashed: Vec<_> = page
            .served()
            .into_iter()
            .map(|request| request.target)
            .filter(|target| !target.contains('?') && !is_hashed(target))
            .filter(|target| {
                let fixed = [".woff2", "icon.svg", "manifest.webmanifest"];
                !fixed.iter().any(|name| target.ends_with(name))
            })
            .collect();
        assert!(unhashed.is_empty(), "{unhashed:?}");
        Ok(())
    })
}
