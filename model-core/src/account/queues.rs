//! Equations for serving whole requests: replicas, queueing and cost.

use crate::service::Demand;
use crate::service::aggregated::AggregatedTurn;
use crate::service::answer::HOUR;
use crate::service::prefill::PrefillTurn;
use crate::service::queue::{matched, replicas_for};
use crate::units::Seconds;
use crate::workload::Pools;

/// Builds a service demand from the maximum planned utilization and an optional TTFT limit.
fn demand(utilisation: f64, limit: Option<f64>) -> Demand {
    Demand {
        rate: None,
        first_token: limit.map(Seconds::new),
        utilisation,
        pools: Pools::Best,
        price: None,
        prefill_price: None,
    }
}

/// Builds an aggregated replica. Inputs: batch, output length, TPOT; prefill time of a prompt, step time, dp.
fn turn([batch, output, tpot]: [f64; 3], [prompt, step, groups]: [f64; 3]) -> AggregatedTurn {
    AggregatedTurn {
        step: Seconds::new(step),
        prefill: Seconds::new(prompt),
        rate: batch / (output * tpot),
        groups,
    }
}

/// Builds a prefill replica. Inputs: dp, prompts per pass and attention group, chunks per prompt, pass time; pass time
/// of a single prompt, KV transfer time.
fn prefill([groups, together, chunks, pass]: [f64; 4], [alone, transfer]: [f64; 2]) -> PrefillTurn {
    PrefillTurn {
        pass: Seconds::new(pass),
        chunks,
        groups,
        together,
        rate: groups * together / (chunks * pass),
        prefill: Seconds::new(alone * chunks),
        transfer: Seconds::new(transfer),
    }
}

/// Returns the GPUs of all aggregated replicas. Inputs: GPUs per replica, request rate, utilization, batch, output
/// length, TPOT. If prompts or a TTFT limit require more GPUs: also prefill time of a prompt, step time, dp, and the
/// limit.
pub fn aggregated_gpus(parts: &[f64]) -> Option<f64> {
    let [gpus, rate, used, batch, output, tpot, limited @ ..] = parts else {
        return None;
    };
    let own = [*batch, *output, *tpot];
    Some(gpus * aggregated_replicas(*rate, *used, own, limited)?)
}

/// Returns the queueing time of aggregated replicas. Inputs: request rate, utilization, batch, output length, TPOT,
/// prefill time of a prompt, step time, dp, and optionally the TTFT limit.
pub fn aggregated_wait(parts: &[f64]) -> Option<f64> {
    let [
        rate,
        used,
        batch,
        output,
        tpot,
        prompt,
        step,
        dp,
        limit @ ..,
    ] = parts
    else {
        return None;
    };
    let demand = demand(*used, limit.first().copied());
    let turn = turn([*batch, *output, *tpot], [*prompt, *step, *dp]);
    let replicas = turn.replicas(*rate, &demand)?;
    Some(turn.first_token(*rate, replicas)?.wait.get())
}

/// Returns the GPUs of all decode replicas. Inputs: GPUs per replica, request rate, utilization, batch, output
/// length, TPOT.
pub fn decode_gpus(parts: &[f64]) -> Option<f64> {
    let [gpus, rate, used, batch, output, tpot] = parts else {
        return None;
    };
    Some(gpus * replicas_for(*rate, batch / (output * tpot), *used))
}

/// Returns the GPUs of all prefill replicas. Inputs: GPUs per replica, then the inputs of [`prefill_wait`].
pub fn prefill_gpus(parts: &[f64]) -> Option<f64> {
    let (gpus, rest) = parts.split_first()?;
    let (turn, rate, demand) = asked(rest)?;
    Some(gpus * turn.replicas(rate, &demand)?)
}

/// Returns the queueing time of prefill replicas. Inputs: request rate, utilization, dp, prompts per pass and
/// attention group, chunks per prompt, pass time. With a TTFT limit: also the pass time of a single prompt, the KV
/// transfer time, and the limit.
pub fn prefill_wait(parts: &[f64]) -> Option<f64> {
    let (turn, rate, demand) = asked(parts)?;
    let replicas = turn.replicas(rate, &demand)?;
    Some(turn.first_token(rate, replicas)?.wait.get())
}

