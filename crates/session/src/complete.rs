//! Completion of an unfinished line, and the hint shown in grey behind it.

use crate::agents::Agent;
use crate::commands;
use crate::description::{RESERVE, change};
use crate::kernel::rules::{ItemKind, Slot, SlotKind};
use crate::kernel::spot::parse_length;
use crate::lexer::{self, KEYWORDS, Token, TokenClass};
use crate::odds::{self, explore::Policy};
use crate::option_text;
use crate::report::Source;
use crate::rules::declare::{DialRange, DialValue};
use crate::rules::rolls::rolls;
use crate::session::Session;
use crate::typed;
use crate::typed::MUCH;
use crate::{arguments, naming};
use std::sync::Arc;

/// A dial with no more numbers than this has all of them completed.
const FEW_NUMBERS: i64 = 20;

/// The completions at the end of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// The byte of the line at which the words begin.
    pub start: usize,
    /// The words, sorted.
    pub words: Vec<String>,
    /// Whether a file could.
    pub files: bool,
}

/// The hint behind the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndHint {
    /// The text.
    pub text: String,
    /// Whether it is what the line goes on with, and can be taken over.
    pub takes: bool,
}

impl Completions {
    /// Nothing, at a place of the line.
    fn none(start: usize) -> Self {
        Self {
            start,
            ..Self::default()
        }
    }
}

impl EndHint {
    fn rest(text: &str) -> Option<Self> {
        Some(Self {
            text: text.to_owned(),
            takes: true,
        })
    }

    fn hint(text: String) -> Option<Self> {
        Some(Self { text, takes: false })
    }
}

impl Session {
    /// The keys of the open question; what an agent is asked is not a person's to read.
    fn offered_keys(&self) -> Vec<String> {
        match self.is_for_machine() {
            true => Vec::new(),
            false => self.play.with_question(|a| a.keys()).unwrap_or_default(),
        }
    }

    /// Returns the completions at the end of an unfinished line.
    pub fn completions(&mut self, line: &str) -> Completions {
        if line.len() > MUCH {
            return Completions::none(line.len());
        }
        if let Some(command) = line.strip_prefix(':') {
            return match command.split_once(char::is_whitespace) {
                None => completions(1, commands::matching_names(command).into_iter(), command),
                Some((name, args)) => self.argument(name, args, line.len() - args.len()),
            };
        }
        let keys = self.offered_keys().into_iter();
        let answers = completions(0, keys.chain(self.spots(line)), line);
        if line.trim().is_empty() || !answers.words.is_empty() {
            return answers;
        }
        // A short name becomes the whole one.
        let is_named = |key: &String| {
            key.split_once('.')
                .is_some_and(|(_, name)| name.starts_with(line))
        };
        let words: Vec<String> = self.offered_keys().into_iter().filter(is_named).collect();
        match words.is_empty() {
            true => self.expression(line, 0),
            false => completions(0, words.into_iter(), ""),
        }
    }

    /// Returns completions for the spot of an offered region.
    fn spots(&self, line: &str) -> Vec<String> {
        let mover = self.play.with_question(|a| {
            let region = a.request.options.region().filter(|region| region.moves())?;
            let pieces = option_text::pieces(&(a.rules, a.world));
            Some((a.rules.unit_name(a.world.name(region.mover())), pieces))
        });
        let mover = mover.flatten().filter(|_| !line.trim().is_empty());
        let Some((mover, pieces)) = mover else {
            return Vec::new();
        };
        let others = || self.units_seen().into_iter().filter(|name| *name != mover);
        let contact = others().map(|name| format!("contact {name}"));
        let length = line.split(' ').next().filter(|word| parse_length(word).is_some());
        let toward = length.into_iter().flat_map(|length| {
            let directions = [0, 90, 180, 270].map(|degrees| format!("{length} at {degrees}"));
            let goals = others().chain(pieces.iter().cloned());
            goals
                .map(move |name| format!("{length} toward {name}"))
                .chain(directions)
        });
        contact.chain(toward).collect()
    }

