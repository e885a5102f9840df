import type { DeviceClass } from "@offers/contract/words";
import type { Offer } from "./catalogue.ts";
import { formsOfTag } from "./language-tags.ts";

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
   * Returns whether an offer is meant for a visitor. One that names languages or classes of devices is for nobody of whom they
   * are not known. `pt` is for `pt-BR` too, and `pt-BR` not for `pt`; `zh-Hant` is for `zh-TW`, and `no` for `nb-NO`.
   */
  forVisitor(visitor: SupposedAudience): (offer: Meant) => boolean;
};

/** Audiences whose languages are read once for each offer. */
export function createAudiences(): Audiences {
  const known = new WeakMap<Meant, readonly string[]>();
  /** What begins a tag, as it is written or as it is spoken, of whoever the offer is for. */
  const beginningsOf = (offer: Meant): readonly string[] => {
    const before = known.get(offer);
    if (before !== undefined) return before;
    const beginnings = offer.languages.flatMap((one) => [
      ended(one.toLowerCase()),
      ended(formsOfTag(one)?.range ?? one),
    ]);
    known.set(offer, beginnings);
    return beginnings;
  };
  return {
    forVisitor({ language, device }) {
      const written = language && ended(language.toLowerCase());
      const spoken = (language && ended(formsOfTag(language)?.spoken ?? language)) || "";
      return (offer) => {
        const { languages, devices } = offer;
        if (devices.length > 0 && device !== undefined && (device === null || !devices.includes(device)))
          return false;
        if (languages.length === 0 || language === undefined) return true;
        if (!written) return false;
        return beginningsOf(offer).some((begins) => written.startsWith(begins) || spoken.startsWith(begins));
      };
    },
  };
}

/** A tag that begins no other than those that have it whole. */
const ended = (tag: string): string => `${tag}-`;

/** The language that an `Accept-Language` header names first; null: none that can be read. */
export function firstLanguage(header: string | undefined): string | null {
  return /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8})*)\s*(?:[;,]|$)/i.exec(header ?? "")?.[1] ?? null;
}
