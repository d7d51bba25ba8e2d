//! Tests published measurement series of at least three rows: each row is predicted from other rows of its series.

use model_core::calibration::NamedCalibration;
use ridgepoint_tests::accuracy::series::left_out;

#[test]
fn rows_of_a_deployment_predict_its_others() {
    let all = left_out(NamedCalibration::Kernels202612).expect("every row is computed");
    for left in &all {
        println!("{left:?}");
    }
    assert_eq!(all[1].series, 28);
    assert!(all[1].mean <= 0.125 && all[2].mean <= 0.09);
    // Predictions from three rows are left out: only 17 series have enough rows.
    for left in &all[1..=2] {
        let held = left.held.expect("a band");
        assert!((0.75..=0.90).contains(&held), "{left:?}");
    }
}
