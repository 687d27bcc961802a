package aidb.recorder;

import aidb.expression.Expression;
import aidb.expression.Nodes;
import aidb.expression.Operators;
import aidb.expression.TypeName;
import aidb.text.Closest;
import aidb.text.Failure;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Names, fields, elements and calls. */
final class Members {
    private Members() {}

    /** A field, a static one, or a class by its full name. */
    static Got field(Scope s, Expression on, String name) {
        Got of;
        try {
            of = on.value(s);
        } catch (Failure unknown) {
            String dotted = Nodes.Member.dotted(on, name);
            Class<?> type = dotted == null ? null : s.type(dotted);
            if (type == null) {
                throw unknown;
            }
            return Got.named(type);
        }
        if (of.type != null) {
            return fixed(of.type, name);
        }
        if (of.value == null) {
            throw new Failure("NullPointerException: what %s is asked of is null", name);
        }
        if (of.value.getClass().isArray() && name.equals("length")) {
            return Got.plain(Array.getLength(of.value));
        }
        Field f = Reach.field(of.value.getClass(), name);
        if (f == null) {
            throw none(of.value.getClass(), name);
        }
        return Scope.member(f, of.value);
    }

    private static Got fixed(Class<?> type, String name) {
        Field f = Reach.field(type, name);
        if (f != null && Modifier.isStatic(f.getModifiers())) {
            return Scope.member(f, null);
        }
        for (Class<?> inner : type.getDeclaredClasses()) {
            if (inner.getSimpleName().equals(name)) {
                return Got.named(inner);
            }
        }
        throw none(type, name);
    }

