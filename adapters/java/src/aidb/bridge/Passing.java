package aidb.bridge;

import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.event.ExceptionEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Follows an exception past handlers that do not keep it: those of finally, synchronized and
 * try-with-resources, and those of the user that throw it on. It is known then where it ends while
 * the frames that it was thrown in still stand.
 */
final class Passing {
    /** Nothing is known. */
    static final int UNKNOWN = -1;

    /** Deeper stacks are not gone through: that takes long, and they are those of a recursion without end. */
    static final int DEEPEST = 500;

    private final Machine machine;
    private final ReferenceType type; // of the exception
    private final List<StackFrame> frames;
    private final Set<String> passed = new HashSet<>(); // handlers, which may cover themselves

    private Passing(Machine machine, ReferenceType type, List<StackFrame> frames) {
        this.machine = machine;
        this.type = type;
        this.frames = frames;
    }

    /**
     * The frame in which an exception ends that one of the user's handlers gets first: the nearest of
     * a library, which may catch it, or as many as there are when nobody does.
     */
    static int end(Machine machine, ExceptionEvent event) {
        Location handler = event.catchLocation();
        if (handler == null || !machine.sources.own(handler.declaringType())) {
            return UNKNOWN;
        }
        try {
            if (event.thread().frameCount() > DEEPEST) {
                return UNKNOWN;
            }
            List<StackFrame> frames = event.thread().frames();
            int at = 0;
            while (at < frames.size() && !frames.get(at).location().method().equals(handler.method())) {
                at++;
            }
            Passing passing = new Passing(machine, event.exception().referenceType(), frames);
            return at == frames.size() ? UNKNOWN : passing.caught(at, (int) handler.codeIndex());
        } catch (IncompatibleThreadStateException | UnsupportedOperationException e) {
            return UNKNOWN;
        }
    }

    /** Whether an exception that ends in a frame is one that nobody catches. */
    static boolean nobody(ExceptionEvent event, int end) {
        try {
            return end == event.thread().frameCount();
        } catch (IncompatibleThreadStateException e) {
            return false;
        }
    }

    /** A handler of a frame gets it. */
    private int caught(int at, int target) {
        Method method = frames.get(at).location().method();
        if (!passed.add(at + ":" + target)) {
            return UNKNOWN;
        }
        int end = UNKNOWN;
        for (int again : throwsOn(method.bytecodes(), target)) {
            int one = thrown(at, again);
            if (one == UNKNOWN || end != UNKNOWN && end != one) {
                return UNKNOWN;
            }
            end = one;
        }
        return end;
    }

    /** It is thrown, or comes out of a call, at an instruction of a frame. */
    private int thrown(int at, long index) {
        Location place = frames.get(at).location();
        ClassFile file = machine.classes.named(place.declaringType().name());
        if (file == null) {
            return UNKNOWN;
        }
        for (ClassFile.Handler h : machine.recorder.handlers(place.method(), file)) {
            if (h.start() <= index && index < h.end() && (h.type() == null || Calls.distance(type, h.type()) >= 0)) {
                return caught(at, h.target());
            }
        }
        int next = at + 1;
        if (next == frames.size() || beginning(next)) {
            return frames.size();
        }
        Location caller = frames.get(next).location();
        return machine.sources.own(caller.declaringType()) ? thrown(next, caller.codeIndex()) : next;
    }

    /** Whether all frames from one on are those in which a thread begins, which catch nothing. */
    private boolean beginning(int from) {
        return frames.subList(from, frames.size()).stream().allMatch(f -> f.location().declaringType().name().equals("java.lang.Thread"));
    }

    /** Where a handler throws on what it has caught; nothing where it may come to another end. */
    static List<Integer> throwsOn(byte[] code, int target) {
        int kept = stored(code, target);
        List<Integer> found = new ArrayList<>();
        Deque<Integer> work = new ArrayDeque<>(List.of(target));
        Set<Integer> seen = new HashSet<>();
        while (!work.isEmpty()) {
            int i = work.pop();
            if (!seen.add(i)) {
                continue;
            }
            int op = code[i] & 0xff;
            if (op >= 0xa8 && op <= 0xb1 && op != 0xaa && op != 0xab || op == 0xc9 || kept < 0 || seen.size() > 5000) {
                return List.of(); // it returns, or is too old or too long
            }
            if (op == 0xbf) {
                if (loaded(code, before(code, i)) != kept) {
                    return List.of(); // something else is thrown
                }
                found.add(i);
                continue;
            }
            if (op != 0xa7 && op != 0xc8) {
                work.add(i + Ops.length(code, i));
            }
            work.addAll(jumps(code, i));
        }
        return found;
    }

    /** The instruction that stands before one. */
    private static int before(byte[] code, int i) {
        int last = 0;
        for (int p = 0; p < i; p += Ops.length(code, p)) {
            last = p;
        }
        return last;
    }

    /** The slot that an instruction stores a reference in, -1 for any other. */
    private static int stored(byte[] code, int i) {
        int op = code[i] & 0xff;
        return op == 0x3a ? code[i + 1] & 0xff : op >= 0x4b && op <= 0x4e ? op - 0x4b : -1;
    }

    private static int loaded(byte[] code, int i) {
        int op = code[i] & 0xff;
        return op == 0x19 ? code[i + 1] & 0xff : op >= 0x2a && op <= 0x2d ? op - 0x2a : -1;
    }

    private static List<Integer> jumps(byte[] code, int i) {
        int op = code[i] & 0xff;
        if (op >= 0x99 && op <= 0xa7 || op == 0xc6 || op == 0xc7) {
            return List.of(i + (short) ((code[i + 1] & 0xff) << 8 | code[i + 2] & 0xff));
        }
        if (op == 0xc8) {
            return List.of(i + Ops.u4(code, i + 1));
        }
        List<Integer> list = new ArrayList<>();
        if (op == 0xaa || op == 0xab) {
            int p = i + 4 - i % 4;
            list.add(i + Ops.u4(code, p));
            int many = op == 0xaa ? Ops.u4(code, p + 8) - Ops.u4(code, p + 4) + 1 : Ops.u4(code, p + 4);
            for (int k = 0; k < many; k++) {
                list.add(i + Ops.u4(code, op == 0xaa ? p + 12 + 4 * k : p + 12 + 8 * k));
            }
        }
        return list;
    }
}
