//! Tests of the page without a network, and of builds that replace each other under open tabs.

use std::fs;
use std::path::{Path, PathBuf};

use ridgepoint_tests::driver::{Failure, Page, Result, View};
use serde_json::{Value, json};

use crate::reader::{agrees, go_to, painted, reads, text, verdict};

/// Pages of the guide: every chapter and the table of contents.
const GUIDE: [&str; 9] = [
    "",
    "index.html",
    "decode.html",
    "latent-attention.html",
    "experts.html",
    "long-context.html",
    "disaggregation.html",
    "requests.html",
    "accuracy.html",
];

const LINKS: [&str; 5] = [
    "v=3&model=gpt-oss-120b&gpu=h100",
    "v=3&model=kimi-k2.5&gpu=h200&batch=64",
    "v=2&gpu=b200&gpus=72",
    "v=3&model=llama-3.3-70b&gpu=h100&context=128k",
    "v=1&gpu=h200&ep=64",
];

/// Waits until the page is stored for use without a network.
fn kept(page: &Page) -> Result {
    let script = "const own = navigator.serviceWorker.controller;\
        return own?.state === 'activated' && own.scriptURL";
    let look = || page.run(script, &[]);
    page.wait_for("a service worker", look, Value::is_string)
        .map(drop)
}

/// Opens the page and waits until everything is stored for use without a network.
fn visit() -> Result<Page> {
    let page = Page::start_kept(View::DESKTOP)?;
    page.open("v=3")?;
    agrees(&page)?;
    kept(&page)?;
    Ok(page)
}

/// Checks that there are no failed requests and no errors in the console.
fn quiet(page: &Page) -> Result {
    page.check_manners()
}

#[test]
fn all_opens_without_a_network_after_one_visit() -> Result {
    let page = visit()?;
    page.stop_server();
    // In the tab of the visit.
    for place in ["Plans", "Traffic", "Evidence", "Bottleneck"] {
        go_to(&page, place)?;
    }
    for view in ["explore", "limits", "plans", "service", "disagg", "papers"] {
        page.open(&format!("v=3&view={view}"))?;
        page.wait_for("a headline", || verdict(&page), |said| !said.is_empty())?;
        page.settle()?;
        assert!(!page.text()?.contains("failed to load"), "{view}");
    }
    for link in LINKS {
        page.open(link)?;
        if !link.contains("ep=64") {
            agrees(&page)?;
        }
        assert_eq!(page.query()?, link);
    }
    page.open("v=3&embed=pareto")?;
    painted(&page, "Is the batch size right?")?;
    for chapter in GUIDE {
        page.open_url(&format!("{}guide/{chapter}", page.home()))?;
        page.css("h1")?;
        let stills = "for (const image of document.images) image.loading = 'eager';\
            return [...document.images].filter(image => !image.complete || !image.naturalWidth).length";
        let look = || page.run(stills, &[]);
        page.wait_for("all stills", look, |missing| *missing == 0)?;
    }
    // A live figure of a chapter.
    page.open_url(&format!("{}guide/decode.html", page.home()))?;
    page.enter_frame(&crate::hosting::first_frame(&page)?)?;
    page.css(".embed canvas")?;
    page.leave_frame()?;
    quiet(&page)
}

/// Copies a build and changes it into a newer one: its program has another name, and the old files are gone. Programs
/// contain the names of their glue files, so a new name must be as long as the old one.
fn next_build(from: &Path, to: &Path, names: &[(&str, &str)]) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    let renamed = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        for (old, new) in names {
            assert_eq!(old.len(), new.len());
            for start in 0..bytes.len() {
                if bytes[start..].starts_with(old.as_bytes()) {
                    bytes[start..start + new.len()].copy_from_slice(new.as_bytes());
                }
            }
        }
        bytes
    };
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = renamed(entry.file_name().as_encoded_bytes());
        let name = to.join(String::from_utf8_lossy(&name).as_ref());
        if entry.file_type()?.is_dir() {
            next_build(&entry.path(), &name, names)?;
        } else {
            fs::write(name, renamed(&fs::read(entry.path())?))?;
        }
    }
    Ok(())
}

/// Deploys a newer build in place of the one that the page has open. The service worker's digests are removed,
/// because the build's files are edited here. Returns the name of the old program.
fn deploy_next(page: &Page, folder: &Path) -> Result<String> {
    let dist = PathBuf::from(std::env::var("RIDGEPOINT_DIST").unwrap_or_default());
    let old = program(page)?;
    let hash = old
        .trim_start_matches("ridgepoint-")
        .trim_end_matches(".js");
    let worker = fs::read_to_string(dist.join("sw.js")).unwrap_or_default();
    let build = worker.split('"').nth(1).unwrap_or_default().to_owned();
    let names = [
        (hash, "0123456789abcdef"),
        (build.as_str(), "fedcba9876543210"),
    ];
    let failed = |cause: std::io::Error| Failure::Setup(cause.to_string());
    next_build(&dist, folder, &names).map_err(failed)?;
    let path = folder.join("sw.js");
    let worker = fs::read_to_string(&path).unwrap_or_default();
    let lines = worker
        .lines()
        .map(|line| match line.split_once("\"sha256-") {
            Some((file, _)) => format!("{file}\"\","),
            None => line.to_owned(),
        });
    let worker: Vec<String> = lines.collect();
    fs::write(&path, worker.join("\n")).map_err(failed)?;
    page.deploy(folder)?;
    Ok(old)
}

