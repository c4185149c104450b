//! The engine against what is known of falling, bouncing, sliding and colliding bodies.

use super::engine::ThrowRun;
use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const MIDDLE: [i32; 2] = [25_000, 25_000];

/// The same numbers every time.
struct TestRng(u64);

impl TestRng {
    fn below(&mut self, end: i32) -> i32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % end as u64) as i32
    }

    fn shake(&mut self) -> Shake {
        Shake {
            turn: [0; 3].map(|_| self.below(1_000) as u16),
            ..Shake::default()
        }
    }
}

fn die(solid: Solid, at: [i32; 2], value: u8, degrees: i32) -> Body {
    let make = DieProperties::usual(solid);
    let pose = solid
        .lay(make.size, at, value, degrees)
        .expect("it has that value");
    Body { solid, pose, make }
}

fn drop_of(body: &Body, height: i32) -> Aim {
    Aim {
        at: [MIDDLE[0], MIDDLE[1], body.solid.rest(body.make.size)],
        strength: 0,
        height,
        side: 0,
        spin: 0,
    }
}

/// Lies as it is, and is let go there with this velocity.
fn push(which: usize, bodies: &[Body], height: i32, velocity: [i32; 3]) -> Throw {
    let mut from = bodies[which].pose;
    from.at[2] += height;
    Throw {
        which,
        from,
        velocity,
        spin: [0; 3],
    }
}

/// Thirteen dice all over the board, and one in a hand.
fn crowd(numbers: &mut TestRng) -> Vec<Body> {
    let solids = [
        Solid::D4,
        Solid::D4,
        Solid::D8,
        Solid::D8,
        Solid::D10,
        Solid::D10,
        Solid::D20,
    ];
    let mut bodies: Vec<Body> = Vec::new();
    while bodies.len() < 13 {
        let solid = solids[bodies.len() % solids.len()];
        let at = [0; 2].map(|_| 10_000 + numbers.below(30_000));
        let values: Vec<u8> = solid.values().collect();
        let value = values[numbers.below(values.len() as i32) as usize];
        bodies.push(die(solid, at, value, numbers.below(360)));
        if !misfits(&Arena::default(), &bodies, HAIR).is_empty() {
            bodies.pop();
        }
    }
    bodies.insert(0, die(solids[numbers.below(7) as usize], [25_000, -20_000], 1, 0));
    bodies
}

/// Returns the poses of all bodies after a throw that settled.
fn after(bodies: &[Body], thrown: &Thrown) -> Vec<Body> {
    let mut after: Vec<Option<Body>> = bodies.iter().copied().map(Some).collect();
    for rest in &thrown.rests {
        after[rest.body] = after[rest.body]
            .map(|body| Body {
                pose: rest.pose,
                ..body
            })
            .filter(|_| !rest.fell);
    }
    after.into_iter().flatten().collect()
}

/// A throw at a body or at the middle, from anywhere and up to hard.
fn some_aim(numbers: &mut TestRng, bodies: &[Body]) -> Aim {
    let at = match numbers.below(3) {
        0 => [MIDDLE[0], MIDDLE[1], 800],
        _ => {
            bodies[1 + numbers.below(bodies.len() as i32 - 1) as usize]
                .pose
                .at
        }
    };
    Aim {
        at,
        strength: numbers.below(300_000),
        height: 3_000 + numbers.below(25_000),
        side: numbers.below(360),
        spin: numbers.below(10_000) - 5_000,
    }
}

#[test]
fn a_die_falls_as_long_as_it_should() {
    let arena = Arena::default();
    for solid in Solid::ALL {
        let body = die(solid, MIDDLE, 1, 0);
        for fall in [2_000, 10_000, 30_000] {
            let out = throw(&arena, &[body], &push(0, &[body], fall, [0; 3]));
            let known = (2.0 * f64::from(fall) / 981_000.0).sqrt() * 1_000.0;
            let [touch, ..] = out.touches[..] else {
                panic!("{solid} touches nothing")
            };
            let far = f64::from(touch.ms) - known;
            // A step is 4.2 ms, and the impulse comes in the one after they meet.
            assert!(
                (-1.0..=9.4).contains(&far),
                "{solid} from {fall}: {} ms, not {known:.1}",
                touch.ms
            );
        }
    }
}

