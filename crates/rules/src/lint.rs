//! Checks of a script without running it: calls of functions that do not exist, wrong numbers of arguments, properties
//! that nothing has, functions that nobody calls.

use super::declare::problems::unknown_name;
use super::keys::{self, DECLARED, DeclaredKey};
use super::layers::{Layers, ScriptOf, wrong_parameters};
use super::problems;
use super::run::library::{MUTATORS, Mutator};
use super::run::members::Members;
use super::run::natives::NATIVES;
use super::run::node::HookEntry;
use super::run::throwing::THROWN;
use super::run::value::Kind;
use crate::lines::how_many;
use crate::parse::{FnDef, FunctionBody, Parsed, TextPosition, Use};
use crate::report::{Problem, SUGGESTED, Source, did_you_mean, slip_of};
use crate::rhai_differences::{elsewhere, property_elsewhere};
use crate::scratch::SCRATCH_SOURCE;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of signatures of one function that are shown.
const MAX_SIGNATURES: usize = 4;

/// The functions that the engine offers: names with their possible numbers of arguments.
pub struct Catalogue {
    functions: BTreeMap<Cow<'static, str>, BTreeSet<usize>>,
    /// The names of properties, each with the words for what has it.
    properties: BTreeMap<String, BTreeSet<&'static str>>,
}

/// Name of the call of a function that is kept in a variable: it stands behind a dot, with any number of arguments.
const CALL: &str = "call";

/// A function as it is called, with its parameters.
fn written(name: &str, params: &[(&str, Kind)]) -> String {
    let params = params.iter().map(|(param, kind)| match (*param, kind) {
        (param, Kind::Any) => param.to_owned(),
        (param, kind) if param == kind.word() => param.to_owned(),
        (param, kind) => format!("{param}: {}", kind.word()),
    });
    format!("{name}({})", params.collect::<Vec<_>>().join(", "))
}

/// Returns the signatures of a built-in function, `name(what, what)`; none when there is none of that name.
pub fn signatures(name: &str) -> Vec<String> {
    let natives = NATIVES.iter().filter(|native| native.name == name);
    let mut all: Vec<String> = natives.map(|native| written(name, native.params)).collect();
    if all.is_empty() {
        let mutators = MUTATORS.iter().filter(|mutator| mutator.name == name);
        all.extend(mutators.map(written_of));
    }
    let more = all.len().saturating_sub(MAX_SIGNATURES);
    all.truncate(MAX_SIGNATURES);
    if more > 0 {
        all.push(format!("{more} more ways"));
    }
    all
}

/// Returns the hint with the calls of functions of scripts.
fn call_forms(defs: &[&FnDef]) -> String {
    let forms = defs
        .iter()
        .map(|def| format!("`{}({})`", def.name, def.params.join(", ")));
    format!("write {}", forms.collect::<Vec<_>>().join(" or "))
}

/// Returns the hint for a function that is read as if it were a property, of a value of this kind if that is known.
pub fn as_method(name: &str, of: Option<Kind>) -> Option<String> {
    let natives = NATIVES.iter().filter(|native| native.name == name);
    let natives = natives.filter_map(|native| native.params.split_first());
    let mutators = MUTATORS.iter().filter(|mutator| mutator.name == name);
    let mut all = natives
        .map(|(first, rest)| (first.1, rest))
        .chain(mutators.map(|mutator| (mutator.of, mutator.params)));
    let (_, rest) = all.find(|(first, _)| of.is_none_or(|of| *first == of || *first == Kind::Any))?;
    Some(format!("it is a function: write `.{}`", written(name, rest)))
}

/// Returns the signature of a function that changes a list or map in place.
pub fn written_of(mutator: &Mutator) -> String {
    format!("{}.{}", mutator.of.word(), written(mutator.name, mutator.params))
}

