// The parser that node has for itself, and what we read with it. It is taken from node's
// own sources, which need no option for that, so that child processes have it too.
'use strict';
const NAME = 'internal/deps/acorn/acorn/dist/acorn';

function load() {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    const module = { exports: {} };
    new Function('module', 'exports', process.binding('natives')[NAME])(module, module.exports);
    return module.exports;
  } finally {
    process.noDeprecation = noDeprecation;
  }
}

const acorn = load();

// program parses a file; module says that it is an ES module.
function program(code, module) {
  return acorn.parse(code, {
    ecmaVersion: 'latest', sourceType: module ? 'module' : 'script', allowReturnOutsideFunction: !module, allowSuperOutsideMethod: true, allowHashBang: true,
  });
}

// expression parses one expression, whose nodes know its text.
function expression(text) {
  const tree = acorn.parseExpressionAt(text, 0, { ecmaVersion: 'latest', allowAwaitOutsideFunction: true, allowSuperOutsideMethod: true, checkPrivateFields: false });
  const rest = text.slice(tree.end).trim();
  if (rest) throw new SyntaxError(`unexpected ${rest}`);
  each(tree, (n) => { n.own = text; });
  return tree;
}

// What of a node is no node within it.
const PLAIN = new Set(['parent', 'fn', 'scope', 'inner', 'type', 'start', 'end', 'depth', 'level', 'list', 'strange', 'own', 'followed', 'unwrapped', 'within', 'wanted', 'called', 'name', 'raw', 'regex', 'bigint', 'operator', 'kind', 'computed', 'optional', 'async', 'generator', 'sourceType', 'prefix', 'method', 'shorthand', 'static', 'delegate', 'await', 'tail', 'directive', 'wrapped']);
const parts = new Map(); // of each type of node

function partsOf(n) {
  let keys = parts.get(n.type);
  if (!keys) parts.set(n.type, (keys = Object.keys(n).filter((key) => !PLAIN.has(key))));
  return keys;
}

// unwrapped is the module in the function that a runner has put round it.
function unwrapped(tree) {
  const wrapper = tree.body[tree.body.length - 1];
  let body = wrapper && wrapper.expression && wrapper.expression.body;
  if (!body || body.type !== 'BlockStatement') throw new SyntaxError('it is not wrapped as it should be');
  if (body.body.length === 1 && body.body[0].type === 'BlockStatement') body = body.body[0];
  return { type: 'Program', start: body.start, end: body.end, body: body.body, wrapped: true };
}

// children are the nodes within one, in the order of the source.
function children(n, f) {
  for (const key of partsOf(n)) {
    const v = n[key];
    if (typeof v !== 'object' || v === null) continue;
    if (Array.isArray(v)) {
      for (const x of v) if (x && typeof x.type === 'string') f(x, key);
    } else if (typeof v.type === 'string') f(v, key);
  }
}

// each visits a node and those within; f answers false where it is not to go deeper.
function each(n, f) {
  if (f(n) === false) return;
  children(n, (x) => each(x, f));
}

// names are the identifiers that a pattern declares, or what it assigns to.
function names(p) {
  if (!p) return [];
  switch (p.type) {
    case 'Identifier': case 'MemberExpression': return [p];
    case 'ObjectPattern': return p.properties.flatMap((x) => names(x.type === 'RestElement' ? x.argument : x.value));
    case 'ArrayPattern': return p.elements.flatMap(names);
    case 'AssignmentPattern': return names(p.left);
    case 'RestElement': return names(p.argument);
  }
  return [];
}

module.exports = { program, expression, unwrapped, children, each, names, partsOf };
