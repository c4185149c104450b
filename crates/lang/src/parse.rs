//! One script's text, read by Rhai's parser: which functions it defines, what it calls and names.

use super::engine;
use super::lexer::{self, TokenClass};
pub mod problems;

use super::recover::{self, BracketFault, Chunk};
use super::syntax::{self, here};
use crate::kernel::dice::text_hash;
use crate::report::{Problem, Problems, Source};
use rhai::{
    AST, ASTFlags, ASTNode, Engine, Expr, FnCallExpr, Module, ParseError, Position, ScriptFuncDef, Shared,
    Stmt, Token,
};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// At most so many lines on which a word stands too are told.
const LINES_IN_A_HINT: usize = 4;

/// A position as Rhai counts it: line and column from 1, columns in characters.
pub type TextPosition = (usize, usize);
/// The literals that a `switch` compares with, each with the case that is its own.
pub type Cases = Arc<[(Expr, usize)]>;

/// A function that a script defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FnDef {
    /// Its name as written.
    pub name: String,
    /// The script that it is written for, and where that is said: `fn scouts.aim(me)`. Only layers
    /// say it; `None` is the script itself, and the game's script in a layer.
    pub of: Option<(String, TextPosition)>,
    /// Its parameters.
    pub params: Vec<String>,
    /// Position of its name.
    pub at: TextPosition,
}

impl FnDef {
    /// Its name with the script that it is written for, where that is said: `scouts.aim`.
    pub fn full_name(&self) -> String {
        match &self.of {
            Some((owner, _)) => format!("{owner}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A call, method call or property that a script uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The name as written.
    pub name: String,
    /// Number of arguments, without the object of a method call.
    pub args: usize,
    /// Position of the name.
    pub at: TextPosition,
}

impl Use {
    fn of(name: &str, args: usize, at: Position) -> Self {
        Self {
            name: name.to_owned(),
            args,
            at: here(at),
        }
    }
}

/// Parameters and statements of a function, as Rhai read it.
#[derive(Debug, Clone)]
pub struct FunctionBody {
    /// Its parameters.
    pub params: Vec<String>,
    /// Its statements.
    pub statements: Vec<Stmt>,
    /// Position of its start.
    pub at: TextPosition,
}

impl FunctionBody {
    /// Rhai keeps the statements in a type without a public name, so they are collected by walking a
    /// script that has this function alone.
    fn of(def: &Shared<ScriptFuncDef>) -> Self {
        let mut module = Module::new();
        module.set_script_fn(def.clone());
        let mut statements = Vec::new();
        AST::new([], module).walk(&mut |path: &[ASTNode]| {
            if let [ASTNode::Stmt(statement)] = path {
                statements.push((*statement).clone());
            }
            true
        });
        Self {
            params: def.params.iter().map(ToString::to_string).collect(),
            statements,
            at: here(def.body.start_position()),
        }
    }

    /// Returns the expression of a function that has nothing else in it.
    pub fn only_value(&self) -> Option<&Expr> {
        match &self.statements[..] {
            [Stmt::Expr(expr)] => Some(expr),
            [Stmt::Return(Some(expr), flags, _)] if !flags.contains(ASTFlags::BREAK) => Some(expr),
            _ => None,
        }
    }
}

/// A text in quotes that is written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedName {
    /// Content of the text.
    pub name: String,
    /// Position of the text.
    pub at: TextPosition,
    /// Use of the text.
    pub used: UsedName,
}

/// Use of a text in quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UsedName {
    /// A function takes it: which, as which of its arguments from 0, and how many it has, with what stands before the
    /// point.
    Taken(String, usize, usize),
    /// It is compared with what a function says.
    Said(String),
    /// It is compared with a variable or a dial.
    Compared(String),
    /// It is compared with a property.
    Property(String),
}

fn quoted(expr: &Expr, used: impl Fn() -> Option<UsedName>) -> Option<QuotedName> {
    let Expr::StringConstant(text, at) = expr else {
        return None;
    };
    Some(QuotedName {
        name: text.to_string(),
        at: here(*at),
        used: used()?,
    })
}

fn compared(expr: &Expr) -> Option<UsedName> {
    match expr {
        Expr::FnCall(call, _) | Expr::MethodCall(call, _) => Some(UsedName::Said(call.name.to_string())),
        Expr::Dot(way, ..) => compared(&way.rhs),
        Expr::Variable(name, ..) => Some(UsedName::Compared(name.1.to_string())),
        Expr::Property(property, _) => Some(UsedName::Property(property.2.to_string())),
        _ => None,
    }
}

/// A script as it was read.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The text.
    pub source: Arc<Source>,
    /// [`text_hash`] of the text.
    pub hash: u64,
    /// The functions, in the order of the text.
    pub fns: Vec<FnDef>,
    /// Plain calls `f(x)`.
    pub calls: Vec<Use>,
    /// Method calls `x.f(y)`.
    pub methods: Vec<Use>,
    /// Properties `x.f`.
    pub properties: Vec<Use>,
    /// Names that are no local variable.
    pub free_names: Vec<Use>,
    /// Keys of map literals.
    pub map_keys: Vec<String>,
    /// The script compiled as written.
    pub ast: AST,
    /// Bodies of the functions, in the order of `fns`.
    pub bodies: Vec<Arc<FunctionBody>>,
    /// The functions without a name, under those that Rhai gave them.
    pub closures: BTreeMap<String, Arc<FunctionBody>>,
    /// Numbers and texts that are written out in it.
    pub literals: Vec<Expr>,
    /// Problems of the text: parts that cannot be read, or that mean nothing at their place.
    pub problems: Vec<Problem>,
    /// Positions of the names of functions without a readable body: these bodies were removed.
    pub broken: Vec<TextPosition>,
    /// The words of what had to go: it may call them, or define them.
    pub lost: Vec<String>,
    /// Values that each `switch` compares with, by its position; computed on first use.
    pub cases: Mutex<BTreeMap<TextPosition, Cases>>,
    /// Names declared with a word, each with its byte; computed on first use.
    declared: OnceLock<Vec<(usize, String)>>,
    /// The names in quotes; looked for when somebody asks.
    quoted: OnceLock<Vec<QuotedName>>,
    /// The keys that maps are given by assignment; looked for when somebody asks.
    assigned: OnceLock<BTreeSet<String>>,
}

