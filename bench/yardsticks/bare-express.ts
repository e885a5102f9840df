import express from "express";

/** The yardstick: Express answering a small JSON object and doing nothing else. */
const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.get("/", (_request, response) => {
  response.json({
    allowed: true,
    country: "DE",
    region: "NW",
    settings: { theme: "auto", trigger: "immediate" },
  });
});
app.listen(Number(process.argv[2]), "127.0.0.1", () => console.log("listening"));
