//! Layers: the texts of a ruleset in their order, and which function of which text is in force.
//!
//! A ruleset has scripts (the game's first, then one for each unit type, then one for each kind of terrain). The game's
//! script may lie in several files: game.rhai and those beside it. Over the scripts lie variants:
//! texts that redefine functions of one or more scripts. A function of a script is thus a *stack* of
//! definitions, innermost first; `base` calls the one below. A variant behaves as if the script that
//! it patches had been edited: calls inside that script reach the outermost definition.
//!
//! Any set of variants is put into one order (`after`, then the name), and what cannot be meant is
//! said at load: targets and functions that do not exist, wrong numbers of parameters, a layer that
//! would silently hide another one's.

use super::declare::{DeclarationReader, VariantInfo, problems as declared};
use super::keys::{self, DECLARED, DeclaredKey};
use super::problems;
use super::register::{self, Register, variant_path};
use super::run::natives::{NATIVES, Native};
use super::run::view::{self, ValueView};
use super::workspace::Workspace;
use crate::kernel::ids::MAX_TERRAINS;
use crate::lines::how_many;
use crate::parse::{Definition, FnDef, Parsed, Parser, TextPosition};
use crate::report::{Problem, Problems, SUGGESTED, Source, did_you_mean, hint_for};
use crate::scratch::SCRATCH_SOURCE;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The function with which a variant says what it is.
pub const ABOUT: &str = "variant";

/// Functions that are no rules: advice to agents, what is measured, and what a variant says of itself.
pub const NO_RULES: [&str; 4] = ["worth", "hint", "measures", ABOUT];

/// The name of the layer that is in no file: what a designer tries out before it is kept. It lies over
/// all variants, whatever they say, and may replace what any of them does.
pub const SCRATCH: &str = "scratch";

/// Default hooks that the kernel calls when something happens, where no other layer defines them; the lowest layer of
/// all.
pub const REACTIONS: &str = include_str!("reactions.rhai");

/// The name under which that text is known.
pub const REACTIONS_SOURCE: &str = "<reactions>";

/// Maximum number of unit types in a game: phases keep a mask of them.
const MAX_TYPES: usize = 64;

/// Subject of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptOf {
    /// The game.
    Game,
    /// A unit type.
    Unit,
    /// A kind of terrain.
    Terrain,
}

impl ScriptOf {
    /// Whether such a script declares something by a function of this name.
    pub fn declares(self, name: &str) -> bool {
        match self {
            ScriptOf::Game => DECLARED.contains(&name),
            ScriptOf::Unit | ScriptOf::Terrain => ["dials", "stats", "card"].contains(&name),
        }
    }

    /// Returns the subject of the script at a path; `None` for other files. `scripts/GAME/game.rhai` and all scripts
    /// beside it, `units/GAME/TYPE.rhai` and `scripts/GAME/terrain/TERRAIN.rhai` are scripts.
    pub fn path(game: &str, path: &str) -> Option<Self> {
        let named = |folder: &str| path.starts_with(folder) && path.ends_with(".rhai");
        let of_game = format!("scripts/{game}/");
        if named(&of_game) && !path[of_game.len()..].contains('/') {
            Some(ScriptOf::Game)
        } else if named(&format!("units/{game}/")) {
            Some(ScriptOf::Unit)
        } else if named(&format!("scripts/{game}/terrain/")) {
            Some(ScriptOf::Terrain)
        } else {
            None
        }
    }

    /// Returns the name in messages.
    pub fn word(self) -> &'static str {
        match self {
            ScriptOf::Game => "game",
            ScriptOf::Unit => "unit type",
            ScriptOf::Terrain => "terrain",
        }
    }
}

/// The paths of a game's scripts: game.rhai, the unit types', the terrain's, and the other files of the game's
/// own script.
pub fn script_paths(workspace: &Workspace, game: &str) -> Vec<(ScriptOf, String)> {
    let mut paths = vec![(ScriptOf::Game, format!("scripts/{game}/game.rhai"))];
    for (of, folder) in [
        (ScriptOf::Unit, format!("units/{game}")),
        (ScriptOf::Terrain, format!("scripts/{game}/terrain")),
        (ScriptOf::Game, format!("scripts/{game}")),
    ] {
        let mut found = workspace.list(&folder, ".rhai");
        found.retain(|path| ScriptOf::path(game, path) == Some(of) && *path != paths[0].1);
        found.sort_by(|a, b| script_name(a).cmp(script_name(b)));
        paths.extend(found.into_iter().map(|path| (of, path)));
    }
    paths
}

/// The name of the script in a path.
fn script_name(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or_default();
    file.strip_suffix(".rhai").unwrap_or(file)
}

/// One text of a ruleset.
#[derive(Debug, Clone)]
pub struct ScriptText {
    /// `game`, the unit type, the terrain, or the variant.
    pub name: String,
    /// Subject, when it is a script.
    pub of: ScriptOf,
    /// Parsed text.
    pub parsed: Arc<Parsed>,
    /// Declaration of the variant about itself, when it is one.
    pub about: Option<VariantInfo>,
}

