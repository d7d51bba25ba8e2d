//! Builds the guide: the chapters in `docs/guide` and `docs/model.md`, as static pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use site::Server;

use crate::failure::{Failure, Result};
use crate::files::failed;
use crate::project::Project;

/// Interval between two checks for saved chapters.
const LOOKS: Duration = Duration::from_secs(1);

/// Computes the guide's numbers and figures, and writes its pages into a folder.
pub fn write(project: &Project, out: &Path) -> Result<()> {
    project
        .cargo("computing the guide")
        .args("run --locked --quiet -p guide --")
        .arg(out)
        .usually("1 minute the first time")
        .advice("the failed claim is listed above with its line; fix docs/guide or the model")
        .run()
}

/// The guide on a separate port, rebuilt whenever one of its sources is saved.
#[derive(Debug)]
pub struct Watched(Server);

impl Watched {
    /// Serves the guide from now on; its pages are written in the background.
    pub fn start(project: &Project) -> Result<Self> {
        let (project, out) = (project.clone(), project.root.join("target/guide"));
        fs::create_dir_all(&out).map_err(failed("make", &out))?;
        let server = Server::start(&out, "/guide/", 0).map_err(|cause| Failure::Missing {
            what: format!("no port for the guide: {cause}"),
            advice: "end other servers on this machine".to_owned(),
        })?;
        thread::spawn(move || {
            let mut known = None;
            loop {
                let now = saved(&project.root);
                if now != known {
                    known = now;
                    if let Err(failure) = write(&project, &out) {
                        eprintln!("\nerror: {failure}");
                    }
                }
                thread::sleep(LOOKS);
            }
        });
        Ok(Self(server))
    }

    /// Returns the address of the guide.
    pub fn url(&self) -> String {
        self.0.url()
    }
}

/// Returns the time at which a source of the guide was last saved.
fn saved(root: &Path) -> Option<SystemTime> {
    let folders = ["docs/guide", "guide/src"].map(|folder| root.join(folder));
    let entries = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok());
    let files = entries.flatten().flatten().map(|entry| entry.path());
    let files = files.chain([root.join("docs/model.md")]);
    let time = |path: PathBuf| fs::metadata(path).ok()?.modified().ok();
    files.filter_map(time).max()
}
