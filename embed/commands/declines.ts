import { declineFile } from "virtual:built-files";
import type { decline, OpenedSession } from "../decline/open-decline.ts";
import type { PageRecord } from "../loader/page-record.ts";
import { readTag } from "../loader/read-tag.ts";
import { eventSender } from "../wire/send-event.ts";
import type { Options } from "../wire/visit.ts";
import type { AreMeant } from "./consent-gates.ts";

/** The page's declined applications, of which one at a time is waited for. */
export function pageDeclines(page: PageRecord, consent: (options: Options) => Promise<void>) {
  let closing = new AbortController();
  let present: Options = {};

  return {
    /** Ends the waiting for the present application, if it is meant. */
    leave(areMeant: AreMeant): void {
      if (areMeant(present)) closing.abort();
    },

    /** Resolves to the session's id and end, to null when none could be opened. */
    async decline(src: string, options: Options): Promise<OpenedSession | null> {
      const tag = readTag(src, { ...options, mode: "overlay" }, location.search);
      if (!tag) return null;
      closing.abort();
      const own = new AbortController();
      closing = own;
      present = options;
      try {
        await consent(options);
        const chunk: { decline: typeof decline } = await import(/* @vite-ignore */ tag.base + declineFile);
        return await chunk.decline({ tag, send: eventSender(tag.base), tell: page.tell, closing: own });
      } catch {
        page.tell("error", { website: tag.website, surface: "decline" });
        return null;
      }
    },
  };
}
