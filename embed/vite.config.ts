import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import manifest from "./package.json" with { type: "json" };

/** Languages other than English, which the overlay has built in. */
const languages = ["ar", "de", "es", "fr", "it", "ja", "nl", "pl", "pt"] as const;

/** The names of the files that are built so far; each later step writes them into its own files. */
const built: { files: Record<string, string>; wordsFiles?: Record<string, string> } = { files: {} };

const builtNames: Plugin = {
  name: "built-names",
  // Otherwise each environment would get a plugin, and a set of names, of its own.
  sharedDuringBuild: true,
  resolveId: (id) => (/^virtual:(built|words)-files$/.test(id) ? `\0${id}` : undefined),
  load(id) {
    if (id === "\0virtual:words-files") return declare("wordsFiles", built.wordsFiles);
    if (id !== "\0virtual:built-files") return undefined;
    const names = Object.entries(built.files);
    return names.map(([name, file]) => declare(`${name}File`, file)).join("\n");
  },
};

function declare(name: string, value: unknown): string {
  if (value === undefined) throw new Error(`${name} is not built yet.`);
  return `export const ${name} = ${JSON.stringify(value)};`;
}

/** Lays each script's compressed forms beside it: compressed once, they may be compressed as far as possible. */
function compressScripts(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const script = readFileSync(`${folder}/${file}`);
    writeFileSync(`${folder}/${file}.br`, brotliCompressSync(script));
    writeFileSync(`${folder}/${file}.gz`, gzipSync(script, { level: 9 }));
  }
}

/**
 * Has a file that takes code from the overlay's ask for that under the end of its own address where it does not come by the
 * plain one: whoever asks for the file once more does so under another address, and the browser keeps failures under theirs.
 */
const importsAgain: Plugin = {
  name: "imports-again",
  applyToEnvironment: ({ name }) => name === "drawing",
  renderChunk: (code) =>
    code.replace(/\bimport\s*\{([^}]*)\}\s*from\s*("[^"]+");?/g, (_, names: string, file: string) => {
      const taken = names.replaceAll(" as ", ": ");
      const again = "const again = import.meta.url.match(/#+$/)";
      const ask = `import(${file}).catch((problem) => { ${again}; if (!again) throw problem; return import(${file} + again); })`;
      return `let {${taken}} = await ${ask};`;
    }),
};

/** ES modules that a page fetches when it needs them; the hash in the name lets it keep them for good. */
const module = {
  format: "es",
  entryFileNames: "c/[hash].js",
  chunkFileNames: "c/[hash].js",
} satisfies Rolldown.OutputOptions;

/**
 * One build, four steps, each of which writes the names of the earlier ones' files into its own. The languages
 * come first: a page fetches one at the most. Then what is drawn: the overlay, and beside it what sections and
 * declined applications add to it. Then the commands, for pages that use them. `embed.js`, a classic script, is
 * the loader, and all that a visitor pays for who is shown nothing.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  define: { __EMBED_VERSION__: JSON.stringify(manifest.version) },
  plugins: [builtNames, importsAgain],
  resolve: { alias: { "preact/jsx-runtime": `${import.meta.dirname}/overlay/jsx.ts` } },
  build: { modulePreload: false, sourcemap: "hidden", target: "safari16.4", emptyOutDir: false },
  environments: {
    words: {
      consumer: "client",
      build: {
        emptyOutDir: true,
        rolldownOptions: {
          input: Object.fromEntries(languages.map((language) => [language, `words/${language}.ts`])),
          preserveEntrySignatures: "strict",
          output: module,
        },
      },
    },
    drawing: {
      consumer: "client",
      // Nothing is streamed or sent as a form here: told so, ky leaves its code for both out.
      define: { "globalThis.ReadableStream": "undefined", "globalThis.FormData": "undefined" },
      build: {
        cssCodeSplit: false,
        cssTarget: "safari17.5",
        rolldownOptions: {
          input: {
            overlay: "overlay/open-overlay.ts",
            section: "section/draw-section.tsx",
            decline: "decline/open-decline.ts",
            debug: "debug/speak.ts",
            bar: "bar/open-bar.tsx",
          },
          // Code that the files share stands in the overlay's; otherwise it would be a fourth file to fetch.
          preserveEntrySignatures: "allow-extension",
          output: module,
        },
      },
    },
    commands: {
      consumer: "client",
      build: {
        rolldownOptions: {
          input: { commands: "commands/start.ts" },
          preserveEntrySignatures: "strict",
          output: module,
        },
      },
    },
    client: {
      build: {
        target: "es2018",
        rolldownOptions: {
          input: "loader/embed.ts",
          output: { format: "iife", entryFileNames: "embed.js", codeSplitting: false },
        },
      },
    },
  },
  builder: {
    // Otherwise the configuration is read once per environment and the names never arrive.
    sharedConfigBuild: true,
    async buildApp(builder) {
      const build = async (name: string) => {
        const environment = builder.environments[name];
        const result = environment && (await builder.build(environment));
        if (!result || !("output" in result)) throw new Error(`${name} was not built.`);
        return result.output.filter((file) => file.type === "chunk" && file.isEntry);
      };
      const names = async (name: string) =>
        Object.fromEntries((await build(name)).map((file) => [file.name, file.fileName]));
      built.wordsFiles = await names("words");
      built.files = await names("drawing");
      Object.assign(built.files, await names("commands"));
      await build("client");
      compressScripts(`${import.meta.dirname}/dist`);
    },
  },
});
