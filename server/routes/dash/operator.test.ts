import { dashEndpoints } from "@offers/contract/dash/endpoints";
import type {
  AdvertiserPage,
  LedgerPage,
  MadePartner,
  Now,
  OfferFileOutcome,
  OfferList,
  OfferPage,
  PartnerRow,
  PublisherPage,
  Quality,
  UserRow,
} from "@offers/contract/dash/operator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKnownNetworks } from "../../geo/known-networks.ts";
import { listActivity } from "../../store/catalogue/activity.ts";
import { depositToAdvertiser } from "../../store/catalogue/payments.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { engineOfTests } from "../../testing/engine-of-tests.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let operator: DashCalls;
let owner: DashCalls;
beforeAll(async () => {
  service = await startTestService({
    networks: createKnownNetworks({
      datacenter: { date: "2024-01-01", networks: ["203.0.113.192/27"] },
      search_engine: { date: "2026-11-01", networks: ["203.0.113.208/28"] },
    }),
  });
  operator = await signedIn(service, { publishers: {}, isOperator: true, name: "Olga" });
  owner = await signedIn(service);
});
afterAll(() => service.close());

const base = "/dash/api/operator";
const offer = {
  advertiserId: "advertiser_1",
  brand: "Fresh",
  vertical: "games",
  title: "A fresh one",
  geoCoverage: ["DE"],
  payoutModel: "CPC",
  payoutMicros: 200_000,
  landingUrl: "https://fresh.example/?c={click_id}",
};

describe("the operator's interface", () => {
  it("does not exist for anybody else, whatever is asked of it", async () => {
    const rows = dashEndpoints.filter(({ path }) => path.startsWith(`${base}/`));
    expect(rows.length).toBeGreaterThan(20);
    for (const { method, path } of rows) {
      const target = path
        .replace(":advertiser", "advertiser_1")
        .replace(":offer", "offer_best")
        .replace(":publisher", "publisher_a")
        .replace(":client", "client_none")
        .replace(":user", String(owner.userId));
      const answer = method === "GET" ? await owner.get(target) : await owner.change(method, target, {});
      expect(answer.json(), `${method} ${path}`).toMatchObject({ status: 404, code: "not_found" });
    }
  });

  it("wants the password of the last quarter of an hour for money and for people", async () => {
    const late = await signedIn(service, { publishers: {}, isOperator: true, signedInMsAgo: 16 * 60_000 });
    for (const [method, path, body] of [
      ["POST", "/advertisers/advertiser_1/deposits", { amount: "1" }],
      ["POST", "/advertisers/advertiser_1/adjustments", { amount: "-1", note: "n" }],
      ["POST", "/users", { email: "late@example.com" }],
      ["PATCH", `/users/${owner.userId}`, { isDisabled: true }],
      ["POST", `/users/${owner.userId}/links`, {}],
      ["POST", "/publishers/publisher_a/invitations", { email: "late@example.com" }],
      ["POST", "/partners", { name: "Late", redirectUris: ["https://late.example/"] }],
      ["DELETE", "/partners/client_none", {}],
    ] as const) {
      const answer = await late.change(method, base + path, body);
      expect(answer.json(), path).toMatchObject({ status: 403, code: "sign_in_again" });
    }
    expect((await owner.get("/dash/api/me")).status).toBe(200);
  });
});

