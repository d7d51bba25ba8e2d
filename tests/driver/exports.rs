//! Access to the browser's clipboard and downloads.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::Page;
use super::failure::{Failure, Result};

impl Page {
    /// Grants the page access to the clipboard, as a user's click would, and returns the clipboard's text.
    pub fn clipboard(&self) -> Result<String> {
        let allowed = json!({
            "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
            "origin": self.server.origin(),
        });
        self.session.browser("Browser.grantPermissions", allowed)?;
        let script = "const done = arguments[0];\
                      navigator.clipboard.readText().then(done, error => done('⚠ ' + error))";
        let text = self
            .session
            .post("/execute/async", &json!({ "script": script, "args": [] }))?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// Allows the page to download files; see [`Self::downloads`] for the files.
    pub fn allow_downloads(&self) -> Result {
        let folder = self.download_folder();
        fs::create_dir_all(&folder).map_err(|cause| Failure::File(folder.clone(), cause))?;
        let allowed = json!({ "behavior": "allow", "downloadPath": folder });
        self.session
            .browser("Browser.setDownloadBehavior", allowed)
            .map(drop)
    }

    /// Returns the paths of the finished downloads, which are removed with the page.
    pub fn downloads(&self) -> Result<Vec<PathBuf>> {
        let folder = self.download_folder();
        let entries =
            fs::read_dir(&folder).map_err(|cause| Failure::File(folder.clone(), cause))?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_none_or(|kind| kind != "crdownload"));
        files.sort();
        Ok(files)
    }

    fn download_folder(&self) -> PathBuf {
        self.session.folder().join("downloads")
    }
}
