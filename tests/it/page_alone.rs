//! The abilities of a page in a file, in a real browser: links, what the browser keeps, saving the page, a thread that
//! can be ended, and browsers that lack something (see `page_anywhere` for what it shares with the served page).

use crate::browser::{Browser, HOSTILE, INJECTED, WORD, from_base64, hostile_workspace, on_board};
use crate::page_anywhere::{MOUNTED, Opened, READY, Where, events, given, go, say, share, text};
use crate::page_links::message;
use crate::page_scripts::{open_script, retype};
use crate::support::{Copy, root, run_in};
use serde_json::json;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Starts a browser, if there is one and a module.
fn browser() -> Option<Browser> {
    crate::wasm::module()?;
    let browser = Browser::start()?;
    browser.width(1280, 860);
    Some(browser)
}

/// Opens a shared game in a browser.
fn opened(browser: &Browser, folder: &Path, start: &str) -> Opened {
    Where::File.open(browser, folder, &[start])
}

fn mounted_is(symbol: &str) -> String {
    format!("document.getElementById('legend').textContent.includes('{symbol} = mounted')")
}

/// Returns the lines of the game without notes on files that have changed.
fn played(browser: &Browser) -> Vec<String> {
    let lines = events(browser);
    let lines = lines.lines().filter(|line| !line.contains("~~ reloaded"));
    lines.map(str::to_owned).collect()
}

/// Answers with the first option.
fn answer(browser: &Browser) {
    let before = given(browser);
    browser.wait("document.querySelector('#options button')");
    browser.then(|| browser.click("#options button"));
    assert_eq!(given(browser), before + 1);
}

/// Copies the link of the game, and returns the address.
fn link(browser: &Browser) -> String {
    browser.eval(
        "globalThis.copied = null; navigator.clipboard.writeText = async (text) => { copied = text; }; true",
    );
    browser.click("#copy-link");
    browser.wait("globalThis.copied");
    browser.eval("copied").as_str().expect("an address").to_owned()
}

#[test]
fn a_game_goes_to_another_browser_and_back_by_links() {
    let Some(here) = browser() else { return };
    let Some(there) = browser() else { return };
    let page = opened(
        &here,
        &root().join("examples/custodial"),
        "nobody-slides-over-another",
    );
    answer(&here);
    let address = link(&here);
    assert!(
        address.starts_with(&format!("{}#game=", page.address)),
        "{address}"
    );
    go(&there, &address);
    there.wait("!document.getElementById('linked').hidden");
    assert!(
        message(&there).contains("for the first time"),
        "{}",
        message(&there)
    );
    assert_eq!(events(&there), events(&here));
    // It goes on there, and is sent back.
    answer(&there);
    answer(&there);
    let later = link(&there);
    here.then(|| drop(here.eval(&format!("location.href = {}; true", json!(later)))));
    here.wait("document.getElementById('linked-text').textContent.includes('answers more')");
    assert_eq!(events(&here), events(&there));
    here.shot("link-came-back");
    // An answer that was seen is another one now: it is opened only when somebody wants it.
    there.key("u");
    there.key("u");
    there.wait("document.getElementById('redo').disabled === false");
    let options = there.eval("document.querySelectorAll('#options button').length");
    assert!(options.as_u64() > Some(1), "{options}");
    there.then(|| there.click("#options button:nth-of-type(2)"));
    there.wait("document.querySelector('#options button')");
    let changed = link(&there);
    let before = events(&here);
    here.eval(&format!("location.href = {}; true", json!(changed)));
    here.wait("document.getElementById('linked-act').checkVisibility()");
    assert!(message(&here).contains("was not opened"), "{}", message(&here));
    assert_eq!(events(&here), before);
    here.eval("globalThis.old = true");
    here.click("#linked-act");
    here.wait("globalThis.old === undefined");
    here.wait(READY);
    here.wait("!document.getElementById('linked').hidden");
    assert_eq!(events(&here), events(&there));
    here.no_complaints();
    there.no_complaints();
}

