package aidb.bridge;

import aidb.text.Json;
import aidb.text.Obj;
import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.Location;
import com.sun.jdi.LongValue;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.event.ExceptionEvent;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The agent that notes calls in the program while it runs, until it stops first: see Flight.java of
 * the recorder, whose fields are read and set here without a call into the program.
 */
final class Recorder {
    static final String CLASSES = "aidb."; // ours, in the program
    private static final int ON = 0;
    private static final int QUIET = 1;
    private static final int OFF = 2;
    private static final int DEEP = 40; // frames of the agent, and of what it calls
    private static final String LAID = "aidb handlers ";

    private final Machine machine;
    private final Path head; // of what is noted; null: nothing is
    private volatile boolean ended;
    private long number; // of the last event

    Recorder(Machine machine, String records) {
        this.machine = machine;
        head = records.isEmpty() ? null : Path.of(records, "head");
        ended = head == null;
    }

    /** Whether the agent changes the program's classes as they are loaded. */
    boolean isThere() {
        return head != null;
    }

    /** Has it note nothing while the debugger calls into the program. */
    void quiet(boolean on) {
        if (!ended) {
            set(on ? QUIET : ON);
        }
    }

    /** The program stands: nothing is noted any more, and it is told how often methods were called until now. */
    void end(ThreadReference stopped) {
        if (ended) {
            return;
        }
        ended = true;
        try {
            ClassType flight = type("Flight");
            if (flight != null) {
                set(OFF);
                number = ((LongValue) of(of(type("Hooks"), "notes"), "seq")).value();
                String lines = failed(flight, stopped) + counted(flight);
                if (!lines.isEmpty()) {
                    Files.write(head, lines.getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
                }
            }
        } catch (RuntimeException | IOException e) {
            e.printStackTrace();
        }
    }

    private ClassType type(String name) {
        List<ReferenceType> found = machine.vm.classesByName(CLASSES + "recorder." + name);
        return found.isEmpty() ? null : (ClassType) found.get(0);
    }

    private void set(int state) {
        ClassType flight = type("Flight");
        try {
            if (flight != null) {
                flight.setValue(flight.fieldByName("state"), machine.vm.mirrorOf(state));
            }
        } catch (InvalidTypeException | ClassNotLoadedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Value of(ReferenceType type, String field) {
        return type.getValue(type.fieldByName(field));
    }

    private static Value of(Value object, String field) {
        ObjectReference o = (ObjectReference) object;
        return o.getValue(o.referenceType().fieldByName(field));
    }

    /** How many frames of the agent's lie on those of the program: its stack has overflowed there. */
    int hidden(ThreadReference thread) {
        if (head == null) {
            return 0;
        }
        try {
            List<StackFrame> top = thread.frames(0, Math.min(thread.frameCount(), DEEP));
            int n = top.size();
            while (n > 0 && !top.get(n - 1).location().declaringType().name().startsWith(CLASSES)) {
                n--;
            }
            return n;
        } catch (IncompatibleThreadStateException e) {
            return 0;
        }
    }

    /** The counts of the methods that are only counted, as the agent would tell them. */
    private String counted(ClassType flight) {
        int known = ((IntegerValue) of(flight, "known")).value();
        if (known == 0) {
            return "";
        }
        long first = ((LongValue) of(flight, "first")).value();
        List<Value> events = ((ArrayReference) of(flight, "COUNTED")).getValues(0, known);
        ArrayReference methods = (ArrayReference) of(flight, "TARGETS");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < known; i++) {
            if (!(events.get(i) instanceof StringReference event)) {
                continue;
            }
            long n = ((LongValue) of(of(methods.getValue(i), "calls"), "value")).value();
            if (n > first) {
                lines.append(event.value()).append(",\"h\":").append(n).append(",\"n\":").append(++number).append("}\n");
            }
        }
        return lines.toString();
    }

    /**
     * Tells the agent which calls an exception ends that a library is about to catch: no code of the
     * program's runs then.
     */
    void passes(ExceptionEvent event) {
        Location handler = event.catchLocation();
        if (ended || handler == null || machine.sources.own(handler.declaringType())) {
            return;
        }
        try {
            ClassType flight = type("Flight");
            ObjectReference call = flight == null ? null : top(flight, event.thread());
            for (StackFrame frame : call == null ? List.<StackFrame>of() : event.thread().frames()) {
                Method method = frame.location().method();
                if (method.equals(handler.method()) || call == null) {
                    return;
                }
                while (call != null && of(call, "error") != null) {
                    call = (ObjectReference) of(call, "up");
                }
                if (call != null && machine.sources.own(method.declaringType()) && Frames.name(frame.location()).equals(function(flight, call))) {
                    call.setValue(call.referenceType().fieldByName("error"), event.exception());
                    call = (ObjectReference) of(call, "up");
                }
            }
        } catch (IncompatibleThreadStateException | InvalidTypeException | ClassNotLoadedException | RuntimeException e) {
            e.printStackTrace();
        }
    }

    /** The innermost call of a thread that the agent knows of, null where it has noted something of another one since. */
    private static ObjectReference top(ClassType flight, ThreadReference thread) {
        Value calls = of(flight, "last");
        return calls != null && thread.equals(of(calls, "of")) ? (ObjectReference) of(calls, "top") : null;
    }

    private static Value method(ClassType flight, ObjectReference call) {
        return of(((ArrayReference) of(flight, "TARGETS")).getValue(((IntegerValue) of(call, "number")).value()), "method");
    }

    private static String function(ClassType flight, ObjectReference call) {
        return ((StringReference) of(method(flight, call), "function")).value();
    }

    /** How the innermost calls of a thread have ended, where the agent has not come to tell it. */
    private String failed(ClassType flight, ThreadReference thread) {
        StringBuilder lines = new StringBuilder();
        ObjectReference call = top(flight, thread);
        for (; call != null && of(call, "error") instanceof ObjectReference error; call = (ObjectReference) of(call, "up")) {
            Value method = method(flight, call);
            long id = ((LongValue) of(call, "id")).value();
            if (id == 0) {
                continue;
            }
            String said = error.getValue(error.referenceType().fieldByName("detailMessage")) instanceof StringReference text ? ": " + text.value() : "";
            Obj event = Obj.of("k", "leave", "at", ((StringReference) of(method, "file")).value() + ":" + ((IntegerValue) of(method, "line")).value(),
                "f", function(flight, call), "t", thread.equals(of(type("Notes"), "MAIN")) ? null : thread.name(), "c", id, "x", true,
                "v", List.of(Obj.of("v", Names.simple(error.referenceType().name()) + said)), "n", ++number);
            lines.append(Json.print(event)).append('\n');
        }
        return lines.toString();
    }

    /**
     * The places of a line at which a breakpoint can be. A method begins with code of the agent's: one on
     * its first line is to be met each time that the program's own code is reached.
     */
    List<Location> own(List<Location> places) {
        return head == null ? places : places.stream().filter(at -> at.codeIndex() > 0 || !begins(at)).toList();
    }

    private static boolean begins(Location at) {
        try {
            List<Location> same = at.method().locationsOfLine(at.lineNumber());
            return same.size() > 1 && at.method().allLineLocations().indexOf(same.get(1)) == 1;
        } catch (AbsentInformationException e) {
            return false;
        }
    }

    /** The handlers of a method as it runs; those of its class file where the agent has not changed it. */
    List<ClassFile.Handler> handlers(Method method, ClassFile file) {
        String name = method.name() + method.signature();
        ReferenceType type = method.declaringType();
        ClassFile planted = machine.plants.file(type);
        if (planted != null) {
            return planted.handlers(name);
        }
        if (head == null) {
            return file.handlers(name);
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(type.constantPool()))) {
            for (Object constant : ClassFile.constants(in, type.constantPoolCount())) {
                if (constant instanceof String text && text.startsWith(LAID + name + " ")) {
                    return laid(text.substring(LAID.length() + name.length() + 1));
                }
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
        return file.handlers(name);
    }

    private static List<ClassFile.Handler> laid(String text) {
        List<ClassFile.Handler> list = new ArrayList<>();
        for (String one : text.split(";")) {
            String[] parts = one.split(",", 4);
            list.add(new ClassFile.Handler(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), parts[3].isEmpty() ? null : parts[3]));
        }
        return list;
    }
}
