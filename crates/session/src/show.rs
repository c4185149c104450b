//! The text of a play: new events, the board, the question, the units. Knows what may be seen; decides nothing.

use crate::event_text::Entry;
use crate::kernel::choice::{OfferedOption, StepId};
use crate::kernel::event::{ACTIVATES, Event};
use crate::kernel::ids::{MAX_FACTIONS, PlaceSet, Thing, TypeId, UnitId, UnitSet};
use crate::kernel::rules::Rules;
use crate::kernel::table::Question;
use crate::lines;
use crate::option_text::QuestionWords;
use crate::option_text::any_number;
use crate::output::{Output, OutputPiece};
use crate::picture::story::{Span, begins_step};
use crate::play::Chapter;
use crate::render::{self, Marks};
use crate::report::Problem;
use crate::reports::{MarkedText, Report, ReportTable, TextMark};
use crate::session::{Session, SessionState};
use crate::sheet::Sheet;
use crate::sheet::card::{held_text, line_of_type};
use crate::stage::run::{self, PlayStop};
use crate::transcript::{Line, lines_for_people};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// More options than these are listed in columns.
const MANY_OPTIONS: usize = 12;
/// The most event lines that are printed at once; `:events` shows the others.
const MANY_LINES: usize = 24;

/// The open question in words.
pub(crate) struct QuestionText {
    /// The question: who chooses what.
    pub(crate) head: String,
    /// The keys of its options.
    pub(crate) keys: Vec<String>,
    /// The text where the board limits the options; empty if it does not.
    pub(crate) edge: String,
    /// Whether its options are the candidates of a region.
    pub(crate) is_region: bool,
    /// Other possible answers, in words; empty if there are none.
    pub(crate) besides: String,
    /// The number of each option, by which it can be answered; none where it cannot.
    pub numbers: Vec<usize>,
}

/// A line of the record.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct RecordRow {
    pub(crate) text: String,
    pub(crate) kind: RowKind,
    /// The event's number, by which `:why` finds it, where it followed from a rule.
    pub(crate) number: Option<usize>,
}

/// The kind of a line of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RowKind {
    /// A phase begins.
    Phase,
    /// A step does.
    Step,
    /// Somebody has chosen or rolled.
    Choice,
    /// A consequence.
    Consequence,
    /// Rules or the board were changed.
    Chapter,
}

impl Session {
    /// Returns the new events and the question, below a note.
    pub(crate) fn show_new(&mut self, note: Option<String>) -> Output {
        let mut reply = Output::default();
        self.show_events(&mut reply);
        // Where it is seen: the record may be longer than the screen.
        let at = reply.pieces.len().saturating_sub(1);
        reply.pieces.splice(at..at, note.map(OutputPiece::Text));
        reply
    }