impl Catalogue {
    /// Creates the catalogue of everything that the kernel offers, and of the game's hooks: none while nothing is
    /// declared yet.
    pub fn of(members: &Members, hooks: &[HookEntry]) -> Self {
        let mut functions: BTreeMap<Cow<'static, str>, BTreeSet<usize>> = BTreeMap::new();
        let natives = NATIVES.iter().map(|n| (n.name, n.params.len()));
        let mutators = MUTATORS.iter().map(|m| (m.name, m.params.len() + 1));
        let builtins = natives
            .chain(mutators)
            .map(|(name, params)| (name.into(), params));
        let hooks = hooks.iter().map(|h| (h.name.clone().into(), h.arity));
        for (name, params) in builtins.chain(hooks) {
            functions.entry(name).or_default().insert(params);
        }
        let mut properties = BTreeMap::new();
        for (name, member) in members.iter() {
            let there = |(kind, get): (Kind, &Option<_>)| get.is_some().then(|| kind.word());
            let owners: BTreeSet<_> = Kind::ALL.into_iter().zip(&member.get).filter_map(there).collect();
            if !owners.is_empty() {
                properties.insert(name.to_owned(), owners);
            }
        }
        Self {
            functions,
            properties,
        }
    }

    /// Returns the signatures of a function, `name(what, what)`; none when nothing is known of it.
    pub fn signatures(&self, name: &str) -> Vec<String> {
        signatures(name)
    }

    /// Returns the hint with the ways to call a function of the kernel or a hook.
    fn forms(&self, name: &str) -> String {
        let mut forms = self.signatures(name);
        if forms.is_empty() {
            let counts = self.functions.get(name).into_iter().flatten();
            forms.extend(counts.map(|count| format!("{name}({})", vec!["_"; *count].join(", "))));
        }
        let forms: Vec<String> = forms.iter().map(|form| format!("`{form}`")).collect();
        format!("write {}", forms.join(" or "))
    }

    /// Names of functions that a designer could mean.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(AsRef::as_ref)
    }

    /// Names of properties.
    pub fn property_names(&self) -> impl Iterator<Item = &str> {
        self.properties.keys().map(String::as_str)
    }

    /// The words for what has a property.
    pub fn owners(&self, property: &str) -> Vec<String> {
        self.properties
            .get(property)
            .into_iter()
            .flatten()
            .map(|word| (*word).to_owned())
            .collect()
    }
}

