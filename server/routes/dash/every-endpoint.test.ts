import type { DashEndpoint } from "@offers/contract/dash/endpoint";
import { type DashOperation, dashEndpoints } from "@offers/contract/dash/endpoints";
import type { Role } from "@offers/contract/words";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dashAsked, examplePassword } from "../../testing/dash-asked.ts";
import { type DashCalls, dashCallsOf, signedIn } from "../../testing/dash-calls.ts";
import { dashExamples } from "../../testing/dash-examples.ts";
import { sourcesOfChanges } from "../../testing/odd-sources.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { wholeDatabase } from "../../testing/whole-database.ts";

let service: TestService;
let request: string;
let passwordHash: string;
beforeAll(async () => {
  service = await startTestService();
  passwordHash = await service.context.passwords.hash(examplePassword);
  request = (await service.visit()).decision.requestId;
});
afterAll(() => service.close());

const rows: readonly DashEndpoint[] = dashEndpoints;
const operationOf = ({ method, path }: DashEndpoint) => `${method} ${path}` as DashOperation;

/** The address and body of a row's example. */
const exampleOf = async (row: DashEndpoint, by: DashCalls) => {
  const { params } = dashExamples[operationOf(row)];
  const { query, body } = dashAsked[operationOf(row)];
  const ids: Record<string, string> = { publisher: "publisher_a", ...(await params?.(service, by)) };
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "");
  return {
    path: query ? `${path}?${query.replace("{request}", request)}` : path,
    body: typeof body === "function" ? body() : body,
  };
};

/** Somebody who has a password. */
const person = async (who: Parameters<typeof signedIn>[1]): Promise<DashCalls> => {
  const by = await signedIn(service, who);
  const [session] = await service.context.desk.ask("listSessions", { userId: by.userId });
  // Or the first call would note the use of an old session, whatever becomes of the call.
  if (session) await service.context.desk.ask("touchSession", { sessionId: session.sessionId });
  await service.catalogue.transact((db) =>
    db.updateTable("user").set({ password_hash: passwordHash }).where("id", "=", by.userId).execute(),
  );
  return by;
};

const inRole = (role: Role, signedInMsAgo = 0) => ({ publishers: { publisher_a: role }, signedInMsAgo });
const callers = {
  "no session": null,
  viewer: inRole("viewer"),
  editor: inRole("editor"),
  owner: inRole("owner"),
  "an owner who signed in long ago": inRole("owner", 16 * 60_000),
  operator: { publishers: {}, isOperator: true },
  "an owner of another publisher": { publishers: { publisher_b: "owner" } },
} as const satisfies Record<string, Parameters<typeof signedIn>[1] | null>;
type Caller = keyof typeof callers;

const roles: readonly string[] = ["viewer", "editor", "owner"];
const ofLongAgo = "an owner who signed in long ago";

/** What a caller is to be answered, said here once more than by the code that decides it. */
const expectedOf = (row: DashEndpoint, caller: Caller): "good" | 401 | 403 | 404 => {
  if (caller === "no session") return 401;
  const names = `${row.path}?${dashAsked[operationOf(row)].query ?? ""}`;
  const isOfPublisher = /:publisher|publisher=/.test(names);
  const isReading = row.method === "GET";
  const { who } = row;
  if (caller === "operator") {
    if (who === "operator" || who === "anyone") return "good";
    return isReading && who === "viewer" ? "good" : 403;
  }
  if (who === "operator") return 404;
  if (caller === "an owner of another publisher") return isOfPublisher ? 404 : "good";
  if (caller === ofLongAgo) return row.needsRecentSignIn ? 403 : "good";
  return who === "anyone" || roles.indexOf(caller) >= roles.indexOf(who) ? "good" : 403;
};

describe.each(rows.map((row) => [operationOf(row), row] as const))("%s", (_, row) => {
  it.each(Object.keys(callers) as Caller[])("is answered for %s as its row says", async (caller) => {
    const who = callers[caller];
    const by = await person(who ?? callers.owner);
    const { get, change } = who === null ? dashCallsOf(service, "") : by;
    const expected = expectedOf(row, caller);
    const { path, body } = await exampleOf(row, by);
    const before = wholeDatabase(service);
    const answer = row.method === "GET" ? await get(path) : await change(row.method, path, body);
    if (expected === "good") {
      expect([200, 201, 204], answer.text).toContain(answer.status);
      return;
    }
    expect(answer.status, answer.text).toBe(expected);
    expect(wholeDatabase(service)).toEqual(before);
  });
});

describe.each(rows.filter(({ method }) => method !== "GET").map((row) => [operationOf(row), row] as const))(
  "%s",
  (_, row) => {
    it.each(sourcesOfChanges("https://offers.test"))(
      "asked for from Sec-Fetch-Site %s and Origin %s: %s",
      async (site, origin, isOurs) => {
        const by = await person(row.who === "operator" ? callers.operator : callers.owner);
        const { path, body } = await exampleOf(row, by);
        const before = wholeDatabase(service);
        const answer = await service.call(path, {
          method: row.method,
          origin,
          ...(body && { body }),
          headers: {
            Cookie: by.cookie,
            ...(body && { "Content-Type": "application/json" }),
            ...(site && { "Sec-Fetch-Site": site }),
          },
        });
        if (isOurs) {
          expect([200, 201, 204], answer.text).toContain(answer.status);
          return;
        }
        expect(answer.json()).toMatchObject({ status: 403, code: "cross_site" });
        expect(wholeDatabase(service)).toEqual(before);
      },
    );
  },
);

it("is not called with anything but JSON", async () => {
  const [owner, operator] = [await person(callers.owner), await person(callers.operator)];
  for (const row of rows.filter((one) => dashAsked[operationOf(one)].body !== undefined)) {
    const by = row.who === "operator" ? operator : owner;
    const { path } = await exampleOf(row, by);
    const before = wholeDatabase(service);
    const given = { headers: { "Content-Type": "text/plain" } };
    const answer = await by.change(row.method as "POST", path, "{}", given);
    expect(answer.status, `${operationOf(row)} ${answer.text}`).toBe(415);
    expect(wholeDatabase(service)).toEqual(before);
  }
});

it.each(["/dash/api/me", "/dash/api/publishers/publisher_a/websites/ws_a"])(
  "refuses a body that nests deeper than any stack at %s",
  async (path) => {
    const by = await person(callers.owner);
    const nested = `{"name":${"[".repeat(19_000)}${"]".repeat(19_000)},"overlay":{"a":${"[".repeat(900)}${"]".repeat(900)}}}`;
    const given = { body: nested, headers: { "Content-Type": "application/json" } };
    const answer = await by.change("PATCH", path, undefined, given);
    expect(answer.json()).toMatchObject({ status: 400, code: "invalid_body" });
  },
);

it("knows no id that no database can hold", async () => {
  const [owner, operator] = [await person(callers.owner), await person(callers.operator)];
  for (const row of rows) {
    const path = row.path.replace(":publisher", "publisher_a").replaceAll(/:\w+|publisher_a$/g, "%00");
    if (!path.includes("%00")) continue;
    const { query } = dashAsked[operationOf(row)];
    const { body } = await exampleOf(row, owner);
    const by = row.who === "operator" ? operator : owner;
    const answer =
      row.method === "GET" ? await by.get(`${path}?${query ?? ""}`) : await by.change(row.method, path, body);
    expect([operationOf(row), answer.status], answer.text).toEqual([operationOf(row), 404]);
  }
});
