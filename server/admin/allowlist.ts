import { allowlist } from "@offers/contract/catalogue";
import { allowlistModes } from "@offers/contract/words";
import { type ListedAllowlist, listAllowlists, setAllowlist } from "../store/catalogue/allowlists.ts";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { mergePatch } from "../store/catalogue/merge-patch.ts";
import { type Command, type Noun, type Option, textOf } from "./command.ts";
import { facts, table } from "./table.ts";
import { websiteOption } from "./website-options.ts";
import { withoutVersion } from "./without-version.ts";

const nameOptions: readonly Option[] = (["allow", "block"] as const).flatMap((set) =>
  (["brands", "verticals", "offers"] as const).map(
    (kind): Option => ({
      name: `${set}-${kind}`,
      kind: "list",
      field: `${set}.${kind}`,
      hint: { brands: "B", verticals: "V", offers: "O" }[kind],
      help:
        set === "allow" ? `${kind} that may be shown` : `${kind} that are never shown, whatever allows them`,
    }),
  ),
);

const set: Command = {
  verb: "set",
  summary: "Replace a website's allowlist by what is given.",
  options: [
    websiteOption,
    {
      name: "mode",
      kind: "choice",
      choices: allowlistModes,
      field: "mode",
      required: true,
      help: "only what is allowed by name, or everything that is not blocked",
    },
    ...nameOptions,
  ],
  examples: [
    "allowlist set --website ws_journal --mode all --block-verticals gambling,trading",
    'allowlist set --website ws_courier --mode allowlist --allow-verticals energy,travel --allow-brands "Orchard Bank"',
  ],
  run: async (given, { catalogue }) => {
    const input = parseInput(allowlist, mergePatch({ allow: {}, block: {} }, given));
    const answer = withoutVersion(await setAllowlist(catalogue, textOf(given, "websiteKey"), input));
    return {
      answer,
      text: facts({ websiteKey: answer.websiteKey, ...rowOf(answer) }),
      notes: [...answer.warnings, ...uselessNames(answer)],
    };
  },
};

/** In mode `all` names of the allowlist are kept for another mode, and permit nothing that is not permitted by itself. */
const uselessNames = ({ mode, allow }: Pick<ListedAllowlist, "mode" | "allow">): readonly string[] =>
  mode === "all" && namesIn(allow) !== ""
    ? ["mode all permits every offer that is not blocked: what --allow-… names makes no difference"]
    : [];

const list: Command = {
  verb: "list",
  summary: "Print the allowlist of every website.",
  options: [],
  examples: ["allowlist list"],
  run: async (_, { catalogue }) => {
    const answer = (await listAllowlists(catalogue.db)).map(withoutVersion);
    const rows = answer.map((one) => [one.websiteKey, ...Object.values(rowOf(one))]);
    return { answer, text: table(["WEBSITE", "MODE", "ALLOWED", "BLOCKED"], rows) };
  },
};

export const allowlistNoun: Noun = {
  name: "allowlist",
  summary: "Which offers a website may show: (mode all, or allowed by name) and not blocked.",
  commands: [set, list],
};

const rowOf = (saved: Omit<ListedAllowlist, "version">) => ({
  mode: saved.mode,
  allow: namesIn(saved.allow) || (saved.permitsNothing ? "nothing" : "-"),
  block: namesIn(saved.block) || "-",
});

const namesIn = (names: { brands: string[]; verticals: string[]; offers: string[] }): string =>
  [...names.brands, ...names.verticals, ...names.offers].join(", ");
