package aidb.recorder;

import aidb.expression.Expression;
import aidb.text.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Judges a condition where the code that is put into the program asks for it, and notes the moments
 * at which it comes to hold. Nothing is thrown from here, and what the condition calls is not judged.
 */
public final class Moments {
    private static final int CALLERS = 5;
    private static final long MOST_SHOWN = 1_000_000_000; // nanoseconds, for values that no moment may ever need

    private static volatile boolean on; // moments are looked for
    private static Moments wished;

    private final Condition condition;
    private final Set<Condition.Name> names;
    private final boolean types; // among the names may be those of classes, which the program loads later
    private final List<String> texts; // of the expressions
    private final List<Expression> expressions;
    private final boolean changes; // its values are wanted, and no moments
    private final Instances instances; // for each of which it is judged; null: for the call
    private final AtomicLong left;
    private final Judgements judgements;
    private final AtomicBoolean told = new AtomicBoolean(); // that a judgement failed
    private long shown; // time that it took to show what was compared; about

    /** A call in which the condition is judged. */
    static final class Call {
        private final Call up;
        private final Site.Method method;
        private long number; // once it is needed
        private int ran; // the line of the statement that runs or has run; 0 before the first
        private boolean begun; // it was judged before
        private boolean held;
        private Object[] was; // what was compared then
        private Site site; // where it was judged last, with what was there
        private Object self;
        private Object[] values;

        Call(Call up, Site.Method method) {
            this.up = up;
            this.method = method;
        }

        private String at() {
            return method.file + ":" + (ran == 0 ? method.line : ran);
        }
    }

    /** What an operand that may change since was shown as; others are kept as they are. */
    private record Was(Object of, String text, boolean cut) {
        Notes.Value noted() {
            Notes.Value v = new Notes.Value();
            v.text = text;
            v.cut = cut;
            v.same = Ids.of(of);
            return v;
        }
    }

    private static final Object NULL = new Object();

    Moments(Wish.First wish, Judgements judgements) {
        condition = wish.condition;
        names = condition.names;
        types = names.stream().anyMatch(n -> n.kind() == Condition.Kind.TYPE || !n.types().isEmpty() || Condition.namesType(n.text()));
        texts = wish.texts;
        expressions = wish.expressions;
        changes = wish.changes;
        instances = wish.each.isEmpty() ? null : new Instances(wish.each);
        left = new AtomicLong(wish.limit);
        this.judgements = judgements;
        wished = this;
        on = wish.limit > 0;
    }

    // What the program calls.

    /** A call begins. */
    public static void begins(int number) {
        if (on) {
            State state = Hooks.state();
            if (!state.busy) {
                state.judged = new Call(state.judged, Sites.get(number).method);
            }
        }
    }

    /** A statement is about to run before which nothing is judged. */
    public static void runs(int number) {
        if (on) {
            State state = Hooks.state();
            Site site = Sites.get(number);
            Call call = state.busy ? null : call(state, site);
            if (call != null) {
                call.ran = site.line;
            }
        }
    }

    /** A statement is about to run. */
    public static void before(Object self, Object[] values, int number) {
        if (on) {
            Site site = Sites.get(number);
            Call call = wished.judge(site, self, values, null, site);
            if (call != null) {
                call.ran = site.line;
            }
        }
    }

    /** A statement has run. */
    public static void after(Object self, Object[] values, int number) {
        if (on) {
            wished.judge(Sites.get(number), self, values, null, null);
        }
    }

    /** A call is about to return. */
    public static void ends(Object self, Object[] values, int number) {
        if (on) {
            Site site = Sites.get(number);
            wished.judge(site, self, values, null, null);
            over(site);
        }
    }

    /** A call is about to return a value, about which the condition is. */
    public static void returns(Object result, Object self, Object[] values, int number) {
        if (on) {
            Site site = Sites.get(number);
            State state = Hooks.state();
            Call call = state.busy ? null : call(state, site);
            if (call != null) {
                call.ran = site.line;
                wished.judge(site, self, values, new Got(result, site.method.plain), null);
                over(site);
            }
        }
    }

    /** A call returns, and nothing is judged. */
    public static void over(int number) {
        if (on) {
            over(Sites.get(number));
        }
    }

