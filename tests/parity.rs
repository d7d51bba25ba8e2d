//! Native and wasm agree bit for bit.
//!
//! Each test prints lines `parity <name> <value>`; `cargo xtask test` runs this file natively and
//! on wasm and compares the lines. The value of a number is its bits, of many numbers a digest.

#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Prints a line for comparison.
fn say(name: &str, bits: u64) {
    #[cfg(not(target_family = "wasm"))]
    println!("parity {name} {bits:016x}");
    #[cfg(target_family = "wasm")]
    wasm_bindgen_test::console_log!("parity {name} {bits:016x}");
}

/// Digests numbers by their bits (FNV-1a over 64-bit words).
fn digest(numbers: impl IntoIterator<Item = f64>) -> u64 {
    numbers
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            (hash ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3)
        })
}

#[test]
fn arithmetic() {
    let numbers = (1..=10_000_u32).map(|n| (f64::from(n) / 7.0).sqrt() * 3.0 - 0.1);
    say("arithmetic", digest(numbers));
}
