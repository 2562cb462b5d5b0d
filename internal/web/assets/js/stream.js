// One stream of events for all tabs of this browser. A browser opens six connections to a server and each
// stream holds one of them, so that a seventh tab would wait for ever. Whichever tab has the lock listens, and
// tells the others; when it goes, the next one takes over.

const name = "brenner-events";
const kinds = ["message", "delivery", "compiled"];

// follow calls heard({kind, thread}) for events after a place, heard() when some may have been missed, and
// state("live" | "reconnecting" | "not live"). place is asked when this tab begins to listen.
export function follow(place, heard, state) {
  if (!navigator.locks || !globalThis.BroadcastChannel) return listen(place(), heard, state); // not a safe context
  const channel = new BroadcastChannel(name);
  const stop = new AbortController();
  let told; // what this tab, as the one that listens, said last
  channel.onmessage = ({ data }) => {
    if (data.state) state(data.state);
    else if (data.event) heard(data.event);
    else if (data.news) heard();
    else if (data.asks && told) channel.postMessage({ state: told });
  };
  const lead = () => new Promise((over) => {
    channel.postMessage({ news: true }); // whoever listened before may have gone in the middle of something
    const source = listen(place(), (event) => {
      heard(event);
      channel.postMessage({ event });
    }, (now) => {
      told = now;
      state(now);
      channel.postMessage({ state: now });
    });
    stop.signal.addEventListener("abort", () => {
      source.close();
      over();
    });
  });
  navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => {}); // this tab went before its turn
  channel.postMessage({ asks: true });
  return {
    close() {
      stop.abort();
      channel.close();
    },
  };
}

function listen(after, heard, state) {
  const source = new EventSource(`/api/v1/events?${new URLSearchParams({ after })}`);
  source.addEventListener("open", () => state("live"));
  source.addEventListener("error", () => state(source.readyState === EventSource.CLOSED ? "not live" : "reconnecting"));
  for (const kind of kinds) {
    source.addEventListener(kind, (event) => heard({ kind, thread: JSON.parse(event.data).thread_id }));
  }
  return source;
}
