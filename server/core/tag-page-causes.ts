import { wayOutOf } from "./held-script.ts";
import type { PageFinding } from "./page-check.ts";
import { callOfInit } from "./page-policy.ts";
import type { TagCause } from "./tag-cause.ts";

type Told = Pick<TagCause, "code" | "says" | "fix" | "button">;

const copyTag = { kind: "copy_tag" } as const;
const checkPage = { kind: "check_page" } as const;

/**
 * What the check of a page found, in words: the directive, the attribute or the address that it is about.
 * @param isNeighbour whether an origin lies beside the website's own: only then one click is to register it.
 */
export function pageCauses(
  { url, findings }: { url: string; findings: readonly PageFinding[] },
  isNeighbour: (origin: string) => boolean,
): Told[] {
  return findings.map((finding) => pageCause(url, finding, isNeighbour));
}

const pageCause = (url: string, finding: PageFinding, isNeighbour: (origin: string) => boolean): Told => {
  const { code } = finding;
  switch (code) {
    case "unreachable":
      return {
        code,
        says: `The page ${url} ${finding.why}.`,
        fix: "Look whether visitors reach it, and check it again.",
        button: checkPage,
      };
    case "redirects_elsewhere":
      return {
        code,
        says: `The page ${url} leads to ${finding.origin}, which is not registered.`,
        fix: "If visitors end up there, register that address beside the others, and check it again.",
        button: isNeighbour(finding.origin) ? { kind: "register_origin", origin: finding.origin } : null,
      };
    case "tag_missing":
      return {
        code,
        says: `The ${finding.isWhole ? "HTML" : "first megabyte"} of ${url} has ${finding.isText ? "the tag as text or within a comment alone, where no browser runs it" : "no tag of this service"}.`,
        fix: `${finding.isText ? "An editor may have escaped it: paste the tag where that takes HTML," : "Paste the tag"} and publish the page. One that a tag manager or the page's own program adds is not seen here: it is well once a page has loaded it.`,
        button: copyTag,
      };
    case "two_tags":
      return {
        code,
        says: `The page ${url} has the tag ${finding.tags} times.`,
        fix: "Leave one of them: the first is served, the others do nothing.",
        button: null,
      };
    case "tag_altered":
      return alteredCause(url, finding);
    case "blocked_by_consent":
      return {
        code,
        says: `The tag in ${url} is held back by ${finding.attribute}, as ${finding.tool ?? "a consent banner"} does before consent.`,
        fix: "Nothing is shown to visitors before they agree. The tag can wait for consent by itself (data-consent): copy it as it is.",
        button: copyTag,
      };
    case "delayed_by_optimiser":
      return {
        code,
        says: `The tag in ${url} is delayed by ${finding.tool}, an optimiser (${finding.attribute}): until that runs it, as a rule with a visitor's first key, press or scroll, everybody sees the page as it is.`,
        fix: `${wayOutOf(finding.tool)}, empty its cache, and check the page again. The same goes for a script that calls offerService.`,
        button: checkPage,
      };
    case "not_run":
      return {
        code,
        says: `Browsers do not run the tag in ${url} as it stands there, by ${finding.attribute}: optimisers and consent banners write scripts so.`,
        fix: "Have whatever does that leave embed.js alone, or copy the tag as it is.",
        button: copyTag,
      };
    case "csp":
      return policyCause(url, finding);
    default:
      return code satisfies never;
  }
};

const alteredCause = (
  url: string,
  { code, attribute, found, wanted, isInit }: PageFinding & { code: "tag_altered" },
): Told => {
  if (isInit) {
    const name = attribute.slice("data-".length);
    return {
      code,
      says: `The call of init in ${url} says ${name}: "${found}".`,
      fix: `It should be ${name}: "${wanted}": copy the tag again.`,
      button: copyTag,
    };
  }
  return {
    code,
    says:
      found === ""
        ? `The tag in ${url} has no ${attribute}${attribute === "src" ? "" : ", and no script that stands there says it by init"}.`
        : `The tag in ${url} has ${attribute}="${found}".`,
    fix: alteredFix(attribute, wanted),
    button: copyTag,
  };
};

const alteredFix = (attribute: string, wanted: string): string => {
  switch (attribute) {
    case "src":
      return `It should be src="${wanted}": copy the tag again, and have no optimiser copy or join embed.js.`;
    case "integrity":
      return "Take it off: the script changes with each release, and browsers refuse one that does not fit.";
    case "data-mode":
      return `As it stands the tag begins nothing by itself. Write one of these: ${wanted}.`;
    case "data-consent":
      return `As it stands the tag waits for the page to say offerService("consent", true). Write one of these: ${wanted}.`;
    case "data-trigger":
    case "data-frequency":
      return `As it stands the website's setting holds. Write one of these, or take the attribute off: ${wanted}.`;
    case "data-placement":
      return `As it stands the overlay stands over the page. Write one of these, or take the attribute off: ${wanted}.`;
    default:
      return `It should be ${attribute}="${wanted}": copy the tag again.`;
  }
};

const policyCause = (
  url: string,
  { code, directive, place, stops, line }: PageFinding & { code: "csp" },
): Told => {
  const where = place === "meta" ? "a meta element" : "a header";
  return {
    code,
    says: `The content security policy of ${url} stops ${stops}, by ${where}: ${directive}`,
    fix:
      line === null
        ? "With 'strict-dynamic' addresses are not heard: give the tag the page's nonce."
        : `${stops === callOfInit ? "Give that script the page's nonce, or write it so" : "Write it so"}: ${line}`,
    button: line === null ? null : { kind: "copy_line", line },
  };
};
