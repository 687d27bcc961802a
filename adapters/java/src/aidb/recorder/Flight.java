package aidb.recorder;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notes calls while a debugger is in the program. Methods get no handler that sees what is thrown out
 * of them, for the debugger is to see the program's own handlers only: a call is known to have failed
 * where one of those begins, or where the stack shows that it stands no more. A method that is called
 * too often, or too deep, is left alone, and costs a look into an array from then on.
 */
public final class Flight {
    private static final int MOST = 1 << 15; // methods
    private static final int DEEPEST = 1000; // calls under way: a stack that overflows is to do so in the program's code
    private static final int WALKS = 1000; // through a thread's stack, to tell the calls of a recursion apart
    private static final int CALLERS = 200;

    // What the debugger reads and sets by these names: see Recorder.java of the bridge.
    private static final int ON = 0;
    private static final int QUIET = 1; // it evaluates something
    private static final int OFF = 2; // nothing is noted any more
    private static volatile int state;
    private static final Target[] TARGETS = new Target[MOST];
    private static final String[] COUNTED = new String[MOST]; // all of the event but its numbers, of methods that are only counted
    private static long first; // calls that are noted of each method
    private static int known; // methods
    private static volatile Calls last; // of the thread in which something was noted last

    private static final byte[] OPEN = new byte[MOST]; // of methods: what is done at their calls
    private static final byte NOTED = 1; // or counted, and looked at where they end
    private static final byte PASSED = 2; // counted where they begin
    private static final Map<String, Integer> NUMBERS = new HashMap<>();
    private static final ThreadLocal<Calls> CALLS = new ThreadLocal<>() {
        @Override
        protected Calls initialValue() {
            return new Calls();
        }
    };
    private static long leave;

    private Flight() {}

    /** A method of the program. */
    private static final class Target {
        final AtomicLong calls = new AtomicLong();
        final AtomicInteger underway = new AtomicInteger(); // of those that are noted
        final Site.Method method;
        final String type;
        final String name;
        final String descriptor;
        final String key;

        Target(Site.Method method, String type, String name, String descriptor, String key) {
            this.method = method;
            this.type = type;
            this.name = name;
            this.descriptor = descriptor;
            this.key = key;
        }
    }

    /** Those of a thread that are under way. */
    private static final class Calls {
        final Thread of = Thread.currentThread();
        Call top;
        boolean busy; // what runs was called from here
        int walks;
    }

    /** One that is under way. */
    private static final class Call {
        final Call up;
        final int number;
        final long id; // 0: it is only counted
        final int height;
        Throwable error; // that has ended it, and which a library has caught: the debugger sees that

        Call(Call up, int number, long id) {
            this.up = up;
            this.number = number;
            this.id = id;
            height = up == null ? 1 : up.height + 1;
        }
    }

    static void begin(Thin thin) {
        first = thin.first;
        leave = thin.leave;
        Whole.most(8L << 20);
    }

    /** The number of a method, also where its class is loaded or redefined once more; -1 where there are too many. */
    static synchronized int number(ClassFile in, ClassFile.Member m, Site.Method method) {
        String key = in.name + "." + m.name + m.descriptor;
        Integer there = NUMBERS.get(key);
        if (there != null) {
            return there;
        }
        if (known == MOST) {
            return -1;
        }
        TARGETS[known] = new Target(method, in.name.replace('/', '.'), m.name, m.descriptor, key);
        OPEN[known] = NOTED;
        NUMBERS.put(key, known);
        return known++;
    }

    /** Says that calls of a method are not noted. */
    static void misses(Site.Method method, long calls) {
        Hooks.notes.write(new Notes.Event("unwatched").text("at", method.file + ":" + method.line).text("f", method.function).number("h", calls));
    }

    /** Says that calls of no method of a class are. */
    static void misses(String file, String type) {
        Hooks.notes.write(new Notes.Event("unwatched").text("at", file + ":1").text("f", type));
    }

    private static void leave(int number) {
        OPEN[number] = 0;
        synchronized (COUNTED) {
            COUNTED[number] = null;
        }
        misses(TARGETS[number].method, TARGETS[number].calls.get());
    }

