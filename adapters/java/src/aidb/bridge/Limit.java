package aidb.bridge;

import aidb.expression.Operators;
import aidb.expression.TypeName;
import aidb.text.Failure;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.Method;
import com.sun.jdi.NativeMethodException;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ends calls that nobody has asked for, such as of toString, when they take too long: the methods that
 * run in the call are made to return, one after another, until the thread stands where it stood. What
 * waits in native code, as for a lock, cannot be helped.
 */
final class Limit {
    private static final long MILLISECONDS = 1000;
    private static final long BETWEEN = 20; // one return and the next
    private static final int RETURNS = 100;

    private final Machine machine;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Machine::daemon);

    private final Set<ReferenceType> slow = ConcurrentHashMap.newKeySet(); // whose objects are not asked again

    Limit(Machine machine) {
        this.machine = machine;
    }

    void remember(ReferenceType type) {
        slow.add(type);
    }

    boolean slow(ReferenceType type) {
        return slow.contains(type);
    }

    /** Makes a call in a thread that does not take longer. */
    Value within(ThreadReference thread, Machine.Invocation call) throws Exception {
        Cut cut = new Cut(thread, thread.frameCount());
        Future<?> end = clock.scheduleWithFixedDelay(cut, MILLISECONDS, BETWEEN, TimeUnit.MILLISECONDS);
        try {
            Value value = machine.invoking(thread, call);
            if (cut.returns > 0) {
                throw new Failure("the call did not return by itself");
            }
            return value;
        } finally {
            end.cancel(false);
        }
    }

    private static final class Cut implements Runnable {
        private final ThreadReference thread;
        private final int frames; // before the call: those must not be touched
        private volatile int returns;

        Cut(ThreadReference thread, int frames) {
            this.thread = thread;
            this.frames = frames;
        }

        @Override
        public void run() {
            if (returns >= RETURNS) {
                return;
            }
            try {
                thread.suspend();
                try {
                    if (thread.frameCount() > frames) {
                        Value nothing = nothing(thread.frame(0).location().method());
                        returns++;
                        thread.forceEarlyReturn(nothing);
                    }
                } finally {
                    thread.resume();
                }
            } catch (NativeMethodException e) {
                // it waits for something
            } catch (IncompatibleThreadStateException | InvalidTypeException | ClassNotLoadedException | UnsupportedOperationException
                | VMDisconnectedException e) {
                returns = RETURNS;
            }
        }

        private static Value nothing(Method method) {
            VirtualMachine vm = method.virtualMachine();
            String type = method.returnTypeName();
            if (type.equals("void")) {
                return vm.mirrorOfVoid();
            }
            if (type.equals("boolean")) {
                return vm.mirrorOf(false);
            }
            return TypeName.primitive(type) ? Evaluation.mirror(vm, Operators.narrow(0, type)) : null;
        }
    }
}
