package aidb.bridge;

import aidb.text.Obj;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.InvalidStackFrameException;
import com.sun.jdi.Location;
import com.sun.jdi.LongValue;
import com.sun.jdi.MonitorInfo;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who waits for what, who holds that, and where it was taken, as the machine and the locks themselves tell it. */
final class Waits {
    private static final int MOST = 1000; // threads that are looked at
    private static final int VIRTUAL = 500; // virtual ones among them
    private static final int DEEP = 200; // frames of each

    private final Machine machine;
    private final LockLines lines;
    private final Map<ThreadReference, List<StackFrame>> stacks = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    private Waits(Machine machine) {
        this.machine = machine;
        this.lines = new LockLines(machine);
    }

    static Obj of(Machine machine) {
        Waits waits = new Waits(machine);
        List<ThreadReference> all = new ArrayList<>(machine.vm.allThreads());
        int platform = all.size();
        all.addAll(waits.virtual(all));
        for (ThreadReference thread : all.subList(0, Math.min(all.size(), MOST))) {
            try {
                waits.stacks.put(thread, thread.frames(0, Math.min(thread.frameCount(), DEEP)));
            } catch (IncompatibleThreadStateException | ObjectCollectedException | IndexOutOfBoundsException e) {
                continue; // it runs, or has ended
            }
        }
        List<Obj> rows = new ArrayList<>();
        for (ThreadReference thread : waits.stacks.keySet()) {
            try {
                Obj row = waits.row(thread, all.indexOf(thread) >= platform);
                if (row != null) {
                    rows.add(row);
                }
            } catch (IncompatibleThreadStateException | ObjectCollectedException | InvalidStackFrameException e) {
                waits.notes.add("what a thread waits for could not be read: " + e.getClass().getSimpleName());
            }
        }
        return Obj.of("waiters", rows, "left_out", Math.max(all.size() - MOST, 0), "notes", waits.notes);
    }

    /** The virtual threads, which the machine does not list: found as objects. */
    private List<ThreadReference> virtual(List<ThreadReference> listed) {
        List<ThreadReference> found = new ArrayList<>();
        if (!machine.vm.canGetInstanceInfo()) {
            return found;
        }
        for (ReferenceType type : machine.vm.classesByName("java.lang.VirtualThread")) {
            for (ObjectReference one : type.instances(VIRTUAL)) {
                if (one instanceof ThreadReference thread && !listed.contains(thread) && number(one, "state") != 0 && number(one, "state") != 99) {
                    found.add(thread);
                }
            }
            if (found.size() >= VIRTUAL) {
                notes.add("of the virtual threads only " + VIRTUAL + " were looked at");
            }
        }
        return found;
    }

    /** What a thread waits for; null where it runs. */
    private Obj row(ThreadReference thread, boolean isVirtual) throws IncompatibleThreadStateException {
        List<StackFrame> stack = stacks.get(thread);
        int user = 0;
        while (user < stack.size() && !machine.sources.own(stack.get(user).location().declaringType())) {
            user++;
        }
        Wait wait = wait(thread, stack, user);
        if (wait == null) {
            return null;
        }
        Location at = user < stack.size() ? stack.get(user).location() : null;
        if (user == 0 && at != null && wait.object != null) {
            at = lines.entering(stack.get(0), wait.object);
        }
        String name = at != null && wait.object != null ? lines.name(stack.get(user), at, wait.object) : "";
        Long id = isVirtual ? null : thread.uniqueID();
        return Obj.of("key", key(thread), "who", who(thread), "thread", id, "at", at == null ? null : spot(at), "for", wait.what + (name.isEmpty() ? "" : ": " + name),
            "on", wait.on(), "holders", wait.holders, "unknown", wait.unknown, "timed", wait.timed, "system", Threads.system(thread));
    }

    private static String key(ThreadReference thread) {
        return "t" + thread.uniqueID();
    }

    private static String who(ThreadReference thread) {
        boolean isVirtual = thread.referenceType().name().equals("java.lang.VirtualThread");
        String name = thread.name();
        return (isVirtual ? "virtual thread " : "thread ") + (name.isEmpty() ? "#" + thread.uniqueID() : name);
    }

