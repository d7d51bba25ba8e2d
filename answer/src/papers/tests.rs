//! Tests of the table of evidence as the page shows it.

use super::measured::{chart, formerly, found, measured_rows, scores, systems, verdict as told};
use super::*;
use model_core::permalink;

#[test]
fn every_row_has_a_value_an_error_and_opens() {
    let rows = Book::default().rows();
    assert!(rows.len() >= 80);
    for row in &rows {
        assert_ne!(row.state, Reproduction::Wrong, "{}", row.what);
        let waits = row.state == Reproduction::Waiting;
        assert_eq!(row.computed.is_empty(), waits, "{}", row.what);
        assert!(waits || !row.error.is_empty(), "{}", row.what);
        assert!(!row.published.is_empty() && !row.reason.is_empty());
        assert!(!row.computed.contains("NaN") && !row.error.contains("NaN"));
        let link = permalink::read(&row.link);
        assert_eq!(link.notes, [], "{}", row.link);
        assert!(link.current.scenario().is_ok() || link.current.bundle().is_ok());
    }
}

#[test]
fn what_is_divided_by_is_pinned() {
    let rows = Book::default().rows();
    let (row, (_, case)) = rows
        .iter()
        .zip(cases())
        .find(|(_, (_, case))| case.against.is_some())
        .unwrap();
    let link = permalink::read(&row.link);
    let against = permalink::read(case.against.unwrap());
    assert_eq!(link.pinned, Some(against.current));
}

#[test]
fn simulated_rows_wait_for_their_numbers() {
    let before = Book::default().rows();
    let waiting = simulations().len();
    assert!(waiting > 0);
    assert_eq!(OutcomeCounts::of(before.iter()).waiting, waiting);
    let after = with_simulated(&before, &[Some(8.0)]);
    assert_eq!(OutcomeCounts::of(after.iter()).waiting, waiting - 1);
    assert!(verdict(&after).plain_text().contains(" of "));
}

fn listed<'a>(
    rows: &'a [EvidenceRow],
    paper: Option<Paper>,
    words: &str,
    sort: Option<Sort>,
) -> Vec<&'a EvidenceRow> {
    let row = |line| match line {
        EvidenceLine::Row(index, _) => Some(&rows[index]),
        EvidenceLine::Paper(_) | EvidenceLine::All(..) => None,
    };
    let lines = lines(rows, paper, words, sort);
    lines.into_iter().filter_map(row).collect()
}

#[test]
fn search_finds_rows_with_every_word() {
    let rows = Book::default().rows();
    let gaps = listed(&rows, None, " Gap", None);
    // Compare words, not states: some gaps are declared but not simulated yet.
    assert!(gaps.iter().all(|row| row.word == "gap"));
    let declared = rows.iter().filter(|row| row.word == "gap").count();
    assert_eq!(gaps.len(), declared);
    let found = listed(&rows, None, "helix gap HOP-B", None);
    assert!(!found.is_empty() && found.len() < gaps.len());
    assert!(found.iter().all(|row| row.paper == Some(Paper::H)));
    assert_eq!(lines(&rows, None, "gap no-such-word", None), []);
    let runs: Vec<EvidenceRow> = measured_rows("kernels-2026")
        .iter()
        .map(|row| row.listed())
        .collect();
    let h200 = listed(&runs, None, "h200 sglang", None);
    assert!(!h200.is_empty() && h200.iter().all(|row| row.what.contains("H200")));
}

#[test]
fn rows_as_printed_or_sorted() {
    let rows = Book::default().rows();
    // At first, a few rows of each paper are listed; all of them if a paper is selected, or rows are searched or
    // sorted.
    let first = lines(&rows, None, "", None);
    let headings = |lines: &[EvidenceLine]| {
        let is = |line: &&EvidenceLine| matches!(line, EvidenceLine::Paper(_));
        lines.iter().filter(is).count()
    };
    assert_eq!(headings(&first), PAPERS.len());
    assert!(first.len() < 60, "{}", first.len());
    let of_papers = Paper::ALL.map(|paper| listed(&rows, Some(paper), "", None).len());
    assert_eq!(of_papers.iter().sum::<usize>(), rows.len());
    for column in [
        EvidenceColumn::What,
        EvidenceColumn::Place,
        EvidenceColumn::Published,
        EvidenceColumn::Computed,
        EvidenceColumn::Error,
        EvidenceColumn::Reason,
    ] {
        let sorted = listed(&rows, None, "", Some((column, false)));
        let mut turned = listed(&rows, None, "", Some((column, true)));
        assert_eq!((sorted.len(), turned.len()), (rows.len(), rows.len()));
        assert_eq!(headings(&lines(&rows, None, "", Some((column, false)))), 0);
        turned.reverse();
        if column == EvidenceColumn::Error {
            let sizes =
                |rows: &[&EvidenceRow]| rows.iter().map(|row| row.size()).collect::<Vec<_>>();
            assert!(sizes(&sorted).is_sorted_by(|one, other| one >= other));
            assert_eq!(sizes(&sorted), sizes(&turned));
        }
        if column == EvidenceColumn::Reason {
            let gaps = sorted
                .iter()
                .take_while(|row| row.state == Reproduction::Gap);
            assert_eq!(gaps.count(), OutcomeCounts::of(rows.iter()).gaps);
        }
    }
}

#[test]
fn measured_rows_agree_with_their_errors() {
    let all = measured_rows("kernels-2026");
    assert_eq!(all.len(), crate::runs::rows().count());
    let rows = found(&all, "");
    assert!(rows.len() < all.len());
    assert!(rows.iter().all(|row| row.run.kind.counts()));
    let others = found(&all, "excluded from");
    assert_eq!(others.len(), all.len() - rows.len());
    for row in &all {
        assert!(
            row.range.0 <= row.predicted * 1.000_001 && row.predicted <= row.range.1 * 1.000_001
        );
        assert_eq!(permalink::read(&row.link).notes, []);
    }
    let score = scores().remove(0);
    assert_eq!(
        score.near,
        rows.iter().filter(|row| row.within(1.2)).count()
    );
    assert!(told(&rows).plain_text().contains("within 1.2×"));
    let before = formerly(&rows, "kernels-2026");
    let drawn = chart(&rows, &before).points;
    assert_eq!(drawn.len(), rows.len());
    let other = found(&measured_rows("aleph-alpha-2025"), "");
    for (point, other) in drawn.iter().zip(&other) {
        assert_eq!(point.formerly, Some(other.predicted), "{}", point.name);
    }
    assert!(formerly(&other, "aleph-alpha-2025").is_empty());
    let (found, finding) = systems(&rows);
    let runs: usize = found.iter().map(|system| system.runs.len()).sum();
    assert_eq!(runs, rows.len());
    assert!(finding.ends_with(&format!(
        "of {} systems within 1.2× for all runs",
        found.len()
    )));
    let far = found
        .iter()
        .map(|system| system.runs.iter().filter(|(_, far)| *far).count());
    assert_eq!(
        far.sum::<usize>(),
        rows.iter().filter(|row| !row.within(1.2)).count()
    );
}
