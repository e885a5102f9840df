import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileIdentity } from "./file-identity.ts";

test("a file whose rights have changed is another one, since it may be read now", async () => {
  const folder = mkdtempSync(join(tmpdir(), "identity-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "own.mmdb");
  writeFileSync(file, "");
  const before = fileIdentity(file);
  expect(fileIdentity(file)).toEqual(before);
  // The system notes times by ticks of some milliseconds.
  await expect
    .poll(() => {
      chmodSync(file, 0o640);
      return fileIdentity(file).is;
    })
    .not.toBe(before.is);
});
