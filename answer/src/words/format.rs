//! Formats numbers as text, for the whole page.
//!
//! Numbers have a real minus sign and thousands separators, and usually three significant digits. The value is
//! separate from its unit, so that the page can set the unit in lighter type. A number that is not finite is shown as
//! a dash, never as `NaN`.

use std::fmt;

/// The typographic minus sign, which is as wide as a digit and read aloud as "minus".
pub const MINUS: char = '−';
/// The multiplication sign, written after a ratio.
pub const TIMES: char = '×';
/// Dash shown instead of a missing number.
pub const NONE: &str = "–";

/// Magnitude below which a share is treated as the rounding error of a sum.
pub const NOISE: f64 = 1e-9;

const GIB_BYTES: f64 = 1_073_741_824.0;

/// A number as text, with its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberText {
    /// The digits, e.g. `79.8`.
    pub value: String,
    /// The unit, e.g. `ms`.
    pub unit: &'static str,
}

impl NumberText {
    fn new(value: String, unit: &'static str) -> Self {
        Self { value, unit }
    }
}

impl fmt::Display for NumberText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, self.unit)
    }
}

/// Formats a number with three significant digits: `0.173`, `1.73`, `59.0`, `3,210`.
pub fn sig3(value: f64) -> String {
    significant(value, 3)
}

/// Formats a number with four significant digits, for numbers that are checked by hand.
pub fn sig4(value: f64) -> String {
    significant(value, 4)
}

/// Formats a number with three significant digits, and from 10⁵ up with an SI suffix: `79.8`, `12,300`, `118k`.
pub fn figure(value: f64) -> String {
    if value.abs() < 1e5 {
        sig3(value)
    } else {
        si(value)
    }
}

/// Formats a required minimum like [`figure`], but rounded up, so that a user who enters the formatted number meets
/// the minimum.
pub fn at_least(value: f64) -> String {
    let unit = libm::pow(10.0, libm::floor(libm::log10(value)) - 2.0);
    // Tolerate the numerical error of a solved number.
    figure(libm::ceil(value * (1.0 - 1e-5) / unit) * unit)
}

