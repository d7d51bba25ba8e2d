//! Hint on the placement of experts on GPUs.

use crate::words::format;
use model_core::inputs::Inputs;

/// Returns a hint if the experts do not divide evenly: "289 experts on 72 GPUs: max 5 per GPU, 71 slots unused".
pub fn placement_hint(inputs: &Inputs) -> Option<String> {
    let plan = inputs.scenario().ok()?.plan;
    let moes = inputs.model.arch().moes();
    let most = moes.map(|part| plan.experts_placed(&part.shape)).max();
    let (placed, ep) = (most.unwrap_or(0), plan.spec().ep);
    if placed == 0 || placed.is_multiple_of(ep) {
        return None;
    }
    let max = placed.div_ceil(ep);
    let unused = max * ep - placed;
    let slots = if unused == 1 { "slot" } else { "slots" };
    Some(format!(
        "{} experts on {} GPUs: max {max} per GPU, {} {slots} unused",
        format::count(f64::from(placed)),
        format::count(f64::from(ep)),
        format::count(f64::from(unused)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::permalink::read;

    #[test]
    fn it_is_told_where_experts_do_not_divide() {
        assert_eq!(
            placement_hint(&read("v=1").current).as_deref(),
            Some("289 experts on 72 GPUs: max 5 per GPU, 71 slots unused")
        );
        assert_eq!(
            placement_hint(&read("gpus=32&redundant=31&batch=1024").current),
            None
        );
        assert_eq!(placement_hint(&read("ep=64").current), None);
    }
}
