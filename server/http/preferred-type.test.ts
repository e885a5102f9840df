import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preferredType } from "./preferred-type.ts";

const types = ["application/json", "text/html"] as const;

describe("the preferred type", () => {
  it.each([
    [undefined, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["text/html", "text/html"],
    ["TEXT/HTML", "text/html"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"],
    ["application/json, text/html", "application/json"],
    ["text/html, application/json", "text/html"],
    ["text/html;q=0.5, application/json;q=0.6", "application/json"],
    ["text/*", "text/html"],
    ["text/*;q=0.1, */*;q=0.5", "application/json"],
    ["text/html;q=0, */*", "application/json"],
    ["image/png", null],
    ["text/html;level=1", null],
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

    const range = fc
      .tuple(
        fc.constantFrom("text", "application", "*", "Text"),
        fc.constantFrom("html", "json", "*", "xml"),
        fc.constantFrom("", ";q=0", ";q=0.5", "; q=0.7", ";q=1", ";level=1", ";level=1;q=0.2"),
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