/// Formats a published number, with up to four digits and no trailing zeros: `1,979`, `989.5`, `3.35`, `8`.
pub fn printed(value: f64) -> String {
    let text = significant(value, 4);
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Formats a value below a goal, with enough digits to distinguish it from the goal: `29.98` for a goal of 30.
pub fn below(value: f64, goal: f64) -> String {
    let mut told = (3..9).map(|digits| significant(value, digits));
    let goal = [3, 4, 5, 6, 7, 8].map(|digits| significant(goal, digits));
    told.find(|text| !goal.contains(text)).unwrap_or_default()
}

/// Formats a value like [`figure`]. If the value does not exceed `room`, the rounded value does not either: `495.7`
/// for a `room` of 495.8.
pub fn within(value: f64, room: f64) -> String {
    let told = figure(value);
    let beyond = { told.replace(',', "").parse() }.is_ok_and(|told: f64| told > room);
    match value <= room && beyond {
        true => below(value, room),
        false => told,
    }
}

/// Formats a whole number with thousands separators: `18,432`.
pub fn count(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    if value.abs() >= 1e15 {
        return scientific(value, 3);
    }
    signed(value.round(), group(&format!("{:.0}", value.round().abs())))
}

/// Formats a number with three significant digits and an SI suffix: `3.21k`, `231k`, `1.50M`, `12.5`.
pub fn si(value: f64) -> String {
    si_with(value, sig3)
}

/// Like [`si`], but with up to four digits and without trailing zeros, for axis ticks: `6k`, `1.5M`, `500`, `0`.
pub fn si_tick(value: f64) -> String {
    si_with(value, printed)
}

/// Like [`si`], but with fewer digits: two significant digits, or three from 100 up: `3.2k`, `17k`, `231k`, `916`.
pub fn si2(value: f64) -> String {
    si_with(value, |value| match value.abs() >= 99.5 {
        true => significant(value.round(), 3),
        false => significant(value, 2),
    })
}

fn si_with(value: f64, digits: fn(f64) -> String) -> String {
    const STEPS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    // 999.6 rounds to 1,000: it belongs to the next suffix.
    let found = STEPS.iter().find(|(step, _)| value.abs() >= step * 0.9995);
    match found {
        Some((step, suffix)) if value.is_finite() => format!("{}{suffix}", digits(value / step)),
        _ => digits(value),
    }
}

/// Formats seconds as milliseconds: `79.8 ms`.
pub fn millis(seconds: f64) -> NumberText {
    NumberText::new(sig3(seconds * 1e3), "ms")
}

/// Formats a duration in a suitable unit: `84.0 µs`, `312 ms`, `1.25 s`.
pub fn duration(seconds: f64) -> NumberText {
    /// Durations below this, in seconds, are treated as the rounding error of a sum.
    const NO_TIME: f64 = 1e-12;
    if seconds >= 1.0 {
        NumberText::new(figure(seconds), "s")
    } else if seconds.abs() < NO_TIME {
        millis(0.0)
    } else if seconds >= 1e-3 {
        millis(seconds)
    } else {
        NumberText::new(sig3(seconds * 1e6), "µs")
    }
}

/// Formats the size of a sequence's KV cache, given in bytes: `512 MiB`, or `9.79 GiB` from 1,024 MiB up.
pub fn mebi(bytes: f64) -> String {
    match bytes / 1_048_576.0 {
        mebi if mebi < 1024.0 => format!("{} MiB", sig3(mebi)),
        _ => gib(bytes).to_string(),
    }
}

/// Formats bytes as GiB: `59.0 GiB`, `<0.001 GiB`.
pub fn gib(bytes: f64) -> NumberText {
    let gib = bytes / GIB_BYTES;
    let small = gib > 0.0 && gib < 1e-3;
    NumberText::new(
        if small {
            "<0.001".to_owned()
        } else {
            sig3(gib)
        },
        "GiB",
    )
}

/// Formats a column of sizes in GiB. All sizes have as many decimals as the largest, so that the decimal points
/// align: `33.5`, `1.1`, `<0.1`.
pub fn gib_column(bytes: &[f64]) -> Vec<String> {
    let most = bytes
        .iter()
        .fold(0.0, |most: f64, of| most.max(of / GIB_BYTES));
    let decimals = match most {
        most if most >= 99.95 => 0,
        most if most >= 9.995 => 1,
        _ => 2,
    };
    let least = [1.0, 0.1, 0.01][decimals];
    let text = |of: &f64| {
        let gib = of / GIB_BYTES;
        if gib > 0.0 && gib < least / 2.0 {
            format!("<{}", format_number(least, decimals))
        } else {
            format_number(gib, decimals)
        }
    };
    bytes.iter().map(text).collect()
}

fn format_number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if value >= 999.5 { count(value) } else { text }
}

/// Formats a bandwidth in the units of data sheets: `50 GB/s`, `3.35 TB/s`.
pub fn bandwidth(bytes_per_s: f64) -> NumberText {
    if bytes_per_s >= 1e12 {
        NumberText::new(printed(bytes_per_s / 1e12), "TB/s")
    } else {
        NumberText::new(printed(bytes_per_s / 1e9), "GB/s")
    }
}

/// Formats a compute rate in the units of data sheets: `1,979 TFLOP/s`.
pub fn teraflop_per_s(flop_per_s: f64) -> NumberText {
    NumberText::new(printed(flop_per_s / 1e12), "TFLOP/s")
}

/// Percentage below which a change is shown as no change.
const SAME_PERCENT: f64 = 0.05;

/// Returns the change from `reference` to `now` in percent; `None` if it is undefined.
fn percent_of(now: f64, reference: f64) -> Option<f64> {
    let percent = (now / reference - 1.0) * 100.0;
    (!percent.is_nan() && reference != 0.0).then_some(percent)
}

/// True if the change from `reference` to `now` is defined and does not round to zero.
pub fn changes(now: f64, reference: f64) -> bool {
    percent_of(now, reference).is_some_and(|percent| percent.abs() >= SAME_PERCENT)
}

/// Formats the change from `reference` to `now`: `+44%`, `−31%`. The result is `same` if the change rounds to zero,
/// `> 10⁶%` for larger increases, and a dash if the change is undefined.
pub fn percent_change(now: f64, reference: f64) -> String {
    let Some(percent) = percent_of(now, reference) else {
        return NONE.to_owned();
    };
    if percent > 1e6 {
        return "> 10⁶%".to_owned();
    }
    if percent.abs() < SAME_PERCENT {
        return "same".to_owned();
    }
    let digits = percent_digits(percent.abs());
    format!("{}{digits}%", if percent < 0.0 { MINUS } else { '+' })
}

/// Formats a percentage without its sign and without "%": `3.1`, `44`, `2,062`.
fn percent_digits(percent: f64) -> String {
    match percent < 9.95 {
        true => format!("{percent:.1}"),
        false => group(&format!("{percent:.0}")),
    }
}

