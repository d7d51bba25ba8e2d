//! Figures of the papers, drawn anew in their own axes: a golden case swept along one number of its link, with every
//! printed value of the same quantity beside the curve.

use super::cases;
use crate::charts::curve::{CurveData, CurveLine, CurvePoint};
use crate::format;
use crate::theme::Role;
use model_core::permalink::{self, Curve};
use model_core::scenario::Number;
use papers::{Case, found_at};

/// A line of a figure: a golden case, and what of it is swept.
struct Sweep {
    /// Its name in the chart.
    name: &'static str,
    /// What it is about, where a role's colour says so.
    role: Option<Role>,
    /// The locator of its case begins so.
    case: &'static str,
    /// Another quantity of the same scenario.
    measure: Option<&'static str>,
    /// The scenario that the case divides by, instead of its own.
    other: bool,
}

const fn sweep(name: &'static str, case: &'static str) -> Sweep {
    Sweep {
        name,
        role: None,
        case,
        measure: None,
        other: false,
    }
}

/// A figure of a paper.
struct Plan {
    id: Curve,
    /// The x axis, with "log" where it is.
    x: &'static str,
    /// The y axis.
    y: &'static str,
    log: (bool, bool),
    /// The number along the x axis, and the keys of links that state it.
    number: Number,
    keys: &'static [&'static str],
    /// Whether x is per GPU of the scenario.
    per_gpu: bool,
    /// First and last x.
    ends: (f64, f64),
    /// Values of x to evaluate: powers of two, else evenly spaced on the axis.
    powers: bool,
    /// A bound that the paper prints.
    bound: Option<(f64, &'static str)>,
    sweeps: &'static [Sweep],
    /// What comes of it, in words.
    finding: &'static str,
}

const PLAN: Plan = Plan {
    id: Curve::A10,
    x: "",
    y: "",
    log: (true, false),
    number: Number::Batch,
    keys: &["batch"],
    per_gpu: false,
    ends: (1.0, 512.0),
    powers: false,
    bound: None,
    sweeps: &[],
    finding: "",
};

