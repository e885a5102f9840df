import { setTimeout as pause } from "node:timers/promises";
import { issueKey } from "./api-key.ts";
import { rowsOf } from "./book-rows.ts";
import { readStoredHalves, runCheckCommand } from "./books.ts";
import { everybodyBlocked, makeCatalogue, planOffer } from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Engine, takeEngine } from "./cluster/start-nodes.ts";
import { type Copied, programsFor, startCopied } from "./restores/engines.ts";
import { comparePrefix } from "./restores/prefix.ts";
import { type TimedVisits, visitOnAndOn } from "./restores/timed-visits.ts";
import { connectPartner, newPerson } from "./rotation/person.ts";
import type { Service } from "./service.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

type RestoresOptions = { engine: Engine; restores: number; visitors: number; acksBetween: number };

/** A copy may be made in the few milliseconds in which nothing is sent or answered; of so many more one is not. */
const moreToShowLoad = 8;

const tokenSecret = "3q2-7wEjRWeJq83vASNFZw_lkJ8sYtPcHd0b3m2G7qkX8yYtP6cJhL5E";

/**
 * Copies the books again and again while visitors call, and restores each copy: it is whole, a beginning of what was
 * acknowledged, agrees with itself, nobody is let in by it, and neither a visitor's salt nor anybody's secret can be read in it.
 */
