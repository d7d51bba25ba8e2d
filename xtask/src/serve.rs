//! `cargo xtask serve`: builds the page and serves it on this machine.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use site::Server;

use crate::failure::{Failure, Result};
use crate::guide;
use crate::project::Project;
use crate::tools::Trunk;

/// First port to try; if it is taken, the next ones are tried.
const PREFERRED: u16 = 8080;
const TRIED: u16 = 50;
/// Service worker that ends offline use. The page's own service worker would also answer requests to the next program
/// on this port.
const NOT_OFFLINE: &str = include_str!("../../public/sw.js");

/// Serves a built page until the program is stopped.
pub fn serve(dist: &Path, port: Option<u16>, open: bool) -> Result<()> {
    let server = first_free(port, |port| Server::start(dist, "/", port))?;
    server.replace("/sw.js", 200, NOT_OFFLINE);
    let address = server.url();
    println!("\nRidgepoint is at {address}   (Ctrl+C stops it)");
    if open && let Err(cause) = open_in_browser(&address) {
        eprintln!("  No browser could be opened ({cause}); please open the address yourself.");
    }
    loop {
        thread::park();
    }
}

/// Builds the page in one piece and serves it with the guide. Both are rebuilt whenever a source is saved, until the
/// program is stopped.
pub fn develop(project: &Project, tools: &Trunk, port: Option<u16>, open: bool) -> Result<()> {
    let listener = first_free(port, |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
    // Trunk takes the port that is free now.
    let port = listener.local_addr().map(|address| address.port());
    let port = port.unwrap_or(PREFERRED);
    drop(listener);
    let guide = guide::Watched::start(project)?;
    eprintln!("• Building the page (usually 3 minutes the first time, seconds after a change).");
    println!("  Then Ridgepoint is at http://127.0.0.1:{port}/   (Ctrl+C stops it)");
    let trunk = tools.task(project, "serving the page").lasting();
    trunk
        .args("serve --public-url / --dist target/page --cargo-profile dev-page")
        .args("--address 127.0.0.1 --disable-address-lookup true --port")
        .arg(port.to_string())
        .args(if open { "--open" } else { "" })
        .arg("--proxy-backend")
        .arg(guide.url())
        .run()
}

/// Starts at the given port. If none is given, starts at the first free port.
fn first_free<T>(port: Option<u16>, begin: impl Fn(u16) -> io::Result<T>) -> Result<T> {
    let ports = match port {
        Some(port) => port..=port,
        None => PREFERRED..=PREFERRED + TRIED,
    };
    let mut taken = io::Error::from(io::ErrorKind::AddrInUse);
    for candidate in ports.clone() {
        match begin(candidate) {
            Ok(begun) => return Ok(begun),
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
