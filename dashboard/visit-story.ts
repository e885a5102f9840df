import type { ExplainAnswer } from "@offers/contract/explain";
import { blockedText, refusalWords, ruleText } from "./reason-words.ts";

/** One step of what became of a visit. */
export type Step = {
  key: string;
  /** ISO 8601. */
  at: string;
  title: string;
  says: string;
  /** Whether it counts. */
  counts: boolean;
};

type Event = ExplainAnswer["events"][number];

/**
 * A visit's steps in the order of their times: its decision, what it was handed, what was seen, and each click. What
 * happened to several offers at one moment, or was seen and counts, is one step.
 */
export function storyOf(told: ExplainAnswer): Step[] {
  const steps: Step[] = [decisionStep(told)];
  const handed = Map.groupBy(told.served, ({ at }) => at);
  for (const [at, offers] of handed) {
    const premium = offers.filter(({ placement }) => placement === "premium").length;
    const isElsewhere = told.events.some((one) => one.at === at && one.mark === "geo_mismatch");
    steps.push({
      key: `served ${at}`,
      at,
      title: `${counted(offers.length, "offer")} handed out`,
      says:
        (premium > 0 ? `${premium} in the premium place` : "none in the premium place") +
        (isElsewhere ? ", asked for with another country" : ""),
      counts: true,
    });
  }
  const views = told.events.filter(({ type }) => type === "impression");
  for (const [key, group] of Map.groupBy(views, groupOf)) {
    const [first] = group;
    if (!first) continue;
    steps.push({
      key: `seen ${key}`,
      at: first.at,
      title: first.counts ? `${group.length} seen` : `${counted(group.length, "view")} not counted`,
      says: first.reason === null ? "at least half of it for one second" : refusalWords[first.reason].says,
      counts: first.counts,
    });
  }
  const clicks = told.events.filter(({ type }) => type === "click");
  for (const [index, click] of clicks.entries()) {
    steps.push({
      key: `click ${index}`,
      at: click.at,
      title: click.billed ? "Click, billed" : click.counts ? "Click, counted" : "Click, not counted",
      says: clickText(click),
      counts: click.counts,
    });
  }
  return steps.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** What became of a visit, in one line. */
export function storyTitle({ decision, surface, served, events }: ExplainAnswer): string {
  const clicks = events.filter(({ type, counts }) => type === "click" && counts).length;
  const billed = events.filter(({ type, billed }) => type === "click" && billed).length;
  const begins =
    surface === "decline"
      ? "Declined"
      : decision.allowed === null
        ? "A visit"
        : decision.allowed
          ? "Let through"
          : "Blocked";
  const parts = [
    begins,
    served.length > 0 && `${counted(served.length, "offer")} handed out`,
    clicks > 0 && (billed > 0 ? `${counted(billed, "click")} billed` : counted(clicks, "click")),
  ];
  return parts.filter(Boolean).join(", ");
}

/** What became of an offer that a visit was handed, such as `Premium, clicked`; null: it was not handed. */
export function fateOf({ served, events }: Pick<ExplainAnswer, "served" | "events">, offerId: string) {
  const handed = served.find((one) => one.offerId === offerId);
  if (!handed) return null;
  const own = events.filter((event) => event.offerId === offerId && event.counts);
  const fate = own.some(({ type }) => type === "click")
    ? "clicked"
    : own.some(({ type }) => type === "impression")
      ? "seen"
      : "not seen";
  const { placement, position } = handed;
  const place =
    placement === "premium"
      ? "Premium"
      : `${placement === "section" ? "Section" : "Standard"}${position === null ? "" : ` ${position}`}`;
  return `${placement === null ? "Handed out" : place}, ${fate}`;
}

const decisionStep = ({ at, decision, now, surface }: ExplainAnswer): Step => {
  const isAsNow = decision.allowed === now.allowed;
  const why = now.reason === null ? ruleText(now.rule) : blockedText(now.reason);
  return {
    key: "decision",
    at,
    title:
      surface === "decline"
        ? "Declined"
        : decision.allowed === null
          ? "Decision"
          : decision.allowed
            ? "Let through"
            : "Blocked",
    says: isAsNow ? why : "by a rule that has changed since",
    counts: true,
  };
};

/** Views that count are one step, and so are those that one reason keeps from counting. */
const groupOf = ({ reason }: Event): string => reason ?? "";

const clickText = ({ reason, hopAt, billed, mark }: Event): string => {
  if (reason !== null) return refusalWords[reason].says;
  const from = mark === "unregistered_referrer" ? " from an address that is not registered" : "";
  if (billed) return `link followed${from}, budget had room`;
  return hopAt === null
    ? "told by the page; its link was not followed"
    : `link followed${from}; clicks cost nothing here`;
};

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
