import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { unknownSessionTries } from "../../core/sign-in-limit.ts";
import { invite } from "../../store/catalogue/invitations.ts";
import { redeemLink } from "../../store/catalogue/redeem-link.ts";
import { makeLinkFor, makeSetUpLink } from "../../store/catalogue/sign-in-links.ts";
import { changeMember, putMember } from "../../store/catalogue/team-members.ts";
import { setUserDisabled } from "../../store/catalogue/user-access.ts";
import { createUser } from "../../store/catalogue/users.ts";
import type { Answer, Call } from "../../testing/call.ts";
import { type DashCalls, dashCallsOf, signedIn } from "../../testing/dash-calls.ts";
import { engineOfTests } from "../../testing/engine-of-tests.ts";
import { baseUrl, startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const password = "a sentence that Ada knows";
const ownPage = { Origin: baseUrl, "Sec-Fetch-Site": "same-origin" };

const submit = (path: string, form: Record<string, string>, given: Call = {}): Promise<Answer> =>
  service.call(path, {
    method: "POST",
    origin: null,
    ...given,
    body: new URLSearchParams(form).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...ownPage, ...given.headers },
  });

const cookieOf = (answer: Answer): string => String(answer.headers["set-cookie"]).split(";")[0] ?? "";

/** Makes somebody with this password, by the link that an operator would send. */
const ada = async (email: string): Promise<void> => {
  const now = service.context.clock();
  await createUser(service.catalogue, { email, isOperator: false }, now);
  const { token } = await makeLinkFor(
    service.catalogue,
    { kind: "password", email, madeBy: "the operator" },
    now,
  );
  const answer = await submit(`/dash/link/${token}`, { password });
  expect(answer.status, answer.text).toBe(303);
};

/** What its owner does once somebody else has learnt the password. */
const recover = async (email: string): Promise<void> => {
  const now = service.context.clock();
  const { token } = await makeLinkFor(service.catalogue, { kind: "password", email, madeBy: "x" }, now);
  expect((await submit(`/dash/link/${token}`, { password: "the sentence of its owner" })).status).toBe(303);
};

/** Has something happen while a password is checked that somebody has given. */
const whileChecking = (happens: () => Promise<unknown>): void => {
  const { passwords } = service.context;
  const isRight = vi.spyOn(passwords, "isRight").mockImplementationOnce(async (...given) => {
    isRight.mockRestore();
    const answer = await passwords.isRight(...given);
    await happens();
    return answer;
  });
};

const signIn = (email: string, given: string, more: Call = {}): Promise<Answer> =>
  submit("/dash/sign-in", { email, password: given }, more);

