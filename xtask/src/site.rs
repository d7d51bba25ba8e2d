//! A static file server: one folder, one base path, GET and HEAD, nothing cached.
//!
//! For a developer's machine and for the tests, so short rather than fast: a thread and a connection per request, and
//! every request logged.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::mime;

/// Timeout of a connection: browsers open some in advance that they never use, and each holds a thread.
const IDLE: Duration = Duration::from_secs(20);
/// Longest request head: more than any address of the page (a link may carry a whole custom model).
const LONGEST_HEAD: u64 = 256 * 1024;

/// The content security policy that the page works under, sent with every file and part of the built page.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                          img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
                          frame-src 'self'; base-uri 'none'; form-action 'none'";

/// A logged request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`, or any other method.
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// Status of the answer.
    pub status: u16,
}

/// A running server; it stops when dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    base: String,
    log: Mutex<Vec<Request>>,
    headers: Mutex<Vec<String>>,
    replaced: Mutex<Vec<(String, u16, String)>>,
    stopped: AtomicBool,
    unavailable: AtomicBool,
}

impl Server {
    /// Serves the folder `root` at `http://127.0.0.1:<port><base>` until dropped.
    ///
    /// `base` begins and ends with a slash; `port` 0 takes any that is free.
    ///
    /// # Errors
    /// When `root` does not exist or the port is taken.
    pub fn start(root: &Path, base: &str, port: u16) -> io::Result<Self> {
        let root = root.canonicalize()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            root,
            base: base.to_owned(),
            log: Mutex::default(),
            headers: Mutex::new(vec![
                // A rebuilt page must never load an older script.
                "Cache-Control: no-store".to_owned(),
                format!("Content-Security-Policy: {POLICY}"),
            ]),
            replaced: Mutex::default(),
            stopped: AtomicBool::new(false),
            unavailable: AtomicBool::new(false),
        });
        let accepting = Arc::clone(&shared);
        thread::spawn(move || accept(&listener, &accepting));
        Ok(Self { address, shared })
    }

    /// `http://127.0.0.1:<port>`, without a slash at the end.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address of the page: origin and base path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}{}", self.origin(), self.shared.base)
    }

    /// Answers, or closes every connection as if the network were gone.
    pub fn set_available(&self, available: bool) {
        self.shared.unavailable.store(!available, Ordering::SeqCst);
    }

    /// Sends these headers with every answer, in place of a ban on caches and the page's policy.
    pub fn set_headers(&self, headers: &[&str]) {
        let headers = headers.iter().map(|&header| header.to_owned()).collect();
        *lock(&self.shared.headers) = headers;
    }

    /// Answers requests for paths that end with `ending` with this status and text from now on.
    pub fn replace(&self, ending: &str, status: u16, text: &str) {
        let replaced = (ending.to_owned(), status, text.to_owned());
        lock(&self.shared.replaced).push(replaced);
    }

    /// Every request answered, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.log).clone()
    }
}

/// Locks a mutex that no thread panics with.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // A last connection wakes `accept`, which then sees the flag.
        drop(TcpStream::connect_timeout(
            &self.address,
            Duration::from_secs(1),
        ));
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stopped.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        if shared.unavailable.load(Ordering::SeqCst) {
            continue;
        }
        let shared = Arc::clone(shared);
        // An error here is a closed connection.
        thread::spawn(move || converse(stream, &shared).ok());
    }
}

/// Reads one request, answers it and closes the connection.
fn converse(stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    let mut reader = BufReader::new(stream.try_clone()?.take(LONGEST_HEAD));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let mut words = first.split_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Ok(());
    };
    let answer = shared.answer(method, target);
    lock(&shared.log).push(Request {
        method: method.to_owned(),
        target: target.to_owned(),
        status: answer.status,
    });
    let headers = lock(&shared.headers).clone();
    answer.send(stream, &headers, method == "HEAD")
}

/// An HTTP response.
#[derive(Debug)]
struct Reply {
    status: u16,
    media_type: &'static str,
    location: Option<String>,
    body: Vec<u8>,
}

impl Reply {
    fn text(status: u16, body: &str) -> Self {
        let media_type = "text/plain; charset=utf-8";
        Self {
            status,
            media_type,
            location: None,
            body: body.as_bytes().to_vec(),
        }
    }

    fn send(&self, mut to: impl Write, headers: &[String], only_head: bool) -> io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            301 => "Moved Permanently",
            405 => "Method Not Allowed",
            _ => "Not Found",
        };
        write!(to, "HTTP/1.1 {} {reason}\r\n", self.status)?;
        write!(to, "Content-Type: {}\r\n", self.media_type)?;
        write!(to, "Content-Length: {}\r\n", self.body.len())?;
        if let Some(location) = &self.location {
            write!(to, "Location: {location}\r\n")?;
        }
        for header in headers {
            write!(to, "{header}\r\n")?;
        }
        to.write_all(b"X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n")?;
        if !only_head {
            to.write_all(&self.body)?;
        }
        to.flush()
    }
}

