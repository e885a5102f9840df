/**
 * Runs in the previewed page, before the tag, and tells the panel around it what the tag does.
 * It only watches: arguments, results and errors of the calls stay what they are.
 */
(() => {
  const { service, own } = document.currentScript?.dataset ?? {};
  // Opened on its own, the page has no panel to tell.
  if (service === undefined || window.parent === window) return;

  const load = Math.random().toString(36).slice(2);
  /** What happened before the panel was ready to listen. @type {object[] | null} */
  let waiting = [];

  /** @param {Record<string, unknown>} message */
  const tell = (message) => {
    const whole = { source: "preview-probe", load, ...message };
    if (waiting === null) window.parent.postMessage(whole, location.origin);
    else if (waiting.length < 500) waiting.push(whole);
  };

  window.addEventListener("message", (event) => {
    if (event.source !== window.parent || event.origin !== location.origin) return;
    if (event.data?.source !== "preview-panel" || waiting === null) return;
    const held = waiting;
    waiting = null;
    for (const message of held) window.parent.postMessage(message, location.origin);
  });
  tell({ type: "opened" });
  window.parent.postMessage({ source: "preview-probe", load, type: "hello" }, location.origin);

  let calls = 0;

  /**
   * The call that a fetch is about to make; null when the panel does not show it. The body inside a Request is not
   * read: reading would change the request.
   * @param {unknown[]} args
   */
  const describe = ([input, init]) => {
    const request = input instanceof Request ? input : null;
    const address = request ? request.url : input instanceof URL ? input.href : input;
    if (typeof address !== "string" || !URL.canParse(address, document.baseURI)) return null;
    const url = new URL(address, document.baseURI).href;
    // In some previews the page's own server takes part, too.
    if (!url.startsWith(`${service}/`) && !url.startsWith(location.origin + own)) return null;
    const options = /** @type {RequestInit | undefined} */ (init);
    const method = String(options?.method ?? request?.method ?? "GET").toUpperCase();
    calls += 1;
    return { id: calls, url, method, body: typeof options?.body === "string" ? options.body : null };
  };

  /** @param {unknown[]} args */
  const watch = (args) => {
    const call = describe(args);
    if (call === null) return null;
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    tell({ type: "sent", ...call });
    return {
      /** @param {unknown} error */
      failed: (error) => tell({ type: "failed", id: call.id, ms: elapsed(), error: String(error) }),
      /** @param {Response} response */
      answered: async (response) => {
        const ms = elapsed();
        // The copy is taken before the tag can read: an answer can be read only once.
        const body = await response
          .clone()
          .text()
          .catch(() => null);
        tell({ type: "answered", id: call.id, ms, status: response.status, body });
      },
    };
  };

  window.fetch = new Proxy(window.fetch, {
    apply(original, self, args) {
      const watched = watch(args);
      /** @type {Promise<Response>} */
      let answer;
      try {
        answer = Reflect.apply(original, self, args);
      } catch (error) {
        watched?.failed(error);
        throw error;
      }
      // The very promise that fetch made goes back, so the tag waits for nothing of ours.
      if (watched) answer.then(watched.answered, watched.failed);
      return answer;
    },
  });

  // These are the files, the loader and its chunks; calls are told of above.
  new PerformanceObserver((list) => {
    for (const entry of /** @type {PerformanceResourceTiming[]} */ (list.getEntries())) {
      if (!entry.name.startsWith(`${service}/`) || entry.initiatorType === "fetch") continue;
      const { name, duration, encodedBodySize: bytes, responseStatus: status = 0 } = entry;
      tell({ type: "file", url: name, ms: Math.round(duration), bytes, status });
    }
  }).observe({ type: "resource", buffered: true });

  // An error of a script element does not bubble, but it can be captured.
  window.addEventListener(
    "error",
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.src.startsWith(`${service}/`)) {
        tell({ type: "tag-failed", url: target.src });
      }
    },
    true,
  );

  /** @param {MouseEvent} event */
  const onClick = (event) => {
    if (event.type === "auxclick" && event.button !== 1) return;
    // The overlay lies in a shadow root: outside of it only the composed path names the link.
    const link = event.composedPath().find((item) => item instanceof HTMLAnchorElement);
    if (link instanceof HTMLAnchorElement && link.href.startsWith(`${service}/v1/r?`)) {
      tell({ type: "hop", url: link.href });
    }
  };
  for (const kind of /** @type {const} */ (["click", "auxclick"])) {
    window.addEventListener(kind, onClick, { capture: true, passive: true });
  }
})();
