// What only a page without a server has, in the tab Save: the page or its files with all changes to download, and the
// way back to the page as it came.
"use strict";

// `page` has what the panel needs of the page: `id`, `notice`.
globalThis.sharedPanel = ({ id, notice }) => {
  if (!session.reset) return;
  id("shared").hidden = false;

  function download(name, kind, bytes) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: kind }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  function status() {
    const paths = Object.keys(session.changed());
    const changes = paths.length ? `Changed here: ${paths.join(", ")}.` : "No file of this page is changed.";
    const keeps = session.kept.failed
      ? `Nothing is kept for your next visit: ${session.kept.failed}.`
      : "This browser keeps your changes and your game for your next visit.";
    id("shared-status").textContent = `${changes} ${keeps}`;
  }

  id("shared-page").addEventListener("click", async () => {
    if (typeof CompressionStream !== "function") { notice("this browser cannot pack the page; save the .zip"); return; }
    download(`${session.name()}.html`, "text/html", await session.page());
  });
  id("shared-zip").addEventListener("click", () => {
    download(`${session.name()}.zip`, "application/zip", zipTexts(session.files()));
  });
  id("shared-reset").addEventListener("click", () => id("reset").showModal());
  id("reset").addEventListener("close", async () => {
    if (id("reset").returnValue !== "reset") return;
    await session.reset();
    status();
    notice("The page is as it came.");
  });
  return { render: status };
};
