import type { Words } from "../words/words.ts";
import { CloseButton } from "./close-button.tsx";
import type { Logo } from "./load-logo.ts";
import { OfferList } from "./offer-list.tsx";
import type { SupportLink } from "./read-decision.ts";
import type { Offer, Offers } from "./read-offers.ts";
import type { Speech } from "./speech.ts";

export type PanelProps = {
  logo?: Logo | null;
  title: string;
  message: string;
  /** The languages of the publisher's own texts, where these are in another one. */
  textLangs?: { title: string | undefined; message: string | undefined; label: Speech["langOf"] };
  support: readonly SupportLink[];
  dismissible: boolean;
  offers: Offers;
  /** The publisher's own way on, which stands where there are no offers. */
  fallback?: SupportLink | null;
  words: Words;
  language: string;
  /** What the visitor may do besides: words for going on or going back; `""` for nothing but to close it. */
  wayOut: string;
  /** `""` when the visitor's place is unknown, or not what this is about. */
  place: string;
  /** What is going on, for the eye; the dialog reads the same out. */
  status?: { text: string; isBusy: boolean };
  onClose(): void;
  /** Where something has failed that may work the next time. */
  onRetry?: (() => void) | undefined;
  onOfferClick(offer: Offer): void;
};

/** Everything in the dialog: what happened, and below it, bounded and labelled, the offers. */
export function Panel(props: PanelProps) {
  const {
    title,
    message,
    support,
    dismissible,
    offers,
    words,
    language,
    place,
    status,
    onClose,
    onOfferClick,
  } = props;
  const { fallback, logo, onRetry, textLangs } = props;
  const isEmpty = offers.length === 0;
  return (
    <div class="panel">
      {dismissible && <CloseButton label={words.close} onClose={onClose} />}
      {/* Not a header element: that is a landmark, and the host page has a banner of its own. */}
      <div class="head">
        {logo && <img {...logo} class="logo there" alt="" referrerpolicy="no-referrer" />}
        {place && (
          <span class="fine">
            <bdi>{place}</bdi>
          </span>
        )}
        <h2 id="title" tabIndex={-1}>
          <bdi lang={textLangs?.title}>{title}</bdi>
        </h2>
        <p id="message" dir="auto" lang={textLangs?.message}>
          {message}
        </p>
        {isEmpty && (
          <p aria-hidden={!!status} class={status?.isBusy ? "busy" : ""} dir="auto">
            {status ? status.text : words.nothing}
          </p>
        )}
        {isEmpty && fallback && (
          <a class="action primary" href={fallback.href} dir="auto" lang={textLangs?.label(fallback.label)}>
            {fallback.label}
          </a>
        )}
        {onRetry && (
          <p>
            <button type="button" class="action primary" dir="auto" onClick={onRetry}>
              {words.retry}
            </button>
          </p>
        )}
        <WayOut {...props} />
      </div>
      {!isEmpty && (
        <section aria-labelledby="heading">
          <h3 id="heading" dir="auto">
            {words.heading}
          </h3>
          <OfferList {...{ offers, words, language, onOfferClick }} level="h4" />
        </section>
      )}
      {support.length > 0 && (
        <p class="support">
          {support.map(({ href, label }) => (
            <a href={href} target={href.startsWith("http") ? "_blank" : undefined} rel="noopener">
              <bdi lang={textLangs?.label(label)}>{label || words.support}</bdi>
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

/** The way to what the visitor came for, in words; where there is nothing else, it is what stands out. */
function WayOut(props: PanelProps) {
  const { dismissible, wayOut, offers, fallback, words, status, onClose, onRetry } = props;
  const isEmpty = offers.length === 0;
  const isEnd = isEmpty && !status?.isBusy;
  const label = wayOut || (isEnd && words.close);
  // A page that is the first of its tab has none before it.
  if (!label || (!dismissible && history.length < 2)) return null;
  return (
    <button
      type="button"
      class={isEnd && !fallback && !onRetry ? "action primary" : "text"}
      dir="auto"
      onClick={dismissible ? onClose : () => history.back()}
    >
      {label}
    </button>
  );
}
