import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { beginCall } from "./node-call.ts";

test.each<[sent: string[], name: string, values: string[]]>([
  [["Host", "a", "Authorization", "Bearer one"], "authorization", ["Bearer one"]],
  [["AUTHORIZATION", "one", "Host", "a", "authorization", "two"], "authorization", ["one", "two"]],
  [["aUthorization", "the same", "Authorization", "the same"], "authorization", ["the same", "the same"]],
  [["X-Note", "authorization", "Authorization", ""], "authorization", [""]],
  [["Authorization-Info", "one", "Proxy-Authorization", "two"], "authorization", []],
  [["Host", "a"], "x-integration-secret", []],
  [
    ["X-Integration-Secret", "one, two", "x-integration-secret", "three"],
    "x-integration-secret",
    ["one, two", "three"],
  ],
])("of the headers %j the call has each %s: %j", (sent, name, values) => {
  const message = new IncomingMessage(new Socket());
  message.rawHeaders = sent;
  expect(beginCall(message, "an id").every(name)).toEqual(values);
});
