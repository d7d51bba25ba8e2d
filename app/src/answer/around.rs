//! Error bands of a scenario's numbers, the same in every view.

use std::sync::OnceLock;

use model_core::calibration::NamedCalibration;
use model_core::evaluate::{Evaluation, evaluate};
use model_core::inputs::Inputs;
use model_core::measured::{Band, Residuals};
use model_core::scenario::Scenario;

use crate::format;

/// Error band of a value: the range in which four of five measured systems lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// "71.3 – 112".
    pub text: String,
    /// Basis: "… 11 runs: decode alone, across domains".
    pub source: String,
    /// The estimate lies outside the band, so the band is shown first.
    pub leads: bool,
}

/// The band of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Around(Band);

impl Around {
    /// Band of a scenario; `None` where nothing like it was measured. `inputs` are those of the scenario, except
    /// batch, schedule and sharding.
    pub fn of(inputs: &Inputs, scenario: &Scenario, evaluation: &Evaluation) -> Option<Self> {
        // The residuals of a calibration are computed once.
        const COUNT: usize = NamedCalibration::ALL.len();
        static KNOWN: [OnceLock<Residuals>; COUNT] = [const { OnceLock::new() }; COUNT];
        let name = inputs.calibration;
        let place = NamedCalibration::ALL.iter().position(|it| *it == name)?;
        let residuals = KNOWN.get(place)?.get_or_init(|| Residuals::of(name));
        residuals.band(inputs, scenario, evaluation).map(Self)
    }

    /// Reason why a scenario's figures lie outside their bands.
    pub fn bias(inputs: &Inputs) -> Option<&'static str> {
        let scenario = inputs.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some(Self::of(inputs, &scenario, &evaluation)?.0.bias()?.words())
    }

    /// Band of a quantity that grows with time: a time, a cost.
    pub fn time(&self, value: f64, text: impl Fn(f64) -> String) -> Range {
        self.between(value * self.0.low, value * self.0.high, text)
    }

    /// Band of a quantity that falls with time: a rate.
    pub fn rate(&self, value: f64, text: impl Fn(f64) -> String) -> Range {
        self.between(value / self.0.high, value / self.0.low, text)
    }

    /// Band of the answer to a required rate. `at` answers for a computed rate, here those that slow and fast systems
    /// of the band need.
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
            ..
        } = &self.0;
        let wider = match given_up + beyond {
            0 => "",
            _ => ", widened because there is little like it",
        };
        let lie = "Four in five measured systems lie in such a band";
        let bias = self.0.bias();
        let lie = match bias {
            None => lie.to_owned(),
            Some(bias) => format!("{}. {lie}", format::capital(bias.words())),
        };
        Range {
            leads: bias.is_some(),
            text: format!("{} – {}", text(from), text(to)),
            source: format!("{lie}; {runs} runs: {region}{wider}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::answer::{FigureCell, Outcome, answer, limits, ratio};
    use crate::format;
    use model_core::disagg::decision::Decision;
    use model_core::disagg::own::How;
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
        "v=1&layer_us=1&slo=10",
    ];

    fn figures(inputs: &Inputs) -> [FigureCell; 6] {
        match answer(inputs, None) {
            Outcome::Possible(answer) => answer.figures,
            Outcome::Impossible(problems) => panic!("{problems:?}"),
        }
    }

    fn text(cell: &FigureCell) -> Option<&str> {
        cell.around.as_ref().map(|around| around.text.as_str())
    }

    /// Band, page and `evaluate` give the reason for an estimate outside its own band.
    #[test]
    fn an_estimate_outside_its_band_says_why() {
        for (calibration, outside) in [("ideal", true), ("helix", true), ("kernels-2026", false)] {
            let link = format!("v=1&batch=9216&calibration={calibration}");
            let inputs = permalink::read(&link).current;
            let here = figures(&inputs);
            let around = here[0].around.as_ref().unwrap();
            assert_eq!(around.leads, outside, "{link}: {around:?}");
            assert_eq!(
                around
                    .source
                    .starts_with("This calibration was faster than nearly every system"),
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

    /// Explore, `evaluate`, Limits and the ratio say the same of one scenario.
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
                ends(band.map(|band| band.tok_s_user), format::si),
                ends(band.map(|band| band.tok_s_gpu), format::si),
                None,
                ends(band.and_then(|band| band.usd_per_mtok), format::dollars),
                None,
            ];
            for (cell, wanted) in here.iter().zip(&wanted) {
                assert_eq!(text(cell), wanted.as_deref(), "{link}: {}", cell.name);
            }
            assert_eq!(
                text(&here[0]).is_none(),
                link.contains("layer_us"),
                "{link}"
            );
            shown += usize::from(text(&here[0]).is_some());

            // The cost of the largest batch is that of the scenario with it.
            let full = largest(&inputs.scenario().unwrap()).unwrap().batch;
            let there = limits::limits_answer(&inputs, None).unwrap().figures;
            let opened = figures(&inputs.with(Number::Batch, full));
            assert_eq!(there[5].around, opened[4].around, "{link}");
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
            let said = ratio::ratio_view(&apart, None).unwrap();
            // Both sides are without prefill there.
            let opened = inputs.decoding().planned(&spec);
            let opened = opened.with(Number::Batch, way.batch);
            let context = apart.bundle().unwrap().lengths.context();
            let opened = figures(&opened.with(Number::Context, context));
            assert_eq!(
                said.figures[0].around.is_some(),
                opened[2].around.is_some(),
                "{link}"
            );
            if let (Some(said), Some(opened)) = (&said.figures[0].around, &opened[2].around) {
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
