import type { SimulateAnswer } from "@offers/contract/dash/looking";
import { type DeviceClass, deviceClasses, surfaces, unknownCountry } from "@offers/contract/words";
import { useEffect, useState } from "preact/hooks";
import { useRoute } from "preact-iso/router";
import { useAddress } from "../address.ts";
import { formatPlace } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { Facts } from "../parts/facts.tsx";
import { Failure } from "../parts/failure.tsx";
import { errorOf, SelectField, TextField } from "../parts/field.tsx";
import { Heard } from "../parts/heard.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { OfferRanking } from "../parts/offer-ranking.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { blockedText, emptyWords, ruleText } from "../reason-words.ts";
import { usePublisher, useSignedIn } from "../signed-in.ts";
import { surfaceWords } from "../surface-words.ts";
import { useAnswer } from "../use-answer.ts";

/** What a visitor from some place would be shown on a website now. The whole question stands in the address. */
export function Simulate() {
  const { key = "" } = useRoute().params;
  const { query, having, go, to } = useAddress();
  const { publisherId } = usePublisher();
  const { websites } = useSignedIn();
  const website = websites.value?.items.find(({ websiteKey }) => websiteKey === key);
  const surface = surfaces.find((one) => one === query.surface) ?? "overlay";
  const asked = {
    country: query.country,
    region: query.region,
    surface,
    device: query.device,
    language: query.language,
    reason: surface === "decline" ? query.reason : undefined,
    draw: query.draw,
  };
  const { value, error, isLoading, again } = useAnswer<SimulateAnswer>(
    query.country ? `publishers/${publisherId}/websites/${encodeURIComponent(key)}/simulate` : null,
    asked,
  );
  useEffect(() => {
    // The draw stays while the question changes: what differs then comes of the question.
    if (value && !query.draw && !isLoading) go(having({ draw: value.draw }), true);
  }, [value?.draw, query.draw, isLoading]);

  return (
    <>
      <PageHeader
        title="Simulate a visit"
        above={{ title: website?.name ?? key, link: to(`/websites/${key}`) }}
        says="What a visitor would be shown now. Nothing of it is recorded."
      />
      <Card title="The visitor">
        <Question error={error} />
      </Card>
      <Heard says={value && !error && !isLoading ? toldText(value) : ""} />
      {error && error.errors.length === 0 && <Failure error={error} again={again} />}
      {query.country && !value && !error && <Skeleton height={320} lines={6} />}
      {value && !error && <Simulated told={value} isBusy={isLoading} />}
    </>
  );
}

function Question({ error }: { error: Parameters<typeof errorOf>[0] }) {
  const { query, having, go } = useAddress();
  const [country, setCountry] = useTyped(query.country);
  const [region, setRegion] = useTyped(query.region);
  const [language, setLanguage] = useTyped(query.language);
  const [reason, setReason] = useTyped(query.reason);
  const surface = surfaces.find((one) => one === query.surface) ?? "overlay";
  const isUnknown = country.toUpperCase() === unknownCountry;
  const ask = (more: Record<string, string | null> = {}) =>
    go(
      having({
        country: country.trim(),
        region: isUnknown ? null : region.trim(),
        language: language.trim(),
        reason: reason.trim(),
        ...more,
      }),
    );
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <div class="fields">
        <TextField
          label="Country"
          hint={
            country.length === 2 && !isUnknown
              ? formatPlace(country.toUpperCase())
              : "Two letters, such as DE"
          }
          value={isUnknown ? "" : country}
          onValue={setCountry}
          maxLength={2}
          autocomplete="off"
          placeholder={isUnknown ? "Unknown place" : "DE"}
          error={errorOf(error, "country")}
        />
        <TextField
          label="Region"
          hint="Such as NJ; may be left out"
          value={region}
          onValue={setRegion}
          maxLength={6}
          autocomplete="off"
          error={errorOf(error, "region")}
        />
        <SelectField
          label="Where"
          value={surface}
          choices={surfaces.map((value) => ({ value, says: surfaceWords[value] }))}
          onValue={(value) => ask({ surface: value === "overlay" ? null : value })}
        />
        <SelectField
          label="Device"
          value={(query.device ?? "") as DeviceClass | ""}
          choices={[
            { value: "", says: "Not known" },
            ...deviceClasses.map((value) => ({
              value,
              says: value.charAt(0).toUpperCase() + value.slice(1),
            })),
          ]}
          onValue={(device) => ask({ device })}
        />
        <TextField
          label="Language"
          hint="Such as de; not known if left out"
          value={language}
          onValue={setLanguage}
          maxLength={20}
          autocomplete="off"
          error={errorOf(error, "language")}
        />
        {surface === "decline" && (
          <TextField
            label="Reason of the decline"
            hint="self_excluded and underage withhold gambling, trading and loans"
            value={reason}
            onValue={setReason}
            maxLength={64}
            autocomplete="off"
            error={errorOf(error, "reason")}
          />
        )}
      </div>
      <div class="row">
        <button type="submit" class="button main">
          Simulate
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            setCountry(unknownCountry);
            setRegion("");
            ask({ country: unknownCountry, region: null });
          }}
        >
          From an unknown place
        </button>
        {query.draw && (
          <button type="button" class="button" onClick={() => go(having({ draw: null }))}>
            Draw anew
          </button>
        )}
      </div>
    </form>
  );
}

/** What somebody types; where the address says something else by then, that. */
function useTyped(asked = ""): [string, (text: string) => void] {
  const [typed, setTyped] = useState(asked);
  useEffect(() => setTyped(asked), [asked]);
  return [typed, setTyped];
}

function Simulated({ told, isBusy }: { told: SimulateAnswer; isBusy: boolean }) {
  const shown = [...told.premium, ...told.standard];
  return (
    <>
      <Card title={toldText(told)} action={<Badge tone="accent">{told.surface}</Badge>} isBusy={isBusy}>
        <Facts
          facts={[
            ["Place", formatPlace(told.country, told.region && `${told.country}-${told.region}`)],
            ["Rule", ruleText(told.rule)],
            [
              "Why",
              told.reason === null
                ? "No rule keeps the visitor from the page"
                : upper(blockedText(told.reason)),
            ],
          ]}
        />
        {told.emptyReason && <p>{emptyWords[told.emptyReason]}</p>}
      </Card>
      <OfferRanking
        offers={told.offers}
        outcomeOf={({ offerId }) => {
          const at = shown.indexOf(offerId);
          if (at < 0) return { says: "No room", isShown: false };
          return {
            says: at < told.premium.length ? "Premium" : `Standard ${at + 1 - told.premium.length}`,
            isShown: true,
          };
        }}
        empty={told.emptyReason ? emptyWords[told.emptyReason] : "No offer is considered for this visit."}
        says="Offers whose click rates are little known are drawn: the draw stays the same until you draw anew."
        json={told}
      />
    </>
  );
}

const toldText = ({ surface, allowed, premium, standard }: SimulateAnswer): string => {
  const verdict = surface === "decline" ? "Declined" : allowed ? "Let through to the page" : "Blocked";
  const shown = premium.length + standard.length;
  return `${verdict}, ${shown === 1 ? "1 offer" : `${shown} offers`} shown`;
};

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
