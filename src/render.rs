//! The board as text: hexagons with outlines for a terminal and for transcripts.
//!
//! Draws what a world says and nothing else: it knows neither games nor play, asks no hook and
//! prints nothing. A caller who must not see everything hands in a masked world.

use crate::kernel::board::Cell;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, Thing, TypeId, UnitId, UnitName, UnitSet};
use crate::kernel::rules::{Rules, SlotKind};
use crate::kernel::world::World;
use anstyle::{AnsiColor, Style as Paint};

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether factions are told apart by colour, with ANSI codes; by letters otherwise.
    pub colour: bool,
    /// Whether hexagons show their names.
    pub names: bool,
    /// Columns at most; a board that needs more is drawn as a list.
    pub width: usize,
    /// Whether to keep to ASCII; otherwise the slanted edges are `╱` and `╲`, which join without gaps.
    pub ascii: bool,
}

impl Default for Style {
    /// Plain ASCII with names, 80 columns.
    fn default() -> Self {
        Self {
            colour: false,
            names: true,
            width: 80,
            ascii: true,
        }
    }
}

/// What a board points out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    /// Places that can be reached: their names stand in brackets.
    pub reach: PlaceSet,
    /// Places that can be hit: their names stand between exclamation marks.
    pub threat: PlaceSet,
    /// Units that can be hit: an exclamation mark before their number.
    pub targets: UnitSet,
    /// Units that moved last: an apostrophe before their number.
    pub moved: UnitSet,
}

/// The board with every unit on it, and a legend below; lines without trailing spaces, no newline
/// at the end. A list of the occupied places when the hexagons are wider than the style allows.
pub fn board(rules: &Rules, world: &World, style: &Style) -> String {
    marked_board(rules, world, style, &Marks::default())
}

/// The same with something pointed out, and said in the legend.
pub fn marked_board(rules: &Rules, world: &World, style: &Style, marks: &Marks) -> String {
    let mut look = Look::new(rules, world, style);
    look.marks = *marks;
    let mut lines = match Shape::fitting(&look) {
        Some(shape) => look.hexagons(&shape),
        None => look.list(),
    };
    let legend = look.legend();
    if !legend.is_empty() && !rules.board.is_empty() {
        lines.push(String::new());
        lines.push(legend);
    }
    lines.join("\n")
}

/// The units that exist and are not on the board, one line for each faction that has some; `None`
/// when none has.
pub fn reserve(rules: &Rules, world: &World, style: &Style) -> Option<String> {
    let look = Look::new(rules, world, style);
    let waiting = world.alive() - world.on_board();
    let mut lines = Vec::new();
    for faction in factions(rules) {
        let units = look.sorted(waiting & world.owned(faction));
        if units.is_empty() {
            continue;
        }
        let head = format!("{}  reserve", look.padded(faction));
        let full: Vec<String> = units.iter().map(|&u| look.long_name(u)).collect();
        let fits = head.len() + full.iter().map(|n| n.len() + 2).sum::<usize>() <= style.width;
        let names = if fits {
            full
        } else {
            units.iter().map(|&u| look.declared_label(u)).collect()
        };
        lines.push(format!(
            "{}  {}",
            look.painted(&head, look.paint(faction)),
            names.join("  ")
        ));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// One line for each faction in turn order, with its numbers that are not at their start.
pub fn status(rules: &Rules, world: &World, style: &Style) -> String {
    let look = Look::new(rules, world, style);
    let mut lines = Vec::new();
    for nth in 0..rules.factions.len() {
        let faction = world.in_order(nth);
        let mut line = look.padded(faction);
        for (index, slot) in rules.slots.faction.iter().enumerate() {
            let value = world.slot(rules, Thing::Faction(faction), index);
            if slot.kind == SlotKind::Number && !slot.quiet && value != slot.start {
                line.push_str(&format!("  {} {value}", slot.name));
            }
        }
        lines.push(look.painted(line.trim_end(), look.paint(faction)));
    }
    lines.join("\n")
}

/// Two texts next to each other, the right one `gap` columns from the left one's longest line.
/// ANSI codes take no room.
pub fn side_by_side(left: &str, right: &str, gap: usize) -> String {
    let room = left.lines().map(shown_width).max().unwrap_or(0) + gap;
    let (mut lefts, mut rights) = (left.lines(), right.lines());
    let mut lines = Vec::new();
    loop {
        let (left, right) = match (lefts.next(), rights.next()) {
            (None, None) => break,
            (left, right) => (left.unwrap_or_default(), right.unwrap_or_default()),
        };
        if right.is_empty() {
            lines.push(left.to_owned());
        } else {
            let pad = room.saturating_sub(shown_width(left));
            lines.push(format!("{left}{:pad$}{right}", ""));
        }
    }
    lines.join("\n")
}

/// How many columns a line takes: its characters without ANSI codes.
fn shown_width(line: &str) -> usize {
    let mut width = 0;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            // A code ends with its first character from `@` to `~`.
            while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
        } else {
            width += 1;
        }
    }
    width
}

/// How the factions' units are told apart in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Code {
    /// Symbols as declared: the colour says it.
    Colour,
    /// The first faction upper case, the second lower case.
    Case,
    /// A letter or digit of the faction before every symbol.
    Prefix(Vec<char>),
}

/// A unit as a hexagon shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Token {
    label: String,
    /// Drawn less strongly, after the label.
    detail: String,
    paint: Paint,
    /// The unit is pointed out.
    marked: bool,
}

impl Token {
    fn width(&self) -> usize {
        self.label.chars().count() + self.detail.chars().count()
    }

    /// The token for `count` units that do not fit.
    fn more(count: usize, paint: Paint) -> Self {
        Self {
            label: String::new(),
            detail: format!("+{count}"),
            paint,
            marked: false,
        }
    }
}

