import { readFileSync } from "node:fs";

type Keys = { service: string; pub: string; website: string };

/** The form of the tag that docs/embed.md gives to those who put it in by a script: the text of that script. */
export function tagPutIn({ service, pub, website }: Keys): string {
  const text = readFileSync(new URL("../docs/embed.md", import.meta.url), "utf8");
  const [, script] = text.match(/```html\n<script>\n([^`]*"load"[^`]*)<\/script>\n```/) ?? [];
  if (script === undefined) throw new Error("docs/embed.md has no script that puts the tag in");
  return script.replace("https://offers.example", service).replace("pub_…", pub).replace("ws_…", website);
}
