//! A loaded ruleset: its texts, its program and the declared data. It never changes, and threads share it.

mod expressions;
mod messages;

use super::card_text::{self, CardTexts};
use super::declare::problems::unknown_name;
use super::declare::{Dial, DialValue};
use super::layers::{self, Layers};
use super::lint::{self, Catalogue};
use super::load::{self, Loading};
use super::register::{self, Register, variant_path};
use super::run::context::Program;
use super::run::fault::Failure;
use super::run::function::Function;
use super::run::heap::{Heap, HeapEnd};
use super::run::lower::{FunctionIndex, HookNames};
use super::run::members::Members;
use super::run::natives::PROPERTIES;
use super::run::value::Kind;
use super::workspace::Workspace;
use super::{declared_rules, failures, names, problems};
use crate::kernel::dice::text_hash;
use crate::kernel::ids::HookId;
use crate::kernel::rules::{Rules, Words};
use crate::kernel::table::Table;
use crate::parse::{Parsed, Parser};
use crate::report::{Problem, Problems, Source, hint_for};
use messages::{in_reading_order, problem_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Options for loading a ruleset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Dials that are turned, by name.
    pub dials: BTreeMap<String, DialValue>,
    /// Variants that are on, besides those that the game has adopted.
    pub variants: Vec<String>,
    /// Variants that are off although the game has adopted them.
    pub without: Vec<String>,
    /// The text of the scratch layer, which lies over everything else; see [`layers::SCRATCH`].
    pub scratch: Option<String>,
    /// An order in which variants are laid in place of the canonical one, innermost first; for those
    /// who study whether it matters.
    pub order: Vec<String>,
    /// Whether scripts are taken as they are, without looking for calls that cannot be meant.
    pub unlinted: bool,
}

impl LoadOptions {
    /// Returns the variants that are on and the dials that are set, as `NAME` and `NAME=VALUE`.
    pub fn named(&self) -> Vec<String> {
        let dials = self.dials.iter().map(|(name, value)| format!("{name}={value}"));
        self.variants.iter().cloned().chain(dials).collect()
    }

    /// The variants with a script that are on under a register, and every dial that is turned: by
    /// a tweak without a script, or by name, which wins.
    ///
    /// # Errors
    ///
    /// Names that no tweak has.
    fn resolve(&self, register: &Register, scripts: &[String]) -> Result<Resolved, Problems> {
        let known = || scripts.iter().chain(register.entries.keys()).map(String::as_str);
        let mut found = Vec::new();
        for name in self.variants.iter().chain(&self.without) {
            if !known().any(|k| k == name) {
                let problem = unknown_name("variant", name).about(name);
                found.push(problem.hint(hint_for(name, known())));
            }
        }
        Problems::check(std::mem::take(&mut found))?;
        let on: BTreeSet<&str> = register
            .adopted()
            .filter(|name| !self.without.iter().any(|w| w == name))
            .chain(self.variants.iter().map(String::as_str))
            .collect();
        let mut resolved = Resolved::default();
        for name in on {
            match register.dial(name) {
                Some((dial, value)) => {
                    if !self.dials.contains_key(&dial) {
                        resolved.turned_by.insert(dial.clone(), name.to_owned());
                    }
                    let other = resolved.dials.insert(dial.clone(), value.clone());
                    let by_hand = self.dials.contains_key(&dial);
                    if let Some(other) = other.filter(|o| *o != value && !by_hand) {
                        let problem = problems::conflicting_dials(name, &dial, &value, other);
                        let problem = problem.about(name).about(&dial);
                        found.push(problem.at_some(register.place_of_dial(name)));
                    }
                }
                None => resolved.variants.push(name.to_owned()),
            }
        }
        Problems::check(found)?;
        resolved
            .dials
            .extend(self.dials.iter().map(|(n, v)| (n.clone(), v.clone())));
        Ok(resolved)
    }
}

#[derive(Default)]
struct Resolved {
    variants: Vec<String>,
    dials: BTreeMap<String, DialValue>,
    /// The dials that tweaks turn, each with the tweak.
    turned_by: BTreeMap<String, String>,
}

impl Resolved {
    /// Moves problems with a dial to the place of the variant that sets the dial.
    fn at_tweaks(&self, mut problems: Vec<Problem>, register: &Register) -> Vec<Problem> {
        for problem in problems.iter_mut().filter(|p| p.place.is_none()) {
            let mut variants = self.turned_by.iter();
            let variant = variants.find(|(dial, _)| problem.subjects().any(|s| s == dial.as_str()));
            let place = variant.and_then(|(_, variant)| register.place_of_dial(variant));
            if let Some((source, span)) = place {
                *problem = problem.clone().at(source, span);
            }
        }
        problems
    }
}

