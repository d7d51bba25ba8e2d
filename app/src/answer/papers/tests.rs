//! The rows as the page shows them.

use super::measured::{Runs, by_error, chart, measured_rows, scores, terms, verdict as told};
use super::*;
use model_core::permalink;

#[test]
fn every_row_has_a_value_an_error_and_opens() {
    let rows = rows();
    assert!(rows.len() >= 80);
    for row in &rows {
        assert_ne!(row.state, State::Wrong, "{}", row.what);
        let waits = row.state == State::Waiting;
        assert_eq!(row.computed.is_empty(), waits, "{}", row.what);
        assert!(waits || !row.error.is_empty(), "{}", row.what);
        assert!(!row.published.is_empty() && !row.because.is_empty());
        assert!(!format!("{row:?}").contains("NaN") || waits, "{row:?}");
        let link = permalink::read(&row.link);
        assert_eq!(link.notes, [], "{}", row.link);
        assert!(link.current.scenario().is_ok() || link.current.bundle().is_ok());
    }
}

#[test]
fn what_is_divided_by_is_pinned() {
    let rows = rows();
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
    let before = rows();
    let waiting = simulations().lines().count();
    assert!(waiting > 0);
    assert_eq!(Tally::of(before.iter()).waiting, waiting);
    let after = with_simulated(&before, &[8.0]);
    assert_eq!(Tally::of(after.iter()).waiting, waiting - 1);
    assert!(verdict(&after).plain_text().contains(" of "));
}

#[test]
fn sections_hold_every_row_once_and_fold_the_uneventful() {
    let rows = rows();
    for order in Order::ALL {
        for which in Which::ALL {
            let wanted = rows.iter().filter(|row| which.holds(row)).count();
            let listed = sections(&rows, None, which, order);
            let found: usize = listed
                .iter()
                .map(|one| one.first.len() + one.rest.len())
                .sum();
            assert_eq!(found, wanted);
        }
    }
    let one = sections(&rows, Some(Paper::H), Which::All, Order::Largest);
    assert_eq!(one.len(), 1);
    let sizes: Vec<f64> = one[0].first.iter().map(Row::size).collect();
    assert!(sizes.is_sorted_by(|one, other| one >= other));
    assert!(one[0].more.contains("more"), "{}", one[0].more);
}

#[test]
fn measured_rows_agree_with_their_errors() {
    let rows = measured_rows("kernels-2026");
    assert_eq!(rows.len(), Runs::All.count());
    for row in &rows {
        assert!(
            row.range.0 <= row.predicted * 1.000_001 && row.predicted <= row.range.1 * 1.000_001
        );
        assert_eq!(permalink::read(&row.link).notes, []);
    }
    let score = scores(Runs::All).remove(0);
    assert_eq!(
        score.near,
        rows.iter().filter(|row| row.within(1.2)).count()
    );
    assert!(told(&rows).plain_text().contains("within 1.2×"));
    assert_eq!(chart(&rows).points.len(), rows.len());
    let sorted = by_error(rows);
    assert!(!sorted[0].within(1.2));
}

#[test]
fn leaving_a_term_out_is_told_for_every_term() {
    let (all, terms) = terms(Runs::Counting, "kernels-2026").unwrap();
    assert!(all > 0.0 && terms.len() >= 10);
    assert!(terms[0].mean > all);
}
