// Answers each line of the input, a message to the module in the folder given, with a line: the reply, or the error
// that came of it as a JSON text.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const folder = process.argv[2];
globalThis.rulebenchNow = () => performance.now();
globalThis.rulebenchProgress = () => {};
const { initSync, reply } = runInThisContext(`${readFileSync(join(folder, "rulebench.js"), "utf8")}; wasm_bindgen`);
initSync({ module: readFileSync(join(folder, "rulebench_bg.wasm")) });
for (const message of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  let line;
  try {
    line = reply(message);
  } catch (error) {
    line = JSON.stringify({ thrown: `${error}` });
  }
  console.log(line);
}
