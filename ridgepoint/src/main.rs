//! The `ridgepoint` program: evaluates permalinks from the command line or standard input. Compiled to WebAssembly,
//! it is the program of the npm package.

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
