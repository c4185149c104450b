//! Appearance of the parts of one drawing: colours and letters of factions, units as tokens, titles of places.

use super::ground::{self, EntryEdge};
use super::{Marks, Style, facing_slot, homes, number, screen_order, symbol};
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, TerrainId, Thing, UnitId, UnitSet};
use crate::kernel::rules::Rules;
use crate::kernel::world::World;
use anstyle::{Ansi256Color, AnsiColor, Style as Paint};

/// Ways to distinguish the factions' units in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FactionCode {
    /// Symbols as declared: the colour says it.
    Colour,
    /// The first faction upper case, the second lower case.
    Case,
    /// A letter or digit of the faction before every symbol.
    Prefix(Vec<char>),
}

/// A unit as a cell shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CellToken {
    pub(super) label: String,
    /// Drawn less strongly, after the label.
    pub(super) detail: String,
    pub(super) paint: Paint,
    /// The unit is pointed out.
    pub(super) marked: bool,
}

impl CellToken {
    pub(super) fn width(&self) -> usize {
        self.label.chars().count() + self.detail.chars().count()
    }

    /// The token for `count` units that do not fit.
    pub(super) fn more(count: usize, paint: Paint) -> Self {
        Self {
            label: String::new(),
            detail: format!("+{count}"),
            paint,
            marked: false,
        }
    }

    /// Whether it stands for units that do not fit.
    pub(super) fn is_more(&self) -> bool {
        self.label.is_empty()
    }
}

/// Appearance of the parts of one drawing.
pub(super) struct DrawContext<'a> {
    pub(super) rules: &'a Rules,
    pub(super) world: &'a World,
    pub(super) style: &'a Style,
    pub(super) code: FactionCode,
    pub(super) paints: Vec<Paint>,
    pub(super) life: Option<usize>,
    /// The slot that says where units look.
    pub(super) facing: Option<usize>,
    /// Each faction's smallest zone, by index, where that is smaller than another of its zones.
    pub(super) homes: Vec<Option<usize>>,
    /// Factions by where they belong on the screen, the uppermost first.
    pub(super) order: Vec<FactionId>,
    pub(super) marks: Marks,
    /// Edges by which factions come in.
    pub(super) entries: Vec<EntryEdge>,
    /// The looks of the kinds of terrain.
    grounds: Vec<Paint>,
}

pub(super) const MARKERS: [char; 4] = ['*', '^', '!', '#'];

impl<'a> DrawContext<'a> {
    pub(super) fn new(rules: &'a Rules, world: &'a World, style: &'a Style) -> Self {
        let homes = homes(rules);
        Self {
            rules,
            world,
            style,
            code: code(rules, style),
            paints: paints(rules, style),
            life: rules.hit_slot(),
            facing: facing_slot(rules),
            order: screen_order(rules, &homes),
            homes,
            marks: Marks::default(),
            entries: ground::entries(rules, world),
            grounds: grounds(rules, style),
        }
    }

    pub(super) fn paint(&self, faction: FactionId) -> Paint {
        self.paints.get(faction.index()).copied().unwrap_or_default()
    }

    pub(super) fn painted(&self, text: &str, paint: Paint) -> String {
        if paint.is_plain() || text.is_empty() {
            text.to_owned()
        } else {
            format!("{paint}{text}{paint:#}")
        }
    }

