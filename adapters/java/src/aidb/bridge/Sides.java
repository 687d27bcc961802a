package aidb.bridge;

import aidb.text.Obj;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.Value;
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

    private Sides() {}

    /** Empty where nothing tells them. */
    static Obj of(Machine machine, Machine.Stop stop, Render render) {
        Obj told = fields(stop.exception(), render);
        return told != null ? told : called(machine, stop, render);
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

    /** The arguments of the framework's method that the user's code has called. */
    private static Obj called(Machine machine, Machine.Stop stop, Render render) {
        try {
            StackFrame found = null;
            for (StackFrame frame : stop.thread().frames()) {
                Location at = frame.location();
                if (machine.sources.own(at.declaringType())) {
                    break;
                }
                if (COMPARING.contains(at.method().name())) {
                    found = frame;
                }
            }
            return found == null ? new Obj() : arguments(found, render);
        } catch (IncompatibleThreadStateException e) {
            return new Obj();
        }
    }

    private static Obj arguments(StackFrame frame, Render render) {
        Method method = frame.location().method();
        String type = frame.location().declaringType().name();
        List<String> types = method.argumentTypeNames();
        boolean message = FIRST.contains(type) && types.size() > 2 && types.get(0).equals("java.lang.String")
            && !(types.size() == 3 && types.get(1).equals("java.lang.String") && !types.get(2).equals("java.lang.String"));
        int first = message ? 1 : 0;
        if (types.size() < first + 2 || !(message || FIRST.contains(type) || LAST.contains(type) || SWAPPED.contains(type))) {
            return new Obj();
        }
        List<Value> values = Context.arguments(frame);
        String one = render.text(values.get(first));
        String other = render.text(values.get(first + 1));
        String from = "the arguments of " + Names.simple(type) + "." + method.name();
        return SWAPPED.contains(type) ? sides(other, one, from) : sides(one, other, from);
    }
}
