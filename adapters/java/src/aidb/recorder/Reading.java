package aidb.recorder;

import aidb.asm.ConstantDynamic;
import aidb.asm.Opcodes;
import aidb.asm.tree.IntInsnNode;
import aidb.asm.tree.LdcInsnNode;
import aidb.asm.tree.MultiANewArrayInsnNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Follows what the code of a method lays on its stack, to give what it reads and writes the names
 * that the source has: "account.balance" for a field of a variable.
 */
final class Reading {
    enum Kind { LOCAL, FIELD, STATIC, ELEMENT, GET, NEXT, ITERATOR }

    /** Something that is read. */
    static final class Read {
        final Kind kind;
        final int at;
        final String name;
        final String member;
        final String owner;
        final String type; // its descriptor
        boolean dropped; // it is only the way to something else
        boolean index; // it only says which element
        String given; // to a call of a class, which may change what it refers to; null: to none

        Read(Kind kind, int at, String name, String member, String owner, String type) {
            this.kind = kind;
            this.at = at;
            this.name = name;
            this.member = member;
            this.owner = owner;
            this.type = type;
        }

        private boolean refers() {
            return type.length() > 1 && !type.equals("Ljava/lang/String;");
        }
    }

    /** A value on the stack. */
    private static final class Entry {
        final String text; // empty where the source's is not known
        final boolean wide;
        final List<Read> reads;

        Entry(String text, boolean wide, List<Read> reads) {
            this.text = text.length() > 60 ? "" : text;
            this.wide = wide;
            this.reads = reads;
        }

        String shown() {
            return text.isEmpty() ? "…" : text;
        }
    }

    private static final String TYPES = "IJFDABCS";

    final List<Read> reads = new ArrayList<>();
    final Map<Integer, String> written = new HashMap<>(); // by instruction: the name of what it writes to
    final Set<Integer> statements = new HashSet<>(); // where the stack is empty

    private final ClassFile in;
    private final ClassFile.Member method;
    private final Code c;
    private final Map<Integer, List<Entry>> saved = new HashMap<>();
    private final Map<Integer, String> hidden = new HashMap<>(); // what slots without a name hold
    private List<Entry> stack = new ArrayList<>();

    Reading(ClassFile in, ClassFile.Member method) {
        this.in = in;
        this.method = method;
        c = method.code;
        for (Code.Handler h : c.handlers) {
            saved.put(h.target(), List.of(new Entry("", false, List.of())));
        }
        boolean falls = true;
        for (int i = 0; i < c.size(); i++) {
            List<Entry> jumped = saved.get(i);
            if (!falls) {
                stack = jumped == null ? new ArrayList<>() : new ArrayList<>(jumped);
            } else if (jumped != null && jumped.size() == stack.size()) {
                merge(jumped);
            }
            if (stack.isEmpty()) {
                statements.add(i);
            }
            step(i, c.op(i));
            falls = !c.leaves(i);
        }
    }

    private void merge(List<Entry> other) {
        for (int k = 0; k < stack.size(); k++) {
            Entry mine = stack.get(k);
            if (mine != other.get(k)) {
                List<Read> both = new ArrayList<>(mine.reads);
                both.addAll(other.get(k).reads);
                stack.set(k, new Entry("", mine.wide, both));
            }
        }
    }

    private Entry pop() {
        return stack.isEmpty() ? new Entry("", false, List.of()) : stack.remove(stack.size() - 1);
    }

    private void push(String text, boolean wide) {
        stack.add(new Entry(text, wide, List.of()));
    }

    private void push(Entry e) {
        stack.add(e);
    }

    private void read(Read read) {
        reads.add(read);
        push(new Entry(read.name, wide(read.type), List.of(read)));
    }

    static boolean wide(String descriptor) {
        return descriptor.equals("J") || descriptor.equals("D");
    }

    private static Entry drop(Entry e) {
        e.reads.forEach(r -> r.dropped = true);
        return e;
    }

