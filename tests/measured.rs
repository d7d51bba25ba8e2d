//! Errors against measured systems: their bounds, and the documents that state them.

#![allow(clippy::expect_used, reason = "helpers of tests are tests too")]

use std::collections::BTreeSet;

use model_core::calibration::NamedCalibration;
use model_core::measured::{
    ABSENT, Edit, Measured, RecentKind, RecentRun, RunKind, compare, ends, recent, rows, summary,
};
use model_core::permalink;
use ridgepoint_tests::accuracy;

const OURS: &str = "calibration=kernels-2026";

fn mean_error(has: fn(RunKind) -> bool) -> f64 {
    let errors = rows().filter(|row| has(row.group)).map(|row| {
        compare(row, &Edit::keys(OURS))
            .expect("it is evaluated")
            .error()
    });
    summary(errors).expect("there are rows").mean
}

#[test]
fn steady_decode_is_within_fifteen_percent() {
    let found = mean_error(|group| group == RunKind::Steady);
    println!("steady decode: {:.2} %", 100.0 * found);
    assert!(found <= 0.15, "{found}");
}

#[test]
fn latency_and_aggregated_within_13_percent() {
    let found = mean_error(|group| matches!(group, RunKind::Latency | RunKind::Aggregated));
    println!(
        "one request, or prefills in the same engine: {:.2} %",
        100.0 * found
    );
    assert!(found <= 0.13, "{found}");
}

/// The framework overhead of a layer is the one fitted constant, on these rows and no others.
#[test]
fn fitted_constant_is_unbiased() {
    const FITTED: [&str; 8] = [
        "trt-b200-bs1-noMTP",
        "trt-b200-bs1-MTP1",
        "trt-b200-bs1-MTP3",
        "ix-k2.5-8k1k-h200-int4-tp8-c4",
        "ix-k2.5-8k1k-b200-int4-tp8-c4",
        "ix-k2.5-8k1k-b200-nvfp4-tp4-c4",
        "ix-k2.5-8k1k-b200-nvfp4-tp8-c4",
        "sgl-h200-16gpu-64k-1",
    ];
    let errors: Vec<f64> = rows()
        .filter(|row| FITTED.contains(&row.id))
        .map(|row| {
            compare(row, &Edit::keys(OURS))
                .expect("it is evaluated")
                .error()
        })
        .collect();
    assert_eq!(errors.len(), FITTED.len());
    let bias = summary(errors).expect("there are rows").bias;
    println!("bias on the eight rows of o_L: {:+.2} %", 100.0 * bias);
    // One microsecond more or less moves it by half a percent.
    assert!(bias.abs() < 0.005, "{bias}");
}

#[test]
fn rows_have_valid_links_and_sources() {
    let mut ids = BTreeSet::new();
    for row in rows() {
        assert!(ids.insert(row.id), "{} stands there twice", row.id);
        assert!(!row.source.title.is_empty() && !row.source.locator.is_empty());
        assert!(!row.link.contains("calibration"), "{}", row.id);
        let own = compare(row, &Edit::keys(OURS)).expect("it is evaluated");
        let read = permalink::read(&own.link);
        let notes: Vec<_> = read.notes.iter().map(ToString::to_string).collect();
        assert!(notes.is_empty(), "{}: {notes:?}", row.id);
        assert!(
            own.measured.get() > 0.0 && own.tpot.get() > 0.0,
            "{}",
            row.id
        );
        let (least, most) = ends(row, OURS).expect("its ends are evaluated");
        assert!(least <= own.error() && own.error() <= most, "{}", row.id);
    }
}

#[test]
fn a_rate_per_gpu_has_a_stated_batch() {
    for row in rows() {
        if matches!(row.measured, Measured::PerGpu(_)) {
            assert!(row.link.contains("&batch="), "{}", row.id);
        }
    }
}

#[test]
fn runs_without_a_row_are_counted() {
    let absent: u32 = ABSENT.iter().map(|absent| absent.count).sum();
    // Published runs that were considered.
    assert_eq!(rows().count() + absent as usize, 148);
}

