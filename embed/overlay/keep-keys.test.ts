import { beforeEach, expect, test, vi } from "vitest";
import { keepKeys } from "./keep-keys.ts";

const host = {} as Element;
let closing: AbortController;
let dialog: { open: boolean };
let seen: EventTarget;

/** Whether the page hears of a key that is pressed or released within the dialog. */
const isHeard = (type: "keydown" | "keyup", code: string, metaKey = false): boolean => {
  const heard = vi.fn();
  seen.addEventListener(type, heard, { once: true });
  const event = Object.assign(new Event(type), { key: code, code, metaKey });
  Object.defineProperty(event, "target", { value: host });
  seen.dispatchEvent(event);
  seen.removeEventListener(type, heard);
  return heard.mock.calls.length > 0;
};

const close = () => {
  dialog.open = false;
  closing.abort();
};

beforeEach(() => {
  closing = new AbortController();
  dialog = { open: true };
  seen = new EventTarget();
  vi.stubGlobal("document", { body: {} });
  vi.stubGlobal("addEventListener", seen.addEventListener.bind(seen));
  vi.stubGlobal("removeEventListener", seen.removeEventListener.bind(seen));
  keepKeys({
    host,
    dialog: dialog as HTMLDialogElement,
    dismissible: false,
    closed: closing.signal,
    close,
  });
});

test("a key that was pressed within the dialog is kept until it has been released", () => {
  expect(isHeard("keydown", "KeyC")).toBe(false);
  close();
  expect(isHeard("keyup", "KeyC")).toBe(false);
  expect(isHeard("keyup", "KeyC")).toBe(true);
});

test("a key of whose release macOS tells nothing is the page's again once the dialog has closed", () => {
  expect(isHeard("keydown", "MetaLeft", true)).toBe(false);
  expect(isHeard("keydown", "KeyC", true)).toBe(false);
  expect(isHeard("keyup", "MetaLeft")).toBe(false);
  close();
  expect(isHeard("keydown", "KeyC")).toBe(true);
  expect(isHeard("keyup", "KeyC")).toBe(true);
});

test.each([
  ["before the dialog has closed", ["blur", "close"]],
  ["after that", ["close", "blur"]],
])("a key that is released in another window is kept no longer: %s", (_when, steps) => {
  expect(isHeard("keydown", "AltLeft")).toBe(false);
  for (const step of steps) step === "close" ? close() : seen.dispatchEvent(new Event(step));
  expect(isHeard("keyup", "AltLeft")).toBe(true);
});
