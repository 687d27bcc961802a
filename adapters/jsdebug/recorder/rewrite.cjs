// Puts calls of the recorder into a source as it is loaded. No line is added, so that
// lines stay where they are; columns move. What is put in stands between marks, by which
// it is taken out again where the program looks at its own source.
'use strict';
const path = require('path');
const { program, unwrapped, each, names } = require('./acorn.cjs');
const { prepare, declared, nameOf, unwrappable, FUNCTION, HEADS } = require('./scopes.cjs');
const { Paths, pure, entry, rootOf } = require('./paths.cjs');
const { Hits } = require('./hits.cjs');
const { Places } = require('./maps.cjs');
const { moved } = require('./moved.cjs');
const { Calls } = require('./calls.cjs');
const { quick, counterOf } = require('./quick.cjs');
const { Moments } = require('./first.cjs');
const { Builds, unbuilt } = require('./instances.cjs');
const { Renamed } = require('./renamed.cjs');
const { ALIAS } = require('./flags.cjs');
const { Targets } = require('./targets.cjs');
const { Heres } = require('./heres.cjs');
const { Followed } = require('./followed.cjs');
const { readsOf, calls } = require('./reads.cjs');
const { throwing } = require('./origins.cjs');

const OPEN = '/*@a*/', CLOSE = '/*a@*/';

// Where several things are put into one place: what ends there, what begins or ends a
// block, what begins there.
const ENDS = 0, BLOCK_BEGINS = 1, BLOCK_ENDS = 2, BEGINS = 3;

// weave answers what a source becomes by a wish, and what is to be told of it. How says
// {module, wrapped, map}: whether it is an ES module, whether a runner has put a function
// round it, and the file of its source map where the source does not name it.
function weave(weaver, name, code, how = {}) {
  const tree = program(code, how.module);
  const body = how.wrapped ? unwrapped(tree) : tree;
  return new Source(weaver, name, code, body, how).woven(how);
}

// ofTypes is a question to types of nodes, whose answers are kept.
function ofTypes(answer) {
  const known = new Map();
  return (type) => {
    let is = known.get(type);
    if (is === undefined) known.set(type, (is = answer(type)));
    return is;
  };
}

const isWhole = ofTypes((type) => /^(Expression|Return|Throw)Statement$|^VariableDeclaration$|Expression$|Literal$/.test(type));
const isSurroundable = ofTypes((type) => /Statement$|^VariableDeclaration$/.test(type) && !/^(Block|Empty|Labeled|Break|Continue|With)Statement$/.test(type));

