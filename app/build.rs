//! Says whether the program is cut into a part for each view: `cargo xtask` does so for a page that is to be published.

fn main() {
    println!("cargo:rerun-if-env-changed=RIDGEPOINT_PARTS");
    println!("cargo:rustc-check-cfg=cfg(parts)");
    if std::env::var_os("RIDGEPOINT_PARTS").is_some_and(|value| value == "1") {
        println!("cargo:rustc-cfg=parts");
        // What refers to what: the cut follows it.
        println!("cargo:rustc-link-arg-bins=--emit-relocs");
    }
}