#[test]
fn documents_hold_the_tables_of_today() {
    for (path, text, right) in accuracy::documents().expect("every table has its place") {
        assert!(
            text == right,
            "{}: run `cargo xtask accuracy --write`",
            path.display()
        );
    }
}

/// Errors of recent runs under the defaults of version 2, printed; the mean of absolute ones.
fn recent_error(name: &str, has: impl Fn(&RecentRun) -> bool) -> f64 {
    let runs = recent().filter(|run| has(run));
    let errors = runs.map(|run| {
        run.compare(NamedCalibration::Kernels202611)
            .expect(run.id)
            .error
    });
    let found = summary(errors).expect("there are runs");
    println!(
        "{name}: {} runs, mean {:.1} %, median {:.1} %, bias {:+.1} %",
        found.rows,
        100.0 * found.mean,
        100.0 * found.median,
        100.0 * found.bias
    );
    found.mean
}

fn decodes(run: &RecentRun) -> bool {
    run.kind != RecentKind::Prefill
}

/// No constant is fitted to these runs. Each bound is today's error, rounded up; the calibration's own goals are 24,
/// 17, 18 and 15 %. Steady runs are beyond theirs by 18 of Vera Rubin, which takes Hopper's kernels; those of AMD by
/// aggregated prefill, whose kernels nobody has published.
#[test]
fn recent_runs_keep_their_errors() {
    let bounds = [
        (
            "decode, all stated",
            0.26,
            recent_error("decode, all stated", |run| {
                decodes(run) && run.open.is_empty()
            }),
        ),
        (
            "steady decode",
            0.23,
            recent_error("steady decode", |run| run.kind == RecentKind::Steady),
        ),
        (
            "MI355X",
            0.23,
            recent_error("MI355X", |run| {
                decodes(run) && run.hardware.contains("MI355X")
            }),
        ),
        (
            "sparse prefill",
            0.32,
            recent_error("sparse prefill", |run| {
                let sparse = run.link.contains("=deepseek-v3.2") || run.link.contains("=glm-5");
                run.kind == RecentKind::Prefill && sparse
            }),
        ),
    ];
    for kind in [
        RecentKind::Aggregated,
        RecentKind::Disaggregated,
        RecentKind::Persistent,
        RecentKind::Prefill,
    ] {
        recent_error(kind.name(), |run| run.kind == kind);
    }
    recent_error("Vera Rubin, steady", |run| {
        run.kind == RecentKind::Steady && run.hardware.contains("Rubin")
    });
    recent_error("steady without Vera Rubin", |run| {
        run.kind == RecentKind::Steady && !run.hardware.contains("Rubin")
    });
    for (name, bound, found) in bounds {
        assert!(found <= bound, "{name}: {found}");
    }
}

/// The thirty older runs that count, under the new calibration.
#[test]
fn older_runs_under_the_new_calibration() {
    let counted = rows().filter(|row| row.group.counts());
    let errors = counted.map(|row| {
        let edit = Edit::keys("v=2&calibration=kernels-2026-11");
        compare(row, &edit).expect("it is evaluated").error()
    });
    let found = summary(errors).expect("there are rows");
    println!(
        "{} older runs: mean {:.1} %, median {:.1} %, bias {:+.1} %",
        found.rows,
        100.0 * found.mean,
        100.0 * found.median,
        100.0 * found.bias
    );
    assert_eq!(found.rows, 30);
    assert!(found.mean <= 0.14, "{}", found.mean);
}

#[test]
fn recent_runs_have_valid_links_and_sources() {
    let mut ids = BTreeSet::new();
    for run in recent() {
        assert!(ids.insert(run.id), "{} stands there twice", run.id);
        assert!(
            run.source.starts_with("https://") || run.source.contains(' '),
            "{}",
            run.id
        );
        let notes = permalink::read(run.link).notes;
        let notes: Vec<_> = notes.iter().map(ToString::to_string).collect();
        assert!(notes.is_empty(), "{}: {notes:?}", run.id);
        assert!(
            run.compare(NamedCalibration::Kernels202611)
                .is_some_and(|found| found.error.is_finite()),
            "{}",
            run.id
        );
    }
    assert_eq!(ids.len(), 226);
}
