import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Service, startService } from "../service.ts";
import { stopping } from "../stopping.ts";
import { bubblewrap, productionSettings, whyNoBubblewrap } from "./enclosures.ts";

const reason = whyNoBubblewrap();
if (reason !== null) console.warn(`the service is not tried under the unit's restrictions: ${reason}`);

const options = { enclosure: bubblewrap, environment: productionSettings() };

/** What the kernel says of process 1, by its number outside. */
const statusOf = (service: Service): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${bubblewrap.signalled(service.pid)}/status`, "utf8")
      .split("\n")
      .map((line) => line.split(/:\s+/) as [string, string]),
  );

describe.skipIf(reason !== null)("read-only, without root, as process 1", () => {
  test("the service starts, and has no right and no place to write but its data directory", async () => {
    const service = await startService(options);
    try {
      const status = statusOf(service);
      expect(status.NSpid?.split("\t").at(-1)).toBe("1");
      for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
        expect(Number.parseInt(status[set] ?? "1", 16), set).toBe(0);
      expect(status.NoNewPrivs).toBe("1");
      const inside = `/proc/${bubblewrap.signalled(service.pid)}`;
      const writable = readFileSync(`${inside}/mountinfo`, "utf8")
        .split("\n")
        .flatMap((line) => (/^rw\b/.test(line.split(" ")[5] ?? "") ? [line.split(" ")[4] ?? ""] : []))
        .filter((path) => !path.startsWith("/dev") && !path.startsWith("/proc"));
      expect(writable.sort()).toEqual(["/tmp", "/var/lib/offers"]);
      expect(readFileSync(`${inside}/uid_map`, "utf8").trim().split(/\s+/)[0]).toBe("10001");
      expect(readdirSync(service.dataDir)).toContain("offers.sqlite");
      for (const file of readdirSync(service.dataDir))
        expect(statSync(join(service.dataDir, file)).mode & 0o077, file).toBe(0);
      expect(await service.admin("publisher", "list")).toEqual([]);
    } finally {
      const started = performance.now();
      expect(await service.terminate()).toBe(0);
      expect(performance.now() - started).toBeLessThan(10_000);
      await service.stop();
    }
  });

  test("SIGTERM under load ends it with 0 in time, answers what was taken, and the next start loses nothing", async () => {
    const checks = await stopping(
      { clients: 24, stops: 2, loadMs: 1000, stopMs: 15_000, mostTurnedAway: 25 },
      options,
    );
    expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  }, 120_000);
});
