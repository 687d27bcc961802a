package aidb.recorder;

import aidb.expression.Expression;
import aidb.text.Failure;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What the code that is put into the program calls. Nothing is thrown from here, and nothing of it notes itself. */
public final class Hooks {
    static Notes notes;
    static Wish wish;
    static boolean live; // the recorder came into a running program: see Live
    static boolean flight; // a debugger is in the program: see Flight
    static boolean all; // everything is written down that the origin of a value is found in
    static Lines lines; // whose lines are wanted, null: none
    static Thin thin; // counts calls, null: all are noted
    static final AtomicLong CALLS = new AtomicLong();
    private static final ThreadLocal<State> STATES = new ThreadLocal<>() { // no lambda expression: the first of a program takes long to make
        @Override
        protected State initialValue() {
            return new State();
        }
    };

    private Hooks() {}

    static void remark(String text) {
        if (live) {
            Live.remark(text);
        } else {
            notes.remark(text);
        }
    }

    static State state() {
        return STATES.get();
    }

    private interface Work {
        void run(State state, Frame frame);
    }

    /** Runs what needs the frame of the call that is under way. */
    private static void inside(Work work) {
        if (Sparse.counts) {
            return;
        }
        State state = STATES.get();
        if (state.busy || state.top == null) {
            return;
        }
        state.busy = true;
        try {
            state.notes();
            work.run(state, state.top);
        } catch (RuntimeException | StackOverflowError e) {
            if (!(e instanceof RuntimeException)) {
                return; // the program's own
            }
            trouble(e);
        } finally {
            state.busy = false;
        }
    }

    private static boolean troubled;

    static void trouble(Throwable e) {
        if (!troubled) {
            troubled = true;
            notes.apart("the recorder failed, and what it tells may lack something: " + e);
        }
    }

    // Values at a line.

    public static void hit(Object self, Object[] values, int number) {
        State state = STATES.get();
        if (state.busy) {
            return;
        }
        state.busy = true;
        try {
            Site site = Sites.get(number);
            Site.Probe probe = site.probe;
            Scope scope = new Scope(site, self, values, state.top != null && state.top.method == site.method ? state.top : null);
            Notes.Event e = new Notes.Event("hit").text("at", site.method.file + ":" + site.line).text("f", site.method.function).text("t", Notes.thread())
                .number("p", probe.number).number("h", Sparse.pass(probe.number));
            if (probe.condition != null) {
                try {
                    if (!scope.holds(probe.condition)) {
                        return;
                    }
                } catch (Failure f) {
                    notes.write(e.values(List.of(Notes.Value.failed("condition: " + f.getMessage()))));
                    return;
                }
            }
            List<Notes.Value> list = new ArrayList<>();
            for (Expression x : probe.expressions) {
                list.add(scope.noted(x, probe.places));
            }
            notes.write(e, list);
        } catch (RuntimeException e) {
            trouble(e);
        } finally {
            state.busy = false;
        }
    }

    // Calls.

    public static void enter(Object self, Object[] arguments, int number) {
        State state = STATES.get();
        if (state.busy) {
            return;
        }
        state.busy = true;
        try {
            Site site = Sites.get(number);
            Site.Method m = site.method;
            if (Sparse.skips()) {
                state.top = new Frame(state.top, CALLS.incrementAndGet(), m, 0);
                state.top.counted = true;
                return;
            }
            state.notes();
            if (m.counter != null && !m.counter.meets()) {
                state.top = new Frame(state.top, m);
                return;
            }
            int depth = 0;
            for (Frame f = state.top; f != null; f = f.up) {
                depth += f.method == m ? 1 : 0;
            }
            Frame frame = new Frame(state.top, CALLS.incrementAndGet(), m, depth);
            if (m.noted) {
                entered(frame, arguments);
            }
            state.top = frame;
            if (m.followed) {
                lines.entered(frame, new Scope(site, self, arguments, frame));
            }
        } catch (RuntimeException e) {
            trouble(e);
        } finally {
            state.busy = false;
        }
    }

