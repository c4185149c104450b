//! The page that replays a game, which is the table's page without a session, in a real browser: keys are pressed
//! and the slider is moved in it, and what the page then shows is read back.

use crate::browser::Browser;
use crate::support::{Copy, root, run_in};
use serde_json::{Value, json};

/// Script of the actions in the page: keys, the slider, clicks. Each call of `note` adds what is seen then.
const STEPS: &str = r##"(() => {
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const seen = [];
const boards = () => [...document.querySelectorAll(".sheet:not([hidden]) img")].map((i) => decodeURIComponent(i.wanted));
const count = (svg, word) => svg.split(word).length - 1;
const note = (what) => seen.push({
  what,
  where: document.getElementById("given").textContent,
  slider: Number(document.getElementById("moment").value),
  now: [...document.querySelectorAll("li.now")].map((row) => row.textContent.trim()),
  boards: boards(),
  arrows: boards().map((svg) => count(svg, 'class="arrow')),
  told: document.getElementById("question").textContent,
  why: document.getElementById("options").textContent,
  differs: document.getElementById("edge").textContent,
});
note("start");
press("ArrowRight"); note("right");
press("ArrowLeft"); note("left");
press("End"); note("end");
press("ArrowRight"); note("past the end");
press("Home"); note("home");
press("ArrowLeft"); note("before the start");
press("ArrowDown"); note("step");
press("PageDown"); note("phase");
press("Home");
const slider = document.getElementById("moment");
slider.value = 5; slider.dispatchEvent(new Event("input")); note("slider");
document.getElementById("later").click(); note("button");
[...document.querySelectorAll("#record li")].find((row) => row.textContent.includes("->")).click(); note("click");
document.getElementById("difference").click(); note("difference");
return seen;
})()"##;

/// Runs the steps in a page and returns the notes they made; `None` without a browser.
fn watched(copy: &Copy, file: &str) -> Option<Vec<Value>> {
    let browser = Browser::start()?;
    browser.width(1280, 860);
    browser.open(&copy.path(file));
    let seen = browser.eval(STEPS);
    browser.no_complaints();
    Some(seen.as_array().cloned().expect("what was seen"))
}

fn at<'a>(seen: &'a [Value], what: &str) -> &'a Value {
    seen.iter().find(|s| s["what"] == what).expect("it was noted")
}

/// A page of a scenario of the repository, in a folder of its own.
fn page(args: &[&str]) -> Copy {
    let copy = Copy::of_nothing();
    let out = copy.path("page.html").display().to_string();
    let ran = run_in(root(), &[&["render", "--html", "--out", &out], args].concat());
    assert_eq!(ran.status, 0, "{}", ran.page());
    copy
}

#[test]
fn keys_buttons_the_slider_and_the_record_go_through_a_game() {
    let copy = page(&["charge-into-spears"]);
    let Some(seen) = watched(&copy, "page.html") else {
        return;
    };
    let last = at(&seen, "end")["slider"].as_u64().expect("a number");
    assert!(last > 8, "{last}");
    let expected = [
        ("start", 0),
        ("right", 1),
        ("left", 0),
        ("end", last),
        ("past the end", last),
        ("home", 0),
        ("before the start", 0),
        ("slider", 5),
        ("button", 6),
    ];
    for (what, place) in expected {
        assert_eq!(at(&seen, what)["slider"], place, "{what}");
        assert_eq!(at(&seen, what)["where"], format!("{place} of {last}"), "{what}");
    }
    // Units stand elsewhere at the end, and a click on a line of the record shows its moment.
    assert_ne!(at(&seen, "start")["boards"], at(&seen, "end")["boards"]);
    assert!(
        at(&seen, "end")["differs"]
            .as_str()
            .expect("a text")
            .contains("End: ")
    );
    let now = at(&seen, "click")["now"][0].as_str().expect("a line");
    assert!(now.contains("->"), "{now}");
    assert_eq!(at(&seen, "click")["arrows"][0], 1);
    assert_eq!(at(&seen, "start")["arrows"][0], 0);
    let step = at(&seen, "step")["slider"].as_u64().expect("a number");
    let phase = at(&seen, "phase")["slider"].as_u64().expect("a number");
    assert!(0 < step && step < phase && phase < last, "{step} {phase} {last}");
}

