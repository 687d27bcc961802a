package aidb.bridge;

import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.Field;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.ExceptionRequest;
import java.util.ArrayList;
import java.util.List;

/** Which exceptions stop the program, and what is told of one. */
final class Exceptions {
    static final String UNCAUGHT = "uncaught";
    static final String CAUGHT = "caught";
    static final String UNHANDLED = "user_unhandled";
    static final String FAILING = "test_failure";
    private static final int CAUSES = 8;
    private static final int LINES = 100;
    private static final int FOREIGN = 5; // lines of a trace that has none of the user's
    private static final int SUPPRESSED = 5;
    private final Machine machine;
    private static final int PASSING = 300; // exceptions that are followed where only what nobody catches is wanted

    private ExceptionRequest request;
    private List<String> filters = List.of();
    private int followed;
    private ObjectReference told; // that the program stopped for before it was thrown on
    private ThreadReference by;
    private final Throws thrown;

    Exceptions(Machine machine) {
        this.machine = machine;
        thrown = new Throws(machine);
    }

    static List<Obj> filters() {
        return List.of(
            Obj.of("filter", UNCAUGHT, "label", "Uncaught exceptions", "description", "nothing catches it", "default", true),
            Obj.of("filter", UNHANDLED, "label", "Exceptions that user code lets go",
                "description", "it passes through user code and only a library catches it"),
            Obj.of("filter", FAILING, "label", "What fails a test", "description", "user code lets it go to the test framework, which did not expect it"),
            Obj.of("filter", CAUGHT, "label", "All exceptions that pass through user code", "description", "also those that are caught"));
    }

    synchronized void set(List<String> wanted) {
        filters = wanted;
        if (request != null) {
            machine.requests().deleteEventRequest(request);
            request = null;
        }
        if (wanted.isEmpty()) {
            return;
        }
        boolean caught = wanted.contains(CAUGHT) || wanted.contains(UNHANDLED) || wanted.contains(FAILING);
        request(caught || followed < PASSING, wanted.contains(UNCAUGHT) || caught);
    }

    private void request(boolean caught, boolean uncaught) {
        request = machine.requests().createExceptionRequest(null, caught, uncaught);
        request.addClassExclusionFilter(Recorder.CLASSES + "*");
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.enable();
    }

    /** Where only what nobody catches is wanted the others are followed up to a number, for each costs time. */
    private synchronized void follow() {
        if (++followed == PASSING && request != null && filters.equals(List.of(UNCAUGHT))) {
            machine.requests().deleteEventRequest(request);
            request(false, true);
            thrown.blind();
        }
    }

    /** Whether deciding about an exception may need calls into the program. */
    synchronized boolean judges() {
        return filters.contains(FAILING);
    }

    boolean wanted(ExceptionEvent event) {
        if (event.catchLocation() != null && event.catchLocation().declaringType().name().startsWith(Recorder.CLASSES)) {
            return false;
        }
        thrown.seen(event);
        if (event.exception().equals(told) && event.thread().equals(by)) {
            return false; // it is thrown on
        }
        boolean stops = asked(event);
        if (!stops) {
            machine.recorder.passes(event);
        }
        return stops;
    }

    private boolean asked(ExceptionEvent event) {
        List<String> asked;
        synchronized (this) {
            asked = filters;
        }
        Location handler = event.catchLocation();
        if (handler == null && asked.contains(UNCAUGHT) && !Wrapping.handled(machine, event)) {
            return true;
        }
        if (handler != null) {
            follow();
        }
        int end = asked.contains(UNCAUGHT) || asked.contains(FAILING) ? Passing.end(machine, event) : Passing.UNKNOWN;
        if (end != Passing.UNKNOWN && asked.contains(UNCAUGHT) && Passing.nobody(event, end)) {
            return early(event);
        }
        if (handler != null && asked.contains(CAUGHT) && machine.passesOwnCode(event.thread(), handler, true)) {
            return true;
        }
        boolean foreign = handler != null && !machine.sources.own(handler.declaringType());
        if (foreign && asked.contains(UNHANDLED) && machine.passesOwnCode(event.thread(), handler, false)) {
            return true;
        }
        if (foreign) {
            return asked.contains(FAILING) && Failing.fails(machine, event, end);
        }
        return end != Passing.UNKNOWN && asked.contains(FAILING) && Failing.fails(machine, event, end) && early(event);
    }

    /** The program stops for an exception before it is thrown on. */
    private boolean early(ExceptionEvent event) {
        told = event.exception();
        by = event.thread();
        return true;
    }

    /** Where an exception was thrown first, at which the program stands. */
    Obj origin(ThreadReference thread, ObjectReference exception) {
        return thrown.origin(thread, exception, () -> made(new Context(machine, thread, 0), exception));
    }

    /** The user's innermost place in the trace of an exception, null where there is none. */
    private Obj made(Context c, ObjectReference exception) {
        try {
            if (Calls.on(c, exception, "getStackTrace", List.of()) instanceof ArrayReference array) {
                for (Value element : array.getValues(0, Math.min(array.length(), LINES))) {
                    ObjectReference e = (ObjectReference) element;
                    if (own(e) && field(e, "lineNumber") instanceof IntegerValue line && line.value() > 0) {
                        return thrown.told(text(e, "declaringClass"), text(e, "fileName"), text(e, "methodName"), line.value());
                    }
                }
            }
        } catch (Failure | IndexOutOfBoundsException e) {
            return null;
        }
        return null;
    }

    private static String text(ObjectReference of, String name) {
        return field(of, name) instanceof StringReference text ? text.value() : null;
    }

