//! Texts, for each view, about numbers that are corrected by the user's measurements.

use crate::words::format;
use crate::words::names::{counted, sequences};
use model_core::inputs::{Anchoring, Inputs};
use model_core::permalink::View;

/// Returns "anchored to 2 measurements" and the effect of the correction in this view. Returns `None` if nothing is
/// corrected.
pub fn corrected(inputs: &Inputs, view: View) -> Option<(String, &'static str)> {
    let count = inputs.measured.points().count() + usize::from(inputs.measured.ttft.is_some());
    if count == 0 || inputs.anchor == Anchoring::Off {
        return None;
    }
    let meaning = match view {
        View::Explore | View::Limits => {
            "Times, rates, costs and limits include your full correction; levers are compared with half of it."
        }
        View::Plans | View::Service => {
            "Plans are compared with half of your correction, because it applies less to other plans."
        }
        View::Disaggregation => {
            "Your measurements are of a colocated deployment and do not correct AFD or Lamina."
        }
        View::Papers => return None,
    };
    Some((
        format!("anchored to {}", counted(count as f64, "measurement")),
        meaning,
    ))
}

/// Lists the user's measured points and TTFT for the panel, as pairs such as "16 sequences" and "37.2 ms".
pub fn measured_points(inputs: &Inputs) -> Vec<(String, String)> {
    let point = |point: model_core::measurement::MeasuredPoint| {
        let batch = point
            .batch
            .map_or_else(|| "current batch".to_owned(), sequences);
        (
            batch,
            format::millis(point.time.seconds().get()).to_string(),
        )
    };
    let mut points: Vec<(String, String)> = inputs.measured.points().map(point).collect();
    points.extend(inputs.measured.ttft.map(|ttft| {
        let prompt = ttft.prompt.map_or(String::new(), |prompt| {
            format!(", {} tokens", format::count(prompt))
        });
        (
            format!("TTFT{prompt}"),
            format::duration(ttft.time.seconds().get()).to_string(),
        )
    }));
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    #[test]
    fn corrections_are_named_in_every_view_they_reach() {
        let inputs = read("v=3&measured=25ms@1,37ms@16&measured_ttft=190ms@896").current;
        for view in View::ALL {
            let said = corrected(&inputs, view).map(|(lead, _)| lead);
            let wanted = (view != View::Papers).then(|| "anchored to 3 measurements".to_owned());
            assert_eq!(said, wanted);
        }
        assert_eq!(
            corrected(&read("v=3&measured=25ms&anchor=off").current, View::Explore),
            None
        );
        let points = measured_points(&inputs);
        assert_eq!(points[1], ("16 sequences".to_owned(), "37.0 ms".to_owned()));
        assert_eq!(points[2].0, "TTFT, 896 tokens");
    }
}
