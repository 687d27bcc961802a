package aidb.bridge;

import aidb.text.Failure;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import com.sun.jdi.event.ExceptionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which exceptions fail a test: those that the user's code lets go to the test framework, unless the
 * test is one that expects them. What anybody else catches is the program's own affair.
 */
final class Failing {
    private static final Pattern FRAMEWORK = Pattern.compile("^(org\\.junit\\.|junit\\.|org\\.testng\\.)");
    /** Parts of frameworks that catch what they were given to examine, and throw again what they do not like. */
    private static final Pattern EXAMINING = Pattern.compile("^org\\.(junit\\.jupiter\\.api\\.Assert|junit\\.Assert\\b|testng\\.Assert|testng\\.asserts\\.|junit\\.function)");
    private static final Pattern REFLECTION = Pattern.compile("^(java\\.lang\\.reflect\\.|jdk\\.internal\\.reflect\\.|sun\\.reflect\\.|java\\.lang\\.invoke\\.)");
    private static final String COLLECTOR = "org.junit.rules.ErrorCollector";
    private static final String EXPECT_ONE = "org.junit.internal.runners.statements.ExpectException";
    private static final String EXPECT_LIKE = "org.junit.rules.ExpectedException$ExpectedExceptionStatement";
    /** Exceptions that end a test without failing it. */
    private static final List<String> ABORTING = List.of("org.opentest4j.TestAbortedException",
        "org.junit.internal.AssumptionViolatedException", "org.testng.SkipException");

    private final Machine machine;
    private final ExceptionEvent event;
    private final int end; // where an exception that is thrown on ends, Passing.UNKNOWN for others
    private Method test; // the user's outermost method below the framework
    private final List<ObjectReference> expecting = new ArrayList<>(); // statements of JUnit 4 that may want the exception

    private Failing(Machine machine, ExceptionEvent event, int end) {
        this.machine = machine;
        this.event = event;
        this.end = end;
    }

    /** Makes calls into the program where a test may expect the exception. */
    static boolean fails(Machine machine, ExceptionEvent event, int end) {
        ReferenceType type = event.exception().referenceType();
        if (ABORTING.stream().anyMatch(name -> Calls.distance(type, name) >= 0)) {
            return false;
        }
        try {
            Failing failing = new Failing(machine, event, end);
            return failing.reachesFramework() && !failing.expected();
        } catch (IncompatibleThreadStateException e) {
            return false;
        }
    }

    private boolean reachesFramework() throws IncompatibleThreadStateException {
        List<StackFrame> frames = event.thread().frames();
        int catcher = catcher(frames, event.catchLocation(), end);
        if (catcher < 0) {
            return false; // nothing catches it: uncaught, which is another matter
        }
        String by = frames.get(catcher).location().declaringType().name();
        boolean collects = by.equals(COLLECTOR);
        if (!collects && (!FRAMEWORK.matcher(by).find() || EXAMINING.matcher(by).find())) {
            return false;
        }
        for (StackFrame frame : frames.subList(0, collects ? frames.size() : catcher)) {
            if (machine.sources.own(frame.location().declaringType())) {
                test = frame.location().method();
            }
        }
        for (StackFrame frame : frames.subList(collects ? frames.size() : catcher, frames.size())) {
            String name = frame.location().declaringType().name();
            if (name.equals(EXPECT_ONE) || name.equals(EXPECT_LIKE)) {
                expecting.add(frame.thisObject());
            }
        }
        return test != null;
    }

    /** The frame that gets the exception: reflection hands it on. */
    private static int catcher(List<StackFrame> frames, Location handler, int end) {
        int at = Math.max(0, end);
        while (end == Passing.UNKNOWN && at < frames.size() && (handler == null || !frames.get(at).location().method().equals(handler.method()))) {
            at++;
        }
        while (at < frames.size() && REFLECTION.matcher(frames.get(at).location().declaringType().name()).find()) {
            at++;
        }
        return at < frames.size() ? at : -1;
    }

    private boolean expected() {
        Context c = new Context(machine, event.thread(), 0);
        try {
            for (ObjectReference statement : expecting) {
                if (statement.referenceType().name().equals(EXPECT_ONE) ? wants(Contents.get(statement, "expected")) : likes(c, statement)) {
                    return true;
                }
            }
            return wantedByTestNG(c);
        } catch (Failure e) {
            return false;
        } finally {
            machine.pins.release();
        }
    }

    /** Whether a class is one of the exception's. */
    private boolean wants(Value type) {
        return type instanceof ClassObjectReference c && Calls.distance(event.exception().referenceType(), c.reflectedType().name()) >= 0;
    }

    /** Asks the rule ExpectedException, which has matchers once something is expected. */
    private boolean likes(Context c, ObjectReference statement) {
        ObjectReference builder = (ObjectReference) Contents.get((ObjectReference) Contents.get(statement, "this$0"), "matcherBuilder");
        if (!Context.isTrue(Calls.on(c, builder, "expectsThrowable", List.of()))) {
            return false;
        }
        ObjectReference matcher = (ObjectReference) Calls.on(c, builder, "build", List.of());
        return Context.isTrue(Calls.on(c, matcher, "matches", List.of(event.exception())));
    }

    /** TestNG decides after it has caught, by what the test's annotation says. */
    private boolean wantedByTestNG(Context c) {
        List<ReferenceType> mark = machine.vm.classesByName("org.testng.annotations.Test");
        if (mark.isEmpty() || !(test.declaringType() instanceof ClassType owner)) {
            return false;
        }
        ArrayReference methods = (ArrayReference) Calls.on(c, owner.classObject(), "getDeclaredMethods", List.of());
        for (Value method : methods.getValues()) {
            ObjectReference m = (ObjectReference) method;
            if (!(Contents.get(m, "name") instanceof StringReference name) || !name.value().equals(test.name())) {
                continue;
            }
            if (Calls.on(c, m, "getAnnotation", List.of(mark.get(0).classObject())) instanceof ObjectReference annotation) {
                ArrayReference types = (ArrayReference) Calls.on(c, annotation, "expectedExceptions", List.of());
                String like = Calls.text(c, Calls.on(c, annotation, "expectedExceptionsMessageRegExp", List.of()));
                return types.getValues().stream().anyMatch(this::wants) && (like.equals(".*") || matches(c, like));
            }
        }
        return false;
    }

    private boolean matches(Context c, String pattern) {
        Value message = Calls.on(c, event.exception(), "getMessage", List.of());
        return message instanceof StringReference text && Pattern.compile(pattern, Pattern.DOTALL).matcher(text.value()).matches();
    }
}