impl ScriptText {
    /// The functions by name, each with its lines but without comments around it.
    pub fn functions(&self) -> BTreeMap<String, String> {
        let source = &self.parsed.source;
        let mut starts: Vec<(usize, String)> = self
            .parsed
            .fns
            .iter()
            .map(|def| {
                let (line, column) = def.of.as_ref().map_or(def.at, |(_, at)| *at);
                (source.span_at(line, column).start, def.full_name())
            })
            .collect();
        starts.sort();
        let ends: Vec<usize> = starts.iter().skip(1).map(|(start, _)| *start).collect();
        let ends = ends.into_iter().chain([source.text.len()]);
        let body = |start: usize, end: usize| -> String {
            let lines = source.text.get(start..end).unwrap_or_default().lines();
            let code = lines
                .map(str::trim)
                .filter(|l| !l.is_empty() && !l.starts_with("//"));
            // What stands before the next function's name.
            let code: Vec<&str> = code.collect();
            let code = match code.split_last() {
                Some((&("fn" | "private fn"), code)) => code,
                _ => &code[..],
            };
            code.join("\n")
        };
        starts
            .iter()
            .zip(ends)
            .map(|((start, name), end)| (name.clone(), body(*start, end)))
            .collect()
    }
}

/// One definition of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layer {
    /// The text, by index.
    pub text: usize,
    /// The function in the text, by index.
    pub function: usize,
}

/// One script with what lies over it.
#[derive(Debug, Clone)]
pub struct LayeredScript {
    /// Subject of the script.
    pub of: ScriptOf,
    /// `game`, the unit type or the terrain.
    pub name: String,
    /// The stacks of its functions, in the order in which the texts bring them.
    pub stacks: Vec<LayerStack>,
}

/// The definitions of one function of a script. Functions of one name that take different numbers of arguments are
/// different functions.
#[derive(Debug, Clone)]
pub struct LayerStack {
    /// The function's name.
    pub name: String,
    /// Number of its parameters.
    pub params: usize,
    /// The definitions, innermost first.
    pub layers: Vec<Layer>,
}

impl LayeredScript {
    /// The definitions of the function of that name with so many parameters, innermost first; empty when it has none.
    pub fn stack(&self, name: &str, params: usize) -> &[Layer] {
        let mut stacks = self.stacks.iter();
        let found = stacks.find(|stack| stack.name == name && stack.params == params);
        found.map_or(&[], |stack| stack.layers.as_slice())
    }

    /// The functions of that name.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a LayerStack> {
        self.stacks.iter().filter(move |stack| stack.name == name)
    }

    /// The definitions of the one function of that name: a declaration or a hook that the kernel knows.
    pub fn declaration(&self, name: &str) -> &[Layer] {
        let found = self.stacks.iter().find(|stack| stack.name == name);
        found.map_or(&[], |stack| stack.layers.as_slice())
    }
}

/// The texts of a ruleset and its scripts. See the module's comment.
#[derive(Debug, Clone)]
pub struct Layers {
    /// The scripts' own texts first, in the order of `scripts`; then the other files of the game's script; then
    /// the variants, innermost first.
    pub texts: Vec<ScriptText>,
    /// The scripts: the game's, then the unit types', then the terrain's.
    pub scripts: Vec<LayeredScript>,
    /// The names of functions that do not fit what is defined already.
    misfits: Vec<String>,
    /// The names that stand in quotes in any text; looked for when somebody asks.
    quoted: OnceLock<HashSet<String>>,
    /// Definitions of each text's functions.
    places: Vec<Vec<Option<Definition>>>,
}

/// Layers requested over a game's scripts.
#[derive(Debug, Clone, Copy)]
pub struct LayerSelection<'a> {
    /// The variants that are on.
    pub variants: &'a [String],
    /// The text of a scratch layer, which lies over all variants.
    pub scratch: Option<&'a str>,
    /// Variants that are laid in this order, innermost first, whatever they say of it themselves.
    pub order: &'a [String],
    /// Whether a variant may only name others that are there.
    pub checked: bool,
}

impl Layers {
    /// Reads the scripts of a game and the variants that are on, and lays them over each other.
    ///
    /// Every problem that can be found before anything is compiled is added to `found`. `None` when
    /// a text is missing or the variants have no order, so that nothing more can be said.
    pub fn read(
        workspace: &Workspace,
        game: &str,
        wanted: &LayerSelection<'_>,
        parser: &Parser,
        found: &mut Vec<Problem>,
    ) -> Option<Self> {
        let LayerSelection {
            variants,
            scratch,
            order,
            checked,
        } = *wanted;
        let mut whole = true;
        let mut texts = Vec::new();
        for text in read_scripts(workspace, game, parser) {
            let text = as_far(text, found);
            whole &= text.is_some();
            texts.extend(text);
        }
        let own = texts.len();
        let known = register::names(workspace, game);
        let register = || Register::read(workspace, game).unwrap_or_default();
        let mut on = Vec::new();
        for name in variants {
            if !known.contains(name) {
                let hint = hint_for(name, known.iter().map(String::as_str));
                let problem = declared::unknown_name("variant", name);
                found.push(problem.about(name).hint(hint));
                whole = false;
                continue;
            }
            let source = workspace.read(&variant_path(game, name)).map_err(Problems::from);
            let text = source.and_then(|source| variant_as_far(name, &source, parser, found));
            let text = as_far(text, found);
            whole &= text.is_some();
            on.extend(text);
        }
        for text in texts.iter() {
            found.extend(text.parsed.problems.iter().cloned());
        }
        for text in on.iter().filter(|_| checked) {
            let unknown = check_names(text, &known, &register);
            whole &= unknown.is_empty();
            found.extend(unknown);
        }
        if !whole {
            return None;
        }
        let mut ordered = as_far(in_order(on), found)?;
        ordered.sort_by_key(|text| order.iter().position(|name| *name == text.name));
        texts.extend(ordered);
        if let Some(text) = scratch {
            let source = Source::new(SCRATCH_SOURCE, text);
            let text = variant_as_far(SCRATCH, &source, parser, found);
            texts.push(as_far(text, found)?);
        }
        let given = parser.read_once(&Source::new(REACTIONS_SOURCE, REACTIONS));
        Some(Self::build(texts, own, given, order, found))
    }

