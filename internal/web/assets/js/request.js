// Talks to the JSON API. An answer always has the same shape here, whatever went wrong on the way:
// {ok, status, body, error: {code, message, findings}}.

export async function request(method, url, body, signal) {
  const options = { method, signal, headers: { accept: "application/json" }, credentials: "same-origin" };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(url, options);
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    return failed(0, "UNREACHABLE", "The server cannot be reached. Is brenner serve still running?");
  }
  if (answer.status === 401) return failed(401, "NOT_ALLOWED", "You are signed out. Sign in again, in another tab if you want to keep this text.");
  return read(answer);
}

async function read(answer) {
  let body;
  try {
    body = await answer.json();
  } catch {
    return failed(answer.status, "UNREADABLE", `The server answered ${answer.status}, and not as it should.`);
  }
  if (answer.ok && body.ok !== false) return { ok: true, status: answer.status, body };
  const error = body.error ?? {};
  return {
    ok: false, status: answer.status, body,
    error: { code: error.code ?? "", message: error.message ?? `The server answered ${answer.status}.`, findings: error.findings ?? body.findings ?? [] },
  };
}

function failed(status, code, message) {
  return { ok: false, status, body: {}, error: { code, message, findings: [] } };
}
