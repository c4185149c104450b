//! Expressions about what a faction sees of the table: `as blue: EXPRESSION`.

use super::Play;
use super::problems;
use crate::kernel::dice_access::DiceRecorder;
use crate::kernel::ids::FactionId;
use crate::kernel::rules::Rules;
use crate::report::{Problem, Source, hint_for, problems::unknown_name};
use crate::rules::run::view::ValueView;
use crate::rules::runtime::Runtime;
use std::sync::Arc;

/// Splits `as blue: EXPRESSION` into the faction and the rest, whose words keep their places. Any other text is an
/// expression about everything.
///
/// # Errors
///
/// No faction has this name.
pub fn viewpoint(rules: &Rules, source: &Arc<Source>) -> Result<(Option<FactionId>, Arc<Source>), Problem> {
    let written = source
        .text
        .strip_prefix("as ")
        .and_then(|rest| rest.split_once(':'));
    let Some((name, expression)) = written else {
        return Ok((None, Arc::clone(source)));
    };
    let faction = rules.faction(name.trim()).ok_or_else(|| {
        let hint = hint_for(name.trim(), rules.factions.iter().map(String::as_str));
        let at = "as ".len().."as ".len() + name.len();
        unknown_name("faction", name.trim()).hint(hint).at(source, at)
    })?;
    let blank = " ".repeat(source.text.len() - expression.len());
    Ok((
        Some(faction),
        Source::new(source.name.clone(), format!("{blank}{expression}")),
    ))
}

impl Play {
    /// Evaluates an expression on what a faction may see, or with `as FACTION:` before it on what that faction sees, and
    /// reads the value. It can only read.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression, at its place. It reads what is hidden from the faction, or wants to see as
    /// another one.
    pub fn look<T>(
        &mut self,
        source: &Arc<Source>,
        viewer: Option<FactionId>,
        read: impl FnOnce(&Runtime, &ValueView) -> T,
    ) -> Result<T, Problem> {
        let rules = Arc::clone(&self.table().rules);
        let (asked, expression) = viewpoint(&rules, source)?;
        if let (Some(viewer), Some(asked)) = (viewer, asked)
            && viewer != asked
        {
            let name = |faction: FactionId| &*rules.factions[faction.index()];
            return Err(problems::other_view(name(viewer), name(asked)).at(source, 0..source.text.len()));
        }
        self.look_as(&expression, asked.or(viewer), read)
    }

    /// The same without `as FACTION:`.
    ///
    /// # Errors
    ///
    /// As [`Self::look`].
    pub fn look_as<T>(
        &mut self,
        source: &Arc<Source>,
        viewer: Option<FactionId>,
        read: impl FnOnce(&Runtime, &ValueView) -> T,
    ) -> Result<T, Problem> {
        let rules = Arc::clone(&self.table().rules);
        let Some(viewer) = viewer.filter(|_| rules.slots.secrets) else {
            return self.on_view(viewer, |runtime| {
                runtime.evaluate(source).map(|value| read(runtime, &value))
            });
        };
        let units: Vec<String> = {
            let table = self.table();
            let view = table.view(Some(viewer));
            let hidden = table
                .world
                .ever_owned()
                .iter()
                .filter(|unit| !view.shows_unit(*unit));
            hidden
                .map(|unit| rules.unit_name(table.world.name(unit)))
                .collect()
        };
        let recorder = DiceRecorder::default();
        let value = self.on_view(Some(viewer), |runtime| {
            let world = &mut runtime.table.world;
            let hidden = world.hidden_slots(&rules, viewer);
            recorder.guard(&hidden);
            world.record_dice(Some(recorder.clone()));
            runtime.evaluate(source).map(|value| read(runtime, &value))
        });
        let name = &rules.factions[viewer.index()];
        let problem = match (recorder.first_read(), &value) {
            (Some(slot), _) => {
                let slot = self.table().world.slot_name(&rules, slot);
                problems::hidden_slot(name, &slot)
            }
            (None, Err(problem)) => match units.iter().find(|unit| problem.message.contains(*unit)) {
                Some(unit) => problems::hidden_unit(name, unit),
                None => return value,
            },
            (None, Ok(_)) => return value,
        };
        let blank = source.text.len() - source.text.trim_start().len();
        let hint = match blank {
            0 => "if you play all sides yourself, `:alone on` hides nothing".to_owned(),
            _ => format!("leave `as {name}:` out to read everything"),
        };
        Err(problem.hint(hint).at(source, blank..source.text.len()))
    }
}
