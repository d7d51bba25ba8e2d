//! Error bands of a scenario's metrics, the same in every view.

use std::sync::OnceLock;

use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::Inputs;
use model_core::measured::{Accuracy, Band, DraftGain};
use model_core::scenario::Scenario;

use crate::runs;
use crate::words::format;

/// Error band of a value. It covers 80% of comparable measured runs, or follows from the user's measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// Both ends of the error band, such as "71.3 – 112".
    pub text: String,
    /// Basis of the error band, such as "… 11 runs: decode only, scale-out".
    pub source: String,
}

/// The error band of a scenario, as factors on computed times.
#[derive(Debug, Clone, PartialEq)]
pub struct Around(Band);

impl Around {
    /// Returns the error band of a scenario. `None` before measured runs are loaded, or if the framework overhead per
    /// layer is set to 0. `inputs` must match the scenario, except in batch, schedule and sharding.
    pub fn of(inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Option<Self> {
        runs::known()?.band(inputs, scenario, evaluation).map(Self)
    }

    /// Returns the throughput gain from the scenario's draft tokens, and the gain below which the error band includes a
    /// loss. `None` without draft tokens, or before measured runs are loaded.
    pub fn draft_gain(
        inputs: &Inputs,
        scenario: &Scenario,
        evaluation: &Evaluation,
    ) -> Option<DraftGain> {
        runs::known()?.draft_gain(inputs, scenario, evaluation)
    }

    /// Returns the reason why a scenario's estimates are at one end of their error bands; `None` if they are not.
    pub fn bias(inputs: &Inputs) -> Option<&'static str> {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some(Self::of(inputs, &scenario, &evaluation)?.0.bias?.words())
    }

    /// Returns the smallest speedup that exceeds the error band. With a smaller speedup, the faster scenario's band
    /// still includes the current rate.
    pub fn least_gain(&self) -> f64 {
        self.0.high
    }

    /// Returns true if no kernels and no runs were measured on the accelerator.
    pub fn is_unmeasured(&self) -> bool {
        self.0.unmeasured
    }

    /// Returns both ends of the error band of a computed time.
    pub fn ends(&self, time: f64) -> [f64; 2] {
        [time * self.0.low, time * self.0.high]
    }

    /// Returns the error band of a quantity that is proportional to time: a time or a cost.
    pub fn time(&self, value: f64, text: impl Fn(f64) -> String) -> Range {
        self.between(value * self.0.low, value * self.0.high, text)
    }

    /// Returns the error band of a quantity that is inversely proportional to time: a rate.
    pub fn rate(&self, value: f64, text: impl Fn(f64) -> String) -> Range {
        self.between(value / self.0.high, value / self.0.low, text)
    }

    /// Returns the error band of a result that depends on the required rate `least`. `at` is called with the computed
    /// rate that each end of the band requires; it returns the result at that rate.
    pub fn keeping(
        &self,
        least: f64,
        at: impl Fn(f64) -> f64,
        text: impl Fn(f64) -> String,
    ) -> Range {
        self.between(at(least * self.0.high), at(least * self.0.low), text)
    }

    fn between(&self, from: f64, to: f64, text: impl Fn(f64) -> String) -> Range {
        let Band {
            runs,
            given_up,
            beyond,
            region,
            unmeasured,
            overridden,
            bias,
            ..
        } = &self.0;
        let wider = match given_up + beyond {
            _ if *unmeasured => {
                "; widest, because no kernel or run was measured on this accelerator"
            }
            _ if *overridden => "; widened because constants are overridden",
            0 => "",
            _ => "; widened because few runs are comparable",
        };
        let Some(region) = region else {
            return Range {
                text: format!("{} – {}", text(from), text(to)),
                source: format!("from {}", measurements(*runs)),
            };
        };
        let lie = format!("80% of comparable measured runs ({runs}, {region}) fall in this range");
        let newest = self.0.engine.then(mean_error).flatten();
        let mean = newest.map_or_else(String::new, |mean| format!("; {mean}"));
        let lie = match bias {
            None => lie,
            Some(bias) => format!("{}. {lie}", format::capital(bias.words())),
        };
        Range {
            text: format!("{} – {}", text(from), text(to)),
            source: format!("{lie}{wider}{mean}"),
        }
    }
}

/// Names a count of the user's measurements: "2 of your measurements".
pub(crate) fn measurements(count: usize) -> String {
    match count {
        1 => "1 measurement of yours".to_owned(),
        many => format!("{many} of your measurements"),
    }
}

/// Returns the mean TPOT error of Ridgepoint's predictions, such as "mean error 20.1% over all 115 runs".
fn mean_error() -> Option<&'static str> {
    static WORDS: OnceLock<Option<String>> = OnceLock::new();
    let words = || {
        let all = runs::known()?.accuracy()?.all;
        Some(format!(
            "mean error {} over all {} runs",
            format::tenths_of_percent(all.mean),
            all.rows
        ))
    };
    WORDS.get_or_init(words).as_deref()
}

/// Returns the summary of Ridgepoint's accuracy that also appears in the documentation; `None` until the runs are
/// loaded.
pub fn accuracy_line() -> Option<String> {
    let Accuracy {
        all,
        usual,
        sources,
    } = runs::known()?.accuracy()?;
    let percent = format::tenths_of_percent;
    let lean = if all.bias < 0.0 {
        "too fast"
    } else {
        "too slow"
    };
    Some(format!(
        "Mean TPOT error is {} (median {}, bias {}: {lean}) over {} decode runs published in 2026 with complete settings, \
         from {sources} publications, and {} without the {} that report a fallback kernel. None is used for tuning.",
        percent(all.mean),
        percent(all.median),
        percent(all.bias),
        all.rows,
        percent(usual.mean),
        all.rows - usual.rows,
    ))
}

