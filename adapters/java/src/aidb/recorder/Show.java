package aidb.recorder;

import aidb.text.Escapes;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** A value as a short text, the same that the debugger's bridge shows. None of the program's code is called. */
final class Show {
    private static final int SHORT = 60;
    private static final int ITEMS = 6;
    private static final int SORTED = 200;
    private static final Set<String> SPOKEN = Set.of("java.math.BigInteger", "java.math.BigDecimal", "java.util.UUID", "java.lang.StringBuilder",
        "java.lang.StringBuffer", "java.net.URI", "java.net.URL", "java.util.Locale", "java.io.File", "java.util.Date", "sun.nio.fs.UnixPath",
        "java.util.concurrent.atomic.AtomicLong", "java.util.concurrent.atomic.AtomicInteger", "java.util.concurrent.atomic.AtomicBoolean",
        "java.util.BitSet", "java.util.regex.Pattern", "java.util.concurrent.atomic.LongAdder");
    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

    static int longest = 200;

    final String text;
    private boolean less;

    private Show(Object value) {
        String all = value instanceof Integer || value instanceof Long || value instanceof Boolean ? value.toString() : text(value, 0);
        less |= all.length() > longest;
        text = cut(all);
    }

    static Show of(Object value) {
        return new Show(value);
    }

    static String text(Object value) {
        return of(value).text;
    }

    /** Whether the text leaves something out. */
    boolean less() {
        return less;
    }

    static String cut(String text) {
        return text.length() <= longest ? text : text.substring(0, longest) + "…";
    }