/// Returns the requests per second of a prefill replica and of a decode replica. Inputs for prefill: dp, prompts per
/// pass and attention group, chunks per prompt, pass time. Inputs for decode: batch, output length, TPOT.
fn rates(prefill: &[f64], decode: &[f64]) -> Option<[f64; 2]> {
    let ([groups, together, chunks, pass], [batch, output, tpot]) = (prefill, decode) else {
        return None;
    };
    Some([groups * together / (chunks * pass), batch / (output * tpot)])
}

/// Returns the GPUs of the smallest balanced pools. Inputs for prefill: GPUs per replica, dp, prompts per pass and
/// attention group, chunks per prompt, pass time. Inputs for decode: GPUs per replica, batch, output length, TPOT.
pub fn matched_gpus(parts: &[f64]) -> Option<f64> {
    let (prefill_gpus, gpus) = (parts.first()?, parts.get(5)?);
    let [prefill, decode] = rates(parts.get(1..5)?, parts.get(6..)?)?;
    let set = matched(prefill, decode);
    Some(f64::from(set.prefill) * prefill_gpus + f64::from(set.decode) * gpus)
}

/// Returns the cost of 1,000 requests on both pools at full utilization. Inputs: as for [`matched_gpus`], with the
/// GPU-hour price of each pool before its GPUs per replica.
pub fn full_use_cost(parts: &[f64]) -> Option<f64> {
    let ([input, prefill_gpus], [price, gpus]) =
        (parts.first_chunk()?, parts.get(6..)?.first_chunk()?);
    let [prefill, decode] = rates(parts.get(2..6)?, parts.get(8..)?)?;
    Some((prefill_gpus / prefill * input + gpus / decode * price) / HOUR * 1e3)
}

/// Returns the cost of 1,000 requests on both pools. Inputs: prefill price and GPUs, decode price and GPUs, seconds
/// per hour, request rate.
pub fn pools_cost(parts: &[f64]) -> Option<f64> {
    let [input, prefill, price, decode, hour, rate] = parts else {
        return None;
    };
    let paid = |price: f64, gpus: f64| price * gpus / (hour * rate);
    Some((paid(*input, *prefill) + paid(*price, *decode)) * 1e3)
}

/// Returns the cost of a million output tokens on aggregated replicas. Inputs: price, GPUs, seconds per hour, request
/// rate, output length, step time, acceptance length, TPOT.
pub fn aggregated_output_cost(parts: &[f64]) -> Option<f64> {
    let [price, gpus, hour, rate, output, step, yielded, tpot] = parts else {
        return None;
    };
    let paid = price * gpus / (hour * rate);
    let input = paid * (1.0 - step / yielded / tpot);
    Some((paid - input) / output * 1e6)
}

/// Returns the number of aggregated replicas that a request rate needs. `limited` has prefill time of a prompt, step
/// time, dp and an optional TTFT limit; it is empty if none of these affects the number.
fn aggregated_replicas(rate: f64, used: f64, own: [f64; 3], limited: &[f64]) -> Option<f64> {
    match limited {
        [prompt, step, dp, limit @ ..] => {
            let demand = demand(used, limit.first().copied());
            turn(own, [*prompt, *step, *dp]).replicas(rate, &demand)
        }
        _ => Some(replicas_for(rate, own[0] / (own[1] * own[2]), used)),
    }
}

/// Builds a prefill replica with its request rate and demand. Inputs: request rate, utilization, dp, prompts per pass
/// and attention group, chunks per prompt, pass time. With a TTFT limit: also the pass time of a single prompt, the
/// KV transfer time, and the limit.
fn asked(parts: &[f64]) -> Option<(PrefillTurn, f64, Demand)> {
    let [rate, used, groups, together, chunks, pass, limited @ ..] = parts else {
        return None;
    };
    let own = [*groups, *together, *chunks, *pass];
    Some(match limited {
        [alone, transfer, limit] => (
            prefill(own, [*alone, *transfer]),
            *rate,
            demand(*used, Some(*limit)),
        ),
        _ => (prefill(own, [*pass, 0.0]), *rate, demand(*used, None)),
    })
}
