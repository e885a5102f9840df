import { scopes } from "@offers/contract/words";
import * as oauth from "oauth4webapi";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { nextPage } from "../core/next-page.ts";
import { listGrants } from "../store/catalogue/oauth-grants.ts";
import { setUserDisabled } from "../store/catalogue/user-access.ts";
import {
  ada,
  allowed,
  answerConsent,
  callback,
  callWith,
  connect,
  holdUntil,
  newBrowser,
  newPartner,
  type OauthService,
  openConsent,
  type Partner,
  person,
  redeem,
  startConnecting,
  startOauthService,
} from "../testing/partner.ts";
import { baseUrl } from "../testing/test-service.ts";

let service: OauthService;
let partner: Partner;
beforeAll(async () => {
  service = await startOauthService();
  partner = await newPartner(service, { name: `<b>"Reports" & Co</b>` });
});
afterEach(() => service.signIn(ada));
afterAll(async () => {
  await service.close();
  expect(service.errors).toEqual([]);
});

const opened = async () => {
  const browser = newBrowser(service);
  const { target, state } = await startConnecting(partner);
  return { browser, state, consent: await openConsent(browser, target) };
};

const allow = { user: "1", publisher: "publisher_a", answer: "allow" };
const grants = async (publisherId = "publisher_a") =>
  await listGrants(service.catalogue.db, { publisherId, now: service.context.clock() });
/** How many records of connections the library has. */
const keptGrants = () => service.stored.table("oauth_row").filter(({ model }) => model === "Grant").length;

