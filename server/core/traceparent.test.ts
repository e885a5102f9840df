import { expect, test } from "vitest";
import { traceIdOf } from "./traceparent.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";
const good = `00-${trace}-${parent}-01`;

test.each<[what: string, header: string | string[] | undefined, id: string | null]>([
  ["a valid one", good, trace],
  ["one that is not sampled", `00-${trace}-${parent}-00`, trace],
  ["flags that nobody knows yet", `00-${trace}-${parent}-ff`, trace],
  ["a higher version of the same length", `01-${trace}-${parent}-01`, trace],
  [
    "a higher version with more behind a dash",
    `cc-${trace}-${parent}-01-what-the-future-will-be-like`,
    trace,
  ],
  ["none", undefined, null],
  ["an empty one", "", null],
  ["several", [good, good], null],
  ["two that Node has joined", `${good}, ${good}`, null],
  [
    "two of a higher version that Node has joined",
    `01-${trace}-${parent}-01, 01-${trace}-${parent}-01`,
    null,
  ],
  ["version ff", `ff-${trace}-${parent}-01`, null],
  ["version 00 with more behind a dash", `${good}-extra`, null],
  ["version 00 with a dash behind it", `${good}-`, null],
  ["a higher version with more behind no dash", `01-${trace}-${parent}-01.x`, null],
  ["a version of one digit", `0-${trace}-${parent}-01`, null],
  ["a trace id of zeros", `00-${"0".repeat(32)}-${parent}-01`, null],
  ["a parent id of zeros", `00-${trace}-${"0".repeat(16)}-01`, null],
  ["a trace id in upper case", `00-${trace.toUpperCase()}-${parent}-01`, null],
  ["a short trace id", `00-${trace.slice(1)}-${parent}-01`, null],
  ["a long parent id", `00-${trace}-${parent}0-01`, null],
  ["letters that are no hexadecimal digits", `00-${trace.slice(1)}g-${parent}-01`, null],
  ["no flags", `00-${trace}-${parent}`, null],
  ["short flags", `00-${trace}-${parent}-1`, null],
  ["a space before", ` ${good}`, null],
  ["a line's end behind", `${good}\n`, null],
  ["an underscore for a dash", good.replaceAll("-", "_"), null],
])("of %s", (_, header, id) => {
  expect(traceIdOf(header)).toBe(id);
});
