//! Declares each shape's fields once, for the struct, its bounds and its JSON.
//!
//! A field is declared by a type, a method of [`Walk`] and bounds; a walk visits the fields in the order of the JSON.
//! [`super::check`] checks the bounds; [`super::json`] reads and writes the JSON.

use std::fmt;

/// The reason why a model shape is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeError {
    /// A field's number is outside its bounds.
    Bound {
        /// Name of the architecture's field.
        field: &'static str,
        /// The invalid value.
        value: u32,
        /// Smallest allowed value.
        least: u32,
        /// Largest allowed value.
        most: u32,
    },
    /// A rule between fields is violated.
    Rule {
        /// Name of the architecture's field that violates the rule.
        field: &'static str,
        /// The violated rule, worded to follow the field's name in a sentence.
        rule: &'static str,
    },
}

impl ShapeError {
    /// Returns the name of the invalid field.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Bound { field, .. } | Self::Rule { field, .. } => field,
        }
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound {
                field,
                value,
                least,
                most,
            } => write!(out, "{field} = {value}; must be {least} to {most}"),
            Self::Rule { field, rule } => write!(out, "{field}: {rule}"),
        }
    }
}

/// Error for an architecture with more distinct mixers, FFNs or layer types than the fixed-size tables hold.
pub(super) const TOO_MANY: ShapeError = ShapeError::Rule {
    field: "layers",
    rule: "at most 8 mixers, 8 FFNs and 16 layer types are supported",
};

/// Max number of heads or of head groups.
pub(super) const HEADS: u32 = 1 << 14;
/// Max dimension of a head or of a recurrent state.
pub(super) const DIM: u32 = 1 << 14;
/// Max rank of a low-rank projection.
pub(super) const RANK: u32 = 1 << 18;
/// Max intermediate width of an FFN.
pub(super) const WIDTH: u32 = 1 << 24;
/// Max number of tokens in a window, a block or a selection.
pub(super) const TOKENS: u32 = 1 << 24;

/// A visitor that is called for every field of a shape, with the field's key and bounds.
pub(super) trait Walk {
    /// Error type of the visitor; the first error ends the walk.
    type Error;

    /// Visits a number that must be present.
    fn needed(
        &mut self,
        key: &'static str,
        least: u32,
        most: u32,
        value: &mut u32,
    ) -> Result<(), Self::Error>;

    /// Visits a number that has a default; a value equal to the default is not written.
    fn or(
        &mut self,
        key: &'static str,
        default: u32,
        least: u32,
        most: u32,
        value: &mut u32,
    ) -> Result<(), Self::Error>;

    /// Visits a number that has a default but is always written.
    fn stated(
        &mut self,
        key: &'static str,
        default: u32,
        least: u32,
        most: u32,
        value: &mut u32,
    ) -> Result<(), Self::Error> {
        self.or(key, default, least, most, value)
    }

    fn optional(
        &mut self,
        key: &'static str,
        least: u32,
        most: u32,
        value: &mut Option<u32>,
    ) -> Result<(), Self::Error>;

    /// Visits an optional number that is written as `null` if absent.
    fn nullable(
        &mut self,
        key: &'static str,
        least: u32,
        most: u32,
        value: &mut Option<u32>,
    ) -> Result<(), Self::Error> {
        self.optional(key, least, most, value)
    }

    /// Visits a flag, which defaults to false.
    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<(), Self::Error>;

    /// Visits a nested shape, which defaults to absent.
    fn inner<S: Shape>(
        &mut self,
        key: &'static str,
        value: &mut Option<S>,
    ) -> Result<(), Self::Error>;

    /// Visits a nested shape whose fields are written at the same level as the outer shape's.
    fn flat<S: Shape>(&mut self, _: &'static str, value: &mut S) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        value.walk(self)
    }

    /// Reports that more than one of several mutually exclusive fields is set.
    fn clash(&mut self, _: &'static str) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A set of fields that a [`Walk`] can visit.
pub(super) trait Shape: Default {
    /// Calls the matching [`Walk`] method of `with` for every field.
    fn walk<W: Walk>(&mut self, with: &mut W) -> Result<(), W::Error>;
}

/// Declares a shape struct: `name as this { field: Type = method_of_walk(its bounds), … }`; bounds may refer to
/// earlier fields of `this`.
macro_rules! shape {
    (
        $(#[$about:meta])*
        $name:ident as $this:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty = $how:ident($($bound:expr),*),)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct $name { $($(#[$doc])* pub $field: $type,)+ }

        impl Shape for $name {
            fn walk<W: Walk>(&mut self, with: &mut W) -> Result<(), W::Error> {
                let $this = self;
                $(with.$how(stringify!($field), $($bound,)* &mut $this.$field)?;)+
                Ok(())
            }
        }
    };
}

/// Declares an enum with one shape per variant and the identifier of each variant in permalinks.
macro_rules! shapes {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[$doc:meta])* $kind:ident = $id:literal,)+ }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$doc])* $kind($kind),)+ }

        impl $name {
            /// Returns the variant's identifier in permalinks and results.
            pub const fn id(&self) -> &'static str {
                match self { $(Self::$kind(_) => $id,)+ }
            }

            /// Returns the variant that has this identifier, with default fields; `None` if there is no such variant.
            pub(super) fn blank(id: &str) -> Option<Self> {
                match id {
                    $($id => Some(Self::$kind($kind::default())),)+
                    _ => None,
                }
            }

            pub(super) fn walk<W: Walk>(&mut self, with: &mut W) -> Result<(), W::Error> {
                match self { $(Self::$kind(shape) => shape.walk(with),)+ }
            }
        }
    };
}

pub(super) use {shape, shapes};
