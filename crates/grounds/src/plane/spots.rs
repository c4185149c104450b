//! Spots that are worth a look: what stands for all the spots that one can come to, where those have to be
//! listed.

use super::Shape;
use super::exact::Vector;
use super::scene::Obstacles;
use super::ways::{MoveKind, WalkPlan, Way};
use super::yard::Yard;
use super::{Base, Length, Point, across, halved_up};
use std::cell::OnceCell;

/// Points that a base can reach with one move.
#[derive(Debug)]
pub struct Reach<'a> {
    scene: Obstacles<'a>,
    from: Base,
    most: Length,
    kind: MoveKind,
    /// Planned when something is first in the way.
    ways: OnceCell<WalkPlan<'a>>,
}

/// Kinds of spots that are searched for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpotQuery {
    /// Maximum number of spots.
    pub limit: usize,
    /// Bases with no more between them touch; below 2 there may be no spot in whole thousandths.
    pub hair: Length,
    /// Spots just within and just outside of lengths from bases, edge to edge.
    pub ranges: Vec<(Base, Length)>,
    /// Spots as near as can be to these.
    pub near: Vec<Point>,
    /// Spots behind these ...
    pub screens: Vec<Shape>,
    /// ... as seen from here.
    pub viewers: Vec<Point>,
}

/// A spot that may be worth a look.
#[derive(Debug, Clone, Copy)]
enum SpotProposal {
    /// This one.
    Spot(Point),
    /// This one, or as far as one gets straight in its direction.
    Toward(Point),
    /// The nearest where this base is touched.
    Contact(Base),
    /// This one, if this base is farther than the length from there.
    Outside(Point, Base, Length),
}

/// Into how many directions rays lead.
const RAYS: i64 = 16;

impl<'a> Obstacles<'a> {
    /// Returns the points that a base can reach with one move of at most a length.
    pub fn reach(&self, from: Base, most: Length, kind: MoveKind) -> Reach<'a> {
        Reach {
            scene: *self,
            from,
            most,
            kind,
            ways: OnceCell::new(),
        }
    }

    /// A spot that a base comes to with one move of at most a length, where it touches another: the nearest
    /// of those that were tried, which are straight ahead, behind each corner of the way, and all around.
    pub fn contact(
        &self,
        from: Base,
        target: Base,
        most: Length,
        kind: MoveKind,
        hair: Length,
    ) -> Option<Point> {
        self.reach(from, most, kind).contact(target, hair)
    }

    /// Spots that a base comes to with one move of at most a length, always in the same order: into contact
    /// with each base, what is wanted, and all around at three lengths.
    pub fn candidates(&self, from: Base, most: Length, kind: MoveKind, wanted: &SpotQuery) -> Vec<Point> {
        self.reach(from, most, kind).candidates(wanted)
    }
}