    /// Lays texts over each other, of which the first `own` are those of the scripts.
    fn build(
        mut texts: Vec<ScriptText>,
        own: usize,
        given: Arc<Parsed>,
        order: &[String],
        found: &mut Vec<Problem>,
    ) -> Self {
        let all = texts.len();
        let scripts = 1 + texts[1..own]
            .iter()
            .take_while(|t| t.of != ScriptOf::Game)
            .count();
        let of_game = |text: usize| text == 0 || (scripts..own).contains(&text);
        for (_, text) in texts.iter().enumerate().filter(|(index, _)| of_game(*index)) {
            let own_hooks = text.parsed.fns.iter().filter(|f| f.of.is_none());
            found.extend(own_hooks.filter_map(|f| unlike_hook(&text.parsed.source, f)));
        }
        // Only what somebody defines and the game's script does not needs something below it.
        let defines = |name: &str, is_asked: &dyn Fn(usize) -> bool| {
            let mut selected = texts.iter().enumerate().filter(|(index, _)| is_asked(*index));
            selected.any(|(_, text)| text.parsed.fns.iter().any(|f| f.name == name))
        };
        let needed = (0..given.fns.len()).filter(|f| {
            let name = &given.fns[*f].name;
            !defines(name, &of_game) && defines(name, &|text| !of_game(text))
        });
        let needed: Vec<usize> = needed.collect();
        if !needed.is_empty() {
            texts.push(ScriptText {
                name: REACTIONS_SOURCE.to_owned(),
                of: ScriptOf::Game,
                parsed: given,
                about: None,
            });
        }
        let mut layers = Self {
            scripts: texts[..scripts]
                .iter()
                .map(|text| LayeredScript {
                    of: text.of,
                    name: text.name.clone(),
                    stacks: Vec::new(),
                })
                .collect(),
            misfits: Vec::new(),
            quoted: OnceLock::new(),
            places: texts.iter().map(|t| vec![None; t.parsed.fns.len()]).collect(),
            texts,
        };
        for function in needed {
            layers.push(0, Layer { text: all, function });
        }
        for text in 0..all {
            for function in 0..layers.texts[text].parsed.fns.len() {
                let layer = Layer { text, function };
                if let Some(problem) = repeated_declaration(&layers.texts[text], function) {
                    found.push(problem);
                    continue;
                }
                match layers.target(layer) {
                    Ok(Some(script)) => layers.push(script, layer),
                    Ok(None) => {}
                    Err(problem) => found.push(problem),
                }
            }
        }
        for text in scripts..own {
            let twice = (0..layers.texts[text].parsed.fns.len()).filter_map(|function| {
                let layer = Layer { text, function };
                Some((layers.def(layer).name.clone(), layers.defined_before(layer)?))
            });
            // Of a copy of a whole file the first is told.
            let twice: Vec<(String, Problem)> = twice.collect();
            let (names, problems): (Vec<String>, Vec<Problem>) = twice.into_iter().unzip();
            found.extend(problems.into_iter().next());
            layers.misfits.extend(names);
        }
        for text in own..all {
            for function in 0..layers.texts[text].parsed.fns.len() {
                let Some(place) = layers.places[text][function] else {
                    continue;
                };
                let layer = Layer { text, function };
                if let Some(problem) = layers.check(layer, place, order, found.len() < SUGGESTED) {
                    found.push(problem);
                    layers.misfits.push(layers.def(layer).name.clone());
                }
            }
        }
        layers
    }

    /// The words of what could not be read in any text, where functions may be called or defined; and
    /// the functions that do not fit what they redefine, so that no call can fit both.
    pub fn lost(&self) -> impl Iterator<Item = &str> {
        let texts = self.texts.iter().flat_map(|t| &t.parsed.lost);
        texts.chain(&self.misfits).map(String::as_str)
    }

    /// Whether a text says this name in quotes: a phase or a slot may name so what it runs.
    pub fn is_quoted(&self, name: &str) -> bool {
        let words = self.quoted.get_or_init(|| {
            let texts = self.texts.iter().map(|text| text.parsed.source.text.as_str());
            // A text in quotes and what stands between two of them: where quotes begin is not asked.
            let all = texts.flat_map(|text| text.split('"').skip(1));
            let is_name = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            all.filter(is_name).map(str::to_owned).collect()
        });
        words.contains(name)
    }

    /// Whether a problem is about the text of a declaration.
    pub fn is_in_declaration(&self, problem: &Problem) -> bool {
        problem.place.as_ref().is_some_and(|place| {
            let text = self
                .texts
                .iter()
                .find(|t| t.parsed.source.name == place.source.name);
            let function = text.and_then(|t| Some(&t.parsed.fns[t.parsed.around(place.line_col())?]));
            function.is_some_and(|f| DECLARED.contains(&f.name.as_str()))
        })
    }

