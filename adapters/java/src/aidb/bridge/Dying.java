package aidb.bridge;

import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadGroupReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.ExceptionEvent;
import java.util.List;

/**
 * Whether a thread surely dies of an exception: no code of Java that is under way in it catches that, no
 * other code is under way which could, and the program has nobody told of threads that die.
 */
final class Dying {
    private static final List<String> CALLED = List.of("loadClass", "findClass"); // by the machine itself, which makes another exception of it

    private Dying() {}

    static boolean surely(Machine machine, Machine.Stop stop) {
        if (stop.set() == null) {
            return false;
        }
        for (Event e : stop.set()) {
            if (e instanceof ExceptionEvent thrown && thrown.exception().equals(stop.exception())) {
                return thrown.catchLocation() == null && alone(thrown.thread()) && unheard(machine, thrown.thread());
            }
        }
        return false;
    }

    private static boolean alone(ThreadReference thread) {
        try {
            List<StackFrame> frames = thread.frames();
            for (StackFrame frame : frames) {
                Location at = frame.location();
                String type = at.declaringType().name();
                if (at.method().isStaticInitializer() || at.method().isNative() && !frame.equals(frames.get(0)) || CALLED.contains(at.method().name())
                    || type.startsWith("java.lang.invoke.MethodHandleNatives")) {
                    return false;
                }
            }
            return true;
        } catch (IncompatibleThreadStateException e) {
            return false;
        }
    }

    private static boolean unheard(Machine machine, ThreadReference thread) {
        ThreadGroupReference group = thread.threadGroup();
        List<ReferenceType> types = machine.vm.classesByName("java.lang.Thread");
        if (group == null || !group.referenceType().name().equals("java.lang.ThreadGroup") || types.isEmpty()) {
            return false;
        }
        ClassType type = (ClassType) types.get(0);
        Field all = type.fieldByName("defaultUncaughtExceptionHandler");
        Field own = type.fieldByName("uncaughtExceptionHandler");
        return all != null && own != null && type.getValue(all) == null && thread.getValue(own) == null;
    }
}
