import { overlayFile } from "virtual:overlay-file";
import type { open } from "../overlay/open.ts";
import { eventSender } from "../wire/send-event.ts";
import { decisionUrl } from "../wire/service-urls.ts";
import type { LoaderTag } from "../wire/visit.ts";
import { activation } from "./activation.ts";
import { askDecision } from "./ask-decision.ts";
import { isFirstOnPage } from "./first-on-page.ts";
import { isOwnPage, isSupported } from "./may-run-here.ts";
import { ownTags } from "./own-tags.ts";
import { readTag } from "./read-tag.ts";
import { snippetPing } from "./snippet-ping.ts";
import { chooseTrigger, triggered } from "./trigger.ts";

try {
  if (isSupported()) ownTags().forEach(start);
} catch {
  // Whatever is odd about this page, it is not made worse.
}

function start(script: HTMLScriptElement): void {
  const tag = readTag(script.src, script.dataset, location.search);
  if (tag?.mode !== "overlay") return;
  if ("frame" in script.dataset || isOwnPage()) {
    if (isFirstOnPage(`${tag.website} ${tag.mode}`)) visit(tag).catch(() => {});
  }
}

/** One page view. Any failure ends it, and the page stays as it is. */
async function visit(tag: LoaderTag): Promise<void> {
  await activation();
  const decision = await askDecision(decisionUrl(tag));
  if (!decision) return;
  const send = eventSender(tag.base);
  send("snippet-ping", snippetPing(tag, location));
  if (decision.allowed) return;
  await triggered(chooseTrigger(tag.trigger, decision.settings?.trigger));
  // The name is a variable: a literal would be bundled into this file.
  const overlay: { open: typeof open } = await import(/* @vite-ignore */ tag.base + overlayFile);
  await overlay.open({ tag, decision, send });
}
