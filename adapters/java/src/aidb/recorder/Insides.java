package aidb.recorder;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What calls of the JDK's collections change. */
final class Insides {
    static final Object NOTHING = new Object();

    /** Methods of Collections that change the list which is given to them. */
    static final Set<String> MOVING = Set.of("sort", "addAll", "reverse", "shuffle", "swap", "fill", "rotate", "replaceAll");

    /** Those, and a list's own, that may leave it as long as it was. */
    private static final Set<String> KEEPING = Set.of("sort", "reverse", "shuffle", "swap", "fill", "rotate");

    /** At is an index or a key, null for all of it. */
    record Change(Object at, Object was, Object now) {
        String key() {
            return at == null ? "*" : Insides.key(at);
        }
    }

    private Insides() {}

    static int size(Object of) {
        try {
            return of instanceof Map<?, ?> m ? m.size() : of instanceof Collection<?> c ? c.size() : -1;
        } catch (RuntimeException e) {
            return -1;
        }
    }

    /** The key of a place in a collection. */
    static String key(Object key) {
        String same = Ids.of(key);
        return same == null || key.getClass().isRecord() || key instanceof Enum ? Show.text(key) : same;
    }

    /** What lies at a key now, {@link #NOTHING} where that is nothing or cannot be known. */
    static Object at(Object on, Object key, String call) {
        try {
            if (on instanceof Map<?, ?> map && key != null && readable(map, key)) {
                return map.containsKey(key) ? map.get(key) : NOTHING;
            }
            if (on instanceof List<?> list && key instanceof Integer i && call.equals("set") && i >= 0 && i < list.size()) {
                return list.get(i);
            }
        } catch (RuntimeException e) {
            return NOTHING;
        }
        return NOTHING;
    }

    /** That asking a map for a key neither runs the program's code nor changes the map. */
    static boolean readable(Map<?, ?> map, Object key) {
        boolean plain = key.getClass().getClassLoader() == null || key instanceof Record || key instanceof Enum;
        if (!plain || map.getClass().getClassLoader() != null) {
            return false;
        }
        if (!(map instanceof LinkedHashMap)) {
            return true;
        }
        Field order = Reach.field(LinkedHashMap.class, "accessOrder");
        return order != null && Boolean.FALSE.equals(Reach.get(order, map));
    }

    /** What a call that has returned has changed; null when nothing. */
    static Change change(Frame.Pending p) {
        int size = size(p.on);
        String call = p.site.member;
        if (call.equals("putAll") || call.equals("replaceAll")) { // what is given first is no key
            boolean nothing = p.key instanceof Map<?, ?> given && given.getClass().getClassLoader() == null && given.isEmpty();
            return nothing ? null : whole(p);
        }
        if (p.on instanceof Map<?, ?> map) {
            if (p.key == null || !readable(map, p.key)) {
                return call.equals("put") && p.key != null ? new Change(p.key, NOTHING, p.value) : size != p.size ? whole(p) : null;
            }
            Object now = at(map, p.key, call);
            boolean same = now == p.was && !call.equals("put");
            return same ? null : new Change(p.key, p.was, now == NOTHING ? null : now);
        }
        if (p.on instanceof List<?> list) {
            if (call.equals("set") && p.key instanceof Integer i) {
                return new Change(i, p.was, list.get(i));
            }
            boolean appends = call.equals("add") && !p.site.index || call.equals("addLast") || call.equals("offer");
            if (appends && size == p.size + 1) {
                return new Change(size - 1, NOTHING, list.get(size - 1));
            }
        }
        return size != p.size || KEEPING.contains(call) ? whole(p) : null;
    }

    private static Change whole(Frame.Pending p) {
        return new Change(null, NOTHING, p.on);
    }
}
