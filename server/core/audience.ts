import type { DeviceClass } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";

/** What a visitor's call says of them beside the place; null: it does not say. */
export type Audience = {
  /** A language tag such as `de-AT`. */
  language: string | null;
  device: DeviceClass | null;
};

/** Who says nothing of themselves. */
export const unknownAudience: Audience = { language: null, device: null };

/**
 * Whether an offer is meant for a visitor. One that names languages or classes of devices is for nobody of whom they are not
 * known. `pt` is for `pt-BR` too, and `pt-BR` not for `pt`.
 */
export function isFor(
  { languages, devices }: Pick<Offer, "languages" | "devices">,
  visitor: Audience,
): boolean {
  const { language, device } = visitor;
  if (devices.length > 0 && (device === null || !devices.includes(device))) return false;
  if (languages.length === 0) return true;
  const spoken = `${language?.toLowerCase() ?? ""}-`;
  return languages.some((one) => spoken.startsWith(`${one.toLowerCase()}-`));
}

/** The language that an `Accept-Language` header names first; null: none that can be read. */
export function firstLanguage(header: string | undefined): string | null {
  return /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:[;,]|$)/i.exec(header ?? "")?.[1] ?? null;
}

/**
 * The class of the device that a user agent names; null: none that is known. An iPad that asks for pages as a Mac does is a
 * `desktop`, and an Android device without `Mobile` a `tablet`, as their makers have it.
 */
export function deviceClass(userAgent: string | undefined): DeviceClass | null {
  const text = (userAgent ?? "").slice(0, 512);
  if (/iPad|Tablet|PlayBook|Silk\//.test(text) || (text.includes("Android") && !text.includes("Mobile")))
    return "tablet";
  if (/Mobi|iPhone|iPod/.test(text)) return "phone";
  return /Windows NT|Macintosh|X11|CrOS/.test(text) ? "desktop" : null;
}
