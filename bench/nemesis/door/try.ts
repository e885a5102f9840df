/** node bench/nemesis/door/try.ts file function engine [json] */
import { type Check, printChecks } from "../../checks.ts";
import { createRandom } from "../../load/random.ts";

const [file, name, engine, more = "{}"] = process.argv.slice(2);
process.on("uncaughtException", (e) => {
  console.log("UNCAUGHT", e, new Error().stack);
  process.exit(3);
});
const from = performance.now();
const module = await import(`./${file}.ts`);
const checks = (await module[name ?? ""]({
  engine,
  random: createRandom(7),
  say: console.log,
  ...JSON.parse(more),
})) as Check[];
process.exitCode = printChecks(
  `${name} on ${engine}, ${((performance.now() - from) / 1000).toFixed(1)} s`,
  checks,
);
