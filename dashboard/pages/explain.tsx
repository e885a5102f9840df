import type { ExplainAnswer } from "@offers/contract/explain";
import { useEffect, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { formatClock, formatMoment, formatPlace } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Facts } from "../parts/facts.tsx";
import { Failure } from "../parts/failure.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { OfferRanking } from "../parts/offer-ranking.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { emptyWords, ruleText } from "../reason-words.ts";
import { usePublisher, useSignedIn, useWebsiteNames } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { fateOf, storyOf, storyTitle } from "../visit-story.ts";

/** Why a visitor saw what they did, and why each event counts or not. */
export function Explain() {
  const { query, having, go } = useAddress();
  const { publisherId } = usePublisher();
  const id = (query.id ?? "").trim();
  const [typed, setTyped] = useState(id);
  useEffect(() => setTyped(id), [id]);
  const { value, error, isLoading, again } = useAnswer<ExplainAnswer>(
    id === "" ? null : `publishers/${publisherId}/explain`,
    { [parameterOf(id)]: id },
  );
  return (
    <>
      <PageHeader
        title="Explain a visit"
        says="Why a visitor saw these offers, and what became of each click."
      />
      <form
        class="asked"
        onSubmit={(event) => {
          event.preventDefault();
          go(having({ id: typed.trim(), offers: null }));
        }}
      >
        <label for="visit" class="heard">
          The id of a visit, an event or a click
        </label>
        <input
          id="visit"
          class="code"
          value={typed}
          placeholder="req_…, evt_… or a click id"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="button main">
          Explain
        </button>
      </form>
      {id === "" && <HowToFind />}
      {error &&
        (error.status === 404 || error.status === 400 ? (
          <NotKnown />
        ) : (
          <Failure error={error} again={again} />
        ))}
      {isLoading && <Skeleton height={320} lines={6} />}
      {value && !isLoading && !error && <Explained told={value} />}
    </>
  );
}

function Explained({ told }: { told: ExplainAnswer }) {
  const { to } = useAddress();
  const { decision, now, websiteKey } = told;
  const name = useWebsiteNames().get(websiteKey) ?? websiteKey;
  const hasChanged = now.websiteChanged || (now.offersChanged ?? 0) > 0;
  return (
    <>
      <Card title={storyTitle(told)} action={<Badge tone="accent">{told.surface}</Badge>}>
        <Facts
          facts={[
            ["When", formatMoment(told.at)],
            ["Website", name],
            [
              "Place",
              formatPlace(decision.country, decision.region && `${decision.country}-${decision.region}`),
            ],
            ["Rule", ruleText(now.rule)],
            ["Traffic", told.test ? "Test" : "Live"],
          ]}
        />
        <ol class="story">
          {storyOf(told).map(({ key, at, title, says, counts }) => (
            <li key={key} class={counts ? "good" : "warn"}>
              <time dateTime={at}>{formatClock(at)}</time>
              <strong>{title}</strong>
              <span class="quiet">{says}</span>
            </li>
          ))}
        </ol>
        {told.moreEvents && <p class="quiet">There are more events than these.</p>}
      </Card>
      {hasChanged && (
        <Notice
          tone="warn"
          action={
            <a class="button" href={to("/activity")}>
              See what changed
            </a>
          }
        >
          {changedText(now)} since this visit. The table says how the offers would be chosen now.
        </Notice>
      )}
      <OfferRanking
        offers={told.offers}
        outcomeOf={({ offerId, rank }) => {
          const fate = fateOf(told, offerId);
          return { says: fate ?? (rank === 1 ? "Would be first" : "Not handed out"), isShown: fate !== null };
        }}
        empty={now.emptyReason ? emptyWords[now.emptyReason] : "No offer is considered for this visit."}
        says="The order can be replayed: it is drawn from the visit's id, so the same visit always ranks alike."
        json={told}
      />
    </>
  );
}

/** As many websites are named where no visit is at hand. */
const most = 5;

function HowToFind() {
  const { to } = useAddress();
  const { websites } = useSignedIn();
  const all = websites.value?.items ?? [];
  const links = all.slice(0, most).map(({ websiteKey, name }) => (
    <a key={websiteKey} href={to(`/websites/${websiteKey}/simulate`)}>
      {name}
    </a>
  ));
  if (all.length > most) links.push(<a href={to("/websites")}>another website</a>);
  return (
    <EmptyState
      icon="search"
      title="Which visit?"
      action={
        links.length > 0 && (
          <p>
            Without an id, simulate a visitor of{" "}
            {links.map((link, at) => [at > 0 && (at < links.length - 1 ? ", " : " or "), link])}.
          </p>
        )
      }
    >
      A visit's id begins with <code>req_</code> and stands in the answer to <code>/v1/decision</code>, which
      the browser shows among the page's requests. An event's begins with <code>evt_</code>. A click's is what
      the advertiser was told as <code>{"{click_id}"}</code>.
    </EmptyState>
  );
}

function NotKnown() {
  return (
    <Notice tone="warn">
      No visit of yours has this id, or what was kept of it is gone by now. Is it whole?
    </Notice>
  );
}

const parameterOf = (id: string): "requestId" | "eventId" | "clickId" =>
  id.startsWith("req_") ? "requestId" : id.startsWith("evt_") ? "eventId" : "clickId";

const changedText = ({ websiteChanged, offersChanged }: ExplainAnswer["now"]): string => {
  const offers = offersChanged ? `${offersChanged} ${offersChanged === 1 ? "offer" : "offers"}` : "";
  const parts = [websiteChanged && "The website's settings", offers].filter(Boolean);
  return `${parts.join(" and ")} ${parts.length === 1 && offersChanged === 1 ? "has" : "have"} changed`;
};
