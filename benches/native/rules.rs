//! Smalltricks by hand: a second implementation of its rules, from the laid position to the end of one game.
//!
//! Written for speed and for nothing else: units are bits of a mask, hexagons bits of another (row by row
//! from the bottom, as the board counts them), variants constants of the type, and nothing is allocated. It
//! shares no code with what plays the scripts, so that each can tell where the other is wrong.

/// Number of columns and of rows of the battlefield.
const SIDE: usize = 6;
const PLACES: usize = SIDE * SIDE;
/// The most units that a game has room for.
pub const UNITS: usize = 16;
const BOARD: u64 = (1 << PLACES) - 1;
/// The hexagons of column a; those of the others lie beside them.
const COLUMN: u64 = 0x41041041;
const EAST: u64 = COLUMN << (SIDE - 1);
/// The columns that lie half a hexagon higher.
const HIGH: u64 = COLUMN | COLUMN << 2 | COLUMN << 4;
const ROW: u64 = (1 << SIDE) - 1;
/// The castle row of each side.
const CASTLES: [u64; 2] = [ROW, ROW << (PLACES - SIDE)];
const NEXT: [u64; PLACES] = within(1);
const NEAR: [u64; PLACES] = within(2);

/// The unit types, in the order of their names.
pub const KINDS: [&str; 9] = [
    "aerial",
    "archers",
    "assault_beasts",
    "battery_ram",
    "cannons",
    "militia",
    "mounted",
    "muskets",
    "spears",
];
const AERIAL: usize = 0;
const ARCHERS: usize = 1;
const BEASTS: usize = 2;
const RAM: usize = 3;
const CANNONS: usize = 4;
const MILITIA: usize = 5;
const MOUNTED: usize = 6;
const MUSKETS: usize = 7;
const SPEARS: usize = 8;

/// The variants that are known here, each a bit of [`Game`]'s `V`.
pub mod variant {
    pub const ABILITIES_MUST_BE_USED: u32 = 1;
    pub const CHARGES_MAY_BE_DECLINED: u32 = 1 << 1;
    pub const CHARGE_LEADS_AWAY: u32 = 1 << 2;
    pub const FIRE_UNMOVED: u32 = 1 << 3;
    pub const FREE_UNIT_SPARES_THE_CASTLE: u32 = 1 << 4;
    pub const FIRST_VOLLEY_AIMED: u32 = 1 << 5;
    pub const IDLE_ARCHERS_FORGET: u32 = 1 << 6;
    pub const RANGED_FIRST: u32 = 1 << 7;
    pub const COMBATS_LAST: u32 = 1 << 8;
    pub const LAST_ARMY_STANDING: u32 = 1 << 9;
    pub const AERIAL_ONLY_ASSAULT: u32 = 1 << 10;
    pub const FRIENDLY_FIRE: u32 = 1 << 11;
    pub const TRAMPLE_DAMAGE: u32 = 1 << 12;
    pub const STICKY_ENGAGEMENT: u32 = 1 << 13;
    pub const AGREED_ENDING: u32 = 1 << 14;
    pub const SMALL_LEAD_DRAWS: u32 = 1 << 15;
    /// Stands for a set that is known only when a game is laid; see [`Game::under`].
    ///
    /// [`Game::under`]: super::Game::under
    pub const ANY: u32 = u32::MAX;
}
use variant::*;

const NOBODY: u8 = u8::MAX;
const CHARGE: i8 = 2;
const MAX_ROUNDS: u32 = 12;
const ASKED_FROM_ROUND: u32 = 5;
const LATEST_ROUND: u32 = 7;

/// The hexagons next to some, those in between with them or not.
const fn spread(from: u64) -> u64 {
    let (west, east) = (from & !COLUMN, from & !EAST);
    let level = from << SIDE | from >> SIDE | west >> 1 | east << 1;
    let up = (west & HIGH) << (SIDE - 1) | (east & HIGH) << (SIDE + 1);
    let down = (west & !HIGH) >> (SIDE + 1) | (east & !HIGH) >> (SIDE - 1);
    (level | up | down) & BOARD
}

/// For each hexagon those at most so many steps away, itself with them.
const fn within(steps: usize) -> [u64; PLACES] {
    let mut all = [0; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut reached = 1u64 << place;
        let mut step = 0;
        while step < steps {
            reached |= spread(reached);
            step += 1;
        }
        all[place] = reached;
        place += 1;
    }
    all
}