    /// Whether a declaration of any script, or a function that one calls, could not be read.
    pub fn declarations_are_broken(&self) -> bool {
        let broken = |text: &ScriptText, name: &str| {
            let fns = &text.parsed.fns;
            (0..fns.len()).any(|f| fns[f].name == name && text.parsed.is_broken(f))
        };
        let names: Vec<&str> = self
            .texts
            .iter()
            .flat_map(|t| {
                let called = t.parsed.calls.iter().filter(|c| {
                    let around = t.parsed.around(c.at);
                    around.is_some_and(|f| DECLARED.contains(&t.parsed.fns[f].name.as_str()))
                });
                called.map(|c| c.name.as_str())
            })
            .chain(DECLARED)
            .collect();
        self.texts.iter().any(|text| names.iter().any(|name| broken(text, name)))
            // A declaration whose head could not be read is not there at all.
            || self.lost().any(|word| DECLARED.contains(&word))
    }

    /// The script that a definition belongs to; `None` for what a variant says of itself.
    fn target(&self, layer: Layer) -> Result<Option<usize>, Problem> {
        let text = &self.texts[layer.text];
        let def = self.def(layer);
        let source = &text.parsed.source;
        if text.about.is_none() {
            return match &def.of {
                // Behind the scripts' own texts are the other files of the game's.
                None if layer.text < self.scripts.len() => Ok(Some(layer.text)),
                None => Ok(Some(0)),
                Some((_, at)) => {
                    let problem = problems::owner_outside_variant(&def.name, def.params.join(", "));
                    Err(problem.at(source, source.span_at(at.0, at.1)))
                }
            };
        }
        let Some((owner, at)) = &def.of else {
            return Ok((def.name != ABOUT).then_some(0));
        };
        let found = self.scripts.iter().position(|s| s.name == *owner);
        found.map(Some).ok_or_else(|| {
            let names = self.scripts.iter().map(|s| s.name.as_str());
            declared::unknown_name("script", owner)
                .at(source, source.span_at(at.0, at.1))
                .hint(hint_for(owner, names))
        })
    }

    fn push(&mut self, script: usize, layer: Layer) {
        let def = self.def(layer);
        let name = def.name.clone();
        // A declaration is called by its name alone.
        let params = match DECLARED.contains(&name.as_str()) {
            true => 0,
            false => def.params.len(),
        };
        let stacks = &mut self.scripts[script].stacks;
        let level = match stacks.iter_mut().find(|s| s.name == name && s.params == params) {
            Some(stack) => {
                stack.layers.push(layer);
                stack.layers.len() - 1
            }
            None => {
                stacks.push(LayerStack {
                    name,
                    params,
                    layers: vec![layer],
                });
                0
            }
        };
        self.places[layer.text][layer.function] = Some(Definition { script, level });
    }

    /// Returns a problem if another one of the game's files already has this function.
    fn defined_before(&self, layer: Layer) -> Option<Problem> {
        let place = self.places[layer.text][layer.function]?;
        let def = self.def(layer);
        let (_, below) = self.below(place, layer)?;
        if self.texts[below.text].name == REACTIONS_SOURCE {
            return None;
        }
        let (source, span) = self.origin(layer);
        let (other, at) = self.origin(below);
        let line = other.line_col(at.start).0;
        Some(crate::parse::problems::repeated_function(&def.name, &other.name, line).at(&source, span))
    }

    /// Returns a problem with one definition of a variant, given the layers below it.
    ///
    /// `suggests` says whether the name that was meant is looked for.
    fn check(&self, layer: Layer, place: Definition, order: &[String], suggests: bool) -> Option<Problem> {
        let text = &self.texts[layer.text];
        let def = self.def(layer);
        let source = &text.parsed.source;
        let span = source.span_at(def.at.0, def.at.1);
        let script = &self.scripts[place.script];
        let below = self.below(place, layer);
        let Some((below_place, below)) = below else {
            if let Some(problem) = self.unlike_others(layer, place) {
                return Some(problem);
            }
            let is_it = |native: &Native| native.name == def.name && native.params.len() == def.params.len();
            if NATIVES.iter().any(is_it) {
                return Some(problems::hidden_native(&def.name).at(source, span));
            }
            let hook = keys::HOOKS.iter().find(|hook| hook.name == def.name);
            // The kernel asks for it by name, whichever layer of the game says it.
            if hook.is_some() && place.script == 0 {
                return unlike_hook(source, def);
            }
            let called = self.texts.iter().any(|t| {
                let mut calls = t.parsed.calls.iter().chain(&t.parsed.free_names);
                calls.any(|c| {
                    c.name == def.name
                        && !(t.name == text.name && t.parsed.around(c.at) == Some(layer.function))
                })
            });
            let lost = self.lost().any(|word| word == def.name);
            if called || self.is_quoted(&def.name) || lost || script.of.declares(&def.name) {
                return None;
            }
            let own = script.stacks.iter().map(|stack| stack.name.as_str());
            let game = self.scripts[0].stacks.iter().map(|stack| stack.name.as_str());
            let hooks = keys::hooks().map(|hook| hook.name);
            let names = own
                .chain(game)
                .chain(hooks)
                .filter(|n| *n != def.name && suggests);
            let hint = match hook.and_then(DeclaredKey::head) {
                Some(head) => format!("define the hook in game.rhai: `fn {head} {{ ... }}`"),
                None => did_you_mean(&def.name, names).map_or_else(
                    || "call a new function in another one".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                ),
            };
            let problem = problems::nothing_to_redefine(&script.name, &def.name);
            return Some(problem.at(source, span).hint(hint));
        };
        let about = text.about.as_ref()?;
        let wins = text.name == SCRATCH || order.contains(&text.name);
        if wins || text.parsed.calls_base(layer.function) {
            return None;
        }
        // Everything down to the first layer that replaces is hidden with it.
        let mut hidden = std::iter::successors(Some((below_place, below)), |(place, layer)| {
            let goes_on = self.texts[layer.text].parsed.calls_base(layer.function);
            self.below(*place, *layer).filter(|_| goes_on)
        })
        .take_while(|(p, l)| p.script == place.script && self.texts[l.text].about.is_some());
        let (_, below) = hidden.find(|(_, l)| !about.overrides.contains(&self.texts[l.text].name))?;
        let under_text = &self.texts[below.text];
        let (under_source, under_span) = self.origin(below);
        let lower = &under_text.name;
        let problem = problems::hidden_variant(&text.name, &def.name, lower).at(source, span);
        Some(problem.called_from(&under_source, under_span, Some(format!("by `{lower}`"))))
    }

