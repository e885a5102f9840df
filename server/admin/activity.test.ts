import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newOperator, type Operator, offerWords, setUp, testTime } from "./operator-for-tests.ts";
import { nouns } from "./run-admin.ts";

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
});
afterEach(() => operator.leave());

type Ids = Awaited<ReturnType<typeof setUp>> & {
  keyId: string;
  secretId: string;
  clientId: string;
  freshId: string;
};

/** Every command that changes the catalogue, with a line that does, and what it leaves in the activity. */
const changing: Record<string, { words: (ids: Ids) => string[]; tells: string[] }> = {
  setup: {
    words: () => ["--origin", "https://new.example", "--no-wait"],
    tells: ["website updated", "website created", "publisher created"],
  },
  "publisher create": { words: () => ["--name", "New"], tells: ["publisher created"] },
  "publisher update": {
    words: ({ publisherId }) => ["--publisher", publisherId, "--name", "New"],
    tells: ["publisher updated"],
  },
  "website create": {
    words: ({ publisherId }) => [
      ...["--publisher", publisherId],
      ...["--name", "New", "--origin", "https://new.example"],
    ],
    tells: ["website created"],
  },
  "website update": {
    words: ({ websiteKey }) => ["--website", websiteKey, "--name", "New"],
    tells: ["website updated"],
  },
  "website pause": { words: ({ websiteKey }) => ["--website", websiteKey], tells: ["website paused"] },
  "website resume": { words: ({ websiteKey }) => ["--website", websiteKey], tells: ["website resumed"] },
  "allowlist set": {
    words: ({ websiteKey }) => ["--website", websiteKey, "--mode", "all"],
    tells: ["website updated"],
  },
  "advertiser create": {
    words: () => ["--name", "New", "--balance-micros", "1"],
    tells: ["advertiser created"],
  },
  "advertiser deposit": {
    words: ({ advertiserId }) => ["--advertiser", advertiserId, "--micros", "1"],
    tells: ["advertiser deposited"],
  },
  "advertiser adjust": {
    words: ({ advertiserId }) => ["--advertiser", advertiserId, "--micros", "-1", "--note", "mistyped"],
    tells: ["advertiser adjusted"],
  },
  "advertiser update": {
    words: ({ freshId }) => ["--advertiser", freshId, "--currency", "GBP"],
    tells: ["advertiser updated"],
  },
  "offer create": {
    words: ({ advertiserId }) => ["--advertiser", advertiserId, ...offerWords],
    tells: ["offer created"],
  },
  "offer update": { words: ({ offerId }) => ["--offer", offerId, "--premium"], tells: ["offer updated"] },
  "offer pause": { words: ({ offerId }) => ["--offer", offerId], tells: ["offer paused"] },
  "offer resume": { words: ({ offerId }) => ["--offer", offerId], tells: ["offer resumed"] },
  "offer import": {
    words: () => ["--file", join(operator.dataDir, "offers.csv")],
    tells: ["offer_file imported"],
  },
  "currency set": { words: () => ["--currency", "USD", "--rate", "0.92"], tells: ["currency updated"] },
  "currency remove": { words: () => ["--currency", "USD"], tells: ["currency updated"] },
  "key create": { words: ({ publisherId }) => ["--publisher", publisherId], tells: ["api_key created"] },
  "key rotate": {
    words: ({ keyId }) => ["--key-id", keyId],
    tells: ["api_key rotated", "api_key created"],
  },
  "key revoke": { words: ({ keyId }) => ["--key-id", keyId], tells: ["api_key revoked"] },
  "secret create": {
    words: ({ websiteKey }) => ["--website", websiteKey],
    tells: ["website secret_created"],
  },
  "secret revoke": { words: ({ secretId }) => ["--secret-id", secretId], tells: ["website secret_revoked"] },
  "partner create": {
    words: () => ["--name", "New", "--redirect-uri", "https://partner.example/back"],
    tells: ["partner created"],
  },
  "partner rotate": { words: ({ clientId }) => ["--client-id", clientId], tells: ["partner rotated"] },
  "partner retire": {
    words: ({ clientId }) => ["--client-id", clientId],
    tells: ["partner secret_revoked"],
  },
  "partner revoke": { words: ({ clientId }) => ["--client-id", clientId], tells: ["partner revoked"] },
  "user create": {
    words: () => ["--email", "eve@example.com"],
    tells: ["user password_link_made", "user created"],
  },
  "user invite": {
    words: ({ publisherId }) => ["--email", "bo@example.com", "--publisher", publisherId],
    tells: ["user invited"],
  },
  "user withdraw": { words: () => ["--email", "bo@example.com"], tells: ["user withdrawn"] },
  "user disable": { words: () => ["--email", "eve@example.com"], tells: ["user disabled"] },
  "user remove": { words: () => ["--email", "eve@example.com", "--yes"], tells: ["user removed"] },
  erase: { words: ({ websiteKey }) => ["--website", websiteKey, "--yes"], tells: ["website visits_erased"] },
};

