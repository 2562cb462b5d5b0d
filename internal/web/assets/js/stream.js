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

// patience is after how many attempts in a row a tab no longer says that it reconnects. It goes on trying.
const patience = 5;

// listen keeps a stream open. A browser connects again by itself unless the answer is an error: a proxy that has no
// server just now gives one. Then a new stream begins where the last one ended.
function listen(after, heard, state) {
  let source, timer, tries = 0;
  const begin = () => {
    source = new EventSource(`/api/v1/events?${new URLSearchParams({ after })}`);
    source.addEventListener("open", () => {
      tries = 0;
      state("live");
    });
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return state("reconnecting");
      tries++;
      state(tries > patience ? "not live" : "reconnecting");
      timer = setTimeout(begin, 1000 * Math.min(tries, 30));
    });
    for (const kind of kinds) {
      source.addEventListener(kind, (event) => {
        after = event.lastEventId || after;
        heard({ kind, thread: JSON.parse(event.data).thread_id });
      });
    }
  };
  begin();
  return {
    close() {
      clearTimeout(timer);
      source.close();
    },
  };
}
