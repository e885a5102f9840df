import type { OfferFileOutcome } from "@offers/contract/dash/operator";
import { useEffect, useRef, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { change } from "../api.ts";
import { formatCount } from "../format.ts";
import { type OfferText, readOfferFile } from "../offer-file.ts";
import { Card } from "../parts/card.tsx";
import { useChanging } from "../parts/changing.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Field, TextField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { useUnsavedGuard } from "../use-unsaved-guard.ts";

/** More lines than these nobody mends one by one. */
const mostProblems = 200;
/** Ten thousand offers are eight megabytes, which a proxy may take in from a slow line for more than a minute. */
const timeoutMs = 180_000;

/** Offers out of a file: looked at first, and then saved whole or not at all. */
export function OperatorOfferFile() {
  const { to } = useAddress();
  const [file, setFile] = useState<OfferText | null>(null);
  const newest = useRef<File | null>(null);
  // Is looked at once what is under way is done.
  const [next, setNext] = useState<OfferText | null>(null);
  const [heard, setHeard] = useState<{ of: OfferText; outcome: OfferFileOutcome } | null>(null);
  const { run, isBusy, error, forget } = useChanging();
  const [isDry, setDry] = useState(true);
  // What becomes of an import is said of its file, which stays the chosen one until then.
  const isSaving = isBusy && !isDry;
  // What is said of another file says nothing of the chosen one.
  const outcome = heard && heard.of === file ? heard.outcome : null;
  // A file can be chosen again; what was pasted is nowhere else.
  useUnsavedGuard(file?.name === "" && file.text.trim() !== "" && !outcome?.isSaved);
  const look = (chosen: OfferText) => {
    setFile(chosen);
    setHeard(null);
    forget();
    setNext(chosen.text.trim() ? chosen : null);
  };
  const send = (of: OfferText, isDryRun: boolean) =>
    run(async () => {
      setDry(isDryRun);
      const { format, text } = of;
      const body = { format, text, isDryRun };
      try {
        const outcome = await change<OfferFileOutcome>("post", "operator/offer-file", body, undefined, {
          timeoutMs,
          savesNothing: isDryRun,
        });
        setHeard({ of, outcome });
      } catch (thrown) {
        // It may be saved all the same, and lines without an id would be new offers once more.
        setHeard(null);
        throw thrown;
      }
    });
  useEffect(() => {
    if (next === null || isBusy) return;
    setNext(null);
    void send(next, true);
  }, [next, isBusy]);
  const read = async (given: File | undefined) => {
    if (!given) return;
    newest.current = given;
    // While it is read, the one before is not to be imported any more.
    setFile(null);
    setNext(null);
    const bytes = await given.arrayBuffer().catch(() => null);
    if (newest.current === given) look(readOfferFile(given.name, bytes));
  };
  return (
    <>
      <PageHeader
        title="Import offers"
        above={{ title: "Offers", link: to("/operator/offers") }}
        says="A line with an offerId is that offer, one without is a new one. What the file has no column for stays as it is. Either all lines are saved or none."
      />
      <Card title="The file">
        <Field
          label="CSV with a header, or a JSON list"
          hint="As Export writes it. Spreadsheets with semicolons are read too."
          error={file?.wrong}
        >
          {(ids) => (
            <input
              {...ids}
              type="file"
              disabled={isSaving}
              accept=".csv,.json,text/csv,application/json"
              // Or the browser would not tell that a mended file of the same name was chosen.
              onClick={(event) => {
                event.currentTarget.value = "";
              }}
              onChange={(event) => void read(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        <details>
          <summary>Or paste its lines</summary>
          <TextField
            label="CSV"
            lines={8}
            spellcheck={false}
            readOnly={isSaving}
            value={file?.name === "" ? file.text : ""}
            onValue={(text) => {
              setFile({ name: "", format: "csv", text });
              setNext(null);
            }}
          />
        </details>
        <div class="row">
          <button
            type="button"
            class="button"
            disabled={!file?.text.trim() || isBusy}
            onClick={() => file && look(file)}
          >
            <Icon name="search" />
            Check the file
          </button>
          <button
            type="button"
            class="button main"
            disabled={isBusy || !file || !outcome || outcome.problems !== undefined || outcome.isSaved}
            onClick={() => file && void send(file, false)}
          >
            Import
          </button>
          {isBusy && <span class="quiet">{isSaving ? "Importing the offers" : "Reading the file"}</span>}
        </div>
      </Card>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {outcome && <Outcome outcome={outcome} />}
    </>
  );
}

function Outcome({ outcome }: { outcome: OfferFileOutcome }) {
  const { to } = useAddress();
  if (outcome.problems === undefined) {
    const { isSaved, created, updated, notes = [] } = outcome;
    const counts = `${formatCount(created)} new, ${formatCount(updated)} known`;
    return (
      <>
        <Notice
          tone={isSaved ? "good" : "accent"}
          action={
            isSaved && (
              <a class="button" href={to("/operator/offers")}>
                See the offers
              </a>
            )
          }
        >
          {isSaved ? `Imported: ${counts}.` : `Nothing is wrong with this file. It would save ${counts}.`}
        </Notice>
        {notes.map((note) => (
          <Notice key={note} tone="warn">
            {note}
          </Notice>
        ))}
      </>
    );
  }
  const { problems } = outcome;
  const lines = new Set(problems.map(({ line }) => line)).size;
  return (
    <>
      <Notice tone="bad">
        {lines === 1 ? "One line cannot be saved" : `${formatCount(lines)} lines cannot be saved`}, so nothing
        of the file is.
      </Notice>
      <Card title="What is wrong" isFlush>
        <DataTable
          caption="Lines that cannot be saved"
          rows={problems.slice(0, mostProblems)}
          rowKey={(problem) => JSON.stringify(problem)}
          columns={[
            { key: "line", title: "Line", cell: ({ line }) => String(line) },
            {
              key: "column",
              title: "Column",
              cell: ({ column }) => (column ? <code>{column}</code> : "the whole line"),
            },
            { key: "wrong", title: "What is wrong", cell: ({ message }) => message },
          ]}
        />
        {problems.length > mostProblems && (
          <footer class="quiet">
            The first {mostProblems} of {formatCount(problems.length)}.
          </footer>
        )}
      </Card>
    </>
  );
}
