import { examplePassword } from "../../../server/testing/dash-asked.ts";
import type { Answer, AnyMethodClient } from "../../http-client.ts";
import type { Service } from "../../service.ts";

/** What everybody in a check chooses as password: the calls of the dashboard name it. */
export const password = examplePassword;

/** Somebody who is signed in, as their browser calls the dashboard. */
export type Person = {
  email: string;
  cookie: string;
  /** As a page of the dashboard calls, unless the headers say otherwise; what is undefined of them is not sent. */
  call(method: string, path: string, given?: DashCall): Promise<Answer>;
};

export type DashCall = { body?: unknown; headers?: Record<string, string | undefined> };

type Who = { email: string } & (
  | { operator: true }
  | { publisherId: string; role: "viewer" | "editor" | "owner" }
);

/** Invites somebody by the command line and signs them in as they would themselves: by the link, and a password. */
export async function signIn(service: Service, client: AnyMethodClient, who: Who): Promise<Person> {
  const words =
    "operator" in who
      ? ["create", "--operator"]
      : ["invite", "--publisher", who.publisherId, "--role", who.role];
  const { link } = await service.admin<{ link: string }>("user", ...words, "--email", who.email);
  const answer = await client.post(new URL(link).pathname, new URLSearchParams({ password }).toString(), {
    ...ownPage(service.url),
    "content-type": "application/x-www-form-urlencoded",
  });
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0];
  if (answer.status !== 303 || cookie === undefined) {
    throw new Error(`not signed in: ${answer.status} ${answer.body}`);
  }
  return {
    email: who.email,
    cookie,
    call: (method, path, { body, headers = {} } = {}) => {
      const given = { cookie, ...ownPage(service.url), ...headers };
      const text = body === undefined ? "" : JSON.stringify(body);
      return client.send(
        method,
        path,
        {
          ...Object.fromEntries(
            Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])),
          ),
          ...(body !== undefined && {
            "content-type": "application/json",
            "content-length": String(Buffer.byteLength(text)),
          }),
        },
        text,
      );
    },
  };
}

/** What a browser says of a page of ours. */
export function ownPage(url: string): { origin: string; "sec-fetch-site": string } {
  return { origin: url, "sec-fetch-site": "same-origin" };
}