class Source {
  constructor(weaver, name, code, tree, how) {
    Object.assign(this, { weaver, name, code, tree, wish: weaver.wish, edits: [], lines: [], functions: new Set(), counters: [] });
    this.told = { name, remarks: [], bound: [], counted: 0, named: [], functions: [], lines: undefined };
    this.places = new Places(name, code, tree.wrapped && tree.body.length ? lead(code) : 0, how.map);
    this.paths = new Paths(code, weaver.short(name), (from) => weaver.imported(name, from), weaver.only !== undefined);
    this.paths.renamed = this.renamed = new Renamed(this.places);
    this.targets = new Targets(this);
    this.heres = new Heres(this);
    this.followed = new Followed(this);
    const { values, lines, writes, first } = this.wish;
    this.plain = !values && !lines && !writes && !first; // only calls are wanted
    if (!this.plain) prepare(tree);
    this.all = !!writes && !!writes.all;
    this.vague = this.all && /\bwith\s*\(/.test(code); // of what is called there it is not known by which statement
  }

  put(at, phase, n, text) {
    this.edits.push({ at, phase, level: n.level, text, order: this.edits.length });
  }

  begin(n, text) {
    this.put(n.start, BEGINS, n, text);
  }

  end(n, text) {
    this.put(n.end, ENDS, n, text);
  }

  // around puts something before and behind a node.
  around(n, before, behind) {
    this.begin(n, before);
    this.end(n, behind);
  }

  // bare gives a return without a value an expression.
  bare(n, text) {
    this.put(n.start + 'return'.length, BEGINS, n, text);
  }

  // first puts something at the beginning of a block.
  first(block, text) {
    let at = block.type === 'Program' && !block.wrapped ? block.start : block.start + 1, semicolon = '';
    if (block.type === 'Program' && this.code.startsWith('#!')) at = this.code.indexOf('\n') + 1 || this.code.length;
    for (const s of block.body) {
      if (s.directive === undefined) break;
      at = s.end;
      semicolon = ';';
    }
    this.put(at, BLOCK_BEGINS, block, semicolon + text);
  }

  // last puts something at the end of a block.
  last(block, text) {
    this.put(block.end - 1, BLOCK_ENDS, block, text);
  }

  place(n) {
    return this.places.of(n.start);
  }

  at(n) {
    const [file, line] = this.place(n);
    if (file !== this.lately) [this.lately, this.quoted] = [file, JSON.stringify(file).slice(0, -1)];
    return `${this.quoted}:${line}"`;
  }

  frameOf(n) {
    return '__aidb_f' + (n.fn ? n.fn.depth : 0);
  }

  woven(how) {
    const { values, calls, lines, writes, first } = this.wish;
    if (values) new Hits(this).put();
    if (first) new Moments(this, how.module).put();
    if (first?.each) new Builds(this).put();
    if (this.plain) new Calls(this).visit(this.tree, null, 0, 0, false, false);
    else if (calls || lines || writes) each(this.tree, (n) => this.node(n));
    this.told.functions = [...this.functions].slice(0, 500);
    if (lines || calls && !calls.names.includes('*')) this.told.unbuilt = unbuilt(this.tree, this.code);
    if (!this.edits.length) {
      if ((calls || first) && this.places.map) this.told.lines = this.pieces();
      return { code: this.code, told: this.told };
    }
    if (this.counters.length) {
      this.tree.level = -1;
      this.first(this.tree, `var ${this.counters};`); // a function may be called before they are there
    }
    if (writes || lines) this.first(this.tree, `const __aidb_f0=__aidb.module(${JSON.stringify(this.name)},${!this.vague});`);
    this.edits.sort((a, b) => a.at - b.at || a.phase - b.phase || (a.phase === ENDS || a.phase === BLOCK_ENDS ? b.level - a.level || b.order - a.order : a.level - b.level || a.order - b.order));
    if (calls || writes || first) this.told.lines = this.pieces();
    const out = [];
    let done = 0;
    for (const e of this.edits) {
      out.push(this.code.slice(done, e.at), OPEN, e.text, CLOSE);
      done = e.at;
    }
    out.push(this.code.slice(done));
    const moves = this.edits.map((e) => ({ at: e.at, length: e.text.length + OPEN.length + CLOSE.length }));
    return { code: this.tree.wrapped ? out.join('') : moved(this.code, moves, out.join('')), told: this.told };
  }

  // node puts in what one node needs.
  node(n) {
    if (n.strange) return;
    if (FUNCTION.test(n.type)) this.frame(n);
    if (this.statement(n)) this.remember(n);
    if (n.type === 'ArrowFunctionExpression' && n.expression) this.remember(n.body, n);
    this.followed.put(n);
    if (!this.wish.writes) return;
    if (this.all) this.heres.put(n);
    if (this.all && n.fn && n.type === 'ThrowStatement') throwing(this, n, n.fn, n.level, this.at(n));
    if (this.statement(n)) this.simple(n);
    if (HEADS[n.type]) this.heads(n);
    if (n.type === 'ForStatement' && n.init && n.init.type !== 'VariableDeclaration') this.value(n.init, n);
    if (n.type === 'ArrowFunctionExpression' && n.expression) this.value(n.body, n);
    if (/^For(In|Of)Statement$/.test(n.type)) this.loop(n, this.targets.of(n.left, true));
    if (n.type === 'ForStatement' && n.init && n.init.type === 'VariableDeclaration') this.init(n);
    if (n.type === 'CatchClause' && n.param) this.first(n.body, this.wrote(n, names(n.param).filter((t) => this.asked(t)), false));
    if (n.type === 'PropertyDefinition') this.field(n);
  }

  // remember notes which statement a piece of the source belongs to, for stacks.
  remember(n, fn = n.fn) {
    const [file, line] = this.place(n), heads = HEADS[n.type];
    const first = heads ? n[heads[0]] : undefined;
    this.lines.push({ start: n.start, end: isWhole(n.type) ? n.end : first ? first.end : n.start, file, line, name: fn ? fn.called ??= nameOf(fn) : '(module)' });
  }

  // pieces answers with what gives what was remembered by lines and columns of what the
  // source has become: [line, from, to, name and place]. Of most files nobody asks.
  pieces() {
    const { lines, places, edits } = this, { begins, shift } = places;
    const ats = edits.map((e) => e.at), sums = [0];
    for (const e of edits) sums.push(sums[sums.length - 1] + e.text.length + OPEN.length + CLOSE.length);
    const put = (offset) => { // how much was put in before an offset
      let low = 0, high = ats.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (ats[middle] < offset) low = middle + 1;
        else high = middle;
      }
      return sums[low];
    };
    const lineOf = (offset) => Places.prototype.line.call({ begins }, offset);
    const column = (offset, line) => offset - begins[line - 1] + put(offset) - put(begins[line - 1]) - (line === 1 ? shift : 0);
    return () => {
      const list = [];
      for (const { start, end, file, line, name } of lines) {
        const from = lineOf(start), to = lineOf(end);
        for (let at = from; at <= to; at++) list.push([at, at === from ? column(start, at) : 0, at === to && end > start ? column(end + 1, at) : 1e9, `${name} ${file}:${line}`]);
      }
      return list;
    };
  }

