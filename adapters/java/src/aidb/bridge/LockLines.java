package aidb.bridge;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Field;
import com.sun.jdi.InvalidStackFrameException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a source that take locks: which object each means is read in the frame that stands after it. */
final class LockLines {
    private static final Pattern LOCK = Pattern.compile("([A-Za-z_][\\w.]*(?:\\(\\))?(?:\\.\\w+(?:\\(\\))?)*)\\.(?:lock|lockInterruptibly|tryLock)\\(");
    private static final Pattern ENTER = Pattern.compile("\\bsynchronized\\s*\\(\\s*([A-Za-z_][\\w.]*)\\s*\\)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_]\\w*(?:\\.\\w+)*");

    private final Machine machine;
    private final Map<Path, List<String>> files = new HashMap<>();

    LockLines(Machine machine) {
        this.machine = machine;
    }

    /** How a line of a frame's method names an object; empty where it does not. */
    String name(StackFrame frame, Location at, ObjectReference object) {
        Matcher names = NAME.matcher(line(at.declaringType(), at.lineNumber()));
        while (names.find()) {
            for (String name = names.group(); !name.isEmpty(); name = name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "") {
                if (object.equals(value(frame, name))) {
                    return name;
                }
            }
        }
        return "";
    }

    /** Where the method of a frame has entered a monitor that this frame holds; null where several lines may have. */
    Location entered(StackFrame frame, ObjectReference monitor) {
        Location found = null;
        try {
            if (frame.location().method().isSynchronized() && monitor.equals(frame.location().method().isStatic() ? frame.location().declaringType().classObject() : frame.thisObject())) {
                return frame.location().method().location();
            }
            for (Location at : before(frame)) {
                Matcher enter = ENTER.matcher(line(at.declaringType(), at.lineNumber()));
                if (enter.find() && monitor.equals(value(frame, enter.group(1)))) {
                    found = at;
                }
            }
        } catch (AbsentInformationException | InvalidStackFrameException e) {
            return null;
        }
        return found;
    }

    /** Where a frame waits to enter a monitor: HotSpot may tell the line behind. */
    Location entering(StackFrame frame, ObjectReference monitor) {
        Location here = frame.location();
        try {
            List<Location> before = before(frame);
            Location last = before.isEmpty() ? here : before.get(before.size() - 1);
            Matcher enter = ENTER.matcher(line(last.declaringType(), last.lineNumber()));
            boolean isHere = ENTER.matcher(line(here.declaringType(), here.lineNumber())).find();
            return !isHere && enter.find() && monitor.equals(value(frame, enter.group(1))) ? last : here;
        } catch (AbsentInformationException | InvalidStackFrameException e) {
            return here;
        }
    }

    /** Where a thread that holds a lock has taken it, in the outermost of its frames that has a line for it; null where none or several may have. */
    Location locked(List<StackFrame> stack, ObjectReference lock, ObjectReference sync) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            if (!machine.sources.own(stack.get(i).location().declaringType())) {
                continue;
            }
            try {
                Location found = null;
                for (Location at : before(stack.get(i))) {
                    Matcher call = LOCK.matcher(line(at.declaringType(), at.lineNumber()));
                    if (call.find() && value(stack.get(i), call.group(1)) instanceof ObjectReference o && (o.equals(lock) || sync.equals(Threads.field(o, "sync")))) {
                        if (found != null && found.lineNumber() != at.lineNumber()) {
                            return null;
                        }
                        found = at;
                    }
                }
                if (found != null) {
                    return found;
                }
            } catch (AbsentInformationException | InvalidStackFrameException e) {
                continue;
            }
        }
        return null;
    }

    /** The places of a frame's method before the one where it stands. */
    private static List<Location> before(StackFrame frame) throws AbsentInformationException {
        Location here = frame.location();
        return here.method().allLineLocations().stream().filter(at -> at.codeIndex() < here.codeIndex() && at.lineNumber() < here.lineNumber()).toList();
    }

    private String line(ReferenceType type, int number) {
        Path path = machine.sources.find(type);
        if (path == null || number < 1) {
            return "";
        }
        List<String> lines = files.computeIfAbsent(path, p -> {
            try {
                return Files.readAllLines(p);
            } catch (IOException e) {
                return List.of();
            }
        });
        return number <= lines.size() ? lines.get(number - 1) : "";
    }

    /** What a name with fields means in a frame; null where that is not known without running code. */
    private static Value value(StackFrame frame, String path) {
        String[] names = path.split("\\.");
        Value value = first(frame, names[0].equals("this") ? "" : names[0]);
        for (int i = 1; i < names.length && value != null; i++) {
            value = value instanceof ObjectReference o ? Threads.field(o, names[i]) : null;
        }
        return value;
    }

    private static Value first(StackFrame frame, String name) {
        if (name.isEmpty()) {
            return frame.thisObject();
        }
        try {
            LocalVariable local = frame.visibleVariableByName(name);
            if (local != null) {
                return frame.getValue(local);
            }
        } catch (AbsentInformationException e) {
            return null;
        }
        ReferenceType type = frame.location().declaringType();
        Field field = type.fieldByName(name);
        if (field != null) {
            return field.isStatic() ? type.getValue(field) : frame.thisObject() == null ? null : frame.thisObject().getValue(field);
        }
        ObjectReference self = frame.thisObject();
        return self == null ? null : Threads.field(self, "val$" + name);
    }
}
