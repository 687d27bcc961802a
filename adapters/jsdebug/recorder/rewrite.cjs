// Puts calls of the recorder into a source as it is loaded. No line is added, so that
// lines stay where they are; columns move.
'use strict';
const acorn = require('internal/deps/acorn/acorn/dist/acorn');

const BLOCK = /^(Program|BlockStatement|StaticBlock|For(In|Of)?Statement|SwitchStatement|CatchClause)$/;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const CHANGING = new Set(['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin', 'set', 'add', 'delete', 'clear']);

// weave is a source with what the wish of a recorder asks for put in.
function weave(recorder, name, code, module) {
  const tree = acorn.parse(code, {
    ecmaVersion: 'latest', sourceType: module ? 'module' : 'script', allowReturnOutsideFunction: true, allowAwaitOutsideFunction: module, allowHashBang: true, locations: true,
  });
  return new Source(recorder, name, code, tree).woven();
}

class Source {
  constructor(recorder, name, code, tree) {
    Object.assign(this, { recorder, name, code, tree, wish: recorder.wish, edits: [] });
    this.prepare(tree, { fn: null, depth: 0, scope: null, parent: null, list: false });
  }

  // prepare notes of each node its function, its scope and its parent.
  prepare(n, c) {
    n.parent = c.parent;
    n.fn = c.fn;
    n.scope = c.scope;
    n.list = c.list;
    let { fn, depth, scope } = c;
    if (n.type === 'FunctionDeclaration' && n.id) this.declare(n.id, scope);
    if (n.type === 'ClassDeclaration' && n.id) this.declare(n.id, scope);
    if (n.type === 'VariableDeclaration') {
      let to = scope;
      if (n.kind === 'var') while (to.block && to.up) to = to.up;
      for (const d of n.declarations) this.declare(d.id, to);
    }
    if (/^Import(Default|Namespace)?Specifier$/.test(n.type)) this.declare(n.local, scope);
    if (FUNCTION.test(n.type)) {
      fn = n;
      n.depth = ++depth;
      scope = { up: scope, names: new Map(), fn: n };
      if (n.type === 'FunctionExpression' && n.id) this.declare(n.id, scope);
      for (const p of n.params) this.declare(p, scope);
    } else if (BLOCK.test(n.type) && !(n.type === 'BlockStatement' && n.parent && FUNCTION.test(n.parent.type))) {
      scope = { up: scope, names: new Map(), fn, block: n.type !== 'Program' };
      if (n.type === 'CatchClause' && n.param) this.declare(n.param, scope);
    }
    for (const key of Object.keys(n)) {
      if (key === 'parent' || key === 'fn' || key === 'scope' || key === 'loc') continue;
      const v = n[key];
      const inList = key === 'body' && n.type !== 'ClassBody' || key === 'consequent' && n.type === 'SwitchCase';
      if (Array.isArray(v)) for (const x of v) x && typeof x.type === 'string' && this.prepare(x, { fn, depth, scope, parent: n, list: inList });
      else if (v && typeof v.type === 'string') this.prepare(v, { fn, depth, scope, parent: n, list: false });
    }
  }

  declare(pattern, scope) {
    for (const id of names(pattern)) scope.names.set(id.name, id);
  }

  visit(n, f) {
    if (f(n) === false) return;
    for (const key of Object.keys(n)) {
      if (key === 'parent' || key === 'fn' || key === 'scope' || key === 'loc') continue;
      const v = n[key];
      if (Array.isArray(v)) for (const x of v) x && typeof x.type === 'string' && this.visit(x, f);
      else if (v && typeof v.type === 'string') this.visit(v, f);
    }
  }

  open(at, text, node) {
    this.edits.push({ at, close: 0, rank: node.start, text });
  }

  close(at, text, node) {
    this.edits.push({ at, close: 1, rank: -node.start, text });
  }

  text(n) {
    return this.code.slice(n.start, n.end);
  }

  at(n) {
    return this.recorder.original(this.name, n.loc.start.line, n.loc.start.column);
  }

  woven() {
    const { values, calls, writes } = this.wish;
    (values || []).forEach((probe, i) => this.hits(probe, i));
    if (calls || writes) this.visit(this.tree, (n) => this.node(n));
    if (!this.edits.length) return this.code;
    this.edits.sort((a, b) => a.at - b.at || b.close - a.close || a.rank - b.rank);
    let out = '', done = 0;
    for (const e of this.edits) {
      out += this.code.slice(done, e.at) + e.text;
      done = e.at;
    }
    return out + this.code.slice(done);
  }