  // statement says that a node is a statement round which something can be put.
  statement(n) {
    if (!isSurroundable(n.type)) return false;
    if (n.directive !== undefined) return false;
    return n.list || this.alone(n) || this.exported(n);
  }

  exported(n) {
    return n.type === 'VariableDeclaration' && n.parent && n.parent.type === 'ExportNamedDeclaration' && n.parent.list;
  }

  // alone says that a statement stands without braces where only one may stand.
  alone(n) {
    const p = n.parent;
    if (!p) return false;
    return p.type === 'IfStatement' && (p.consequent === n || p.alternate === n) || /^(For(In|Of)?|While|DoWhile)Statement$/.test(p.type) && p.body === n;
  }

  // simple puts the notes of what is read and written around a plain statement.
  simple(n) {
    if (!/^(Expression|Return|Throw)Statement$|^VariableDeclaration$/.test(n.type)) return;
    if (n.type === 'ReturnStatement') return n.argument && this.value(n.argument, n, true);
    const f = this.frameOf(n), fresh = n.type === 'VariableDeclaration' ? new Set(n.declarations.flatMap((d) => names(d.id))) : undefined;
    this.literals(n, f, this.at(n));
    const targets = this.targets.of(n), reads = this.reads(n);
    const called = targets.length && calls(n);
    const gives = this.gives(n, reads);
    const known = !fresh || targets.some((t) => !fresh.has(t));
    const only = !gives && targets.length && targets.every((t) => t.flag === ALIAS) ? '__aidb.held&&' : '';
    const before = reads.length || targets.length && known || called ? `${only}${f}.use(${this.at(n)},${this.looks(reads, n.fn)},${this.looks(known ? targets : [], n.fn, fresh)}${flags(called, gives)});` : '';
    const behind = targets.length || gives ? `;${only}${this.wrote(n, targets, known)}${gives ? `${f}.gave(${this.at(n)});` : ''}` : '';
    const here = before ? '' : this.heres.of(n, f);
    if (!before && !behind && !here) return;
    if (called && known) this.targets.stored(n, f, targets);
    if (targets.length && known) this.targets.resumed(n, n.fn, f, targets);
    const whole = this.exported(n) ? n.parent : n;
    const wrap = this.alone(n);
    this.around(whole, (wrap ? '{' : '') + (here && `${here};`) + before, behind + (wrap ? '}' : ''));
  }

  // gives says that a statement may give something of what it reads to what is not noted,
  // and has ended before anything else runs.
  gives(n, reads) {
    if (!reads.length || !calls(n)) return false;
    let waits = false;
    each(n, (x) => {
      if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
      waits ||= x.type === 'AwaitExpression' || x.type === 'YieldExpression';
    });
    return !waits;
  }

