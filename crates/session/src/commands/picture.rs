//! The commands that draw: the board as text or as a file, where a unit could go, what a faction could hit.

use crate::arguments::Args;
use crate::kernel::ids::PlaceSet;
use crate::output::Output;
use crate::picture;
use crate::picture::file::{self, Format};
use crate::picture::scene::Scene;
use crate::picture::story::Span;
use crate::problems;
use crate::reach_report::{self, ReachReport};
use crate::render::Marks;
use crate::report::{Problem, Problems};
use crate::session::Session;
use serde_json::json;

/// Scale of PNG pictures, large enough for any screen.
const PNG_SCALE: f64 = 2.0;

impl Session {
    /// The table as it stands, with so much of what has happened; with
    /// room for these places.
    pub(crate) fn drawn(&mut self, span: Span, room: PlaceSet) -> Scene {
        let (viewer, world, play) = (self.viewer(), self.world(), &mut self.play);
        picture::of_view(play, viewer, &world, span, room)
    }
}

/// Writes the board as a picture, with these places and units pointed out; `what` says why.
fn save_picture(session: &mut Session, path: &str, marks: &Marks, what: &str) -> Result<String, Problem> {
    let scale = match Format::of(path)? {
        Format::Png => PNG_SCALE,
        Format::Svg => 1.0,
    };
    let mut scene = session.drawn(Span::Phase, PlaceSet::EMPTY);
    if !session.is_for_machine() {
        scene.offer(session.play.table());
    }
    if let Some(title) = &session.set_up.file.title {
        scene.title.clone_from(&title.value);
    }
    picture::point_out(&mut scene, &session.play.ruleset().rules, &session.world(), marks);
    if !what.is_empty() {
        scene.caption.push_str(&format!("; {what}"));
    }
    let (width, height) = file::save(&scene, path, scale)?;
    Ok(format!("wrote {path} ({width} by {height})"))
}

/// `:board [svg|png] [FILE]`.
///
/// # Errors
///
/// A file that is no picture or cannot be written.
pub(crate) fn board(session: &mut Session, args: &Args<'_>) -> Result<Output, Problems> {
    let format = [Format::Svg, Format::Png]
        .into_iter()
        .find(|f| args.has(f.ending()));
    let path = match (format, args.get("FILE")) {
        (None, None) => return Ok(session.board().into()),
        (Some(format), None) => format!("{}.{}", default_name(session), format.ending()),
        (Some(format), Some(file)) => match Format::of(file) {
            Ok(other) if other == format => file.to_owned(),
            Ok(_) => {
                let word = format.ending();
                return Err(problems::wrong_picture_name(file, word).into());
            }
            // The format is said already.
            Err(_) => format!("{file}.{}", format.ending()),
        },
        (None, Some(file)) if file.contains('.') => file.to_owned(),
        (None, Some(file)) => {
            return Err(problems::wrong_argument(file, "the name of a picture")
                .hint("`:board` draws it here; `:board png FILE` and `:board svg FILE` write a picture")
                .into());
        }
    };
    Ok(Output::text(save_picture(session, &path, &Marks::default(), "")?))
}

/// The name of a picture for which none was given.
fn default_name(session: &Session) -> String {
    match session.set_up.name() {
        "" => session.set_up.file.game.value.clone(),
        name => name.to_owned(),
    }
}

/// `:reach UNIT [FILE]`.
///
/// # Errors
///
/// A name that no unit on the board has; a file that cannot be written.
pub(crate) fn reach(session: &mut Session, args: &Args<'_>) -> Result<Output, Problems> {
    let world = session.world();
    let found = reach_report::reach(&mut session.play, &world, args.text("UNIT"))?;
    marked_board(session, args.get("FILE"), &found)
}

/// `:threat FACTION|UNIT [FILE]`.
///
/// # Errors
///
/// A name that no faction has; a file that cannot be written.
pub(crate) fn threat(session: &mut Session, args: &Args<'_>) -> Result<Output, Problems> {
    let world = session.world();
    let found = reach_report::threat(&mut session.play, &world, args.first())?;
    marked_board(session, args.get("FILE"), &found)
}

/// `:measure A B [FILE]`.
///
/// # Errors
///
/// A name that is nowhere; a file that cannot be written.
pub(crate) fn measure(session: &mut Session, args: &Args<'_>) -> Result<Output, Problems> {
    let (world, viewer) = (session.world(), session.viewer());
    let ends = [args.text("A"), args.text("B")];
    let found = reach_report::measure(&mut session.play, viewer, &world, ends)?;
    match args.get("FILE") {
        None => Ok(Output::text(found.legend)),
        path => marked_board(session, path, &found),
    }
}

/// The marked board with a sentence, or the picture of it.
fn marked_board(session: &mut Session, path: Option<&str>, found: &ReachReport) -> Result<Output, Problems> {
    let drawn = session.pages.desk.is_some().then(|| {
        let board = crate::page::state::pointed_out(session, &found.marks);
        json!({ "board": board, "said": found.legend })
    });
    let mut reply = Output {
        drawn,
        ..Output::default()
    };
    match path {
        None => reply.show(session.draw_marked(&found.marks)),
        Some(path) => reply.add(save_picture(session, path, &found.marks, &found.what)?),
    }
    reply.add(crate::show::wrapped(&found.legend, session.face.style.width));
    if found.cut {
        reply.add("(there was too much to look at all of it)");
    }
    Ok(reply)
}
