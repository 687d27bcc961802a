// Says where the statements of calls stand, so that who has called a function is known without
// a look at the stack, which takes longer than all else that is noted of a call.
'use strict';
const { each } = require('./acorn.cjs');
const { FUNCTION } = require('./scopes.cjs');
const { VOUCHES, RESTS, UNSURE } = require('./flags.cjs');

// INERT are nodes that call nothing by themselves.
const INERT = new Set(['ExpressionStatement', 'VariableDeclaration', 'VariableDeclarator', 'Identifier', 'Literal', 'ThisExpression', 'ParenthesizedExpression']);

// UNSEEN are methods that the language itself calls, so that no statement is there that does.
const UNSEEN = new Set(['next', 'return', 'throw']);

const BACK = '__aidb.back()';

class Heres {
  constructor(source) {
    this.source = source;
  }

  // kind says of a function whether it is known what has called it, and whether what it calls is
  // called by one of its statements.
  kind(n) {
    if (n.async || n.generator) return RESTS;
    if (!this.source.all) return VOUCHES;
    return n.unwrapped || this.source.vague || byLanguage(n) ? UNSURE : VOUCHES;
  }

  // of is what says that a statement or an expression of one runs; empty where it calls nothing.
  of(n, f) {
    return this.source.all && !inert(n) ? `${f}.here(${this.source.at(n)})` : '';
  }

  // put says it where nothing else is noted, or where what runs is of no statement.
  put(n) {
    const { source } = this, f = source.frameOf(n);
    switch (n.type) {
      case 'ForStatement': {
        const first = n.init?.type === 'VariableDeclaration' && n.init.declarations.find((d) => d.init && !inert(d.init))?.init;
        return first && source.around(first, `(${this.of(first, f)},`, ')');
      }
      case 'ClassDeclaration': return n.list && source.begin(n, `${f}.here(${source.at(n)});`);
      case 'YieldExpression': return source.around(n, '__aidb.back((', '))');
      case 'PropertyDefinition': return n.value && (n.computed || n.key.type === 'Literal') && this.foreign(n.value);
    }
    if (FUNCTION.test(n.type)) for (const p of n.params) this.param(p);
  }

  // param: what a parameter is where none is given is worked out before the call has begun.
  param(p) {
    each(p, (x) => {
      if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
      if (x.type === 'AssignmentPattern') this.foreign(x.right);
    });
  }

  foreign(n) {
    if (!inert(n)) this.source.around(n, `(${BACK},`, ')');
  }
}

// inert says that a node calls nothing.
function inert(n) {
  let calls = false;
  each(n, (x) => {
    if (FUNCTION.test(x.type)) return false;
    calls ||= !INERT.has(x.type);
    return !calls;
  });
  return calls === false;
}

// byLanguage says of a function that it may be called without a call in any statement.
function byLanguage({ parent }) {
  if (parent?.type !== 'Property' && parent?.type !== 'MethodDefinition') return false;
  return parent.kind === 'get' || parent.kind === 'set' || parent.computed || UNSEEN.has(parent.key.name ?? parent.key.value);
}

module.exports = { Heres };
