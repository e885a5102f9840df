import { previewQuery } from "@offers/contract/preview";
import type { Express } from "express";
import type { Context } from "../context.ts";
import { type PreviewVerdict, previewVerdict } from "../core/preview-token.ts";
import type { Answer, Call } from "../http/call.ts";
import { allowReading } from "../http/express.ts";
import { baselineHead, withHead } from "../http/head.ts";
import { callOf, writeAnswer } from "../http/node-call.ts";
import { fromQuery, parseQuery } from "../http/read.ts";
import { sessionCookieOf } from "../http/session-cookie.ts";
import { noPreviewPage, previewPage, previewPolicy } from "./preview-page.ts";

/** GET /dash/preview/:websiteKey: a website's real overlay, for who is signed in and no visitor. */
export function servePreview(app: Express, context: Context): void {
  app.all("/dash/preview/:websiteKey", allowReading, (req, res) => {
    const call = callOf(req);
    writeAnswer(
      res,
      withHead(call.id, showPreview(context, call, String(req.params.websiteKey)), baselineHead),
    );
  });
}

const query = fromQuery(previewQuery);

function showPreview(context: Context, call: Call, websiteKey: string): Answer {
  const asked = query.read(parseQuery(call));
  const website = context.store.catalogue().website(websiteKey);
  const session = sessionCookieOf(context, call);
  const verdict: PreviewVerdict =
    website === undefined || session === null
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
}

const expiredText = "This preview has expired. Open it again.";
const refusedText = "This preview is not for this sign-in. Open it again from the dashboard.";