/// The bits of a set, from the lowest.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then_some(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

fn units(set: u16) -> impl Iterator<Item = usize> {
    bits(u64::from(set))
}

const fn has(set: u64, bit: usize) -> bool {
    set >> bit & 1 == 1
}

const fn has_unit(set: u16, unit: usize) -> bool {
    set >> unit & 1 == 1
}

/// Question to a faction: the options are words or numbers first, then units or hexagons. There are at least two; a
/// question with only one option is not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideQuestion {
    pub side: usize,
    pub words: u32,
    pub set: u64,
}

impl SideQuestion {
    /// Returns the number of options.
    #[inline]
    pub fn len(&self) -> u32 {
        self.words + self.set.count_ones()
    }
}

/// Source of answers.
pub trait Answers {
    /// The option taken, by its number from 0.
    fn answer(&mut self, question: SideQuestion) -> u32;
}

/// Words alone.
#[inline]
fn word(answers: &mut impl Answers, side: usize, words: u32) -> u32 {
    match words {
        1 => 0,
        _ => answers.answer(SideQuestion { side, words, set: 0 }),
    }
}

/// One of a set that is not empty.
#[inline]
fn one(answers: &mut impl Answers, side: usize, mut set: u64) -> usize {
    if set & (set - 1) != 0 {
        for _ in 0..answers.answer(SideQuestion { side, words: 0, set }) {
            set &= set - 1;
        }
    }
    set.trailing_zeros() as usize
}

/// One of a set, or the word before it.
#[inline]
fn one_or_word(answers: &mut impl Answers, side: usize, mut set: u64) -> Option<usize> {
    if set == 0 {
        return None;
    }
    let taken = answers
        .answer(SideQuestion { side, words: 1, set })
        .checked_sub(1)?;
    for _ in 0..taken {
        set &= set - 1;
    }
    Some(set.trailing_zeros() as usize)
}

/// A unit as it is laid.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    pub kind: usize,
    pub side: usize,
    pub place: usize,
    pub life: i8,
}

/// End of a game: its winner, if there is one, and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    pub winner: Option<usize>,
    pub reason: &'static str,
}

/// One game, under the variants of `V`.
#[derive(Debug, Clone)]
pub struct Game<const V: u32> {
    /// The variants where `V` is [`ANY`].
    variants: u32,
    /// Units by type and by side, dead ones too.
    of: [u16; KINDS.len()],
    sides: [u16; 2],
    pub alive: u16,
    released: u16,
    moved: u16,
    has_shot: u16,
    at: [u16; PLACES],
    /// Places where a faction has a unit, and those where it has no room for another (`full`).
    stands: [u64; 2],
    full: [u64; 2],
    kind: [u8; UNITS],
    place: [u8; UNITS],
    pub life: [i8; UNITS],
    pub last_target: [u8; UNITS],
    /// Unit that each unit holds for good.
    holding: [u8; UNITS],
    /// Units that were hit in the current simultaneous phase; `hits` counts the damage.
    hit: u16,
    hits: [i8; UNITS],
    pub damage: [u8; 2],
    rounds_behind: [u8; 2],
    pub rounds: u32,
    end: Option<End>,
}

impl<const V: u32> Game<V> {
    #[inline]
    const fn plays(&self, variant: u32) -> bool {
        (if V == ANY { self.variants } else { V }) & variant != 0
    }

    /// A game before its first round: at most [`UNITS`] units, no more than two of a side in a hexagon. The variants
    /// count where `V` is [`ANY`].
    pub fn under(variants: u32, laid: &[Unit]) -> Self {
        let mut game = Self {
            variants,
            of: [0; KINDS.len()],
            sides: [0; 2],
            alive: 0,
            released: 0,
            moved: 0,
            has_shot: 0,
            at: [0; PLACES],
            stands: [0; 2],
            full: [0; 2],
            kind: [0; UNITS],
            place: [0; UNITS],
            life: [0; UNITS],
            last_target: [NOBODY; UNITS],
            holding: [NOBODY; UNITS],
            hit: 0,
            hits: [0; UNITS],
            damage: [0; 2],
            rounds_behind: [0; 2],
            rounds: 0,
            end: None,
        };
        for (me, unit) in laid.iter().enumerate() {
            game.of[unit.kind] |= 1 << me;
            game.sides[unit.side] |= 1 << me;
            game.alive |= 1 << me;
            game.kind[me] = unit.kind as u8;
            game.life[me] = unit.life;
            game.enter(me, unit.side, unit.place);
        }
        game
    }

