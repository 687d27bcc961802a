package bridge;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.Location;
import com.sun.jdi.Field;
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
    private static final int LINES = 30;
    private static final int SUPPRESSED = 5;
    private final Machine machine;
    private ExceptionRequest request;
    private List<String> filters = List.of();

    Exceptions(Machine machine) {
        this.machine = machine;
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
        request = machine.requests().createExceptionRequest(null, caught, wanted.contains(UNCAUGHT) || caught);
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.enable();
    }

    /** Whether deciding about an exception may need calls into the program. */
    synchronized boolean judges() {
        return filters.contains(FAILING);
    }

    boolean wanted(ExceptionEvent event) {
        List<String> asked;
        synchronized (this) {
            asked = filters;
        }
        Location handler = event.catchLocation();
        if (handler == null && asked.contains(UNCAUGHT)) {
            return true;
        }
        if (handler != null && asked.contains(CAUGHT) && machine.passesOwnCode(event.thread(), handler, true)) {
            return true;
        }
        boolean foreign = handler != null && !machine.sources.own(handler.declaringType());
        if (foreign && asked.contains(UNHANDLED) && machine.passesOwnCode(event.thread(), handler, false)) {
            return true;
        }
        return foreign && asked.contains(FAILING) && Failing.fails(machine, event);
    }

    /** The answer to exceptionInfo. */
    Obj info(ThreadReference thread, ObjectReference exception, boolean mayCall) {
        Obj details = details(thread, exception, mayCall, 0);
        return Obj.of("exceptionId", exception.referenceType().name(), "description", details.text("message"), "breakMode", "always", "details", details);
    }

    private Obj details(ThreadReference thread, ObjectReference exception, boolean mayCall, int depth) {
        String name = exception.referenceType().name();
        Context c = new Context(machine, thread, 0);
        Value cause = field(exception, "cause");
        boolean deeper = cause instanceof ObjectReference && !cause.equals(exception) && depth < CAUSES;
        List<Obj> inner = deeper ? List.of(details(thread, (ObjectReference) cause, mayCall, depth + 1)) : null;
        return Obj.of("message", message(c, exception, mayCall), "typeName", Names.simple(name), "fullTypeName", name,
            "stackTrace", depth == 0 && !mayCall ? null : trace(c, exception, mayCall), "innerException", inner);
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
        return out.append(list != null && list.size() > SUPPRESSED ? "\n… " + (list.size() - SUPPRESSED) + " more suppressed" : "").toString();
    }

    private static boolean own(ObjectReference element) {
        return field(element, "declaringClass") instanceof StringReference name && !Sources.library(name.value());
    }

    private String trace(Context c, ObjectReference exception, boolean mayCall) {
        if (!mayCall) {
            return null;
        }
        try {
            if (!(Calls.on(c, exception, "getStackTrace", List.of()) instanceof ArrayReference elements)) {
                return null;
            }
            List<String> lines = new ArrayList<>();
            int shown = 0; // up to the last of the user's own
            for (Value element : elements.getValues(0, Math.min(elements.length(), LINES))) {
                String line = Calls.text(c, element);
                lines.add("at " + line);
                shown = own((ObjectReference) element) ? lines.size() : shown;
            }
            lines = lines.subList(0, shown == 0 ? Math.min(5, lines.size()) : shown);
            int more = elements.length() - lines.size();
            return String.join("\n", lines) + (more > 0 ? "\n… " + more + " more" : "") + suppressed(c, exception);
        } catch (Failure | IndexOutOfBoundsException e) {
            return null;
        }
    }
}
