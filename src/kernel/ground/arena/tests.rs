use super::*;

#[test]
fn one_die_drops_and_shows_a_face() {
    let arena = Arena::default();
    let body = Body {
        solid: Solid::D6,
        pose: Solid::D6.lay(1600, [25_000, 25_000], 3, 0).unwrap(),
        make: Make::usual(Solid::D6),
    };
    let aim = Aim {
        at: [25_000, 25_000, 800],
        strength: 0,
        height: 20_000,
        side: 0,
        spin: 0,
    };
    let shake = Shake {
        turn: [123, 456, 789],
        ..Shake::default()
    };
    let out = throw(&arena, &[body], &aim.throw(&arena, 0, shake));
    eprintln!("{out:?}");
    assert!(out.settled && out.rests[0].shows.is_some());
}
