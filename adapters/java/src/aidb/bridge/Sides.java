package aidb.bridge;

import aidb.text.Obj;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The two values of an expectation that was not met: from the fields of the error where it has them,
 * else from the arguments of the framework's method that the user's code has called. Its words are
 * never read.
 */
final class Sides {
    private static final String FIELDS = "the error's own fields";
    /** Errors with fields for both. */
    private static final Map<String, List<String>> HOLDERS = Map.of(
        "org.opentest4j.AssertionFailedError", List.of("expected", "actual"),
        "org.junit.ComparisonFailure", List.of("fExpected", "fActual"),
        "junit.framework.ComparisonFailure", List.of("fExpected", "fActual"));
    /** Classes whose methods take what is expected first, and last the message. */
    private static final Set<String> LAST = Set.of("org.junit.jupiter.api.Assertions");
    /** Those that take the message first where there is one, and then what is expected. */
    private static final Set<String> FIRST = Set.of("org.junit.Assert", "junit.framework.Assert", "junit.framework.TestCase", "org.testng.AssertJUnit");
    /** Those that take what came first. */
    private static final Set<String> SWAPPED = Set.of("org.testng.Assert", "org.testng.asserts.Assertion");
    private static final Set<String> COMPARING = Set.of("assertEquals", "assertSame", "assertArrayEquals", "assertIterableEquals", "assertLinesMatch");
    /** Methods that are given a condition, in the place of what is expected. */
    private static final Set<String> ASKING = Set.of("assertTrue", "assertFalse");

    private Sides() {}

    /** Empty where nothing tells them. */
    static Obj of(Machine machine, Machine.Stop stop, Render render) {
        List<StackFrame> call = called(machine, stop);
        int[] at = call.isEmpty() ? null : positions(call.get(call.size() - 1));
        Obj told = fields(stop.exception(), render);
        if (told == null) {
            told = at == null || at[0] < 0 ? new Obj() : arguments(call.get(call.size() - 1), at, render);
        }
        if (at != null && call.size() == 1) { // the statement's own arguments
            told.put("expectedAt", at[0] + 1);
            told.put("actualAt", at[1] + 1);
        }
        return told;
    }

    private static Obj fields(ObjectReference error, Render render) {
        for (Map.Entry<String, List<String>> holder : HOLDERS.entrySet()) {
            if (Calls.distance(error.referenceType(), holder.getKey()) < 0) {
                continue;
            }
            Value expected = field(error, holder.getValue().get(0));
            Value actual = field(error, holder.getValue().get(1));
            if (expected == null || actual == null) {
                return null; // it was made without them
            }
            return sides(wrapped(expected, render), wrapped(actual, render), FIELDS);
        }
        return null;
    }

    private static Obj sides(String expected, String actual, String from) {
        return Obj.of("expected", expected, "actual", actual, "from", from);
    }

    private static Value field(ObjectReference of, String name) {
        Field field = of.referenceType().fieldByName(name);
        return field == null ? null : of.getValue(field);
    }

    /** What a wrapper holds that opentest4j puts round each value: the value, or its text where it could not be kept. */
    private static String wrapped(Value value, Render render) {
        if (!(value instanceof ObjectReference wrapper) || !wrapper.referenceType().name().equals("org.opentest4j.ValueWrapper")) {
            return render.text(value);
        }
        Value kept = field(wrapper, "ephemeralValue");
        if (kept == null) {
            kept = field(wrapper, "value");
        }
        return kept != null ? render.text(kept) : render.plain(field(wrapper, "stringRepresentation"));
    }

    /** The framework's method that the user's code has called, last; before it those of a library that it was called through. Empty: none. */
    private static List<StackFrame> called(Machine machine, Machine.Stop stop) {
        List<StackFrame> through = new ArrayList<>();
        try {
            for (StackFrame frame : stop.thread().frames()) {
                Location at = frame.location();
                if (machine.sources.own(at.declaringType())) {
                    break;
                }
                if (asserts(at.method())) {
                    through.clear();
                }
                through.add(frame);
            }
        } catch (IncompatibleThreadStateException e) {
            return List.of();
        }
        Collections.reverse(through);
        return !through.isEmpty() && asserts(through.get(through.size() - 1).location().method()) ? through : List.of();
    }

    private static boolean asserts(Method method) {
        return COMPARING.contains(method.name()) || ASKING.contains(method.name());
    }

    /**
     * Which arguments are the expected value and the actual one, from 0, the first -1 where a condition
     * is asserted; null where the method's class does not say it.
     */
    private static int[] positions(StackFrame frame) {
        String type = frame.location().declaringType().name();
        List<String> types = frame.location().method().argumentTypeNames();
        if (!FIRST.contains(type) && !LAST.contains(type) && !SWAPPED.contains(type)) {
            return null;
        }
        if (ASKING.contains(frame.location().method().name())) {
            return new int[] {-1, FIRST.contains(type) ? types.size() - 1 : 0};
        }
        boolean message = FIRST.contains(type) && types.size() > 2 && types.get(0).equals("java.lang.String")
            && !(types.size() == 3 && types.get(1).equals("java.lang.String") && !types.get(2).equals("java.lang.String"));
        int first = message ? 1 : 0;
        if (types.size() < first + 2) {
            return null;
        }
        return SWAPPED.contains(type) ? new int[] {1, 0} : new int[] {first, first + 1};
    }

    private static Obj arguments(StackFrame frame, int[] at, Render render) {
        List<Value> values = Context.arguments(frame);
        Location called = frame.location();
        return sides(render.text(values.get(at[0])), render.text(values.get(at[1])),
            "the arguments of " + Names.simple(called.declaringType().name()) + "." + called.method().name());
    }
}