describe("advertisers", () => {
  const deposit = (id: string, body: object) =>
    operator.change("POST", `${base}/advertisers/${id}/deposits`, body);
  const adjust = (id: string, body: object) =>
    operator.change("POST", `${base}/advertisers/${id}/adjustments`, body);

  it("are made without money, and are paid for to the last micro-unit", async () => {
    const made = await operator.change("POST", `${base}/advertisers`, {
      name: "Brightwave",
      balanceMicros: 5,
    });
    expect(made.status, made.text).toBe(201);
    const { advertiserId } = made.json<{ advertiserId: string }>();
    expect((await operator.get(`${base}/advertisers/${advertiserId}`)).json()).toMatchObject({
      name: "Brightwave",
      depositedMicros: 0,
      currency: "EUR",
      days: [],
    });
    const paid = await deposit(advertiserId, { amount: "250.000001" });
    expect(paid.status, paid.text).toBe(201);
    expect(paid.json()).toMatchObject({ depositedMicros: 250_000_001, balanceMicros: 250_000_001 });
    const ledger = (await operator.get(`${base}/advertisers/${advertiserId}/ledger`)).json<LedgerPage>();
    expect(ledger).toMatchObject({
      items: [{ kind: "deposit", micros: 250_000_001, currency: "EUR", note: null }],
      before: null,
    });
  });

  it.each([
    [{ amount: "250,00" }, "amount"],
    [{ amount: "0.00" }, "amount"],
    [{ amount: "-1" }, "amount"],
    [{ amount: 250 }, "amount"],
    [{ amount: "1", currency: "USD" }, "currency"],
    [{ amount: "9007199254.740991" }, "micros", /above 9007199254\.740991/],
    [{ amount: "1", note: "a\nb" }, "note"],
    [{ amount: "1", note: "x".repeat(201) }, "note"],
  ])("refuse the deposit %j, and keep what they have", async (body, parameter, says = /./) => {
    const before = (await operator.get(`${base}/advertisers/advertiser_1`)).json<AdvertiserPage>();
    const answer = await deposit("advertiser_1", body);
    expect(answer.json(), answer.text).toMatchObject({
      status: 400,
      errors: [{ parameter, message: expect.stringMatching(says) }],
    });
    const after = (await operator.get(`${base}/advertisers/advertiser_1`)).json<AdvertiserPage>();
    expect(after.depositedMicros).toBe(before.depositedMicros);
  });

  it("tell no day on which links were followed and nothing was billed", async () => {
    const before = (await operator.get(`${base}/advertisers/advertiser_1`)).json<AdvertiserPage>();
    const visit = await service.visit();
    const best = visit.offers.find(({ id }) => id === "offer_best");
    expect(
      (await service.follow(best?.url ?? "", { headers: { "user-agent": "Googlebot/2.1" } })).status,
    ).toBe(302);
    const after = (await operator.get(`${base}/advertisers/advertiser_1`)).json<AdvertiserPage>();
    expect({ before: before.days, after: after.days }).toEqual({ before: [], after: [] });
  });

  it("tell what was billed: by day, and line by line, a page at a time", async () => {
    const visit = await service.visit();
    const best = visit.offers.find(({ id }) => id === "offer_best");
    await service.follow(best?.url ?? "");
    const account = (await operator.get(`${base}/advertisers/advertiser_1`)).json<AdvertiserPage>();
    expect(account).toMatchObject({
      spentMicros: 400_000,
      spentTodayMicros: 400_000,
      balanceMicros: account.depositedMicros - 400_000,
      days: [{ date: "2026-11-20", spentMicros: 400_000, billedClicks: 1 }],
    });
    const path = `${base}/advertisers/advertiser_1/ledger`;
    const lines = (await operator.get(path)).json<LedgerPage>();
    expect(lines.items[0]).toMatchObject({
      kind: "click",
      micros: -400_000,
      currency: "EUR",
      offerId: "offer_best",
      title: expect.stringMatching(/./),
      websiteKey: "ws_a",
    });
    const [line] = lines.items;
    const older = (await operator.get(`${path}?before=${line?.id}`)).json<LedgerPage>();
    expect(older.items.map(({ kind }) => kind)).toEqual(["deposit"]);
    const deposits = (await operator.get(`${path}?kind=deposit`)).json<LedgerPage>();
    expect(deposits.items.every(({ kind }) => kind === "deposit")).toBe(true);
    expect((await operator.get(`${path}?before=x`)).status).toBe(400);
    expect((await operator.get(`${base}/advertisers`)).json<{ items: object[] }>().items).toHaveLength(2);
  });

  it("are paid for once by whoever got no answer and sends it again", async () => {
    const made = await operator.change("POST", `${base}/advertisers`, { name: "Hearthside" });
    const { advertiserId } = made.json<{ advertiserId: string }>();
    const meant = { amount: "5000", depositedMicros: 0 };
    expect((await deposit(advertiserId, meant)).status).toBe(201);
    const again = await deposit(advertiserId, meant);
    expect(again.json()).toMatchObject({ status: 400, errors: [{ parameter: "amount" }] });
    expect((await operator.get(`${base}/advertisers/${advertiserId}`)).json()).toMatchObject({
      depositedMicros: 5_000_000_000,
    });
    expect((await deposit(advertiserId, { amount: "1", depositedMicros: 5_000_000_000 })).status).toBe(201);
  });

  it("pay in a currency of their own, and in no other", async () => {
    const made = await operator.change("POST", `${base}/advertisers`, { name: "Skyhop", currency: "USD" });
    const { advertiserId } = made.json<{ advertiserId: string }>();
    expect((await operator.get(`${base}/advertisers/${advertiserId}`)).json()).toMatchObject({
      currency: "USD",
    });
    for (const pay of [deposit, adjust]) {
      const answer = await pay(advertiserId, { amount: "1", currency: "EUR", note: "n" });
      expect(answer.json()).toMatchObject({ status: 400, errors: [{ parameter: "currency" }] });
    }
    const wrong = await operator.change("POST", `${base}/advertisers`, { name: "Skyhop", currency: "usd" });
    expect(wrong.json()).toMatchObject({ status: 400, errors: [{ parameter: "currency" }] });
  });

  it("are given back what was paid in and is not spent, line by line with what it was for", async () => {
    const made = await operator.change("POST", `${base}/advertisers`, { name: "Mistyped" });
    const { advertiserId } = made.json<{ advertiserId: string }>();
    await deposit(advertiserId, { amount: "500", note: "INV-2026-0117" });
    const taken = await adjust(advertiserId, {
      amount: "-450.00",
      note: "Was 50",
      depositedMicros: 500_000_000,
    });
    expect(taken.status, taken.text).toBe(201);
    expect(taken.json()).toMatchObject({ depositedMicros: 50_000_000, balanceMicros: 50_000_000 });
    const again = await adjust(advertiserId, {
      amount: "-450",
      note: "Was 50",
      depositedMicros: 500_000_000,
    });
    expect(again.json()).toMatchObject({ status: 400, errors: [{ parameter: "amount" }] });
    expect((await adjust(advertiserId, { amount: "0.5", note: "A gift" })).status).toBe(201);
    const { items } = (
      await operator.get(`${base}/advertisers/${advertiserId}/ledger?kind=deposit`)
    ).json<LedgerPage>();
    expect(items).toMatchObject([
      { kind: "adjustment", micros: 500_000, note: "A gift" },
      { kind: "adjustment", micros: -450_000_000, note: "Was 50" },
      { kind: "deposit", micros: 500_000_000, note: "INV-2026-0117" },
    ]);
  });

  it.each([
    [{ amount: "-1" }, "note", /./],
    [{ amount: "-1", note: " " }, "note", /./],
    [{ amount: "-1,5", note: "n" }, "amount", /a point/],
    [{ amount: "-0", note: "n" }, "amount", /must not be nothing/],
    [{ amount: "-1000.000001", note: "n" }, "micros", /^must not take away more than 1000\.00 EUR /],
  ])("refuse the adjustment %j, and keep what they have", async (body, parameter, says) => {
    const made = await operator.change("POST", `${base}/advertisers`, { name: "Kept" });
    const { advertiserId } = made.json<{ advertiserId: string }>();
    await deposit(advertiserId, { amount: "1000" });
    expect((await adjust(advertiserId, body)).json()).toMatchObject({
      status: 400,
      errors: [{ parameter, message: expect.stringMatching(says) }],
    });
    const { items } = (await operator.get(`${base}/advertisers/${advertiserId}/ledger`)).json<LedgerPage>();
    expect(items.map(({ kind }) => kind)).toEqual(["deposit"]);
  });

  it("that are unknown are not found", async () => {
    for (const path of ["", "/ledger"]) {
      expect((await operator.get(`${base}/advertisers/advertiser_none${path}`)).status).toBe(404);
    }
    expect((await deposit("advertiser_none", { amount: "1" })).status).toBe(404);
    expect((await adjust("advertiser_none", { amount: "1", note: "n" })).status).toBe(404);
    expect((await operator.change("POST", `${base}/advertisers`, { name: " " })).status).toBe(400);
  });
});

