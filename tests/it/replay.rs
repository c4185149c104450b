//! The page that replays a game, in a real browser: headless Chromium loads it, keys are pressed and
//! the slider is moved in it, and what the page then shows is read back.
//!
//! Without Chromium (`chromium`, `chromium-browser`, `google-chrome`, or what `CHROMIUM` names) these
//! tests say that they were skipped.

use crate::support::{Copy, root, run_in};
use std::path::Path;
use std::process::Command;

/// What is done in the page: keys, the slider, clicks. Each call of `note` adds what is seen then.
const STEPS: &str = r##"
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const seen = [];
const note = (what) => seen.push({
  what,
  where: document.getElementById("where").textContent,
  slider: Number(document.getElementById("slider").value),
  now: [...document.querySelectorAll("li.now")].map((row) => row.textContent.trim()),
  tokens: [...document.querySelectorAll("svg")].map((svg) => svg.querySelectorAll(".token").length),
  places: [...document.querySelectorAll("svg")].map((svg) =>
    [...svg.querySelectorAll(".token")].map((t) => t.getAttribute("transform")).join(" ")),
  arrows: [...document.querySelectorAll("svg")].map((svg) => svg.querySelectorAll(".arrow").length),
  differs: document.getElementById("differs").textContent,
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
const slider = document.getElementById("slider");
slider.value = 5; slider.dispatchEvent(new Event("input")); note("slider");
document.getElementById("forward").click(); note("button");
[...document.querySelectorAll(".record li")].find((row) => row.textContent.includes("->")).click(); note("click");
document.getElementById("difference").click(); note("difference");
const out = document.createElement("pre");
out.id = "seen";
out.textContent = JSON.stringify(seen);
document.body.append(out);
"##;

pub fn chromium() -> Option<String> {
    let named = std::env::var("CHROMIUM").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    named.into_iter().chain(known).find(|name| {
        Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|out| out.status.success())
    })
}

/// Loads a page in the browser and returns it as it stands after its scripts have run.
pub fn loaded(browser: &str, page: &Path) -> String {
    let profile = tempfile::tempdir().expect("a folder");
    let out = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--virtual-time-budget=2000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// What the steps saw in a page; `None` without a browser.
fn watched(copy: &Copy, file: &str) -> Option<Vec<serde_json::Value>> {
    let Some(browser) = chromium() else {
        eprintln!("skipped: there is no Chromium here");
        return None;
    };
    let html = std::fs::read_to_string(copy.path(file)).expect("the page was written");
    let with_steps = html.replace("</body>", &format!("<script>{STEPS}</script></body>"));
    copy.write("watched.html", with_steps);
    let dom = loaded(&browser, &copy.path("watched.html"));
    let seen = dom
        .split_once("<pre id=\"seen\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .map(|(json, _)| {
            json.replace("&gt;", ">")
                .replace("&lt;", "<")
                .replace("&amp;", "&")
        });
    let seen = seen.unwrap_or_else(|| {
        panic!(
            "the page's script failed: {}",
            &dom[dom.len().saturating_sub(500)..]
        )
    });
    Some(serde_json::from_str(&seen).expect("what was seen is JSON"))
}

fn at<'a>(seen: &'a [serde_json::Value], what: &str) -> &'a serde_json::Value {
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
    assert_ne!(at(&seen, "start")["places"], at(&seen, "end")["places"]);
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
    assert_eq!(at(&seen, "start")["tokens"].as_array().map(Vec::len), Some(2));
    assert_eq!(at(&seen, "start")["differs"], "the same so far");
    let first = at(&seen, "difference");
    assert_eq!(first["differs"], "here they part");
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
    const MEASURE: &str = r##"<script>
const box = (what) => { const b = document.querySelector(what).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
parent.postMessage(JSON.stringify({
  wide: [innerWidth, document.documentElement.scrollWidth],
  board: box(".board svg"), record: box(".record"), button: box("#forward"),
  second: document.querySelectorAll(".board svg").length > 1 ? [...document.querySelectorAll(".board svg")][1].getBoundingClientRect().height : null,
}), "*");
</script></body>"##;
    const FRAME: &str = r##"<body style="margin:0"><iframe src="phone.html" style="width:390px;height:844px;border:0"></iframe>
<script>addEventListener("message", (e) => { document.body.dataset.seen = e.data; });</script></body>"##;
    let Some(browser) = chromium() else {
        eprintln!("skipped: there is no Chromium here");
        return;
    };
    let measured = |args: &[&str]| -> serde_json::Value {
        let copy = page(args);
        let html = std::fs::read_to_string(copy.path("page.html")).expect("the page was written");
        copy.write("phone.html", html.replace("</body>", MEASURE));
        copy.write("frame.html", FRAME);
        let dom = loaded(&browser, &copy.path("frame.html"));
        let seen = dom
            .split_once("data-seen=\"")
            .and_then(|(_, rest)| rest.split_once('"'));
        let (json, _) = seen.unwrap_or_else(|| panic!("nothing was measured: {dom}"));
        serde_json::from_str(&json.replace("&quot;", "\"")).expect("JSON")
    };
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    // Nothing stands out to the right; the browser of a desk takes a scroll bar off.
    let fits = |seen: &serde_json::Value| {
        assert_eq!(seen["wide"][0], 390, "{seen}");
        assert!(number(&seen["wide"][1]) <= 390.0, "{seen}");
    };
    let one = measured(&["charge-into-spears"]);
    fits(&one);
    // Left, top, right, bottom: the board is wide and whole, the record begins below it on the screen.
    let (board, record) = (&one["board"], &one["record"]);
    assert!(number(&board[2]) - number(&board[0]) > 340.0, "{one}");
    assert!(number(&board[3]) - number(&board[1]) > 400.0, "{one}");
    assert!(
        number(&board[3]) <= number(&record[1]) && number(&record[1]) < 760.0,
        "{one}"
    );
    assert!(
        number(&one["button"][3]) - number(&one["button"][1]) >= 40.0,
        "{one}"
    );
    let two = measured(&["charge-into-spears", "--beside", "mounted.charge=3"]);
    fits(&two);
    assert!(number(&two["second"]) > 200.0, "{two}");
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
        .match_indices("http")
        .map(|(at, _)| &one[at..at + 26])
        .collect();
    assert!(
        addresses.iter().all(|a| *a == "http://www.w3.org/2000/svg"),
        "{addresses:?}"
    );
    assert!(!one.contains("src=") && !one.contains("<link"));
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
        nowhere.contains("there is no folder /no/such/folder"),
        "{nowhere}"
    );
    refused(&["no-such-scenario"]);
}
