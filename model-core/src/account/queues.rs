//! Equations of whole requests: replicas, queueing and cost.

use crate::service::Demand;
use crate::service::aggregated::AggregatedTurn;
use crate::service::answer::HOUR;
use crate::service::prefill::PrefillTurn;
use crate::service::queue::{matched, replicas_for};
use crate::units::Seconds;
use crate::workload::Pools;

/// A demand of a planned utilization and a TTFT limit.
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

/// A decode or aggregated replica: B, o, TPOT, and where they matter T_p, step and dp.
fn turn([batch, output, tpot]: [f64; 3], [prompt, step, groups]: [f64; 3]) -> AggregatedTurn {
    AggregatedTurn {
        step: Seconds::new(step),
        prefill: Seconds::new(prompt),
        rate: batch / (output * tpot),
        groups,
    }
}

/// A prefill replica: dp, m, J, t_p, and where they matter a pass of one prompt and the KV transfer.
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

/// GPUs of aggregated replicas: GPUs of one, λ, ρ, B, o, TPOT; where they matter T_p, step, dp, and the TTFT limit.
pub fn aggregated_gpus(parts: &[f64]) -> Option<f64> {
    let [gpus, rate, used, batch, output, tpot, limited @ ..] = parts else {
        return None;
    };
    let own = [*batch, *output, *tpot];
    Some(gpus * aggregated_replicas(*rate, *used, own, limited)?)
}

/// Queueing of aggregated replicas: λ, ρ, B, o, TPOT, T_p, step, dp; the TTFT limit.
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

/// GPUs of decode replicas: GPUs of one, λ, ρ, B, o, TPOT.
pub fn decode_gpus(parts: &[f64]) -> Option<f64> {
    let [gpus, rate, used, batch, output, tpot] = parts else {
        return None;
    };
    Some(gpus * replicas_for(*rate, batch / (output * tpot), *used))
}

/// GPUs of prefill replicas: GPUs of one, then as [`prefill_wait`].
pub fn prefill_gpus(parts: &[f64]) -> Option<f64> {
    let (gpus, rest) = parts.split_first()?;
    let (turn, rate, demand) = asked(rest)?;
    Some(gpus * turn.replicas(rate, &demand)?)
}

/// Queueing of prefill replicas: λ, ρ, dp, m, J, t_p; with a TTFT limit also a pass of one prompt, the KV transfer, the
/// limit.
pub fn prefill_wait(parts: &[f64]) -> Option<f64> {
    let (turn, rate, demand) = asked(parts)?;
    let replicas = turn.replicas(rate, &demand)?;
    Some(turn.first_token(rate, replicas)?.wait.get())
}

/// Requests per second of a prefill replica – dp, m, J, t_p – and of a decode replica – B, o, TPOT.
fn rates(prefill: &[f64], decode: &[f64]) -> Option<[f64; 2]> {
    let ([groups, together, chunks, pass], [batch, output, tpot]) = (prefill, decode) else {
        return None;
    };
    Some([groups * together / (chunks * pass), batch / (output * tpot)])
}

/// GPUs of the smallest balanced pools: GPUs of a prefill replica, dp, m, J, t_p; GPUs of a decode replica, B, o, TPOT.
pub fn matched_gpus(parts: &[f64]) -> Option<f64> {
    let (prefill_gpus, gpus) = (parts.first()?, parts.get(5)?);
    let [prefill, decode] = rates(parts.get(1..5)?, parts.get(6..)?)?;
    let set = matched(prefill, decode);
    Some(f64::from(set.prefill) * prefill_gpus + f64::from(set.decode) * gpus)
}

/// Cost of 1,000 requests of both pools, fully used: as [`matched_gpus`], each replica’s price first.
pub fn full_use_cost(parts: &[f64]) -> Option<f64> {
    let ([input, prefill_gpus], [price, gpus]) =
        (parts.first_chunk()?, parts.get(6..)?.first_chunk()?);
    let [prefill, decode] = rates(parts.get(2..6)?, parts.get(8..)?)?;
    Some((prefill_gpus / prefill * input + gpus / decode * price) / HOUR * 1e3)
}

/// Cost of 1,000 requests of both pools: price and GPUs of prefill, price and GPUs of decode, seconds of an hour, λ.
pub fn pools_cost(parts: &[f64]) -> Option<f64> {
    let [input, prefill, price, decode, hour, rate] = parts else {
        return None;
    };
    let paid = |price: f64, gpus: f64| price * gpus / (hour * rate);
    Some((paid(*input, *prefill) + paid(*price, *decode)) * 1e3)
}

/// Cost of a million output tokens of aggregated replicas: price, GPUs, seconds of an hour, λ, o, step, y, TPOT.
pub fn aggregated_output_cost(parts: &[f64]) -> Option<f64> {
    let [price, gpus, hour, rate, output, step, yielded, tpot] = parts else {
        return None;
    };
    let paid = price * gpus / (hour * rate);
    let input = paid * (1.0 - step / yielded / tpot);
    Some((paid - input) / output * 1e6)
}

/// Aggregated replicas for a rate; `limited`: T_p, step, dp and a TTFT limit, where they matter.
fn aggregated_replicas(rate: f64, used: f64, own: [f64; 3], limited: &[f64]) -> Option<f64> {
    match limited {
        [prompt, step, dp, limit @ ..] => {
            let demand = demand(used, limit.first().copied());
            turn(own, [*prompt, *step, *dp]).replicas(rate, &demand)
        }
        _ => Some(replicas_for(rate, own[0] / (own[1] * own[2]), used)),
    }
}

/// A prefill replica, its rate and its demand: λ, ρ, dp, m, J, t_p, with a limit also a pass of one prompt, the KV
/// transfer, the limit.
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
