import type { Words } from "../words/words.ts";
import { OfferCard } from "./offer-card.tsx";
import type { Offer, Offers } from "./read-offers.ts";

type OfferListProps = {
  offers: Offers;
  words: Words;
  language: string;
  /** Where their titles stand among the headings around them. */
  level: "h3" | "h4";
  onOfferClick(offer: Offer): void;
};

/** That these are advertisements and how they are paid for, and below it the offers, each a named item of a list. */
export function OfferList({ offers, words, language, level, onOfferClick }: OfferListProps) {
  return (
    <>
      <span class="label" dir="auto">
        {words.sponsored}
      </span>
      <p class="fine" dir="auto">
        {words.commission}
      </p>
      {/* WebKit takes a list without bullets for none. */}
      {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
      <ul role="list">
        {offers.map((offer) => (
          <OfferCard
            offer={offer}
            words={words}
            language={language}
            level={level}
            isPrimary={offer.placement === "premium" || offers.length === 1}
            onClick={() => onOfferClick(offer)}
          />
        ))}
      </ul>
    </>
  );
}