    /// Returns the place of a unit; `None` for a dead one.
    pub fn place(&self, me: usize) -> Option<usize> {
        has_unit(self.alive, me).then_some(usize::from(self.place[me]))
    }

    /// Plays to the end.
    pub fn play(&mut self, answers: &mut impl Answers) -> End {
        loop {
            self.begin_round();
            self.turn(0, answers);
            if self.end.is_none() {
                self.turn(1, answers);
            }
            if self.end.is_none() {
                self.resolve(answers);
            }
            if let Some(end) = self.end {
                return end;
            }
        }
    }

    fn finish(&mut self, winner: Option<usize>, reason: &'static str) {
        // The first outcome stands.
        self.end.get_or_insert(End { winner, reason });
    }

    /// Whether somebody has won, be it that units were removed.
    fn is_over(&mut self) -> bool {
        if self.plays(LAST_ARMY_STANDING) {
            let gone = [0, 1].map(|side| self.alive & self.sides[side] == 0);
            if gone[0] != gone[1] {
                self.finish(Some(usize::from(gone[0])), "last army standing");
            }
        }
        self.end.is_some()
    }

    // --- where units stand ---------------------------------------------------------------------

    fn side(&self, me: usize) -> usize {
        usize::from(has_unit(self.sides[1], me))
    }

    fn here(&self, side: usize, place: usize) -> u16 {
        self.at[place] & self.sides[side]
    }

    fn enter(&mut self, me: usize, side: usize, place: usize) {
        self.place[me] = place as u8;
        self.at[place] |= 1 << me;
        self.count(side, place);
    }

    fn leave(&mut self, me: usize, side: usize) {
        let place = usize::from(self.place[me]);
        self.at[place] &= !(1 << me);
        self.count(side, place);
    }

    fn count(&mut self, side: usize, place: usize) {
        let own = self.here(side, place);
        let more = own & own.wrapping_sub(1);
        let bit = 1u64 << place;
        self.stands[side] = self.stands[side] & !bit | u64::from(own != 0) << place;
        self.full[side] = self.full[side] & !bit | u64::from(more != 0) << place;
    }

    fn go(&mut self, me: usize, side: usize, place: usize) {
        self.leave(me, side);
        let met = self.here(1 - side, place);
        if met != 0 {
            // Whoever had nobody against them until now is drawn into the Engagement.
            let alone = self.here(side, place) == 0;
            self.forget(1 << me | if alone { met } else { 0 });
        }
        self.enter(me, side, place);
        self.moved |= 1 << me;
    }

    /// Archers among these lose their aim.
    fn forget(&mut self, drawn_in: u16) {
        for archers in units(drawn_in & self.of[ARCHERS]) {
            self.last_target[archers] = NOBODY;
        }
    }

    fn remove(&mut self, me: usize) {
        self.leave(me, self.side(me));
        let rest = !(1 << me);
        self.alive &= rest;
        self.released &= rest;
        self.moved &= rest;
    }

    fn opposed(&self, me: usize) -> bool {
        has(self.stands[1 - self.side(me)], usize::from(self.place[me]))
    }

    /// Those on the board that are not Engaged.
    fn free(&self, among: u16) -> u16 {
        let opposed = units(among & self.alive & !self.released).filter(|&u| self.opposed(u));
        among & self.alive & !opposed.fold(0, |all, u| all | 1 << u)
    }

    fn hit_at_once(&mut self, me: usize, damage: i8) {
        self.life[me] -= damage;
        if self.life[me] <= 0 {
            self.remove(me);
        }
    }

    fn gather(&mut self, me: usize, damage: i8) {
        self.hits[me] += damage;
        self.hit |= 1 << me;
    }

    /// The end of a simultaneous phase.
    fn apply(&mut self) {
        for me in units(std::mem::take(&mut self.hit)) {
            let damage = std::mem::take(&mut self.hits[me]);
            self.hit_at_once(me, damage);
        }
    }

    // --- turns -----------------------------------------------------------------------------------

    fn begin_round(&mut self) {
        self.rounds += 1;
        let again = units(self.released).filter(|&u| self.opposed(u));
        let again = again.fold(0, |all, u| all | 1 << u);
        self.forget(again);
        self.released = 0;
        self.moved = 0;
    }

