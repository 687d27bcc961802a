package aidb.recorder;

/** Code that is put into a method: without jumps, but for one to its end (Code.lands). */
final class Piece {
    static final String HOOKS = "aidb/recorder/Hooks";
    static final String MOMENTS = "aidb/recorder/Moments";

    private final ClassBytes in;
    private final Bytes out = new Bytes(48);
    private int jump;

    Piece(ClassBytes in) {
        this.in = in;
    }

    int size() {
        return out.size();
    }

    Bytes bytes() {
        return out;
    }

    Piece op(int... ops) {
        for (int op : ops) {
            out.write(op);
        }
        return this;
    }

    Piece push(int n) {
        if (n >= -1 && n <= 5) {
            out.write(3 + n);
        } else if (n == (short) n) {
            out.write(0x11);
            ClassBytes.put2(out, n);
        } else {
            out.write(0x13);
            ClassBytes.put2(out, in.number(n));
        }
        return this;
    }

    /** Calls a method of {@link Hooks}. */
    Piece call(String name, String descriptor) {
        return call(HOOKS, name, descriptor);
    }

    /** Calls a method of {@link Moments}. */
    Piece judge(String name, String descriptor) {
        return call(MOMENTS, name, descriptor);
    }

    Piece call(String owner, String name, String descriptor) {
        out.write(0xb8);
        ClassBytes.put2(out, in.hook(owner, name, descriptor));
        return this;
    }

    /** Leaves out what follows, up to where it lands, when false lies on the stack. */
    Piece skip() {
        jump = out.size();
        return op(0x99, 0, 0);
    }

    Piece land() {
        out.set2(jump + 1, out.size() - jump);
        return this;
    }

    Piece load(int slot, String descriptor) {
        int op = "BCISZ".indexOf(descriptor.charAt(0)) >= 0 ? 0x15 : descriptor.equals("J") ? 0x16
            : descriptor.equals("F") ? 0x17 : descriptor.equals("D") ? 0x18 : 0x19;
        if (slot > 255) {
            out.write(0xc4);
            out.write(op);
            ClassBytes.put2(out, slot);
        } else {
            op(op, slot);
        }
        return this;
    }

    /** Makes an object of the primitive on the stack. */
    Piece box(String descriptor) {
        return descriptor.length() > 1 ? this : call("box", "(" + descriptor + ")Ljava/lang/Object;");
    }

    Piece cast(String type) {
        out.write(0xc0);
        ClassBytes.put2(out, in.type(type));
        return this;
    }

    /** An array of the values of variables. */
    Piece values(java.util.List<Code.Variable> variables) {
        push(variables.size());
        op(0xbd);
        ClassBytes.put2(out, in.type("java/lang/Object"));
        for (int i = 0; i < variables.size(); i++) {
            op(0x59);
            push(i);
            load(variables.get(i).slot(), variables.get(i).descriptor()).box(variables.get(i).descriptor());
            op(0x53);
        }
        return this;
    }
}