#[test]
fn a_link_that_cannot_be_opened_is_told_in_a_sentence() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, root(), "charge-into-spears");
    answer(&browser);
    let address = link(&browser);
    let other = Copy::of_all();
    other.replace(MOUNTED, "charge: 2", "charge: 3");
    let rules = opened(&browser, &other.path(""), "charge-into-spears");
    answer(&browser);
    let of_other_rules = link(&browser);
    let of_other_rules = of_other_rules.split_once("#game=").expect("a link").1;
    go(&browser, &page.address);
    let before = events(&browser);
    let cut = &address[..address.len() - 9];
    let links = [
        ("foreign", format!("{}#game=hello-world", page.address)),
        ("cut", cut.to_owned()),
        ("other rules", format!("{}#game={of_other_rules}", page.address)),
    ];
    for (name, address) in links {
        browser.eval("document.getElementById('linked-close').click()");
        browser.eval(&format!("location.href = {}; true", json!(address)));
        browser.wait("!document.getElementById('linked').hidden");
        let told = message(&browser);
        eprintln!("{name}: {told}");
        assert!(told.starts_with("The link was not opened: "), "{name}: {told}");
        assert_eq!(told.contains(MOUNTED), name == "other rules", "{told}");
        assert_eq!(events(&browser), before, "{name}");
        browser.shot(&format!("link-{}", name.replace(' ', "-")));
    }
    drop(rules);
    browser.no_complaints();
}

#[test]
fn changes_and_the_game_are_kept_until_they_are_reset() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, root(), "charge-into-spears");
    let first = events(&browser);
    open_script(&browser, MOUNTED);
    retype(&browser, "\"Mo\"", "\"Mz\"");
    browser.wait(&mounted_is("Mz"));
    answer(&browser);
    let (before, count) = (played(&browser), given(&browser));
    go(&browser, &page.address);
    assert_eq!(browser.eval(&mounted_is("Mz")), true);
    assert_eq!((played(&browser), given(&browser)), (before.clone(), count));
    open_script(&browser, MOUNTED);
    browser.click("#tab-keep");
    let status = text(&browser, "#shared-status");
    assert!(status.contains(MOUNTED), "{status}");
    browser.shot("kept");
    // Whoever is asked may keep everything.
    browser.click("#shared-reset");
    browser.wait("document.getElementById('reset').open");
    browser.shot("reset");
    browser.key("Escape");
    browser.wait("!document.getElementById('reset').open");
    assert_eq!(played(&browser), before);
    browser.click("#shared-reset");
    browser.click("#reset button[value=reset]");
    browser.wait(&mounted_is("Mo"));
    assert_eq!(events(&browser), first);
    // The editor shows the text as it came.
    browser.click("#tab-scripts");
    browser.wait("document.querySelector('#script-text > div').shadowRoot.textContent.includes('\"Mo\"')");
    go(&browser, &page.address);
    assert_eq!(browser.eval(&mounted_is("Mo")), true);
    assert_eq!(events(&browser), first);
    browser.no_complaints();
}

/// Presses a button that downloads a file, and returns the file.
fn downloaded(browser: &Browser, button: &str) -> Vec<u8> {
    browser.eval(
        "(() => { globalThis.blob = null; globalThis.makeURL ??= URL.createObjectURL; \
         URL.createObjectURL = (blob) => { globalThis.blob = blob; return makeURL.call(URL, blob); }; })()",
    );
    browser.click(button);
    browser.wait("globalThis.blob");
    let text = browser.eval(
        "new Promise((done) => { const r = new FileReader(); r.onload = () => done(r.result.split(',')[1]); \
         r.readAsDataURL(blob); })",
    );
    from_base64(text.as_str().expect("base64"))
}

/// Returns the texts of a .zip file by path.
fn unzipped(zip: &[u8]) -> Vec<(String, String)> {
    let number = |at: usize, size: usize| {
        zip[at..at + size]
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | usize::from(*byte))
    };
    let end = zip
        .windows(4)
        .rposition(|four| four == b"PK\x05\x06")
        .expect("the end of a .zip file");
    let mut entry = number(end + 16, 4);
    let mut texts = Vec::new();
    for _ in 0..number(end + 10, 2) {
        let name = &zip[entry + 46..entry + 46 + number(entry + 28, 2)];
        let local = number(entry + 42, 4);
        let data = local + 30 + number(local + 26, 2) + number(local + 28, 2);
        let data = &zip[data..data + number(entry + 20, 4)];
        let mut text = String::new();
        match number(entry + 10, 2) {
            0 => text.push_str(std::str::from_utf8(data).expect("text")),
            _ => drop(
                flate2::read::DeflateDecoder::new(data)
                    .read_to_string(&mut text)
                    .expect("text"),
            ),
        }
        texts.push((String::from_utf8(name.to_vec()).expect("text"), text));
        entry += 46 + number(entry + 28, 2) + number(entry + 30, 2) + number(entry + 32, 2);
    }
    texts
}

