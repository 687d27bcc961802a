'use strict';
// What tape's own results tell of an assertion.

// isUnmet says that it fails its test.
function isUnmet(result) {
  return !!result && result.ok === false && !result.todo && !result.skip;
}

// unmet is the error that tape does not throw, as if it were thrown where something is called.
function unmet(result, called) {
  const error = new Error(String(result.name));
  Error.captureStackTrace(error, called);
  error.name = 'AssertionError';
  for (const part of ['operator', 'expected', 'actual']) if (part in result) error[part] = result[part];
  return error;
}

module.exports = { isUnmet, unmet };