export async function restores(options: RestoresOptions): Promise<Check[]> {
  const { directory, remove } = await makeTemporaryFolder("restores-");
  const environment = {
    TOKEN_SECRET: tokenSecret,
    TRUST_PROXY_HOPS: "1",
    RATE_LIMIT_FACTOR: "100000",
  };
  const copied = await startCopied(options.engine, directory, environment);
  let visits: TimedVisits | null = null;
  try {
    const { service } = copied;
    const made = await makeCatalogue(service, {
      websites: [{ name: "Restores", origins: ["https://restores.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass"].map((brand) => planOffer(brand, 1000)),
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const credentials = await issueAll(service, made.publisherId, website.websiteKey);
    visits = visitOnAndOn(service.url, website, options.visitors);
    const checks: Check[] = [];
    const shown = { left: 0, meanwhile: 0 };
    const isLoadShown = () => shown.left > 0 && shown.meanwhile > 0;
    const most = options.restores + moreToShowLoad;
    for (let number = 1; number <= options.restores || (!isLoadShown() && number <= most); number += 1) {
      const wanted = visits.acks() + options.acksBetween;
      while (visits.acks() < wanted) await pause(5);
      // A new day has a salt of its own.
      const secrets = { ...credentials, ...(await saltsOf(service)) };
      const restored = await restoreOne(copied, number, visits, secrets);
      checks.push(...restored.checks);
      shown.left += restored.left;
      shown.meanwhile += restored.meanwhile;
    }
    const salts = await saltsOf(service);
    // A search that finds nothing anywhere would prove nothing.
    const unseen = missingIn(await copied.readLive(), salts);
    checks.push(
      atLeast("salts there are", Object.keys(salts).length, 1),
      equal("… of these, not found where they are", unseen.join(), ""),
    );
    await visits.stop();
    return [
      ...checks,
      atLeast("sent while a copy was made, and not in it", shown.left, 1),
      atLeast("acknowledged while a copy was made", shown.meanwhile, 1),
      equal("answers that nothing explains", visits.wrong.slice(0, 3).join("; "), ""),
      atLeast("events acknowledged", visits.acks(), options.restores * options.acksBetween),
    ];
  } finally {
    await visits?.stop();
    await copied.stop();
    await remove();
  }
}

/** Every secret that somebody may hold, by what it is. */
const issueAll = async (
  service: Service,
  publisherId: string,
  websiteKey: string,
): Promise<Record<string, string>> => {
  const { authorization } = await issueKey(service);
  const { secret } = await service.admin<{ secret: string }>("secret", "create", "--website", websiteKey);
  const person = await newPerson(service, service.url, publisherId);
  const partner = await connectPartner(service, service.url, { person, publisherId });
  const { link } = await service.admin<{ link: string }>(
    ...["user", "invite", "--email", "bo@people.example", "--operator"],
  );
  return {
    "API key": authorization.replace("Bearer ", ""),
    "integration secret": secret,
    password: person.password,
    "session's cookie": person.cookie.replace(/^.*=/, ""),
    "partner's secret": partner.clientSecret,
    "refresh token": partner.refreshToken,
    link: link.replace(/^.*\//, ""),
    "token secret": tokenSecret,
    "visitor's address": "198.18.0.",
    "visitor's browser": "AppleWebKit",
  };
};

const saltsOf = async (service: Service): Promise<Record<string, string>> => {
  const rows = await rowsOf<{ day: number; salt: string }>(service, "select day, salt from visitor_salt");
  return Object.fromEntries(rows.map(({ day, salt }) => [`salt of ${day}`, salt]));
};

/** What lets somebody in; there is some of each where the copy is made. */
const whatLetsIn = ["session", "sign_in_link", "oauth_row", "oauth_grant"]
  .map((table) => `select '${table}' as name from ${table}`)
  .join(" union ");

const restoreOne = async (
  copied: Copied,
  number: number,
  visits: TimedVisits,
  secrets: Record<string, string>,
): Promise<{ checks: Check[]; left: number; meanwhile: number }> => {
  const beganAt = performance.now();
  const acksBefore = visits.acks();
  const copy = await copied.backUp(number);
  const endedAt = performance.now();
  const meanwhile = visits.acks() - acksBefore;
  const text = await copied.read(copy);
  const { service, integrity } = await copied.restore(copy);
  try {
    const { once, doubled } = await readStoredHalves(service);
    const prefix = comparePrefix(visits.events, once, { beganAt, endedAt });
    const lettingIn = await rowsOf<{ name: string }>(service, whatLetsIn);
    const checks = [
      equal("integrity", integrity, "ok"),
      ...prefix.checks,
      equal("events that count twice", doubled, 0),
      atLeast("events in it", once.size, acksBefore > 0 ? 1 : 0),
      equal("recount", await runCheckCommand(service, "recount"), ""),
      equal("audit", await runCheckCommand(service, "audit"), ""),
      equal("salts and secrets in it", foundIn(text, secrets).join(), ""),
      equal("sessions, links and connections in it", lettingIn.map(({ name }) => name).join(), ""),
    ];
    return {
      checks: checks.map((check) => ({ ...check, claim: `${number}: ${check.claim}` })),
      left: prefix.left,
      meanwhile,
    };
  } finally {
    await service.stop();
  }
};

/** As it stands, as its bytes, and as an engine may write those. */
const formsOf = (secret: string): (string | Buffer)[] => {
  const bytes = Buffer.from(secret, "base64url");
  const forms = [secret, Buffer.from(secret).toString("hex")];
  // Whatever is shorter would be found by chance.
  return bytes.length < 16 ? forms : [...forms, bytes, bytes.toString("hex"), bytes.toString("base64")];
};

const foundIn = (text: Buffer, secrets: Record<string, string>): string[] =>
  Object.entries(secrets).flatMap(([what, secret]) =>
    formsOf(secret).some((form) => text.includes(form)) ? [what] : [],
  );

const missingIn = (text: Buffer, secrets: Record<string, string>): string[] => {
  const found = foundIn(text, secrets);
  return Object.keys(secrets).filter((what) => !found.includes(what));
};

if (import.meta.main) {
  const { engine, words } = takeEngine(process.argv.slice(2));
  const options = readNumbers({ restores: 10, visitors: 64, acksBetween: 400 }, words);
  if (programsFor(engine) === null) throw new Error("no PostgreSQL with pg_dump was found");
  const title = `Backups under load, restored, on ${engine}`;
  process.exitCode = printChecks(title, await restores({ engine, ...options }));
}
