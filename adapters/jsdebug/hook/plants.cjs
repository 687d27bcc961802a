'use strict';
// A function with a breakpoint in it is interpreted, however often it runs. So a line that was
// asked for before the program began gets a statement in front of it instead, as its script is
// loaded, which costs nothing until it is reached. It stands at the end of a line before, where
// no place in the code moves by it. One more stands near the beginning of the script, and stops
// the program for as long as V8 takes to forget the breakpoints again: it had set them when it
// read the script, and what is in the middle of a function must not be changed. Whoever passes
// on what node's inspector says has put the lines down for us, and sets the breakpoint when the
// statement stops the program: see plants.go in the package inspector.
//
// It is done for scripts that node itself loads as they are, and where nothing counts letters
// of the source, as what measures coverage does.
const fs = require('fs');
const Module = require('module');
const { fileURLToPath, pathToFileURL } = require('url');

const ASKED = '__aidbAsked', TELL = '__aidbPlanted'; // are there until we have them
const PLANT = /;if\(__aidb\.plants\[\d+\]\)debugger;/g;
const LOADER = /\(node:internal\/modules\/cjs\/loader:\d+:\d+\)$/;
const STATEMENTS = /^(?:Expression|Return|Throw|If|For|ForIn|ForOf|While|DoWhile|Switch|Try|Break|Continue)Statement$/;
const FIRST = /^(?:Expression|Return|Throw|If|Switch)Statement$|^VariableDeclaration$/;
const OPEN = /^(?:toString|toJSON|valueOf|inspect|constructor)$/; // what a debugger calls to show a value

// plantsIn has the scripts planted for which lines are asked; hook is what others see of it.
function plantsIn(hook) {
  const asked = globalThis[ASKED], tell = globalThis[TELL];
  delete globalThis[ASKED];
  delete globalThis[TELL];
  if (!asked || !tell || process.env.NODE_V8_COVERAGE || process.execArgv.some((a) => /coverage|cpu-prof/.test(a))) return;
  for (const a of asked) a.pattern = new RegExp(a.url);
  hook.plants = [];
  const compile = Module.prototype._compile, load = Module._extensions['.js'];
  // Nothing of ours is on the stack when the script runs.
  const kept = {
    configurable: true,
    get() {
      const mine = typeof this.filename === 'string' && asked.filter((a) => a.pattern.test(pathToFileURL(this.filename).href));
      if (!mine || !mine.length || Module._extensions['.js'] !== load || !loads()) return compile;
      try {
        const { filename } = this;
        const text = planted({ file: filename, url: pathToFileURL(filename).href, text: fs.readFileSync(filename, 'utf8') }, mine, hook.plants, tell);
        return text === undefined ? compile : compile.bind(this, text, this.filename, undefined);
      } catch {
        return compile; // it cannot be read or parsed: node says so
      }
    },
    set(value) {
      Object.defineProperty(this, '_compile', { value, writable: true, configurable: true, enumerable: true });
    },
  };
  Object.defineProperty(Module.prototype, '_compile', { ...kept, enumerable: true });
  plantModules(asked, hook.plants, tell);
  ownSource();
}

// plantModules does it for ES modules, where node can be asked on its own thread how they are loaded, and
// nobody else has a part in that.
function plantModules(asked, plants, tell) {
  const options = [...process.execArgv, process.env.NODE_OPTIONS || ''].join(' ');
  if (!Module.registerHooks || /(?:^|\s)--(?:import|(?:experimental-)?loader)\b/.test(options)) return;
  Module.registerHooks({
    load(url, context, next) {
      const loaded = asNode(() => next(url, context));
      const mine = loaded.format === 'module' && url.startsWith('file:') && asked.filter((a) => a.pattern.test(url));
      if (!mine || !mine.length) return loaded;
      try {
        const file = fileURLToPath(url), text = fs.readFileSync(file, 'utf8');
        if (Buffer.from(loaded.source).toString() !== text) return loaded;
        const source = planted({ file, url, text, isModule: true }, mine, plants, tell);
        return source === undefined ? loaded : { ...loaded, source };
      } catch {
        return loaded; // node says what is wrong with it
      }
    },
  });
}

// asNode lets an error of node's loader be as it is without us in between.
function asNode(load) {
  try {
    return load();
  } catch (error) {
    try {
      error.stack = error.stack.split('\n').filter((line) => !line.includes(__filename)).join('\n');
    } catch {
      // It has none.
    }
    throw error;
  }
}

