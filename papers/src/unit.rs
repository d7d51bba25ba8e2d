//! Units used by golden cases.

/// Units and their sizes in base SI units.
const UNITS: [(&str, f64); 23] = [
    ("1", 1.0),
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("GiB", 1_073_741_824.0),
    ("GB/s", 1e9),
    ("FLOP", 1.0),
    ("FLOP/B", 1.0),
    ("TFLOP/s", 1e12),
    ("s", 1.0),
    ("ms", 1e-3),
    ("µs", 1e-6),
    ("tokens/s", 1.0),
    ("sequences", 1.0),
    ("tokens", 1.0),
    ("experts", 1.0),
    ("parameters", 1.0),
    ("G parameters", 1e9),
    ("%", 0.01),
    ("$/h", 1.0),
    ("GPUs", 1.0),
];

/// Returns the size of a unit in base SI units.
pub fn find(name: &str) -> Option<f64> {
    UNITS
        .iter()
        .find(|(unit, _)| *unit == name)
        .map(|(_, size)| *size)
}
