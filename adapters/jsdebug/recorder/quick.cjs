// Puts the beginning and the end of its calls into a function whose calls are counted, so that
// one which is not noted costs next to nothing.
'use strict';

// quick does so where no finally of the program's own may follow a return, and nothing but a
// return or an error ends the function: an engine makes little of what comes in a finally, and
// of an object of several kinds. Enter is what begins a call.
function quick(source, n, enter) {
  const f = '__aidb_f' + n.depth, r = '__aidb_r' + n.depth;
  const before = `${enter}let ${r};try{`, behind = `}catch(__aidb_e){${f}===undefined||${f}.threw(__aidb_e);throw __aidb_e}`;
  const keep = [`(${r}=(`, (at) => `),${f}===undefined||${f}.gone(${at},${r}),${r})`];
  if (n.body.type !== 'BlockStatement') return source.opened(n, `{${before}return ${keep[0]}`, `${keep[1](source.at(n.body))}${behind}}`);
  source.first(n.body, before);
  source.last(n.body, `;${f}===undefined||${f}.end();${behind}`);
  for (const x of n.within.returns) source.around({ start: x.argument.start, end: x.argument.end, level: x.level }, keep[0], keep[1](source.at(x)));
  for (const x of n.within.bare) source.bare(x, ` (${f}===undefined||${f}.end(),undefined)${source.code[x.end - 1] === ';' ? '' : ';'}`);
}

// counterOf is the variable of what counts a function's calls, and knows what is noted of each.
function counterOf(source, n, known) {
  const name = '__aidb_c' + source.counters.length;
  source.counters.push(`${name}=__aidb.counter(${JSON.stringify(`${source.name}:${n.start}`)},${known})`);
  return name;
}

module.exports = { quick, counterOf };
