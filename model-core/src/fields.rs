//! JSON fields of a result, declared once with the expressions that fill them.

/// A serialized structure, its constructor `of` and its [`crate::shape::Shape`]: `key: Type = value`, in the order of
/// the JSON. The keys are the contract that `docs/links.md` explains.
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

/// The [`crate::shape::Shape`] of a structure, from its fields with their attributes of serde.
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

/// Presence of a field, from its attributes of serde.
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