#[test]
fn a_saved_page_and_a_saved_zip_have_the_changes() {
    let Some(here) = browser() else { return };
    let page = opened(&here, root(), "charge-into-spears");
    open_script(&here, MOUNTED);
    retype(&here, "\"Mo\"", "\"Mz\"");
    here.wait(&mounted_is("Mz"));
    here.click("#tab-keep");
    page.folder.write("saved.html", downloaded(&here, "#shared-page"));
    let texts = unzipped(&downloaded(&here, "#shared-zip"));
    let mounted = texts
        .iter()
        .find(|(path, _)| path == MOUNTED)
        .expect("it is there");
    assert!(mounted.1.contains("\"Mz\""), "{}", mounted.1);
    // The files are a workspace that the program takes.
    let folder = Copy::of_nothing();
    for (path, text) in &texts {
        folder.write(path, text);
    }
    let ran = run_in(&folder.path(""), &["check"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    here.no_complaints();
    let Some(there) = browser() else { return };
    go(
        &there,
        &format!("file://{}", page.folder.path("saved.html").display()),
    );
    assert_eq!(there.eval(&mounted_is("Mz")), true);
    assert_eq!(played(&there), played(&here));
    there.click("#tab-keep");
    assert!(!text(&there, "#shared-status").contains(MOUNTED));
    // It can be changed and saved again.
    open_script(&there, MOUNTED);
    retype(&there, "\"Mz\"", "\"Mw\"");
    there.wait(&mounted_is("Mw"));
    there.click("#tab-keep");
    page.folder
        .write("again.html", downloaded(&there, "#shared-page"));
    there.no_complaints();
    let Some(third) = browser() else { return };
    go(
        &third,
        &format!("file://{}", page.folder.path("again.html").display()),
    );
    assert_eq!(third.eval(&mounted_is("Mw")), true);
    third.no_complaints();
}

/// Lets a script run in each page before its own.
fn before_each_page(browser: &Browser, script: &str) {
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": script }),
    );
}

#[test]
fn a_browser_that_keeps_nothing_plays_all_the_same_and_says_so() {
    let scripts = [
        (
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })",
            "keeps nothing",
        ),
        (
            "Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError'); }",
            "is full",
        ),
    ];
    for (script, why) in scripts {
        let Some(browser) = browser() else { return };
        before_each_page(&browser, script);
        let page = opened(&browser, root(), "charge-into-spears");
        answer(&browser);
        browser.wait(&format!(
            "document.getElementById('notice').textContent.includes('{why}')"
        ));
        browser.click("#tab-keep");
        browser.wait(&format!(
            "document.getElementById('shared-status').textContent.includes('{why}')"
        ));
        browser.shot(&format!("storage-{}", why.replace(' ', "-")));
        answer(&browser);
        drop(page);
        browser.no_complaints();
    }
}

#[test]
fn a_browser_that_lacks_something_is_told_in_a_sentence() {
    let scripts = [
        ("delete window.DecompressionStream", "too old to unpack"),
        ("delete window.WebAssembly", "WebAssembly is switched off"),
        (
            "WebAssembly.compile = async () => { throw new WebAssembly.CompileError('refused'); }",
            "WebAssembly is switched off",
        ),
        ("delete window.Worker", "Web Workers"),
    ];
    let folder = Copy::of_nothing();
    let file = folder.path("game.html");
    if crate::wasm::module().is_none() {
        return;
    }
    share(root(), &["charge-into-spears"], &file);
    for (script, why) in scripts {
        let Some(browser) = browser() else { return };
        before_each_page(&browser, script);
        browser.width(390, 844);
        browser.call(
            "Page.navigate",
            json!({ "url": format!("file://{}", file.display()) }),
        );
        browser.wait("document.getElementById('notice')?.checkVisibility()");
        let told = text(&browser, "#notice");
        assert!(
            told.starts_with("This page cannot run here: ") && told.contains(why),
            "{told}"
        );
        assert_eq!(
            browser.eval("document.documentElement.scrollWidth <= innerWidth"),
            true
        );
        browser.shot(&format!("lacks-{}", why.split(' ').next().unwrap_or_default()));
        browser.no_complaints();
    }
    // A file that was cut off on its way.
    let Some(browser) = browser() else { return };
    let whole = std::fs::read_to_string(&file).expect("a page");
    let at = whole.find("id=\"pack\">").expect("the files of the game");
    folder.write("cut.html", &whole[..at + 3000]);
    browser.call(
        "Page.navigate",
        json!({ "url": format!("file://{}", folder.path("cut.html").display()) }),
    );
    browser.wait("document.getElementById('notice')?.checkVisibility()");
    assert!(
        text(&browser, "#notice").contains("damaged or cut off"),
        "{}",
        text(&browser, "#notice")
    );
    browser.no_complaints();
}