static FIGURES: [Plan; 10] = [
    Plan {
        x: "tokens, log",
        y: "experts in use of 256",
        sweeps: &[sweep("E[U]", "3.1.2 and Figure 10")],
        finding: "Experts in use by tokens",
        ..PLAN
    },
    Plan {
        id: Curve::A14,
        x: "sequences per GPU",
        y: "tokens/s per GPU",
        log: (false, false),
        per_gpu: true,
        ends: (8.0, 512.0),
        sweeps: &[
            sweep("4×8 H100", "Figure 14, at 512"),
            Sweep {
                other: true,
                ..sweep("9×8 H100", "Figure 14, at 512")
            },
            Sweep {
                measure: Some("tok_s_gpu"),
                ..sweep("48 GB200", "4, NVL72 mitigates")
            },
        ],
        finding: "Throughput by batch; no numbers printed",
        ..PLAN
    },
    Plan {
        id: Curve::B3,
        x: "context, log",
        y: "throughput over GPT-3, ×",
        number: Number::Context,
        keys: &["context"],
        ends: (1024.0, 262_144.0),
        powers: true,
        sweeps: &[sweep("DeepSeek-R1", "IV-A and Figure 3")],
        finding: "DeepSeek-R1 over GPT-3, both full",
        ..PLAN
    },
    Plan {
        id: Curve::B12,
        x: "interconnect, GB/s, log",
        y: "one of 256 GPUs over 8 × 32, ×",
        number: Number::Interconnect,
        keys: &["interconnect"],
        ends: (50.0, 1800.0),
        bound: Some((1.0, "break-even")),
        sweeps: &[
            sweep("2k tokens", "VII-C and Figure 12 (a), gain"),
            sweep("16k tokens", "VII-C and Figure 12 (b), gain"),
        ],
        finding: "One instance over eight",
        ..PLAN
    },
    Plan {
        id: Curve::H1,
        x: "tensor parallelism, log",
        y: "µs of reading a layer, log",
        log: (true, true),
        number: Number::Gpus,
        keys: &["gpus", "tp"],
        ends: (1.0, 64.0),
        powers: true,
        sweeps: &[
            Sweep {
                role: Some(Role::Kv),
                ..sweep("KV cache", "Figure 1 (left), KV cache, TP 1")
            },
            Sweep {
                role: Some(Role::Weights),
                ..sweep("weights", "Figure 1 (left), weights, TP 1")
            },
        ],
        finding: "The cache stops shrinking at TP 8",
        ..PLAN
    },
    Plan {
        id: Curve::H1Context,
        x: "context, log",
        y: "µs of reading a layer, log",
        log: (true, true),
        number: Number::Context,
        keys: &["context"],
        ends: (65_536.0, 4_194_304.0),
        powers: true,
        sweeps: &[Sweep {
            role: Some(Role::Kv),
            ..sweep(
                "KV cache, TP 8",
                "Figure 1 (middle), KV cache, TP 8, S 128k",
            )
        }],
        finding: "Reading grows with the context",
        ..PLAN
    },
    Plan {
        id: Curve::R6,
        x: "slots per attention instance, log",
        y: "best ratio",
        number: Number::Slots,
        keys: &["slots"],
        ends: (64.0, 1024.0),
        sweeps: &[
            sweep("100 + 500", "Figure 6: B = 128"),
            sweep("500 + 500", "Figure 7: μ_P = μ_D = 500"),
            sweep("100 + 100", "Figure 7: μ_P = μ_D = 100"),
        ],
        finding: "Best ratio by slots, prompt + output",
        ..PLAN
    },
    Plan {
        id: Curve::R7,
        x: "mean output, tokens, log",
        y: "best ratio",
        number: Number::MeanOutput,
        keys: &["mu_d", "output"],
        ends: (50.0, 1000.0),
        sweeps: &[
            sweep("prompt 100", "Figure 7: μ_P = μ_D = 100"),
            sweep("prompt 500", "Figure 7: μ_P = μ_D = 500"),
        ],
        finding: "Best ratio by output",
        ..PLAN
    },
    Plan {
        id: Curve::L2,
        x: "batch",
        y: "share of the peak, %",
        log: (false, false),
        ends: (1.0, 300.0),
        sweeps: &[
            sweep("roofline", "2.2.1 and Figure 2"),
            sweep("measured kernels", "2.2.1, the same with the memory"),
        ],
        finding: "All but attention leaves the peak unused",
        ..PLAN
    },
    Plan {
        id: Curve::L4,
        x: "batch",
        y: "least GB/s per device",
        log: (false, false),
        ends: (1.0, 300.0),
        bound: Some((30.0, "“at most 30”")),
        sweeps: &[
            Sweep {
                measure: Some("split.min_bandwidth"),
                ..sweep(
                    "4k tokens",
                    "3.1 and Figure 4 (a), DOP (2,2) at 4096 tokens, α",
                )
            },
            Sweep {
                measure: Some("split.min_bandwidth"),
                ..sweep("8k tokens", "3.1 and Figure 4 (a), DOP (2,2) at 8192")
            },
        ],
        finding: "Least bandwidth by batch, DOP (2,2)",
        ..PLAN
    },
];

/// Values between the ends of an axis.
const STEPS: u32 = 48;

/// A figure of a paper with the model's curve.
pub fn curve(id: Curve) -> Option<CurveData> {
    let plan = FIGURES.iter().find(|plan| plan.id == id)?;
    let lines: Vec<CurveLine> = plan
        .sweeps
        .iter()
        .filter_map(|sweep| plan.line(sweep))
        .collect();
    Some(CurveData {
        lines,
        x: plan.x,
        y: plan.y,
        log: plan.log,
        bound: plan.bound,
        finding: plan.finding,
        source: "circles: printed in the paper; lines: computed".to_owned(),
    })
}

impl Plan {
    fn values(&self) -> Vec<f64> {
        let (from, to) = self.ends;
        if self.powers {
            let doubled = std::iter::successors(Some(from), |value| Some(value * 2.0));
            return doubled.take_while(|value| *value <= to).collect();
        }
        (0..=STEPS)
            .map(|step| {
                let share = f64::from(step) / f64::from(STEPS);
                if self.log.0 {
                    from * model_core::math::exp(share * model_core::math::ln(to / from))
                } else {
                    from + share * (to - from)
                }
            })
            // A batch is whole; so is everything else that is swept evenly.
            .map(f64::round)
            .collect()
    }

