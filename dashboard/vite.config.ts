import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const dist = `${import.meta.dirname}/dist`;

/** Lays each file's compressed forms beside it: compressed once, they may be compressed as far as possible. */
const compressedForms: Plugin = {
  name: "compressed-forms",
  apply: "build",
  closeBundle() {
    for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css)$/.test(file)) continue;
      const text = readFileSync(`${dist}/${file}`);
      writeFileSync(`${dist}/${file}.br`, brotliCompressSync(text));
      writeFileSync(`${dist}/${file}.gz`, gzipSync(text, { level: 9 }));
    }
  },
};

/** One document, and scripts and style sheets whose names are their hashes, so that a browser may keep them for good. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/dash/",
  publicDir: false,
  plugins: [compressedForms],
  build: {
    target: "safari17.5",
    sourcemap: "hidden",
    // What is inlined into a script as data: would need its own line in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      output: {
        entryFileNames: "a/[hash].js",
        chunkFileNames: "a/[hash].js",
        assetFileNames: "a/[hash][extname]",
      },
    },
  },
});
