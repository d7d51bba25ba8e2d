//! Enumerations whose values have identifiers, written once.

/// An enumeration with the list of its values, in their order, and the identifier of each in links.
macro_rules! named {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $value:ident = $id:literal,)+ }) => {
        $(#[$about])*
        pub enum $name { $($(#[$doc])* $value,)+ }

        impl $name {
            /// All of them, in their order.
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
