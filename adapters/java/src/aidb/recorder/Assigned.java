package aidb.recorder;

import aidb.classfile.Ops;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Which slots of a method surely hold a value, and of which kind, before each instruction. What the
 * names of variables say of that is not true of each compiler, and code that loads what may not be
 * there does not get past the verifier.
 */
final class Assigned {
    private static final byte NONE = 0;

    private final Code c;
    private final byte[][] before; // by offset; null: nothing comes there
    private final Deque<Integer> work = new ArrayDeque<>();

    Assigned(ClassBytes.Member method) {
        c = method.code;
        before = new byte[c.code.length][];
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

    boolean reached(int offset) {
        return before[offset] != null;
    }

    boolean holds(Code.Variable v, int offset) {
        return before[offset] != null && v.slot() < before[offset].length && before[offset][v.slot()] == kind(v.descriptor());
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

    /** Control comes to an offset with what is known. */
    private void flow(int offset, byte[] state) {
        byte[] old = before[offset];
        if (old == null) {
            before[offset] = state.clone();
            work.push(offset);
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
            work.push(offset);
        }
    }

    private void visit(int i) {
        byte[] state = before[i].clone();
        handlers(i, state);
        int op = c.code[i] & 0xff;
        if (stores(i, state)) {
            handlers(i, state);
        }
        for (int target : targets(i, op)) {
            flow(target, state);
        }
        int next = i + Ops.length(c.code, i);
        boolean falls = !(op == 0xa7 || op == 0xc8 || op >= 0xa9 && op <= 0xb1 || op == 0xbf);
        if (falls && next < c.code.length) {
            flow(next, state);
        }
    }

    /** What an instruction puts into a slot, if it does. */
    private boolean stores(int i, byte[] state) {
        int op = c.code[i] & 0xff;
        int real = op == 0xc4 ? c.code[i + 1] & 0xff : op;
        if (real < 0x36 || real > 0x4e) {
            return false;
        }
        int slot = op == 0xc4 ? ClassBytes.u2(c.code, i + 2) : real <= 0x3a ? c.code[i + 1] & 0xff : (real - 0x3b) % 4;
        store(state, slot, "IJFDA".charAt(real <= 0x3a ? real - 0x36 : (real - 0x3b) / 4));
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

    private List<Integer> targets(int i, int op) {
        List<Integer> list = new ArrayList<>();
        if (op >= 0x99 && op <= 0xa8 || op == 0xc6 || op == 0xc7) {
            list.add(i + (short) ClassBytes.u2(c.code, i + 1));
        } else if (op == 0xc8 || op == 0xc9) {
            list.add(i + ClassBytes.u4(c.code, i + 1));
        } else if (op == 0xaa || op == 0xab) {
            int p = i + 4 - i % 4;
            list.add(i + ClassBytes.u4(c.code, p));
            int n = op == 0xaa ? ClassBytes.u4(c.code, p + 8) - ClassBytes.u4(c.code, p + 4) + 1 : ClassBytes.u4(c.code, p + 4);
            for (int k = 0; k < n; k++) {
                list.add(i + ClassBytes.u4(c.code, op == 0xaa ? p + 12 + 4 * k : p + 12 + 8 * k));
            }
        }
        return list;
    }
}
