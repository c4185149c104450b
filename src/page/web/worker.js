// The thread of a session in a page without a server: it answers messages to the module, in their order. The module's
// loader stands before this script.
"use strict";

globalThis.rulebenchNow = () => performance.now();
globalThis.rulebenchProgress = (what, done, count, soFar) => postMessage({ progress: { what, done, count, soFar } });

onmessage = ({ data: { module, number, message } }) => {
  try {
    if (module) wasm_bindgen.initSync({ module });
    else postMessage({ number, reply: wasm_bindgen.reply(message) });
  } catch (error) {
    // What has failed must be loaded anew.
    postMessage({ number, failed: `${error}` });
  }
};
