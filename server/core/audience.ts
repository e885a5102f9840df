import type { DeviceClass } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";

/** What is known of a visitor beside the place; null: it is not known. */
export type Audience = {
  /** A language tag such as `de-AT`. */
  language: string | null;
  device: DeviceClass | null;
};

/** A visitor of whom something may be left open: for whom offers are does not matter there. */
export type SupposedAudience = { [Part in keyof Audience]?: Audience[Part] | undefined };

/**
 * Whether an offer is meant for a visitor. One that names languages or classes of devices is for nobody of whom they are not
 * known. `pt` is for `pt-BR` too, and `pt-BR` not for `pt`.
 */
export function isFor(
  { languages, devices }: Pick<Offer, "languages" | "devices">,
  visitor: SupposedAudience,
): boolean {
  const { language, device } = visitor;
  if (devices.length > 0 && device !== undefined && (device === null || !devices.includes(device)))
    return false;
  if (languages.length === 0 || language === undefined) return true;
  const spoken = `${language?.toLowerCase() ?? ""}-`;
  return languages.some((one) => spoken.startsWith(`${one.toLowerCase()}-`));
}

/** The language that an `Accept-Language` header names first; null: none that can be read. */
export function firstLanguage(header: string | undefined): string | null {
  return /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:[;,]|$)/i.exec(header ?? "")?.[1] ?? null;
}
