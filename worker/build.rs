//! Computes a fingerprint of the sources that an answer depends on. The fingerprint identifies the build: a page and
//! a worker of different builds would interpret the same index as different plans.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for folder in ["src", "../model-core/src", "../papers/src"] {
        println!("cargo:rerun-if-changed={folder}");
        sources(Path::new(folder), &mut files)?;
    }
    files.sort();
    // FNV-1a, 32 bits: compared for equality only.
    let mut fingerprint: u32 = 0x811c_9dc5;
    for file in files {
        for byte in fs::read(file)? {
            fingerprint = (fingerprint ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    println!("cargo:rustc-env=WORKER_FINGERPRINT={fingerprint}");
    Ok(())
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
