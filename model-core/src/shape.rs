//! JSON types of all results. Both `docs/links.md` and the type declarations of the npm package are based on them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

/// Type of a JSON value.
#[derive(Debug, Clone)]
pub enum Shape {
    /// The type of a boolean: `true` or `false`.
    Truth,
    /// Type of one fixed boolean value, either `true` or `false`.
    Only(bool),
    /// The type of a number.
    Number,
    /// The type of a string.
    Text,
    /// Either `null` or a value of this type.
    Nullable(Box<Self>),
    /// A list of any length, with elements of this type.
    List(Box<Self>),
    /// A list of exactly two elements of this type.
    Pair(Box<Self>),
    /// An object with arbitrary keys and values of this type.
    Record(Box<Self>),
    /// A value of any one of these types.
    Either(Vec<Self>),
    /// An object of this object type.
    Object(Object),
}

/// Type of a JSON object. Its fields are given by a function, so that an object type may contain itself.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    /// Name of the object type.
    pub name: &'static str,
    /// Function that returns the fields of the object, in the order of the JSON.
    pub fields: fn() -> Vec<Field>,
}

/// A field of a JSON object type.
#[derive(Debug, Clone)]
pub struct Field {
    /// Key of the field in the JSON object.
    pub name: &'static str,
    /// JSON type of the field's value.
    pub shape: Shape,
    /// Presence of the field in the JSON object.
    pub presence: Presence,
}

/// Presence of a field in the JSON: always present, optional, or flattened into the parent object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// The field is always present.
    Always,
    /// The field is left out if it does not apply; it is never `null`.
    Optional,
    /// The field itself does not appear: the fields of its value appear in the parent object instead. If the value is
    /// optional, either all of them appear or none.
    Flat,
}

/// A Rust type that is serialized with a known JSON type.
pub trait Shaped {
    /// Returns the JSON type of this Rust type.
    fn shape() -> Shape;
}

/// Implements [`Shaped`] for types that are serialized as a number, a string, or `true` and `false`.
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

/// JSON type of a map from permalink keys to their values.
impl Shaped for Map<String, Value> {
    fn shape() -> Shape {
        Shape::Record(Box::new(Shape::Either(vec![Shape::Number, Shape::Text])))
    }
}

/// The `ok` field of a result. It is serialized as `true` or `false`, and its JSON type allows only that value.
#[derive(Debug, Serialize)]
pub struct Valid<const OK: bool>(bool);

impl<const OK: bool> Valid<OK> {
    pub(crate) const IS: Self = Self(OK);
}

impl<const OK: bool> Shaped for Valid<OK> {
    fn shape() -> Shape {
        Shape::Only(OK)
    }
}