/** Those that read, or write files of the operator's own. */
const leavingItAlone = [
  ...["website show", "website check", "website list", "publisher list", "allowlist list", "advertiser list"],
  ...["offer show", "offer export", "offer list", "currency list", "key list", "secret list"],
  ...[
    "user list",
    "report",
    "statement",
    "clicks",
    "recount",
    "audit",
    "backup",
    "simulate",
    "explain",
    "activity list",
    "partner list",
    "move",
  ],
  ...["geo status", "geo check", "geo update", "networks status", "networks check", "networks update"],
];

test("every command either changes the catalogue or leaves it alone", () => {
  const all = nouns.flatMap(({ name, commands }) => commands.map(({ verb }) => `${name} ${verb}`.trimEnd()));
  expect([...Object.keys(changing), ...leavingItAlone].sort()).toEqual(all.sort());
});

const noted = async (): Promise<{ id: number; subject: { kind: string }; action: string }[]> =>
  operator.done("activity list --limit 1000");

test("every command that changes the catalogue is in the activity, and nothing secret is", async () => {
  const ids = await setUp(operator);
  const { key, keyId } = await operator.done("key create --publisher", ids.publisherId);
  const { secret, secretId } = await operator.done("secret create --website", ids.websiteKey);
  const ping = { host: "pier.example", script_version: "1", hour: 1, surface: "overlay", url: "" } as const;
  await operator.beside((db) =>
    db
      .insertInto("snippet_ping")
      .values({ website_id: 1, ...ping, last_at: 1, loads: 1 })
      .execute(),
  );
  const file = ["advertiserId,brand,vertical,title,landingUrl,geoCoverage,payoutModel,payoutMicros"];
  file.push(`${ids.advertiserId},Skyhop,travel,Lake,https://skyhop.example/,DE,CPC,1`);
  writeFileSync(join(operator.dataDir, "offers.csv"), file.join("\n"));
  const partner = await operator.done("partner create --name Mole --redirect-uri https://mole.example/back");
  const { clientId, clientSecret } = partner;
  const { advertiserId: freshId } = await operator.done("advertiser create --name Fresh --balance-micros 0");
  const secrets = [key, secret, clientSecret];
  for (const [command, { words, tells }] of Object.entries(changing)) {
    const before = (await noted())[0]?.id ?? 0;
    const answer = await operator.done(command, ...words({ ...ids, keyId, secretId, clientId, freshId }));
    const token = answer.link?.split("/").at(-1);
    for (const value of [answer.key, answer.secret, answer.clientSecret, token])
      if (value !== undefined) secrets.push(value);
    const rows = (await noted()).filter(({ id }) => id > before);
    expect([command, ...rows.map(({ subject, action }) => `${subject.kind} ${action}`)]).toEqual([
      command,
      ...tells,
    ]);
    expect(rows).toMatchObject(
      rows.map(() => ({ actor: { kind: "command_line", name: "ada" }, at: testTime })),
    );
  }
  expect(secrets).toHaveLength(10);
  const stored = await operator.observe(({ stored: { table } }) => ({
    hashes: ["api_key", "integration_secret"].flatMap((name) => table(name).map(({ hash }) => hash)),
    activity: JSON.stringify(table("activity")),
  }));
  expect(stored.hashes).toHaveLength(5);
  for (const value of [...secrets, ...stored.hashes].map(String)) {
    expect(stored.activity).not.toContain(value);
    expect(stored.activity).not.toContain(value.slice(-12));
  }
});

test("what is refused, and what changes nothing, is not in it", async () => {
  const { websiteKey, offerId } = await setUp(operator);
  const before = await noted();
  expect((await operator.run(["website", "update", "--website", websiteKey, "--name", ""])).code).toBe(2);
  expect((await operator.run(["offer", "update", "--offer", offerId, "--landing-url", "no"])).code).toBe(2);
  await operator.done("website update --name Pier --website", websiteKey);
  await operator.done("offer resume --offer", offerId);
  await operator.done("website resume --website", websiteKey);
  expect((await operator.run(["erase", "--website", websiteKey, "--yes"])).code).toBe(0);
  expect(await noted()).toEqual(before);
});

