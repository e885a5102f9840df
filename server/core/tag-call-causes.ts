import { fatal, hint, type More, type TagCause } from "./tag-cause.ts";
import type { TagFacts } from "./tag-facts.ts";
import { lastHeard } from "./usual-loads.ts";

/** What calls that were refused, or that named another website, tell. */
export function callCauses(facts: TagFacts): TagCause[] {
  const heardAt = lastHeard(facts.lastPing?.at ?? null, facts.othersAt);
  // With pages that are well, told apart or not, an origin that is not is worth a word, and breaks nothing.
  const tell = heardAt === null ? fatal : hint;
  const newest = <Call extends { at: number }>(calls: readonly Call[]): Call | undefined =>
    calls.filter(({ at }) => heardAt === null || at > heardAt).toSorted((one, other) => other.at - one.at)[0];
  const codes = new Set(facts.refused.map(({ code }) => code));
  const refused = [...codes].flatMap((code) => {
    const ofCode = facts.refused.filter((one) => one.code === code);
    // Anybody can call from anywhere and name this website: a neighbour of its own pages is told before a stranger.
    const last = newest(ofCode.filter(({ origin }) => isNeighbour(origin, facts.origins))) ?? newest(ofCode);
    return last === undefined ? [] : [refusedCause(last, facts, tell)];
  });
  const other = newest(facts.elsewhere.filter(({ isShared }) => !isShared)) ?? newest(facts.elsewhere);
  // Of one code one cause is told.
  return other === undefined || (other.website === null && codes.has("unknown_website"))
    ? refused
    : [...refused, elsewhereCause(other, tell)];
}

const elsewhereCause = (
  { website, origin, isShared }: TagFacts["elsewhere"][number],
  tell: typeof fatal,
): TagCause => {
  const button = { kind: "copy_tag" } as const;
  if (website === null) return unknownWebsite(`A page of ${origin}`, tell);
  const whose = website.isOwn ? `the tag of ${website.name} (${website.key})` : "another publisher's tag";
  return isShared
    ? hint(
        "wrong_website",
        `A page of ${origin} carries ${whose}, where that origin is registered as well.`,
        "If it should be this website's page, copy this website's tag.",
        { button },
      )
    : tell("wrong_website", `A page of ${origin} carries ${whose}.`, "Copy this website's tag.", { button });
};

const unknownWebsite = (page: string, tell: typeof fatal): TagCause =>
  tell(
    "unknown_website",
    `${page} carries the key of a website that does not exist.`,
    "Copy the tag again, with all of data-website.",
    { button: { kind: "copy_tag" } },
  );

/** Whether an origin has the host name of a registered one, but for `www.`, scheme and port. */
export function isNeighbour(origin: string, origins: readonly string[]): boolean {
  const host = hostOf(origin);
  return host !== null && origins.some((one) => hostOf(one) === host);
}

const hostOf = (origin: string): string | null => URL.parse(origin)?.hostname.replace(/^www\./, "") ?? null;

const refusedCause = (
  { code, origin, pub }: TagFacts["refused"][number],
  { websiteKey, publicKey, origins }: TagFacts,
  tell: typeof fatal,
): TagCause => {
  const page = origin === "" ? "a page without an origin (a file, or a sandboxed frame)" : origin;
  switch (code) {
    case "origin_not_registered":
      return tell(
        code,
        `Calls come from ${page}, which is not registered.`,
        ...fixOfOrigin(origin, websiteKey, origins),
      );
    case "insecure_origin":
      return tell(
        code,
        `The page is served by plain http: ${origin}.`,
        "Serve it by https; http is for this machine alone.",
      );
    case "wrong_public_key":
      return tell(
        code,
        pub === null
          ? `The tag on ${page} carries another publisher's public key.`
          : `The tag on ${page} carries the public key ${pub}, which is not this website's.`,
        `This website's is ${publicKey}: copy the tag again.`,
        { button: { kind: "copy_tag" } },
      );
    case "unknown_website":
      return unknownWebsite(`A page of ${page}`, tell);
    case "rate_limited":
      return hint(
        code,
        `Visitors of one address exceed the limit of calls on ${page}.`,
        "If a proxy hides their addresses, the service has to be told of it (TRUST_PROXY_HOPS).",
      );
    default:
      return code satisfies never;
  }
};

/** One click or one command only for what lies beside the website's own pages: whoever calls from elsewhere would write it. */
const fixOfOrigin = (
  origin: string,
  websiteKey: string,
  origins: readonly string[],
): [fix: string, more: More] => {
  if (origin === "") return ["Open the page by http or https, not as a file.", {}];
  if (!isNeighbour(origin, origins)) {
    return [
      "Anybody can cause this line. If that address is yours, register it beside the others.",
      { button: { kind: "open", page: "settings" } },
    ];
  }
  return [
    "If it is yours, register it beside the others.",
    {
      button: { kind: "register_origin", origin },
      command: `website update --website ${websiteKey} ${[...origins, origin].map((one) => `--origin ${one}`).join(" ")}`,
    },
  ];
};
