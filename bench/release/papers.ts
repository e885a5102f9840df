import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readBill } from "./bill.ts";
import { licencePage, unreadLicences } from "./licences.ts";

// `npm run release:papers -- --to DIR`: the bill of materials and the licences of everything in it, for an image and a
// release. Ends with 1 where a licence turns up that nobody has read.
const { values } = parseArgs({ options: { to: { type: "string" } } });
if (values.to === undefined) throw new Error("name a folder: npm run release:papers -- --to DIR");
const root = join(import.meta.dirname, "../..");
const bill = readBill(root);
const unread = unreadLicences(bill);
for (const line of unread) process.stderr.write(`not on the list of licences: ${line}\n`);
mkdirSync(values.to, { recursive: true });
writeFileSync(join(values.to, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
writeFileSync(join(values.to, "third-party-licences.md"), licencePage(bill, root));
process.exitCode = unread.length === 0 ? 0 : 1;