describe("the consent page", () => {
  it("names the partner, what it asks for, and who is asked", async () => {
    const { browser, consent } = await opened();
    const page = await browser.open(consent);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Connect &#60;b&#62;&#34;Reports&#34; &#38; Co&#60;/b&#62;?");
    expect(page.text).not.toContain('<b>"Reports');
    expect(page.text).toContain("ada@people.example");
    expect(page.text).toContain("Publisher A");
    expect(page.text.match(/<li>/g)).toHaveLength(scopes.length);
    expect(page.text).not.toContain("<script");
  });

  it("tells an editor, who may allow it, that an owner ends it", async () => {
    service.signIn(person(1, "Ada", { publisher_a: "editor" }));
    const { browser, consent } = await opened();
    const { text } = await browser.open(consent);
    expect(text).toContain('value="allow"');
    expect(text).toContain("or until an owner of the publisher ends it under “Connected apps”");
  });

  it("may send its form here and be sent on to the partner, and nothing else", async () => {
    const { browser, consent } = await opened();
    const { headers } = await browser.open(consent);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://partner.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  it("lets somebody with several publishers choose one, and never one that they may only look at", async () => {
    service.signIn(person(1, "Ada", { publisher_a: "owner", publisher_b: "editor", publisher_c: "viewer" }));
    const { browser, consent } = await opened();
    const page = await browser.open(consent);
    expect(page.text).toContain("<select");
    expect(page.text).toContain("publisher_b");
    expect(page.text).not.toContain("publisher_c");
    for (const publisher of ["", "publisher_c", "publisher_x"]) {
      const again = await browser.submit(consent, { ...allow, publisher });
      expect([again.status, again.location]).toEqual([400, ""]);
      expect(again.text).toContain("Choose one of your publishers.");
    }
    const before = (await grants("publisher_b")).length;
    await answerConsent(browser, consent, { publisher: "publisher_b" });
    expect(await grants("publisher_b")).toHaveLength(before + 1);
  });

  it.each([
    ["only looks at publishers", { publisher_a: "viewer" }],
    ["works for none", {}],
  ] as const)("lets nobody connect who %s", async (_, works) => {
    service.signIn(person(1, "Ada", works));
    const { browser, consent, state } = await opened();
    const page = await browser.open(consent);
    expect(page.text).not.toContain('value="allow"');
    const before = await grants();
    expect((await browser.submit(consent, allow)).status).toBe(400);
    expect(await grants()).toEqual(before);
    const back = await answerConsent(browser, consent, { answer: "deny" });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: "access_denied", state });
  });

  it("is shown to, and can be denied by, who gave the password long ago, and asks for it at Allow", async () => {
    const { browser, consent, state } = await opened();
    const at = service.context.clock();
    service.signIn({ ...ada, signedInAt: at - 15 * 60_000 });
    const before = await grants();
    expect((await browser.open(consent)).text).toContain('value="allow"');
    const sent = await browser.submit(consent, allow);
    expect([sent.status, sent.location]).toEqual([
      303,
      `/dash/sign-in?again=1&next=${encodeURIComponent(`${consent}?publisher=publisher_a`)}`,
    ]);
    expect(await grants()).toEqual(before);
    // As it is once the password was given: the same page, on which Allow is pressed once more.
    service.signIn({ ...ada, signedInAt: at - 15 * 60_000 + 1 });
    expect((await browser.open(consent)).text).toContain('value="allow"');
    expect((await answerConsent(browser, consent)).searchParams.get("state")).toBe(state);
    expect(await grants()).toHaveLength(before.length + 1);

    service.signIn({ ...ada, signedInAt: 0 });
    const other = await opened();
    await other.browser.open(other.consent);
    const back = await answerConsent(other.browser, other.consent, { answer: "deny" });
    expect(back.searchParams.get("error")).toBe("access_denied");
  });

  it("keeps the publisher that was chosen, where it is one that they may connect", async () => {
    const works = { publisher_a: "owner", publisher_b: "editor", publisher_c: "viewer" } as const;
    const several = person(1, "Ada", works);
    const { browser, consent } = await opened();
    service.signIn({ ...several, signedInAt: 0 });
    const sent = await browser.submit(consent, { ...allow, publisher: "publisher_b" });
    const next = new URL(sent.location, baseUrl).searchParams.get("next") ?? "";
    expect(nextPage(next)).toBe(next);
    service.signIn({ ...several, signedInAt: service.context.clock() });
    const selected = /<option value="([^"]*)" selected>/;
    expect(selected.exec((await browser.open(next)).text)?.[1]).toBe("publisher_b");
    for (const query of ["", "?publisher=publisher_c", "?publisher=publisher_x", "?publisher=%22%3E"]) {
      const page = await browser.open(`${consent}${query}`);
      expect([page.status, selected.exec(page.text)]).toEqual([200, null]);
    }
    const again = await browser.submit(consent, { ...allow, publisher: "publisher_b", answer: "" });
    expect([again.status, selected.exec(again.text)?.[1]]).toEqual([400, "publisher_b"]);
  });

  it("asks who has no password for none", async () => {
    service.signIn({ ...ada, hasPassword: false, signedInAt: 0 });
    const { browser, consent } = await opened();
    const before = (await grants()).length;
    await answerConsent(browser, consent);
    expect(await grants()).toHaveLength(before + 1);
  });

  it("leads to the sign-in and back when nobody is signed in", async () => {
    service.signIn(null);
    const { browser, consent } = await opened();
    const sent = await browser.open(consent);
    expect([sent.status, sent.location]).toEqual([303, `/dash/sign-in?next=${encodeURIComponent(consent)}`]);
    expect((await browser.submit(consent, allow)).location).toContain("/dash/sign-in");
    service.signIn(ada);
    expect((await browser.open(consent)).status).toBe(200);
    const back = await answerConsent(browser, consent);
    expect(back.searchParams.get("code")).toMatch(/^[\w-]{43}$/);
  });
});