#[test]
fn two_rule_sets_stand_side_by_side_and_the_first_difference_is_marked() {
    let copy = page(&["charge-into-spears", "--beside", "mounted.charge=3"]);
    let Some(seen) = watched(&copy, "page.html") else {
        return;
    };
    assert_eq!(at(&seen, "start")["boards"].as_array().map(Vec::len), Some(2));
    assert_eq!(at(&seen, "start")["differs"], "the same so far");
    let first = at(&seen, "difference");
    assert_eq!(first["differs"], "first difference");
    let now: Vec<&str> = first["now"]
        .as_array()
        .expect("lines")
        .iter()
        .filter_map(|l| l.as_str())
        .collect();
    assert!(
        now.len() == 2 && now[0].contains("life 5->3") && now[1].contains("life 5->2"),
        "{now:?}"
    );
}

#[test]
fn a_phone_shows_the_board_with_the_buttons_and_the_record() {
    let Some(browser) = Browser::start() else { return };
    let measured = |args: &[&str], name: &str| -> Value {
        let copy = page(args);
        for (scheme, width, height) in [
            ("dark", 1280, 860),
            ("light", 1280, 860),
            ("dark", 390, 844),
            ("light", 390, 844),
        ] {
            browser.scheme(scheme);
            browser.width(width, height);
            browser.open(&copy.path("page.html"));
            browser.eval("document.getElementById('moment').value = 9; document.getElementById('moment').dispatchEvent(new Event('input'))");
            browser.wait("[...document.querySelectorAll('.sheet:not([hidden]) img')].every((i) => i.complete && i.naturalWidth && i.src === i.wanted)");
            browser.shot(&format!("replay-{name}-{scheme}-{width}"));
        }
        browser.eval("(() => { \
            const box = (e) => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }; \
            const boards = [...document.querySelectorAll('.sheet:not([hidden]) img')].map(box); \
            return { wide: [innerWidth, document.documentElement.scrollWidth], boards, \
                asked: box(document.getElementById('asked')), record: box(document.getElementById('record')), \
                button: box(document.getElementById('later')) }; })()")
    };
    let number = |value: &Value| value.as_f64().expect("a number");
    // Nothing stands out to the right.
    let fits = |seen: &Value| assert_eq!(seen["wide"], json!([390, 390]), "{seen}");
    let one = measured(&["charge-into-spears"], "one");
    fits(&one);
    // Left, top, right, bottom: the board is wide and whole, what happened begins below it on the screen.
    let (board, asked) = (&one["boards"][0], &one["asked"]);
    assert!(number(&board[2]) - number(&board[0]) > 340.0, "{one}");
    assert!(number(&board[3]) - number(&board[1]) > 400.0, "{one}");
    assert!(
        number(&board[3]) <= number(&asked[1]) && number(&asked[1]) < 800.0,
        "{one}"
    );
    assert!(number(&asked[3]) <= number(&one["record"][1]), "{one}");
    assert!(
        number(&one["button"][3]) - number(&one["button"][1]) >= 40.0,
        "{one}"
    );
    let two = measured(&["charge-into-spears", "--beside", "mounted.charge=3"], "two");
    fits(&two);
    let second = &two["boards"][1];
    assert!(number(&second[3]) - number(&second[1]) > 200.0, "{two}");
    browser.no_complaints();
    // Nothing was asked of anybody: the file, and what is in it.
    let fetched = browser.fetched.borrow();
    let outside = |url: &&String| !url.starts_with("file://") && !url.starts_with("data:");
    assert!(
        fetched.len() > 2 && fetched.iter().filter(outside).count() == 0,
        "{fetched:#?}"
    );
}

