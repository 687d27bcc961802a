package aidb.bridge;

import aidb.text.Failure;
import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.BooleanValue;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.InterfaceType;
import com.sun.jdi.InvalidStackFrameException;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.InvocationException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import java.util.List;

/**
 * Where an expression is evaluated: a frame of a thread that stands still. The frame is looked up
 * again after each call, which makes all frames of its thread stale. Not safe for several threads.
 */
final class Context {
    final ThreadReference thread;
    final int depth;
    private final Machine machine;
    private StackFrame frame;
    private boolean brief; // its calls are nobody's wish, and must not take long
    private boolean asked; // an exception that a call has thrown is being asked for its message

    Context(Machine machine, ThreadReference thread, int depth) {
        this.machine = machine;
        this.thread = thread;
        this.depth = depth;
    }

    /** For calls that nobody has asked for. */
    Context brief() {
        brief = true;
        return this;
    }

    VirtualMachine vm() {
        return machine.vm;
    }

    Machine machine() {
        return machine;
    }

    StackFrame frame() {
        try {
            if (frame == null) {
                frame = thread.frame(depth);
            }
            return frame;
        } catch (IncompatibleThreadStateException e) {
            throw new Failure("the thread runs");
        } catch (IndexOutOfBoundsException e) {
            throw new Failure("the thread has no such frame");
        }
    }

    /** This object, null in a static method. */
    ObjectReference self() {
        return frame().thisObject();
    }

    /** The arguments of the frame, which cannot be looked at in native code. */
    static List<Value> arguments(StackFrame frame) {
        return frame.location().method().isNative() ? List.of() : frame.getArgumentValues();
    }

    /** The class whose code the frame runs. */
    ReferenceType here() {
        return frame().location().declaringType();
    }

    LocalVariable variable(String name) {
        try {
            return frame().visibleVariableByName(name);
        } catch (AbsentInformationException | InvalidStackFrameException e) {
            return null;
        }
    }

    Value mirror(boolean value) {
        return vm().mirrorOf(value);
    }

    Value mirror(int value) {
        return vm().mirrorOf(value);
    }

    StringReference text(String value) {
        return keep(vm().mirrorOf(value));
    }

    /** Keeps an object that the program itself does not hold from being collected. */
    <T extends Value> T keep(T value) {
        if (value instanceof ObjectReference object) {
            machine.pins.hold(object);
        }
        return value;
    }

    /** Calls a method: of an object, or a static one when there is none. */
    Value invoke(ObjectReference on, ReferenceType type, Method method, List<Value> arguments, int options) {
        return call(method.name(), () -> {
            if (on != null) {
                return on.invokeMethod(thread, method, arguments, options | ObjectReference.INVOKE_SINGLE_THREADED);
            }
            if (type instanceof InterfaceType face) {
                return face.invokeMethod(thread, method, arguments, ObjectReference.INVOKE_SINGLE_THREADED);
            }
            return ((ClassType) type).invokeMethod(thread, method, arguments, ObjectReference.INVOKE_SINGLE_THREADED);
        });
    }

    ObjectReference create(ClassType type, Method constructor, List<Value> arguments) {
        return (ObjectReference) call("new " + Names.simple(type.name()),
            () -> type.newInstance(thread, constructor, arguments, ObjectReference.INVOKE_SINGLE_THREADED));
    }

    private interface Invocation {
        Value run() throws InvalidTypeException, ClassNotLoadedException, IncompatibleThreadStateException, InvocationException;
    }

    private Value call(String what, Invocation invocation) {
        frame = null;
        try {
            return keep(brief ? machine.limit.within(thread, invocation::run) : machine.invoking(thread, invocation::run));
        } catch (InvocationException e) {
            keep(e.exception());
            throw new Failure("%s threw %s", what, thrown(e.exception()));
        } catch (IncompatibleThreadStateException e) {
            throw new Failure("methods can be called only where the thread has stopped at a breakpoint, a step or an exception: this one was paused; step once, then ask again");
        } catch (InvalidTypeException e) {
            throw new Failure("an argument of %s has the wrong type: %s", what, e.getMessage());
        } catch (ClassNotLoadedException e) {
            throw new Failure("the program has not loaded the class %s yet", e.className());
        } catch (Failure e) {
            throw e;
        } catch (Exception e) {
            throw new Failure("%s could not be called: %s", what, e.getMessage());
        }
    }

    /**
     * An exception's class and message. Some make their message up when they are asked, and may throw
     * then, as every call does where the stack is full: what is thrown by that is not asked again.
     */
    private String thrown(ObjectReference exception) {
        boolean outermost = !asked;
        asked = true;
        try {
            String said = Exceptions.message(this, exception, outermost);
            return Names.simple(exception.referenceType().name()) + (said == null ? "" : ": " + said);
        } finally {
            asked = !outermost;
        }
    }

    static boolean isTrue(Value value) {
        return value instanceof BooleanValue truth && truth.value();
    }

    static int number(Value value) {
        return value instanceof IntegerValue number ? number.value() : 0;
    }
}