    fn turn(&mut self, side: usize, answers: &mut impl Answers) {
        let mut left = self.sides[side] & self.alive;
        while left != 0 {
            let me = one(answers, side, u64::from(left));
            left &= !(1 << me);
            self.activate(me, side, answers);
            left &= self.alive;
            if self.plays(LAST_ARMY_STANDING) && self.is_over() {
                return;
            }
        }
    }

    fn activate(&mut self, me: usize, side: usize, answers: &mut impl Answers) {
        self.act(me, side, answers);
        if self.plays(STICKY_ENGAGEMENT) {
            for unit in 0..UNITS {
                let held = self.holding[unit];
                if held != NOBODY && !self.meets(unit, usize::from(held)) {
                    self.holding[unit] = NOBODY;
                }
            }
            self.decide_holds(answers);
        }
    }

    /// Whether two units stand in one hexagon.
    fn meets(&self, me: usize, foe: usize) -> bool {
        self.place(me).is_some() && self.place(me) == self.place(foe)
    }

    /// Wherever one stands against two, and holds neither of them yet.
    fn decide_holds(&mut self, answers: &mut impl Answers) {
        if !self.plays(STICKY_ENGAGEMENT) {
            return;
        }
        for place in bits(self.stands[0] & self.stands[1]) {
            self.decide_hold(place, answers);
        }
    }

    fn decide_hold(&mut self, place: usize, answers: &mut impl Answers) {
        for side in 0..2 {
            let (single, pair) = (self.here(side, place), self.here(1 - side, place));
            if single.count_ones() == 1 && pair.count_ones() == 2 {
                self.hold(single.trailing_zeros() as usize, side, pair, answers);
            }
        }
    }

    /// Returns the one of two units that a single unit holds, and asks for it if none is held for good.
    fn hold(&mut self, single: usize, side: usize, pair: u16, answers: &mut impl Answers) -> usize {
        let held = usize::from(self.holding[single]);
        if self.plays(STICKY_ENGAGEMENT) && held < UNITS && has_unit(pair, held) {
            return held;
        }
        let held = one(answers, side, u64::from(pair));
        self.holding[single] = held as u8;
        held
    }

    /// A unit goes to a hexagon, and who holds whom there is decided.
    fn march(&mut self, me: usize, side: usize, place: usize, answers: &mut impl Answers) {
        self.go(me, side, place);
        if self.plays(STICKY_ENGAGEMENT) {
            self.decide_hold(place, answers);
        }
    }

    fn act(&mut self, me: usize, side: usize, answers: &mut impl Answers) {
        let from = usize::from(self.place[me]);
        let foes = self.stands[1 - side];
        let kind = usize::from(self.kind[me]);
        if has(foes, from) && kind != BEASTS {
            return;
        }
        let next = NEXT[from] & !(1 << from);
        let room = !self.full[side];
        match kind {
            MOUNTED => {
                let second = spread(next & !foes);
                let mut charged = second & room;
                if self.plays(CHARGE_LEADS_AWAY) {
                    charged &= !NEXT[from];
                }
                let reached = (next | second) & room & !(1 << from);
                let Some(to) = one_or_word(answers, side, reached) else {
                    return;
                };
                self.march(me, side, to, answers);
                if has(charged & foes, to) {
                    let declines = self.plays(CHARGES_MAY_BE_DECLINED) || has(next, to);
                    self.charge(me, side, to, declines, answers);
                }
            }
            _ => {
                let mut places = next & room;
                if kind == AERIAL {
                    let empty = BOARD & !self.stands[0] & !self.stands[1];
                    places = if self.plays(AERIAL_ONLY_ASSAULT) {
                        empty
                    } else {
                        places | empty
                    };
                } else if kind == MILITIA {
                    let crowd = self.of[MILITIA] & self.sides[side] & self.alive & !(1 << me);
                    places &= !units(crowd).fold(0, |all, u| all | 1u64 << self.place[u]);
                }
                if let Some(to) = one_or_word(answers, side, places) {
                    self.march(me, side, to, answers);
                }
                if self.plays(TRAMPLE_DAMAGE) && kind == BEASTS && has_unit(self.moved, me) {
                    for foe in units(self.here(1 - side, usize::from(self.place[me]))) {
                        self.hit_at_once(foe, 1);
                    }
                }
            }
        }
    }

    fn charge(&mut self, me: usize, side: usize, to: usize, declines: bool, answers: &mut impl Answers) {
        let foes = self.here(1 - side, to);
        let foe = if declines {
            match self.offer(side, u64::from(foes), answers) {
                Some(foe) => foe,
                None => return,
            }
        } else {
            one(answers, side, u64::from(foes))
        };
        let first_there = self.here(side, to) == 1 << me;
        let countered = first_there && foes & self.of[SPEARS] != 0;
        self.hit_at_once(if countered { me } else { foe }, CHARGE);
    }