    private static Entry index(Entry e) {
        e.reads.forEach(r -> r.index = true);
        return e;
    }

    private void step(int i, int op) {
        if (op <= Opcodes.LDC) {
            constant(i, op);
        } else if (op <= Opcodes.ALOAD) {
            load(i, op);
        } else if (op <= Opcodes.SALOAD) {
            Entry at = index(pop());
            Entry array = drop(pop());
            String type = TYPES.substring(op - Opcodes.IALOAD, op - Opcodes.IALOAD + 1);
            read(new Read(Kind.ELEMENT, i, array.shown() + "[" + at.shown() + "]", "", null, type));
        } else if (op <= Opcodes.ASTORE) {
            store(i);
        } else if (op <= Opcodes.SASTORE) {
            pop();
            Entry at = index(pop());
            written.put(i, drop(pop()).shown() + "[" + at.shown() + "]");
        } else if (op <= Opcodes.SWAP) {
            shuffle(op);
        } else if (op <= Opcodes.DCMPG) {
            calculate(i, op);
        } else if (op <= Opcodes.RETURN || op == Opcodes.IFNULL || op == Opcodes.IFNONNULL) {
            jump(i, op);
        } else if (op <= Opcodes.PUTFIELD) {
            field(i, op);
        } else if (op <= Opcodes.INVOKEDYNAMIC) {
            call(i, op);
        } else {
            other(i, op);
        }
    }

    private void load(int i, int op) {
        int slot = c.slot(i);
        String kind = TYPES.substring(op - Opcodes.ILOAD, op - Opcodes.ILOAD + 1);
        Code.Variable v = c.variable(slot, i);
        if (slot == 0 && !method.isStatic()) {
            push("this", false);
        } else if (v == null || Assigned.kind(v.descriptor()) != kind.charAt(0)) {
            push(hidden.getOrDefault(slot, ""), wide(kind));
        } else {
            read(new Read(Kind.LOCAL, i, v.name(), Scope.member(v), null, v.descriptor()));
        }
    }

    private void store(int i) {
        Entry e = pop();
        int slot = c.slot(i);
        Code.Variable v = c.variable(slot, i + 1);
        if (v == null) {
            hidden.put(slot, e.text);
            drop(e); // a copy that the compiler makes, of what a loop goes through
        } else {
            written.put(i, v.name());
        }
    }

    private void constant(int i, int op) {
        switch (op) {
            case Opcodes.NOP -> {}
            case Opcodes.ACONST_NULL -> push("null", false);
            case Opcodes.BIPUSH, Opcodes.SIPUSH -> push(String.valueOf(((IntInsnNode) c.instruction(i)).operand), false);
            case Opcodes.LDC -> {
                Object value = ((LdcInsnNode) c.instruction(i)).cst;
                push(literal(value), value instanceof Long || value instanceof Double || value instanceof ConstantDynamic d && d.getSize() == 2);
            }
            default -> {
                boolean wide = op == Opcodes.LCONST_0 || op == Opcodes.LCONST_1 || op == Opcodes.DCONST_0 || op == Opcodes.DCONST_1;
                push(op <= Opcodes.ICONST_5 ? String.valueOf(op - Opcodes.ICONST_0) : "", wide);
            }
        }
    }

    /** A constant as the source writes it, empty where that is long. */
    private static String literal(Object value) {
        if (value instanceof String text) {
            return text.length() > 30 ? "" : Show.quoted(text, '"');
        }
        String suffix = value instanceof Long ? "L" : value instanceof Float ? "f" : "";
        return value instanceof Number ? value + suffix : "";
    }

    private void shuffle(int op) {
        Entry a = pop();
        switch (op) {
            case Opcodes.POP -> {}
            case Opcodes.POP2 -> {
                if (!a.wide) {
                    pop();
                }
            }
            case Opcodes.SWAP -> {
                Entry b = pop();
                push(a);
                push(b);
            }
            default -> duplicate(op, a);
        }
    }

