//! Commands that start the replicas of a service.

use model_core::inputs::{Inputs, Number};
use model_core::service::Service;
use model_core::service::flags::{EngineReplica, Software, command};
use model_core::workload::Pools;

/// Placeholder for the name or path of the weights in a command.
const WEIGHTS: &str = "$MODEL";

/// Number of GPUs per host.
const HOST: f64 = 8.0;

/// The start commands for one serving engine.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineCommands {
    /// Name of the serving engine: "vLLM".
    pub name: &'static str,
    /// Source from which the engine's command-line flags were taken.
    pub read_in: String,
    /// One start command for each pool.
    pub commands: Vec<PoolCommand>,
    /// Flags whose values depend on the hosts; `None` if every replica fits on one host.
    pub of_hosts: Option<String>,
}

/// The start command for one replica of a pool.
#[derive(Debug, Clone, PartialEq)]
pub struct PoolCommand {
    /// Pool, number of replicas, and GPUs per replica: "Prefill: 3 × 8 GPUs".
    pub pool: String,
    /// The start command, on one line.
    pub text: String,
    /// Parts of the plan that cannot be set because the engine has no flag for them.
    pub unexpressed: Vec<&'static str>,
}

const fn name(software: Software) -> &'static str {
    match software {
        Software::Vllm => "vLLM",
        Software::Sglang => "SGLang",
    }
}

/// A pool to start: name, number of replicas if a request rate is set, GPUs per replica, and engine settings.
type Started = (&'static str, Option<u64>, u32, EngineReplica);

fn started(service: &Service, inputs: &Inputs) -> Vec<Started> {
    let apart = || {
        let pools = service.disaggregated.as_ref().ok()?;
        let loaded = pools.loaded.as_ref();
        let (prefill, decode) = (&pools.prefill, &pools.decode);
        let whole = &decode.inputs;
        Some(vec![
            (
                "Prefill",
                loaded.map(|loaded| loaded.prefill.replicas),
                prefill.gpus,
                EngineReplica::prefill(inputs, prefill),
            ),
            (
                "Decode",
                loaded.map(|loaded| loaded.decode.replicas),
                decode.gpus,
                EngineReplica::decode(whole, decode),
            ),
        ])
    };
    let together = || {
        let of = service.aggregated.as_ref().ok()?;
        let replicas = of.loaded.map(|loaded| loaded.pool.replicas);
        let setup = EngineReplica::aggregated(&of.inputs, &of.replica);
        Some(vec![("Aggregated", replicas, of.replica.gpus, setup)])
    };
    let all = match service.choice {
        Some(Pools::Aggregated) => together(),
        Some(_) => apart(),
        None => None,
    };
    all.unwrap_or_default()
}

/// Returns the heading above a pool's command: "Prefill: 3 × 8 GPUs, each as 2 engines".
fn heading((pool, replicas, gpus, _): &Started, engines: u32) -> String {
    let count = replicas.map_or_else(String::new, |count| format!("{count} × "));
    let each = match engines {
        1 => String::new(),
        engines if replicas.is_some() => format!(", each as {engines} engines"),
        engines => format!(", as {engines} engines"),
    };
    let unit = if *gpus > 1 { "GPUs" } else { "GPU" };
    format!("{pool}: {count}{gpus} {unit}{each}")
}

/// Returns the start commands of the chosen pools for each engine; empty if infeasible.
pub fn runs(service: &Service, inputs: &Inputs) -> Vec<EngineCommands> {
    let started = started(service, inputs);
    if started.is_empty() {
        return Vec::new();
    }
    let host = inputs.get(Number::Domain).unwrap_or(HOST).min(HOST);
    let spans = started
        .iter()
        .any(|(_, _, gpus, _)| f64::from(*gpus) > host);
    let run = |software: Software| {
        let source = software.source();
        let commands = started.iter().map(|one| {
            let command = command(software, &one.3);
            PoolCommand {
                pool: heading(one, command.engines),
                text: command.text(WEIGHTS),
                unexpressed: command
                    .unexpressed
                    .iter()
                    .map(|part| part.words())
                    .collect(),
            }
        });
        EngineCommands {
            name: name(software),
            read_in: format!("{}: {}", source.title, source.locator),
            commands: commands.collect(),
            of_hosts: spans.then(|| software.of_hosts().join(", ")),
        }
    };
    Software::ALL.map(run).into()
}
