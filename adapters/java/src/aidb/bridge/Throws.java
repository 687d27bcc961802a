package aidb.bridge;

import aidb.text.Obj;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.event.ExceptionEvent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Where each exception was thrown first. A handler may keep one, and another place throw it later,
 * even in another thread: the program then stands at a throw that is not the first of that object.
 */
final class Throws {
    private static final int MOST = 1000; // exceptions that are remembered
    private static final int DEEP = 60;
    private static final int SHOWN = 8;

    private final Machine machine;
    private final Map<Long, List<Location>> first = new LinkedHashMap<>();
    private boolean whole = true; // every throw was seen, and none is forgotten

    Throws(Machine machine) {
        this.machine = machine;
    }

    /** It is asked for each throw, before anything is decided about it. */
    synchronized void seen(ExceptionEvent event) {
        long id = event.exception().uniqueID();
        if (first.containsKey(id)) {
            return;
        }
        if (first.size() >= MOST) {
            first.remove(first.keySet().iterator().next());
            whole = false;
        }
        first.put(id, places(event.thread()));
    }

    /** From now on not all are seen. */
    synchronized void blind() {
        whole = false;
    }

    private static List<Location> places(ThreadReference thread) {
        List<Location> list = new ArrayList<>();
        try {
            for (StackFrame frame : thread.frames(0, Math.min(thread.frameCount(), DEEP))) {
                list.add(frame.location());
            }
        } catch (IncompatibleThreadStateException e) {
            list.clear(); // nothing is known of it
        }
        return list;
    }

    /**
     * The user's frames in which it was thrown first, where that is not where the thread stands; where
     * it was made, when it may have been thrown before and nobody has seen it.
     */
    synchronized Obj origin(ThreadReference thread, ObjectReference exception, Supplier<Obj> made) {
        List<Location> standing = own(places(thread));
        List<Location> then = own(first.getOrDefault(exception.uniqueID(), List.of()));
        if (standing.isEmpty() || then.isEmpty()) {
            return new Obj();
        }
        Obj here = told(standing.get(0));
        if (!told(then.get(0)).equals(here)) {
            return Obj.of("first", then.stream().limit(SHOWN).map(this::told).toList());
        }
        Obj there = whole ? here : made.get();
        return there == null || there.equals(here) ? new Obj() : Obj.of("made", there);
    }

    private List<Location> own(List<Location> places) {
        return places.stream().filter(at -> machine.sources.own(at.declaringType()) && at.lineNumber() > 0).toList();
    }

    private Obj told(Location at) {
        return told(at.declaringType().name(), Sources.name(at.declaringType()), at.method().name(), at.lineNumber());
    }

    /** A place as it is told: the file whole, where it is here. */
    Obj told(String type, String file, String method, int line) {
        Path path = machine.sources.find(type, file);
        return Obj.of("function", Names.simple(type) + "." + method, "file", path == null ? file : path.toString(), "line", line);
    }
}
