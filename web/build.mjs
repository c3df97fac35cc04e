// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// src/ -> dist/viewer.html: one page with its style and its script inside, and a place for the data. The page's policy
// allows exactly this script and this style, by their hashes.
// src/drawing.css -> dist/drawing.css: the style of SVG reports, without variables, which few programs but browsers know.
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

// The values of variables in the first rule of colours.css that `selector` begins, in a medium if one is given.
const colours = readFileSync(here + "src/colours.css", "utf8");
function valuesOf(selector) {
  const start = colours.indexOf(`${selector} {`);
  if (start < 0) throw new Error(`colours.css has no ${selector}`);
  const rule = colours.slice(start, colours.indexOf("}", start));
  return Object.fromEntries([...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]));
}
const drawing = readFileSync(here + "src/drawing.css", "utf8").replace(/\/\*[^]*?\*\//g, "").trim();
const light = valuesOf(":root"), dark = { ...light, ...valuesOf('  :root[data-theme="dark"]') };
function resolved(values) {
  return drawing.replace(/var\((--[\w-]+)\)/g, (_, name) => {
    if (!values[name]) throw new Error(`no value for ${name}`);
    return values[name];
  });
}
const drawingStyle = `/* SPDX-FileCopyrightText: The Omnium authors\n   SPDX-License-Identifier: Apache-2.0 */\n${resolved(light)}\n@media (prefers-color-scheme: dark) {\n${resolved(dark)}\n}\n`;
if (/[<&\x80-\uffff]/.test(drawingStyle)) throw new Error("the style of drawings would have to be escaped");
writeFileSync(out + "/drawing.css", drawingStyle);
writeFileSync(out + "/viewer.html", page);
console.log(`${out}/viewer.html: ${page.length} bytes`);
