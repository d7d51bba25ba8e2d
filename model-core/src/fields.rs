//! Macros that declare the JSON fields of a result once, with the expressions that fill them.

/// Defines a serialized structure, its constructor `of` and its [`crate::shape::Shape`] from lines of the form
/// `key: Type = value`, in JSON order. The keys are a contract with users of the JSON; `docs/links.md` explains them.
macro_rules! fields {
    (
        $(#[$about:meta])*
        $name:ident($($from:ident: $of:ty),* $(,)?) {
            $($(#[$($attr:tt)*])* $field:ident: $type:ty = $value:expr,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, serde::Serialize)]
        #[allow(missing_docs, reason = "the names are the contract; docs/links.md explains them")]
        pub struct $name { $($(#[$($attr)*])* pub $field: $type,)+ }

        impl $name {
            fn of($($from: $of),*) -> Self {
                Self { $($field: $value,)+ }
            }
        }

        $crate::fields::shaped! {
            $name { $($(#[$($attr)*])* $field: $type,)+ }
        }
    };
}

/// Derives the [`crate::shape::Shape`] of a structure from its fields and their serde attributes.
macro_rules! shaped {
    ($name:ident { $($(#[$($attr:tt)*])* $field:ident: $type:ty,)+ }) => {
        impl $crate::shape::Shaped for $name {
            fn shape() -> $crate::shape::Shape {
                $crate::shape::Shape::Object($crate::shape::Object {
                    name: stringify!($name),
                    fields: || vec![$($crate::shape::Field {
                        name: stringify!($field),
                        shape: <$type as $crate::shape::Shaped>::shape(),
                        presence: $crate::fields::presence!($(#[$($attr)*])*),
                    },)+],
                })
            }
        }
    };
}

/// Expands to the presence of a field (always present, optional or flattened), read from its serde attributes.
macro_rules! presence {
    () => {
        $crate::shape::Presence::Always
    };
    (#[serde(skip_serializing_if = $when:literal)]) => {
        $crate::shape::Presence::Optional
    };
    (#[serde(flatten)]) => {
        $crate::shape::Presence::Flat
    };
}

pub(crate) use {fields, presence, shaped};
