package aidb.bridge;

import aidb.text.Failure;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VoidValue;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodExitRequest;
import com.sun.jdi.request.StepRequest;

/** The one step under way: by line, past the code of libraries and of the compiler. */
final class Stepper {
    private final Machine machine;
    private StepRequest request;
    private MethodExitRequest exits;
    private ThreadReference thread;
    private int depth; // of StepRequest
    private int frames;
    private Location from;
    private Method leaving; // of a step out
    private boolean all; // into libraries too
    private Value returned;
    private String returner;

    Stepper(Machine machine) {
        this.machine = machine;
    }

    /** Prepares a step of a thread that stands still; it is made when the program goes on. */
    void prepare(ThreadReference thread, int depth, boolean all) {
        cancel();
        try {
            StackFrame top = thread.frame(0);
            this.thread = thread;
            this.depth = depth;
            this.all = all;
            frames = thread.frameCount();
            from = top.location();
        } catch (IncompatibleThreadStateException | IndexOutOfBoundsException e) {
            throw new Failure("this thread has no frame to step in");
        }
        if (depth == StepRequest.STEP_OUT) {
            watchReturn();
        }
        arm(depth);
    }

    private void arm(int depth) {
        EventRequestManager manager = machine.requests();
        if (request != null) {
            manager.deleteEventRequest(request);
        }
        request = manager.createStepRequest(thread, StepRequest.STEP_LINE, depth);
        if (!all) {
            Machine.LIBRARY_FILTERS.forEach(request::addClassExclusionFilter);
        }
        request.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        request.enable();
    }

    /** The last exit of the method before the step's end is that of the frame which is left. */
    private void watchReturn() {
        leaving = from.method();
        if (!machine.vm.canGetMethodReturnValues() || leaving.returnTypeName().equals("void")) {
            return;
        }
        exits = machine.requests().createMethodExitRequest();
        exits.addThreadFilter(thread);
        exits.addClassFilter(leaving.declaringType());
        exits.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        exits.enable();
    }

    void exited(MethodExitEvent event) {
        if (event.method().equals(leaving) && !(event.returnValue() instanceof VoidValue)) {
            returned = event.returnValue();
            returner = Frames.name(event.location());
        }
    }

    /** Looks at where a step has come to; false when it must go on, for which it is then prepared. */
    boolean arrived(Location at) {
        if (request == null) {
            return true;
        }
        try {
            int now = thread.frameCount();
            boolean strange = at.lineNumber() < 1 || at.method().isSynthetic() && !at.method().name().startsWith("lambda$")
                || at.method().isBridge() || machine.plants.stepsInto(at, thread) || !all && !machine.sources.own(at.declaringType());
            if (strange && now > frames) {
                arm(StepRequest.STEP_OUT);
                return false;
            }
            boolean still = now == frames && at.method().equals(from.method()) && at.lineNumber() == from.lineNumber();
            if (strange || still && request.depth() == StepRequest.STEP_OUT && depth != StepRequest.STEP_OUT) {
                arm(strange && depth == StepRequest.STEP_OUT ? StepRequest.STEP_OUT : depth);
                return false;
            }
            return true;
        } catch (IncompatibleThreadStateException e) {
            return true;
        }
    }

    /** Whether a step is prepared or under way. */
    boolean steps() {
        return request != null;
    }

    boolean owns(EventRequest event) {
        return event != null && event.equals(request);
    }

    /** Ends the step, made or not; what it returned can still be asked. */
    void cancel() {
        EventRequestManager manager = machine.requests();
        if (request != null) {
            manager.deleteEventRequest(request);
        }
        if (exits != null) {
            manager.deleteEventRequest(exits);
        }
        request = null;
        exits = null;
        leaving = null;
    }

    void forget() {
        returned = null;
        returner = null;
    }

    String returner() {
        return returner;
    }

    Value returned() {
        try {
            if (returned != null) {
                returned.type();
            }
            return returned;
        } catch (ObjectCollectedException e) {
            return null;
        }
    }
}
