// Notes of each node of a tree its parent, its function and its scope.
'use strict';
const { children, each, names } = require('./acorn.cjs');

const BLOCK = new Set(['Program', 'BlockStatement', 'StaticBlock', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'SwitchStatement', 'CatchClause']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const FUNCTION = { test: (type) => FUNCTIONS.has(type) };

// HEADS are the expressions in front of what a statement does, by its type.
const HEADS = { IfStatement: ['test'], WhileStatement: ['test'], DoWhileStatement: ['test'], ForStatement: ['test', 'update'], SwitchStatement: ['discriminant'], ForOfStatement: ['right'], ForInStatement: ['right'] };

// prepare goes through a tree. n.list says that a node stands among statements, n.level
// how deep it lies; a function's n.depth counts those around it, itself included. n.strange
// is within "with": what a name means there is not known before it is used.
function prepare(n, parent = null, fn = null, depth = 0, scope = null, level = 0, list = false, strange = false) {
  const { type } = n, around = fn;
  n.parent = parent;
  n.fn = fn;
  n.scope = scope;
  n.level = level;
  n.list = list;
  n.strange = strange;
  switch (type) {
    case 'FunctionDeclaration': case 'FunctionExpression': case 'ArrowFunctionExpression':
      if (type === 'FunctionDeclaration' && n.id) declare(n.id, scope, 'function');
      fn = n;
      n.depth = ++depth;
      scope = { up: scope, names: new Map(), fn: n };
      if (type === 'FunctionExpression' && n.id) declare(n.id, scope, 'function');
      for (const p of n.params) declare(p, scope, 'param');
      break;
    case 'ClassDeclaration':
      if (n.id) declare(n.id, scope, 'class');
      break;
    case 'ClassExpression':
      if (!n.id) break;
      scope = { up: scope, names: new Map(), fn, block: true };
      declare(n.id, scope, 'class');
      break;
    case 'VariableDeclaration': {
      let to = scope;
      if (n.kind === 'var') while (to.block && to.up) to = to.up;
      for (const d of n.declarations) declare(d.id, to, n.kind);
      break;
    }
    case 'ImportSpecifier': case 'ImportDefaultSpecifier': case 'ImportNamespaceSpecifier':
      declare(n.local, scope, 'import', n);
      break;
    default:
      if (!BLOCK.has(type) || type === 'BlockStatement' && FUNCTIONS.has(parent.type)) break;
      scope = { up: scope, names: new Map(), fn, block: type !== 'Program' && type !== 'StaticBlock' };
      if (type === 'CatchClause' && n.param) declare(n.param, scope, 'let');
  }
  n.inner = scope;
  const within = strange || type === 'WithStatement', isFunction = fn === n;
  children(n, (x, key) => prepare(x, n, isFunction && key !== 'body' ? around : fn, // a parameter is worked out before the frame is there
    depth, scope, level + 1, key === 'body' && type !== 'ClassBody' && Array.isArray(n.body) || key === 'consequent' && type === 'SwitchCase',
    strange || within && key === 'body'));
}

function declare(pattern, scope, kind, from) {
  for (const id of names(pattern)) if (!scope.names.has(id.name) || kind !== 'var') scope.names.set(id.name, { id, kind, from });
}

// declared is the scope that an identifier belongs to; undefined for one of the globals.
function declared(name, scope) {
  for (let s = scope; s; s = s.up) if (s.names.has(name)) return s;
  return undefined;
}

// nameOf is the name of a function as stacks have it.
function nameOf(n) {
  if (n.id) return n.id.name;
  const p = n.parent;
  if (!p) return '(anonymous)';
  if (p.type === 'MethodDefinition' || p.type === 'PropertyDefinition') {
    const type = className(p.parent.parent), key = keyOf(p);
    return p.kind === 'constructor' ? type || 'constructor' : (type ? `${type}.` : '') + key;
  }
  if (p.type === 'VariableDeclarator' && p.id.type === 'Identifier') return p.id.name;
  if (p.type === 'Property') {
    const holder = p.parent.parent && p.parent.parent.type === 'VariableDeclarator' && p.parent.parent.id.name;
    return (holder ? `${holder}.` : '') + keyOf(p);
  }
  if (p.type === 'AssignmentExpression' || p.type === 'AssignmentPattern') return chain(p.left) || '(anonymous)';
  if (p.type === 'ExportDefaultDeclaration') return 'default';
  if (p.type === 'CallExpression' && /^__name\d*$/.test(p.callee.name) && p.arguments[0] === n && p.arguments[1]?.type === 'Literal') {
    return String(p.arguments[1].value); // what esbuild writes so that a function keeps its name
  }
  return '(anonymous)';
}

function className(c) {
  if (c.id) return c.id.name;
  const p = c.parent;
  return p.type === 'VariableDeclarator' && p.id.name || p.type === 'AssignmentExpression' && chain(p.left) || '';
}

function keyOf(p) {
  if (p.computed) return '[computed]';
  return p.key.type === 'PrivateIdentifier' ? `#${p.key.name}` : String(p.key.name ?? p.key.value);
}

// chain is a plain chain of names as it is written.
function chain(n) {
  if (n.type === 'Identifier') return n.name;
  if (n.type === 'ThisExpression') return 'this';
  if (n.type !== 'MemberExpression' || n.computed) return '';
  const object = chain(n.object);
  return object && `${object}.${n.property.type === 'PrivateIdentifier' ? '#' : ''}${n.property.name}`;
}

// unwrappable says that a function's body means something else within a block: there a
// function cannot have the name of a variable.
function unwrappable(n) {
  const vars = new Set();
  let found = false;
  each(n.body, (x) => {
    if (x.type === 'CallExpression' && x.callee.type === 'Identifier' && x.callee.name === 'eval') found = true;
    if (FUNCTION.test(x.type)) return false;
    if (x.type === 'VariableDeclaration' && x.kind === 'var') for (const d of x.declarations) names(d.id).forEach((id) => vars.add(id.name));
  });
  return found || clashes(n.body.body, vars);
}

// clashes says that a function among statements has the name of another, or of a variable.
function clashes(body, vars) {
  const functions = new Set();
  for (const s of body) {
    if (s.type !== 'FunctionDeclaration') continue;
    if (functions.has(s.id.name) || vars.has(s.id.name)) return true;
    functions.add(s.id.name);
  }
  return false;
}

module.exports = { prepare, declared, nameOf, unwrappable, clashes, FUNCTION, HEADS };
