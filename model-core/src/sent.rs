//! Serialization of inputs between programs: catalog rows are sent as their identifiers, and numbers as a list.

use crate::arch::catalog as models;
use crate::hardware::catalog as accelerators;
use crate::trace::{self, Trace};

/// Serializes a catalog row as its `id`, and finds the row again by that `id`.
macro_rules! rows {
    ($($row:ty = $find:path;)+) => {$(
        impl serde::Serialize for $row {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.id)
            }
        }

        impl<'de> serde::Deserialize<'de> for &'static $row {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let row = $find(<&str>::deserialize(from)?);
                row.ok_or_else(|| serde::de::Error::custom("no row with this id"))
            }
        }
    )+};
}

rows! {
    models::Entry = models::find;
    accelerators::Entry = accelerators::find;
    Trace = trace::find;
}

/// Serializes the input numbers as a list of optional values, in the order of the inputs.
pub mod numbers {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the optional values of the input numbers as a list.
    pub fn serialize<S: Serializer>(numbers: &[Option<f64>], to: S) -> Result<S::Ok, S::Error> {
        numbers.serialize(to)
    }

    /// Reads a list of exactly `N` optional values.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        from: D,
    ) -> Result<[Option<f64>; N], D::Error> {
        let numbers = Vec::deserialize(from)?;
        numbers
            .try_into()
            .map_err(|_| D::Error::custom("wrong number of values"))
    }
}
