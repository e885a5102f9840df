import type { Words } from "../words/words.ts";
import { BrandMark } from "./brand-mark.tsx";
import type { Offer } from "./read-offers.ts";

type OfferCardProps = {
  offer: Offer;
  words: Words;
  /** The one in which everything around the offer is said. */
  language: string;
  /** Where its title stands among the headings around it. */
  level: "h3" | "h4";
  /** Whether its action is the one that stands out. */
  isPrimary: boolean;
  onClick(): void;
};

/** A second press within this time was meant as one with the first, in milliseconds. */
const oncePerMs = 1000;

/** Of more characters than these a warning beside the link would be a narrow column that ends far below the link. */
const longAbove = 150;

/** One offer, an item of a list. */
export function OfferCard({ offer, words, language, level: Title, isPrimary, onClick }: OfferCardProps) {
  const { title, description, disclosure, terms, placement } = offer;
  const brand = offer.brand || title;
  const action = offer.ctaText || words.action;
  /** The language of a text where it differs; one that nobody has said is left as it is. */
  const langOf = (name: keyof Offer["langOf"] | "title") => {
    const tag = (name !== "title" && offer.langOf[name]) || offer.lang;
    return tag.split("-")[0] === language ? undefined : tag || undefined;
  };
  const open = (event: MouseEvent) => {
    const link = event.currentTarget as HTMLElement;
    const nowMs = performance.now();
    // The element keeps when it was opened: what is drawn anew keeps its elements.
    if (nowMs - Number(link.dataset.openedAt ?? Number.NEGATIVE_INFINITY) < oncePerMs)
      return event.preventDefault();
    link.dataset.openedAt = String(nowMs);
    link.setAttribute("aria-label", `${action} – ${brand} (${words.opened})`);
    onClick();
  };
  const id = `${placement}-${offer.position}`;
  return (
    <li>
      <article class={`${placement}${disclosure.length > longAbove ? " long" : ""}`} aria-labelledby={id}>
        <BrandMark brand={brand} imageUrl={offer.imageUrl} />
        <div class="about">
          <div class="fine">
            <bdi>{brand}</bdi>
            {placement === "premium" && (
              <span class="label" dir="auto">
                {words.featured}
              </span>
            )}
          </div>
          <Title id={id} class="title" dir="auto" lang={langOf("title")}>
            {title}
          </Title>
          <p dir="auto" lang={langOf("description")}>
            {description}
          </p>
          <p class="fine" dir="auto" lang={disclosure ? langOf("disclosure") : undefined}>
            {disclosure}
          </p>
        </div>
        <a
          class={isPrimary ? "action primary" : "action"}
          href={offer.url}
          target="_blank"
          rel="sponsored nofollow noopener"
          aria-label={`${action} – ${brand} (${words.newTab})`}
          onClick={open}
          // The middle button opens it too; the right one only opens a menu.
          onAuxClick={(event) => event.button === 1 && open(event)}
        >
          <bdi lang={offer.ctaText ? langOf("ctaText") : undefined}>{action}</bdi>
        </a>
        {terms && (
          <details class="fine">
            <summary>
              <bdi>
                {words.terms} – <bdi>{brand}</bdi>
              </bdi>
            </summary>
            <p dir="auto" lang={langOf("terms")}>
              {terms}
            </p>
          </details>
        )}
      </article>
    </li>
  );
}
