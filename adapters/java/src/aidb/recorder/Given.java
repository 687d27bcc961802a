package aidb.recorder;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a statement gives to a call of a library, in which nothing is noted: what is another when the
 * statement is over was written there by the call.
 */
final class Given {
    private static final int MOST = 256; // parts that are compared
    private static final int TOLD = 32; // parts that one statement has changed; of more nothing is told

    private record Part(Object key, String place, Object was, Object now) {}

    private final Object value;
    private final Object[] before;
    private final int since; // so many writes had been noted

    private Given(Object value, Object[] before, int since) {
        this.value = value;
        this.before = before;
        this.since = since;
    }

    /** Null for what is not looked into. */
    static Given of(Object value) {
        Object[] parts = parts(value);
        return parts == null ? null : new Given(Views.base(value), parts, Puts.count());
    }

    /** The same from now on; null where it is no longer looked into. */
    Given again() {
        return of(value);
    }

    private static Object[] parts(Object given) {
        Object value = Views.base(given);
        try {
            if (value == null || value instanceof Enum) {
                return null;
            }
            if (value.getClass().isArray()) {
                return Array.getLength(value) > MOST ? null : elements(value);
            }
            if (value instanceof List<?> list) {
                return !Memory.owns(list) || list.size() > MOST ? null : list.toArray();
            }
            List<Field> fields = Memory.fields(value.getClass());
            Object[] parts = new Object[fields.size()];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = Reach.get(fields.get(i), value);
            }
            return parts.length == 0 ? null : parts;
        } catch (RuntimeException e) {
            return null; // others change it while it is read
        }
    }

    private static Object[] elements(Object array) {
        Object[] list = new Object[Array.getLength(array)];
        for (int i = 0; i < list.length; i++) {
            list[i] = Array.get(array, i);
        }
        return list;
    }

    /** Tells what is another now, and was not noted as written to. */
    void tell(Frame frame) {
        Object[] now = parts(value);
        if (now == null) {
            return;
        }
        String of = Ids.of(value);
        if (now.length != before.length) {
            Set<String> noted = Puts.since(since, of);
            if (noted != null && noted.isEmpty()) {
                Hooks.given(frame, value, null, of + "[*]", Insides.NOTHING, value);
            }
            return;
        }
        List<Part> changed = changed(of, now);
        Set<String> noted = changed.isEmpty() ? null : Puts.since(since, of);
        if (noted == null || noted.contains(of + "[*]") || changed.size() > TOLD) {
            return;
        }
        for (Part p : changed) {
            if (!noted.contains(p.place)) {
                Hooks.given(frame, value, p.key, p.place, p.was, p.now);
            }
        }
    }

    private List<Part> changed(String of, Object[] now) {
        List<Part> list = new ArrayList<>();
        boolean elements = value.getClass().isArray() || value instanceof List<?>;
        for (int i = 0; i < now.length && list.size() <= TOLD; i++) {
            if (Memory.part(now[i]) == Memory.part(before[i])) {
                continue;
            }
            if (elements) {
                list.add(new Part(i, of + "[" + i + "]", before[i], now[i]));
            } else {
                String name = Memory.fields(value.getClass()).get(i).getName();
                list.add(new Part(new Puts.Member(name), of + "." + name, before[i], now[i]));
            }
        }
        return list;
    }
}