    private Obj spot(Location at) {
        ReferenceType type = at.declaringType();
        var path = machine.sources.find(type);
        return Obj.of("file", path != null ? path.toString() : null, "line", Math.max(at.lineNumber(), 0), "function", Frames.name(at));
    }

    /** One wait, as far as it is known. */
    private static final class Wait {
        final String what;
        final ObjectReference object;
        final List<Obj> holders = new ArrayList<>();
        String more = "";
        String unknown;
        boolean timed;

        Wait(String what, ObjectReference object, boolean timed) {
            this.what = what;
            this.object = object;
            this.timed = timed;
        }

        String on() {
            return object == null ? more : Names.simple(object.referenceType().name()) + "@" + object.uniqueID() + (more.isEmpty() ? "" : ", " + more);
        }
    }

    private Wait wait(ThreadReference thread, List<StackFrame> stack, int user) throws IncompatibleThreadStateException {
        ObjectReference monitor = machine.vm.canGetCurrentContendedMonitor() ? contended(thread) : null;
        int status = thread.status();
        boolean isTimed = Threads.limited(stack);
        if (status == ThreadReference.THREAD_STATUS_MONITOR && monitor != null) {
            Wait wait = new Wait("a monitor (synchronized)", monitor, false);
            addOwner(wait, monitor);
            return wait;
        }
        StackFrame call = user > 0 && user < stack.size() ? stack.get(user - 1) : null;
        for (StackFrame frame : stack.subList(0, Math.min(user, stack.size()))) {
            Location at = frame.location();
            if (at.declaringType().name().equals("java.lang.Thread") && at.method().name().equals("join") && frame.thisObject() instanceof ThreadReference other) {
                Wait wait = new Wait("the end of " + who(other) + " (join)", other, isTimed);
                wait.holders.add(holder(other, "has not ended", null));
                return wait;
            }
            if (at.declaringType().name().equals("java.lang.ProcessImpl") && at.method().name().startsWith("waitFor")) {
                Wait wait = new Wait("the end of a child process", null, isTimed);
                wait.more = "pid " + number(frame.thisObject(), "pid");
                return wait;
            }
        }
        if (status == ThreadReference.THREAD_STATUS_SLEEPING || thread.status() == ThreadReference.THREAD_STATUS_WAIT && called(stack, "java.lang.Thread", "sleep")) {
            return new Wait("a time to pass (sleep)", null, true);
        }
        if (called(stack, "java.util.concurrent.locks.LockSupport", "park")) {
            return parked(thread, stack, user, isTimed);
        }
        if (status == ThreadReference.THREAD_STATUS_WAIT && monitor != null) {
            return new Wait("to be notified (Object.wait)", monitor, isTimed);
        }
        String top = stack.isEmpty() ? "" : Names.simple(stack.get(0).location().declaringType().name()) + "." + stack.get(0).location().method().name();
        if (status == ThreadReference.THREAD_STATUS_WAIT) {
            return new Wait("what " + (call == null ? top : method(call)) + " waits for", null, isTimed);
        }
        boolean input = !stack.isEmpty() && stack.get(0).location().method().isNative() && top.matches("(?i).*(read|accept|poll|select|epoll|connect).*");
        return input ? new Wait("input or a connection (" + top + ")", null, false) : null;
    }

    private static ObjectReference contended(ThreadReference thread) throws IncompatibleThreadStateException {
        try {
            return thread.currentContendedMonitor();
        } catch (RuntimeException e) {
            return null; // of a virtual thread, which does not tell
        }
    }