/// Checks the calls of a text. `visible` lists the script functions that can be called at a place.
/// `is_key` says what are map keys of any text: what one declares another may change; `None` when what is
/// declared is not known, so that nothing can be said of properties. `lost` are words of texts that
/// could not be read: functions may be defined there.
pub fn calls<'a, 'b>(
    parsed: &Parsed,
    is_key: Option<&dyn Fn(&str) -> bool>,
    lost: &BTreeSet<&str>,
    visible: &dyn Fn(TextPosition) -> &'b [&'a FnDef],
    catalogue: &Catalogue,
    base: &dyn Fn(&Use) -> Option<Problem>,
) -> Vec<Problem>
where
    'a: 'b,
{
    let found = RefCell::new(Vec::new());
    // Looking for the word that was meant takes long where there are thousands.
    let near = |word: &str, known: &mut dyn Iterator<Item = &str>| {
        let looks = found.borrow().len() < SUGGESTED;
        looks.then(|| did_you_mean(word, known)).flatten()
    };
    let report = |used: &Use, problem: Problem| {
        let span = parsed.source.span_at(used.at.0, used.at.1);
        found.borrow_mut().push(problem.at(&parsed.source, span));
    };
    let wrong_arguments = |used: &Use, form: String| {
        let count = how_many(used.args, "argument");
        report(used, problems::wrong_arguments(&used.name, count).hint(form));
    };
    for used in &parsed.calls {
        let doubtful = used.name != "base" && lost.contains(used.name.as_str());
        let drifts = cfg!(any(test, feature = "trials")) && used.name == "test_drift";
        if drifts || doubtful {
            continue;
        }
        if used.name == "base" {
            if let Some(problem) = base(used) {
                report(used, problem);
            }
            continue;
        }
        let known = visible(used.at);
        let scripted: Vec<&FnDef> = known.iter().copied().filter(|f| f.name == used.name).collect();
        let native = catalogue.functions.get(used.name.as_str());
        let fits = scripted.iter().any(|f| f.params.len() == used.args)
            || native.is_some_and(|n| n.contains(&used.args));
        if fits {
            continue;
        }
        match (&scripted[..], native) {
            ([_, ..], _) => wrong_arguments(used, call_forms(&scripted)),
            ([], Some(_)) => wrong_arguments(used, catalogue.forms(&used.name)),
            ([], None) if parsed.is_variable(&used.name, used.at) => {
                report(used, problems::called_variable(&used.name));
            }
            ([], None) => {
                let names = known.iter().map(|f| f.name.as_str());
                let below = Use {
                    name: "base".to_owned(),
                    ..used.clone()
                };
                let base = base(&below).is_none().then_some("base");
                let hint = elsewhere(&used.name).or_else(|| {
                    let near = near(&used.name, &mut base.into_iter())
                        .or_else(|| near(&used.name, &mut names.chain(catalogue.function_names())));
                    near.map(|n| format!("did you mean `{n}`?"))
                });
                report(used, unknown_name("function", &used.name).hint_some(hint));
            }
        }
    }
    let no_object = |used: &Use| report(used, problems::function_as_method(&used.name));
    for used in &parsed.methods {
        if used.name == CALL {
            continue;
        }
        let is_it = |f: &&&FnDef| f.name == used.name;
        let own = |f: &&FnDef| f.params.len() == used.args + 1;
        match catalogue.functions.get(used.name.as_str()) {
            // Behind a dot there are no functions of scripts: another one than the plain call has would be called.
            Some(_) if visible(used.at).iter().filter(is_it).any(own) => no_object(used),
            Some(n) if n.contains(&(used.args + 1)) => {}
            Some(_) => wrong_arguments(used, catalogue.forms(&used.name)),
            None if visible(used.at).iter().any(|f| is_it(&f)) => no_object(used),
            None => {
                let hint = elsewhere(&used.name).or_else(|| {
                    let near = near(&used.name, &mut catalogue.function_names());
                    near.map(|n| format!("did you mean `.{n}`?"))
                });
                report(used, unknown_name("method", &used.name).hint_some(hint));
            }
        }
    }
    let Some(is_key) = is_key else {
        return found.into_inner();
    };
    for used in &parsed.properties {
        if catalogue.properties.contains_key(&used.name) || is_key(&used.name) {
            continue;
        }
        let hint = as_method(&used.name, None).or_else(|| property_elsewhere(&used.name));
        let hint = hint.or_else(|| {
            let near = near(&used.name, &mut catalogue.property_names());
            near.map(|n| format!("did you mean `.{n}`?"))
        });
        let hint = hint.unwrap_or_else(|| "declare it in `slots()`, or in `stats()`".to_owned());
        report(used, unknown_name("property", &used.name).hint(hint));
    }
    found.into_inner()
}

/// Checks that every function of a unit type's script is a hook or is called. `is_called` says whether that script calls
/// a function.
fn unused(
    parsed: &Parsed,
    game: &[&FnDef],
    called: &BTreeSet<&str>,
    is_called: &dyn Fn(&FnDef) -> bool,
) -> Vec<Problem> {
    let mut found = Vec::new();
    for function in &parsed.fns {
        let name = function.name.as_str();
        let span = parsed.source.span_at(function.at.0, function.at.1);
        if DECLARED.contains(&name) {
            continue;
        }
        let hooks = || game.iter().filter(|g| g.name == name);
        if let Some(hook) = hooks().next() {
            let is_hook = hooks().any(|hook| hook.params.len() == function.params.len());
            if !is_hook && !is_called(function) {
                let problem = wrong_parameters(function, hook.params.len(), hook.params.join(", "));
                found.push(problem.at(&parsed.source, span).about(name));
            }
            continue;
        }
        if called.contains(name) {
            continue;
        }
        let hooks = keys::hooks().map(|hook| hook.name);
        let known = game.iter().map(|g| g.name.as_str()).chain(hooks);
        let near = did_you_mean(name, known.chain(DECLARED));
        let hook = keys::HOOKS.iter().find(|hook| hook.name == name);
        let hint = match hook.and_then(DeclaredKey::head) {
            Some(head) => Some(format!("define the hook in game.rhai: `fn {head} {{ ... }}`")),
            None => near.map(|near| format!("did you mean `{near}`?")),
        };
        let problem = problems::unused_function(name).at(&parsed.source, span);
        found.push(problem.about(name).hint_some(hint));
    }
    found
}

