import type { Words } from "../words/words.ts";
import { OfferCard } from "./offer-card.tsx";
import type { SupportLink } from "./read-decision.ts";
import type { Offer, Offers } from "./read-offers.ts";

export type PanelProps = {
  title: string;
  message: string;
  support: readonly SupportLink[];
  dismissible: boolean;
  offers: Offers;
  words: Words;
  /** `""` when the visitor's place is unknown, or not what this is about. */
  place: string;
  /** What is going on, for the eye; the dialog reads the same out. */
  status?: { text: string; isBusy: boolean };
  onClose(): void;
  onOfferClick(offer: Offer): void;
};

/** Everything in the dialog: what happened, and below it, bounded and labelled, the offers. */
export function Panel(props: PanelProps) {
  const { title, message, support, dismissible, offers, words, place, status, onClose, onOfferClick } = props;
  const cards = (placement: Offer["placement"]) =>
    offers
      .filter((offer) => offer.placement === placement)
      .map((offer) => (
        <OfferCard offer={offer} words={words} level="h4" onClick={() => onOfferClick(offer)} />
      ));
  return (
    <div class="panel">
      <div class="bar">
        {place && <bdi class="chip">{place}</bdi>}
        {dismissible && (
          <button type="button" class="close" aria-label={words.close} onClick={onClose}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="m4 4 12 12M16 4 4 16" />
            </svg>
          </button>
        )}
      </div>
      {/* Not a header element: that is a landmark, and the host page has a banner of its own. */}
      <div class="head">
        <h2 id="title" tabIndex={-1} dir="auto">
          {title}
        </h2>
        <p id="message" dir="auto">
          {message}
        </p>
        {status && offers.length === 0 && (
          <p aria-hidden="true" class={status.isBusy ? "busy" : ""} dir="auto">
            {status.text}
          </p>
        )}
        {support.map(({ href, label }) => (
          <a href={href} target={href.startsWith("http") ? "_blank" : undefined} rel="noopener">
            <bdi>{label || words.support}</bdi>
          </a>
        ))}
        {dismissible && offers.length === 0 && !status?.isBusy && (
          <button type="button" class="action" onClick={onClose}>
            {words.close}
          </button>
        )}
      </div>
      {offers.length > 0 && (
        <section aria-labelledby="heading">
          <h3 id="heading">{words.heading}</h3>
          <span class="chip">{words.sponsored}</span>
          {cards("premium")}
          <div class="rows">{cards("standard")}</div>
          <footer>{words.commission}</footer>
        </section>
      )}
    </div>
  );
}