describe("offers", () => {
  const list = async (query: string) => (await operator.get(`${base}/offers${query}`)).json<OfferList>();

  it("are made, changed, and paused, and the service goes by it", async () => {
    const made = await operator.change("POST", `${base}/offers`, offer);
    expect(made.status, made.text).toBe(201);
    const { offerId } = made.json<{ offerId: string }>();
    const path = `${base}/offers/${offerId}`;
    const handsOut = async () => {
      await service.change(async () => undefined);
      return (await service.visit()).offers.some(({ id }) => id === offerId);
    };
    const cheaper = { payoutMicros: 150_000, locales: { de: { title: "Ein frisches" } }, imageUrl: null };
    const changed = await operator.change("PATCH", path, cheaper);
    expect(changed.json()).toEqual((await operator.get(path)).json());
    expect(changed.json<OfferPage>()).toMatchObject({
      payoutMicros: 150_000,
      spentTodayMicros: 0,
      advertiserName: "Advertiser",
      offer: { title: "A fresh one", locales: { de: { title: "Ein frisches" } } },
    });
    expect(await handsOut()).toBe(true);
    const paused = await operator.change("PUT", `${path}/status`, { status: "paused" });
    expect(paused.json<OfferPage>().version).toBeGreaterThan(changed.json<OfferPage>().version);
    expect(paused.json()).toMatchObject({ status: "paused" });
    expect(await handsOut()).toBe(false);
    expect((await operator.change("PUT", `${path}/status`, { status: "active" })).status).toBe(200);
    expect(await handsOut()).toBe(true);
  });

  it("are found by words, state, advertiser, vertical and model", async () => {
    const all = await list("");
    expect(all.total).toBeGreaterThan(8);
    expect((await list("?q=THOUS")).items.map(({ offerId }) => offerId)).toEqual(["offer_cpm"]);
    expect((await list("?q=offer_lead")).total).toBe(1);
    // A sign that SQL reads as any letter is meant as itself.
    expect((await list("?q=%25")).total).toBe(0);
    expect((await list("?q=offer%25lead")).total).toBe(0);
    expect((await list("?status=paused")).items.map(({ offerId }) => offerId)).toEqual(["offer_paused"]);
    expect((await list("?model=CPL&advertiser=advertiser_1")).total).toBe(1);
    expect((await list("?vertical=loans")).total).toBe(0);
    expect(await list("?page=99")).toMatchObject({ items: [], page: 99, total: all.total });
    expect((await operator.get(`${base}/offers?page=0`)).status).toBe(400);
  });

  it("are refused by the command line's rules, by name", async () => {
    for (const [wrong, parameter] of [
      [{ landingUrl: "ftp://x.example" }, "landingUrl"],
      [{ geoCoverage: ["UK"] }, "geoCoverage"],
      [{ advertiserId: "advertiser_none" }, "advertiserId"],
      [{ currency: "USD" }, "currency"],
      [{ payoutModel: "CPM", payoutMicros: 1 }, "payoutMicros"],
      [{ pacing: "even" }, "pacing"],
    ] as const) {
      const answer = await operator.change("POST", `${base}/offers`, { ...offer, ...wrong });
      expect(answer.json(), answer.text).toMatchObject({ status: 400, errors: [{ parameter }] });
    }
    const path = `${base}/offers/offer_best`;
    expect((await operator.change("PATCH", path, { title: "" })).status).toBe(400);
    expect((await operator.change("PUT", `${path}/status`, { status: "gone" })).status).toBe(400);
    for (const answer of [
      await operator.get(`${base}/offers/offer_none`),
      await operator.change("PATCH", `${base}/offers/offer_none`, { title: "x" }),
      await operator.change("PUT", `${base}/offers/offer_none/status`, { status: "paused" }),
    ]) {
      expect(answer.status).toBe(404);
    }
  });

  const send = async (text: string, isDryRun: boolean, format = "csv") => {
    const answer = await operator.change("POST", `${base}/offer-file`, { text, format, isDryRun });
    expect(answer.status, answer.text).toBe(200);
    return answer.json<OfferFileOutcome>();
  };
  const header = "advertiserId,brand,vertical,title,geoCoverage,payoutModel,payoutMicros,landingUrl";
  const line = "advertiser_1,Filed,games,From a file,DE,CPC,100000,https://filed.example/?c={click_id}";

  it("come in by a file, whole or not at all, after a look at what it would do", async () => {
    const { total } = await list("");
    const bad = `${header}\n${line}\n${line.replace("DE", "XX")}\nadvertiser_1,Filed\n`;
    for (const isDryRun of [true, false]) {
      expect(await send(bad, isDryRun)).toMatchObject({
        isSaved: false,
        problems: [
          { line: 3, column: "geoCoverage" },
          { line: 4, column: "" },
        ],
      });
    }
    expect(await send(`${header}\n${line}\n`, true)).toEqual({
      isSaved: false,
      created: 1,
      updated: 0,
      notes: [],
    });
    expect((await list("")).total).toBe(total);
    // Of what a spreadsheet marks and quotes the name of the first column is what is between the quotation marks.
    expect(await send(`\uFEFF"${header.replace(",", '",')}\n${line}\n`, false)).toEqual({
      isSaved: true,
      created: 1,
      updated: 0,
      notes: [],
    });
    expect((await list("")).total).toBe(total + 1);
    // A second time it would be there twice, beside one that is not there yet.
    const again = `${header}\n${line.replace("Filed", "Other")}\n${line}\n`;
    expect(await send(again, true)).toEqual({
      ...{ isSaved: false, created: 2, updated: 0 },
      notes: [expect.stringContaining("was there before: line 3.")],
    });
    expect((await list("")).total).toBe(total + 1);
    expect(await send("{", true, "json")).toMatchObject({ problems: [{ line: 1 }] });
    expect((await operator.change("POST", `${base}/offer-file`, { text: "", format: "csv" })).status).toBe(
      400,
    );
  });

  it("go out as a file that comes in again and changes nothing", async () => {
    for (const format of ["csv", "json"]) {
      const file = await operator.get(`${base}/offer-file?format=${format}`);
      expect(file.headers["content-disposition"]).toBe(`attachment; filename="offers-2026-11-20.${format}"`);
      const { total } = await list("");
      const before = service.stored.table("offer");
      expect(before).toHaveLength(total);
      const known = { created: 0, updated: total, notes: [] };
      expect(await send(file.text, true, format)).toEqual({ ...known, isSaved: false });
      expect(await send(file.text, false, format)).toEqual({ ...known, isSaved: true });
      expect(service.stored.table("offer")).toEqual(before);
      // For Excel, and only there. Without it the file comes in as well.
      expect(file.text.startsWith("\uFEFF")).toBe(format === "csv");
      expect(await send(file.text.replace("\uFEFF", ""), true, format)).toEqual({ ...known, isSaved: false });
    }
    expect((await operator.get(`${base}/offer-file?advertiser=advertiser_none`)).status).toBe(404);
  });
});