impl Shared {
    fn answer(&self, method: &str, target: &str) -> Reply {
        if !matches!(method, "GET" | "HEAD") {
            return Reply::text(405, "This server only answers GET and HEAD.\n");
        }
        let missing = || Reply::text(404, "There is no such file here.\n");
        let (path, query) = target
            .split_once('?')
            .map_or((target, ""), |(path, rest)| (path, rest));
        let replaced = lock(&self.replaced);
        if let Some((ending, status, text)) = replaced.iter().rfind(|(end, ..)| path.ends_with(end))
        {
            return Reply {
                media_type: mime::of(Path::new(ending)),
                ..Reply::text(*status, text)
            };
        }
        drop(replaced);
        let Some(relative) = path.strip_prefix(&self.base) else {
            return missing();
        };
        let Some(file) = self.locate(relative) else {
            return missing();
        };
        if file.is_dir() {
            if !path.ends_with('/') {
                // Relative addresses in a page only work below a path that ends with a slash.
                let query = if query.is_empty() {
                    String::new()
                } else {
                    format!("?{query}")
                };
                let location = Some(format!("{path}/{query}"));
                return Reply {
                    location,
                    ..Reply::text(301, "")
                };
            }
            return read(&file.join("index.html")).unwrap_or_else(missing);
        }
        read(&file).unwrap_or_else(missing)
    }

    /// The file of a path below the base; `None` outside the folder.
    fn locate(&self, relative: &str) -> Option<PathBuf> {
        let decoded = percent_decode(relative)?;
        let relative = Path::new(&decoded);
        let stays = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !stays || decoded.contains(['\0', '\\']) {
            return None;
        }
        // Canonical paths catch links inside the folder that point outside.
        let file = self.root.join(relative).canonicalize().ok()?;
        file.starts_with(&self.root).then_some(file)
    }
}

fn read(file: &Path) -> Option<Reply> {
    let body = fs::read(file).ok()?;
    Some(Reply {
        status: 200,
        media_type: mime::of(file),
        location: None,
        body,
    })
}

/// Replaces `%41` by `A`; `None` if malformed or not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter();
    while let Some(&byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: &u8| {
                char::from(*byte)
                    .to_digit(16)
                    .and_then(|d| u8::try_from(d).ok())
            };
            bytes.push(digit(rest.next()?)? * 16 + digit(rest.next()?)?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends one raw request line to a server over a small folder; its answer.
    fn ask(request: &str) -> String {
        let folder = std::env::temp_dir().join(format!(
            "ridgepoint-site-{}-{:?}",
            std::process::id(),
            thread::current().id()
        ));
        fs::create_dir_all(folder.join("site/inner")).unwrap();
        fs::write(folder.join("secret.txt"), "outside").unwrap();
        fs::write(folder.join("site/index.html"), "<p>home</p>").unwrap();
        fs::write(folder.join("site/inner/index.html"), "<p>inner</p>").unwrap();
        fs::write(folder.join("site/a b.wasm"), [0]).unwrap();
        let server = Server::start(&folder.join("site"), "/some/base/", 0).unwrap();
        let mut stream = TcpStream::connect(server.address).unwrap();
        write!(stream, "{request} HTTP/1.1\r\nHost: here\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(server.requests().len(), 1, "every request is written down");
        fs::remove_dir_all(&folder).unwrap();
        answer
    }

    #[test]
    fn the_base_path_serves_the_index_uncached() {
        let answer = ask("GET /some/base/?gpu=h200&beta=0.6");
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        assert!(answer.contains("Cache-Control: no-store") && answer.ends_with("<p>home</p>"));
    }

    #[test]
    fn names_are_decoded_and_typed() {
        let answer = ask("HEAD /some/base/a%20b.wasm");
        assert!(
            answer.contains("Content-Type: application/wasm"),
            "{answer}"
        );
        assert!(answer.ends_with("\r\n\r\n"), "HEAD has no body: {answer}");
    }

    #[test]
    fn folder_redirects_to_slash() {
        let answer = ask("GET /some/base/inner?v=1");
        assert!(answer.starts_with("HTTP/1.1 301"), "{answer}");
        assert!(
            answer.contains("Location: /some/base/inner/?v=1\r\n"),
            "{answer}"
        );
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        for target in [
            "/some/base/../secret.txt",
            "/some/base/%2e%2e/secret.txt",
            "/some/base/inner/..%2f..%2fsecret.txt",
            "/some/base//etc/passwd",
            "/some/base/%2Fetc%2Fpasswd",
            "/some/base/%zz",
            "/secret.txt",
            "/some/base/none.js",
        ] {
            let answer = ask(&format!("GET {target}"));
            assert!(answer.starts_with("HTTP/1.1 404"), "{target}: {answer}");
        }
    }

    #[test]
    fn other_methods_are_refused() {
        assert!(ask("POST /some/base/").starts_with("HTTP/1.1 405"));
    }
}
