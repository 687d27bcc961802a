package aidb.bridge;

import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.LongValue;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadGroupReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;

/** The program's threads and what they wait for. */
final class Threads {
    private static final int MOST = 1000; // whose stacks are looked at

    private Threads() {}

    static ThreadReference find(Machine machine, long id) {
        Machine.Stop stop = machine.standing();
        if (stop != null && stop.thread().uniqueID() == id) {
            return stop.thread();
        }
        for (ThreadReference thread : machine.vm.allThreads()) {
            if (thread.uniqueID() == id) {
                return thread;
            }
        }
        throw new Failure("there is no thread %d", id);
    }

    static List<Obj> list(Machine machine) {
        List<Obj> list = new ArrayList<>();
        for (ThreadReference thread : all(machine)) {
            try {
                list.add(Obj.of("id", thread.uniqueID(), "name", name(thread)));
            } catch (ObjectCollectedException e) {
                continue; // it ended meanwhile
            }
        }
        return list;
    }

    /** The threads, with the one that the program stopped in even when the machine does not list it. */
    private static List<ThreadReference> all(Machine machine) {
        List<ThreadReference> all = new ArrayList<>(machine.vm.allThreads());
        Machine.Stop stop = machine.standing();
        if (stop != null && !all.contains(stop.thread())) {
            all.add(stop.thread());
        }
        return all;
    }

    private static String name(ThreadReference thread) {
        String name = thread.name();
        return name.isEmpty() ? "thread " + thread.uniqueID() : name;
    }

    /** All threads with their stacks and what each waits for, in one answer. */
    static List<Obj> digest(Machine machine, Frames frames, int levels) {
        List<Obj> list = new ArrayList<>();
        List<ThreadReference> all = all(machine);
        boolean signals = hooked(machine);
        for (ThreadReference thread : all) {
            try {
                Obj told = Obj.of("id", thread.uniqueID(), "name", name(thread), "system", system(thread) ? true : null);
                if (list.size() < MOST) {
                    look(machine, thread, frames, levels, told);
                    lock(all, thread, told);
                    told.put("endless", !signals && told.containsKey("endless"));
                }
                list.add(told);
            } catch (ObjectCollectedException e) {
                continue;
            }
        }
        return list;
    }

    private static void look(Machine machine, ThreadReference thread, Frames frames, int levels, Obj told) {
        try {
            List<StackFrame> stack = thread.frames(0, Math.min(thread.frameCount(), levels + 40));
            int first = 0;
            while (first < stack.size() && !machine.sources.own(stack.get(first).location().declaringType())) {
                first++;
            }
            first = first == stack.size() ? 0 : first;
            List<Obj> shown = new ArrayList<>();
            for (StackFrame frame : stack.subList(first, Math.min(stack.size(), first + levels))) {
                shown.add(frames.describe(frame.location(), 0));
            }
            told.put("frames", shown);
            told.put("waiting", waiting(thread, stack));
            if (endless(thread, stack)) {
                told.put("endless", true);
            }
            ObjectReference monitor = machine.vm.canGetCurrentContendedMonitor() ? thread.currentContendedMonitor() : null;
            if (monitor instanceof ThreadReference other && runs(stack, "java.lang.Thread", "join")) {
                told.put("waiting", "the end of a thread");
                waits(told, monitor, other);
            } else if (monitor != null) {
                waits(told, monitor, machine.vm.canGetMonitorInfo() ? monitor.owningThread() : null);
            }
        } catch (IncompatibleThreadStateException | IndexOutOfBoundsException e) {
            told.put("waiting", "running");
        }
    }

    /** Tells the object that a thread waits for, and the thread that holds it where there is one. */
    private static void waits(Obj told, ObjectReference object, ThreadReference owner) {
        waits(told, object, owner == null ? "" : ", held by " + name(owner));
    }

    private static void waits(Obj told, ObjectReference object, String held) {
        told.put("object", Names.simple(object.referenceType().name()) + "@" + object.uniqueID() + held);
        told.put("held", !held.isEmpty());
    }

    /** Tells what a parked thread waits for where that is a lock, which knows the thread that holds it. */
    private static void lock(List<ThreadReference> all, ThreadReference thread, Obj told) {
        if (!(field(thread, "parkBlocker") instanceof ObjectReference blocker) || blocker.referenceType().fieldByName("exclusiveOwnerThread") == null) {
            return;
        }
        ThreadReference owner = (ThreadReference) field(blocker, "exclusiveOwnerThread");
        List<String> readers = owner != null ? List.of() : Readers.of(blocker, all).stream().map(Threads::name).toList();
        if (readers.isEmpty()) {
            waits(told, blocker, owner);
        } else {
            waits(told, blocker, ", held for reading by " + String.join(" and ", readers));
        }
    }

