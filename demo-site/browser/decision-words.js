/**
 * @typedef {{ allowed?: unknown, country?: unknown, region?: unknown, requestId?: unknown, blocked?: { reason?: unknown } }} DecisionAnswer
 * @typedef {{ verdict: "allowed" | "blocked" | "refused", heading: string, text: string, facts: [string, string][] }} DecisionWords
 */

/** @type {Record<string, (country: string, region: string) => string>} */
const reasons = {
  country_not_allowed: (country) => `${country} is not on the list of places that see this page.`,
  region_not_allowed: (country, region) =>
    `${region || country} is not on the list of places that see this page.`,
  country_blocked: (country) => `${country} is on the list of blocked places.`,
  region_blocked: (country, region) => `${region || country} is on the list of blocked places.`,
  location_unknown: () => "The visitor’s place is unknown, and this website blocks unknown places.",
};

/**
 * A decision as a person would say it.
 * @param {DecisionAnswer} answer
 * @param {(country: string) => string} countryName
 * @param {(fullRegion: string) => string} regionName
 * @param {string} [page] The page that is shown.
 * @returns {DecisionWords}
 */
export function decisionWords(answer, countryName, regionName, page = "article") {
  const country = typeof answer.country === "string" ? answer.country : "";
  const region = typeof answer.region === "string" ? answer.region : "";
  const known = country !== "" && country !== "ZZ";
  const countryText = known ? countryName(country) : "An unknown place";
  const fullRegion = known && region !== "" ? `${country}-${region}` : "";
  const regionText = fullRegion === "" ? "" : regionName(fullRegion);
  const reason = typeof answer.blocked?.reason === "string" ? answer.blocked.reason : "";
  const allowed = answer.allowed === true;
  /** @type {[string, string][]} */
  const facts = [
    ["Country", known ? `${countryText} (${country})` : "unknown (ZZ)"],
    [
      "Region",
      fullRegion === ""
        ? "unknown"
        : regionText === fullRegion
          ? fullRegion
          : `${regionText} (${fullRegion})`,
    ],
  ];
  const requestId = typeof answer.requestId === "string" ? answer.requestId : "none";
  if (page === "magazine") {
    facts.push(["Request id", requestId]);
    const text = "A section is for every visitor. The place decides which offers fit.";
    return { verdict: "allowed", heading: "Offers within the page", text, facts };
  }
  if (!allowed) facts.push(["Reason", reason || "none given"]);
  facts.push(["Request id", requestId]);
  return {
    verdict: allowed ? "allowed" : "blocked",
    heading: allowed ? "Allowed: the page as it is" : "Blocked: offers over the page",
    text: allowed
      ? "The tag ends here. This visitor loaded nothing but the tag."
      : (reasons[reason]?.(countryText, regionText) ??
        "The service gave a reason that this panel does not know."),
    facts,
  };
}

/**
 * What to say when there is no decision: the page is then left as it is.
 * @param {string} why
 * @returns {DecisionWords}
 */
export function noDecision(why) {
  return { verdict: "refused", heading: "No decision: the page as it is", text: why, facts: [] };
}
