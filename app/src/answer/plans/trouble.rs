//! A search that finds nothing: which rule excluded most, and what would help.

use super::{Searched, sharding};
use crate::answer::sentence::{Sentence, Tone};
use crate::answer::{advice, obstacles};
use model_core::order::sort_by;

use crate::format;
use model_core::hardware::catalog;
use model_core::permalink::{Link, write_number};
use model_core::precision::NamedPrecision;
use model_core::scenario::refusal::Refusal;
use model_core::scenario::{Gpu, Number};
use model_core::search::{Candidates, Search};
use model_core::sweep::{Exclusion, Family, Point, Tried};
use worker::Stage;

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// The reason in words.
    pub sentence: Sentence,
    /// Single changes that give at least one plan; each was tried.
    pub ways: Vec<WayOut>,
}

/// A change that leads out.
#[derive(Debug, Clone, PartialEq)]
pub struct WayOut {
    /// On its button: "SLO 72.3".
    pub label: String,
    /// The change.
    pub edit: Edit,
}

/// A change of a link.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// States a number of the scenario.
    State(Number, f64),
    /// Searches these numbers of GPUs; `None` for the default ones.
    Gpus(Option<Vec<u32>>),
    /// Searches in this precision, too.
    Precision(NamedPrecision),
    /// Searches this accelerator, too.
    Accelerator(Gpu),
    /// Searches every family.
    Families,
    /// Searches batches as far as by default.
    Batches,
    /// One change and another.
    Both(Box<[Edit; 2]>),
}

impl Edit {
    /// Makes the change.
    pub fn make(&self, link: &mut Link) {
        let search = &mut link.search;
        match self {
            Self::State(number, value) => {
                link.current.state(*number, Some(*value));
            }
            Self::Gpus(gpus) => {
                search.gpus.clone_from(gpus);
                search.any_gpus = gpus.is_none();
            }
            Self::Precision(precision) => {
                let mut precisions = search.precisions(&link.current);
                precisions.push(*precision);
                search.precisions = in_order(&NamedPrecision::ALL, &precisions);
            }
            Self::Accelerator(gpu) => {
                let mut gpus = search.accelerators(&link.current);
                gpus.push(*gpu);
                search.accelerators = model_core::permalink::search::in_order(&gpus);
            }
            Self::Families => search.families = Family::ALL.into(),
            Self::Batches => search.most_batch = Search::MOST_BATCH,
            Self::Both(edits) => edits.iter().for_each(|edit| edit.make(link)),
        }
    }
}

fn in_order<T: Copy + PartialEq>(all: &[T], chosen: &[T]) -> Vec<T> {
    all.iter()
        .copied()
        .filter(|one| chosen.contains(one))
        .collect()
}

/// A rule in two or three words, after a count.
pub const fn short(rule: Exclusion) -> &'static str {
    match rule {
        Exclusion::Format => "without the format",
        Exclusion::Heads => "with uneven heads",
        Exclusion::Stages => "with more stages than layers",
        Exclusion::ExpertGroups => "with more groups than experts",
        Exclusion::Sharding => "against a rule of sharding",
        Exclusion::TooFewSequences => "with too few sequences",
        Exclusion::NotFinite => "beyond all numbers",
        Exclusion::OutOfMemory => "out of memory",
        Exclusion::MissesSlo => "too slow for the SLO",
    }
}

/// The same as a sentence's end, after "of them".
const fn reason(rule: Exclusion) -> &'static str {
    match rule {
        Exclusion::Format => "need a format that the accelerator does not have",
        Exclusion::Heads => "would split the query heads unevenly",
        Exclusion::Stages => "have more pipeline stages than the model has layers",
        Exclusion::ExpertGroups => "have more expert groups than there are experts",
        Exclusion::Sharding => "break a rule of sharding",
        Exclusion::TooFewSequences => "have fewer sequences than groups to run them",
        Exclusion::NotFinite => "come to no finite number",
        Exclusion::OutOfMemory => "do not fit the memory",
        Exclusion::MissesSlo => "are too slow for the SLO",
    }
}