    /// Returns the problem of a function that nothing calls with so many arguments, while there is another one of its
    /// name to redefine.
    pub fn unlike_others(&self, layer: Layer, place: Definition) -> Option<Problem> {
        let def = self.def(layer);
        let own = self.scripts[place.script].named(&def.name);
        let others = own.chain(self.scripts[0].named(&def.name).filter(|_| place.script != 0));
        let stack = others.filter(|stack| stack.params != def.params.len()).last()?;
        if self.calls(&def.name, def.params.len(), layer) || self.lost().any(|word| word == def.name) {
            return None;
        }
        let below = *stack.layers.first()?;
        let (source, span) = self.origin(layer);
        let (under_source, under_span) = self.origin(below);
        let under = self.def(below);
        let problem = wrong_parameters(def, under.params.len(), under.params.join(", ")).at(&source, span);
        Some(problem.called_from(&under_source, under_span, Some("redefined".to_owned())))
    }

    /// Whether a text calls a function of that name with so many arguments, outside of this definition.
    fn calls(&self, name: &str, args: usize, outside: Layer) -> bool {
        let mut texts = self.texts.iter().enumerate();
        texts.any(|(index, text)| {
            let parsed = &text.parsed;
            let mut calls = parsed.calls.iter().filter(|c| c.name == name && c.args == args);
            calls.any(|c| index != outside.text || parsed.around(c.at) != Some(outside.function))
        })
    }

    /// The definition as its text has it.
    pub fn def(&self, layer: Layer) -> &FnDef {
        &self.texts[layer.text].parsed.fns[layer.function]
    }

    /// Returns the layer and definition of the function around a position in a text.
    pub fn around(&self, text: usize, at: TextPosition) -> Option<(Layer, Definition)> {
        let function = self.texts[text].parsed.around(at)?;
        Some((Layer { text, function }, self.places[text][function]?))
    }

    /// The outermost definition of a script's function with so many parameters.
    pub fn top(&self, script: usize, name: &str, params: usize) -> Option<(Definition, Layer)> {
        outermost(script, self.scripts[script].stack(name, params))
    }

    /// The outermost definition of a declaration of a script.
    pub fn declaration(&self, script: usize, name: &str) -> Option<(Definition, Layer)> {
        outermost(script, self.scripts[script].declaration(name))
    }

    /// The function of a name that calls in a script go to when they have so many arguments: its own, then the game's.
    pub fn called(&self, script: usize, name: &str, args: usize) -> Option<(Definition, Layer)> {
        self.top(script, name, args).or_else(|| self.top(0, name, args))
    }

    /// Returns the function that `base` calls in a definition: the next one down, then the game's outermost.
    pub fn below(&self, place: Definition, layer: Layer) -> Option<(Definition, Layer)> {
        let (def, script) = (self.def(layer), place.script);
        let stack = |script: usize| match DECLARED.contains(&def.name.as_str()) {
            true => self.scripts[script].declaration(&def.name),
            false => self.scripts[script].stack(&def.name, def.params.len()),
        };
        match place.level.checked_sub(1) {
            Some(level) => Some((Definition { script, level }, stack(script)[level])),
            None if script == 0 => None,
            None => outermost(0, stack(0)),
        }
    }

    /// Every definition that a call with so many arguments about a thing of this script passes, outermost first.
    pub fn chain(&self, script: usize, name: &str, args: usize) -> Vec<(Definition, Layer)> {
        let own = self.called(script, name, args);
        std::iter::successors(own, |(place, layer)| self.below(*place, *layer)).collect()
    }

    /// The name by which a definition has its place among the functions of the ruleset.
    pub fn compiled_name(place: Definition, name: &str) -> String {
        format!("{name}__{}_{}", place.script, place.level)
    }

