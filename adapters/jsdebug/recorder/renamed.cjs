// What a bundler calls the variables of a source: it gives one another name where two sources
// have one of the same. A source map says how they were called.
'use strict';
const { each, expression } = require('./acorn.cjs');
const { FUNCTION, declared } = require('./scopes.cjs');

class Renamed {
  constructor(places) {
    this.places = places;
    this.names = new Set(places.map?.payload.names || []);
  }

  // original is how the source calls what an identifier declares; undefined where the map
  // does not say.
  original(id) {
    const line = this.places.line(id.start), e = this.places.entry(id.start, line);
    const column = id.start - this.places.begins[line - 1] - (line === 1 ? this.places.shift : 0);
    return e && e.generatedLine === line - 1 && e.generatedColumn === column ? e.name : undefined;
  }

  // called is how the source calls a variable that an identifier declares.
  called(id) {
    return this.names.size ? this.original(id) ?? id.name : id.name;
  }

  // said says that the source has a name. What a compiler makes of an import has one that
  // nobody can ask about.
  said(root) {
    const texts = this.places.map?.payload.sourcesContent;
    if (root.type !== 'Identifier' || !texts || texts.some((t) => typeof t !== 'string')) return true;
    this.words ??= new Set(texts.flatMap((t) => t.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) || []));
    const s = declared(root.name, root.scope);
    return this.words.has(s ? this.called(s.names.get(root.name).id) : root.name);
  }

  // of is the name that the code has for what the source calls so, in a scope.
  of(name, scope) {
    if (!this.names.has(name)) return name;
    for (let s = scope; s; s = s.up) {
      for (const [own, { id }] of s.names) if ((this.original(id) ?? own) === name) return own;
    }
    return name;
  }

  // written is how the source writes what begins with a name of the code.
  written(text, root, scope) {
    if (!this.names.size || root.type !== 'Identifier' || root.own !== undefined || !text.startsWith(root.name)) return text;
    const s = declared(root.name, scope), name = s && this.original(s.names.get(root.name).id);
    return name ? name + text.slice(root.name.length) : text;
  }

  // text is an expression of the source as it stands in the code.
  text(text, scope) {
    if (!this.names.size) return text;
    const found = [];
    const visit = (x) => each(x, (y) => {
      if (FUNCTION.test(y.type)) return false; // it has names of its own
      if (y.type === 'Identifier') found.push(y);
      if (y.type === 'Property' && y.shorthand) return false;
      if (y.type !== 'MemberExpression' || y.computed) return undefined;
      visit(y.object);
      return false;
    });
    visit(expression(text));
    for (const { start, end, name } of found.sort((a, b) => b.start - a.start)) text = text.slice(0, start) + this.of(name, scope) + text.slice(end);
    return text;
  }
}

module.exports = { Renamed };
