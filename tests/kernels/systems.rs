//! Tests the TPOT of measured runs by comparison with an independent computation.

use std::collections::BTreeMap;

use model_core::measured::{Edit, compare};
use ridgepoint_tests::runs::rows;
use serde::Deserialize;

use crate::curve::agrees;

#[derive(Deserialize)]
struct File {
    /// For each accelerator, the specifications in which this file differs from the catalog, as permalink keys.
    stated: BTreeMap<String, String>,
    row: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    measured_s: f64,
    tpot_s: f64,
}

#[test]
fn measured_systems_agree() {
    let file: File =
        toml::from_str(include_str!("../golden/kernels-2026/systems.toml")).expect("it is TOML");
    assert_eq!(file.row.len(), 29);
    for expected in &file.row {
        let Some(row) = rows().find(|row| row.id == expected.id) else {
            panic!("{} is no row", expected.id);
        };
        let stated = file
            .stated
            .iter()
            .find(|(gpu, _)| row.link.contains(&format!("&gpu={gpu}&")))
            .map_or("", |(_, stated)| stated);
        let keys = format!("calibration=kernels-2026&{stated}");
        let Some(found) = compare(row, &Edit::keys(&keys)) else {
            panic!("{} is refused", row.id);
        };
        agrees(
            row.id,
            "measured",
            found.measured.get(),
            expected.measured_s,
        );
        agrees(row.id, "tpot", found.computed.get(), expected.tpot_s);
    }
}