    /** As much is noted as the run is to be slowed for, and all of it is left to another one: that is the event which says so. */
    static byte[] full(long number) {
        boolean again = state == OFF;
        state = OFF;
        return again ? new byte[0] : ("{\"k\":\"unwatched\",\"at\":\"\",\"n\":" + number + "}\n").getBytes(StandardCharsets.UTF_8);
    }

    // A call begins.

    /** Whether the call that begins is to be noted. */
    public static boolean meets(int number) {
        byte open = OPEN[number];
        return open != 0 && (open == PASSED ? passes(number) : met(number));
    }

    /** Only counts the call, without what the compiler would make room for in the program's code. */
    private static boolean passes(int number) {
        if (state == ON && TARGETS[number].calls.incrementAndGet() < leave) {
            return false;
        }
        return met(number);
    }

    private static boolean met(int number) {
        Calls calls = CALLS.get();
        if (state == OFF) {
            OPEN[number] = 0;
        }
        if (state != ON || calls.busy) {
            return false;
        }
        long n = TARGETS[number].calls.incrementAndGet();
        boolean leaves = n >= leave || calls.top != null && calls.top.height >= DEEPEST && isDeep(calls);
        if (n < first && !leaves) {
            return true;
        }
        if (n == first || leaves) {
            calls.busy = true;
            try {
                if (leaves) {
                    leave(number);
                } else {
                    thins(number, n);
                }
            } finally {
                calls.busy = false;
            }
            return !leaves;
        }
        if (TARGETS[number].underway.get() == 0) {
            OPEN[number] = PASSED;
        } else {
            calls.top = new Call(calls.top, number, 0);
        }
        return false;
    }

    /** Whether so many calls are under way, and do not only seem to be as nobody has looked after those of a method that was left alone. */
    private static boolean isDeep(Calls calls) {
        calls.busy = true;
        try {
            settle(calls, 1, Callers.nearest(1), null);
            return calls.top != null && calls.top.height >= DEEPEST;
        } finally {
            calls.busy = false;
        }
    }

    /** The last call has come before they are only counted. */
    private static void thins(int number, long n) {
        Notes.Event e = counted(TARGETS[number]);
        synchronized (COUNTED) {
            COUNTED[number] = e.json.toString();
        }
        Hooks.notes.write(e.number("h", n));
    }

    private static Notes.Event counted(Target t) {
        return new Notes.Event("counted").text("at", t.method.file + ":" + t.method.line).text("f", t.method.function).text("o", t.key);
    }

    /** Tells how often methods were called until now whose calls are not all noted. */
    static void tellAll() {
        for (int i = 0; i < known; i++) {
            long n = TARGETS[i].calls.get();
            if (n > first && OPEN[i] != 0) {
                Hooks.notes.write(counted(TARGETS[i]).number("h", n));
            }
        }
    }

    public static void enter(Object[] arguments, int number) {
        Calls calls = CALLS.get();
        calls.busy = true;
        try {
            last = calls;
            Site.Method m = TARGETS[number].method;
            List<String> from = Callers.nearest(1);
            settle(calls, 1, from, null);
            int depth = 0;
            for (Call c = calls.top; c != null; c = c.up) {
                depth += c.number == number ? 1 : 0;
            }
            Call call = new Call(calls.top, number, Hooks.CALLS.incrementAndGet());
            List<Notes.Value> values = new ArrayList<>();
            for (Object argument : arguments) {
                values.add(Notes.Value.of(argument));
            }
            Hooks.notes.write(new Notes.Event("enter").text("at", m.file + ":" + m.line).text("f", m.function).text("t", Notes.thread())
                .number("c", call.id).number("d", depth).texts("a", m.parameters).texts("s", from), values);
            calls.top = call;
            TARGETS[number].underway.incrementAndGet();
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            leave(number);
        } finally {
            calls.busy = false;
        }
    }

    // It ends.

    public static void left(int number) {
        if (OPEN[number] == NOTED) {
            leave(number, null, true);
        }
    }

