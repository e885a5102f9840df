import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { JournalOutcome } from "../../core/journal-entry.ts";
import { showEvents } from "../../testing/stored-rows.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import { addAdvertiser, addOffer } from "../conformance/journal-for-tests.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Acknowledged = JournalOutcome & { kind: string; request: string };

/** Runs the appenders until `enough` entries are acknowledged, kills them in mid-work, and returns all they said. */
const runAndKill = async (file: string, round: number, enough: number): Promise<Acknowledged[]> => {
  const program = fileURLToPath(new URL("./crash-appenders-for-tests.ts", import.meta.url));
  const child = spawn(process.execPath, [program, file, `k${round}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "ready") continue;
    // The last line may have been cut in two by the kill: what it would have said is then not known.
    if (line.endsWith("}")) acknowledged.push(JSON.parse(line));
    if (acknowledged.length === enough) child.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
  return acknowledged;
};

test("five kills under 32 appenders: nothing acknowledged is lost or doubled, and every figure adds up", async () => {
  const { file, db, sqlite, close } = await newCatalogueFile(tmpdir());
  closing.push(close);
  await addAdvertiser(db, "advertiser_1", 1_000_000_000);
  for (const id of ["offer_1", "offer_2"]) {
    await addOffer(db, { id, advertiser: "advertiser_1", payoutMicros: 1000, total_click_cap: 700 });
  }
  const acknowledged: Acknowledged[] = [];
  // Different lengths, so that the kills do not all meet the same moment of a batch.
  for (const [round, enough] of [811, 1503, 1207, 2010, 967].entries()) {
    acknowledged.push(...(await runAndKill(file, round, enough)));
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(6498);

  expect(sqlite.pragma("integrity_check", { simple: true })).toBe("ok");
  showEvents(sqlite);
  const events = sqlite
    .prepare<[], { id: string; type: string; request: string; billed_micros: number | null }>(
      "select id, type, request, billed_micros from event",
    )
    .all();
  const byId = new Map(events.map((event) => [event.id, event]));
  const servedRequests = new Set(
    events.filter(({ type }) => type === "served").map(({ request }) => request),
  );
  const lost = acknowledged.filter(({ kind, eventId, request }) =>
    kind === "served" ? !servedRequests.has(request) : eventId === null || !byId.has(eventId),
  );
  expect(lost).toEqual([]);

  const billed = acknowledged.filter(({ billedMicros }) => billedMicros !== null);
  expect(billed.length).toBeGreaterThan(500);
  for (const { eventId, billedMicros } of billed) {
    expect(eventId && byId.get(eventId)?.billed_micros).toBe(billedMicros);
  }
  const lines = await db
    .selectFrom("ledger_line")
    .select(["request", "offer"])
    .where("kind", "=", "click")
    .execute();
  const billings = lines.map(
    ({ request, offer }) => `${Buffer.from(request ?? []).toString("hex")} ${offer}`,
  );
  expect(new Set(billings).size).toBe(lines.length);
  // What was committed while its acknowledgement was on the way is all that may stand beyond the acknowledged.
  expect(lines.length - billed.length).toBeGreaterThanOrEqual(0);
  expect(lines.length - billed.length).toBeLessThanOrEqual(5 * 32);
  const doubled = sqlite
    .prepare("select 1 from event where first = 1 group by request, offer_id, type having count(*) > 1")
    .all();
  expect(doubled).toEqual([]);

  expect((await recount(db)).differences).toEqual([]);
  expect((await audit(db)).differences).toEqual([]);
});
