import { afterEach, describe, expect, test } from "vitest";
import { mostSessions, pollVerdict } from "../../core/decline-session.ts";
import { factTypes } from "../../core/fact.ts";
import { type DatabaseUnderTest, type EngineUnderTest, readingOf } from "./engine-under-test.ts";
import { morning } from "./journal-for-tests.ts";
import { opening, own, sessionOf, trigger } from "./sessions-for-tests.ts";

/** A decline session between its opening and its end, whichever process is asked. */
export function describeSessions(engine: EngineUnderTest): void {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const newFile = async () => {
    const database = await engine.newDatabase();
    closing.push(database.close);
    const reading = readingOf(database);
    return {
      ...reading,
      node: async () => {
        const store = await database.open(() => morning);
        closing.push(store.close);
        return store;
      },
      blocked: async () =>
        (await reading.facts())
          .filter(({ type }) => type === factTypes.blocked)
          .map(({ request, surface, at, vertical }) => ({ request, surface, at, vertical })),
      counted: async () => (await reading.counters()).reduce((sum, { blocked }) => sum + blocked, 0),
    };
  };

  describe("a session in the store", () => {
    test("is found as it was opened, and with what its trigger said once it is ready", async () => {
      const file = await newFile();
      const store = await file.node();
      const session = sessionOf(1);
      expect(await store.declineSession(session.sessionId)).toBeNull();
      expect((await store.journal.append(opening(session))).session).toBe("pending");
      expect(await store.declineSession(session.sessionId)).toEqual(session);
      const suppression = { vulnerable: true, names: [3] };
      const outcome = await store.journal.append(trigger(session.sessionId, morning + 1000, { suppression }));
      expect(outcome).toMatchObject({ session: "ready", refusal: null });
      expect(await store.declineSession(session.sessionId)).toEqual({
        ...session,
        readyAt: morning + 1000,
        suppression,
      });
      expect(await file.blocked()).toEqual([
        {
          request: session.request,
          surface: "decline",
          at: morning + 1000,
          vertical: "loans",
        },
      ]);
    });

    test("is ready once: later triggers find it so and change nothing, and one visit is counted", async () => {
      const file = await newFile();
      const [one, two] = [await file.node(), await file.node()];
      const { sessionId } = sessionOf(1);
      await one.journal.append(opening(sessionOf(1)));
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 ? one : two).journal.append(
            trigger(sessionId, morning + at, { suppression: { vulnerable: false, names: [at] } }),
          ),
        ),
      );
      expect(outcomes.map(({ session }) => session)).toEqual(Array(20).fill("ready"));
      expect(outcomes.filter(({ addsNothing }) => addsNothing)).toHaveLength(19);
      const found = await one.declineSession(sessionId);
      expect(found?.suppression?.names).toEqual([(found?.readyAt ?? 0) - morning]);
      expect(await one.declineSession(sessionId)).toEqual(found);
      expect([(await file.blocked()).length, await file.counted()]).toEqual([1, 1]);
      expect(await file.differences()).toEqual([]);
    });

    test("is nobody else's to trigger, and stays as it is", async () => {
      const file = await newFile();
      const store = await file.node();
      const session = sessionOf(1);
      await store.journal.append(opening(session));
      const outcome = await store.journal.append(trigger(session.sessionId, morning, { websiteId: 8 }));
      expect(outcome).toMatchObject({ session: "unknown", addsNothing: true });
      expect(await store.declineSession(session.sessionId)).toEqual(session);
      expect([await file.blocked(), await file.counted()]).toEqual([[], 0]);
    });

    test("triggered on one node is soon ready on the other", async () => {
      const file = await newFile();
      const [one, two] = [await file.node(), await file.node()];
      const { sessionId } = sessionOf(1);
      await two.journal.append(opening(sessionOf(1)));
      const statusOnTwo = async () =>
        pollVerdict(await two.declineSession(sessionId), { ...own, now: morning + 1 }).outcome;
      expect(await statusOnTwo()).toBe("pending");
      await one.journal.append(trigger(sessionId, morning + 1));
      await expect.poll(statusOnTwo, { interval: 10 }).toBe("ready");
    });
  });

  describe("the places that a website has for sessions", () => {
    const { ofWebsite } = mostSessions;
    const kept = async (database: DatabaseUnderTest, websiteId: number = own.websiteId) =>
      (
        await database.db
          .selectFrom("decline_session")
          .selectAll()
          .where("website_id", "=", websiteId)
          .execute()
      ).length;

    test("are never more than are told, though two nodes give them away at once, and no ready one loses its place", async () => {
      const database = await engine.newDatabase();
      closing.push(database.close);
      const before = Array.from({ length: ofWebsite - 20 }, (_, number) => sessionOf(number));
      await database.record(before.map((session, number) => opening(session, number)));
      const [one, two] = [await database.open(() => morning), await database.open(() => morning)];
      closing.push(one.close, two.close);
      const first = sessionOf(0).sessionId;
      await one.journal.append(trigger(first, morning));
      const late = Array.from({ length: 100 }, (_, number) => sessionOf(ofWebsite + number));
      const outcomes = await Promise.all(
        late.map((session, number) =>
          (number % 2 ? one : two).journal.append(opening(session, 900_000 + number)),
        ),
      );
      expect(new Set(outcomes.map(({ session }) => session))).toEqual(new Set(["pending"]));
      expect(await kept(database)).toBe(ofWebsite);
      expect((await one.declineSession(first))?.readyAt).toBe(morning);
      // Eighty were one too many, so the eighty oldest behind the ready one have gone, and no other.
      const isThere = async (number: number) =>
        (await two.declineSession(sessionOf(number).sessionId)) !== null;
      expect([await isThere(1), await isThere(80), await isThere(81)]).toEqual([false, false, true]);
      for (const { sessionId } of late) expect(await one.declineSession(sessionId)).not.toBeNull();
      const elsewhere = { ...sessionOf(ofWebsite + 200), websiteId: 8 };
      expect((await one.journal.append(opening(elsewhere))).session).toBe("pending");
      expect([await kept(database), await kept(database, 8)]).toEqual([ofWebsite, 1]);
    }, 60_000);

    test("are taken from one network by itself first, however many it asks for", async () => {
      const database = await engine.newDatabase();
      closing.push(database.close);
      const others = Array.from({ length: ofWebsite - 5 }, (_, number) => sessionOf(number));
      await database.record(others.map((session, number) => opening(session, number)));
      const flood = Array.from({ length: 300 }, (_, number) => sessionOf(ofWebsite + number));
      await database.record(flood.map((session) => opening(session, 999_999)));
      const ids = (await database.db.selectFrom("decline_session").select("id").execute()).map(
        ({ id }) => id,
      );
      expect(ids).toHaveLength(ofWebsite);
      const left = new Set(ids);
      expect(others.every(({ sessionId }) => left.has(sessionId))).toBe(true);
      expect(flood.filter(({ sessionId }) => left.has(sessionId))).toEqual(flood.slice(-5));
    }, 60_000);

    test("are refused where every one has become ready", async () => {
      const database = await engine.newDatabase();
      closing.push(database.close);
      const all = Array.from({ length: ofWebsite }, (_, number) => sessionOf(number));
      await database.record(all.map((session) => opening(session)));
      await database.db.updateTable("decline_session").set({ ready_at: morning }).execute();
      const [refused, other] = await database.record([
        opening(sessionOf(ofWebsite)),
        opening({ ...sessionOf(ofWebsite + 1), websiteId: 8 }),
      ]);
      expect([refused?.session, other?.session]).toEqual(["too_many", "pending"]);
      expect(await kept(database)).toBe(ofWebsite);
    }, 60_000);
  });

  describe("a trigger that races the expiry", () => {
    test("200 times from 50 ms before to 50 ms after leaves exactly one end each", async () => {
      const file = await newFile();
      const [one, two] = [await file.node(), await file.node()];
      const sessions = Array.from({ length: 200 }, (_, number) => sessionOf(number));
      await Promise.all(sessions.map((session) => one.journal.append(opening(session))));
      const ends = await Promise.all(
        sessions.map(async ({ sessionId, expiresAt }, number) => {
          // -50 … 49 ms, each twice, the two nodes by turns.
          const at = expiresAt - 50 + Math.floor(number / 2);
          const [{ session: answer }, second] = await Promise.all([
            (number % 2 ? one : two).journal.append(trigger(sessionId, at)),
            (number % 2 ? two : one).journal.append(trigger(sessionId, at)),
          ]);
          expect(second.session).toBe(answer);
          const row = await one.declineSession(sessionId);
          const before = pollVerdict(row, { ...own, now: expiresAt - 1 }).outcome;
          const after = pollVerdict(row, { ...own, now: expiresAt }).outcome;
          return { inTime: at < expiresAt, answer, before, after };
        }),
      );
      const inTime = ends.filter((end) => end.inTime);
      expect(inTime).toHaveLength(100);
      for (const end of ends) {
        expect(end).toEqual(
          end.inTime
            ? { inTime: true, answer: "ready", before: "ready", after: "expired" }
            : { inTime: false, answer: "expired", before: "pending", after: "expired" },
        );
      }
      expect([(await file.blocked()).length, await file.counted()]).toEqual([100, 100]);
      expect(await file.differences()).toEqual([]);
    });
  });
}
