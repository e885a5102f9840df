import { createHash, randomBytes } from "node:crypto";
import { type Answer, type HttpClient, openHttpClient } from "../http-client.ts";
import type { Service } from "../service.ts";

/** Somebody who is signed in to the dashboard in a browser. */
export type Person = { email: string; password: string; cookie: string };

const form = {
  "content-type": "application/x-www-form-urlencoded",
  "sec-fetch-site": "same-origin",
};

/** Makes somebody who may sign in, an owner of the publisher and an operator, and follows the link that they are sent. */
export async function newPerson(service: Service, url: string, publisherId: string): Promise<Person> {
  const email = `${randomBytes(4).toString("hex")}@people.example`;
  const password = newPassword();
  const { link } = await service.admin<{ link: string }>(
    ...["user", "invite", "--publisher", publisherId, "--role", "owner", "--operator", "--email", email],
  );
  const client = openHttpClient(url, 1);
  try {
    const answer = await client.post(new URL(link).pathname, String(new URLSearchParams({ password })), form);
    return { email, password, cookie: cookieOf(answer) };
  } finally {
    client.close();
  }
}

/** Signs in anew; null: it is refused. */
export async function signIn(
  client: HttpClient,
  { email, password }: Pick<Person, "email" | "password">,
): Promise<string | null> {
  const answer = await client.post("/dash/sign-in", String(new URLSearchParams({ email, password })), form);
  return answer.status === 303 ? cookieOf(answer) : null;
}

export function newPassword(): string {
  return `a sentence with ${randomBytes(9).toString("hex")}`;
}

const callback = "http://127.0.0.1:9/callback";

/** Registers a partner and has the person allow it to read the publisher's reports; all that its server then has. */
export async function connectPartner(
  service: Service,
  url: string,
  { person, publisherId }: { person: Person; publisherId: string },
): Promise<{ clientId: string; clientSecret: string; refreshToken: string }> {
  const { clientId, clientSecret } = await service.admin<{ clientId: string; clientSecret: string }>(
    ...["partner", "create", "--name", "Reports", "--scopes", "reports:read", "--redirect-uri", callback],
  );
  const client = openHttpClient(url, 1);
  const cookies = new Map([person.cookie.split("=", 2) as [string, string]]);
  const headersNow = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  const browse = async (path: string, body?: URLSearchParams): Promise<string> => {
    const headers = headersNow();
    const answer = await (body === undefined
      ? client.get(path, headers)
      : client.post(path, String(body), { ...headers, ...form }));
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const { location } = answer.headers;
    if (location === undefined) throw new Error(`${path} leads nowhere: ${answer.status} ${answer.body}`);
    const to = new URL(location, url);
    return to.origin === new URL(url).origin ? to.pathname + to.search : to.href;
  };
  try {
    const verifier = randomBytes(32).toString("base64url");
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: callback,
      response_type: "code",
      scope: "reports:read",
      state: "any",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const consent = await browse(`/v1/oauth/authorize?${query}`);
    const page = await client.get(consent, headersNow());
    const [, user = ""] = /name="user" value="(\d+)"/.exec(page.body) ?? [];
    const answered = { user, publisher: publisherId, answer: "allow" };
    const back = await browse(await browse(consent, new URLSearchParams(answered)));
    const code = new URL(back).searchParams.get("code") ?? "";
    const answer = await client.post(
      "/v1/oauth/token",
      String(
        new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri: callback,
          code_verifier: verifier,
        }),
      ),
      {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
    );
    if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.body}`);
    const { refresh_token: refreshToken } = JSON.parse(answer.body) as { refresh_token: string };
    return { clientId, clientSecret, refreshToken };
  } finally {
    client.close();
  }
}

const cookieOf = (answer: Answer): string => {
  const [cookie] = (answer.headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0] ?? "");
  if (cookie === undefined) throw new Error(`nobody is signed in: ${answer.status} ${answer.body}`);
  return cookie;
};
