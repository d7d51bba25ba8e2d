//! One declaration of a shape's fields: the structure, its bounds, and its JSON.
//!
//! A field is a type, a method of [`Walk`] and its bounds; a walk visits them in the order of the
//! JSON. [`super::check`] checks the bounds, [`super::json`] reads and writes.

use std::fmt;

/// An invalid shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeError {
    /// A number out of its bounds.
    Bound {
        /// The field of the architecture.
        field: &'static str,
        /// Its value.
        value: u32,
        /// The least it can be.
        least: u32,
        /// The most it can be.
        most: u32,
    },
    /// A broken rule.
    Rule {
        /// The field of the architecture that breaks it.
        field: &'static str,
        /// The rule, as the end of a sentence.
        rule: &'static str,
    },
}

impl ShapeError {
    /// The invalid field.
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

/// More kinds of layers than a model may have.
pub(super) const TOO_MANY: ShapeError = ShapeError::Rule {
    field: "layers",
    rule: "at most 8 mixers, 8 FFNs and 16 layer types are supported",
};

/// Most heads, or groups of heads.
pub(super) const HEADS: u32 = 1 << 14;
/// Largest dimension of a head or a state.
pub(super) const DIM: u32 = 1 << 14;
/// Largest rank of a compressed projection.
pub(super) const RANK: u32 = 1 << 18;
/// Largest intermediate width.
pub(super) const WIDTH: u32 = 1 << 24;
/// Max tokens of a window, a block or a selection.
pub(super) const TOKENS: u32 = 1 << 24;

/// A visit to every field of a shape, by its key and bounds.
pub(super) trait Walk {
    /// The first fault ends the visit.
    type Error;

    /// A number that must be stated.
    fn needed(
        &mut self,
        key: &'static str,
        least: u32,
        most: u32,
        value: &mut u32,
    ) -> Result<(), Self::Error>;

    /// A number with a default; equal to it, it is not written.
    fn or(
        &mut self,
        key: &'static str,
        default: u32,
        least: u32,
        most: u32,
        value: &mut u32,
    ) -> Result<(), Self::Error>;

    /// A number with a default that is always written.
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

    /// A number that may be absent.
    fn optional(
        &mut self,
        key: &'static str,
        least: u32,
        most: u32,
        value: &mut Option<u32>,
    ) -> Result<(), Self::Error>;

    /// An optional number, written as `null` if absent.
    fn nullable(
        &mut self,
        key: &'static str,
        least: u32,
        most: u32,
        value: &mut Option<u32>,
    ) -> Result<(), Self::Error> {
        self.optional(key, least, most, value)
    }

    /// A flag, false by default.
    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<(), Self::Error>;

    /// A nested shape, absent by default.
    fn inner<S: Shape>(
        &mut self,
        key: &'static str,
        value: &mut Option<S>,
    ) -> Result<(), Self::Error>;

    /// A shape whose fields are written among those of the outer shape.
    fn flat<S: Shape>(&mut self, _: &'static str, value: &mut S) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        value.walk(self)
    }

    /// Fields of which at most one may be set.
    fn clash(&mut self, _: &'static str) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Fields that a [`Walk`] visits.
pub(super) trait Shape: Default {
    /// Visits every field.
    fn walk<W: Walk>(&mut self, with: &mut W) -> Result<(), W::Error>;
}

/// A shape: `name as this { field: Type = method_of_walk(its bounds), … }`; bounds may name earlier
/// fields of `this`.
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

/// Alternatives with one shape each, by their identifiers in links.
macro_rules! shapes {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[$doc:meta])* $kind:ident = $id:literal,)+ }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$doc])* $kind($kind),)+ }

        impl $name {
            /// The identifier in links and results.
            pub const fn id(&self) -> &'static str {
                match self { $(Self::$kind(_) => $id,)+ }
            }

            /// The alternative with this identifier and default fields.
            pub(super) fn blank(id: &str) -> Option<Self> {
                match id {
                    $($id => Some(Self::$kind($kind::default())),)+
                    _ => None,
                }
            }

            /// Visits every field.
            pub(super) fn walk<W: Walk>(&mut self, with: &mut W) -> Result<(), W::Error> {
                match self { $(Self::$kind(shape) => shape.walk(with),)+ }
            }
        }
    };
}

pub(super) use {shape, shapes};