/// Returns a problem if a function is called about other things than those of the script for which it is written: a
/// declaration of the game, one that phases and slots call about others, a hook whose first parameter says so, or one
/// that takes nothing. `own` are the functions that are called within that script, `whose` those that are named.
fn misplaced(
    source: &Arc<Source>,
    def: &FnDef,
    of: ScriptOf,
    own: bool,
    whose: &BTreeMap<&str, BTreeSet<ScriptOf>>,
) -> Option<Problem> {
    const GAME: &str = "game.rhai or a variant";
    let name = def.name.as_str();
    let here = match of {
        ScriptOf::Unit => "a unit",
        ScriptOf::Terrain => "a place",
        ScriptOf::Game => return None,
    };
    let at = source.span_at(def.at.0, def.at.1);
    let hook = keys::hooks().find(|hook| hook.name == name);
    let (there, file) = if DECLARED.contains(&name) {
        match of.declares(name) {
            true => return None,
            false => ("the game", GAME),
        }
    } else if let Some(of_whom) = whose.get(name) {
        let known = [
            (ScriptOf::Unit, "units", "a unit's script or game.rhai"),
            (ScriptOf::Terrain, "places", "a terrain's script or game.rhai"),
            (ScriptOf::Game, "a faction, or the game", GAME),
        ];
        if of_whom.contains(&of) {
            return None;
        }
        let (_, there, file) = known.into_iter().find(|(of, ..)| of_whom.contains(of))?;
        (there, file)
    } else if let Some(hook) = hook {
        match (of, hook.params()?.next()) {
            (_, Some("side")) => ("a faction", GAME),
            (_, None) => ("the game", GAME),
            (ScriptOf::Unit, Some("here")) => ("a place", "a terrain's script or game.rhai"),
            (ScriptOf::Terrain, Some("me")) => ("a unit", "a unit's script or game.rhai"),
            _ => return None,
        }
    } else if def.params.is_empty() && !own {
        return Some(problems::unused_function(name).at(source, at));
    } else {
        return None;
    };
    Some(problems::misplaced_function(name, here, there, file).at(source, at))
}

/// Functions that nobody calls and whose names are slips of those that declare what nothing here declares: whatever
/// else is wrong follows from that.
pub fn misspelt_declarations(layers: &Layers) -> Vec<Problem> {
    let texts = layers.texts.iter();
    let called: BTreeSet<&str> = texts
        .flat_map(|text| text.parsed.calls.iter().chain(&text.parsed.free_names))
        .map(|used| used.name.as_str())
        .collect();
    let mut found = Vec::new();
    for (index, text) in layers.texts.iter().enumerate() {
        let defs = text.parsed.fns.iter();
        for def in defs.filter(|def| def.params.is_empty() && text.about.is_none()) {
            let script = layers.around(index, def.at).map_or(0, |(_, place)| place.script);
            let declares = |name: &&str| {
                let script = &layers.scripts[script];
                // A game without one of these is told of as such.
                let is_missed = ["board", "phases"].contains(name);
                !is_missed && script.of.declares(name) && script.declaration(name).is_empty()
            };
            let name = def.name.as_str();
            // Expectations and the prompt may call helpers; none of them begins as a declaration does.
            let source = &text.parsed.source;
            let behind = &source.text[source.span_at(def.at.0, def.at.1).end..];
            let body = behind.split_once('{').map_or("", |(_, body)| body.trim_start());
            if !body.starts_with("#{") {
                continue;
            }
            if DECLARED.contains(&name) || called.contains(name) || layers.is_quoted(name) {
                continue;
            }
            if let Some(near) = slip_of(name, DECLARED.into_iter().filter(declares)) {
                let problem = problems::unused_function(name);
                let problem = problem.at(source, source.span_at(def.at.0, def.at.1));
                found.push(problem.about(name).hint(format!("did you mean `{near}`?")));
            }
        }
    }
    found
}

