import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preferredType } from "./preferred-type.ts";

const types = ["application/json", "text/html; charset=utf-8"] as const;
const [json, html] = types;

describe("the preferred type", () => {
  it.each([
    [undefined, json],
    ["", json],
    ["*/*", json],
    ["text/html", html],
    ["TEXT/HTML", html],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", html],
    ["application/json, text/html", json],
    ["text/html, application/json", html],
    ["text/html;q=0.5, application/json;q=0.6", json],
    ["text/*", html],
    ["text/*;q=0.1, */*;q=0.5", json],
    ["text/html;q=0, */*", json],
    ['text/html; charset="UTF-8"', html],
    ["text/html;charset=utf-8;q=0, text/html", null],
    ["image/png", null],
    ["text/html;level=1", null],
    ["text/html;charset=utf-8;level=1", null],
    ["text/html;charset=latin1", null],
    ["nonsense", null],
  ])("of a client that sends %j is %j", (accept, expected) => {
    expect(preferredType(accept, types)).toBe(expected);
  });

  describe("is Express' own", () => {
    let server: Server;
    let url: string;
    beforeAll(async () => {
      const app = express();
      app.get("/", (req, res) => {
        res.json(req.accepts([...types]) || null);
      });
      server = createServer(app).listen(0, "127.0.0.1");
      await once(server, "listening");
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    afterAll(() => server.close());

    const charset = '; Charset="UTF-8"; q=0.6';
    const range = fc
      .tuple(
        fc.constantFrom("text", "application", "*", "Text"),
        fc.constantFrom("html", "json", "*", "xml"),
        fc.constantFrom("", ";q=0", ";q=0.5", "; q=0.7", ";q=1", ";level=1", ";level=1;q=0.2", charset),
      )
      .map(([type, subtype, more]) => `${type}/${subtype}${more}`);

    it("for whatever ranges a client names", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(range, { minLength: 1, maxLength: 4 }), async (ranges) => {
          const accept = ranges.join(", ");
          const answer = await fetch(url, { headers: { Accept: accept } });
          expect(preferredType(accept, types)).toBe(await answer.json());
        }),
        { numRuns: 300 },
      );
    });
  });
});