/// Why nothing was found, once a search is over; `None` while it runs or where something was.
pub fn trouble(searched: &Searched) -> Option<Trouble> {
    let found = &searched.answer.found;
    if searched.stage != Stage::Done || found.fitting > 0 {
        return None;
    }
    if searched.link.search.families.is_empty() {
        return Some(Trouble {
            sentence: Sentence::default()
                .say("No plan family is chosen, so there is nothing to search."),
            ways: vec![WayOut {
                label: "Search all families".into(),
                edit: Edit::Families,
            }],
        });
    }
    let excluded = searched.excluded();
    let fastest = fastest(searched);
    // What no plan can help.
    let lengths = obstacles(&searched.link.current)
        .into_iter()
        .find(|problem| matches!(problem.refusal, Refusal::Lengths { .. }));
    let sentence = match (fastest, excluded.most()) {
        (Some(fastest), _) => Sentence::default()
            .then(Tone::Bad, "No plan meets the SLO.")
            .say(format!(
                " {} fit the memory; the fastest, {}, gives a user {} tok/s.",
                format::count(found.excluded.of(Exclusion::MissesSlo) as f64),
                named(searched, &fastest),
                format::sig3(fastest.tokens_per_user)
            )),
        (None, Some((rule, count))) => {
            let all = excluded.total();
            let share = format::share(count as f64 / all as f64);
            Sentence::default()
                .then(Tone::Bad, "Nothing fits.")
                .say(format!(
                    " Of {} plans {} ({share}) {}.",
                    format::count(all as f64),
                    format::count(count as f64),
                    reason(rule)
                ))
        }
        (None, None) if lengths.is_some() => Sentence::default()
            .then(Tone::Bad, "Impossible.")
            .say(lengths.map_or_else(String::new, |problem| {
                format!(
                    " {}: {}.",
                    problem.rule.trim_end_matches('.'),
                    problem.facts
                )
            })),
        (None, None) => Sentence::default()
            .then(Tone::Bad, "There is no plan to search.")
            .say(" These families have none for this model and these numbers of GPUs."),
    };
    let most = fastest.map_or_else(
        || excluded.most().map(|(rule, _)| rule),
        |_| Some(Exclusion::MissesSlo),
    );
    Some(Trouble {
        sentence,
        ways: ways(searched, most, fastest.map(|point| point.tokens_per_user)),
    })
}

/// The plan that is fastest for a user on the visitor's own GPUs, or where these have none on any.
fn fastest(searched: &Searched) -> Option<Point> {
    let found = &searched.answer.found;
    let now = &searched.link.current;
    let own = { found.groups.iter() }.flat_map(|group| group.own.points().copied());
    let own = own.filter(|point| {
        let inputs = searched.candidates.inputs_of(point);
        inputs.is_some_and(|inputs| inputs.gpu == now.gpu && inputs.precision == now.precision)
    });
    own.reduce(
        |one, other| match other.tokens_per_user > one.tokens_per_user {
            true => other,
            false => one,
        },
    )
    .or_else(|| found.frontier(&Family::ALL).points().first().copied())
}

/// "DP + EP on 128 GPUs".
fn named(searched: &Searched, point: &Point) -> String {
    let scenario = searched.candidates.space.scenario(point.index);
    let gpus = scenario.map_or(0.0, |(_, scenario)| f64::from(scenario.cluster.gpus));
    format!(
        "{} on {}",
        sharding::family(point.family),
        advice::gpus(gpus)
    )
}

/// More would be a menu.
const MOST_WAYS: usize = 4;

/// Changes that lead out, those that answer the rule that excluded most first; each was tried.
fn ways(searched: &Searched, most: Option<Exclusion>, fastest: Option<f64>) -> Vec<WayOut> {
    let link = &searched.link;
    let mut ways = Vec::new();
    if let Some(fastest) = fastest {
        let slo = down_to_three_digits(fastest);
        ways.push(WayOut {
            label: format!("Accept {} tok/s per user", format::sig3(slo)),
            edit: Edit::State(Number::Slo, slo),
        });
    }
    let (larger, shorter) = (larger(link), shorter(link, most));
    let more = [
        first(link, larger.clone()),
        precision(link),
        first(link, shorter.clone()),
        accelerator(link),
        wider(link),
        usual(link),
        batches(link),
    ];
    ways.extend(more.into_iter().flatten());
    if ways.is_empty() {
        ways.extend(first(link, both(&larger, &shorter)));
    }
    ways.truncate(MOST_WAYS);
    ways
}

/// Evaluations that one change may cost: trying them all stays within a frame.
const MOST_TRIES: usize = 1500;

/// Whether a changed link has a plan: the lightest of each sharding answers that. What cannot be tried
/// in time is not offered.
fn leads_out(link: &Link, edit: &Edit) -> bool {
    let mut link = link.clone();
    edit.make(&mut link);
    let space = Candidates::new(&link.current, &link.search).space;
    let mut lightest = space.lightest().take(MOST_TRIES);
    lightest.any(|index| matches!(space.outcome(index), Tried::Fits(_)))
}