    /// Tells what has happened since, and asks.
    pub(crate) fn show_events(&mut self, reply: &mut Output) {
        let viewer = self.viewer();
        let view = self.play.table().view(viewer);
        let public = view.public_events();
        let events = self.play.table().events.len();
        self.shown.all = self.shown.all.min(events);
        if self.play.ruleset().rules.slots.secrets {
            // Each faction was told what it may see.
            self.shown.hidden_since = None;
            if view.is_whole() {
                self.shown.all = self
                    .shown
                    .each
                    .into_iter()
                    .fold(self.shown.all, usize::max)
                    .min(events);
            }
        } else if self.shown.is_another_secret(view.since()) {
            self.shown.each = [view.since().map_or(0, |_| public); MAX_FACTIONS];
        }
        let each = viewer.map_or(usize::MAX, |viewer| self.shown.each[viewer.index()]);
        let first = each.min(self.shown.all);
        let record = view.events().filter(|(index, _)| *index >= first);
        let record: Vec<(usize, Event)> = record.map(|(index, event)| (index, event.into_owned())).collect();
        let uncovered = self.shown.all > public;
        let mut lines = self.lines(&record, self.shown.all, public);
        self.shown.all = self.shown.all.max(public);
        let rules = Arc::clone(&self.play.ruleset().rules);
        if self.is_for_machine() {
            // Neither what an agent is asked nor what it sees is the person's to read.
            return add_lines(reply, &rules, &lines);
        }
        if let (Some(viewer), SessionState::Asks) = (viewer, &self.state) {
            if self.shown.asked_faction != Some(viewer) {
                let first = self.shown.asked_faction.replace(viewer).is_none() && !uncovered;
                add_lines(reply, &rules, &std::mem::take(&mut lines));
                let name = &self.play.ruleset().rules.factions[viewer.index()];
                let line = match view.in_hidden_phase() {
                    true => format!("--- {name}'s turn to choose in secret ---"),
                    false => format!("--- {name}'s turn: only {name} may look ---"),
                };
                // Before anybody has chosen there is nothing to cover.
                reply.pieces.push(match first {
                    true => OutputPiece::Text(format!(
                        "{line}\n(one person plays all sides? answer `{}`, and nothing is covered)",
                        self.all_sides()
                    )),
                    false => OutputPiece::Cover(line),
                });
                self.shown.shown = None;
            }
            let from = self.shown.each[viewer.index()].min(events).max(public);
            lines.extend(self.lines(&record, from, events));
            self.shown.each[viewer.index()] = events;
        }
        add_lines(reply, &rules, &lines);
        self.note_beyond_script(reply);
        match &mut self.state {
            SessionState::Asks => {
                let now = self.play.given_count();
                let new = self.types_to_introduce().into_iter();
                let new: Vec<TypeId> = new
                    .filter(|kind| !self.shown.introduced.contains_key(kind))
                    .collect();
                reply
                    .pieces
                    .extend(self.introduction(&new).map(OutputPiece::Report));
                self.shown
                    .introduced
                    .extend(new.into_iter().map(|kind| (kind, now)));
                reply.pieces.extend(self.question().map(OutputPiece::Report));
            }
            SessionState::Lays => reply.add(self.how_to_lay()),
            SessionState::Over => reply.add(format!(
                "the game is over: {}",
                run::end_of(&self.play, &PlayStop::Over)
            )),
            SessionState::Failed {
                problem,
                told: reported,
            } => {
                if !std::mem::replace(reported, true) {
                    reply.fail((**problem).clone(), self.face.style.colour);
                }
                // Who types on at it is told the way out again.
                reply.add("the position is as it was before the step; `:undo` takes an answer back");
            }
        }
    }

    /// Tells how units come onto an empty board, and how the game begins then.
    fn how_to_lay(&self) -> String {
        let rules = &self.play.ruleset().rules;
        let side = rules.factions.first().map_or("red", String::as_str);
        let kind = rules.types.first().map_or("scouts", |kind| kind.name.as_str());
        let place = match rules.plane() {
            Some(_) => "10,10",
            None => rules
                .board
                .places()
                .first()
                .map_or("a1", |place| rules.board.name(place)),
        };
        format!(
            "{}: `:edit place {side}.{kind} {place}` puts a unit on the board, `:start` begins it",
            self.waiting_for()
        )
    }

    /// Says once of every label that its dice come from the seed from here on; not while it may be a secret that they
    /// were rolled.
    fn note_beyond_script(&mut self, reply: &mut Output) {
        if self.is_secret() {
            return;
        }
        let table = self.play.table();
        for (label, scripted) in table.chance.beyond_stated() {
            if self.shown.beyond_script.insert(label.to_owned()) {
                reply.add(format!(
                    "note: the scenario scripts {scripted} of `{label}`; further ones come from the seed (`:force \
                     {label} ...` decides one)"
                ));
            }
        }
    }

    /// Returns the problem of a set-up as a piece, as an error if it needs care.
    pub(crate) fn noted(&self, (wrong, problem): (bool, Problem)) -> OutputPiece {
        match wrong {
            true => OutputPiece::error(problem, self.face.style.colour),
            false => OutputPiece::Text(format!("note: {}", problem.message)),
        }
    }