    /** Something was thrown out of a call: its variables are taken to be what they were before the statement. */
    public static void thrown(int number) {
        if (on) {
            Site site = Sites.get(number);
            State state = Hooks.state();
            Call call = state.busy ? null : call(state, site);
            if (call != null && call.site != null && !wished.condition.ofResult && !site.method.partly) {
                wished.judge(call.site, call.self, call.values, null, null);
            }
            over(site);
        }
    }

    /** A constructor is about to return. */
    public static void built(Object it, int number) {
        if (on) {
            wished.instances.built(it, Sites.get(number).owner);
        }
    }

    /** A constructor goes on that has called another one of its class. */
    public static void unbuilt(Object it) {
        if (on) {
            wished.instances.unbuilt(it);
        }
    }

    private static void over(Site site) {
        State state = Hooks.state();
        Call call = state.busy ? null : call(state, site);
        if (call != null) {
            state.judged = call.up;
        }
    }

    /** The call of a site's method that is under way. Those above it have ended where that could not be noted. */
    private static Call call(State state, Site site) {
        Call call = state.judged;
        while (call != null && call.method != site.method) {
            call = call.up;
        }
        state.judged = call == null ? state.judged : call;
        return call;
    }

    // The judgement.

    private Call judge(Site site, Object self, Object[] values, Got result, Site seen) {
        State state = Hooks.state();
        Call call = state.busy ? null : call(state, site);
        if (call == null || site.meanings == Meaning.NONE && (!types || site.loaded == Agent.loaded())) {
            return call;
        }
        state.busy = true;
        try {
            Look look = new Look(site, self, values, condition.operands.size(), result);
            if (readable(look, result != null)) {
                judge(call, look, seen);
            }
        } catch (RuntimeException e) {
            Hooks.trouble(e);
        } catch (StackOverflowError e) {
            return call; // the program's own
        } finally {
            state.busy = false;
        }
        return call;
    }

    /** Whether all names of the condition mean something at the site. */
    private boolean readable(Look look, boolean returned) {
        Meaning[] meanings = look.site.meanings;
        if (meanings == null || meanings == Meaning.NONE) {
            look.site.loaded = Agent.loaded();
            look.site.meanings = meanings = Meaning.of(names, look, returned);
        }
        look.meanings = meanings;
        for (Meaning m : meanings) {
            if (!m.ready()) {
                return false;
            }
        }
        return meanings != Meaning.NONE;
    }

    private void judge(Call call, Look look, Site seen) {
        List<Object> objects = new ArrayList<>();
        List<Instances.Instance> living = instances == null ? List.of() : instances.living(objects);
        if (instances != null && living.isEmpty()) {
            return;
        }
        long count = judgements.next();
        call.site = look.site;
        call.self = look.self;
        call.values = look.values();
        if (instances != null) {
            each(call, look, seen, count, living, objects);
            return;
        }
        if (changes) {
            compare(call, look, seen, count);
            return;
        }
        boolean holds;
        try {
            holds = look.holds(condition.whole);
        } catch (Failure f) {
            failed(call, f);
            return;
        }
        if (holds && !(call.begun && call.held)) {
            moment(call, look, seen, count, call.was, null);
        }
        call.begun = true;
        call.held = holds;
        if (!holds) {
            call.was = remember(call.was, look);
        }
    }

    /** Judges each instance by itself, wherever it was judged before. */
    private void each(Call call, Look look, Site seen, long count, List<Instances.Instance> living, List<Object> objects) {
        judgements.instances(instances.number());
        Failure failed = null;
        for (int i = 0; i < living.size(); i++) {
            Instances.Instance one = living.get(i);
            Look at = look.forInstance(objects.get(i));
            boolean holds;
            try {
                holds = at.holds(condition.whole);
            } catch (Failure f) {
                failed = failed == null ? f : failed;
                continue;
            }
            if (holds && !one.held) {
                moment(call, at, seen, count, one.was, e -> e.number("e", one.number).number("g", living.size()));
            }
            one.held = holds;
            if (!holds) {
                one.was = remember(one.was, at);
            }
        }
        if (failed != null) {
            failed(call, failed);
        }
    }

    private void failed(Call call, Failure f) {
        judgements.failed();
        if (!told.getAndSet(true)) {
            Hooks.notes.write(new Notes.Event("remark").text("at", call.at()).text("f", call.method.function).text("t", Notes.thread())
                .text("m", "the condition could not be judged each time: " + f.getMessage()));
        }
    }

