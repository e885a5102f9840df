import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { SeenPage } from "../core/page-check.ts";

type Address = { address: string; family: number };

/** What fetching a page goes by. */
export type PageFetching = {
  /** In production nothing of the service's own network is called. */
  production: boolean;
  /** Every address of a host name. */
  resolve?: (hostname: string) => Promise<readonly Address[]>;
  /** In all, redirections included. */
  patienceMs?: number;
};

/** So much of a page is read. */
export const pageBytesMost = 1024 * 1024;
const redirectionsMost = 5;
const patienceOfThreeSeconds = 3000;

/**
 * Fetches a page of a registered origin, and follows redirections to registered origins alone. A host's name is resolved once, and
 * the connection is made to what was looked at then: a name that leads elsewhere a moment later changes nothing.
 * @param isRegistered whether an origin is one of the website's.
 */
export async function fetchPage(
  address: URL,
  isRegistered: (origin: string) => boolean,
  { production, resolve = resolveAll, patienceMs = patienceOfThreeSeconds }: PageFetching,
): Promise<SeenPage> {
  const signal = AbortSignal.timeout(patienceMs);
  let url = address;
  try {
    for (let step = 0; step <= redirectionsMost; step += 1) {
      if (!isRegistered(url.origin)) return { outcome: "elsewhere", origin: url.origin };
      const addresses = await orAborted(resolve(bareHost(url)), signal);
      if (addresses.length === 0) return unreachable("has a name without an address");
      if (production && !addresses.every(isPublic)) {
        return unreachable("leads to an address that is not of the public internet");
      }
      const answer = await ask(url, addresses, signal);
      const { statusCode = 0, headers } = answer;
      const target =
        isRedirection(statusCode) && headers.location !== undefined
          ? URL.parse(headers.location, url.href)
          : null;
      if (target === null) return await pageOf(url, answer);
      answer.destroy();
      url = target;
    }
    return unreachable("leads from one address to the next without an end");
  } catch (error) {
    return unreachable(signal.aborted ? `did not answer within ${patienceMs / 1000} s` : reasonOf(error));
  }
}

const unreachable = (why: string): SeenPage => ({ outcome: "unreachable", why });

const resolveAll = (hostname: string): Promise<Address[]> => lookup(hostname, { all: true });

/** As the resolver takes it: without an IPv6 address's brackets. */
const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Whether an address is anybody's on the internet, and not one of this machine or its own network. */
const isPublic = ({ address }: Address): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";

/** A name's resolution cannot be ended, only waited for no longer. */
const orAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    ),
  ]);

const ask = (url: URL, addresses: readonly Address[], signal: AbortSignal): Promise<IncomingMessage> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const pinned: LookupFunction = (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family ?? 4);
  };
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  request(
    url,
    {
      // A connection of its own: one that was kept might lead to another address.
      agent: false,
      lookup: pinned,
      signal,
      headers: {
        Accept: "text/html",
        "Accept-Encoding": "identity",
        "User-Agent": "offer-service-page-check",
      },
    },
    resolve,
  )
    .on("error", reject)
    // As after a 101, which answers nothing: neither an answer nor an error comes, and no signal ends it any more.
    .on("close", () => reject(new Error("closed without an answer")))
    .end();
  return promise;
};

const isRedirection = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

const pageOf = async (url: URL, answer: IncomingMessage): Promise<SeenPage> => {
  const { statusCode = 0, headers } = answer;
  const refusal = refusalOf(statusCode, headers);
  if (refusal !== null) {
    answer.destroy();
    return unreachable(refusal);
  }
  const { html, isWhole } = await readBeginning(answer);
  const policy = headers["content-security-policy"];
  return {
    outcome: "page",
    url: url.href,
    html,
    isWhole,
    policies: policy === undefined ? [] : [policy].flat(),
  };
};

const refusalOf = (status: number, headers: IncomingMessage["headers"]): string | null => {
  if (status !== 200) return `answered ${status}`;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") return "is packed though that was not asked for";
  const type = headers["content-type"] ?? "";
  return /^(text\/html|application\/xhtml\+xml)\b/i.test(type) ? null : "is no HTML page";
};

const readBeginning = async (answer: IncomingMessage): Promise<{ html: string; isWhole: boolean }> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, pageBytesMost - bytes));
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > pageBytesMost) break;
  }
  return { html: Buffer.concat(chunks).toString(), isWhole: bytes <= pageBytesMost };
};

/** In words for a publisher; what a resolver or a network says besides is nobody's business. */
const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "has a name that is not found";
  if (code === "ECONNREFUSED") return "refuses connections";
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return "has a certificate that is not accepted";
  return "could not be read";
};
