//! Results as an SQLite database, for those who ask with SQL: the same facts as the lines of a results file, in
//! tables that a person would query. The one module that knows SQLite.

use crate::report::Problem;
use crate::studies::head::{self, ResultsHeader};
use crate::studies::problems;
use crate::studies::record::{FieldedUnits, GameEnd, GameRecord};
use rusqlite::{Connection, OpenFlags, params};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Maximum time before added games are sent to the disk.
const SOON: Duration = Duration::from_millis(500);
/// Owner of the database: `rlbn`, in the head of the file.
const OWNER: i64 = 0x726c_626e;

/// The tables. A table is a fact about a game; names are as users read them everywhere else.
const TABLES: &str = "
    CREATE TABLE study (head TEXT NOT NULL);
    CREATE TABLE factions (seat INTEGER PRIMARY KEY, faction TEXT NOT NULL);
    CREATE TABLE games (
        game INTEGER PRIMARY KEY, seed INTEGER NOT NULL, \"end\" TEXT NOT NULL, reason TEXT NOT NULL,
        first TEXT NOT NULL, winner TEXT, rounds INTEGER NOT NULL, steps INTEGER NOT NULL,
        decisions INTEGER NOT NULL, options INTEGER NOT NULL, digest TEXT NOT NULL
    );
    CREATE TABLE measures (
        game INTEGER NOT NULL, measure TEXT NOT NULL, faction TEXT NOT NULL, value INTEGER NOT NULL,
        PRIMARY KEY (game, measure, faction)
    ) WITHOUT ROWID;
    CREATE TABLE units (
        game INTEGER NOT NULL, faction TEXT NOT NULL, unit TEXT NOT NULL, fielded INTEGER NOT NULL,
        survived INTEGER NOT NULL, dealt INTEGER NOT NULL, taken INTEGER NOT NULL, removed INTEGER NOT NULL,
        PRIMARY KEY (game, faction, unit)
    ) WITHOUT ROWID;
    CREATE TABLE uses (
        game INTEGER NOT NULL, faction TEXT NOT NULL, unit TEXT NOT NULL, word TEXT NOT NULL,
        times INTEGER NOT NULL,
        PRIMARY KEY (game, faction, unit, word)
    ) WITHOUT ROWID;
";

/// A database of games.
pub struct Database {
    pub path: String,
    connection: Connection,
    factions: Vec<String>,
    sent: Instant,
    /// The number of the next game.
    pub next: u64,
    /// Games that cannot be read are passed over.
    skip: bool,
    /// Number of games that were passed over.
    pub skipped: u64,
    /// Number of games missing before the last game that was read.
    lost: u64,
}

impl Database {
    /// Begins a new database; with `resume` goes on with one, whose games are given to `known`. The factions are
    /// the game's, in its order.
    ///
    /// # Errors
    ///
    /// A file that is there already, or is of something else; what the system refuses.
    pub fn open(
        path: &Path,
        head: &ResultsHeader,
        factions: &[String],
        resume: bool,
        mut known: impl FnMut(GameRecord),
    ) -> Result<Self, Problem> {
        let name = path.display().to_string();
        let is_there = head::is_free(path, resume)?;
        let mut database = Self::connect(path, OpenFlags::default(), factions)?;
        // Nobody else writes from here on; a run that was killed has left what it had sent.
        database.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE")?;
        if !is_there || database.is_empty()? {
            let begun = format!("PRAGMA application_id = {OWNER}; {TABLES}");
            database.run(&begun)?;
            let line = serde_json::to_string(head).unwrap_or_default();
            let at = &database.connection;
            let mut written = at.execute("INSERT INTO study (head) VALUES (?1)", [line]);
            for (seat, faction) in (0i64..).zip(factions) {
                written =
                    written.and(at.execute("INSERT INTO factions VALUES (?1, ?2)", params![seat, faction]));
            }
            written.map_err(|e| refused(&name, &e))?;
            database.next = head.games().start;
            database.send()?;
            return Ok(database);
        }
        let there = database.head()?;
        if there != *head {
            return Err(head::other(&name, &there, head));
        }
        database.next = there.games().start;
        while let Some(record) = database.game(database.next)? {
            known(record);
            database.next += 1;
        }
        Ok(database)
    }

