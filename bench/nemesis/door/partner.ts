import { createHash, randomBytes } from "node:crypto";
import { oauthPaths } from "@offers/contract/oauth";
import type { Answer, AnyMethodClient } from "../../http-client.ts";
import type { Service } from "../../service.ts";
import { ownPage, type Person } from "./people.ts";

const callback = "https://partner.example/callback";
const form = { "content-type": "application/x-www-form-urlencoded" };

export type Connected = {
  clientId: string;
  clientSecret: string;
  grantId: string;
  access: string;
  refresh: string;
};

/** Registers a partner and has somebody connect it to their publisher, as a browser and the partner's server would. */
export async function connectPartner(
  service: Service,
  client: AnyMethodClient,
  by: Person,
  publisherId: string,
): Promise<Connected> {
  const { clientId, clientSecret } = await service.admin<{ clientId: string; clientSecret: string }>(
    ...["partner", "create", "--name", "Tide Tables", "--redirect-uri", callback],
  );
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: callback, response_type: "code", code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    state: randomBytes(8).toString("hex"),
    scope: "reports:read",
  });
  const cookies = new Map([by.cookie.split("=") as [string, string]]);
  const open = async (method: string, path: string, fields?: Record<string, string>): Promise<Answer> => {
    const body = fields === undefined ? "" : new URLSearchParams(fields).toString();
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(fields && { ...form, ...ownPage(service.url) }), cookie };
    const answer = await client.send(
      ...([
        method,
        path,
        { ...headers, ...(fields && { "content-length": String(body.length) }) },
        body,
      ] as const),
    );
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const pathOf = ({ status, headers, body }: Answer): string => {
    if (status !== 303) throw new Error(`the partner is not connected: ${status} ${body}`);
    const { pathname, search } = new URL(headers.location ?? "", service.url);
    return pathname + search;
  };
  const deadline = Date.now() + 10_000;
  let asked = await open("GET", `${oauthPaths.authorize}?${query}`);
  // A running service takes a new partner over within a second.
  while (asked.status !== 303 && Date.now() < deadline)
    asked = await open("GET", `${oauthPaths.authorize}?${query}`);
  const consent = pathOf(asked);
  const page = await open("GET", consent);
  const user = /name="user" value="(\d+)"/.exec(page.body)?.[1] ?? "";
  const answered = await open("POST", consent, { user, publisher: publisherId, answer: "allow" });
  const back = await open("GET", pathOf(answered));
  const code = new URL(back.headers.location ?? "").searchParams.get("code") ?? "";
  const redeemed = await client.post(
    oauthPaths.token,
    new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    }).toString(),
    { ...form, authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
  );
  const { access_token: access = "", refresh_token: refresh = "" } = JSON.parse(redeemed.body) as Record<
    string,
    string
  >;
  if (access === "") throw new Error(`the partner has no token: ${redeemed.status} ${redeemed.body}`);
  const apps = await by.call("GET", `/dash/api/publishers/${publisherId}/apps`);
  const { items } = JSON.parse(apps.body) as { items: { grantId: string }[] };
  return { clientId, clientSecret, grantId: items[0]?.grantId ?? "", access, refresh };
}
