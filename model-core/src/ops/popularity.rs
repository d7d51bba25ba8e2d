//! Expert popularity: how evenly tokens spread over the experts of an MoE layer.

use crate::math;

/// Distribution of tokens over the experts of a layer, as classes of equally popular experts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Popularity {
    classes: [Class; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Class {
    /// Fraction of the layer's experts that are in this class.
    experts: f64,
    /// Fraction of all token-to-expert choices that go to the experts of this class.
    choices: f64,
}

impl Popularity {
    /// Distribution in which all experts are equally popular.
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

    /// Returns a distribution in which a quarter of the experts receives the fraction `choices` of all
    /// token-to-expert choices.
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

    /// Returns the expected number of active experts, which are those chosen by at least one of `tokens` tokens. A
    /// class holds a fraction e of the experts and receives a fraction c of the choices. The result is a sum over the
    /// classes: Σ e E (1 − (1 − min(1, c/e · k/E))^B). Here E is `experts`, k is `per_token`, and B is `tokens`.
    ///
    /// Source: [A] 3.1.2, E\[U\], for uniform choices. With two classes, the closed form is within 6% of the result
    /// for a power-law popularity, rank^−0.6. Assumes that tokens choose independently.
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

    /// Returns a lower bound of [`Self::experts_active`] that needs no power function. Let p be the probability that a
    /// token chooses a given expert, B be `tokens`, and x = pB. The bound uses
    /// (1 − p)^B ≤ e^(−x) ≤ 1/(1 + x + x²/2 + x³/6 + x⁴/24).
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
    /// Returns the probability that a token chooses a given expert of this popularity class.
    fn chosen(&self, experts: f64, per_token: f64) -> f64 {
        (self.choices / self.experts * (per_token / experts)).min(1.0)
    }
}

/// Returns the probability that none of `tokens` tokens chooses a given expert: (1 − p)^B, where p is `chosen`.
///
/// The probability is below e^(−pB). Beyond pB = 40, subtracting it from 1 has no effect in floating point, so 0 is
/// returned.
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
