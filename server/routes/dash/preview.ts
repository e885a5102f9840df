import { previewQuery } from "@offers/contract/preview";
import type { Context } from "../../context.ts";
import { type PreviewVerdict, previewVerdict } from "../../core/preview-token.ts";
import type { Answer, Call } from "../../http/call.ts";
import { cookieSessionOf } from "../../http/cookies.ts";
import { type DashRoute, prepareParams } from "../../http/dash-route.ts";
import { fromQuery, parseQuery } from "../../http/read.ts";
import { isSignedIn } from "../../http/sign-in.ts";
import { noPreviewPage, previewPage, previewPolicy } from "./preview-page.ts";

const path = "/dash/preview/:websiteKey";
const paramsOf = prepareParams(path);
const query = fromQuery(previewQuery);

/** GET /dash/preview/:websiteKey: a website's real overlay, for who is signed in and no visitor. */
export function previewRoute(context: Context): DashRoute {
  return {
    endpoint: { method: "GET", path },
    isPage: true,
    answer: (call) => showPreview(context, call),
  };
}

const showPreview = async (context: Context, call: Call): Promise<Answer> => {
  const { websiteKey = "" } = paramsOf(call.path);
  const asked = query.read(parseQuery(call));
  const website = context.store.catalogue().website(websiteKey);
  const session = cookieSessionOf(call, context)?.hash ?? null;
  // A session that has ended shows nothing more, whatever its tokens say. The page around it draws it anew by itself.
  const verdict: PreviewVerdict =
    website === undefined || session === null || !(await isSignedIn(context, call))
      ? "forged"
      : previewVerdict(context.tokenKeys, asked.token, { websiteId: website.id, session }, context.clock());
  const isExpired = verdict === "expired";
  return {
    status: verdict === "valid" ? 200 : isExpired ? 410 : 403,
    headers: [
      "Content-Security-Policy",
      previewPolicy(context.baseUrl),
      "Content-Type",
      "text/html; charset=utf-8",
    ],
    body:
      verdict === "valid"
        ? previewPage(websiteKey, asked)
        : noPreviewPage(isExpired ? expiredText : refusedText),
  };
};

const expiredText = "This preview has expired. Open it again.";
const refusedText = "This preview is not for this sign-in. Open it again from the dashboard.";
