//! Tests of the types of results. The TypeScript declarations of the npm package are generated from these types, and
//! every result matches its type.

use std::collections::BTreeMap;
use std::env;
use std::fs;

use model_core::report::Advised;
use model_core::report::account::ExplainedFields;
use model_core::report::pasted::ReadingFields;
use model_core::report::search::SearchFields;
use model_core::shape::{Field, Object, Presence, Shape, Shaped};
use serde_json::{Map, Value};

use super::source::{read, root};

const FILE: &str = "ridgepoint/npm/index.d.ts";
const FUNCTIONS: &str = "\
// Results of Ridgepoint links; docs/links.md of the project explains keys and fields.
// Written by `RIDGEPOINT_RECORD=1 cargo test -p ridgepoint-tests --test tidy declarations`.

/** The result of a link. `levers: false` leaves out what would help, which makes it ten times as fast. */
export function evaluate(link: string | URL, options?: { levers?: boolean }): Advised;
/** The plans of a link: their counts, and the frontier. */
export function search(link: string | URL): SearchFields;
/** Where a number of a link comes from, such as `tpot`; `null` if the link has no such number. */
export function explain(link: string | URL, number: string): ExplainedFields | null;
/** The link that a pasted benchmark makes. */
export function read(paste: string): ReadingFields;
";

/// Returns the types of all results.
pub fn all_results() -> [Shape; 4] {
    [
        Advised::shape(),
        SearchFields::shape(),
        ExplainedFields::shape(),
        ReadingFields::shape(),
    ]
}

/// Returns every object type inside these types, by name.
pub fn objects(shapes: &[Shape]) -> BTreeMap<&'static str, Object> {
    let mut found = BTreeMap::new();
    shapes.iter().for_each(|shape| collect(shape, &mut found));
    found
}

fn collect(shape: &Shape, found: &mut BTreeMap<&'static str, Object>) {
    match shape {
        Shape::Nullable(of) | Shape::List(of) | Shape::Pair(of) | Shape::Record(of) => {
            collect(of, found);
        }
        Shape::Either(of) => of.iter().for_each(|shape| collect(shape, found)),
        Shape::Object(object) => {
            if let Some(same) = found.get(object.name) {
                let (first, second) = (declared(same), declared(object));
                assert_eq!(first, second, "two types of one name");
                return;
            }
            found.insert(object.name, *object);
            let fields = (object.fields)();
            fields.iter().for_each(|field| collect(&field.shape, found));
        }
        Shape::Truth | Shape::Only(_) | Shape::Number | Shape::Text => {}
    }
}

/// Returns a type in TypeScript notation.
fn typed(shape: &Shape) -> String {
    match shape {
        Shape::Truth => "boolean".to_owned(),
        Shape::Only(value) => value.to_string(),
        Shape::Number => "number".to_owned(),
        Shape::Text => "string".to_owned(),
        Shape::Nullable(of) => format!("{} | null", typed(of)),
        Shape::List(of) => format!("Array<{}>", typed(of)),
        Shape::Pair(of) => format!("[{0}, {0}]", typed(of)),
        Shape::Record(of) => format!("Record<string, {}>", typed(of)),
        Shape::Either(of) => of.iter().map(typed).collect::<Vec<_>>().join(" | "),
        Shape::Object(object) => object.name.to_owned(),
    }
}

/// Returns the TypeScript declaration of an object type.
fn declared(object: &Object) -> String {
    let mut parts = Vec::new();
    let mut own = String::new();
    for Field {
        name,
        shape,
        presence,
    } in (object.fields)()
    {
        let line = match (presence, &shape) {
            (Presence::Flat, Shape::Nullable(of)) => {
                parts.push(format!("Partial<{}>", typed(of)));
                continue;
            }
            (Presence::Flat, Shape::Either(_)) => {
                parts.push(format!("({})", typed(&shape)));
                continue;
            }
            (Presence::Flat, _) => {
                parts.push(typed(&shape));
                continue;
            }
            (Presence::Optional, Shape::Nullable(of)) => format!("{name}?: {}", typed(of)),
            (Presence::Optional, _) => format!("{name}?: {}", typed(&shape)),
            (Presence::Always, _) => format!("{name}: {}", typed(&shape)),
        };
        own.push_str(&format!("  {line};\n"));
    }
    parts.push(format!("{{\n{own}}}"));
    format!("export type {} = {};\n", object.name, parts.join(" & "))
}

