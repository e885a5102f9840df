import { escapedMacros, tellsClickId } from "./landing-url.ts";
import type { OfferFile } from "./offer-file.ts";

/**
 * What whoever imports a file should know of it although nothing is wrong, in sentences. `alike`: the lines of new offers that are
 * like one that was saved before.
 */
export function offerFileNotes(file: OfferFile, alike: readonly number[]): string[] {
  const silent = linesWith(file, (landingUrl) => !tellsClickId(landingUrl));
  const escaped = linesWith(file, (landingUrl) => escapedMacros(landingUrl).length > 0);
  const notes: string[] = [];
  if (silent.length > 0) {
    notes.push(
      `landingUrl has no {click_id}, so the advertiser cannot tell which click came: ${linesOf(silent)}.`,
    );
  }
  if (escaped.length > 0) {
    notes.push(
      `landingUrl has a macro whose braces are escaped (%7Bclick_id%7D), which is sent as it is: ${linesOf(escaped)}.`,
    );
  }
  if (alike.length > 0) {
    notes.push(
      `An offer of the same advertiser, brand, title and landingUrl was there before: ${linesOf(alike)}. ` +
        "A line without an offerId is always a new offer, with a budget of its own; an export names the ids of those that are there.",
    );
  }
  return notes;
}

const linesWith = ({ offers }: OfferFile, isOf: (landingUrl: string) => boolean): number[] =>
  offers.flatMap((offer) => {
    // A line that says nothing of it leaves it as it is.
    const landingUrl = "input" in offer ? offer.input.landingUrl : offer.said.get("landingUrl");
    return typeof landingUrl === "string" && isOf(landingUrl) ? [offer.line] : [];
  });

/** A file of a hundred thousand such lines is one note still. */
const mostNamed = 20;

const linesOf = (lines: readonly number[]): string => {
  const [named, more] = [lines.slice(0, mostNamed).join(", "), lines.length - mostNamed];
  return `${lines.length === 1 ? "line" : "lines"} ${named}${more > 0 ? ` and ${more.toLocaleString("en-US")} more` : ""}`;
};
