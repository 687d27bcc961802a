// Puts a look at expressions in front of what runs at a line.
'use strict';
const { each, expression } = require('./acorn.cjs');
const { nameOf, declared, FUNCTION } = require('./scopes.cjs');
const { pure, entry } = require('./paths.cjs');

const PLAIN = /^(Expression|Return|Throw)Statement$|^VariableDeclaration$/;
const NONE = /^(Block|Empty)Statement$|^(Function|Import|ExportAll)Declaration$/;

class Hits {
  constructor(source) {
    this.source = source;
  }

  put() {
    (this.source.wish.values || []).forEach((probe, number) => this.probe(probe, number));
  }

  // runs says that a node is something at which a line can be reached.
  runs(n) {
    const { source } = this;
    if (n.strange || n.directive !== undefined || NONE.test(n.type) || !/Statement$|Declaration$/.test(n.type)) return false;
    if (n.type === 'ExportNamedDeclaration' && (!n.declaration || FUNCTION.test(n.declaration.type))) return false;
    if (n.type === 'ExportDefaultDeclaration' && FUNCTION.test(n.declaration.type)) return false;
    return n.list || source.alone(n);
  }

  // found is {n, line} of what runs at a line, or next after it, and whether it is a
  // statement or else the expression of an arrow function or the end of a function. Of
  // several at one line it is the one where the names are that are asked about.
  found(file, wanted, asked = []) {
    const { source } = this, { same } = source.weaver;
    const line = [];
    let next, within, arrow, end, around;
    each(source.tree, (n) => {
      if (n.type === 'Program') return;
      if (n.type === 'ArrowFunctionExpression' && n.expression && !n.strange) {
        const [f, at] = source.place(n.body);
        if (at === wanted && same(f, file)) {
          line.push({ n: n.body, line: at, kind: 'value' });
          if (!arrow || n.start > arrow.n.start) arrow = line[line.length - 1];
        }
      }
      if (FUNCTION.test(n.type) && n.body.type === 'BlockStatement' && !n.strange) {
        const [f, at] = source.places.of(n.body.end - 1);
        if (at === wanted && same(f, file)) end = this.ends(n.body, at);
        if (source.places.of(n.body.start)[1] < wanted && wanted <= at && same(f, file)) around = n.body; // each is in the one before
      }
      if (!this.runs(n)) return;
      const [f, at] = source.place(n);
      if (!same(f, file)) return;
      const statement = { n, line: at, kind: 'statement' };
      if (at === wanted) line.push(statement);
      if (at >= wanted && (!next || at < next.line)) next = statement;
      const last = PLAIN.test(n.type) ? source.places.of(n.end - 1)[1] : at;
      if (at < wanted && wanted <= last) within = statement;
    });
    if (within && around && within.n.start < around.start && around.end <= within.n.end) within = undefined; // a statement that has functions in it
    const first = next && next.line === wanted ? next : arrow || within || end || next;
    return line.length > 1 || first && first !== line[0] ? sighted(line, first, asked) : first;
  }

  // ends is what runs last in a function's body: where that returns, nothing comes to its end.
  ends(body, line) {
    const last = body.body[body.body.length - 1];
    if (!last || !/^(Return|Throw)Statement$/.test(last.type)) return { n: body, line, kind: 'end' };
    return { n: last, line: this.source.place(last)[1], kind: 'statement' };
  }

  // near is what runs at a line, where an expression is asked about.
  near(file, line, asked) {
    const found = this.found(file, line, asked ? [asked] : []);
    return found && found.n;
  }

  probe(probe, number) {
    const { source } = this;
    if (!source.weaver.same(probe.file, source.name) && !source.places.map) return;
    const found = this.found(probe.file, probe.line, [...probe.expressions, ...(probe.condition ? [probe.condition] : [])]);
    if (!found) return;
    source.told.bound.push(number);
    const { n, line, kind } = found;
    if (line !== probe.line) source.told.remarks.push(line < probe.line ? `line ${probe.line} belongs to the statement of line ${line}` : `line ${probe.line} has no statement: ${line} is the next that has`);
    const scope = kind === 'end' ? n.inner : n.scope;
    const looks = probe.expressions.map((asked) => {
      const e = source.renamed.text(asked, scope), x = expression(e);
      if (probe.places && (pure(x) || entry(x))) return source.paths.look(x, scope);
      return `[${JSON.stringify(e)},()=>(${e}),0,0]`;
    });
    const fn = kind === 'statement' ? n.fn : n.parent;
    const [file] = source.place(n);
    const text = `__aidb.hit(${number},${JSON.stringify(`${file}:${line}`)},${JSON.stringify(fn ? nameOf(fn) : '(module)')},${probe.condition ? `()=>(${source.renamed.text(probe.condition, scope)})` : '0'},[${looks}])`;
    if (kind === 'end') return source.last({ ...n, level: 1e6 }, `;${text};`);
    const outer = { ...n, level: n.level - 0.5 };
    if (kind === 'value') return source.around(outer, `(${text},`, ')');
    const wrap = source.alone(n);
    source.begin(outer, (wrap ? '{' : '') + text + ';');
    if (wrap) source.end(outer, '}');
  }
}

// sighted is the one of several statements and expressions of a line where what is asked
// about has a value: the first of all where it is there, else the last that reads it, else
// the last where it is there.
function sighted(line, first, asked) {
  const free = new Set(asked.flatMap(namesIn)), all = [...line].sort((a, b) => a.n.start - b.n.start);
  const wanted = [...free].filter((name) => all.some(({ n }) => declared(name, n.scope)));
  const there = ({ n }) => wanted.every((name) => isSet(name, n));
  if (!wanted.length || there(first)) return first;
  const seeing = all.filter(there);
  const main = asked.length ? namesIn(asked[0]) : [];
  const reading = seeing.filter(({ n }) => main.every((name) => mentions(n, name)));
  return reading[reading.length - 1] || seeing[seeing.length - 1] || first;
}

// isSet says that a name means a variable at a node, which has been set by then.
function isSet(name, n) {
  const s = declared(name, n.scope);
  if (!s) return false;
  const { id, kind } = s.names.get(name);
  return s.fn !== n.fn || !/^(?:let|const|var|class)$/.test(kind) || id.end <= n.start;
}

// namesIn are the names that an expression begins its paths with.
function namesIn(text) {
  try {
    return roots(expression(text));
  } catch {
    return []; // it is refused where it is looked at
  }
}

function roots(x) {
  const list = [];
  each(x, (y) => {
    if (FUNCTION.test(y.type)) return false;
    if (y.type === 'Identifier') list.push(y.name);
    if (y.type !== 'MemberExpression' || y.computed) return undefined;
    list.push(...roots(y.object));
    return false;
  });
  return list;
}

function mentions(n, name) {
  let found = false;
  each(n, (x) => {
    if (FUNCTION.test(x.type)) return false;
    found ||= x.type === 'Identifier' && x.name === name;
  });
  return found;
}

module.exports = { Hits };