    // --- resolution ------------------------------------------------------------------------------

    fn resolve(&mut self, answers: &mut impl Answers) {
        for place in bits(self.stands[0] & self.stands[1]) {
            self.one_and_two(place, 0, answers);
            self.one_and_two(place, 1, answers);
        }
        if !self.plays(COMBATS_LAST) {
            self.combats(answers);
            if self.is_over() {
                return;
            }
            self.decide_holds(answers);
        }
        if self.plays(RANGED_FIRST) {
            self.ranged(answers);
            if self.is_over() {
                return;
            }
            self.decide_holds(answers);
        }
        self.melee(answers);
        if self.is_over() {
            return;
        }
        self.decide_holds(answers);
        if !self.plays(RANGED_FIRST) {
            self.ranged(answers);
            if self.is_over() {
                return;
            }
            self.decide_holds(answers);
        }
        for side in 0..2 {
            let mut storming = self.stands[side] & CASTLES[1 - side];
            if self.plays(FREE_UNIT_SPARES_THE_CASTLE) {
                storming &= !self.stands[1 - side];
            }
            let there = bits(storming).fold(0, |all, p| all | self.here(side, p));
            self.damage[1 - side] += self.free(there).count_ones() as u8;
        }
        if self.plays(COMBATS_LAST) {
            self.combats(answers);
            if self.is_over() {
                return;
            }
            self.decide_holds(answers);
        }
        self.end_of_round(answers);
    }

    /// A single unit holds one of two; the other joins the Combat or keeps out of it.
    fn one_and_two(&mut self, place: usize, side: usize, answers: &mut impl Answers) {
        let (single, pair) = (self.here(side, place), self.here(1 - side, place));
        if single.count_ones() != 1 || pair.count_ones() != 2 {
            return;
        }
        let held = self.hold(single.trailing_zeros() as usize, side, pair, answers);
        if word(answers, 1 - side, 2) == 1 {
            self.released |= pair & !(1 << held);
        }
    }

    fn combats(&mut self, answers: &mut impl Answers) {
        for place in bits(self.stands[0] & self.stands[1]) {
            let engaged = self.at[place] & !self.released;
            for side in 0..2 {
                let own = engaged & self.sides[side];
                let strong = own & self.of[MILITIA];
                let mut damage = 2 * own.count_ones() + strong.count_ones();
                let foes = engaged & self.sides[1 - side];
                for foe in units(foes) {
                    let last = foes >> foe == 1;
                    let share = if last {
                        damage
                    } else {
                        word(answers, side, damage + 1)
                    };
                    self.gather(foe, share as i8);
                    damage -= share;
                }
            }
        }
        self.apply();
    }

    fn melee(&mut self, answers: &mut impl Answers) {
        let mut crashed: [Option<usize>; 2] = [None; 2];
        for me in units(self.free(self.of[SPEARS] | self.of[RAM])) {
            let side = self.side(me);
            let place = usize::from(self.place[me]);
            if has_unit(self.of[SPEARS], me) {
                if let Some(foe) = self.aim(me, side, NEXT[place], answers) {
                    self.gather(foe, 1);
                }
            } else if has(CASTLES[1 - side], place)
                && (self.plays(ABILITIES_MUST_BE_USED) || word(answers, side, 2) == 1)
            {
                crashed[side].get_or_insert(me);
            }
        }
        // When both gates fall, the second faction decides which falls first.
        let winner = match crashed {
            [Some(a), Some(b)] => Some(self.side(one(answers, 1, 1 << a | 1 << b))),
            [Some(_), None] => Some(0),
            [None, Some(_)] => Some(1),
            [None, None] => None,
        };
        self.apply();
        if winner.is_some() {
            self.finish(winner, "crash through");
        }
    }

