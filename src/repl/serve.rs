//! A table without a prompt: the session on this thread, pages as its only face. What is said is printed, so
//! that what happened can be read where the command was given.

use super::agent_lines::{AgentLines, AgentPace};
use crate::commands;
use crate::page::server::{PendingRequest, Server};
use crate::repl::output::Output;
use crate::repl::session::Session;
use crate::repl::watch::FileWatcher;
use crate::report::Problems;
use crate::screen::print;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::Duration;

enum ServeMessage {
    Asked(PendingRequest),
    Changed,
    Leave,
}

/// Serves a session until somebody leaves it.
///
/// # Errors
///
/// No port to be had.
pub fn run(mut session: Session) -> Result<(), Problems> {
    let (sender, messages) = channel();
    let (asking, changed, leaving) = (sender.clone(), sender.clone(), sender);
    session.pages.commands = commands::help_texts();
    session.pages.open = Some(Server::opener(Arc::new(move |request| {
        asking.send(ServeMessage::Asked(request)).is_ok()
    })));
    let stop = Arc::clone(&session.stop);
    let work = session.rules.workspace.work().clone();
    // Without the handler Ctrl-C ends the program as well.
    let _ = ctrlc::set_handler(move || {
        stop.store(true, Ordering::Relaxed);
        work.stop();
        let _ = leaving.send(ServeMessage::Leave);
    });
    let mut watcher = FileWatcher::new(&session.rules.workspace, move || {
        changed.send(ServeMessage::Changed).is_ok()
    });
    // It prints what a page shows better.
    session.face.quiet = true;
    crate::repl::equip(&mut session);
    let greeting = session.greeting();
    let opened = session.open_page()?;
    session.update_pages("", &greeting);
    print_output(&session, &greeting);
    print_output(&session, &opened);
    print("Ctrl-C or `:quit` on the page ends it");
    let mut turns = AgentPace::new();
    loop {
        let message = match turns.hear(&session, &messages) {
            AgentLines::Message(message) => message,
            AgentLines::Turn => {
                let reply = turns.answer(&mut session, Duration::ZERO);
                reply.iter().for_each(|reply| print_output(&session, reply));
                continue;
            }
            AgentLines::Gone => break,
        };
        session.rules.workspace.work().resume();
        match message {
            ServeMessage::Asked(request) => {
                let Some((line, reply)) = request.answer_by(&mut session) else {
                    continue;
                };
                print(&line);
                print_output(&session, &reply);
                if reply.quit {
                    break;
                }
            }
            ServeMessage::Changed => {
                if let Some(watcher) = &mut watcher {
                    watcher.renew();
                }
                if let Some(notice) = session.look_for_changes() {
                    print_output(&session, &notice);
                }
            }
            ServeMessage::Leave => break,
        }
    }
    if let Some(last) = session.close() {
        print(&last);
    }
    Ok(())
}

fn print_output(session: &Session, reply: &Output) {
    let paints = session.paints();
    let pieces = reply.pieces.iter();
    pieces.for_each(|piece| print(&piece.painted(paints.as_deref())));
}