    private static void entered(Frame frame, Object[] arguments) {
        if (frame.up != null && all) {
            frame.up.tell(true);
        }
        List<String> from = all ? frame.callers(1) : Callers.nearest(1);
        List<Notes.Value> values = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            Notes.Value v = Notes.Value.of(arguments[i]);
            if (all) {
                v.place = frame.place(frame.method.places.get(i));
                frame.written.put(frame.method.places.get(i), v);
            }
            values.add(v);
        }
        notes.write(new Notes.Event("enter").text("at", frame.at()).text("f", frame.method.function).text("t", Notes.thread()).number("c", frame.call)
            .number("d", frame.depth).texts("a", frame.method.parameters).texts("s", from), values);
    }

    public static void left(Object result, int number) {
        leave(number, result, false, false);
    }

    public static void left(int number) {
        leave(number, null, true, false);
    }

    public static void raised(Throwable error, int number) {
        leave(number, error, false, true);
        failed(error, number);
    }

    /** Something was thrown out of a method. */
    public static void failed(Throwable error, int number) {
        Site.Method m = Sites.get(number).method;
        if (m.test) {
            quietly(() -> Failures.test(error, m.function));
        }
    }

    /** The program is about to end itself. */
    public static void exits(int code) {
        quietly(() -> Failures.exit(code));
    }

    /** Runs what notes nothing of itself. */
    static void quietly(Runnable work) {
        State state = STATES.get();
        if (state.busy) {
            return;
        }
        state.busy = true;
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError e) {
            trouble(e);
        } finally {
            state.busy = false;
        }
    }

    private static void leave(int number, Object result, boolean nothing, boolean raised) {
        State state = STATES.get();
        if (state.busy) {
            return;
        }
        Site.Method m = Sites.get(number).method;
        while (state.top != null && state.top.method != m) {
            state.top = state.top.up; // a call that ended while it could not be noted
        }
        Frame frame = state.top;
        if (frame == null) {
            return;
        }
        if (Sparse.counts) {
            state.top = frame.up;
            return;
        }
        state.busy = true;
        try {
            state.notes();
            if (m.followed) {
                lines.left(frame);
            }
            if (m.noted && !frame.passed) {
                frame.settle();
                if (all && !raised) {
                    frame.tell(false);
                }
                Notes.Value v = raised ? new Notes.Value() : nothing ? new Notes.Value() : Notes.Value.of(result);
                if (raised) {
                    v.text = Show.cut(Show.thrown((Throwable) result));
                }
                notes.write(new Notes.Event("leave").text("at", frame.at()).text("f", m.function).text("t", Notes.thread()).number("c", frame.call)
                    .flag("x", raised), nothing ? List.of() : List.of(v));
                if (m.ends && frame.up == null) {
                    Failures.began();
                }
            }
        } catch (RuntimeException e) {
            trouble(e);
        } finally {
            state.top = frame.up;
            state.busy = false;
        }
    }

    // Lines.

    /** A statement begins. */
    public static void line(int line) {
        State state = STATES.get();
        if (!state.busy && state.top != null) {
            if (Sparse.skips()) {
                state.top.line = line;
                state.top.counted = true;
                return;
            }
            if (state.top.gives() || Sparse.resumed) {
                inside((s, frame) -> frame.settle());
            }
            state.top.begin(line);
        }
    }

    /** A line of a followed method begins. */
    public static void line(Object self, Object[] values, int number) {
        inside((state, frame) -> {
            Site site = Sites.get(number);
            if (frame.method == site.method) {
                lines.reached(frame, new Scope(site, self, values, frame), site);
            }
        });
    }

    // What is read.

    public static void read(Object value, int number) {
        if (Sparse.counts) {
            return;
        }
        inside((state, frame) -> frame.read(Sites.get(number), Sites.get(number).name, value, null, null));
    }

    public static void read(Object holder, Object value, int number) {
        if (Sparse.counts) {
            return;
        }
        inside((state, frame) -> frame.read(Sites.get(number), Sites.get(number).name, value, holder, null));
    }

    public static void read(Object array, int i, Object value, int number) {
        Object is = array instanceof boolean[] ? (Object) ((Byte) value != 0) : value;
        inside((state, frame) -> frame.read(Sites.get(number), Sites.get(number).name, is, array, i));
    }

    /** What get of a map or a list has answered. */
    public static void got(Object holder, Object key, Object value, int number) {
        if (holder instanceof Map || holder instanceof List) {
            inside((state, frame) -> frame.read(Sites.get(number), Sites.get(number).name, value, holder, key));
        }
    }

    public static void got(Object holder, int i, Object value, int number) {
        got(holder, (Object) i, value, number);
    }

    /** A loop begins to go through a list. */
    public static void iterates(Object list, Object iterator) {
        if (list instanceof List) {
            inside((state, frame) -> frame.iterators().put(iterator, new Object[] {list, 0}));
        }
    }

    public static void next(Object iterator, Object value, int number) {
        inside((state, frame) -> {
            Object[] known = frame.iterators == null ? null : frame.iterators.get(iterator);
            if (known != null) {
                int i = (Integer) known[1];
                known[1] = i + 1;
                frame.read(Sites.get(number), Sites.get(number).name, value, known[0], i);
            }
        });
    }

    // What is written.

    public static void wrote(Object value, int number) {
        if (Sparse.counts) {
            return;
        }
        inside((state, frame) -> {
            Site site = Sites.get(number);
            Notes.Value now = Notes.Value.of(value);
            Notes.Value was = frame.written.put(site.member, now);
            written(frame, "", frame.place(site.member), null, null, was == null ? frame.before() : was, now);
            Held.add(value, site.member, frame.place(site.member));
        });
    }

    public static void putting(Object on, Object value, int number) {
        if (Sparse.counts) {
            return;
        }
        inside((state, frame) -> {
            Site site = Sites.get(number);
            Field f = Reach.field(on.getClass(), site.member);
            frame.push(site, on, null, value, f == null ? null : Reach.get(f, on));
        });
    }

    public static Object puttingWide(Object on, Object value, int number) {
        putting(on, value, number);
        return on;
    }

    public static void puttingStatic(Object value, int number) {
        inside((state, frame) -> {
            Site site = Sites.get(number);
            Class<?> type = site.type();
            Field f = type == null ? null : Reach.field(type, site.member);
            frame.push(site, null, null, value, f == null ? null : Reach.get(f, null));
        });
    }

    /** Whether nothing that has elements is of interest (now). */
    private static boolean noElements() {
        return Sparse.counts || !Held.any && !wish.elements();
    }

    public static void puttingElement(Object array, int i, int number) {
        if (noElements()) {
            return;
        }
        inside((state, frame) -> {
            boolean there = array != null && i >= 0 && i < Array.getLength(array);
            Frame.Pending p = frame.push(Sites.get(number), array, (Object) i, null, there ? Array.get(array, i) : null);
            p.held = Held.before(array);
        });
    }

    /** The write to a field that was about to happen has. */
    public static void put(int number) {
        if (Sparse.counts) {
            return;
        }
        inside((state, frame) -> {
            Frame.Pending p = frame.pop(Sites.get(number));
            if (p != null) {
                String place = p.site.place(frame, p.on, null);
                written(frame, "", place, p.on, new Puts.Member(p.site.member), Notes.Value.of(p.was), Notes.Value.of(p.value));
                Held.add(p.value, p.site.member, place);
            }
        });
    }

    public static void putElement(int number) {
        if (noElements()) {
            return;
        }
        inside((state, frame) -> {
            Frame.Pending p = frame.pop(Sites.get(number));
            if (p != null && p.held != null) {
                p.held.changed(frame);
            } else if (p != null && wish.elements()) {
                written(frame, "", p.site.place(frame, p.on, p.key), p.on, p.key, Notes.Value.of(p.was), Notes.Value.of(Array.get(p.on, (Integer) p.key)));
            }
        });
    }

    // Collections.

    /** Keeps what lies on top of the stack, until it is laid there again. */
    public static void hold(Object value) {
        STATES.get().held = value;
    }

    public static Object held() {
        State state = STATES.get();
        Object value = state.held;
        state.held = null;
        return value;
    }

    /** The value of a call that may change a collection. */
    public static void giving(Object value) {
        inside((state, frame) -> frame.held = value);
    }

    public static void changing(Object on, int number) {
        if (noElements()) {
            return;
        }
        inside((state, frame) -> before(frame.push(Sites.get(number), on, null, null, null)));
    }

    public static void changing(Object on, Object key, int number) {
        if (noElements()) {
            return;
        }
        inside((state, frame) -> before(frame.push(Sites.get(number), on, key, frame.held, null)));
    }

    private static void before(Frame.Pending p) {
        p.size = Insides.size(p.on);
        p.was = Insides.at(p.on, p.key, p.site.member);
        p.held = Held.before(p.on);
    }

    /** A call that may have changed a collection has returned. */
    public static void changed(int number) {
        if (noElements()) {
            return;
        }
        inside((state, frame) -> {
            Frame.Pending p = frame.pop(Sites.get(number));
            if (p == null) {
                return;
            }
            Insides.Change c = Insides.change(p);
            if (c != null && p.held != null) {
                p.held.changed(frame);
            } else if (c != null && wish.elements()) {
                Notes.Value was = c.was() == Insides.NOTHING ? new Notes.Value() : Notes.Value.of(c.was());
                written(frame, "", Ids.of(p.on) + "[" + c.key() + "]", p.on, c.at(), was, Notes.Value.of(c.now()));
            }
        });
    }

    /** Something in an object was changed by what the statement gave it to. */
    static void given(Frame frame, Object of, Object key, String place, Object was, Object now) {
        written(frame, "given", place, of, key, was == Insides.NOTHING ? new Notes.Value() : Notes.Value.of(was), Notes.Value.of(now));
    }

    static void written(Frame frame, String how, String place, Object holder, Object key, Notes.Value was, Notes.Value now) {
        if (all) {
            frame.tell(true);
        }
        was.passes();
        if (holder != null && !notes.numbers()) {
            now.of = Ids.of(holder);
        }
        notes.wrote(new Notes.Event("write").text("at", frame.at()).text("f", frame.method.function).text("t", Notes.thread()).number("c", frame.call)
            .text("o", place).text("m", how).texts("s", all ? frame.callers(3) : notes.numbers() ? List.of() : Callers.nearest(3)), was, now, holder, key, place);
    }
}
