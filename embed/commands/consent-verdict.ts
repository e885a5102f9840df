/** A yes. Whoever asks why consent is refused has no word then. */
export const go = "";

/** What a consent platform has said so far: yes, no, or nothing that would settle it. */
export type Verdict = typeof go | "stop" | "wait";

const members = (value: unknown) => Object(value) as Record<string, unknown>;

/**
 * The verdict of one call of a TCF listener (IAB Transparency and Consent Framework v2, `addEventListener`).
 * `purposes` are the ones that each need consent or, where the framework allows that, a legitimate interest; none:
 * any settled choice will do.
 */
export function tcfVerdict(data: unknown, success: unknown, purposes: readonly number[]): Verdict {
  const { gdprApplies, eventStatus, purpose } = members(data);
  if (!success) return "wait";
  if (gdprApplies === false) return go;
  if (eventStatus !== "tcloaded" && eventStatus !== "useractioncomplete") return "wait";
  const { consents, legitimateInterests } = members(purpose);
  return permit(consents, legitimateInterests, 0, purposes) ? go : "stop";
}

/** The names of the sections of the Global Privacy Platform, each at its id: the European, the Canadian, the American. */
const sectionNames =
  ",,tcfeuv2,,,tcfcav1,uspv1,usnat,usca,usva,usco,usut,usct,usfl,usmt,usor,ustx,usde,usia,usne,usnh,usnj,ustn,usmn,usmd,usin,usky,usri".split(
    ",",
  );

/**
 * The verdict of one call of a GPP listener (IAB Global Privacy Platform, `addEventListener`). Only the sections
 * that apply to the visitor are read, and each must agree; one that is unknown or missing is a no
 * (decisions.md#consent-of-what-applies).
 */
export function gppVerdict(event: unknown, success: unknown, purposes: readonly number[]): Verdict {
  const { signalStatus, applicableSections, parsedSections } = members(members(event).pingData);
  if (!success || signalStatus !== "ready" || !Array.isArray(applicableSections)) return "wait";
  const sections = members(parsedSections);
  const agrees = (id: number) => {
    const name = `${sectionNames[id]}`;
    // Older platforms number the American ones: usnatv1. A section may come whole or in parts.
    const section = members(Object.assign({}, ...[sections[name] ?? sections[`${name}v1`]].flat()));
    return id > 5
      ? /OptOut/.test(`${Object.keys(section)}`) && !Object.entries(section).some(isObjection)
      : "Version" in section &&
          permit(
            section.PurposeConsents ?? section.PurposesExpressConsent,
            section.PurposeLegitimateInterests ?? section.PurposesImpliedConsent,
            1,
            purposes,
          );
  };
  // -1 says that no section applies; 0, or none, that the platform cannot tell yet.
  if (!applicableSections.every((id) => id === -1 || id === 0 || agrees(id))) return "stop";
  return applicableSections.length > 0 && !applicableSections.includes(0) ? go : "wait";
}

/** Each purpose has the visitor's consent, or a weaker basis that will do. Lists are in the order of ids from `first` on. */
function permit(consents: unknown, weaker: unknown, first: number, purposes: readonly number[]): boolean {
  return purposes.every((id) => {
    // Storing something and profiles have no other basis in the framework (decisions.md#consent-by-purpose).
    const needsConsent = id === 1 || (id > 2 && id < 7);
    return members(consents)[id - first] === true || (!needsConsent && members(weaker)[id - first] === true);
  });
}

/** What American sections let a visitor say against: sale, sharing, targeting, use for other ends or of a child's. */
const objections = /OptOut(Sale)?$|^Gpc$|Consents?$/;
/** Not applicable, or said not to be so. Whatever else stands there is taken for an objection. */
const noObjections: unknown[] = [0, 2, false, "N", "-"];

const isObjection = ([field, value]: [string, unknown]): boolean =>
  objections.test(field) && [value].flat().some((one) => !noObjections.includes(one));
