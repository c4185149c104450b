//! Actions of a run of rules: a hook about a thing, the choice of the next turn, the end of a simultaneous phase.

use crate::conflicts;
use crate::kernel::ids::{HookId, Thing, WordId};
use crate::kernel::table::PendingReaction;
use crate::run::context::{Run, value_of_thing, whose_place};
use crate::run::fault::Fault;
use crate::run::node::{HookOwner, Loc};
use crate::run::observe::Observer;
use crate::run::value::Value;

/// At most so many batches follow from each other at the end of a simultaneous phase.
const MAX_BATCHES: usize = 100;

/// Action for which the rules are run.
#[derive(Clone, Copy)]
pub(super) enum RunPurpose {
    /// A hook about a thing.
    Hook(HookId, Thing),
    /// The same as a step of the game, which may take something before it begins.
    Step(HookId, Thing),
    /// The same about a thing, the words of a question, and its option of an index.
    Hint(HookId, Thing, WordId, usize),
    /// It is decided whose turn it is.
    Turn,
    /// Application of the effects that a simultaneous phase gathered.
    Close,
}

impl RunPurpose {
    #[inline]
    pub(super) fn of<O: Observer>(self, run: &mut Run<'_, O>) -> Result<Value, Fault> {
        match self {
            RunPurpose::Hook(hook, about) => hook_about(run, hook, about),
            RunPurpose::Step(hook, about) => match pays(run, about)? {
                true => hook_about(run, hook, about),
                false => Ok(Value::NOTHING),
            },
            RunPurpose::Hint(hook, about, label, at) => {
                let option = run.table.request.options.get(at);
                let option = option.map_or(Ok(Value::NOTHING), |option| run.offered(option))?;
                run.hook(hook, &[value_of_thing(about), label.into(), option])
            }
            RunPurpose::Turn => decide_turn(run),
            RunPurpose::Close => close(run),
        }
    }
}

/// Takes what an activation takes. False when it does not come to the activation any more: what follows from it
/// has taken the unit off the board, or decided the game.
#[inline]
fn pays<O: Observer>(run: &mut Run<'_, O>, about: Thing) -> Result<bool, Fault> {
    let Some((effect, cause)) = run.table.price() else {
        return Ok(true);
    };
    run.act(effect, cause)?;
    let world = &run.table.world;
    Ok(!world.decided && !matches!(about, Thing::Unit(unit) if !world.is_on_board(unit)))
}

/// Decides whose turn it is.
fn decide_turn<O: Observer>(run: &mut Run<'_, O>) -> Result<Value, Fault> {
    if let Some(card) = run.table.decide_turn()? {
        if let Some((effect, cause)) = run.table.price_of(card) {
            run.act(effect, cause)?;
        }
        let table = &mut *run.table;
        let cursor = &mut table.checkpoint.cursor;
        cursor.begin_turn(&table.world, card.faction, card.unit);
    }
    Ok(Value::NOTHING)
}

/// Calls a hook about a thing.
#[inline]
fn hook_about<O: Observer>(run: &mut Run<'_, O>, hook: HookId, about: Thing) -> Result<Value, Fault> {
    let (arg, whose) = match about {
        Thing::Game => (None, HookOwner::Game),
        Thing::Faction(f) => (Some(Value::from(f)), HookOwner::Game),
        Thing::Place(p) => (
            Some(Value::from(p)),
            whose_place(run.program, run.table, hook, p)?,
        ),
        Thing::Unit(u) => (
            Some(Value::from(u)),
            HookOwner::Type(run.table.world.unit(u).kind),
        ),
    };
    let target = run.program.hooks[hook.0 as usize].target(whose);
    // A faction that is asked after something hears of whom.
    let cut = run.table.checkpoint.cursor.set_off(&run.table.rules);
    match (cut, arg) {
        (Some((asking, after)), Some(faction)) if asking == hook => {
            run.invoke(target, &[faction, after.into()])
        }
        _ => run.invoke(target, arg.as_slice()),
    }
}

/// Applies what a simultaneous phase gathered, then what follows from it as further batches. What cannot both
/// happen is asked of the faction that the game names.
fn close<O: Observer>(run: &mut Run<'_, O>) -> Result<Value, Fault> {
    // Most phases of most rounds have gathered nothing.
    if run.table.gathered.is_empty() {
        run.table.end_apply();
        return Ok(Value::NOTHING);
    }
    // By the group of what it does: what each reaction follows from.
    let mut reactions: Vec<(u32, PendingReaction)> = Vec::new();
    // What follows from a number that fell or rose waits until all removals are done: one at a time it comes behind
    // what `at_zero` does, too.
    let mut after: Vec<PendingReaction> = Vec::new();
    for batches in 0.. {
        let batch = run.table.begin_apply();
        let batch = conflicts::settle(run.table, batch)?;
        for gathered in &batch {
            let before = run.table.events.len();
            let applied = run.table.apply_gathered(gathered);
            applied.map_err(|halt| conflicts::at_the_end(run.table, gathered, halt))?;
            let made = before..run.table.events.len();
            run.watch(|w, _| w.applied(gathered.effect, gathered.cause, gathered.group, made));
        }
        run.table.gather_again();
        let (changed, mut due): (Vec<PendingReaction>, Vec<PendingReaction>) =
            std::mem::take(&mut run.table.due)
                .into_iter()
                .partition(|due| due.amount.is_some());
        after.extend(changed);
        if due.is_empty() {
            due = std::mem::take(&mut after);
        }
        if due.is_empty() {
            break;
        }
        if batches >= MAX_BATCHES {
            return Err(endless(run, &reactions, &due[0]));
        }
        for due in due {
            let group = run.table.next_group(due.about);
            reactions.push((group, due.clone()));
            run.react(due)?;
        }
    }
    run.table.end_apply();
    Ok(Value::NOTHING)
}

/// Reactions in simultaneous phases follow from each other without end: which ones.
#[cold]
fn endless<O: Observer>(
    run: &mut Run<'_, O>,
    reactions: &[(u32, PendingReaction)],
    last: &PendingReaction,
) -> Fault {
    let before = |due: &PendingReaction| {
        reactions
            .iter()
            .find(|(group, _)| *group == due.group)
            .map(|(_, due)| due)
    };
    let mut chain: Vec<(HookId, Thing)> = std::iter::successors(Some(last), |due| before(due))
        .map(|due| (due.hook, due.about))
        .collect();
    chain.reverse();
    let whose = match last.about {
        Thing::Unit(unit) => HookOwner::Type(run.table.world.unit(unit).kind),
        _ => HookOwner::Game,
    };
    let function = run.program.hooks[last.hook.0 as usize].target(whose).index;
    let Fault(why) = run.endless(&chain);
    run.fail(*why, function, Loc::default());
    Fault::halted()
}
