//! Fuzz tests with mutated permalinks, files and scenarios. No input may cause a crash, a figure that is not finite,
//! or a round trip that changes a scenario.
//!
//! In an ordinary run each target takes a second; `cargo xtask fuzz` runs millions of cases. A failing case is
//! reduced and printed with its seed; setting `BOLERO_RANDOM_SEED` to the seed runs the case again. The targets also
//! run under libFuzzer, which is guided by code coverage:
//! `cargo bolero test -p ridgepoint-fuzz link --sanitizer NONE`.

use answer::own::OwnList;
use bolero::check;
use model_core::afd::report as ratio;
use model_core::arch::{self, hf_config};
use model_core::bench;
use model_core::evaluate::evaluate;
use model_core::inputs::{Inputs, Version};
use model_core::lamina;
use model_core::levers::Levers;
use model_core::limits::limits;
use model_core::permalink;
use model_core::service;
use ridgepoint_fuzz::{Target, configs, finite, links, own_lists, pastes, shapes};

fn inputs(text: &str) -> Inputs {
    permalink::read(text).current
}

#[test]
fn link() {
    let target = Target::new(links(), |text| {
        let written = permalink::write(&permalink::read(text));
        let again = permalink::read(&written);
        assert_eq!(again.notes, [], "of what was written: {written}");
        assert_eq!(permalink::write(&again), written);
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn paste() {
    let target = Target::new(pastes(), |text| {
        let start = Inputs::defaults_of(Version::NEWEST);
        let reading = bench::read(text, &start);
        finite(&(&reading.points, &reading.facts, &reading.throughputs));
        let silent = reading.points.is_empty() && reading.facts.is_empty();
        assert!(!silent || !reading.notes.is_empty(), "silence: {text}");
        for line in reading.facts.iter().flat_map(|fact| &fact.lines) {
            assert!(reading.lines[*line as usize].read, "of a gray line: {text}");
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn own() {
    let target = Target::new(own_lists(), |text| {
        if let Some(read) = OwnList::read(text) {
            let again = OwnList::read(&read.list.write(&read.prices));
            let again = again.map(|again| (again.list, again.prices, again.ignored));
            assert_eq!(again, Some((read.list, read.prices, 0)));
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn config() {
    let target = Target::new(configs(), |text| {
        if let Ok(read) = hf_config::read(text) {
            let again = arch::json::read(arch::json::write(&read.arch).as_bytes());
            assert_eq!(again.as_ref(), Ok(&read.arch));
            finite(&arch::params::parameters(&read.arch));
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn arch() {
    let target = Target::new(shapes(), |text| {
        if let Ok(read) = arch::json::read(text.as_bytes()) {
            let again = arch::json::read(arch::json::write(&read).as_bytes());
            assert_eq!(again.as_ref(), Ok(&read));
            finite(&arch::params::parameters(&read));
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn evaluation() {
    let target = Target::new(links(), |text| {
        if let Ok(scenario) = inputs(text).scenario()
            && let Ok(evaluation) = evaluate(&scenario)
        {
            finite(&evaluation);
            finite(&limits(&scenario));
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn levers() {
    let target = Target::new(links(), |text| {
        let levers = Levers::of(&inputs(text));
        finite(&(&levers.base, levers.best));
        for lever in &levers.all {
            finite(&(lever.factor, lever.factor_now, lever.half, lever.served()));
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn service() {
    let target = Target::new(links(), |text| {
        if let Ok(service) = service::service(&inputs(text)) {
            finite(&service);
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn simulator() {
    let target = Target::new(links(), |text| {
        let inputs = inputs(&format!("{text}&mode=simulate&requests=100"));
        if let Ok(answer) = ratio::report(&inputs, Vec::new()) {
            finite(&answer);
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}

#[test]
fn split() {
    let target = Target::new(links(), |text| {
        let inputs = inputs(&format!("{text}&mode=split"));
        if let Ok(answer) = lamina::report::answer(&inputs, Vec::new()) {
            finite(&answer);
        }
    });
    check!().with_type().for_each(|case| target.run(case));
}
