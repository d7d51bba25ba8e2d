//! Tests how numbers in permalinks and input fields are read and written.

use model_core::inputs::Number;
use model_core::permalink::{ReadError, read_number, write_number};

fn reads(number: Number, pairs: &[(&str, f64)]) {
    for (text, value) in pairs {
        assert_eq!(read_number(number, text), Ok(*value), "{number:?} {text}");
    }
}

fn refuses(number: Number, error: ReadError, texts: &[&str]) {
    for text in texts {
        assert_eq!(read_number(number, text), Err(error), "{number:?} {text}");
    }
}

#[test]
fn counts_are_decimal() {
    let plain = [
        ("18432", 18_432.0),
        ("18,432", 18_432.0),
        ("18_432", 18_432.0),
    ];
    reads(Number::Batch, &plain);
    reads(
        Number::Batch,
        &[("32k", 32_000.0), ("32K", 32_000.0), ("1.5M", 1_500_000.0)],
    );
    reads(
        Number::Batch,
        &[("1e4", 10_000.0), ("+5", 5.0), (" 7 ", 7.0), ("0.01G", 1e7)],
    );
    refuses(
        Number::Batch,
        ReadError::NotWhole,
        &["7.5", "0.0005k", "1e-1"],
    );
}

#[test]
fn contexts_are_binary() {
    reads(
        Number::Context,
        &[("32k", 32_768.0), ("1M", 1_048_576.0), ("0.5k", 512.0)],
    );
    reads(
        Number::Context,
        &[("32768", 32_768.0), ("1000", 1000.0), ("2.5", 2.5)],
    );
    refuses(Number::Context, ReadError::NotANumber, &["1G", "32kB"]);
}

#[test]
fn bandwidths_are_gigabytes_per_second() {
    reads(
        Number::ScaleOut,
        &[
            ("80", 80.0),
            ("80G", 80.0),
            ("80GB", 80.0),
            ("80GB/s", 80.0),
        ],
    );
    reads(
        Number::ScaleOut,
        &[("0.08T", 80.0), ("0.08TB/s", 80.0), ("80000M", 80.0)],
    );
    reads(
        Number::ScaleOut,
        &[("400Gb", 50.0), ("400Gbps", 50.0), ("400Gbit/s", 50.0)],
    );
    reads(Number::ScaleOut, &[("0.4Tb", 50.0), ("100Mb", 0.0125)]);
    refuses(
        Number::ScaleOut,
        ReadError::NotANumber,
        &["80Q", "80GBB", "b", "400bG"],
    );
}

#[test]
fn peaks_are_teraflops_per_second() {
    reads(
        Number::PeakBf16,
        &[("989", 989.0), ("989T", 989.0), ("0.989P", 989.0)],
    );
    reads(
        Number::PeakBf16,
        &[("989TFLOP/s", 989.0), ("989TFLOPS", 989.0)],
    );
}

#[test]
fn plain_numbers_may_carry_their_unit() {
    reads(Number::Reserve, &[("0.1", 0.1), ("10%", 0.1), (".1", 0.1)]);
    reads(Number::Capacity, &[("80GiB", 80.0)]);
    reads(Number::LatencyMicros, &[("7us", 7.0), ("7µs", 7.0)]);
    reads(Number::Watts, &[("700W", 700.0)]);
}

#[test]
fn invalid_numbers() {
    refuses(
        Number::Price,
        ReadError::NotANumber,
        &["free", "$", "1.2.3", "2..5", "--2", "1e"],
    );
    refuses(
        Number::Gpus,
        ReadError::NotANumber,
        &["七", "１２", "1\u{0}2"],
    );
}

#[test]
fn ends_of_ranges() {
    let out = |number| ReadError::OutOfRange { number };
    reads(Number::Gpus, &[("1", 1.0), ("4096", 4096.0)]);
    refuses(
        Number::Gpus,
        out(Number::Gpus),
        &["0", "4097", "-1", "1e300"],
    );
    reads(Number::Beta, &[("1", 1.0), ("1e-9", 1e-9)]);
    refuses(
        Number::Beta,
        out(Number::Beta),
        &["0", "1.0001", "1e999", "-0.5"],
    );
}

#[test]
fn error_messages_state_ranges() {
    let said = |number, text| read_number(number, text).map_err(|error| error.to_string());
    assert_eq!(
        said(Number::Context, "17M"),
        Err("must be between 1 and 16M".into())
    );
    assert_eq!(said(Number::Beta, "2"), Err("must be > 0 and ≤ 1".into()));
    assert_eq!(
        said(Number::Gpus, "1.5"),
        Err("must be a whole number".into())
    );
    assert_eq!(said(Number::Gpus, "x"), Err("is not a number".into()));
}

/// Checks that a number with up to six decimals is unchanged after it is written and read back.
#[test]
fn writing_and_reading_are_inverse() {
    for number in Number::ALL {
        let spec = number.spec();
        for step in 0..=1000 {
            let share = f64::from(step) / 1000.0;
            let value = spec.least + (spec.most - spec.least) * share * share * share;
            let value = (value * 1e6).round() / 1e6;
            if number.allows(value) {
                let text = write_number(number, value);
                assert_eq!(read_number(number, &text), Ok(value), "{number:?} {text}");
            }
        }
    }
}
