import { type Check, equal } from "../checks.ts";

/** What a visitor, and their browser, had of the release before. */
export type SeenBefore = { link: string; chunks: readonly string[] };

const browser = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0",
};
const website = "website=ws_journal";

/** Visits the demo's page at `origin`: asks for its offers, and for the files that the tag names. */
export async function visitDemo(url: string, origin: string): Promise<SeenBefore> {
  const asked = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${url}${path}`, { headers: { ...browser, origin } });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { requestId } = await asked<{ requestId: string }>(
    `/v1/decision?pub=pub_northwind&${website}&country=GB`,
  );
  const { standard } = await asked<{ standard: readonly { url: string }[] }>(
    `/v1/offers?${website}&requestId=${requestId}&country=GB`,
  );
  const [offer] = standard;
  if (offer === undefined) throw new Error("the demo has no offer for GB");
  const tag = await (await fetch(`${url}/embed.js`)).text();
  const names = [...tag.matchAll(/\bc\/[\w.-]+\.js\b/g)].map(([name]) => `/${name}`);
  return { link: offer.url, chunks: [...new Set(names)] };
}

/** Follows the link and fetches the files, of a service at `url` that has taken over from the one of before. */
export async function checkSeenBefore(url: string, { link, chunks }: SeenBefore): Promise<Check[]> {
  const { pathname, search } = new URL(link);
  const hop = await fetch(`${url}${pathname}${search}`, { headers: browser, redirect: "manual" });
  const statuses = await Promise.all(chunks.map(async (name) => (await fetch(`${url}${name}`)).status));
  return [
    equal("what a link of before is answered", hop.status, 302),
    equal(
      "files of the tag of before that are gone",
      chunks.filter((_, at) => statuses[at] !== 200).join(", ") || "none",
      "none",
    ),
  ];
}
