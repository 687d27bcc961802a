package aidb.recorder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** One call of the program that is under way, and the statement that it is at. */
final class Frame {
    private static final Object[] NOTHING = {};

    /** A write that is about to happen. */
    static final class Pending {
        Site site;
        Object on;
        Object key;
        Object value;
        Object was;
        int size;
        Held held; // what it changes, where the name holds that whose writes are noted
    }

    final Frame up;
    final long call;
    final Site.Method method;
    final int depth;
    int line;
    Object[] locals = NOTHING; // last values, where lines are followed
    Map<String, Notes.Value> state; // of the followed call, before the line

    final boolean passed; // it is only counted, and nothing in it is noted
    final Map<String, Notes.Value> written; // the last value of each local
    final Deque<Pending> pending;
    Map<Object, Object[]> iterators; // of lists: what they go through, and how far they are
    Object held;
    boolean counted; // when its statement began all was only counted
    private boolean unknown; // and so what its variables held

    private List<Given> given = List.of(); // by the statement, to what is not noted
    private final List<String> names;
    private final List<Object[]> reads; // value, holder, key or member, site
    private boolean told; // the statement has a use already
    private boolean fresh; // something was read since

    Frame(Frame up, long call, Site.Method method, int depth) {
        this.up = up;
        this.call = call;
        this.method = method;
        this.depth = depth;
        line = method.line;
        passed = false;
        written = new HashMap<>();
        pending = new ArrayDeque<>();
        names = new ArrayList<>();
        reads = new ArrayList<>();
    }

    /** A call that is only counted. */
    Frame(Frame up, Site.Method method) {
        this.up = up;
        this.method = method;
        call = 0;
        depth = 0;
        passed = true;
        written = null;
        pending = null;
        names = null;
        reads = null;
    }

    String at() {
        return method.file + ":" + line;
    }

    String place(String member) {
        return "f" + call + "." + member;
    }

    /** A statement begins. */
    void begin(int at) {
        line = at;
        counted = false;
        names.clear();
        reads.clear();
        told = false;
        fresh = false;
    }

    /** All is noted again, after it was only counted. */
    void resume() {
        iterators = null; // how far they are by now is not known
        if (!counted) {
            given = new ArrayList<>(given.stream().map(Given::again).filter(Objects::nonNull).toList());
            return;
        }
        unknown = true;
        written.clear();
        pending.clear();
        given = List.of();
        begin(line);
        told = true;
        Hooks.notes.write(new Notes.Event("use").text("f", method.function).text("t", Notes.thread()).number("c", call), List.of());
    }

    /** What a variable held of which no value was noted: nothing, as far as that is known. */
    Notes.Value before() {
        return unknown ? Notes.Value.failed("it was not noted") : new Notes.Value();
    }

    Pending push(Site site, Object on, Object key, Object value, Object was) {
        Pending p = new Pending();
        p.site = site;
        p.on = on;
        p.key = key;
        p.value = value;
        p.was = was;
        pending.push(p);
        if (Hooks.all) {
            tell(true); // before anything that was read changes
        }
        return p;
    }

    /** Null where nobody was interested yet, or it was only counted when it began. */
    Pending pop(Site site) {
        if (pending.stream().noneMatch(p -> p.site == site)) {
            if (Sparse.resumed) {
                Hooks.notes.leaves();
            }
            return null;
        }
        Pending p = pending.pop();
        while (p.site != site) {
            p = pending.pop(); // what lay above it was thrown out of
        }
        return p;
    }

    void read(Site site, String name, Object value, Object holder, Object key) {
        Given gives = site.givesAway() && given.size() < 8 ? Given.of(value) : null;
        if (gives != null) {
            given = given.isEmpty() ? new ArrayList<>() : given;
            given.add(gives);
        }
        if (reads.size() < 40) {
            for (int i = 0; i < reads.size(); i++) {
                if (names.get(i).equals(name) && reads.get(i)[1] == holder && Objects.equals(reads.get(i)[2], key)) {
                    reads.remove(i);
                    names.remove(i);
                    break;
                }
            }
            names.add(name);
            reads.add(new Object[] {value, holder, key, site});
            fresh = true;
        }
    }

    /** Whether the statement has given something away that may be another by now. */
    boolean gives() {
        return !given.isEmpty();
    }

    /** Tells what has become of it. */
    void settle() {
        List<Given> all = given;
        given = List.of();
        all.forEach(g -> g.tell(this));
    }

    /** Tells what the statement has read until now, unless that is told. */
    void tell(boolean always) {
        if (told && !fresh || !told && !fresh && !always) {
            return;
        }
        List<Notes.Value> values = new ArrayList<>();
        for (Object[] r : reads) {
            Site site = (Site) r[3];
            Notes.Value v = Notes.Value.of(r[0]);
            if (!site.index) {
                v.place = site.place(this, r[1], r[2]);
            }
            if (r[1] != null) {
                v.of = Ids.of(r[1]);
            }
            values.add(v);
        }
        Notes.Event e = new Notes.Event("use").text("at", at()).text("f", method.function).text("t", Notes.thread()).number("c", call)
            .texts("a", names).flag("r", told);
        Hooks.notes.write(e, values);
        told = true;
        fresh = false;
    }

    /** The callers, the nearest first: "function file:line". */
    List<String> callers(int most) {
        List<String> list = new ArrayList<>();
        for (Frame f = up; f != null && list.size() < most; f = f.up) {
            list.add(f.method.function + " " + f.at());
        }
        return list;
    }

    Map<Object, Object[]> iterators() {
        return iterators == null ? iterators = new IdentityHashMap<>() : iterators;
    }
}
