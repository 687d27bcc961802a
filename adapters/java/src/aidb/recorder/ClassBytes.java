package aidb.recorder;

import java.io.DataInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A class file, as far as code is to be put into its methods: what is not touched stays byte for
 * byte as it is. Constants are only added. It knows nothing of what is recorded.
 */
final class ClassBytes {
    /** A field or a method. */
    static final class Member {
        final int access;
        final String name;
        final String descriptor;
        final byte[] head; // access, name and descriptor as they stand in the file
        final List<Attribute> attributes = new ArrayList<>();
        Code code; // of a method that has one

        Member(int access, String name, String descriptor, byte[] head) {
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
            this.head = head;
        }

        boolean isStatic() {
            return (access & 0x0008) != 0;
        }
    }

    record Attribute(int nameIndex, String name, byte[] data) {}

    /** What cannot be done with a class or method, which then stays as it is. */
    static final class Unfit extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unfit(String why) {
            super(why, null, false, false);
        }
    }

    final String name; // with slashes
    final String parent;
    final int version;
    final int access;
    final List<Member> fields;
    final List<Member> methods;
    String sourceFile;
    String[] around; // class and method that it is declared in, if that is a method
    final List<String> unfit = new ArrayList<>(); // methods that could not be changed

    private final byte[] in;
    private final int poolEnd;
    private final int fieldsAt;
    private final int attributesAt;
    private final int[] constants; // where each begins
    private final String[] texts;
    private final String[][] references;
    private int count;
    private final Bytes added = new Bytes(512);
    private final Map<String, Integer> addedTexts = new HashMap<>();
    private final Map<String, Integer> addedTypes = new HashMap<>();
    private final Map<Integer, Integer> addedNumbers = new HashMap<>();
    private final Map<String, Map<String, Integer>> hooks = new HashMap<>(); // methods of ours: by names, by descriptors
    private int at;

    ClassBytes(byte[] in) {
        this.in = in;
        version = u2(6);
        count = u2(8);
        constants = new int[count];
        texts = new String[count];
        references = new String[count][];
        at = 10;
        for (int i = 1; i < count; i++) {
            constants[i] = at;
            int tag = in[at];
            at += 1 + size(tag);
            if (tag == 5 || tag == 6) {
                i++;
            }
        }
        poolEnd = at;
        access = u2(at);
        name = className(u2(at + 2));
        parent = u2(at + 4) == 0 ? null : className(u2(at + 4));
        at += 6;
        at += 2 + 2 * u2(at);
        fieldsAt = at;
        fields = members();
        methods = members();
        attributesAt = at;
        for (Attribute a : attributes()) {
            if (a.name.equals("SourceFile")) {
                sourceFile = utf(u2(a.data, 0));
            } else if (a.name.equals("EnclosingMethod")) {
                int method = u2(a.data, 2);
                around = new String[] {className(u2(a.data, 0)), method == 0 ? "" : utf(u2(constants[method] + 1))};
            }
        }
        for (Member m : methods) {
            for (Attribute a : m.attributes) {
                if (a.name.equals("Code")) {
                    m.code = new Code(this, a.data);
                }
            }
        }
    }

    /** The types by which the class's own code and that which it refers to know a name. */
    List<String> typesOf(String named) {
        List<String> types = new ArrayList<>();
        for (int i = 1; i < constants.length; i++) {
            if (constants[i] != 0 && in[constants[i]] == 12 && utf(u2(constants[i] + 1)).equals(named)) {
                types.add(utf(u2(constants[i] + 3)));
            }
        }
        fields.stream().filter(f -> f.name.equals(named)).forEach(f -> types.add(f.descriptor));
        methods.stream().filter(m -> m.code != null).flatMap(m -> m.code.variables.stream()).filter(v -> v.name().equals(named)).forEach(v -> types.add(v.descriptor()));
        return types;
    }

    private int size(int tag) {
        switch (tag) {
            case 1:
                return 2 + u2(at + 1);
            case 5:
            case 6:
                return 8;
            case 7:
            case 8:
            case 16:
            case 19:
            case 20:
                return 2;
            case 15:
                return 3;
            default:
                return 4;
        }
    }

    private List<Member> members() {
        List<Member> list = new ArrayList<>();
        int n = u2(at);
        at += 2;
        for (; n > 0; n--) {
            byte[] head = java.util.Arrays.copyOfRange(in, at, at + 6);
            Member m = new Member(u2(at), utf(u2(at + 2)), utf(u2(at + 4)), head);
            at += 6;
            m.attributes.addAll(attributes());
            list.add(m);
        }
        return list;
    }

    private List<Attribute> attributes() {
        List<Attribute> list = new ArrayList<>();
        int n = u2(at);
        at += 2;
        for (; n > 0; n--) {
            int length = u4(in, at + 2);
            list.add(new Attribute(u2(at), utf(u2(at)), java.util.Arrays.copyOfRange(in, at + 6, at + 6 + length)));
            at += 6 + length;
        }
        return list;
    }

    private int u2(int p) {
        return u2(in, p);
    }

    static int u2(byte[] from, int p) {
        return (from[p] & 0xff) << 8 | from[p + 1] & 0xff;
    }

    static int u4(byte[] from, int p) {
        return u2(from, p) << 16 | u2(from, p + 2);
    }

    String utf(int index) {
        if (texts[index] == null) {
            texts[index] = readUtf(index);
        }
        return texts[index];
    }

    private String readUtf(int index) {
        int p = constants[index];
        int end = p + 3 + u2(p + 1);
        int plain = p + 3;
        while (plain < end && in[plain] > 0) {
            plain++;
        }
        if (plain == end) {
            return new String(in, p + 3, end - p - 3, StandardCharsets.ISO_8859_1);
        }
        try {
            return new DataInputStream(new ByteArrayInputStream(in, p + 1, 2 + u2(p + 1))).readUTF();
        } catch (IOException e) {
            return new String(in, p + 3, u2(p + 1), StandardCharsets.UTF_8);
        }
    }

    String className(int index) {
        return utf(u2(constants[index] + 1));
    }

    int tag(int index) {
        return in[constants[index]];
    }

    /** Owner, name and descriptor of a field, a method or (without an owner) a dynamic call. */
    String[] reference(int index) {
        if (references[index] == null) {
            references[index] = readReference(index);
        }
        return references[index];
    }

    private String[] readReference(int index) {
        int p = constants[index];
        int tag = in[p];
        int pair = constants[u2(p + 3)];
        String owner = tag == 17 || tag == 18 ? "" : className(u2(p + 1));
        return new String[] {owner, utf(u2(pair + 1)), utf(u2(pair + 3))};
    }

    /** A constant as the source writes it, empty where that is long. */
    String literal(int index) {
        int p = constants[index];
        switch (in[p]) {
            case 3:
                return String.valueOf(u4(in, p + 1));
            case 4:
                return Float.intBitsToFloat(u4(in, p + 1)) + "f";
            case 5:
                return ((long) u4(in, p + 1) << 32 | u4(in, p + 5) & 0xffffffffL) + "L";
            case 6:
                return String.valueOf(Double.longBitsToDouble((long) u4(in, p + 1) << 32 | u4(in, p + 5) & 0xffffffffL));
            case 8:
                String text = utf(u2(p + 1));
                return text.length() > 30 ? "" : Show.quoted(text, '"');
            default:
                return "";
        }
    }

    // What is added to the pool.

    /** The number of the constant that is written next. */
    private int fresh(int tag) {
        if (count >= 65000) {
            throw new Unfit("it has too many constants");
        }
        added.write(tag);
        return count++;
    }

    int text(String text) {
        Integer there = addedTexts.get(text);
        if (there != null) {
            return there;
        }
        int index = fresh(1);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        put2(added, bytes.length);
        added.write(bytes, 0, bytes.length);
        addedTexts.put(text, index);
        return index;
    }

    int type(String name) {
        Integer there = addedTypes.get(name);
        if (there != null) {
            return there;
        }
        int text = text(name);
        int index = fresh(7);
        put2(added, text);
        addedTypes.put(name, index);
        return index;
    }

    int number(int n) {
        Integer there = addedNumbers.get(n);
        if (there != null) {
            return there;
        }
        int index = fresh(3);
        put4(added, n);
        addedNumbers.put(n, index);
        return index;
    }

    /** A method of ours. */
    int hook(String owner, String name, String descriptor) {
        String whole = owner.equals(Piece.HOOKS) ? name : owner + "." + name;
        Map<String, Integer> called = hooks.get(whole);
        if (called == null) {
            hooks.put(whole, called = new HashMap<>());
        }
        Integer there = called.get(descriptor);
        if (there != null) {
            return there;
        }
        int type = type(owner);
        int first = text(name);
        int second = text(descriptor);
        int pair = fresh(12);
        put2(added, first);
        put2(added, second);
        int index = fresh(10);
        put2(added, type);
        put2(added, pair);
        called.put(descriptor, index);
        return index;
    }

    static void put2(Bytes out, int n) {
        out.write(n >>> 8);
        out.write(n);
    }

    static void put4(Bytes out, int n) {
        put2(out, n >>> 16);
        put2(out, n);
    }

    /** The class with what was put into its methods. */
    byte[] bytes() {
        Bytes rest = new Bytes(in.length * 2);
        put2(rest, methods.size());
        for (Member m : methods) {
            rest.write(m.head, 0, 6);
            put2(rest, m.attributes.size());
            for (Attribute a : m.attributes) {
                byte[] data = a.name.equals("Code") && m.code.changed() ? changed(m, a) : a.data;
                put2(rest, a.nameIndex);
                put4(rest, data.length);
                rest.write(data, 0, data.length);
            }
        }
        rest.write(in, attributesAt, in.length - attributesAt);
        Bytes out = new Bytes(in.length * 2);
        out.write(in, 0, 8);
        put2(out, count);
        out.write(in, 10, poolEnd - 10);
        out.write(added);
        int methodsAt = methodsAt();
        out.write(in, poolEnd, methodsAt - poolEnd);
        out.write(rest);
        return out.toByteArray();
    }

    private byte[] changed(Member m, Attribute a) {
        try {
            byte[] code = m.code.bytes();
            if (Hooks.flight && !m.code.handlers.isEmpty()) {
                laid(m);
            }
            return code;
        } catch (Unfit e) {
            unfit.add(m.name);
            return a.data;
        }
    }

    /** Tells the debugger where a method's handlers lie now: as a constant, which is all that it can read of a class. */
    private void laid(Member m) {
        String text = "aidb handlers " + m.name + m.descriptor + " " + m.code.laid();
        if (text.length() > 20_000) {
            throw new Unfit("it has too many handlers");
        }
        text(text);
    }

    private int methodsAt() {
        int p = fieldsAt + 2;
        for (Member f : fields) {
            p += 8;
            for (Attribute a : f.attributes) {
                p += 6 + a.data.length;
            }
        }
        return p;
    }
}
