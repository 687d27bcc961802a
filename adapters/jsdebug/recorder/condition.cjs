// What an expression of a wish is about: the names that it begins with, and what it compares.
'use strict';
const { each } = require('./acorn.cjs');
const { prepare, declared, FUNCTION } = require('./scopes.cjs');

const RESULT = 'result'; // what a condition calls the value that a function has returned
const EACH = 'each'; // and the instance for which it is judged
const COMPARES = /^(?:[=!]==?|[<>]=?|in|instanceof)$/;
const RUNS = /^(?:Call|New|TaggedTemplate|Import|Await|Yield)Expression$|^TaggedTemplate/;

// Asked is an expression, and what has to be there for it to have a value.
class Asked {
  constructor(text, tree) {
    this.text = text;
    this.free = new Set(); // names
    this.uses = []; // where they stand
    this.privates = new Set(); // names of private members
    this.self = false; // it is about "this"
    this.above = false; // and about "super"
    this.members = new Set(); // of "this"
    const around = { type: 'ExpressionStatement', start: tree.start, end: tree.end, expression: tree };
    prepare({ type: 'Program', start: tree.start, end: tree.end, body: [around] });
    each(around, (n) => this.node(n));
  }

  node(n) {
    switch (n.type) {
      case 'Identifier':
        if (!isName(n) || declared(n.name, n.scope)) break;
        this.free.add(n.name);
        if (!n.parent.shorthand) this.uses.push(n);
        break;
      case 'PrivateIdentifier':
        this.privates.add(n.name);
        break;
      case 'ThisExpression':
        this.self ||= !within(n);
        break;
      case 'Super':
        this.above = true;
        break;
      case 'MemberExpression':
        if (n.object.type === 'ThisExpression' && !n.computed && !n.optional && !within(n)) this.members.add(n.property);
    }
  }

  // source is the text, or a part of it, with names as a place has them.
  source(named, { start, end } = { start: 0, end: this.text.length }) {
    const parts = [];
    let done = start;
    for (const use of this.uses) {
      if (use.start < start || use.end > end) continue;
      parts.push(this.text.slice(done, use.start), named(use.name));
      done = use.end;
    }
    return parts.join('') + this.text.slice(done, end);
  }
}

// isName says that an identifier is a name, and not one of a member.
function isName(n) {
  const p = n.parent;
  switch (p.type) {
    case 'MemberExpression': return p.object === n || p.computed;
    case 'Property': return p.value === n || p.computed || p.shorthand;
    case 'MethodDefinition': case 'PropertyDefinition': return p.value === n || p.computed;
    case 'MetaProperty': return false;
  }
  return true;
}

// within says that a node stands in a function of the expression's own that has a "this".
function within(n) {
  for (let f = n.fn; f; f = f.fn) if (f.type !== 'ArrowFunctionExpression') return true;
  return false;
}

// Condition is what a First judges.
class Condition extends Asked {
  constructor(text, tree, ofEach) {
    super(text, tree);
    this.ofEach = ofEach && this.free.delete(EACH);
    this.ofResult = !this.ofEach && this.free.delete(RESULT);
    this.given = this.ofEach ? EACH : this.ofResult ? RESULT : undefined; // what a judgement is given beside what it reads
    const operands = new Map(); // by their texts
    compared(tree, (n) => operands.set(text.slice(n.start, n.end).replace(/\s+/g, ' '), n));
    const all = [...operands].map(([name, n]) => ({ name, start: n.start, end: n.end, harmless: harmless(n) }));
    this.kept = all.filter((o) => o.harmless); // looking at one does no more than that
    this.called = all.filter((o) => !o.harmless);
  }
}

// compared finds the operands of what a condition is made of, those that are no constants.
function compared(n, found) {
  if (n.type === 'LogicalExpression' || n.type === 'BinaryExpression' && COMPARES.test(n.operator)) {
    compared(n.left, found);
    if (n.operator !== 'instanceof') compared(n.right, found);
  } else if (n.type === 'UnaryExpression' && n.operator === '!') {
    compared(n.argument, found);
  } else if (!constant(n)) {
    found(n);
  }
}

function constant(n) {
  let is = true;
  each(n, (x) => { is &&= /^(?:Literal|UnaryExpression|BinaryExpression|TemplateLiteral|TemplateElement)$/.test(x.type) || x.type === 'Identifier' && /^(?:undefined|NaN|Infinity)$/.test(x.name); });
  return is;
}

function harmless(n) {
  let is = true;
  each(n, (x) => {
    is &&= !RUNS.test(x.type);
    return !FUNCTION.test(x.type);
  });
  return is;
}

module.exports = { Asked, Condition, EACH };
