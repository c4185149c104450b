use rulebench::agents::Agent;
use rulebench::kernel::table::{Asked, Position, Reply, Source};
use rulebench::play::{Play, Progress};
use rulebench::script::host::{Host, Options};
use rulebench::script::workspace::Workspace;
use std::cell::Cell;
use std::rc::Rc;
struct Counted {
    agent: Box<dyn Source>,
    n: Rc<Cell<u64>>,
}
impl Source for Counted {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        self.n.set(self.n.get() + 1);
        self.agent.answer(asked)
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let ws = match a.get(3) {
        Some(d) => Workspace::find(std::path::Path::new(d)),
        None => Workspace::Embedded,
    };
    let host = match Host::load(&ws, &a[1], &Options::default()) {
        Ok(h) => h,
        Err(p) => panic!("{}", p.page(false)),
    };
    let mut start = Position::start(host.table.borrow().world.clone(), false, 1, 0);
    let mut play = Play::new(host, &start);
    let games: u64 = a[2].parse().unwrap();
    let n = Rc::new(Cell::new(0));
    let mut best = f64::MAX;
    for s in 0..10 {
        let t = std::time::Instant::now();
        let b = n.get();
        for seed in s * games / 10..(s + 1) * games / 10 {
            start.seed = seed;
            play.restart(&start);
            play.set_source(Box::new(Counted {
                agent: Agent::Random.source(seed).unwrap(),
                n: n.clone(),
            }));
            assert_eq!(play.run_on(), Progress::Over);
        }
        let e = t.elapsed().as_secs_f64() / (n.get() - b) as f64;
        best = best.min(e);
    }
    println!(
        "{} us a game, {} decisions, {} ns a decision (min)",
        best * 1e6 * n.get() as f64 / games as f64,
        n.get() as f64 / games as f64,
        best * 1e9
    );
}