describe("publishers and users", () => {
  it("are made, changed and invited", async () => {
    const made = await operator.change("POST", `${base}/publishers`, {
      name: "Northwind",
      shareBasisPoints: 7000,
    });
    expect(made.status, made.text).toBe(201);
    const { publisherId } = made.json<{ publisherId: string }>();
    const path = `${base}/publishers/${publisherId}`;
    const changed = await operator.change("PATCH", path, { showSpend: false });
    expect(changed.json()).toMatchObject({ name: "Northwind", shareBasisPoints: 7000, showSpend: false });
    const invited = await operator.change("POST", `${path}/invitations`, { email: "nora@example.com" });
    expect(invited.status, invited.text).toBe(201);
    expect(invited.json<{ link: string }>().link).toContain("/dash/link/");
    expect((await operator.get(path)).json<PublisherPage>()).toMatchObject({
      sites: [],
      team: [],
      invitations: [{ email: "nora@example.com", role: "owner", madeBy: "Olga" }],
    });
    const { items } = (await operator.get(`${base}/publishers`)).json<{ items: object[] }>();
    expect(items).toHaveLength(3);
    expect((await operator.get(`${base}/publishers/publisher_a`)).json<PublisherPage>().sites).toMatchObject([
      { websiteKey: "ws_a", origins: ["https://shop-a.example"] },
      { websiteKey: "ws_dev", development: true },
      { websiteKey: "ws_wild" },
    ]);
  });

  it("are refused what they cannot be", async () => {
    for (const [method, path, body, status] of [
      ["POST", "/publishers", { name: "" }, 400],
      ["PATCH", "/publishers/publisher_a", { shareBasisPoints: 10_001 }, 400],
      ["PATCH", "/publishers/publisher_none", { name: "x" }, 404],
      ["POST", "/publishers/publisher_a/invitations", { email: "none" }, 400],
      ["POST", "/publishers/publisher_none/invitations", { email: "a@example.com" }, 404],
      ["POST", "/users", { email: "none" }, 400],
      ["PATCH", "/users/999999", { isDisabled: true }, 404],
      ["POST", "/users/999999/links", {}, 404],
      ["POST", "/users/none/links", {}, 404],
    ] as const) {
      expect((await operator.change(method, base + path, body)).status, `${method} ${path}`).toBe(status);
    }
    expect((await operator.get(`${base}/publishers/publisher_none`)).status).toBe(404);
  });

  it("let somebody in, make them an operator, and shut them out at once", async () => {
    const made = await operator.change("POST", `${base}/users`, { email: "una@example.com", name: "Una" });
    expect(made.status, made.text).toBe(201);
    const una = await signedIn(service, { email: "ulf@example.com" });
    const path = `${base}/users/${una.userId}`;
    expect((await una.get(`${base}/now`)).status).toBe(404);
    expect((await operator.change("PATCH", path, { isOperator: true })).status).toBe(204);
    expect((await una.get(`${base}/now`)).status).toBe(200);
    expect((await operator.change("POST", `${path}/links`, {})).status).toBe(201);
    expect((await operator.change("PATCH", path, { isOperator: false, isDisabled: true })).status).toBe(204);
    expect((await una.get("/dash/api/me")).status).toBe(401);
    const { items } = (await operator.get(`${base}/users`)).json<{ items: UserRow[] }>();
    expect(items.find(({ email }) => email === "ulf@example.com")).toMatchObject({
      isDisabled: true,
      isOperator: false,
      memberships: [{ publisherId: "publisher_a", role: "owner" }],
    });
    expect(items.find(({ email }) => email === "una@example.com")).toMatchObject({ hasPassword: false });
    expect(JSON.stringify(items)).not.toMatch(/hash|argon/);
    expect((await operator.change("PATCH", path, { isDisabled: false })).status).toBe(204);
  });

  it("never leave the service without an operator", async () => {
    const alone = await startTestService();
    try {
      const last = await signedIn(alone, { publishers: {}, isOperator: true });
      for (const patch of [{ isOperator: false }, { isDisabled: true }]) {
        const answer = await last.change("PATCH", `${base}/users/${last.userId}`, patch);
        expect(answer.status).toBe(400);
        expect(answer.text).toContain("last operator");
      }
      expect((await last.get(`${base}/users`)).status).toBe(200);
    } finally {
      await alone.close();
    }
  });
});