    /** What a parked thread waits for: what the user's code called, and who keeps it waiting. */
    private Wait parked(ThreadReference thread, List<StackFrame> stack, int user, boolean isTimed) throws IncompatibleThreadStateException {
        StackFrame call = null;
        for (StackFrame frame : stack.subList(0, Math.min(user, stack.size()))) {
            if (frame.location().declaringType().name().startsWith("java.util.concurrent.") && frame.thisObject() != null) {
                call = frame; // the last is the one that the user's code called
            }
        }
        Value blocker = Threads.field(thread, "parkBlocker");
        String what = call == null ? "to be unparked" : method(call);
        ObjectReference object = call != null && user < stack.size() ? call.thisObject() : blocker instanceof ObjectReference o ? o : null;
        Wait wait = new Wait(what, object, isTimed);
        ObjectReference sync = blocker instanceof ObjectReference o && o.referenceType().fieldByName("exclusiveOwnerThread") != null ? o : null;
        String type = blocker instanceof ObjectReference o ? o.referenceType().name() : "";
        if (sync != null && (type.contains("ReentrantLock$") || type.contains("ReentrantReadWriteLock$"))) {
            addLockOwner(wait, sync, object);
        } else if (type.contains("Semaphore$") || type.contains("CountDownLatch$")) {
            wait.more = (type.contains("Semaphore$") ? "permits " : "count ") + number(sync, "state");
        } else if (object != null && object.referenceType().name().equals("java.util.concurrent.FutureTask")) {
            if (Threads.field(object, "runner") instanceof ThreadReference runner) {
                wait.holders.add(holder(runner, "runs it", null));
            } else {
                wait.more = "not begun";
            }
        } else if (object != null && object.referenceType().name().equals("java.util.concurrent.CompletableFuture")) {
            wait.more = "not completed";
        }
        return wait;
    }

    private void addLockOwner(Wait wait, ObjectReference sync, ObjectReference lock) throws IncompatibleThreadStateException {
        if (Threads.field(sync, "exclusiveOwnerThread") instanceof ThreadReference owner) {
            wait.holders.add(holder(owner, null, lines.locked(stacks.getOrDefault(owner, List.of()), lock, sync)));
            return;
        }
        for (ThreadReference reader : Readers.of(sync, new ArrayList<>(stacks.keySet()))) {
            wait.holders.add(holder(reader, "reads", lines.locked(stacks.getOrDefault(reader, List.of()), lock, sync)));
        }
        if (wait.holders.isEmpty()) {
            wait.unknown = "the lock names no thread at this moment";
        }
    }

    /** The thread that has a monitor, and the frame of it that has entered it. */
    private void addOwner(Wait wait, ObjectReference monitor) throws IncompatibleThreadStateException {
        ThreadReference owner = machine.vm.canGetMonitorInfo() ? monitor.owningThread() : null;
        if (owner == null) {
            wait.unknown = "the machine names no thread";
            return;
        }
        Location taken = null;
        if (machine.vm.canGetMonitorFrameInfo()) {
            for (MonitorInfo info : owner.ownedMonitorsAndFrames()) {
                List<StackFrame> stack = stacks.getOrDefault(owner, List.of());
                if (monitor.equals(info.monitor()) && info.stackDepth() >= 0 && info.stackDepth() < stack.size()) {
                    taken = lines.entered(stack.get(info.stackDepth()), monitor);
                    break;
                }
            }
        }
        wait.holders.add(holder(owner, null, taken));
    }

    private Obj holder(ThreadReference thread, String does, Location taken) {
        Obj stands = null;
        for (StackFrame frame : stacks.getOrDefault(thread, List.of())) {
            if (machine.sources.own(frame.location().declaringType())) {
                stands = spot(frame.location());
                break;
            }
        }
        return Obj.of("key", key(thread), "who", who(thread), "does", does, "taken", taken == null ? null : spot(taken), "stands", stands);
    }

    private static String method(StackFrame frame) {
        Location at = frame.location();
        ObjectReference self = frame.thisObject();
        return Names.simple(self == null ? at.declaringType().name() : self.referenceType().name()) + "." + at.method().name();
    }

    private static boolean called(List<StackFrame> stack, String type, String method) {
        return stack.stream().limit(8).anyMatch(f -> f.location().declaringType().name().equals(type) && f.location().method().name().startsWith(method));
    }

    private static long number(ObjectReference of, String name) {
        Value value = of == null ? null : Threads.field(of, name);
        return value instanceof IntegerValue n ? n.value() : value instanceof LongValue n ? n.value() : 0;
    }
}