  // node puts in what one node needs.
  node(n) {
    if (FUNCTION.test(n.type)) this.frame(n);
    if (!this.wish.writes) return;
    if (this.statement(n)) {
      this.around(n);
    }
    const first = n.body && n.body.type === 'BlockStatement' ? n.body.start + 1 : 0;
    if (first && /^For(In|Of)Statement$/.test(n.type)) this.open(first, this.wrote(n, this.targets(n.left, true), false), n);
    if (first && n.type === 'ForStatement' && n.init) this.open(first, this.wrote(n, this.targets(n.init, true), false), n);
    if (n.type === 'CatchClause' && n.param) this.open(n.body.start + 1, this.wrote(n, names(n.param), false), n);
  }

  // statement says that a node is a statement round which something can be put.
  statement(n) {
    if (!/Statement$|^VariableDeclaration$/.test(n.type) || /^(Block|Empty|Labeled|Break|Continue)Statement$/.test(n.type)) return false;
    if (n.directive !== undefined) return false;
    return n.list || this.alone(n);
  }

  // alone says that a statement stands without braces where only one may stand.
  alone(n) {
    const p = n.parent;
    if (!p) return false;
    return p.type === 'IfStatement' && (p.consequent === n || p.alternate === n) || /^(For(In|Of)?|While|DoWhile)Statement$/.test(p.type) && p.body === n;
  }

  frameOf(n) {
    return n.fn ? '__aidb_f' + n.fn.depth : '__aidb_m';
  }

  // around puts the notes of what is read and written around a statement.
  around(n) {
    const writes = this.wish.writes;
    const simple = /^(Expression|Return|Throw)Statement$|^VariableDeclaration$/.test(n.type);
    const head = { IfStatement: 'test', WhileStatement: null, SwitchStatement: 'discriminant', ForOfStatement: 'right', ForInStatement: 'right' }[n.type];
    const part = simple ? n : head && n[head];
    if (!part) return;
    const targets = simple ? this.targets(n).filter((t) => this.asked(t)) : [];
    const reads = writes.all ? this.reads(part) : [];
    const fresh = n.type === 'VariableDeclaration';
    const f = this.frameOf(n);
    let before = '';
    if (reads.length || targets.length && !fresh) {
      before = `${f}.use(${JSON.stringify(this.at(n))},[${reads.map((x) => this.look(x))}],[${fresh ? '' : targets.map((x) => this.look(x))}]);`;
    }
    let after = '';
    if (targets.length) after = ';' + this.wrote(n, targets, !fresh);
    const wrap = this.alone(n);
    if (before || wrap && after) this.open(n.start, (wrap ? '{' : '') + before, n);
    if (n.type === 'ReturnStatement' && n.argument) {
      this.open(n.argument.start, `${f}.left(${JSON.stringify(this.at(n))},(`, n.argument);
      this.close(n.argument.end, '))', n.argument);
    }
    if (after || wrap && before) this.close(n.end, after + (wrap ? '}' : ''), n);
  }

  wrote(n, targets, known) {
    targets = targets.filter((t) => this.asked(t));
    return targets.length ? `${this.frameOf(n)}.wrote(${JSON.stringify(this.at(n))},${known},[${targets.map((x) => this.look(x))}]);` : '';
  }

  // asked says that a target is one that the wish is about.
  asked(t) {
    const { writes } = this.wish;
    if (writes.all) return true;
    const want = this.recorder.wanted;
    if (!want) return false;
    if (t.inside) return want.type === 'MemberExpression' && want.computed;
    if (t.type !== want.type) return false;
    if (t.type === 'Identifier') return t.name === want.name;
    return t.computed === want.computed && (t.computed || t.property.name === want.property.name);
  }

  // targets are what a statement writes to, as far as that can be looked at again.
  targets(n, declared) {
    const list = [];
    const pattern = (p) => {
      if (!p) return;
      if (p.type === 'Identifier' || p.type === 'MemberExpression') pure(p) && list.push(p);
      else if (p.type === 'ObjectPattern') p.properties.forEach((x) => pattern(x.type === 'RestElement' ? x.argument : x.value));
      else if (p.type === 'ArrayPattern') p.elements.forEach(pattern);
      else if (p.type === 'AssignmentPattern') pattern(p.left);
      else if (p.type === 'RestElement') pattern(p.argument);
    };
    if (declared && n.type !== 'VariableDeclaration') pattern(n);
    this.visit(n, (x) => {
      if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
      if (x.type === 'AssignmentExpression') pattern(x.left);
      if (x.type === 'UpdateExpression') pattern(x.argument);
      if (x.type === 'VariableDeclarator' && (x.init || declared)) pattern(x.id);
      if (x.type === 'UnaryExpression' && x.operator === 'delete') pattern(x.argument);
      if (x.type === 'CallExpression' && x.callee.type === 'MemberExpression' && !x.callee.computed && CHANGING.has(x.callee.property.name) && pure(x.callee.object)) {
        list.push({ inside: x.callee.object, type: 'Inside' });
      }
    });
    return list;
  }