    /// The scripts of a kind, by index, in the order of the ids of what they are about.
    pub fn scripts_of(&self, of: ScriptOf) -> impl Iterator<Item = usize> + '_ {
        let scripts = self.scripts.iter().enumerate();
        scripts.filter(move |(_, s)| s.of == of).map(|(index, _)| index)
    }

    /// The stats that the game gives to whatever a script is about: units have them.
    pub fn common_stats(&self, script: usize, common: &[(String, i64)]) -> BTreeMap<String, i64> {
        let has = self.scripts[script].of == ScriptOf::Unit;
        common.iter().filter(|_| has).cloned().collect()
    }

    /// The functions of a script, outermost definitions.
    pub fn functions(&self, script: usize) -> impl Iterator<Item = &FnDef> {
        let stacks = self.scripts[script].stacks.iter();
        stacks.filter_map(|stack| stack.layers.last().map(|layer| self.def(*layer)))
    }

    /// A reader of what a declaration of a script returned.
    pub fn reader<'a>(&self, script: usize, function: &'a str) -> DeclarationReader<'a> {
        let stack = self.scripts[script].declaration(function).iter().rev();
        let mut layers: Vec<_> = stack.map(|layer| self.origin(*layer)).collect();
        if layers.is_empty() {
            // What is missing is missing in the script's own file.
            layers.push((Arc::clone(&self.texts[script].parsed.source), 0..0));
        }
        DeclarationReader::new(layers, function)
    }

    /// The text of a definition, and where its name stands in it.
    pub fn origin(&self, layer: Layer) -> (Arc<Source>, Range<usize>) {
        let source = &self.texts[layer.text].parsed.source;
        let at = self.def(layer).at;
        (Arc::clone(source), source.span_at(at.0, at.1))
    }

    /// The variants that are on, innermost first.
    pub fn variants(&self) -> impl Iterator<Item = (&str, &VariantInfo)> {
        let texts = self.texts.iter();
        texts.filter_map(|t| Some((t.name.as_str(), t.about.as_ref()?)))
    }
}

/// Returns a problem if a function declares what one before it in its text declares, with other parameters: a declaration
/// is called by its name alone.
fn repeated_declaration(text: &ScriptText, function: usize) -> Option<Problem> {
    let (before, def) = (&text.parsed.fns[..function], &text.parsed.fns[function]);
    if !DECLARED.contains(&def.name.as_str()) {
        return None;
    }
    let first = before.iter().find(|first| first.full_name() == def.full_name())?;
    let source = &text.parsed.source;
    let problem = crate::parse::problems::repeated_function(&def.name, &source.name, first.at.0);
    // Of the same function twice the parser tells.
    let differs = first.params.len() != def.params.len();
    differs.then(|| problem.at(source, source.span_at(def.at.0, def.at.1)))
}

/// The outermost of these definitions of a function of a script.
fn outermost(script: usize, stack: &[Layer]) -> Option<(Definition, Layer)> {
    let level = stack.len().checked_sub(1)?;
    Some((Definition { script, level }, stack[level]))
}

/// Returns a problem if a function for the game has the name of a hook but not its parameters.
fn unlike_hook(source: &Arc<Source>, def: &FnDef) -> Option<Problem> {
    let hook = keys::hooks().find(|hook| hook.name == def.name)?;
    let parameters: Vec<&str> = hook.params()?.collect();
    let problem = || wrong_parameters(def, parameters.len(), parameters.join(", "));
    (def.params.len() != parameters.len()).then(|| problem().at(source, source.span_at(def.at.0, def.at.1)))
}

/// Returns the problem of a function with another number of parameters than expected.
pub fn wrong_parameters(def: &FnDef, expected: usize, parameters: String) -> Problem {
    let count = how_many(def.params.len(), "parameter");
    declared::wrong_parameters(&def.name, count, expected, parameters)
}

/// Returns the value that was read; if reading failed, adds its problems to `found`.
fn as_far<T>(read: Result<T, Problems>, found: &mut Vec<Problem>) -> Option<T> {
    read.map_err(|problems| found.extend(problems.0)).ok()
}

/// Reads a variant's text and what it says of itself.
///
/// # Errors
///
/// What is wrong with either.
pub fn read_variant(name: &str, source: &Arc<Source>, parser: &Parser) -> Result<ScriptText, Problems> {
    let mut found = Vec::new();
    let text = variant_as_far(name, source, parser, &mut found)?;
    Problems::check(found)?;
    Ok(text)
}

/// The same as far as it can be read; what is wrong with a part of it is added to `found`.
fn variant_as_far(
    name: &str,
    source: &Arc<Source>,
    parser: &Parser,
    found: &mut Vec<Problem>,
) -> Result<ScriptText, Problems> {
    if source.text.trim().is_empty() {
        return Err(problems::empty_script(&source.name).into());
    }
    if !is_plain(name) {
        let form = format!("call the file {}.rhai", plain_name(name));
        found.push(
            declared::wrong_name("a variant", name)
                .hint(&form)
                .at(source, 0..0),
        );
    }
    let parsed = parser.read_once(source);
    found.extend(parsed.problems.iter().cloned());
    let mut about = VariantInfo {
        note: head_note(&source.text),
        ..VariantInfo::default()
    };
    let function = parsed.fns.iter().position(|f| f.name == ABOUT && f.of.is_none());
    if let Some(function) = function.filter(|f| !parsed.is_broken(*f)) {
        let at = parsed.fns[function].at;
        let span = source.span_at(at.0, at.1);
        let Some(ValueView::Map(map)) = parsed.bodies[function].only_value().and_then(view::literal) else {
            return Err(problems::wrong_variant().at(source, span).into());
        };
        let mut reader = DeclarationReader::new(vec![(Arc::clone(source), span)], ABOUT);
        about = reader.about(&map, about.note);
        found.append(&mut reader.problems);
    }
    Ok(ScriptText {
        name: name.to_owned(),
        of: ScriptOf::Game,
        parsed,
        about: Some(about),
    })
}

