package aidb.recorder;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Set;

/** Collections of the JDK that hold nothing themselves, and show what others hold. */
final class Views {
    private static final int DEEPEST = 8; // one around another
    private static final String WRAPS = "java.util.Collections$";
    private static final String UTIL = "java.util.";

    /** Those that show a part, or the parts in another way: an object apart. */
    private static final Set<String> PARTIAL = Set.of(UTIL + "ArrayList$SubList", UTIL + "Arrays$ArrayList", UTIL + "HashMap$KeySet", UTIL + "HashMap$Values",
        UTIL + "LinkedHashMap$LinkedKeySet", UTIL + "LinkedHashMap$LinkedValues", UTIL + "TreeMap$KeySet", UTIL + "TreeMap$Values",
        UTIL + "concurrent.ConcurrentHashMap$KeySetView", UTIL + "concurrent.ConcurrentHashMap$ValuesView");

    /** What the program could have changed of how a collection is read. */
    private static final Set<String> READING = Set.of("size", "isEmpty", "iterator", "listIterator", "entrySet", "keySet", "values", "get", "toArray");

    /** The field in which a class keeps what it shows all of; null: it shows nothing else. */
    private static final ClassValue<Field> BEHIND = new ClassValue<>() {
        @Override
        protected Field computeValue(Class<?> type) {
            String name = type.getName();
            if (!name.startsWith(WRAPS + "Synchronized") && !name.startsWith(WRAPS + "Unmodifiable") && !name.startsWith(WRAPS + "Checked")) {
                return null;
            }
            Field f = Reach.field(type, java.util.Map.class.isAssignableFrom(type) ? "m" : "c");
            return f == null ? Reach.field(type, "c") : f;
        }
    };

    /** The class of the JDK by whose code one of a class is read, itself in most cases; null where the program has its own. */
    private static final ClassValue<Class<?>> READ = new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> type) {
            Class<?> c = type;
            try {
                for (; c != null && c.getClassLoader() != null; c = c.getSuperclass()) {
                    if (Arrays.stream(c.getDeclaredMethods()).anyMatch(m -> READING.contains(m.getName()))) {
                        return null;
                    }
                }
            } catch (LinkageError e) {
                return null; // it names a class that is not there
            }
            return c;
        }
    };

    private Views() {}

    /** The collection that one shows all of, which is the same to whoever reads or changes it; else the object itself. */
    static Object base(Object of) {
        Object base = of;
        for (int i = 0; i < DEEPEST && base != null; i++) {
            Field behind = BEHIND.get(base.getClass());
            Object next = behind == null ? null : Reach.get(behind, base);
            if (next == null) {
                return base;
            }
            base = next;
        }
        return base;
    }

    static boolean isPartial(Object of) {
        return PARTIAL.contains(of.getClass().getName());
    }

    /** The name of the JDK's class by which a collection is read; empty where the program has its own ways. */
    static String readBy(Object collection) {
        Class<?> c = READ.get(collection.getClass());
        return c == null ? "" : c.getName();
    }
}
