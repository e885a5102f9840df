import type {
  AllowlistAnswer,
  AllowlistCount,
  SavedAllowlistAnswer,
  TreeOffer,
} from "@offers/contract/dash/websites";
import { useEffect, useState } from "preact/hooks";
import { type DrawnBrand, drawnTree, type TreePath, toggled } from "../allowlist-tree.ts";
import { allowlistWords } from "../allowlist-words.ts";
import { ask, change, Refused } from "../api.ts";
import { placeName } from "../countries.ts";
import { formatCount } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { type Changing, useChanging } from "../parts/changing.tsx";
import { Failure } from "../parts/failure.tsx";
import { SelectField, SmallSelect } from "../parts/field.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { SaveBar } from "../parts/save-bar.tsx";
import { WebsiteFrame } from "../parts/website-frame.tsx";
import { useMay, usePublisher, useSignedIn } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";
import { useDraft } from "../use-draft.ts";

type Allowlist = AllowlistAnswer["allowlist"];

const none = { brands: [], verticals: [], offers: [] };
const allBut = (verticals: string[]): Allowlist => ({
  mode: "all",
  allow: none,
  block: { ...none, verticals },
});

/** Which offers a website may show, with what that comes to before it is saved. */
export function WebsiteAllowlist() {
  return <WebsiteFrame tab="/allowlist">{(_, path) => <Offers path={path} />}</WebsiteFrame>;
}

function Offers({ path }: { path: string }) {
  const { value, error, again } = useAnswer<AllowlistAnswer>(`${path}/allowlist`);
  if (!value) return error ? <Failure error={error} again={again} /> : <Skeleton height={320} lines={6} />;
  return <Editor path={path} answer={value} again={again} />;
}

function Editor({ path, answer, again }: { path: string; answer: AllowlistAnswer; again: () => void }) {
  const mayEdit = useMay("editor");
  const draft = useDraft(
    answer,
    ({ allowlist }) => ({ allowlist }),
    async (_, after, version) => {
      const saved = await change<SavedAllowlistAnswer>("put", `${path}/allowlist`, after.allowlist, version);
      again();
      return saved.version;
    },
  );
  const { allowlist } = draft.value;
  const counting = useCount(path, allowlist, answer, draft.isChanged);
  const copying = useChanging();
  const set = (changed: Allowlist) => draft.set({ allowlist: changed });
  return (
    <>
      <Count
        counting={counting}
        allowlist={allowlist}
        onCareful={mayEdit ? () => set(allBut(answer.careful)) : null}
      />
      {/* What is copied takes the place of what stands here: nothing is ticked meanwhile, to be lost with it. */}
      <fieldset disabled={!mayEdit || copying.isBusy} class="steps">
        <legend class="heard">Offers allowed</legend>
        <Card title="Which offers?" action={mayEdit && <CopyFrom copying={copying} onAllowlist={set} />}>
          {copying.error && (
            <p class="wrong" role="alert">
              {copying.error.message}
            </p>
          )}
          <SelectField
            label="Permitted are"
            {...(allowlist.mode === "all" && {
              hint: "What comes later is shown too, but for what belongs to something that is taken out.",
            })}
            value={allowlist.mode}
            choices={[
              { value: "all", says: "All offers but those that I take out" },
              { value: "allowlist", says: "Only the offers that I choose" },
            ]}
            onValue={(mode) => set({ ...allowlist, mode })}
          />
        </Card>
        <Card title="Offers" says={`${formatCount(answer.count.active)} active`} isFlush>
          <Tree answer={answer} allowlist={allowlist} onAllowlist={set} />
        </Card>
      </fieldset>
      <SaveBar
        draft={draft}
        names={{ allowlist: "Offers allowed" }}
        words={(_, version, other) => allowlistWords(version.allowlist, other.allowlist, titleIn(answer))}
        again={again}
      />
    </>
  );
}

/** How the page calls an offer; one that it does not have goes by its id. */
const titleIn =
  ({ verticals }: AllowlistAnswer) =>
  (offerId: string): string => {
    const offers = verticals.flatMap(({ brands }) => brands.flatMap((brand) => brand.offers));
    return offers.find((offer) => offer.offerId === offerId)?.title ?? offerId;
  };

type Counting = {
  /** Undefined while it is counted. */
  count?: AllowlistCount;
  /** Why it was not. */
  error?: Refused;
  again: () => void;
};

/** What is counted of an allowlist that is not saved yet; the service counts, by the rule that it hands offers out by. */
function useCount(path: string, allowlist: Allowlist, saved: AllowlistAnswer, isChanged: boolean): Counting {
  const [counted, setCounted] = useState<({ text: string } & Omit<Counting, "again">) | null>(null);
  const [turn, setTurn] = useState(0);
  const text = JSON.stringify(allowlist);
  useEffect(() => {
    if (!isChanged) return;
    let isWanted = true;
    // Whoever presses several boxes is counted for once.
    const timer = setTimeout(() => {
      change<AllowlistCount>("post", `${path}/allowlist/preview`, allowlist, undefined, {
        savesNothing: true,
      }).then(
        (count) => isWanted && setCounted({ text, count }),
        (thrown: unknown) => {
          const error = thrown instanceof Refused ? thrown : new Refused(0, "unknown", String(thrown));
          if (isWanted) setCounted({ text, error });
        },
      );
    }, 150);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, isChanged, turn]);
  const again = () => {
    setCounted(null);
    setTurn((turns) => turns + 1);
  };
  if (!isChanged) return { count: saved.count, again };
  return counted?.text === text ? { ...counted, again } : { again };
}