#[test]
fn declarations_are_written() {
    let mut text = FUNCTIONS.to_owned();
    for object in objects(&all_results()).values() {
        text.push('\n');
        text.push_str(&declared(object));
    }
    if env::var_os("RIDGEPOINT_RECORD").is_some() {
        fs::write(root().join(FILE), &text).expect("the folder is there");
    }
    assert!(read(FILE) == text, "{FILE} is not as it is written");
}

/// Checks that a JSON value matches a type; an error contains the position and the mistake.
pub fn accepts(shape: &Shape, value: &Value) -> Result<(), String> {
    let wrong = || Err(format!("{value:.100} is not {}", typed(shape)));
    match (shape, value) {
        (Shape::Truth, Value::Bool(_))
        | (Shape::Number, Value::Number(_))
        | (Shape::Text, Value::String(_))
        | (Shape::Nullable(_), Value::Null) => Ok(()),
        (Shape::Only(one), Value::Bool(found)) if one == found => Ok(()),
        (Shape::Nullable(of), value) => accepts(of, value),
        (Shape::List(of), Value::Array(list)) => list.iter().try_for_each(|one| accepts(of, one)),
        (Shape::Pair(of), Value::Array(list)) if list.len() == 2 => {
            list.iter().try_for_each(|one| accepts(of, one))
        }
        (Shape::Record(of), Value::Object(map)) => {
            map.values().try_for_each(|one| accepts(of, one))
        }
        (Shape::Either(of), value) if of.iter().any(|one| accepts(one, value).is_ok()) => Ok(()),
        (Shape::Object(object), Value::Object(map)) => {
            let rest = rest(object, map.clone())?;
            match rest.keys().next() {
                Some(key) => Err(format!("{} has no {key}", object.name)),
                None => Ok(()),
            }
        }
        _ => wrong(),
    }
}

/// Returns the fields of a JSON map that the object type does not have. An error names a field that is missing or has
/// the wrong type.
fn rest(object: &Object, mut map: Map<String, Value>) -> Result<Map<String, Value>, String> {
    for field in (object.fields)() {
        let named = |why| format!("{}.{}: {why}", object.name, field.name);
        if field.presence == Presence::Flat {
            map = flat(&field.shape, map).map_err(named)?;
            continue;
        }
        let (shape, optional) = match (&field.shape, field.presence) {
            (Shape::Nullable(of), Presence::Optional) => (&**of, true),
            (shape, presence) => (shape, presence == Presence::Optional),
        };
        match map.remove(field.name) {
            Some(value) => accepts(shape, &value).map_err(named)?,
            None if optional => {}
            None => return Err(named("is missing".to_owned())),
        }
    }
    Ok(map)
}

/// Returns a JSON map without the fields of a part that is flattened into it.
fn flat(shape: &Shape, map: Map<String, Value>) -> Result<Map<String, Value>, String> {
    match shape {
        Shape::Object(object) => rest(object, map),
        Shape::Nullable(of) => Ok(flat(of, map.clone()).unwrap_or(map)),
        Shape::Either(of) => {
            let mut why = Vec::new();
            for one in of {
                match flat(one, map.clone()) {
                    Ok(rest) => return Ok(rest),
                    Err(wrong) => why.push(wrong),
                }
            }
            Err(why.join("; "))
        }
        _ => Err("is not an object".to_owned()),
    }
}

#[test]
fn wrong_values_are_found() {
    let reading = |text: &str| {
        accepts(
            &all_results()[3],
            &serde_json::from_str(text).expect("JSON"),
        )
    };
    assert_eq!(
        reading(r#"{"format":null,"link":"v=3","points":[],"notes":["a"]}"#),
        Ok(())
    );
    for (text, why) in [
        (
            r#"{"format":null,"link":"v=3","points":[]}"#,
            "notes: is missing",
        ),
        (
            r#"{"format":1,"link":"v=3","points":[],"notes":[]}"#,
            "format: 1 is not string",
        ),
        (
            r#"{"format":null,"link":"v=3","points":[],"notes":[],"more":1}"#,
            "has no more",
        ),
    ] {
        let found = reading(text).unwrap_err();
        assert!(found.contains(why), "{found}");
    }
}
