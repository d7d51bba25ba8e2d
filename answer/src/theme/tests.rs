//! Tests of the color schemes: CSS output, contrast of text, evenness of the sequential scale.

use super::*;

#[test]
fn a_colour_is_css() {
    assert_eq!(Colour::opaque(0x08746A).to_string(), "#08746A");
    assert_eq!(LIGHT.hidden.to_string(), "rgb(252 252 250 / 0.62)");
}

#[test]
fn both_schemes_declare_the_same_properties() {
    let names = |css: String| -> Vec<String> {
        css.lines()
            .filter_map(|line| Some(line.split_once(':')?.0.to_owned()))
            .collect()
    };
    let light = names(LIGHT.css_properties());
    assert_eq!(light, names(DARK.css_properties()));
    assert_eq!(
        light.len(),
        14 + 4 * Role::ALL.len() + 2 * Series::ALL.len()
    );
    assert!(stylesheet().contains("--ink-1: #14181D;"));
}

/// Computes the relative luminance of a color as defined by WCAG 2.
fn luminance(colour: Colour) -> f64 {
    let [_, red, green, blue] = colour.rgb.to_be_bytes();
    let linear = |channel: u8| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            libm::pow((c + 0.055) / 1.055, 2.4)
        }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// Converts a color to OKLab; the lightness is the first component.
fn oklab(colour: Colour) -> [f64; 3] {
    let [_, red, green, blue] = colour.rgb.to_be_bytes();
    let [r, g, b] = [red, green, blue].map(|channel| {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            libm::pow((c + 0.055) / 1.055, 2.4)
        }
    });
    let l = libm::cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b);
    let m = libm::cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b);
    let s = libm::cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b);
    [
        0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s,
        1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s,
        0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s,
    ]
}

#[test]
fn the_ramp_goes_one_way_in_steps_that_are_seen() {
    for theme in [LIGHT, DARK] {
        let lightness = theme.ramp.map(|colour| oklab(colour)[0]);
        let away = lightness[7] - lightness[0];
        assert!(away.abs() > 0.25, "the ends are far apart: {away}");
        for pair in lightness.windows(2) {
            let step = (pair[1] - pair[0]) / away;
            assert!(step > 0.03, "{step} of the way");
        }
        assert!(
            contrast(theme.ink_1, theme.ramp[7]) > 5.5,
            "ink on the last band"
        );
        assert!(
            contrast(theme.unfit_hatch, theme.unfit) > 1.5,
            "a hatch that is seen"
        );
    }
    assert_eq!(LIGHT.band(0, 3), LIGHT.ramp[0]);
    assert_eq!(LIGHT.band(2, 3), LIGHT.ramp[2]);
    assert_eq!(LIGHT.band(9, 10), LIGHT.ramp[7]);
    assert_eq!(LIGHT.band(0, 0), LIGHT.ramp[0]);
}

fn contrast(a: Colour, b: Colour) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_meets_wcag_aa() {
    for theme in [LIGHT, DARK] {
        for ink in [
            theme.ink_1,
            theme.ink_2,
            theme.ink_3,
            theme.accent,
            theme.bad,
        ] {
            assert!(contrast(ink, theme.background) >= 4.5, "{ink}");
        }
        for series in Series::ALL {
            let colours = theme.series(series);
            assert!(contrast(colours.text, theme.background) >= 4.5);
            assert!(contrast(colours.line, theme.background) >= 3.0);
        }
        for role in Role::ALL {
            let colours = theme.role(role);
            assert!(
                contrast(colours.text, theme.background) >= 4.5,
                "{role:?} as text"
            );
            assert!(
                contrast(colours.on_fill, colours.fill) >= 4.5,
                "text on {role:?}"
            );
        }
    }
}
