import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const dist = `${import.meta.dirname}/dist/`;
const isBuilt = existsSync(`${dist}index.html`);
const read = (file: string) => readFileSync(dist + file, "utf8");
const gzipBytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
const filesOf = (text: string, ending: string) => [
  ...new Set([...text.matchAll(new RegExp(`a/[\\w-]+\\.${ending}\\b`, "g"))].map(([file]) => file)),
];

/** A script with all that it imports before it runs; what it fetches later is apart. */
const withImports = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  const imports = read(file).matchAll(/(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g);
  for (const [, name] of imports) withImports(`a/${name}`, seen);
  return seen;
};

describe.skipIf(!isBuilt)("the built dashboard", () => {
  const html = isBuilt ? read("index.html") : "";
  const scripts = isBuilt ? readdirSync(`${dist}a`).filter((file) => file.endsWith(".js")) : [];
  const [entry = ""] = filesOf(html, "js");
  const atFirst = isBuilt ? withImports(entry) : new Set<string>();
  const pages = scripts.map((file) => `a/${file}`).filter((file) => !atFirst.has(file));

  test("sends at first no more than 60 kB of script and 8 kB of style, in bytes of gzip, whichever page comes first", () => {
    const heaviest = Math.max(0, ...pages.map((page) => gzipBytes([...withImports(page, new Set(atFirst))])));
    expect(heaviest).toBeGreaterThan(gzipBytes([...atFirst]));
    expect(heaviest).toBeLessThanOrEqual(60_000);
    const sheets = filesOf(html, "css");
    expect(sheets).toHaveLength(1);
    expect(gzipBytes(sheets)).toBeLessThanOrEqual(8000);
  });

  test("fetches its pages apart", () => {
    expect(pages.length).toBeGreaterThan(0);
    expect(filesOf(html, "js").filter((file) => pages.includes(file))).toEqual([]);
  });

  test("has a document that a policy without inline scripts and styles lets run", () => {
    expect(html).not.toMatch(/<style|style=|\son\w+=|javascript:/);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toMatch(/<script type="module"[^>]* src="\/dash\/a\/[\w-]+\.js"><\/script>/);
    for (const [address] of html.matchAll(/(?<=(?:src|href)=")[^"]+/g)) {
      expect(address).toMatch(/^(\/dash\/a\/[\w-]+\.(js|css)|data:image\/svg\+xml,.*)$/);
    }
  });

  test.each(scripts)("in %s neither evaluates text nor stores anything nor checks by zod", (file) => {
    const text = read(`a/${file}`);
    expect(text).not.toMatch(/\beval\(|\bnew Function\b/);
    expect(text).not.toMatch(/\blocalStorage\b|\bsessionStorage\b|\bindexedDB\b|\bdocument\.cookie\b/);
    expect(text).not.toMatch(/zod|sourceMappingURL/i);
  });

  test("has the compressed forms of every script and sheet beside it", () => {
    const files = readdirSync(`${dist}a`);
    for (const file of files.filter((name) => /\.(js|css)$/.test(name))) {
      expect(files).toEqual(expect.arrayContaining([`${file}.br`, `${file}.gz`]));
    }
  });
});
