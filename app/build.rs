//! Sets `cfg(parts)` when the program is split into one Wasm chunk per view, as `cargo xtask` does for a published
//! page.

fn main() {
    println!("cargo:rerun-if-env-changed=RIDGEPOINT_PARTS");
    println!("cargo:rustc-check-cfg=cfg(parts)");
    if std::env::var_os("RIDGEPOINT_PARTS").is_some_and(|value| value == "1") {
        println!("cargo:rustc-cfg=parts");
        // Splitting the Wasm module into chunks needs the relocations.
        println!("cargo:rustc-link-arg-bins=--emit-relocs");
    }
}