    /// Returns completions for the arguments of a command, which begin at a place of the line.
    fn argument(&mut self, name: &str, args: &str, at: usize) -> Completions {
        let Some(row) = commands::row(name) else {
            return Completions::default();
        };
        let (written, word) = split_args(row.takes.0, args);
        let mut kinds = self.kinds(row.takes.0, &written);
        if kinds.is_empty() && !written.is_empty() && arguments::take_code(row.takes.0) {
            kinds.push("CODE");
        }
        let start = at + args.len() - word.len();
        if kinds.iter().any(|kind| arguments::is_code(kind)) {
            let behind = written
                .first()
                .filter(|_| arguments::words(row.takes.0).any(|w| w == "CODE"));
            let head = behind.map_or(0, |first| args.find(first).unwrap_or(0) + first.len());
            let code = self.expression(&args[head..], at + head);
            if !code.words.is_empty() {
                return code;
            }
        }
        if let Some((name, value)) = word.split_once('=') {
            let values = self.values(name);
            return completions(start + name.len() + 1, values.into_iter(), value);
        }
        let files = kinds.iter().any(|kind| is_file(kind));
        if kinds.is_empty() {
            // What is written is not understood, or goes on.
            kinds = arguments::words(row.takes.0).collect();
        }
        let (mut words, mut unknown) = (Vec::new(), false);
        for kind in &kinds {
            match self.of_kind(kind) {
                _ if *kind == "CHANGE;" => words.extend(self.begun_change(&written)),
                Some(known) if *kind == "POLICY" => {
                    // One plays many times, another looks at everything.
                    let refused = match written.contains(&"--sample") {
                        true => Policy::Best,
                        false => Policy::Greedy,
                    };
                    let taken = |name: &String| odds::policy(name).is_ok_and(|policy| policy != refused);
                    words.extend(known.into_iter().filter(taken));
                }
                Some(known) => words.extend(known),
                None => unknown |= arguments::is_kind(kind) && !is_free(kind),
            }
        }
        if unknown {
            words.extend((row.known)(self));
        }
        let mut found = completions(start, words.into_iter(), word);
        found.files = files;
        found
    }