function Count({
  counting: { count, error, again },
  allowlist,
  onCareful,
}: {
  counting: Counting;
  allowlist: Allowlist;
  onCareful: (() => void) | null;
}) {
  const { mode, allow } = allowlist;
  const isEmpty = mode === "allowlist" && Object.values(allow).every((names) => names.length === 0);
  if (isEmpty) {
    return (
      <Notice
        tone="bad"
        action={
          onCareful && (
            <button type="button" class="button main" onClick={onCareful}>
              Permit all but gambling, trading and loans
            </button>
          )
        }
      >
        Nothing is permitted, so blocked visitors see no offers.
      </Notice>
    );
  }
  if (error) return <Failure error={error} again={again} />;
  if (!count) return <Notice>Counting …</Notice>;
  const { active, permitted, places } = count;
  const some = places.filter(({ offers }) => offers > 0).slice(0, 12);
  const without = places.filter(({ offers }) => offers === 0).map(({ place }) => placeName(place));
  return (
    <Notice tone={permitted === 0 || without.length > 0 ? "warn" : "good"}>
      <strong>
        {formatCount(permitted)} of {formatCount(active)} permitted.
      </strong>{" "}
      {some.map(({ place, offers }) => `${placeName(place)} ${formatCount(offers)}`).join(", ")}
      {without.length > 0 && `${some.length > 0 ? "; " : ""}no offer in ${shortened(without)}`}
    </Notice>
  );
}

const shortened = (names: readonly string[]): string =>
  names.length <= 8
    ? names.join(", ")
    : `${names.slice(0, 8).join(", ")} and ${names.length - 8} more places`;

/** Another website, and what copies its offers: by the keyboard a select is on each of its choices for a moment. */
function CopyFrom({
  copying: { run },
  onAllowlist,
}: {
  copying: Changing;
  onAllowlist: (allowlist: Allowlist) => void;
}) {
  const { websites } = useSignedIn();
  const { publisherId } = usePublisher();
  const [key, setKey] = useState("");
  // Asked for when it is copied: what this page has read before may have changed since.
  const copy = () =>
    run(async () => {
      const path = `publishers/${publisherId}/websites/${encodeURIComponent(key)}/allowlist`;
      onAllowlist((await ask<AllowlistAnswer>(path)).allowlist);
    });
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void copy();
      }}
    >
      <SmallSelect
        label="Copy from another website"
        value={key}
        choices={[
          { value: "", says: "Copy from …" },
          ...(websites.value?.items ?? []).map(({ websiteKey, name }) => ({ value: websiteKey, says: name })),
        ]}
        onValue={setKey}
      />
      <button type="submit" class="button" disabled={key === ""}>
        Copy
      </button>
    </form>
  );
}

function Tree({
  answer: { verticals },
  allowlist,
  onAllowlist,
}: {
  answer: AllowlistAnswer;
  allowlist: Allowlist;
  onAllowlist: (allowlist: Allowlist) => void;
}) {
  const onToggle = (path: TreePath) => onAllowlist(toggled(allowlist, path));
  return (
    <div class="tree">
      {drawnTree(verticals, allowlist).map((vertical) => (
        <div class="node" key={vertical.name}>
          <Box node={vertical} isMixed={vertical.isMixed} onToggle={onToggle} />
          <details>
            <Summary of={vertical} />
            {vertical.inside.map((brand) => (
              <div class="node" key={brand.name}>
                <Box node={brand} isMixed={brand.isMixed} onToggle={onToggle} />
                <details>
                  <Summary of={brand} />
                  {brand.inside.map((drawn) => (
                    <div class="node" key={drawn.offer.offerId}>
                      <Box node={drawn} onToggle={onToggle} />
                      <p>
                        {drawn.name}
                        <span class="quiet">{coverageText(drawn.offer)}</span>
                      </p>
                    </div>
                  ))}
                </details>
              </div>
            ))}
          </details>
        </div>
      ))}
    </div>
  );
}

function Summary({ of: { name, on, offers } }: { of: Pick<DrawnBrand, "name" | "on" | "offers"> }) {
  return (
    <summary>
      {name}
      <span class="quiet">{`${on} of ${offers}`}</span>
    </summary>
  );
}

const coverageText = ({ geoCoverage }: TreeOffer): string => {
  if (geoCoverage.includes("*")) return "Everywhere";
  const more = geoCoverage.length > 4 ? ` and ${geoCoverage.length - 4} more` : "";
  return geoCoverage.slice(0, 4).map(placeName).join(", ") + more;
};

function Box({
  node: { name, path, state },
  isMixed = false,
  onToggle,
}: {
  node: Pick<DrawnBrand, "name" | "path" | "state">;
  /** Whether some of what is in it is the other way. */
  isMixed?: boolean;
  onToggle: (path: TreePath) => void;
}) {
  const { isOn, blockedBy } = state;
  return (
    <input
      type="checkbox"
      aria-label={`Allow ${name}`}
      title={blockedBy === null ? undefined : `${blockedBy} is taken out as a whole`}
      checked={isOn}
      indeterminate={isMixed}
      disabled={blockedBy !== null}
      onChange={() => onToggle(path)}
    />
  );
}
