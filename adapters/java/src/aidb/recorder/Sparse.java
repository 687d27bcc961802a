package aidb.recorder;

import aidb.text.Obj;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Leaves out, of a run of which all writes are asked for, what happens between its first events and its
 * last ones: package recording's Sparse. What is left out is counted, each line and each call as an event.
 */
final class Sparse {
    static volatile boolean counts; // and nothing is noted
    static boolean asked;
    static volatile boolean resumed;
    private static boolean over = true;
    private static long first;
    private static long from;
    private static final AtomicLong TICKS = new AtomicLong();
    private static final Map<Integer, AtomicLong> PASSES = new ConcurrentHashMap<>(); // of lines: how often each was noted

    private Sparse() {}

    static void ask(Obj wish) {
        asked = true;
        over = false;
        first = wish.id("first");
        from = wish.id("from");
    }

    /** Says of a line or a call that begins that it is only counted. */
    static boolean skips() {
        if (!counts && (over || Hooks.notes.last() < first || !begin())) {
            return false;
        }
        if (TICKS.incrementAndGet() < from) {
            return true;
        }
        resume();
        return false;
    }

    private static boolean begin() {
        synchronized (Hooks.notes) {
            long last = Hooks.notes.last();
            over = over || last >= from;
            if (!over && !counts) {
                TICKS.set(last);
                counts = true;
            }
            return counts;
        }
    }

    /** From now on all is noted again; what runs has begun before: see State. */
    private static void resume() {
        synchronized (Hooks.notes) {
            Hooks.notes.leaves(TICKS.get());
            over = true;
            resumed = true;
            counts = false;
        }
    }

    /** The number of what happens now, while it is only counted. */
    static long tick() {
        return TICKS.incrementAndGet();
    }

    /** Which pass of its line a hit is; 0 where all are known. */
    static long pass(int probe) {
        return asked ? PASSES.computeIfAbsent(probe, p -> new AtomicLong()).incrementAndGet() : 0;
    }
}
