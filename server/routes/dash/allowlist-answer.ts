import type { AllowlistAnswer, AllowlistCount } from "@offers/contract/dash/websites";
import { createOfferTree, createPermittedCount } from "../../core/allowlist-count.ts";
import type { Catalogue } from "../../core/compiled-catalogue.ts";
import { isOfferedTo } from "../../core/offered-to.ts";
import { carefulVerticals } from "../../core/vulnerable-verticals.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import { inSlices } from "../in-slices.ts";

type Offers = Pick<Catalogue, "rankedOffers">;
type Counted = Pick<AnswerOf<"findWebsite">, "publisherId" | "allowlist" | "ownBrand" | "geoRule">;

/** What an allowlist permits, counted in slices (decisions.md#looking-in-slices). */
export async function countInSlices(catalogue: Offers, website: Counted): Promise<AllowlistCount> {
  const counting = createPermittedCount(website);
  await inSlices(catalogue.rankedOffers(), counting.take);
  return counting.count();
}

/** The text of what an allowlist permits and of the offers to choose of, made in slices. */
export async function allowlistText(
  catalogue: Offers,
  website: Counted & Pick<AllowlistAnswer, "version">,
): Promise<string> {
  const { allowlist, version } = website;
  const counting = createPermittedCount(website);
  const tree = createOfferTree(website);
  const everyVertical = new Set<string>();
  await inSlices(catalogue.rankedOffers(), (ranked) => {
    counting.take(ranked);
    tree.take(ranked);
    if (isOfferedTo(ranked, website.publisherId)) everyVertical.add(ranked.offer.vertical);
  });
  let text = "";
  const answer = {
    ...{ allowlist, version, count: counting.count() },
    careful: carefulVerticals(everyVertical),
    verticals: tree.verticals(),
  };
  await inSlices(piecesOf(answer), (piece) => {
    text += piece;
  });
  return text;
}

/** The JSON of an answer, an offer at a time. */
function* piecesOf({ verticals, ...rest }: AllowlistAnswer): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"verticals":[`;
  for (const [nth, { vertical, brands }] of verticals.entries()) {
    yield `${commaAt(nth)}{"vertical":${JSON.stringify(vertical)},"brands":[`;
    for (const [at, { brand, offers }] of brands.entries()) {
      yield `${commaAt(at)}{"brand":${JSON.stringify(brand)},"offers":[`;
      for (const [place, offer] of offers.entries()) yield commaAt(place) + JSON.stringify(offer);
      yield "]}";
    }
    yield "]}";
  }
  yield "]}";
}

const commaAt = (place: number): string => (place === 0 ? "" : ",");
