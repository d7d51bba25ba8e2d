//! JSON fields of a result, declared once with the expressions that fill them.

/// A serialized structure and its constructor `of`: `key: Type = value`, in the order of the JSON. The keys are
/// the contract that `docs/links.md` explains.
macro_rules! fields {
    (
        $(#[$about:meta])*
        $name:ident($($from:ident: $of:ty),* $(,)?) {
            $($(#[$attr:meta])* $field:ident: $type:ty = $value:expr,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, serde::Serialize)]
        #[allow(missing_docs, reason = "the names are the contract; docs/links.md explains them")]
        pub struct $name { $($(#[$attr])* pub $field: $type,)+ }

        impl $name {
            fn of($($from: $of),*) -> Self {
                Self { $($field: $value,)+ }
            }
        }
    };
}

pub(crate) use fields;