describe("signing in", () => {
  it("begins a session with a cookie that no script and no other site gets", async () => {
    await ada("ada@example.com");
    const answer = await signIn(" Ada@Example.com ", password);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe("/dash/");
    expect(String(answer.headers["set-cookie"])).toMatch(
      /^__Host-offers=[\w-]{65}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const me = await dashCallsOf(service, cookieOf(answer)).get("/dash/api/me");
    expect(me.json()).toMatchObject({
      user: { email: "ada@example.com", isOperator: false, hasPassword: true },
    });
    expect(me.headers["cache-control"]).toBe("no-store");
  });

  it.each([
    ["/dash/reports?p=x", "/dash/reports?p=x"],
    ["/connect/abc", "/connect/abc"],
    ["//evil.example/", "/dash/"],
    ["/dash//evil.example", "/dash/"],
    ["https://evil.example/", "/dash/"],
    ["/dash\\@evil.example", "/dash/"],
    ["/v1/r?t=x", "/dash/"],
    ["/dashboard.evil", "/dash/"],
  ])("goes on to a page of ours alone: %s", async (next, target) => {
    await ada(`next-${Math.random()}@example.com`.toLowerCase());
    const answer = await submit("/dash/sign-in", { email: "ada@example.com", password, next });
    expect(answer.headers.location).toBe(target);
  });

  it("does not tell whether an address is known", async () => {
    const [wrong, unknown] = [
      await signIn("ada@example.com", "not it at all"),
      await signIn("eve@example.com", "x"),
    ];
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(422);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    expect(wrong.text.replaceAll("ada@", "eve@")).toBe(unknown.text);
  });

  it("has eleven wrong passwords wait, from that network alone", async () => {
    await ada("often@example.com");
    const from = "203.0.113.66";
    for (let time = 0; time < 10; time += 1) {
      expect((await signIn("often@example.com", "wrong wrong wrong", { from })).status).toBe(422);
    }
    const refused = await signIn("often@example.com", password, { from });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60);
    expect((await signIn("often@example.com", password, { from: "203.0.113.67" })).status).toBe(303);
  });

  it("takes a line's many prefixes of IPv6 for one network", async () => {
    await ada("wide@example.com");
    const take = vi.spyOn(service.context.rateLimits, "take");
    const statuses: number[] = [];
    for (let time = 0; time < 11; time += 1) {
      const answer = await signIn("wide@example.com", "wrong wrong wrong", { from: `2001:db8:7:${time}::1` });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    // Whatever accounts they are tried on.
    expect(new Set(take.mock.calls.flat())).toEqual(new Set(["sign_in", "2001:db8:7::/48"]));
    take.mockRestore();
    const elsewhere = await signIn("wide@example.com", password, { from: "2001:db8:8::1" });
    expect(elsewhere.status).toBe(303);
  });

  it("lets forty wrong ones at once through no more than ten times", async () => {
    await ada("storm@example.com");
    const from = "203.0.113.68";
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => signIn("storm@example.com", "wrong wrong wrong", { from })),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  it("is refused to whoever is shut out, and ends their sessions", async () => {
    await ada("gone@example.com");
    const cookie = cookieOf(await signIn("gone@example.com", password));
    const { get } = dashCallsOf(service, cookie);
    expect((await get("/dash/api/me")).status).toBe(200);
    await setUserDisabled(service.catalogue, { email: "gone@example.com", isDisabled: true }, 1);
    expect((await get("/dash/api/me")).status).toBe(401);
    expect((await signIn("gone@example.com", password)).status).toBe(422);
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["a neighbour", { "Sec-Fetch-Site": "same-site" }],
    ["an address bar", { "Sec-Fetch-Site": "none" }],
    ["an old browser on another page", { "Sec-Fetch-Site": "", Origin: "https://evil.example" }],
  ])("is not done for %s", async (_, headers) => {
    const answer = await signIn("ada@example.com", password, { headers });
    expect(answer.status).toBe(403);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  it("shows pages without any script, which nobody frames", async () => {
    const page = await service.call("/dash/sign-in", { origin: null });
    expect(page.status).toBe(200);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(page.text).not.toMatch(/<script|\sstyle=|\son\w+=/);
    expect(page.headers["cross-origin-opener-policy"]).toBe("same-origin");
  });
});

describe("a session", () => {
  const hour = 3_600_000;
  const useNow = async ({ get }: Pick<DashCalls, "get">) => {
    expect((await get("/dash/api/me")).status).toBe(200);
    // Its use is noted beside the answer.
    const noted = async () => {
      const row = await service.catalogue.db
        .selectFrom("session")
        .select("seen_at")
        .orderBy("id", "desc")
        .executeTakeFirst();
      return row?.seen_at;
    };
    await expect.poll(noted, { interval: 5 }).toBe(service.context.clock());
  };

  it("is over after half a day of rest", async () => {
    const by = await signedIn(service);
    for (let time = 0; time < 2; time += 1) {
      service.moveClock(11 * hour);
      await useNow(by);
    }
    service.moveClock(13 * hour);
    expect((await by.get("/dash/api/me")).status).toBe(401);
  });

  it("is over after thirty days however much it is used", async () => {
    const by = await signedIn(service);
    for (let hours = 11; hours < 30 * 24; hours += 11) {
      service.moveClock(11 * hour);
      await useNow(by);
    }
    service.moveClock(11 * hour);
    expect((await by.get("/dash/api/me")).status).toBe(401);
  });

  it.each<[string, string, Record<string, string>]>([
    ["a call of a page that nobody uses", "/dash/api/me", { "Offers-Unattended": "1" }],
    ["a preview, which its page draws anew by itself", "/dash/preview/ws_a?token=pub_a", {}],
  ])("is not kept from ending by %s", async (_, path, headers) => {
    const { get } = await signedIn(service);
    service.moveClock(11 * hour);
    expect((await get(path, { headers })).status).not.toBe(401);
    service.moveClock(2 * hour);
    expect((await get("/dash/api/me")).status).toBe(401);
  });

  it("is none to a page that was drawn for another account", async () => {
    const { get, change, userId } = await signedIn(service, { name: "Bob" });
    const as = (account: number) => ({ headers: { "Offers-Account": String(account) } });
    const refused = await change("PATCH", "/dash/api/me", { name: "Ada" }, as(userId - 1));
    expect([refused.status, (await get("/dash/api/me", as(userId - 1))).status]).toEqual([401, 401]);
    expect((await get("/dash/api/me", as(userId))).json()).toMatchObject({ user: { userId, name: "Bob" } });
  });

  it("is none where another living one's cookie of the same name came with it", async () => {
    const [one, other] = [await signedIn(service), await signedIn(service)];
    for (const cookie of [`${one.cookie}; ${other.cookie}`, `${other.cookie}; ${one.cookie}`]) {
      expect((await one.get("/dash/api/me", { headers: { Cookie: cookie } })).status).toBe(401);
    }
    const beside = { Cookie: `a=1; ${one.cookie}; b=2` };
    expect((await one.get("/dash/api/me", { headers: beside })).status).toBe(200);
  });

  it("is looked for by made-up cookies so often a minute, which keeps away nobody who is signed in", async () => {
    const from = "198.51.100.77";
    const { cookie, get } = await signedIn(service);
    const ask = vi.spyOn(service.context.desk, "ask");
    const withCookie = (value: string) =>
      get("/dash/api/me", { from, headers: { Cookie: `__Host-offers=${value}` } });
    const made = (nth: number) => String(nth).padStart(43, "A");
    for (let nth = 0; nth < unknownSessionTries.most; nth += 1)
      expect((await withCookie(made(nth))).status).toBe(401);
    const refused = [
      await withCookie(made(100)),
      await withCookie(`${made(101)}${"A".repeat(22)}`),
      await submit("/dash/sign-out", {}, { from, headers: { Cookie: `__Host-offers=${made(102)}` } }),
    ];
    for (const { status, headers } of refused) {
      expect(status).toBe(429);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
    expect((await withCookie("x")).status).toBe(401);
    // Whoever is refused for their neighbours may sign in anew.
    const form = await get("/dash/sign-in", { from, headers: { Cookie: `__Host-offers=${made(103)}` } });
    expect(form.status).toBe(200);
    expect(ask).toHaveBeenCalledTimes(unknownSessionTries.most);
    ask.mockRestore();
    expect((await get("/dash/api/me", { from })).status).toBe(200);
    expect((await submit("/dash/sign-out", {}, { from, headers: { Cookie: cookie } })).status).toBe(303);
  });

  it("goes on with a cookie of a secret that is retired, or of before there were signatures", async () => {
    const { cookie, get } = await signedIn(service);
    const from = "198.51.100.78";
    for (const end of ["", "A".repeat(22)]) {
      const headers = { Cookie: `${cookie.slice(0, -22)}${end}` };
      for (let times = 0; times <= unknownSessionTries.most; times += 1)
        expect((await get("/dash/api/me", { from, headers })).status).toBe(200);
    }
  });

  it("is dead on the server once its owner has signed out", async () => {
    const { get, cookie } = await signedIn(service);
    const answer = await submit("/dash/sign-out", {}, { headers: { Cookie: cookie } });
    expect(answer.status).toBe(303);
    expect(String(answer.headers["set-cookie"])).toContain("Max-Age=0");
    expect((await get("/dash/api/me")).status).toBe(401);
  });

  it("is over once somebody signs in over it, by a password or by a link", async () => {
    await ada("over@example.com");
    const first = cookieOf(await signIn("over@example.com", password));
    const second = cookieOf(await signIn("over@example.com", password, { headers: { Cookie: first } }));
    expect(second).not.toBe(first);
    expect((await dashCallsOf(service, first).get("/dash/api/me")).status).toBe(401);
    const link = { kind: "sign_in" as const, email: "over@example.com", madeBy: "x" };
    const { token } = await makeLinkFor(service.catalogue, link, service.context.clock());
    const third = cookieOf(await submit(`/dash/link/${token}`, {}, { headers: { Cookie: second } }));
    expect((await dashCallsOf(service, second).get("/dash/api/me")).status).toBe(401);
    expect((await dashCallsOf(service, third).get("/dash/api/me")).status).toBe(200);
  });

  it("leaves no token in the database", async () => {
    const { cookie } = await signedIn(service);
    const rows = JSON.stringify(await service.catalogue.db.selectFrom("session").selectAll().execute());
    expect(rows).not.toContain(cookie.split("=")[1]?.slice(0, 43));
  });

  it("ends with all others when the password is changed, but for the one that changed it", async () => {
    await ada("many@example.com");
    const [one, other] = [
      dashCallsOf(service, cookieOf(await signIn("many@example.com", password))),
      dashCallsOf(service, cookieOf(await signIn("many@example.com", password))),
    ];
    const wrong = await one.change("POST", "/dash/api/me/password", {
      password: "no",
      newPassword: "another sentence",
    });
    expect(wrong.status).toBe(400);
    expect((await other.get("/dash/api/me")).status).toBe(200);
    const done = await one.change("POST", "/dash/api/me/password", {
      password,
      newPassword: "another sentence",
    });
    expect(done.status, done.text).toBe(204);
    expect((await one.get("/dash/api/me")).status).toBe(200);
    expect((await other.get("/dash/api/me")).status).toBe(401);
    expect((await signIn("many@example.com", password)).status).toBe(422);
    expect((await signIn("many@example.com", "another sentence")).status).toBe(303);
  });

  it.each<[string, number, (by: { email: string; cookie: string }) => Promise<unknown>]>([
    ["its owner has chosen another one", 400, ({ email }) => recover(email)],
    [
      "its session was ended",
      400,
      ({ cookie }) => submit("/dash/sign-out", {}, { headers: { ...ownPage, Cookie: cookie } }),
    ],
    [
      "its account was shut out",
      401,
      ({ email }) => setUserDisabled(service.catalogue, { email, isDisabled: true }, 1),
    ],
  ])("changes no password where %s while it was checked", async (_, status, happens) => {
    const email = `${Math.random()}@example.com`;
    await ada(email);
    const hashOf = async () => (await service.context.desk.ask("findForSignIn", { email }))?.passwordHash;
    const cookie = cookieOf(await signIn(email, password));
    const seen: unknown[] = [];
    whileChecking(async () => {
      await happens({ email, cookie });
      seen.push(await hashOf());
    });
    const asked = { password, newPassword: "the sentence of a thief" };
    const answer = await dashCallsOf(service, cookie).change("POST", "/dash/api/me/password", asked);
    expect(answer.json()).toMatchObject({ status, detail: expect.stringMatching(/^password|^Sign in/) });
    expect([await hashOf()]).toEqual(seen);
  });

  it("is listed for its owner, who may end it", async () => {
    const one = await signedIn(service, { email: "list@example.com" });
    const listed = (await one.get("/dash/api/me/sessions")).json<{
      items: { sessionId: number; isThis: boolean }[];
    }>();
    expect(listed.items).toMatchObject([{ isThis: true, agent: "Firefox" }]);
    const other = await signedIn(service);
    const own = listed.items[0]?.sessionId ?? 0;
    expect((await other.change("DELETE", `/dash/api/me/sessions/${own}`)).status).toBe(404);
    expect((await one.get("/dash/api/me")).status).toBe(200);
    expect((await one.change("DELETE", "/dash/api/me/sessions")).status).toBe(204);
    expect((await one.get("/dash/api/me")).status).toBe(200);
    expect((await one.change("DELETE", `/dash/api/me/sessions/${own}`)).status).toBe(204);
    expect((await one.get("/dash/api/me")).status).toBe(401);
  });

  it("says who its owner is, and takes a name and a theme", async () => {
    const { get, change } = await signedIn(service, { publishers: { publisher_b: "viewer" } });
    expect((await change("PATCH", "/dash/api/me", { name: "Ada L.", theme: "dark" })).status).toBe(204);
    expect((await get("/dash/api/me")).json()).toMatchObject({
      user: { name: "Ada L.", theme: "dark" },
      publishers: [{ publisherId: "publisher_b", role: "viewer", websites: 2 }],
    });
    expect((await change("PATCH", "/dash/api/me", { theme: "pink" })).status).toBe(400);
  });

  it("lets its owner do what cannot be undone again once the password was given again", async () => {
    await ada("again@example.com");
    const { change, get } = dashCallsOf(service, cookieOf(await signIn("again@example.com", password)));
    service.moveClock(16 * 60_000);
    expect((await get("/dash/api/me")).json<{ recentUntil: number }>().recentUntil).toBeLessThan(
      service.context.clock(),
    );
    expect((await change("POST", "/dash/api/me/confirm", { password: "no" })).status).toBe(400);
    const answer = await change("POST", "/dash/api/me/confirm", { password });
    expect(answer.json<{ recentUntil: number }>().recentUntil).toBeGreaterThan(service.context.clock());
  });

  it("asks who is signed in once more on its page where a right is given, and goes on if it was a moment ago", async () => {
    const email = "twice@example.com";
    await ada(email);
    const headers = { Cookie: cookieOf(await signIn(email, password)) };
    const open = (query: string) =>
      service.call(`/dash/sign-in?${query}next=%2Fconnect%2Fabc`, { origin: null, headers });
    expect((await open("again=1&")).headers.location).toBe("/connect/abc");
    service.moveClock(16 * 60_000);
    const page = await open("again=1&");
    expect(page.status).toBe(200);
    const form = { email, next: "/connect/abc", again: "1" };
    const wrong = await submit("/dash/sign-in", { ...form, password: "not this one" }, { headers });
    for (const { text } of [page, wrong]) {
      for (const part of ["once more", `value="${email}"`, 'value="/connect/abc"', 'name="again"'])
        expect(text).toContain(part);
    }
    expect((await open("")).headers.location).toBe("/connect/abc");
    const answer = await submit("/dash/sign-in", { ...form, password }, { headers });
    expect(answer.headers.location).toBe("/connect/abc");
    headers.Cookie = cookieOf(answer);
    expect((await open("again=1&")).headers.location).toBe("/connect/abc");
    // Who wants to sign in as somebody else is always asked for both.
    const anew = await open("anew=1&");
    expect([anew.status, anew.text.includes(email), anew.text.includes("once more")]).toEqual([
      200,
      false,
      false,
    ]);
  });
});

describe("a link", () => {
  it("is looked for by made-up ones so often a minute and network, what is found aside", async () => {
    const from = "198.51.100.79";
    await ada("link-found@example.com");
    const link = { kind: "sign_in" as const, email: "link-found@example.com", madeBy: "x" };
    const { token } = await makeLinkFor(service.catalogue, link, service.context.clock());
    const open = (name: string) => service.call(`/dash/link/${name}`, { from, origin: null });
    for (let times = 0; times <= unknownSessionTries.most; times += 1)
      expect((await open(token)).status).toBe(200);
    for (let nth = 0; nth < unknownSessionTries.most; nth += 1)
      expect((await open(`made-up-${nth}`)).status).toBe(404);
    const ask = vi.spyOn(service.context.desk, "ask");
    const refused = await open("made-up");
    expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect(ask).not.toHaveBeenCalled();
    ask.mockRestore();
    const elsewhere = await service.call(`/dash/link/${token}`, { from: "198.51.100.80", origin: null });
    expect(elsewhere.status).toBe(200);
  });

  it("makes the first user of all an operator with a publisher of their own, once", async () => {
    const fresh = await startTestService();
    try {
      const now = fresh.context.clock();
      const first = await makeSetUpLink(fresh.catalogue, now);
      const second = await makeSetUpLink(fresh.catalogue, now);
      const post = (token: string, email: string) =>
        fresh.call(`/dash/link/${token}`, {
          method: "POST",
          origin: null,
          body: new URLSearchParams({ email, password }).toString(),
          headers: { "Content-Type": "application/x-www-form-urlencoded", ...ownPage },
        });
      // The first one may be that of another node, where there are several.
      const earlier = await post(first?.token ?? "", "not an address");
      expect(earlier.status).toBe(engineOfTests === "sqlite" ? 404 : 422);
      const page = await fresh.call(`/dash/link/${second?.token}`, { origin: null });
      expect(page.text).toContain("Set up the service");
      const weak = await post(second?.token ?? "", "not an address");
      expect(weak.status).toBe(422);
      const done = await post(second?.token ?? "", "one@example.com");
      expect(done.status, done.text).toBe(303);
      const { get } = dashCallsOf(fresh, cookieOf(done));
      expect((await get("/dash/api/me")).json()).toMatchObject({
        user: { email: "one@example.com", isOperator: true },
        publishers: [{ name: "example.com", role: "owner" }],
      });
      for (const link of [first, second]) {
        expect((await post(link?.token ?? "", "two@example.com")).status).toBe(404);
      }
      expect(await makeSetUpLink(fresh.catalogue, now)).toBeNull();
    } finally {
      await fresh.close();
    }
  });

  it("is not used up by looking at it", async () => {
    const now = service.context.clock();
    await createUser(service.catalogue, { email: "look@example.com", isOperator: false }, now);
    const made = await makeLinkFor(
      service.catalogue,
      { kind: "sign_in", email: "look@example.com", madeBy: "x" },
      now,
    );
    for (let time = 0; time < 3; time += 1) {
      const page = await service.call(`/dash/link/${made.token}`, { origin: null });
      expect(page.status).toBe(200);
      expect(page.headers["referrer-policy"]).toBe("same-origin");
    }
    const followed = await submit(`/dash/link/${made.token}`, {});
    expect(followed.status).toBe(303);
    expect((await submit(`/dash/link/${made.token}`, {})).status).toBe(404);
    const me = await dashCallsOf(service, cookieOf(followed)).get("/dash/api/me");
    expect(me.json()).toMatchObject({ user: { hasPassword: false } });
  });

  it("takes somebody new into a team, in the role of the invitation", async () => {
    const owner = await signedIn(service);
    const team = "/dash/api/publishers/publisher_a/team";
    const made = await owner.change("POST", `${team}/invitations`, {
      email: "New@Example.com",
      role: "viewer",
    });
    expect(made.status, made.text).toBe(201);
    const { link } = made.json<{ link: string }>();
    expect((await owner.get(team)).json()).toMatchObject({
      invitations: [{ email: "new@example.com", role: "viewer" }],
    });
    const path = link.replace(baseUrl, "");
    expect((await submit(path, { password: "short" })).status).toBe(422);
    const joined = await submit(path, { password });
    expect(joined.status).toBe(303);
    const { get } = dashCallsOf(service, cookieOf(joined));
    expect((await get(team)).status).toBe(200);
    expect((await get("/dash/api/publishers/publisher_b/team")).status).toBe(404);
    expect((await owner.get(team)).json()).toMatchObject({ invitations: [] });
  });

  it("sets nothing up once there is anybody, who may have come another way", async () => {
    const fresh = await startTestService();
    try {
      const now = fresh.context.clock();
      const made = await makeSetUpLink(fresh.catalogue, now);
      await createUser(fresh.catalogue, { email: "first@example.com", isOperator: true }, now);
      const path = `/dash/link/${made?.token}`;
      expect((await fresh.call(path, { origin: null })).status).toBe(404);
      const answer = await fresh.call(path, {
        method: "POST",
        origin: null,
        body: new URLSearchParams({ email: "first@example.com", password }).toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...ownPage },
      });
      expect(answer.status).toBe(404);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    } finally {
      await fresh.close();
    }
  });

  it("gives nobody the account of somebody who has not chosen a password yet", async () => {
    const email = "operator-to-be@example.com";
    await createUser(service.catalogue, { email, isOperator: true }, service.context.clock());
    const owner = await signedIn(service);
    const made = await owner.change("POST", "/dash/api/publishers/publisher_a/team/invitations", {
      email,
      role: "viewer",
    });
    const path = made.json<{ link: string }>().link.replace(baseUrl, "");
    const taken = await submit(path, { password });
    expect(taken.headers["set-cookie"]).toBeUndefined();
    expect(taken.headers.location).toBe(`/dash/sign-in?next=${encodeURIComponent(path)}`);
    expect((await signIn(email, password)).status).toBe(422);
  });

  it("gives nobody an account that came to be while they chose a password", async () => {
    const now = service.context.clock();
    const email = "meanwhile@example.com";
    const who = { email, role: "viewer" as const, isOperator: false, madeBy: "Eve" };
    const made = await invite(service.catalogue, { ...who, publisherId: "publisher_b" }, now);
    await ada(email);
    const given = { token: made.token, email: null, passwordHash: "$hash", byUserId: null };
    const session = { hash: "a session", agent: "Firefox" };
    await expect(redeemLink(service.catalogue, { ...given, session }, now)).rejects.toThrow();
    expect((await signIn(email, password)).status).toBe(303);
  });

  it("opens a team to somebody with an account only once they have signed in themselves", async () => {
    await ada("known@example.com");
    const now = service.context.clock();
    const made = await invite(
      service.catalogue,
      {
        email: "known@example.com",
        publisherId: "publisher_b",
        role: "editor",
        isOperator: false,
        madeBy: "Eve",
      },
      now,
    );
    const path = `/dash/link/${made.token}`;
    const stranger = await submit(path, { password: "whatever it is" });
    expect(stranger.headers.location).toBe(`/dash/sign-in?next=${encodeURIComponent(path)}`);
    const other = await signedIn(service);
    const others = await service.call(path, { origin: null, headers: { Cookie: other.cookie } });
    expect(others.status).toBe(403);
    // Signed in as the other one they come back to it.
    expect(others.text).toContain(`<input type="hidden" name="next" value="${path}">`);
    const query = `anew=1&next=${encodeURIComponent(path)}`;
    const form = await service.call(`/dash/sign-in?${query}`, {
      origin: null,
      headers: { Cookie: other.cookie },
    });
    expect([form.status, form.text.includes(`name="next" value="${path}"`)]).toEqual([200, true]);
    expect(others.text).toContain('<form action="/dash/sign-in"><input type="hidden" name="anew" value="1">');
    const cookie = cookieOf(await signIn("known@example.com", password));
    const joined = await submit(path, {}, { headers: { Cookie: cookie } });
    expect(joined.status).toBe(303);
    // Nobody gave a password, so it is the session of before, and no younger one.
    expect(joined.headers["set-cookie"]).toBeUndefined();
    const me = await dashCallsOf(service, cookie).get("/dash/api/me");
    expect(me.json()).toMatchObject({ publishers: [{ publisherId: "publisher_b" }] });
    // The password is what it was.
    expect((await signIn("known@example.com", password)).status).toBe(303);
  });

  it("tells an owner nothing of an account that is shut out, and an operator why it is refused", async () => {
    const [email, letIn] = ["shut-out@example.com", "let-in@example.com"];
    for (const each of [email, letIn]) await ada(each);
    await setUserDisabled(service.catalogue, { email, isDisabled: true }, 1);
    const [owner, operator] = [
      await signedIn(service),
      await signedIn(service, { publishers: {}, isOperator: true }),
    ];
    const invitee = { email, role: "viewer" };
    const toldOf = async (invited: string) => {
      const path = "/dash/api/publishers/publisher_a/team/invitations";
      const made = await owner.change("POST", path, { ...invitee, email: invited });
      const { link, ...others } = made.json<{ link: string }>();
      const taken = await submit(link.replace(baseUrl, ""), { password });
      const location = taken.headers.location?.replace(encodeURIComponent(link.replace(baseUrl, "")), "LINK");
      return { made: made.status, ...others, taken: taken.status, location };
    };
    const told = await toldOf(email);
    expect(told).toMatchObject({ made: 201, location: "/dash/sign-in?next=LINK" });
    expect(told).toEqual(await toldOf(letIn));
    expect((await signIn(email, password)).status).toBe(422);
    const refused = await operator.change(
      "POST",
      "/dash/api/operator/publishers/publisher_a/invitations",
      invitee,
    );
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("user disable --undo");
  });

  it.each<[string, (by: { userId: number; email: string }) => Promise<unknown>]>([
    ["changed", ({ email }) => recover(email)],
    ["of no use any more", ({ email }) => setUserDisabled(service.catalogue, { email, isDisabled: true }, 1)],
  ])("signs nobody in whose password is %s while it is checked", async (_, happens) => {
    const email = `${Math.random()}@example.com`;
    await ada(email);
    whileChecking(async () => {
      const found = await service.context.desk.ask("findForSignIn", { email });
      await happens({ userId: found?.userId ?? 0, email });
    });
    const answer = await signIn(email, password);
    expect(answer.status).toBe(422);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  it.each<[string, (by: { userId: number; email: string }) => Promise<unknown>]>([
    [
      "is shut out, and let in again",
      async ({ email }) => {
        await setUserDisabled(service.catalogue, { email, isDisabled: true }, 1);
        await setUserDisabled(service.catalogue, { email, isDisabled: false }, 2);
      },
    ],
    [
      "owns the team no more",
      ({ userId }) => changeMember(service.catalogue, { publisherId: "publisher_a", userId, role: "editor" }),
    ],
    [
      "is taken out of the team",
      ({ userId }) => changeMember(service.catalogue, { publisherId: "publisher_a", userId, role: null }),
    ],
  ])("an invitation is void once whoever made it %s", async (_, happens) => {
    await signedIn(service);
    const [owner, other] = [await signedIn(service), await signedIn(service)];
    const path = "/dash/api/publishers/publisher_a/team/invitations";
    const inviting = async (by: typeof owner) => {
      const email = `${Math.random()}@example.com`;
      const made = await by.change("POST", path, { email, role: "owner" });
      return new URL(made.json<{ link: string }>().link, baseUrl).pathname;
    };
    const [ended, good] = [await inviting(owner), await inviting(other)];
    await happens(owner);
    expect((await submit(ended, { password })).status).toBe(404);
    expect((await submit(good, { password })).status).toBe(303);
  });

  it.each<[string, (by: { email: string; cookie: string }) => Promise<unknown>]>([
    [
      "on their page",
      ({ cookie }) =>
        dashCallsOf(service, cookie).change("POST", "/dash/api/me/password", {
          password,
          newPassword: "another sentence",
        }),
    ],
    ["by a link", ({ email }) => recover(email)],
  ])("an invitation is void once whoever made it has chosen another password %s", async (_, happens) => {
    const other = await signedIn(service);
    const email = `${Math.random()}@example.com`;
    await ada(email);
    const found = await service.context.desk.ask("findForSignIn", { email });
    const member = { userId: found?.userId ?? 0, publisherId: "publisher_a", role: "owner" } as const;
    await service.catalogue.transact((db) => putMember(db, member, service.context.clock()));
    const cookie = cookieOf(await signIn(email, password));
    const inviting = async ({ change }: Pick<DashCalls, "change">) => {
      const path = "/dash/api/publishers/publisher_a/team/invitations";
      const made = await change("POST", path, { email: `${Math.random()}@example.com`, role: "owner" });
      return new URL(made.json<{ link: string }>().link, baseUrl).pathname;
    };
    const [ended, good] = [await inviting(dashCallsOf(service, cookie)), await inviting(other)];
    expect((await service.call(ended, { origin: null })).status).toBe(200);
    await happens({ email, cookie });
    expect((await service.call(ended, { origin: null })).status).toBe(404);
    expect((await submit(ended, { password })).status).toBe(404);
    expect((await service.call(good, { origin: null })).status).toBe(200);
  });

  it.each<[string, (email: string) => Promise<unknown>]>([
    [
      "its owner has chosen another password",
      async (email) => {
        const { change } = dashCallsOf(service, cookieOf(await signIn(email, password)));
        await change("POST", "/dash/api/me/password", { password, newPassword: "another sentence" });
      },
    ],
    [
      "its owner was shut out, and let in again",
      async (email) => {
        await setUserDisabled(service.catalogue, { email, isDisabled: true }, 1);
        await setUserDisabled(service.catalogue, { email, isDisabled: false }, 2);
      },
    ],
  ])("signs nobody in once %s", async (_, happens) => {
    const email = `lost-${Math.random()}@example.com`;
    await ada(email);
    const now = service.context.clock();
    const links = [
      await makeLinkFor(service.catalogue, { kind: "password", email, madeBy: "x" }, now),
      await makeLinkFor(service.catalogue, { kind: "sign_in", email, madeBy: "x" }, now),
    ];
    await happens(email);
    for (const { token } of links) {
      const answer = await submit(`/dash/link/${token}`, { password });
      expect(answer.status).toBe(404);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  it("is over after its time", async () => {
    const now = service.context.clock();
    await createUser(service.catalogue, { email: "late@example.com", isOperator: false }, now);
    const made = await makeLinkFor(
      service.catalogue,
      { kind: "password", email: "late@example.com", madeBy: "x" },
      now,
    );
    service.moveClock(25 * 3_600_000);
    expect((await service.call(`/dash/link/${made.token}`, { origin: null })).status).toBe(404);
    expect((await submit(`/dash/link/${made.token}`, { password })).status).toBe(404);
  });
});
