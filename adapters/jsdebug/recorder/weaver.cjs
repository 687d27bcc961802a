// What a wish asks of sources. It is in each thread that rewrites some: that of the
// program, and that of node's loader where ES modules are loaded in another.
'use strict';
const fs = require('fs');
const path = require('path');
const { fileURLToPath } = require('url');
const { expression, each, program } = require('./acorn.cjs');
const { weave } = require('./rewrite.cjs');
const { Asked, Condition } = require('./condition.cjs');

const SCRIPT = /\.[cm]?[jt]sx?$/;
const RUNS = { AssignmentExpression: 'assigns', UpdateExpression: 'assigns', AwaitExpression: 'waits', YieldExpression: 'waits', ImportExpression: 'loads a module' };

// KEYED finds what may write to a member without having its name.
const KEYED = /\]\s*(?:=(?!=)|[^\s\w=!<>)\]};,.]{1,3}=|\+\+|--)|\b(?:Reflect|Object)\s*\.\s*(?:set|assign|define|delete)/;

// WITHIN finds what may change an object by any of its names.
const WITHIN = /[\w$\])]\s*(?:\.\s*#?[\w$]+|\])\s*(?:=(?!=)|[^\s\w=!<>)\]};,.(]{1,3}=|\+\+|--)|(?:\+\+|--)\s*[\w$.]+[.[]|\bdelete\b|\.\s*(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|add|clear|set|assign)\s*\(/;

const MANY = 300; // sources that are searched for names

// Refused says that a wish cannot be granted, because of one of its fields.
class Refused extends Error {
  constructor(message, field) {
    super(message);
    this.field = field;
  }
}

class Weaver {
  constructor(wish) {
    this.wish = wish;
    this.reals = new Map();
    this.skipped = []; // sources that the wish is not about by their looks
    this.check();
    const patterns = (names) => names.map((name) => [name, this.pattern(name)]);
    this.patterns = patterns(wish.calls ? wish.calls.names : []);
    this.scope = patterns(wish.first?.scope || []);
    this.same = (a, b) => a === b || this.real(a) === this.real(b);
  }

  check() {
    const { values, lines, writes, first } = this.wish;
    for (const probe of values || []) {
      probe.expressions = probe.expressions.map((e) => this.harmless(e, 'expressions'));
      if (probe.condition) probe.condition = this.harmless(probe.condition, 'condition');
    }
    if (lines) {
      if (lines.expressions) lines.expressions = lines.expressions.map((e) => this.harmless(e, 'expressions'));
      if (lines.condition) lines.condition = this.harmless(lines.condition, 'condition');
    }
    if (first) {
      first.condition = this.harmless(first.condition, 'condition');
      this.condition = new Condition(first.condition, expression(first.condition), !!first.each);
      this.asked = (first.expressions || []).map((e) => this.harmless(e, 'expressions')).map((e) => new Asked(e, expression(e)));
    }
    this.wanted = writes && writes.expression ? this.parsed(writes.expression, 'expression') : null;
    const { type, computed, property } = this.wanted || {};
    // byAnyName: what changes within the object there is wanted, whatever leads to it. Where it
    // is asked what a value came from, what is short of time is looked for by its name.
    this.byAnyName = !!writes && !writes.all && !values && !computed && (type === 'Identifier' || type === 'MemberExpression');
    // only is the name of a member whose writes are wanted, whatever holds it.
    this.only = type === 'MemberExpression' && !computed && property.type === 'Identifier' && !writes.all ? property.name : undefined;
  }

  parsed(text, field) {
    try {
      return expression(text);
    } catch (e) {
      throw new Refused(`${text} is no expression of JavaScript: ${e.message}`, field);
    }
  }

  // harmless is an expression, on one line, that does not change the program by itself.
  harmless(text, field) {
    const line = text.trim().replace(/\s*\n\s*/g, ' ');
    each(this.parsed(line, field), (n) => {
      const runs = RUNS[n.type] || n.type === 'UnaryExpression' && n.operator === 'delete' && 'deletes';
      if (runs) throw new Refused(`${text} ${runs}: the program would not do the same as without being recorded`, field);
      return !/Function/.test(n.type);
    });
    return line;
  }

  real(p) {
    let found = this.reals.get(p);
    if (found === undefined) {
      try {
        found = fs.realpathSync(p);
      } catch {
        found = p;
      }
      this.reals.set(p, found);
    }
    return found;
  }

  // short tells one file from another in the names of places. Its extension is left
  // out: a module is imported by that of what it is compiled to.
  short(name) {
    let hash = 5381;
    for (const c of name.replace(SCRIPT, '')) hash = (hash * 33 ^ c.codePointAt(0)) >>> 0;
    return 'm' + hash.toString(36);
  }

  // imported is the short name of a file that another one imports from.
  imported(name, from) {
    if (from.startsWith('file:')) return this.short(fileURLToPath(from));
    return from.startsWith('.') ? this.short(path.resolve(path.dirname(name), from)) : 'p ' + from;
  }

  // imports says that the file in which it is asked takes a variable from another one.
  imports(name) {
    if (this.takes === undefined) {
      try {
        this.takes = new RegExp(`\\bimport\\b[^;'"]*[{,\\s]${name.replace(/\$/g, '\\$&')}[},\\s]`).test(fs.readFileSync(this.wish.writes.file, 'utf8'));
      } catch {
        this.takes = true;
      }
    }
    return this.takes;
  }

  users(name) {
    return this.wish.roots.some((r) => name.startsWith(r + path.sep)) && !this.packaged(name);
  }

  // packaged says that a file is a package's, and not the user's: a root may lie in a package itself.
  packaged(name) {
    const modules = `${path.sep}node_modules${path.sep}`;
    return name.includes(modules) && !this.wish.roots.some((r) => name.startsWith(r + path.sep) && !name.slice(r.length).includes(modules));
  }

  pattern(want) {
    if (!want.includes('*')) return undefined;
    return new RegExp('^' + want.split('*').map((x) => x.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*') + '$');
  }

  // named says that a function goes by a name, or by a pattern of names.
  named(name, want, pattern = this.pattern(want)) {
    want = want.replace(/(.)\.constructor$/, '$1'); // which goes by the name of its class
    return pattern ? pattern.test(name) || pattern.test(last(name)) : name === want || name.endsWith('.' + want);
  }

  // base is the name of a file without its extension.
  base(file) {
    if (file !== this.lately) [this.lately, this.based] = [file, path.basename(file).replace(SCRIPT, '')];
    return this.based;
  }

  // fileLine is a place as a scope has it, with line 0 where it is none.
  fileLine(at) {
    const m = /^(.*):(\d+)$/.exec(at);
    return m ? [m[1], +m[2]] : [at, 0];
  }

  // counts says that a function goes by one of the names that are wanted, or lies in one of
  // the files.
  counts(file, name, wanted = this.patterns) {
    return wanted.some((one) => this.meant(file, name, one));
  }

  // meant says that a function, or its file, goes by one name.
  meant(file, name, [want, pattern]) {
    if (!pattern && SCRIPT.test(want)) return this.same(file, want) || file.endsWith(path.sep + want);
    if (this.named(name, want, pattern)) return true;
    if (!want.includes('.')) return false;
    const whole = `${this.base(file)}.${name}`;
    return pattern ? pattern.test(whole) : whole === want;
  }

  // indifferent says of a source, without reading it closely, that the wish is not about it.
  indifferent(name, code) {
    const { values, calls, lines, writes, first } = this.wish;
    if (writes && writes.all) return false;
    const mapped = code.includes('sourceMappingURL=') || /\.[cm]?tsx?$/.test(name);
    if (values && (mapped || values.some((p) => this.same(p.file, name)))) return false;
    const word = (w) => code.includes(last(w.replace(/(.)\.constructor$/, '$1'))), some = (names) => mapped || names.some((w) => w.includes('*') || SCRIPT.test(w) || word(w));
    if (calls && some(calls.names)) return false;
    if (first?.each && (/\bclass\b/.test(code) || word(first.each))) return false;
    if (first) return first.scope?.length ? !some(first.scope.map((at) => this.fileLine(at)[0])) : !mapped && this.names().some((name) => !word(name));
    if (lines && (lines.function.includes('*') || word(lines.function))) return false;
    if (!writes) return true;
    const { wanted } = this;
    if (this.only !== undefined && KEYED.test(code)) return false;
    if (this.byAnyName && WITHIN.test(code)) return false;
    return !wanted.computed && wanted.type !== 'CallExpression' && !code.includes(wanted.property ? wanted.property.name : wanted.name);
  }

  // names are those of the condition that are the program's.
  names() {
    return [...this.condition.free].filter((name) => !(name in globalThis));
  }

  // rewrite answers what a file's source becomes, and what is to be told of it.
  rewrite(name, code, how = {}) {
    if (!this.users(name)) return { code };
    if (this.indifferent(name, code)) {
      if (this.skipped.length < MANY) this.skipped.push(code);
      return { code };
    }
    try {
      const woven = this.woven(name, code, how);
      if (woven.code !== code && (this.wish.values || this.wish.lines || this.wish.first)) this.fits(woven, how);
      return woven;
    } catch (e) {
      if (e instanceof Refused) return { code, told: { name, refused: e.message, field: e.field } };
      const known = e instanceof SyntaxError; // node says what is wrong with it
      return { code, told: known ? undefined : { name, remarks: [`${name} is not recorded: ${e.message}`] } };
    }
  }

  // woven takes a source whose kind is not known for a script, else for a module.
  woven(name, code, how) {
    try {
      return weave(this, name, code, how);
    } catch (e) {
      if (how.module !== undefined || !(e instanceof SyntaxError) || !/\b(?:import|export|await)\b/.test(code)) throw e;
      how.module = true;
      return weave(this, name, code, how);
    }
  }

  // others are the names of functions in what was skipped.
  others() {
    const found = new Set();
    for (const code of this.skipped) {
      for (const m of code.matchAll(/\bfunction\s*\*?\s*([\w$]+)|\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:function|\([^()]*\)\s*=>|[\w$]+\s*=>)|^\s+(?:async\s+|static\s+)*([\w$]+)\s*\([^()]*\)\s*\{/gm)) {
        found.add(m[1] || m[2] || m[3]);
      }
    }
    return [...found].filter((name) => !/^(?:if|for|while|switch|catch|constructor)$/.test(name));
  }

  // fits refuses expressions that cannot stand where they are put.
  fits(woven, how) {
    try {
      program(woven.code, how.module);
    } catch (e) {
      const { values, lines, first } = this.wish;
      const all = values ? values.flatMap((p) => p.expressions) : first ? [first.condition, ...(first.expressions || [])] : lines.expressions || [];
      throw new Refused(`${all.join(', ')} cannot stand at that place: ${e.message.replace(/ \(\d+:\d+\)$/, '')}`, first ? 'condition' : 'expressions');
    }
  }
}

// last is the last part of a name.
function last(name) {
  return name.slice(name.lastIndexOf('.') + 1);
}

module.exports = { Weaver, Refused };