/// Returns a problem if nobody calls a function for the game and its name is close to that of a hook.
fn misspelt(source: &Arc<Source>, def: &FnDef) -> Option<Problem> {
    if DECLARED.contains(&def.name.as_str()) || keys::hooks().any(|hook| hook.name == def.name) {
        return None;
    }
    // What is typed is called by what is typed next.
    let near =
        slip_of(&def.name, keys::hooks().map(|hook| hook.name)).filter(|_| source.name != SCRATCH_SOURCE)?;
    let problem = problems::unused_function(&def.name).at(source, source.span_at(def.at.0, def.at.1));
    Some(problem.hint(format!("did you mean `{near}`?")))
}

/// Returns a problem if a hook that must give an answer has no statement.
fn silent(source: &Arc<Source>, def: &FnDef, body: &FunctionBody) -> Option<Problem> {
    let hook = keys::hooks().find(|hook| hook.name == def.name && body.statements.is_empty())?;
    let problem = problems::empty_hook(&def.name, hook.must_give()?);
    Some(problem.at(source, source.span_at(def.at.0, def.at.1)))
}

/// The keys of what comes of a throw, where scripts throw dice.
pub fn thrown_keys<'a>(mut calls: impl Iterator<Item = &'a Use>) -> &'static [&'static str] {
    match calls.any(|call| call.name == "throw_at") {
        true => &THROWN,
        false => &[],
    }
}

/// The functions of a script that declare data, and those that these call: they are run at load, before anything can
/// be traced.
pub fn declaring(parsed: &Parsed) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = DECLARED.iter().map(|n| (*n).to_owned()).collect();
    loop {
        let calls = parsed.calls.iter().chain(&parsed.free_names).filter(|call| {
            let caller = parsed.around(call.at).map(|f| &parsed.fns[f].name);
            caller.is_some_and(|c| found.contains(c)) && parsed.fns.iter().any(|f| f.name == call.name)
        });
        let new: Vec<String> = calls
            .map(|c| c.name.clone())
            .filter(|n| !found.contains(n))
            .collect();
        if new.is_empty() {
            return found;
        }
        found.extend(new);
    }
}

/// Returns a predicate that checks whether a name is a key of a map in one of these texts, or of a throw's result.
pub fn keys_of(texts: Vec<&Parsed>) -> impl Fn(&str) -> bool + '_ {
    let keys = texts.iter().flat_map(|text| &text.map_keys).map(String::as_str);
    let given = thrown_keys(texts.iter().flat_map(|text| &text.calls));
    let keys: BTreeSet<&str> = keys.chain(given.iter().copied()).collect();
    move |name| keys.contains(name) || texts.iter().any(|text| text.assigns(name))
}

