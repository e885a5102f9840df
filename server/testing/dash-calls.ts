import { randomBytes } from "node:crypto";
import type { Role } from "@offers/contract/words";
import { signSessionToken } from "../core/session-cookie.ts";
import { tokenBytes, tokenHash } from "../core/session-life.ts";
import { beginSession } from "../store/catalogue/sessions.ts";
import { putMember } from "../store/catalogue/team-members.ts";
import { createUser } from "../store/catalogue/users.ts";
import type { Answer, Call } from "./call.ts";
import { baseUrl, type TestService } from "./test-service.ts";

/** A service as somebody's browser sees it on a page of the dashboard. */
export type DashCalls = {
  userId: number;
  email: string;
  cookie: string;
  get: (path: string, given?: Call) => Promise<Answer>;
  /** Changes something, as a page of ours does. */
  change: (
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    given?: Call,
  ) => Promise<Answer>;
};

/** Signs somebody in: of publisher A's owners unless told otherwise; `publishers` by id, each with a role. */
export async function signedIn(
  service: TestService,
  who: {
    email?: string;
    name?: string;
    publishers?: Record<string, Role>;
    isOperator?: boolean;
    /** How long ago they gave their password; left out: they came just now, and have none. */
    signedInMsAgo?: number;
  } = {},
): Promise<DashCalls> {
  const { publishers = { publisher_a: "owner" }, isOperator = false } = who;
  const email = who.email ?? `user-${randomBytes(4).toString("hex")}@example.com`;
  const now = service.context.clock();
  const { userId } = await createUser(service.catalogue, { email, name: who.name, isOperator }, now);
  if (who.signedInMsAgo !== undefined) {
    await service.catalogue.transact((db) =>
      db.updateTable("user").set({ password_hash: "of a password" }).where("id", "=", userId).execute(),
    );
  }
  for (const [publisherId, role] of Object.entries(publishers)) {
    await service.catalogue.transact((db) => putMember(db, { userId, publisherId, role }, now));
  }
  const token = randomBytes(tokenBytes).toString("base64url");
  const hash = tokenHash(token) ?? "";
  await beginSession(service.catalogue, { userId, hash, agent: "Firefox" }, now - (who.signedInMsAgo ?? 0));
  return {
    userId,
    email,
    ...dashCallsOf(service, `__Host-offers=${signSessionToken(service.context.tokenKeys, token)}`),
  };
}

/** The calls of a browser that holds a cookie. */
export function dashCallsOf(
  service: TestService,
  cookie: string,
): Pick<DashCalls, "cookie" | "get" | "change"> {
  const get: DashCalls["get"] = (path, given = {}) =>
    service.call(path, { origin: null, ...given, headers: { Cookie: cookie, ...given.headers } });
  const change: DashCalls["change"] = (method, path, body, given = {}) =>
    get(path, {
      method,
      origin: baseUrl,
      ...(body !== undefined && { body }),
      ...given,
      headers: {
        "Sec-Fetch-Site": "same-origin",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...given.headers,
      },
    });
  return { cookie, get, change };
}