/// How the parts of one drawing look.
struct Look<'a> {
    rules: &'a Rules,
    world: &'a World,
    style: &'a Style,
    code: Code,
    paints: Vec<Paint>,
    life: Option<usize>,
    /// Each faction's smallest zone, by index, where that is smaller than another of its zones.
    homes: Vec<Option<usize>>,
    /// Factions by where they belong on the screen, the uppermost first.
    order: Vec<FactionId>,
    marks: Marks,
}

const MARKERS: [char; 4] = ['*', '^', '!', '#'];

impl<'a> Look<'a> {
    fn new(rules: &'a Rules, world: &'a World, style: &'a Style) -> Self {
        let homes = homes(rules);
        Self {
            rules,
            world,
            style,
            code: code(rules, style),
            paints: paints(rules, style),
            life: life_slot(rules),
            order: screen_order(rules, &homes),
            homes,
            marks: Marks::default(),
        }
    }

    fn paint(&self, faction: FactionId) -> Paint {
        self.paints.get(faction.index()).copied().unwrap_or_default()
    }

    fn painted(&self, text: &str, paint: Paint) -> String {
        if paint.is_plain() || text.is_empty() {
            text.to_owned()
        } else {
            format!("{paint}{text}{paint:#}")
        }
    }

    fn faction_name(&self, faction: FactionId) -> &'a str {
        self.rules
            .factions
            .get(faction.index())
            .map_or("?", String::as_str)
    }

    /// A faction's name, as wide as the longest.
    fn padded(&self, faction: FactionId) -> String {
        let width = self
            .rules
            .factions
            .iter()
            .map(|f| f.chars().count())
            .max()
            .unwrap_or(0);
        format!("{:width$}", self.faction_name(faction))
    }

    /// By faction from the top of the screen, then type, then number.
    fn sorted(&self, units: UnitSet) -> Vec<UnitId> {
        let mut units: Vec<UnitId> = units.collect();
        units.sort_by_key(|&u| {
            let unit = self.world.unit(u);
            let at = self.order.iter().position(|&f| f == unit.owner);
            (at, unit.kind, unit.nth)
        });
        units
    }

    /// A unit's number where its faction has had others of its type; nothing otherwise.
    fn number(&self, unit: UnitId) -> String {
        number(self.world, self.world.name(unit))
    }

    fn symbol(&self, unit: UnitId) -> String {
        symbol(self.rules, self.world.unit(unit).kind, self.style.ascii)
    }

    fn declared_label(&self, unit: UnitId) -> String {
        format!("{}{}{}", self.symbol(unit), self.number(unit), self.detail(unit))
    }

    fn long_name(&self, unit: UnitId) -> String {
        let kind = self.world.unit(unit).kind;
        let name = self
            .rules
            .types
            .get(kind.index())
            .map_or("?", |t| t.name.as_str());
        format!("{name}{}{}", self.number(unit), self.detail(unit))
    }

    fn detail(&self, unit: UnitId) -> String {
        // The sign before the number says how the unit is marked, so that nothing gets wider.
        let sign = self.sign(unit);
        match self.life {
            Some(slot) => {
                let life = self.world.slot(self.rules, Thing::Unit(unit), slot);
                format!("{}{life}", sign.unwrap_or(':'))
            }
            None => sign.map_or_else(String::new, String::from),
        }
    }

    fn sign(&self, unit: UnitId) -> Option<char> {
        if self.marks.targets.contains(unit) {
            Some('!')
        } else if self.marks.moved.contains(unit) {
            Some('\'')
        } else {
            None
        }
    }

    fn token(&self, unit: UnitId) -> Token {
        let owner = self.world.unit(unit).owner;
        let symbol = self.symbol(unit);
        let symbol = match &self.code {
            Code::Colour => symbol,
            Code::Case if owner.index() == 0 => symbol.to_uppercase(),
            Code::Case => symbol.to_lowercase(),
            Code::Prefix(letters) => match letters.get(owner.index()) {
                Some(letter) => format!("{letter}{symbol}"),
                None => symbol,
            },
        };
        Token {
            label: format!("{symbol}{}", self.number(unit)),
            detail: self.detail(unit),
            paint: self.paint(owner),
            marked: self.marks.targets.contains(unit),
        }
    }

    /// The units of a place by faction, the uppermost first.
    fn groups(&self, place: PlaceId) -> Vec<(FactionId, Vec<Token>)> {
        let mut groups: Vec<(FactionId, Vec<Token>)> = Vec::new();
        for unit in self.sorted(self.world.at(place)) {
            let owner = self.world.unit(unit).owner;
            match groups.last_mut() {
                Some((last, tokens)) if *last == owner => tokens.push(self.token(unit)),
                _ => groups.push((owner, vec![self.token(unit)])),
            }
        }
        groups
    }

    /// The zones that are marked, in the order of their markers.
    fn marked_zones(&self) -> Vec<usize> {
        let mut zones: Vec<usize> = self.homes.iter().flatten().copied().collect();
        zones.sort_unstable();
        zones.dedup();
        zones
    }

    fn marker_of(&self, zone: usize) -> char {
        let nth = self.marked_zones().iter().position(|&z| z == zone);
        MARKERS[nth.unwrap_or(0) % MARKERS.len()]
    }

    /// The factions that have this place in their smallest zone, with its marker.
    fn marker(&self, place: PlaceId) -> Option<(char, FactionId)> {
        let zones = &self.rules.board.zones;
        factions(self.rules)
            .zip(&self.homes)
            .filter_map(|(f, home)| home.map(|zone| (f, zone)))
            .find(|&(f, zone)| {
                zones
                    .get(zone)
                    .is_some_and(|z| z.places[f.index()].contains(place))
            })
            .map(|(f, zone)| (self.marker_of(zone), f))
    }

    /// What stands at the top of a hexagon.
    fn title(&self, place: PlaceId) -> (String, Paint) {
        let name = match self.style.names {
            true => self.rules.board.name(place),
            false => "",
        };
        let (reach, threat) = (
            self.marks.reach.contains(place),
            self.marks.threat.contains(place),
        );
        let mut title = match (reach, threat) {
            (true, true) => format!("[{name}!]"),
            (true, false) => format!("[{name}]"),
            (false, true) => format!("!{name}!"),
            (false, false) => name.to_owned(),
        };
        let mut paint = Paint::new();
        if let Some((marker, faction)) = self.marker(place) {
            title.push(marker);
            paint = self.paint(faction);
        }
        if (reach || threat) && self.style.colour {
            paint = paint.invert().bold();
        }
        (title, paint)
    }

    fn edge(&self) -> Paint {
        if self.style.colour {
            Paint::new().dimmed()
        } else {
            Paint::new()
        }
    }

    fn hexagons(&self, shape: &Shape) -> Vec<String> {
        let board = &self.rules.board;
        let (mut columns, mut lines) = (0, 0);
        for place in board.places() {
            let (x, y) = shape.corner(board.cell(place), board.rows());
            columns = columns.max(x + shape.width());
            lines = lines.max(y + shape.height() + 1);
        }
        let mut canvas = Canvas::new(columns, lines);
        let (rising, falling) = if self.style.ascii {
            ('/', '\\')
        } else {
            ('╱', '╲')
        };
        for place in board.places() {
            let (x, y) = shape.corner(board.cell(place), board.rows());
            for (dx, dy, edge) in shape.outline() {
                let edge = match edge {
                    '/' => rising,
                    '\\' => falling,
                    other => other,
                };
                canvas.put(x + dx, y + dy, edge, self.edge());
            }
        }
        for place in board.places() {
            let (x, y) = shape.corner(board.cell(place), board.rows());
            let (title, paint) = self.title(place);
            let (start, room) = shape.inside(0);
            let title: Vec<(char, Paint)> = title.chars().take(room).map(|c| (c, paint)).collect();
            // At the left, where it is not taken for a unit; with a space before it where there is room.
            let indent = usize::from(title.len() + 2 <= room);
            canvas.put_all(x + start + indent, y + 1, &title);
            let inside: Vec<(usize, usize)> =
                (1..shape.height() - 1).map(|line| shape.inside(line)).collect();
            let widths: Vec<usize> = inside.iter().map(|(_, room)| *room).collect();
            let rows = self.arrange(self.groups(place), &widths);
            for (nth, (tokens, (start, room))) in rows.iter().zip(&inside).enumerate() {
                let mut text = Vec::new();
                for (i, token) in tokens.iter().enumerate() {
                    if i > 0 {
                        text.push((' ', Paint::new()));
                    }
                    let strong = match (self.style.colour, token.marked) {
                        (true, true) => token.paint.bold().invert(),
                        (true, false) => token.paint.bold(),
                        (false, _) => token.paint,
                    };
                    text.extend(token.label.chars().map(|c| (c, strong)));
                    text.extend(token.detail.chars().map(|c| (c, token.paint)));
                }
                canvas.put_centred(x + start, y + 2 + nth, *room, &text);
            }
        }
        canvas.lines()
    }

    /// Which units go into which line of a hexagon: of two factions, one keeps to the top and one
    /// to the bottom, where there is room.
    fn arrange(&self, groups: Vec<(FactionId, Vec<Token>)>, widths: &[usize]) -> Vec<Vec<Token>> {
        let lines = widths.len();
        let empty = vec![Vec::new(); lines];
        if groups.is_empty() || lines == 0 {
            return empty;
        }
        // Every faction on lines of its own, the lowest at the bottom.
        if self.order.len() == 2 {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            for (faction, tokens) in &groups {
                let half = if self.order[0] == *faction {
                    &mut upper
                } else {
                    &mut lower
                };
                half.extend(tokens.iter().cloned());
            }
            for below in 0..=lines {
                let (top, bottom) = widths.split_at(lines - below);
                if let (Some(top), Some(bottom)) = (wrap(&upper, top), wrap(&lower, bottom)) {
                    return top.into_iter().chain(bottom).collect();
                }
            }
        } else {
            let mut rows: Vec<Vec<Token>> = Vec::new();
            let separate = groups.iter().all(|(_, tokens)| {
                let Some(wrapped) = wrap(tokens, widths.get(rows.len()..).unwrap_or_default()) else {
                    return false;
                };
                rows.extend(wrapped.into_iter().filter(|row| !row.is_empty()));
                true
            });
            if separate {
                rows.resize(lines, Vec::new());
                return rows;
            }
        }
        // All of them as they come.
        let all: Vec<Token> = groups.iter().flat_map(|(_, tokens)| tokens.clone()).collect();
        if let Some(rows) = wrap(&all, widths) {
            return rows;
        }
        // Not all of them: every faction its share of the lines, with what is left over as a number.
        if groups.len() <= lines {
            let mut rows = Vec::new();
            let mut from = 0;
            for (nth, (faction, tokens)) in groups.iter().enumerate() {
                let to = lines * (nth + 1) / groups.len();
                rows.extend(wrap_some(tokens, &widths[from..to], self.paint(*faction)));
                from = to;
            }
            return rows;
        }
        wrap_some(&all, widths, Paint::new())
    }

    fn list(&self) -> Vec<String> {
        let board = &self.rules.board;
        let mut lines = Vec::new();
        let occupied = board.places().filter(|&p| !self.world.at(p).is_empty());
        let occupied: Vec<PlaceId> = occupied.collect();
        let titles: Vec<(String, Paint)> = occupied
            .iter()
            .map(|&p| {
                let marker = self.marker(p);
                let name = board.name(p).to_owned();
                match marker {
                    Some((marker, faction)) => (format!("{name}{marker}"), self.paint(faction)),
                    None => (name, Paint::new()),
                }
            })
            .collect();
        let width = titles.iter().map(|(t, _)| t.chars().count()).max().unwrap_or(0);
        for (place, (title, paint)) in occupied.iter().zip(&titles) {
            let pad = width - title.chars().count();
            let mut line = self.painted(title, *paint);
            line.push_str(&" ".repeat(pad));
            for (faction, _) in self.groups(*place) {
                let units = self.sorted(self.world.at(*place) & self.world.owned(faction));
                let labels: Vec<String> = units.iter().map(|&u| self.declared_label(u)).collect();
                let text = format!("{} {}", self.faction_name(faction), labels.join(" "));
                line.push_str("  ");
                line.push_str(&self.painted(&text, self.paint(faction)));
            }
            lines.push(line);
        }
        if lines.is_empty() && !board.is_empty() {
            lines.push("no units on the board".to_owned());
        }
        lines
    }

    fn legend(&self) -> String {
        let hexagons = Shape::fitting(self).is_some();
        let mut entries = Vec::new();
        if hexagons {
            let names = factions(self.rules).map(|f| {
                let name = self.faction_name(f);
                let text = match &self.code {
                    Code::Colour => name.to_owned(),
                    Code::Case if f.index() == 0 => format!("{} upper case", name.to_uppercase()),
                    Code::Case => format!("{} lower case", name.to_lowercase()),
                    Code::Prefix(letters) => match letters.get(f.index()) {
                        Some(letter) => format!("{letter} {name}"),
                        None => name.to_owned(),
                    },
                };
                self.painted(&text, self.paint(f))
            });
            entries.push(names.collect::<Vec<_>>().join(", "));
        }
        let zones = self.marked_zones();
        entries.extend(zones.iter().filter_map(|&zone| {
            let name = &self.rules.board.zones.get(zone)?.name;
            Some(format!("{} {name}", self.marker_of(zone)))
        }));
        let there = self.world.on_board();
        if self.life.is_some() && !there.is_empty() {
            entries.push(":n life".to_owned());
        }
        let number = if self.life.is_some() { "n" } else { "" };
        let Marks {
            reach,
            threat,
            targets,
            moved,
        } = self.marks;
        let said = [
            (!(moved & there).is_empty(), format!("'{number} moved last")),
            (!reach.is_empty(), "[name] can be reached".to_owned()),
            (!threat.is_empty(), "!name! can be aimed at".to_owned()),
            (!(targets & there).is_empty(), format!("!{number} can be hit")),
        ];
        entries.extend(said.into_iter().filter(|(is, _)| *is).map(|(_, text)| text));
        entries.retain(|e| !e.is_empty());
        let mut legend = String::new();
        let mut used = 0;
        for entry in entries {
            let width = shown_width(&entry);
            if used > 0 && used + 3 + width > self.style.width {
                legend.push('\n');
                used = 0;
            } else if used > 0 {
                legend.push_str("   ");
                used += 3;
            }
            legend.push_str(&entry);
            used += width;
        }
        legend
    }
}

