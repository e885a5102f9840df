import type { TagCause } from "../core/tag-cause.ts";
import type { TagFacts } from "../core/tag-facts.ts";
import { type TagHealth, tagHealth } from "../core/tag-health.ts";
import { readEmbedVersion } from "../embed-version.ts";
import type { TagCalls } from "../store/catalogue/tag-calls.ts";
import { prepareTagFacts } from "../store/catalogue/tag-facts.ts";
import type { ListedWebsite } from "../store/catalogue/websites.ts";
import type { CommandContext } from "./command.ts";

export type CheckedTag = TagHealth & Pick<TagCalls, "lastPing" | "lastPages">;

/**
 * Prepares the look at a website's tag. What does not change while somebody waits is read once.
 * @param waitingSince milliseconds since the epoch; what happened before is not looked at.
 */
export async function prepareTagCheck(
  { catalogue, clock, service }: CommandContext,
  website: ListedWebsite,
  waitingSince: number,
  checkedPage: TagFacts["checkedPage"] = null,
): Promise<() => Promise<CheckedTag>> {
  const read = await prepareTagFacts(catalogue.db, website, waitingSince);
  const settled = { currentScript: readEmbedVersion(), checkedPage };
  return async () => {
    const stored = await read();
    const silentAt = (await service.isAnswering()) ? null : service.listensAt;
    const { lastPing, lastPages } = stored;
    // The operator may be told of every publisher's websites.
    const elsewhere = stored.elsewhere.map(({ website, ...call }) => ({
      ...call,
      website: website && { ...website, isOwn: true },
    }));
    const health = tagHealth({ ...stored, elsewhere, ...settled, now: clock(), silentAt });
    return { ...health, lastPing, lastPages };
  };
}

/** A cause for reading: what is the matter, and below it what to do. */
export function causeText({ code, says, fix, command, isFatal }: TagCause): string {
  return `${isFatal ? "✘" : "!"} ${says}\n  ${fix} (${code})${command === null ? "" : `\n  ${command}`}`;
}