#[test]
fn a_script_that_never_ends_is_a_problem_and_the_game_stays() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, root(), "charge-into-spears");
    say(&browser, ":back");
    let (before, count) = (played(&browser), given(&browser));
    open_script(&browser, MOUNTED);
    retype(&browser, "me.move + me", "loop {} me.move + me");
    browser.wait("document.getElementById('script-status').textContent === 'live on the board'");
    assert_eq!((played(&browser), given(&browser)), (before.clone(), count));
    // It runs with the answer, and is ended.
    browser.mouse("mouseMoved", (2.0, 2.0));
    browser.click("#options button");
    browser.wait(
        "document.getElementById('notice').checkVisibility() || document.querySelector('#options .error')",
    );
    browser.shot("endless");
    let told = text(&browser, "#options");
    assert!(told.contains(&format!("{MOUNTED}:16:5")), "{told}");
    assert_eq!(given(&browser), count + 1);
    assert!(played(&browser).starts_with(&before), "{}", events(&browser));
    retype(&browser, "loop {} me.move", "me.move");
    browser.wait("document.getElementById('script-status').textContent === 'live on the board'");
    answer(&browser);
    drop(page);
    browser.no_complaints();
}

#[test]
fn stop_ends_what_thinks_long_and_the_position_stays() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, root(), "charge-into-spears");
    answer(&browser);
    let (before, count) = (events(&browser), given(&browser));
    browser.eval(
        "document.getElementById('typed').value = ':auto mcts:100000'; \
         document.getElementById('say').requestSubmit(); true",
    );
    browser.wait("document.getElementById('stop').checkVisibility()");
    std::thread::sleep(Duration::from_millis(1500));
    // The page answers to everything else meanwhile.
    browser.click("#tab-rules");
    assert_eq!(browser.eval("document.getElementById('rules').hidden"), false);
    let began = Instant::now();
    browser.click("#stop");
    browser.wait("document.getElementById('stop').hidden");
    let ended = began.elapsed();
    assert_eq!((events(&browser), given(&browser)), (before, count));
    assert!(ended < Duration::from_secs(2), "{ended:?}");
    eprintln!("stopped within {} ms", ended.as_millis());
    browser.shot("stopped");
    answer(&browser);
    drop(page);
    browser.no_complaints();
}

#[test]
fn games_are_measured_beside_the_game_until_they_are_stopped() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, root(), "charge-into-spears");
    browser.click("#tab-measure");
    browser.eval("document.querySelector('#measure-form input[name=games]').value = 1000000; true");
    browser.click("#measure-form > button");
    browser.wait("/[0-9]+ of [0-9]+/.test(document.getElementById('measure-status').textContent)");
    browser.shot("measuring");
    // The game goes on beside it.
    answer(&browser);
    let count = given(&browser);
    let began = Instant::now();
    browser.click("#measure-status button");
    browser.wait("!document.querySelector('#measure-form > button').disabled");
    assert!(began.elapsed() < Duration::from_secs(2));
    assert_eq!(given(&browser), count);
    // What is measured whole is shown.
    browser.eval("document.querySelector('#measure-form input[name=games]').value = 50; true");
    browser.click("#measure-form > button");
    browser.wait("document.querySelector('#measure-results section')");
    answer(&browser);
    drop(page);
    browser.no_complaints();
}

#[test]
fn a_fault_of_the_program_loses_nothing() {
    let Some(browser) = browser() else { return };
    // The next message to the thread fails as it does when the module does.
    before_each_page(
        &browser,
        "{ const post = Worker.prototype.postMessage; Worker.prototype.postMessage = function (data, ...more) { \
         if (!globalThis.fails || !data.number) return post.call(this, data, ...more); \
         globalThis.fails = false; \
         setTimeout(() => this.onmessage({ data: { number: data.number, failed: 'RuntimeError: unreachable' } })); }; }",
    );
    let page = opened(&browser, root(), "charge-into-spears");
    answer(&browser);
    let before = events(&browser);
    browser.eval("globalThis.fails = true");
    browser.click("#options button");
    browser.wait(
        "document.getElementById('notice').textContent.includes('the game stands where it was before')",
    );
    assert_eq!(events(&browser), before);
    browser.shot("failed");
    answer(&browser);
    drop(page);
    browser.no_complaints();
}