/// Formats a number with one decimal, for percentages below ten: `3.1`.
pub fn tenths(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    signed(value, format!("{:.1}", value.abs()))
}

/// Formats a fraction as a percentage with one decimal: `20.1%`, `−14.5%`.
pub fn tenths_of_percent(fraction: f64) -> String {
    let text = format!("{:.1}%", 100.0 * fraction);
    match text.as_str() {
        "-0.0%" => "0.0%".to_owned(),
        _ => text.replace('-', "−"),
    }
}

/// Formats a fraction between 0 and 1 as a whole percentage: `85%`; `<1%` if it is below 0.5% but not zero.
pub fn share(fraction: f64) -> String {
    if fraction > NOISE && fraction < 0.005 {
        return "<1%".to_owned();
    }
    format!("{}%", count(fraction * 100.0))
}

/// Formats the total batch of a deployment, in sequences. All digits are shown below a million; above, an SI suffix
/// is used: `18,432`, `1.25M`.
pub fn sequences(batch: f64) -> String {
    if batch < 1e6 {
        count(batch.max(1.0))
    } else {
        si(batch)
    }
}

/// Returns "an" before a number whose spoken form begins with a vowel, as in "an 8,192-token prompt", else "a".
pub fn article(number: &str) -> &'static str {
    let first = number.split([',', '-', ' ']).next().unwrap_or("");
    match first.starts_with('8') || ["11", "18"].contains(&first) {
        true => "an",
        false => "a",
    }
}

/// Formats the maximum number of sequences per GPU like [`batch`], but rounded down.
pub fn room(per_gpu: f64) -> String {
    if per_gpu < 10.0 || per_gpu.fract() == 0.0 {
        return batch(per_gpu);
    }
    let tenths = (per_gpu * 10.0).floor() / 10.0;
    match tenths.fract() == 0.0 || per_gpu >= 100.0 {
        true => batch(tenths.floor()),
        false => format!("{tenths:.1}"),
    }
}

/// Formats the mean number of sequences per GPU: `256`, `1.42`. Numbers from 10 up are whole; from 10⁵ up, they have an
/// SI suffix. Smaller numbers have three digits without trailing zeros. Numbers below one are ratios of whole numbers,
/// if possible: `1/72`.
pub fn batch(per_gpu: f64) -> String {
    if let Some((sequences, gpus)) = whole_over_gpus(per_gpu) {
        format!("{sequences}/{}", count(gpus))
    } else if per_gpu >= 1e5 {
        si_tick(per_gpu)
    } else if per_gpu >= 10.0 {
        count(per_gpu)
    } else {
        let text = sig3(per_gpu);
        let decimals = text.contains('.') && !text.contains('e');
        if decimals {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    }
}

/// Returns a number between zero and one as a fraction in lowest terms, numerator first; `None` if no denominator up to
/// 4,096 works.
fn whole_over_gpus(per_gpu: f64) -> Option<(f64, f64)> {
    /// Largest denominator tried, which is the maximum number of GPUs of a deployment.
    const MOST: u32 = 4096;
    if !(per_gpu > 0.0 && per_gpu < 1.0) {
        return None;
    }
    (2..=MOST).map(f64::from).find_map(|gpus| {
        let sequences = (per_gpu * gpus).round();
        let whole = sequences >= 1.0 && (per_gpu * gpus / sequences - 1.0).abs() < 1e-9;
        whole.then_some((sequences, gpus))
    })
}

/// Formats a context length in tokens as it is usually written: `512`, `2,000`, `32k`, `1M`. Other large numbers have
/// three digits: `11.3k`.
pub fn tokens(context: f64) -> String {
    for (unit, size) in [("M", 1_048_576.0), ("k", 1024.0)] {
        let scaled = context / size;
        if scaled >= 1.0 && scaled.fract() == 0.0 {
            return format!("{}{unit}", count(scaled));
        }
    }
    if context >= 1e4 {
        si(context)
    } else {
        count(context)
    }
}

/// Formats the interactivity in tok/s/user: a whole number from 20 up, else three digits: `28`, `62`, `8.51`.
pub fn speed(users: f64) -> String {
    if users >= 19.5 {
        count(users.round())
    } else {
        sig3(users)
    }
}

/// Formats a ratio like [`factor`]. Appends `times` if the result is a multiple, or `less` if it is a reduction.
pub fn relative_with(ratio: f64, times: &str, less: &str) -> String {
    match ratio < 1.0 && changes(ratio, 1.0) {
        true if ratio < 0.005 => format!("> 99% less{less}"),
        true => format!("{}% less{less}", percent_digits(100.0 * (1.0 - ratio))),
        false => format!("{}{TIMES}{times}", sig3(ratio)),
    }
}

/// Formats the change from `reference` to `now` in words: `44% more`, `31% less`, `same`. From a factor of two up, the
/// result is a multiple with `times` appended: `22×`.
pub fn change(now: f64, reference: f64, times: &str) -> String {
    let ratio = now / reference;
    match changes(now, reference) && ratio > 0.0 {
        true if ratio > 1.0 && ratio < 1.995 => {
            format!("{}% more", percent_digits(100.0 * (ratio - 1.0)))
        }
        true => relative_with(ratio, times, ""),
        false => percent_change(now, reference),
    }
}

/// Formats a ratio for a comparison: `1.44×`, `10.0×`. A ratio below one becomes a reduction: `25% less`.
pub fn factor(ratio: f64) -> String {
    if !ratio.is_finite() {
        return NONE.to_owned();
    }
    relative_with(ratio, "", "")
}

/// Formats a ratio of two values of the quantity `what`: `1.44× the TPOT`, `25% less TPOT`.
pub fn factor_of(ratio: f64, what: &str) -> String {
    relative_with(ratio, &format!(" the {what}"), &format!(" {what}"))
}

/// Formats dollars with three significant digits: `$0.173`, `$12.0`.
pub fn dollars(amount: f64) -> String {
    if !amount.is_finite() {
        return NONE.to_owned();
    }
    signed(amount, format!("${}", sig3(amount.abs())))
}

/// Formats a count up to twelve in words, such as `nine`, and a larger one in digits.
pub fn in_words(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(number)
        .map_or_else(|| count(number as f64), |word| (*word).to_owned())
}

/// Formats a number with `digits` significant digits. Very large and very small numbers are in scientific notation.
fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e9 || value.abs() < 1e-4 {
        return scientific(value, digits);
    }
    let text = format!("{:.*e}", digits - 1, value.abs());
    let exponent: i32 = text
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    // Drop the digits beyond the significant ones: they would suggest false precision.
    let rounded: f64 = text.parse().unwrap_or(value.abs());
    signed(value, group(&format!("{rounded:.decimals$}")))
}

