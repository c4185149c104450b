//! Numbers for worlds and positions by which those that are the same are found again.

use crate::kernel::dice::Pool;
use crate::kernel::ids::RecordedThing;
use crate::kernel::table::Table;
use crate::kernel::world::World;
use std::hash::{Hash, Hasher};

/// Two lanes of multiply and fold: 128 bits tell more positions apart than anybody can look at.
#[derive(Clone)]
pub struct Fingerprint(u64, u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344)
    }
}

impl Fingerprint {
    /// Both lanes.
    pub fn whole(&self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1)
    }
}

impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        self.0 ^ self.1
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        const fn fold(a: u64, b: u64) -> u64 {
            let product = a as u128 * b as u128;
            (product as u64) ^ (product >> 64) as u64
        }
        self.0 = fold(self.0 ^ n, 0x9e37_79b9_7f4a_7c15).wrapping_add(0x2545_f491_4f6c_dd1d);
        self.1 = fold(self.1 ^ n.rotate_left(32), 0xd6e8_feb8_6659_fd93).wrapping_add(0x9e6c_63d0_676a_9a99);
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word) ^ (chunk.len() as u64) << 56);
        }
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }

    #[inline]
    fn write_u128(&mut self, n: u128) {
        self.write_u64(n as u64);
        self.write_u64((n >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

/// A number for a world, the same for worlds that are the same.
pub fn of_world(world: &World) -> u128 {
    let mut print = Fingerprint::default();
    world.hash(&mut print);
    print.whole()
}

/// The same for all that decides what follows from the start of a table's step; how play came there, its
/// ordinal and its seed do not. Of these slots it does not matter what lies in them, and of units from an id on, which came
/// into play since the root, it does not matter which is which, where nothing refers to one of them.
pub fn of_position(table: &Table, slots: &[usize], newcomers: Option<usize>) -> u128 {
    let (position, all) = (&table.checkpoint, table.gathered_before());
    let mut print = Fingerprint::default();
    let mut world = position.world.clone();
    for slot in slots {
        world.set_dice_at(*slot, Pool::default());
    }
    if let Some(first) = newcomers
        && all.is_empty()
        && !position.is_hidden()
        && !position.cursor.refers_to_units_from(first)
        && !matches!(position.step.about, RecordedThing::Unit(_))
    {
        world.order_units_from(first);
    }
    position.hash_with(&world, &mut print);
    all.len().hash(&mut print);
    // Groups are told apart, whatever their numbers.
    let mut group = (0u32, None);
    for gathered in all {
        if group.1 != Some(gathered.group) {
            group = (group.0 + 1, Some(gathered.group));
        }
        group.0.hash(&mut print);
        (gathered.effect, gathered.cause, gathered.faction).hash(&mut print);
        (gathered.about, gathered.phase, gathered.exclusive).hash(&mut print);
    }
    print.whole()
}
