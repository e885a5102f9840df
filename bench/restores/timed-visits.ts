import { setTimeout as pause } from "node:timers/promises";
import type { MadeWebsite } from "../catalogue.ts";
import { type Answer, openHttpClient } from "../http-client.ts";
import { followLink, readingMs, reportEvent, requestOf, visitorAt, visitPage } from "../visitor.ts";

/** When an event was sent, and when the service said that it is kept (`performance.now()`); null: not yet. */
export type Timed = { sentAt: number; ackedAt: number | null };

export type TimedVisits = {
  /** By `request offer half`, as the books are read (`readStoredHalves`). */
  events: ReadonlyMap<string, Timed>;
  acks(): number;
  wrong: readonly string[];
  stop(): Promise<void>;
};

/** So many visitors at a time, one page after the other, each of whom sees an offer, tells of it and follows its link. */
export function visitOnAndOn(url: string, website: MadeWebsite, visitors: number): TimedVisits {
  const client = openHttpClient(url, visitors);
  const events = new Map<string, Timed>();
  const wrong: string[] = [];
  const state = { isOver: false, number: 0, acks: 0 };
  const acknowledge = (event: Timed): void => {
    event.ackedAt = performance.now();
    state.acks += 1;
  };
  const send = async (key: string, status: number, ask: () => Promise<Answer>): Promise<void> => {
    const event: Timed = { sentAt: performance.now(), ackedAt: null };
    events.set(key, event);
    const answer = await ask();
    if (answer.status === status) acknowledge(event);
    else wrong.push(`${key.split(" ").at(-1)} ${answer.status}`);
  };
  const visit = async (): Promise<void> => {
    const visitor = visitorAt(state.number++, website);
    const sentAt = performance.now();
    const { decision, offers } = await visitPage(client, website, visitor);
    const { requestId } = decision;
    const request = requestOf(requestId);
    for (const { id } of offers) {
      const event: Timed = { sentAt, ackedAt: null };
      events.set(`${request} ${id} served`, event);
      acknowledge(event);
    }
    const [offer] = offers;
    if (offer === undefined) throw new Error("no offers were handed out");
    await pause(readingMs);
    const key = `${request} ${offer.id}`;
    const report = (type: "impression" | "click") => () =>
      reportEvent(client, type, visitor, { requestId, offer });
    await send(`${key} impression`, 204, report("impression"));
    await send(`${key} beacon`, 204, report("click"));
    await send(`${key} hop`, 302, () => followLink(client, visitor, offer.url));
  };
  const all = Array.from({ length: visitors }, async (_, index) => {
    // Those who begin together would all read at once, and nobody would call meanwhile.
    await pause((index * readingMs) / visitors);
    while (!state.isOver) await visit().catch((error: unknown) => wrong.push(String(error)));
  });
  return {
    events,
    acks: () => state.acks,
    wrong,
    stop: async () => {
      state.isOver = true;
      await Promise.all(all);
      client.close();
    },
  };
}