fn scientific(value: f64, digits: usize) -> String {
    format!("{:.*e}", digits - 1, value).replace('-', "−")
}

fn signed(value: f64, text: String) -> String {
    if value < 0.0 {
        format!("{MINUS}{text}")
    } else {
        text
    }
}

/// Inserts thousands separators into the integer part of a number given as a string, which may have a fraction.
fn group(digits: &str) -> String {
    let (whole, fraction) = digits
        .split_once('.')
        .map_or((digits, None), |(w, f)| (w, Some(f)));
    let mut text = String::with_capacity(digits.len() + whole.len() / 3);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// Returns the text with its first letter in upper case.
pub fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Returns the text with its first letter in lower case, except in abbreviations: "balance β", "HBM", "FLOP/s".
pub fn lower(text: &str) -> String {
    let mut text = text.to_owned();
    let word = text.as_bytes().get(1).is_some_and(u8::is_ascii_lowercase);
    if let Some(first) = text.get_mut(..1).filter(|_| word) {
        first.make_ascii_lowercase();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_enough_is_rounded_up() {
        for (value, text) in [
            (124.3, "125"),
            (124.0, "124"),
            (9.5213, "9.53"),
            (5.150_001, "5.15"),
            (99.97, "100"),
        ] {
            assert_eq!(at_least(value), text, "{value}");
        }
    }

    #[test]
    fn three_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.1734, "0.173"),
            (1.732, "1.73"),
            (12.04, "12.0"),
            (59.0, "59.0"),
            (989.5, "990"),
            (3212.0, "3,210"),
            (99.96, "100"),
            (0.09999, "0.100"),
            (-24.53, "−24.5"),
            (1.5e12, "1.50e12"),
            (2e-7, "2.00e−7"),
            (f64::NAN, "–"),
            (f64::INFINITY, "–"),
        ] {
            assert_eq!(sig3(value), text, "{value}");
        }
    }

    #[test]
    fn there_is_no_part_of_a_sequence() {
        let said = [256.0, 17.0 / 12.0, 1.0, 0.125, 1.0 / 72.0, 71.0 / 72.0].map(batch);
        assert_eq!(said, ["256", "1.42", "1", "1/8", "1/72", "71/72"]);
        assert_eq!(batch(0.123_456_789), "0.123");
    }

    #[test]
    fn sizes_of_a_column_align() {
        let column =
            |gib: &[f64]| gib_column(&gib.iter().map(|of| of * GIB_BYTES).collect::<Vec<_>>());
        let mixed = column(&[10.6, 1.11, 33.5, 0.0664, 0.00206, 0.0]);
        assert_eq!(mixed, ["10.6", "1.1", "33.5", "0.1", "<0.1", "0.0"]);
        assert_eq!(column(&[1234.0, 0.2]), ["1,234", "<1"]);
        assert_eq!(column(&[1.5, 0.004]), ["1.50", "<0.01"]);
    }

    #[test]
    fn no_ratio_below_one_is_printed() {
        for (ratio, text) in [
            (1.25, "1.25×"),
            (0.753, "25% less"),
            (0.964, "3.6% less"),
            (0.9999, "1.00×"),
            (1e-4, "> 99% less"),
            (22.0, "22.0×"),
        ] {
            assert_eq!(factor(ratio), text);
        }
        for (now, then, text) in [
            (14.9, 25.3, "41% less"),
            (1.44, 1.0, "44% more"),
            (21.62, 1.0, "21.6× as long"),
            (1.0, 1.0, "same"),
        ] {
            assert_eq!(change(now, then, " as long"), text);
        }
    }

    #[test]
    fn printed_figures_are_not_padded() {
        for (value, text) in [
            (1979.0, "1,979"),
            (989.5, "989.5"),
            (3.35, "3.35"),
            (8.0, "8"),
            (50.0, "50"),
            (400.0, "400"),
        ] {
            assert_eq!(printed(value), text);
        }
    }

    #[test]
    fn suffixes() {
        for (value, text) in [
            (3212.0, "3.21k"),
            (231_264.0, "231k"),
            (12.53, "12.5"),
            (999.7, "1.00k"),
            (1.5e6, "1.50M"),
            (-4000.0, "−4.00k"),
        ] {
            assert_eq!(si(value), text);
        }
        assert_eq!(si_tick(6000.0), "6k");
        assert_eq!(si_tick(1_500_000.0), "1.5M");
        assert_eq!(si_tick(0.0), "0");
        let short = [3212.0, 16_840.0, 99.7, 63.2, 916.4, 999.7].map(si2);
        assert_eq!(short, ["3.2k", "17k", "100", "63", "916", "1.0k"]);
    }

    #[test]
    fn counts_and_quantities() {
        assert_eq!(count(18_432.0), "18,432");
        assert_eq!(count(-1_234_567.4), "−1,234,567");
        assert_eq!(millis(0.0798).to_string(), "79.8 ms");
        assert_eq!(gib(59.0 * GIB_BYTES).to_string(), "59.0 GiB");
        assert_eq!(bandwidth(3.35e12).to_string(), "3.35 TB/s");
        assert_eq!(bandwidth(50e9).to_string(), "50 GB/s");
        assert_eq!(teraflop_per_s(1.979e15).to_string(), "1,979 TFLOP/s");
    }

    #[test]
    fn differences() {
        assert_eq!(percent_change(79.8, 55.3), "+44%");
        assert_eq!(percent_change(12.5, 18.1), "−31%");
        assert_eq!(percent_change(59.0, 59.0), "same");
        assert_eq!(percent_change(1.02, 1.0), "+2.0%");
        assert_eq!(percent_change(1.0, 0.0), "–");
        assert_eq!(percent_change(1.0, 1e-308), "> 10⁶%");
        assert_eq!(factor(1.443), "1.44×");
        assert_eq!(dollars(0.1731), "$0.173");
        assert_eq!(share(0.8523), "85%");
        assert_eq!(share(0.001), "<1%");
        assert_eq!(tenths(3.12), "3.1");
        assert_eq!(tenths(f64::NAN), "–");
        assert_eq!(in_words(9), "nine");
        assert_eq!(in_words(14), "14");
        assert_eq!(sequences(18_432.0), "18,432");
        assert_eq!(sequences(1_250_000.0), "1.25M");
        assert_eq!(tokens(512.0), "512");
        assert_eq!(tokens(2000.0), "2,000");
        assert_eq!(tokens(32_768.0), "32k");
        assert_eq!(tokens(1_048_576.0), "1M");
        assert_eq!(tokens(11_300.0), "11.3k");
    }
}
