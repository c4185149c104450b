//! Adjacency: which places touch, so that one can step from one to the other.

use crate::ids::{PlaceId, PlaceSet};

/// The places that touch each place. A board has the one of its shape; a world has its own, because walls separate
/// places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjacency {
    neighbours: Vec<PlaceSet>,
    /// The same with the place itself.
    near: Vec<PlaceSet>,
    /// The neighbours as bits, on a board of which a set of places is one word.
    bits: Vec<u128>,
}

impl Adjacency {
    /// The adjacency in which each place, by index, touches these.
    pub fn new(neighbours: Vec<PlaceSet>) -> Self {
        let near = neighbours.iter().enumerate();
        Self {
            near: near
                .map(|(place, near)| near | PlaceSet::one(PlaceId::new(place)))
                .collect(),
            bits: neighbours.iter().map_while(PlaceSet::as_few).collect(),
            neighbours,
        }
    }

    /// The places that touch this one.
    #[inline]
    pub fn neighbours(&self, place: PlaceId) -> &PlaceSet {
        &self.neighbours[place.index()]
    }

    /// The places that touch this one, and the place itself.
    #[inline]
    pub fn near(&self, place: PlaceId) -> &PlaceSet {
        &self.near[place.index()]
    }

    /// Whether two places touch.
    pub fn touch(&self, a: PlaceId, b: PlaceId) -> bool {
        self.neighbours(a).contains(b)
    }

    /// Lets two places touch, or separates them.
    pub fn set(&mut self, a: PlaceId, b: PlaceId, touch: bool) {
        for (from, to) in [(a, b), (b, a)] {
            let from = from.index();
            for set in [&mut self.neighbours[from], &mut self.near[from]] {
                match touch {
                    true => set.insert(to),
                    false => set.remove(to),
                }
            }
            if let (Some(bits), Some(few)) = (self.bits.get_mut(from), self.neighbours[from].as_few()) {
                *bits = few;
            }
        }
    }

    /// The places that touch any of these; some of these may be among them.
    #[inline]
    pub fn around(&self, places: PlaceSet) -> PlaceSet {
        match places.as_few() {
            Some(bits) => self.around_few(bits),
            None => places.fold(PlaceSet::EMPTY, |all, p| all | &self.neighbours[p.index()]),
        }
    }

    fn around_few(&self, places: u128) -> PlaceSet {
        let mut all = 0;
        for (mut left, first) in [(places as u64, 0), ((places >> 64) as u64, 64)] {
            while left != 0 {
                let place = first + left.trailing_zeros() as usize;
                let Some(near) = self.bits.get(place) else {
                    let places = PlaceSet::few(places);
                    return places.fold(PlaceSet::EMPTY, |all, p| all | &self.neighbours[p.index()]);
                };
                all |= near;
                left &= left - 1;
            }
        }
        PlaceSet::few(all)
    }

    /// Those of the places that one comes to from a place by way of them alone, with the place itself; none
    /// when it is not among them.
    pub fn connected(&self, place: PlaceId, places: PlaceSet) -> PlaceSet {
        if !places.contains(place) {
            return PlaceSet::EMPTY;
        }
        let mut left = places;
        left.remove(place);
        let (mut found, mut next) = (PlaceSet::one(place), vec![place]);
        while let Some(place) = next.pop() {
            for near in self.neighbours(place) & &left {
                left.remove(near);
                found.insert(near);
                next.push(near);
            }
        }
        found
    }
}