    /// Opens a database to read it.
    ///
    /// # Errors
    ///
    /// What is none of ours.
    pub fn read(path: &Path, skip: bool) -> Result<(ResultsHeader, Self), Problem> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut database = Self::connect(path, flags, &[])?;
        let head = database.head()?;
        let names = |at: &Connection| {
            let mut all = at.prepare("SELECT faction FROM factions ORDER BY seat")?;
            all.query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<String>>>()
        };
        database.factions = names(&database.connection).map_err(|e| refused(&database.path, &e))?;
        database.next = head.games().start;
        database.skip = skip;
        Ok((head, database))
    }

    fn connect(path: &Path, flags: OpenFlags, factions: &[String]) -> Result<Self, Problem> {
        let name = path.display().to_string();
        let connection = Connection::open_with_flags(path, flags).map_err(|e| refused(&name, &e))?;
        connection
            .busy_timeout(Duration::ZERO)
            .map_err(|e| refused(&name, &e))?;
        Ok(Self {
            path: name,
            connection,
            factions: factions.to_vec(),
            sent: Instant::now(),
            next: 0,
            skip: false,
            skipped: 0,
            lost: 0,
        })
    }

    fn run(&self, sql: &str) -> Result<(), Problem> {
        self.connection
            .execute_batch(sql)
            .map_err(|e| refused(&self.path, &e))
    }

    fn is_empty(&self) -> Result<bool, Problem> {
        let count = self
            .connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
                row.get::<_, i64>(0)
            });
        Ok(count.map_err(|e| refused(&self.path, &e))? == 0)
    }

    fn head(&self) -> Result<ResultsHeader, Problem> {
        let text = self
            .connection
            .query_row("SELECT head FROM study", [], |row| row.get::<_, String>(0));
        let text = match text {
            Err(e) if e.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
                return Err(refused(&self.path, &e));
            }
            other => other.ok(),
        };
        let head = text.and_then(|text| ResultsHeader::read(text.as_bytes()).ok());
        head.ok_or_else(|| problems::not_a_database(&self.path))
    }

    /// One more game.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Problem> {
        self.insert(record).map_err(|e| refused(&self.path, &e))?;
        self.next = record.game + 1;
        match self.sent.elapsed() >= SOON {
            true => self.send(),
            false => Ok(()),
        }
    }

    fn insert(&self, record: &GameRecord) -> rusqlite::Result<()> {
        let at = &self.connection;
        let game = record.game.cast_signed();
        let mut games =
            at.prepare_cached("INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")?;
        games.execute(params![
            game,
            record.seed.cast_signed(),
            record.end.name(),
            record.reason,
            record.first,
            record.winner,
            record.rounds,
            record.steps,
            record.decisions,
            record.options.cast_signed(),
            record.digest
        ])?;
        let mut measures = at.prepare_cached("INSERT INTO measures VALUES (?1, ?2, ?3, ?4)")?;
        for (name, values) in &record.measures {
            for (faction, value) in self.factions.iter().zip(values) {
                measures.execute(params![game, name, faction, value])?;
            }
        }
        let mut units = at.prepare_cached("INSERT INTO units VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        let mut uses = at.prepare_cached("INSERT INTO uses VALUES (?1, ?2, ?3, ?4, ?5)")?;
        for u in &record.units {
            units.execute(params![
                game, u.faction, u.unit, u.fielded, u.survived, u.dealt, u.taken, u.removed
            ])?;
            for (word, times) in &u.uses {
                uses.execute(params![game, u.faction, u.unit, word, times])?;
            }
        }
        Ok(())
    }

    /// Sends the added games to the disk: after a run is killed, the file has all of a game or none of it.
    fn send(&mut self) -> Result<(), Problem> {
        self.sent = Instant::now();
        self.run("COMMIT; BEGIN IMMEDIATE")
    }

    /// Everything is on disk.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn finish(self) -> Result<(), Problem> {
        self.run("COMMIT")
    }

    /// The next game; `None` behind the last.
    ///
    /// # Errors
    ///
    /// What cannot be read, unless such games are passed over.
    pub fn next_game(&mut self) -> Result<Option<GameRecord>, Problem> {
        const NEXT: &str = "SELECT min(game) FROM games WHERE game > ?1";
        loop {
            match self.game(self.next) {
                Ok(Some(found)) => {
                    self.next += 1;
                    return Ok(Some(found));
                }
                Ok(None) => {}
                Err(problem) if !self.skip => return Err(problem),
                Err(_) => self.skipped += 1,
            }
            // Behind what is missing or cannot be read others may follow.
            let next = self
                .connection
                .query_row(NEXT, [self.next.cast_signed()], |row| {
                    row.get::<_, Option<i64>>(0)
                })
                .map_err(|e| refused(&self.path, &e))?;
            let Some(next) = next.map(i64::cast_unsigned) else {
                return Ok(None);
            };
            self.lost += next - self.next;
            self.next = next;
        }
    }

    /// Returns the number of games that the head announces and that are missing.
    pub fn missing(&self, head: &ResultsHeader) -> u64 {
        self.lost + head.games().end.saturating_sub(self.next)
    }

    fn game(&self, game: u64) -> Result<Option<GameRecord>, Problem> {
        use rusqlite::OptionalExtension as _;
        self.select(game.cast_signed()).optional().map_err(|e| match &e {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => {
                problems::corrupt_game(format!("game {game} of {}", self.path), e)
            }
            _ => refused(&self.path, &e),
        })
    }

    fn select(&self, game: i64) -> rusqlite::Result<GameRecord> {
        let at = &self.connection;
        let mut games = at.prepare_cached("SELECT * FROM games WHERE game = ?1")?;
        let mut record = games.query_row([game], |row| {
            Ok(GameRecord {
                game: row.get::<_, i64>(0)?.cast_unsigned(),
                seed: row.get::<_, i64>(1)?.cast_unsigned(),
                end: GameEnd::named(&row.get::<_, String>(2)?).unwrap_or(GameEnd::Failed),
                reason: row.get(3)?,
                first: row.get(4)?,
                winner: row.get(5)?,
                rounds: row.get(6)?,
                steps: row.get(7)?,
                decisions: row.get(8)?,
                options: row.get::<_, i64>(9)?.cast_unsigned(),
                digest: row.get(10)?,
                ..GameRecord::default()
            })
        })?;
        let place = |faction: &String| {
            self.factions
                .iter()
                .position(|f| f == faction)
                .unwrap_or(usize::MAX)
        };
        let mut measures =
            at.prepare_cached("SELECT measure, faction, value FROM measures WHERE game = ?1")?;
        let mut rows = measures.query([game])?;
        while let Some(row) = rows.next()? {
            let values = record
                .measures
                .entry(row.get(0)?)
                .or_insert_with(|| vec![0; self.factions.len()]);
            if let Some(value) = values.get_mut(place(&row.get(1)?)) {
                *value = row.get(2)?;
            }
        }
        let mut words: BTreeMap<(String, String), BTreeMap<String, u32>> = BTreeMap::new();
        let mut uses = at.prepare_cached("SELECT faction, unit, word, times FROM uses WHERE game = ?1")?;
        let mut rows = uses.query([game])?;
        while let Some(row) = rows.next()? {
            let of = words.entry((row.get(0)?, row.get(1)?)).or_default();
            of.insert(row.get(2)?, row.get(3)?);
        }
        let mut units = at.prepare_cached("SELECT * FROM units WHERE game = ?1")?;
        let rows = units.query_map([game], |row| {
            Ok(FieldedUnits {
                faction: row.get(1)?,
                unit: row.get(2)?,
                fielded: row.get(3)?,
                survived: row.get(4)?,
                dealt: row.get(5)?,
                taken: row.get(6)?,
                removed: row.get(7)?,
                uses: BTreeMap::new(),
            })
        })?;
        for row in rows {
            let mut row = row?;
            row.uses = words
                .remove(&(row.faction.clone(), row.unit.clone()))
                .unwrap_or_default();
            record.units.push(row);
        }
        record.units.sort_by_key(|u| place(&u.faction));
        Ok(record)
    }
}

fn refused(name: &str, error: &rusqlite::Error) -> Problem {
    use rusqlite::ErrorCode::{DatabaseBusy, DiskFull, NotADatabase, SystemIoFailure};
    match error.sqlite_error_code() {
        Some(DatabaseBusy) => problems::locked(name),
        Some(DiskFull | SystemIoFailure) => problems::unwritable(name, error),
        Some(NotADatabase) => problems::not_a_database(name),
        _ => problems::failed_database(name, error),
    }
}