describe("the list", () => {
  test("is one line a change, newest first, with what was and what is", async () => {
    const { websiteKey } = await setUp(operator);
    await operator.done("website update --theme dark --geo-entries FR --website", websiteKey);
    const { out } = await operator.run(["activity", "list"]);
    const lines = out.trimEnd().split("\n");
    expect(lines[0]?.split(/ {2,}/)).toEqual(["ID", "AT", "WHO", "DID", "WHAT", "NAME", "CHANGES"]);
    expect(lines[1]?.split(/ {2,}/)).toEqual([
      expect.stringMatching(/^\d+$/),
      "2026-11-20T12:00:00Z",
      "ada (command line)",
      "updated",
      "website",
      "Pier",
      'geoRule.entries [] → ["FR"]; settings.theme "auto" → "dark"',
    ]);
    for (const line of lines) expect(line.length).toBeLessThan(320);
    expect(lines[2], "what is new is cut").toMatch(/title "Two nights by the sea".*…$/);
    expect(lines.map((line) => line.split(/ {2,}/)[4])).toEqual([
      ...["WHAT", "website", "offer", "advertiser", "website", "publisher"],
    ]);
  });

  test("is a publisher's, a website's, or as long as is asked for", async () => {
    const { publisherId, websiteKey } = await setUp(operator);
    const other = await operator.done("publisher create --name Other");
    const names = async (...words: string[]) =>
      (await operator.done("activity list", ...words)).map(
        ({ subject }: { subject: { name: string } }) => subject.name,
      );
    expect(await names("--publisher", publisherId)).toEqual(["Pier", "Pier"]);
    expect(await names("--publisher", other.publisherId)).toEqual(["Other"]);
    await operator.done("publisher update --name Mole --publisher", publisherId);
    expect(await names("--website", websiteKey)).toEqual(["Pier"]);
    expect(await names("--limit", "2")).toEqual(["Mole", "Other"]);
    const unknown = await operator.run(["activity", "list", "--website", "ws_none"]);
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("no website has the key") });
    const nobody = await operator.run(["activity", "list", "--publisher", "publisher_none"]);
    expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining("no publisher has the id") });
  });
});

describe("a long list", () => {
  test("is read on page by page, without a gap", async () => {
    await setUp(operator);
    const all = (await noted()).map(({ id }) => id);
    const page = async (...words: string[]) => {
      const { out, err } = await operator.run(["activity", "list", "--json", "--limit", "3", ...words]);
      const ids: number[] = JSON.parse(out).map(({ id }: { id: number }) => id);
      return { ids, err };
    };
    const first = await page();
    expect(first.err).toBe(`note: there are older ones: go on with --before ${first.ids.at(-1)}\n`);
    const second = await page("--before", String(first.ids.at(-1)));
    expect(second.err).toBe("");
    expect([...first.ids, ...second.ids]).toEqual(all);
  });

  test.each([
    [["--limit", "1001"], /--limit: must be at most 1000/],
    [["--limit", "0"], /--limit: must be at least 1/],
    [["--offer", "offer_x"], /--offer: no offer has the id/],
    [["--advertiser", "advertiser_x"], /--advertiser: no advertiser has the id/],
    [["--offer", "offer_x", "--website", "ws_x"], /name one thing: by --website, --offer or --advertiser/],
  ])("is refused by %j", async (words, message) => {
    await setUp(operator);
    const { code, out, err } = await operator.run(["activity", "list", ...words]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });

  test("is one offer's, or one advertiser's", async () => {
    const { offerId, advertiserId } = await setUp(operator);
    await operator.done("offer pause --offer", offerId);
    await operator.done("advertiser deposit --micros 1 --note INV-7 --advertiser", advertiserId);
    await operator.done("advertiser adjust --micros -1 --note mistyped --advertiser", advertiserId);
    const actions = async (...words: string[]) =>
      (await operator.done("activity list", ...words)).map(({ action }: { action: string }) => action);
    expect(await actions("--offer", offerId)).toEqual(["paused", "created"]);
    expect(await actions("--advertiser", advertiserId)).toEqual(["adjusted", "deposited", "created"]);
    const { out } = await operator.run(["activity", "list", "--advertiser", advertiserId]);
    expect(out).toMatch(/adjusted .*depositedMicros 5000001 → 5000000; micros - → -1; note - → "mistyped"\n/);
    expect(out).toMatch(/deposited .*depositedMicros 5000000 → 5000001; micros - → 1; note - → "INV-7"\n/);
  });
});

test("of a deleted website the activity is told all the same", async () => {
  const { publisherId, websiteKey } = await setUp(operator);
  await operator.beside((db) =>
    db.updateTable("website").set({ archived_at: 1 }).where("key", "=", websiteKey).execute(),
  );
  const told = await operator.done("activity list --website", websiteKey);
  expect(told).toMatchObject([{ action: "created", publisherId }]);
});
