package aidb.recorder;

import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arrays and collections that were written to the name whose writes are noted: what is put into
 * one of them, or taken out, is a write of what the name holds.
 */
final class Held {
    private static final int KEPT = 4096;
    private static final Map<String, String> NAMED = new HashMap<>(); // what each place of that name holds now: its number
    private static final Map<String, Held> KNOWN = new LinkedHashMap<>() { // by number; whoever uses either locks this
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Held> eldest) {
            return size() > KEPT && forget(eldest.getValue());
        }
    };

    /** Whether the name has held any of them. */
    static volatile boolean any;

    private final WeakReference<Object> is;
    private final String name;
    private final Set<String> places = new LinkedHashSet<>(); // that hold it
    private Notes.Value last;

    private Held(Object is, String name, Notes.Value last) {
        this.is = new WeakReference<>(is);
        this.name = name;
        this.last = last;
    }

    private static boolean forget(Held eldest) {
        NAMED.keySet().removeAll(eldest.places);
        Hooks.wish.once("more than " + KEPT + " arrays and collections were written there: what is put into the first ones later is not among the rows");
        return true;
    }

    /** What a place holds is not what it held. */
    private static void leave(String place) {
        String number = NAMED.remove(place);
        Held held = number == null ? null : KNOWN.get(number);
        if (held != null && held.places.remove(place) && held.places.isEmpty()) {
            KNOWN.remove(number);
        }
    }

    /** A value was written to a name. */
    static void add(Object value, String member, String place) {
        if (Hooks.all) {
            return;
        }
        boolean holds = value != null && (value.getClass().isArray() || value instanceof Collection || value instanceof Map);
        if (!holds && !any) {
            return;
        }
        Held held = holds ? new Held(value, member.replaceFirst("@.*", ""), Notes.Value.of(value)) : null;
        synchronized (KNOWN) {
            leave(place);
            if (holds) {
                any = true;
                NAMED.put(place, Ids.of(value));
                KNOWN.computeIfAbsent(Ids.of(value), number -> held).places.add(place);
            }
        }
    }

    /** A statement is about to change an array or a collection: null where the name never held it. */
    static Held before(Object value) {
        if (Hooks.all || value == null) {
            return null;
        }
        Held held;
        synchronized (KNOWN) {
            held = KNOWN.isEmpty() ? null : KNOWN.get(Ids.of(value));
        }
        if (held != null) {
            held.look(held.is.get());
        }
        return held;
    }

    /** A statement has changed it. */
    void changed(Frame frame) {
        Object value = is.get();
        if (value == null) {
            return;
        }
        Notes.Value was = last;
        last = Notes.Value.of(value);
        String place;
        synchronized (KNOWN) {
            place = places.isEmpty() ? Ids.of(value) : places.iterator().next();
        }
        Hooks.written(frame, "", place, null, null, was, last);
    }

    /** Says so where it is not as the last row has shown it. */
    private void look(Object value) {
        Notes.Value now = value == null ? last : Notes.Value.of(value);
        if (!now.looksLike(last)) {
            Hooks.wish.once("what " + name + " holds was changed, too, where no row shows it: by a library, an iterator, a view of it or another thread; why tells who changed it last");
            last = now;
        }
    }

    /** The program ends: each is looked at once more. */
    static void end() {
        List<Held> all;
        synchronized (KNOWN) {
            all = List.copyOf(KNOWN.values());
        }
        all.forEach(h -> h.look(h.is.get()));
    }
}