  // reads are the operands: variables and members that can be looked at.
  reads(n) {
    const list = [], seen = new Set();
    const add = (x) => {
      const text = this.text(x);
      if (!seen.has(text) && (x.type !== 'Identifier' || this.declared(x)) ) {
        seen.add(text);
        list.push(x);
      }
    };
    const visit = (x, written) => {
      if (!x || FUNCTION.test(x.type) || /^Class/.test(x.type) || x.type === 'TemplateElement') return;
      if (x.type === 'VariableDeclaration') return x.declarations.forEach((d) => visit(d.init));
      if (x.type === 'AssignmentExpression') {
        if (x.operator !== '=' && pure(x.left)) add(x.left);
        return visit(x.right);
      }
      if (x.type === 'UpdateExpression') return pure(x.argument) && add(x.argument);
      if (x.type === 'CallExpression' || x.type === 'NewExpression') {
        if (x.callee.type === 'MemberExpression' && pure(x.callee.object)) add(x.callee.object);
        else if (x.callee.type !== 'Identifier') visit(x.callee);
        return x.arguments.forEach((a) => visit(a));
      }
      if (x.type === 'Property') return x.computed ? (visit(x.key), visit(x.value)) : visit(x.value);
      if ((x.type === 'Identifier' || x.type === 'MemberExpression') && pure(x)) return add(x);
      for (const key of Object.keys(x)) {
        if (key === 'parent' || key === 'fn' || key === 'scope' || key === 'loc' || key === 'list' || key === 'depth') continue;
        const v = x[key];
        if (Array.isArray(v)) v.forEach((y) => y && typeof y.type === 'string' && visit(y));
        else if (v && typeof v.type === 'string') visit(v);
      }
    };
    visit(n);
    return list;
  }

  declared(id) {
    for (let s = id.scope; s; s = s.up) if (s.names.has(id.name)) return s;
    return null;
  }

