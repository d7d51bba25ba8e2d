//! Types of results: the one list of fields that `docs/links.md` and the declarations of the npm package follow.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

/// Type of a JSON value.
#[derive(Debug, Clone)]
pub enum Shape {
    /// `true` or `false`.
    Truth,
    /// One of them.
    Only(bool),
    /// A number.
    Number,
    /// A text.
    Text,
    /// `null` or this.
    Nullable(Box<Self>),
    /// A list of any length.
    List(Box<Self>),
    /// A list of two.
    Pair(Box<Self>),
    /// An object with any keys.
    Record(Box<Self>),
    /// One of several.
    Either(Vec<Self>),
    /// An object with these fields.
    Object(Object),
}

/// An object; its fields are a function, so that an object may contain itself.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    /// Name of the type.
    pub name: &'static str,
    /// The fields, in the order of the JSON.
    pub fields: fn() -> Vec<Field>,
}

/// A field of an object.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// Type of its value.
    pub shape: Shape,
    /// Presence in the object.
    pub presence: Presence,
}

/// Presence of a field in the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Always there.
    Always,
    /// Left out if not applicable, never `null`.
    Optional,
    /// Not there: its own fields take its place, all or none of them if it may be absent.
    Flat,
}

/// A type with a JSON shape.
pub trait Shaped {
    /// The shape.
    fn shape() -> Shape;
}

/// Shapes of types that are written as a number, a text, or `true` and `false`.
macro_rules! plain {
    ($($type:ty => $shape:ident,)+) => {
        $(impl Shaped for $type {
            fn shape() -> Shape {
                Shape::$shape
            }
        })+
    };
}

plain! {
    bool => Truth,
    f64 => Number,
    u32 => Number,
    u64 => Number,
    usize => Number,
    &'static str => Text,
    String => Text,
}

impl<T: Shaped> Shaped for Option<T> {
    fn shape() -> Shape {
        Shape::Nullable(Box::new(T::shape()))
    }
}

impl<T: Shaped> Shaped for Vec<T> {
    fn shape() -> Shape {
        Shape::List(Box::new(T::shape()))
    }
}

impl<T: Shaped> Shaped for [T; 2] {
    fn shape() -> Shape {
        Shape::Pair(Box::new(T::shape()))
    }
}

impl<T: Shaped> Shaped for Box<T> {
    fn shape() -> Shape {
        T::shape()
    }
}

impl<T: Shaped> Shaped for BTreeMap<&'static str, T> {
    fn shape() -> Shape {
        Shape::Record(Box::new(T::shape()))
    }
}

/// Values of link keys.
impl Shaped for Map<String, Value> {
    fn shape() -> Shape {
        Shape::Record(Box::new(Shape::Either(vec![Shape::Number, Shape::Text])))
    }
}

/// The `ok` of a result: written as `true` or `false`, and the type of just that value.
#[derive(Debug, Serialize)]
pub struct Valid<const OK: bool>(bool);

impl<const OK: bool> Valid<OK> {
    /// The value.
    pub(crate) const IS: Self = Self(OK);
}

impl<const OK: bool> Shaped for Valid<OK> {
    fn shape() -> Shape {
        Shape::Only(OK)
    }
}