#[test]
fn a_bounce_is_as_high_as_the_restitution_says() {
    for restitution in [300, 500, 800] {
        let arena = Arena {
            restitution,
            ..Arena::default()
        };
        let mut body = die(Solid::D6, MIDDLE, 1, 0);
        body.make.restitution = restitution;
        let out = throw(&arena, &[body], &push(0, &[body], 20_000, [0; 3]));
        let heights: Vec<i32> = out.paths[0].poses.iter().map(|pose| pose.at[2] - 800).collect();
        let down = heights.iter().position(|z| *z < 300).expect("it comes down");
        let up = heights[down + 1..]
            .windows(2)
            .find(|z| z[1] < z[0])
            .expect("and up again")[0];
        let known = 20_000.0 * (f64::from(restitution) / 1_000.0).powi(2);
        let off = f64::from(up) / known - 1.0;
        assert!(off.abs() < 0.12, "{restitution}: {up}, not {known}");
    }
}

#[test]
fn a_die_slides_as_far_as_the_friction_lets_it() {
    for (friction, speed) in [(200, 60_000), (300, 100_000), (500, 80_000)] {
        let arena = Arena {
            friction,
            ..Arena::default()
        };
        let mut body = die(Solid::D6, [10_000, 25_000], 2, 0);
        body.make.friction = friction;
        let out = throw(&arena, &[body], &push(0, &[body], 0, [speed, 0, 0]));
        let far = f64::from(out.rests[0].pose.at[0] - 10_000);
        let known = f64::from(speed).powi(2) / (2.0 * f64::from(friction) / 1_000.0 * 981_000.0);
        assert!(
            (far / known - 1.0).abs() < 0.04,
            "{friction}, {speed}: {far}, not {known:.0}"
        );
        assert_eq!(out.rests[0].shows, Some(2), "it does not tip");
    }
}

#[test]
fn a_die_that_hits_its_like_head_on_gives_it_its_speed() {
    let arena = Arena {
        friction: 0,
        restitution: 1_000,
        limit: 500,
        ..Arena::default()
    };
    let mut bodies = [
        die(Solid::D6, [20_000, 25_000], 1, 0),
        die(Solid::D6, [24_000, 25_000], 1, 0),
    ];
    for body in &mut bodies {
        body.make = DieProperties {
            friction: 0,
            restitution: 1_000,
            ..body.make
        };
    }
    let mut run = ThrowRun::new(&arena, &bodies, &push(0, &bodies, 0, [50_000, 0, 0])).expect("a throw");
    while run.step() {}
    let speeds = [0, 1].map(|n| run.world.bodies[run.handles[n]].linvel().x);
    assert!(
        speeds[0].abs() < 2.0 && (speeds[1] - 50.0).abs() < 2.0 && (speeds[0] + speeds[1] - 50.0).abs() < 0.5,
        "{speeds:?}"
    );
}

#[test]
fn nothing_gains_energy() {
    let arena = Arena::default();
    let mut numbers = TestRng(7);
    let mut most: f64 = 0.0;
    for _ in 0..20 {
        let bodies = crowd(&mut numbers);
        let aim = some_aim(&mut numbers, &bodies);
        let mut run =
            ThrowRun::new(&arena, &bodies, &thrown(&arena, aim, 0, numbers.shake())).expect("a throw");
        let energy = |run: &ThrowRun| {
            let one = |n: &rapier3d::prelude::RigidBodyHandle| {
                let body = &run.world.bodies[*n];
                let height = f64::from(body.translation().z);
                f64::from(body.kinetic_energy()) + f64::from(body.mass()) * 981.0 * height
            };
            // Those that fell off are taken out with what they have.
            run.handles
                .iter()
                .filter(|n| run.world.bodies[**n].is_enabled())
                .map(one)
                .sum::<f64>()
        };
        let start = energy(&run);
        let mut least = start;
        while run.step() {
            let now = energy(&run);
            most = most.max((now - least) / start);
            least = least.min(now);
        }
    }
    // A fast body is stopped where it hits, and loses the rest of that step's fall but not its speed.
    assert!(most < 0.03, "{most} of the energy came from nowhere");
}

