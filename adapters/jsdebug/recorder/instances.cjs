// Knows the instances of a type from when their constructors return, for as long as node
// keeps them. Builds puts what tells of them into the classes of a source.
'use strict';
const { each } = require('./acorn.cjs');
const { nameOf, FUNCTION } = require('./scopes.cjs');
const { own } = require('./whole.cjs');

const MOST = 100000; // that are known: of what comes after them nothing is
const LEAVES = /^(?:Return|Throw)Statement$/;

class Instances {
  constructor(name) {
    this.name = name;
    this.all = [];
    this.number = 0;
    this.known = new WeakSet();
    this.kinds = new WeakMap(); // by prototype: whether it is meant
    this.left = 0; // that were too many
  }

  // built: a constructor returns; last says that it is not one of a parent.
  built(it, last) {
    if (!last || this.known.has(it) || !this.meant(Object.getPrototypeOf(it))) return;
    if (this.number >= MOST) {
      this.left++;
      return;
    }
    this.known.add(it);
    this.all.push({ ref: new WeakRef(it), number: ++this.number, held: false, was: undefined });
  }

  meant(prototype) {
    if (prototype === null) return false;
    let is = this.kinds.get(prototype);
    if (is === undefined) this.kinds.set(prototype, (is = this.named(own(prototype, 'constructor')) || this.meant(Object.getPrototypeOf(prototype))));
    return is;
  }

  named(type) {
    return typeof type === 'function' && own(type, 'name') === this.name;
  }

  // living are those that live, each with the object.
  living() {
    const found = [];
    for (const one of this.all) {
      const it = one.ref.deref();
      if (it !== undefined) found.push([one, it]);
    }
    if (found.length < this.all.length) this.all = found.map(([one]) => one);
    return found;
  }

  // remark is what there is to say of them at the end.
  remark() {
    if (this.left) return `only the first ${MOST} instances of ${this.name} were looked at`;
    return this.number ? '' : `no constructor of ${this.name} in the program's own sources has returned, by which its instances are known`;
  }
}

// Builds puts it into one source, behind all judgements.
class Builds {
  constructor(source) {
    this.source = source;
  }

  put() {
    each(this.source.tree, (n) => {
      if (n.type === 'ClassDeclaration' || n.type === 'ClassExpression') this.type(n);
      else if (/^Function/.test(n.type) && !n.async && !n.generator && n.parent.type !== 'MethodDefinition' && nameOf(n) === this.source.wish.first.each) this.body(n.body, 'new.target&&__aidb.built(this,true);');
    });
  }

  type(n) {
    const text = `__aidb.built(this,${n.id ? `new.target===${n.id.name}` : 'true'});`;
    const made = n.body.body.find((m) => m.kind === 'constructor');
    if (made) this.body(made.value.body, text);
    else this.source.first(n.body, n.superClass ? `constructor(...__aidb_a){super(...__aidb_a);${text}}` : `constructor(){${text}}`);
  }

  // body tells at the end of a constructor, and where it returns its object before that.
  body(body, text) {
    each(body, (n) => {
      if (n.type === 'ReturnStatement' && !n.argument) this.source.around(n, `{${text}`, '}');
      return !FUNCTION.test(n.type);
    });
    const last = body.body[body.body.length - 1];
    if (!last || !LEAVES.test(last.type)) this.source.last({ ...body, level: body.level - 0.5 }, `;${text}`);
  }
}

// unbuilt are the classes without a constructor of their own, each with what it extends.
function unbuilt(tree, code) {
  const found = [];
  const add = (n, id) => {
    if (id?.type === 'Identifier' && !n.body.body.some((m) => m.kind === 'constructor')) found.push([id.name, n.superClass ? code.slice(n.superClass.start, n.superClass.end).slice(0, 80) : '']);
  };
  each(tree, (n) => {
    if (n.type === 'ClassDeclaration' || n.type === 'ClassExpression') add(n, n.id);
    else if (n.type === 'VariableDeclarator' && n.init?.type === 'ClassExpression') add(n.init, n.id);
  });
  return found.slice(0, 500);
}

module.exports = { Instances, Builds, unbuilt };