it("the consent page names what a policy can name of an IPv6 address", async () => {
  const app = await newPartner(service, { redirectUris: ["http://[::1]:9000/callback"] });
  const browser = newBrowser(service);
  const { target } = await startConnecting(app, { redirect_uri: "http://[::1]:9000/callback" });
  const { headers, text } = await browser.open(await openConsent(browser, target));
  expect(headers.get("content-security-policy")).toContain("form-action 'self' http:;");
  expect(text).toContain("<b>[::1]:9000</b>");
});

describe("a person's answer", () => {
  it("Deny tells the partner, with state and whose answer it is, and connects nothing", async () => {
    const { browser, consent, state } = await opened();
    const before = await grants();
    const back = await answerConsent(browser, consent, { answer: "deny" });
    expect(back.origin + back.pathname).toBe(callback);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state,
      iss: baseUrl,
    });
    expect(back.searchParams.has("code")).toBe(false);
    expect(await grants()).toEqual(before);
  });

  it.each([
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["a site below ours", { "Sec-Fetch-Site": "same-site", Origin: baseUrl }],
    ["an address that was typed", { "Sec-Fetch-Site": "none" }],
    ["an old browser at another page", { Origin: "https://evil.example" }],
    ["an old browser at a page without an origin", { Origin: "null" }],
    ["nobody says where", {}],
  ])("from %s is refused", async (_, headers) => {
    const { browser, consent } = await opened();
    const before = await grants();
    const answer = await browser.submit(consent, allow, { "Content-Type": form, ...headers });
    expect([answer.status, answer.location]).toEqual([403, ""]);
    expect(await grants()).toEqual(before);
  });

  it("from an old browser at our page is taken", async () => {
    const { browser, consent } = await opened();
    const answer = await browser.submit(consent, allow, { "Content-Type": form, Origin: baseUrl });
    expect(answer.status).toBe(303);
  });

  it("in another browser is none: the page says to start again", async () => {
    const { consent } = await opened();
    const other = newBrowser(service);
    for (const answer of [await other.open(consent), await other.submit(consent, allow)]) {
      expect([answer.status, answer.location]).toEqual([400, ""]);
      expect(answer.text).toContain("start again");
    }
    // Neither with the cookie of another question.
    const { browser, consent: ours } = await opened();
    const swapped = [...browser.cookies].map(([name, cookie]) => [name, { ...cookie, path: "/" }] as const);
    for (const [name, cookie] of swapped) browser.cookies.set(name, cookie);
    expect((await browser.open(consent)).status).toBe(400);
    expect((await browser.open(ours)).status).toBe(200);
  });

  it("after a quarter of an hour is too late", async () => {
    const { browser, consent } = await opened();
    service.moveClock(15 * 60 * 1000);
    expect((await browser.submit(consent, allow)).status).toBe(400);
  });

  it("that is given twice connects once", async () => {
    const { browser, consent } = await opened();
    const before = (await grants()).length;
    const first = await browser.submit(consent, allow);
    const second = await browser.submit(consent, allow);
    expect(second.location).toBe(first.location);
    expect(await grants()).toHaveLength(before + 1);
  });

  it("that is given eight times at once connects once, ten times over, and each of them leads on", async () => {
    for (let round = 0; round < 10; round += 1) {
      const browser = newBrowser(service);
      const { target, verifier, state } = await startConnecting(partner);
      const consent = await openConsent(browser, target);
      const before = (await grants()).length;
      const kept = keptGrants();
      const stop = holdUntil(service, "Interaction", 8);
      const answers = await Promise.all(Array.from({ length: 8 }, () => browser.submit(consent, allow)));
      stop();
      expect(await grants(), `round ${round}`).toHaveLength(before + 1);
      expect(keptGrants()).toBe(kept + 1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
      const [onward, ...others] = new Set(answers.map(({ location }) => location));
      expect(others).toEqual([]);
      const address = new URL((await browser.open(onward ?? "")).location);
      const parameters = oauth.validateAuthResponse(partner.server, partner.client, address, state);
      const answer = await redeem(partner, { parameters, verifier, redirectUri: callback });
      const { access_token: access } = (await answer.json()) as { access_token: string };
      expect((await callWith(service, access)).status).toBe(200);
    }
  });

  it("is the first of Allow and Deny at once, ten times over", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { browser, consent } = await opened();
      const before = (await grants()).length;
      const stop = holdUntil(service, "Interaction", 8);
      const [{ location } = { location: "" }] = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          browser.submit(consent, { ...allow, answer: at % 2 === round % 2 ? "allow" : "deny" }),
        ),
      );
      stop();
      const { searchParams } = new URL((await browser.open(location)).location);
      const made = (await grants()).length - before;
      expect([made, searchParams.get("error")], `round ${round}`).toEqual(
        searchParams.has("code") ? [1, null] : [0, "access_denied"],
      );
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "has left the publisher",
      () => service.catalogue.transact((db) => db.deleteFrom("member").where("user_id", "=", 1).execute()),
    ],
    ["was shut out", () => setUserDisabled(service.catalogue, { email: ada.email, isDisabled: true }, 1)],
  ])("of somebody who %s at that moment connects nothing, and says so", async (_, happens) => {
    const { browser, consent, state } = await opened();
    await browser.open(consent);
    // Whoever asks who is signed in still hears what was before.
    await happens();
    const kept = keptGrants();
    const before = await grants();
    const page = await browser.submit(consent, allow);
    expect([page.status, page.location]).toEqual([400, ""]);
    expect(page.text).toContain("You may not connect");
    expect(page.text).not.toContain('value="allow"');
    expect([await grants(), keptGrants()]).toEqual([before, kept]);
    const back = await answerConsent(browser, consent, { answer: "deny" });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: "access_denied", state });
  });

  it("of somebody who has signed in since the page was drawn is asked for again", async () => {
    const { browser, consent } = await opened();
    await browser.open(consent);
    service.signIn(person(2, "Bob", { publisher_a: "owner" }));
    const before = await grants();
    const answer = await browser.submit(consent, allow);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("bob@people.example");
    expect(await grants()).toEqual(before);
  });
});