    /// The words of the table that may stand behind the written ones.
    fn kinds(&self, args: &'static str, written: &[&str]) -> Vec<&'static str> {
        let fits = |kind: &str, text: &str, optional| naming::fit(self, kind, text, optional);
        arguments::expected(args, &written.join(" "), &fits)
    }

    /// Returns the values of a word of the usage text; `None` when only the command itself knows.
    pub(crate) fn of_kind(&self, kind: &str) -> Option<Vec<String>> {
        let rules = &self.play.ruleset().rules;
        let board = &rules.board;
        let places = || board.places().iter().map(|p| board.name(p).to_owned());
        let list = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        Some(match kind {
            word if !arguments::is_kind(word) => vec![word.to_owned()],
            "PHASE" | "PHASES" => {
                // So far may be played, and to the end.
                let others = ["steps", "turns", "end"].into_iter().filter(|_| kind == "PHASES");
                let phases = rules.phases.iter().skip(1).map(|p| p.name.clone());
                phases.chain(others.map(str::to_owned)).collect()
            }
            "UNIT" => self.units_seen(),
            "PLACE" => places().collect(),
            "FACTION" => rules.factions.clone(),
            "TERRAIN" => rules.terrains.iter().map(|t| t.name.clone()).collect(),
            "TYPE" => rules.types.iter().map(|t| t.name.clone()).collect(),
            "A" | "B" => self.things(),
            "OPTION" => {
                let keys = self.offered_keys();
                keys.into_iter().chain(places()).collect()
            }
            "SCRIPT" => {
                let types = rules.types.iter().map(|t| t.name.clone());
                types.chain(["game".to_owned()]).collect()
            }
            "FUNCTION" => {
                let functions = self.play.ruleset().functions().iter();
                functions.map(|f| f.name.clone()).collect()
            }
            "DIAL=VALUE" => {
                let dials = self.play.ruleset().dials.iter();
                dials.map(|d| format!("{}=", d.name)).collect()
            }
            "VARIANT" => self.tweaks(),
            "TWEAK" => {
                let dials = self.play.ruleset().dials.iter().map(|d| d.name.clone());
                self.tweaks().into_iter().chain(dials).collect()
            }
            "GAME" => self.rules.workspace.games(),
            "SCENARIO" => self.scenarios(),
            "LINE" => self.history.names(),
            "LABEL" => {
                let rolls = rolls(self.play.ruleset());
                self.roll_labels(&rolls).into_iter().collect()
            }
            "POLICY" => list(&Policy::NAMES.map(|(name, _)| name)),
            "AGENT" => list(&Agent::NAMES.map(|(name, _)| name)),
            number if arguments::is_number(number) => Vec::new(),
            file if is_file(file) => Vec::new(),
            _ => return None,
        })
    }

    /// Returns completions for the words of a change by hand.
    fn begun_change(&self, written: &[&str]) -> Vec<String> {
        let rules = &self.play.ruleset().rules;
        let slots = &rules.slots;
        let named = |kind: &str| self.of_kind(kind).unwrap_or_default();
        let holds = |has: &[Slot], names: Vec<String>| if has.is_empty() { Vec::new() } else { names };
        let reserve = || RESERVE.to_owned();
        match written {
            [] => {
                let verbs = change::VERBS
                    .iter()
                    .filter(|verb| **verb != "force" && **verb != "seed");
                let verbs = verbs.map(|verb| (*verb).to_owned()).chain(["set".to_owned()]);
                verbs
                    .chain(named("UNIT"))
                    .chain(holds(&slots.faction, named("FACTION")))
                    .chain(holds(&slots.place, named("PLACE")))
                    .chain(holds(&slots.game, vec!["game".to_owned()]))
                    .collect()
            }
            ["set"] => named("DIAL=VALUE"),
            ["place"] => {
                let types = || rules.types.iter();
                let of = |faction| types().map(move |t| format!("{faction}.{}", t.name));
                rules.factions.iter().flat_map(of).collect()
            }
            ["move" | "remove" | RESERVE] => named("UNIT"),
            ["lay" | "lift"] => named("TERRAIN"),
            ["place" | "move", _] => named("PLACE").into_iter().chain([reserve()]).collect(),
            ["lay" | "lift", _] => named("PLACE"),
            [
                "set" | "move" | "remove" | RESERVE | "lay" | "lift" | "seed" | "force",
                ..,
            ] => Vec::new(),
            [of, ..] => {
                let own = match of {
                    _ if *of == "game" => &slots.game,
                    _ if rules.faction(of).is_some() => &slots.faction,
                    _ if rules.board.place(of).is_some() => &slots.place,
                    _ => &slots.unit,
                };
                own.iter().map(|slot| slot.name.clone()).collect()
            }
        }
    }

    /// Returns the values of a dial or slot, if they can be listed.
    fn values(&self, name: &str) -> Vec<String> {
        let ruleset = self.play.ruleset();
        if let Some(dial) = ruleset.dials.iter().find(|d| d.name == name) {
            return match &dial.range {
                DialRange::Words(words) => words.clone(),
                DialRange::Number(low, high) if high.saturating_sub(*low) <= FEW_NUMBERS => {
                    (*low..=*high).map(|n| n.to_string()).collect()
                }
                DialRange::Number(low, high) => {
                    let mut numbers = vec![low.to_string(), high.to_string()];
                    numbers.extend([&dial.default, &dial.value].map(DialValue::to_string));
                    numbers
                }
            };
        }
        let slots = &ruleset.rules.slots;
        let mut all = [&slots.unit, &slots.faction, &slots.place, &slots.game]
            .into_iter()
            .flatten();
        let kinds = match all.find(|s| s.name == name).map(|s| s.kind) {
            Some(SlotKind::Unit) => "UNIT",
            Some(SlotKind::Place) => "PLACE",
            Some(SlotKind::Faction) => "FACTION",
            Some(SlotKind::Direction) => {
                let directions = ruleset.rules.board.directions().iter();
                return directions.map(|d| d.name.to_owned()).collect();
            }
            Some(SlotKind::Items(items)) => match items.of {
                ItemKind::Unit => "UNIT",
                ItemKind::Place => "PLACE",
                ItemKind::Faction => "FACTION",
                ItemKind::Number | ItemKind::Text => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        self.of_kind(kinds).unwrap_or_default()
    }

    /// Returns completions for an expression, which begins at a place of the line.
    fn expression(&mut self, code: &str, at: usize) -> Completions {
        let tokens = lexer::tokens(code);
        let Some(last) = tokens.last().copied() else {
            return Completions::none(at);
        };
        let text = |t: &Token| &code[t.from..t.to];
        if last.class == TokenClass::Comment {
            return Completions::none(at + code.len());
        }
        let open_text = last.class == TokenClass::Text && is_open_text(text(&last));
        if open_text {
            let call = calls(code, &tokens[..tokens.len() - 1]).map(|(name, _)| name);
            let names = self.named_in(call.unwrap_or_default());
            return completions(at + last.from + 1, names.into_iter(), &code[last.from + 1..]);
        }
        let (word, before) = match last.class {
            TokenClass::Word => (text(&last), &tokens[..tokens.len() - 1]),
            TokenClass::Number | TokenClass::Text => ("", &tokens[..0]),
            _ => ("", &tokens[..]),
        };
        let start = at + code.len() - word.len();
        let dotted = before.last().is_some_and(|t| text(t) == ".");
        // A dot behind a number is the beginning of a range.
        let ranges = |t: &Token| t.class == TokenClass::Number || text(t) == ".";
        if dotted && before.len() > 1 && ranges(&before[before.len() - 2]) {
            return Completions::none(start);
        }
        if dotted {
            let receiver = receiver(code, &before[..before.len() - 1]);
            return completions(start, self.members_behind(receiver).into_iter(), word);
        }
        if word.is_empty() && matches!(last.class, TokenClass::Number | TokenClass::Text) {
            return Completions::none(start);
        }
        let dials = self.play.ruleset().names_of_dials();
        let keywords = KEYWORDS
            .iter()
            .filter(|_| !word.is_empty())
            .map(|k| (*k).to_owned());
        let functions = self.play.ruleset().function_names().map(str::to_owned);
        completions(start, functions.chain(dials).chain(keywords), word)
    }

    /// Returns the names that an argument of a kernel function may have.
    fn named_in(&self, function: &str) -> Vec<String> {
        let rules = &self.play.ruleset().rules;
        let kind = match function {
            "unit" => "UNIT",
            "place" => "PLACE",
            "faction" => "FACTION",
            "unit_type" | "of_type" => "TYPE",
            "terrain" | "has" | "of_terrain" => "TERRAIN",
            "offers" => "OPTION",
            "count" => {
                return rules.phases.iter().skip(1).map(|p| p.name.clone()).collect();
            }
            "total" | "add" | "types_with" => {
                let slots = rules.slots.unit.iter().chain(&rules.slots.faction);
                return slots.map(|s| s.name.clone()).chain(rules.stats.clone()).collect();
            }
            _ => return self.things(),
        };
        self.of_kind(kind).unwrap_or_default()
    }

    /// Returns the members of a receiver's value behind the dot, if its kind is known.
    fn members_behind(&mut self, receiver: &str) -> Vec<String> {
        use crate::rules::run::value::Kind;
        let ruleset = Arc::clone(self.play.ruleset());
        if receiver.is_empty() {
            return ruleset.members(None);
        }
        // It is asked with every key: only what the kernel answers at once is tried.
        let tokens = lexer::tokens(receiver);
        let cheap = tokens.iter().enumerate().all(|(index, token)| {
            let text = &receiver[token.from..token.to];
            let called = tokens
                .get(index + 1)
                .is_some_and(|t| receiver[t.from..].starts_with('('));
            !KEYWORDS.contains(&text)
                && (token.class != TokenClass::Word || !called || ruleset.is_native(text))
        });
        if cheap {
            let source = Source::new("input", receiver);
            let kind = self.play.look(&source, self.viewer(), |_, value| value.kind());
            if let Ok(kind) = kind {
                return ruleset.members(Some(kind));
            }
        }
        // Within a rule that is being written there is no value; the names of parameters tell.
        ruleset.members(match receiver {
            "me" | "foe" | "unit" => Some(Kind::Unit),
            "place" => Some(Kind::Place),
            "side" => Some(Kind::Faction),
            _ => None,
        })
    }

    /// Returns the hint behind the end of a line; `None` where nothing is clear.
    pub fn hint(&mut self, line: &str) -> Option<EndHint> {
        if line.trim().is_empty() || line.len() > MUCH {
            return None;
        }
        if let Some(command) = line.strip_prefix(':') {
            let Some((name, args)) = command.split_once(char::is_whitespace) else {
                return hint_at_name(command);
            };
            let row = commands::row(name)?;
            let (written, word) = split_args(row.takes.0, args);
            if word.is_empty() && !args.ends_with(',') {
                let kinds = self.kinds(row.takes.0, &written);
                let text = match written.is_empty() {
                    true => arguments::short(row.takes.0),
                    false => kinds.join(" | "),
                };
                if !text.is_empty() {
                    return EndHint::hint(text);
                }
                return None;
            }
            if let Some((dial, "")) = word.split_once('=') {
                let dial = self.play.ruleset().dials.iter().find(|d| d.name == dial)?;
                return EndHint::hint(format!("{} ({} now)", dial.range, dial.value));
            }
            return self.only(line);
        }
        if line.chars().all(|c| c.is_ascii_digit()) {
            return None;
        }
        let tokens = lexer::tokens(line);
        let last = tokens.iter().rev().find(|t| t.class != TokenClass::Blank)?;
        if last.class == TokenClass::Comment {
            return None;
        }
        if matches!(&line[last.from..last.to], "(" | ",")
            && let Some((name, nth)) = calls(line, &tokens)
        {
            return EndHint::hint(self.rest_of_call(name, nth)?);
        }
        self.only(line)
    }

    /// The rest of the only word that the line could end with.
    fn only(&mut self, line: &str) -> Option<EndHint> {
        let Completions { start, words, files } = self.completions(line);
        let typed = &line[start..];
        match &words[..] {
            [only] if !files && !typed.is_empty() && only.len() > typed.len() => {
                EndHint::rest(&only[typed.len()..])
            }
            _ => None,
        }
    }

    /// The parameters of a function from one of them on, with the bracket behind them.
    fn rest_of_call(&self, name: &str, nth: usize) -> Option<String> {
        let signatures = self.play.ruleset().parameters(name);
        // The shortest that has a parameter there; others may take more.
        let fits = |s: &&Vec<String>| s.len() > nth || (nth == 0 && s.is_empty());
        let signature = signatures.iter().filter(fits).min_by_key(|s| s.len())?;
        Some(format!("{})", signature[nth.min(signature.len())..].join(", ")))
    }

    /// The names of all variants; none when they cannot be read.
    fn tweaks(&self) -> Vec<String> {
        self.rules.tweaks(&self.game()).unwrap_or_default()
    }

    fn scenarios(&self) -> Vec<String> {
        let paths = self.rules.workspace.list("scenarios", ".toml");
        let stem = |p: &String| Some(p.rsplit('/').next()?.strip_suffix(".toml")?.to_owned());
        paths.iter().filter_map(stem).collect()
    }
}

/// The rest of a command's name with its arguments, or the arguments of one that is whole.
fn hint_at_name(typed: &str) -> Option<EndHint> {
    if let Some(row) = commands::of_prompt().find(|c| c.name == typed) {
        return match arguments::short(row.takes.0) {
            none if none.is_empty() => None,
            args => EndHint::hint(format!(" {args}")),
        };
    }
    let row = commands::row(typed).filter(|_| !typed.is_empty())?;
    EndHint::rest(&row.name[typed.len()..])
}

/// The arguments that are whole, and the one that is being written: its last part behind a comma, or a semicolon
/// where one stands between changes.
fn split_args<'a>(declared: &str, args: &'a str) -> (Vec<&'a str>, &'a str) {
    let start = args.rfind([' ', '\t', ',', ';', '\n']).map_or(0, |i| i + 1);
    let mut written = &args[..start];
    if arguments::words(declared).any(|word| word == "CHANGE;") {
        written = written.rsplit(';').next().unwrap_or_default();
    }
    let written = written.split([' ', '\t', ',', '\n']).filter(|w| !w.is_empty());
    (written.collect(), &args[start..])
}

/// The innermost call that is open at the end of code: its name, and how many arguments are whole.
fn calls<'a>(code: &'a str, tokens: &[Token]) -> Option<(&'a str, usize)> {
    let mut depth = 0usize;
    let mut commas = 0;
    for (index, token) in tokens.iter().enumerate().rev() {
        match token.class {
            TokenClass::Close => depth += 1,
            TokenClass::Open if depth > 0 => depth -= 1,
            TokenClass::Open if code[token.from..].starts_with('(') => {
                let name = tokens[..index].last().filter(|t| t.class == TokenClass::Word)?;
                let dot = index >= 2 && &code[tokens[index - 2].from..tokens[index - 2].to] == ".";
                // What stands before a dot is the first argument.
                return Some((&code[name.from..name.to], commas + usize::from(dot)));
            }
            TokenClass::Open => return None,
            TokenClass::Sign if depth == 0 && &code[token.from..token.to] == "," => commas += 1,
            _ => {}
        }
    }
    None
}

/// The expression that ends where the tokens end: names, calls and indices with dots between them.
fn receiver<'a>(code: &'a str, tokens: &[Token]) -> &'a str {
    let Some(end) = tokens.last().map(|t| t.to) else {
        return "";
    };
    let mut from = end;
    let mut index = tokens.len();
    // What must stand before what has been read: a value, or a dot.
    let mut value = true;
    while index > 0 {
        let token = tokens[index - 1];
        let text = &code[token.from..token.to];
        match token.class {
            TokenClass::Close if value => {
                let Some(open) = typed::partner(code, tokens, token.from) else {
                    break;
                };
                let Some(at) = tokens.iter().position(|t| t.from == open) else {
                    break;
                };
                if code[open..].starts_with('{') {
                    break;
                }
                from = open;
                index = at;
                // Before the bracket of a call or an index stands its name; else it is a value by itself.
                let named =
                    index > 0 && matches!(tokens[index - 1].class, TokenClass::Word | TokenClass::Close);
                if !named {
                    break;
                }
                continue;
            }
            TokenClass::Word | TokenClass::Text if value => {
                if KEYWORDS.contains(&text) {
                    break;
                }
                from = token.from;
                value = false;
            }
            TokenClass::Sign if text == "." && !value => value = true,
            _ => break,
        }
        index -= 1;
    }
    &code[from..end]
}

