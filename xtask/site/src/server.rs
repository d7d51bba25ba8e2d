//! A static file server: one folder, one base path, GET and HEAD, nothing cached.
//!
//! It is meant for a developer's machine and for tests; every request is logged.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::mime;

/// Max size of a request, in bytes; a request has no body.
const LONGEST: usize = 1 << 20;

/// Content security policy of the page. This server sends it by default with every answer, and the build writes it
/// into every HTML page.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                          img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
                          manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'";

/// A logged request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD`, or any other method.
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// Status code of the answer.
    pub status: u16,
    /// Address of the page that sent the request, if the browser sends it.
    pub referer: Option<String>,
}

/// A change, made by a test, of the answers for paths with a certain ending.
#[derive(Debug)]
enum Change {
    /// Replaces the answer with this status and text.
    Text(u16, String),
    /// Sends the file as this media type.
    Type(String),
    /// Delays the answer by this time.
    Delay(Duration),
}

/// A running server; it stops when dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Server({})", self.address)
    }
}

struct Shared {
    stopped: AtomicBool,
    root: Mutex<PathBuf>,
    base: String,
    log: Mutex<Vec<Request>>,
    headers: Mutex<Vec<String>>,
    changes: Mutex<Vec<(String, Change)>>,
}

impl Server {
    /// Serves the folder `root` at `http://127.0.0.1:<port><base>` until dropped.
    ///
    /// `base` begins and ends with a slash; if `port` is 0, any free port is used.
    ///
    /// # Errors
    /// If `root` does not exist or the port is taken.
    pub fn start(root: &Path, base: &str, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            stopped: AtomicBool::new(false),
            root: Mutex::new(root.canonicalize()?),
            base: base.to_owned(),
            log: Mutex::default(),
            headers: Mutex::new(vec![
                // A rebuilt page must never load an older script.
                "Cache-Control: no-store".to_owned(),
                format!("Content-Security-Policy: {POLICY}"),
            ]),
            changes: Mutex::default(),
        });
        let serving = Arc::clone(&shared);
        thread::spawn(move || serving.serve(&listener));
        Ok(Self { address, shared })
    }

    /// Returns the server's origin, `http://127.0.0.1:<port>`, without a slash at the end.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the address of the page: origin and base path.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}{}", self.origin(), self.shared.base)
    }

    /// Sends these headers with every answer; they replace the default headers, which forbid caching and set the
    /// page's policy.
    pub fn set_headers(&self, headers: &[&str]) {
        let headers = headers.iter().map(|&header| header.to_owned()).collect();
        *lock(&self.shared.headers) = headers;
    }

    /// From now on, returns this status and text for every requested path that ends with `ending`.
    pub fn replace(&self, ending: &str, status: u16, text: &str) {
        self.change(ending, Change::Text(status, text.to_owned()));
    }

    /// From now on, sends this media type for every file with a path that ends with `ending`.
    pub fn retype(&self, ending: &str, media_type: &str) {
        self.change(ending, Change::Type(media_type.to_owned()));
    }

    /// From now on, delays the answer by `time` for every requested path that ends with `ending`.
    pub fn delay(&self, ending: &str, time: Duration) {
        self.change(ending, Change::Delay(time));
    }

    fn change(&self, ending: &str, change: Change) {
        lock(&self.shared.changes).push((ending.to_owned(), change));
    }

    /// Serves another folder from now on, like a new deployment of the site.
    ///
    /// # Errors
    /// If `root` does not exist.
    pub fn deploy(&self, root: &Path) -> io::Result<()> {
        *lock(&self.shared.root) = root.canonicalize()?;
        Ok(())
    }

    /// Stops the server: from now on, requests get no answer.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Release);
        // Wakes the listener.
        drop(TcpStream::connect(self.address));
    }

    /// Returns all answered requests, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.log).clone()
    }
}

/// Locks a mutex; ignores poisoning, because no thread panics while it holds the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Reply {
    status: u16,
    media_type: String,
    location: Option<String>,
    body: Vec<u8>,
}

impl Reply {
    fn text(status: u16, body: &str) -> Self {
        let media_type = "text/plain; charset=utf-8".to_owned();
        Self {
            status,
            media_type,
            location: None,
            body: body.as_bytes().to_vec(),
        }
    }

    /// Returns the bytes of the HTTP answer; an answer to `HEAD` has no body.
    fn bytes(self, headers: &[String], method: &str) -> Vec<u8> {
        let mut lines = vec![
            format!("HTTP/1.1 {} ", self.status),
            format!("Content-Type: {}", self.media_type),
            format!("Content-Length: {}", self.body.len()),
            "X-Content-Type-Options: nosniff".to_owned(),
        ];
        lines.extend(self.location.map(|to| format!("Location: {to}")));
        lines.extend_from_slice(headers);
        let mut bytes = (lines.join("\r\n") + "\r\n\r\n").into_bytes();
        if method != "HEAD" {
            bytes.extend(self.body);
        }
        bytes
    }
}