    /// The lines of the record from one event's index to before another's.
    fn lines(&self, record: &[(usize, Event)], from: usize, to: usize) -> Vec<String> {
        let part = record.iter().filter(|(i, _)| (from..to).contains(i));
        let mut events: Vec<Event> = part.map(|(_, e)| e.clone()).collect();
        // Headings wait for something to happen below them; a question is something.
        let asks = self.state == SessionState::Asks;
        if asks {
            events.push(Event::Step(StepId::default()));
        }
        let table = self.play.table();
        let mut lines = lines_for_people(&table.rules, &table.words, &events);
        if asks {
            lines.pop();
        }
        lines.iter().map(|(_, line)| line.text()).collect()
    }

    /// The last lines of the record, as far as they may be seen; what followed from a rule has its
    /// number, by which `:why` finds it.
    pub fn events(&self, count: usize) -> Report {
        let rules = &self.play.ruleset().rules;
        let row = |row: &RecordRow| {
            let number = row.number.map_or_else(String::new, |n| n.to_string());
            match row.kind {
                RowKind::Chapter => marked(rules, format!("     ~~ {}", row.text), 0),
                _ => marked(rules, format!("{number:>4} {}", row.text), 5),
            }
        };
        let rows = self.rows();
        match rows.is_empty() {
            true => Report::of("nothing has happened yet"),
            false => Report::lines(rows[rows.len().saturating_sub(count)..].iter().map(row)),
        }
    }

    /// The record line by line, as far as it may be seen, with what changed between two lines.
    pub(crate) fn rows(&self) -> Vec<RecordRow> {
        let visible = self
            .view()
            .events()
            .map(|(index, event)| (index, event.into_owned()));
        let record: Vec<(usize, Event)> = visible.collect();
        let events: Vec<Event> = record.iter().map(|(_, e)| e.clone()).collect();
        let table = self.play.table();
        let mut chapters = self.chapters_seen().peekable();
        let mut rows = Vec::new();
        for (index, line) in lines_for_people(&table.rules, &table.words, &events) {
            let Some((event, recorded)) = record.get(index) else {
                continue;
            };
            while let Some((_, texts)) = chapters.next_if(|(from, _)| from <= event) {
                rows.extend(texts);
            }
            let kind = match (&line, recorded) {
                (Line::Entry(Entry::Phase { .. }), _) => RowKind::Phase,
                (_, recorded) if recorded.is_consequence() => RowKind::Consequence,
                (_, recorded) if begins_step(recorded) => RowKind::Step,
                _ => RowKind::Choice,
            };
            let number = (kind == RowKind::Consequence).then_some(event + 1);
            let text = line.text();
            rows.push(RecordRow { text, kind, number });
        }
        rows.extend(chapters.flat_map(|(_, texts)| texts));
        rows
    }

    /// The chapters after the first as lines between those of the record: before which event each
    /// stands, and what changed; without what was changed by hand in secret.
    fn chapters_seen(&self) -> impl Iterator<Item = (usize, Vec<RecordRow>)> {
        let (since, lasting) = (self.view().since(), self.view().has_lasting_secrets());
        let shown = self.play.chapters().iter().skip(1).filter(move |c| {
            let open = since.is_none_or(|since| c.from_event <= since) && !lasting;
            !c.why.is_empty() && (open || c.edits.is_none())
        });
        let texts = |c: &Chapter| {
            c.edits
                .as_ref()
                .map_or_else(|| vec![c.why.clone()], |e| e.texts.clone())
        };
        let row = |text| RecordRow {
            text,
            kind: RowKind::Chapter,
            number: None,
        };
        shown.map(move |c| (c.from_event, texts(c).into_iter().map(row).collect()))
    }

    /// The board as it may be shown now, with the factions' numbers and reserves.
    pub fn board(&self) -> Report {
        self.draw_marked(&self.marks())
    }

    /// The same with other things pointed out.
    pub(crate) fn draw_marked(&self, marks: &Marks) -> Report {
        let text = self.drawn_as(marks, false, false);
        Report::of(match self.fits(&text) {
            true => text,
            false => self.drawn_as(marks, true, false),
        })
    }