/// Whether a text lacks its last quote.
fn is_open_text(text: &str) -> bool {
    let quote = text.chars().next();
    let inner = text.chars().skip(1).last();
    !matches!(quote, Some('\'')) && (text.len() == 1 || inner != quote)
}

fn is_file(kind: &str) -> bool {
    matches!(kind, "FILE" | "SCENARIO")
}

/// Kinds that are whatever the user makes up.
fn is_free(kind: &str) -> bool {
    matches!(kind, "TEXT" | "TITLE" | "NOTE")
}

/// The names that begin so, sorted, each once.
fn completions(start: usize, names: impl Iterator<Item = String>, with: &str) -> Completions {
    let mut words: Vec<String> = names.filter(|n| n.starts_with(with)).collect();
    words.sort();
    words.dedup();
    Completions {
        start,
        words,
        ..Completions::none(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Style;
    use crate::rules::workspace::Workspace;
    use crate::stage::run::Overrides;

    fn in_round_one() -> Session {
        let session = Session::new(
            &Workspace::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")),
            Some("smalltricks"),
            Overrides::default(),
            Style::default(),
        );
        let mut session = session.expect("it opens");
        session.greeting();
        session.line(":auto round");
        session
    }

    fn words(session: &mut Session, line: &str) -> Vec<String> {
        session.completions(line).words
    }

    fn has(session: &mut Session, line: &str, word: &str) -> bool {
        words(session, line).iter().any(|w| w == word)
    }

    fn hint(session: &mut Session, line: &str) -> String {
        session.hint(line).map(|h| h.text).unwrap_or_default()
    }

    #[test]
    fn arguments_are_completed_by_where_they_stand() {
        let mut session = in_round_one();
        let all = words(&mut session, ":auto ");
        assert!(
            ["greedy", "round", "end"]
                .iter()
                .all(|w| all.iter().any(|a| a == w))
        );
        assert!(has(&mut session, ":auto 2 ", "round") && !has(&mut session, ":auto 2 ", "greedy"));
        assert!(has(&mut session, ":auto greedy ", "end") && !has(&mut session, ":auto greedy ", "random"));
        assert!(has(&mut session, ":set ", "max_rounds="));
        assert_eq!(session.completions(":set max_rounds=").start, 16);
        assert!(has(&mut session, ":set max_rounds=", "12"));
        assert!(
            !words(&mut session, ":set match.length=").is_empty()
                || !has(&mut session, ":set ", "match.length=")
        );
        let variants = words(&mut session, ":with ");
        let some = variants.first().expect("there are some");
        let line = format!(":with {some},");
        assert!(words(&mut session, &line).len() == variants.len());
        assert_eq!(session.completions(&line).start, line.len());
        assert!(has(&mut session, ":open charge", "charge-into-spears"));
        assert!(session.completions(":save ").files && !session.completions(":reach ").files);
        assert!(has(&mut session, ":help bo", "board"));
        assert!(has(&mut session, ":odds --", "--until") && has(&mut session, ":odds --with ", some));
        assert!(
            words(&mut session, ":odds --limit ").is_empty() && has(&mut session, ":odds --until ", "round")
        );
        // What is refused there is not offered.
        assert!(has(&mut session, ":back ", "round") && !has(&mut session, ":back ", "end"));
        assert!(has(&mut session, ":plays ", "red") && !has(&mut session, ":plays ", "greedy"));
        assert!(has(&mut session, ":plays red ", "greedy") && has(&mut session, ":plays red ", "me"));
        assert!(
            has(&mut session, ":odds --policy ", "best") && !has(&mut session, ":odds --policy ", "greedy")
        );
        let sampled = ":odds --sample 3 --policy ";
        assert!(has(&mut session, sampled, "greedy") && !has(&mut session, sampled, "best"));
        let unit = session.units_seen().remove(0);
        for (line, some, none) in [
            ("", "move", "life"),
            ("", &*unit, "c4"),
            ("place ", "red.mounted", &*unit),
            ("place red.mounted ", "c4", "red"),
            ("move UNIT ", "reserve", "life"),
            ("UNIT ", "life", "lay"),
            ("UNIT life=2; ", "move", "life"),
        ] {
            let line = format!(":edit {}", line.replace("UNIT", &unit));
            assert!(
                has(&mut session, &line, some) && !has(&mut session, &line, none),
                "{line}"
            );
        }
        // Shortened names count.
        assert!(has(&mut session, ":wi ", some) || has(&mut session, ":with ", some));
        assert!(words(&mut session, ":nothing ").is_empty());
    }

    #[test]
    fn behind_a_dot_stands_what_the_value_has() {
        let mut session = in_round_one();
        let unit = session.play.with_question(|a| a.keys()).expect("asked")[0].clone();
        let units = words(&mut session, &format!("unit(\"{unit}\")."));
        for member in ["life", "place", "move", "units_within", "contact"] {
            assert!(units.iter().any(|u| u == member), "{member}: {units:?}");
        }
        assert!(!units.iter().any(|u| u == "score" || u == "home"));
        let faction = words(&mut session, "faction(\"red\").");
        assert!(faction.iter().any(|f| f == "units") && !faction.iter().any(|f| f == "place"));
        let chained = words(&mut session, &format!("1 + unit(\"{unit}\").place.adj"));
        assert_eq!(chained, ["adjacent"]);
        let indexed = words(&mut session, "factions()[0].fo");
        assert_eq!(indexed, ["foe", "foes"]);
        assert!(has(&mut session, "\"text\".to_u", "to_upper"));
        assert!(has(&mut session, "fn melee(me) { me.", "life"));
        // A rule of the game may take long: it is not tried.
        assert!(has(&mut session, "melee(1).", "life") && has(&mut session, "melee(1).", "adjacent"));
        // What has no value yet could be anything.
        assert!(has(&mut session, "whatever.", "life") && has(&mut session, "whatever.", "adjacent"));
        assert!(words(&mut session, "1.").is_empty());
    }

    #[test]
    fn texts_name_what_their_function_takes() {
        let mut session = in_round_one();
        let places = words(&mut session, "place(\"");
        assert!(places.iter().any(|p| p == "c4") && !places.iter().any(|p| p.contains('.')));
        let units = words(&mut session, "unit(\"red.");
        assert!(!units.is_empty() && units.iter().all(|u| u.starts_with("red.")));
        assert!(has(&mut session, "count(\"", "round"));
        assert!(has(&mut session, "hit(unit(\"x\"), 1, \"", "red"));
        assert!(words(&mut session, "place(\"c4\"").is_empty());
        assert!(words(&mut session, "1 // uni").is_empty());
    }

    #[test]
    fn receivers_are_found_before_the_dot() {
        let of = |code: &'static str| receiver(code, &lexer::tokens(code));
        assert_eq!(of("1 + unit(\"a.b\").place"), "unit(\"a.b\").place");
        assert_eq!(of("f(a, b[1].c)"), "f(a, b[1].c)");
        assert_eq!(of("x; (a & b)"), "(a & b)");
        assert_eq!(of("return me"), "me");
        assert_eq!(of("-me"), "me");
        assert_eq!(of("{ 1 }"), "");
        assert_eq!(of("[1, 2]"), "[1, 2]");
        assert_eq!(of(""), "");
        assert_eq!(of(")"), "");
    }

    #[test]
    fn hints_tell_arguments_rests_and_parameters() {
        let mut session = in_round_one();
        assert_eq!(hint(&mut session, ":auto"), " [AGENT] [N] [PHASES]");
        assert_eq!(hint(&mut session, ":auto "), "[AGENT] [N] [PHASES]");
        assert_eq!(hint(&mut session, ":auto 3 "), "PHASES");
        assert_eq!(hint(&mut session, ":boa"), "rd");
        assert_eq!(hint(&mut session, ":set max_r"), "ounds=");
        assert!(hint(&mut session, ":set max_rounds=").starts_with("a whole number from"));
        assert_eq!(hint(&mut session, "roll("), "who, label, dice, sides)");
        assert_eq!(hint(&mut session, "me.units_within("), "steps)");
        assert_eq!(hint(&mut session, "melee("), "me)");
        for quiet in [
            "",
            "1",
            "12",
            ":units",
            ":re",
            "x + ",
            "// uni",
            ":nothing ",
            "\"a(",
            "max(1",
            ":patch spears fn melee(me) {\n    base(me);\n    ",
        ] {
            assert_eq!(hint(&mut session, quiet), "", "{quiet}");
        }
    }

    #[test]
    fn nothing_that_is_typed_breaks_completing() {
        let mut session = in_round_one();
        let odd = [
            ":",
            ": ",
            ":set =",
            ":set =x",
            ":auto ,,",
            "é.",
            "(.",
            ").",
            "\"",
            "`",
            "'",
            "a.b.c.",
            "..",
            "[].",
            ":auto \u{3000}x",
            "unit(\"é",
            "}{",
            "fn",
            "me.\n",
            ":with a;b ",
            "\t",
            "/*",
            "x.(",
            "=",
            "= \"",
        ];
        for line in odd {
            let found = session.completions(line);
            assert!(line.is_char_boundary(found.start), "{line:?}: {found:?}");
            session.hint(line);
        }
        let before = session.play.position();
        session.completions("unit(\"red.x\").remove(1).");
        session.completions("draw(\"x\").");
        assert_eq!(session.play.position(), before);
    }
}
