/** A line of Prometheus' text: a value, and under what it stands. */
export type Sample = { name: string; labels: Record<string, string>; value: number };

/** What is told at an address. */
export async function scrape(url: string): Promise<Sample[]> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`no metrics: ${answer.status} ${await answer.text()}`);
  return samplesOf(await answer.text());
}

/** The samples of such a text. A line that is none fails. */
function samplesOf(text: string): Sample[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const { name = "", labels = "", value = "" } = form.exec(line)?.groups ?? {};
      if (name === "") throw new Error(`no sample: ${line}`);
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(pair)].map(([, label, word]) => [label, word])),
        value: Number(value),
      };
    });
}

/** The value under these labels, of which more may stand there; several are added up, and undefined stands for none. */
export function valueUnder(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, word]) => sample.labels[label] === word),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

const form = /^(?<name>[a-z_]+)(?:\{(?<labels>[^}]*)\})? (?<value>[-+.\deE]+|NaN)$/;
const pair = /(\w+)="([^"]*)"/g;