    /** Whether a thread surely waits until another lets it go on: no time and no input does. */
    static boolean endless(ThreadReference thread, List<StackFrame> stack) throws IncompatibleThreadStateException {
        if (thread.status() == ThreadReference.THREAD_STATUS_MONITOR) {
            return true;
        }
        if (thread.status() != ThreadReference.THREAD_STATUS_WAIT || stack.isEmpty()) {
            return false;
        }
        for (StackFrame frame : stack) {
            String type = frame.location().declaringType().name();
            String method = frame.location().method().name();
            if (type.equals("java.util.concurrent.locks.LockSupport")) {
                return method.equals("park");
            }
            boolean waits = type.equals("java.lang.Object") && method.equals("wait") || type.equals("java.lang.Thread") && method.equals("join");
            if (waits && !frame.location().method().isNative()) {
                List<Value> limit = frame.getArgumentValues();
                return limit.isEmpty() || limit.get(0) instanceof LongValue time && time.value() == 0;
            }
        }
        return false; // it waits in a way that is not known here
    }

    /** Whether a time limit surely ends what a thread waits for. */
    static boolean limited(List<StackFrame> stack) {
        for (StackFrame frame : stack) {
            String type = frame.location().declaringType().name();
            String method = frame.location().method().name();
            if (type.equals("java.util.concurrent.locks.LockSupport")) {
                return method.startsWith("parkNanos") || method.startsWith("parkUntil");
            }
            boolean waits = type.equals("java.lang.Object") && method.equals("wait") || type.equals("java.lang.Thread") && method.equals("join");
            if (waits && !frame.location().method().isNative()) {
                List<Value> limit = frame.getArgumentValues();
                return !limit.isEmpty() && limit.get(0) instanceof LongValue time && time.value() != 0;
            }
        }
        return false;
    }

    /** Whether the program has something that a signal lets run. */
    private static boolean hooked(Machine machine) {
        for (ReferenceType type : machine.vm.classesByName("java.lang.ApplicationShutdownHooks")) {
            Field hooks = type.fieldByName("hooks");
            Contents list = hooks != null && type.getValue(hooks) instanceof ObjectReference map ? Contents.of(map) : null;
            if (list != null && list.size > 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean runs(List<StackFrame> stack, String type, String method) {
        return stack.stream().anyMatch(f -> f.location().declaringType().name().equals(type) && f.location().method().name().equals(method));
    }

    static Value field(ObjectReference of, String name) {
        Field field = of.referenceType().fieldByName(name);
        return field == null ? null : of.getValue(field);
    }

    private static String waiting(ThreadReference thread, List<StackFrame> stack) {
        String top = stack.isEmpty() ? "" : stack.get(0).location().declaringType().name() + "." + stack.get(0).location().method().name();
        return switch (thread.status()) {
            case ThreadReference.THREAD_STATUS_SLEEPING -> "sleeping";
            case ThreadReference.THREAD_STATUS_MONITOR -> "entering a synchronized block";
            case ThreadReference.THREAD_STATUS_WAIT -> top.startsWith("java.lang.Object.wait") ? "waiting for notify" : "parked";
            case ThreadReference.THREAD_STATUS_ZOMBIE -> "ended";
            default -> top.contains("read0") || top.contains(".read") ? "reading" : top.contains("accept") || top.contains("poll") ? "waiting for input" : "";
        };
    }

    static boolean system(ThreadReference thread) {
        ThreadGroupReference group = thread.threadGroup();
        return group != null && (group.name().equals("system") || group.name().equals("InnocuousThreadGroup"));
    }

    /** The thread that a pause is best shown in: the first of the user's that is in user code and not waiting. */
    static ThreadReference liveliest(Machine machine) {
        ThreadReference best = null;
        int most = -1;
        for (ThreadReference thread : machine.vm.allThreads()) {
            int score = score(machine, thread);
            if (score > most) {
                most = score;
                best = thread;
            }
        }
        return best;
    }

    private static int score(Machine machine, ThreadReference thread) {
        try {
            boolean own = thread.frames().stream().anyMatch(f -> machine.sources.own(f.location().declaringType()));
            boolean busy = thread.status() == ThreadReference.THREAD_STATUS_RUNNING;
            return (own ? 4 : 0) + (busy ? 2 : 0) + (thread.name().equals("main") ? 1 : 0) + (thread.frameCount() > 0 && !system(thread) ? 1 : 0);
        } catch (IncompatibleThreadStateException | ObjectCollectedException e) {
            return -1;
        }
    }
}