/// The words behind those that declare, and the parameters of closures; at which byte they stand.
fn declared_in(text: &str) -> Vec<(usize, String)> {
    let words = lexer::likely_tokens(text);
    let word = |at: usize| words.get(at).map_or("", |piece| &text[piece.span()]);
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        at += 1;
        // `let x`, `for x in`, `for (x, nth) in`, `|a, b|`.
        let (from, end) = match (word(at - 1), word(at)) {
            ("for", "(") => (at + 1, ")"),
            ("let" | "for" | "const", _) => (at, ""),
            ("|", _) => (at, "|"),
            _ => continue,
        };
        let many = (from..)
            .take_while(|at| is_name(word(*at)) || word(*at) == ",")
            .count();
        // A bar that closes nothing is no closure's.
        let names = match end {
            "" => from..from + 1,
            _ if word(from + many) == end => from..from + many,
            _ => continue,
        };
        at = names.end + usize::from(end == "|");
        let names = names.filter(|at| is_name(word(*at)));
        found.extend(names.map(|at| (words[at].span().start, word(at).to_owned())));
    }
    found
}

/// The texts with which cases of a `switch` begin, as they stand in quotes in the body of what `words` begin with.
fn cases_in<'a>(text: &'a str, words: &'a [lexer::Token]) -> impl Iterator<Item = Range<usize>> + 'a {
    let word = move |at: usize| words.get(at).map_or("", |piece| &text[piece.span()]);
    let is_map = move |at: usize| at > 0 && word(at - 1) == "#";
    let mut depth = 0;
    let mut is_body = false;
    (0..words.len())
        .map_while(move |at| {
            match words[at].class {
                TokenClass::Open => {
                    is_body |= depth == 0 && word(at) == "{" && !is_map(at);
                    depth += 1;
                }
                TokenClass::Close => depth -= 1,
                _ => {}
            }
            let ends = depth == 0 && is_body;
            (!ends).then_some((at, is_body && depth == 1))
        })
        .filter(move |(at, is_case)| {
            let leads = matches!((word(at + 1), word(at + 2)), ("=", ">") | ("|" | "if", _));
            *is_case && leads && word(*at).starts_with('"')
        })
        .map(|(at, _)| words[at].span())
}