    /// The board as it is shown when something has moved: in rows of letters where it would be higher than the
    /// terminal else, and whether it is.
    pub(crate) fn board_at_a_glance(&self) -> (Report, bool) {
        let whole = self.board();
        let (marks, lines) = (self.marks(), |text: &str| text.lines().count());
        if self.fits(&whole.text()) {
            return (whole, false);
        }
        let small = self.drawn_as(&marks, true, true);
        match lines(&small) < lines(&whole.text()) {
            true => (Report::of(small), true),
            false => (whole, false),
        }
    }

    /// Whether a board has room on the terminal, with the question and the line that is typed below it.
    fn fits(&self, board: &str) -> bool {
        let below = 1 + self.question().map_or(0, |q| q.text().lines().count());
        self.face
            .rows
            .is_none_or(|rows| board.lines().count() + below <= rows)
    }

    /// The board with its numbers and reserves: with low cells, or in rows of letters where it can be.
    fn drawn_as(&self, marks: &Marks, low: bool, letters: bool) -> String {
        let (rules, world) = (&self.play.ruleset().rules, &self.world());
        let style = render::Style {
            width: self.face.columns.unwrap_or(self.face.style.width),
            low,
            letters,
            ..self.face.style
        };
        let status = render::status(rules, world, &self.face.style);
        let mut parts = vec![render::marked_board(rules, world, &style, marks)];
        parts.push(match low {
            true => {
                // What belongs to a faction stays together.
                let lines: Vec<String> = status.lines().map(str::to_owned).collect();
                lines::packed("", &lines, 3, style.width, 2)
            }
            false => status,
        });
        parts.extend(render::reserve(rules, world, &self.face.style));
        parts.join("\n")
    }

    /// Puts the board before the question, or before how the game ended; not while that is turned off. Where all of it
    /// together is higher than the terminal, before a few lines of what has just happened too: those are to be seen.
    pub(crate) fn add_board(&mut self, reply: &mut Output) {
        if self.face.quiet {
            return;
        }
        let question = self.question().map(OutputPiece::Report);
        let last = match self.state {
            SessionState::Asks => reply.pieces.iter().rposition(|p| Some(p) == question.as_ref()),
            SessionState::Lays | SessionState::Over => reply.pieces.len().checked_sub(1),
            SessionState::Failed { .. } => None,
        };
        let mut at = last.unwrap_or(reply.pieces.len());
        // The cards of what is offered stay with the question.
        if at > 0
            && self
                .introduction(&self.types_to_introduce())
                .map(OutputPiece::Report)
                .as_ref()
                == reply.pieces.get(at - 1)
        {
            at -= 1;
        }
        let (board, small) = self.board_at_a_glance();
        let mut board = vec![OutputPiece::Report(board)];
        if small && !std::mem::replace(&mut self.shown.small, true) {
            board.push(OutputPiece::Report(drawn_small()));
        }
        if let Some(rows) = self.face.rows {
            let lines =
                |pieces: &[OutputPiece]| pieces.iter().map(|p| p.text().lines().count()).sum::<usize>();
            let cover = |piece: &OutputPiece| matches!(piece, OutputPiece::Cover(_));
            let first = reply.pieces[..at]
                .iter()
                .rposition(cover)
                .map_or(0, |cover| cover + 1);
            let happened = lines(&reply.pieces[first..at]);
            let all = happened + lines(&board) + lines(&reply.pieces[at..]);
            if all >= rows && happened <= rows / 3 {
                at = first;
            }
        }
        reply.pieces.splice(at..at, board);
        self.shown.shown = Some(self.layout());
    }

    /// The same, where something has moved since a board was shown.
    pub(crate) fn show_moved(&mut self, reply: &mut Output) {
        if !self.is_for_machine() && self.shown.shown.as_ref() != Some(&self.layout()) {
            self.add_board(reply);
        }
    }

    /// The open question with its options, numbered; `None` when nothing is asked.
    pub fn question(&self) -> Option<Report> {
        self.question_told(&[], SPOTS_SHOWN)
    }