  // literals notes what objects and lists are made of.
  literals(n, f, at) {
    each(n, (x) => {
      if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
      const cells = x.type === 'ObjectExpression' ? x.properties.map((p) => this.property(p)) : x.type === 'ArrayExpression' ? this.listed(x) : [];
      const kept = cells.filter(Boolean).slice(0, 20);
      if (kept.length) this.around({ ...x, level: x.level + 0.5 }, `${f}.made(${at},`, `,[${kept}])`);
    });
  }

  property(p) {
    if (p.type !== 'Property' || p.computed || p.kind !== 'init' || p.method) return undefined;
    const key = p.key.type === 'Identifier' ? p.key.name : String(p.key.value);
    if (key === '__proto__' || !this.asked({ type: 'MemberExpression', computed: false, property: { type: 'Identifier', name: key } })) return undefined;
    return this.targets.byAnyName ? JSON.stringify(key) : this.cell(key, p.value);
  }

  listed(x) {
    if (!this.wish.writes.all || x.elements.some((e) => !e || e.type === 'SpreadElement')) return [];
    return x.elements.map((e, i) => this.cell(i, e));
  }

  // cell is one that holds what can be looked at, and so comes from elsewhere.
  cell(key, value) {
    return pure(value) && value.type !== 'ThisExpression' && this.paths.known(value) ? JSON.stringify(key) : undefined;
  }

  // looks are those at expressions by a call of a function, but for the variables that are fresh:
  // they are not there yet.
  looks(list, own, fresh = undefined) {
    this.paths.own = own;
    const text = `[${list.map((x) => (fresh?.has(x) ? 0 : this.paths.look(x)))}]`;
    this.paths.own = undefined;
    return text;
  }

  // value puts the notes around an expression whose value goes on from here: n is the
  // statement that it belongs to, left says that a function ends with it.
  value(x, n, left = false) {
    const own = n.type === 'ArrowFunctionExpression' ? n : n.fn, f = '__aidb_f' + (own ? own.depth : 0);
    this.literals(x, f, this.at(x));
    const targets = this.targets.of(x), reads = this.reads(x);
    const called = (left || targets.length) && calls(x);
    const gives = this.gives(x, reads);
    const use = reads.length || targets.length || called ? `${f}.use(${this.at(x)},${this.looks(reads, own)},${this.looks(targets, own)}${flags(called, gives)}),` : '';
    if (targets.length) this.targets.resumed(x, own, f, targets);
    const here = use ? '' : this.heres.of(x, f), begun = use || here && `${here},`;
    if (targets.length || gives) this.around(x, `${f}.kept((${begun}`, `),${this.at(x)},${this.looks(targets, own)}${gives ? ',true' : ''})`);
    else if (begun) this.around(x, `(${begun}`, ')');
    if (left && n.fn) this.left(n);
  }

  // left notes what a function returns.
  left(n) {
    const { start, end } = n.argument, level = { start, end, level: n.level };
    this.around(level, `${this.frameOf(n)}.${n.fn.unwrapped ? 'gone' : 'left'}(${this.at(n)},(`, '))');
  }

  heads(n) {
    for (const part of HEADS[n.type]) if (n[part]) this.value(n[part], n);
  }

  // loop notes what a loop has given its variable, when its body begins, and of what: what
  // was read last at its line may be another statement's.
  loop(n, targets) {
    const text = this.wrote(n, targets, false);
    if (!text) return;
    const use = this.wish.writes.all ? `${this.frameOf(n)}.use(${this.at(n)},${this.looks(this.reads(n.right), n.fn)},[],true);` : '';
    this.into(n, use + text);
  }

  // into puts something at the beginning of a loop's body.
  into(n, text) {
    if (n.body.type === 'BlockStatement') return this.first(n.body, text);
    const outer = { ...n.body, level: n.level };
    this.around(outer, '{' + text, '}');
  }

  // init notes what a loop begins with: a declaration more, behind the others.
  init(n) {
    const text = this.wrote(n.init, this.targets.of(n.init), false);
    if (text) this.put(n.init.end, ENDS, n.init, `,__aidb_i=${text.slice(0, -1)}`);
  }

