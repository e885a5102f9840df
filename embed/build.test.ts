import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const dist = `${import.meta.dirname}/dist/`;
const isBuilt = existsSync(`${dist}embed.js`);
const read = (file: string) => readFileSync(dist + file, "utf8");
const gzipBytes = (text: string) => gzipSync(text, { level: 9 }).length;
const namedFiles = (text: string) =>
  [...text.matchAll(/[`"'](c\/[\w-]+\.js)[`"']/g)].map((match) => match[1] ?? "");

describe.skipIf(!isBuilt)("the built embed", () => {
  const loader = isBuilt ? read("embed.js") : "";
  const [overlayFile = ""] = namedFiles(loader);
  const overlay = isBuilt ? read(overlayFile) : "";
  const wordsFiles = namedFiles(overlay);
  const all = [["embed.js", loader], [overlayFile, overlay], ...wordsFiles.map((file) => [file, read(file)])];

  test("keeps to its budgets, in bytes of gzip", () => {
    expect(gzipBytes(loader)).toBeLessThanOrEqual(2000);
    expect(gzipBytes(overlay)).toBeLessThanOrEqual(18_000);
    for (const file of wordsFiles) expect(gzipBytes(read(file))).toBeLessThanOrEqual(1000);
  });

  test("has a loader that names one overlay, and an overlay that names each language once", () => {
    expect(namedFiles(loader)).toHaveLength(1);
    expect(overlay).toMatch(/export\{\w+ as open\}/);
    expect(new Set(wordsFiles).size).toBe(4);
    for (const file of wordsFiles) expect(read(file)).toMatch(/export\{\w+ as words\}/);
  });

  test("has no script that nothing names", () => {
    const scripts = readdirSync(`${dist}c`).filter((file) => file.endsWith(".js"));
    expect(scripts.map((file) => `c/${file}`).sort()).toEqual([overlayFile, ...wordsFiles].sort());
  });

  test("has a loader that is a classic script which any browser since 2018 can read", () => {
    expect(loader).not.toMatch(/\bimport\.meta\b|\bexport\b|\brequire\b|\bmodule\b|\bdefine\b/);
    expect(loader).not.toMatch(/\?\.[\w[(]|\?\?|\bclass\b|\|\|=|&&=/);
    expect(loader.match(/\bimport\(/g)).toHaveLength(1);
    expect(loader.startsWith("(function(){")).toBe(true);
  });

  test.each(all)("in %s neither evaluates text nor stores anything nor uses a beacon", (_file, text) => {
    expect(text).not.toMatch(/\beval\(|\bnew Function\b/);
    expect(text).not.toMatch(/\blocalStorage\b|\bsessionStorage\b|\bindexedDB\b|\bdocument\.cookie\b/);
    expect(text).not.toMatch(/sendBeacon|\bunload\b|beforeunload/);
    expect(text).not.toMatch(/zod|console\.|sourceMappingURL|__vite/i);
  });
});

describe("the style sheets", () => {
  const folder = `${import.meta.dirname}/overlay/style/`;
  const sheets = readdirSync(folder).map((file) => [file, readFileSync(folder + file, "utf8")] as const);

  test.each(sheets)("of %s know neither rem nor left and right", (_file, css) => {
    expect(css).not.toMatch(/[\d.]rem\b/);
    expect(css).not.toMatch(/^\s*((margin-|padding-|border-)?(left|right|top|bottom)|width|height)\s*:/m);
  });

  test("move nothing for those who asked for less motion", () => {
    for (const [, css] of sheets) {
      const still = css.replace(/@media \(prefers-reduced-motion: no-preference\) \{[\s\S]*?\n\}/g, "");
      expect(still).not.toMatch(/\b(animation|transition)\b/);
    }
  });
});
