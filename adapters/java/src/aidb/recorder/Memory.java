package aidb.recorder;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A sum of what an object has in it of its own, without what that leads to: where two differ, it
 * was written to in between. Nothing of the program's is called and no lock of its is waited for,
 * for it is found while the notes are held: so what a note says is so where it stands among the others.
 */
final class Memory {
    private static final int SMALL = 64; // parts of an object that always gets a sum
    private static final int MOST = 1 << 20; // of one object
    private static final long RUN = 64L << 20; // of all larger ones of a run: then it would take too long
    private static final int NOTHING = 7;
    private static final String UTIL = "java.util.";

    /** Collections that hold what they have themselves: one that shows another is changed where that is. */
    private static final Set<String> OWN = Set.of(UTIL + "ArrayList", UTIL + "LinkedList", UTIL + "ArrayDeque", UTIL + "PriorityQueue", UTIL + "HashMap",
        UTIL + "LinkedHashMap", UTIL + "TreeMap", UTIL + "EnumMap", UTIL + "HashSet", UTIL + "LinkedHashSet", UTIL + "TreeSet", UTIL + "RegularEnumSet",
        UTIL + "concurrent.ConcurrentHashMap", UTIL + "concurrent.CopyOnWriteArrayList");
    private static final Map<Class<?>, List<Field>> WRITTEN = new ConcurrentHashMap<>();
    private static long spent; // how much of the run's share is gone
    private static long asked; // and of another, for what was asked about

    private Memory() {}

    /** Null where it is not known. The notes are held. */
    static String of(Object object, boolean isAsked) {
        Object of = Views.base(object);
        try {
            int size = size(of);
            if (size < 0 || size > MOST || size > SMALL && !affords(size, isAsked)) {
                return null;
            }
            return Long.toString(sum(of, size), Character.MAX_RADIX);
        } catch (RuntimeException | StackOverflowError e) {
            return null; // others change it while it is read
        }
    }

    /** Has what is to be known of an object's class at hand: it may have other classes loaded, for which the notes must not be held. */
    static Object known(Object object) {
        Object of = Views.base(object);
        if (!of.getClass().isArray()) {
            fields(of.getClass());
            Views.readBy(of);
        }
        return of;
    }

    private static boolean affords(int size, boolean isAsked) {
        if (isAsked) {
            asked += size;
            return asked <= RUN;
        }
        spent += size;
        return spent <= RUN;
    }

    /** Whether a collection is one whose elements can be looked at like this. */
    static boolean owns(Object collection) {
        return OWN.contains(Views.readBy(collection)) && (!(collection instanceof TreeSet) || field(collection, "m").getClass() == TreeMap.class);
    }

    /** How many parts an object has, -1 where it has none that are its own. */
    private static int size(Object of) {
        if (of.getClass().isArray()) {
            return java.lang.reflect.Array.getLength(of);
        }
        if (of instanceof Vector<?>) { // which locks itself
            return (Integer) Reach.get(Reach.field(Vector.class, "elementCount"), of);
        }
        if (of instanceof Map<?, ?> || of instanceof Collection<?>) {
            return owns(of) || Views.isPartial(of) ? Insides.size(of) : -1;
        }
        int fields = fields(of.getClass()).size();
        return fields == 0 ? -1 : fields;
    }

    private static Object field(Object of, String name) {
        return Reach.get(Reach.field(of.getClass(), name), of);
    }

    private static long sum(Object of, int size) {
        if (of.getClass().isArray()) {
            return of instanceof Object[] list ? objects(list, list.length) : numbers(of);
        }
        if (of instanceof Vector<?>) {
            return withFields(of, objects((Object[]) Reach.get(Reach.field(Vector.class, "elementData"), of), size));
        }
        if (of instanceof Map<?, ?> map) {
            return withFields(of, entries(map, size));
        }
        if (of instanceof Collection<?> list) {
            return withFields(of, items(list, size));
        }
        return withFields(of, 1);
    }

    private static long withFields(Object of, long sum) {
        for (Field f : fields(of.getClass())) {
            sum = then(sum, part(Reach.get(f, of)));
        }
        return sum;
    }

    /** The fields of a class of the program's that its code can write to, which is noted. */
    static List<Field> fields(Class<?> type) {
        return WRITTEN.computeIfAbsent(type, t -> !Agent.owns(t.getName()) || t.isHidden() ? List.of() : Show.fieldsOf(t).stream()
            .filter(f -> !Modifier.isFinal(f.getModifiers()) && f.getName().indexOf('$') < 0 && Agent.owns(f.getDeclaringClass().getName())).toList());
    }

    private static long then(long sum, long part) {
        return Long.rotateLeft(sum ^ part * 0x9e3779b97f4a7c15L, 27) * 0xff51afd7ed558ccdL;
    }

    /** Spreads a number, so that several can be added. */
    private static long spread(long n) {
        long z = (n ^ n >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** What stands for a part: of what has a value and no identity that matters that, else which object it is. */
    static long part(Object value) {
        if (value == null) {
            return NOTHING;
        }
        if (value instanceof String s) {
            return s.hashCode() * 31L + s.length();
        }
        if (value instanceof Double || value instanceof Float) {
            return Double.doubleToLongBits(((Number) value).doubleValue());
        }
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        return value instanceof Character || value instanceof Boolean ? value.hashCode() : System.identityHashCode(value);
    }

    private static long objects(Object[] list, int size) {
        long sum = size;
        for (int i = 0; i < size; i++) {
            sum = then(sum, part(list[i]));
        }
        return sum;
    }

    private static long items(Collection<?> list, int size) {
        boolean free = list instanceof Set<?>; // in whatever order
        long sum = size;
        int n = 0;
        for (Object item : list) {
            n = counted(n, size);
            sum = free ? sum + spread(part(item)) : then(sum, part(item));
        }
        return whole(sum, n, size);
    }

    private static long entries(Map<?, ?> map, int size) {
        long sum = size;
        int n = 0;
        for (Map.Entry<?, ?> e : map.entrySet()) {
            n = counted(n, size);
            sum += spread(then(part(e.getKey()), part(e.getValue())));
        }
        return whole(sum, n, size);
    }

    private static int counted(int n, int size) {
        if (n == size) {
            throw new IllegalStateException("it grows");
        }
        return n + 1;
    }

    private static long whole(long sum, int n, int size) {
        if (n != size) {
            throw new IllegalStateException("it has shrunk");
        }
        return sum;
    }

    private static long numbers(Object array) {
        long sum = 1;
        if (array instanceof int[] list) {
            for (int n : list) {
                sum = then(sum, n);
            }
        } else if (array instanceof byte[] list) {
            for (byte n : list) {
                sum = then(sum, n);
            }
        } else if (array instanceof long[] list) {
            for (long n : list) {
                sum = then(sum, n);
            }
        } else if (array instanceof double[] list) {
            for (double n : list) {
                sum = then(sum, Double.doubleToLongBits(n));
            }
        } else if (array instanceof char[] list) {
            for (char n : list) {
                sum = then(sum, n);
            }
        } else if (array instanceof boolean[] list) {
            for (boolean n : list) {
                sum = then(sum, n ? 1 : 0);
            }
        } else if (array instanceof float[] list) {
            for (float n : list) {
                sum = then(sum, Float.floatToIntBits(n));
            }
        } else if (array instanceof short[] list) {
            for (short n : list) {
                sum = then(sum, n);
            }
        }
        return sum;
    }
}
