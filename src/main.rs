use rulebench::{
    agents::*,
    kernel::table::*,
    play::*,
    script::{host::*, workspace::*},
};
fn main() {
    let w = Workspace::find(std::path::Path::new("."));
    let host = match Host::load(&w, "smalltricks", &Options::default()) {
        Ok(h) => h,
        Err(p) => {
            eprintln!("{}", p.page(true));
            std::process::exit(2)
        }
    };
    let start = Position::start(host.table.borrow().world.clone(), false, 1, 0);
    let mut play = Play::new(host, &start);
    let n: u64 = std::env::args().nth(1).map_or(1, |a| a.parse().unwrap());
    let t = std::time::Instant::now();
    let mut answers = 0;
    let mut rounds = 0;
    for seed in 0..n {
        let mut start = start.clone();
        start.seed = seed;
        play.restart(&start);
        play.set_source(Agent::Random.source(seed).unwrap());
        let p = play.run_on();
        if let Progress::Failed(e) = &p {
            eprintln!("{}", e.page(true));
            return;
        }
        if n == 1 {
            println!("{}", play.lines_from(0).join("\n"));
            println!("{p:?}");
        }
        answers += play
            .table()
            .events
            .iter()
            .filter(|e| matches!(e, rulebench::kernel::event::Event::Chose(a) if !a.only))
            .count();
        rounds += play
            .table()
            .events
            .iter()
            .filter(|e| {
                e.line(&play.host.rules, &play.table().words)
                    .starts_with("== round")
            })
            .count();
    }

    let s = t.elapsed().as_secs_f64();
    eprintln!(
        "{:.0} playouts/s, {:.1} hooks, {:.1} decisions {:.2} rounds",
        n as f64 / s,
        play.table().hook_calls as f64 / n as f64,
        answers as f64 / n as f64,
        rounds as f64 / n as f64
    );
}
