package aidb.recorder;

import aidb.expression.Expression;
import aidb.text.Failure;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines of one call: which have run, and what each has changed. */
final class Lines {
    static final int OUT = -1;
    private static final int MOST = 60; // variables and fields

    private final int wanted; // the n-th call; 0: the first for which the condition holds
    private final Expression condition;
    private final List<String> texts;
    private final List<Expression> expressions;
    private int seen;
    private boolean done;
    private Frame frame; // of the call that is followed
    private Map<String, Notes.Value> state;
    private boolean noted; // a line has been
    private int ran; // the line that runs, 0 before the first
    private final Map<String, Notes.Value> gone = new LinkedHashMap<>(); // what it has left where nothing sees it any more

    Lines(int wanted, Expression condition, List<String> texts, List<Expression> expressions) {
        this.wanted = wanted;
        this.condition = condition;
        this.texts = texts;
        this.expressions = expressions;
    }

    synchronized void entered(Frame of, Scope scope) {
        if (done || frame != null || ++seen != wanted && wanted != 0) {
            return;
        }
        try {
            if (condition != null && !scope.holds(condition)) {
                return;
            }
        } catch (Failure f) {
            return;
        }
        frame = of;
        state = state(scope);
    }

    private Map<String, Notes.Value> state(Scope scope) {
        Map<String, Notes.Value> now = new LinkedHashMap<>();
        for (int i = 0; i < texts.size(); i++) {
            now.put(texts.get(i), scope.noted(expressions.get(i), false));
        }
        if (texts.isEmpty()) {
            for (int i = 0; i < scope.variables().size(); i++) {
                now.put(scope.variables().get(i).name(), Notes.Value.of(scope.value(i)));
            }
            fields(scope.self, now);
        }
        return now;
    }

    /** What the object holds on which the call is made. */
    private static void fields(Object self, Map<String, Notes.Value> now) {
        if (self == null || Show.library(self.getClass()) || self.getClass().isHidden()) {
            return;
        }
        for (Field f : Show.fieldsOf(self.getClass())) {
            if (now.size() == MOST) {
                return;
            }
            now.putIfAbsent("this." + f.getName(), Notes.Value.of(Reach.get(f, self)));
        }
    }

    /** A line is about to run; 0 where the call is about to return, and OUT where variables go out of sight. */
    synchronized void reached(Frame of, Scope scope, Site site) {
        int line = site.line;
        if (of != frame || site.again && line == ran) {
            return;
        }
        if (line == OUT) {
            gone.putAll(state(scope));
            return;
        }
        ended(state(scope));
        ran = line;
        of.line = line == 0 ? of.line : line;
    }

    private void ended(Map<String, Notes.Value> now) {
        if (ran == 0) {
            gone.clear();
            state = now;
            return;
        }
        List<String> names = new ArrayList<>();
        List<Notes.Value> values = new ArrayList<>();
        Map<String, Notes.Value> seen = new LinkedHashMap<>(now);
        gone.forEach((name, v) -> seen.merge(name, v, (is, was) -> is.error == null ? is : was));
        gone.clear();
        seen.forEach((name, v) -> {
            Notes.Value was = state.get(name);
            if (was == null || v.isOtherThan(was)) {
                names.add(name);
                values.add(v);
            }
        });
        state = now;
        if (!texts.isEmpty() && names.isEmpty()) {
            return;
        }
        noted = true;
        Notes.Event e = new Notes.Event("line").text("at", frame.method.file + ":" + ran).text("f", frame.method.function).text("t", Notes.thread());
        Hooks.notes.write(texts.isEmpty() ? e.texts("a", names).values(values) : e.values(List.copyOf(seen.values())));
    }

    synchronized void left(Frame of) {
        if (of == frame) {
            ended(state); // thrown out of a line, whose changes nobody has seen
            if (!noted) {
                Hooks.notes.remark("none of its lines has changed " + String.join(" or ", texts) + " in the call of " + of.method.function + " that was followed");
            }
            ran = 0;
            frame = null;
            done = true;
        }
    }
}