    private void moment(Call call, Look look, Site seen, long count, Object[] was, java.util.function.Consumer<Notes.Event> more) {
        long rest = left.decrementAndGet();
        if (rest <= 0) {
            on = false;
        }
        if (rest < 0) {
            return;
        }
        List<String> names = new ArrayList<>(condition.texts);
        if (more != null && !names.contains(Condition.EACH)) {
            names.add(Condition.EACH);
        }
        Notes.Event e = event("moment", call, seen, count, names).values(values(look, names.size()));
        if (was != null && was.length > 0) {
            e.values("b", before(was));
        }
        if (more != null) {
            more.accept(e);
        }
        Hooks.notes.write(e.texts("s", Callers.frames(1, CALLERS)));
    }

    /** An event that tells of a judgement, with the names of its values. */
    private Notes.Event event(String kind, Call call, Site seen, long count, List<String> names) {
        call.number = call.number == 0 ? Hooks.CALLS.incrementAndGet() : call.number;
        List<String> all = new ArrayList<>(names);
        all.addAll(texts);
        return new Notes.Event(kind).text("at", call.at()).text("f", call.method.function).text("t", Notes.thread()).number("c", call.number)
            .number("h", count).text("m", call.ran == 0 ? "begun" : "").text("y", seen == null ? "" : call.method.file + ":" + seen.line).texts("a", all);
    }

    /** Notes the value of the condition where it is not that of the judgement before in this thread. */
    private void compare(Call call, Look look, Site seen, long count) {
        Notes.Value now;
        try {
            now = Notes.Value.of(look.guarded(condition.whole).value);
        } catch (Failure f) {
            now = Notes.Value.failed(f.getMessage());
        }
        now.same = null; // another run has others
        State state = Hooks.state();
        if (now.isLike(state.value)) {
            return;
        }
        state.value = now;
        List<Notes.Value> list = new ArrayList<>(List.of(now));
        asked(look, list);
        Hooks.notes.write(event("changed", call, seen, count, List.of(condition.text)).values(list).texts("s", Callers.frames(1, CALLERS)));
    }

    private List<Notes.Value> values(Look look, int named) {
        List<Notes.Value> list = new ArrayList<>();
        for (int i = 0; i < condition.operands.size(); i++) {
            try {
                list.add(Notes.Value.of(look.operand(condition, i, false).value));
            } catch (Failure f) {
                list.add(Notes.Value.failed(f.getMessage()));
            }
        }
        if (list.size() < named) {
            list.add(Notes.Value.of(look.each()));
        }
        asked(look, list);
        return list;
    }

    /** Adds the values of the expressions. */
    private void asked(Look look, List<Notes.Value> list) {
        for (Expression e : expressions) {
            boolean named = Meaning.of(Condition.names(e, instances != null), look, look.returned()) != Meaning.NONE;
            list.add(named ? look.noted(e, false) : Notes.Value.failed("not readable here"));
        }
    }

    // What was compared at the judgement before.

    private Object[] remember(Object[] into, Look look) {
        Object[] was = into == null ? new Object[condition.operands.size()] : into;
        for (int i = 0; i < was.length; i++) {
            was[i] = kept(look, i);
        }
        return was;
    }

    /** An operand as it is kept: what calls more than what only reads is not called again. */
    private Object kept(Look look, int i) {
        Object value;
        if (i >= condition.reading && look.seen[i] == null) {
            return Notes.Value.failed("not evaluated then");
        }
        try {
            value = look.operand(condition, i, true).value;
        } catch (Failure f) {
            return Notes.Value.failed(f.getMessage());
        }
        if (value == null) {
            return NULL;
        }
        if (value instanceof Integer || value instanceof Long || value instanceof Double || value instanceof String || value instanceof Boolean
            || value instanceof Character || value instanceof Enum<?> || value instanceof Class<?>) {
            return value;
        }
        if (shown > MOST_SHOWN) {
            return new Was(value, Show.type(value.getClass()), true);
        }
        long from = System.nanoTime();
        Show show = Show.of(value);
        shown += System.nanoTime() - from;
        return new Was(value, show.text, show.less());
    }

    private static List<Notes.Value> before(Object[] was) {
        List<Notes.Value> list = new ArrayList<>();
        for (Object o : was) {
            list.add(o instanceof Notes.Value v ? v : o instanceof Was w ? w.noted() : Notes.Value.of(o == NULL ? null : o));
        }
        return list;
    }
}
