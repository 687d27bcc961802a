package aidb.recorder;

import aidb.text.Obj;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls of methods that are called often, of which not all are noted. */
final class Thin {
    final long first;
    final long leave; // the call of a method from which on it is left alone
    private final long last;
    private final Obj after;
    final boolean onlyLast; // the run is made for the last calls
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    Thin(Obj wish) {
        first = wish.id("first");
        last = wish.id("last");
        leave = wish.id("leave") == 0 ? Long.MAX_VALUE : wish.id("leave");
        after = wish.object("after");
        onlyLast = !after.isEmpty();
    }

    /** The counter of a method, by the name that tells it apart. */
    Counter of(String name, Site.Method method) {
        return counters.computeIfAbsent(name, n -> new Counter(n, method));
    }

    /** Tells how often methods were called until now whose calls are not all noted. */
    void tellAll() {
        counters.values().forEach(Counter::tellAgain);
    }

    /** Of one method: calls are noted that come until one number, or after another. */
    final class Counter {
        private final AtomicLong calls = new AtomicLong();
        private final String name;
        private final Site.Method method;
        private final boolean ends; // the last ones are wanted
        private final long until;
        private final long from;
        private long told;

        Counter(String name, Site.Method method) {
            this.name = name;
            this.method = method;
            ends = after.containsKey(name);
            until = ends ? -1 : first;
            from = ends ? after.id(name) : Long.MAX_VALUE;
        }

        /** Whether the call that begins is to be noted. The last one before the others are only counted tells of that. */
        boolean meets() {
            long n = calls.incrementAndGet();
            if (n > until && n <= from) {
                return false;
            }
            if (n == until) {
                tell(n);
            }
            return !ends || n <= from + 2 * last;
        }

        private synchronized void tell(long n) {
            told = n;
            Hooks.notes.write(new Notes.Event("counted").text("at", method.file + ":" + method.line).text("f", method.function).text("o", name).number("h", n));
        }

        private synchronized void tellAgain() {
            long n = calls.get();
            if (n > until && n != told) {
                tell(n);
            }
        }
    }
}
