import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { setOfferStatus } from "../store/catalogue/offers.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

/** What the journal does with a click hop. */
const state: { refusal: Error | null; isFull: boolean } = { refusal: null, isFull: false };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    wrapStore: (store) => ({
      ...store,
      journal: {
        ...store.journal,
        append: (entry) =>
          state.refusal !== null && entry.kind === "click_hop"
            ? Promise.reject(state.refusal)
            : store.journal.append(entry),
        isFull: () => state.isFull,
      },
    }),
  });
});
afterAll(() => service.close());

/** Visitors of addresses of their own: a second click of one would be the first one's duplicate. */
let visitors = 0;
const visitNew = async () => {
  visitors += 1;
  const from = `203.0.113.${visitors}`;
  const { offers } = await service.visit({ from });
  const [offer] = offers;
  return { offerId: offer?.id ?? "", follow: () => service.follow(offer?.url ?? "", { from }) };
};

const billed = () => service.stored.table("ledger_line").filter(({ kind }) => kind === "click").length;
const clicks = () => service.stored.events("click").length;

describe("GET /v1/r without a store that takes the click", () => {
  it.each([
    [
      "another process holds the lock",
      new StorageUnavailable("the storage refuses to write (SQLITE_BUSY)", 1),
      false,
    ],
    ["the disk is full", new StorageUnavailable("the storage refuses to write (SQLITE_FULL)", 5), false],
    ["the queue is full", new StorageUnavailable("too many entries wait already", 1), true],
    ["the entry cannot be recorded", new Error("the entry could not be recorded: no such column"), false],
  ])("takes the visitor to the advertiser, unbilled and counted, while %s", async (_, refusal, isFull) => {
    const { follow } = await visitNew();
    const before = [billed(), clicks()];
    const told = service.errors.length;
    Object.assign(state, { refusal, isFull });
    const answer = await follow();
    Object.assign(state, { refusal: null, isFull: false });
    expect(answer.status).toBe(302);
    expect(new URL(answer.headers.location ?? "").hostname).toBe("brand.example");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect([billed(), clicks()]).toEqual(before);
    await expect.poll(() => service.errors.slice(told)).toEqual([{ event: "clicks_not_stored", clicks: 1 }]);
    expect((await follow()).status).toBe(302);
    expect([billed(), clicks()]).toEqual(before.map((count) => count + 1));
  });

  it("leads past a paused offer as ever", async () => {
    const { offerId, follow } = await visitNew();
    await service.change((catalogue) => setOfferStatus(catalogue, offerId, "paused"));
    state.refusal = new StorageUnavailable("the storage refuses to write (SQLITE_BUSY)", 1);
    const answer = await follow();
    state.refusal = null;
    expect(answer).toMatchObject({ status: 302, headers: { location: "https://shop-a.example/offers" } });
  });
});
