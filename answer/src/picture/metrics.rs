//! Advance widths of the page's sans serif font, for drawing surfaces that cannot measure text.
//!
//! The widths are in thousandths of the type size, for Inter with tabular figures. An SVG made with these widths also
//! declares each text's length, so that another font cannot break the layout.

use super::Measure;

/// Measures text in the page's font, Inter, with a table of advance widths.
#[derive(Clone, Copy, Debug)]
pub struct Inter {
    /// Factor by which all widths are multiplied, for tests with wider fonts; 1 by default.
    pub stretch: f64,
}

impl Default for Inter {
    fn default() -> Self {
        Self { stretch: 1.0 }
    }
}

impl Measure for Inter {
    fn width_px(&self, words: &str, size_px: f64, bold: bool) -> f64 {
        width(words, bold) * size_px * self.stretch
    }
}

/// Returns the width of a text, in units of its type size.
fn width(text: &str, bold: bool) -> f64 {
    let (ascii, others) = if bold {
        (&SEMIBOLD, &SEMIBOLD_OTHERS)
    } else {
        (&REGULAR, &REGULAR_OTHERS)
    };
    let thousandths: u32 = text
        .chars()
        .map(|character| {
            let in_table = (character as usize)
                .checked_sub(32)
                .and_then(|index| ascii.get(index));
            let found =
                in_table.or_else(|| others.iter().find(|(c, _)| *c == character).map(|(_, w)| w));
            u32::from(found.copied().unwrap_or(UNKNOWN))
        })
        .sum();
    f64::from(thousandths) / 1000.0
}

/// Width of a character that is not in the table, in thousandths of the type size: enough for any letter.
const UNKNOWN: u16 = 900;

/// Advance widths of characters 32 to 126 in regular weight, in thousandths of the type size.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    281, 278, 403, 648, 638, 813, 639, 222, 362, 362, 500, 659, 276, 460, 276, 357,
    648, 648, 648, 648, 648, 648, 648, 648, 648, 648, 276, 276, 659, 659, 659, 507,
    936, 676, 651, 727, 719, 598, 587, 743, 740, 264, 543, 652, 563, 889, 753, 761,
    635, 761, 639, 638, 642, 741, 676, 949, 642, 665, 625, 362, 357, 362, 469, 452,
    497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544, 237, 869, 585, 597,
    609, 609, 372, 523, 364, 581, 557, 813, 540, 557, 541, 362, 327, 362, 659,
];

#[rustfmt::skip]
const SEMIBOLD: [u16; 95] = [
    248, 309, 396, 670, 649, 844, 663, 213, 393, 393, 543, 673, 291, 466, 290, 379,
    670, 670, 670, 670, 670, 670, 670, 670, 670, 670, 290, 290, 673, 673, 673, 544,
    999, 724, 657, 744, 724, 608, 586, 755, 744, 275, 561, 677, 566, 906, 741, 775,
    643, 776, 651, 649, 660, 734, 724, 1007, 690, 705, 653, 393, 379, 393, 481, 468,
    497, 575, 630, 577, 630, 593, 377, 625, 613, 261, 261, 569, 261, 898, 610, 608,
    625, 625, 397, 549, 380, 608, 576, 837, 563, 576, 562, 393, 358, 393, 673,
];

type Others = [(char, u16); 10];

const REGULAR_OTHERS: Others = [
    ('×', 659),
    ('−', 659),
    ('·', 276),
    ('–', 500),
    ('…', 821),
    ('β', 592),
    ('µ', 622),
    ('→', 955),
    ('≥', 659),
    ('÷', 659),
];

const SEMIBOLD_OTHERS: Others = [
    ('×', 673),
    ('−', 673),
    ('·', 290),
    ('–', 500),
    ('…', 806),
    ('β', 604),
    ('µ', 652),
    ('→', 955),
    ('≥', 673),
    ('÷', 673),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_tabular_and_bold_is_wider() {
        assert!((width("111", false) - width("888", false)).abs() < 1e-12);
        assert!(width("messages", true) > width("messages", false));
        assert!(width("中", false) > 0.8);
        assert!(width("", true).abs() < 1e-12);
    }
}
