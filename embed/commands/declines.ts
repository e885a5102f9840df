import { declineFile } from "virtual:built-files";
import type { decline, OpenedSession } from "../decline/open-decline.ts";
import type { PageRecord } from "../loader/page-record.ts";
import { readTag } from "../loader/read-tag.ts";
import type { Loader } from "../wire/loader-and-commands.ts";
import type { Tell } from "../wire/public-events.ts";
import { eventSender } from "../wire/send-event.ts";
import type { LoaderTag, Options } from "../wire/visit.ts";
import { chunkFrom } from "./chunk-from.ts";
import type { AreMeant, consentGates } from "./consent-gates.ts";

type Gates = Pick<ReturnType<typeof consentGates>, "consent" | "refusal">;

/** The page's declined applications, of which one at a time is waited for. */
export function pageDeclines(
  page: PageRecord,
  { consent, refusal }: Gates,
  loader: Pick<Loader, "isOwnPage" | "load">,
) {
  const declineChunk = chunkFrom<{ decline: typeof decline }>(loader, declineFile);
  let closing = new AbortController();
  let present = (): Options => ({});

  /** Opens a session once its consent is there, by what its tag says then. */
  async function begin(
    own: AbortController,
    options: () => Options,
    read: () => LoaderTag,
  ): Promise<OpenedSession | null> {
    await consent(options);
    if (own.signal.aborted) return null;
    const tag = read();
    const chunk = await declineChunk(tag.base);
    if (own.signal.aborted) return null;
    const tell: Tell = (event, detail) => page.tell(event, detail, own);
    return chunk.decline({ tag, send: eventSender(tag.base), tell, closing: own });
  }

  return {
    /** The last application, as its events name it. */
    latest: () => closing,

    /** Ends the waiting for the present application, if it is meant. */
    leave(areMeant: AreMeant): void {
      if (areMeant(present())) closing.abort();
    },

    /**
     * Resolves to the session's id and end; to null when none could be opened, or was to be no more before it was.
     * The options are those of the moment: `init` may change them while consent is waited for.
     */
    async decline(src: string, told: () => Options): Promise<OpenedSession | null> {
      // Whatever its tag begins, this is begun.
      const options = (): Options => ({ ...told(), mode: "overlay" });
      const read = () => readTag(src, options(), location.search);
      const tag = read();
      if (!tag || !("frame" in tag.options || loader.isOwnPage())) return null;
      closing.abort();
      const own = new AbortController();
      closing = own;
      present = options;
      try {
        // Who has refused already, perhaps when asked just now, is not asked again, so nothing would end the waiting.
        if (refusal(options())) return null;
        // Consent, code or an answer may never come, and a page that awaits the session is told when it is closed.
        return await Promise.race([begin(own, options, () => read() ?? tag), ending(own.signal)]);
      } catch (problem) {
        // Of what was closed meanwhile nobody is told that it has failed.
        if (!own.signal.aborted) page.tell("error", { website: tag.website, surface: "decline", problem });
        return null;
      }
    },
  };
}

function ending(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(null));
  });
}