describe("partners", () => {
  const partners = `${base}/partners`;
  const app = { name: "Bookkeeper", redirectUris: ["https://books.example/back"], scopes: ["reports:read"] };

  it("are registered, told their secret once, and ended", async () => {
    const made = await operator.change("POST", partners, app);
    expect(made.status, made.text).toBe(201);
    const { clientId, clientSecret } = made.json<MadePartner>();
    expect(clientSecret).toBeTruthy();
    service.moveClock(1000);
    const open = await operator.change("POST", partners, { ...app, name: "Open", isPublic: true });
    expect(open.json<MadePartner>().clientSecret).toBeNull();
    const listed = await operator.get(partners);
    expect(listed.json()).toMatchObject({
      items: [
        {
          clientId,
          name: "Bookkeeper",
          isPublic: false,
          scopes: ["reports:read"],
          liveGrants: 0,
          revokedAt: null,
        },
        { name: "Open", isPublic: true },
      ],
    });
    expect(listed.text).not.toContain(clientSecret);
    expect(listed.text).not.toMatch(/secret/i);
    expect((await operator.change("DELETE", `${partners}/${clientId}`)).json()).toEqual({ endedGrants: 0 });
    const [ended] = (await operator.get(partners)).json<{ items: PartnerRow[] }>().items;
    expect(ended?.revokedAt).not.toBeNull();
  });

  it("are refused addresses that nobody may be sent to, and names that are none", async () => {
    for (const [wrong, parameter] of [
      [{ redirectUris: ["http://books.example/back"] }, "redirectUris"],
      [{ redirectUris: [] }, "redirectUris"],
      [{ name: " " }, "name"],
      [{ scopes: [] }, "scopes"],
      [{ scopes: ["everything"] }, "scopes"],
    ] as const) {
      const answer = await operator.change("POST", partners, { ...app, ...wrong });
      expect(answer.json(), answer.text).toMatchObject({ status: 400, errors: [{ parameter }] });
    }
    expect((await operator.change("DELETE", `${partners}/client_none`)).status).toBe(404);
  });
});

