// Finds in sources of a running program the places that a trace means. It runs in a process of
// its own, not in the program: where.cjs REQUEST, a file; it writes one line of JSON.
'use strict';
const fs = require('fs');
const path = require('path');
const { program, each, names } = require('./acorn.cjs');
const { Places } = require('./maps.cjs');

const asked = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const MOST = 200; // functions that one trace records
const LOOKING = new Set(['Identifier', 'Literal', 'ThisExpression', 'MemberExpression', 'UnaryExpression', 'BinaryExpression', 'LogicalExpression', 'ConditionalExpression', 'TemplateLiteral', 'TemplateElement', 'ArrayExpression', 'ObjectExpression', 'Property', 'ParenthesizedExpression', 'ChainExpression', 'SpreadElement', 'PrivateIdentifier']);

// looks says that to evaluate an expression again does nothing.
function looks(n) {
  let only = true;
  each(n, (x) => {
    if (!LOOKING.has(x.type) || x.type === 'UnaryExpression' && x.operator === 'delete') only = false;
    return only;
  });
  return only;
}

function parse(code) {
  for (const module of [true, false]) {
    try {
      return program(code, module);
    } catch {
      // it is of the other kind
    }
  }
  return undefined;
}

const isFunction = (n) => n.type === 'FunctionDeclaration' || n.type === 'FunctionExpression' || n.type === 'ArrowFunctionExpression';

function keyOf(n) {
  if (n.computed) return '';
  return n.key.type === 'PrivateIdentifier' ? '#' + n.key.name : String(n.key.name ?? n.key.value);
}

// functions are those of a tree, each with its name in the classes and objects around it.
function functions(tree) {
  const found = [];
  (function walk(n, around, given) {
    let inside = around, name = given;
    if (isFunction(n)) {
      name = n.id ? n.id.name : given;
      found.push({ node: n, name: [...around, name || '(anonymous)'].join('.') });
      inside = around;
    }
    if (n.type === 'ClassDeclaration' || n.type === 'ClassExpression') inside = [...around, n.id ? n.id.name : given || '(class)'];
    const go = (x, called, within = inside) => x && walk(x, within, called);
    switch (n.type) {
      case 'VariableDeclarator': go(n.id); return n.init && n.init.type === 'ObjectExpression' && n.id.name ? go(n.init, '', [...inside, n.id.name]) : go(n.init, n.id.name);
      case 'AssignmentExpression': {
        const left = n.left.type === 'MemberExpression' && !n.left.computed ? n.left.property.name : n.left.name;
        go(n.left);
        return go(n.right, left);
      }
      case 'Property': case 'MethodDefinition': case 'PropertyDefinition': return go(n.value, keyOf(n));
    }
    for (const key of Object.keys(n)) {
      const v = n[key];
      if (Array.isArray(v)) v.forEach((x) => x && typeof x.type === 'string' && go(x, ''));
      else if (v && typeof v === 'object' && typeof v.type === 'string') go(v, '');
    }
  })(tree, [], '');
  return found;
}

function matcher(pattern) {
  if (/\.[cm]?[jt]sx?$/.test(pattern)) return (name, file) => file === pattern || file.endsWith('/' + pattern);
  const plain = pattern.replace(/\(\)$/, '');
  if (!/[*?]/.test(plain)) return (name) => name === plain || name.endsWith('.' + plain);
  const whole = new RegExp('^' + plain.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.') + '$');
  return (name) => whole.test(name);
}

const answer = { functions: [], passes: [], nearest: [], names: [], unread: [] };
for (const s of asked.scripts) {
  const tree = parse(s.source);
  if (!tree) {
    answer.unread.push(s.path);
    continue;
  }
  const places = new Places(s.path, s.source);
  const at = (offset) => {
    const line = places.line(offset);
    return [line - 1, offset - places.begins[line - 1]];
  };
  if (asked.file) lines(s, tree, places, at);
  else calls(s, tree, places, at);
}

function calls(s, tree, places, at) {
  const wanted = asked.functions.map(matcher);
  for (const f of functions(tree)) {
    const [file, line] = places.of(f.node.start);
    if (!wanted.some((means) => means(f.name, file))) {
      if (answer.names.length < 5000 && !f.name.includes('(anonymous)')) answer.names.push(f.name);
      continue;
    }
    const body = f.node.body, returns = [];
    let ends = false; // a return may be followed by a finally
    if (body.type === 'BlockStatement') {
      (function walk(n, within) {
        if (isFunction(n) || n.type === 'ClassBody') return;
        if (n.type === 'ReturnStatement') {
          returns.push({ from: at(n.start), to: at(n.end), value: !n.argument ? 'undefined' : looks(n.argument) ? s.source.slice(n.argument.start, n.argument.end) : '' });
          ends = ends || within;
        }
        each(n, (x) => x === n || (walk(x, within || n.type === 'TryStatement' && !!n.finalizer), false));
      })(body, false);
    } else {
      returns.push({ from: at(body.start), to: at(body.end + 1), value: looks(body) ? s.source.slice(body.start, body.end) : '' });
    }
    answer.functions.push({
      script: s.id, name: f.name, file, line, from: at(body.start), to: at(body.end), params: f.node.params.flatMap(names).filter((x) => x.type === 'Identifier').map((x) => x.name),
      returns, open: f.node.async || f.node.generator, ends, block: body.type === 'BlockStatement',
    });
  }
}

function lines(s, tree, places, at) {
  const same = (file) => file === asked.file || !path.isAbsolute(asked.file) && file.endsWith('/' + path.normalize(asked.file));
  const found = new Map(), near = new Set();
  (function walk(n, fn) {
    if (isFunction(n)) {
      if (n.body.type !== 'BlockStatement') consider(n.body, n);
      fn = n;
    }
    if (/Statement$|^VariableDeclaration$/.test(n.type) && n.type !== 'BlockStatement' && n.type !== 'EmptyStatement') consider(n, fn);
    each(n, (x) => x === n || (walk(x, fn), false));
  })(tree, undefined);
  function consider(n, fn) {
    const [file, line] = places.of(n.start);
    if (!same(file)) return;
    near.add(line);
    if (line === asked.line && (!found.has(fn) || found.get(fn).start > n.start)) found.set(fn, n);
  }
  const named = new Map(functions(tree).map((f) => [f.node, f.name]));
  for (const [fn, n] of found) {
    answer.passes.push({ script: s.id, name: fn ? named.get(fn) : '(module)', file: places.of(n.start)[0], line: asked.line, from: at(n.start), to: at(n.end) });
  }
  if (near.size) answer.nearest.push(...[...near].sort((a, b) => Math.abs(a - asked.line) - Math.abs(b - asked.line) || a - b).slice(0, 3));
}

answer.more = Math.max(answer.functions.length - MOST, 0);
answer.functions = answer.functions.slice(0, MOST);
if (answer.functions.length) answer.names = [];
process.stdout.write(JSON.stringify(answer) + '\n');