    /// The same, of a region with so many of the spots that it proposes, and with what stands behind each option in
    /// brackets, where there is anything.
    pub(crate) fn question_told(&self, notes: &[String], spots: usize) -> Option<Report> {
        let QuestionText {
            head,
            mut keys,
            edge,
            is_region,
            besides,
            numbers,
        } = self.open_question()?;
        let all = keys.len();
        if is_region {
            keys.truncate(spots);
        }
        let (mut text, numbers) = listed(&head, &keys, notes, &numbers, self.face.style.width);
        if !besides.is_empty() {
            let more = match all - keys.len() {
                0 => String::new(),
                more => format!("{more} more: `:options`; "),
            };
            let note = format!("({more}or {besides})");
            text += &format!("\n{}", wrapped(&note, self.face.style.width));
        }
        if !edge.is_empty() {
            let note = format!("the board ends at {edge}: beyond it nothing can be laid");
            text += &format!("\n{}", wrapped(&note, self.face.style.width));
        }
        let mut marked_text = marked(&self.play.ruleset().rules, text, 0);
        marked_text
            .marks
            .extend(numbers.into_iter().map(|span| (span, TextMark::Faint)));
        marked_text.marks.sort_by_key(|(span, _)| span.start);
        Some(Report::of(marked_text))
    }

    /// The unit types among the options of the open question, and of units among them, that no question before it offered.
    fn types_to_introduce(&self) -> Vec<TypeId> {
        let now = self.play.given_count();
        let types = self.play.with_question(|a| {
            let things = a
                .request
                .options
                .iter()
                .take(MANY_OFFERED)
                .flat_map(OfferedOption::things);
            let things = things.chain(a.request.options.listed().flat_map(OfferedOption::things));
            let types = things.filter_map(|thing| match thing {
                OfferedOption::Type(kind) => Some(kind),
                OfferedOption::Unit(unit) => Some(a.world.unit(unit).kind),
                _ => None,
            });
            types.collect::<BTreeSet<TypeId>>()
        });
        let new = |kind: &TypeId| self.shown.introduced.get(kind).is_none_or(|at| *at == now);
        types.into_iter().flatten().filter(new).collect()
    }

    /// The cards of the types that the open question is the first to offer, a line each.
    pub(crate) fn cards_to_introduce(&self) -> Vec<String> {
        self.cards(&self.types_to_introduce())
    }

    fn cards(&self, types: &[TypeId]) -> Vec<String> {
        if types.is_empty() {
            return Vec::new();
        }
        let sheet = Sheet::of(self.play.ruleset(), None);
        types.iter().map(|kind| line_of_type(&sheet, *kind)).collect()
    }

    /// The cards of types that are offered for the first time; none where the terminal has no room for them beside a
    /// board.
    fn introduction(&self, types: &[TypeId]) -> Option<Report> {
        let lines = self.cards(types).into_iter();
        let lines: Vec<String> = lines
            .map(|card| lines::wrapped(&card, self.face.style.width, 4))
            .collect();
        let high: usize = lines.iter().map(|card| card.lines().count()).sum();
        match self.face.rows {
            _ if lines.is_empty() => None,
            Some(rows) if high + BOARD_ROWS > rows => None,
            _ => Some(Report::lines(lines)),
        }
    }

    /// The open question.
    pub(crate) fn open_question(&self) -> Option<QuestionText> {
        self.play.with_question(|a| {
            let asker = &a.rules.factions[a.request.asker.index()];
            let label = a.label();
            let about = match a.request.subject {
                Thing::Game => a.rules.who(a.request.step.about),
                thing => a.rules.who(a.world.who(thing)),
            };
            let after = a.request.step.interrupts.map(|cut| a.rules.unit_name(cut.after));
            let beside = match a.beside() {
                none if none.is_empty() => none,
                text => format!(" ({text})"),
            };
            let head = if a.request.step.pick > 0 || label == ACTIVATES {
                format!("{asker} {label}")
            } else if let Some(after) = after.filter(|_| about == *asker) {
                format!("{asker} chooses {label} after {after}")
            } else if about.is_empty() || about == *asker {
                format!("{asker} chooses {label}")
            } else {
                format!("{asker} chooses {label} for {about}")
            };
            let edge: Vec<&str> = a.cut_off_at().map(|p| a.rules.board.name(p)).collect();
            let options = &a.request.options;
            let spots = options.region().map(|region| region.forms().to_owned());
            let keys = a.keys();
            QuestionText {
                head: format!("{head}{beside}"),
                edge: edge.join(", "),
                is_region: options.is_region(),
                besides: spots.or(options.numbers().map(any_number)).unwrap_or_default(),
                numbers: self.shown.numbers.borrow().of(a, &keys),
                keys,
            }
        })
    }

