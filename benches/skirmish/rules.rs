//! The skirmish of `examples/skirmish` by hand: what the scripts are measured beside, and checked with.

/// Hexagons in a row of the rhombus, and rows.
const ROWS: usize = 6;
/// Units of both sides; the first half are the first side's.
pub const UNITS: usize = 2 * ROWS;
const CELLS: usize = ROWS * ROWS;
/// A unit that is removed stands nowhere.
const OFF: u8 = u8::MAX;
/// Turns of both sides together until nobody has won.
const TURNS: u32 = 200;
/// A side with so many units has lost.
const TOO_FEW: u32 = 3;

/// Action of a unit: a step to a hexagon, by its number, or a strike at a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    Step(u8, u8),
    Strike(u8, u8),
}

#[derive(Debug, Clone)]
pub struct Game {
    at: [u8; UNITS],
    life: [u8; UNITS],
    /// Places of the units of each faction.
    here: [u64; 2],
    turn: u32,
}

/// Result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Won(usize),
    Drawn,
}

const fn distance(a: usize, b: usize) -> usize {
    let (row, column) = (
        (a / ROWS) as i32 - (b / ROWS) as i32,
        (a % ROWS) as i32 - (b % ROWS) as i32,
    );
    let (row, column, both) = (row.abs(), column.abs(), (row - column).abs());
    let most = if row > column { row } else { column };
    (if most > both { most } else { both }) as usize
}

const fn within(reach: usize) -> [u64; CELLS] {
    let mut all = [0; CELLS];
    let mut a = 0;
    while a < CELLS {
        let mut b = 0;
        while b < CELLS {
            if a != b && distance(a, b) <= reach {
                all[a] |= 1 << b;
            }
            b += 1;
        }
        a += 1;
    }
    all
}

const NEAR: [[u64; CELLS]; 2] = [within(1), within(2)];

fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as u8;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

impl Game {
    pub fn start() -> Self {
        let archers = |unit: usize| unit.is_multiple_of(ROWS) || unit % ROWS == ROWS - 1;
        Self {
            at: std::array::from_fn(|u| (u / ROWS * (CELLS - ROWS) + u % ROWS) as u8),
            life: std::array::from_fn(|u| if archers(u) { 1 } else { 2 }),
            here: [(1 << ROWS) - 1, ((1 << ROWS) - 1) << (CELLS - ROWS)],
            turn: 0,
        }
    }

    /// Returns the faction whose turn it is.
    pub fn side(&self) -> usize {
        self.turn as usize % 2
    }

    /// Collects the actions that are possible now.
    pub fn deeds(&self, deeds: &mut Vec<Deed>) {
        deeds.clear();
        let side = self.side();
        let free = !(self.here[0] | self.here[1]);
        for unit in side * ROWS..(side + 1) * ROWS {
            if self.at[unit] == OFF {
                continue;
            }
            let here = self.at[unit] as usize;
            let reach = usize::from(unit % ROWS == 0 || unit % ROWS == ROWS - 1);
            deeds.extend(bits(NEAR[0][here] & free).map(|cell| Deed::Step(unit as u8, cell)));
            let struck = NEAR[reach][here] & self.here[1 - side];
            for foe in (1 - side) * ROWS..(2 - side) * ROWS {
                if self.at[foe] != OFF && struck >> self.at[foe] & 1 == 1 {
                    deeds.push(Deed::Strike(unit as u8, foe as u8));
                }
            }
        }
    }

    /// Does it, and ends the turn; how the game ended, if it did.
    pub fn act(&mut self, deed: Option<Deed>) -> Option<Ended> {
        let side = self.side();
        match deed {
            Some(Deed::Step(unit, cell)) => {
                self.here[side] ^= 1 << self.at[unit as usize] | 1 << cell;
                self.at[unit as usize] = cell;
            }
            Some(Deed::Strike(_, foe)) => {
                let foe = foe as usize;
                self.life[foe] -= 1;
                if self.life[foe] == 0 {
                    self.here[1 - side] ^= 1 << self.at[foe];
                    self.at[foe] = OFF;
                }
            }
            None => {}
        }
        self.turn += 1;
        if self.here[1 - side].count_ones() <= TOO_FEW {
            return Some(Ended::Won(side));
        }
        (self.turn >= TURNS).then_some(Ended::Drawn)
    }
}
