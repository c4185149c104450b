//! The engine: rigid bodies, a step at a time. The only part that knows it.
//!
//! It counts in centimetres, grams and seconds. What goes in is whole numbers and what comes out is rounded to
//! such; in between nothing depends on the machine, the build or what was thrown before.

use super::make::Arena;
use super::solid::Solid;
use super::{Body, BodyPath, BodyTouch, MisfitDie, RestingBody, Throw, Thrown};
use crate::kernel::pose::{Pose, Turn};
use rapier3d::prelude as engine;
use rapier3d::prelude::{Real, SharedShape, Vector};
use std::cell::RefCell;

/// Thousandths of a centimetre in one.
const UNIT: f64 = 1_000.0;

/// No body is placed farther out than this, and none is faster: 1 km, 20 m/s and 250 rad/s.
const FARTHEST: i32 = 100_000_000;
const FASTEST: i32 = 2_000_000;
const FASTEST_SPIN: i32 = 250_000;

/// Bodies that move less than this, in hundredths of a millimetre and in parts of a turn, have not moved: to be
/// woken by a neighbour is not to be pushed.
const STIRRED: i32 = 4;
const STIRRED_TURN: i16 = 24;

/// Tolerance for overlaps of bodies and for gaps above the board: 0.3 mm, in hundredths of a millimetre.
pub const HAIR: i32 = 30;

/// Tolerance for overlaps and gaps that result from a throw: 1 mm. Dice that came to rest in a heap press into one
/// another.
pub const PRESSED: i32 = 100;

/// Speed at which a body that stands on an edge is tipped, in radians per second, and the maximum number of tips in a
/// throw.
const TIP: Real = 4.0;
const TIPS: u32 = 8;

/// Returns the faults in the placement of bodies, each once; empty if all could lie like this within [`HAIR`] or
/// [`PRESSED`].
pub fn misfits(arena: &Arena, bodies: &[Body], hair: i32) -> Vec<MisfitDie> {
    let mut found = Vec::new();
    for (n, body) in bodies.iter().enumerate() {
        let bounds = hull(body).compute_aabb(&real_pose(body.pose));
        let mut held = bounds.mins.z <= real(hair);
        for (other, there) in bodies.iter().enumerate() {
            let gap = if other == n { None } else { gap(body, there, hair) };
            // Its middle can be below what holds it: it is jammed between two.
            held |= gap.is_some();
            if n < other && gap.is_some_and(|gap| gap < -real(hair)) {
                found.push(MisfitDie::Inside(n, other));
            }
        }
        let hair = real(hair);
        let [x, y, _] = bodies[n].pose.at;
        let wrong = match () {
            () if !arena.holds([x, y]) => Some(MisfitDie::OffBoard(n)),
            () if bounds.mins.z < -hair => Some(MisfitDie::InBoard(n)),
            () if !held => Some(MisfitDie::InTheAir(n)),
            () => None,
        };
        found.extend(wrong);
    }
    found
}

/// Returns the distance between two bodies, if it is at most `hair`; negative where one is inside the other.
fn gap(one: &Body, other: &Body, hair: i32) -> Option<Real> {
    let [here, there] = [one, other].map(|body| real_pose(body.pose));
    let apart = (here.translation - there.translation).length();
    let both = |radius: fn(Solid, i32) -> i32| {
        let [a, b] = [one, other].map(|body| radius(body.solid, body.make.in_range().size));
        real(a + b)
    };
    if apart > both(Solid::reach) + real(hair) {
        return None;
    }
    // Balls that fit into both: where they overlap there is no nearest way out to look for.
    if apart < both(Solid::rest) - real(hair) {
        return Some(apart - both(Solid::rest));
    }
    let near = rapier3d::parry::query::contact(&here, &*hull(one).0, &there, &*hull(other).0, real(hair));
    near.ok().flatten().map(|near| near.dist)
}

/// Computes the result of a throw. The same numbers give the same result, bit for bit, on every machine.
///
/// Numbers that are out of range count as the nearest that is not: nothing that goes in makes it fail or hang.
/// The thrown body is where it is let go, wherever it lay before; one that leaned on it there falls. A throw of
/// none of the bodies is nothing.
pub fn throw(arena: &Arena, bodies: &[Body], throw: &Throw) -> Thrown {
    match ThrowRun::new(arena, bodies, throw) {
        Some(mut run) => {
            while run.step() {}
            run.result()
        }
        None => Thrown {
            settled: true,
            ..Thrown::default()
        },
    }
}