/// The keys that maps are given in a text where they are assigned: `m.key = 1`, `m["key"] = 1` and the same further
/// down, `all["unit"].life.key = 1`. A text in brackets is a key of whatever it is; else the first word of such a way
/// must be a variable that holds a map: it begins as one, as what `base` or a function of the text returns, or as a part
/// of such a variable. What is read from a map with keys that are worked out is a key as well.
fn assigned_in(text: &str, functions: &[FnDef]) -> BTreeSet<String> {
    let words = lexer::likely_tokens(text);
    let words: Vec<&str> = words.iter().map(|piece| &text[piece.span()]).collect();
    let is_function = |word: &str| word == "base" || functions.iter().any(|f| f.name == word);
    let mut maps: HashSet<&str> = HashSet::new();
    for w in words.windows(5).filter(|w| w[0] == "let" && w[2] == "=") {
        let is_part = maps.contains(w[3]) && matches!(w[4], "." | "[" | ";");
        if w[3].starts_with('#') || w[4] == "(" && is_function(w[3]) || is_part {
            maps.insert(w[1]);
        }
    }
    let mut keys = BTreeSet::new();
    let mut grown: HashSet<&str> = HashSet::new();
    for (at, first) in words.iter().enumerate() {
        if at > 0 && words[at - 1] == "." {
            continue;
        }
        let mut rest = &words[at + 1..];
        let mut way = Vec::new();
        let (mut is_quoted, mut is_worked_out) = (false, false);
        loop {
            rest = match rest {
                [".", "set", "(", key, ..] => {
                    is_worked_out |= !key.starts_with('"');
                    break;
                }
                [".", key, rest @ ..] => {
                    way.push(*key);
                    rest
                }
                ["[", key, "]", rest @ ..] => {
                    let quoted = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
                    way.extend(quoted);
                    is_quoted |= quoted.is_some();
                    is_worked_out |= quoted.is_none();
                    rest
                }
                ["[", ..] => {
                    let Some(end) = closing_of(rest) else { break };
                    is_worked_out = true;
                    &rest[end + 1..]
                }
                _ => break,
            };
        }
        let is_assigned = match rest {
            ["=", next, ..] => *next != "=",
            [".", "set", ..] => true,
            _ => false,
        };
        if !is_assigned || !is_quoted && !maps.contains(first) {
            continue;
        }
        keys.extend(way.into_iter().map(str::to_owned));
        grown.extend(Some(*first).filter(|_| is_worked_out));
    }
    for w in words.windows(3).filter(|w| w[1] == "." && grown.contains(w[0])) {
        keys.insert(w[2].to_owned());
    }
    keys
}

