// Goes once through a tree of which only calls are wanted. Programs have millions of
// nodes: what other wishes need of each (see prepare) is not noted of most.
'use strict';
const { partsOf, names } = require('./acorn.cjs');
const { clashes, FUNCTION } = require('./scopes.cjs');
const { throwing } = require('./origins.cjs');

const UP = 6; // nodes around a function that may have its name

const statements = new Map(); // types of nodes: whether they are

function isStatement(type) {
  let is = statements.get(type);
  if (is === undefined) statements.set(type, (is = /Statement$|^VariableDeclaration$/.test(type)));
  return is;
}

// isExitCode says that a target may be the code that the program is to end with.
function isExitCode(target) {
  return target.type === 'MemberExpression' && !target.computed && target.property.name === 'exitCode';
}

class Calls {
  constructor(source) {
    this.source = source;
    this.up = []; // the nodes around the one that is looked at
  }

  // visit sees a node: around is the function that it stands in.
  visit(n, around, depth, level, list, strange) {
    const { source } = this, { type } = n;
    let fn = around;
    if (FUNCTION.test(type)) {
      fn = n;
      n.depth = ++depth;
      n.level = level;
      n.body.level = level + 1;
      n.within = { returns: [], bare: [], vars: [], evaluates: false, finishes: false };
      this.related(n);
      n.wanted = !strange && source.counted(n);
      if (!strange && n.expression) source.remember(n.body, n);
    } else if (isStatement(type)) {
      this.statement(n, fn, level, list, strange);
    } else if (type === 'CallExpression' && fn && n.callee.type === 'Identifier' && n.callee.name === 'eval') {
      fn.within.evaluates = true;
    } else if (type === 'AssignmentExpression' && isExitCode(n.left)) {
      n.level = level;
      source.around(n, '__aidb.exits(', ')');
    } else if (type === 'ExportNamedDeclaration') {
      n.list = list;
    }
    this.inner(n, around, fn, depth, level + 1, strange);
    if (fn !== n || !n.wanted) return;
    n.unwrapped = n.body.type === 'BlockStatement' && (n.within.evaluates || clashes(n.body.body, new Set(n.within.vars)));
    source.framed(n, true, n.within.returns);
  }

  inner(n, around, fn, depth, level, strange) {
    const { type } = n;
    this.up.push(n);
    for (const key of partsOf(n)) {
      const v = n[key];
      if (typeof v !== 'object' || v === null) continue;
      const within = fn === n && key !== 'body' ? around : fn, apart = strange || type === 'WithStatement' && key === 'body';
      if (!Array.isArray(v)) {
        if (typeof v.type === 'string') this.visit(v, within, depth, level, false, apart);
        continue;
      }
      const list = key === 'body' && type !== 'ClassBody' || key === 'consequent' && type === 'SwitchCase';
      for (const x of v) if (x && typeof x.type === 'string') this.visit(x, within, depth, level, list, apart);
    }
    this.up.pop();
  }

  statement(n, fn, level, list, strange) {
    n.list = list;
    n.parent = this.up[this.up.length - 1] || null;
    if (fn && n.type === 'ReturnStatement') {
      n.fn = fn;
      n.level = level;
      fn.within[n.argument ? 'returns' : 'bare'].push(n);
    } else if (fn?.called && n.type === 'ThrowStatement') {
      throwing(this.source, n, fn, level, this.source.at(n));
    } else if (fn && n.type === 'TryStatement' && n.finalizer) {
      fn.within.finishes = true;
    } else if (fn && n.type === 'VariableDeclaration' && n.kind === 'var') {
      for (const d of n.declarations) for (const id of names(d.id)) fn.within.vars.push(id.name);
    }
    if (!strange && this.source.statement(n)) this.source.remember(n, fn);
  }

  // related gives a function's node those around it by which it is named.
  related(n) {
    let x = n;
    for (let i = this.up.length - 1; i >= 0 && i >= this.up.length - UP; i--) {
      x.parent = this.up[i];
      x = x.parent;
    }
  }
}

module.exports = { Calls };
