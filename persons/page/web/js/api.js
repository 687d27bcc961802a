// What the page asks of its server. An answer that is an error is thrown, with its hint.
async function ask(path, options) {
  const r = await fetch(path, options);
  const body = await r.json().catch(() => ({}));
  if (!r.ok) {
    const { message = `the server answered ${r.status}`, hint, code } = body.error ?? {};
    throw Object.assign(new Error(hint ? `${message} (${hint})` : message), { status: r.status, code });
  }
  return body;
}

const post = (path, body) => ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

export const enter = (link) => post('api/enter', { link });
export const isIn = () => ask('api/in');
export const rename = (name) => post('api/name', { name });

// Api is what can be asked of one session.
export class Api {
  constructor(id) { this.base = `api/sessions/${encodeURIComponent(id)}/`; }
  get(what, parameters = {}) { return ask(`${this.base}${what}?${new URLSearchParams(parameters)}`); }
  act(act) { return post(`${this.base}act`, act); }
  get events() { return `${this.base}events`; }
  get report() { return `${this.base}report`; }
}