fn factions(rules: &Rules) -> impl Iterator<Item = FactionId> + use<> {
    (0..rules.factions.len()).map(|f| FactionId(f as u8))
}

/// A unit's number where its faction has had others of its type; nothing otherwise.
pub(crate) fn number(world: &World, name: UnitName) -> String {
    let same = world
        .owned(name.owner)
        .filter(|&u| world.unit(u).kind == name.kind);
    if name.nth > 1 || same.count() > 1 {
        name.nth.to_string()
    } else {
        String::new()
    }
}

/// A unit type's symbol, or the first letters of its name where that cannot be drawn.
pub(crate) fn symbol(rules: &Rules, kind: TypeId, ascii: bool) -> String {
    let Some(declared) = rules.types.get(kind.index()) else {
        return "?".to_owned();
    };
    let drawable = |c: char| !c.is_control() && (c.is_ascii() || !ascii);
    let symbol = &declared.symbol;
    if !symbol.is_empty() && symbol.chars().all(drawable) {
        return symbol.clone();
    }
    let short: String = declared.name.chars().filter(|&c| drawable(c)).take(2).collect();
    if short.is_empty() { "?".to_owned() } else { short }
}

/// The slot whose number units are shown with.
pub(crate) fn life_slot(rules: &Rules) -> Option<usize> {
    let mut slots = rules.slots.unit.iter();
    slots.position(|s| s.name == "life" && s.kind == SlotKind::Number)
}