/// Whether a name can be typed as one word in commands and scripts.
fn is_plain(name: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    !name.is_empty() && name.chars().all(inner)
}

/// The nearest name that can be typed so.
fn plain_name(name: &str) -> String {
    let inner = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() || c == '_' => c,
        _ => '-',
    };
    let plain: String = name.chars().map(inner).collect();
    let plain = plain
        .trim_matches('-')
        .trim_end_matches(|c: char| c.is_ascii_digit());
    if plain.is_empty() {
        "name".to_owned()
    } else {
        plain.to_owned()
    }
}

/// The nearest name that can be typed so and that no script has.
fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let plain = plain_name(name);
    let others = ('b'..='z').map(|letter| format!("{plain}-{letter}"));
    let mut names = std::iter::once(plain.clone()).chain(others);
    names.find(|name| !taken.contains(name)).unwrap_or(plain)
}

/// The comment at the head of a text, as one paragraph.
pub fn head_note(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    let lines = lines.take_while(|l| l.starts_with("//") && !l.starts_with("///"));
    let words: Vec<&str> = lines.map(|l| l.trim_start_matches('/').trim()).collect();
    words.join(" ").trim().to_owned()
}

/// Returns the place where a variant names another in its declaration.
fn named_at<'t>(text: &'t ScriptText, word: &str) -> (&'t Arc<Source>, Range<usize>) {
    let source = &text.parsed.source;
    let start = text
        .parsed
        .function(ABOUT)
        .map_or(0, |f| source.span_at(f.at.0, f.at.1).start);
    let at = source.text[start..]
        .find(&format!("\"{word}\""))
        .map_or(start, |at| start + at + 1);
    (source, at..at + word.len())
}

/// Every variant that a variant names must exist.
fn check_names(text: &ScriptText, known: &[String], register: &dyn Fn() -> Register) -> Vec<Problem> {
    let Some(about) = &text.about else {
        return Vec::new();
    };
    let named = [&about.after, &about.requires, &about.conflicts, &about.overrides];
    let unknown = named.into_iter().flatten().filter(|n| !known.contains(n));
    unknown
        .map(|name| {
            let (source, span) = named_at(text, name);
            if let Some((dial, value)) = register().dial(name) {
                return problems::dial_as_variant(name, &dial, value).at(source, span);
            }
            declared::unknown_name("variant", name)
                .at(source, span)
                .hint(hint_for(
                    name,
                    known.iter().map(String::as_str).filter(|k| *k != text.name),
                ))
        })
        .collect()
}

/// Puts variants into their one order: whatever one comes after lies below it, else by name.
///
/// # Errors
///
/// Unmet `requires`, declared `conflicts`, and circles of `after`.
fn in_order(variants: Vec<ScriptText>) -> Result<Vec<ScriptText>, Problems> {
    let mut waiting: BTreeMap<String, ScriptText> =
        variants.into_iter().map(|v| (v.name.clone(), v)).collect();
    let mut found = Vec::new();
    for (name, text) in &waiting {
        let Some(about) = &text.about else { continue };
        for needed in about.requires.iter().filter(|n| !waiting.contains_key(*n)) {
            let (source, span) = named_at(text, needed);
            found.push(problems::missing_requirement(name, needed).at(source, span));
        }
        for other in about.conflicts.iter().filter(|n| waiting.contains_key(*n)) {
            let (source, span) = named_at(text, other);
            found.push(problems::conflicting_variants(name, other).at(source, span));
        }
    }
    Problems::check(found)?;
    let mut ordered: Vec<ScriptText> = Vec::new();
    while !waiting.is_empty() {
        let below = |text: &ScriptText| {
            let about = text.about.clone().unwrap_or_default();
            let all = about
                .after
                .into_iter()
                .chain(about.requires)
                .chain(about.overrides);
            all.filter(|n| waiting.contains_key(n)).collect::<Vec<_>>()
        };
        let next = waiting
            .values()
            .find(|t| below(t).is_empty())
            .map(|t| t.name.clone());
        let Some(next) = next else {
            // What only comes after the circle is not in it.
            let mut circle: Vec<&ScriptText> = waiting.values().collect();
            loop {
                let inside = |t: &ScriptText| circle.iter().any(|o| below(o).contains(&t.name));
                let smaller: Vec<&ScriptText> = circle.iter().copied().filter(|t| inside(t)).collect();
                if smaller.len() == circle.len() {
                    break;
                }
                circle = smaller;
            }
            let names: Vec<String> = circle.iter().map(|t| format!("`{}`", t.name)).collect();
            let in_circle = |n: &String| circle.iter().any(|t| t.name == *n);
            let first = circle
                .first()
                .and_then(|t| Some((*t, below(t).into_iter().find(in_circle)?)));
            let problem = problems::circular_variants(names.join(", "));
            let place = first.map(|(text, word)| named_at(text, &word));
            return Err(problem.at_some(place).into());
        };
        ordered.extend(waiting.remove(&next));
    }
    Ok(ordered)
}

