//! Boards between the lines of a transcript, for people.

use super::{Style, board, reserve, status};
use crate::kernel::rules::Rules;
use crate::kernel::world::World;
use crate::play::Play;
use crate::transcript::{BOARD, Line, Transcript, begins_innermost, numbered_lines_of};

/// The transcript of a play as text, with the board drawn where an innermost repeating phase begins and at the end.
/// Needs the play's trail.
pub fn with_boards(play: &Play, transcript: &Transcript) -> String {
    let table = play.table();
    let entries = numbered_lines_of(&table.rules, &table.words, &table.events);
    let mut entries = entries.into_iter().map(|(event, _)| event);
    let between = |text: &mut String, world: &World| {
        for line in position(&table.rules, world).lines() {
            text.push_str(format!("{BOARD} {line}").trim_end());
            text.push('\n');
        }
    };
    let mut text = transcript.print_scenario();
    for line in &transcript.lines {
        if let Line::End(_) = line {
            between(&mut text, &table.world);
        }
        text.push_str(&line.text());
        text.push('\n');
        if let Line::Entry(_) = line
            && let Some(event) = entries.next()
            && begins_innermost(&table.rules, &table.events[event])
            && let Some(checkpoint) = play.checkpoint_after(event)
        {
            between(&mut text, &checkpoint.position.world);
        }
    }
    text
}

/// The board of a position, with the factions' numbers and reserves.
pub fn position(rules: &Rules, world: &World) -> String {
    let style = Style::default();
    let mut text = board(rules, world, &style);
    text.push('\n');
    text.push_str(&status(rules, world, &style));
    if let Some(reserve) = reserve(rules, world, &style) {
        text.push('\n');
        text.push_str(&reserve);
    }
    text
}