    private String text(Object value, int depth) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String s) {
            int most = depth == 0 ? longest : SHORT;
            less |= s.length() > most;
            return s.length() > most ? quoted(s.substring(0, most) + "…", '"').replaceFirst("…\"$", "\"…") : quoted(s, '"');
        }
        if (value instanceof Character c) {
            return c == '\'' ? "'\\''" : quoted(c.toString(), '\'');
        }
        if (value instanceof Number && value.getClass().getName().startsWith("java.lang.") || value instanceof Boolean) {
            less |= depth > 0 && !(value instanceof Integer || value instanceof Double); // a Long looks like an Integer
            return value.toString();
        }
        if (value.getClass().isArray()) {
            return array(value, depth);
        }
        try {
            return object(value, depth);
        } catch (RuntimeException e) {
            return plain(value); // others change it while it is read
        }
    }

    private String plain(Object value) {
        less |= value.getClass() != Object.class;
        return type(value.getClass()) + "@" + Ids.of(value).substring(1);
    }

    private String array(Object array, int depth) {
        int length = Array.getLength(array);
        String type = type(array.getClass());
        String head = type.substring(0, type.indexOf('[')) + "[" + length + "]" + type.substring(type.indexOf(']') + 1);
        less |= length > (depth > 1 ? 0 : ITEMS);
        if (depth > 1 || length == 0) {
            return head;
        }
        StringBuilder out = new StringBuilder(head).append(" {");
        for (int i = 0; i < Math.min(length, ITEMS); i++) {
            out.append(i == 0 ? "" : ", ").append(text(Array.get(array, i), depth + 1));
        }
        return out.append(length > ITEMS ? ", …}" : "}").toString();
    }

    /** A type without its packages, as source has it: Map.Entry[]. */
    static String type(Class<?> type) {
        if (type.isArray()) {
            return type(type.getComponentType()) + "[]";
        }
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }

    static boolean library(Class<?> type) {
        return type.getClassLoader() == null;
    }

    private String object(Object object, int depth) {
        Class<?> type = object.getClass();
        String name = type.getName();
        if (object instanceof Class<?> c) {
            return "class " + c.getName();
        }
        if (object instanceof Enum<?> e) {
            return type(e.getDeclaringClass()) + "." + e.name();
        }
        if (object instanceof Thread t) {
            return "Thread \"" + t.getName() + "\"";
        }
        if (object instanceof Optional<?> o) {
            return o.isPresent() ? "Optional[" + text(o.get(), depth + 1) + "]" : "Optional.empty";
        }
        if (name.equals("java.util.concurrent.atomic.AtomicReference")) {
            return text(((AtomicReference<?>) object).get(), depth);
        }
        if (object instanceof Throwable e) {
            less = true;
            return thrown(e);
        }
        if (spoken(name)) {
            String said = object.toString();
            return name.startsWith("java.lang.StringBu") ? quoted(said, '"') : said;
        }
        if (library(type) && object instanceof Map.Entry<?, ?> e) {
            return text(e.getKey(), depth + 1) + "=" + text(e.getValue(), depth + 1);
        }
        if (library(type) && name.startsWith("java.util.") && (object instanceof Collection || object instanceof Map)) {
            return collection(object, depth);
        }
        return fields(object, type, depth);
    }

    /** Whether objects of a class of the JDK are all that they say. */
    static boolean spoken(String type) {
        return SPOKEN.contains(type) || type.startsWith("java.time.") || type.startsWith("java.util.Optional");
    }

    /** An exception's class and message, without asking those that make their message up. */
    static String thrown(Throwable e) {
        String message = null;
        try {
            Field said = Throwable.class.getDeclaredField("detailMessage");
            said.setAccessible(true);
            message = (String) said.get(e);
        } catch (ReflectiveOperationException | RuntimeException hidden) {
            message = library(e.getClass()) ? e.getMessage() : null;
        }
        return type(e.getClass()) + (message == null ? "" : ": " + message);
    }

    private String collection(Object object, int depth) {
        Map<?, ?> map = object instanceof Map<?, ?> m ? m : null;
        Collection<?> items = map != null ? map.entrySet() : (Collection<?>) object;
        String name = type(object.getClass());
        name = name.startsWith("ImmutableCollections.") ? name.replaceAll("^ImmutableCollections\\.|(N|1|12)$", "") : name;
        String head = name + "(" + items.size() + ")";
        less |= items.size() > (depth > 1 ? 0 : ITEMS);
        if (depth > 1 || items.isEmpty()) {
            return head;
        }
        StringBuilder out = new StringBuilder(head).append(map != null ? " {" : " [");
        int i = 0;
        for (Object item : ordered(object, items)) {
            if (i++ == ITEMS) {
                out.append(", …");
                break;
            }
            out.append(i == 1 ? "" : ", ");
            if (map != null) {
                Map.Entry<?, ?> e = (Map.Entry<?, ?>) item;
                out.append(text(e.getKey(), depth + 1)).append('=').append(text(e.getValue(), depth + 1));
            } else {
                out.append(text(item, depth + 1));
            }
        }
        return out.append(map != null ? '}' : ']').toString();
    }

    /** The items of what has no order of its own, in one that does not depend on the run. */
    private Collection<?> ordered(Object of, Collection<?> items) {
        boolean free = (of instanceof Map || of instanceof Set) && !(of instanceof LinkedHashMap || of instanceof LinkedHashSet
            || of instanceof SortedMap || of instanceof SortedSet || of instanceof EnumMap);
        if (!free || items.size() > SORTED) {
            return items;
        }
        List<Object> list = new ArrayList<>(items);
        Map<Object, String> texts = new IdentityHashMap<>();
        for (Object item : list) {
            texts.put(item, text(item instanceof Map.Entry<?, ?> e ? e.getKey() : item, 2));
        }
        list.sort(Comparator.comparing((Object item) -> item instanceof Map.Entry<?, ?> e ? e.getKey() : item, Show::compare).thenComparing(texts::get));
        return list;
    }

    private static int compare(Object a, Object b) {
        boolean numbers = a instanceof Integer && b instanceof Integer || a instanceof Long && b instanceof Long;
        return numbers ? Long.compare(((Number) a).longValue(), ((Number) b).longValue()) : 0;
    }

    private String fields(Object object, Class<?> type, int depth) {
        boolean record = type.isRecord();
        List<Field> all = library(type) || type.isHidden() ? List.of() : fieldsOf(type);
        if (all.isEmpty()) {
            return plain(object);
        }
        if (depth > 1 && !record || depth > 2) {
            less = true;
            return type(type) + (record ? "[…]" : " {…}"); // its number would say of equal objects that they differ
        }
        less |= all.size() > ITEMS || !plainBase(type);
        StringBuilder out = new StringBuilder(type(type)).append(record ? "[" : " {");
        for (int i = 0; i < Math.min(all.size(), ITEMS); i++) {
            Field f = all.get(i);
            out.append(i == 0 ? "" : ", ").append(f.getName()).append('=');
            try {
                out.append(text(f.get(object), depth + 1));
            } catch (IllegalAccessException e) {
                less = true;
                out.append('?');
            }
        }
        return out.append(all.size() > ITEMS ? ", …" : "").append(record ? "]" : "}").toString();
    }

    /** Whether a class of the program extends nothing of the JDK that has a state of its own. */
    static boolean plainBase(Class<?> type) {
        Class<?> base = type;
        while (!library(base)) {
            base = base.getSuperclass();
        }
        return base == Object.class || base == Record.class || Throwable.class.isAssignableFrom(base);
    }

    static List<Field> fieldsOf(Class<?> type) {
        return FIELDS.computeIfAbsent(type, Show::readable);
    }

    /** The fields of a class and those that it inherits, as far as they can be read. */
    private static List<Field> readable(Class<?> type) {
        List<Field> list = new ArrayList<>();
        for (Class<?> c = type; c != null && !library(c); c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers()) && !f.isSynthetic() && Reach.open(f)) {
                    list.add(f);
                }
            }
        }
        return list;
    }

    static String quoted(String text, char quote) {
        return quote + Escapes.escape(text, quote) + quote;
    }
}
