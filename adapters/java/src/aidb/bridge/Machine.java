package aidb.bridge;

import aidb.text.Failure;
import aidb.text.Obj;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.ModificationWatchpointEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.event.VMStartEvent;
import com.sun.jdi.event.WatchpointEvent;
import com.sun.jdi.request.DuplicateRequestException;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The machine that runs the program. One thread takes its events and never calls into the program,
 * for a call needs its events taken; what must be evaluated at an event is left to another. All
 * threads of the program stop together.
 */
final class Machine {
    static final List<String> LIBRARY_FILTERS = Sources.LIBRARIES.stream().map(prefix -> prefix + "*").toList();

    final VirtualMachine vm;
    final Wire wire;
    final Sources sources;
    final Classes classes;
    final Pins pins = new Pins();
    final Points points;
    final Plants plants = new Plants(this);
    final Stepper stepper;
    final Exceptions exceptions;
    final Limit limit = new Limit(this);
    final Recorder recorder;
    private final CountDownLatch configured = new CountDownLatch(1);
    private final ExecutorService decider = Executors.newSingleThreadExecutor(Machine::daemon);
    private final Deque<EventSet> waiting = new ArrayDeque<>(); // that came while the program stood already
    private Stop stop; // null while the program runs
    private boolean deciding;
    private volatile boolean leaving; // from then on nothing stops
    private ThreadReference calling; // the thread that a call of ours runs in
    private int lifted; // how often that thread was let go while the others were not
    private volatile boolean passed; // the call has met a breakpoint
    private boolean uneven; // threads were suspended once more than others
    private boolean interrupted; // the call was cut short by a pause

    /** One standstill of the program; set is null at a pause. */
    record Stop(EventSet set, ThreadReference thread, ObjectReference exception) {}

    Machine(VirtualMachine vm, Wire wire, Sources sources, Classes classes, String records) {
        this.vm = vm;
        this.wire = wire;
        this.sources = sources;
        this.classes = classes;
        recorder = new Recorder(this, records);
        points = new Points(this);
        stepper = new Stepper(this);
        exceptions = new Exceptions(this);
    }

    static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    EventRequestManager requests() {
        return vm.eventRequestManager();
    }

    void listen() {
        daemon(this::pump).start();
    }

    void configured() {
        configured.countDown();
    }

