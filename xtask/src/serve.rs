//! `cargo xtask serve`: builds the page and serves it on this machine.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use xtask::site::Server;

use crate::failure::{Failure, Result};

/// First port to try; the next ones follow if it is taken.
const PREFERRED: u16 = 8080;
const TRIED: u16 = 50;

/// Serves a built page until the program is stopped.
pub fn serve(dist: &Path, port: Option<u16>, open: bool) -> Result<()> {
    let server = start(dist, port)?;
    let address = server.url();
    println!("\nRidgepoint is at {address}   (Ctrl+C stops it)");
    if open && let Err(cause) = open_in_browser(&address) {
        eprintln!("  No browser could be opened ({cause}); please open the address yourself.");
    }
    loop {
        thread::park();
    }
}

fn start(dist: &Path, port: Option<u16>) -> Result<Server> {
    let ports = match port {
        Some(port) => port..=port,
        None => PREFERRED..=PREFERRED + TRIED,
    };
    let mut taken = io::Error::from(io::ErrorKind::AddrInUse);
    for candidate in ports.clone() {
        match Server::start(dist, "/", candidate) {
            Ok(server) => return Ok(server),
            Err(cause) => taken = cause,
        }
    }
    Err(Failure::Missing {
        what: format!(
            "no port from {} to {} can be used: {taken}",
            ports.start(),
            ports.end()
        ),
        advice: "name a free one: cargo xtask serve --port 9000".to_owned(),
    })
}

fn open_in_browser(address: &str) -> io::Result<()> {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command
        .args(first)
        .arg(address)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().map(drop)
}
