import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { MadeWebsite } from "../catalogue.ts";
import { atMost, type Check, equal } from "../checks.ts";
import { type HttpClient, openHttpClient } from "../http-client.ts";
import { offersPath, visitorAt, visitPage } from "../visitor.ts";
import { type Callers, refreshWith } from "./callers.ts";
import { addressOf, givePassword, type Nodes, newSecret, roles } from "./nodes.ts";
import { newPassword, type Person, signIn } from "./person.ts";

/** What a rotation works on, while everybody calls. */
export type Rotating = {
  nodes: Nodes;
  website: MadeWebsite;
  publisherId: string;
  callers: Callers;
  person: Person;
  /** `TOKEN_SECRET` of all nodes now. */
  tokenSecret: string;
};

/** A running service takes a change within two seconds; what was revoked is refused within five. */
const takenMs = 2000;
const refusedMs = 5000;

/** Each of them: what was to be seen of it beside the callers' answers. */
export const rotations: Readonly<Record<string, (on: Rotating) => Promise<Check[]>>> = {
  TOKEN_SECRET: async (on) => {
    const { nodes, website } = on;
    const next = newSecret();
    const old = await handedOutBy(nodes.all[0].url, website);
    const codes = [
      ...(await nodes.roll({ TOKEN_SECRET_PREVIOUS: next })),
      ...(await nodes.roll({ TOKEN_SECRET: next, TOKEN_SECRET_PREVIOUS: on.tokenSecret })),
    ];
    on.tokenSecret = next;
    const meanwhile = await statusesOf(nodes, (client) => offersOf(client, website, old));
    codes.push(...(await nodes.roll({ TOKEN_SECRET_PREVIOUS: "" })));
    return [
      equal("TOKEN_SECRET: exit codes beside 0", codes.join(), ""),
      equal("… what the old one has sealed, while it is known", meanwhile, "200 200"),
      equal(
        "… and afterwards",
        await statusesOf(nodes, (client) => offersOf(client, website, old)),
        "400 400",
      ),
    ];
  },
  "API key": async ({ nodes, publisherId, website, callers: { credentials } }) => {
    const [first] = nodes.all;
    const old = credentials.apiKey;
    const keys = await first.admin<{ keyId: string; revokedAt: number | null }[]>(
      ...["key", "list", "--publisher", publisherId],
    );
    const oldId = keys.find(({ revokedAt }) => revokedAt === null)?.keyId ?? "";
    const { key } = await first.admin<{ key: string }>("key", "rotate", "--key-id", oldId);
    await pause(takenMs);
    credentials.apiKey = key;
    await pause(takenMs);
    await first.admin("key", "revoke", "--key-id", oldId);
    return refusedSoon("API key", nodes, 401, (client) =>
      client.get(`/v1/decision?website=${website.websiteKey}&ip=198.18.0.1`, {
        authorization: `Bearer ${old}`,
      }),
    );
  },
  "integration secret": async ({ nodes, website, callers: { credentials } }) => {
    const [first] = nodes.all;
    const old = credentials.integrationSecret;
    const words = ["--website", website.websiteKey];
    const secrets = await first.admin<{ secretId: string; revokedAt: number | null }[]>(
      "secret",
      "list",
      ...words,
    );
    const oldId = secrets.find(({ revokedAt }) => revokedAt === null)?.secretId ?? "";
    const { secret } = await first.admin<{ secret: string }>("secret", "create", ...words);
    await pause(takenMs);
    credentials.integrationSecret = secret;
    await pause(takenMs);
    await first.admin("secret", "revoke", "--secret-id", oldId);
    return refusedSoon("integration secret", nodes, 401, (client) =>
      client.post("/v1/widget-decline/trigger", JSON.stringify({ sessionId: "dcl_none" }), {
        authorization: `Bearer ${old}`,
        "content-type": "application/json",
      }),
    );
  },
  "partner's secret": async ({ nodes, callers: { credentials } }) => {
    const [first] = nodes.all;
    const old = credentials.partner.clientSecret;
    const words = ["--client-id", credentials.partner.clientId];
    const { clientSecret } = await first.admin<{ clientSecret: string }>("partner", "rotate", ...words);
    await pause(takenMs);
    credentials.partner.clientSecret = clientSecret;
    await pause(takenMs);
    await first.admin("partner", "retire", ...words);
    const stolen = { ...credentials.partner, clientSecret: old, refreshToken: "none" };
    return refusedSoon("partner's secret", nodes, 401, (client) => refreshWith(client, stolen));
  },
  "operator's password": async ({ nodes, person }) => {
    const { email, password: old } = person;
    const client = openHttpClient(nodes.url, 1);
    try {
      const other = (await signIn(client, person)) ?? "";
      const next = newPassword();
      const changed = await client.post(
        "/dash/api/me/password",
        JSON.stringify({ password: old, newPassword: next }),
        { cookie: person.cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
      );
      person.password = next;
      const asked = { cookie: other };
      return [
        equal("operator's password: changed", changed.status, 204),
        ...(await refusedSoon("another session of theirs", nodes, 401, (node) =>
          node.get("/dash/api/me", asked),
        )),
        equal("… the old one", String(await signIn(client, { email, password: old })), "null"),
        equal("… the new one", (await signIn(client, person)) === null ? "refused" : "opens", "opens"),
      ];
    } finally {
      client.close();
    }
  },
  "database password": async ({ nodes }) => {
    const { server } = nodes;
    if (server === null) return [];
    const [old, next] = roles;
    const codes = await nodes.roll({
      DATABASE_URL: addressOf(server, next, await givePassword(server, next)),
    });
    await server.administer(`alter role ${old} nologin`);
    const left = await sessionsOf(server.url("postgres"), old);
    return [
      equal("database password: exit codes beside 0", codes.join(), ""),
      equal("… connections of the old role", left, 0),
    ];
  },
};

/** A request that a node has sealed, as whoever has it sends it back. */
type HandedOut = { requestId: string; country: string };

const visitorOfNode = (website: MadeWebsite): Record<string, string> => {
  const { headers } = visitorAt(65_000, website);
  // As the proxy would pass it on.
  return { ...headers, "x-forwarded-for": `${headers["x-forwarded-for"]}, 127.0.0.1` };
};

const handedOutBy = async (url: string, website: MadeWebsite): Promise<HandedOut> => {
  const client = openHttpClient(url, 1);
  try {
    return (await visitPage(client, website, { headers: visitorOfNode(website) })).decision;
  } finally {
    client.close();
  }
};

const offersOf = (client: HttpClient, website: MadeWebsite, old: HandedOut) =>
  client.get(offersPath(website, old), visitorOfNode(website));

type Ask = (client: HttpClient) => Promise<{ status: number }>;

/** What each node answers, asked by itself. */
const statusesOf = async ({ all }: Nodes, ask: Ask): Promise<string> => {
  const statuses = await Promise.all(
    all.map(async ({ url }) => {
      const client = openHttpClient(url, 1);
      try {
        return (await ask(client)).status;
      } finally {
        client.close();
      }
    }),
  );
  return statuses.join(" ");
};

/** Whether every node refuses it within the time that the guide states. */
const refusedSoon = async (what: string, nodes: Nodes, status: number, ask: Ask): Promise<Check[]> => {
  const from = performance.now();
  const wanted = nodes.all.map(() => status).join(" ");
  for (;;) {
    const seen = await statusesOf(nodes, ask);
    const ms = Math.round(performance.now() - from);
    if (seen === wanted) return [atMost(`${what}: refused by all nodes, after ms`, ms, refusedMs)];
    if (ms > 2 * refusedMs) return [equal(`${what}: refused by all nodes`, seen, wanted)];
    await pause(50);
  }
};

const sessionsOf = async (url: string, role: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where usename = $1",
      [role],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
};
