//! Popularity of experts.

use crate::math;

/// Distribution of tokens over experts: classes of equally popular ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Popularity {
    classes: [Class; 2],
}

/// Equally popular experts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Class {
    /// Share of all experts.
    experts: f64,
    /// Share of all choices.
    choices: f64,
}

impl Popularity {
    /// Equally popular experts.
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

    /// A quarter of the experts takes the share `choices` of all choices.
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

    /// Expected active experts: those chosen by at least one of `tokens` tokens, over classes of e experts that take
    /// the share c of choices: Σ e E (1 − (1 − min(1, c/e · k/E))^B).
    ///
    /// Source: [A] 3.1.2, E\[U\], for uniform choices. Two classes have a closed form; vs. a
    /// popularity of rank^−0.6 itself they are within 6%. Assumes: tokens choose independently.
    pub fn experts_active(&self, experts: f64, per_token: f64, tokens: f64) -> f64 {
        self.classes
            .iter()
            .filter(|class| class.experts > 0.0)
            .map(|class| {
                let chosen = class.chosen(experts, per_token);
                experts * class.experts * (1.0 - missed(chosen, tokens))
            })
            .sum()
    }

    /// A lower bound of [`Self::experts_active`] without a power: (1 − p)^B ≤ e^(−pB) ≤ 1/(1 + x + x²/2 + x³/6 +
    /// x⁴/24) with x = pB.
    pub fn experts_surely_active(&self, experts: f64, per_token: f64, tokens: f64) -> f64 {
        let classes = self.classes.iter().filter(|class| class.experts > 0.0);
        let active = classes.map(|class| {
            let x = class.chosen(experts, per_token) * tokens;
            let left = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0)));
            class.experts * (1.0 - 1.0 / left)
        });
        experts * active.sum::<f64>()
    }
}

impl Class {
    /// Probability that a token chooses a given expert of the class.
    fn chosen(&self, experts: f64, per_token: f64) -> f64 {
        (self.choices / self.experts * (per_token / experts)).min(1.0)
    }
}

/// Probability that none of `tokens` tokens chooses an expert that each chooses with probability `chosen`: (1 − p)^B.
///
/// It is below e^(−pB), which beyond pB = 40 is lost to rounding next to 1, so the power is skipped.
fn missed(chosen: f64, tokens: f64) -> f64 {
    const NEVER: f64 = 40.0;
    if chosen * tokens > NEVER {
        return 0.0;
    }
    math::pow(1.0 - chosen, tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_that_is_left_out_is_none() {
        for chosen in [1e-9_f64, 1e-3, 0.031, 0.5, 0.999, 1.0] {
            for times in [39.0, 40.0, 40.1, 41.0, 100.0] {
                let tokens = times / chosen;
                let left = 1.0 - missed(chosen, tokens);
                let whole = 1.0 - math::pow(1.0 - chosen, tokens);
                assert_eq!(left.to_bits(), whole.to_bits(), "{chosen} {times}");
            }
        }
    }
}