    /// All units that may be seen: where they are, and their slots.
    pub fn units(&self) -> Report {
        let world = self.world();
        let rules = &self.play.ruleset().rules;
        let all: Vec<UnitId> = rules.all_factions().flat_map(|f| world.owned(f)).collect();
        if all.is_empty() {
            return Report::of("no units yet");
        }
        // What is kept quietly is worth a column only while it says something.
        let visible = |index: &usize| {
            let slot = &rules.slots.unit[*index];
            let says = |u: &UnitId| {
                let unit = Thing::Unit(*u);
                world.slot(unit, *index) != world.start_of(rules, unit, slot)
            };
            !slot.quiet || all.iter().any(says)
        };
        let visible: Vec<usize> = (0..rules.slots.unit.len()).filter(visible).collect();
        let slots = visible.iter().map(|&i| rules.slots.unit[i].name.as_str());
        let head = ["unit", "place"].into_iter().chain(slots);
        let mut table = ReportTable::plain(vec![head.map(str::to_owned).collect()]);
        for unit in all {
            let name = rules.unit_name(world.name(unit));
            let slots = visible
                .iter()
                .map(|&i| held_text(rules, &world, Thing::Unit(unit), i));
            table.push(
                [name, crate::event_text::lies_told(&world, rules, unit)]
                    .into_iter()
                    .chain(slots),
            );
            table.last_about(world.unit(unit).owner.index());
        }
        Report::of(table)
    }

    /// Returns the escape sequence of each faction's colour; `None` without colour.
    pub fn paints(&self) -> Option<Vec<String>> {
        let (rules, style) = (&self.play.ruleset().rules, &self.face.style);
        let paints = rules
            .all_factions()
            .map(|faction| render::paint(rules, style, faction));
        style.colour.then(|| paints.collect())
    }

    /// Returns the marks of a board that only shows the position: who moved last.
    fn marks(&self) -> Marks {
        let events: Vec<Event> = self.view().events().map(|(_, e)| e.into_owned()).collect();
        let rules = &self.play.ruleset().rules;
        let world = self.world();
        let moved = Span::Step
            .of(rules, &events)
            .iter()
            .filter_map(|event| match event.arrival() {
                Some((unit, Some(_), _)) => world.find(unit),
                _ => None,
            });
        let mut marks = Marks {
            moved: moved.collect(),
            ..Marks::default()
        };
        let read = |question: &Question<'_>| {
            let (mut places, mut units) = (PlaceSet::EMPTY, UnitSet::EMPTY);
            let options = &question.request.options;
            let many = options.takes().map_or(&[][..], |_| options.list());
            let each = options.iter().filter(|_| many.is_empty());
            for option in each.chain(many.iter().copied()) {
                for thing in option.things() {
                    match thing {
                        OfferedOption::Place(place) => places.insert(place),
                        OfferedOption::Unit(unit) => units.insert(unit),
                        _ => {}
                    }
                }
            }
            let candidates = options.region().filter(|_| options.is_region());
            let spots = candidates.map_or(&[][..], |region| region.candidates());
            (places, units, question.world.ground().clone(), spots.to_vec())
        };
        if let Some((places, units, ground, spots)) = self.play.with_question(read) {
            marks.spots = spots;
            marks.offered = &places & &ground;
            marks.choices = units;
            // Only tiles can be laid in gaps: whatever is asked, an offered gap is worth seeing.
            marks.gaps = places - ground;
        }
        marks
    }
}

