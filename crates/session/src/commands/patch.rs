//! From a thought to a tweak: functions typed at the prompt lie on top of the rules as a scratch
//! layer, and are kept as a variant when they are worth it. Knows layers and files; what a function
//! means is the rules' business.

use crate::arguments::Args;
use crate::lines::indented;
use crate::output::{Output, OutputPiece};
use crate::play::Play;
use crate::problems;
use crate::report::{Problem, Problems, Source, hint_for};
use crate::reports::Report;
use crate::rules::layers::{Layers, SCRATCH};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::scratch::{Patch, Scratch};
use crate::session::Session;
use crate::variants::{self, VariantsBelow};
use std::sync::Arc;

/// The command that lays functions on top.
pub(crate) const PATCH: &str = "patch";

impl Session {
    fn lay_scratch(&mut self, text: Option<String>, why: &str) -> Result<Output, Problems> {
        let options = LoadOptions {
            scratch: text,
            ..self.play.ruleset().options.clone()
        };
        self.change_options(options, why)
    }

    /// `:patch`: lays functions on top of a script, or shows those that lie there.
    ///
    /// # Errors
    ///
    /// What is wrong with what was typed, at its place; nothing is changed then.
    pub(crate) fn patch(&mut self, args: &Args<'_>) -> Result<Output, Problems> {
        let Some(script) = args.get("SCRIPT") else {
            return Ok(self.patches()?.into());
        };
        let layers = &self.play.ruleset().layers;
        check_patched(layers, script)?;
        let head = format!(":{PATCH} ");
        let Some(code) = args.span("CODE") else {
            return Err(problems::missing_argument(format!("a function of `{script}`"))
                .hint(functions_of(layers, script))
                .into());
        };
        let from = head.len() + code.start;
        let typed = Source::new("input", head + args.typed);
        let mut scratch = self.scratch()?;
        let new = scratch.put(&typed, from, script)?;
        for patch in &new {
            check_function(patch, &typed)?;
        }
        let names: Vec<String> = new.iter().map(Patch::full_name).collect();
        let what = names.join(", ");
        let mut reply = self
            .lay_scratch(scratch.print(), &format!("patched {what}"))
            .map_err(|problems| scratch.as_typed(problems))?;
        // The first words say what the rules are now; here only what is new counts.
        if let Some(OutputPiece::Text(first)) = reply.pieces.first_mut() {
            *first = format!(
                "patched {what}; the board is kept\n\
                 `:diff` tells what it changes, `:drop` takes it off, `:save-variant` keeps it"
            );
        }
        Ok(reply)
    }

    fn patches(&self) -> Result<Report, Problems> {
        let scratch = self.scratch()?;
        if scratch.patches.is_empty() {
            return Ok(Report::of(format!(
                "nothing is patched; `:{PATCH} SCRIPT fn NAME(...) {{ ... }}` lays a function on top"
            )));
        }
        let names: Vec<String> = scratch.patches.iter().map(Patch::full_name).collect();
        let mut page = Report::of(format!("on top, as `{SCRATCH}`: {}", names.join(", ")));
        for patch in &scratch.patches {
            for line in patch.flush_left().lines() {
                page.below(format!("    {line}").trim_end());
            }
        }
        page.below("`:drop` takes all off, `:save-variant NAME` keeps all as a variant");
        Ok(page)
    }

    /// `:drop`: takes off what is patched: all of it, a script's, or one function.
    ///
    /// # Errors
    ///
    /// Names of nothing that is patched; rules without it that cannot keep the board.
    pub fn drop_patches(&mut self, names: &[&str]) -> Result<Output, Problems> {
        let mut scratch = self.scratch()?;
        if scratch.patches.is_empty() {
            return Err(problems::nothing_patched().into());
        }
        let before = scratch.patches.clone();
        for name in names {
            let is_meant = |p: &Patch| p.full_name() == *name || p.script == *name || p.name == *name;
            if !before.iter().any(is_meant) {
                let names: Vec<String> = before.iter().map(Patch::full_name).collect();
                return Err(problems::unknown_name("patch", name)
                    .hint(hint_for(name, names.iter().map(String::as_str)))
                    .into());
            }
            scratch.patches.retain(|p| !is_meant(p));
        }
        if names.is_empty() {
            scratch.patches.clear();
        }
        let gone: Vec<String> = before
            .iter()
            .filter(|p| !scratch.patches.contains(p))
            .map(Patch::full_name)
            .collect();
        let gone = gone.join(", ");
        let mut reply = self.lay_scratch(scratch.print(), &format!("dropped {gone}"))?;
        if let Some(OutputPiece::Text(first)) = reply.pieces.first_mut() {
            *first = format!("dropped {gone}; the board is kept");
        }
        Ok(reply)
    }