/// A loaded ruleset: immutable, and shared by all plays under it.
pub struct Ruleset {
    /// The texts and which of their functions are in force.
    pub layers: Layers,
    pub program: Program,
    /// Reads expressions, one at a time.
    parser: Mutex<Parser>,
    pub(super) index: FunctionIndex,
    pub(super) catalogue: Catalogue,
    /// Hooks by name, with their number of parameters; computed on first use.
    pub(super) hooks: OnceLock<HookNames>,
    /// The heap with which every run begins: it holds the constants of the program.
    pub(super) heap: Heap,
    pub(super) constants: HeapEnd,
    /// The texts that the rules themselves know.
    pub words: Words,
    /// The declared data.
    pub rules: Arc<Rules>,
    /// The dials, by name.
    pub dials: Vec<Dial>,
    /// The sentences that players read on cards.
    pub cards: CardTexts,
    /// Options that it was loaded with.
    pub options: LoadOptions,
}

impl fmt::Debug for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ruleset").field(&self.rules.game).finish()
    }
}

impl Ruleset {
    /// Loads a game: reads its scripts, what they declare, and checks all of it.
    ///
    /// # Errors
    ///
    /// Every problem that could be found at once.
    pub fn load(workspace: &Workspace, game: &str, options: &LoadOptions) -> Result<Arc<Self>, Problems> {
        workspace.check_game(game)?;
        let mut found = Vec::new();
        // What is wrong with one part does not keep the others from being looked at; but nothing is
        // told that only follows from something else.
        let (register, wrong) = Register::read_as_far(workspace, game)
            .unwrap_or_else(|problem| (Register::default(), vec![problem]));
        found.extend(wrong);
        let scripts = register::names(workspace, game);
        let resolved = options.resolve(&register, &scripts).unwrap_or_else(|problems| {
            if found.is_empty() {
                found.extend(problems.0);
            }
            Resolved {
                variants: options
                    .variants
                    .iter()
                    .filter(|v| scripts.contains(v))
                    .cloned()
                    .collect(),
                ..Resolved::default()
            }
        });
        let parser = workspace.parser();

        let layers = Layers::read(
            workspace,
            game,
            &layers::LayerSelection {
                variants: &resolved.variants,
                scratch: options.scratch.as_deref(),
                order: &options.order,
                checked: !options.unlinted,
            },
            &parser,
            &mut found,
        );
        let Some(layers) = layers else {
            return Err(in_reading_order(found, &[]));
        };
        let nothing = Arc::new(declared_rules::no_rules(game));
        let plain = || Table::new(Arc::clone(&nothing));
        let bare = || Catalogue::of(&Members::of(&nothing, PROPERTIES), &[]);
        let in_order = |found| Err(in_reading_order(found, &layers.texts));
        let misspelt = lint::misspelt_declarations(&layers);
        let is_misspelt = !misspelt.is_empty();
        found.extend(misspelt);
        if layers.declarations_are_broken() || is_misspelt {
            lint::lint_all(&layers, &bare(), None, &mut found);
            return in_order(found);
        }
        let mut about_dials = Vec::new();
        let to_problem = |failure: &Failure, program: &Program| {
            problem_of(failure, program, &layers, &failures::KnownNames::default())
        };
        let mut loading = Loading::new(&layers, plain(), workspace.work().clone());
        let dials = load::read_dials(&mut loading, &resolved.dials, &mut about_dials, &to_problem);
        found.extend(resolved.at_tweaks(about_dials, &register));
        let Some(dials) = dials else {
            lint::lint_all(&layers, &bare(), None, &mut found);
            return in_order(found);
        };
        let mut loading = loading.anew(plain());
        let move_and_stay = ["move", "stay"].map(|word| loading.table.words.intern(word));
        loading.program.travel = move_and_stay.into();
        let kinds = Kind::ALL
            .iter()
            .map(|kind| loading.table.words.intern(kind.word()));
        loading.program.kinds = kinds.collect();
        let unsaid = loading.lower(&dials, None, false);
        let in_declarations = unsaid.iter().any(|p| layers.is_in_declaration(p));
        found.extend(unsaid);
        if in_declarations {
            lint::lint_all(&layers, &bare(), None, &mut found);
            return in_order(found);
        }
        loading.finish();
        let rules = match declared_rules::declare_rules(&mut loading, game, &dials, &to_problem) {
            Ok(rules) => Some(Arc::new(rules)),
            Err(mut problems) => {
                // What could not be read may be what is missing.
                let lost: BTreeSet<&str> = layers.lost().collect();
                problems
                    .0
                    .retain(|p| !p.subjects().any(|name| lost.contains(name)));
                found.extend(problems.0);
                None
            }
        };
        if let Some(rules) = &rules {
            let members = Arc::make_mut(&mut loading.program.members);
            members.fill(rules, PROPERTIES);
            members.know(&loading.table.words);
            let lost = std::mem::take(&mut loading.lost).into_iter();
            let lost = lost.filter(|(names, _)| !names.iter().any(|name| members.holds_items(name)));
            found.extend(lost.map(|(_, problem)| problem));
            loading.forget_instructions();
            loading.program.hit = rules.hit_slot().map(|slot| slot as u8);
            let moves = loading.program.members.find("move");
            let moves = moves.map(|m| loading.program.members.member(m).get[Kind::Unit as usize]);
            loading.program.moves = moves.flatten();
        }
        let catalogue = match rules.is_some() {
            true => Catalogue::of(&loading.program.members, &loading.program.hooks),
            false => bare(),
        };
        if !options.unlinted || !found.is_empty() {
            let whose = rules
                .as_ref()
                .map(|rules| declared_rules::whose(rules, &loading.program.hooks));
            lint::lint_all(&layers, &catalogue, whose.as_ref(), &mut found);
        }
        // Where something else is wrong, the rule that reads a stat may be what could not be read.
        if let Some(rules) = rules.as_ref().filter(|_| !options.unlinted && found.is_empty()) {
            let off = || {
                let names = scripts.iter().filter(|name| !resolved.variants.contains(name));
                let paths = names.map(|name| variant_path(game, name));
                paths.filter_map(|path| workspace.read(&path).ok()).collect()
            };
            found.extend(loading.unread_stats(rules, off));
            found.extend(names::check(&layers, rules, &dials));
        }
        let cards = match &rules {
            Some(rules) if found.is_empty() => {
                card_text::read(&mut loading, rules, &dials, &to_problem, &mut found)
            }
            _ => CardTexts::default(),
        };
        let Some(rules) = rules.filter(|_| found.is_empty()) else {
            return in_order(found);
        };
        let (lowered, heap, program, index) = loading.into_parts();
        let mut words = lowered.words;
        // Known from the start, so that their ids do not tell how far the game has come.
        for contest in rules.contests() {
            words.intern(contest);
        }
        Ok(Arc::new(Self {
            constants: heap.mark(),
            words,
            heap,
            layers,
            program,
            parser: Mutex::new(parser),
            index,
            catalogue,
            hooks: OnceLock::new(),
            rules,
            dials,
            cards,
            options: options.clone(),
        }))
    }

