import type { AdvertiserMonth } from "@offers/contract/dash/operator";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runBeside } from "../../admin/run-for-tests.ts";
import { byteOrderMark } from "../../core/csv-cell.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let operator: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  operator = await signedIn(service, { publishers: {}, isOperator: true });
  const { offers } = await service.visit();
  await service.follow(offers.find(({ brand }) => brand === "Best")?.url ?? "");
});
afterAll(() => service.close());

const path = "/dash/api/operator/advertisers/advertiser_1/statement";
const ofCommandLine = async (month: string, more: string) => {
  const words = ["statement", "--advertiser", "advertiser_1", "--month", month, more];
  return runBeside(service, words);
};

test("an advertiser's month is told as the command line tells it", async () => {
  const month = (await operator.get(`${path}?month=2026-11`)).json<AdvertiserMonth>();
  expect(month).toEqual({
    ...{ month: "2026-11", currency: "EUR", opening: 0, closing: 999_600_000, differences: [] },
    payments: [
      {
        line: 1,
        at: Date.parse("2026-11-20T12:00:00Z"),
        kind: "deposit",
        amount: 1_000_000_000,
        currency: "EUR",
        note: null,
      },
    ],
    items: [
      {
        ...{ offerId: "offer_best", brand: "Best", title: "best", currency: "EUR" },
        ...{ billableClicks: 1, billedViews: 0, spend: 400_000 },
      },
    ],
    check: "adds up to the ledger: 2 lines",
    finality: "not final: visits of its last day may be billed until 2026-12-02T01:00Z",
  });
  const { out, err } = await ofCommandLine("2026-11", "--csv");
  expect(err).toBe(`note: ${month.check}\nnote: ${month.finality}\n`);
  const file = await operator.get(`${path}?month=2026-11&format=csv`);
  expect(file.text.trimEnd()).toBe(byteOrderMark + out.trimEnd());
  expect(file.headers["content-disposition"]).toBe(
    'attachment; filename="statement-advertiser_1-2026-11.csv"',
  );
  const before = (await operator.get(`${path}?month=2026-10`)).json<AdvertiserMonth>();
  expect(before).toMatchObject({
    ...{ opening: 0, closing: 0, payments: [], items: [] },
    finality: expect.stringMatching(/^final: /),
  });
});

test("it is refused to all but operators, of a month that is none, and of nobody", async () => {
  const owner = await signedIn(service);
  for (const format of ["json", "csv"]) {
    const refused = await owner.get(`${path}?month=2026-11&format=${format}`);
    expect(refused.json()).toMatchObject({ status: 404, code: "not_found" });
    const unknown = path.replace("advertiser_1", "advertiser_none");
    expect((await operator.get(`${unknown}?month=2026-11&format=${format}`)).status).toBe(404);
  }
  const wrong = await operator.get(`${path}?month=2026-13`);
  expect(wrong.json()).toMatchObject({
    status: 400,
    errors: [{ parameter: "month", message: expect.stringContaining("must be a month such as 2026-11") }],
  });
  expect((await operator.get(path)).status).toBe(400);
});

test("sums that no number of JSON can hold have all their digits", async () => {
  for (let line = 0; line < 2; line += 1) {
    await sql`insert into ledger_line (at, day, kind, advertiser, micros, currency)
      select at, day, 'deposit', advertiser, ${Number.MAX_SAFE_INTEGER}, currency from ledger_line where id = 1`.execute(
      service.catalogue.db,
    );
  }
  const month = (await operator.get(`${path}?month=2026-11`)).json<AdvertiserMonth>();
  expect(month.differences).toEqual([
    { offerId: null, figure: "closing", ledger: "18014399509081982", recorded: 999_600_000 },
  ]);
  expect(month.check).toBe(
    "figures on which the ledger and the balance or the budgets differ: 1 (ledger lines: 4)",
  );
});
