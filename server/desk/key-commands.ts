import { keySubject } from "../core/refused-call.ts";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "../store/catalogue/api-keys.ts";
import { readKeyRefusals } from "../store/catalogue/tag-calls.ts";
import type { DeskHandle } from "./desk-handle.ts";

/** Refusals of a week say whether something is broken now. */
const refusedSinceMs = 7 * 24 * 60 * 60 * 1000;

/** A publisher's API keys. */
export const keyCommands = {
  listApiKeys: async (desk: DeskHandle, { publisherId }: { publisherId: string }) => {
    const keys = await listApiKeys(desk.db, { publisherId });
    const refused = keys.map(({ keyId }) =>
      readKeyRefusals(desk.db, keySubject(keyId), desk.now - refusedSinceMs),
    );
    const told = await Promise.all(refused);
    return keys.map((key, at) => ({ ...key, refused: told[at] ?? [] }));
  },
  createApiKey: (desk: DeskHandle, asked: Parameters<typeof createApiKey>[1]) =>
    createApiKey(desk, asked, desk.now),
  rollApiKey: (
    desk: DeskHandle,
    { keyId, ...asked }: { publisherId: string; keyId: string; overlapMs: number },
  ) =>
    rotateApiKey(desk, keyId, {
      overlapMs: asked.overlapMs,
      owner: asked.publisherId,
      now: desk.now,
    }),
  revokeApiKey: (desk: DeskHandle, { publisherId, keyId }: { publisherId: string; keyId: string }) =>
    revokeApiKey(desk, keyId, desk.now, publisherId),
};
