// What can be looked at without running any of the program's code, and the source of
// such looks. A look is [text, root, keys, place, variable, flag, perhaps]: root gives the value that
// keys lead on from, place the call whose variable it is, 1 for that which looks, or else a
// name of the place. A key is a text or a number, [root, keys] where a value tells it, {p, n}
// for a private name, {g} for the entry of a Map. The flag is one of flags.cjs; perhaps: it is
// assigned where its statement need not come to.
'use strict';
const { declared } = require('./scopes.cjs');
const { KEYED, TOUCHED } = require('./flags.cjs');

const GLOBALS = new Set(['globalThis', 'global', 'exports', 'module']);

// pure says that an expression can be looked at.
function pure(n) {
  switch (n.type) {
    case 'Identifier': case 'ThisExpression': return true;
    case 'ChainExpression': return pure(n.expression);
    case 'MemberExpression': return pure(n.object) && (!n.computed || keyed(n.property));
    case 'CallExpression': return entry(n);
  }
  return false;
}

// entry knows m.get(k), which tells without harm what a Map holds.
function entry(n) {
  return n.type === 'CallExpression' && n.callee.type === 'MemberExpression' && !n.callee.computed && n.callee.property.name === 'get' &&
    n.arguments.length === 1 && keyed(n.arguments[0]) && pure(n.callee.object);
}

function keyed(n) {
  return n.type === 'Literal' ? typeof n.value === 'string' || typeof n.value === 'number' : n.type !== 'CallExpression' && pure(n);
}

// rootOf is what a path begins with.
function rootOf(n) {
  for (;;) {
    if (n.type === 'MemberExpression') n = n.object;
    else if (n.type === 'ChainExpression') n = n.expression;
    else if (n.type === 'CallExpression') n = n.callee.object;
    else return n;
  }
}

// Paths writes looks into the sources of one file.
class Paths {
  // only: the targets that are looked at are wanted where their key is one name.
  constructor(code, file, imported, only = false) {
    Object.assign(this, { code, file, imported, only });
    this.own = undefined; // the function whose call looks, for which stands 1
  }

  text(n) {
    return n.own !== undefined ? n.own.slice(n.start, n.end) : this.code.slice(n.start, n.end);
  }

  // known says that the root of a path is a variable of the program: looking at one of
  // the globals might run a getter.
  known(n, scope = n.scope) {
    const root = rootOf(n);
    return root.type === 'ThisExpression' || GLOBALS.has(root.name) || !!declared(root.name, scope);
  }

  look(n, scope) {
    if (n.inside) return this.plain(n.inside, scope).replace(/\]$/, `,${n.flag}]`);
    if (n.entry) return this.path(n, [...this.keys(n.entry), `{g:${this.key(n.key)}}`], rootOf(n.entry), scope, `${this.text(n.entry)}.get(${this.text(n.key)})`);
    const look = this.plain(n, scope);
    const flag = this.only && n.type === 'MemberExpression' && n.computed ? KEYED : n.touched ? TOUCHED : undefined;
    return flag || n.perhaps ? look.replace(/\]$/, `,${flag}${n.perhaps ? ',1' : ''}]`) : look;
  }

  plain(n, scope) {
    return this.path(n, this.keys(n), rootOf(n), scope, this.text(n));
  }

  path(n, keys, root, scope, code) {
    const text = this.renamed ? this.renamed.written(code, root, scope || root.scope) : code;
    return `[${JSON.stringify(text.replace(/\s+/g, ' '))},()=>${this.text(root)},${keys.length ? `[${keys}]` : 0},${this.place(root, scope || root.scope)}]`;
  }

  keys(n) {
    switch (n.type) {
      case 'ChainExpression': return this.keys(n.expression);
      case 'CallExpression': return [...this.keys(n.callee.object), `{g:${this.key(n.arguments[0])}}`];
      case 'MemberExpression': {
        const { property } = n;
        const own = property.type === 'PrivateIdentifier' ? `{p:(__aidb_o)=>__aidb_o.#${property.name},n:"#${property.name}"}`
          : n.computed ? this.key(property) : JSON.stringify(property.name);
        return [...this.keys(n.object), own];
      }
    }
    return [];
  }

  key(n) {
    if (n.type === 'Literal') return JSON.stringify(n.value);
    const keys = this.keys(n);
    return `[()=>${this.text(rootOf(n))},${keys.length ? `[${keys}]` : 0}]`;
  }

  // place is the source of a variable's place.
  place(root, scope) {
    if (root.type !== 'Identifier') return '0,""';
    const s = declared(root.name, scope);
    if (!s) return JSON.stringify('global.' + root.name) + ',""';
    const { id, from } = s.names.get(root.name);
    if (from && from.type === 'ImportSpecifier') return JSON.stringify(`${this.imported(from.parent.source.value)}#${from.imported.name ?? from.imported.value}`) + ',""';
    if (!s.fn) return JSON.stringify(s.up ? `${this.file}#${root.name}@${id.start}` : `${this.file}#${root.name}`) + ',""';
    return `${s.fn === this.own ? 1 : `()=>__aidb_f${s.fn.depth}`},${JSON.stringify(`${root.name}@${id.start}`)}`;
  }
}

module.exports = { Paths, pure, entry, rootOf };
