import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bill, type Component, licenceOf } from "./bill.ts";
import { type Locked, readLock } from "./shipped.ts";

/**
 * Licences of what may be shipped, each of which asks for no more than that its text and its notices go along; the two of
 * Creative Commons are for data alone. Whatever else turns up is for a person to read first, and then to add here.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  library: ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "Unicode-3.0", "Unlicense"],
  data: ["CC-BY-4.0", "CC-BY-SA-4.0", "PDDL-1.0"],
};

/** Components of a bill whose licence nobody has read yet, or that name none. */
export function unreadLicences({ components }: Bill): string[] {
  return components
    .filter((one) => !isOwn(one) && !(allowed[one.type] ?? []).includes(licenceOf(one)))
    .map((one) => `${one["bom-ref"]}: ${licenceOf(one) || "no licence"}`);
}

/**
 * The page that goes with what is shipped: the notes on the data as they stand in docs/licences.md, and of every package
 * of the bill its licence and its notices, word for word out of what is installed in `root`.
 */
export function licencePage(bill: Bill, root: string): string {
  const { name, version } = bill.metadata.component;
  const notes = readFileSync(join(root, "docs/licences.md"), "utf8");
  const installed = Object.entries(readLock(root).packages).filter(([path]) => existsSync(join(root, path)));
  const parts = bill.components
    .filter((one) => one.type !== "data" && !isOwn(one))
    .map(
      (one) =>
        `## ${nameOf(one)} ${one.version}\n\n${licenceOf(one)}\n\n${textsOf(one, folderOf(one, installed, root))}`,
    );
  return [
    `# ${name} ${version}: licences of what it contains`,
    notes.replace(/^# .*\n/, "").trim(),
    ...parts,
    "",
  ].join("\n\n");
}

/** The service's own workspaces are under the licence of the whole. */
const isOwn = (one: Component): boolean => one["bom-ref"].startsWith("@offers/");

/** npm gives a component the name of its package's folder, which lacks the scope. */
const nameOf = (one: Component): string => one["bom-ref"].replace(/@[^@]*$/, "");

const textsOf = (one: Component, folder: string): string => {
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice|unlicense)|\.licen[cs]e\.txt$/i.test(file))
    .sort();
  if (files.length > 0)
    return files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  const text = standardTexts[licenceOf(one)];
  if (text === undefined) throw new Error(`${one["bom-ref"]} has no file of its licence`);
  return `Copyright (c) the authors of ${nameOf(one)} (its package has no file of its licence)\n\n${text}`;
};

/** Where this version of a package is installed. Node is there for one platform; its text is the same for all. */
const folderOf = (one: Component, installed: Installed, root: string): string => {
  const isWanted = /^node-(linux|win|darwin)-/.test(one.name)
    ? (path: string) => /^node_modules\/node-(linux|win|darwin)-[a-z0-9]+$/.test(path)
    : (path: string) => path.endsWith(`node_modules/${nameOf(one)}`);
  const path = installed.find(([path, { version }]) => isWanted(path) && version === one.version);
  if (path === undefined) throw new Error(`${one["bom-ref"]} is not installed: run npm ci`);
  return join(root, path[0]);
};

type Installed = [path: string, locked: Locked][];

const standardTexts: Readonly<Record<string, string>> = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};