/// Checks the functions and calls of all texts without running them. Properties are checked only if the game's
/// declarations are known; then `whose` lists the scripts that may have their own functions of the names declared.
pub fn lint_all(
    layers: &Layers,
    catalogue: &Catalogue,
    whose: Option<&BTreeMap<&str, BTreeSet<ScriptOf>>>,
    found: &mut Vec<Problem>,
) {
    let is_key = keys_of(layers.texts.iter().map(|t| &*t.parsed).collect());
    let lost: BTreeSet<&str> = layers.lost().collect();
    let reported: BTreeSet<String> = found
        .iter()
        .flat_map(Problem::subjects)
        .map(str::to_owned)
        .collect();
    let is_reported = |name: &str| reported.contains(name);
    let of_game: Vec<&FnDef> = layers.functions(0).collect();
    // What can be called within each script.
    let within: Vec<Vec<&FnDef>> = (0..layers.scripts.len())
        .map(|script| {
            let own = (script > 0).then(|| layers.functions(script));
            own.into_iter().flatten().chain(of_game.iter().copied()).collect()
        })
        .collect();
    // A name alone may be a function that is passed on.
    let called = layers.texts.iter();
    let called = called.flat_map(|t| t.parsed.calls.iter().chain(&t.parsed.free_names));
    let called: BTreeSet<&str> = called
        .map(|c| c.name.as_str())
        .chain(lost.iter().copied())
        .collect();
    for (index, text) in layers.texts.iter().enumerate() {
        let base = |used: &Use| {
            let (layer, place) = layers.around(index, used.at)?;
            let name = &layers.def(layer).name;
            match layers.below(place, layer) {
                // What could not be read may have it.
                None if lost.contains(name.as_str()) => None,
                // Its parameters are told of.
                None if layers.unlike_others(layer, place).is_some() => None,
                None => {
                    // A variant says for which script a function is.
                    let mut others = layers
                        .scripts
                        .iter()
                        .filter(|script| script.named(name).next().is_some());
                    let other = others
                        .find(|script| script.name != layers.scripts[place.script].name)
                        .filter(|_| text.about.is_some());
                    let hint = other.map(|script| format!("did you mean `fn {}.{name}`?", script.name));
                    Some(problems::nothing_below(name).hint_some(hint))
                }
                Some((_, below)) => {
                    let parameters = &layers.def(below).params;
                    let count = how_many(used.args, "argument");
                    let form = || format!("write `base({})`", parameters.join(", "));
                    (parameters.len() != used.args)
                        .then(|| problems::wrong_arguments("base", count).hint(form()))
                }
            }
        };
        let visible = |at: TextPosition| -> &[&FnDef] {
            let script = layers.around(index, at).map_or(0, |(_, place)| place.script);
            &within[script]
        };
        found.extend(calls(
            &text.parsed,
            whose.map(|_| &is_key as &dyn Fn(&str) -> bool),
            &lost,
            &visible,
            catalogue,
            &base,
        ));
        let mut known = called.clone();
        for (def, body) in text.parsed.fns.iter().zip(&text.parsed.bodies) {
            let name = def.name.as_str();
            let Some((_, place)) = layers.around(index, def.at) else {
                continue;
            };
            if lost.contains(name) {
                continue;
            }
            let source = &text.parsed.source;
            found.extend(silent(source, def, body));
            let problem = match (layers.scripts[place.script].of, whose) {
                (ScriptOf::Game, _) if called.contains(name) || layers.is_quoted(name) => None,
                (ScriptOf::Game, _) => misspelt(source, def),
                (_, None) => None,
                (of, Some(whose)) => {
                    let is_own = |(nth, used): (usize, &Use)| {
                        used.name == name
                            && layers
                                .around(nth, used.at)
                                .is_some_and(|(_, p)| p.script == place.script)
                    };
                    let texts = layers.texts.iter().enumerate();
                    let mut calls =
                        texts.flat_map(|(nth, t)| t.parsed.calls.iter().map(move |used| (nth, used)));
                    let own = def.params.is_empty() && calls.any(is_own);
                    let uncalled = !called.contains(name) || def.params.is_empty() && !own;
                    let problem = misplaced(source, def, of, own, whose);
                    problem.filter(|_| uncalled)
                }
            };
            if let Some(problem) = problem {
                found.push(problem);
                known.insert(&def.name);
            }
        }
        if (1..layers.scripts.len()).contains(&index) {
            // In another script a call of such a name calls our function.
            let is_called = |def: &FnDef| {
                layers.texts.iter().enumerate().any(|(nth, text)| {
                    let its = |at| layers.around(nth, at).is_some_and(|(_, p)| p.script == index);
                    let mut calls = text.parsed.calls.iter();
                    calls.any(|used| used.name == def.name && used.args == def.params.len() && its(used.at))
                })
            };
            for def in &text.parsed.fns {
                if catalogue.functions.contains_key(def.name.as_str()) && !is_called(def) {
                    known.remove(def.name.as_str());
                }
            }
            let own = unused(&text.parsed, &of_game, &known, &is_called);
            found.extend(
                own.into_iter()
                    .filter(|problem| !problem.subjects().any(&is_reported)),
            );
        }
    }
}
