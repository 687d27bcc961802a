package aidb.recorder;

/** Moves the frames of a stack map to where their instructions have gone. */
final class StackMaps {
    private final ClassBytes in;
    private final int[] label;
    private final int[] exact;
    private final int lands;
    private final byte[] locals;
    private byte[] from;
    private int at;

    /** With a frame where a piece of ours jumps to (Code.lands), unless there is one. */
    StackMaps(ClassBytes in, int[] label, int[] exact, int lands, byte[] locals) {
        this.in = in;
        this.label = label;
        this.exact = exact;
        this.lands = lands;
        this.locals = locals;
    }

    /** With a frame of our handler at its end, which knows no variable and holds what was thrown. */
    byte[] moved(byte[] table, int handler) {
        from = table;
        Bytes out = new Bytes(64);
        int n = table == null ? 0 : ClassBytes.u2(table, 0);
        ClassBytes.put2(out, 0);
        at = 2;
        int old = -1;
        int last = -1;
        int more = 0;
        boolean landed = lands < 0;
        for (int i = 0; i < n; i++) {
            int tag = table[at++] & 0xff;
            int delta = tag < 64 ? tag : tag < 128 ? tag - 64 : take2();
            old += delta + 1;
            if (!landed && old > lands) {
                last = land(last, out);
                more++;
            }
            landed |= old >= lands;
            int now = label[old];
            frame(tag, now - last - 1, out);
            last = now;
        }
        if (!landed) {
            last = land(last, out);
            more++;
        }
        out.set2(0, n + more + (handler < 0 ? 0 : 1));
        if (handler >= 0) {
            out.write(255);
            ClassBytes.put2(out, handler - last - 1);
            ClassBytes.put2(out, 0);
            ClassBytes.put2(out, 1);
            out.write(7);
            ClassBytes.put2(out, in.type("java/lang/Throwable"));
        }
        return out.toByteArray();
    }

    private int land(int last, Bytes out) {
        out.write(locals == null ? 251 : 255);
        ClassBytes.put2(out, label[lands] - last - 1);
        if (locals != null) {
            out.write(locals);
            ClassBytes.put2(out, 0);
        }
        return label[lands];
    }

    private int take2() {
        at += 2;
        return ClassBytes.u2(from, at - 2);
    }

    private void frame(int tag, int delta, Bytes out) {
        out.write(tag < 64 ? 251 : tag < 128 ? 247 : tag);
        ClassBytes.put2(out, delta);
        if (tag >= 64 && tag < 128 || tag == 247) {
            types(1, out);
        } else if (tag >= 252 && tag <= 254) {
            types(tag - 251, out);
        } else if (tag == 255) {
            for (int part = 0; part < 2; part++) {
                int n = take2();
                ClassBytes.put2(out, n);
                types(n, out);
            }
        }
    }

    private void types(int n, Bytes out) {
        for (; n > 0; n--) {
            int tag = from[at++];
            out.write(tag);
            if (tag == 7) {
                ClassBytes.put2(out, take2());
            } else if (tag == 8) {
                ClassBytes.put2(out, exact[take2()]); // of an object whose constructor has not run
            }
        }
    }
}