  // field notes what a field begins with.
  field(n) {
    const { key, value } = n;
    if (!value || n.computed || FUNCTION.test(value.type) || value.type === 'ClassExpression' || key.type === 'Literal') return;
    const name = (key.type === 'PrivateIdentifier' ? '#' : '') + key.name;
    if (!this.asked({ type: 'MemberExpression', property: key, computed: false })) return;
    const type = n.parent.parent.id ? n.parent.parent.id.name : 'class';
    this.around(value, `__aidb.field(${this.at(n)},${JSON.stringify(type)},this,${JSON.stringify(name)},${this.looks(this.reads(value))},(${this.all ? '__aidb.back(),' : ''}`, '))');
  }

  wrote(n, targets, known) {
    return targets.length ? `${this.frameOf(n)}.wrote(${this.at(n)},${known},${this.looks(targets, n.fn)});` : '';
  }

  // asked says that a target is one that the wish is about.
  asked(t) {
    const { writes } = this.wish;
    if (writes.all) return true;
    const want = this.weaver.wanted;
    if (!want) return false;
    const { only } = this.weaver;
    if (t.inside && only !== undefined) return true;
    if (t.inside || t.entry) return want.type === 'MemberExpression' && want.computed || entry(want);
    if (t.type !== want.type) return false;
    if (t.type === 'Identifier') return (t.name === want.name || this.renamed.names.has(want.name)) && this.sameVariable(t);
    if (t.computed && only !== undefined) return t.property.type === 'Literal' ? String(t.property.value) === only : true;
    if (t.computed !== want.computed) return !t.computed && want.property.type === 'Literal' && want.property.value === t.property.name;
    return t.computed || t.property.name === want.property.name && t.property.type === want.property.type;
  }

  // sameVariable says that a name means the variable that it means where the question
  // was asked.
  sameVariable(id) {
    const { writes } = this.wish;
    const wanted = this.weaver.wanted.name;
    if (!writes.file) return id.name === this.renamed.of(wanted, id.scope);
    if (!this.places.map && !this.weaver.same(this.name, writes.file)) { // what has the name here is another one
      const s = id.name === wanted && declared(id.name, id.scope);
      return s === undefined || s && !s.up && this.weaver.imports(wanted);
    }
    if (this.meant === undefined) {
      const n = new Hits(this).near(writes.file, writes.line, writes.expression), scope = n && (n.type === 'BlockStatement' ? n.inner : n.scope);
      this.called = this.renamed.of(wanted, scope);
      this.meant = n ? declared(this.called, scope) || null : null;
      if (n && !this.meant) this.told.remarks.push(`no declaration of ${wanted} is in sight at ${path.basename(writes.file)}:${writes.line}: what is called so anywhere is told`);
    }
    if (this.meant === null) return id.name === this.renamed.of(wanted, id.scope);
    return id.name === this.called && declared(id.name, id.scope) === this.meant;
  }

  // reads are the operands. They are wanted where every statement is.
  reads(n) {
    return this.wish.writes.all ? readsOf(n, this.paths).filter((x) => this.renamed.said(rootOf(x))) : [];
  }

  // counted says that a function's calls are wanted.
  counted(n) {
    const name = n.called ??= nameOf(n);
    if (!this.places.written(n)) return false;
    this.functions.add(name);
    return this.goesBy(n, name);
  }

  // goesBy says that a function goes by one of the names that are wanted, and notes by which.
  goesBy(n, name) {
    const { told, weaver } = this, [file] = this.place(n);
    if (!weaver.counts(file, name)) return false;
    told.counted++;
    if (weaver.patterns.length === 1) return true;
    for (const one of weaver.patterns) if (!told.named.includes(one[0]) && weaver.meant(file, name, one)) told.named.push(one[0]);
    return true;
  }

