//! Starts a browser driver: a WebDriver server on a free port.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Max attempts to start a driver. A driver takes the first free IPv6 port and exits if another program uses the same
/// port number in IPv4. That happens on machines with many connections.
const STARTS: usize = 5;
/// Longest wait for a driver to close its browsers.
const FAREWELL: Duration = Duration::from_secs(20);

/// A running driver; dropping it ends the driver and all its browsers.
#[derive(Debug)]
pub struct Driver {
    process: Child,
    port: u16,
    // Kept open: a driver whose stdout is closed dies of its next line.
    _stdout: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts chromedriver or geckodriver.
    ///
    /// # Errors
    /// If the program does not run; the error contains the program's output.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut heard = String::new();
        for _ in 0..STARTS {
            match start_once(program)? {
                Ok(driver) => return Ok(driver),
                Err(said) => heard = said,
            }
        }
        let what = format!("{STARTS} attempts failed: {heard}");
        Err(io::Error::other(what))
    }

    /// Returns the driver's address, `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Asks chromedriver to close its browsers; if only chromedriver were killed, they would continue to run.
    fn shut_down(&self) -> io::Result<()> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(FAREWELL))?;
        stream.write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")?;
        stream.read(&mut [0; 1]).map(drop)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.shut_down().ok();
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// Returns the running driver, or the driver's output if it exited.
fn start_once(program: &Path) -> io::Result<Result<Driver, String>> {
    let mut process = Command::new(program)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut said = String::new();
    if let Some(stdout) = process.stdout.take() {
        let mut lines = BufReader::new(stdout);
        // "Starting ChromeDriver… on port 0" comes first.
        while lines.read_line(&mut said).is_ok_and(|read| read > 0) {
            let port = ["successfully on port ", "Listening on 127.0.0.1:"];
            let port = port.iter().find_map(|before| {
                let (_, port) = said.rsplit_once(before)?;
                port.trim_end().trim_end_matches('.').parse().ok()
            });
            if let Some(port) = port {
                return Ok(Ok(Driver {
                    process,
                    port,
                    _stdout: lines,
                }));
            }
        }
    }
    process.kill().ok();
    process.wait().ok();
    Ok(Err(said))
}
