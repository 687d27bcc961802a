// Puts a look at expressions in front of what runs at a line.
'use strict';
const { each, expression } = require('./acorn.cjs');
const { nameOf, FUNCTION } = require('./scopes.cjs');
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
  // statement or else the expression of an arrow function or the end of a function.
  found(file, wanted) {
    const { source } = this, { same } = source.weaver;
    let next, within, arrow, end;
    each(source.tree, (n) => {
      if (n.type === 'Program') return;
      if (n.type === 'ArrowFunctionExpression' && n.expression && !n.strange) {
        const [f, line] = source.place(n.body);
        if (line === wanted && same(f, file) && (!arrow || n.start > arrow.n.start)) arrow = { n: n.body, line, kind: 'value' };
      }
      if (FUNCTION.test(n.type) && n.body.type === 'BlockStatement' && !n.strange) {
        const [f, line] = source.places.of(n.body.end - 1);
        if (line === wanted && same(f, file)) end = { n: n.body, line, kind: 'end' };
      }
      if (!this.runs(n)) return;
      const [f, line] = source.place(n);
      if (!same(f, file)) return;
      if (line >= wanted && (!next || line < next.line)) next = { n, line, kind: 'statement' };
      const last = PLAIN.test(n.type) ? source.places.of(n.end - 1)[1] : line;
      if (line < wanted && wanted <= last) within = { n, line, kind: 'statement' };
    });
    if (next && next.line === wanted) return next;
    return arrow || within || end || next;
  }

  // near is what runs at a line.
  near(file, line) {
    const found = this.found(file, line);
    return found && found.n;
  }

  probe(probe, number) {
    const { source } = this;
    if (!source.weaver.same(probe.file, source.name) && !source.places.map) return;
    const found = this.found(probe.file, probe.line);
    if (!found) return;
    source.told.bound.push(number);
    const { n, line, kind } = found;
    if (line !== probe.line) source.told.remarks.push(line < probe.line ? `line ${probe.line} belongs to the statement of line ${line}` : `line ${probe.line} has no statement: ${line} is the next that has`);
    const scope = kind === 'end' ? n.inner : n.scope;
    const looks = probe.expressions.map((e) => {
      const x = expression(e);
      if (probe.places && (pure(x) || entry(x))) return source.paths.look(x, scope);
      return `[${JSON.stringify(e)},()=>(${e}),0,0]`;
    });
    const fn = kind === 'statement' ? n.fn : n.parent;
    const [file] = source.place(n);
    const text = `__aidb.hit(${number},${JSON.stringify(`${file}:${line}`)},${JSON.stringify(fn ? nameOf(fn) : '(module)')},${probe.condition ? `()=>(${probe.condition})` : '0'},[${looks}])`;
    if (kind === 'end') return source.last({ ...n, level: 1e6 }, `;${text};`);
    const outer = { ...n, level: n.level - 0.5 };
    if (kind === 'value') return source.around(outer, `(${text},`, ')');
    const wrap = source.alone(n);
    source.begin(outer, (wrap ? '{' : '') + text + ';');
    if (wrap) source.end(outer, '}');
  }
}

module.exports = { Hits };
