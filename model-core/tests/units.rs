//! Tests the units and prefixes of quantities.

#![allow(clippy::float_cmp, reason = "powers of two and of ten are exact here")]

use model_core::units::{Bytes, BytesPerSecond, Flop, FlopPerSecond, Seconds};

#[test]
fn binary_and_decimal_prefixes() {
    assert_eq!(Bytes::from_gib(80.0).get(), 85_899_345_920.0);
    assert_eq!(Bytes::from_gib(80.0).as_gib(), 80.0);
    assert_eq!(BytesPerSecond::from_gb(3350.0).get(), 3.35e12);
    assert_eq!(BytesPerSecond::from_gb(50.0).as_gb(), 50.0);
    assert_eq!(FlopPerSecond::from_tera(1979.0).get(), 1.979e15);
    assert_eq!(FlopPerSecond::from_tera(1979.0).as_tera(), 1979.0);
}

#[test]
fn second_in_smaller_units() {
    let second = Seconds::new(1.0);
    assert_eq!(second.as_millis(), 1e3);
    assert_eq!(second.as_micros(), 1e6);
    assert_eq!(Seconds::from_micros(500_000.0).get(), 0.5);
}

#[test]
fn amounts_over_rates_are_times() {
    assert_eq!((Bytes::new(6e9) / BytesPerSecond::from_gb(3.0)).get(), 2.0);
    assert_eq!((Flop::new(6e12) / FlopPerSecond::from_tera(3.0)).get(), 2.0);
    assert_eq!((Flop::new(8.0) / Seconds::new(2.0)).get(), 4.0);
}

#[test]
fn arithmetic_over_traffic_is_intensity() {
    assert_eq!(Flop::new(600.0) / Bytes::new(2.0), 300.0);
    let ridge = FlopPerSecond::from_tera(989.0) / BytesPerSecond::from_gb(3350.0);
    assert!((ridge - 295.22).abs() < 0.01);
}

#[test]
fn sums_and_extremes() {
    let parts = [1.0, 2.0, 4.0].map(Seconds::new);
    assert_eq!(parts.into_iter().sum::<Seconds>().get(), 7.0);
    assert_eq!(parts[0].max(parts[2]).get(), 4.0);
    assert_eq!(parts[0].min(parts[2]).get(), 1.0);
    assert_eq!((parts[2] - parts[0]) * 2.0 / 3.0, parts[1]);
    assert_eq!(parts[2] / parts[1], 2.0);
}