impl<'a> Reach<'a> {
    fn ways(&self) -> &WalkPlan<'a> {
        self.ways
            .get_or_init(|| WalkPlan::new(self.scene, self.from, self.most))
    }

    /// The way to a spot, if it is within reach.
    pub fn way(&self, to: Point) -> Option<Way> {
        if self.from.at.distance(to) > self.most {
            return None;
        }
        let straight = self.scene.straight(self.from, to);
        match self.kind {
            MoveKind::Leap => straight,
            MoveKind::Walk => straight.or_else(|| {
                let there = Base { at: to, ..self.from };
                self.scene.fits(there).ok()?;
                self.ways().to(to, self.most)
            }),
        }
    }

    /// See [`Obstacles::contact`].
    pub fn contact(&self, target: Base, hair: Length) -> Option<Point> {
        self.touching(target, hair, 5)
    }

    /// The same, with spots all around at every so many degrees.
    fn touching(&self, target: Base, hair: Length, degrees: i64) -> Option<Point> {
        if self.from.gap(target) > self.most.saturating_add(hair) || self.scene.fits(self.from).is_err() {
            return None;
        }
        if self.from.is_within(target, hair) {
            return Some(self.from.at);
        }
        let direct = self.beside(target, self.from.at, hair);
        let far = |spot: &Point| self.from.at.distance(*spot);
        if let Some(spot) = direct
            && far(&spot) <= self.most
            && self.scene.in_the_way(self.from, spot).is_none()
        {
            return direct;
        }
        let mut spots: Vec<Point> = (0..360 / degrees)
            .filter_map(|n| self.beside(target, target.at.at_angle(n * degrees, 1_000_000), hair))
            .collect();
        if self.kind == MoveKind::Walk {
            let corners = self.ways().corners();
            spots.extend(corners.filter_map(|corner| self.beside(target, corner, hair)));
        }
        let yard = Yard::new(&self.scene, self.from, self.most as f64);
        let ends = yard.ends_beside(target, self.from.at, self.most);
        spots.extend(ends.into_iter().filter_map(|end| self.beside(target, end, hair)));
        // One who gets no farther touches where no more than a hair is left.
        let short = self.from.at.toward(target.at, self.most);
        let there = Base {
            at: short,
            ..self.from
        };
        spots.extend(Some(short).filter(|_| there.is_within(target, hair) && !there.overlaps(target)));
        spots.retain(|spot| far(spot) <= self.most);
        // However one comes there, it is not nearer than straight.
        spots.sort_by_key(|spot| (far(spot), *spot));
        spots.dedup();
        let mut best: Option<(Length, Point)> = None;
        for spot in spots {
            if best.is_some_and(|(length, _)| length <= far(&spot)) {
                break;
            }
            if let Some(way) = self.way(spot)
                && best.is_none_or(|(length, _)| way.length < length)
            {
                best = Some((way.length, spot));
            }
        }
        best.map(|(_, spot)| spot)
    }

    /// The spot where a base is touched from the side that a point is on.
    fn beside(&self, target: Base, side: Point, hair: Length) -> Option<Point> {
        let least = halved_up(self.from.radius() + target.radius());
        let spots = (least..=least + 2).map(|far| target.at.toward(side, far));
        let free = |spot: &Point| {
            let there = Base {
                at: *spot,
                ..self.from
            };
            !there.overlaps(target) && there.is_within(target, hair)
        };
        spots.into_iter().find(free)
    }

    /// See [`Obstacles::candidates`].
    pub fn candidates(&self, wanted: &SpotQuery) -> Vec<Point> {
        let mut found: Vec<Point> = Vec::new();
        if self.scene.fits(self.from).is_err() {
            return found;
        }
        let kinds = [
            self.near(wanted),
            self.contacts(),
            self.ranges(wanted),
            self.behind(wanted),
            self.around(),
        ];
        // In turn one of each kind, so that a small limit leaves some of all.
        let rounds = kinds.iter().map(Vec::len).max().unwrap_or(0);
        let ideas = (0..rounds).flat_map(|n| kinds.iter().filter_map(move |kind| kind.get(n)));
        for idea in ideas {
            if found.len() >= wanted.limit {
                break;
            }
            let spot = self.tried(*idea, wanted.hair);
            found.extend(spot.filter(|spot| *spot != self.from.at && !found.contains(spot)));
        }
        found
    }

    fn tried(&self, idea: SpotProposal, hair: Length) -> Option<Point> {
        let can_come = |spot: &Point| self.way(*spot).is_some();
        match idea {
            SpotProposal::Spot(spot) => Some(spot).filter(can_come),
            SpotProposal::Toward(goal) => {
                let there = if self.from.at.distance(goal) <= self.most {
                    goal
                } else {
                    self.from.at.toward(goal, self.most)
                };
                if can_come(&there) {
                    return Some(there);
                }
                let stopped = self.scene.leap(self.from, there).err()?;
                Some(self.from.at.toward(there, stopped.after)).filter(can_come)
            }
            SpotProposal::Contact(target) => self.touching(target, hair, 30),
            SpotProposal::Outside(spot, target, length) => {
                let there = Base {
                    at: spot,
                    ..self.from
                };
                Some(spot).filter(|spot| !there.is_within(target, length) && can_come(spot))
            }
        }
    }

    fn near(&self, wanted: &SpotQuery) -> Vec<SpotProposal> {
        wanted.near.iter().copied().map(SpotProposal::Toward).collect()
    }

    fn contacts(&self) -> Vec<SpotProposal> {
        let mut bases: Vec<Base> = self.scene.bases.to_vec();
        bases.sort_by_key(|base| self.from.gap(*base));
        bases.into_iter().map(SpotProposal::Contact).collect()
    }

    fn ranges(&self, wanted: &SpotQuery) -> Vec<SpotProposal> {
        let turns = [0, 45, -45, 90, -90];
        let ranges = &wanted.ranges;
        let ideas = turns.into_iter().flat_map(|turn| {
            ranges.iter().flat_map(move |&(target, length)| {
                let both = (self.from.radius() + target.radius()).div_euclid(2);
                let far = both.saturating_add(length);
                let side = self.from.at.turned(target.at, turn);
                let inside = SpotProposal::Spot(target.at.toward(side, far));
                // What is rounded may lie nearer by more than one.
                let outside =
                    SpotProposal::Outside(target.at.toward(side, far.saturating_add(3)), target, length);
                [inside, outside]
            })
        });
        ideas.collect()
    }

    fn behind(&self, wanted: &SpotQuery) -> Vec<SpotProposal> {
        let mut ideas = Vec::new();
        for screen in &wanted.screens {
            for viewer in &wanted.viewers {
                let (middle, far) = match screen {
                    Shape::Disc { at, diameter } => (*at, halved_up(across(*diameter))),
                    Shape::Polygon(corners) => {
                        let middle = screen.middle();
                        // As far as its farthest corner reaches out in that direction.
                        let way = Vector::from(middle) - Vector::from(*viewer);
                        let out = corners
                            .iter()
                            .map(|corner| way.dot(Vector::from(*corner) - middle.into()));
                        let out = i128::from(out.max().unwrap_or(0)).max(0);
                        let length = i128::from(way.square()).isqrt().max(1);
                        (middle, halved_up((out / length) as i64 + 1))
                    }
                };
                let far = far + halved_up(self.from.radius()) + 2;
                ideas.push(SpotProposal::Spot(middle.toward(*viewer, -far)));
            }
        }
        ideas
    }

    /// All around: the whole length first, then parts of it, every second direction before the others.
    fn around(&self) -> Vec<SpotProposal> {
        let directions = (0..RAYS).step_by(2).chain((1..RAYS).step_by(2));
        let parts = [(1, 1), (1, 2), (1, 4)];
        let spots = parts.into_iter().flat_map(|(part, of)| {
            directions.clone().map(move |n| {
                let goal = self.from.at.at_angle(n * 360 / RAYS, self.most * part / of);
                if part == of {
                    SpotProposal::Toward(goal)
                } else {
                    SpotProposal::Spot(goal)
                }
            })
        });
        spots.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sight::{Sight, sight};
    use super::super::testing::{
        TestNumbers, any_base, any_point, any_shape, base, crowded, on, polygon, times, to,
    };
    use super::*;
    use proptest::prelude::*;

    const TABLE: (i32, i32) = (100_000, 100_000);
    const HAIR: Length = 10;

    #[test]
    fn contact_is_straight_ahead_or_beside_what_is_in_the_way() {
        let target = base(70_000, 50_000, 10_000);
        let contact = |bases: &[Base], kind, most| {
            let scene = Obstacles {
                table: TABLE,
                bases,
                shapes: &[],
            };
            scene.contact(base(20_000, 50_000, 10_000), target, most, kind, HAIR)
        };
        assert_eq!(
            contact(&[target], MoveKind::Leap, 40_000),
            Some(to(60_000, 50_000))
        );
        assert_eq!(contact(&[target], MoveKind::Leap, 39_000), None);
        // Someone stands before it: straight past him, and nearer around him.
        let guarded = [target, base(55_000, 46_000, 8_000)];
        let (leap, walk) = (
            contact(&guarded, MoveKind::Leap, 60_000),
            contact(&guarded, MoveKind::Walk, 60_000),
        );
        let scene = Obstacles {
            table: TABLE,
            bases: &guarded,
            shapes: &[],
        };
        let far = |spot: Point| {
            let way = scene.walk(base(20_000, 50_000, 10_000), spot, 60_000);
            way.map_or(Length::MAX, |way| way.length)
        };
        let (leap, walk) = (leap.expect("beside him"), walk.expect("around him"));
        assert!(
            far(walk) <= far(leap) && far(walk) < 45_000,
            "{:?} {:?}",
            far(leap),
            far(walk)
        );
        // All around it others stand.
        let mut ring: Vec<Base> = (0..6)
            .map(|n| Base {
                at: target.at.at_angle(60 * n, 10_010),
                diameter: 9_500,
            })
            .collect();
        ring.push(target);
        assert_eq!(contact(&ring, MoveKind::Walk, 100_000), None);
    }

    #[test]
    fn what_is_wanted_is_found() {
        let bases = [base(60_000, 50_000, 10_000)];
        let pieces = [polygon(&[
            (40_000, 20_000),
            (60_000, 20_000),
            (60_000, 30_000),
            (40_000, 30_000),
        ])];
        let scene = Obstacles {
            table: TABLE,
            bases: &bases,
            shapes: &pieces,
        };
        let mover = base(30_000, 50_000, 10_000);
        let viewers = [to(50_000, 90_000)];
        let wanted = SpotQuery {
            limit: 1_000,
            hair: HAIR,
            ranges: vec![(bases[0], 8_000)],
            near: vec![to(10_000, 50_000), to(10_000, 10_000)],
            screens: pieces.to_vec(),
            viewers: viewers.to_vec(),
        };
        let spots = scene.candidates(mover, 30_000, MoveKind::Leap, &wanted);
        let there = |at: &Point| Base { at: *at, ..mover };
        let gap = |at: &Point| there(at).gap(bases[0]);
        assert!(spots.iter().any(|at| gap(at) <= HAIR), "in contact");
        assert!(
            spots.iter().any(|at| (7_990..=8_000).contains(&gap(at))),
            "just within"
        );
        assert!(
            spots.iter().any(|at| (8_001..8_010).contains(&gap(at))),
            "just outside"
        );
        assert!(spots.contains(&to(10_000, 50_000)) && !spots.contains(&to(10_000, 10_000)));
        let walks = scene.candidates(mover, 60_000, MoveKind::Walk, &wanted);
        let hidden = |at: &Point| sight(viewers[0], there(at), &pieces, &[]) == Sight::Hidden;
        assert!(walks.iter().any(hidden) && walks.contains(&to(10_000, 10_000)));
        for limit in [0, 1, 5, 12] {
            let few = scene.candidates(
                mover,
                30_000,
                MoveKind::Leap,
                &SpotQuery {
                    limit,
                    ..wanted.clone()
                },
            );
            assert_eq!(few, spots[..limit], "the same, and no more");
        }
    }

    /// Another base covers one end of what is free; how far one gets, or the base itself, the other: it is a degree.
    #[test]
    fn contact_is_made_at_the_end_of_reach() {
        let (before, target) = (base(6_558, 43_657, 10_846), base(2_814, 44_641, 8_737));
        let bases = [before, target];
        let scene = Obstacles {
            table: TABLE,
            bases: &bases,
            shapes: &[],
        };
        let contact = |most| scene.contact(base(26_329, 50_313, 1_709), target, most, MoveKind::Leap, HAIR);
        for most in [23_611, 23_666] {
            assert!(contact(most).is_some_and(|spot| base(spot.x, spot.y, 1_709).is_within(target, HAIR)));
        }
        assert_eq!(contact(23_400), None);
    }

    #[test]
    fn who_stops_within_a_hair_is_in_contact() {
        let target = [base(37_058, 40_260, 13_787)];
        let scene = Obstacles {
            table: TABLE,
            bases: &target,
            shapes: &[],
        };
        let contact =
            |most| scene.contact(base(90_160, 75_095, 6_232), target[0], most, MoveKind::Leap, HAIR);
        assert!(contact(53_498).is_some());
        assert_eq!(contact(53_480), None);
    }

    fn any_bases() -> impl Strategy<Value = Vec<Base>> {
        let one = (0..100_000, 0..100_000, 5_000..20_000).prop_map(|(x, y, d)| base(x, y, d));
        prop::collection::vec(one, 0..6)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(times(5_000) as u32))]

        #[test]
        fn every_candidate_is_within_reach_and_every_contact_is_one(
            bases in any_bases(), shapes in prop::collection::vec(any_shape(100_000), 0..4),
            at in (6_000..94_000, 6_000..94_000), diameter in 1_000..10_000,
            most in 1_000i64..60_000, walks: bool,
        ) {
            let scene = Obstacles { table: TABLE, bases: &bases, shapes: &shapes };
            let mover = base(at.0, at.1, diameter);
            prop_assume!(scene.fits(mover).is_ok());
            let kind = if walks { MoveKind::Walk } else { MoveKind::Leap };
            let wanted = SpotQuery {
                limit: 500,
                hair: HAIR,
                screens: shapes.clone(),
                viewers: vec![to(0, 0)],
                ..SpotQuery::default()
            };
            let spots = scene.candidates(mover, most, kind, &wanted);
            for (index, spot) in spots.iter().enumerate() {
                prop_assert!(!spots[..index].contains(spot) && *spot != mover.at);
                match kind {
                    MoveKind::Leap => {
                        prop_assert!(mover.at.distance(*spot) <= most);
                        prop_assert_eq!(scene.leap(mover, *spot), Ok(()));
                    }
                    MoveKind::Walk => prop_assert!(scene.walk(mover, *spot, most).is_ok(), "{:?}", spot),
                }
            }
            for target in &bases {
                let contact = scene.contact(mover, *target, most, kind, HAIR);
                let reach = scene.reach(mover, most, kind);
                if let Some(spot) = contact {
                    let there = Base { at: spot, ..mover };
                    prop_assert!(there.is_within(*target, HAIR) && scene.fits(there).is_ok());
                    prop_assert!(reach.way(spot).is_some());
                }
                // None that is all around is much nearer.
                let nearest = (0..360).filter_map(|degrees| {
                    let side = target.at.at_angle(degrees, 1_000_000);
                    Some(reach.way(reach.beside(*target, side, HAIR)?)?.length)
                });
                if let Some(nearest) = nearest.min() {
                    let found = contact.and_then(|spot| reach.way(spot)).map(|way| way.length);
                    let found = found.ok_or_else(|| TestCaseError::fail("one degree was free"))?;
                    let around = PI_100 * (target.radius() + mover.radius()) / 200 / 72;
                    prop_assert!(found <= nearest + around, "{found:?} {nearest}");
                }
            }
        }

        #[test]
        fn no_numbers_are_too_large_for_ways(
            table: (i32, i32), bases in prop::collection::vec(any_base(), 0..4),
            mover in any_base(), goal in any_point(),
            most: i64, hair: i64, length: i64, corners in prop::collection::vec(any_point(), 3..6),
        ) {
            let shapes: Vec<Shape> = Shape::polygon(&corners).into_iter().collect();
            let scene = Obstacles { table, bases: &bases, shapes: &shapes };
            let wanted = SpotQuery {
                limit: 50,
                hair,
                ranges: bases.iter().map(|base| (*base, length)).collect(),
                near: vec![goal],
                screens: shapes.clone(),
                viewers: vec![goal],
            };
            for kind in [MoveKind::Leap, MoveKind::Walk] {
                for spot in scene.candidates(mover, most, kind, &wanted) {
                    let there = Base { at: spot, ..mover };
                    prop_assert_eq!(scene.fits(there), Ok(()));
                }
            }
            if let Ok(way) = scene.walk(mover, goal, most) {
                prop_assert!(way.length <= most);
            }
        }
    }

    const PI_100: i64 = 629;

    /// Walks and contacts at crowded tables: what is proposed and taken leaves everybody where there is room.
    #[test]
    fn many_walks_at_crowded_tables() {
        let mut numbers = TestNumbers(0xFEED);
        let (mut walks, mut touching) = (0, 0);
        while walks < times(20_000) {
            let size = [2_000, 900_000][numbers.below(2) as usize];
            let table = (size, size);
            let (mut bases, shapes) = crowded(&mut numbers, size, 12);
            for _ in 0..100 {
                let mover = numbers.one_of(&mut bases);
                let scene = on(table, &bases, &shapes);
                let reach = scene.reach(mover, i64::from(size) / 3, MoveKind::Walk);
                let target = bases[numbers.below(bases.len() as i32) as usize];
                let random = to(numbers.below(size), numbers.below(size));
                let goal = match numbers.below(2) {
                    0 => reach.contact(target, HAIR),
                    _ => Some(random).filter(|goal| reach.way(*goal).is_some()),
                };
                let mut at = mover;
                if let Some(goal) = goal {
                    let way = reach.way(goal).expect("it was said to be within reach");
                    for point in way.points {
                        assert_eq!(scene.leap(at, point), Ok(()));
                        at.at = point;
                    }
                    walks += 1;
                    touching += usize::from(at.is_within(target, HAIR));
                }
                assert_eq!(scene.fits(at), Ok(()));
                bases.push(at);
            }
        }
        assert!(touching > walks / 10, "{touching} of {walks} ended in contact");
    }
}
