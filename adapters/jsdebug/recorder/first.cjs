// Puts judgements of a condition into the functions of its scope: in front of each
// statement where the condition has a value, behind what nothing else comes after, and
// where a call returns. A judgement is given a function: what it answers to 0 is the
// condition, to 1 the names that it takes, to 2 the operands that are looked at each time,
// to 3 looks at all that a moment has.
'use strict';
const { each } = require('./acorn.cjs');
const { nameOf, declared, unwrappable, FUNCTION } = require('./scopes.cjs');
const { Hits } = require('./hits.cjs');

const LOOP = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const LEAVES = /^(?:Return|Throw|Break|Continue)Statement$/;
const SET = /^(?:let|const|var|class)$/; // kinds of names that have no value before they are declared
const OF_SCRIPTS = new Set(['module', 'exports', 'require', '__filename', '__dirname']);

const LOADS = /^(?:await\s+)?[\w$.]*(?:require|__vi_ssr_import__|__vite_ssr_import__|__import(?:Star|Default)|_interop\w+|__toESM)\(/; // a module

const isLoop = (n) => LOOP.test(n.type);
const goesOn = (n) => !n || !LEAVES.test(n.type);

class Moments {
  constructor(source, module) {
    this.source = source;
    this.module = module;
    this.hits = new Hits(source);
    this.condition = source.weaver.condition;
    this.scope = source.wish.first.scope || [];
    this.within = new Set(); // functions of the scope
    this.unknown = new Set(); // names that mean nothing where they were looked for
    this.lacking = new Map(); // of classes: what the condition reads of "this" and they do not have
    this.spots = 0; // where the condition has a value
  }

  put() {
    const { source } = this, { tree, told } = source;
    this.places = this.placed();
    this.one(tree, tree, null);
    each(tree, (n) => {
      if (source.statement(n) && !n.strange) source.remember(n);
      if (!FUNCTION.test(n.type) || n.strange || !source.places.written(n)) return;
      if (n.expression) source.remember(n.body, n);
      this.one(n, n.body, n);
    });
    told.judged = this.spots;
    told.unknown = [...this.unknown];
  }

  // placed are the statements that the scope names by their lines, by their functions.
  placed() {
    const places = new Map(), { source } = this;
    for (const at of this.scope) {
      const [file, line] = source.weaver.fileLine(at);
      if (!line || !source.weaver.same(file, source.name) && !source.places.map) continue;
      const found = this.hits.found(file, line, [this.condition.text]);
      if (!found) continue;
      const fn = found.kind === 'statement' ? found.n.fn : found.n.parent;
      if (found.line !== line) source.told.remarks.push(`line ${line} has no statement of its own: the condition is judged at line ${found.line}`);
      if (!places.has(fn)) places.set(fn, new Set());
      places.get(fn).add(found.n);
    }
    return places;
  }

  // wanted says that all of a function is in the scope.
  wanted(n, fn) {
    const { source } = this, name = fn ? (fn.called ??= nameOf(fn)) : '(module)';
    if (fn) source.functions.add(name);
    const is = !this.scope.length || fn && this.within.has(fn.fn) || this.files(n, fn).some((file) => source.weaver.counts(file, name, source.weaver.scope));
    if (is && fn) this.within.add(fn);
    return is;
  }

  // files are those that a function was written in: what stands in none may be of several.
  files(n, fn) {
    const { source } = this;
    return fn ? [source.place(n)[0]] : [...new Set([source.name, ...n.body.map((s) => source.place(s)[0])])];
  }

  // one puts the judgements into a function, or into what stands in none, where there are any.
  one(n, body, fn) {
    const all = this.wanted(n, fn), places = all ? undefined : this.places.get(fn);
    if (!all && !places) return;
    this.source.told.counted++;
    const judge = new Judge(this, fn, places), { spots } = this;
    judge.body(n, body);
    if (this.spots > spots) for (const put of judge.puts) put();
  }

  // means says that a name has a value at a spot.
  means(name, { scope, fn, at }) {
    const own = this.source.renamed.of(name, scope), s = declared(own, scope);
    if (s) {
      const { id, kind } = s.names.get(own);
      return s.fn !== fn || !SET.test(kind) || id.end <= at;
    }
    if (name !== this.named(name)) return true;
    return name in globalThis || !this.module && OF_SCRIPTS.has(name) || name === 'arguments' && !!owner(fn) || this.globals().has(name);
  }

  // named is a name of the written source as the source has it that runs: what a compiler
  // has made of an import or an export.
  named(name) {
    this.aliases ??= aliases(this.source);
    return this.aliases.get(name) ?? name;
  }

  // globals are names that the source itself makes global.
  globals() {
    if (this.own) return this.own;
    this.own = new Set();
    each(this.source.tree, (n) => {
      if (n.type !== 'AssignmentExpression') return;
      const { left } = n;
      if (left.type === 'Identifier') {
        if (!declared(left.name, left.scope)) this.own.add(left.name);
      } else if (left.type === 'MemberExpression' && /^(?:globalThis|global)$/.test(left.object.name) && !left.computed) this.own.add(left.property.name);
    });
    return this.own;
  }

  // reads says that an expression has a value at a spot, as far as that is known before.
  reads(asked, spot, unknown) {
    for (const name of asked.free) {
      if (name === this.condition.given || this.means(name, spot)) continue;
      unknown?.add(name);
      return false;
    }
    const missing = asked.self && !hasThis(spot) ? 'this' : asked.above && !isMethod(owner(spot.fn)) ? 'super' : [...asked.privates].find((name) => !hasPrivate(spot.node, name));
    if (missing) unknown?.add(missing);
    return !missing;
  }

  // when is the source of what a judgement at a spot is given; empty where there is none.
  when(spot) {
    const { condition } = this;
    if (!this.reads(condition, spot, this.unknown)) return '';
    const lacks = this.lacks(owner(spot.fn));
    if (lacks) {
      this.unknown.add(`this.${lacks}`);
      return '';
    }
    this.spots++;
    const own = (name) => (name === condition.given ? name : this.source.renamed.of(name, spot.scope));
    const known = (name) => name === condition.given || declared(own(name), spot.scope);
    const named = (name) => (known(name) ? own(name) : this.named(name));
    const taken = [...[...condition.free].map((name) => (known(name) || named(name) === name ? named(name) : `${named(name)}??__aidb.missing`)), ...(condition.self ? ['this'] : [])];
    const kept = condition.kept.map((o) => condition.source(named, o));
    const looks = [...kept, ...condition.called.map((o) => condition.source(named, o))].map((o) => `()=>(${o})`);
    for (const e of this.source.weaver.asked) looks.push(this.reads(e, spot) ? `()=>(${e.source(named)})` : '0');
    const test = this.source.wish.first.changes ? `[${condition.source(named)}]` : `!!(${condition.source(named)})`;
    return `(__aidb_q${condition.given ? `,${condition.given}` : ''})=>__aidb_q?__aidb_q<2?[${taken}]:__aidb_q<3?[${kept.map((o) => `(${o})`)}]:[${looks}]:${this.built(spot, test)}`;
  }

  // lacks is a member of "this" that the condition reads and that the class of a method says
  // nothing of, where it can have it from nowhere else.
  lacks(own) {
    const type = own && own.parent.type === 'MethodDefinition' ? own.parent.parent : undefined;
    if (!type || type.parent.superClass) return undefined;
    if (!this.lacking.has(type)) {
      const text = this.source.code.slice(type.start, type.end), given = /\bthis\s*[[,)]/.test(text);
      this.lacking.set(type, given ? undefined : [...this.condition.members].map((m) => m.name).find((name) => !text.split(/[^\p{ID_Continue}$]+/u).includes(name)));
    }
    return this.lacking.get(type);
  }

  // built leaves out the judgement of an object in its constructor while members that the
  // condition reads are not there yet.
  built(spot, test) {
    const own = owner(spot.fn), { members } = this.condition;
    if (!members.size || !own || own.parent.kind !== 'constructor') return test;
    const there = [...members].map((m) => (m.type === 'PrivateIdentifier' ? `#${m.name} in this` : `${JSON.stringify(m.name)}in this`));
    return `${there.join('&&')}?${test}:void 0`;
  }
}

// Judge is what is put into one function, or into what stands in none.
class Judge {
  constructor(moments, fn, places) {
    Object.assign(this, { moments, source: moments.source, fn, places, puts: [] });
    this.ofResult = moments.condition.ofResult;
    this.j = '__aidb_j' + (fn ? fn.depth : 0);
  }

  // body puts in what a body needs, and is done last: all else is within that.
  body(n, body) {
    const { source, fn, j } = this;
    const begin = `const ${j}=__aidb.judged(${source.at(n)},${JSON.stringify(fn ? fn.called : '(module)')});`;
    if (fn && fn.expression) return this.expression(n, begin);
    if (!fn) this.end = this.places || this.ofResult ? undefined : body.body.findLast((s) => this.moments.hits.runs(s));
    each(body, (x) => {
      if (FUNCTION.test(x.type)) return false;
      if (x.type === 'BlockStatement' && x !== body) this.block(x);
      if (this.moments.hits.runs(x)) this.statement(x);
      return x.type !== 'WithStatement';
    });
    if (!fn) return this.later(() => source.first(body, begin));
    const caught = !this.places && !this.ofResult && !unwrappable(fn);
    const end = goesOn(body.body[body.body.length - 1]) ? this.atEnd(body) : '';
    this.later(() => {
      source.first(body, begin + (caught ? 'try{' : ''));
      source.last(body, end + (caught ? this.caught() : ''));
    });
  }

  later(put) {
    this.puts.push(put);
  }

  caught() {
    return `}finally{${this.j}.end()}`;
  }

  // atEnd is the judgement where a function ends without a return.
  atEnd(body) {
    if (this.places && (this.ofResult || !this.places.has(body))) return '';
    const when = this.moments.when(this.spot(body, body.inner, body.end));
    if (!when) return `;${this.j}.last=0;`;
    return `;${this.j}.out(${this.fn.parent.kind === 'constructor' ? 'this' : 'void 0'},__aidb.left>0?${when}:0);`;
  }

  spot(node, scope, at) {
    return { node, scope, at, fn: this.fn };
  }

  // look is the source of a judgement; empty where there is none.
  look(spot, seen) {
    const when = this.moments.when(spot);
    return when && `__aidb.left>0&&${this.j}.judge(${seen},${when});`;
  }

  // before is what is done in front of a statement: the judgement, and that it runs.
  before(n, site) {
    const judged = !this.ofResult && (!this.places || this.places.has(n));
    return (judged && this.look(this.spot(n, n.scope, n.start), site) || `${this.j}.last=0;`) + `${this.j}.ran=${site};`;
  }

  // behind is a judgement behind what nothing comes after that sees its effect.
  behind(n, scope, at) {
    const look = this.places || this.ofResult ? '' : this.look(this.spot(n, scope, at), '""');
    return look && `;${look}`;
  }

  statement(n) {
    const { source, j } = this, site = source.at(n), alone = source.alone(n);
    const loop = alone && isLoop(n.parent);
    let before = (loop ? `${j}.ran=${source.at(n.parent)};` : '') + this.before(n, site), behind = '';
    if (isLoop(unlabelled(n))) behind += `;${j}.ran=${site};${j}.last=0;`; // its head has run last
    if (loop && goesOn(n) || n === this.end) behind += this.behind(n, n.scope, n.end);
    if (n.type === 'ReturnStatement') before += this.returned(n);
    this.later(() => source.around(n, (alone ? '{' : '') + before, behind + (alone ? '}' : '')));
  }

  // returned judges behind the value that a function returns.
  returned(n) {
    if (this.places || !this.fn) return '';
    const when = this.moments.when(this.spot(n, n.scope, n.end));
    if (!n.argument) return when && `${this.j}.out(void 0,__aidb.left>0?${when}:0);`;
    const { start, end } = n.argument;
    if (when) this.later(() => this.source.around({ start, end, level: n.level + 0.5 }, `${this.j}.${this.out()}((`, `),__aidb.left>0?${when}:0)`));
    return '';
  }

  // out is the name of what takes a value that is returned.
  out() {
    return this.ofResult && this.fn.async && !this.fn.generator ? 'promised' : 'out';
  }

  // block judges at the end of a loop's body, and of a block whose names the condition takes.
  block(n) {
    const { source, j } = this, loop = isLoop(n.parent);
    if (loop) this.later(() => source.first(n, `${j}.ran=${source.at(n.parent)};`));
    if (!loop && !this.declares(n) || !goesOn(n.body[n.body.length - 1]) || n.strange) return;
    const behind = this.behind(n, n.inner, n.end);
    if (behind) this.later(() => source.last(n, behind));
  }

  declares(n) {
    const { free } = this.moments.condition;
    const of = (scope) => [...free].some((name) => scope.names.has(name));
    return of(n.inner) || n.parent.type === 'CatchClause' && of(n.parent.inner);
  }

  // expression is the body of an arrow function that has no statements.
  expression(n, begin) {
    const { source, j } = this, { body } = n, site = source.at(body);
    const judged = !this.ofResult && (!this.places || this.places.has(body));
    const before = judged ? this.look(this.spot(body, n.inner, body.start), site) : '';
    const when = this.places ? '' : this.moments.when(this.spot(body, n.inner, body.end));
    const caught = !this.places && !this.ofResult;
    this.later(() => source.opened(n, `{${begin}${before}${j}.ran=${site};${caught ? 'try{' : ''}return ${j}.${this.out()}(`,
      `,${when ? `__aidb.left>0?${when}:0` : '0'})${caught ? this.caught() : ''}}`));
  }
}

// aliases are what a compiler has made of names: members of modules that it loads, and of
// what the module exports.
function aliases({ tree, places, code }) {
  const found = new Map(), loaded = new Set();
  if (!places.map && !tree.wrapped) return found;
  each(tree, (n) => {
    if (n.type === 'VariableDeclarator' && n.init && LOADS.test(code.slice(n.init.start, n.init.end))) loaded.add(n.id);
  });
  each(tree, (n) => {
    if (n.type !== 'MemberExpression' || n.computed || n.object.type !== 'Identifier' || n.property.name === 'default') return;
    const { name } = n.object, s = declared(name, n.scope);
    if (s ? loaded.has(s.names.get(name).id) : name === 'exports' && n.parent.type === 'AssignmentExpression') found.set(n.property.name, `${name}.${n.property.name}`);
  });
  return found;
}

function unlabelled(n) {
  while (n.type === 'LabeledStatement') n = n.body;
  return n;
}

// owner is the function whose "this" is meant within one.
function owner(fn) {
  while (fn && fn.type === 'ArrowFunctionExpression') fn = fn.fn;
  return fn;
}

function isMethod(fn) {
  return !!fn && (fn.parent.type === 'MethodDefinition' || fn.parent.type === 'Property' && (fn.parent.method || fn.parent.kind !== 'init'));
}

// hasThis says that "this" may be an object at a spot: in a method, in what a class begins
// with, and in a function that is about it itself.
function hasThis({ node, fn }) {
  for (let n = node; n; n = n.parent) {
    if (n.type === 'PropertyDefinition' || n.type === 'StaticBlock') return true;
    if (n.type === 'FunctionDeclaration' || n.type === 'FunctionExpression') break;
  }
  const own = owner(fn);
  return !!own && (isMethod(own) || own.parent.type === 'Property' || own.parent.type === 'AssignmentExpression' || mentions(own.body));
}

function mentions(body) {
  let found = false;
  each(body, (n) => {
    found ||= n.type === 'ThisExpression';
    return n.type !== 'FunctionDeclaration' && n.type !== 'FunctionExpression';
  });
  return found;
}

function hasPrivate(node, name) {
  for (let n = node; n; n = n.parent) {
    if (n.type === 'ClassBody' && n.body.some((m) => m.key && m.key.type === 'PrivateIdentifier' && m.key.name === name)) return true;
  }
  return false;
}

module.exports = { Moments };
