// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// src/ -> dist/viewer.html: one page with its style and its script inside, and a place for the data. The page's policy
// allows exactly this script and this style, by their hashes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL(".", import.meta.url).pathname;
const out = process.argv[2] ?? here + "dist";

async function bundled(entry) {
  const result = await build({
    entryPoints: [here + entry],
    bundle: true,
    minify: true,
    charset: "ascii",
    target: ["es2021", "chrome100", "firefox100", "safari15"],
    legalComments: "none",
    write: false,
    outdir: out,
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const script = await bundled("src/main.ts");
const style = await bundled("src/style.css");
if (script.includes("</script") || style.includes("</style")) throw new Error("the bundle would end its own element");
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
const page = readFileSync(here + "src/page.html", "utf8")
  .replace("@POLICY@", () => policy)
  .replace("@STYLE@", () => style)
  .replace("@SCRIPT@", () => script);
// The C++ build cuts it into pieces, which must not cut a character.
if (/[^\x00-\x7f]/.test(page)) throw new Error("the page is not ASCII");
mkdirSync(out, { recursive: true });
writeFileSync(out + "/viewer.html", page);
console.log(`${out}/viewer.html: ${page.length} bytes`);