    /** The answer to exceptionInfo. */
    Obj info(Machine.Stop stop, boolean mayCall) {
        ThreadReference thread = stop.thread();
        ObjectReference exception = stop.exception();
        Obj details = details(thread, exception, mayCall, 0, List.of());
        return Obj.of("exceptionId", exception.referenceType().name(), "description", details.text("message"), "breakMode", Dying.surely(machine, stop) ? "unhandled" : "always", "details", details);
    }

    private Obj details(ThreadReference thread, ObjectReference exception, boolean mayCall, int depth, List<String> caused) {
        String name = exception.referenceType().name();
        Context c = new Context(machine, thread, 0);
        Value cause = field(exception, "cause");
        boolean deeper = cause instanceof ObjectReference && !cause.equals(exception) && depth < CAUSES;
        List<String> places = new ArrayList<>();
        String trace = trace(c, exception, mayCall, caused, places);
        List<Obj> inner = deeper ? List.of(details(thread, (ObjectReference) cause, mayCall, depth + 1, places)) : null;
        return Obj.of("message", message(c, exception, mayCall), "typeName", Names.simple(name), "fullTypeName", name,
            "stackTrace", trace, "innerException", inner);
    }

    /** What getMessage says, which may be more than the field: the helpful words about a null. */
    static String message(Context c, ObjectReference exception, boolean mayCall) {
        Value text = field(exception, "detailMessage");
        if (mayCall && (text == null || composes(exception))) {
            try {
                text = Calls.on(c, exception, "getMessage", List.of());
            } catch (Failure e) {
                return text instanceof StringReference said ? said.value() : null;
            }
        }
        return text instanceof StringReference said ? said.value() : null;
    }

    /** Says whether the exception makes up what getMessage says. */
    private static boolean composes(ObjectReference exception) {
        return exception.referenceType().methodsByName("getMessage").stream().anyMatch(m -> !m.declaringType().name().equals("java.lang.Throwable"));
    }

    private static Value field(ObjectReference of, String name) {
        Field field = of.referenceType().fieldByName(name);
        return field == null ? null : of.getValue(field);
    }

    /** The exceptions that were thrown while this one was on its way, as Java prints them. */
    private static String suppressed(Context c, ObjectReference exception) {
        Contents list = field(exception, "suppressedExceptions") instanceof ObjectReference o ? Contents.of(o) : null;
        StringBuilder out = new StringBuilder();
        for (Contents.Entry entry : list == null ? List.<Contents.Entry>of() : list.slice(0, SUPPRESSED)) {
            ObjectReference other = (ObjectReference) entry.value();
            String said = message(c, other, true);
            out.append("\nSuppressed: ").append(other.referenceType().name()).append(said == null ? "" : ": " + said);
        }
        return out.append(list != null && list.size > SUPPRESSED ? "\n… " + (list.size - SUPPRESSED) + " more suppressed" : "").toString();
    }

    /** Whether the class of an element of a stack trace is the user's own. */
    private boolean own(ObjectReference element) {
        return field(element, "declaringClass") instanceof StringReference type && machine.sources.own(type.value(),
            field(element, "fileName") instanceof StringReference file ? file.value() : null);
    }

    /**
     * The trace of an exception up to the last line of the user's own that the one it
     * caused does not have too. Those of libraries are folded to a count, but for the
     * line that threw, and a single one, which says more by its name.
     */
    private String trace(Context c, ObjectReference exception, boolean mayCall, List<String> caused, List<String> places) {
        if (!mayCall) {
            return null;
        }
        try {
            if (!(Calls.on(c, exception, "getStackTrace", List.of()) instanceof ArrayReference array)) {
                return null;
            }
            List<Value> all = array.getValues(0, Math.min(array.length(), LINES));
            int hidden = ours(all);
            List<Value> elements = all.subList(hidden, all.size());
            elements.forEach(element -> places.add(place((ObjectReference) element)));
            int end = all.size() < array.length() ? elements.size() : elements.size() - common(places, caused);
            List<Boolean> own = new ArrayList<>(elements.subList(0, end).stream().map(element -> own((ObjectReference) element)).toList());
            int shown = own.lastIndexOf(true) + 1;
            if (shown == 0) {
                shown = Math.min(caused.isEmpty() ? FOREIGN : 1, end);
                own.replaceAll(any -> true);
            }
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < shown;) {
                int next = i;
                while (i > 0 && next < shown && !own.get(next)) {
                    next++;
                }
                if (next - i > 1) {
                    lines.add("(" + (next - i) + " library frames)");
                    i = next;
                } else {
                    lines.add("at " + Calls.text(c, elements.get(i++)));
                }
            }
            int more = array.length() - shown - hidden;
            return String.join("\n", lines) + (more > 0 ? "\n… " + more + " more" : "") + suppressed(c, exception);
        } catch (Failure | IndexOutOfBoundsException e) {
            return null;
        }
    }

    /** How many elements lie on those of the program where its stack has overflowed in our agent. */
    private static int ours(List<Value> elements) {
        int n = 0;
        for (int i = 0; i < elements.size(); i++) {
            n = text((ObjectReference) elements.get(i), "declaringClass").startsWith(Recorder.CLASSES) ? i + 1 : n;
        }
        return n;
    }

    /** How many places two traces have in common at their ends. */
    private static int common(List<String> places, List<String> others) {
        int n = 0;
        while (n < places.size() && n < others.size() && places.get(places.size() - 1 - n).equals(others.get(others.size() - 1 - n))) {
            n++;
        }
        return n;
    }

    /** Where an element of a trace is, to be compared with that of another. */
    private static String place(ObjectReference element) {
        StringBuilder out = new StringBuilder();
        for (String name : List.of("declaringClass", "methodName", "lineNumber")) {
            Value value = field(element, name);
            out.append(value instanceof StringReference text ? text.value() : String.valueOf(value)).append(' ');
        }
        return out.toString();
    }
}
