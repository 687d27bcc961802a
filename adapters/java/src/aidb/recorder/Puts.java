package aidb.recorder;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** The last places in objects that were noted as written to. The notes are held where it is used. */
final class Puts {
    private static final int KEPT = 4096;
    private static final int MOST = 8; // parts that are told of one value

    /** A field of an object. */
    record Member(String name) {}

    /** A field, an index or a key, of an object that is known by its number; the key is null where it cannot be kept. */
    private record Put(String of, Object key, String place) {}

    /** A part of a value that was asked about. */
    static final class Part {
        final Notes.Value value;
        private final Object is;
        private final Object key;

        private Part(Object is, Object key, String place, String of) {
            this.is = is;
            this.key = key;
            value = Notes.Value.of(is);
            value.place = place;
            value.of = of;
            value.itself = null;
        }

        /** Whether it is in the value still. */
        boolean stands(Object value) {
            Object now = at(value, key);
            return now != Insides.NOTHING && Memory.part(now) == Memory.part(is);
        }
    }

    private static final Put[] LAST = new Put[KEPT];
    private static int number;

    private Puts() {}

    static void add(Object of, Object key, String place) {
        LAST[number++ & KEPT - 1] = new Put(Ids.of(of), simple(key) ? key : null, place);
    }

    /** Whether a key is what its text says, in all of its life. */
    private static boolean simple(Object key) {
        return key instanceof Member || key instanceof String s && s.length() <= Show.longest || key instanceof Integer || key instanceof Long || key instanceof Enum || key instanceof Character;
    }

    /** Those parts of a value that were written to last, as they are now. */
    static List<Part> of(Object value) {
        String of = Ids.of(value);
        List<Put> found;
        synchronized (Hooks.notes) {
            found = last(of);
        }
        List<Part> list = new ArrayList<>();
        for (Put p : found) {
            Object is = at(value, p.key);
            if (is != Insides.NOTHING) {
                list.add(new Part(is, p.key, p.place, of));
            }
        }
        return list;
    }

    /** How many writes were noted. */
    static int count() {
        synchronized (Hooks.notes) {
            return number;
        }
    }

    /** The places of an object that were noted as written to since so many writes were; null where that is not known. */
    static Set<String> since(int count, String of) {
        synchronized (Hooks.notes) {
            if (number - count > KEPT) {
                return null;
            }
            Set<String> places = new HashSet<>();
            for (int i = count; i < number; i++) {
                Put p = LAST[i & KEPT - 1];
                if (p.of.equals(of)) {
                    places.add(p.place);
                }
            }
            return places;
        }
    }

    private static List<Put> last(String of) {
        List<Put> list = new ArrayList<>();
        Set<String> places = new HashSet<>();
        for (int i = 1; i <= KEPT && list.size() < MOST; i++) {
            Put p = LAST[number - i & KEPT - 1];
            if (p == null) {
                break;
            }
            if (p.key != null && p.of.equals(of) && places.add(p.place)) {
                list.add(p);
            }
        }
        return list;
    }

    /** What lies in a place of an object, null for what a map does not have; {@link Insides#NOTHING} where it cannot be known. */
    private static Object at(Object object, Object key) {
        Object of = Views.base(object);
        try {
            if (of.getClass().isArray()) {
                return Array.get(of, (Integer) key);
            }
            if (of instanceof Map<?, ?> map && Memory.owns(of)) {
                return map instanceof SortedMap<?, ?> s && s.comparator() != null || !Insides.readable(map, key) ? Insides.NOTHING : map.get(key);
            }
            if (of instanceof List<?> list && Memory.owns(of)) {
                return list.get((Integer) key);
            }
            Field f = key instanceof Member m ? Reach.field(of.getClass(), m.name) : null;
            return f == null ? Insides.NOTHING : f.get(of);
        } catch (RuntimeException | IllegalAccessException e) {
            return Insides.NOTHING;
        }
    }
}