/// Runs this number of steps of the engine alone, to measure the cost of a throw without our own code.
pub fn bare(arena: &Arena, bodies: &[Body], throw: &Throw, steps: u32) {
    let Some(mut run) = ThrowRun::new(arena, bodies, throw) else {
        return;
    };
    for _ in 0..steps {
        run.world.step_with_events(&run.seams, &());
    }
}

/// A throw while it is computed.
pub(super) struct ThrowRun<'a> {
    bodies: &'a [Body],
    seams: SeamFilter,
    /// Number of tips so far.
    tips: u32,
    which: usize,
    pub(super) world: engine::PhysicsWorld,
    /// Of each body, by its number.
    pub(super) handles: Vec<engine::RigidBodyHandle>,
    steps: u32,
    limit: u32,
    a_second: u32,
    touches: Vec<BodyTouch>,
    /// Of each body that has moved at some time, by its number.
    paths: Vec<Option<BodyPath>>,
    fell: Vec<bool>,
    /// The least energy that all bodies had together so far.
    least: f64,
    settled: bool,
}

impl<'a> ThrowRun<'a> {
    pub(super) fn new(arena: &Arena, bodies: &'a [Body], throw: &Throw) -> Option<ThrowRun<'a>> {
        let thrown = bodies.get(throw.which)?;
        let arena = arena.clone().in_range();
        let mut world = engine::PhysicsWorld::new();
        world.gravity = Vector::new(0.0, 0.0, -real(arena.gravity));
        settings(&mut world.integration_parameters, arena.steps);
        for slab in slabs(&arena) {
            let slab = engine::ColliderBuilder::new(slab)
                .friction(real(arena.friction))
                .restitution(real(arena.restitution))
                .active_hooks(engine::ActiveHooks::MODIFY_SOLVER_CONTACTS)
                .user_data(BOARD);
            world.insert_collider(slab, None);
        }
        let insert = |world: &mut engine::PhysicsWorld, n: usize| {
            let (body, is_thrown) = (&bodies[n], n == throw.which);
            let pose = if is_thrown { throw.from } else { body.pose };
            let mut rigid = engine::RigidBodyBuilder::dynamic().pose(real_pose(pose));
            if is_thrown {
                let part = |n: i32, most: i32| real(n.clamp(-most, most));
                let fast = throw.velocity.map(|n| part(n, FASTEST));
                let spin = throw.spin.map(|n| part(n, FASTEST_SPIN));
                // A thrown body never goes through another, however fast.
                rigid = rigid.linvel(fast.into()).angvel(spin.into()).ccd_enabled(true);
            }
            let mut rigid = rigid.build();
            let rest = rigid.activation_mut();
            rest.normalized_linear_threshold = 0.5;
            rest.angular_threshold = 0.5;
            rest.time_until_sleep = REST;
            world.insert(rigid, collider(body).user_data(n as u128)).0
        };
        let seams = SeamFilter(sides(&arena.corners));
        let others = (0..bodies.len()).filter(|n| *n != throw.which);
        let mut handles: Vec<engine::RigidBodyHandle> = others.map(|n| insert(&mut world, n)).collect();
        put_to_sleep(&mut world, &seams, &handles);
        handles.insert(throw.which, insert(&mut world, throw.which));
        // What leaned on the thrown body may fall; all others lie until they are touched.
        for (body, handle) in bodies.iter().zip(&handles) {
            if gap(body, thrown, HAIR).is_some() {
                world.wake_up(*handle, true);
            }
        }
        let mut run = ThrowRun {
            seams,
            tips: 0,
            bodies,
            which: throw.which,
            world,
            steps: 0,
            limit: (i64::from(arena.limit) * i64::from(arena.steps) / 1_000) as u32,
            a_second: arena.steps as u32,
            touches: Vec::new(),
            paths: vec![None; bodies.len()],
            fell: vec![false; bodies.len()],
            least: f64::INFINITY,
            settled: false,
            handles,
        };
        run.paths[throw.which] = Some(BodyPath {
            body: throw.which,
            first: 0,
            poses: vec![pose_of(&run.world.bodies[run.handles[throw.which]])],
        });
        Some(run)
    }

    /// One step; whether there is another.
    pub(super) fn step(&mut self) -> bool {
        if self.steps >= self.limit {
            return false;
        }
        self.world.step_with_events(&self.seams, &());
        self.steps += 1;
        self.take_what_was_gained();
        self.note_touches();
        let moment = self.steps * BodyPath::A_SECOND / self.a_second;
        let is_moment = moment != (self.steps - 1) * BodyPath::A_SECOND / self.a_second;
        let mut moving = false;
        for n in 0..self.handles.len() {
            let Some(body) = self.world.bodies.get(self.handles[n]) else {
                continue;
            };
            let asleep = body.is_sleeping() || !body.is_enabled();
            if self.fell[n] || (asleep && self.paths[n].is_none()) {
                continue;
            }
            if is_moment {
                let pose = pose_of(body);
                let path = self.paths[n].get_or_insert_with(|| BodyPath {
                    body: n,
                    first: moment - 1,
                    poses: vec![self.bodies[n].pose],
                });
                path.poses.push(pose);
            }
            let size = real(self.bodies[n].make.in_range().size);
            if body.translation().z < -size {
                self.fell[n] = true;
                self.least -= self.energy_of(body)[0];
                if let Some(body) = self.world.bodies.get_mut(self.handles[n]) {
                    body.set_enabled(false);
                }
                continue;
            }
            moving |= !asleep;
        }
        // A body whose numbers are none any more is held where it last was, and the throw is no result.
        let sound = self.world.quarantine().is_empty();
        let moving = moving || (sound && self.tip());
        self.settled = sound && !moving;
        sound && moving
    }

    fn is_asleep(&self, n: usize) -> bool {
        let body = self.world.bodies.get(self.handles[n]);
        body.is_none_or(|body| body.is_sleeping())
    }

    /// Returns the bodies that touch; `None` for the board.
    fn ends(&self, pair: &engine::ContactPair) -> [Option<usize>; 2] {
        [pair.collider1, pair.collider2].map(|end| {
            let id = self.world.colliders.get(end)?.user_data;
            (id != BOARD).then_some(id as usize)
        })
    }

    /// Slows all bodies down where they have more energy together than they had before.
    ///
    /// The engine notices a fall up to two steps late, and what has fallen too fast rises too fast. Until a body rises
    /// its fall is no gain; nor is a hair, by which bodies that rest are pressed into one another and come out again.
    fn take_what_was_gained(&mut self) {
        let bodies = self.handles.iter().filter_map(|n| self.world.bodies.get(*n));
        let (mut whole, mut moving, mut spare) = (0.0, 0.0, 0.0);
        for body in bodies.filter(|body| body.is_enabled()) {
            let [energy, of_motion] = self.energy_of(body);
            whole += energy;
            moving += of_motion;
            if !body.is_sleeping() {
                let late = 2.0 * f64::from(-body.linvel().z).max(0.0) / f64::from(self.a_second);
                spare += self.weight_of(body) * (f64::from(HAIR) / UNIT + late);
            }
        }
        let gained = whole - self.least - spare;
        if gained > 0.0 && moving > 0.0 {
            let part = (1.0 - gained / moving).max(0.0).sqrt() as Real;
            for handle in &self.handles {
                if let Some(body) = self.world.bodies.get_mut(*handle)
                    && !body.is_sleeping()
                {
                    body.set_linvel(body.linvel() * part, false);
                    body.set_angvel(body.angvel() * part, false);
                }
            }
        }
        self.least = self.least.min(whole);
    }

    /// The energy of a body, and how much of it is of its motion.
    fn energy_of(&self, body: &engine::RigidBody) -> [f64; 2] {
        let of_motion = f64::from(body.kinetic_energy());
        let high = f64::from(body.center_of_mass().z);
        [of_motion + self.weight_of(body) * high, of_motion]
    }

    fn weight_of(&self, body: &engine::RigidBody) -> f64 {
        f64::from(body.mass()) * f64::from(-self.world.gravity.z)
    }

    /// Tips over who came to rest on an edge or a corner with nobody to lean on, towards the face that is nearest:
    /// no table is still enough for that. Whether there was anybody.
    fn tip(&mut self) -> bool {
        let mut tipped = false;
        for n in 0..self.handles.len() {
            let Some(body) = self.world.bodies.get(self.handles[n]) else {
                continue;
            };
            let (solid, turn) = (self.bodies[n].solid, pose_of(body).turn);
            let stable = self.fell[n] || self.paths[n].is_none() || solid.shows(turn).is_some();
            if stable || self.tips == TIPS || self.leans_on_another(body) {
                continue;
            }
            let ([x, y, _], _) = solid.nearest_upright(turn);
            let aside = (x * x + y * y).sqrt().max(1e-6);
            let spin = [y, -x].map(|part| (part / aside) as Real * TIP);
            // About where it stands, and so its middle goes along.
            let high = body.translation().z;
            if let Some(body) = self.world.bodies.get_mut(self.handles[n]) {
                body.set_angvel(Vector::new(spin[0], spin[1], 0.0), true);
                body.set_linvel(Vector::new(spin[1] * high, -spin[0] * high, 0.0), true);
                tipped = true;
            }
        }
        if tipped {
            self.tips += 1;
            self.least = f64::INFINITY;
        }
        tipped
    }

    fn leans_on_another(&self, body: &engine::RigidBody) -> bool {
        let pairs = body
            .colliders()
            .iter()
            .flat_map(|own| self.world.narrow_phase.contact_pairs_with(*own));
        let mut others = pairs.filter(|pair| self.ends(pair).iter().all(Option::is_some));
        others.any(|pair| pair.has_any_active_contact())
    }

    /// Records the bodies that touch for the first time: the nearest first, since they have touched longest.
    fn note_touches(&mut self) {
        let mut fresh: Vec<(Real, BodyTouch)> = Vec::new();
        for pair in self.world.narrow_phase.contact_pairs() {
            let Some(one) = self.world.colliders.get(pair.collider1) else {
                continue;
            };
            let (body, other) = match self.ends(pair) {
                ends if ends.into_iter().flatten().all(|n| self.is_asleep(n)) => continue,
                [Some(a), Some(b)] if b == self.which => (b, Some(a)),
                [Some(a), Some(b)] if a == self.which || a < b => (a, Some(b)),
                [Some(a), Some(b)] => (b, Some(a)),
                [Some(a), None] | [None, Some(a)] if a == self.which => (a, None),
                _ => continue,
            };
            if self
                .touches
                .iter()
                .any(|touch| (touch.body, touch.other) == (body, other))
            {
                continue;
            }
            let engine::PairContacts::Rigid(contacts) = &pair.contacts else {
                continue;
            };
            let points = contacts.manifolds.iter().flat_map(|manifold| &manifold.points);
            let hits = points.filter(|point| point.data.impulse > 0.0);
            let Some(point) = hits.min_by(|a, b| a.dist.total_cmp(&b.dist)) else {
                continue;
            };
            let at = one.position().transform_point(point.local_p1);
            let touch = BodyTouch {
                body,
                other,
                ms: self.ms(),
                at: whole(at),
            };
            match fresh.iter_mut().find(|(_, t)| (t.body, t.other) == (body, other)) {
                Some(known) if known.0 <= point.dist => {}
                Some(known) => *known = (point.dist, touch),
                None => fresh.push((point.dist, touch)),
            }
        }
        fresh.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.touches.extend(fresh.into_iter().map(|(_, touch)| touch));
    }

    fn ms(&self) -> u32 {
        (u64::from(self.steps) * 1_000 / u64::from(self.a_second)) as u32
    }

    fn result(mut self) -> Thrown {
        let others = (0..self.bodies.len()).filter(|n| *n != self.which);
        let mut rests = Vec::new();
        let mut paths = Vec::new();
        for n in std::iter::once(self.which).chain(others) {
            let Some(mut path) = self.paths[n].take() else {
                continue;
            };
            let Some(body) = self.world.bodies.get(self.handles[n]) else {
                continue;
            };
            let (before, pose) = (self.bodies[n], pose_of(body));
            if n != self.which && !self.fell[n] && is_stirred_only(before.pose, pose) {
                continue;
            }
            if path.poses.last() != Some(&pose) {
                path.poses.push(pose);
            }
            while let [.., a, b] = path.poses[..]
                && a == b
            {
                path.poses.pop();
            }
            rests.push(RestingBody {
                body: n,
                pose,
                shows: before.solid.shows(pose.turn).filter(|_| !self.fell[n]),
                fell: self.fell[n],
            });
            paths.push(path);
        }
        Thrown {
            ms: self.ms(),
            settled: self.settled,
            touches: self.touches,
            rests,
            paths,
        }
    }
}

/// The board is in pieces, and a body that slides over a seam must not notice: the top is one.
///
/// The engine looks at each piece alone, and where a body reaches over a seam by less than it sinks in, it finds
/// that the shortest way out is sideways. Away from the edge there is one way out of the board: up.
struct SeamFilter(Vec<BoardEdge>);

/// A point on a side of the board, and the direction from there into it.
struct BoardEdge {
    at: [Real; 2],
    inward: [Real; 2],
}

fn sides(corners: &[[i32; 2]]) -> Vec<BoardEdge> {
    let next = corners.iter().cycle().skip(1);
    let edge = |(from, to): (&[i32; 2], &[i32; 2])| {
        let way = [0, 1].map(|n| f64::from(to[n]) - f64::from(from[n]));
        let length = (way[0] * way[0] + way[1] * way[1]).sqrt().max(1.0);
        BoardEdge {
            at: from.map(real),
            inward: [-way[1] / length, way[0] / length].map(|n| n as Real),
        }
    };
    corners.iter().zip(next).map(edge).collect()
}

impl SeamFilter {
    /// Whether a point is farther than a millimetre from every side.
    fn is_inside(&self, at: Vector) -> bool {
        let far =
            |edge: &BoardEdge| (at.x - edge.at[0]) * edge.inward[0] + (at.y - edge.at[1]) * edge.inward[1];
        self.0.iter().all(|edge| far(edge) > 0.1)
    }
}

impl engine::PhysicsHooks for SeamFilter {
    fn modify_solver_contacts(&self, context: &mut engine::ContactModificationContext) {
        let first = context
            .colliders
            .get(context.collider1)
            .is_some_and(|c| c.user_data == BOARD);
        let Some(touch) = context.rigid_mut() else { return };
        let inside = |contact: &engine::SolverContact| self.is_inside(contact.anchor1);
        if touch.normal.z.abs() > 0.999 || !touch.solver_contacts.iter().any(inside) {
            return;
        }
        *touch.normal = Vector::new(0.0, 0.0, if first { 1.0 } else { -1.0 });
        for contact in touch.solver_contacts.iter_mut() {
            let (board, body) = match first {
                true => (&mut contact.anchor1, contact.anchor2),
                false => (&mut contact.anchor2, contact.anchor1),
            };
            *board = Vector::new(body.x, body.y, 0.0);
            contact.dist = body.z;
        }
    }
}

/// Number of the board; those of the bodies are lower.
const BOARD: u128 = u128::MAX;

/// Puts all bodies to sleep where they lie. The engine wakes whatever touches something when it first looks at it; here
/// it looks at them once, for so short a time that nothing moves, and lets them sleep again.
fn put_to_sleep(world: &mut engine::PhysicsWorld, seams: &SeamFilter, handles: &[engine::RigidBodyHandle]) {
    let (gravity, step) = (world.gravity, world.integration_parameters.dt);
    let rest_before_sleep = |world: &mut engine::PhysicsWorld, seconds| {
        for handle in handles {
            if let Some(body) = world.bodies.get_mut(*handle) {
                body.activation_mut().time_until_sleep = seconds;
            }
        }
    };
    (world.gravity, world.integration_parameters.dt) = (Vector::ZERO, BLINK);
    rest_before_sleep(world, 0.0);
    world.step_with_events(seams, &());
    rest_before_sleep(world, REST);
    (world.gravity, world.integration_parameters.dt) = (gravity, step);
}

/// A time in which nothing moves, in seconds.
const BLINK: Real = 1e-6;

/// Time that a body must be still before it sleeps, in seconds.
const REST: Real = 0.15;

fn settings(numbers: &mut engine::IntegrationParameters, steps: i32) {
    numbers.dt = 1.0 / steps as Real;
    numbers.min_ccd_dt = numbers.dt / 100.0;
    // The usual 4 m/s would slow a hard throw down.
    numbers.normalized_max_linear_velocity = Real::MAX;
    // Bodies here are one part each: there is nothing to put together.
    numbers.contact_clustering = false;
    // Dice are small and gravity is strong in centimetres: softer contacts would let them sink in by 0.06 mm.
    for softness in [
        &mut numbers.contact_softness,
        &mut numbers.static_contact_softness,
    ] {
        softness.natural_frequency = 120.0;
        softness.damping_ratio = 3.0;
    }
}

fn is_stirred_only(before: Pose, after: Pose) -> bool {
    let near = |a: i32, b: i32| a.abs_diff(b) <= STIRRED as u32;
    let turned = |sign: i16| {
        let both = before.turn.parts().into_iter().zip(after.turn.parts());
        both.into_iter()
            .all(|(a, b)| a.abs_diff(b * sign) <= STIRRED_TURN as u16)
    };
    (0..3).all(|n| near(before.at[n], after.at[n])) && (turned(1) || turned(-1))
}

fn collider(body: &Body) -> engine::ColliderBuilder {
    let make = body.make.in_range();
    let solid = hull(body);
    let collider = engine::ColliderBuilder::new(solid.clone())
        .friction(real(make.friction))
        .restitution(real(make.restitution));
    let mass = real(make.mass);
    if make.load == 0 {
        return collider.mass(mass);
    }
    let mut weight = solid.mass_properties(1.0);
    weight.set_mass(mass, true);
    let heavy = body.solid.shape().faces[0].normal;
    let far = body.solid.rest(make.size) as Real / UNIT as Real * real(make.load);
    weight.local_com += Vector::from(heavy.map(|n| n as Real)) * far;
    collider.mass_properties(weight)
}

thread_local! {
    /// Hulls take longer to make than a die takes to fall: those that were used are kept.
    static HULLS: RefCell<Vec<((Solid, i32), SharedShape)>> = const { RefCell::new(Vec::new()) };
}

/// Maximum number of cached sizes of dice; more than a game has.
const HULLS_KEPT: usize = 32;

fn hull(body: &Body) -> SharedShape {
    let (solid, size) = (body.solid, body.make.in_range().size);
    HULLS.with_borrow_mut(|hulls| {
        if let Some((_, hull)) = hulls.iter().find(|(key, _)| *key == (solid, size)) {
            return hull.clone();
        }
        let scale = f64::from(size) / UNIT / if solid == Solid::D4 { 4.0 } else { 2.0 };
        let points: Vec<Vector> = solid
            .shape()
            .cut
            .iter()
            .map(|corner| corner.map(|n| (n * scale) as Real).into())
            .collect();
        let hull = SharedShape::convex_hull(&points).unwrap_or_else(|| SharedShape::ball(scale as Real));
        if hulls.len() == HULLS_KEPT {
            hulls.remove(0);
        }
        hulls.push(((solid, size), hull.clone()));
        hull
    })
}

/// The board in pieces whose faces have four corners at most: the engine rests bodies on no more of them.
fn slabs(arena: &Arena) -> Vec<SharedShape> {
    let corners = &arena.corners;
    if !arena.is_board() {
        return Vec::new();
    }
    let deep = -real(arena.thickness);
    let (mut first, mut last) = (0, corners.len().saturating_sub(1));
    let mut slabs = Vec::new();
    while first + 1 < last {
        let mut around = vec![corners[first], corners[first + 1], corners[last]];
        if first + 1 < last - 1 {
            around.push(corners[last - 1]);
        }
        let at = |[x, y]: [i32; 2], z: Real| Vector::new(real(x), real(y), z);
        let points: Vec<Vector> = around
            .iter()
            .flat_map(|corner| [at(*corner, 0.0), at(*corner, deep)])
            .collect();
        slabs.extend(SharedShape::convex_hull(&points));
        (first, last) = (first + 1, last - 1);
    }
    slabs
}

/// Thousandths as a real number: hundredths of a millimetre in centimetres, milligrams in grams.
fn real(thousandths: i32) -> Real {
    (f64::from(thousandths) / UNIT) as Real
}

fn real_pose(pose: Pose) -> engine::Pose {
    let [x, y, z] = pose.at.map(|n| real(n.clamp(-FARTHEST, FARTHEST)));
    let [w, i, j, k] = pose.turn.real().map(|n| n as Real);
    engine::Pose::from_parts(Vector::new(x, y, z), engine::Rotation::from_xyzw(i, j, k, w))
}

fn whole(at: Vector) -> [i32; 3] {
    at.to_array().map(|n| (f64::from(n) * UNIT).round() as i32)
}

fn pose_of(body: &engine::RigidBody) -> Pose {
    let [x, y, z, w] = body.rotation().to_array().map(f64::from);
    Pose {
        at: whole(body.translation()),
        turn: Turn::nearest([w, x, y, z]),
    }
}
