//! One script's text: which functions it defines, what it calls, and its compilation under
//! other names.
//!
//! All scripts of a ruleset end up in one AST, so every function gets a name of its own
//! (`scouts__aim`); calls are renamed with it. A rename replaces a token and keeps its
//! position, so errors still point at the text as written.

use crate::report::{Problem, Problems, Source};
use rhai::{AST, ASTNode, Engine, Expr, ParseErrorType, Position, Stmt, Token};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A position as Rhai counts it: line and column from 1, columns in characters.
pub type At = (usize, usize);

/// A function that a script defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FnDef {
    /// Its name as written.
    pub name: String,
    /// The script that it is written for, and where that is said: `fn scouts.aim(me)`. Only layers
    /// say it; `None` is the script itself, and the game's script in a layer.
    pub of: Option<(String, At)>,
    /// Its parameters.
    pub params: Vec<String>,
    /// Where its name stands.
    pub at: At,
}

/// A call, method call or property that a script uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The name as written.
    pub name: String,
    /// How many arguments, the object of a method call not counted.
    pub args: usize,
    /// Where the name stands.
    pub at: At,
}

/// A script as it was read, before any renaming.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The text.
    pub source: Rc<Source>,
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
}

/// What a token is replaced by.
#[derive(Debug, Clone)]
pub enum Replacement {
    /// Another name.
    Name(String),
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
    /// The value that names nothing.
    Nothing,
}

/// A name in a text, and where it stands.
type Named = (String, At);

/// Where the tokens are in the head of a function: `fn [OWNER.]NAME(`.
#[derive(Default)]
enum Head {
    #[default]
    Outside,
    AfterFn(Option<Named>),
    AfterName(Option<Named>, Named),
}

#[derive(Default)]
struct Tape {
    head: Head,
    names: Vec<(Option<Named>, Named)>,
    replace: HashMap<At, Replacement>,
    /// Every token, when they are wanted.
    all: Option<Vec<(Token, At)>>,
}

impl Tape {
    /// Notes the names of functions as their tokens go by.
    fn hear(&mut self, token: &Token, at: At) {
        self.head = match (std::mem::take(&mut self.head), token) {
            (_, Token::Fn) => Head::AfterFn(None),
            (Head::AfterFn(owner), Token::Identifier(name)) => Head::AfterName(owner, (name.to_string(), at)),
            (Head::AfterFn(None), Token::StringConstant(name)) => {
                Head::AfterName(None, (name.to_string(), at))
            }
            (Head::AfterName(None, owner), Token::Period) => Head::AfterFn(Some(owner)),
            (Head::AfterName(owner, name), _) => {
                self.names.push((owner, name));
                Head::Outside
            }
            _ => Head::Outside,
        };
    }
}

/// Compiles scripts; its engine carries the token mapper that renames.
#[derive(Clone, Default)]
pub struct Parser {
    tape: Rc<RefCell<Tape>>,
}

impl Parser {
    /// Hooks the parser into an engine.
    pub fn attach(&self, engine: &mut Engine) {
        let tape = Rc::clone(&self.tape);
        #[allow(deprecated)] // marked so only because it may change; the rhai version is pinned
        engine.on_parse_token(move |token, at, _| {
            let mut tape = tape.borrow_mut();
            let at = here(at);
            tape.hear(&token, at);
            if let Some(all) = &mut tape.all {
                all.push((token.clone(), at));
            }
            match tape.replace.get(&at) {
                Some(replacement) if matches!(token, Token::Identifier(_)) => match replacement {
                    Replacement::Name(name) => Token::Identifier(Box::new(name.as_str().into())),
                    Replacement::Number(n) => Token::IntegerConstant(*n),
                    Replacement::Text(text) => Token::StringConstant(Box::new(text.as_str().into())),
                    Replacement::Nothing => Token::Unit,
                },
                _ => token,
            }
        });
    }

    /// Reads a script: compiles it as written and lists what it defines and uses.
    pub fn parse(&self, engine: &Engine, source: &Rc<Source>) -> Result<Parsed, Problems> {
        *self.tape.borrow_mut() = Tape::default();
        let ast = engine
            .compile(&source.text)
            .map_err(|e| syntax_problem(source, &e))?;
        let names = std::mem::take(&mut self.tape.borrow_mut().names);
        let mut parsed = Parsed {
            source: Rc::clone(source),
            fns: Vec::new(),
            calls: Vec::new(),
            methods: Vec::new(),
            properties: Vec::new(),
            free_names: Vec::new(),
            map_keys: Vec::new(),
            ast: ast.clone(),
        };
        for def in ast.iter_fn_def() {
            // Closures become functions with generated names; they have no name in the text.
            let owner = def.this_type.as_deref();
            let found = names.iter().find(|(of, (name, _))| {
                *name == def.name.as_str() && of.as_ref().map(|(of, _)| of.as_str()) == owner
            });
            let Some((of, (_, at))) = found else {
                continue;
            };
            parsed.fns.push(FnDef {
                name: def.name.to_string(),
                of: of.clone(),
                params: def.params.iter().map(ToString::to_string).collect(),
                at: *at,
            });
        }
        parsed.fns.sort_by_key(|f| f.at);
        ast.walk(&mut |path: &[ASTNode]| {
            match path.last() {
                Some(ASTNode::Expr(expr)) => parsed.note(expr),
                // A call whose value nobody takes is a statement.
                Some(ASTNode::Stmt(Stmt::FnCall(call, at))) if call.op_token.is_none() => {
                    parsed.calls.push(Use {
                        name: call.name.to_string(),
                        args: call.args.len(),
                        at: here(*at),
                    });
                }
                _ => {}
            }
            true
        });
        for uses in [
            &mut parsed.calls,
            &mut parsed.methods,
            &mut parsed.properties,
            &mut parsed.free_names,
        ] {
            uses.sort_by(|a, b| (a.at, &a.name).cmp(&(b.at, &b.name)));
            uses.dedup();
        }
        Ok(parsed)
    }

