import type { DeviceClass } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { createTagReader } from "./language-tags.ts";

/** What is known of a visitor beside the place; null: it is not known. */
export type Audience = {
  /** A language tag such as `de-AT`. */
  language: string | null;
  device: DeviceClass | null;
};

/** A visitor of whom something may be left open: for whom offers are does not matter there. */
export type SupposedAudience = { [Part in keyof Audience]?: Audience[Part] | undefined };

type Meant = Pick<Offer, "languages" | "devices">;

/** For whom offers are. */
export type Audiences = {
  /**
   * Whether an offer is meant for a visitor. One that names languages or classes of devices is for nobody of whom they are
   * not known. `pt` is for `pt-BR` too, and `pt-BR` not for `pt`; `zh-Hant` is for `zh-TW`, and `no` for `nb-NO`.
   */
  isFor(offer: Meant, visitor: SupposedAudience): boolean;
};

/** Audiences whose languages are read once for each offer. */
export function createAudiences(): Audiences {
  const tags = createTagReader();
  const known = new WeakMap<Meant, readonly string[]>();
  const rangesOf = (offer: Meant): readonly string[] => {
    const before = known.get(offer);
    if (before !== undefined) return before;
    const ranges = offer.languages.flatMap((one) => tags(one)?.range ?? []);
    known.set(offer, ranges);
    return ranges;
  };
  return {
    isFor(offer, { language, device }) {
      const { languages, devices } = offer;
      if (devices.length > 0 && device !== undefined && (device === null || !devices.includes(device)))
        return false;
      if (languages.length === 0 || language === undefined) return true;
      if (language === null) return false;
      const written = language.toLowerCase();
      if (languages.some((one) => begins(written, one.toLowerCase()))) return true;
      const spoken = tags(language)?.spoken;
      return spoken !== undefined && rangesOf(offer).some((range) => begins(spoken, range));
    },
  };
}

/** The language that an `Accept-Language` header names first; null: none that can be read. */
export function firstLanguage(header: string | undefined): string | null {
  return /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:[;,]|$)/i.exec(header ?? "")?.[1] ?? null;
}

const begins = (tag: string, range: string): boolean => `${tag}-`.startsWith(`${range}-`);