fn first(link: &Link, tries: impl IntoIterator<Item = WayOut>) -> Option<WayOut> {
    tries.into_iter().find(|way| leads_out(link, &way.edit))
}

/// More GPUs than are searched.
fn larger(link: &Link) -> Vec<WayOut> {
    let gpus = link.search.gpus(&link.current);
    let largest = gpus.last().copied().unwrap_or(1);
    let more = (1..=4).map(|doubled| largest << doubled);
    more.filter(|more| *more <= 4096)
        .map(|more| WayOut {
            label: format!("Search {} GPUs", format::count(f64::from(more))),
            edit: Edit::Gpus(Some(vec![more])),
        })
        .collect()
}

/// Fewer bytes, or a format that the accelerator has.
fn precision(link: &Link) -> Option<WayOut> {
    let used = link.search.precisions(&link.current);
    let others = [
        NamedPrecision::Fp4,
        NamedPrecision::DeepseekFp8,
        NamedPrecision::Bf16,
    ];
    first(
        link,
        others
            .into_iter()
            .filter(|precision| !used.contains(precision))
            .map(|precision| WayOut {
                label: format!("Search {} too", precision.id()),
                edit: Edit::Precision(precision),
            }),
    )
}

/// Less context for each sequence, where the memory is what is short.
fn shorter(link: &Link, most: Option<Exclusion>) -> Vec<WayOut> {
    let context = link.current.get(Number::Context).unwrap_or_default();
    let memory = matches!(
        most,
        Some(Exclusion::OutOfMemory | Exclusion::TooFewSequences)
    );
    let shorter = (1..=6).map(|halved| (context / f64::from(1 << halved)).floor());
    shorter
        .filter(|tokens| memory && *tokens >= 256.0)
        .map(|tokens| WayOut {
            label: format!("Context of {}", write_number(Number::Context, tokens)),
            edit: Edit::State(Number::Context, tokens),
        })
        .collect()
}

/// More GPUs and less context, where neither alone is enough.
fn both<'a>(larger: &'a [WayOut], shorter: &'a [WayOut]) -> impl Iterator<Item = WayOut> + 'a {
    larger.iter().flat_map(move |more| {
        shorter.iter().map(move |less| WayOut {
            label: format!(
                "{}, {}",
                more.label,
                less.label.replace("Context", "context")
            ),
            edit: Edit::Both(Box::new([more.edit.clone(), less.edit.clone()])),
        })
    })
}

/// An accelerator that is not searched yet, the one with the least memory that helps.
fn accelerator(link: &Link) -> Option<WayOut> {
    let used = link.search.accelerators(&link.current);
    let mut others: Vec<&'static catalog::Entry> = catalog::CATALOG
        .iter()
        .filter(|entry| !used.contains(&Gpu::Catalog(entry)))
        .collect();
    sort_by(&mut others, |one, other| {
        let bytes = |entry: &catalog::Entry| entry.accelerator.capacity.get();
        bytes(one).total_cmp(&bytes(other))
    });
    first(
        link,
        others.into_iter().map(|entry| WayOut {
            label: format!("Search {} too", entry.name),
            edit: Edit::Accelerator(Gpu::Catalog(entry)),
        }),
    )
}

/// Every family.
fn wider(link: &Link) -> Option<WayOut> {
    let way = WayOut {
        label: "Search all families".into(),
        edit: Edit::Families,
    };
    (link.search.families != Family::ALL).then(|| first(link, [way]))?
}

/// The usual numbers of GPUs.
fn usual(link: &Link) -> Option<WayOut> {
    let way = WayOut {
        label: "Search 8 to 512 GPUs".into(),
        edit: Edit::Gpus(None),
    };
    link.search.gpus.as_ref()?;
    first(link, [way])
}

/// The usual batches.
fn batches(link: &Link) -> Option<WayOut> {
    let way = WayOut {
        label: format!("Search batches up to {}", format::count(Search::MOST_BATCH)),
        edit: Edit::Batches,
    };
    (link.search.most_batch < Search::MOST_BATCH).then(|| first(link, [way]))?
}

/// The largest number of three digits that is not above a value: what is accepted is reached.
fn down_to_three_digits(value: f64) -> f64 {
    let mut unit = 1.0;
    while value / unit >= 1000.0 {
        unit *= 10.0;
    }
    while value / unit < 100.0 {
        unit /= 10.0;
    }
    let digits = (value / unit).floor();
    // Dividing keeps 72.3 what a person types, where multiplying by 0.1 would not.
    if unit < 1.0 {
        digits / (1.0 / unit).round()
    } else {
        digits * unit
    }
}
