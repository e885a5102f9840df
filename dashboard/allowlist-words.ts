import type { AllowlistAnswer } from "@offers/contract/dash/websites";

type Allowlist = AllowlistAnswer["allowlist"];

const modeWords: Record<Allowlist["mode"], string> = {
  all: "All offers but those that are taken out",
  allowlist: "Only the offers that are chosen",
};

/** What an allowlist says that another one does not; `titleOf` says how an offer is called. */
export function allowlistWords(
  one: Allowlist,
  other: Allowlist,
  titleOf: (offerId: string) => string,
): string {
  const more = (says: string, set: "allow" | "block") => {
    const without = (kind: "verticals" | "brands" | "offers") =>
      one[set][kind].filter((name) => !other[set][kind].includes(name));
    const names = [...without("verticals"), ...without("brands"), ...without("offers").map(titleOf)];
    return names.length > 0 ? `${says}: ${names.join(", ")}` : "";
  };
  const mode = one.mode === other.mode ? "" : modeWords[one.mode];
  const parts = [mode, more("Chosen", "allow"), more("Taken out", "block")].filter((part) => part !== "");
  return parts.join("; ") || "None of these";
}
