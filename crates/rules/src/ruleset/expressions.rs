//! Expressions typed by users: their values, the names that they may use, and their problems.

use super::Ruleset;
use crate::declare::Dial;
use crate::failures;
use crate::kernel::rules::Words;
use crate::lint;
use crate::load::by_name;
use crate::parse::{Definition, FnDef, Parsed, TextPosition, Use};
use crate::problems;
use crate::report::{Problem, Source};
use crate::run::fault::FaultKind;
use crate::run::function::Function;
use crate::run::heap::Heap;
use crate::run::library::{MANY, MUTATORS};
use crate::run::lower::{self, HookNames, LowerContext, Names, TextContext};
use crate::run::members::Members;
use crate::run::natives::NATIVES;
use crate::run::value::Kind;
use crate::run::value::NOTHING_WORDS;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// An expression as it is run.
pub(crate) struct LoweredExpression {
    /// The expression itself, and the closures in it.
    pub(crate) functions: Vec<Function>,
    pub(crate) members: Arc<Members>,
    pub(crate) problems: Vec<Problem>,
    /// Names that stand for nothing.
    pub(crate) unknown: Vec<(Arc<str>, TextPosition)>,
}

impl Ruleset {
    /// An expression as it is run, and what is wrong with it.
    pub(crate) fn lowered(
        &self,
        parsed: &Parsed,
        script: usize,
        params: Vec<String>,
        words: &mut Words,
        heap: &mut Heap,
    ) -> LoweredExpression {
        let names = Names {
            layers: &self.layers,
            dials: &self.dials,
            functions: &self.index,
            hooks: self.hooks_by_name(),
        };
        let mut members = Arc::clone(&self.program.members);
        let function = self.program.functions.len();
        let mut store = LowerContext {
            words,
            heap,
            members: &mut members,
            slots_known: true,
            waiting: Vec::new(),
            closures: Vec::new(),
            called: Vec::new(),
            named: function + 1,
            problems: Vec::new(),
            unknown: Vec::new(),
            unknown_in: HashMap::new(),
        };
        let place = Definition { script, level: 0 };
        let within = TextContext {
            parsed,
            text: usize::MAX,
            place,
            layer: None,
            function,
            lazy: true,
        };
        let code = lower::function(&names, &mut store, within, &params, parsed.ast.statements());
        let (closures, problems, unknown) = (store.closures, store.problems, store.unknown);
        let own = Function {
            text: usize::MAX,
            place,
            name: String::new(),
            params,
            at: (0, 0),
            within: None,
            code,
        };
        LoweredExpression {
            functions: std::iter::once(own).chain(closures).collect(),
            members,
            problems,
            unknown,
        }
    }

    fn hooks_by_name(&self) -> &HookNames {
        self.hooks.get_or_init(|| by_name(&self.program.hooks, |_| true))
    }

    /// Returns the problems of a user's expression with these variables, as far as they can be found without a
    /// position.
    pub fn check_expression(&self, source: &Arc<Source>, given: &[&str]) -> Vec<Problem> {
        let parsed = match self.parse_expression(source) {
            Ok(parsed) => parsed,
            Err(problem) => return vec![problem],
        };
        let texts = self.layers.texts.iter().map(|t| &*t.parsed);
        let is_key = lint::keys_of(texts.chain([&parsed]).collect());
        let of_game: Vec<&FnDef> = self.layers.functions(0).collect();
        let visible = |_: TextPosition| of_game.as_slice();
        let nothing = BTreeSet::new();
        let mut found = lint::calls(
            &parsed,
            Some(&is_key),
            &nothing,
            &visible,
            &self.catalogue,
            &|_| None,
        );
        let given = given.iter().map(ToString::to_string).collect();
        let lowered = self.lowered(&parsed, 0, given, &mut self.words.clone(), &mut self.heap.clone());
        found.extend(lowered.problems);
        let methods = parsed.methods.iter();
        // What changes a list changes nothing on the table.
        let methods = methods.filter(|used| !MUTATORS.iter().any(|m| m.name == used.name));
        let own = |name: &str| of_game.iter().any(|f| f.name == name);
        let acts = |used: &&Use| NATIVES.iter().any(|n| n.name == used.name && n.acts());
        for used in parsed.calls.iter().chain(methods).filter(acts) {
            if !own(&used.name) {
                let name = &used.name;
                let span = source.span_at(used.at.0, used.at.1);
                found.push(problems::read_only(name).at(source, span));
            }
        }
        // A name that a closure takes along is met twice.
        let unknown: BTreeSet<(TextPosition, Arc<str>)> =
            lowered.unknown.into_iter().map(|(name, at)| (at, name)).collect();
        for (at, name) in unknown {
            let problem = failures::problem_of(&FaultKind::NoName(name.to_string()), &self.known_names());
            found.push(problem.at(source, source.span_at(at.0, at.1)));
        }
        found
    }

    /// The dials that an expression can read, by the names that it reads them by.
    pub fn names_of_dials(&self) -> Vec<String> {
        let types: Vec<&str> = self.rules.types.iter().map(|t| t.name.as_str()).collect();
        let of_type = |d: &&Dial| d.name.split_once('.').is_some_and(|(of, _)| types.contains(&of));
        let common = self.dials.iter().filter(|d| !of_type(d));
        let names = common.map(|d| d.name.replace('.', "_"));
        NOTHING_WORDS
            .into_iter()
            .map(str::to_owned)
            .chain(names)
            .collect()
    }

    /// The functions that an expression can call, by name; some may stand there twice.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.catalogue.function_names()
    }

    /// Returns the names that can stand behind the dot after a value of this kind: properties, and functions that take
    /// such a value first; of every kind without one. Sorted, each once.
    pub fn members(&self, kind: Option<Kind>) -> Vec<String> {
        let all = self.program.members.iter();
        let properties = all.filter(|(_, member)| match kind {
            Some(kind) => member.get[kind as usize].is_some(),
            None => member.get.iter().any(Option::is_some),
        });
        let mut names: BTreeSet<String> = properties.map(|(name, _)| name.to_owned()).collect();
        let fits = |first: Kind| match kind {
            Some(kind) => first == kind,
            None => Kind::has_members(first),
        };
        let many = [Kind::List, Kind::Units, Kind::Places, Kind::Dice, Kind::Range];
        let takes = NATIVES.iter().filter(|n| match n.params.first() {
            Some((MANY, Kind::Any)) => kind.is_none_or(|kind| many.contains(&kind)),
            first => first.is_some_and(|(_, first)| fits(*first)),
        });
        names.extend(takes.map(|n| n.name.to_owned()));
        names.extend(MUTATORS.iter().filter(|m| fits(m.of)).map(|m| m.name.to_owned()));
        names.into_iter().collect()
    }

    /// Whether a function of that name is the kernel's own.
    pub fn is_native(&self, name: &str) -> bool {
        NATIVES.iter().any(|n| n.name == name)
    }

    /// The names of the parameters of each function of that name: the script's, or the kernel's.
    pub fn parameters(&self, name: &str) -> Vec<Vec<String>> {
        let scripted = self.functions().iter().filter(|f| f.name == name);
        let scripted: BTreeSet<Vec<String>> = scripted.map(|f| f.params.clone()).collect();
        let natives = NATIVES.iter().filter(|n| n.name == name);
        let natives = natives.map(|n| n.params.iter().map(|(name, _)| (*name).to_owned()).collect());
        scripted.into_iter().chain(natives).collect()
    }
}
