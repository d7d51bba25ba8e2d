//! The claim of each paper, and the outcome of reproducing it.

use model_core::permalink::Paper;

/// Name and claim of a paper, with the outcome of reproducing it.
#[derive(Debug, PartialEq, Eq)]
pub struct PaperText {
    /// Identifier of the paper.
    pub id: Paper,
    /// Citation letter of the paper, in brackets: "[A]".
    pub letter: &'static str,
    /// Short name of the paper.
    pub name: &'static str,
    /// Title by which the paper can be searched on the web.
    pub title: &'static str,
    /// Web address of the paper.
    pub address: &'static str,
    /// Claim of the paper, in one sentence.
    pub claim: &'static str,
    /// Outcome of reproducing the paper's results, in one sentence.
    pub outcome: &'static str,
}

/// The five papers, in order of their letters.
pub static PAPERS: [PaperText; 5] = [
    PaperText {
        id: Paper::A,
        letter: "[A]",
        name: "DeepSeek inference",
        title: "DeepSeek Inference Theoretical Model (Aleph Alpha, 2025)",
        address: "https://aleph-alpha.com/?p=5664",
        claim: "Weights, KV cache, compute and communication explain the decode speed of a large MoE model; more GPUs help until it is communication-bound.",
        outcome: "Equations and trends are reproduced, except for Kimi K2, which has half the heads the paper assumes.",
    },
    PaperText {
        id: Paper::B,
        letter: "[B]",
        name: "The new LLM bottleneck",
        title: "The New LLM Bottleneck (arXiv 2507.15465)",
        address: "https://arxiv.org/abs/2507.15465",
        claim: "Absorbed MLA and many experts move the bottleneck from memory to batch size, and thus to the interconnect.",
        outcome: "All but a few table entries are reproduced, including batch sizes and break-even bandwidths.",
    },
    PaperText {
        id: Paper::H,
        letter: "[H]",
        name: "Helix parallelism",
        title: "Helix Parallelism (arXiv 2507.07120)",
        address: "https://arxiv.org/abs/2507.07120",
        claim: "Sharding attention by KV context, then the FFN over the same GPUs, gives more interactivity or \
            throughput at 1M tokens than prior plans.",
        outcome: "Except for HOP-B, the gains are reproduced, with one latency for all collectives.",
    },
    PaperText {
        id: Paper::L,
        letter: "[L]",
        name: "Lamina, model–attention disaggregation",
        title: "Model-Attention Disaggregation, Lamina (arXiv 2405.01814)",
        address: "https://arxiv.org/abs/2405.01814",
        claim: "Running attention on cheap high-memory devices over a standard network gives 16–90% more throughput at equal cost.",
        outcome: "Network bandwidth and batch sizes are reproduced; 11 of 12 comparisons show a gain, but the \
            largest is well below the paper’s.",
    },
    PaperText {
        id: Paper::R,
        letter: "[R]",
        name: "Attention/FFN ratios",
        title: "Attention/FFN Ratios (arXiv 2601.21351)",
        address: "https://arxiv.org/abs/2601.21351",
        claim: "A closed form gives the best ratio of attention to FFN ranks, within 15% of a simulation.",
        outcome: "Reproduced, including every published ratio; one idle share is off by one percentage point.",
    },
];

/// Returns the title and address of the paper behind a citation such as "[H] 2.1".
pub fn cited(citation: &str) -> Option<(&'static str, &'static str)> {
    let paper = paper_of(citation)?;
    Some((paper.named(), paper.address))
}

fn paper_of(citation: &str) -> Option<&'static PaperText> {
    let mut papers = PAPERS.iter();
    papers.find(|paper| citation.starts_with(paper.letter))
}

impl PaperText {
    /// Returns the paper's title without its arXiv number: "Helix Parallelism".
    pub fn named(&self) -> &'static str {
        self.title.split(" (arXiv ").next().unwrap_or(self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papers_open_where_they_are_published() {
        assert_eq!(paper_of("[A] 3.3").map(|paper| paper.id), Some(Paper::A));
        assert_eq!(
            cited("[H] 2.1.3").map(|(title, _)| title),
            Some("Helix Parallelism")
        );
        assert!(paper_of("").is_none() && cited("somewhere").is_none());
        for paper in &PAPERS {
            assert!(paper.address.starts_with("https://"), "{}", paper.title);
            let number = paper
                .title
                .split_once("(arXiv ")
                .map(|(_, number)| number.trim_end_matches(')'));
            assert!(
                number.is_none_or(|number| paper.address.ends_with(number)),
                "{}",
                paper.title
            );
        }
    }
}
