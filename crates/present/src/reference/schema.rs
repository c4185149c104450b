//! JSON schemas for the files that designers write in TOML, so that editors complete and check them.

use crate::rules::keys::{self, DeclaredKey};
use crate::scenario;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::iter::Peekable;

/// The edition of JSON schema that is written.
const EDITION: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of a scenario file.
pub fn scenario() -> Value {
    let mut schema = table(scenario::keys::TABLE, scenario_shape);
    schema.insert("$schema".into(), json!(EDITION));
    schema.insert("title".into(), json!("A scenario of rulebench"));
    schema.insert("required".into(), json!(["game"]));
    schema.insert(
        "$defs".into(),
        json!({
            "dial": {
                "description": "A number or a word, or a table of the dials whose names begin with this name.",
                "anyOf": [
                    { "type": ["integer", "string"] },
                    { "type": "object", "additionalProperties": { "$ref": "#/$defs/dial" } },
                ],
            },
        }),
    );
    Value::Object(schema)
}

/// The schema of a register of tweaks, `tweaks.toml`.
pub fn tweaks() -> Value {
    let entry = Value::Object(table(keys::TWEAK, tweak_shape));
    json!({
        "$schema": EDITION,
        "title": "A register of tweaks of rulebench",
        "description": "An entry for each tweak that has a decision or that only changes a dial.",
        "type": "object",
        "additionalProperties": entry,
    })
}

/// The schema of a study file, `studies/<game>/<name>.toml`.
pub fn study() -> Value {
    let mut schema = table(keys::STUDY, study_shape);
    schema.insert("$schema".into(), json!(EDITION));
    schema.insert("title".into(), json!("A study of rulebench"));
    schema.insert("required".into(), json!(["game"]));
    Value::Object(schema)
}

/// Declared keys and shapes of reports.
#[derive(serde::Deserialize)]
struct ReportKeys {
    shapes: BTreeMap<String, String>,
    /// By name: kind of value and description.
    keys: BTreeMap<String, (String, String)>,
}

/// The schema of what commands print with `--json`; a definition for each command.
///
/// # Panics
///
/// If a shape has a key that is not declared.
pub fn reports() -> Value {
    let declared: ReportKeys =
        toml::from_str(include_str!("../reports/keys.toml")).expect("a test reads the file");
    let shapes = declared.shapes.iter().map(|(name, shape)| {
        // What the user stopped says so.
        let shape = if name == "problem" {
            shape.clone()
        } else {
            format!("{shape} stopped?")
        };
        let spaced = shape.replace(['{', '['], " { ").replace(['}', ']'], " } ");
        // An opening bracket belongs to the key before it.
        let mut marks = shape.chars().filter(|c| "{[".contains(*c));
        let object = object(
            &mut spaced.split_whitespace().peekable(),
            &mut marks,
            &declared.keys,
        );
        (name.clone(), object)
    });
    json!({
        "$schema": EDITION,
        "title": "Reports of rulebench as JSON",
        "description": "What each command prints with --json; one that cannot run prints a failure.",
        "$defs": shapes.collect::<Map<_, _>>(),
    })
}

/// Reads the keys of a shape up to its closing bracket.
fn object<'s>(
    words: &mut Peekable<impl Iterator<Item = &'s str>>,
    marks: &mut impl Iterator<Item = char>,
    keys: &BTreeMap<String, (String, String)>,
) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    while let Some(word) = words.next().filter(|word| *word != "}") {
        let (word, own_kind) = word
            .split_once(':')
            .map_or((word, None), |(word, kind)| (word, Some(kind)));
        let name = word.trim_end_matches(['?', '*']);
        let (kind, description) = &keys[name];
        let kind = own_kind.unwrap_or(kind);
        let value = match words.next_if_eq(&"{") {
            Some(_) => {
                let mark = marks.next();
                let fields = object(words, marks, keys);
                if mark == Some('[') { list(fields) } else { fields }
            }
            None if word.contains('*') => list(value_of(kind)),
            None => value_of(kind),
        };
        let value = match word.contains('?') {
            true => json!({ "anyOf": [value, { "type": "null" }] }),
            false => {
                required.push(name);
                value
            }
        };
        let mut about = Map::from_iter([("description".to_owned(), json!(description))]);
        about.extend(value.as_object().cloned().unwrap_or_default());
        properties.insert(name.to_owned(), Value::Object(about));
    }
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// The schema of a kind of value.
fn value_of(kind: &str) -> Value {
    let pair = |one: (&str, Value), other: (&str, Value)| {
        json!({
            "type": "object", "properties": { one.0: one.1, other.0: other.1 }, "required": [one.0, other.0],
            "additionalProperties": false,
        })
    };
    let number = || json!({ "type": ["number", "null"] });
    match kind {
        "text" => json!({ "type": "string" }),
        "flag" => json!({ "type": "boolean" }),
        "whole" => json!({ "type": "integer" }),
        "number" => number(),
        "share" => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
        "fraction" => pair(("exact", json!({ "type": "string" })), ("value", number())),
        "interval" => pair(("low", number()), ("high", number())),
        "map" => json!({ "type": "object" }),
        "value" => json!({ "type": ["string", "number", "boolean"] }),
        "data" => json!({}),
        shape => json!({ "$ref": format!("#/$defs/{shape}") }),
    }
}