    /**
     * Lets a program go on that is not ours. What its machine has already begun to tell us comes
     * even after there is nothing left to be told, and would leave it standing: it is awaited.
     */
    void leave() {
        leaving = true;
        configured();
        EventRequestManager r = requests();
        for (List<? extends EventRequest> kind : List.of(r.breakpointRequests(), r.exceptionRequests(), r.modificationWatchpointRequests(),
                r.accessWatchpointRequests(), r.stepRequests(), r.methodEntryRequests(), r.methodExitRequests(), r.classPrepareRequests())) {
            r.deleteEventRequests(List.copyOf(kind));
        }
        try {
            for (int quiet = 0, looks = 0; quiet < 3 && looks < 50; looks++) {
                if (stands()) {
                    quiet = 0;
                    vm.resume();
                } else {
                    quiet++;
                }
                Thread.sleep(20);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        vm.dispose();
    }

    private boolean stands() {
        for (ThreadReference thread : vm.allThreads()) {
            try {
                if (thread.suspendCount() > 0) {
                    return true;
                }
            } catch (ObjectCollectedException e) {
                // it has ended
            }
        }
        return false;
    }

    private void pump() {
        try {
            while (take(vm.eventQueue().remove())) {}
        } catch (VMDisconnectedException e) {
            // the end, as the event of this name
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        wire.event("terminated", new Obj());
    }

    private boolean take(EventSet set) throws InterruptedException {
        boolean located = false;
        for (Event event : set) {
            if (event instanceof VMDisconnectEvent) {
                return false;
            } else if (leaving) {
                set.resume();
                return true;
            } else if (event instanceof VMStartEvent) {
                configured.await();
            } else if (event instanceof ClassPrepareEvent prepare) {
                points.prepared(prepare.referenceType());
            } else if (event instanceof MethodExitEvent exit) {
                stepper.exited(exit);
            } else if (!(event instanceof VMDeathEvent)) {
                located = true;
            }
        }
        if (!located) {
            set.resume();
            return true;
        }
        if (ours(set)) {
            passed = true;
            set.resume(); // what happens inside a call of ours is nobody's stop
            return true;
        }
        synchronized (this) {
            if (stop != null || deciding) {
                waiting.add(set);
                if (calling != null && !interrupted) {
                    calling.resume(); // it stands still with all others now, which would hold up our call
                    lifted++;
                }
                return true;
            }
        }
        decide(set);
        return true;
    }

    private synchronized boolean ours(EventSet set) {
        return calling != null && !interrupted && set.iterator().next() instanceof LocatableEvent event && event.thread().equals(calling);
    }

    /** Settles what an event means, away from this thread when that needs evaluating. */
    private void decide(EventSet set) {
        boolean judged = false;
        for (Event event : set) {
            judged |= event.request() != null && event.request().getProperty(Points.PROPERTY) instanceof Point point && point.judged()
                || event instanceof ExceptionEvent && exceptions.judges();
        }
        if (!judged) {
            settle(set);
            return;
        }
        synchronized (this) {
            deciding = true;
        }
        decider.execute(() -> {
            try {
                settle(set);
            } catch (VMDisconnectedException e) {
                return;
            }
            synchronized (this) {
                deciding = false;
            }
            next();
        });
    }

    /** Takes up what came while the program stood. */
    private void next() {
        EventSet set;
        synchronized (this) {
            if (stop != null || deciding || waiting.isEmpty()) {
                return;
            }
            set = waiting.poll();
        }
        decide(set);
        next();
    }

    private void settle(EventSet set) {
        List<Integer> hit = new ArrayList<>();
        String reason = null;
        String text = null;
        ObjectReference exception = null;
        ThreadReference thread = null;
        for (Event e : set) {
            if (!(e instanceof LocatableEvent event)) {
                continue;
            }
            thread = event.thread();
            plants.met(event.request());
            if (plants.takes(event)) {
                continue;
            }
            if (event instanceof ExceptionEvent thrown) {
                if (exceptions.wanted(thrown)) {
                    reason = "exception";
                    exception = thrown.exception();
                }
            } else if (event instanceof StepEvent step) {
                if (stepper.owns(step.request()) && stepper.arrived(step.location()) && reason == null) {
                    reason = "step";
                }
            } else if (event.request() != null && event.request().getProperty(Points.PROPERTY) instanceof Point point && !point.dropped) {
                Judge.Verdict verdict = Judge.judge(this, point, thread);
                if (verdict.stop()) {
                    hit.add(point.id);
                    reason = exception != null ? reason : event instanceof WatchpointEvent ? "data breakpoint"
                        : point.kind == Point.Kind.FUNCTION ? "function breakpoint" : "breakpoint";
                    text = verdict.failed() != null ? verdict.failed() : event instanceof WatchpointEvent watched ? change(watched) : text;
                }
            }
        }
        if (reason == null) {
            set.resume();
            return;
        }
        stopped(new Stop(set, thread, exception), reason, hit, text);
    }

    private String change(WatchpointEvent event) {
        Render render = new Render(null);
        String name = event.field().name();
        if (event instanceof ModificationWatchpointEvent change) {
            return String.format("%s is about to change from %s to %s", name, render.text(event.valueCurrent()), render.text(change.valueToBe()));
        }
        return String.format("%s is read, it is %s", name, render.text(event.valueCurrent()));
    }

    private void stopped(Stop at, String reason, List<Integer> hit, String text) {
        stepper.cancel();
        recorder.end(at.thread);
        plants.end();
        synchronized (this) {
            stop = at;
        }
        String description = at.exception == null ? null : Names.simple(at.exception.referenceType().name());
        wire.event("stopped", Obj.of("reason", reason, "threadId", at.thread.uniqueID(), "allThreadsStopped", true,
            "hitBreakpointIds", hit.isEmpty() ? null : hit, "text", text, "description", description));
    }

    synchronized Stop standing() {
        return stop;
    }

    Stop needStop() {
        Stop at = standing();
        if (at == null) {
            throw new Failure("the program is running");
        }
        return at;
    }

    /** Lets the program go on from a stop. */
    void resume() {
        Stop from;
        synchronized (this) {
            from = stop;
            stop = null;
            if (from == null) {
                return;
            }
        }
        pins.release();
        if (uneven) {
            even();
        }
        if (!stepper.steps()) {
            plants.again();
        }
        if (from.set != null) {
            from.set.resume();
        } else {
            vm.resume();
        }
        next();
    }

    /** After a call was cut short: brings all threads to the same depth of standing still, one of which the resume takes away. */
    private synchronized void even() {
        uneven = false;
        lifted = 0;
        int wanted = waiting.size() + 1;
        for (ThreadReference thread : vm.allThreads()) {
            int depth = thread.suspendCount();
            for (; depth > wanted; depth--) {
                thread.resume();
            }
            for (; depth < wanted; depth++) {
                thread.suspend();
            }
        }
    }

    void pause() {
        ThreadReference inside;
        synchronized (this) {
            inside = calling;
            if (stop != null && inside == null) {
                throw new Failure("the program stands already");
            }
            interrupted = inside != null;
            uneven = uneven || interrupted;
        }
        vm.suspend();
        ThreadReference thread = inside != null ? inside : Threads.liveliest(this);
        if (thread == null) {
            vm.resume();
            throw new Failure("the program has no thread to stop");
        }
        stopped(new Stop(null, thread, null), "pause", List.of(), null);
    }

    interface Invocation {
        Value run() throws Exception;
    }

    /** Makes a call in a thread; events of it are kept from the client meanwhile. */
    Value invoking(ThreadReference thread, Invocation call) throws Exception {
        synchronized (this) {
            if (calling != null) {
                throw new Failure("a call that was interrupted has not returned yet: continue until it has");
            }
            calling = thread;
            passed = false;
            interrupted = false;
            for (lifted = 0; lifted < waiting.size(); lifted++) {
                thread.resume(); // each of those has stopped all threads once more
            }
        }
        try {
            recorder.quiet(true);
            return call.run();
        } finally {
            recorder.quiet(false);
            boolean cut;
            synchronized (this) {
                calling = null;
                cut = interrupted;
                interrupted = false;
                for (; lifted > 0; lifted--) {
                    thread.suspend();
                }
            }
            if (passed && !cut) {
                relocate(thread);
            }
            if (cut) {
                thread.resume();
                throw new Failure("the call was interrupted");
            }
        }
    }

    /**
     * Brings a thread's notion of where it last met an event back to where it stands. HotSpot swallows
     * a breakpoint at the place of the last event when a step was reported there too; after a call made
     * at a step's end it takes the breakpoint which the call met for such a place, and would never
     * report that one again. Asking for a step makes it look anew.
     */
    private void relocate(ThreadReference thread) {
        try {
            StepRequest look = requests().createStepRequest(thread, StepRequest.STEP_MIN, StepRequest.STEP_INTO);
            look.enable();
            requests().deleteEventRequest(look);
        } catch (DuplicateRequestException e) {
            // a step is under way: the thread does not stand at the end of one
        }
    }

    /** Whether user code is between a throw and its catch, both included when inside. */
    boolean passesOwnCode(ThreadReference thread, Location until, boolean including) {
        try {
            for (StackFrame frame : thread.frames()) {
                Location at = frame.location();
                Method method = at.method();
                boolean last = until != null && method.equals(until.method());
                if ((!last || including) && sources.own(at.declaringType())) {
                    return true;
                }
                if (last) {
                    return false;
                }
            }
            return false;
        } catch (com.sun.jdi.IncompatibleThreadStateException e) {
            return true;
        }
    }
}