impl Shared {
    /// Answers requests until the server is dropped.
    ///
    /// Each connection has a separate thread. A thread pool would run out, because browsers leave connections open.
    fn serve(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            if self.stopped.load(Ordering::Acquire) {
                return;
            }
            let shared = Arc::clone(self);
            // An error here is a closed connection.
            thread::spawn(move || stream.and_then(|stream| shared.talk(stream)));
        }
    }

    /// Answers the requests of a connection until the browser closes it or sends something other than a request.
    fn talk(&self, mut stream: TcpStream) -> io::Result<()> {
        let (mut received, mut more) = (Vec::new(), [0; 8192]);
        while received.len() < LONGEST {
            let count = stream.read(&mut more)?;
            if count == 0 || self.stopped.load(Ordering::Acquire) {
                break;
            }
            received.extend_from_slice(&more[..count]);
            while let Some(head) = head(&received)? {
                received.drain(..head.length);
                let path = path_of(&head.target);
                if let Some(delay) = self.changed(path, |change| match change {
                    Change::Delay(time) => Some(*time),
                    _ => None,
                }) {
                    thread::sleep(delay);
                }
                let mut reply = self.answer(&head.method, &head.target);
                if let Some(media_type) = self.changed(path, |change| match change {
                    Change::Type(media_type) => Some(media_type.clone()),
                    _ => None,
                }) {
                    reply.media_type = media_type;
                }
                let headers = lock(&self.headers).clone();
                lock(&self.log).push(Request {
                    method: head.method.clone(),
                    target: head.target,
                    status: reply.status,
                    referer: head.referer,
                });
                stream.write_all(&reply.bytes(&headers, &head.method))?;
                if head.last {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns the first value that `of` finds in the changes that apply to a path, newest change first.
    fn changed<T>(&self, path: &str, of: impl Fn(&Change) -> Option<T>) -> Option<T> {
        let changes = lock(&self.changes);
        let mut newest = changes.iter().rev();
        newest.find_map(|(end, change)| path.ends_with(end).then(|| of(change)).flatten())
    }

    fn answer(&self, method: &str, target: &str) -> Reply {
        if !matches!(method, "GET" | "HEAD") {
            return Reply::text(405, "This server only answers GET and HEAD.\n");
        }
        let missing = || Reply::text(404, "There is no such file here.\n");
        let (path, query) = target
            .split_once('?')
            .map_or((target, ""), |(path, rest)| (path, rest));
        if let Some((status, text)) = self.changed(path, |change| match change {
            Change::Text(status, text) => Some((*status, text.clone())),
            _ => None,
        }) {
            return Reply {
                media_type: mime::of(Path::new(path)).to_owned(),
                ..Reply::text(status, &text)
            };
        }
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

    /// Returns the file for a path below the base; `None` if there is no such file or the path leaves the folder.
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
        let root = lock(&self.root).clone();
        let file = root.join(relative).canonicalize().ok()?;
        file.starts_with(&root).then_some(file)
    }
}

/// A parsed request without a body.
struct Head {
    length: usize,
    method: String,
    target: String,
    referer: Option<String>,
    /// True if this is the last request of its connection.
    last: bool,
}

/// Returns the path of a request target, without its query.
fn path_of(target: &str) -> &str {
    target.split_once('?').map_or(target, |(path, _)| path)
}

/// Parses the head of the first request (request line and headers); returns `None` until the whole head has been
/// received.
fn head(received: &[u8]) -> io::Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    let status = request.parse(received).map_err(io::Error::other)?;
    Ok(match (status, request.method, request.path) {
        (httparse::Status::Complete(length), Some(method), Some(target)) => {
            let closes = |header: &&httparse::Header<'_>| {
                header.name.eq_ignore_ascii_case("Connection")
                    && header.value.eq_ignore_ascii_case(b"close")
            };
            let last = request.version == Some(0) || request.headers.iter().any(|it| closes(&it));
            let mut headers = request.headers.iter();
            let referer = headers
                .find(|header| header.name.eq_ignore_ascii_case("Referer"))
                .map(|header| String::from_utf8_lossy(header.value).into_owned());
            Some(Head {
                length,
                method: method.to_owned(),
                target: target.to_owned(),
                referer,
                last,
            })
        }
        _ => None,
    })
}

fn read(file: &Path) -> Option<Reply> {
    let body = fs::read(file).ok()?;
    Some(Reply {
        status: 200,
        media_type: mime::of(file).to_owned(),
        location: None,
        body,
    })
}

/// Decodes percent-encoding, such as `%41` for `A`; returns `None` if the text is malformed or not UTF-8.
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
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    /// Sends one raw request line to a server with a small folder, and returns the answer.
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
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(server.requests().len(), 1, "every request is written down");
        fs::remove_dir_all(&folder).unwrap();
        answer
    }

    #[test]
    fn the_base_path_serves_the_index_uncached() {
        let answer = ask("GET /some/base/?gpu=h200&beta=0.6");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
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
