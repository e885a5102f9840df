import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newOperator, type Operator } from "./operator-for-tests.ts";

let operator: Operator;
beforeAll(() => {
  operator = newOperator();
});
afterAll(() => operator.leave());

const write = (name: string, text: string): string => {
  const file = join(operator.dataDir, name);
  writeFileSync(file, text);
  return file;
};

describe("networks check", () => {
  it("tells which list an address is in", async () => {
    expect(await operator.done("networks check 66.249.66.1 3.8.0.1 --address 2003:d0::1")).toEqual([
      { address: "66.249.66.1", list: "search_engine" },
      { address: "3.8.0.1", list: "datacenter" },
      { address: "2003:d0::1", list: null },
    ]);
    const { out } = await operator.run(["networks", "check", "3.8.0.1"]);
    expect(out).toMatch(/^ADDRESS +LIST\n3\.8\.0\.1 +datacenter\n$/);
  });

  it.each([
    [["networks", "check"], /--address is missing/],
    [["networks", "check", "3.8.0"], /"3\.8\.0" is no address/],
    [
      ["networks", "update", "--list", "hotels", "--file", "f"],
      /--list: must be one of datacenter, search_engine/,
    ],
    [["networks", "update", "--list", "datacenter"], /--file is missing/],
  ])("refuses %j", async (words, message) => {
    const { code, err } = await operator.run(words);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe("networks status and networks update", () => {
  it("tell which lists answer, and put what others publish in their place", async () => {
    const before = await operator.done("networks status");
    expect(before.map(({ list }: { list: string }) => list)).toEqual(["datacenter", "search_engine"]);
    expect(before[0]).toMatchObject({ date: "2026-08-22", ageDays: 90, warning: null });

    const google = write("cloud.json", '{"prefixes":[{"ipv4Prefix":"203.0.113.0/25"}]}');
    const feed = write("feed.csv", "203.0.113.128/25,NL,,,\n203.0.113.0/25,NL,,,\n");
    const after = await operator.done("networks update --list datacenter --file", google, "--file", feed);
    expect(after).toMatchObject([{ list: "datacenter", date: "2026-11-20", ageDays: 0, networks: 2 }]);
    expect(await operator.done("networks check 203.0.113.200 3.8.0.1 66.249.66.1")).toMatchObject([
      { list: "datacenter" },
      { list: null },
      { list: "search_engine" },
    ]);

    const bad = write("bad.json", "<html>");
    const refused = await operator.run([
      ...["networks", "update", "--list", "datacenter", "--file", google, "--file", bad],
    ]);
    expect(refused.code).toBe(2);
    expect(refused.err).toMatch(/--file: .*bad\.json cannot be used, and nothing was changed: line 1/);
    expect((await operator.done("networks status"))[0]).toEqual(after[0]);

    expect(await operator.done("networks update --list datacenter --file none")).toMatchObject([
      { networks: 0 },
    ]);
    expect(await operator.done("networks check 203.0.113.200")).toMatchObject([{ list: null }]);
  });

  it("say in a line that the list cannot be written, which is not the fault of what others publish", async () => {
    const other = newOperator();
    writeFileSync(join(other.dataDir, "networks"), "a file where the directory should be");
    const file = write("fine.txt", "203.0.113.0/25\n");
    const refused = await other.run(["networks", "update", "--list", "datacenter", "--file", file]);
    expect(refused).toMatchObject({ code: 3, out: "" });
    expect(refused.err).toMatch(/^cannot write \S+datacenter\.txt \(E[A-Z]+\); nothing was changed\n$/);
    await other.leave();
  });

  it("say that a list is old", async () => {
    operator.outside.now = Date.parse("2027-11-21T12:00:00Z");
    const { err } = await operator.run(["networks", "status"]);
    expect(err).toMatch(/^note: The list of networks \(datacenter\) is of 2026-11-20, 366 days old\.$/m);
  });

  it("say that an updated list has become unreadable, and by what they tell instead", async () => {
    write("networks/datacenter.txt", "junk");
    for (const words of [["status"], ["check", "3.8.0.1"]]) {
      const { err, code } = await operator.run(["networks", ...words]);
      expect(err).toMatch(
        /^note: .*datacenter\.txt cannot be used: it says no date.* one that starts takes the one/m,
      );
      expect(code).toBe(0);
    }
    expect(await operator.done("networks check 3.8.0.1")).toMatchObject([{ list: "datacenter" }]);
  });
});