    private void duplicate(int op, Entry a) {
        boolean two = op >= Opcodes.DUP2 && !a.wide; // the top two entries are copied
        List<Entry> copied = new ArrayList<>();
        if (two) {
            copied.add(pop());
        }
        copied.add(a);
        int below = op == Opcodes.DUP_X1 || op == Opcodes.DUP2_X1 ? 1 : op == Opcodes.DUP_X2 || op == Opcodes.DUP2_X2 ? 2 : 0; // slots between
        List<Entry> between = new ArrayList<>();
        for (int slots = 0; slots < below; ) {
            Entry e = pop();
            slots += e.wide ? 2 : 1;
            between.add(0, e);
        }
        stack.addAll(copied);
        stack.addAll(between);
        stack.addAll(copied);
    }

    private static final String[] SIGNS = {"+", "-", "*", "/", "%"};

    private void calculate(int i, int op) {
        if (op == Opcodes.IINC) {
            Code.Variable v = c.variable(c.slot(i), i);
            if (v != null) {
                written.put(i, v.name());
            }
            return;
        }
        boolean converts = op >= Opcodes.I2L && op <= Opcodes.I2S;
        boolean single = op >= Opcodes.INEG && op <= Opcodes.DNEG || converts;
        Entry b = pop();
        Entry a = single ? b : pop();
        List<Read> both = new ArrayList<>(a.reads);
        if (!single) {
            both.addAll(b.reads);
        }
        String text = "";
        boolean wide = a.wide;
        if (op <= Opcodes.DREM && !a.text.isEmpty() && !b.text.isEmpty()) {
            text = a.text + " " + SIGNS[(op - Opcodes.IADD) / 4] + " " + b.text;
        } else if (converts) {
            text = a.text;
            wide = op == Opcodes.I2L || op == Opcodes.I2D || op == Opcodes.L2D || op == Opcodes.F2L || op == Opcodes.F2D || op == Opcodes.D2L;
        } else if (op >= Opcodes.LCMP) {
            wide = false;
        }
        push(new Entry(text, wide, both));
    }

    private void jump(int i, int op) {
        boolean compares = op >= Opcodes.IFEQ && op <= Opcodes.IF_ACMPNE || op == Opcodes.IFNULL || op == Opcodes.IFNONNULL;
        boolean chooses = op == Opcodes.TABLESWITCH || op == Opcodes.LOOKUPSWITCH;
        if (compares || chooses) {
            pop();
        } else if (op != Opcodes.GOTO) {
            stack.clear();
            return;
        }
        if (op >= Opcodes.IF_ICMPEQ && op <= Opcodes.IF_ACMPNE) {
            pop();
        }
        c.targets(i).forEach(this::keep);
    }

    private void keep(int target) {
        saved.putIfAbsent(target, new ArrayList<>(stack));
    }

    private void field(int i, int op) {
        String[] f = c.reference(i);
        boolean fixed = op == Opcodes.GETSTATIC || op == Opcodes.PUTSTATIC;
        boolean write = op == Opcodes.PUTSTATIC || op == Opcodes.PUTFIELD;
        if (write) {
            pop();
        }
        String name = f[1];
        if (fixed) {
            name = f[0].equals(in.name) ? f[1] : f[0].substring(f[0].lastIndexOf('/') + 1).replace('$', '.') + "." + f[1];
        } else {
            Entry of = drop(pop());
            boolean shadowed = of.text.equals("this") && c.variables.stream().anyMatch(v -> v.name().equals(f[1]));
            name = of.text.equals("this") && !shadowed ? f[1] : of.shown() + "." + f[1];
            if (f[1].startsWith("val$")) {
                name = f[1].substring(4);
            } else if (f[1].startsWith("this$")) {
                name = "this";
            }
        }
        if (write) {
            written.put(i, name);
        } else if (f[1].startsWith("this$") || fixed && jdk(f[0]) || f[1].startsWith("$")) {
            push(name, wide(f[2]));
        } else {
            read(new Read(fixed ? Kind.STATIC : Kind.FIELD, i, name, f[1], fixed ? f[0].replace('/', '.') : null, f[2]));
        }
    }

