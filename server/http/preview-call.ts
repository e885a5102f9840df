import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { isLikePreviewToken, previewVerdict } from "../core/preview-token.ts";
import { openRequestId, type RequestFacts } from "../core/request-id.ts";
import type { Call } from "./call.ts";
import { originNotAllowed, type SiteClaim } from "./site-origin.ts";

/**
 * The website that a preview of the dashboard calls for, by the token that stands in place of the public key; null: the call is
 * no preview's. One whose token is not good here is refused like any stranger, and leaves no trace with the publisher.
 */
export function previewedWebsite(
  context: Context,
  call: Call,
  { website: key, pub }: SiteClaim,
): Website | null {
  if (pub === undefined || !isLikePreviewToken(pub)) return null;
  const website = context.store.catalogue().website(key);
  if (website?.publicKey === pub) return null;
  const { tokenKeys, clock } = context;
  const isValid =
    website !== undefined &&
    isFromOwnPage(context, call) &&
    previewVerdict(tokenKeys, pub, { websiteId: website.id }, clock()) === "valid";
  if (!isValid) throw originNotAllowed();
  return website;
}

/**
 * The request of a preview, which a page of the dashboard goes on with; null: it is none. Its decision was test traffic, and on a
 * live website only a preview's is; a development website's own requests do no harm there either.
 */
export function previewRequest(
  context: Context,
  call: Call,
  { requestId, website: key }: { requestId: string; website?: string | undefined },
): { facts: RequestFacts; website: Website } | null {
  if (!isFromOwnPage(context, call)) return null;
  const facts = openRequestId(context.tokenKeys, requestId);
  const website = facts?.test === true ? context.store.catalogue().websiteById(facts.websiteId) : undefined;
  if (facts === null || website === undefined) return null;
  return key === undefined || key === website.key ? { facts, website } : null;
}

/** Whether a page of the service's own origin calls: a browser says so by itself, and no script can. */
const isFromOwnPage = ({ baseUrl }: Pick<Context, "baseUrl">, { headers }: Call): boolean =>
  headers["sec-fetch-site"] === "same-origin" && (headers.origin === undefined || headers.origin === baseUrl);