    fn line(&self, sweep: &Sweep) -> Option<CurveLine> {
        let (_, case) = cases().find(|(_, case)| case.locator.starts_with(sweep.case))?;
        let measured = Case {
            measure: sweep.measure.unwrap_or(case.measure),
            ..*case
        };
        // One of two scenarios that a case compares is swept alone.
        let alone = self.per_gpu;
        let link = if sweep.other {
            case.against?
        } else {
            case.link
        };
        let scale = if self.per_gpu {
            permalink::read(link).current.get(Number::Gpus)?
        } else {
            1.0
        };
        let measured = if alone {
            Case {
                per: &[],
                ..measured
            }
        } else {
            measured
        };
        let found = |x: f64| {
            let at = |link: &str| with(link, self.keys, x * scale);
            let against = case.against.filter(|_| !alone).map(at);
            found_at(&measured, &at(link), against.as_deref()).ok()
        };
        let points = self
            .values()
            .into_iter()
            .filter_map(|x| Some((x, found(x)?)))
            .collect();
        Some(CurveLine {
            name: sweep.name,
            role: sweep.role,
            points,
            printed: if alone {
                Vec::new()
            } else {
                self.printed(case)
            },
        })
    }

    /// Every printed value of the same quantity, whose scenario differs along the axis alone.
    fn printed(&self, of: &Case) -> Vec<CurvePoint> {
        let bare = |link: &str| permalink::read(&with(link, self.keys, 0.0)).current;
        cases()
            .filter(|(_, case)| {
                let same = case.measure == of.measure && case.per == of.per && case.unit == of.unit;
                same && bare(case.link) == bare(of.link)
            })
            .filter_map(|(_, case)| {
                Some(CurvePoint {
                    x: permalink::read(case.link).current.get(self.number)?,
                    y: case.expected?,
                    place: format!("{}: {}", case.locator, format::printed(case.expected?)),
                })
            })
            .collect()
    }
}

/// A link with `value` for some keys; zero leaves them out.
fn with(link: &str, keys: &[&str], value: f64) -> String {
    let kept = link.split('&').filter(|pair| {
        let key = pair.split('=').next().unwrap_or_default();
        !keys.contains(&key)
    });
    let mut text: Vec<String> = kept.map(str::to_owned).collect();
    if value > 0.0 {
        let has = |key: &&&str| {
            link.split('&').any(|pair| {
                pair.strip_prefix(**key)
                    .is_some_and(|rest| rest.starts_with('='))
            })
        };
        let stated: Vec<&&str> = keys.iter().filter(has).collect();
        let first = &keys[..1];
        let stated = if stated.is_empty() {
            first.iter().collect()
        } else {
            stated
        };
        text.extend(stated.into_iter().map(|key| format!("{key}={value}")));
    }
    text.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_its_curves_through_what_is_printed() {
        for id in Curve::ALL {
            let data = curve(id).unwrap();
            assert!(!data.lines.is_empty(), "{id:?}");
            for line in &data.lines {
                assert!(
                    line.points.len() >= 6,
                    "{id:?} {}: {:?}",
                    line.name,
                    line.points
                );
            }
        }
        let printed = |id| {
            let data = curve(id).unwrap();
            data.lines
                .iter()
                .map(|line| line.printed.len())
                .sum::<usize>()
        };
        for (id, least) in [
            (Curve::A10, 3),
            (Curve::B3, 1),
            (Curve::B12, 1),
            (Curve::H1, 12),
            (Curve::H1Context, 4),
            (Curve::R6, 3),
            (Curve::R7, 2),
            (Curve::L2, 1),
        ] {
            assert!(printed(id) >= least, "{id:?} has {}", printed(id));
        }
    }

    #[test]
    fn printed_values_stand_within_their_curves() {
        for id in Curve::ALL {
            for line in curve(id).unwrap().lines {
                let (first, last) = (line.points[0].0, line.points[line.points.len() - 1].0);
                for printed in &line.printed {
                    let inside = printed.x >= 0.99 * first && printed.x <= 1.01 * last;
                    assert!(inside, "{id:?} {}: {printed:?}", line.name);
                }
            }
        }
    }

    #[test]
    fn a_link_is_swept_along_its_keys() {
        assert_eq!(
            with("v=1&gpus=1&tp=1", &["gpus", "tp"], 8.0),
            "v=1&gpus=8&tp=8"
        );
        assert_eq!(with("v=1", &["slots"], 64.0), "v=1&slots=64");
        assert_eq!(with("v=1&slots=3&x=1", &["slots"], 0.0), "v=1&x=1");
    }
}
