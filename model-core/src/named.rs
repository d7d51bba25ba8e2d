//! Macro for enumerations with permalink identifiers, so that each identifier is written only once.

/// Declares an enumeration, with an ordered list of its values and the identifier of each value in permalinks. The
/// text after `=>` is the display name of the value.
macro_rules! named {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $id:literal => $words:literal,)+ }) => {
        $crate::named::named! { $(#[$about])* pub enum $name { $($(#[$doc])* $value = $id,)+ } }

        impl $name {
            /// Returns the display name.
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
            /// All values, in declaration order.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$value),+];

            /// Returns the identifier used in permalinks.
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

pub(crate) const fn same_text(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