/// Each faction's smallest zone, by index, where that is smaller than another of its zones.
pub(crate) fn homes(rules: &Rules) -> Vec<Option<usize>> {
    factions(rules).map(|f| smallest_zone(rules, f)).collect()
}

/// Factions by where they belong on the screen, the uppermost first.
pub(crate) fn factions_from_top(rules: &Rules) -> Vec<FactionId> {
    screen_order(rules, &homes(rules))
}

fn smallest_zone(rules: &Rules, faction: FactionId) -> Option<usize> {
    let size = |zone: usize| {
        let places = rules.board.zones.get(zone)?.places.get(faction.index())?;
        (!places.is_empty()).then_some(places.len())
    };
    let sizes = (0..rules.board.zones.len()).filter_map(|zone| Some((size(zone)?, zone)));
    let (smallest, zone) = sizes.clone().min()?;
    let (largest, _) = sizes.max()?;
    (smallest < largest).then_some(zone)
}

/// Factions by how high their smallest zones lie; the last one on top where they have none.
fn screen_order(rules: &Rules, homes: &[Option<usize>]) -> Vec<FactionId> {
    let height = |faction: FactionId| {
        let zone = rules.board.zones.get(homes.get(faction.index()).copied()??)?;
        let places = zone.places[faction.index()];
        let rows: usize = places.map(|p| rules.board.cell(p).row).sum();
        // In hundredths of a row, so that whole numbers do.
        (rows * 100).checked_div(places.len())
    };
    let mut order: Vec<FactionId> = factions(rules).collect();
    order.reverse();
    if order.iter().all(|&f| height(f).is_some()) {
        order.sort_by_key(|&f| std::cmp::Reverse(height(f)));
    }
    order
}