  // frame puts the beginning and the end of its calls into a function.
  frame(n) {
    const { writes, lines } = this.wish, name = n.called ??= nameOf(n);
    const written = this.places.written(n); // and not made by a compiler, as what reads an export
    if (!writes && written) this.functions.add(name);
    const followed = written && !!lines && this.weaver.named(name, lines.function), counted = written && this.goesBy(n, name);
    if (followed && !counted) this.told.counted++;
    n.followed = followed;
    const noted = writes && writes.all || counted;
    if (!noted && !writes && !followed) return;
    const returns = [];
    if (n.body.type === 'BlockStatement') n.unwrapped = unwrappable(n);
    if (!writes) each(n.body, (x) => {
      if (FUNCTION.test(x.type)) return false;
      if (x.type === 'ReturnStatement' && x.argument) returns.push(x);
    });
    this.framed(n, !!noted, returns);
  }

  framed(n, noted, returns) {
    const { lines, calls } = this.wish;
    const f = '__aidb_f' + n.depth, params = n.params.flatMap(names);
    const list = (text) => `[${params.map(text)}]`;
    const follow = n.followed ? `${f}.follow(${lines.condition ? `()=>(${this.renamed.text(lines.condition, n.inner)})` : 0});` : '';
    const known = `${noted && this.heres.kind(n)},${this.at(n)},${JSON.stringify(n.called)}${noted ? `,${list((p) => `"${this.renamed.called(p)}"`)},${list((p) => `"${p.name}@${p.start}"`)}` : ''}`;
    const values = noted ? list((p) => p.name) : '';
    let begun = `__aidb.enter(${known}${values && `,${values}`})`;
    if (this.plain && calls.thin) {
      const counter = counterOf(this, n, known), met = `${counter}!==undefined&&${counter}.meets()?${counter}.enter(${values})`;
      if (!n.generator && !n.unwrapped && !n.within.finishes) return quick(this, n, `const ${f}=${met}:undefined;`);
      begun = `${met}:__aidb.passed`;
    }
    const enter = `const ${f}=${begun};${n.generator ? `${f}.rests=true;` : ''}${follow}`;
    const leave = `}catch(__aidb_e){${f}.raised(__aidb_e);throw __aidb_e}finally{${f}.end()}`;
    if (n.body.type === 'BlockStatement') {
      this.first(n.body, enter + (n.unwrapped ? '' : 'try{'));
      this.last(n.body, this.falls(n, f) + (n.unwrapped ? `;${f}.end()` : leave));
      for (const x of returns) this.left(x);
      return;
    }
    const step = n.followed ? `${f}.line(${this.at(n.body)},false,()=>[${this.followed.state(n.body, [])}]);` : '';
    this.opened(n, `{${enter}try{${step}return ${f}.left(${this.at(n.body)},`, `)${leave}}`);
  }

  // falls notes that a function ends without a return, which is no value of its last statement's.
  falls(n, f) {
    const { body } = n.body, last = body[body.length - 1];
    if (!this.all || last && /^(Return|Throw)Statement$/.test(last.type)) return '';
    const at = this.at({ start: n.body.end - 1 });
    return `;${f}.falls(${at}${last && this.at({ start: last.end - 1 }) === at ? ',true' : ''});`;
  }

  // opened makes a block of the body of an arrow function that is an expression.
  opened(n, before, behind) {
    this.put(this.arrow(n), BLOCK_BEGINS, n, before);
    this.put(n.end, ENDS, n, behind);
  }

  // arrow is where the body of an arrow function may begin.
  arrow(n) {
    let at = n.params.length ? n.params[n.params.length - 1].end : n.start;
    for (;;) {
      if (this.code.startsWith('/*', at)) at = this.code.indexOf('*/', at) + 2;
      else if (this.code.startsWith('//', at)) at = this.code.indexOf('\n', at) + 1;
      else if (this.code.startsWith('=>', at)) return at + 2;
      else at++;
    }
  }
}

// flags are the last arguments of a use.
function flags(called, gives) {
  return gives ? `,${!!called},true` : called ? ',true' : '';
}

// lead is how much a runner has put in front of a module's first line.
function lead(code) {
  const at = /\)\s*=>\s*\{\{?|\)\s*\{/.exec(code);
  const end = at ? at.index + at[0].length : 0;
  return code.lastIndexOf('\n', end - 1) < 0 ? end : 0;
}

module.exports = { weave, OPEN, CLOSE };