#[test]
fn no_die_rises_higher_than_it_was_dropped_from() {
    let mut numbers = TestRng(5);
    let mut wrong = Vec::new();
    for restitution in [0, 350, 500, 700, 800, 900, 1_000] {
        for (friction, fall) in [0, 400, 2_000]
            .iter()
            .flat_map(|n| [(*n, 2_000), (*n, 4_000), (*n, 15_000)])
        {
            for solid in Solid::ALL {
                let arena = Arena {
                    restitution,
                    friction,
                    limit: 3_000,
                    ..Arena::default()
                };
                let mut body = die(solid, MIDDLE, 1, 0);
                (body.make.restitution, body.make.friction) = (restitution, friction);
                let thrown = super::thrown(&arena, drop_of(&body, fall), 0, numbers.shake());
                let out = throw(&arena, &[body], &thrown);
                let down = out.touches[0].ms * BodyPath::A_SECOND / 1_000;
                let after = out.paths[0].poses.iter().skip(down as usize + 1);
                let (from, most) = (thrown.from.at[2], after.map(|pose| pose.at[2]).max().unwrap_or(0));
                if most > from + HAIR {
                    wrong.push(format!("{solid} {restitution} {friction}: from {from} to {most}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Throws into a crowd: how many did not settle, fell through, or rest where nothing can. And how many dice
/// leant on others.
fn sound_throws(count: usize, seed: u64) -> (Vec<String>, usize) {
    let arena = Arena::default();
    let mut numbers = TestRng(seed);
    let (mut wrong, mut cocked) = (Vec::new(), 0);
    let mut bodies = crowd(&mut numbers);
    for n in 0..count {
        if n % 5 == 0 {
            bodies = crowd(&mut numbers);
        }
        let aim = some_aim(&mut numbers, &bodies);
        let thrown = super::thrown(&arena, aim, 0, numbers.shake());
        let out = throw(&arena, &bodies, &thrown);
        if !out.settled {
            wrong.push(format!("{n}: did not settle, {aim:?}"));
        }
        for rest in &out.rests {
            let [x, y, _] = rest.pose.at;
            if rest.fell && arena.holds([x, y]) {
                wrong.push(format!("{n}: fell through the board, {rest:?}"));
            }
            cocked += usize::from(!rest.fell && rest.shows.is_none());
        }
        let left = after(&bodies, &out);
        for misfit in misfits(&arena, &left, HAIR) {
            wrong.push(format!("{n}: {misfit:?} of {left:?}"));
        }
        let gone = out.rests.iter().filter(|rest| rest.fell).count();
        let thrown_fell = out.rests[0].fell;
        bodies = left;
        if thrown_fell || gone > 3 || bodies.len() < 8 {
            bodies = crowd(&mut numbers);
        }
    }
    (wrong, cocked)
}

#[test]
fn no_die_falls_through_the_board_or_rests_in_the_air() {
    let (wrong, _) = sound_throws(40, 11);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "a minute; docs/physics.md has its result"]
fn no_die_falls_through_the_board_or_rests_in_the_air_in_10000_throws() {
    let (wrong, cocked) = sound_throws(10_000, 1);
    tell(format!(
        "10000 throws: {} wrong, {cocked} dice at rest that lean on others",
        wrong.len()
    ));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the depth by which dice are pressed into the board in a throw, in hundredths of a millimetre: the largest
/// drop of a middle below its height when lying flat. Dice that fall off do not count.
fn pressed(bodies: &[Body], thrown: &Thrown) -> i32 {
    let stays = |path: &&BodyPath| {
        !thrown
            .rests
            .iter()
            .any(|rest| rest.body == path.body && rest.fell)
    };
    let deepest = thrown.paths.iter().filter(stays).flat_map(|path| {
        let body = &bodies[path.body];
        let flat = body.solid.rest(body.make.size);
        path.poses.iter().map(move |pose| flat - pose.at[2])
    });
    deepest.max().unwrap_or(0).max(0)
}

#[test]
#[ignore = "half a minute; docs/physics.md has its result"]
fn how_far_dice_are_pressed_into_the_board() {
    let arena = Arena::default();
    let mut numbers = TestRng(7);
    let middle = |mut deep: Vec<i32>| {
        deep.sort_unstable();
        (deep[deep.len() / 2], deep[deep.len() - 1])
    };
    for height in [15_000, 30_000, 60_000] {
        let mut through = 0;
        let deep = (0..40).map(|nth| {
            let bodies = [
                die(Solid::D20, [25_000, -20_000], 1, 0),
                die(Solid::D4, MIDDLE, 1, nth * 9),
            ];
            let aim = Aim {
                at: bodies[1].pose.at,
                ..drop_of(&bodies[1], height)
            };
            let out = throw(&arena, &bodies, &thrown(&arena, aim, 0, numbers.shake()));
            through += usize::from(out.rests.iter().any(|rest| rest.body == 1 && rest.fell));
            pressed(&bodies, &out)
        });
        let (usual, most) = middle(deep.collect());
        tell(format!(
            "a D20 on a D4 from {height}: {usual} usually, {most} at most, {through} of 40 off the board"
        ));
        assert!(most < 2_000, "through the board");
    }
    let crowds = (0..400).map(|_| {
        let bodies = crowd(&mut numbers);
        let aim = some_aim(&mut numbers, &bodies);
        let out = throw(&arena, &bodies, &thrown(&arena, aim, 0, numbers.shake()));
        pressed(&bodies, &out)
    });
    let deep: Vec<i32> = crowds.collect();
    let by_more = |than: i32| deep.iter().filter(|deep| **deep > than).count();
    tell(format!(
        "400 throws into a crowd: {} press a die in by more than 1 mm, {} by more than 4 mm",
        by_more(100),
        by_more(400)
    ));
}

/// Prints a result of a long test.
fn tell(found: String) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{found}");
}

/// Returns the number of times each value comes up in `count` drops of a die, and the chi-squared deviation from equal
/// frequencies.
fn drops(solid: Solid, load: i32, count: usize) -> (BTreeMap<u8, usize>, f64) {
    let arena = Arena::default();
    let mut numbers = TestRng(5);
    let mut body = die(solid, MIDDLE, 1, 0);
    body.make.load = load;
    let mut counts: BTreeMap<u8, usize> = solid.values().map(|value| (value, 0)).collect();
    let (mut shown, mut fell) = (0, 0);
    for _ in 0..count {
        let aim = Aim {
            strength: 20_000 + numbers.below(60_000),
            spin: numbers.below(8_000) - 4_000,
            side: numbers.below(360),
            ..drop_of(&body, 15_000)
        };
        let out = throw(&arena, &[body], &thrown(&arena, aim, 0, numbers.shake()));
        fell += usize::from(out.rests[0].fell);
        if let Some(value) = out.rests[0].shows {
            *counts.get_mut(&value).expect("a value that it has") += 1;
            shown += 1;
        }
    }
    tell(format!("{solid} load {load}: {fell} of {count} fell off"));
    assert_eq!(
        shown + fell,
        count,
        "{solid}: a die alone on the board shows a value or has fallen off it"
    );
    let each = shown as f64 / counts.len() as f64;
    let off = counts.values().map(|n| (*n as f64 - each).powi(2) / each).sum();
    (counts, off)
}

/// Chi-square that honest dice exceed once in a thousand times, by the number of faces.
fn bound(solid: Solid) -> f64 {
    match solid {
        Solid::D4 => 16.27,
        Solid::D6 => 20.52,
        Solid::D8 => 24.32,
        Solid::D10 => 27.88,
        Solid::D12 => 31.26,
        Solid::D20 => 43.82,
    }
}

#[test]
fn dice_are_fair_and_a_loaded_one_is_noticed() {
    for solid in [Solid::D6, Solid::D12, Solid::D20] {
        let (counts, off) = drops(solid, 0, 300);
        assert!(off < bound(solid), "{solid} {off:.1}: {counts:?}");
    }
    let (counts, off) = drops(Solid::D6, 300, 300);
    assert!(off > bound(Solid::D6), "{off:.1}: {counts:?}");
    assert!(
        counts[&6] > counts[&1],
        "its weight is at the face opposite 6: {counts:?}"
    );
}

#[test]
#[ignore = "minutes; docs/physics.md has its result"]
fn dice_are_fair_over_20000_drops() {
    let mut unfair = Vec::new();
    for solid in Solid::ALL {
        for load in [0, 100] {
            let (counts, off) = drops(solid, load, 20_000);
            tell(format!(
                "{solid} load {load}: chi-square {off:.1}, bound {}; {counts:?}",
                bound(solid)
            ));
            if (off < bound(solid)) != (load == 0) {
                unfair.push(format!("{solid} load {load}: {off:.1}"));
            }
        }
    }
    assert!(unfair.is_empty(), "{}", unfair.join("\n"));
}

#[test]
fn the_same_throw_gives_the_same_bytes_in_every_build() {
    let arena = Arena::default();
    let mut numbers = TestRng(3);
    let mut mixed: u64 = 0xcbf2_9ce4_8422_2325;
    for _ in 0..6 {
        let bodies = crowd(&mut numbers);
        let thrown = super::thrown(&arena, some_aim(&mut numbers, &bodies), 0, numbers.shake());
        let out = throw(&arena, &bodies, &thrown);
        assert_eq!(out, throw(&arena, &bodies, &thrown));
        for byte in format!("{out:?}").bytes() {
            mixed = (mixed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    // Of all that came out, by FNV-1a.
    assert_eq!(format!("{mixed:016x}"), "ab4d599a56afbcda");
}

#[test]
fn only_what_was_pushed_moves_and_the_first_touch_is_told() {
    let arena = Arena::default();
    let bodies = [
        die(Solid::D20, [25_000, -20_000], 17, 0),
        die(Solid::D8, [30_000, 25_000], 5, 40),
        die(Solid::D4, [40_000, 40_000], 2, 10),
    ];
    let aim = Aim {
        at: bodies[1].pose.at,
        strength: 150_000,
        height: 6_000,
        side: 0,
        spin: 0,
    };
    let out = throw(&arena, &bodies, &thrown(&arena, aim, 0, Shake::default()));
    let thrown = out.rests[0].body;
    let mut by = out.touches.iter().filter(|touch| touch.body == thrown);
    assert_eq!(by.find_map(|touch| touch.other), Some(1), "{:?}", out.touches);
    let moved: Vec<usize> = out.rests.iter().map(|rest| rest.body).collect();
    assert_eq!(moved, [0, 1]);
    let ways: Vec<usize> = out.paths.iter().map(|path| path.body).collect();
    assert_eq!(moved, ways);
    for (rest, path) in out.rests.iter().zip(&out.paths) {
        assert_eq!(
            path.poses.last(),
            Some(&rest.pose),
            "a way ends where the body rests"
        );
    }
    assert!(out.touches.windows(2).all(|two| two[0].ms <= two[1].ms));
}

#[test]
fn nothing_moves_that_no_moving_die_touched() {
    let arena = Arena::default();
    let mut numbers = TestRng(11);
    let mut untouched = 0;
    for _ in 0..6 {
        let mut bodies = crowd(&mut numbers);
        // After some throws dice lean on others.
        for _ in 0..8 {
            let aim = some_aim(&mut numbers, &bodies);
            let out = throw(&arena, &bodies, &thrown(&arena, aim, 0, numbers.shake()));
            let mut reached = BTreeSet::from([0]);
            // What leaned on the thrown die where it lay may fall.
            reached.extend((1..bodies.len()).filter(|n| {
                misfits(&arena, &[bodies[0], bodies[*n]], -1).contains(&MisfitDie::Inside(0, 1))
            }));
            for _ in 0..bodies.len() {
                for touch in &out.touches {
                    if let Some(other) = touch.other
                        && (reached.contains(&touch.body) || reached.contains(&other))
                    {
                        reached.extend([touch.body, other]);
                    }
                }
            }
            untouched += out
                .rests
                .iter()
                .filter(|rest| !reached.contains(&rest.body))
                .count();
            bodies = after(&bodies, &out);
            bodies.rotate_left(1);
        }
    }
    assert_eq!(untouched, 0);
}

#[test]
fn a_die_comes_through_the_spot_that_it_is_aimed_at() {
    let arena = Arena::default();
    let body = die(Solid::D10, [25_000, -20_000], 0, 0);
    for angle in [0, 45, 250] {
        let aim = Aim {
            at: [27_000, 21_000, 800],
            strength: 120_000,
            height: 12_000,
            side: angle,
            spin: 2_000,
        };
        let out = throw(&arena, &[body], &thrown(&arena, aim, 0, Shake::default()));
        let at = out.touches[0].at;
        let off = [0, 1].map(|n| f64::from(at[n] - aim.at[n]));
        assert!(off[0].hypot(off[1]) < 1_500.0, "from {angle}: {off:?}");
    }
}

#[test]
fn what_stood_on_the_thrown_die_falls() {
    let arena = Arena::default();
    let below = die(Solid::D6, MIDDLE, 1, 0);
    let mut above = die(Solid::D6, MIDDLE, 4, 0);
    above.pose.at[2] = 2_400;
    let bodies = [below, above];
    assert_eq!(misfits(&arena, &bodies, HAIR), []);
    let away = Throw {
        which: 0,
        from: Pose {
            at: [35_000, 35_000, 800],
            ..below.pose
        },
        velocity: [0; 3],
        spin: [0; 3],
    };
    let out = throw(&arena, &bodies, &away);
    let rest = out.rests.iter().find(|rest| rest.body == 1).expect("it moved");
    assert!(
        (rest.pose.at[2] - 800).abs() < 20 && rest.shows == Some(4),
        "{rest:?}"
    );
}

#[test]
fn a_die_over_the_edge_falls_off_and_is_taken_out() {
    let arena = Arena::default();
    let body = die(Solid::D12, [45_000, 25_000], 9, 0);
    let out = throw(&arena, &[body], &push(0, &[body], 1_000, [200_000, 0, 0]));
    let rest = out.rests[0];
    assert!(rest.fell && rest.shows.is_none() && out.settled, "{out:?}");
    assert!(rest.pose.at[2] < -1_800 && rest.pose.at[2] > -4_000, "{rest:?}");
}

#[test]
fn a_throw_that_takes_too_long_is_stopped() {
    let arena = Arena {
        limit: 100,
        ..Arena::default()
    };
    let body = die(Solid::D6, MIDDLE, 1, 0);
    let out = throw(&arena, &[body], &push(0, &[body], 20_000, [0; 3]));
    assert!(
        !out.settled && out.ms == 100 && out.rests[0].pose.at[2] > 800,
        "{out:?}"
    );
}

#[test]
fn dice_that_cannot_lie_so_are_told() {
    let arena = Arena::default();
    let at = |x: i32, z: i32| {
        let mut body = die(Solid::D6, [x, 25_000], 1, 0);
        body.pose.at[2] = z;
        body
    };
    let bodies = [
        at(10_000, 800),
        at(11_000, 800),
        at(20_000, 400),
        at(30_000, 5_000),
        at(60_000, 800),
    ];
    let expected = [
        MisfitDie::Inside(0, 1),
        MisfitDie::InBoard(2),
        MisfitDie::InTheAir(3),
        MisfitDie::OffBoard(4),
    ];
    assert_eq!(misfits(&arena, &bodies, HAIR), expected);
    assert_eq!(
        misfits(&arena, &[at(10_000, 800), at(11_600, 800), at(20_000, 790)], HAIR),
        []
    );
}

/// Returns a die of `size` millimetres in a pose that occurred in games.
fn as_it_lay(solid: Solid, size: i32, at: [i32; 3], turn: [i16; 4]) -> Body {
    let turn = Turn::new(turn).expect("a turn that came of a throw");
    let body = die(solid, [at[0], at[1]], 1, 0);
    let make = DieProperties {
        size: size * 100,
        ..body.make
    };
    Body {
        pose: Pose { at, turn },
        make,
        ..body
    }
}

#[test]
fn a_die_that_is_jammed_between_others_does_not_hang_in_the_air() {
    let bodies = [
        as_it_lay(
            Solid::D10,
            16,
            [23_874, 20_389, 799],
            [27_548, 13_254, 1_166, 11_738],
        ),
        as_it_lay(
            Solid::D20,
            20,
            [23_822, 23_294, 999],
            [3_481, -24_766, 15_279, -14_654],
        ),
        as_it_lay(
            Solid::D4,
            17,
            [24_519, 21_723, 1_191],
            [4_612, 16_293, 22_809, 16_330],
        ),
        as_it_lay(
            Solid::D20,
            20,
            [26_110, 22_783, 999],
            [31_974, 728, -5_904, 3_997],
        ),
    ];
    assert_eq!(misfits(&Arena::default(), &bodies, HAIR), []);
    assert_eq!(
        misfits(&Arena::default(), &bodies[2..3], HAIR),
        [MisfitDie::InTheAir(0)]
    );
}

#[test]
fn dice_that_a_throw_pressed_into_one_another_may_lie_so() {
    let bodies = [
        as_it_lay(
            Solid::D4,
            17,
            [24_510, 19_242, 421],
            [8_245, 13_158, 7_265, 27_925],
        ),
        as_it_lay(
            Solid::D20,
            20,
            [25_578, 20_298, 999],
            [360, 32_161, 1_975, -5_940],
        ),
    ];
    assert_eq!(
        misfits(&Arena::default(), &bodies, HAIR),
        [MisfitDie::Inside(0, 1)]
    );
    assert_eq!(misfits(&Arena::default(), &bodies, PRESSED), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The wildest numbers: no panic, no hang, and nothing but numbers in what comes out.
    #[test]
    fn no_number_is_too_large(
        corners in prop::collection::vec(any::<[i32; 2]>(), 0..7), near in any::<bool>(),
        places: [[i32; 3]; 2], turns: [[u16; 3]; 2], numbers: [i32; 10], velocity: [i32; 3], spin: [i32; 3],
    ) {
        let [thickness, friction, restitution, gravity, steps, size, mass, load, ..] = numbers;
        let corner = |corner: [i32; 2]| corner.map(|n| if near { n.rem_euclid(50_000) } else { n });
        let corners = match corners.len() {
            0 => Arena::default().corners,
            _ => corners.into_iter().map(corner).collect(),
        };
        let arena = Arena { corners, thickness, friction, restitution, gravity, steps, limit: 300 };
        let make = DieProperties { size, mass, friction, restitution, load };
        let pose = |n: usize| Pose { at: places[n], turn: Turn::any(turns[n]) };
        let bodies = [
            Body { solid: Solid::D20, pose: pose(0), make },
            Body { solid: Solid::D4, pose: Pose { at: [25_000, 25_000, 500], ..pose(1) }, make },
        ];
        misfits(&arena, &bodies, HAIR);
        let out = throw(&arena, &bodies, &Throw { which: 0, from: pose(1), velocity, spin });
        for rest in &out.rests {
            prop_assert_eq!(Turn::new(rest.pose.turn.parts()), Some(rest.pose.turn));
        }
        let aim = Aim { at: places[0], strength: numbers[8], height: numbers[9], side: size, spin: mass };
        throw(&arena, &bodies, &super::thrown(&arena, aim, 1, Shake { at: [size, mass], strength: load, turn: turns[0] }));
    }
}

#[test]
fn a_die_slides_over_the_seams_of_the_board_without_a_jolt() {
    let arena = Arena {
        friction: 0,
        limit: 900,
        ..Arena::default()
    };
    // The board's pieces meet 146 mm from its lower side.
    let mut body = die(Solid::D6, [23_000, 11_000], 1, 17);
    body.make.friction = 0;
    let mut run = ThrowRun::new(
        &arena,
        std::slice::from_ref(&body),
        &push(0, &[body], 0, [0, 30_000, 0]),
    )
    .expect("a throw");
    let mut jolt: f32 = 0.0;
    while run.step() {
        let rigid = &run.world.bodies[run.handles[0]];
        jolt = jolt
            .max(rigid.linvel().z.abs())
            .max((rigid.linvel().y - 30.0).abs());
    }
    let at = run.world.bodies[run.handles[0]].translation();
    assert!(at.y > 35.0 && jolt < 0.5, "at {at}, jolted by {jolt} cm/s");
}

#[test]
fn numbers_out_of_range_are_put_right() {
    assert_eq!(Arena::default().in_range(), Arena::default());
    for solid in Solid::ALL {
        assert_eq!(
            DieProperties::usual(solid).in_range(),
            DieProperties::usual(solid)
        );
    }
    let light = DieProperties {
        mass: -3,
        ..DieProperties::usual(Solid::D6)
    };
    assert_eq!(light.in_range().mass, 50);
    let slow = Arena {
        steps: 1,
        ..Arena::default()
    };
    assert_eq!(slow.in_range().steps, 60);
}

#[test]
fn an_octagon_is_as_wide_as_it_is_told() {
    let corners = octagon(MIDDLE, 50_000);
    for axis in [0, 1] {
        let across = corners.iter().map(|corner| corner[axis]);
        assert_eq!((across.clone().min(), across.max()), (Some(0), Some(50_000)));
    }
    for n in 0..8 {
        let side = [0, 1].map(|axis| f64::from(corners[n][axis] - corners[(n + 1) % 8][axis]));
        assert!(
            (side[0].hypot(side[1]) - 20_710.7).abs() < 1.5,
            "all sides are as long: {corners:?}"
        );
    }
    let arena = Arena::default();
    assert!(arena.holds([25_000, 0]) && arena.holds([400, 25_000]) && !arena.holds([5_000, 5_000]));
    assert!(
        !Arena {
            corners: Vec::new(),
            ..arena
        }
        .holds(MIDDLE)
    );
}

#[test]
fn a_board_that_is_none_holds_nothing() {
    let [a, b, c, d, ..] = octagon(MIDDLE, 50_000);
    let boards: [(&[[i32; 2]], bool); 7] = [
        (&[a, b, c, d], true),
        (&[d, c, b, a], false),
        (&[a, b], false),
        (&[a, b, b, c], false),
        (&[[0, 0], [10_000, 0], [20_000, 0]], false),
        (&[[0, 0], [i32::MAX, 0], [0, i32::MAX]], false),
        // A star goes round twice.
        (
            &[
                [40_000, 25_000],
                [13_000, 34_000],
                [30_000, 11_000],
                [30_000, 39_000],
                [13_000, 16_000],
            ],
            false,
        ),
    ];
    for (corners, sound) in boards {
        let arena = Arena {
            corners: corners.to_vec(),
            limit: 1_000,
            ..Arena::default()
        };
        assert_eq!(arena.is_board(), sound, "{corners:?}");
        let body = die(Solid::D6, [46_000, 30_000], 1, 0);
        let out = throw(&arena, &[body], &push(0, &[body], 500, [0; 3]));
        assert_eq!(out.rests[0].fell, !sound, "{corners:?}: {out:?}");
    }
}

#[test]
fn the_smallest_and_the_largest_dice_lie_flat() {
    let arena = Arena::default();
    for solid in Solid::ALL {
        for size in [300, 10_000] {
            let mut body = die(solid, MIDDLE, 2, 0);
            body.make.size = size;
            body.pose.at[2] = solid.rest(size);
            let out = throw(&arena, &[body], &push(0, &[body], 300, [0; 3]));
            let rest = out.rests[0];
            assert!(out.settled && rest.shows.is_some(), "{solid} {size}: {rest:?}");
            assert!(
                (rest.pose.at[2] - solid.rest(size)).abs() < 20,
                "{solid} {size}: {rest:?}"
            );
        }
    }
}