fn code(rules: &Rules, style: &Style) -> Code {
    let cased = rules
        .types
        .iter()
        .all(|t| t.symbol.to_uppercase() != t.symbol.to_lowercase());
    if rules.factions.len() <= 2 && cased {
        return if style.colour { Code::Colour } else { Code::Case };
    }
    let letters: Vec<char> = rules
        .factions
        .iter()
        .map(|f| f.chars().next().unwrap_or('?').to_ascii_lowercase())
        .collect();
    let clear = |(i, c): (usize, &char)| c.is_ascii_alphabetic() && !letters[..i].contains(c);
    if letters.iter().enumerate().all(clear) {
        return Code::Prefix(letters);
    }
    Code::Prefix(('1'..='9').take(rules.factions.len()).collect())
}

/// The factions' colours: what their names say, and otherwise the first that nobody has.
fn paints(rules: &Rules, style: &Style) -> Vec<Paint> {
    if !style.colour {
        return vec![Paint::new(); rules.factions.len()];
    }
    let named = |name: &str| match name {
        "red" => Some(AnsiColor::Red),
        // Plain blue is hard to read on black.
        "blue" => Some(AnsiColor::BrightBlue),
        "green" => Some(AnsiColor::Green),
        "yellow" => Some(AnsiColor::Yellow),
        "cyan" => Some(AnsiColor::Cyan),
        "magenta" | "purple" => Some(AnsiColor::Magenta),
        _ => None,
    };
    let by_name: Vec<Option<AnsiColor>> = rules.factions.iter().map(|f| named(f)).collect();
    let mut free = ["red", "blue", "green", "yellow", "cyan", "magenta"]
        .into_iter()
        .filter_map(named)
        .filter(|c| !by_name.contains(&Some(*c)));
    by_name
        .iter()
        .map(|colour| Paint::new().fg_color(colour.or_else(|| free.next()).map(Into::into)))
        .collect()
}

/// The tokens in lines of these widths, a space between two; `None` when they do not fit.
fn wrap(tokens: &[Token], widths: &[usize]) -> Option<Vec<Vec<Token>>> {
    let mut rows = vec![Vec::new(); widths.len()];
    let (mut line, mut used) = (0, 0);
    for token in tokens {
        loop {
            let needed = token.width() + if used == 0 { 0 } else { used + 1 };
            if needed <= *widths.get(line)? {
                rows[line].push(token.clone());
                used = needed;
                break;
            }
            (line, used) = (line + 1, 0);
        }
    }
    Some(rows)
}

/// As many tokens as fit, and the number of the others.
fn wrap_some(tokens: &[Token], widths: &[usize], paint: Paint) -> Vec<Vec<Token>> {
    for shown in (0..=tokens.len()).rev() {
        let mut some = tokens[..shown].to_vec();
        if shown < tokens.len() {
            some.push(Token::more(tokens.len() - shown, paint));
        }
        if let Some(rows) = wrap(&some, widths) {
            return rows;
        }
    }
    vec![Vec::new(); widths.len()]
}

/// The measures of a hexagon: its slanted edges are `slant` lines high and wide, its flat ones
/// `flat` wide. A column begins `flat + slant` after the one before, and every second one `slant`
/// lines lower, so that neighbours draw the same characters for the edge between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    slant: usize,
    flat: usize,
}

impl Shape {
    /// The shape for these rules in this width: low hexagons with two units to a line where
    /// there is room, else high ones with one. The same for every position of a game.
    fn fitting(look: &Look<'_>) -> Option<Self> {
        let board = &look.rules.board;
        let columns = board.columns().max(1);
        let title = board
            .places()
            .map(|p| {
                // Without marks: the same for every position.
                let name = if look.style.names { board.name(p) } else { "" };
                name.chars().count() + usize::from(look.marker(p).is_some())
            })
            .max()
            .unwrap_or(0);
        let token = look.token_width();
        let in_line = |tokens: usize| tokens * (token + 1) - 1;
        // The widest flat edge with which all columns fit.
        let most = |slant: usize| {
            (look.style.width.checked_sub(slant)? / columns)
                .checked_sub(slant)
                .filter(|&w| w > 0)
        };
        let stack = look.rules.stack.clamp(1, 4);
        let (least, good) = (in_line(stack.min(2)), in_line(stack) + 2);
        if let Some(flat) = most(2).filter(|&w| w >= title && w + 2 >= least) {
            let good = good.max(title + 4).max(9) - 2;
            return Some(Self {
                slant: 2,
                flat: flat.min(good),
            });
        }
        let flat = most(3).filter(|&w| w >= title && w + 2 >= token)?;
        let good = (token + 2).max(title + 2);
        Some(Self {
            slant: 3,
            flat: flat.min(good),
        })
    }

    fn width(&self) -> usize {
        self.flat + 2 * self.slant
    }

    fn height(&self) -> usize {
        2 * self.slant
    }

    /// The left and upper end of a hexagon's outline.
    fn corner(&self, cell: &Cell, rows: usize) -> (usize, usize) {
        let from_top = rows.saturating_sub(cell.row + 1);
        let lower = if cell.column % 2 == 1 { self.slant } else { 0 };
        (
            cell.column * (self.flat + self.slant),
            from_top * self.height() + lower,
        )
    }

    /// Where the inside of a line begins (from the corner) and how wide it is; lines from 0.
    fn inside(&self, line: usize) -> (usize, usize) {
        let from_flat = line.min((self.height() - 1).saturating_sub(line));
        (self.slant - from_flat, self.flat + 2 * from_flat)
    }

    /// The characters of the edges, from the corner.
    fn outline(&self) -> Vec<(usize, usize, char)> {
        let mut edges = Vec::new();
        for x in 0..self.flat {
            edges.push((self.slant + x, 0, '_'));
            edges.push((self.slant + x, self.height(), '_'));
        }
        for line in 0..self.height() {
            let (start, room) = self.inside(line);
            let (left, right) = if line < self.slant {
                ('/', '\\')
            } else {
                ('\\', '/')
            };
            edges.push((start - 1, line + 1, left));
            edges.push((start + room, line + 1, right));
        }
        edges
    }
}

