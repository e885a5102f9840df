import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { startDeadline } from "./deadline.ts";

afterEach(() => void vi.useRealTimers());

it("ends after its time, once", () => {
  vi.useFakeTimers();
  const onEnd = vi.fn();
  startDeadline(1000, onEnd);
  vi.advanceTimersByTime(999);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(onEnd).toHaveBeenCalledOnce();
});

it("does not end once it is called off", () => {
  vi.useFakeTimers();
  const onEnd = vi.fn();
  const callOff = startDeadline(1000, onEnd);
  vi.advanceTimersByTime(500);
  callOff();
  vi.advanceTimersByTime(5000);
  expect(onEnd).not.toHaveBeenCalled();
});

it("leaves time to read an answer that came while the thread was held up", async () => {
  const server = createServer((_, res) => res.end("here"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const onEnd = vi.fn();
  const callOff = startDeadline(1000, onEnd);
  const asked = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).then((answer) =>
    answer.text(),
  );
  const until = performance.now() + 1200;
  while (performance.now() < until);
  expect(await asked).toBe("here");
  callOff();
  server.close();
  expect(onEnd).not.toHaveBeenCalled();
});