#[test]
fn a_replay_plays_by_itself_explains_and_says_what_was_expected() {
    let Some(browser) = Browser::start() else { return };
    let copy = page(&["charge-into-spears"]);
    browser.width(1280, 860);
    browser.open(&copy.path("page.html"));
    browser.key("?");
    browser.wait("document.getElementById('keys').open");
    browser.key("Escape");
    browser.wait("!document.getElementById('keys').open");
    browser.key(" ");
    browser.wait("Number(document.body.dataset.step) >= 2");
    browser.key(" ");
    let stands = browser.eval("[document.getElementById('play').textContent, document.body.dataset.step]");
    assert_eq!(stands[0], "play", "{stands}");
    // Why, with the script's lines.
    browser.eval(
        "[...document.querySelectorAll('#record li')].find((r) => r.textContent.includes('5->3')).click()",
    );
    browser.wait("document.getElementById('options').textContent.includes('spears.rhai')");
    assert!(
        browser
            .eval("document.getElementById('question').textContent")
            .as_str()
            .expect("a text")
            .contains("life 5->3")
    );
    // A unit's card, by the keyboard.
    browser.key("b");
    browser.key("i");
    browser.wait("/\\blife \\d/.test(document.getElementById('look').textContent)");
    browser.click("#tab-keep");
    let expected = browser.eval("document.getElementById('expected').textContent");
    let expected = expected.as_str().expect("a text");
    assert!(
        expected.contains("true") && !expected.contains("remove"),
        "{expected}"
    );
    // Nothing of a session is left on it.
    let left = browser.eval("[...document.querySelectorAll('.live')].filter((e) => e.offsetParent).length");
    assert_eq!(left, json!(0));
    browser.no_complaints();
}

#[test]
fn ranges_stand_around_a_unit_that_is_clicked() {
    let Some(browser) = Browser::start() else { return };
    let copy = page(&["a-fighter-may-stop-early"]);
    browser.width(1280, 860);
    browser.open(&copy.path("page.html"));
    browser.key("End");
    browser.click("#over .unit");
    browser.wait("document.querySelectorAll('#over .ring').length === 1");
    browser.shot("replay-rings");
    browser.no_complaints();
}

/// Texts that would do something if a page took them for more than texts.
const HOSTILE: &str = "</script><script>window.got=1</script><img src=x onerror=alert(1)>";

