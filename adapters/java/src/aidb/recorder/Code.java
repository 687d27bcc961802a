package aidb.recorder;

import aidb.classfile.Ops;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The code of one method, into which straight pieces of code are put: before an instruction, where
 * jumps to it come by, and after one, where only it comes by. Such pieces need no stack maps; those
 * that are there are moved.
 */
final class Code {
    /** A name of a slot, while the program counter is in the range. */
    record Variable(int start, int end, String name, String descriptor, int slot) {}

    record Handler(int start, int end, int target, int type) {}

    final ClassBytes in;
    final byte[] code;
    final List<Handler> handlers = new ArrayList<>();
    final List<Variable> variables = new ArrayList<>();
    final TreeMap<Integer, Integer> lines = new TreeMap<>(); // offset to line
    final int maxLocals;

    private final int maxStack;
    private final byte[] stackMap;
    private final byte[] lineTable;
    private final byte[] typeTable;
    private byte[] nameTable; // of its variables
    private Piece[] before; // by the offsets of instructions
    private Piece[] after;
    private Piece prologue;
    private Piece caught;
    private int protectedFrom;
    private int lands = -1; // where a piece that ends before it has a jump to
    private byte[] locals; // what the slots hold there, null: what they hold when the method begins
    private int[] label; // where jumps to an instruction now go
    private int[] exact; // where it is itself

    Code(ClassBytes in, byte[] data) {
        this.in = in;
        maxStack = ClassBytes.u2(data, 0);
        maxLocals = ClassBytes.u2(data, 2);
        int length = ClassBytes.u4(data, 4);
        code = java.util.Arrays.copyOfRange(data, 8, 8 + length);
        int p = 8 + length;
        for (int n = ClassBytes.u2(data, p); n > 0; n--) {
            handlers.add(new Handler(ClassBytes.u2(data, p + 2), ClassBytes.u2(data, p + 4), ClassBytes.u2(data, p + 6), ClassBytes.u2(data, p + 8)));
            p += 8;
        }
        p += 2;
        byte[] stack = null;
        byte[] line = null;
        byte[] types = null;
        int n = ClassBytes.u2(data, p);
        for (p += 2; n > 0; n--) {
            String name = in.utf(ClassBytes.u2(data, p));
            int size = ClassBytes.u4(data, p + 2);
            byte[] content = java.util.Arrays.copyOfRange(data, p + 6, p + 6 + size);
            p += 6 + size;
            switch (name) {
                case "StackMapTable":
                    stack = content;
                    break;
                case "LineNumberTable":
                    line = join(line, content);
                    break;
                case "LocalVariableTable":
                    readVariables(content);
                    break;
                case "LocalVariableTypeTable":
                    types = content;
                    break;
                default: // annotations of types: nothing of the running program needs them
            }
        }
        stackMap = stack;
        lineTable = line;
        typeTable = types;
        for (int i = 2; line != null && i < line.length; i += 4) {
            lines.put(ClassBytes.u2(line, i), ClassBytes.u2(line, i + 2));
        }
        handlers.forEach(this::begins);
    }

    /**
     * A handler first keeps what it was given: the statement that its line tells of begins behind that. One
     * that nobody has written closes or unlocks something.
     */
    private void begins(Handler h) {
        int store = code[h.target] & 0xff;
        int next = h.target + Ops.length(code, h.target);
        Map.Entry<Integer, Integer> line = lines.floorEntry(h.target);
        if (!(store == 0x3a || store >= 0x4b && store <= 0x4e) || line == null || next >= code.length) {
            return;
        }
        int slot = store == 0x3a ? code[h.target + 1] & 0xff : store - 0x4b;
        boolean written = h.type == 0 ? !unlocks(next) : variable(slot, next) != null;
        if (written && lines.putIfAbsent(next, line.getValue()) == null && passes(line.getKey(), h.target)) {
            lines.remove(line.getKey());
        }
    }

    /** Says that all that stands between two places is a jump past the second: what was tried has gone well. */
    private boolean passes(int from, int handler) {
        int op = code[from] & 0xff;
        return (op == 0xa7 || op == 0xc8) && from + Ops.length(code, from) == handler;
    }

    private boolean unlocks(int at) {
        int then = at + Ops.length(code, at);
        return then < code.length && (code[then] & 0xff) == 0xc3;
    }

    private static byte[] join(byte[] a, byte[] b) {
        if (a == null) {
            return b;
        }
        byte[] both = java.util.Arrays.copyOf(a, a.length + b.length - 2);
        System.arraycopy(b, 2, both, a.length, b.length - 2);
        int n = ClassBytes.u2(a, 0) + ClassBytes.u2(b, 0);
        both[0] = (byte) (n >>> 8);
        both[1] = (byte) n;
        return both;
    }

