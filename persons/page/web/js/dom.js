// el makes an element: el('button', {class: 'x', onclick: f}, 'text', child, …). Text is
// always set as text: nothing that a program brings is ever parsed as markup.
export function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? '' : value);
  }
  e.append(...children.filter((c) => c !== undefined && c !== null && c !== false));
  return e;
}

// svg makes an element of a drawing.
export function svg(name, attributes = {}, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// visible shows what would be read otherwise than it is: control characters, and marks that
// change the direction of what follows or have no width.
export function visible(text) {
  // eslint-disable-next-line no-control-regex
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// Pane is an element that draws itself anew from the model, at most once a picture.
export class Pane extends HTMLElement {
  // topics are the model's events that it draws for.
  get topics() { return []; }

  use(model, api) {
    this.model = model;
    this.api = api;
    for (const topic of this.topics) model.addEventListener(topic, (e) => this.later(e));
    this.draw();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {}
}

// place is where something is, as a person reads it.
export const place = (x) => (x.path ? (x.line ? `${x.path}:${x.line}` : x.path) : '');