#[test]
fn no_text_of_a_scenario_does_anything_in_a_replay() {
    let Some(browser) = Browser::start() else { return };
    let copy = Copy::of_all();
    copy.write(
        "scenarios/smalltricks/odd.toml",
        format!("game = \"smalltricks\"\ntitle = '{HOSTILE}'\nabout = '{HOSTILE}'\nunits.red = [\"archers a1\"]\nunits.blue = [\"archers a6\"]\nopen = \"first\"\nuntil = \"round 2\"\nexpect = ['happened(\"{}\") == false']\n", HOSTILE.replace('\'', "")),
    );
    let ran = run_in(&copy.path(""), &["render", "odd", "--html", "--out", "page.html"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    browser.open(&copy.path("page.html"));
    let texts = browser.eval("[document.title, document.getElementById('title').textContent, document.getElementById('about').textContent].join('|')");
    assert_eq!(
        texts.as_str().expect("texts").matches(HOSTILE).count(),
        3,
        "{texts}"
    );
    browser.key("End");
    let got = browser.eval("[window.got ?? 0, document.querySelectorAll('img').length, document.querySelectorAll('script').length]");
    assert_eq!(got, json!([0, 2, 3]));
    // What somebody puts in all the same is refused by the browser.
    browser.eval("(() => { const s = document.createElement('script'); try { s.textContent = 'window.got=2'; document.body.append(s); } catch { } })()");
    let markup = browser.eval("(() => { try { document.body.innerHTML = '<b>x</b>'; return 'taken'; } catch { return 'refused'; } })()");
    assert_eq!(browser.eval("window.got ?? 0"), json!(0));
    assert_eq!(markup, "refused");
}

#[test]
fn the_same_rules_twice_show_no_difference() {
    let copy = page(&["charge-into-spears", "--beside", "mounted.charge=2"]);
    let html = std::fs::read_to_string(copy.path("page.html")).expect("the page was written");
    assert!(html.contains("\"first\":null"));
    assert!(!html.contains("\"own\":true"));
}

#[test]
fn a_page_needs_nothing_else_and_is_the_same_every_time() {
    let html = |copy: Copy| std::fs::read_to_string(copy.path("page.html")).expect("the page was written");
    let (one, two) = (
        html(page(&["charge-into-spears"])),
        html(page(&["charge-into-spears"])),
    );
    assert_eq!(one, two);
    // Nothing is fetched: no address but the name of the SVG vocabulary, no linked file.
    let addresses: Vec<&str> = one
        .match_indices("http:")
        .chain(one.match_indices("https:"))
        .map(|(at, _)| &one[at..at + 26])
        .collect();
    assert!(
        addresses.iter().all(|a| *a == "http://www.w3.org/2000/svg"),
        "{addresses:?}"
    );
    let links = one.matches("<link").count();
    assert!(!one.contains(" src=") && links == one.matches("<link rel=\"icon\" href=\"data:,\">").count());
}

#[test]
fn a_page_that_cannot_be_made_says_why() {
    let refused = |args: &[&str]| {
        let ran = run_in(root(), &[&["render", "--html"], args].concat());
        assert_eq!(ran.status, 2, "{}", ran.page());
        ran.err
    };
    let unknown = refused(&["charge-into-spears", "--beside", "mounted.chrage=3", "--out", "-"]);
    assert!(unknown.contains("mounted.charge"), "{unknown}");
    let nowhere = refused(&["charge-into-spears", "--out", "/no/such/folder/page.html"]);
    assert!(
        nowhere.contains("there is no folder `/no/such/folder`"),
        "{nowhere}"
    );
    refused(&["no-such-scenario"]);
}

/// Script that lists the dice drawn for the current throw, each with its place and its outline.
const DICE: &str = r##"[...document.querySelectorAll("#sheet .stage g [data-unit]")].map((die) => ({
  unit: die.dataset.unit,
  at: die.getAttribute("transform").match(/-?[\d.]+/g).map(Number),
  outline: die.querySelector("polygon").getAttribute("points"),
  shows: die.querySelector("text").textContent,
}))"##;