    private void readVariables(byte[] table) {
        nameTable = join(nameTable, table);
        for (int i = 2; i < table.length; i += 10) {
            int start = ClassBytes.u2(table, i);
            variables.add(new Variable(start, start + ClassBytes.u2(table, i + 2), in.utf(ClassBytes.u2(table, i + 4)),
                in.utf(ClassBytes.u2(table, i + 6)), ClassBytes.u2(table, i + 8)));
        }
    }

    /** Where an instruction jumps to, -1 where it does not or has several targets. */
    static int jump(byte[] code, int i) {
        int op = code[i] & 0xff;
        if (op >= 0x99 && op <= 0xa7 || op == 0xc6 || op == 0xc7) {
            return i + (short) ClassBytes.u2(code, i + 1);
        }
        return op == 0xc8 ? i + ClassBytes.u4(code, i + 1) : -1;
    }

    boolean named() {
        return nameTable != null;
    }

    /** The variable of a slot at an offset; null where it has no name. */
    Variable variable(int slot, int at) {
        for (Variable v : variables) {
            if (v.slot == slot && v.start <= at && at < v.end) {
                return v;
            }
        }
        return null;
    }

    // What is put in.

    Piece before(int offset) {
        before = before == null ? new Piece[code.length] : before;
        return before[offset] == null ? before[offset] = new Piece(in) : before[offset];
    }

    Piece after(int offset) {
        after = after == null ? new Piece[code.length] : after;
        return after[offset] == null ? after[offset] = new Piece(in) : after[offset];
    }

    private static Piece at(Piece[] pieces, int offset) {
        return pieces == null ? null : pieces[offset];
    }

    /** Runs once, when the method begins. */
    Piece prologue() {
        return prologue == null ? prologue = new Piece(in) : prologue;
    }

    /** Runs with what is thrown out of the code from an offset on, which is then thrown on. */
    Piece caught(int from) {
        protectedFrom = from;
        return caught = new Piece(in);
    }

    /** Says that the piece which ends before an instruction jumps to its end, where nothing lies on the stack. */
    void lands(int offset, byte[] locals) {
        lands = offset;
        this.locals = locals;
    }

    /** The instruction that stands before one. */
    int previous(int offset) {
        int last = 0;
        for (int i = 0; i < offset; i += Ops.length(code, i)) {
            last = i;
        }
        return last;
    }

    /** The handlers as they were laid: "start,end,target,type;", the type empty where all is caught. */
    String laid() {
        StringBuilder out = new StringBuilder();
        for (Handler h : handlers) {
            out.append(label[h.start]).append(',').append(label[h.end]).append(',').append(label[h.target]).append(',')
                .append(h.type == 0 ? "" : in.className(h.type).replace('/', '.')).append(';');
        }
        return out.toString();
    }

    boolean changed() {
        return prologue != null || caught != null || before != null || after != null;
    }

    private void lay() {
        label = new int[code.length + 1];
        exact = new int[code.length];
        int p = prologue == null ? 0 : prologue.size();
        for (int i = 0; i < code.length; i += Ops.length(code, i)) {
            label[i] = p;
            p += size(at(before, i));
            exact[i] = p;
            p += isSwitch(i) ? switchSize(i, p) : Ops.length(code, i);
            p += size(at(after, i));
        }
        label[code.length] = p;
        if (p + size(caught) + 1 > 65535) {
            throw new ClassBytes.Unfit("a method is too long");
        }
    }

    private static int size(Piece piece) {
        return piece == null ? 0 : piece.size();
    }

    private boolean isSwitch(int i) {
        int op = code[i] & 0xff;
        return op == 0xaa || op == 0xab;
    }

    private int switchSize(int i, int at) {
        int old = 3 - i % 4;
        return Ops.length(code, i) - old + 3 - at % 4;
    }

