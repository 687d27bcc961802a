package aidb.recorder;

import aidb.text.Failure;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a name of the condition means at a site. */
final class Meaning {
    static final Meaning[] NONE = {}; // a name means nothing there

    final String name;
    private int variable = -1;
    private boolean primitive;
    private Class<?> type; // that it names, or that has the static field
    private boolean packaged; // the type has a longer name, which begins with this
    private Field field;
    private final List<Field> way = new ArrayList<>(); // from this object to that with the field
    private volatile boolean ready; // the class has begun

    private Meaning(String name) {
        this.name = name;
    }

    /** Those of all names; {@link #NONE} where one has no meaning. */
    static Meaning[] of(Set<Condition.Name> names, Look look, boolean returned) {
        List<Meaning> all = new ArrayList<>();
        for (Condition.Name n : names) {
            Meaning m = new Meaning(n.text());
            if (!(returned && n.text().equals(Condition.RESULT)) && !m.find(n, look)) {
                return NONE;
            }
            if (n.kind() == Condition.Kind.NAME) {
                all.add(m);
            }
        }
        return all.isEmpty() ? new Meaning[] {new Meaning("")} : all.toArray(NONE);
    }

    private boolean find(Condition.Name n, Look look) {
        return switch (n.kind()) {
            case SELF -> look.self != null;
            case METHOD -> Members.has(look.site.type(), n.text(), n.arguments());
            case TYPE -> look.type(n.text()) != null;
            default -> (variable(look) || member(look)) && !(n.object() && primitive) || field == null && variable < 0 && type(n, look);
        };
    }

    private boolean variable(Look look) {
        List<Code.Variable> all = look.variables();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(name)) {
                variable = i;
                primitive = all.get(i).descriptor().length() == 1;
                return true;
            }
        }
        return false;
    }

    /** A field of this object's class, or of those around it. */
    private boolean member(Look look) {
        boolean object = look.self != null;
        Class<?> here = look.site.type();
        for (int depth = 0; here != null && depth < 8; depth++) {
            Field f = Reach.field(here, name);
            if (f == null || !Modifier.isStatic(f.getModifiers()) && !object) {
                f = object ? Reach.field(here, "val$" + name) : null;
            }
            if (f != null) {
                field = f;
                primitive = f.getType().isPrimitive();
                type = Modifier.isStatic(f.getModifiers()) ? f.getDeclaringClass() : null;
                ready = type == null || type.isAssignableFrom(look.site.type());
                return true;
            }
            Field outer = object ? Scope.outer(here) : null;
            object = outer != null;
            if (object) {
                way.add(outer);
            }
            here = here.getEnclosingClass();
        }
        way.clear();
        return false;
    }

    private boolean type(Condition.Name n, Look look) {
        if (Condition.namesType(name) && (type = look.type(name)) != null) {
            return true;
        }
        for (String full : n.types()) {
            if ((type = look.type(full)) != null) {
                packaged = true;
                return true;
            }
        }
        return false;
    }

    /** Whether it can be read without beginning a class that the program has not begun. */
    boolean ready() {
        if (ready || type == null) {
            return true;
        }
        return ready = begun(type);
    }

    private static final Object UNSAFE;
    private static final Method SHOULD;

    static {
        Object unsafe = null;
        Method should = null;
        try {
            Class<?> c = Class.forName("jdk.internal.misc.Unsafe");
            Method get = c.getMethod("getUnsafe");
            should = c.getMethod("shouldBeInitialized", Class.class);
            unsafe = Reach.open(get) && Reach.open(should) ? get.invoke(null) : null;
        } catch (ReflectiveOperationException | LinkageError e) {
            unsafe = null;
        }
        UNSAFE = unsafe;
        SHOULD = should;
    }

    private static boolean begun(Class<?> type) {
        try {
            return UNSAFE == null || !(Boolean) SHOULD.invoke(UNSAFE, type);
        } catch (IllegalAccessException | InvocationTargetException e) {
            return true;
        }
    }

    Got get(Look look) {
        if (variable >= 0) {
            return new Got(look.value(variable), primitive);
        }
        if (field == null) {
            if (packaged) {
                throw new Failure("%s is a package", name);
            }
            return Got.named(type);
        }
        Object of = look.self;
        for (Field f : way) {
            of = Reach.get(f, of);
        }
        return new Got(Reach.get(field, type == null ? of : null), primitive);
    }
}