    private static boolean jdk(String type) {
        return type.startsWith("java/") || type.startsWith("javax/") || type.startsWith("jdk/") || type.startsWith("sun/");
    }

    private void call(int i, int op) {
        String[] m = c.reference(i);
        List<Entry> arguments = new ArrayList<>();
        for (int n = Weaver.parameters(m[2]).size(); n > 0; n--) {
            arguments.add(0, pop());
        }
        Entry on = op == Opcodes.INVOKESTATIC || op == Opcodes.INVOKEDYNAMIC ? null : pop();
        if (op != Opcodes.INVOKEDYNAMIC && !m[0].equals(in.name)) {
            arguments.forEach(a -> a.reads.forEach(r -> r.given = r.refers() ? m[0] : null));
        }
        String result = m[2].substring(m[2].indexOf(')') + 1);
        boolean ofJdk = m[0].startsWith("java/util/");
        if (on != null && ofJdk && m[1].equals("get") && (m[2].equals("(I)Ljava/lang/Object;") || m[2].equals("(Ljava/lang/Object;)Ljava/lang/Object;"))) {
            index(arguments.get(0));
            drop(on);
            read(new Read(m[2].charAt(1) == 'I' ? Kind.ELEMENT : Kind.GET, i, on.shown() + ".get(" + arguments.get(0).shown() + ")", "", "get", result));
        } else if (on != null && m[1].equals("next") && m[0].equals("java/util/Iterator")) {
            read(new Read(Kind.NEXT, i, on.text.isEmpty() ? "…" : on.text, "", null, result));
        } else if (on != null && m[1].equals("iterator") && m[2].equals("()Ljava/util/Iterator;")) {
            reads.add(new Read(Kind.ITERATOR, i, "", "", null, result));
            push(new Entry(on.text.isEmpty() ? "" : on.text + "[…]", false, on.reads));
        } else if (boxes(m)) {
            Entry e = on == null ? arguments.get(0) : on;
            push(new Entry(e.text, wide(result), e.reads));
        } else if (!result.equals("V")) {
            push(op == Opcodes.INVOKEDYNAMIC || m[1].startsWith("<") ? "" : called(op, m, on) + "(" + given(arguments) + ")", wide(result));
        }
    }

    private static String given(List<Entry> arguments) {
        return arguments.stream().anyMatch(a -> a.text.isEmpty()) ? "…" : String.join(", ", arguments.stream().map(a -> a.text).toList());
    }

    private String called(int op, String[] m, Entry on) {
        if (op == Opcodes.INVOKESTATIC) {
            return m[0].equals(in.name) ? m[1] : m[0].substring(m[0].lastIndexOf('/') + 1).replace('$', '.') + "." + m[1];
        }
        return on.text.equals("this") ? m[1] : on.shown() + "." + m[1];
    }

    private static boolean boxes(String[] m) {
        return m[0].startsWith("java/lang/") && (m[1].equals("valueOf") && m[2].length() - m[2].indexOf(')') > 4 && m[2].indexOf(')') == 2
            || m[1].endsWith("Value") && m[2].startsWith("()"));
    }

    private void other(int i, int op) {
        switch (op) {
            case Opcodes.NEW -> push("", false);
            case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> {
                pop();
                push("", false);
            }
            case Opcodes.ARRAYLENGTH -> {
                Entry array = pop();
                push(new Entry(array.text.isEmpty() ? "" : array.text + ".length", false, array.reads));
            }
            case Opcodes.ATHROW -> stack.clear();
            case Opcodes.CHECKCAST -> {}
            case Opcodes.INSTANCEOF -> {
                Entry e = pop();
                push(new Entry("", false, e.reads));
            }
            case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> pop();
            case Opcodes.MULTIANEWARRAY -> {
                for (int n = ((MultiANewArrayInsnNode) c.instruction(i)).dims; n > 0; n--) {
                    pop();
                }
                push("", false);
            }
        }
    }
}
