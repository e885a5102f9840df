/** One rule of `operations/alerts.yml`. */
export type Alert = {
  name: string;
  expr: string;
  forSeconds: number;
  severity: string;
  summary: string;
  description: string;
  runbook: string;
};

/** One line of the table of `docs/alerts.md`. */
export type AlertLine = { name: string; anchor: string; severity: string; withinSeconds: number };

/**
 * Reads the rules in the one form in which the file has them: a key a line, an expression of several lines as a block,
 * labels in braces. That Prometheus reads the same is compared where one runs.
 */
export function readAlerts(text: string): Alert[] {
  const [, ...rules] = text.split(/^ {6}- alert: /m);
  return rules.map((rule) => {
    const [name = "", ...lines] = rule.trimEnd().split("\n");
    const after = (key: string): string =>
      lines
        .find((line) => line.trim().startsWith(`${key}: `))
        ?.split(`${key}: `)
        .slice(1)
        .join(`${key}: `) ?? "";
    const expr = after("expr");
    return {
      name,
      expr: expr === "|" ? blockAfter(lines, "expr: |") : unquoted(expr),
      forSeconds: secondsOf(after("for")),
      severity: /severity: (\w+)/.exec(after("labels"))?.[1] ?? "",
      summary: unquoted(after("summary")),
      description: unquoted(after("description")),
      runbook: unquoted(after("runbook")),
    };
  });
}

/** Reads the lines that begin with a link to an alert's own heading. */
export function readAlertTable(page: string): AlertLine[] {
  const line = /^\| \[(\w+)\]\(#([\w-]+)\) \| (\w+) \| ([^|]*) \|/gm;
  return [...page.matchAll(line)].map(([, name = "", anchor = "", severity = "", within = ""]) => ({
    name,
    anchor,
    severity,
    withinSeconds: secondsOf(within.trim().replace(" min", "m")),
  }));
}

const secondsOf = (duration: string): number => {
  const [, number, unit] = /^(\d+)([sm])$/.exec(duration) ?? [];
  return Number(number ?? 0) * (unit === "m" ? 60 : 1);
};

const unquoted = (text: string): string => (text.startsWith('"') ? (JSON.parse(text) as string) : text);

/** The lines behind a key that stand further in than it does. */
const blockAfter = (lines: readonly string[], key: string): string => {
  const from = lines.findIndex((line) => line.trim() === key) + 1;
  const length = lines.slice(from).findIndex((line) => !line.startsWith(" ".repeat(10)));
  return lines
    .slice(from, length < 0 ? undefined : from + length)
    .map((line) => line.trim())
    .join("\n");
};
