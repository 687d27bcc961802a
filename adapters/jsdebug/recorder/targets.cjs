// What a statement writes to, as far as that can be looked at again.
'use strict';
const path = require('path');
const { each, names } = require('./acorn.cjs');
const { FUNCTION } = require('./scopes.cjs');
const { pure } = require('./paths.cjs');
const { EXACT, METHOD, ALIAS, NAMED } = require('./flags.cjs');
const { calls } = require('./reads.cjs');

const CHANGING = new Set(['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin', 'add', 'clear']);

// PLACING are functions of the language that write to what is given them first.
const PLACING = new Map([
  ['Object', new Set(['assign', 'defineProperty', 'defineProperties'])],
  ['Reflect', new Set(['set', 'defineProperty', 'deleteProperty'])],
]);

// FRESH are methods and functions of the language that give back a new object, or one that has nothing of the program's.
const FRESH = new Set(['slice', 'map', 'filter', 'concat', 'flat', 'flatMap', 'split', 'from', 'of', 'keys', 'values', 'entries', 'fromEntries', 'getOwnPropertyNames',
  'toSorted', 'toReversed', 'toSpliced', 'with', 'match', 'matchAll', 'parse', 'create', 'structuredClone', 'require', 'createHash', 'createHmac', 'update', 'String', 'Array', 'Object']);

class Targets {
  constructor(source) {
    this.source = source;
    const { writes } = source.wish, want = source.weaver.wanted;
    this.all = !!writes && !!writes.all;
    // whole: the wish is about a variable or a member by its name: what changes within it is
    // a write to it.
    this.only = source.weaver.only !== undefined;
    this.whole = !this.all && !!want && (want.type === 'Identifier' || want.type === 'MemberExpression' && !want.computed);
    this.byAnyName = this.whole && source.weaver.byAnyName;
  }

  // of are those of a node that the wish is about.
  of(n, given) {
    const list = [], { source, whole } = this;
    const pattern = (p, perhaps) => list.push(...names(p).flatMap((t) => this.assigned(t)).map((t) => perhaps && !t.inside ? { ...t, perhaps } : t));
    if (given && n.type !== 'VariableDeclaration') pattern(n);
    each(n, (x) => {
      if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
      if (x.type === 'AssignmentExpression') pattern(x.left, passedBy(x, n));
      if (x.type === 'UpdateExpression') pattern(x.argument, passedBy(x, n));
      if (x.type === 'VariableDeclarator' && (x.init || given)) pattern(x.id);
      if (x.type === 'UnaryExpression' && x.operator === 'delete') pattern(x.argument.type === 'ChainExpression' ? x.argument.expression : x.argument);
      if (x.type === 'CallExpression') {
        this.changed(x, list);
        if (this.whole) this.unnamed(x);
      }
    });
    const asked = list.filter((t) => source.asked(t));
    return whole ? [...this.each(asked), ...this.byAnyName ? this.renamed(n, asked) : []] : asked;
  }

  // stored puts a second look at what a statement assigns to behind what it assigns, for what is
  // called for that may write there, too.
  stored(n, f, targets) {
    const right = n.expression?.type === 'AssignmentExpression' && n.expression.right;
    if (right && calls(right)) this.source.around(right, `${f}.stored((`, `),${this.source.looks(targets, n.fn)})`);
  }

  // resumed puts a second look at what a statement writes to behind each wait in it: others go on
  // meanwhile.
  resumed(n, own, f, targets) {
    each(n, (x) => {
      if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
      if (/^(Await|Yield)Expression$/.test(x.type)) this.source.around(x, `${f}.resumed((`, `),${this.source.looks(targets, own)})`);
    });
  }

  // each is a list in which nothing stands twice.
  each(list) {
    const { paths } = this.source;
    return list.filter((t, i) => list.findIndex((u) => paths.text(u) === paths.text(t)) === i);
  }

  // renamed are the objects that a node changes by another name than that which is asked
  // about, and those that it names so, which something else may change then.
  renamed(n, asked) {
    const { paths } = this.source, list = [], named = [], known = new Set(asked.map((t) => paths.text(t)));
    const add = (x) => x && pure(x) && x.type !== 'CallExpression' && paths.known(x) && !known.has(paths.text(x)) && list.push(x);
    const into = (t) => t.type === 'MemberExpression' && choices(t.object).forEach(add);
    each(n, (x) => {
      if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
      if (x.type === 'AssignmentExpression') names(x.left).forEach(into);
      if (x.type === 'UpdateExpression') into(x.argument);
      if (x.type === 'UnaryExpression' && x.operator === 'delete') into(x.argument.type === 'ChainExpression' ? x.argument.expression : x.argument);
      if (x.type === 'CallExpression') within(x).forEach(add);
      if (isRead(x) && !x.computed && pure(x) && this.source.asked(x)) named.push(x); // a key that is worked out may be another name
    });
    const target = (flag) => (x) => ({ inside: x, scope: x.scope, flag });
    return [...this.each(list).map(target(ALIAS)), ...this.each(named).map(target(NAMED))];
  }

