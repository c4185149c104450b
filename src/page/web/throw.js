// A throw of dice, played on a board. The board's picture tells the poses of every body and how its solid looks; here
// they are drawn moment by moment, over the picture without those dice. It knows pictures alone, so any page that shows
// one can play it: `throwing.offer` puts the buttons below a board.
"use strict";

(() => {
const NS = "http://www.w3.org/2000/svg";
// A die so high above the board looks twice as large, in hundredths of a millimetre.
const EYE = 60000;
// So much of its real speed is a throw played at where nobody says more.
const USUAL = 0.5;
// The letters of the labels of dice are so large, as in the picture; they are left out where they would be lower than so
// many pixels.
const LABEL = 13;
const READABLE = 7;

// What a picture tells of a throw, as it stands there; nothing where it tells of none.
function told(svg) {
  const found = /<metadata>([^<]*)<\/metadata>/.exec(svg);
  return found && found[1].trim().replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

// The picture without the dice that move, and without what else is named.
function without(svg, film, more = []) {
  const dice = film.bodies.map((body) => `.token[data-unit="${body.unit}"]`);
  return svg.replace(/<svg[^>]*>/, (whole) => `${whole}<style>${[...dice, ...more].join()} { visibility: hidden }</style>`);
}

class Throw {
  // Draws in a group that has the picture's coordinates; `changed` is told whatever changes.
  constructor(film, stage) {
    this.film = film;
    this.stage = stage;
    this.at = 0;
    this.timer = 0;
    this.changed = () => {};
  }

  get length() {
    return this.film.ms / 1000;
  }

  // Shows it so many seconds after it was let go.
  show(seconds) {
    this.at = Math.max(0, Math.min(this.length, seconds));
    const nth = this.at * this.film.a_second;
    const dice = this.film.bodies.map((body) => this.die(body, nth)).sort((a, b) => a.z - b.z);
    const parts = (of) => dice.flatMap((die) => die[of] ?? []);
    this.stage.replaceChildren(...parts("shadow"), ...parts("group"));
    this.shown = true;
    this.changed();
  }

  // Takes it off again: dice are where the picture has them.
  clear() {
    this.pause();
    this.stage.replaceChildren();
    this.shown = false;
    this.at = 0;
    this.changed();
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  // Plays on from where it is, so many times as fast as it was; from its start where it has ended.
  play(speed = USUAL) {
    this.pause();
    if (this.at >= this.length) this.at = 0;
    return new Promise((ended) => {
      this.ended = ended;
      let last = null;
      const tick = (now) => {
        this.timer = requestAnimationFrame(tick);
        this.show(this.at + (last === null ? 0 : (now - last) / 1000 * speed));
        last = now;
        if (this.at >= this.length) this.pause();
      };
      this.timer = requestAnimationFrame(tick);
    });
  }

  pause() {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.ended?.();
    this.ended = null;
    this.changed();
  }

  // So many poses on, or back.
  step(by) {
    this.pause();
    this.show((Math.round(this.at * this.film.a_second) + by) / this.film.a_second);
  }

  // A body at a moment: before its first pose it lies where it was, after its last it stays.
  die(body, nth) {
    const { scale, zero, dice } = this.film;
    const within = Math.max(0, Math.min(body.poses.length - 1, nth - body.first));
    const [from, to] = [body.poses[Math.floor(within)], body.poses[Math.ceil(within)]];
    if (body.off && nth >= body.first + body.poses.length) return { z: 0 };
    const pose = between(from, to, within % 1);
    const [x, y, z] = pose;
    const [faces, counts] = dice[body.die];
    const size = 1 + Math.max(0, z) / EYE;
    const turn = matrix(pose.slice(3));
    const flat = (corner) => {
      const [right, up] = turned(turn, corner);
      return [right * scale * size, -up * scale * size];
    };
    const at = [zero.x + x * scale, zero.y - y * scale];
    const seen = [];
    let top = { up: -Infinity };
    for (const [value, corners] of faces) {
      const out = turned(turn, middle(corners));
      const far = Math.hypot(...out);
      const up = out[2] / far;
      if (up * counts > top.up) top = { value, up: up * counts };
      if (up > 0.02) seen.push(corners.map(flat));
    }
    const outline = hull(faces.flatMap(([, corners]) => corners.map(flat)));
    const [fill, letters, strong] = this.film.colours[body.side];
    const group = part("g", { transform: `translate(${round(at[0])} ${round(at[1])})`, "data-unit": body.unit });
    group.append(
      part("polygon", { points: points(outline), fill, stroke: strong, "stroke-width": 1.5, "stroke-linejoin": "round" }),
      part("path", { d: seen.map((face) => `M${points(face)}Z`).join(""), fill: "none", stroke: letters, "stroke-width": 0.5, "stroke-opacity": 0.6 }),
    );
    const wide = Math.max(...outline.map(([x]) => Math.abs(x)));
    const high = Math.max(6, Math.min(15, wide * 1.1));
    const number = part("text", { "text-anchor": "middle", y: round(high * 0.36), "font-size": round(high), "font-weight": "bold", fill: letters });
    number.textContent = top.value;
    const low = Math.max(...outline.map(([, y]) => y));
    const label = part("text", { "text-anchor": "middle", y: round(low + LABEL), "font-size": LABEL, "font-weight": "bold", fill: strong });
    label.textContent = body.label;
    group.append(number);
    if (LABEL * (this.stage.getScreenCTM()?.a ?? 1) >= READABLE) group.append(label);
    // The higher it is, the farther from it lies its shadow.
    const aside = Math.max(0, z) * scale * 0.4;
    const shadow = part("polygon", { points: points(outline), fill: "#000", opacity: 0.18, transform: `translate(${round(at[0] + aside)} ${round(at[1] + aside)})` });
    return { z, group, shadow };
  }
}

// Puts buttons and a slider for the throw of a picture into a box: real speed, slower, step by step. `stage` is a group
// over the picture, with its coordinates; `picture` shows another picture in its place. Nothing where none was thrown.
function offer(box, svg, stage, picture) {
  box.replaceChildren();
  stage.replaceChildren();
  const text = told(svg);
  box.hidden = !text;
  if (!text) return null;
  const throwing = new Throw(JSON.parse(text), stage);
  throwing.key = text;
  throwing.bare = without(svg, throwing.film);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "the last throw");
  const button = (word, title, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = word;
    made.title = title;
    made.addEventListener("click", act);
    box.append(made);
    return made;
  };
  const play = (speed) => () => { if (throwing.isPlaying) throwing.pause(); else throwing.play(speed); };
  const whole = button("throw", "play the throw at half its speed", play(USUAL));
  button("1", "play it as fast as it was", play(1)).setAttribute("aria-label", "the real speed");
  button("\u00bc", "play it four times slower", play(0.25)).setAttribute("aria-label", "a quarter of the speed");
  button("\u00b9\u2044\u2081\u2086", "play it sixteen times slower", play(0.0625)).setAttribute("aria-label", "a sixteenth of the speed");
  button("\u2039", "a sixtieth of a second back", () => throwing.step(-1)).setAttribute("aria-label", "a moment back");
  button("\u203a", "a sixtieth of a second on", () => throwing.step(1)).setAttribute("aria-label", "a moment on");
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = 0;
  slider.max = throwing.film.ms;
  slider.setAttribute("aria-label", "moment of the throw");
  slider.addEventListener("input", () => {
    const wanted = Number(slider.value) / 1000;
    throwing.pause();
    throwing.show(wanted);
  });
  // Keys that mean something to the slider mean nothing to the page.
  slider.addEventListener("keydown", (event) => event.stopPropagation());
  const clock = document.createElement("span");
  let shown = false;
  throwing.changed = () => {
    slider.value = Math.round(throwing.at * 1000);
    clock.textContent = `${throwing.at.toFixed(2)} of ${throwing.length.toFixed(2)} s`;
    whole.textContent = throwing.isPlaying ? "pause" : "throw";
    if (Boolean(throwing.shown) !== shown) {
      shown = Boolean(throwing.shown);
      picture(shown ? throwing.bare : svg);
    }
  };
  throwing.changed();
  box.append(slider, clock);
  return throwing;
}

function part(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const round = (length) => Math.round(length * 100) / 100;
const points = (corners) => corners.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");

// A pose between two: straight on, and turned the shorter way.
function between(from, to, share) {
  const near = from.slice(3).reduce((sum, part, n) => sum + part * to[n + 3], 0) < 0 ? -1 : 1;
  return from.map((part, n) => part + ((n < 3 ? 1 : near) * to[n] - part) * share);
}

// What a turn of four numbers, the real one first, does to a vector.
function matrix(parts) {
  const far = Math.hypot(...parts);
  const [w, x, y, z] = parts.map((part) => part / far);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}
const turned = (rows, v) => rows.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const middle = (corners) => [0, 1, 2].map((n) => corners.reduce((sum, corner) => sum + corner[n], 0) / corners.length);

// The corners of the silhouette.
function hull(all) {
  const sorted = [...all].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const kept = [];
    for (const point of list) {
      while (kept.length > 1) {
        const [a, b] = kept.slice(-2);
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        kept.pop();
      }
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

globalThis.throwing = { told, without, Throw, offer };
})();