    /// The tokens of a script, with their places.
    ///
    /// # Errors
    ///
    /// A text that Rhai cannot read.
    pub fn tokens(&self, engine: &Engine, source: &Rc<Source>) -> Result<Vec<(Token, At)>, Problems> {
        *self.tape.borrow_mut() = Tape {
            all: Some(Vec::new()),
            ..Tape::default()
        };
        let compiled = engine.compile(&source.text);
        let tape = std::mem::take(&mut *self.tape.borrow_mut());
        compiled.map_err(|e| syntax_problem(source, &e))?;
        Ok(tape.all.unwrap_or_default())
    }

    /// Compiles a script with tokens replaced.
    pub fn compile(
        &self,
        engine: &Engine,
        source: &Rc<Source>,
        replace: HashMap<At, Replacement>,
    ) -> Result<AST, Problems> {
        *self.tape.borrow_mut() = Tape {
            replace,
            ..Tape::default()
        };
        let compiled = engine.compile(&source.text);
        *self.tape.borrow_mut() = Tape::default();
        Ok(compiled.map_err(|e| syntax_problem(source, &e))?)
    }
}

impl Parsed {
    /// The function of that name that the text defines for its own script.
    pub fn function(&self, name: &str) -> Option<&FnDef> {
        self.fns.iter().find(|f| f.name == name && f.of.is_none())
    }

    /// The index of the function whose text a position lies in: the last that begins before it.
    pub fn around(&self, at: At) -> Option<usize> {
        self.fns.iter().rposition(|f| f.at <= at)
    }

    /// Whether a function calls `base`.
    pub fn calls_base(&self, function: usize) -> bool {
        let mut calls = self.calls.iter();
        calls.any(|c| c.name == "base" && self.around(c.at) == Some(function))
    }

    fn note(&mut self, expr: &Expr) {
        match expr {
            Expr::FnCall(call, at) if call.op_token.is_none() => self.calls.push(Use {
                name: call.name.to_string(),
                args: call.args.len(),
                at: here(*at),
            }),
            Expr::MethodCall(call, at) => self.methods.push(Use {
                name: call.name.to_string(),
                args: call.args.len(),
                at: here(*at),
            }),
            Expr::Property(property, at) => {
                self.properties.push(Use {
                    name: property.2.to_string(),
                    args: 0,
                    at: here(*at),
                });
            }
            Expr::Variable(variable, short, at) if variable.0.is_none() && short.is_none() => {
                self.free_names.push(Use {
                    name: variable.1.to_string(),
                    args: 0,
                    at: here(*at),
                });
            }
            Expr::Map(map, _) => {
                self.map_keys
                    .extend(map.0.iter().map(|(key, _)| key.name.to_string()));
                self.map_keys.extend(map.1.keys().map(ToString::to_string));
            }
            _ => {}
        }
    }
}

/// A Rhai position as line and column.
pub fn here(at: Position) -> At {
    (at.line().unwrap_or(0), at.position().unwrap_or(0))
}

/// What an error of Rhai says, without the place that stands behind it.
pub fn plain_text(error: &rhai::EvalAltResult) -> String {
    let text = error.to_string();
    text.split(" (line ").next().unwrap_or_default().to_owned()
}

/// The problem of a text that Rhai cannot read.
pub fn syntax_problem(source: &Rc<Source>, error: &rhai::ParseError) -> Problem {
    let (line, column) = here(error.position());
    let span = source.span_at(line, column.max(1));
    let (message, hint) = match error.err_type() {
        ParseErrorType::MissingToken(token, why) => (
            format!("`{token}` is missing {why}"),
            Some("is a bracket or a comma left out?"),
        ),
        ParseErrorType::VariableUndefined(name) => (
            format!("there is no variable or dial `{name}`"),
            Some("a local variable begins with `let`; a dial is declared in `dials()`"),
        ),
        ParseErrorType::Reserved(name) => (
            format!("`{name}` is a reserved word"),
            Some("choose another name"),
        ),
        ParseErrorType::UnexpectedEOF => (
            "the text ends in the middle of something".to_owned(),
            Some("is a closing bracket missing?"),
        ),
        other => (other.to_string(), None),
    };
    let problem = Problem::new(message).at(source, span).expected("here");
    match hint {
        Some(hint) => problem.hint(hint),
        None => problem,
    }
}
