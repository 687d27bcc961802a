// Where an error came to be raised, which is not always where it first leaves a call: a promise
// that is rejected hands its error on at each await.
'use strict';
const { isError } = require('./looks.cjs');
const { frames } = require('./stacks.cjs');

const thrown = new WeakMap(); // of errors: the statement that has thrown it first
const told = new WeakSet();

// throwing puts what notes that around what a statement of a function throws, within what is put
// around the statement: without a semicolon both end at one place.
function throwing(source, { argument: { start, end } }, fn, level, at) {
  source.around({ start, end, level: level + 0.5 }, `__aidb.throws(${at},${JSON.stringify(fn.called)},(`, '))');
}

function throws(at, name, value) {
  if (isError(value) && !thrown.has(value)) thrown.set(value, `${name} ${at}`);
  return value;
}

// origin is where an error that leaves a call was raised, once: the statement that has thrown it, or
// else where it was made, by its own stack.
function origin(recorder, error) {
  if (told.has(error)) return undefined;
  told.add(error);
  return thrown.get(error) || frames(recorder, error)[0];
}

module.exports = { throwing, throws, origin };