#[test]
fn a_throw_is_played_along_its_recorded_ways_at_any_speed_and_step_by_step() {
    let Some(browser) = Browser::start() else { return };
    let copy = page(&["a-real-attack"]);
    browser.width(1280, 860);
    browser.open(&copy.path("page.html"));
    assert_eq!(
        browser.eval("document.querySelector('#sheet .throwing').hidden"),
        json!(true)
    );
    browser.eval(
        "[...document.querySelectorAll('#rows li')].find((r) => r.textContent.includes(' threw ')).click()",
    );
    browser.wait("!document.querySelector('#sheet .throwing').hidden");
    let slider = "document.querySelector('#sheet .throwing input')";
    let length = browser
        .eval(&format!("Number({slider}.max)"))
        .as_f64()
        .expect("a time");
    assert!(length > 300.0, "{length}");
    let mut seen = Vec::new();
    for (name, part) in [("begins", 0.0), ("flies", 0.25), ("ends", 1.0)] {
        let at = (length * part).round();
        browser.eval(&format!(
            "{slider}.value = {at}; {slider}.dispatchEvent(new Event('input'))"
        ));
        browser.eval("new Promise((then) => setTimeout(then, 200))");
        browser.shot(&format!("throw-{name}"));
        seen.push(browser.eval(DICE));
    }
    let die = |moment: &Value, unit: &str| -> (f64, f64, String, String) {
        let dice = moment.as_array().expect("dice");
        let die = dice.iter().find(|die| die["unit"] == unit).expect("it is drawn");
        let number = |n: usize| die["at"][n].as_f64().expect("a number");
        let text = |key: &str| die[key].as_str().expect("a text").to_owned();
        (number(0), number(1), text("outline"), text("shows"))
    };
    // The thrown die goes to the right and turns; the other lies until it is hit.
    let own: Vec<_> = seen.iter().map(|moment| die(moment, "red.d8_1")).collect();
    // It falls off the board, and is drawn no more.
    let other: Vec<_> = seen[..2].iter().map(|moment| die(moment, "blue.d8_1")).collect();
    let dice = seen[2].as_array().expect("dice");
    assert!(dice.iter().all(|die| die["unit"] != "blue.d8_1"), "{dice:?}");
    assert!(own[0].0 + 50.0 < own[1].0 && own[1].0 < own[2].0, "{own:?}");
    assert!(own[0].2 != own[1].2 && own[1].2 != own[2].2, "{own:?}");
    assert!(other[0].0 <= other[1].0, "{other:?}");
    // It ends where the record says that it came to lie, and shows what it says; there the picture has it.
    let record = browser.eval("document.getElementById('rows').innerText");
    let rest = record
        .as_str()
        .expect("a text")
        .lines()
        .find(|line| line.contains("red.d8_1  15.000"));
    let (spot, told) = rest
        .and_then(|line| line.split_once("->")?.1.split_once(" shows "))
        .expect("a rest");
    assert!(told.starts_with(&format!("{}  (", own[2].3)), "{told}: {own:?}");
    let scale = 720.0 / 50.0;
    let (x, y) = spot.split_once(',').expect("a spot");
    let number = |text: &str| text.parse::<f64>().expect("a number");
    assert!(
        (own[2].0 - 50.0 - number(x) * scale).abs() < 1.0,
        "{spot}: {own:?}"
    );
    assert!(
        (own[2].1 - 26.0 - 720.0 + number(y) * scale).abs() < 1.0,
        "{spot}: {own:?}"
    );
    // The picture below has none of the dice that move.
    let below = browser.eval("decodeURIComponent(document.getElementById('picture').wanted)");
    assert!(
        below
            .as_str()
            .is_some_and(|svg| svg.contains("visibility: hidden"))
    );
    // Step by step, a sixtieth of a second each.
    let now = format!("Number({slider}.value)");
    browser.eval(&format!(
        "{slider}.value = 0; {slider}.dispatchEvent(new Event('input'))"
    ));
    let press = |nth: usize| {
        browser.eval(&format!(
            "document.querySelectorAll('#sheet .throwing button')[{nth}].click()"
        ))
    };
    press(5);
    press(5);
    assert_eq!(browser.eval(&now), json!(33));
    press(4);
    assert_eq!(browser.eval(&now), json!(17));
    // At half its speed where nothing else is said, as fast as it was, and four times slower.
    let takes = |nth: usize| {
        browser
            .eval(&format!(
                "(async () => {{ {slider}.value = 0; {slider}.dispatchEvent(new Event('input')); \
                 const began = performance.now(); document.querySelectorAll('#sheet .throwing button')[{nth}].click(); \
                 while ({now} < {length}) await new Promise((then) => setTimeout(then, 10)); \
                 return performance.now() - began; }})()"
            ))
            .as_f64()
            .expect("a time")
    };
    let (usual, fast, slow) = (takes(0), takes(1), takes(2));
    assert!(usual > 1.8 * length, "{usual} of {length}");
    assert!((0.9 * length..2.5 * length).contains(&fast), "{fast} of {length}");
    assert!(slow > 3.6 * length, "{slow} of {length}");
    // The game as a whole plays it too.
    browser.key("Home");
    browser.eval("document.getElementById('play').click()");
    browser.wait("document.querySelector('#sheet .stage g [data-unit]')");
    browser.wait(&format!("{now} > 0 && {now} < {length}"));
    browser.no_complaints();
}

