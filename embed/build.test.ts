import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const dist = `${import.meta.dirname}/dist/`;
const isBuilt = existsSync(`${dist}embed.js`);
const read = (file: string) => readFileSync(dist + file, "utf8");
const gzipBytes = (text: string) => gzipSync(text, { level: 9 }).length;
const namedFiles = (text: string) =>
  [...text.matchAll(/[`"'](c\/[\w-]+\.js)[`"']/g)].map((match) => match[1] ?? "");
/** A script without the names of the others: those are made of hashes, and so may spell anything. */
const withoutNames = (text: string) => text.replaceAll(/[`"'][\w./-]+\.js[`"']/g, "");

describe.skipIf(!isBuilt)("the built embed", () => {
  const loader = isBuilt ? read("embed.js") : "";
  const exporting = (files: string[], name: string) =>
    files.find((file) => new RegExp(`export\\{[^}]*[\\w$]+ as ${name}\\b`).test(read(file))) ?? "";
  const overlayFile = exporting(namedFiles(loader), "openOverlay");
  const commandsFile = exporting(namedFiles(loader), "start");
  const commands = isBuilt ? read(commandsFile) : "";
  const sectionFile = exporting(namedFiles(commands), "drawSection");
  const declineFile = exporting(namedFiles(commands), "decline");
  const debugFile = exporting(namedFiles(commands), "speak");
  const barFile = exporting(namedFiles(commands), "openBar");
  const overlay = isBuilt ? read(overlayFile) : "";
  const wordsFiles = namedFiles(overlay);
  const chunks = [
    ...[overlayFile, commandsFile, sectionFile, declineFile, debugFile, barFile],
    ...wordsFiles,
  ];
  const all = [["embed.js", loader], ...chunks.map((file) => [file, isBuilt ? read(file) : ""])];

  test("keeps to its budgets, in bytes of gzip", () => {
    // The 2.0 KB that are promised, without the names of files: as these change with what is in them, some 15 to 24 bytes come to it.
    expect(gzipBytes(loader.replaceAll(/c\/[\w-]+\.js/g, "c/.js"))).toBeLessThanOrEqual(2030);
    expect(gzipBytes(overlay)).toBeLessThanOrEqual(16_000);
    expect(gzipBytes(commands)).toBeLessThanOrEqual(7470);
    // Sentences, for those alone who have asked for them.
    expect(gzipBytes(read(debugFile))).toBeLessThanOrEqual(3680);
    expect(gzipBytes(read(barFile))).toBeLessThanOrEqual(1755);
    expect(gzipBytes(read(sectionFile))).toBeLessThanOrEqual(2000);
    expect(gzipBytes(read(declineFile))).toBeLessThanOrEqual(10_200);
    for (const file of wordsFiles) expect(gzipBytes(read(file))).toBeLessThanOrEqual(1000);
  });

  test("has a loader that names the overlay and the commands, and nothing else", () => {
    expect(namedFiles(loader).sort()).toEqual([overlayFile, commandsFile].sort());
    expect(namedFiles(commands).sort()).toEqual([sectionFile, declineFile, debugFile, barFile].sort());
  });

  test("has an overlay that names each language once", () => {
    expect(new Set(wordsFiles).size).toBe(9);
    for (const file of wordsFiles) expect(read(file)).toMatch(/export\{\w+ as words\}/);
  });

  test("has one copy of what is drawn, which bars, sections and declined applications take from the overlay", () => {
    for (const file of [sectionFile, declineFile, barFile]) {
      // By the plain address first, and then under the end of its own, by which a file that failed is asked for once more.
      const imports =
        /import\([`"']\.\/([\w-]+\.js)[`"']\)\.catch\((\w)=>\{let (\w)=import\.meta\.url\.match\(\/#\+\$\/\);if\(!\3\)throw \2;return import\([`"']\.\/\1[`"']\+\3\)\}\)/g;
      const imported = [...read(file).matchAll(imports)].map((match) => `c/${match[1]}`);
      expect(imported).toEqual([overlayFile]);
      expect(read(file)).not.toMatch(/\bfrom"/);
    }
    for (const text of [overlay, commands]) expect(text).not.toMatch(/\bfrom"/);
  });

  test("has no script that nothing names", () => {
    const scripts = readdirSync(`${dist}c`).filter((file) => file.endsWith(".js"));
    expect(scripts.map((file) => `c/${file}`).sort()).toEqual(chunks.sort());
  });

  test("has a loader that is a classic script which any browser since 2018 can read", () => {
    const code = withoutNames(loader);
    expect(code).not.toMatch(/\bimport\.meta\b|\bexport\b|\brequire\b|\bmodule\b|\bdefine\b/);
    expect(code).not.toMatch(/\?\.[\w[(]|\?\?|\bclass\b|\|\|=|&&=/);
    expect(loader.match(/\bimport\(/g)).toHaveLength(1);
    expect(loader.startsWith("(function(){")).toBe(true);
  });

  test.each(all)("in %s neither evaluates text nor stores anything nor uses a beacon", (_file, built) => {
    const text = withoutNames(built);
    expect(text).not.toMatch(/\beval\(|\bnew Function\b/);
    expect(text).not.toMatch(/\blocalStorage\b|\bsessionStorage\b|\bindexedDB\b|\bdocument\.cookie\b/);
    expect(text).not.toMatch(/sendBeacon|\bunload\b|beforeunload/);
    expect(text).not.toMatch(/zod|sourceMappingURL|__vite/i);
  });

  test("writes to the console in one place, which is fetched only where a page's author asks for it", () => {
    const speaking = all.filter(([, text]) => /console\./.test(withoutNames(text ?? "")));
    expect(speaking.map(([file]) => file)).toEqual([debugFile]);
    expect(withoutNames(read(debugFile)).match(/console\./g)).toHaveLength(1);
  });
});

describe("the style sheets", () => {
  const folders = ["overlay", "overlay/style", "section", "bar"].map(
    (folder) => `${import.meta.dirname}/${folder}/`,
  );
  const sheets = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".css"))
      .map((file) => [file, readFileSync(folder + file, "utf8")] as const),
  );

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