fn read_scripts(workspace: &Workspace, game: &str, parser: &Parser) -> Vec<Result<ScriptText, Problems>> {
    let paths = script_paths(workspace, game);
    for (of, most) in [(ScriptOf::Unit, MAX_TYPES), (ScriptOf::Terrain, MAX_TERRAINS)] {
        let found = paths.iter().filter(|p| p.0 == of).count();
        if found > most {
            let expected = format!("at most {most} scripts of a {}", of.word());
            return vec![Err(declared::wrong_count(game, expected, found).into())];
        }
    }
    let taken: BTreeSet<String> = paths
        .iter()
        .map(|(_, path)| script_name(path).to_owned())
        .collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut read = |(of, path): (ScriptOf, String)| {
        let name = script_name(&path).to_owned();
        let source = workspace.read(&path)?;
        if source.text.trim().is_empty() {
            return Err(problems::empty_script(&source.name).into());
        }
        if !is_plain(&name) || name.ends_with(|c: char| c.is_ascii_digit()) {
            let form = format!("call the file {}.rhai", free_name(&name, &taken));
            let problem = declared::wrong_name(&format!("a {}", of.word()), &name).hint(&form);
            return Err(problem.at(&source, 0..0).into());
        }
        // Dials, variants and answers go by name, but not by that of a part of game.rhai.
        if (of != ScriptOf::Game || name == "game")
            && let Some(other) = names.insert(name.clone(), path.clone())
        {
            return Err(problems::repeated_file(&path, &other).into());
        }
        let parsed = parser.read_once(&source);
        Ok(ScriptText {
            name,
            of,
            parsed,
            about: None,
        })
    };
    paths.into_iter().map(&mut read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(name: &str, text: &str) -> ScriptText {
        variant_by(&Parser::default(), name, text)
    }

    fn variant_by(parser: &Parser, name: &str, text: &str) -> ScriptText {
        let source = Source::new(format!("{name}.rhai"), text);
        read_variant(name, &source, parser).unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn after(name: &str, others: &[&str]) -> ScriptText {
        variant(name, &format!("fn variant() {{ #{{ after: {others:?} }} }}"))
    }

    fn order(variants: Vec<ScriptText>) -> Result<Vec<String>, String> {
        let ordered = in_order(variants).map_err(|problems| problems.0[0].brief())?;
        Ok(ordered.into_iter().map(|text| text.name).collect())
    }

    #[test]
    fn a_text_is_read_once_and_again_when_it_is_another() {
        let parser = Parser::default();
        let variant = |name: &str, text: &str| variant_by(&parser, name, text);
        let same = |a: &ScriptText, b: &ScriptText| Arc::ptr_eq(&a.parsed, &b.parsed);
        let first = variant("kept", "fn f() { 1 }");
        let other = variant("kept", "fn f() { 2 }");
        assert!(!same(&first, &other) && other.parsed.source.text.contains('2'));
        assert!(same(&first, &variant("kept", "fn f() { 1 }")));
        assert!(same(&other, &variant("kept", "fn f() { 2 }")));
        let third = variant("kept", "fn f() { 3 }");
        assert!(!same(&third, &other) && !same(&first, &variant("kept", "fn f() { 1 }")));
        assert!(!same(&third, &variant("else", "fn f() { 3 }")));
    }

    #[test]
    fn variants_lie_by_name_unless_one_comes_after_another() {
        let of = |names: [&str; 3]| names.map(|n| after(n, if n == "a" { &["c"] } else { &[] }));
        for names in [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]] {
            assert_eq!(
                order(of(names).into()),
                Ok(vec!["b".into(), "c".into(), "a".into()])
            );
        }
    }

    #[test]
    fn what_is_not_on_is_waited_for_by_nobody() {
        assert_eq!(order(vec![after("a", &["z"])]), Ok(vec!["a".into()]));
    }

    #[test]
    fn a_circle_names_those_in_it_alone() {
        let found = order(vec![
            after("a", &["b"]),
            after("b", &["c"]),
            after("c", &["b"]),
            after("d", &["c"]),
        ]);
        assert_eq!(found, Err("circular-variants(`b`, `c`)".to_owned()));
        let found = order(vec![after("a", &["a"])]);
        assert_eq!(found, Err("circular-variants(`a`)".to_owned()));
    }

    #[test]
    fn the_note_is_the_comment_at_the_head_as_one_paragraph() {
        assert_eq!(head_note("// One\n//   two.\n\n// three\nfn f() {}"), "One two.");
        assert_eq!(head_note("/// A function's own.\nfn f() {}"), "");
        assert_eq!(head_note(""), "");
        assert_eq!(
            variant("a", "// Why.\nfn f() {}").about.map(|a| a.note),
            Some("Why.".to_owned())
        );
    }

    #[test]
    fn each_definition_is_compiled_under_a_name_of_its_own() {
        let name = |script, level| Layers::compiled_name(Definition { script, level }, "act");
        let names = [name(0, 0), name(0, 1), name(1, 0), name(11, 0), name(1, 10)];
        let mut unique = names.to_vec();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
    }
}