    pub(super) fn faction_name(&self, faction: FactionId) -> &'a str {
        self.rules
            .factions
            .get(faction.index())
            .map_or("?", String::as_str)
    }

    /// A faction's name, as wide as the longest.
    pub(super) fn padded(&self, faction: FactionId) -> String {
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
    pub(super) fn sorted(&self, units: UnitSet) -> Vec<UnitId> {
        let mut units: Vec<UnitId> = units.collect();
        units.sort_by_key(|&u| {
            let unit = self.world.unit(u);
            let at = self.order.iter().position(|&f| f == unit.owner);
            (at, unit.kind, unit.nth)
        });
        units
    }

    /// A unit's number where its faction has had others of its type; nothing otherwise.
    pub(super) fn number(&self, unit: UnitId) -> String {
        number(self.world, self.world.name(unit))
    }

    pub(super) fn symbol(&self, unit: UnitId) -> String {
        symbol(self.rules, self.world.unit(unit).kind, self.style.ascii)
    }

    pub(super) fn declared_label(&self, unit: UnitId) -> String {
        format!("{}{}{}", self.symbol(unit), self.number(unit), self.detail(unit))
    }

    pub(super) fn long_name(&self, unit: UnitId) -> String {
        let kind = self.world.unit(unit).kind;
        let name = self
            .rules
            .types
            .get(kind.index())
            .map_or("?", |t| t.name.as_str());
        let number = self.number(unit);
        // What sets a name apart from its number says nothing without one.
        let name = if number.is_empty() { bare(name) } else { name };
        format!("{name}{number}{}", self.detail(unit))
    }

    pub(super) fn detail(&self, unit: UnitId) -> String {
        // The sign before the number says how the unit is marked, so that nothing gets wider.
        let sign = self.sign(unit);
        let rest = match self.life {
            Some(slot) => {
                let life = self.world.slot(Thing::Unit(unit), slot);
                format!("{}{life}", sign.unwrap_or(':'))
            }
            None => sign.map_or_else(String::new, String::from),
        };
        format!("{}{rest}{}", self.facing_of(unit), self.marked(unit, true))
    }

    /// The marks of a unit in one word, those with numbers too or not.
    pub(super) fn marked(&self, unit: UnitId, numbers: bool) -> String {
        let marks = super::marks_of(self.rules, self.world, unit).into_iter();
        let marks = marks.filter(|mark| numbers || mark.number.is_none());
        marks.map(|mark| mark.text()).collect()
    }

    /// Returns the direction that a unit on the board faces, where units have a slot for it.
    fn facing_of(&self, unit: UnitId) -> String {
        /// The directions of a plane, anticlockwise from the right.
        const AROUND: [&str; 8] = ["e", "ne", "n", "nw", "w", "sw", "s", "se"];
        let slot = self.facing.filter(|_| self.world.spot(unit).is_some());
        let name = slot.and_then(|slot| {
            let value = self.world.slot(Thing::Unit(unit), slot);
            match self.rules.slots.unit[slot].arc {
                Some(_) => Some(AROUND[((2 * value.rem_euclid(360) + 45) / 90 % 8) as usize]),
                None => self.rules.board.direction_stored(value),
            }
        });
        name.map_or_else(String::new, |name| self.pointing(name))
    }

    /// A direction behind a unit's letters: an arrow, or its name behind a sign.
    pub(super) fn pointing(&self, name: &str) -> String {
        const ARROWS: [(&str, &str); 8] = [
            ("n", "↑"),
            ("ne", "↗"),
            ("e", "→"),
            ("se", "↘"),
            ("s", "↓"),
            ("sw", "↙"),
            ("w", "←"),
            ("nw", "↖"),
        ];
        let arrow = ARROWS.iter().find(|(n, _)| *n == name && !self.style.ascii);
        arrow.map_or_else(|| format!(">{name}"), |(_, arrow)| (*arrow).to_owned())
    }

    pub(super) fn sign(&self, unit: UnitId) -> Option<char> {
        if self.marks.targets.contains(unit) {
            Some('!')
        } else if self.marks.choices.contains(unit) {
            Some('?')
        } else if self.marks.moved.contains(unit) {
            Some('\'')
        } else {
            None
        }
    }

    /// A text in which it is seen whose it is, where colour does not say so.
    pub(super) fn coded(&self, owner: FactionId, text: String) -> String {
        match &self.code {
            FactionCode::Colour => text,
            FactionCode::Case if owner.index() == 0 => text.to_uppercase(),
            FactionCode::Case => text.to_lowercase(),
            FactionCode::Prefix(letters) => match letters.get(owner.index()) {
                Some(letter) => format!("{letter}{text}"),
                None => text,
            },
        }
    }

    pub(super) fn token(&self, unit: UnitId) -> CellToken {
        let owner = self.world.unit(unit).owner;
        let symbol = self.coded(owner, self.symbol(unit));
        CellToken {
            label: format!("{symbol}{}", self.number(unit)),
            detail: self.detail(unit),
            paint: self.paint(owner),
            marked: (&self.marks.targets | &self.marks.choices).contains(unit),
        }
    }

    /// The units of a place by faction, the uppermost first.
    pub(super) fn groups(&self, place: PlaceId) -> Vec<(FactionId, Vec<CellToken>)> {
        let mut groups: Vec<(FactionId, Vec<CellToken>)> = Vec::new();
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
    pub(super) fn marked_zones(&self) -> Vec<usize> {
        let mut zones: Vec<usize> = self.homes.iter().flatten().copied().collect();
        zones.sort_unstable();
        zones.dedup();
        zones
    }

    pub(super) fn marker_of(&self, zone: usize) -> char {
        let nth = self.marked_zones().iter().position(|&z| z == zone);
        MARKERS[nth.unwrap_or(0) % MARKERS.len()]
    }

    /// The factions that have this place in their smallest zone, with its marker.
    pub(super) fn marker(&self, place: PlaceId) -> Option<(char, FactionId)> {
        let zones = &self.rules.board.zones;
        self.rules
            .all_factions()
            .zip(&self.homes)
            .filter_map(|(f, home)| home.map(|zone| (f, zone)))
            .find(|&(f, zone)| {
                zones
                    .get(zone)
                    .is_some_and(|z| z.places[f.index()].contains(place))
            })
            .map(|(f, zone)| (self.marker_of(zone), f))
    }

    /// Returns the text at the top of a cell, with its paint.
    pub(super) fn title(&self, place: PlaceId) -> (String, Paint) {
        let name = match self.style.names {
            true => self.rules.board.name(place),
            false => "",
        };
        let (reach, threat) = (
            (&self.marks.reach | &self.marks.offered).contains(place),
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

    /// The places that are drawn as ground.
    pub(super) fn shown_places(&self) -> PlaceSet {
        ground::drawn(self.world)
    }

    /// The gaps that are drawn.
    pub(super) fn gaps(&self) -> PlaceSet {
        &self.marks.gaps - self.shown_places()
    }

    /// Units of one type that are alike as `name x3`, in order.
    pub(super) fn counted(&self, units: &[UnitId]) -> Vec<String> {
        let alike = |unit: UnitId| {
            let kind = &self.rules.types[self.world.unit(unit).kind.index()].name;
            format!("{}{}", bare(kind), self.detail(unit))
        };
        units
            .chunk_by(|&a, &b| alike(a) == alike(b))
            .map(|units| match units {
                [one] => self.long_name(*one),
                several => format!("{} x{}", alike(several[0]), several.len()),
            })
            .collect()
    }

    /// The symbols of a place's terrain, each with its look.
    pub(super) fn terrain(&self, place: PlaceId) -> Vec<(String, Paint)> {
        let terrains = ground::shown_terrain(self.rules, self.world, place).into_iter();
        terrains.map(|t| self.terrain_symbol(t)).collect()
    }

    /// A kind's symbol with its look.
    pub(super) fn terrain_symbol(&self, terrain: TerrainId) -> (String, Paint) {
        let symbol = ground::terrain_symbol(self.rules, terrain, self.style.ascii);
        (symbol, self.grounds[terrain.index()])
    }

    /// Returns the width of the symbols of a place, with a blank between two.
    pub(super) fn terrain_width(&self, place: PlaceId) -> usize {
        let symbols = self.terrain(place);
        let letters: usize = symbols.iter().map(|(s, _)| s.chars().count()).sum();
        letters + symbols.len().saturating_sub(1)
    }

    /// The widest that a unit's token is likely to be.
    pub(super) fn token_width(&self) -> usize {
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let symbol = widest(&mut self.rules.types.iter().map(|t| t.symbol.chars().count())).max(1);
        let prefix = usize::from(matches!(self.code, FactionCode::Prefix(_)));
        let life = self.life.map_or(0, |slot| {
            let slot = &self.rules.slots.unit[slot];
            let stats = self
                .rules
                .types
                .iter()
                .filter_map(|t| *t.stats.get(slot.from_stat?)?);
            1 + widest(&mut stats.chain([slot.start]).map(|n| n.to_string().len()))
        });
        let directions = self.facing.map_or(&[][..], |_| self.rules.board.directions());
        let pointing = widest(&mut directions.iter().map(|d| self.pointing(d.name).chars().count()));
        prefix + symbol + 1 + pointing + life
    }
}

/// A type's name without what its numbers stand behind.
fn bare(name: &str) -> &str {
    name.trim_end_matches(['_', '-'])
}

pub(super) fn code(rules: &Rules, style: &Style) -> FactionCode {
    let cased = rules
        .types
        .iter()
        .all(|t| t.symbol.to_uppercase() != t.symbol.to_lowercase());
    if rules.factions.len() <= 2 && cased {
        return if style.colour {
            FactionCode::Colour
        } else {
            FactionCode::Case
        };
    }
    let letters: Vec<char> = rules
        .factions
        .iter()
        .map(|f| f.chars().next().unwrap_or('?').to_ascii_lowercase())
        .collect();
    let clear = |(i, c): (usize, &char)| c.is_ascii_alphabetic() && !letters[..i].contains(c);
    if letters.iter().enumerate().all(clear) {
        return FactionCode::Prefix(letters);
    }
    FactionCode::Prefix(('1'..='9').take(rules.factions.len()).collect())
}

/// The factions' colours: what their names say, and otherwise the first that nobody has.
pub(super) fn paints(rules: &Rules, style: &Style) -> Vec<Paint> {
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
        "orange" | "brown" => Some(AnsiColor::BrightRed),
        "black" | "grey" | "gray" => Some(AnsiColor::BrightBlack),
        _ => None,
    };
    let by_name: Vec<Option<AnsiColor>> = rules.factions.iter().map(|f| named(f)).collect();
    let all = [
        "red", "blue", "green", "yellow", "cyan", "magenta", "orange", "grey",
    ];
    let mut free = all
        .into_iter()
        .filter_map(named)
        .filter(|c| !by_name.contains(&Some(*c)));
    by_name
        .iter()
        .map(|colour| Paint::new().fg_color(colour.or_else(|| free.next()).map(Into::into)))
        .collect()
}

/// The looks of the kinds of terrain: black on their colour.
fn grounds(rules: &Rules, style: &Style) -> Vec<Paint> {
    let colours = ground::terrain_colours(rules).into_iter();
    let paint = |colour: String| match style.colour {
        true => Paint::new()
            .fg_color(Some(AnsiColor::Black.into()))
            .bg_color(Some(nearest(&colour).into())),
        false => Paint::new(),
    };
    colours.map(paint).collect()
}

/// The nearest colour of the 256 that terminals agree on: of its cube of six by six by six.
fn nearest(colour: &str) -> Ansi256Color {
    const LEVELS: [i32; 6] = [0, 95, 135, 175, 215, 255];
    let level = |at: usize| {
        let value = colour
            .get(at..at + 2)
            .and_then(|d| i32::from_str_radix(d, 16).ok());
        let value = value.unwrap_or(255);
        let near = (0..6u8).min_by_key(|&i| (LEVELS[i as usize] - value).abs());
        near.unwrap_or(5)
    };
    match 16 + 36 * level(1) + 6 * level(3) + level(5) {
        // Black letters are read on dark grey.
        16 => Ansi256Color(59),
        near => Ansi256Color(near),
    }
}