/// Returns the parts drawn over the boards of a page at a line of its transcript, without the parts of the board
/// itself.
fn over(page: &Copy, line: &str) -> Vec<String> {
    let html = std::fs::read_to_string(page.path("page.html")).expect("the page was written");
    let data = html
        .split_once("id=\"data\">")
        .and_then(|(_, rest)| rest.split_once("</script>"));
    let data: Value = serde_json::from_str(data.expect("it has data").0).expect("it is JSON");
    let lines = data["reels"][0]["lines"].as_array().expect("lines");
    let row = lines
        .iter()
        .find(|row| row["text"].as_str().is_some_and(|text| text.trim() == line));
    let row = row.unwrap_or_else(|| panic!("{line} is not on record"));
    let part = |at: &Value| {
        let at = at.as_u64().expect("a number") as usize;
        data["parts"][at].as_str().expect("a part").to_owned()
    };
    let parts = row["board"].as_array().expect("parts").iter().map(part);
    parts
        .filter(|part| part.starts_with("<g class=\"over\""))
        .collect()
}

#[test]
fn a_choice_on_a_table_top_shows_where_one_could_come_to_and_whom_one_saw_as_stills_do() {
    let head = "game = \"very-quick-violence\"\ntitle = \"Choices\"\nterrain.obstacle = \"box(95,150,150,160)\"\n\
                units.red = [\"small 100,100\", \"small 800,100\"]\nunits.blue = [\"medium 100,200\", \"medium 50,200\"]\n\
                rolls.\"turn order\" = [6, 1]\nopen = \"stop\"\n";
    let spots = Copy::of_rules();
    let render = |copy: &Copy, answers: &str, args: &[&str]| {
        copy.write("one.toml", format!("{head}answers = {answers}\n"));
        let ran = copy.run(&[&["render", "one.toml", "--out"], args].concat());
        assert_eq!(ran.status, 0, "{}", ran.page());
    };
    render(
        &spots,
        "[\"red.small1\", \"action: move\", \"move: 94,90\"]",
        &["page.html"],
    );
    let shown = over(&spots, "red chose move: 94.000,90.000");
    render(
        &spots,
        "[\"red.small1\", \"action: move\"]",
        &["still.svg", "--reach", "red.small1"],
    );
    let still = std::fs::read_to_string(spots.path("still.svg"))
        .expect("a picture")
        .replace('\n', "");
    assert!(!shown.is_empty());
    assert!(
        shown.iter().any(|part| part.contains("fill-rule=\"evenodd\"")),
        "{shown:?}"
    );
    for part in &shown {
        assert!(still.contains(part.as_str()), "{part}");
    }
    // A target: the line of sight to each that was offered.
    let answers =
        "[\"red.small1\", \"action: move\", \"move: 94,90\", \"action: attack\", \"target: blue.medium2\"]";
    render(&spots, answers, &["page.html"]);
    let shown = over(&spots, "red chose target: blue.medium2");
    assert_eq!(shown.len(), 2, "{shown:?}");
    render(
        &spots,
        "[\"red.small1\", \"action: move\", \"move: 94,90\", \"action: attack\"]",
        &["still.svg", "--measure", "red.small1", "blue.medium2"],
    );
    let still = std::fs::read_to_string(spots.path("still.svg"))
        .expect("a picture")
        .replace('\n', "");
    assert!(
        shown.iter().any(|part| still.contains(part.as_str())),
        "{shown:?}"
    );
    // Where nothing was chosen there is none of it.
    assert!(over(&spots, "red chose action: attack").is_empty());
}
