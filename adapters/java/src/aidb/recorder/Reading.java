package aidb.recorder;

import aidb.classfile.Ops;
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

    private final ClassBytes in;
    private final ClassBytes.Member method;
    private final Code c;
    private final Map<Integer, List<Entry>> saved = new HashMap<>();
    private final Map<Integer, String> hidden = new HashMap<>(); // what slots without a name hold
    private List<Entry> stack = new ArrayList<>();

    Reading(ClassBytes in, ClassBytes.Member method) {
        this.in = in;
        this.method = method;
        c = method.code;
        for (Code.Handler h : c.handlers) {
            saved.put(h.target(), List.of(new Entry("", false, List.of())));
        }
        boolean falls = true;
        for (int i = 0; i < c.code.length; i += Ops.length(c.code, i)) {
            List<Entry> jumped = saved.get(i);
            if (!falls) {
                stack = jumped == null ? new ArrayList<>() : new ArrayList<>(jumped);
            } else if (jumped != null && jumped.size() == stack.size()) {
                merge(jumped);
            }
            if (stack.isEmpty()) {
                statements.add(i);
            }
            int op = c.code[i] & 0xff;
            step(i, op);
            falls = !(op == 0xa7 || op == 0xc8 || op >= 0xa9 && op <= 0xb1 || op == 0xbf);
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

    private int u1(int p) {
        return c.code[p] & 0xff;
    }

    private int u2(int p) {
        return ClassBytes.u2(c.code, p);
    }

    private void step(int i, int op) {
        if (op >= 0x15 && op <= 0x2d || op == 0xc4 && u1(i + 1) >= 0x15 && u1(i + 1) <= 0x19) {
            load(i, op);
        } else if (op >= 0x36 && op <= 0x4e || op == 0xc4 && u1(i + 1) >= 0x36 && u1(i + 1) <= 0x3a) {
            store(i, op);
        } else if (op <= 0x14) {
            constant(i, op);
        } else if (op <= 0x35) {
            Entry at = index(pop());
            Entry array = drop(pop());
            read(new Read(Kind.ELEMENT, i, array.shown() + "[" + at.shown() + "]", "", null, TYPES.substring(op - 0x2e, op - 0x2d)));
        } else if (op <= 0x56) {
            pop();
            Entry at = index(pop());
            written.put(i, drop(pop()).shown() + "[" + at.shown() + "]");
        } else if (op <= 0x5f) {
            shuffle(op);
        } else if (op <= 0x98) {
            calculate(i, op);
        } else if (op <= 0xb1 || op == 0xc6 || op == 0xc7 || op == 0xc8) {
            jump(i, op);
        } else if (op <= 0xb5) {
            field(i, op);
        } else if (op <= 0xba) {
            call(i, op);
        } else {
            other(i, op);
        }
    }

    private int slot(int i, int op) {
        if (op == 0xc4) {
            return u2(i + 2);
        }
        if (op <= 0x19 || op >= 0x36 && op <= 0x3a) {
            return u1(i + 1);
        }
        return op <= 0x2d ? (op - 0x1a) % 4 : (op - 0x3b) % 4;
    }

    private String kind(int i, int op, int plain, int numbered) {
        int real = op == 0xc4 ? u1(i + 1) : op;
        return TYPES.substring(real < numbered ? real - plain : (real - numbered) / 4).substring(0, 1);
    }

    private void load(int i, int op) {
        int slot = slot(i, op);
        String kind = kind(i, op, 0x15, 0x1a);
        Code.Variable v = c.variable(slot, i);
        if (slot == 0 && !method.isStatic()) {
            push("this", false);
        } else if (v == null || Assigned.kind(v.descriptor()) != kind.charAt(0)) {
            push(hidden.getOrDefault(slot, ""), wide(kind));
        } else {
            read(new Read(Kind.LOCAL, i, v.name(), Scope.member(v), null, v.descriptor()));
        }
    }

    private void store(int i, int op) {
        Entry e = pop();
        int slot = slot(i, op);
        Code.Variable v = c.variable(slot, i + Ops.length(c.code, i));
        if (v == null) {
            hidden.put(slot, e.text);
            drop(e); // a copy that the compiler makes, of what a loop goes through
        } else {
            written.put(i, v.name());
        }
    }

    private void constant(int i, int op) {
        String text = "";
        if (op == 1) {
            text = "null";
        } else if (op >= 2 && op <= 8) {
            text = String.valueOf(op - 3);
        } else if (op == 0x10) {
            text = String.valueOf(c.code[i + 1]);
        } else if (op == 0x11) {
            text = String.valueOf((short) u2(i + 1));
        } else if (op == 0x12 || op == 0x13 || op == 0x14) {
            text = in.literal(op == 0x12 ? u1(i + 1) : u2(i + 1));
        }
        if (op != 0) {
            push(text, op == 9 || op == 10 || op == 14 || op == 15 || op == 0x14);
        }
    }

    private void shuffle(int op) {
        Entry a = pop();
        switch (op) {
            case 0x57:
                break;
            case 0x58:
                if (!a.wide) {
                    pop();
                }
                break;
            case 0x5f:
                Entry b = pop();
                push(a);
                push(b);
                break;
            default:
                duplicate(op, a);
        }
    }

    private void duplicate(int op, Entry a) {
        boolean two = op >= 0x5c && !a.wide; // the top two entries are copied
        List<Entry> copied = new ArrayList<>();
        if (two) {
            copied.add(pop());
        }
        copied.add(a);
        int below = op == 0x5a || op == 0x5d ? 1 : op == 0x5b || op == 0x5e ? 2 : 0; // slots between
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
        if (op == 0x84) {
            Code.Variable v = c.variable(u1(i + 1), i);
            if (v != null) {
                written.put(i, v.name());
            }
            return;
        }
        boolean single = op >= 0x74 && op <= 0x77 || op >= 0x85 && op <= 0x93;
        Entry b = pop();
        Entry a = single ? b : pop();
        List<Read> both = new ArrayList<>(a.reads);
        if (!single) {
            both.addAll(b.reads);
        }
        String text = "";
        boolean wide = a.wide;
        if (op <= 0x73 && !a.text.isEmpty() && !b.text.isEmpty()) {
            text = a.text + " " + SIGNS[(op - 0x60) / 4] + " " + b.text;
        } else if (op >= 0x85 && op <= 0x93) {
            text = a.text;
            wide = op == 0x85 || op == 0x87 || op == 0x8a || op == 0x8c || op == 0x8d || op == 0x8f;
        } else if (op >= 0x94) {
            wide = false;
        }
        push(new Entry(text, wide, both));
    }

    private void jump(int i, int op) {
        if (op >= 0x99 && op <= 0xa6 || op == 0xc6 || op == 0xc7) {
            pop();
            if (op >= 0x9f && op <= 0xa6) {
                pop();
            }
            keep(i + (short) u2(i + 1));
        } else if (op == 0xa7) {
            keep(i + (short) u2(i + 1));
        } else if (op == 0xc8) {
            keep(i + ClassBytes.u4(c.code, i + 1));
        } else if (op == 0xaa || op == 0xab) {
            pop();
            int p = i + 4 - i % 4;
            keep(i + ClassBytes.u4(c.code, p));
            int n = op == 0xaa ? ClassBytes.u4(c.code, p + 8) - ClassBytes.u4(c.code, p + 4) + 1 : ClassBytes.u4(c.code, p + 4);
            for (int k = 0; k < n; k++) {
                keep(i + ClassBytes.u4(c.code, op == 0xaa ? p + 12 + 4 * k : p + 12 + 8 * k));
            }
        } else {
            stack.clear();
        }
    }

    private void keep(int target) {
        saved.putIfAbsent(target, new ArrayList<>(stack));
    }

    private void field(int i, int op) {
        String[] f = in.reference(u2(i + 1));
        boolean fixed = op == 0xb2 || op == 0xb3;
        boolean write = op == 0xb3 || op == 0xb5;
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
        String[] m = in.reference(u2(i + 1));
        List<Entry> arguments = new ArrayList<>();
        for (int n = Weaver.parameters(m[2]).size(); n > 0; n--) {
            arguments.add(0, pop());
        }
        Entry on = op == 0xb8 || op == 0xba ? null : pop();
        if (op != 0xba && !m[0].equals(in.name)) {
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
            push(op == 0xba || m[1].startsWith("<") ? "" : called(op, m, on) + "(" + given(arguments) + ")", wide(result));
        }
    }

    private static String given(List<Entry> arguments) {
        return arguments.stream().anyMatch(a -> a.text.isEmpty()) ? "…" : String.join(", ", arguments.stream().map(a -> a.text).toList());
    }

    private String called(int op, String[] m, Entry on) {
        if (op == 0xb8) {
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
            case 0xbb:
                push("", false);
                break;
            case 0xbc:
            case 0xbd:
                pop();
                push("", false);
                break;
            case 0xbe:
                Entry array = pop();
                push(new Entry(array.text.isEmpty() ? "" : array.text + ".length", false, array.reads));
                break;
            case 0xbf:
                stack.clear();
                break;
            case 0xc0:
                break;
            case 0xc1:
                Entry e = pop();
                push(new Entry("", false, e.reads));
                break;
            case 0xc2:
            case 0xc3:
                pop();
                break;
            case 0xc5:
                for (int n = u1(i + 3); n > 0; n--) {
                    pop();
                }
                push("", false);
                break;
            case 0xc4: // iinc of a far variable
                Code.Variable v = c.variable(u2(i + 2), i);
                if (v != null) {
                    written.put(i, v.name());
                }
                break;
            default:
        }
    }
}
