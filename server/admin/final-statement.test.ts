import { expect, test } from "vitest";
import { useEventService } from "../testing/event-service.ts";
import { runBeside } from "./run-for-tests.ts";

const on = useEventService();

/** Brings the clock of the service, and of whoever reads statements, to a moment. */
const goTo = (moment: string) => on.service.moveClock(Date.parse(moment) - on.service.context.clock());

const statement = async (...of: string[]) => {
  const { out, err } = await runBeside(on.service, ["statement", ...of, "--month", "2026-11", "--json"]);
  if (err !== "") throw new Error(err);
  return JSON.parse(out);
};
const statements = async () => [
  await statement("--publisher", "publisher_a"),
  await statement("--advertiser", "advertiser_1"),
];
/** A server reports, as late as may be, what was seen on the month's last day. */
const seen = (requestId: string) =>
  on.a.accept({
    ...{ type: "impression", websiteKey: "ws_a", offerId: "offer_cpm", requestId },
    ts: "2026-11-30T23:59:59.999Z",
  });

test("a month's statement is final when nothing can be billed on its last day any more, and not before", async () => {
  goTo("2026-11-30T23:59:58.999Z");
  const first = await on.service.visit();
  // A visit of the month's last millisecond.
  const last = await on.service.visit();
  expect(await statements()).toMatchObject([
    { items: [], final: false },
    { items: [], final: false },
  ]);

  goTo("2026-12-01T23:59:59.999Z");
  expect(await seen(last.decision.requestId)).toMatchObject({ accepted: true });
  const billed = await statements();
  expect(billed).toMatchObject([
    { items: [{ billedViews: 1, spend: 1000 }], final: false },
    { items: [{ billedViews: 1, spend: 1000 }], final: false },
  ]);

  goTo("2026-12-02T00:59:59.999Z");
  expect(await statements()).toEqual(billed);
  on.service.moveClock(1);
  const late = await seen(first.decision.requestId);
  expect(late).toMatchObject({ accepted: false, reason: "expired" });
  const final = { final: true, finalFrom: "2026-12-02T01:00:00.000Z" };
  expect(await statements()).toEqual(billed.map((one) => ({ ...one, ...final })));
});