/// Returns a short summary of Ridgepoint's accuracy, "TPOT error 17% over 132 held-out runs."; `None` until the runs
/// are loaded.
pub fn accuracy_short() -> Option<String> {
    let all = runs::known()?.accuracy()?.all;
    Some(format!(
        "TPOT error {} over {} held-out runs.",
        format::tenths_of_percent(all.mean),
        all.rows
    ))
}

#[cfg(test)]
mod tests {
    use crate::words::format;
    use crate::{FigureCell, Outcome, afd, answer, limits};
    use model_core::afd::decision::Decision;
    use model_core::afd::own::How;
    use model_core::inputs::{Inputs, Mode, Number};
    use model_core::limits::largest;
    use model_core::permalink;
    use model_core::report::{Report, report};

    const LINKS: [&str; 9] = [
        "v=1",
        "v=1&slo=10",
        "v=1&gpu=gb200&gpus=48&slo=25",
        "v=1&gpu=h20&gpus=16&batch=512&model=deepseek-r1&price=1",
        "v=1&model=kimi-k2.5&gpu=b200&gpus=8&batch=64&prompt=1k&output=1k&serving=aggregated",
        "v=1&gpu=mi300x&context=32k&batch=1k&slo=20",
        "v=1&model=llama-3.1-405b&gpus=16&batch=256",
        "v=1&calibration=aleph-alpha-2025&slo=15",
        "v=1&layer_us=0&slo=10",
    ];

    fn figures(inputs: &Inputs) -> [FigureCell; 4] {
        match answer(inputs, None) {
            Outcome::Possible(answer) => answer.figures,
            Outcome::Impossible(problems) => panic!("{problems:?}"),
        }
    }

    fn text(cell: &FigureCell) -> Option<&str> {
        cell.around.as_ref().map(|around| around.text.as_str())
    }

    /// Checks that, if an estimate is at the end of its error band, the band's text, the page and `evaluate` all give
    /// a reason.
    #[test]
    fn an_estimate_at_the_end_of_its_band_says_why() {
        for (calibration, outside) in [("ideal", true), ("helix", true), ("kernels-2026", false)] {
            let link = format!("v=1&batch=9216&calibration={calibration}");
            let inputs = permalink::read(&link).current;
            let here = figures(&inputs);
            let around = here[0].around.as_ref().unwrap();
            assert_eq!(around.text.contains(&here[0].value), outside, "{around:?}");
            assert_eq!(
                around
                    .source
                    .starts_with("Almost all measured runs are slower"),
                outside,
                "{around:?}"
            );
            assert_eq!(super::Around::bias(&inputs).is_some(), outside);
            let Report::Answer(told) = report(&link) else {
                panic!("no answer to {link}");
            };
            assert_eq!(told.error_band.unwrap().note.is_some(), outside);
        }
    }

    /// Checks that Explore, `evaluate`, Limits and AFD ratio show the same error band for the same scenario.
    #[test]
    fn a_scenario_has_one_band_wherever_it_stands() {
        let (mut shown, mut compared) = (0, 0);
        for link in LINKS {
            let inputs = permalink::read(link).current;
            let here = figures(&inputs);
            let Report::Answer(told) = report(link) else {
                panic!("no answer to {link}");
            };
            let band = told.error_band.as_ref();
            let ends = |ends: Option<[f64; 2]>, text: fn(f64) -> String| {
                ends.map(|[from, to]| format!("{} – {}", text(from), text(to)))
            };
            let wanted = [
                ends(band.map(|band| band.tpot_s), |value| {
                    format::figure(1e3 * value)
                }),
                ends(band.map(|band| band.tok_s_gpu), format::si),
                ends(band.and_then(|band| band.usd_per_mtok), format::dollars),
                None,
            ];
            for (cell, wanted) in here.iter().zip(&wanted) {
                assert_eq!(text(cell), wanted.as_deref(), "{link}: {}", cell.name);
            }
            assert_eq!(
                text(&here[0]).is_none(),
                link.contains("layer_us=0"),
                "{link}"
            );
            shown += usize::from(text(&here[0]).is_some());

            // The cost at the largest batch equals the cost of the scenario with that batch.
            let full = largest(&inputs.scenario().unwrap()).unwrap().batch;
            let there = limits::limits_answer(&inputs, None).unwrap().figures;
            let opened = figures(&inputs.with(Number::Batch, full));
            assert_eq!(there[5].around, opened[2].around, "{link}");
            assert_eq!(
                text(&there[1]).is_some(),
                inputs.get(Number::Slo).is_some() && text(&here[0]).is_some()
            );

            let mut apart = inputs;
            apart.mode = Mode::Ratio;
            let Some(way) = Decision::of(&apart).and_then(|decision| decision.colocated) else {
                continue;
            };
            let How::Colocated(spec) = way.how else {
                continue;
            };
            let said = afd::ratio_view(&apart, None).unwrap();
            // The AFD comparison omits prefill, so omit it here too.
            let opened = inputs.decoding().planned(&spec);
            let opened = opened.with(Number::Batch, way.batch);
            let context = apart.bundle().unwrap().lengths.context();
            let opened = figures(&opened.with(Number::Context, context));
            assert_eq!(
                said.figures[0].around.is_some(),
                opened[1].around.is_some(),
                "{link}"
            );
            if let (Some(said), Some(opened)) = (&said.figures[0].around, &opened[1].around) {
                assert_eq!(said.source, opened.source, "{link}");
                compared += 1;
            }
        }
        assert!(
            shown >= 8 && compared >= 4,
            "{shown} shown, {compared} compared"
        );
    }
}
