import { sessionIdOf } from "../../core/decline-session.ts";
import type { JournalEntry, ServerEventEntry } from "../../core/journal-entry.ts";
import { dayMs } from "../../core/utc-day.ts";
import { hashOf, served, visitOf } from "./journal-for-tests.ts";
import { terms } from "./random-visits-for-tests.ts";
import { sessionOf } from "./sessions-for-tests.ts";

/** Whatever is recorded beside a visit's own events: of servers, of decline sessions, and notes; in a random order. */
export function randomRest(random: () => number, count: number): JournalEntry[] {
  const upTo = (most: number): number => Math.floor(random() * most);
  const pick = <T>(items: readonly T[]): T => items[upTo(items.length)] as T;
  const start = Date.UTC(2026, 4, 4, 23, 59, 58);
  const at = (): number => start + upTo(3000);
  let now = start;
  const receivedAt = (): number => {
    now += upTo((16 * dayMs) / count);
    return now;
  };
  const offers = Object.entries(terms).map(([, { model, micros, ...rest }], index) => ({
    ...{ offer: index + 1, vertical: "games", payoutModel: model, priceMicros: micros },
    currency: "currency" in rest ? rest.currency : "EUR",
  }));
  /** Some of the visits that have events of their own, too. */
  const visit = () =>
    visitOf(random() < 0.5 ? `s${upTo(count / 4)}` : `r${upTo(count / 4)}`, {
      ...{ websiteId: 1 + upTo(3), country: pick(["DE", "US"]), device: upTo(2), at: at() },
      browser: pick([null, 1, 3]),
    });
  const serverEvent = (): ServerEventEntry => ({
    kind: "server_event",
    type: pick(["served", "impression", "click"]),
    visit: visit(),
    offer: pick(offers),
    observed: random() < 0.1 ? ["bot"] : [],
    viewer: random() < 0.7 ? { visitor: hashOf(`v${upTo(5)}`), network: hashOf(`n${upTo(3)}`) } : null,
    standsAlone: random() < 0.2,
    idempotency:
      random() < 0.5
        ? {
            ...{ scope: `key ${upTo(2)}`, key: `k${upTo(count / 8)}`, fingerprint: pick(["a", "a", "b"]) },
            isTooOld: random() < 0.2,
          }
        : null,
    // After a day, answers that were kept may go.
    receivedAt: receivedAt(),
  });
  const kinds: (() => JournalEntry)[] = [
    serverEvent,
    serverEvent,
    () => ({ ...served(visit(), [1 + upTo(4), 1 + upTo(4)]), kind: "noted" }),
    () => ({ kind: "drawn", visit: visit(), offers: [1 + upTo(4), 1 + upTo(4), 1 + upTo(4)] }),
    () => {
      const { readyAt: _, suppression: __, ...session } = sessionOf(upTo(1e9), at());
      return { kind: "decline_opened", session, opener: `o${upTo(9)}`.padEnd(16, "o") };
    },
    () => ({
      kind: "decline_triggered",
      sessionId: sessionIdOf(Buffer.from(String(upTo(9)).padStart(16, "0"))),
      ...{ websiteId: pick([7, 7, 7, 8]), vertical: "loans" },
      suppression: random() < 0.5 ? { vulnerable: true, names: [1] } : null,
      at: at(),
    }),
    () => {
      const host = `${pick(["a", "b"])}.example`;
      return {
        kind: "snippet_ping",
        ...{ websiteId: 1 + upTo(2), host, url: `https://${host}/${upTo(99)}`, scriptVersion: "1" },
        ...{ surface: "overlay", at: at() },
      };
    },
    () => ({ kind: "dismissed", visitor: hashOf(`v${upTo(20)}`), at: at() }),
    () => ({
      kind: "calls_refused",
      ...{ subject: `website:${upTo(2)}`, code: pick(["origin_not_registered", "rate_limited"]) },
      ...{ detail: `https://${upTo(30)}.example`, calls: 1 + upTo(3), at: at() },
    }),
    () => ({
      kind: "clicks_refused",
      cell: {
        ...{ websiteId: 1 + upTo(4), country: "DE", region: "", vertical: "games", surface: "overlay" },
        ...{ test: false, currency: "", device: 0 },
      },
      ...{ offer: 1, placement: pick([null, "standard", "premium"]), at: at(), clicks: 1 + upTo(5) },
    }),
    () => ({ kind: "key_used", keyId: pick(["key_1", "key_2"]), at: at() }),
    () => ({ kind: "grant_used", grantId: pick(["grant_1", "grant_2"]), at: at() }),
  ];
  const sessions: JournalEntry[] = Array.from({ length: 9 }, (_, number) => {
    const { readyAt: __, suppression: ___, ...session } = sessionOf(number, start);
    return { kind: "decline_opened", session, opener: "o".padEnd(16, "o") };
  });
  return [...sessions, ...Array.from({ length: count }, () => pick(kinds)())];
}
