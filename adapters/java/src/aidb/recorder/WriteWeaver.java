package aidb.recorder;

import aidb.asm.Opcodes;
import java.util.List;
import java.util.Set;

/** Puts into one method what notes its writes: to variables, fields, elements and collections of the JDK. */
final class WriteWeaver {
    private static final Set<String> CHANGING = Set.of("put", "putIfAbsent", "remove", "merge", "computeIfAbsent", "computeIfPresent", "compute", "replace", "clear",
        "putAll", "add", "addAll", "set", "sort", "removeIf", "replaceAll", "push", "pop", "poll", "offer", "addFirst", "addLast", "removeFirst", "removeLast",
        "pollFirst", "pollLast", "retainAll", "removeAll", "take");

    private final Weaver weaver;
    private final ClassFile in;
    private final ClassFile.Member member;
    private final Code code;
    private final Wish wish;
    private final Sight sight; // of a variable that is asked about at a line; null where each is wanted

    WriteWeaver(Weaver weaver, ClassFile in, ClassFile.Member member, Wish wish) {
        this.weaver = weaver;
        this.in = in;
        this.member = member;
        this.code = member.code;
        this.wish = wish;
        sight = wish.all ? null : wish.writes.sight(in, member);
    }

    private boolean wanted(String kind, String name) {
        return wish.all || wish.writes.asks(kind, name, in, member);
    }

    /** Notes what an instruction writes, if it writes anything that is wanted. */
    void write(int i) {
        int op = code.op(i);
        if (code.stores(i) || op == Opcodes.IINC) {
            local(i, op);
        } else if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) {
            element(i, op);
        } else if (op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC) {
            field(i, op);
        } else if (op == Opcodes.INVOKEVIRTUAL || op == Opcodes.INVOKEINTERFACE || op == Opcodes.INVOKESTATIC) {
            inside(i, op);
        }
    }

    private void local(int i, int op) {
        int slot = code.slot(i);
        boolean counts = op == Opcodes.IINC;
        Code.Variable v = code.variable(slot, i + 1);
        if (v == null || !wanted("", v.name()) || sight != null && !sight.means(v) || !counts && Assigned.kind(v.descriptor()) != "IJFDA".charAt(op - Opcodes.ISTORE)) {
            return;
        }
        if (counts && wish.all) {
            Site s = weaver.site();
            s.name = v.name();
            s.member = Scope.member(v);
            s.owner = null;
            code.before(i).load(slot, "I").box(v.descriptor()).push(Sites.add(s)).call("read", "(Ljava/lang/Object;I)V");
        }
        Site s = weaver.site();
        s.owner = null;
        s.member = Scope.member(v);
        code.after(i).load(slot, v.descriptor()).box(v.descriptor()).push(Sites.add(s)).call("wrote", "(Ljava/lang/Object;I)V");
    }

    private void element(int i, int op) {
        if (!wanted("[]", "")) {
            return;
        }
        int number = Sites.add(weaver.site());
        boolean wide = op == Opcodes.LASTORE || op == Opcodes.DASTORE;
        Piece p = code.before(i);
        if (wide) {
            p.op(Opcodes.DUP2_X2, Opcodes.POP2, Opcodes.DUP2_X2);
        } else {
            p.op(Opcodes.DUP_X2, Opcodes.POP, Opcodes.DUP2_X1);
        }
        p.push(number).call("puttingElement", "(Ljava/lang/Object;II)V");
        code.after(i).push(number).call("putElement", "(I)V");
    }

    private void field(int i, int op) {
        String[] f = code.reference(i);
        if (!wanted(".", f[1]) || f[1].indexOf('$') >= 0) {
            return;
        }
        Site s = weaver.site();
        s.member = f[1];
        s.owner = op == Opcodes.PUTSTATIC ? f[0].replace('/', '.') : null;
        int number = Sites.add(s);
        boolean wide = Reading.wide(f[2]);
        Piece p = code.before(i);
        if (op == Opcodes.PUTSTATIC) {
            Weaver.copy(p, f[2]).push(number).call("puttingStatic", "(Ljava/lang/Object;I)V");
        } else if (wide) {
            p.op(Opcodes.DUP2_X1).box(f[2]).push(number).call("puttingWide", "(Ljava/lang/Object;Ljava/lang/Object;I)Ljava/lang/Object;");
            p.cast(f[0]).op(Opcodes.DUP_X2, Opcodes.POP);
        } else {
            p.op(Opcodes.DUP2).box(f[2]).push(number).call("putting", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
        }
        code.after(i).push(number).call("put", "(I)V");
    }

    /** Calls that may change a collection of the JDK. */
    private void inside(int i, int op) {
        String[] m = code.reference(i);
        List<String> types = Weaver.parameters(m[2]);
        if (!changesCollection(m, op)) {
            return;
        }
        if (op == Opcodes.INVOKESTATIC) {
            types = types.subList(1, types.size()); // what it changes comes first
        }
        if (types.size() > 3 || !wanted("[]", "")
            || types.stream().anyMatch(t -> t.length() == 1 && !t.equals("I")) || types.lastIndexOf("I") > 0) {
            return;
        }
        Site s = weaver.site();
        s.member = m[1];
        s.index = !types.isEmpty() && types.get(0).equals("I");
        int number = Sites.add(s);
        Piece p = code.before(i);
        String second = s.index ? "I" : "Ljava/lang/Object;";
        if (types.size() == 3) {
            p.call("hold", "(Ljava/lang/Object;)V");
        }
        switch (types.size()) {
            case 0 -> p.op(Opcodes.DUP).push(number).call("changing", "(Ljava/lang/Object;I)V");
            case 1 -> p.op(Opcodes.DUP2).box(second).push(number).call("changing", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
            default -> { // the object, the key and the value: the value goes below them, and they are copied
                p.op(Opcodes.DUP).call("giving", "(Ljava/lang/Object;)V").op(Opcodes.DUP_X2, Opcodes.POP, Opcodes.DUP2_X1).box(second);
                p.push(number).call("changing", "(Ljava/lang/Object;Ljava/lang/Object;I)V");
            }
        }
        if (types.size() == 3) {
            p.call("held", "()Ljava/lang/Object;");
            castLast(p, types.get(2));
        }
        code.after(i).push(number).call("changed", "(I)V");
    }

    /** Whether a method, by its class and name, may change a collection of the JDK: its own, or what is given to it first. */
    static boolean changesCollection(String[] method, int op) {
        boolean given = op == Opcodes.INVOKESTATIC;
        return given ? method[0].equals("java/util/Collections") && Insides.MOVING.contains(method[1]) : method[0].startsWith("java/util/") && CHANGING.contains(method[1]);
    }

    private void castLast(Piece p, String type) {
        if (type.startsWith("L")) {
            p.cast(type.substring(1, type.length() - 1));
        }
    }
}
