//! Which experts tokens choose.

use crate::math;

/// How tokens' choices spread over experts: classes of equally popular ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Popularity {
    classes: [Class; 2],
}

/// Equally popular experts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Class {
    /// Their share of all experts.
    experts: f64,
    /// Their share of all choices.
    choices: f64,
}

impl Popularity {
    /// Every expert alike.
    pub const UNIFORM: Self = Self {
        classes: [
            Class {
                experts: 1.0,
                choices: 1.0,
            },
            Class {
                experts: 0.0,
                choices: 0.0,
            },
        ],
    };

    /// The busiest quarter of the experts takes the share `choices` of all choices.
    pub const fn busiest_quarter(choices: f64) -> Self {
        Self {
            classes: [
                Class {
                    experts: 0.25,
                    choices,
                },
                Class {
                    experts: 0.75,
                    choices: 1.0 - choices,
                },
            ],
        }
    }

    /// Routed experts that at least one of `tokens` tokens uses, over classes of e experts that take
    /// the share c of choices: Σ e E (1 − (1 − min(1, c/e · k/E))^B).
    ///
    /// Source: [A] 3.1.2, E\[U\], for uniform choices. Two classes keep it in closed form; against a
    /// popularity of rank^−0.6 itself they are within 6 %. Assumes: tokens choose independently.
    pub fn experts_active(&self, experts: f64, per_token: f64, tokens: f64) -> f64 {
        self.classes
            .iter()
            .filter(|class| class.experts > 0.0)
            .map(|class| {
                let chosen = (class.choices / class.experts * (per_token / experts)).min(1.0);
                experts * class.experts * (1.0 - math::pow(1.0 - chosen, tokens))
            })
            .sum()
    }
}