describe("connections", () => {
  it("of two people in one browser are each their own", async () => {
    const browser = newBrowser(service);
    const ofAda = await connect(partner, { browser });
    service.moveClock(1);
    service.signIn(person(2, "Bob", { publisher_b: "owner" }));
    const ofBob = await connect(partner, { browser, form: { user: "2", publisher: "publisher_b" } });
    const [newest] = await grants("publisher_b");
    expect(newest).toMatchObject({ userId: 2, clientId: partner.clientId, scopes });
    for (const { access } of [ofAda, ofBob]) expect((await callWith(service, access)).status).toBe(200);
    const website = async (access: string, key: string) =>
      (await callWith(service, access, `/v1/reports/aggregate?websiteKey=${key}`)).status;
    expect([await website(ofAda.access, "ws_b"), await website(ofBob.access, "ws_b")]).toEqual([404, 200]);
  });

  it("of one person's two publishers end one by one", async () => {
    service.signIn(person(1, "Ada", { publisher_a: "owner", publisher_b: "owner" }));
    const browser = newBrowser(service);
    const ofA = await connect(partner, { browser });
    // So that it is the newest.
    service.moveClock(1);
    const ofB = await connect(partner, { browser, form: { publisher: "publisher_b" } });
    const [newest] = await grants("publisher_b");
    await service.context.oauth.rows.endGrant({
      grantId: newest?.grantId ?? "",
      at: service.context.clock(),
    });
    expect((await callWith(service, ofA.access)).status).toBe(200);
    expect((await callWith(service, ofB.access)).status).toBe(401);
  });

  it("are not begun by an answer that nobody redeems", async () => {
    const { code } = await allowed(partner);
    expect(code).not.toBe("");
    expect((await callWith(service, code)).status).toBe(401);
  });
});

const form = "application/x-www-form-urlencoded";