    /// `:save-variant NAME [--clause ID] [NOTE]`: writes what is patched as a variant, and puts that on
    /// in its place. The game goes on as if it had been on all the time.
    ///
    /// # Errors
    ///
    /// Nothing is patched, a name that cannot be or is taken, games that are in no folder, and files
    /// that cannot be written; nothing is changed then.
    pub fn save_variant(&mut self, name: &str, clause: Option<&str>, note: &str) -> Result<Output, Problems> {
        let scratch = self.scratch()?;
        if scratch.patches.is_empty() {
            return Err(problems::nothing_patched().into());
        }
        let game = self.play.ruleset().rules.game.clone();
        let inner = variants::free_path(&self.rules.workspace, &game, name)?;
        if name == SCRATCH {
            return Err(problems::reserved_variant(SCRATCH).into());
        }
        let text = variants::variant_text(
            &self.rules.workspace,
            &game,
            note,
            clause,
            &variants_below(&self.play.ruleset().layers, &scratch),
        )?;
        let functions: Vec<String> = scratch.patches.iter().map(Patch::flush_left).collect();
        let text = format!("{text}\n{}\n", functions.join("\n\n"));
        let mut options = LoadOptions {
            scratch: None,
            ..self.play.ruleset().options.clone()
        };
        options.variants.push(name.to_owned());
        options.variants.sort();
        let written = self.rules.workspace.with([(inner.clone(), text.clone())].into());
        let ruleset = Ruleset::load(&written, &game, &options)?;
        let question = self.question();
        self.rules.workspace.write(&inner, &text)?;
        let cost = self.play.rename_rules(ruleset).inspect_err(|_| {
            // Nothing is left behind of what did not come to pass.
            let _ = self.rules.workspace.remove(&inner);
        })?;
        self.rules.learn(&inner);
        self.keep_options();
        let mut reply = Output::text(format!(
            "wrote {inner}\n`{name}` is on in place of what was patched: the same rules under a name"
        ));
        if note.is_empty() && clause.is_none() {
            reply.add("its first line waits for the note that it comes from: why should this change?");
        }
        self.go_on(&mut reply, question, &cost);
        Ok(reply)
    }
}

/// The most functions of a script that a hint lists.
const MOST_FUNCTIONS: usize = 12;
/// The room that a page leaves for a hint.
const HINT_WIDTH: usize = 70;

/// A function must be one that can lie there.
fn check_function(patch: &Patch, typed: &Arc<Source>) -> Result<(), Problem> {
    if patch.script != "game" || patch.name != crate::rules::layers::ABOUT {
        return Ok(());
    }
    let at = typed.text.find(&format!("fn {}", patch.name)).unwrap_or(0);
    Err(problems::patch_of_no_rule(&patch.name).at(typed, typed.line_at(at)))
}

/// A script that can be patched must be named.
fn check_patched(layers: &Layers, script: &str) -> Result<(), Problem> {
    let names: Vec<String> = layers.scripts.iter().map(|s| s.name.clone()).collect();
    if names.iter().any(|n| n == script) {
        return Ok(());
    }
    if script == "fn" || script.starts_with("//") {
        return Err(problems::missing_argument("the script of the function")
            .hint(format!("write `:{PATCH} SCRIPT fn ...`; {}", listed(&names))));
    }
    // A function's name says whose it may be.
    let whole = script.split_once('.');
    if let Some((owner, function)) = whole.filter(|(owner, _)| names.iter().any(|n| n == owner)) {
        return Err(problems::function_as_script(owner, function));
    }
    let owners: Vec<&str> = layers
        .scripts
        .iter()
        .filter(|s| s.named(script).next().is_some())
        .map(|s| s.name.as_str())
        .collect();
    let hint = match &owners[..] {
        [] => hint_for(script, names.iter().map(String::as_str)),
        [owner, ..] => {
            format!("`{script}` is a function; write `:{PATCH} {owner} fn {script}(...) {{ ... }}`")
        }
    };
    Err(problems::unknown_name("script", script).hint(hint))
}

/// Returns a hint with the functions of a script that can be overridden.
fn functions_of(layers: &Layers, script: &str) -> String {
    let index = layers.scripts.iter().position(|s| s.name == script).unwrap_or(0);
    let all: Vec<String> = layers
        .functions(index)
        .map(|f| format!("{}({})", f.name, f.params.join(", ")))
        .take(MOST_FUNCTIONS)
        .collect();
    let more = if layers.functions(index).count() > MOST_FUNCTIONS {
        ", ..."
    } else {
        ""
    };
    format!(
        "write `:{PATCH} {script} fn NAME(...) {{ ... }}`; `base(...)` calls what was there\n{}",
        indented(&format!("it has {}{more}", all.join(", ")), HINT_WIDTH, 0)
    )
}

/// The variants that are on and have a layer of what is patched: those over which it lies, and those
/// that it replaces.
fn variants_below(layers: &Layers, scratch: &Scratch) -> VariantsBelow {
    let mut over = VariantsBelow::default();
    for patch in &scratch.patches {
        let stack = stack_of(layers, patch);
        let Some((own, below)) = stack.split_last() else {
            continue;
        };
        let calls = layers.texts[own.text].parsed.calls_base(own.function);
        for layer in below {
            let text = &layers.texts[layer.text];
            if text.about.is_some() {
                let list = if calls {
                    &mut over.after
                } else {
                    &mut over.overrides
                };
                if !list.contains(&text.name) {
                    list.push(text.name.clone());
                }
            }
        }
    }
    over.after.retain(|name| !over.overrides.contains(name));
    over
}

/// A note about a save of a game that was played with something that is in no file.
pub(crate) fn note_on_scratch(play: &Play) -> Option<String> {
    let chapters = play.chapters().iter();
    let patched = chapters.filter(|c| c.options.scratch.is_some()).count();
    (patched > 0).then(|| {
        "it holds what was patched too, and plays again with it; `:save-variant NAME` keeps that as a file"
            .to_owned()
    })
}

fn stack_of<'l>(layers: &'l Layers, patch: &Patch) -> &'l [crate::rules::layers::Layer] {
    let script = layers.scripts.iter().find(|s| s.name == patch.script);
    script.map_or(&[], |s| s.stack(&patch.name, patch.params.len()))
}

fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    format!("scripts are {}", names.join(", "))
}