    fn ranged(&mut self, answers: &mut impl Answers) {
        for me in units(self.free(self.of[ARCHERS] | self.of[CANNONS] | self.of[MUSKETS])) {
            let side = self.side(me);
            let place = usize::from(self.place[me]);
            match usize::from(self.kind[me]) {
                ARCHERS => self.volley(me, side, place, answers),
                CANNONS => {
                    let near = NEAR[place] & (self.stands[0] | self.stands[1]);
                    if let Some(place) = self.offer(side, near, answers) {
                        for unit in units(self.at[place]) {
                            self.gather(unit, 1);
                        }
                    }
                }
                _ => {
                    let moved = has_unit(self.moved, me);
                    let line = self.stands[1 - side] & COLUMN << (place % SIDE);
                    if line == 0 || self.plays(FIRE_UNMOVED) && moved {
                        continue;
                    }
                    if self.plays(ABILITIES_MUST_BE_USED) || word(answers, side, 2) == 1 {
                        let foes = bits(line).fold(0, |all, p| all | self.here(1 - side, p));
                        for foe in units(foes) {
                            self.gather(foe, 1);
                        }
                    }
                }
            }
        }
        self.apply();
    }

    fn volley(&mut self, me: usize, side: usize, place: usize, answers: &mut impl Answers) {
        let Some(foe) = self.aim(me, side, NEAR[place], answers) else {
            if self.plays(IDLE_ARCHERS_FORGET) {
                self.last_target[me] = NOBODY;
            }
            return;
        };
        let mut new = usize::from(self.last_target[me]) != foe;
        if self.plays(FIRST_VOLLEY_AIMED) {
            new &= has_unit(self.has_shot, me);
        }
        let damage = 2 - i8::from(has_unit(self.moved, me)) - i8::from(new);
        self.gather(foe, damage);
        self.last_target[me] = foe as u8;
        self.has_shot |= 1 << me;
    }

    /// A unit within range to use an ability on.
    fn aim(&self, me: usize, side: usize, near: u64, answers: &mut impl Answers) -> Option<usize> {
        let mut foes = self.alive & self.sides[1 - side];
        if self.plays(FRIENDLY_FIRE) {
            foes = self.alive & !(1 << me);
        }
        let near = units(foes).filter(|&u| has(near, usize::from(self.place[u])));
        self.offer(side, near.fold(0, |all, u| all | 1 << u), answers)
    }

    /// An ability that may be declined.
    fn offer(&self, side: usize, targets: u64, answers: &mut impl Answers) -> Option<usize> {
        if self.plays(ABILITIES_MUST_BE_USED) && targets != 0 {
            Some(one(answers, side, targets))
        } else {
            one_or_word(answers, side, targets)
        }
    }

    // --- the end of the game ---------------------------------------------------------------------

    fn end_of_round(&mut self, answers: &mut impl Answers) {
        if self.plays(AGREED_ENDING) {
            let agreed = |answers: &mut _| word(answers, 0, 2) == 0 && word(answers, 1, 2) == 0;
            if self.rounds >= LATEST_ROUND || self.rounds >= ASKED_FROM_ROUND && agreed(answers) {
                self.judge(1);
            }
            return;
        }
        let gone = [0, 1].map(|side| self.alive & self.sides[side] == 0);
        for side in 0..2 {
            let behind = i32::from(self.damage[side]) - i32::from(self.damage[1 - side]);
            let rounds = &mut self.rounds_behind[side];
            *rounds = if behind >= 1 { *rounds + 1 } else { 0 };
            if behind >= 2 {
                self.finish(Some(1 - side), "castle damage");
            } else if self.rounds_behind[side] >= 2 {
                self.finish(Some(1 - side), "damage and hold");
            }
        }
        let even = self.damage[0] == self.damage[1];
        if self.rounds >= MAX_ROUNDS || even && (gone[0] || gone[1]) {
            self.judge(if self.plays(SMALL_LEAD_DRAWS) { 2 } else { 1 });
        }
    }

    /// The game is over: a lead of so much wins, and even damage goes by what is left.
    fn judge(&mut self, needed: u8) {
        let lead = self.damage[0].abs_diff(self.damage[1]);
        if lead > 0 {
            let winner = usize::from(self.damage[0] > self.damage[1]);
            match lead >= needed {
                true => self.finish(Some(winner), "lead at the end"),
                false => self.finish(None, "no clear winner"),
            }
            return;
        }
        let power = [0, 1].map(|side| {
            let lives = units(self.alive & self.sides[side]).map(|u| i32::from(self.life[u]));
            lives.sum::<i32>()
        });
        let overwhelms = |side: usize| power[side] > power[1 - side] && power[side] >= 2 * power[1 - side];
        match (0..2).find(|&side| overwhelms(side)) {
            Some(side) => self.finish(Some(side), "unit power"),
            None => self.finish(None, "no clear winner"),
        }
    }
}
