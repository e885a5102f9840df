/** What a consent platform has said so far: yes, no, or nothing that would settle it. */
export type Verdict = "go" | "stop" | "wait";

const members = (value: unknown) => Object(value) as Record<string, unknown>;

/**
 * The verdict of one call of a TCF listener (IAB Transparency and Consent Framework v2, `addEventListener`).
 * `purposes` are the ones that each need consent or a legitimate interest; none: any settled choice will do.
 */
export function tcfVerdict(data: unknown, success: unknown, purposes: readonly number[]): Verdict {
  const { gdprApplies, eventStatus, purpose } = members(data);
  if (!success) return "wait";
  if (gdprApplies === false) return "go";
  if (eventStatus !== "tcloaded" && eventStatus !== "useractioncomplete") return "wait";
  const consents = members(members(purpose).consents);
  const interests = members(members(purpose).legitimateInterests);
  return purposes.every((id) => consents[id] === true || interests[id] === true) ? "go" : "stop";
}

/** Fields of the American sections of the Global Privacy Platform; 1 means that the visitor opted out. */
const optOuts = ["SaleOptOut", "SharingOptOut", "TargetedAdvertisingOptOut"];

/**
 * The verdict of one call of a GPP listener (IAB Global Privacy Platform, `addEventListener`). Of the sections
 * it has parsed, an American one must not opt out, and the European one must permit the purposes.
 */
export function gppVerdict(event: unknown, success: unknown, purposes: readonly number[]): Verdict {
  const { signalStatus, applicableSections, parsedSections } = members(members(event).pingData);
  if (!success || signalStatus !== "ready") return "wait";
  // -1 says that no section applies; 0 that the platform cannot tell.
  const applicable = Array.isArray(applicableSections) ? applicableSections.filter((id) => id > 0) : [];
  if (applicable.length === 0) return "go";
  const sections = Object.entries(members(parsedSections));
  if (sections.length === 0) return "stop";
  const isFine = ([name, section]: [string, unknown]) => {
    const parts = [section].flat().map(members);
    return name.startsWith("tcfeu")
      ? parts.some((part) => permits(part, purposes))
      : parts.every((part) => optOuts.every((field) => part[field] !== 1));
  };
  return sections.every(isFine) ? "go" : "stop";
}

/** The European section is parsed into lists of booleans, in the order of the purposes; the ids begin with 1. */
function permits(part: Record<string, unknown>, purposes: readonly number[]): boolean {
  const consents = members(part.PurposeConsents ?? part.PurposeConsent);
  const interests = members(part.PurposeLegitimateInterests ?? part.PurposesLITransparency);
  return purposes.every((id) => consents[id - 1] === true || interests[id - 1] === true);
}