    private static Failure none(Class<?> type, String name) {
        List<String> known = new ArrayList<>();
        boolean called = false;
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                known.add(f.getName());
            }
            for (Method m : c.getDeclaredMethods()) {
                called |= m.getName().equals(name);
            }
        }
        return new Failure("%s has no field %s%s%s", Show.type(type), name, called ? "; the method is called with " + name + "()" : "", Closest.meant(name, known));
    }

    static Got element(Got array, Got index) {
        if (array.value == null) {
            throw new Failure("NullPointerException: the array is null");
        }
        if (!array.value.getClass().isArray()) {
            throw new Failure("%s is no array; a list or a map is asked with .get(…)", array.kind());
        }
        if (!index.number() || index.fraction() || index.wide()) {
            throw new Failure("an int is wanted as index, not %s", index.kind());
        }
        int i = (int) index.integer();
        int length = Array.getLength(array.value);
        if (i < 0 || i >= length) {
            throw new Failure("ArrayIndexOutOfBoundsException: index %d, and the array has %d elements", i, length);
        }
        return new Got(Array.get(array.value, i), array.value.getClass().getComponentType().isPrimitive()).element(array.value, i);
    }

    static Class<?> type(Scope s, TypeName name) {
        Class<?> type = s.type(name.name());
        if (type == null) {
            throw new Failure("there is no class %s here", name);
        }
        for (int i = 0; i < name.dimensions(); i++) {
            type = type.arrayType();
        }
        return type;
    }

    static Got cast(Scope s, TypeName type, Got got) {
        Class<?> wanted = type(s, type);
        if (got.value != null && !wanted.isInstance(got.value)) {
            throw new Failure("ClassCastException: %s is no %s", got.kind(), type);
        }
        return got;
    }

    /** A call by its bare name: of this object, of its class, or of those around. */
    static Got bare(Scope s, String name, List<Expression> arguments) {
        Class<?> here = s.site.type();
        for (Class<?> c = here; c != null; c = c.getEnclosingClass()) {
            if (!methods(c, name, arguments.size()).isEmpty()) {
                return call(s, s.self != null && c.isInstance(s.self) ? Got.of(s.self) : Got.named(c), name, arguments);
            }
        }
        throw new Failure("there is no method %s with %d arguments here", name, arguments.size());
    }

    static Got call(Scope s, Got on, String name, List<Expression> arguments) {
        if (on.type == null && on.value == null) {
            throw new Failure("NullPointerException: %s() cannot be called on null", name);
        }
        Class<?> type = on.type != null ? on.type : on.value.getClass();
        List<Got> given = new ArrayList<>();
        for (Expression a : arguments) {
            given.add(a.value(s));
        }
        Callable best = null;
        int distance = Integer.MAX_VALUE;
        for (Callable c : methods(type, name, given.size())) {
            int d = on.type != null && !c.fixed ? -1 : distance(c.types, given);
            if (d >= 0 && d < distance) {
                best = c;
                distance = d;
            }
        }
        if (best == null || !best.open()) {
            throw new Failure("%s has no method %s for these %d arguments", Show.type(type), name, given.size());
        }
        if (!s.calls(type, name)) {
            throw new Failure("%s is not called here", name);
        }
        Object[] values = new Object[given.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = fit(given.get(i).value, best.types[i]);
        }
        try {
            Got got = new Got(best.method.invoke(on.value, values), best.primitive);
            if (best.field != null) {
                return got.field(on.value, best.field);
            }
            boolean element = values.length == 1 && name.equals("get") && type.getName().startsWith("java.util.") && (on.value instanceof Map || on.value instanceof List);
            return element ? got.element(on.value, values[0]) : got;
        } catch (InvocationTargetException e) {
            throw new Failure("%s", Show.thrown(e.getCause()));
        } catch (IllegalAccessException e) {
            throw new Failure("%s cannot be called: %s", name, e.getMessage());
        }
    }

    /** A method, with what is asked of it at each call. */
    private static final class Callable {
        final Method method;
        final Class<?>[] types;
        final boolean primitive; // its result
        final boolean fixed; // it is static
        final String field; // which is all that it answers with, or null
        private volatile boolean open;

        Callable(Method method) {
            this.method = method;
            types = method.getParameterTypes();
            primitive = method.getReturnType().isPrimitive();
            fixed = Modifier.isStatic(method.getModifiers());
            field = Getters.fieldOf(method);
        }

        boolean open() {
            return open || (open = Reach.open(method));
        }
    }

    private record Named(String name, int arguments) {}

    private static final ClassValue<Map<Named, List<Callable>>> METHODS = new ClassValue<>() {
        @Override
        protected Map<Named, List<Callable>> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private static List<Callable> methods(Class<?> type, String name, int arguments) {
        Map<Named, List<Callable>> known = METHODS.get(type);
        Named named = new Named(name, arguments);
        List<Callable> found = known.get(named);
        if (found == null) {
            known.put(named, found = find(type, name, arguments).stream().map(Callable::new).toList());
        }
        return found;
    }

    /** Whether a class or one around it has a method that can be called by its bare name. */
    static boolean has(Class<?> here, String name, int arguments) {
        for (Class<?> c = here; c != null; c = c.getEnclosingClass()) {
            if (!methods(c, name, arguments).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static Set<Method> find(Class<?> type, String name, int arguments) {
        Set<Method> found = new LinkedHashSet<>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            collect(c, name, arguments, found);
        }
        if (type.isInterface()) {
            collect(Object.class, name, arguments, found);
        }
        return found;
    }

    private static void collect(Class<?> type, String name, int arguments, Set<Method> found) {
        for (Method m : type.getDeclaredMethods()) {
            if (m.getName().equals(name) && m.getParameterCount() == arguments && !m.isBridge()) {
                found.add(m);
            }
        }
        for (Class<?> face : type.getInterfaces()) {
            collect(face, name, arguments, found);
        }
    }

    private static final List<Class<?>> WIDTHS = List.of(byte.class, short.class, char.class, int.class, long.class, float.class, double.class);

    private static int distance(Class<?>[] wanted, List<Got> given) {
        int sum = 0;
        for (int i = 0; i < wanted.length; i++) {
            int d = distance(wanted[i], given.get(i));
            if (d < 0) {
                return -1;
            }
            sum += d;
        }
        return sum;
    }

    private static int distance(Class<?> wanted, Got given) {
        if (given.value == null) {
            return wanted.isPrimitive() ? -1 : 1;
        }
        Class<?> plain = java.lang.invoke.MethodType.methodType(given.value.getClass()).unwrap().returnType();
        if (wanted.isPrimitive()) {
            if (wanted == plain) {
                return given.primitive ? 0 : 10;
            }
            int from = WIDTHS.indexOf(plain);
            int to = WIDTHS.indexOf(wanted);
            return from >= 0 && to > from && wanted != char.class ? to - from + (given.primitive ? 0 : 10) : -1;
        }
        if (!wanted.isInstance(given.value)) {
            return -1;
        }
        int steps = given.primitive ? 10 : 0;
        for (Class<?> c = given.value.getClass(); c != null && c != wanted; c = c.getSuperclass()) {
            steps++;
        }
        return steps;
    }

    private static Object fit(Object value, Class<?> wanted) {
        if (!wanted.isPrimitive() || value == null) {
            return value;
        }
        if (wanted == boolean.class || wanted == char.class || value instanceof Boolean) {
            return value;
        }
        return Operators.narrow(value, wanted.getName());
    }
}
