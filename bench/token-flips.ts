import { readBooks } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks } from "./checks.ts";
import { type Engine, startNodes, takeEngine } from "./cluster/start-nodes.ts";
import { type Answer, type HttpClient, openHttpClient } from "./http-client.ts";
import { followLink, offersPath, reportEvent, visitorAt, visitPatiently } from "./visitor.ts";

/** Changes every single bit of a click token and of a requestId: each change must be refused with 400. */
export async function tokenFlips({ engine }: { engine?: Engine } = {}): Promise<Check[]> {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };
  const nodes = await startNodes({ engine, environment });
  const service = nodes.first;
  const client = openHttpClient(service.url, 16);
  try {
    const made = await makeCatalogue(service, {
      websites: ["flip", "other"].map((name) => ({
        name,
        origins: [`https://${name}.example`],
        geo: everybodyBlocked,
      })),
      offers: [{ brand: "Anchor", landingUrl: "https://landing.example/?click={click_id}" }],
    });
    const [website, other] = made.websites;
    if (website === undefined || other === undefined) throw new Error("the catalogue lacks a website");
    const flips = await flipEverything(client, website);
    const strange = await useElsewhere(client, website, other);
    const books = await readBooks(service);
    return [
      ...flips,
      ...strange,
      equal(
        "clicks stored of all that",
        Object.values(books.clickReasons).reduce((a, b) => a + b, 0),
        0,
      ),
      ...(await checkUntouched(client, website)),
    ];
  } finally {
    client.close();
    await nodes.stop();
  }
}

/** What one website was given, at another one. */
const useElsewhere = async (
  client: HttpClient,
  website: MadeWebsite,
  other: MadeWebsite,
): Promise<Check[]> => {
  const { decision, offers } = await visitPatiently(client, website, visitorAt(3, website));
  const [offer] = offers;
  if (offer === undefined) throw new Error("no offers were handed out");
  const visitor = visitorAt(3, other);
  const asked = await client.get(offersPath(other, decision), visitor.headers);
  const { requestId } = decision;
  const event = await reportEvent(client, "click", visitor, { requestId, offer });
  return [
    equal("another website's requestId at /v1/offers", asked.status, 400),
    equal("another website's requestId at /v1/events/click", event.status, 400),
  ];
};

const flipEverything = async (client: HttpClient, website: MadeWebsite): Promise<Check[]> => {
  const visitor = visitorAt(1, website);
  const { decision, offers } = await visitPatiently(client, website, visitor);
  const [offer] = offers;
  if (offer === undefined) throw new Error("no offers were handed out");
  const token = new URL(offer.url).searchParams.get("t") ?? "";
  const tokens = alteredTexts(token, "");
  const requestIds = alteredTexts(decision.requestId, "req_");
  const asToken = (text: string) => {
    const link = new URL(offer.url);
    link.searchParams.set("t", text);
    return followLink(client, visitor, link.href);
  };
  const asRequest = (text: string) =>
    client.get(offersPath(website, { ...decision, requestId: text }), visitor.headers);
  const asEvent = (text: string) => reportEvent(client, "click", visitor, { requestId: text, offer });
  return [
    ...(await checkRefused("click tokens", tokens, asToken)),
    ...(await checkRefused("requestIds at /v1/offers", requestIds, asRequest)),
    ...(await checkRefused("requestIds at /v1/events/click", requestIds, asEvent)),
    equal("a requestId as a click token", (await asToken(decision.requestId.slice(4))).status, 400),
    equal("a click token as a requestId", (await asRequest(`req_${token}`)).status, 400),
  ];
};

/** Every text that differs from the token in one bit of what it encodes, or in one character. */
const alteredTexts = (text: string, prefix: string): string[] => {
  const bare = text.slice(prefix.length);
  const bytes = Buffer.from(bare, "base64url");
  const bitFlips = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return copy.toString("base64url");
  });
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  // The neighbour in the alphabet: for the last character that flips bits which encode nothing.
  const otherCharacters = Array.from(bare, (character, index) => {
    const other = alphabet[(alphabet.indexOf(character) + 1) % alphabet.length];
    return `${bare.slice(0, index)}${other}${bare.slice(index + 1)}`;
  });
  const otherLengths = [`${bare}A`, bare.slice(0, -1), `${bare}=`, bare.slice(0, bare.length / 2), ""];
  const last = alphabet.indexOf(bare.at(-1) ?? "");
  const looseEnds = Array.from(alphabet, (character) => bare.slice(0, -1) + character).filter(
    (_, index) => index !== last,
  );
  return [...bitFlips, ...otherCharacters, ...otherLengths, ...looseEnds].map((altered) => prefix + altered);
};

const checkRefused = async (
  what: string,
  texts: readonly string[],
  ask: (text: string) => Promise<Answer>,
): Promise<Check[]> => {
  const admitted: string[] = [];
  for (let from = 0; from < texts.length; from += 16) {
    await Promise.all(
      texts.slice(from, from + 16).map(async (text) => {
        const { status, headers } = await ask(text);
        if (status !== 400 || headers.location !== undefined) admitted.push(`${status} for ${text}`);
      }),
    );
  }
  return [
    atLeast(`altered ${what} tried`, texts.length, 400),
    equal(`altered ${what} not refused`, admitted.slice(0, 3).join("; "), ""),
  ];
};

/** The counter-check: what nobody altered is still taken. */
const checkUntouched = async (client: HttpClient, website: MadeWebsite): Promise<Check[]> => {
  const visitor = visitorAt(2, website);
  const { decision, offers } = await visitPatiently(client, website, visitor);
  const [offer] = offers;
  if (offer === undefined) throw new Error("no offers were handed out");
  const event = await reportEvent(client, "click", visitor, { requestId: decision.requestId, offer });
  const click = await followLink(client, visitor, offer.url);
  return [equal("an unaltered requestId", event.status, 204), equal("an unaltered token", click.status, 302)];
};

if (import.meta.main) {
  const { engine } = takeEngine(process.argv.slice(2));
  process.exitCode = printChecks(`Altered tokens on ${engine}`, await tokenFlips({ engine }));
}
