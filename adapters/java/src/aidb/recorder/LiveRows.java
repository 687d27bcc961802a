package aidb.recorder;

import aidb.expression.Expression;
import aidb.text.Failure;
import aidb.text.Obj;
import aidb.text.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/** What the program's threads have noted, until it is sent. A value is a text at the moment of the hit. */
final class LiveRows implements BiConsumer<Integer, Object[]> {
    private static final int ROOM = 20_000; // rows
    private static final int DEEPEST = 2_000; // calls of one thread that are told apart

    private final Wish wish;
    private final Expression condition; // of calls; null: none
    private final long began = System.nanoTime();
    private final LongAdder hits = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder unread = new LongAdder();
    private final LongAdder matched = new LongAdder();
    private final AtomicLong made = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong waiting = new AtomicLong();
    private final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();
    // Both hold nothing of ours: they stay with the threads of the program.
    private final ThreadLocal<Boolean> busy = new ThreadLocal<>();
    private final ThreadLocal<Deque<Long>> under = new ThreadLocal<>();
    volatile String out = ""; // why the code was taken out

    LiveRows(Obj order, Wish wish) {
        this.wish = wish;
        condition = order.text("condition").isEmpty() ? null : Wish.parse("condition", order.text("condition"));
    }

    long hits() {
        return hits.sum();
    }

    void state(Obj o) {
        o.put("hits", hits.sum());
        o.put("dropped", dropped.sum());
        o.put("unread", unread.sum());
        o.put("matched", matched.sum());
        o.put("out", out);
    }

    /** Sends the rows that wait, as far as there is room. */
    void send(LiveLine line, boolean all) {
        while (all || line.hasRoom()) {
            String row = queue.poll();
            if (row == null) {
                return;
            }
            waiting.decrementAndGet();
            line.add(row);
        }
    }

    @Override
    public void accept(Integer place, Object[] what) {
        if (busy.get() != null) {
            return; // an expression of ours has called it
        }
        busy.set(Boolean.TRUE);
        try {
            note(Sites.get(place), (Character) what[0], what);
        } finally {
            busy.remove();
        }
    }

    private void note(Site s, char kind, Object[] what) {
        switch (kind) {
            case 'p' -> {
                hits.increment();
                pass(s, what);
            }
            case 'w' -> {
                hits.increment();
                add(row(s, kind, s.line).of(what[1]).value("before", what[2]).value("after", what[3]));
            }
            case 'e' -> {
                hits.increment();
                enter(s, what);
            }
            default -> leave(s, kind, what);
        }
    }

    private void pass(Site s, Object[] what) {
        Scope scope = new Reader(s, what[1], (Object[]) what[2]);
        if (!holds(scope, s.probe.condition)) {
            return;
        }
        Row row = row(s, 'p', s.line);
        List<Expression> list = s.probe.expressions;
        for (int i = 0; i < list.size(); i++) {
            row.evaluated(wish.texts.get(i), scope, list.get(i));
        }
        add(row);
    }

    private void enter(Site s, Object[] what) {
        Object[] values = (Object[]) what[2];
        Row row = null;
        if (holds(new Reader(s, what[1], values), condition)) {
            row = row(s, 'e', s.method.line);
        }
        Deque<Long> calls = under.get();
        if (calls == null) {
            calls = new ArrayDeque<>();
            under.set(calls);
        }
        if (calls.size() >= DEEPEST) {
            calls.removeLast(); // of the outermost one the end will have no beginning
        }
        if (row == null) {
            calls.push(0L);
            return;
        }
        row.call = this.calls.incrementAndGet();
        calls.push(row.call);
        for (int i = 0; i < values.length; i++) {
            row.value(s.variables.get(i).name(), values[i]);
        }
        add(row);
    }

    private void leave(Site s, char kind, Object[] what) {
        Deque<Long> calls = under.get();
        Long call = calls == null ? null : calls.poll();
        if (calls != null && calls.isEmpty()) {
            under.remove();
        }
        if (call == null || call == 0) {
            return; // it was not to be noted
        }
        Row row = row(s, 'l', s.method.line);
        row.call = call;
        if (kind == 'r') {
            row.value("", what[1]);
        } else if (kind == 't') {
            row.said("", "threw " + Show.text(what[1]));
        }
        add(row);
    }

    /** Whether a condition holds; one that cannot be read does not. */
    private boolean holds(Scope scope, Expression condition) {
        if (condition == null) {
            return true;
        }
        try {
            if (!scope.holds(condition)) {
                return false;
            }
        } catch (Failure f) {
            unread.increment();
            return false;
        }
        matched.increment();
        return true;
    }

    private Row row(Site s, char kind, int line) {
        return new Row(s, kind, line, System.nanoTime() - began, made.incrementAndGet());
    }

    /** Keeps a row. Where there is no room for it the oldest makes some: what came last says how the program stands. */
    private void add(Row row) {
        if (waiting.incrementAndGet() > ROOM && queue.poll() != null) {
            waiting.decrementAndGet();
            dropped.increment();
        }
        queue.add(row.json());
    }

    /** Reads for one place: it calls nothing but what is known to only read. */
    private static final class Reader extends Scope {
        Reader(Site site, Object self, Object[] values) {
            super(site, self, values, null);
        }

        @Override
        boolean calls(Class<?> type, String method) {
            return Condition.reads(type, method);
        }
    }

    private static final class Row {
        private final StringBuilder json = new StringBuilder(200);
        private final List<String> values = new ArrayList<>();
        private String of = "";
        long call;

        Row(Site s, char kind, int line, long at, long number) {
            Thread t = Thread.currentThread();
            String name = t.getName();
            json.append("{\"n\":").append(number).append(",\"at\":").append(at).append(",\"thread\":").append(t.getId()).append(",\"who\":")
                .append(text(name.isEmpty() ? (virtual(t) ? "virtual thread " : "thread ") + t.getId() : name))
                .append(",\"kind\":\"").append(kind).append("\",\"function\":").append(text(s.method.function)).append(",\"file\":").append(text(s.method.file))
                .append(",\"line\":").append(line);
        }

        private static boolean virtual(Thread t) {
            return t.getClass().getName().equals("java.lang.VirtualThread");
        }

        private static String text(String s) {
            return Json.print(s);
        }

        Row of(Object object) {
            of = object == null ? "" : Show.type(object.getClass()) + Ids.of(object);
            return this;
        }

        Row value(String name, Object value) {
            try {
                Show shown = Show.of(value);
                values.add("{\"name\":" + text(name) + ",\"text\":" + text(shown.text) + "}");
            } catch (RuntimeException | StackOverflowError e) {
                values.add("{\"name\":" + text(name) + ",\"missing\":" + text(Show.cut(e.toString())) + "}");
            }
            return this;
        }

        void said(String name, String text) {
            values.add("{\"name\":" + text(name) + ",\"text\":" + text(text) + "}");
        }

        void evaluated(String name, Scope scope, Expression e) {
            try {
                value(name, scope.guarded(e).value);
            } catch (Failure f) {
                values.add("{\"name\":" + text(name) + ",\"missing\":" + text(Show.cut(f.getMessage())) + "}");
            }
        }

        String json() {
            if (call != 0) {
                json.append(",\"call\":").append(call);
            }
            if (!of.isEmpty()) {
                json.append(",\"of\":").append(text(of));
            }
            return json.append(",\"values\":[").append(String.join(",", values)).append("]}").toString();
        }
    }
}
