package aidb.recorder;

import aidb.asm.Opcodes;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which slots of a method surely hold a value, and of which kind, before each instruction. What the
 * names of variables say of that is not true of each compiler, and code that loads what may not be
 * there does not get past the verifier.
 */
final class Assigned {
    private static final byte NONE = 0;

    private final Code c;
    private final byte[][] before; // by instruction; null: nothing comes there
    private final Deque<Integer> work = new ArrayDeque<>();

    Assigned(ClassFile.Member method) {
        c = method.code;
        before = new byte[c.size()][];
        byte[] first = new byte[c.maxLocals + 1];
        int slot = 0;
        if (!method.isStatic()) {
            first[slot++] = 'A';
        }
        for (String type : Weaver.parameters(method.descriptor)) {
            first[slot] = kind(type);
            slot += Reading.wide(type) ? 2 : 1;
        }
        flow(0, first);
        while (!work.isEmpty()) {
            visit(work.pop());
        }
    }

    static byte kind(String descriptor) {
        char first = descriptor.charAt(0);
        return (byte) ("BCSZ".indexOf(first) >= 0 ? 'I' : first == 'L' || first == '[' ? 'A' : first);
    }

    boolean reached(int at) {
        return before[at] != null;
    }

    boolean holds(Code.Variable v, int at) {
        return before[at] != null && v.slot() < before[at].length && before[at][v.slot()] == kind(v.descriptor());
    }

    /** The same behind an instruction. */
    boolean holdsAfter(Code.Variable v, int i) {
        if (before[i] == null) {
            return false;
        }
        byte[] state = before[i].clone();
        stores(i, state);
        return v.slot() < state.length && state[v.slot()] == kind(v.descriptor());
    }

    /** Control comes to an instruction with what is known. */
    private void flow(int at, byte[] state) {
        byte[] old = before[at];
        if (old == null) {
            before[at] = state.clone();
            work.push(at);
            return;
        }
        boolean less = false;
        for (int i = 0; i < old.length; i++) {
            if (old[i] != NONE && old[i] != state[i]) {
                old[i] = NONE;
                less = true;
            }
        }
        if (less) {
            work.push(at);
        }
    }

    private void visit(int i) {
        byte[] state = before[i].clone();
        handlers(i, state);
        if (stores(i, state)) {
            handlers(i, state);
        }
        for (int target : c.targets(i)) {
            flow(target, state);
        }
        if (!c.leaves(i) && i + 1 < c.size()) {
            flow(i + 1, state);
        }
    }

    /** What an instruction puts into a slot, if it does. */
    private boolean stores(int i, byte[] state) {
        if (!c.stores(i)) {
            return false;
        }
        store(state, c.slot(i), "IJFDA".charAt(c.op(i) - Opcodes.ISTORE));
        return true;
    }

    private static void store(byte[] state, int slot, char kind) {
        if (slot > 0 && (state[slot - 1] == 'J' || state[slot - 1] == 'D')) {
            state[slot - 1] = NONE;
        }
        state[slot] = (byte) kind;
        if (kind == 'J' || kind == 'D') {
            state[slot + 1] = NONE;
        }
    }

    private void handlers(int i, byte[] state) {
        for (Code.Handler h : c.handlers) {
            if (h.start() <= i && i < h.end()) {
                flow(h.target(), state);
            }
        }
    }
}