/// The index of the bracket that closes the one with which these words begin.
fn closing_of(words: &[&str]) -> Option<usize> {
    let mut depth = 0;
    words.iter().position(|word| {
        match *word {
            "[" => depth += 1,
            "]" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// A name in a text, and where it stands.
type NameAt = (String, TextPosition);

/// Position of the tokens in the head of a function: `fn [OWNER.]NAME(`.
#[derive(Default)]
enum HeadState {
    #[default]
    Outside,
    AfterFn(Option<NameAt>),
    AfterName(Option<NameAt>, NameAt),
}

#[derive(Default)]
struct TokenStream {
    head: HeadState,
    names: Vec<(Option<NameAt>, NameAt)>,
    /// Numbers, texts and letters that are written out.
    numbers: BTreeSet<i64>,
    texts: BTreeSet<String>,
    letters: BTreeSet<char>,
    /// Every token, when they are wanted.
    all: Option<Vec<(Token, TextPosition)>>,
}

impl TokenStream {
    fn literals(&self) -> Vec<Expr> {
        let numbers = self
            .numbers
            .iter()
            .map(|n| Expr::IntegerConstant(*n, Position::NONE));
        let texts = self.texts.iter();
        let texts = texts.map(|text| Expr::StringConstant(text.as_str().into(), Position::NONE));
        let letters = self.letters.iter();
        let letters = letters.map(|letter| Expr::CharConstant(*letter, Position::NONE));
        numbers.chain(texts).chain(letters).collect()
    }

    /// Notes the names of functions as their tokens go by.
    fn hear(&mut self, token: &Token, at: TextPosition) {
        self.head = match (std::mem::take(&mut self.head), token) {
            (_, Token::Fn) => HeadState::AfterFn(None),
            (HeadState::AfterFn(owner), Token::Identifier(name)) => {
                HeadState::AfterName(owner, (engine::defined_name(name).to_owned(), at))
            }
            (HeadState::AfterFn(None), Token::StringConstant(name)) => {
                HeadState::AfterName(None, (name.to_string(), at))
            }
            (HeadState::AfterName(None, owner), Token::Period) => HeadState::AfterFn(Some(owner)),
            (HeadState::AfterName(owner, name), _) => {
                self.names.push((owner, name));
                HeadState::Outside
            }
            _ => HeadState::Outside,
        };
    }
}

/// Maximum number of cached texts of one name: the saved one, and the one that somebody tries.
const CACHED: usize = 2;

/// Cache of parsed texts, by name, the latest first. Most rulesets are made of the same texts. Copies share it.
#[derive(Debug, Clone, Default)]
pub struct ParsedTexts(Arc<Mutex<HashMap<String, Vec<Arc<Parsed>>>>>);

/// Reads scripts; it listens to the tokens as its engine goes over them.
pub struct Parser {
    engine: Engine,
    tape: Arc<Mutex<TokenStream>>,
    known: ParsedTexts,
}

impl Default for Parser {
    fn default() -> Self {
        Self::with_cache(ParsedTexts::default())
    }
}

impl Parser {
    /// Returns a parser that adds to this cache.
    pub fn with_cache(known: ParsedTexts) -> Self {
        let mut engine = engine::new();
        let tape: Arc<Mutex<TokenStream>> = Arc::default();
        let shared_tape = Arc::clone(&tape);
        let words = engine::FreedWords::default();
        #[allow(deprecated)] // marked so only because it may change; the rhai version is pinned
        engine.on_parse_token(move |token, at, _| {
            let token = words.read(token);
            let mut tape = locked(&shared_tape);
            let at = here(at);
            tape.hear(&token, at);
            match &token {
                Token::IntegerConstant(n) => tape
                    .numbers
                    .extend([Some(*n), n.checked_neg()].into_iter().flatten()),
                Token::StringConstant(text) => {
                    tape.texts.insert(text.to_string());
                }
                Token::CharConstant(letter) => {
                    tape.letters.insert(*letter);
                }
                _ => {}
            }
            if let Some(all) = &mut tape.all {
                all.push((token.clone(), at));
            }
            token
        });
        Self { engine, tape, known }
    }

    /// Reads a script, or finds it in the cache.
    pub fn read_once(&self, source: &Arc<Source>) -> Arc<Parsed> {
        let find = || {
            let mut known = locked(&self.known.0);
            let of_name = known.entry(source.name.clone()).or_default();
            let at = of_name
                .iter()
                .position(|parsed| parsed.source.text == source.text)?;
            of_name[..=at].rotate_right(1);
            Some(Arc::clone(&of_name[0]))
        };
        find().unwrap_or_else(|| {
            let parsed = Arc::new(self.read(source));
            let mut known = locked(&self.known.0);
            let of_name = known.entry(source.name.clone()).or_default();
            of_name.insert(0, Arc::clone(&parsed));
            of_name.truncate(CACHED);
            parsed
        })
    }
}

/// Returns a shared value; a thread that panicked while it held it leaves nothing half done.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Parser {
    /// Reads a script: compiles it as written and lists what it defines and uses.
    ///
    /// # Errors
    ///
    /// Everything in it that cannot be read.
    pub fn parse(&self, source: &Arc<Source>) -> Result<Parsed, Problems> {
        let parsed = self.read(source);
        Problems::check(parsed.problems.clone())?;
        Ok(parsed)
    }

    /// Reads a script as far as it can be read: what is wrong with one function does not keep the
    /// others from being read.
    pub fn read(&self, source: &Arc<Source>) -> Parsed {
        let error = match self.read_whole(source, source) {
            Ok(mut parsed) => {
                parsed.find_doubles();
                parsed.find_loose();
                parsed.find_misread();
                if !parsed.problems.is_empty() {
                    parsed.lose_open_comment(&recover::chunks(&source.text));
                }
                return parsed;
            }
            Err(error) => error,
        };
        let mut problems = Vec::new();
        let chunks = recover::chunks(&source.text);
        let mut broken: Vec<&Chunk> = Vec::new();
        for (index, chunk) in chunks.iter().enumerate() {
            *locked(&self.tape) = TokenStream::default();
            let alone = recover::alone(&source.text, &chunk.span);
            let Err(error) = self.engine.compile(&alone) else {
                continue;
            };
            let before = index.checked_sub(1).map(|i| &chunks[i]);
            let around = before.filter(|b| {
                let open = recover::bracket_fault(&source.text, b);
                matches!(open, Some(BracketFault::Open(..))) && recover::is_inside(&source.text, b, chunk)
            });
            if let Some(around) = around.filter(|_| broken.len() == problems.len()) {
                // The brackets of both are as they are because one stands inside the other.
                if broken.last() == Some(&around) {
                    problems.pop();
                }
                let start = chunk.span.start;
                problems.push(problems::nested_function().at(source, start..start + "fn".len()));
            } else {
                problems.push(syntax::problem_in(source, &error, chunk, &alone));
            }
            broken.push(chunk);
        }
        let in_the_way = problems.is_empty();
        if in_the_way {
            // Each function can be read, all of them together cannot: one of two stands in the way.
            problems.push(syntax::problem(source, &error));
            let at = problems[0].place.as_ref().map_or(0, |p| p.span.start);
            broken.extend(chunks.iter().rfind(|c| c.span.start <= at));
        }
        once_for_each_reserved_word(&mut problems);
        // A head that has a reserved word in it cannot be read without its body either.
        let mut heads = source.text.clone();
        let broken_chunks: Vec<Chunk> = broken
            .iter()
            .map(|c| recover::readable_head(&mut heads, c))
            // With its head it would still stand there.
            .map(|c| Chunk {
                head: c.head.filter(|_| !in_the_way),
                ..c
            })
            .collect();
        broken = broken_chunks.iter().collect();
        let readable = Source::new(source.name.clone(), recover::without(&heads, &broken));
        let mut parsed = match self.read_whole(source, &readable) {
            Ok(parsed) => parsed,
            Err(_) => {
                // Nothing of it can be used.
                broken = chunks.iter().collect();
                Parsed::new(source, AST::empty())
            }
        };
        let heads = broken.iter().filter_map(|c| c.head.as_ref());
        parsed.broken = heads.map(|h| source.line_col(h.name.start)).collect();
        let words = broken.iter().flat_map(|c| &c.pieces);
        parsed.lost = words
            .filter(|p| p.is_word() || p.class == TokenClass::Text)
            .map(|p| source.slice(p.span()).trim_matches(['"', '`']).to_owned())
            .collect();
        parsed.lose_open_comment(&chunks);
        parsed.problems.append(&mut problems);
        parsed.find_doubles();
        parsed.find_misread();
        parsed
    }

    fn read_whole(&self, source: &Arc<Source>, readable: &Arc<Source>) -> Result<Parsed, ParseError> {
        *locked(&self.tape) = TokenStream::default();
        let ast = self.engine.compile(&readable.text)?;
        let tape = std::mem::take(&mut *locked(&self.tape));
        let mut names: HashMap<&str, Vec<&(Option<NameAt>, NameAt)>> = HashMap::new();
        for name in &tape.names {
            names.entry(&name.1.0).or_default().push(name);
        }
        let mut parsed = Parsed::new(source, ast.clone());
        parsed.literals = tape.literals();
        let mut found: Vec<(FnDef, Arc<FunctionBody>)> = Vec::new();
        for def in ast.iter_fn_def() {
            // Closures become functions with generated names; they have no name in the text.
            let owner = def.this_type.as_deref().map(engine::defined_name);
            let name = engine::defined_name(&def.name);
            // Of several of that name the last that stands before its body.
            let body = here(def.body.start_position());
            let of_name = names.get(name).into_iter().flatten();
            let of_name = of_name
                .filter(|(of, (_, at))| *at <= body && of.as_ref().map(|(of, _)| of.as_str()) == owner)
                .max_by_key(|(_, (_, at))| *at);
            let Some((of, (_, at))) = of_name else {
                parsed
                    .closures
                    .insert(def.name.to_string(), Arc::new(FunctionBody::of(def)));
                continue;
            };
            let own = FnDef {
                name: name.to_owned(),
                of: of.clone(),
                params: def.params.iter().map(ToString::to_string).collect(),
                at: *at,
            };
            found.push((own, Arc::new(FunctionBody::of(def))));
        }
        found.sort_by_key(|(f, _)| f.at);
        (parsed.fns, parsed.bodies) = found.into_iter().unzip();
        parsed.note_uses();
        Ok(parsed)
    }

    /// The tokens of a script, with their places.
    ///
    /// # Errors
    ///
    /// A text that Rhai cannot read.
    pub fn tokens(&self, source: &Arc<Source>) -> Result<Vec<(Token, TextPosition)>, Problems> {
        *locked(&self.tape) = TokenStream {
            all: Some(Vec::new()),
            ..TokenStream::default()
        };
        let compiled = self.engine.compile(&source.text);
        let tape = std::mem::take(&mut *locked(&self.tape));
        compiled.map_err(|e| syntax::problem(source, &e))?;
        Ok(tape.all.unwrap_or_default())
    }

    /// Reads an expression or statements of a user.
    ///
    /// # Errors
    ///
    /// A text that cannot be read.
    pub fn expression(&self, source: &Arc<Source>) -> Result<Parsed, Problem> {
        *locked(&self.tape) = TokenStream::default();
        let ast = self
            .engine
            .compile(&source.text)
            .map_err(|e| syntax::problem(source, &e))?;
        if let Some(problem) = syntax::misread(source).into_iter().next() {
            return Err(problem);
        }
        let mut parsed = Parsed::new(source, ast);
        parsed.literals = locked(&self.tape).literals();
        let closures = parsed.ast.iter_fn_def();
        parsed.closures = closures
            .map(|def| (def.name.to_string(), Arc::new(FunctionBody::of(def))))
            .collect();
        parsed.note_uses();
        Ok(parsed)
    }
}

impl Parsed {
    fn new(source: &Arc<Source>, ast: AST) -> Self {
        Parsed {
            source: Arc::clone(source),
            hash: text_hash(&source.text),
            ast,
            ..Parsed::default()
        }
    }

    fn note_uses(&mut self) {
        let ast = self.ast.clone();
        ast.walk(&mut |path: &[ASTNode]| {
            match path.last() {
                Some(ASTNode::Expr(expr)) => self.note(expr),
                // A call whose value nobody takes is a statement.
                Some(ASTNode::Stmt(Stmt::FnCall(call, at))) if call.op_token.is_none() => {
                    self.calls.push(Use::of(&call.name, call.args.len(), *at));
                }
                _ => {}
            }
            true
        });
        for uses in [
            &mut self.calls,
            &mut self.methods,
            &mut self.properties,
            &mut self.free_names,
        ] {
            uses.sort_by(|a, b| (a.at, &a.name).cmp(&(b.at, &b.name)));
            uses.dedup();
        }
    }

    /// Adds a problem for each further function of one name and number of parameters: only one of them could be called.
    fn find_doubles(&mut self) {
        let mut firsts: HashMap<(Option<&str>, &str, usize), TextPosition> = HashMap::new();
        for function in &self.fns {
            let owner = function.of.as_ref().map(|(of, _)| of.as_str());
            let key = (owner, function.name.as_str(), function.params.len());
            let first = *firsts.entry(key).or_insert(function.at);
            if first == function.at {
                continue;
            }
            let span = self.source.span_at(function.at.0, function.at.1);
            let problem = problems::repeated_function(&function.name, &self.source.name, first.0);
            self.problems.push(problem.at(&self.source, span));
        }
    }

    /// Adds the words in a comment that is never closed to the lost words: they were meant to be read.
    fn lose_open_comment(&mut self, chunks: &[Chunk]) {
        let source = Arc::clone(&self.source);
        for text in chunks.iter().map(|chunk| source.slice(chunk.span.clone())) {
            let comment = recover::open_comment(text).unwrap_or_default();
            let words = text[comment].split(|c: char| !c.is_alphanumeric() && c != '_');
            self.lost
                .extend(words.filter(|w| !w.is_empty()).map(str::to_owned));
        }
    }

    /// Adds the problems of text that Rhai reads otherwise than it is written.
    fn find_misread(&mut self) {
        let places = self.problems.iter().filter_map(|p| p.place.as_ref());
        let reported: HashSet<Range<usize>> = places.map(|place| place.span.clone()).collect();
        let misread = syntax::misread(&self.source).into_iter();
        let place = |p: &Problem| p.place.as_ref().map(|place| place.span.clone());
        self.problems
            .extend(misread.filter(|p| place(p).is_none_or(|span| !reported.contains(&span))));
    }

    /// Adds a problem for a statement outside every function: nothing runs it.
    fn find_loose(&mut self) {
        let ast = self.ast.clone();
        let Some(statement) = ast.statements().first() else {
            return;
        };
        let at = here(statement.position());
        let span = self.source.span_at(at.0.max(1), at.1.max(1));
        self.problems
            .push(problems::outside_function().at(&self.source, span));
    }

    /// The function of that name that the text defines for its own script.
    pub fn function(&self, name: &str) -> Option<&FnDef> {
        self.fns.iter().find(|f| f.name == name && f.of.is_none())
    }

    /// The index of the function whose text a position lies in: the last that begins before it.
    pub fn around(&self, at: TextPosition) -> Option<usize> {
        self.fns.partition_point(|f| f.at <= at).checked_sub(1)
    }

    /// The local variables of the function around a place, as far as they are declared with a word.
    pub fn let_names(&self, at: TextPosition) -> impl Iterator<Item = &str> {
        let byte = |at: TextPosition| self.source.span_at(at.0, at.1).start;
        let function = self.around(at);
        let start = function.map_or(0, |f| byte(self.fns[f].at));
        let next = function.and_then(|f| self.fns.get(f + 1));
        let end = next.map_or(self.source.text.len(), |f| byte(f.at));
        let declared = self.declared.get_or_init(|| declared_in(&self.source.text));
        let from = declared.partition_point(|(at, _)| *at < start);
        let to = declared.partition_point(|(at, _)| *at < end);
        declared[from..to.max(from)].iter().map(|(_, name)| name.as_str())
    }

    /// Whether a map is given this key by assignment: `let m = #{}; m.key = 1`, or `m["key"] = 1`.
    pub fn assigns(&self, key: &str) -> bool {
        let assigned = self
            .assigned
            .get_or_init(|| assigned_in(&self.source.text, &self.fns));
        assigned.contains(key)
    }

    /// The texts in quotes, with what each is put to.
    pub fn quoted(&self) -> &[QuotedName] {
        self.quoted.get_or_init(|| {
            let mut found = Vec::new();
            self.each_call(&mut |call, method, _| {
                let behind = usize::from(method);
                let args = call.args.len() + behind;
                for (nth, arg) in call.args.iter().enumerate() {
                    let used = || UsedName::Taken(call.name.to_string(), nth + behind, args);
                    found.extend(quoted(arg, || Some(used())));
                }
                match (call.name.as_str(), &call.args[..]) {
                    ("==" | "!=", [a, b]) => {
                        found.extend(quoted(a, || compared(b)));
                        found.extend(quoted(b, || compared(a)));
                    }
                    // `b in ["word", ...]`
                    ("contains", [Expr::Array(words, _), b]) => {
                        found.extend(words.iter().filter_map(|word| quoted(word, || compared(b))));
                    }
                    _ => {}
                }
            });
            self.quoted_cases(&mut found);
            found
        })
    }

    /// The texts in quotes that are cases of a `switch`; Rhai keeps no more than hashes of them.
    fn quoted_cases(&self, found: &mut Vec<QuotedName>) {
        let text = self.source.text.as_str();
        let words = LazyCell::new(|| {
            let mut words = lexer::likely_tokens(text);
            words.retain(|word| word.class != TokenClass::Comment);
            words
        });
        self.ast.walk(&mut |path: &[ASTNode]| {
            let Some(ASTNode::Stmt(Stmt::Switch(parts, at))) = path.last() else {
                return true;
            };
            let Some(used) = compared(&parts.0) else {
                return true;
            };
            let (line, column) = here(*at);
            let start = self.source.span_at(line, column).start;
            let from = words.partition_point(|word| word.from < start);
            found.extend(cases_in(text, &words[from..]).map(|span| QuotedName {
                name: text[span.start + 1..span.end - 1].to_owned(),
                at: self.source.line_col(span.start),
                used: used.clone(),
            }));
            true
        });
    }

    /// Shows every call, operators too: whether its first argument stands before a point, and where it is.
    pub fn each_call(&self, see: &mut dyn FnMut(&FnCallExpr, bool, TextPosition)) {
        self.ast.walk(&mut |path: &[ASTNode]| {
            let (call, method, at) = match path.last() {
                Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) => {
                    (call, false, at)
                }
                Some(ASTNode::Expr(Expr::MethodCall(call, at))) => (call, true, at),
                _ => return true,
            };
            see(call, method, here(*at));
            true
        });
    }

    /// Whether a name is that of a parameter or variable of the function around a place.
    pub fn is_variable(&self, name: &str, at: TextPosition) -> bool {
        let function = self.around(at).map(|function| &self.fns[function]);
        function.is_some_and(|f| f.params.iter().any(|p| p == name))
            || self.let_names(at).any(|own| own == name)
    }

    /// Whether the body of a function had to go.
    pub fn is_broken(&self, function: usize) -> bool {
        self.broken.binary_search(&self.fns[function].at).is_ok()
    }

    /// Whether a function calls `base`; one that cannot be read may.
    pub fn calls_base(&self, function: usize) -> bool {
        if self.is_broken(function) {
            return true;
        }
        let mut calls = self.calls.iter();
        calls.any(|c| c.name == "base" && self.around(c.at) == Some(function))
    }

    /// Whether a word stands at a place of the text.
    fn is_written(&self, at: TextPosition, word: &str) -> bool {
        let start = self.source.span_at(at.0, at.1).start;
        self.source
            .text
            .get(start..)
            .is_some_and(|text| text.starts_with(word))
    }

    fn note(&mut self, expr: &Expr) {
        match expr {
            // What a closure takes along is Rhai's own call, not a rule's.
            Expr::FnCall(call, at) if call.name == "curry" && !self.is_written(here(*at), "curry") => {}
            Expr::FnCall(call, at) if call.op_token.is_none() => {
                self.calls.push(Use::of(&call.name, call.args.len(), *at));
            }
            Expr::MethodCall(call, at) => {
                // What is put into a map is a key of it.
                if let ("set", Some(Expr::StringConstant(key, _))) = (call.name.as_str(), call.args.first()) {
                    self.map_keys.push(key.to_string());
                }
                self.methods.push(Use::of(&call.name, call.args.len(), *at));
            }
            Expr::Property(property, at) => self.properties.push(Use::of(&property.2, 0, *at)),
            Expr::Variable(variable, short, at) if variable.0.is_none() && short.is_none() => {
                self.free_names.push(Use::of(&variable.1, 0, *at));
            }
            Expr::Map(map, _) => {
                self.map_keys
                    .extend(map.0.iter().map(|(key, _)| key.name.to_string()));
                self.map_keys.extend(map.1.keys().map(ToString::to_string));
            }
            // What Rhai folds into one value at once.
            Expr::DynamicConstant(value, _) => keys_of(value, &mut self.map_keys),
            _ => {}
        }
    }
}

/// The keys of a map and of the maps and lists in it.
fn keys_of(value: &rhai::Dynamic, keys: &mut Vec<String>) {
    if let Some(map) = value.read_lock::<rhai::Map>() {
        for (key, value) in map.iter() {
            keys.push(key.to_string());
            keys_of(value, keys);
        }
    } else if let Some(list) = value.read_lock::<rhai::Array>() {
        list.iter().for_each(|value| keys_of(value, keys));
    }
}

/// Of several problems with one reserved word the first, with the lines of the others in its hint: it is one
/// name that has to be another.
fn once_for_each_reserved_word(problems: &mut Vec<Problem>) {
    let mut lines: HashMap<String, Vec<usize>> = HashMap::new();
    problems.retain(|problem| match (problem.subjects().next(), &problem.place) {
        (Some(word), Some(place)) => {
            let all = lines.entry(word.to_owned()).or_default();
            all.push(place.line_col().0);
            all.len() == 1
        }
        _ => true,
    });
    for problem in problems {
        let all = problem.subjects().next().and_then(|word| lines.get(word));
        let Some([_, others @ ..]) = all.map(Vec::as_slice) else {
            continue;
        };
        let (shown, more) = others.split_at(others.len().min(LINES_IN_A_HINT));
        let mut hint: String = shown
            .iter()
            .map(|line| format!("it stands on line {line} too; "))
            .collect();
        if !more.is_empty() {
            hint.push_str(&format!("and on {} more; ", more.len()));
        }
        hint.push_str(&problem.hint.take().unwrap_or_default());
        problem.hint = Some(hint).filter(|hint| !hint.is_empty());
    }
}

/// A definition by its place: which script, and how far up in the function's stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The script, by index; 0 is the game's.
    pub script: usize,
    /// 0 is the innermost definition.
    pub level: usize,
}