    byte[] bytes() {
        lay();
        Bytes text = new Bytes(code.length * 3 + 64);
        write(prologue, text);
        for (int i = 0; i < code.length; i += Ops.length(code, i)) {
            write(at(before, i), text);
            instruction(i, text);
            write(at(after, i), text);
        }
        write(caught, text);
        Bytes out = new Bytes(code.length * 4 + 64);
        ClassBytes.put2(out, Math.min(65535, maxStack + 16));
        ClassBytes.put2(out, maxLocals);
        ClassBytes.put4(out, text.size());
        out.write(text);
        exceptions(out);
        List<byte[]> tables = new ArrayList<>();
        List<String> names = new ArrayList<>();
        if (lineTable != null) {
            names.add("LineNumberTable");
            tables.add(movedLines());
        }
        if (nameTable != null) {
            names.add("LocalVariableTable");
            tables.add(moved(nameTable, 10, true));
        }
        if (typeTable != null) {
            names.add("LocalVariableTypeTable");
            tables.add(moved(typeTable, 10, true));
        }
        if (stackMap != null || (caught != null || lands >= 0) && in.version >= 50) {
            names.add("StackMapTable");
            tables.add(new StackMaps(in, label, exact, lands, locals).moved(stackMap, caught == null ? -1 : label[code.length]));
        }
        ClassBytes.put2(out, tables.size());
        for (int i = 0; i < tables.size(); i++) {
            ClassBytes.put2(out, in.text(names.get(i)));
            ClassBytes.put4(out, tables.get(i).length);
            out.write(tables.get(i));
        }
        return out.toByteArray();
    }

    private static void write(Piece piece, Bytes out) {
        if (piece != null) {
            out.write(piece.bytes());
        }
    }

    private void exceptions(Bytes out) {
        ClassBytes.put2(out, handlers.size() + (caught == null ? 0 : 1));
        for (Handler h : handlers) {
            ClassBytes.put2(out, label[h.start]);
            ClassBytes.put2(out, label[h.end]);
            ClassBytes.put2(out, label[h.target]);
            ClassBytes.put2(out, h.type);
        }
        if (caught != null) {
            ClassBytes.put2(out, label[protectedFrom]);
            ClassBytes.put2(out, label[code.length]);
            ClassBytes.put2(out, label[code.length]);
            ClassBytes.put2(out, 0);
        }
    }

    /** A table whose rows begin with an offset and, when ranged, a length. What is known where the method begins is so in front of our code. */
    private byte[] moved(byte[] table, int row, boolean ranged) {
        byte[] out = table.clone();
        for (int i = 2; i < table.length; i += row) {
            int start = ClassBytes.u2(table, i);
            int at = ranged && start == 0 ? 0 : label[start];
            set2(out, i, at);
            if (ranged) {
                set2(out, i + 2, label[start + ClassBytes.u2(table, i + 2)] - at);
            }
        }
        return out;
    }

    /** The lines, with one for our code in front of the first. */
    private byte[] movedLines() {
        byte[] moved = moved(lineTable, 4, false);
        if (prologue == null || !lines.containsKey(0)) {
            return moved;
        }
        byte[] own = {0, 1, 0, 0, 0, 0};
        set2(own, 4, lines.get(0));
        return join(own, moved);
    }

    private static void set2(byte[] to, int p, int n) {
        to[p] = (byte) (n >>> 8);
        to[p + 1] = (byte) n;
    }

    private void instruction(int i, Bytes out) {
        int op = code[i] & 0xff;
        int length = Ops.length(code, i);
        if (isSwitch(i)) {
            switched(i, out);
        } else if (op >= 0x99 && op <= 0xa8 || op == 0xc6 || op == 0xc7) {
            int distance = label[i + (short) ClassBytes.u2(code, i + 1)] - exact[i];
            if (distance != (short) distance) {
                throw new ClassBytes.Unfit("a jump in it is too far");
            }
            out.write(op);
            ClassBytes.put2(out, distance);
        } else if (op == 0xc8 || op == 0xc9) {
            out.write(op);
            ClassBytes.put4(out, label[i + ClassBytes.u4(code, i + 1)] - exact[i]);
        } else {
            out.write(code, i, length);
        }
    }

    private void switched(int i, Bytes out) {
        int op = code[i] & 0xff;
        out.write(op);
        for (int pad = 3 - exact[i] % 4; pad > 0; pad--) {
            out.write(0);
        }
        int p = i + 4 - i % 4;
        target(i, p, out);
        if (op == 0xaa) {
            int low = ClassBytes.u4(code, p + 4);
            int high = ClassBytes.u4(code, p + 8);
            out.write(code, p + 4, 8);
            for (int k = 0; k <= high - low; k++) {
                target(i, p + 12 + 4 * k, out);
            }
            return;
        }
        int pairs = ClassBytes.u4(code, p + 4);
        out.write(code, p + 4, 4);
        for (int k = 0; k < pairs; k++) {
            out.write(code, p + 8 + 8 * k, 4);
            target(i, p + 12 + 8 * k, out);
        }
    }

    private void target(int i, int p, Bytes out) {
        ClassBytes.put4(out, label[i + ClassBytes.u4(code, p)] - exact[i]);
    }
}