describe("what is changed here", () => {
  const newest = (filter: object = {}) =>
    listActivity(service.catalogue.db, { limit: 1, publisherId: null, ...filter }).then(([row]) => row);

  it("is told as it is of the command line, with who it was", async () => {
    const made = await operator.change("POST", `${base}/advertisers`, { name: "Told" });
    const { advertiserId } = made.json<{ advertiserId: string }>();
    const actor = { kind: "user", userId: operator.userId, name: "Olga" };
    expect(await newest()).toMatchObject({
      actor,
      action: "created",
      subject: { id: advertiserId, name: "Told" },
    });
    await operator.change("POST", `${base}/advertisers/${advertiserId}/deposits`, { amount: "1.50" });
    const byPage = await newest();
    expect(byPage).toMatchObject({ actor, action: "deposited", after: { depositedMicros: 1_500_000 } });
    await depositToAdvertiser(
      service.catalogue,
      advertiserId,
      { micros: 1_500_000 },
      { now: service.context.clock() },
    );
    const byCommand = await newest();
    expect(byCommand?.actor).not.toEqual(actor);
    const shape = (row: typeof byPage) => ({
      ...row,
      id: 0,
      at: 0,
      version: 0,
      actor: 0,
      before: 0,
      after: 0,
    });
    expect(shape(byCommand)).toEqual(shape(byPage));
    await operator.change("PATCH", `${base}/users/${owner.userId}`, { isOperator: true });
    expect(await newest()).toMatchObject({ action: "updated", after: { isOperator: true } });
    await operator.change("PATCH", `${base}/users/${owner.userId}`, { isOperator: false });
  });

  it("is refused where somebody was quicker, and shows what they wrote", async () => {
    const path = `${base}/offers/offer_world`;
    const { version } = (await operator.get(path)).json<OfferPage>();
    const seen = { headers: { "If-Match": `"${version}"` } };
    expect((await operator.change("PATCH", path, { title: "First" }, seen)).status).toBe(200);
    for (const answer of [
      await operator.change("PATCH", path, { title: "Second" }, seen),
      await operator.change("PUT", `${path}/status`, { status: "paused" }, seen),
    ]) {
      expect(answer.json(), answer.text).toMatchObject({
        status: 412,
        current: { title: "First", status: "active" },
        changedBy: "Olga",
      });
    }
    expect((await operator.get(path)).json<OfferPage>()).toMatchObject({ title: "First", status: "active" });
    const publisher = `${base}/publishers/publisher_b`;
    const old = { headers: { "If-Match": '"0"' } };
    expect((await operator.change("PATCH", publisher, { name: "Late" }, old)).status).toBe(412);
    expect((await operator.get(publisher)).json<PublisherPage>().name).toBe("Publisher b");
  });

  it("leaves one line an hour with a publisher whose pages an operator looks at, and none where it manages it", async () => {
    const looks = async (publisherId: string) =>
      (await listActivity(service.catalogue.db, { limit: 100, publisherId })).filter(
        ({ action, actor }) => action === "looked" && actor.name === "Olga",
      );
    await operator.get(`${base}/publishers/publisher_a`);
    expect(await looks("publisher_a")).toEqual([]);
    const team = "/dash/api/publishers/publisher_a/team";
    const answers = await Promise.all([1, 2, 3].map(() => operator.get(team)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await operator.get("/dash/api/report?publisher=publisher_a");
    expect(await looks("publisher_a")).toMatchObject([
      { subject: { kind: "publisher", name: "Publisher a" }, actor: { userId: operator.userId } },
    ]);
    await operator.get("/dash/api/report?publisher=publisher_b");
    expect(await looks("publisher_b")).toHaveLength(1);
    service.moveClock(60 * 60_000);
    await operator.get(team);
    expect(await looks("publisher_a")).toHaveLength(2);
    // Nothing can be changed on the way, and the team itself leaves no such line.
    expect((await operator.change("DELETE", `${team}/members/${owner.userId}`)).status).toBe(403);
    await owner.get(team);
    expect(await looks("publisher_a")).toHaveLength(2);
  });
});

describe("traffic and the present", () => {
  it("tells what did not count by reason, day and website, beside what did", async () => {
    await service.decide({ from: "203.0.113.210" });
    service.moveClock(1000);
    const quality = (await operator.get(`${base}/quality`)).json<Quality>();
    expect(quality.refused).toContainEqual({
      date: "2026-11-20",
      websiteKey: "ws_a",
      type: "blocked",
      reason: "search_engine",
      events: 1,
    });
    const [day] = quality.counted;
    expect(day).toMatchObject({ date: "2026-11-20", websiteKey: "ws_a" });
    expect(day?.counted).toBeGreaterThan(0);
    expect(day?.filtered).toBeGreaterThan(0);
    expect(quality.websites).toContainEqual({ websiteKey: "ws_a", name: "ws_a", publisher: "Publisher a" });
    expect(quality.networks).toMatchObject([
      { kind: "datacenter", date: "2024-01-01", isOld: true },
      { kind: "search_engine", isOld: false },
    ]);
    expect((await operator.get(`${base}/quality?traffic=test`)).json<Quality>().refused).toEqual([]);
    expect((await operator.get(`${base}/quality?days=8`)).status).toBe(400);
  });

  it("tells how the service fares, and how its commands ended last", async () => {
    const now = (await operator.get(`${base}/now`)).json<Now>();
    expect(now.events.find(({ type }) => type === "blocked")?.events).toBeGreaterThan(0);
    expect(now.reasons.map(({ reason }) => reason)).toContain("search_engine");
    expect(now).toMatchObject({
      waiting: 0,
      isRefusing: false,
      runs: [],
      catalogue: { websites: 5 },
      versions: { node: process.version, schema: expect.stringMatching(/^\d{4}(?:-|$)/) },
    });
    expect(now.snapshotAgeMs).toBeLessThan(60_000);
    expect(now.disk?.freeBytes).toBeGreaterThan(0);
    expect(now.disk?.totalBytes).toBeGreaterThanOrEqual(now.disk?.freeBytes ?? 0);
    // How much of it a server takes is not this machine's to know.
    if (engineOfTests === "postgres") expect(now.disk?.databaseBytes).toBeNull();
    else expect(now.disk?.databaseBytes).toBeGreaterThan(10_000);
    expect(now.commit?.worstMs).toBeGreaterThan(0);
  });
});