    public static void left(boolean result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(byte result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(char result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(short result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(int result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(long result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(float result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(double result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    public static void left(Object result, int number) {
        if (OPEN[number] == NOTED) {
            leave(number, result, false);
        }
    }

    private static void leave(int number, Object result, boolean nothing) {
        Calls calls = CALLS.get();
        if (state != ON || calls.busy || calls.top == null) {
            return;
        }
        calls.busy = true;
        try {
            Call call = standing(calls, number, false);
            if (call == null) {
                return;
            }
            last = calls;
            drop(calls, call, null);
            calls.top = call.up;
            if (call.id != 0) {
                ended(call, false, nothing ? List.of() : List.of(Notes.Value.of(result)));
            }
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            leave(number);
        } finally {
            calls.busy = false;
        }
    }

    private static void ended(Call call, boolean raised, List<Notes.Value> values) {
        TARGETS[call.number].underway.decrementAndGet();
        Site.Method m = TARGETS[call.number].method;
        Hooks.notes.write(new Notes.Event("leave").text("at", m.file + ":" + m.line).text("f", m.function).text("t", Notes.thread())
            .number("c", call.id).flag("x", raised), values);
        if (m.ends && call.up == null) {
            Failures.began();
        }
    }

    /** A handler of a method begins: what it has called has failed. The method's number is negative where its calls are not noted. */
    public static void caught(Throwable error, int number) {
        Calls calls = CALLS.get();
        if (state != ON || calls.busy || calls.top == null) {
            return;
        }
        calls.busy = true;
        try {
            last = calls;
            Call call = number < 0 ? null : standing(calls, number, true);
            if (call != null) {
                drop(calls, call, error);
            } else {
                settle(calls, 0, Callers.frames(0, 1), error);
            }
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            leave(calls.top.number);
        } finally {
            calls.busy = false;
        }
    }

    /** The innermost call of a method that stands; those of a recursion are told apart by the thread's stack. */
    private static Call standing(Calls calls, int number, boolean counted) {
        Call found = next(calls.top, number);
        if (found == null || found.id == 0 && !counted || next(found.up, number) == null) {
            return found;
        }
        if (calls.walks++ > WALKS) {
            leave(number);
            return found;
        }
        Target t = TARGETS[number];
        long there = Callers.count(t.type, t.name, t.descriptor);
        long noted = 0;
        for (Call c = found; c != null; c = next(c.up, number)) {
            noted++;
        }
        for (; found != null && noted > there; noted--) {
            found = next(found.up, number);
        }
        return found;
    }

    private static Call next(Call from, int number) {
        Call c = from;
        while (c != null && c.number != number) {
            c = c.up;
        }
        return c;
    }

    /** Notes of the calls above one that they have failed, null: of all. */
    private static void drop(Calls calls, Call until, Throwable error) {
        while (calls.top != until) {
            Call call = calls.top;
            calls.top = call.up;
            if (call.id != 0 && OPEN[call.number] != 0) {
                Throwable by = call.error != null ? call.error : error;
                Notes.Value v = Notes.Value.failed("not seen");
                if (by != null) {
                    v = new Notes.Value();
                    v.text = Show.cut(Show.thrown(by));
                }
                ended(call, true, List.of(v));
            }
        }
    }

    /** Finds out which calls stand no more, by who stands nearest, but for the method that begins: a library has caught what they have thrown. */
    private static void settle(Calls calls, int skip, List<String> nearest, Throwable error) {
        if (calls.top == null || !nearest.isEmpty() && is(calls.top, nearest.get(0))) {
            return;
        }
        List<String> all = Callers.frames(skip, CALLERS);
        for (String caller : all) {
            for (Call c = calls.top; c != null; c = c.up) {
                if (is(c, caller)) {
                    drop(calls, c, error);
                    return;
                }
            }
        }
        if (all.size() < CALLERS) {
            drop(calls, null, error);
        }
    }

    private static boolean is(Call call, String caller) {
        String function = TARGETS[call.number].method.function;
        return caller.startsWith(function) && caller.charAt(function.length()) == ' ';
    }

    /** The program is about to end itself. */
    public static void exits(int code) {
        Calls calls = CALLS.get();
        if (state != ON || calls.busy) {
            return;
        }
        calls.busy = true;
        try {
            settle(calls, 0, Callers.frames(0, 1), null);
            Failures.exit(code);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            Hooks.trouble(e);
        } finally {
            calls.busy = false;
        }
    }
}
