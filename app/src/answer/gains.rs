//! What doubling each resource brings, as a row of bars.

use super::Evaluated;
use crate::format;
use model_core::hardware::Link;
use model_core::order::sort_by;
use model_core::sensitivity::Resource;
use model_core::verdict::Verdict;

/// "2× scale-out link ▬▬ 1.44×".
#[derive(Debug, Clone, PartialEq)]
pub struct GainRow {
    /// What is improved: "2× scale-out link", "βeb 0.8 → 1".
    pub label: String,
    /// The same, shorter, for a phone: "2× scale-out".
    pub short: String,
    /// Throughput then over throughput now.
    pub factor: f64,
    /// Length of its bar, 0 to 1: doubling the throughput fills it.
    pub bar: f64,
}

/// A gain below this reads as 1.00×.
pub(super) const NOTHING: f64 = 1.005;

/// How many are shown.
const SHOWN: usize = 4;

/// Gains of the link in use, where there is one, expert balance and memory bandwidth, and where there is room of what else
/// helps most, else of arithmetic.
pub fn gains(case: &Evaluated, verdict: &Verdict) -> Vec<GainRow> {
    let beta = case.scenario.plan.beta();
    let mut shown = Vec::with_capacity(SHOWN);
    shown.extend((case.scenario.cluster.gpus > 1).then(|| busiest_link(case)));
    shown.extend((beta < 1.0).then_some(Resource::Balance));
    shown.push(Resource::Hbm);
    // What helps nothing gives its place to arithmetic.
    let gain = |resource: Resource| match verdict.gain(resource) {
        some if some >= NOTHING => some,
        _ => 1.0,
    };
    let mut others = [
        Resource::Compute,
        Resource::Latency,
        Resource::Overhead,
        Resource::Capacity,
        Resource::Domain,
    ];
    sort_by(&mut others, |one, other| {
        gain(*other).total_cmp(&gain(*one))
    });
    let helps = others.into_iter().enumerate();
    let helps = helps.filter(|(place, other)| *place == 0 || gain(*other) > 1.0);
    let room = SHOWN - shown.len();
    shown.extend(helps.map(|(_, other)| other).take(room));
    shown
        .into_iter()
        .map(|resource| {
            let (label, short) = match resource {
                Resource::ScaleOut => ("2× scale-out link".into(), "2× scale-out".into()),
                Resource::ScaleUp => ("2× scale-up link".into(), "2× scale-up".into()),
                Resource::Hbm => ("2× HBM bandwidth".into(), "2× HBM".into()),
                Resource::Compute => ("2× FLOP/s".into(), "2× FLOP/s".into()),
                Resource::Latency => ("½ start-up".into(), "½ start-up".into()),
                Resource::Overhead => ("½ overhead".into(), "½ overhead".into()),
                Resource::Capacity => ("2× HBM capacity".into(), "2× capacity".into()),
                Resource::Domain => ("2× domain".into(), "2× domain".into()),
                Resource::Redundant => ("2× copies of experts".into(), "2× copies".into()),
                Resource::Balance => {
                    let words = format!("β {} → 1", format::printed(beta));
                    (words.clone(), words)
                }
            };
            let factor = verdict.gain(resource);
            GainRow {
                label,
                short,
                factor,
                bar: (factor - 1.0).clamp(0.0, 1.0),
            }
        })
        .collect()
}

/// The network that messages spend more time on; the one that a new message would take where there
/// are none.
fn busiest_link(case: &Evaluated) -> Resource {
    let over = |link: Link| -> f64 {
        let messages = case.evaluation.messages(&case.scenario);
        messages
            .iter()
            .filter(|message| message.link == link)
            .map(|message| message.time.get() * f64::from(message.layers))
            .sum()
    };
    let (up, out) = (over(Link::ScaleUp), over(Link::ScaleOut));
    let cluster = &case.scenario.cluster;
    if up > out || (up >= out && cluster.gpus <= cluster.domain) {
        Resource::ScaleUp
    } else {
        Resource::ScaleOut
    }
}
