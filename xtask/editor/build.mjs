// Writes the editor as one minified script, and the licences of the packages in it, to the folder `made`.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const folder = "made";
await mkdir(folder);
const made = await build({
  entryPoints: ["editor.js"], bundle: true, minify: true, format: "iife", target: "es2022", metafile: true, write: false,
});

// The licence of each package, once where only the line of its copyright differs.
const packages = new Set(Object.keys(made.metafile.inputs).flatMap((path) => {
  return path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? [];
}));
const licences = new Map();
for (const name of [...packages].sort()) {
  const { version } = JSON.parse(await readFile(join("node_modules", name, "package.json"), "utf8"));
  const text = (await readFile(join("node_modules", name, "LICENSE"), "utf8")).trim();
  const copyright = text.match(/^Copyright .*$/m)[0];
  const terms = text.replace(`${copyright}\n\n`, "");
  const holders = licences.get(terms) ?? new Map();
  holders.set(copyright, [...(holders.get(copyright) ?? []), `${name} ${version}`]);
  licences.set(terms, holders);
}
const parts = [...licences].map(([terms, holders]) => {
  const lines = [...holders].map(([copyright, names]) => `${names.join(", ")}:\n  ${copyright}`);
  return `${lines.join("\n")}\n\n${terms}`;
});
const licence = `Packages in editor.js and their licences.\n\n${parts.join("\n\n")}\n`;
await writeFile(join(folder, "editor.js"), `/*\n${licence}*/\n${made.outputFiles[0].text}`);
await writeFile(join(folder, "editor.LICENSE"), licence);
