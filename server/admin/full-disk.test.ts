import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, setUp } from "./operator-for-tests.ts";

let operator: Operator;
beforeEach(async () => {
  operator = newOperator();
  await setUp(operator);
  mkdirSync(join(operator.dataDir, "disk"));
});
afterEach(() => operator.leave());

/**
 * One command at a disk of 1,500 kB, which holds a copy of the operator's database and, when `freeKilobytes` is not
 * null, so much else that only this is left.
 */
const onSmallDisk = (home: string, freeKilobytes: number | null, dataDir: string, ...words: string[]) => {
  const script = `
    mount -t tmpfs -o size=1500k none disk
    cp offers.sqlite disk
    if [ -n "$FREE" ]; then
      free=$(df --output=avail -k disk | tail -n 1)
      head -c $(((free - FREE) * 1024)) /dev/zero > disk/other
    fi
    "$@"`;
  const program = [process.execPath, join(import.meta.dirname, "main.ts"), ...words];
  return spawnSync("unshare", ["--map-root-user", "--mount", "sh", "-eu", "-c", script, "sh", ...program], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, FREE: String(freeKilobytes ?? "") },
    encoding: "utf8",
  });
};

/** A disk of one's own takes user namespaces, which some machines do not allow. */
const canMount =
  spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", tmpdir()]).status === 0;

describe.skipIf(!canMount)("on a full disk, a command says so in a line and changes nothing:", () => {
  const noRoom = /^the disk of \S+ is full; nothing was changed: make room and try again\n$/;

  test("when there is no room to open the database", () => {
    const { dataDir } = operator;
    const made = onSmallDisk(dataDir, 0, join(dataDir, "disk"), "publisher", "create", "--name", "B");
    expect(made).toMatchObject({ status: 3, stdout: "", stderr: expect.stringMatching(noRoom) });
  });

  test("when the room ends in the middle of a change", async () => {
    const { dataDir } = operator;
    const file = join(dataDir, "offers.csv");
    await operator.done("offer export --file", file);
    const [header = "", offer = ""] = readFileSync(file, "utf8").split("\n");
    const another = offer.replace(/^[^,]*/, "");
    writeFileSync(file, `${[header, ...Array(3000).fill(another)].join("\n")}\n`);
    const full = onSmallDisk(dataDir, 400, join(dataDir, "disk"), "offer", "import", "--file", file);
    expect(full).toMatchObject({ status: 3, stdout: "", stderr: expect.stringMatching(noRoom) });
  });

  test("when a backup does not fit", () => {
    const { dataDir } = operator;
    const to = join(dataDir, "disk", "backup.sqlite");
    const full = onSmallDisk(dataDir, 100, dataDir, "backup", "--to", to);
    expect(full).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^--to: has no room on its disk\nsee: .*\n$/),
    });
  });

  test("and with room enough, each of them works", () => {
    const { dataDir } = operator;
    const disk = join(dataDir, "disk");
    expect(onSmallDisk(dataDir, null, disk, "publisher", "create", "--name", "B").status).toBe(0);
    expect(onSmallDisk(dataDir, null, dataDir, "backup", "--to", join(disk, "backup.sqlite"))).toMatchObject({
      status: 0,
      stderr: "",
    });
  });
});