/// Returns the file name of the JavaScript program that the page has loaded.
fn program(page: &Page) -> Result<String> {
    let script = "return document.querySelector('link[rel=modulepreload]').href.split('/').pop()";
    Ok(text(&page.run(script, &[])?).to_owned())
}

/// Makes the browser look for a new build, as it does from time to time.
fn look_for_a_build(page: &Page) -> Result {
    let script = "const [done] = arguments;\
        navigator.serviceWorker.getRegistration().then(own => own.update()).catch(() => {}).then(() => done(true))";
    page.run_async(script, &[]).map(drop)
}

fn builds(page: &Page) -> Result<Value> {
    let script =
        "return caches.keys().then(all => all.filter(name => !name.endsWith(' open')).length)";
    page.run(script, &[])
}

/// A temporary folder that is deleted on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("ridgepoint-{name}-{}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

#[test]
fn an_update_under_an_open_tab_mixes_nothing() -> Result {
    let page = visit()?;
    let folder = Scratch::new("next-build");
    let old = deploy_next(&page, &folder.0)?;
    look_for_a_build(&page)?;
    // The page announces the new build, and the tab continues with the stored files of its own build, which the host no
    // longer has.
    reads(
        &page,
        "A new version is available. Reload; your scenario is saved in the URL.",
    )?;
    for place in ["Plans", "Evidence", "Bottleneck"] {
        go_to(&page, place)?;
    }
    assert_eq!(program(&page)?, old);
    let foreign = "return performance.getEntriesByType('resource').map(entry => entry.name)\
        .filter(name => name.includes('0123456789abcdef'))";
    assert_eq!(
        page.run(foreign, &[])?,
        json!([]),
        "files of the next build"
    );
    assert_eq!(builds(&page)?, json!(2));
    // After a reload, the page uses only the new build.
    page.named("button", "Reload")?.click()?;
    page.wait_for("the next build", || program(&page), |now| *now != old)?;
    agrees(&page)?;
    page.open("v=3&view=plans")?;
    page.settle()?;
    page.wait_for("one build", || builds(&page), |count| *count == 1)?;
    page.stop_server();
    page.open("v=3&view=papers")?;
    page.wait_for("a headline", || verdict(&page), |said| !said.is_empty())?;
    assert_eq!(program(&page)?, "ridgepoint-0123456789abcdef.js");
    quiet(&page)
}

#[test]
fn a_broken_deploy_is_not_installed() -> Result {
    let page = visit()?;
    let folder = Scratch::new("broken-build");
    let old = deploy_next(&page, &folder.0)?;
    page.replace_file("_bg.wasm", 404, "");
    look_for_a_build(&page).ok();
    page.reload()?;
    agrees(&page)?;
    assert_eq!(program(&page)?, old);
    Ok(())
}

/// Checks that a figure in a third-party page registers no service worker.
#[test]
fn frames_register_nothing() -> Result {
    let page = Page::start_kept(View::DESKTOP)?;
    let html = "<!doctype html><title>Host</title><link rel=\"icon\" href=\"./icon.svg\">\
        <iframe src=\"./?v=3&amp;embed=memory\" width=\"800\" height=\"500\"></iframe>";
    page.replace_file("host.html", 200, html);
    page.open_url(&format!("{}host.html", page.home()))?;
    page.enter_frame(&page.css("iframe")?)?;
    painted(&page, "Does it fit?")?;
    // Longer than the page waits before it registers a service worker.
    std::thread::sleep(std::time::Duration::from_secs(4));
    page.leave_frame()?;
    let count = "return navigator.serviceWorker.getRegistrations().then(all => all.length)";
    assert_eq!(page.run(count, &[])?, json!(0));
    quiet(&page)
}

/// Checks that deploying `public/sw.js` in place of the service worker ends offline use and removes the stored files.
#[test]
fn offline_use_can_be_taken_back() -> Result {
    let page = visit()?;
    page.replace_file("sw.js", 200, include_str!("../../public/sw.js"));
    look_for_a_build(&page)?;
    let left = "return Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()])\
        .then(([caches, workers]) => caches.length + workers.filter(own => own.active?.state === 'activated').length)";
    page.wait_for("nothing kept", || page.run(left, &[]), |left| *left == 0)
        .map(drop)
}
