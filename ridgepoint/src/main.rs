//! `ridgepoint`: evaluates links from a command line or a pipe; as WebAssembly, the program of the npm package.

mod command;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod node;
mod program;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(target_family = "wasm")]
fn main() {}
