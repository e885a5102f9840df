/** First labels of host names for which content blockers have general rules, whoever owns the rest of the name. */
const blockedLabels: ReadonlySet<string> = new Set(["affiliate", "affiliates", "promo", "ads"]);

/**
 * What an operator should know of the address that visitors reach the service at; null when nothing speaks against it.
 * @param baseUrl an origin.
 */
export function blockedHostWarning(baseUrl: string): string | null {
  const { hostname } = new URL(baseUrl);
  const [label = ""] = hostname.split(".");
  if (!blockedLabels.has(label)) return null;
  return (
    `content blockers refuse host names that begin with ${label}., and ${hostname} does: their users will see no offer; ` +
    "give BASE_URL a neutral name"
  );
}