    /// The stats and dials that no rule reads, under any of the game's variants.
    pub fn idle(&self, workspace: &Workspace) -> Vec<String> {
        let game = &self.rules.game;
        let names = register::names(workspace, game);
        let texts = names.iter().map(|name| workspace.read(&variant_path(game, name)));
        let texts: Vec<_> = texts.filter_map(Result::ok).collect();
        load::idle(&self.layers, &self.rules, &self.dials, &texts)
    }

    /// Sentences about what players need and no card tells; see [`CardTexts`].
    pub fn untold(&self) -> Vec<String> {
        self.cards.untold(&self.layers, &self.rules)
    }

    /// The name of a hook, as scripts define it.
    pub fn hook_name(&self, hook: HookId) -> String {
        let entry = self.program.hooks.get(hook.0 as usize);
        entry.map_or_else(String::new, |e| e.name.clone())
    }

    /// Returns the program.
    #[cfg(test)]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The ruleset's functions; those without a name stand behind the others.
    pub fn functions(&self) -> &[Arc<Function>] {
        let named = self.program.functions.iter().position(|f| f.within.is_some());
        &self.program.functions[..named.unwrap_or(self.program.functions.len())]
    }

    /// A stable number over the texts of the ruleset and its dials, as 8 hexadecimal digits: rules with
    /// the same fingerprint are the same.
    pub fn fingerprint(&self) -> String {
        let texts = self.layers.texts.iter().map(|text| {
            let parsed = &text.parsed;
            format!("{} {:016x}\n", parsed.source.name, parsed.hash)
        });
        let dials = self.dials.iter().map(|d| format!("{} = {}\n", d.name, d.value));
        let all: String = texts.chain(dials).collect();
        let hash = text_hash(&all);
        format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
    }

    /// Reads an expression or statements of a user.
    ///
    /// # Errors
    ///
    /// A text that cannot be read.
    pub(super) fn parse_expression(&self, source: &Arc<Source>) -> Result<Parsed, Problem> {
        // A reader that panicked left nothing half done: each reading starts anew.
        let parser = self.parser.lock().unwrap_or_else(PoisonError::into_inner);
        parser.expression(source)
    }

    /// A hook of the game by its name.
    pub fn hook(&self, name: &str) -> Option<HookId> {
        let at = self.program.hooks.iter().position(|h| h.name == name)?;
        Some(HookId(at as u16))
    }

    /// Returns a problem at the name of a hook of the game.
    pub fn at_hook(&self, name: &str, problem: Problem) -> Problem {
        let place = self
            .layers
            .declaration(0, name)
            .map(|(_, layer)| self.layers.origin(layer));
        problem.at_some(place.as_ref().map(|(source, span)| (source, span.clone())))
    }
}

// Threads share a ruleset.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Ruleset>();
};