/// An object with these keys and no others; each with its description and examples.
fn table(keys: &[DeclaredKey], shape: fn(&str) -> Value) -> Map<String, Value> {
    let mut properties = Map::new();
    for key in keys {
        let mut about = Map::new();
        let purpose = key.doc.split("\n - ").next().unwrap_or_default();
        let purpose = purpose.split_whitespace().collect::<Vec<_>>().join(" ");
        about.insert("description".into(), json!(purpose.replace('`', "'")));
        if let Value::Object(shape) = shape(key.name) {
            about.extend(shape);
        }
        let examples: Vec<Value> = examples(key).into_iter().collect();
        if !examples.is_empty() {
            about.insert("examples".into(), json!(examples));
        }
        properties.insert(key.name.to_owned(), Value::Object(about));
    }
    let mut object = Map::new();
    object.insert("type".into(), json!("object"));
    object.insert("properties".into(), Value::Object(properties));
    object.insert("additionalProperties".into(), json!(false));
    object
}

/// A key's examples, read from how files write them.
fn examples(key: &DeclaredKey) -> Vec<Value> {
    let items = key
        .doc
        .lines()
        .filter_map(|l| l.trim().strip_prefix("- `")?.strip_suffix('`'));
    let read = |text: &str| -> Option<Value> {
        let table: toml::Table = toml::from_str(text).ok()?;
        json_of(table.get(key.name)?)
    };
    items.filter_map(read).collect()
}

/// A value of TOML as JSON, as validators of TOML see it: dates are texts.
pub fn json_of(value: &toml::Value) -> Option<Value> {
    Some(match value {
        toml::Value::Datetime(date) => json!(date.to_string()),
        toml::Value::Array(items) => Value::Array(items.iter().filter_map(json_of).collect()),
        toml::Value::Table(table) => {
            let entries = table.iter().filter_map(|(k, v)| Some((k.clone(), json_of(v)?)));
            Value::Object(entries.collect())
        }
        plain => serde_json::to_value(plain).ok()?,
    })
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string", "pattern": "\\S" } })
}

fn scenario_shape(key: &str) -> Value {
    let text = json!({ "type": "string", "pattern": "\\S" });
    match key {
        "game" | "puzzle" | "until" | "refused" => text,
        "title" => json!({ "type": "string", "pattern": "^[^\\n]*$" }),
        "about" => json!({ "type": "string" }),
        "seed" => json!({ "type": "integer", "minimum": 0 }),
        "empty" => json!({ "type": "boolean", "default": false }),
        "open" => json!({ "type": "string", "pattern": "\\S", "default": scenario::file::DEFAULT_OPEN }),
        "terrain" => json!({
            "type": "object",
            "additionalProperties": { "anyOf": [{ "type": "string" }, texts()] },
        }),
        "units" => json!({
            "type": "object",
            "additionalProperties": {
                "type": "array",
                "items": { "type": "string", "pattern": "^\\s*[^\\s=]+\\s+[^\\s=]+(\\s+[^\\s=]+(=\\S+)?)*\\s*$" },
            },
        }),
        "slots" => json!({
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": { "type": ["integer", "boolean", "string"] },
            },
        }),
        "dials" => json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/dial" } }),
        "rolls" => json!({
            "type": "object",
            "additionalProperties": {
                "type": "array",
                "items": { "anyOf": [
                    { "type": "integer" },
                    { "type": "array", "items": { "type": "integer" } },
                ] },
            },
        }),
        "throws" => json!({ "type": "object", "additionalProperties": texts() }),
        // proves, variants, answers, expect
        _ => texts(),
    }
}

fn study_shape(key: &str) -> Value {
    match key {
        "game" => json!({ "type": "string", "pattern": "\\S" }),
        "about" | "scenario" => json!({ "type": "string" }),
        "games" => json!({ "type": "integer", "minimum": 1, "default": 1000 }),
        "seed" => json!({ "type": "integer", "minimum": 0, "default": 1 }),
        "dials" => json!({ "type": "object", "additionalProperties": { "type": ["integer", "string"] } }),
        "targets" => json!({
            "type": "array",
            "minItems": 1,
            "items": { "type": "string", "pattern": "\\S (at most|at least) \\S|\\S.* to \\S|\\S *(<=|>=) *\\S|\\S.*\\.\\.\\S" },
        }),
        "tune" => json!({ "type": "array", "items": { "type": "string", "pattern": "\\S=\\S" } }),
        "arms" => {
            let keys = ["agents", "armies", "variants", "without", "dials", "targets"];
            let shapes = keys.map(|key| (key.to_owned(), study_shape(key)));
            json!({
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": serde_json::Map::from_iter(shapes),
                },
            })
        }
        // agents, armies, variants, without, measures
        _ => texts(),
    }
}

fn tweak_shape(key: &str) -> Value {
    use crate::rules::register::VariantState;
    let states = [
        VariantState::Idea,
        VariantState::OnTrial,
        VariantState::Adopted,
        VariantState::Rejected,
    ];
    match key {
        "state" => json!({ "enum": states.map(VariantState::name) }),
        "date" => json!({ "type": "string" }),
        "before" => json!({
            "type": "object",
            "properties": {
                "state": { "enum": states.map(VariantState::name) },
                "reason": { "type": "string" },
                "date": { "type": "string" },
                "before": { "type": "object" },
            },
            "additionalProperties": false,
        }),
        "dial" => json!({ "type": "string", "pattern": "=" }),
        "reading" => json!({ "type": "integer", "minimum": 1 }),
        _ => json!({ "type": "string" }),
    }
}
