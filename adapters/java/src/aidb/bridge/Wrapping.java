package aidb.bridge;

import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.event.ExceptionEvent;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What becomes of an exception that comes out of code which the machine itself has called: native
 * reflection and static initializers. The machine says of it that nobody catches it, but what it
 * throws in its place may be caught.
 */
final class Wrapping {
    private static final Set<String> INVOKING = Set.of("java.lang.Throwable", "java.lang.Exception", "java.lang.ReflectiveOperationException",
        "java.lang.reflect.InvocationTargetException");
    private static final Set<String> INITIALIZING = Set.of("java.lang.Throwable", "java.lang.Error", "java.lang.LinkageError", "java.lang.ExceptionInInitializerError");
    /** Classes of the JDK that let pass what is thrown in them. */
    private static final Pattern PASSING = Pattern.compile("^(java\\.lang\\.reflect\\.|jdk\\.internal\\.reflect\\.|java\\.lang\\.invoke\\.|java\\.lang\\.Thread$|java\\.lang\\.Class$)");

    private Wrapping() {}

    /** Whether the user's code catches what an exception is turned into. */
    static boolean handled(Machine machine, ExceptionEvent event) {
        try {
            return event.thread().frameCount() <= Passing.DEEPEST && handled(machine, event.exception().referenceType(), event.thread().frames());
        } catch (IncompatibleThreadStateException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static boolean handled(Machine machine, ReferenceType thrown, List<StackFrame> frames) {
        Predicate<String> fits = name -> Calls.distance(thrown, name) >= 0;
        boolean outside = false; // of what the machine has called
        for (StackFrame frame : frames) {
            Location at = frame.location();
            Method method = at.method();
            boolean own = machine.sources.own(at.declaringType());
            if (outside && !own && !PASSING.matcher(at.declaringType().name()).find()) {
                return false; // nobody knows what it does
            }
            if (outside && own && catches(machine, at, fits)) {
                return true;
            }
            if (method.isNative() && at.declaringType().name().contains(".reflect.")) {
                fits = INVOKING::contains;
                outside = true;
            } else if (method.isStaticInitializer()) {
                fits = fits.test("java.lang.Error") ? fits : INITIALIZING::contains;
                outside = true;
            }
        }
        return false;
    }

    /** Whether a method keeps what is thrown at a place of it. */
    private static boolean catches(Machine machine, Location at, Predicate<String> fits) {
        ClassFile file = machine.classes.named(at.declaringType().name());
        if (file == null) {
            return false;
        }
        for (ClassFile.Handler h : machine.recorder.handlers(at.method(), file)) {
            if (h.start() <= at.codeIndex() && at.codeIndex() < h.end() && (h.type() == null || fits.test(h.type()))
                && Passing.throwsOn(at.method().bytecodes(), h.target()).isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
