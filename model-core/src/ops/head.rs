//! Operator of the output head.

use super::{KernelClass, Kind, Load, Operator, PerToken, Subject};
use crate::units::{Bytes, Flop};

/// Returns the projection of a group's tokens onto the vocabulary: V d/g weights and 2 t V d/g FLOP, once per pass.
///
/// Source: [A] 3.1.3. [A] reads both embedding matrices in each step, which is 1.85 GB for DeepSeek-V3. Here, only the
/// output head is read, because the input embedding only looks up single rows. This saves 0.93 GB of traffic; both
/// matrices are still stored.
pub fn operator(subject: &Subject<'_>, load: &Load) -> Operator {
    let (arch, plan, _) = subject.parts();
    let weights = f64::from(arch.vocab) * f64::from(arch.hidden) / f64::from(plan.group());
    Operator {
        kind: Kind::Head,
        kernel: KernelClass::Head,
        flop: Flop::new(2.0 * load.head_tokens * weights),
        weights: Bytes::new(weights * subject.head_bytes),
        kv: Bytes::ZERO,
        activations: Bytes::ZERO,
        rows: load.head_tokens,
        per_context_token: PerToken::NONE,
    }
}