/// A text of the record or of a question, with its headings and the words that name a side or a unit marked; each line
/// begins behind so many blanks or digits.
pub(crate) fn marked(rules: &Rules, text: String, head: usize) -> MarkedText {
    let mut marks = Vec::new();
    let mut from = 0;
    for line in text.split('\n') {
        if line.get(head..).is_some_and(|line| line.starts_with('=')) {
            marks.push((from..from + line.len(), TextMark::Strong));
        } else {
            for word in line.split(' ') {
                let bare = word.trim_start_matches('(').trim_end_matches([',', ')', ':']);
                let faction = rules.faction(bare.split(['.', ',', ')', ':']).next().unwrap_or_default());
                let start = bare.as_ptr() as usize - text.as_ptr() as usize;
                marks.extend(
                    faction.map(|faction| (start..start + bare.len(), TextMark::Side(faction.index()))),
                );
            }
        }
        from += line.len() + 1;
    }
    MarkedText { text, marks }
}

/// Event lines, the last ones when there are too many.
pub(crate) fn add_lines(reply: &mut Output, rules: &Rules, mut lines: &[String]) {
    let rows = |line: &String| line.lines().count().min(2);
    if lines.iter().map(rows).sum::<usize>() > 2 * MANY_LINES {
        let skipped = lines.len() - MANY_LINES;
        let all = lines.len();
        reply.add(format!(
            "... {skipped} more lines; `:events {all}` shows them all"
        ));
        lines = &lines[skipped..];
    }
    if !lines.is_empty() {
        reply.show(Report::of(marked(rules, lines.join("\n"), 0)));
    }
}

/// Lines that a board with its question needs, about.
const BOARD_ROWS: usize = 22;
/// Maximum number of options that are searched for unit types.
const MANY_OFFERED: usize = 400;

/// Maximum number of spots of a region that are listed without `:options`.
const SPOTS_SHOWN: usize = 12;

/// A question's options: behind it when they are few, else in columns below it; and where their numbers stand.
fn listed(
    head: &str,
    keys: &[String],
    notes: &[String],
    numbers: &[usize],
    width: usize,
) -> (String, Vec<Range<usize>>) {
    let last = numbers.iter().max().map_or(0, |most| most.to_string().len());
    let many = keys.len() > MANY_OPTIONS && notes.is_empty();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&index| numbers.get(index));
    let item = |index: usize| {
        let key = &keys[index];
        let number = match numbers.get(index) {
            None => String::new(),
            Some(number) if many => format!("{number:>last$} "),
            Some(number) => format!("{number} "),
        };
        let note = notes.get(index).filter(|note| !note.is_empty());
        let note = note.map_or_else(String::new, |note| format!(" ({note})"));
        (format!("{number}{key}{note}"), number.len())
    };
    let (items, numbers): (Vec<String>, Vec<usize>) = order.into_iter().map(item).unzip();
    let text = match many {
        true => format!(
            "{head}: one of {}\n{}",
            keys.len(),
            lines::in_columns(&items, width)
        ),
        // Options of several words need more space between them.
        false => {
            let gap = if notes.is_empty() { 2 } else { 3 };
            lines::packed(&format!("{head}:"), &items, gap, width, 4)
        }
    };
    let mut from = head.len();
    let places = items.iter().zip(numbers).filter(|(_, number)| *number > 0);
    let places = places.filter_map(|(item, number)| {
        let start = from + text[from..].find(item.as_str())?;
        from = start + item.len();
        Some(start..start + number - 1)
    });
    let places = places.collect();
    (text, places)
}

/// A sentence in lines of at most so many columns, those after the first indented.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    lines::wrapped(text, width, 2)
}

/// Rows with aligned columns, or what is said where there are none.
pub(crate) fn table_or(rows: Vec<Vec<String>>, none: &str) -> Report {
    match rows.is_empty() {
        true => Report::of(none),
        false => Report::of(ReportTable::plain(rows)),
    }
}

/// That a board is not drawn as it is.
pub(crate) fn drawn_small() -> Report {
    Report::of("the board is higher than the terminal and drawn small; `:board` draws it whole".to_owned())
}