#[test]
fn no_name_becomes_markup_or_script_in_a_file() {
    let Some(browser) = browser() else { return };
    let copy = hostile_workspace();
    let scripts = |browser: &Browser| browser.eval(INJECTED);
    // Nothing of a game but texts.
    let page = opened(&browser, root(), "charge-into-spears");
    let harmless = scripts(&browser);
    drop(page);
    let page = opened(&browser, &copy.path(""), "one");
    assert_eq!(text(&browser, "#title"), format!("{WORD}{HOSTILE}"));
    browser.mouse("mouseMoved", browser.middle(&on_board("red.scouts1")));
    browser.wait("document.getElementById('look').textContent.includes('Scouts')");
    browser.click("#tab-keep");
    browser.then(|| browser.click("#options button:nth-child(1)"));
    browser.then(|| browser.click("#options button:nth-child(2)"));
    browser.click("#tab-scripts");
    browser.wait("document.querySelectorAll('#script option').length > 1");
    assert_eq!(scripts(&browser), harmless);
    browser.click("#new");
    browser.wait("document.body.dataset.door === 'ready'");
    assert_eq!(
        browser.eval("document.querySelectorAll('#door img').length"),
        1,
        "a picture of the game"
    );
    browser.shot("hostile-file");
    browser.key("Escape");
    let _ = link(&browser);
    assert!(events(&browser).contains(HOSTILE));
    assert_eq!(harmless[0], json!(0));
    page.folder.write("saved.html", {
        browser.click("#tab-keep");
        downloaded(&browser, "#shared-page")
    });
    go(
        &browser,
        &format!("file://{}", page.folder.path("saved.html").display()),
    );
    assert_eq!(scripts(&browser), harmless);
    browser.no_complaints();
}

/// Milliseconds that a request to the session of the page takes.
fn takes(browser: &Browser, kind: &str, body: &serde_json::Value) -> f64 {
    let ms = browser.eval(&format!(
        "(async () => {{ const began = performance.now(); const answer = await session.ask('{kind}', {body}); \
         return answer.pieces ? performance.now() - began : null; }})()"
    ));
    ms.as_f64().expect("it is answered")
}

/// Numbers of one run on this machine are printed; what is checked leaves room for a machine that does much else.
#[test]
fn a_page_without_a_server_is_fast() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, root(), "smalltricks");
    browser.wait("document.body.dataset.door === 'ready'");
    browser.click("#start");
    browser.wait("document.getElementById('door').hidden && document.querySelector('#options button')");
    browser.then(|| say_to_session(&browser, ":plays blue me"));
    browser.then(|| say_to_session(&browser, "both"));
    browser.then(|| say_to_session(&browser, ":auto 60"));
    let mut clicks: Vec<f64> = Vec::new();
    while clicks.len() < 20 {
        let ms = browser.eval(
            "new Promise((done) => { const began = performance.now(); const before = document.body.dataset.number; \
             const image = document.getElementById('picture'); \
             const seen = () => { if (document.body.dataset.number !== before && image.src === image.wanted && image.complete) \
             done(performance.now() - began); else requestAnimationFrame(seen); }; \
             document.querySelector('#options button:not([disabled])').click(); requestAnimationFrame(seen); })",
        );
        clicks.push(ms.as_f64().expect("a time"));
    }
    clicks.sort_by(f64::total_cmp);
    let click = clicks[clicks.len() / 2];
    eprintln!(
        "from a click to the board: median {click:.0} ms, slowest {:.0} ms",
        clicks[clicks.len() - 1]
    );
    assert!(click < 500.0, "{clicks:?}");
    let games = |count: u32, variant: Option<&str>| json!({ "games": count, "seed": 1, "agents": {}, "variant": variant });
    let compared = takes(&browser, "measure", &games(1000, Some("aerial-take-off")));
    eprintln!("compare of 1000 games a side: {compared:.0} ms");
    assert!(compared < 60_000.0);
    let in_page = takes(&browser, "measure", &games(2000, None));
    let program = root().join("target/release/rulebench");
    if !program.is_file() {
        eprintln!("skipped: there is no optimised program to compare with");
        return;
    }
    let began = Instant::now();
    let sim = [
        "sim",
        "smalltricks",
        "--games",
        "2000",
        "--seed",
        "1",
        "--threads",
        "1",
    ];
    let ran = std::process::Command::new(program)
        .args(sim)
        .current_dir(root())
        .output()
        .expect("it starts");
    let native = began.elapsed().as_secs_f64() * 1000.0;
    assert!(ran.status.success());
    eprintln!(
        "2000 games: {in_page:.0} ms in the page, {native:.0} ms in the program: {:.0} % of its rate",
        100.0 * native / in_page
    );
    assert!(native / in_page > 0.2);
    drop(page);
    browser.no_complaints();
}

fn say_to_session(browser: &Browser, line: &str) {
    browser.eval(&format!("session.ask('line', {{ line: {} }})", json!(line)));
}
