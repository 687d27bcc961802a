// The lines of a function that is followed, each with what it changes.
'use strict';
const { each, names } = require('./acorn.cjs');
const { FUNCTION, HEADS } = require('./scopes.cjs');

class Followed {
  constructor(source) {
    this.source = source;
  }

  // put notes when a statement of such a function begins.
  put(n) {
    const { source } = this;
    if (!source.wish.lines || !n.fn || !n.fn.followed) return;
    const f = source.frameOf(n);
    const step = (x, loop, fresh = []) => `${f}.line(${source.at(n.type === 'DoWhileStatement' && x === n.test ? x : n)},${loop},()=>[${this.state(x, fresh)}]`;
    if (source.statement(n) || this.leaves(n)) {
      const wrap = source.alone(n);
      source.begin(n, (wrap ? '{' : '') + step(n, false) + ');');
      if (wrap) source.end(n, '}');
    }
    if (/^(For|While|DoWhile)Statement$/.test(n.type)) for (const part of HEADS[n.type]) if (n[part]) source.around(n[part], `(${step(n[part], true)}),`, ')');
    if (n.type === 'CatchClause') {
      const ids = n.param ? names(n.param).filter((id) => id.type === 'Identifier').map((id) => id.name) : [];
      source.first(n.body, `${step(n.body, false, ids)},[],()=>[${this.state(n.body, [])}]);`);
    }
    if (/^For(In|Of)Statement$/.test(n.type)) {
      const declared = n.left.type === 'VariableDeclaration', ids = names(declared ? n.left.declarations[0].id : n.left).filter((id) => id.type === 'Identifier');
      const shared = declared && n.left.kind !== 'var' ? [] : ids.map((id) => source.renamed.called(id)); // from round to round
      source.into(n, `${step(n.body, true, ids.map((id) => id.name))},${JSON.stringify(shared)},()=>[${this.state(n.body, [])}]);`);
    }
  }

  // leaves says that a statement goes on elsewhere, in a line that no other has begun.
  leaves(n) {
    if (!/^(Break|Continue)Statement$/.test(n.type)) return false;
    const alone = this.source.alone(n);
    return alone ? this.source.place(n)[1] !== this.source.place(n.parent)[1] : n.list;
  }

  // state is what is looked at to see what a line has changed.
  state(n, fresh) {
    const { renamed, wish: { lines: { expressions } } } = this.source;
    if (expressions) return expressions.map((e) => `[${JSON.stringify(e)},()=>(${renamed.text(e, n.inner || n.scope)})]`);
    const list = new Map();
    for (let s = n.scope; s && s.fn === n.fn && list.size < 60; s = s.up) {
      for (const [name, { id, kind }] of s.names) if (kind !== 'function' && kind !== 'class' && !fresh.includes(name) && !list.has(name)) list.set(name, `[${JSON.stringify(renamed.called(id))},()=>${name},${id.start}]`);
    }
    return [...list.values(), ...this.own(n.fn)];
  }

  // own is what gives the object that a function is called on, where it names that, and those of its
  // fields that only its class can name.
  own(fn) {
    if (fn.own !== undefined) return fn.own;
    let named = false;
    each(fn.body, (x) => {
      if (x.type === 'ClassBody' || FUNCTION.test(x.type) && x.type !== 'ArrowFunctionExpression') return false;
      named ||= x.type === 'ThisExpression';
    });
    const hidden = [];
    for (let at = fn; named && at; at = at.parent) {
      if (at.type !== 'ClassBody') continue;
      for (const { type, key } of at.body) if (type === 'PropertyDefinition' && key.type === 'PrivateIdentifier') hidden.push(`this.#${key.name}`);
      break;
    }
    return (fn.own = named ? ["['this',()=>this]", ...hidden.map((x) => `['${x}',()=>${x}]`)] : []);
  }
}

module.exports = { Followed };
