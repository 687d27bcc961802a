package aidb.bridge;

import com.sun.jdi.ClassNotPreparedException;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.InvalidRequestStateException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Breakpoints that cost nothing until the program comes to one of them. HotSpot interprets a method
 * for as long as there is a breakpoint in it. So the lines with breakpoints of a class that is being
 * loaded get a call of a method of the JDK in front of them, which does nothing and which nobody
 * else calls, and only that method has a breakpoint. When it is called for a line for the first time,
 * the breakpoint there is set where it belongs for good, and each thread that is in such a call has one
 * behind it: so that is met where any other would be. The others are set while the program stands or
 * steps, and no more when it goes on from there; a thread must not be in their calls then. So nobody
 * else knows anything of all this.
 */
final class Plants {
    private static final String PROPERTY = "carrier";
    private static final String ONCE = "once";
    private static final String PLANTER = "aidb.planting.Planter"; // only there where a program of ours is started
    private static final String CARRIER = "java.lang.StrictMath";
    private static final String CARRYING = "floorMod";
    private static final String SIGNATURE = "(II)I";
    private static final int MOST = 200; // of what serves nobody
    private static final int LENGTH = 6; // of the bytecode that is put into a method

    private final Machine machine;
    private final BiFunction<byte[], Map<String, Set<Integer>>, byte[]> planter; // null: none
    private final Map<ReferenceType, Laid> laid = new HashMap<>();
    private final List<BreakpointRequest> quiet = new ArrayList<>(); // not set as long as the calls stand for them
    private final List<BreakpointRequest> resting = new ArrayList<>(); // that are set, and to which nobody has come
    private int idle; // events and changes that served nobody
    private boolean awaited;
    private boolean standing; // the program stands, or steps
    private boolean over; // it does not pay

    /** What became of a class: its code, and the lines of its methods that have a call. */
    private record Laid(ClassFile file, Map<String, Set<Integer>> lines) {}

    Plants(Machine machine) {
        this.machine = machine;
        planter = planter();
    }

