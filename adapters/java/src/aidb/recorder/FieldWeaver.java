package aidb.recorder;

import aidb.asm.Opcodes;

/** Tells of the writes of a method to one field, right before each. */
final class FieldWeaver {
    private final ClassFile.Member member;
    private final Code code;
    private final LiveField field;
    private final ClassLoader loader;
    private final int from; // where the constructor of the parent has returned; 0 in other methods
    private final Site model;

    FieldWeaver(ClassFile.Member member, LiveField field, ClassLoader loader, int from, Site model) {
        this.member = member;
        this.field = field;
        this.loader = loader;
        this.from = from;
        this.model = model;
        code = member.code;
    }

    /** Whether something was put in. */
    boolean weave() {
        if (from < 0) {
            return false;
        }
        for (int i = from; i < code.size(); i++) {
            int op = code.op(i);
            if (op != Opcodes.PUTFIELD && op != Opcodes.PUTSTATIC) {
                continue;
            }
            String[] to = code.reference(i);
            if (to[1].equals(field.name()) && to[2].equals(field.descriptor()) && field.isOf(to[0], loader)) {
                put(i, op == Opcodes.PUTSTATIC, to);
            }
        }
        return code.changed();
    }

    private void put(int i, boolean fixed, String[] to) {
        Site s = new Site();
        s.method = model.method;
        s.owner = model.owner;
        s.loader = loader;
        s.line = code.lines.floorEntry(i) == null ? s.method.line : code.lines.floorEntry(i).getValue();
        int number = Sites.add(s);
        Piece p = code.before(i);
        boolean wide = Reading.wide(to[2]);
        if (fixed) {
            p.op(wide ? Opcodes.DUP2 : Opcodes.DUP).box(to[2]).field(Opcodes.GETSTATIC, to).box(to[2]).op(Opcodes.SWAP)
                .push(number).call("written", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
            return;
        }
        String told = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V";
        if (!wide) { // object, value
            p.op(Opcodes.DUP2).box(to[2]).op(Opcodes.SWAP, Opcodes.DUP).field(Opcodes.GETFIELD, to).box(to[2]).push(number).call("written", told);
            return;
        }
        p.op(Opcodes.DUP2_X1).box(to[2]).op(Opcodes.DUP2, Opcodes.SWAP, Opcodes.DUP).field(Opcodes.GETFIELD, to).box(to[2]).push(number).call("written", told)
            .op(Opcodes.POP, Opcodes.DUP_X2, Opcodes.POP);
    }
}