  // look is the source of what is looked at: [text, root, keys, place, inside].
  look(n, scope) {
    if (n.inside) return this.look(n.inside).replace(/\]$/, ',1]');
    const keys = [];
    let root = n;
    while (root.type === 'MemberExpression') {
      keys.unshift(root.computed ? this.source(root.property) : JSON.stringify(root.property.name));
      root = root.object;
    }
    const name = this.source(root);
    return `[${JSON.stringify(this.source(n))},()=>${name},${keys.length ? `()=>[${keys}]` : 0},${this.place(root, scope || root.scope)}]`;
  }

  source(n) {
    return n.own !== undefined ? n.own.slice(n.start, n.end) : this.text(n);
  }

  // place is the source of the name of a variable's place.
  place(root, scope) {
    if (root.type !== 'Identifier') return '0';
    for (let s = scope; s; s = s.up) {
      const id = s.names.get(root.name);
      if (!id) continue;
      const name = JSON.stringify(`${root.name}@${id.loc.start.line}:${id.loc.start.column}`);
      return s.fn ? `()=>__aidb_f${s.fn.depth}.name+${name}` : JSON.stringify(this.recorder.short(this.name) + '#') + '+' + name;
    }
    return JSON.stringify('global.' + root.name);
  }

  // frame puts the beginning and the end of its calls into a function.
  frame(n) {
    const name = this.nameOf(n);
    const noted = this.wish.writes && this.wish.writes.all || this.recorder.counts(this.name, name);
    if (!noted && !this.wish.writes) return;
    const f = '__aidb_f' + n.depth;
    const params = n.params.flatMap(names);
    const enter = `const ${f}=__aidb.enter(${!!noted},${JSON.stringify(this.at(n))},${JSON.stringify(name)},()=>[${params.map((p) => this.look(p, { up: null, names: new Map([[p.name, p]]), fn: n }))}]);try{`;
    const leave = `}catch(__aidb_e){${f}.raised(__aidb_e);throw __aidb_e}finally{${f}.end()}`;
    if (n.body.type === 'BlockStatement') {
      let at = n.body.start + 1;
      for (const s of n.body.body) {
        if (s.directive === undefined) break;
        at = s.end;
      }
      this.open(at, (at > n.body.start + 1 ? ';' : '') + enter, { start: n.body.start });
      this.close(n.body.end - 1, leave, n.body);
      if (!this.wish.writes) this.visit(n.body, (x) => {
        if (FUNCTION.test(x.type)) return false;
        if (x.type === 'ReturnStatement' && x.argument) {
          this.open(x.argument.start, `${f}.left(${JSON.stringify(this.at(x))},(`, x.argument);
          this.close(x.argument.end, '))', x.argument);
        }
      });
      return;
    }
    const arrow = this.code.lastIndexOf('=>', n.body.start);
    this.open(arrow + 2, `{${enter}return ${f}.left(${JSON.stringify(this.at(n.body))},`, { start: arrow });
    this.close(n.end, `)${leave}}`, n);
  }

  // nameOf is the name of a function as stacks have it.
  nameOf(n) {
    if (n.id) return n.id.name;
    const p = n.parent;
    if (p.type === 'MethodDefinition' || p.type === 'PropertyDefinition') {
      const type = p.parent.parent;
      const key = p.computed ? '[' + this.text(p.key) + ']' : this.text(p.key);
      return p.kind === 'constructor' ? 'new ' + (type.id ? type.id.name : 'class') : (type.id ? type.id.name + '.' : '') + key;
    }
    if (p.type === 'VariableDeclarator' && p.id.type === 'Identifier') return p.id.name;
    if (p.type === 'Property' && !p.computed) return this.text(p.key);
    if (p.type === 'AssignmentExpression') return this.text(p.left);
    return '(anonymous)';
  }

  // hits puts a look at expressions in front of the statement of a line.
  hits(probe, number) {
    if (!this.recorder.same(probe.file, this.name)) return;
    let found = null;
    this.visit(this.tree, (n) => {
      if (!n.list && !this.alone(n) || !/Statement$|Declaration$/.test(n.type) || n.type === 'BlockStatement') return;
      const line = this.recorder.lineOf(this.at(n));
      if (line >= probe.line && (!found || line < found.line)) found = { n, line };
    });
    if (!found) return;
    this.recorder.bound.add(number);
    const { n, line } = found;
    if (line !== probe.line) this.recorder.notes.remark(`line ${probe.line} has no statement: ${line} is the next that has`);
    const looks = probe.expressions.map((e) => {
      const x = this.recorder.parsed(e);
      if (probe.places && pure(x)) return this.look(x, n.list || this.alone(n) ? this.inner(n) : n.scope);
      return `[${JSON.stringify(e)},()=>(${e}),0,0]`;
    });
    const when = probe.condition ? `()=>(${probe.condition})` : '0';
    const text = `__aidb.hit(${number},${JSON.stringify(this.at(n))},${JSON.stringify(n.fn ? this.nameOf(n.fn) : '')},${when},[${looks}]);`;
    const wrap = this.alone(n);
    this.open(n.start, (wrap ? '{' : '') + text, { start: n.start - 1 });
    if (wrap) this.close(n.end, '}', { start: n.start - 1 });
  }

  inner(n) {
    return n.scope;
  }
}

// names are the identifiers that a pattern declares.
function names(p) {
  if (!p) return [];
  switch (p.type) {
    case 'Identifier': return [p];
    case 'ObjectPattern': return p.properties.flatMap((x) => names(x.type === 'RestElement' ? x.argument : x.value));
    case 'ArrayPattern': return p.elements.flatMap(names);
    case 'AssignmentPattern': return names(p.left);
    case 'RestElement': return names(p.argument);
  }
  return [];
}

// pure says that an expression can be looked at without running any of the program's code.
function pure(n) {
  switch (n.type) {
    case 'Identifier': case 'ThisExpression': return true;
    case 'MemberExpression':
      return !n.optional && n.property.type !== 'PrivateIdentifier' && pure(n.object) && (!n.computed || n.property.type === 'Literal' || pure(n.property));
  }
  return false;
}

function parse(text) {
  const tree = acorn.parseExpressionAt(text, 0, { ecmaVersion: 'latest', allowAwaitOutsideFunction: true, locations: true });
  if (text.slice(tree.end).trim()) throw new SyntaxError('unexpected ' + text.slice(tree.end).trim());
  (function mark(n) {
    n.own = text;
    for (const key of Object.keys(n)) if (n[key] && typeof n[key].type === 'string') mark(n[key]);
  })(tree);
  return tree;
}

module.exports = { weave, parse, pure };