    @SuppressWarnings("unchecked")
    private static BiFunction<byte[], Map<String, Set<Integer>>, byte[]> planter() {
        try {
            return (BiFunction<byte[], Map<String, Set<Integer>>, byte[]>) Class.forName(PLANTER).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    /** A class is about to be used for the first time, in which breakpoints come to these places. */
    synchronized void lay(ReferenceType type, Collection<Location> places) {
        if (planter == null || over || places.isEmpty() || laid.containsKey(type) || machine.recorder.isThere() || !machine.vm.canRedefineClasses()) {
            return;
        }
        Map<String, Set<Integer>> lines = new HashMap<>();
        places.forEach(at -> lines.computeIfAbsent(key(at.method()), k -> new HashSet<>()).add(at.lineNumber()));
        try {
            byte[] code = machine.classes.code(type.name());
            if (code == null || !loaded(type, code)) {
                return;
            }
            byte[] changed = planter.apply(code, lines);
            if (changed == null) {
                return;
            }
            await();
            machine.vm.redefineClasses(Map.of(type, changed));
            laid.put(type, new Laid(ClassFile.of(changed), lines));
        } catch (IOException | RuntimeException | LinkageError e) {
            System.err.println("the breakpoints of " + type.name() + " are set as they are: " + e);
        }
    }

    private static String key(Method method) {
        return method.name() + method.signature();
    }

    /** Whether the class was loaded from this file, and nobody has changed it on the way. */
    private static boolean loaded(ReferenceType type, byte[] code) {
        byte[] constants = type.constantPool();
        int count = (code[8] & 0xff) << 8 | code[9] & 0xff;
        return count == type.constantPoolCount() && code.length > 10 + constants.length
            && Arrays.equals(constants, 0, constants.length, code, 10, 10 + constants.length);
    }

    private void await() {
        if (awaited) {
            return;
        }
        awaited = true;
        ClassPrepareRequest request = machine.requests().createClassPrepareRequest();
        request.addClassFilter(CARRIER);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        machine.vm.classesByName(CARRIER).forEach(this::prepared);
    }

    /** A class was loaded: it may be that of the method which is called. */
    synchronized void prepared(ReferenceType type) {
        if (over || !type.name().equals(CARRIER)) {
            return;
        }
        try {
            for (Method method : type.methodsByName(CARRYING, SIGNATURE)) {
                BreakpointRequest request = machine.requests().createBreakpointRequest(method.location());
                request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
                request.putProperty(PROPERTY, true);
                request.setEnabled(!standing);
            }
        } catch (ClassNotPreparedException e) {
            // it will be announced when it is
        }
    }

    /** The code of a class as it runs, null where that is as it was compiled. */
    synchronized ClassFile file(ReferenceType type) {
        Laid own = laid.get(type);
        return own == null ? null : own.file;
    }

    /** A class has other code by now. */
    synchronized void replaced(ReferenceType type) {
        laid.remove(type);
    }

    /** Takes a breakpoint of which a call stands in the program, and says whether it need not be set. */
    synchronized boolean keeps(BreakpointRequest request) {
        Location at = request.location();
        Laid own = laid.get(at.declaringType());
        if (over || own == null || !own.lines.getOrDefault(key(at.method()), Set.of()).contains(at.lineNumber())) {
            return false;
        }
        (standing ? resting : quiet).add(request);
        return !standing;
    }

    /** Whether an event is one of the method that is called; then all threads stand. */
    synchronized boolean takes(Event event) {
        if (event.request() == null || event.request().getProperty(PROPERTY) == null) {
            return false;
        }
        try {
            Location at = called(((LocatableEvent) event).thread());
            List<BreakpointRequest> reached = quiet.stream().filter(r -> isIn(r, at, 1)).toList();
            quiet.removeAll(reached);
            set(reached);
            if (reached.isEmpty() && ++idle > MOST) {
                end();
                over = true;
            }
        } catch (IncompatibleThreadStateException | ObjectCollectedException e) {
            end();
        }
        return true;
    }

    /** The program stands: until it goes on without a step, all breakpoints are where they belong. */
    synchronized void end() {
        if (standing) {
            return;
        }
        standing = true;
        carriers(false);
        resting.addAll(quiet);
        quiet.clear();
        resting.removeAll(set(List.copyOf(resting)));
    }

    /** The program, which stands, is to go on: calls stand again for those to which nobody has come. */
    synchronized void again() {
        if (over || !standing || resting.isEmpty() || ++idle > MOST) {
            return;
        }
        List<Location> here = new ArrayList<>();
        for (ThreadReference thread : machine.vm.allThreads()) {
            try {
                Location at = called(thread);
                if (at != null) {
                    here.add(at);
                }
            } catch (IncompatibleThreadStateException e) {
                return; // it runs, or has not begun: nobody knows where it is by now
            } catch (ObjectCollectedException e) {
                continue; // it has ended
            }
        }
        standing = false;
        for (BreakpointRequest request : List.copyOf(resting)) {
            if (here.stream().noneMatch(at -> isIn(request, at, 0))) {
                resting.remove(request);
                if (enable(request, false)) {
                    quiet.add(request);
                }
            }
        }
        carriers(true);
    }

    private void carriers(boolean on) {
        machine.requests().breakpointRequests().stream().filter(r -> r.getProperty(PROPERTY) != null).forEach(r -> enable(r, on));
    }

    /** Says whether that can be: a request that was taken back is left alone. */
    private static boolean enable(BreakpointRequest request, boolean on) {
        try {
            request.setEnabled(on);
            return true;
        } catch (InvalidRequestStateException e) {
            return false;
        }
    }

    /**
     * Sets breakpoints where they belong, and behind its call for each thread that is in one. Answers to
     * which of them threads have come.
     */
    private Set<BreakpointRequest> set(List<BreakpointRequest> requests) {
        Set<BreakpointRequest> reached = new HashSet<>();
        List<BreakpointRequest> there = requests.stream().filter(r -> enable(r, true)).toList();
        for (ThreadReference thread : there.isEmpty() ? List.<ThreadReference>of() : machine.vm.allThreads()) {
            try {
                Location at = called(thread);
                for (BreakpointRequest request : there) {
                    if (isIn(request, at, 1)) {
                        once(thread, request, at.method().locationOfCodeIndex(request.location().codeIndex() + LENGTH));
                        reached.add(request);
                    }
                }
            } catch (IncompatibleThreadStateException | ObjectCollectedException e) {
                continue; // it runs no code of Java's
            }
        }
        return reached;
    }

    private void once(ThreadReference thread, BreakpointRequest request, Location at) {
        BreakpointRequest once = machine.requests().createBreakpointRequest(at);
        once.addThreadFilter(thread);
        once.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        once.putProperty(Points.PROPERTY, request.getProperty(Points.PROPERTY));
        once.putProperty(ONCE, true);
        once.enable();
    }

    /** Whether a place is in the call of a breakpoint, so many bytes after its beginning or later. */
    private static boolean isIn(BreakpointRequest request, Location at, int from) {
        long passed = at == null ? -1 : at.codeIndex() - request.location().codeIndex();
        return passed >= from && passed < LENGTH && request.location().method().equals(at.method());
    }

    /** Where the program's own code stands in a thread that may be in such a call, null where it is in none. */
    private static Location called(ThreadReference thread) throws IncompatibleThreadStateException {
        List<StackFrame> top = thread.frames(0, Math.min(thread.frameCount(), 2));
        if (top.isEmpty() || !isCarrier(top.get(0).location())) {
            return top.isEmpty() ? null : top.get(0).location();
        }
        return top.size() < 2 ? null : top.get(1).location();
    }

    private static boolean isCarrier(Location at) {
        return at.method().name().equals(CARRYING) && at.declaringType().name().equals(CARRIER) && at.method().signature().equals(SIGNATURE);
    }

    /** A breakpoint has been met: one behind a call has done what it is for. */
    void met(EventRequest request) {
        if (request != null && request.getProperty(ONCE) != null) {
            machine.requests().deleteEventRequest(request);
        }
    }

    /** Whether a step has come into the method that is called, from a line that has a call. */
    synchronized boolean stepsInto(Location at, ThreadReference thread) throws IncompatibleThreadStateException {
        if (laid.isEmpty() || !isCarrier(at) || thread.frameCount() < 2) {
            return false;
        }
        Location from = thread.frame(1).location();
        Laid own = laid.get(from.declaringType());
        return own != null && own.lines.getOrDefault(key(from.method()), Set.of()).contains(from.lineNumber());
    }
}
