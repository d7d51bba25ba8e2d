//! Position of a tooltip: next to the chart's ruler, and always within the screen.

/// Distance from the ruler to the tooltip, in CSS px.
const GAP_PX: f64 = 14.0;
/// Minimum distance from the tooltip to the screen's edge, in CSS px.
const EDGE_PX: f64 = 8.0;
/// Screen width in CSS px below which the tooltip is a bar above the plot. The style sheet contains the same value.
const STRIP_BELOW_PX: f64 = 761.0;

/// Returns a tooltip's position: right of its mark, else left of it, else as far right as the screen allows. On a
/// phone, it is above the plot.
///
/// Both `mark` and the result are relative to the chart, whose position on the screen is `origin`.
pub fn place(
    mark: (f64, f64),
    size: (f64, f64),
    origin: (f64, f64),
    screen: (f64, f64),
) -> (f64, f64) {
    if screen.0 < STRIP_BELOW_PX {
        let top = (origin.1 - size.1 - 2.0).max(EDGE_PX);
        return (0.0, top - origin.1);
    }
    let on_screen = mark.0 + origin.0;
    let right = on_screen + GAP_PX;
    let left = on_screen - GAP_PX - size.0;
    let x = if right + size.0 <= screen.0 - EDGE_PX {
        right
    } else if left >= EDGE_PX {
        left
    } else {
        (screen.0 - EDGE_PX - size.0).max(EDGE_PX)
    };
    let lowest = (screen.1 - EDGE_PX - size.1).max(EDGE_PX);
    let y = (mark.1 + origin.1 - 18.0).clamp(EDGE_PX, lowest);
    (x - origin.0, y - origin.1)
}

#[cfg(test)]
mod tests {
    use super::place;

    const SCREEN: (f64, f64) = (1000.0, 800.0);
    const SIZE: (f64, f64) = (220.0, 180.0);

    #[test]
    fn on_a_phone_it_lies_over_the_plot() {
        let phone = (390.0, 700.0);
        assert_eq!(
            place((200.0, 60.0), (350.0, 44.0), (20.0, 300.0), phone),
            (0.0, -46.0)
        );
        // Not above the screen.
        assert_eq!(
            place((200.0, 60.0), (350.0, 44.0), (20.0, 10.0), phone),
            (0.0, -2.0)
        );
    }

    #[test]
    fn beside_the_ruler_and_on_the_screen() {
        assert_eq!(
            place((100.0, 50.0), SIZE, (300.0, 200.0), SCREEN),
            (114.0, 32.0)
        );
        // Too far right: to the left of the ruler.
        assert_eq!(
            place((500.0, 50.0), SIZE, (400.0, 200.0), SCREEN),
            (266.0, 32.0)
        );
        // Too low: moved up as far as needed.
        let (_, y) = place((100.0, 260.0), SIZE, (300.0, 500.0), SCREEN);
        assert!((y + 500.0 + SIZE.1 - (SCREEN.1 - 8.0)).abs() < 1e-9);
        // The screen is too narrow for the tooltip on either side.
        let (x, _) = place((150.0, 50.0), SIZE, (16.0, 0.0), (360.0, 800.0));
        assert!(x + 16.0 >= 8.0 && x + 16.0 + SIZE.0 <= 352.0);
    }
}
