/** On an advertiser's page: tells an open preview panel, on this same origin, that a click has arrived. */
const query = new URLSearchParams(location.search);
const clickId = query.get("click_id");

if (clickId) {
  new BroadcastChannel("arrivals").postMessage({
    brand: document.querySelector("main")?.dataset.brand ?? "",
    clickId,
    offer: query.get("offer") ?? "",
  });
}