impl Look<'_> {
    /// The widest that a unit's token is likely to be.
    fn token_width(&self) -> usize {
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let symbol = widest(&mut self.rules.types.iter().map(|t| t.symbol.chars().count())).max(1);
        let prefix = usize::from(matches!(self.code, Code::Prefix(_)));
        let life = self.life.map_or(0, |slot| {
            let slot = &self.rules.slots.unit[slot];
            let stats = self
                .rules
                .types
                .iter()
                .filter_map(|t| *t.stats.get(slot.from_stat?)?);
            1 + widest(&mut stats.chain([slot.start]).map(|n| n.to_string().len()))
        });
        prefix + symbol + 1 + life
    }
}

/// Characters with their looks, by line.
struct Canvas {
    lines: Vec<Vec<(char, Paint)>>,
}

impl Canvas {
    fn new(columns: usize, lines: usize) -> Self {
        Self {
            lines: vec![vec![(' ', Paint::new()); columns]; lines],
        }
    }

    fn put(&mut self, x: usize, y: usize, c: char, paint: Paint) {
        if let Some(cell) = self.lines.get_mut(y).and_then(|line| line.get_mut(x)) {
            *cell = (if c.is_control() { '?' } else { c }, paint);
        }
    }

    fn put_all(&mut self, x: usize, y: usize, text: &[(char, Paint)]) {
        for (i, (c, paint)) in text.iter().enumerate() {
            self.put(x + i, y, *c, *paint);
        }
    }

    fn put_centred(&mut self, x: usize, y: usize, room: usize, text: &[(char, Paint)]) {
        self.put_all(x + room.saturating_sub(text.len()) / 2, y, text);
    }

    fn lines(&self) -> Vec<String> {
        self.lines.iter().map(|line| finished(line)).collect()
    }
}

