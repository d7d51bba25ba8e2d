//! Requests to the worker, and its answers.

use crate::levers::LeversAnswer;
use crate::pays::PaysAnswer;
use crate::replicas::ReplicasAnswer;
use crate::search::SearchAnswer;
use crate::service::ServiceLeversAnswer;
use crate::simulate::SimulateAnswer;
use crate::turns::TurnsAnswer;
use model_core::candidates::{Candidate, CandidatesFound};
use model_core::inputs::Inputs;
use model_core::search::Search;
use model_core::turning::Contest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A computation that takes longer than a frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "only one exists at a time, and all but one have inputs"
)]
pub enum Request {
    /// Search for plans.
    Search(Inputs, Search),
    /// Simulate an xAyF unit at several ratios.
    Simulate(Inputs),
    /// Compute simulated quantities of golden cases. Each quantity is given by its name and the inputs of its case.
    Quantity(Vec<(String, Inputs)>),
    /// List the levers (suggested changes) of a scenario.
    Levers(Inputs),
    /// Search for the replicas of a service.
    Replicas(Inputs),
    /// List the levers (suggested changes) of a service.
    ServiceLevers(Inputs),
    /// Compare candidate accelerators, each with its best plan.
    Candidates(Inputs, Search, Vec<Candidate>),
    /// Compare the cost of prefill and decode pools with the cost of aggregated replicas, across prompt and output
    /// lengths.
    Pays(Inputs),
    /// Find the turning points of a verdict, where the better of two alternatives changes.
    Turns(Contest),
}

/// Progress of a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// More answers follow.
    Running,
    /// The answer is complete.
    Done,
    /// The computation was canceled; the answer is partial.
    Cancelled,
}

/// Results so far, with a variant for each type of request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "only one exists at a time, behind an Arc"
)]
pub enum Answer {
    /// Results of [`Request::Search`].
    Search(SearchAnswer),
    /// Results of [`Request::Simulate`].
    Simulate(SimulateAnswer),
    /// Results of [`Request::Quantity`]: the values so far, in the order of the request; `None` for an unknown name
    /// or an invalid scenario.
    Quantity(Vec<Option<f64>>),
    /// Results of [`Request::Levers`].
    Levers(LeversAnswer),
    /// Results of [`Request::Replicas`].
    Replicas(ReplicasAnswer),
    /// Results of [`Request::ServiceLevers`].
    ServiceLevers(ServiceLeversAnswer),
    /// Results of [`Request::Candidates`].
    Candidates(CandidatesFound),
    /// Results of [`Request::Pays`].
    Pays(PaysAnswer),
    /// Results of [`Request::Turns`].
    Turns(TurnsAnswer),
}

/// Sent from the page to the worker.
#[derive(Debug, Serialize, Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "a message is written or used immediately, and never stored in bulk"
)]
pub enum ToWorker {
    /// Start the request with this number and drop the running one.
    Start(u32, Request),
    /// End the request with this number and return a partial answer.
    Cancel(u32),
}

/// Sent from the worker to the page.
#[derive(Debug, Serialize, Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "a message is written or used immediately, and never stored in bulk"
)]
pub enum FromWorker {
    /// The worker is ready; the variant holds the worker's [`crate::PROTOCOL`]. This variant is the first one, so
    /// that a page of any build can read it.
    Ready(u32),
    /// The worker failed, for this reason.
    Failed(String),
    /// Results so far of the request with this number; `None` if there are none yet.
    Answer(u32, Stage, Option<Answer>),
}

/// Encodes a request or an answer as bytes, to be sent between page and worker.
pub fn write(message: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(message).unwrap_or_default()
}

/// Decodes a request or an answer; `None` if the bytes come from another build.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use model_core::permalink;

    /// Permalinks that use catalog entries, and permalinks with values that no catalog has.
    const OF_CATALOG: [&str; 4] = [
        "model=deepseek-v3&gpu=b200&mode=split&memory_gpu=h20&trace=azure-conv",
        "model=kimi-linear-48b&gpu=r200",
        "gpu=custom&bw=4000&prefill_gpu=h100&rate=3",
        "model=custom&arch=eyJoaWRkZW4iOjQwOTZ9",
    ];

    fn of(link: &str) -> Inputs {
        permalink::read(link).current
    }

    #[test]
    fn requests_are_read_as_they_were_written() {
        let read_search = |link: &str| {
            let link = permalink::read(link);
            Request::Search(link.current, link.search)
        };
        let names = OF_CATALOG.map(|name| format!("v=3&{name}"));
        let of_catalog = names.iter().map(|link| Request::Levers(of(link)));
        let others = [
            read_search("v=3&accelerators=h200,b200&precisions=fp8&search_gpus=8,16"),
            Request::Quantity(vec![("idle_ffn".into(), of("v=1&mode=simulate&r=3"))]),
        ];
        for request in of_catalog.chain(others) {
            let message = write(&ToWorker::Start(7, request.clone()));
            assert!(matches!(read(&message), Some(ToWorker::Start(7, same)) if same == request));
        }
    }

    #[test]
    fn answers_are_read_as_they_were_written() {
        let unit = of("v=1&latencies=table2&requests=200&slots=16&r=3");
        let served = of("v=1&model=qwen3-235b-a22b&gpu=h200&rate=50&slo=25&ttft=2&gpus=8");
        let search = "v=1&model=llama-3.1-405b&gpu=gb200&precision=fp4&slo=30&search_gpus=8,6,16";
        let search = permalink::read(search);
        let compared = |link: &str| {
            let link = permalink::read(link);
            Request::Candidates(link.current, link.search, link.candidates)
        };
        let replicas = |demand: &str| {
            Request::Replicas(of(&format!("v=2&model=qwen3-30b-a3b&gpu=h200{demand}")))
        };
        for request in [
            Request::Search(search.current, search.search),
            Request::Simulate(unit),
            Request::Quantity(vec![("idle_ffn".into(), unit)]),
            Request::Levers(of("v=1")),
            Request::Levers(of("v=1&batch=60000&context=64k")),
            Request::Levers(of("v=1&ep=64&slo=40")),
            replicas("&rate=50&ttft=2"),
            replicas(""),
            replicas("&rate=50&ttft=0.001"),
            replicas("&slo=9999"),
            Request::ServiceLevers(served),
            compared("v=3&model=qwen3-30b-a3b&rate=50&slo=25&candidates=h200,b200:$4"),
            compared("v=3&model=qwen3-30b-a3b&gpus=8&candidates=h200:4,v100:fp4"),
        ] {
            let answer = whole(&request).expect("an answer");
            let message = write(&FromWorker::Answer(1, Stage::Done, Some(answer.clone())));
            let Some(FromWorker::Answer(1, Stage::Done, Some(same))) = read(&message) else {
                panic!("{request:?}");
            };
            assert_eq!(same, answer, "{request:?}");
            for end in [0, 3, message.len() / 2, message.len() - 1] {
                assert!(
                    read::<FromWorker>(&message[..end]).is_none(),
                    "{request:?}: {end}"
                );
            }
        }
    }
}