  // assigned are the targets of what assigns to a variable or a member.
  assigned(t) {
    if (this.all && (!pure(t) || ends(t)) || this.only && !pure(t) && t.type === 'MemberExpression') return [...this.somewhere(t), ...(this.only ? this.around(t) : [])];
    if (!pure(t)) return this.around(t);
    return this.whole && t.type === 'MemberExpression' ? [t, t.object] : [t];
  }

  // around is the object of a target whose key cannot be looked at, where what changes within
  // it is wanted.
  around({ type, object }) {
    if (!this.whole || type !== 'MemberExpression') return [];
    const all = choices(object).filter((x) => pure(x) && x.type !== 'CallExpression');
    return all.length > 1 || all[0] !== object ? all.map((x) => ({ ...x, touched: true })) : all;
  }

  // somewhere is the object of a target whose key is worked out, or is another afterwards:
  // what of it has changed is found in it then.
  somewhere({ object, scope }) {
    return pure(object) && object.type !== 'CallExpression' && this.source.paths.known(object, scope) ? [{ inside: object, scope, flag: EXACT }] : [];
  }

  // unnamed says of a call that it changes what another call gives back: nothing names that, so that it cannot
  // be looked at before.
  unnamed(x) {
    const { source } = this;
    if (!within(x).some((held) => held.type === 'CallExpression' && !pure(held) && !FRESH.has((held.callee.property || held.callee).name))) return;
    const [file, line] = source.place(x);
    source.told.remarks.push(`${path.basename(file)}:${line} changes what a call gives back: where that lies in the object asked about, it is no row; ask about what the call gives back by a name of its own`);
  }

  // changed are the targets of a call that changes what an object holds.
  changed(x, list) {
    const { callee, scope } = x, args = x.arguments;
    if (callee.type !== 'MemberExpression' || callee.computed) return;
    const name = callee.property.name, object = callee.object;
    const given = object.type === 'Identifier' && args.length && PLACING.get(object.name)?.has(name) && pure(args[0]) && args[0].type !== 'CallExpression';
    if (given && !(this.whole && !this.only)) list.push({ inside: args[0], scope, flag: EXACT });
    if (this.whole) {
      for (const held of within(x)) if (pure(held) && held.type !== 'CallExpression') list.push({ ...held, touched: true });
      return;
    }
    if (!pure(object) || object.type === 'CallExpression' || !this.source.paths.known(object, scope)) return;
    if (CHANGING.has(name)) list.push({ inside: object, scope, flag: METHOD });
    if ((name === 'set' || name === 'delete') && args.length && pure({ type: 'MemberExpression', object, computed: true, property: args[0] })) {
      list.push({ entry: object, key: args[0], scope });
    } else if (this.all && name === 'set' && args.length === 2) list.push({ inside: object, scope, flag: METHOD });
  }
}

// passedBy says of what assigns in a statement that this need not come to it.
function passedBy(x, statement) {
  if (/^(&&|\|\||\?\?)=$/.test(x.operator)) return true;
  for (let at = x; at !== statement && at.parent; at = at.parent) {
    const p = at.parent;
    if (p.type === 'LogicalExpression' && p.right === at || p.type === 'ConditionalExpression' && p.test !== at) return true;
    if (p.type === 'AssignmentExpression' && p.right === at && passedBy(p, p)) return true;
  }
  return false;
}

// isRead says of a name or a member that it stands where it is read.
function isRead(x) {
  if (x.type === 'MemberExpression') return true;
  const p = x.parent;
  return x.type === 'Identifier' && !(p.type === 'MemberExpression' && p.property === x && !p.computed) &&
    !(p.type === 'Property' && p.key === x && !p.computed) && !(p.type === 'VariableDeclarator' && p.id === x);
}

// within are those of which a call may change the inside: that on which it is made, and what a method which changes
// something is handed on with, as in xs.forEach(list.push, list) and list.push.apply(list, xs).
function within({ callee, arguments: args }) {
  if (callee.type !== 'MemberExpression' || callee.computed) return [];
  const { object, property: { name } } = callee;
  if (object.type === 'Identifier' && object.name === 'Object' && name === 'assign') return args.slice(0, 1);
  if (changes(name)) return choices(seen(object));
  const handed = [object, ...args].filter((x) => x.type === 'MemberExpression' && !x.computed && changes(x.property.name));
  return handed.length ? [...handed.map((x) => x.object), ...args].filter((x) => pure(x)) : [];
}

const changes = (name) => CHANGING.has(name) || name === 'set' || name === 'delete';

// choices are the expressions of which one gives what an expression does.
function choices(x) {
  switch (x.type) {
    case 'ConditionalExpression': return [...choices(x.consequent), ...choices(x.alternate)];
    case 'LogicalExpression': return [...choices(x.left), ...choices(x.right)];
    case 'SequenceExpression': return choices(x.expressions.at(-1));
  }
  return [x];
}

// seen is what a piece of a typed array shows: the elements are those of the whole.
function seen(x) {
  while (x.type === 'CallExpression' && x.callee.type === 'MemberExpression' && !x.callee.computed && x.callee.property.name === 'subarray') x = x.callee.object;
  return x;
}

// ends says that a target is behind the end of a list, which the write moves.
function ends({ type, computed, property }) {
  return type === 'MemberExpression' && computed && property.type === 'MemberExpression' && !property.computed && property.property.name === 'length';
}

module.exports = { Targets };
