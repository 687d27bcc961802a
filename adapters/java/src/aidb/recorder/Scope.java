package aidb.recorder;

import aidb.expression.Expression;
import aidb.expression.TypeName;
import aidb.expression.Values;
import aidb.text.Closest;
import aidb.text.Failure;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What names mean at a line of the program. */
class Scope implements Values<Got> {
    final Site site;
    final Object self; // null in a static method
    private final Object[] values;
    private final Frame frame; // null where calls are not numbered

    Scope(Site site, Object self, Object[] values, Frame frame) {
        this.site = site;
        this.self = self;
        this.values = values;
        this.frame = frame;
    }

    List<Code.Variable> variables() {
        return site.variables;
    }

    Object value(int i) {
        return values[i];
    }

    Object[] values() {
        return values;
    }

    /** Whether a method may be called on an object of a class. */
    boolean calls(Class<?> type, String method) {
        return true;
    }

    static String member(Code.Variable v) {
        return v.name() + "@" + v.slot();
    }

    @Override
    public Got name(String name) {
        for (int i = 0; i < values.length; i++) {
            Code.Variable v = site.variables.get(i);
            if (v.name().equals(name)) {
                Got got = new Got(values[i], v.descriptor().length() == 1);
                return frame == null ? got : got.at(frame.place(member(v)));
            }
        }
        Class<?> here = site.type();
        Got found = here == null ? null : field(here, self, name);
        if (found != null) {
            return found;
        }
        Class<?> type = type(name);
        if (type != null) {
            return Got.named(type);
        }
        if (site.later.contains(name)) {
            throw new Failure("%s has no value yet, or no more, when this line begins", name);
        }
        throw new Failure("there is no %s here%s", name, unknown(name));
    }

    private String unknown(String name) {
        if (site.variables.isEmpty() && !site.index) {
            return "; no local variable has a name or a value at this line";
        }
        return Closest.meant(name, names());
    }

    /** The field of a class, of this object or of those around it. */
    private Got field(Class<?> here, Object object, String name) {
        Class<?> type = here;
        for (int depth = 0; type != null && depth < 8; depth++) {
            Field f = Reach.field(type, name);
            if (f != null && (Modifier.isStatic(f.getModifiers()) || object != null)) {
                return member(f, object);
            }
            Field captured = object == null ? null : Reach.field(type, "val$" + name);
            if (captured != null) {
                return member(captured, object);
            }
            Field outer = object == null ? null : outer(type);
            object = outer == null ? null : Reach.get(outer, object);
            type = type.getEnclosingClass();
        }
        return null;
    }

    static Field outer(Class<?> type) {
        for (int i = 0; i < 4; i++) {
            Field f = Reach.field(type, "this$" + i);
            if (f != null) {
                return f;
            }
        }
        return null;
    }

    static Got member(Field f, Object of) {
        boolean fixed = Modifier.isStatic(f.getModifiers());
        Got got = new Got(Reach.get(f, of), f.getType().isPrimitive());
        return fixed ? got.fixed(f.getDeclaringClass(), f.getName()) : got.field(of, f.getName());
    }

    /** The class that a name means here; null when none is known. */
    Class<?> type(String name) {
        Class<?> known = site.types.get(name);
        if (known == null && (known = find(name)) != null) {
            site.types.put(name, known);
        }
        return known;
    }

    private Class<?> find(String name) {
        Class<?> here = site.type();
        List<String> tries = new ArrayList<>();
        for (Class<?> c = here; c != null; c = c.getEnclosingClass()) {
            tries.add(c.getName() + "$" + name);
        }
        String of = here == null ? "" : here.getPackageName();
        tries.add(of.isEmpty() ? name : of + "." + name);
        tries.add(name);
        tries.add("java.lang." + name);
        tries.add("java.util." + name);
        for (String full : tries) {
            try {
                return Class.forName(full, false, site.loader);
            } catch (ClassNotFoundException | LinkageError e) {
                continue;
            }
        }
        for (Class<?> c : Reach.by.getAllLoadedClasses()) {
            if (!c.isArray() && c.getName().endsWith("." + name)) {
                return c; // imported, most likely
            }
        }
        return null;
    }

    private List<String> names() {
        Set<String> names = new LinkedHashSet<>();
        site.variables.forEach(v -> names.add(v.name()));
        for (Class<?> c = site.type(); c != null && c != Object.class; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                names.add(f.getName());
            }
        }
        return List.copyOf(names);
    }

    // What expressions are worth here.

    /** Whatever the program's own code throws is a failure of the expression. */
    final Got guarded(Expression e) {
        try {
            Got got = e.value(this);
            if (got.type != null) {
                throw new Failure("it is the name of a class");
            }
            return got;
        } catch (Failure f) {
            throw f;
        } catch (RuntimeException | StackOverflowError thrown) {
            throw new Failure("%s", Show.thrown(thrown));
        }
    }

    final boolean holds(Expression e) {
        Object value = guarded(e).value;
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new Failure("it is %s, not a boolean", Show.text(value));
    }

    /** As it is noted. */
    final Notes.Value noted(Expression e, boolean places) {
        Got got;
        try {
            got = guarded(e);
        } catch (Failure f) {
            return Notes.Value.failed(f.getMessage());
        }
        Notes.Value v = Notes.Value.of(got.value);
        if (places) {
            v.place = got.place();
            v.of = Ids.of(got.holder);
            v.asked();
        }
        return v;
    }

    @Override
    public Got of(Object plain) {
        return Got.plain(plain);
    }

    @Override
    public Object plain(Got got) {
        Class<?> type = got.value == null ? null : got.value.getClass();
        boolean holds = type == Integer.class || type == Boolean.class || type == Long.class || type == Double.class || type == Character.class
            || type == Float.class || type == Byte.class || type == Short.class;
        return holds ? got.value : null;
    }

    @Override
    public boolean isPrimitive(Got got) {
        return got.primitive;
    }

    @Override
    public Got nothing() {
        return Got.of(null);
    }

    @Override
    public boolean isNull(Got got) {
        return got.value == null;
    }

    @Override
    public Got text(String text) {
        return Got.of(text);
    }

    @Override
    public boolean isText(Got got) {
        return got.value instanceof String;
    }

    @Override
    public String shown(Got got) {
        return String.valueOf(got.value);
    }

    @Override
    public Got interned(Got text) {
        return text; // as the parser has made it
    }

    @Override
    public boolean isSame(Got a, Got b) {
        return a.value == b.value;
    }

    @Override
    public String kind(Got got) {
        return got.kind();
    }

    @Override
    public boolean isInstance(Got got, TypeName type) {
        if (got.type != null) {
            throw new Failure("%s is a class", Show.type(got.type));
        }
        return Members.type(this, type).isInstance(got.value);
    }

    @Override
    public Got cast(Got got, TypeName type) {
        return Members.cast(this, type, got);
    }

    @Override
    public Got classOf(Expression named) {
        return Got.of(named.value(this).type);
    }

    @Override
    public Got self() {
        if (self == null) {
            throw new Failure("there is no this in a static method");
        }
        return Got.of(self);
    }

    @Override
    public Got member(Expression on, String name) {
        return Members.field(this, on, name);
    }

    @Override
    public Got element(Got on, Got index) {
        return Members.element(on, index);
    }

    @Override
    public Got call(Expression on, String name, List<Expression> arguments) {
        return Members.call(this, on.value(this), name, arguments);
    }

    @Override
    public Got bare(String name, List<Expression> arguments) {
        return Members.bare(this, name, arguments);
    }
}
