// The session of a page that `rulebench table` serves: requests over HTTP, states as a stream of events.
// It is the same small object that a page without a server has: `ask` sends a request and resolves to its answer;
// `listen` passes on each state as it comes, and what to say when none comes any more.
"use strict";

(() => {
// After more failed attempts to connect than these the text says what else helps.
const TRIES = 3;
const HELPS = "If it is gone, start `rulebench table` again and open the address that it prints. "
  + "A saved session goes on with `rulebench repl --resume`, and `:page` opens this page again.";

async function ask(kind, body) {
  try {
    const answer = await fetch(kind, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}),
    });
    return await answer.json();
  } catch {
    return { refused: "the session does not answer" };
  }
}

function listen({ state, lost }) {
  const events = new EventSource("events");
  let tried = 0;
  events.onmessage = (event) => {
    tried = 0;
    state(JSON.parse(event.data));
  };
  events.addEventListener("over", () => { events.close(); lost("the session is over"); });
  events.onerror = () => {
    const gone = events.readyState === EventSource.CLOSED;
    tried += 1;
    lost(`the connection is lost${gone ? "" : "; trying again"}${gone || tried > TRIES ? `. ${HELPS}` : ""}`);
  };
}

globalThis.session = { ask, listen };
})();
