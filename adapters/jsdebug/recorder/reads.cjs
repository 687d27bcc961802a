// What a statement reads, and whether it calls something.
'use strict';
const { each } = require('./acorn.cjs');
const { pure, entry } = require('./paths.cjs');
const { FUNCTION } = require('./scopes.cjs');

const MANY = 40; // of them

// readsOf are the operands of a statement: variables and members that can be looked at.
function readsOf(n, paths) {
  const list = [], seen = new Set();
  const add = (x) => {
    const text = paths.text(x);
    if (seen.has(text) || !paths.known(x) || list.length >= MANY) return;
    seen.add(text);
    list.push(x);
  };
  const visit = (x) => {
    if (!x || FUNCTION.test(x.type) || /^Class/.test(x.type) || x.type === 'TemplateElement') return;
    switch (x.type) {
      case 'VariableDeclaration': return x.declarations.forEach((d) => visit(d.init));
      case 'AssignmentExpression':
        if (x.operator !== '=' && pure(x.left)) add(x.left);
        return visit(x.right);
      case 'UpdateExpression': return pure(x.argument) && add(x.argument);
      case 'CallExpression': case 'NewExpression':
        if (x.type === 'CallExpression' && entry(x)) add(x);
        if (x.callee.type === 'MemberExpression' && pure(x.callee.object)) add(x.callee.object);
        else if (x.callee.type !== 'Identifier') visit(x.callee);
        return x.arguments.forEach(visit);
      case 'Property': return x.computed ? (visit(x.key), visit(x.value)) : visit(x.value);
      case 'Identifier': case 'MemberExpression': case 'ThisExpression':
        if (pure(x)) return add(x);
    }
    Object.keys(x).length && each(x, (y) => (y === x ? true : (visit(y), false)));
  };
  visit(n);
  return list;
}

// calls says that a statement calls something: what it puts somewhere may be the result,
// even if it reads nothing besides.
function calls(n) {
  let found = false;
  each(n, (x) => {
    if (FUNCTION.test(x.type) || x.type === 'ClassBody') return false;
    found ||= x.type === 'CallExpression' || x.type === 'NewExpression';
  });
  return found;
}

module.exports = { readsOf, calls };
