//! Enumerations whose values have identifiers, written once.

/// Declares an enumeration with the list of its values in order, the identifier of each in links, and, behind `=>`, the
/// name of each for people.
macro_rules! named {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $id:literal => $words:literal,)+ }) => {
        $crate::named::named! { $(#[$about])* pub enum $name { $($(#[$doc])* $value = $id,)+ } }

        impl $name {
            /// The name for people.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $words,)+
                }
            }
        }
    };
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $id:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$doc])* #[serde(rename = $id)] $value,)+ }

        impl $name {
            /// All values, in order.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$value),+];

            /// The identifier in links.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$value => $id,)+
                }
            }
        }
    };
}

pub(crate) use named;

/// Equality of two texts in constants.
pub(crate) const fn same_text(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