/// A line of the canvas without its trailing spaces, one ANSI code for neighbours that look alike.
fn finished(line: &[(char, Paint)]) -> String {
    let end = line.iter().rposition(|(c, _)| *c != ' ').map_or(0, |i| i + 1);
    let mut text = String::new();
    for run in line[..end].chunk_by(|a, b| a.1 == b.1) {
        let chars: String = run.iter().map(|(c, _)| *c).collect();
        let paint = run[0].1;
        if paint.is_plain() {
            text.push_str(&chars);
        } else {
            text.push_str(&format!("{paint}{chars}{paint:#}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::board::Zone;
    use crate::kernel::engagement::Relation;
    use crate::kernel::hex;
    use crate::kernel::ids::MAX_FACTIONS;
    use crate::kernel::rules::{Schema, Slot, UnitType};
    use std::collections::{HashMap, HashSet};

    fn slot(name: &str, quiet: bool) -> Slot {
        Slot {
            name: name.to_owned(),
            kind: SlotKind::Number,
            start: 0,
            from_stat: None,
            lasts: None,
            at_zero: None,
            quiet,
            entry: false,
        }
    }

    fn rules(columns: usize, rows: usize, factions: &[&str]) -> Rules {
        let mut board = hex::rectangle(columns, rows);
        let edges = [0, rows - 1];
        let row = |f: usize| edges.get(f).map_or(PlaceSet::EMPTY, |&r| board.row(r));
        let half = |f: usize| row(f) | board.row(if f == 0 { 1 } else { rows.saturating_sub(2) });
        let zone = |name: &str, places: &dyn Fn(usize) -> PlaceSet| Zone {
            name: name.to_owned(),
            places: std::array::from_fn(|f| if f < 2 { places(f) } else { PlaceSet::EMPTY }),
        };
        let zones = vec![zone("half", &half), zone("gate", &row)];
        board.zones = zones;
        let kind = |name: &str, symbol: &str| UnitType {
            name: name.to_owned(),
            symbol: symbol.to_owned(),
            stats: vec![Some(5)],
        };
        Rules {
            game: "test".to_owned(),
            factions: factions.iter().map(|f| (*f).to_owned()).collect(),
            types: vec![kind("archers", "Ar"), kind("spears", "Sp")],
            terrains: Vec::new(),
            stats: vec!["life".to_owned()],
            board,
            stack: 2,
            relation: Relation::SamePlace,
            arbiter: 0,
            slots: Schema {
                unit: vec![Slot {
                    from_stat: Some(0),
                    ..slot("life", false)
                }],
                faction: vec![slot("damage", false), slot("behind", true), slot("wins", false)],
                ..Schema::default()
            },
            phases: vec![Default::default()],
            hooks: Default::default(),
        }
    }

    /// Units as (faction, type, place); an empty place is the reserve.
    fn world(rules: &Rules, units: &[(u8, u8, &str)]) -> World {
        let mut world = World::new(rules);
        for &(faction, kind, place) in units {
            let unit = world
                .enlist(rules, FactionId(faction), TypeId(kind))
                .expect("fewer than 64");
            if let Some(place) = rules.board.place(place) {
                world.put(unit, place);
            }
        }
        world
    }

    fn plain(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("\u{1b}[") {
            plain.push_str(&rest[..at]);
            let end = rest[at..].find('m').expect("a code ends with m");
            rest = &rest[at + end + 1..];
        }
        plain + rest
    }

    const COLOUR: Style = Style {
        colour: true,
        names: true,
        width: 80,
        ascii: true,
    };

    const ARMIES: [(u8, u8, &str); 6] = [
        (0, 0, "b2"),
        (0, 1, "b2"),
        (0, 0, "c1"),
        (1, 0, "b2"),
        (1, 1, "a3"),
        (1, 1, ""),
    ];

    #[test]
    fn a_small_board_exactly() {
        let rules = rules(3, 3, &["red", "blue"]);
        let drawn = board(&rules, &world(&rules, &ARMIES), &Style::default());
        let expected = r"
  ___________               ___________
 / a3*       \             / c3*       \
/    sp1:5    \___________/             \
\             / b3*       \             /
 \___________/             \___________/
 / a2        \             / c2        \
/             \___________/             \
\             / b2        \             /
 \___________/    ar:5     \___________/
 / a1*       \ AR1:5 SP:5  / c1*       \
/             \___________/             \
\             / b1*       \    AR2:5    /
 \___________/             \___________/
             \             /
              \___________/

RED upper case, blue lower case   * gate   :n life";
        assert_eq!(drawn, expected.trim_start_matches('\n'));
    }

    #[test]
    fn high_hexagons_where_there_is_less_room() {
        let rules = rules(3, 2, &["red", "blue"]);
        let units = [
            (0, 0, "b1"),
            (0, 1, "b1"),
            (1, 0, "b1"),
            (1, 1, "b1"),
            (0, 1, "a1"),
        ];
        let style = Style {
            width: 21,
            ..Style::default()
        };
        let drawn = board(&rules, &world(&rules, &units), &style);
        let expected = r"
   ___         ___
  /a2*\       /c2*\
 /     \     /     \
/       \___/       \
\       /b2*\       /
 \     /     \     /
  \___/       \___/
  /a1*\       /c1*\
 /     \     /     \
/       \___/       \
\       /b1*\       /
 \SP2:5/ar:5 \     /
  \___/ sp:5  \___/
      \ AR:5  /
       \SP1:5/
        \___/
";
        assert_eq!(
            drawn.split("\n\n").next(),
            Some(expected.trim_matches('\n')),
            "{drawn}"
        );
    }

    #[test]
    fn neighbours_and_only_they_share_an_edge() {
        let board = hex::rectangle(5, 4);
        for shape in [Shape { slant: 2, flat: 11 }, Shape { slant: 3, flat: 3 }] {
            let edges: Vec<HashSet<(usize, usize, char)>> = board
                .places()
                .map(|p| {
                    let (x, y) = shape.corner(board.cell(p), board.rows());
                    let outline = shape.outline();
                    outline
                        .into_iter()
                        .map(|(dx, dy, c)| (x + dx, y + dy, c))
                        .collect()
                })
                .collect();
            for a in board.places() {
                for b in board.places().filter(|&b| b != a) {
                    let shared = edges[a.index()].intersection(&edges[b.index()]).count();
                    let same_column = board.cell(a).column == board.cell(b).column;
                    let expected = match (board.distance(a, b), same_column) {
                        (1, true) => shape.flat,
                        (1, false) => shape.slant,
                        _ => 0,
                    };
                    assert_eq!(shared, expected, "{} {}", board.name(a), board.name(b));
                }
            }
            // No two hexagons draw different characters at the same spot.
            let mut drawn = HashMap::new();
            for &(x, y, c) in edges.iter().flatten() {
                assert_eq!(*drawn.entry((x, y)).or_insert(c), c);
            }
        }
    }

    #[test]
    fn six_and_eight_columns_fit_the_terminal() {
        for (columns, width) in [(6, 80), (8, 80), (11, 80), (6, 39), (3, 21)] {
            let rules = rules(columns, 6, &["red", "blue"]);
            let style = Style {
                width,
                ..Style::default()
            };
            let drawn = board(&rules, &world(&rules, &ARMIES), &style);
            assert!(drawn.contains("\\___"), "{columns} in {width}");
            // The factions' entry of the legend is never broken.
            assert!(drawn.lines().all(|l| shown_width(l) <= width.max(31)), "{drawn}");
        }
    }

    #[test]
    fn four_units_of_two_factions_fit_one_hexagon() {
        let rules = rules(6, 6, &["red", "blue"]);
        let units = [(0, 0, "c4"), (0, 0, "c4"), (1, 1, "c4"), (1, 1, "c4")];
        let drawn = board(&rules, &world(&rules, &units), &Style::default());
        assert!(drawn.contains("/ sp1:5 sp2:5 \\"), "{drawn}");
        assert!(drawn.contains("\\ AR1:5 AR2:5 /"), "{drawn}");
    }

    #[test]
    fn what_does_not_fit_is_counted_by_faction() {
        let rules = rules(6, 6, &["red", "blue"]);
        let units: Vec<_> = (0..7).map(|i| (i % 2, 0, "c4")).collect();
        let drawn = board(&rules, &world(&rules, &units), &Style::default());
        assert!(drawn.contains("/  ar1:5 +2   \\"), "{drawn}");
        assert!(drawn.contains("\\  AR1:5 +3   /"), "{drawn}");
        let crowd: Vec<_> = (0..64).map(|_| (0, 0, "c4")).collect();
        let drawn = board(&rules, &world(&rules, &crowd), &Style::default());
        assert!(drawn.contains("AR3:5 +61"), "{drawn}");
    }

    #[test]
    fn three_of_one_faction_leave_room_for_one_of_the_other() {
        let rules = rules(6, 6, &["red", "blue"]);
        let units = [(0, 0, "c4"), (0, 0, "c4"), (0, 0, "c4"), (1, 1, "c4")];
        let drawn = board(&rules, &world(&rules, &units), &Style::default());
        assert!(!drawn.contains('+'), "{drawn}");
        assert!(
            drawn.contains("sp:5 AR1:5") && drawn.contains("AR2:5 AR3:5"),
            "{drawn}"
        );
    }

    #[test]
    fn colour_adds_codes_and_nothing_else_to_the_drawing() {
        let rules = rules(4, 3, &["red", "blue"]);
        let world = world(&rules, &ARMIES);
        let without = board(&rules, &world, &Style::default());
        let with = board(&rules, &world, &COLOUR);
        assert!(!without.contains('\u{1b}'));
        assert!(with.contains('\u{1b}'));
        let hexagons = |text: &str| text.split("\n\n").next().unwrap_or_default().to_lowercase();
        assert_eq!(hexagons(&plain(&with)), hexagons(&without));
        assert!(plain(&with).ends_with("red, blue   * gate   :n life"));
        for text in [
            status(&rules, &world, &Style::default()),
            status(&rules, &world, &COLOUR),
        ] {
            assert_eq!(plain(&text), "red\nblue");
        }
    }

    #[test]
    fn four_factions_have_letters_or_digits() {
        let units: Vec<_> = (0..MAX_FACTIONS as u8).map(|f| (f, 0, "c2")).collect();
        let coloured = rules(6, 3, &["red", "blue", "green", "yellow"]);
        let drawn = board(&coloured, &world(&coloured, &units), &Style::default());
        for token in [
            "rAr:5",
            "bAr:5",
            "gAr:5",
            "yAr:5",
            "r red, b blue, g green, y yellow",
        ] {
            assert!(drawn.contains(token), "{drawn}");
        }
        let others = rules(6, 3, &["wolves", "witches", "ravens", "bears"]);
        let drawn = board(&others, &world(&others, &units), &Style::default());
        assert!(drawn.contains("1Ar:5") && drawn.contains("2 witches"), "{drawn}");
        let paints = paints(&others, &COLOUR);
        assert_eq!(
            paints
                .iter()
                .map(|p| p.render().to_string())
                .collect::<HashSet<_>>()
                .len(),
            4
        );
    }

    #[test]
    fn symbols_without_case_get_a_prefix_and_control_characters_are_not_drawn() {
        let mut rules = rules(3, 3, &["red", "blue"]);
        rules.types[0].symbol = "7".to_owned();
        rules.types[1].symbol = "\u{1b}[".to_owned();
        let drawn = board(&rules, &world(&rules, &ARMIES), &Style::default());
        assert!(drawn.contains("r71:5") && drawn.contains("b7:5"), "{drawn}");
        assert!(drawn.contains("rsp:5") && !drawn.contains('\u{1b}'), "{drawn}");
    }

    #[test]
    fn a_board_too_wide_is_a_list() {
        let rules = rules(26, 4, &["red", "blue"]);
        let mut units = ARMIES.to_vec();
        units.push((1, 0, "z4"));
        let drawn = board(&rules, &world(&rules, &units), &Style::default());
        let expected = "\
c1*  red Ar2:5
b2   blue Ar1:5  red Ar1:5 Sp:5
a3   blue Sp1:5
z4*  blue Ar2:5

* gate   :n life";
        assert_eq!(drawn, expected);
        let drawn = board(&rules, &world(&rules, &[]), &Style::default());
        assert!(drawn.starts_with("no units on the board"));
    }

    #[test]
    fn any_board_and_width_can_be_drawn() {
        let sizes = [(1, 1), (1, 6), (2, 1), (26, 4), (3, 3)];
        for (columns, rows) in sizes {
            for factions in [&["red"][..], &["red", "blue"], &["a", "b", "c"]] {
                let rules = rules(columns, rows, factions);
                let world = world(&rules, &[(0, 0, "a1"), (0, 1, "a1"), (0, 1, "")]);
                for width in [0, 1, 5, 9, 10, 40, 80, 1000] {
                    for (names, ascii) in [(true, true), (false, false)] {
                        let style = Style {
                            colour: false,
                            names,
                            width,
                            ascii,
                        };
                        assert!(board(&rules, &world, &style).is_ascii() || !ascii);
                        reserve(&rules, &world, &style);
                    }
                }
            }
        }
        let mut none = rules(1, 1, &["red", "blue"]);
        none.board = crate::kernel::board::Board::new(Vec::new(), 0, 0, 6, |_, _| 0);
        none.factions.clear();
        none.types.clear();
        none.slots = Schema::default();
        let world = World::new(&none);
        assert_eq!(board(&none, &world, &COLOUR), "");
        assert_eq!(reserve(&none, &world, &COLOUR), None);
        assert_eq!(status(&none, &world, &COLOUR), "");
    }

    #[test]
    fn one_hexagon() {
        let rules = rules(1, 1, &["red", "blue"]);
        let style = Style {
            names: false,
            ..Style::default()
        };
        let drawn = board(&rules, &world(&rules, &[(0, 0, "a1"), (1, 0, "a1")]), &style);
        let expected = r"
  ___________
 /           \
/    ar:5     \
\    AR:5     /
 \___________/
";
        assert!(drawn.starts_with(expected.trim_matches('\n')), "{drawn}");
    }

    #[test]
    fn reserve_names_those_who_wait() {
        let rules = rules(3, 3, &["red", "blue"]);
        let style = Style::default();
        let waiting = reserve(&rules, &world(&rules, &ARMIES), &style);
        assert_eq!(waiting.as_deref(), Some("blue  reserve  spears2:5"));
        let many: Vec<_> = (0..9).map(|i| (i / 8, 0, "")).collect();
        let expected = "\
blue  reserve  archers:5
red   reserve  Ar1:5  Ar2:5  Ar3:5  Ar4:5  Ar5:5  Ar6:5  Ar7:5  Ar8:5";
        let waiting = reserve(&rules, &world(&rules, &many), &style).unwrap_or_default();
        assert_eq!(waiting.lines().rev().collect::<Vec<_>>().join("\n"), expected);
        assert_eq!(reserve(&rules, &world(&rules, &[(0, 0, "a1")]), &style), None);
    }

    #[test]
    fn status_shows_numbers_that_have_changed_in_turn_order() {
        let rules = rules(3, 3, &["red", "blue"]);
        let mut world = world(&rules, &ARMIES);
        world.set_slot(&rules, Thing::Faction(FactionId(0)), 0, 1);
        world.set_slot(&rules, Thing::Faction(FactionId(0)), 1, 7);
        world.set_slot(&rules, Thing::Faction(FactionId(0)), 2, 2);
        let style = Style::default();
        assert_eq!(status(&rules, &world, &style), "red   damage 1  wins 2\nblue");
        world.set_first(FactionId(1), 2);
        assert_eq!(status(&rules, &world, &style), "blue\nred   damage 1  wins 2");
    }

    #[test]
    fn side_by_side_ignores_codes_and_keeps_every_line() {
        let left = "\u{1b}[1m\u{1b}[31mab\u{1b}[0m\nabcd\nx";
        assert_eq!(
            side_by_side(left, "1\n2", 2),
            "\u{1b}[1m\u{1b}[31mab\u{1b}[0m    1\nabcd  2\nx"
        );
        assert_eq!(side_by_side("a", "1\n2", 1), "a 1\n  2");
        assert_eq!(side_by_side("", "", 3), "");
    }
}
