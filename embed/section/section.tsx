import { OfferList } from "../overlay/offer-list.tsx";
import type { Offer, Offers } from "../overlay/read-offers.ts";
import type { Speech } from "../overlay/speech.ts";

type SectionProps = Speech & {
  offers: Offers;
  /** Leaves out the parts that an offer can do without. */
  isDense: boolean;
  theme: string;
  /** The number of the section among those of the page, from 1. */
  number: number;
  onOfferClick(offer: Offer): void;
};

/** Offers within the page: bounded, labelled, and each as it stands in the overlay, only smaller. */
export function Section(props: SectionProps) {
  const { offers, isDense, words, language, direction, theme, number, onOfferClick } = props;
  return (
    <section
      class={isDense ? "place dense" : "place"}
      // Two landmarks of one page need two names.
      aria-label={number > 1 ? `${words.headingSection} ${number}` : words.headingSection}
      lang={language}
      dir={direction}
      data-theme={theme}
    >
      <h2 dir="auto">{words.headingSection}</h2>
      <OfferList offers={offers} words={words} language={language} level="h3" onOfferClick={onOfferClick} />
    </section>
  );
}
