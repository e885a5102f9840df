import type { DashWebsite, PreviewLink } from "@offers/contract/dash/websites";
import { previewSeconds, widgetLanguages } from "@offers/contract/words";
import { useEffect, useRef, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change, Refused } from "../api.ts";
import { placeName } from "../countries.ts";
import { keepFocus } from "../keep-focus.ts";
import { previewPlaces, seesOffers } from "../preview-places.ts";
import { useMay, useSignedIn } from "../signed-in.ts";
import { SmallSelect } from "./field.tsx";
import { Notice } from "./notice.tsx";

const themes = [
  { value: "", says: "As it is set" },
  { value: "light", says: "Light" },
  { value: "dark", says: "Dark" },
] as const;

type Parts = {
  path: string;
  website: DashWebsite;
  /** Changes when there is something new to see. */
  drawn?: string | number;
  /** Shows choices of language, colours and width too. */
  isWide?: boolean;
};

/** The overlay itself, as a visitor of a place sees it. What happens in it is test traffic. */
export function OverlayPreview(parts: Parts) {
  // Its link is made by a change, and whoever looks at another team's pages makes none.
  if (useSignedIn().isLookingAs)
    return <p class="quiet">Only the website's own team can open its preview.</p>;
  return <Preview {...parts} />;
}

function Preview({ path, website, drawn = "", isWide = false }: Parts) {
  const places = previewPlaces(website.geoRule);
  const [chosen, setPlace] = useState("");
  const [first = ""] = places;
  const place = places.includes(chosen) ? chosen : first;
  const [language, setLanguage] = useState("");
  const [theme, setTheme] = useState<(typeof themes)[number]["value"]>("");
  const [width, setWidth] = useState<"full" | "narrow">("full");
  const [made, setMade] = useState<{ link: string; at: number } | null>(null);
  const [error, setError] = useState("");

  useEffect(() => {
    let isOpen = true;
    const ask = () =>
      change<PreviewLink>("post", `${path}/preview`, undefined, undefined, { savesNothing: true }).then(
        ({ link }) => {
          if (!isOpen) return;
          setError("");
          setMade({ link, at: performance.now() });
        },
        (thrown: unknown) => isOpen && setError(thrown instanceof Refused ? thrown.message : String(thrown)),
      );
    // What visitors are served follows half a second after what is saved: drawn at once, the frame would keep what was before.
    const start = setTimeout(() => void ask(), made ? 1500 : 0);
    // A minute before the link is good no more.
    const timer = setInterval(() => void ask(), (previewSeconds - 60) * 1000);
    return () => {
      isOpen = false;
      clearTimeout(start);
      clearInterval(timer);
    };
  }, [path, drawn]);

  const isPage = website.paused || !seesOffers(website.geoRule, place);
  const words = new URLSearchParams({ country: place });
  if (language) words.set("language", language);
  if (theme) words.set("theme", theme);
  const address = made ? `${made.link}&${words}` : "";
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => (frame.current ? keepFocus(frame.current) : undefined), [address]);
  return (
    <>
      <div class="row">
        <SmallSelect
          label="From"
          value={place}
          choices={places.map((one) => ({ value: one, says: placeName(one) }))}
          onValue={setPlace}
        />
        {isWide && (
          <>
            <SmallSelect
              label="Language"
              value={language}
              choices={[
                { value: "", says: "Language as it is set" },
                ...widgetLanguages.map((one) => ({ value: one, says: languageName(one) })),
              ]}
              onValue={setLanguage}
            />
            <SmallSelect label="Colours" value={theme} choices={themes} onValue={setTheme} />
            <SmallSelect
              label="Width"
              value={width}
              choices={[
                { value: "full", says: "As wide as this page" },
                { value: "narrow", says: "A phone, 390 px" },
              ]}
              onValue={setWidth}
            />
          </>
        )}
      </div>
      {error && <Notice tone="warn">{error}</Notice>}
      {isPage && <SeesThePage place={place} website={website} />}
      {made && !isPage && (
        <iframe
          ref={frame}
          key={made.at}
          class={width === "narrow" ? "preview narrow" : "preview"}
          title={`What a visitor from ${placeName(place)} sees`}
          src={address}
        />
      )}
    </>
  );
}

/** Why there is no overlay to be seen. */
function SeesThePage({ place, website: { websiteKey, paused } }: { place: string; website: DashWebsite }) {
  const { to } = useAddress();
  const mayEdit = useMay("editor");
  const [says, end, mends] = paused
    ? ["The website is paused: every visitor sees the page as it is.", "/settings", "Resume it"]
    : [`A visitor from ${placeName(place)} sees the page as it is.`, "/places", "Change the rule"];
  return (
    <Notice
      action={
        mayEdit && (
          <a class="button" href={to(`/websites/${websiteKey}${end}`)}>
            {mends}
          </a>
        )
      }
    >
      {says}
    </Notice>
  );
}

const languageName = (tag: string): string =>
  new Intl.DisplayNames(["en"], { type: "language" }).of(tag) ?? tag;
