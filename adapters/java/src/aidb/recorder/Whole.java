package aidb.recorder;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A hash of all of a value with its classes: equal for equal values in all runs, with maps and sets
 * in one order. None of the program's code is called.
 */
final class Whole {
    private static final int MOST = 1 << 20; // bytes of one value
    private static long run = 128L << 20; // of all of a run: then it would take too long
    private static final int DEEPEST = 600;
    private static final AtomicLong SPENT = new AtomicLong();

    /** The value is too large, or something of it cannot be read. */
    private static final class Unknown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unknown() {
            super(null, null, false, false);
        }
    }

    private final Map<Object, Integer> seen = new IdentityHashMap<>();
    private final List<Object> way = new ArrayList<>(); // what was seen, in order
    private StringBuilder out = new StringBuilder();
    private int left = MOST;

    private Whole() {}

    /** Sets how many bytes may be gone through in this run. */
    static void most(long bytes) {
        run = bytes;
    }

    /** Null where it is not known. */
    static String of(Object value) {
        if (SPENT.get() > run) {
            return null;
        }
        Whole w = new Whole();
        try {
            w.add(value, 0);
            return hash(w.out);
        } catch (RuntimeException | StackOverflowError e) {
            return null; // others may change it while it is read
        } finally {
            SPENT.addAndGet(MOST - w.left);
        }
    }

    private static String hash(CharSequence text) {
        long a = 0xcbf29ce484222325L;
        long b = 0x9e3779b97f4a7c15L;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            a = (a ^ c) * 0x100000001b3L;
            b = Long.rotateLeft(b ^ c, 23) * 0xff51afd7ed558ccdL;
        }
        return String.format("%016x%016x", a, b);
    }

    /** A text with its length, so that nothing runs into what follows. */
    private void put(char kind, String text) {
        left -= text.length() + 6;
        if (left < 0) {
            throw new Unknown();
        }
        out.append(kind).append(text.length()).append(':').append(text);
    }

    private void add(Object value, int depth) {
        if (depth > DEEPEST) {
            throw new Unknown();
        }
        if (value == null) {
            put('0', "");
            return;
        }
        Class<?> type = value.getClass();
        if (value instanceof String s) {
            put('s', s);
        } else if (value instanceof Character || value instanceof Boolean || value instanceof Number && type.getName().startsWith("java.lang.")) {
            put('n', type.getSimpleName() + value);
        } else if (value instanceof Class<?> c) {
            put('c', c.getName());
        } else if (value instanceof Enum<?> e) {
            put('e', e.getDeclaringClass().getName() + "." + e.name());
        } else {
            Integer before = seen.get(value);
            if (before != null) {
                put('r', before.toString());
                return;
            }
            seen.put(value, way.size());
            way.add(value);
            object(value, type, depth + 1);
        }
    }

    private void object(Object value, Class<?> type, int depth) {
        String name = type.getName();
        if (type.isArray()) {
            array(value, name, depth);
        } else if (value instanceof Thread t) {
            put('t', t.getName());
        } else if (value instanceof Optional<?> o) {
            put('o', name);
            add(o.orElse(null), depth);
        } else if (value instanceof AtomicReference<?> a && Show.library(type)) {
            put('o', name);
            add(a.get(), depth);
        } else if (value instanceof Throwable e) {
            put('x', Show.thrown(e));
            add(e.getCause(), depth);
            fields(value, type, depth);
        } else if (Show.library(type) && Show.spoken(name)) {
            put('v', name);
            put('v', value.toString());
        } else if (Show.library(type) && value instanceof Map.Entry<?, ?> e) {
            put('=', "");
            add(e.getKey(), depth);
            add(e.getValue(), depth);
        } else if (Show.library(type) && name.startsWith("java.util.") && value instanceof Map<?, ?> m) {
            put('m', name);
            unordered(m.entrySet(), depth);
        } else if (Show.library(type) && name.startsWith("java.util.") && value instanceof Collection<?> c) {
            put('l', name);
            collection(c, depth);
        } else if (type == Object.class) {
            put('j', "");
        } else if (Show.library(type) || type.isHidden() || !Show.plainBase(type)) {
            throw new Unknown();
        } else {
            fields(value, type, depth);
        }
    }

    private void array(Object value, String name, int depth) {
        int length = Array.getLength(value);
        put('a', name + length);
        if (length > left) {
            throw new Unknown();
        }
        for (int i = 0; i < length; i++) {
            add(Array.get(value, i), depth);
        }
    }

    private void collection(Collection<?> c, int depth) {
        if (c instanceof Set<?>) {
            unordered(c, depth);
            return;
        }
        put('#', String.valueOf(c.size()));
        for (Object item : c) {
            add(item, depth);
        }
    }

    /** Items in the order of what they are written as. That one was seen says nothing of the others. */
    private void unordered(Collection<?> items, int depth) {
        StringBuilder all = out;
        int from = way.size();
        List<String> texts = new ArrayList<>();
        for (Object item : items) {
            out = new StringBuilder();
            if (item instanceof Map.Entry<?, ?> e) {
                add(e.getKey(), depth);
                add(e.getValue(), depth);
            } else {
                add(item, depth);
            }
            texts.add(out.toString());
            List<Object> added = way.subList(from, way.size());
            added.forEach(seen::remove);
            added.clear();
        }
        Collections.sort(texts);
        out = all;
        put('#', String.valueOf(texts.size()));
        texts.forEach(out::append);
    }

    private void fields(Object value, Class<?> type, int depth) {
        put('{', type.getName());
        for (Field f : Show.fieldsOf(type)) {
            put('f', f.getName());
            try {
                add(f.get(value), depth);
            } catch (IllegalAccessException e) {
                throw new Unknown();
            }
        }
    }
}