// loads says that node's loader asks.
function loads() {
  const { stackTraceLimit, prepareStackTrace } = Error;
  try {
    Error.stackTraceLimit = 3;
    Error.prepareStackTrace = undefined;
    return LOADER.test(new Error().stack.split('\n')[3]);
  } catch {
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

// planted is a script with what is planted in it; undefined: nothing is.
function planted({ file, url, text, isModule }, asked, plants, tell) {
  if (!/\.[cm]?js$/.test(file) || text.startsWith('\ufeff') || /[#@] sourceMappingURL=/.test(text) || text.includes('__aidb.')) return undefined;
  const { children, program } = require('./aidb-acorn.cjs');
  const lines = new Lines(text), made = [];
  const own = new Set(); // lines at whose first statement V8 can stop
  const visit = (n) => {
    if (n.type === 'MethodDefinition' || n.type === 'Property') {
      if (n.kind === 'get' || OPEN.test(n.key.name)) return;
    }
    if (n.type === 'Program') n.body.forEach(note);
    if (n.type === 'BlockStatement') n.body.forEach((s, i) => add(s, i > 0 ? n.body[i - 1].end : n.start + 1));
    if (n.type === 'SwitchCase') n.consequent.forEach((s, i) => i > 0 && add(s, n.consequent[i - 1].end));
    children(n, visit);
  };
  // note says whether V8 can stop at the beginning of a statement, which is the first of its line.
  const note = (s) => {
    const from = lines.at(s.start);
    if (text.slice(lines.starts[from[0]], s.start).trim() || !stops(s)) return false;
    if (FIRST.test(s.type)) own.add(from[0]);
    return true;
  };
  // taken says that a breakpoint further up may have no other place than that of a plant.
  const taken = (before) => asked.some((a) => a.line <= before[0] && (a.line > 0 || a.column > 0) && !between(own, a.column > 0 ? before[0] : a.line, before[0]));
  const put = (end, more) => {
    const [line, column] = lines.at(end);
    made.push({ number: plants.length + made.length, end, test: [line, column + 1], ...more });
  };
  const add = (s, end) => {
    const from = lines.at(s.start), before = lines.at(end);
    if (!note(s) || before[0] === from[0] || taken(before)) return;
    if (asked.some((a) => a.line > before[0] && (a.line < from[0] || (a.line === from[0] && a.column <= from[1])))) put(end, { from, to: lines.at(s.end) });
  };
  const tree = program(text, isModule);
  visit(tree);
  const first = tree.body.findIndex((s, i) => i + 1 === tree.body.length || lines.at(s.end)[0] < lines.at(tree.body[i + 1].start)[0]);
  if (!made.length || taken(lines.at(tree.body[first].end))) return undefined;
  put(tree.body[first].end, { begins: true });
  let code = text;
  for (const p of made.sort((a, b) => b.end - a.end)) {
    const plant = `;if(__aidb.plants[${p.number}])debugger;`;
    p.stop = [p.test[0], p.test[1] + plant.length - 'debugger;'.length - 1];
    code = code.slice(0, p.end) + plant + code.slice(p.end);
  }
  for (const p of made) plants[p.number] = !!p.begins; // the others are of use only when their script is known
  tell(JSON.stringify({ url, plants: made }));
  return code;
}

function between(lines, from, to) {
  for (let line = from; line <= to; line++) if (lines.has(line)) return true;
  return false;
}

// stops says that V8 can stop at a statement's beginning, or within it and nowhere before.
function stops(s) {
  if (s.type === 'VariableDeclaration') return s.declarations.every((d) => d.init);
  return s.directive === undefined && STATEMENTS.test(s.type);
}

// Lines knows in which line and column a letter is, counted from 0.
class Lines {
  constructor(text) {
    this.starts = [0];
    for (const m of text.matchAll(/\r\n?|[\n\u2028\u2029]/g)) this.starts.push(m.index + m[0].length);
  }

  at(offset) {
    let low = 0, high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return [low, offset - this.starts[low]];
  }
}

// ownSource keeps from the program what was put into its functions.
function ownSource() {
  const { toString } = Function.prototype;
  const replaced = {
    toString() {
      return withoutPlants(Reflect.apply(toString, this === replaced ? toString : this, arguments));
    },
  }.toString;
  Object.defineProperty(Function.prototype, 'toString', { value: replaced, configurable: true, writable: true, enumerable: false });
}

function withoutPlants(text) {
  return text.includes(';if(__aidb.plants[') ? text.replace(PLANT, '') : text;
}

module.exports = { plantsIn };
