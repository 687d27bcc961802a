package aidb.bridge;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What a compiled class tells: its source file, the lines with code, the methods, what they catch. */
final class ClassFile {
    final String name;
    final String source;
    final TreeSet<Integer> lines = new TreeSet<>();
    final Map<String, Integer> methods = new LinkedHashMap<>(); // to the first line with code, 0 when unknown
    final List<Heads.Body> bodies = new ArrayList<>();
    boolean code; // some method has a body
    private final Object[] constants;
    private final Map<String, List<Handler>> handlers = new HashMap<>(); // of methods, by name and descriptor

    /** Where what is thrown in a range goes on: all that is, or only exceptions of a type. */
    record Handler(int start, int end, int target, String type) {}

    /** The handlers of a method, the first that fits counts. */
    List<Handler> handlers(String method) {
        return handlers.getOrDefault(method, List.of());
    }

    static ClassFile read(Path path) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            return new ClassFile(new DataInputStream(in));
        }
    }

    static ClassFile of(byte[] code) throws IOException {
        return new ClassFile(new DataInputStream(new ByteArrayInputStream(code)));
    }

    private ClassFile(DataInputStream in) throws IOException {
        if (in.readInt() != 0xCAFEBABE) {
            throw new IOException("not a class file");
        }
        in.skipNBytes(4);
        constants = constants(in, in.readUnsignedShort());
        in.skipNBytes(2);
        name = ((String) constants[(Integer) constants[in.readUnsignedShort()]]).replace('/', '.');
        in.skipNBytes(2);
        in.skipNBytes(2L * in.readUnsignedShort());
        members(in, false);
        members(in, true);
        source = sourceFile(in);
    }

    /** The texts of a constant pool, and the numbers of those of classes. */
    static Object[] constants(DataInputStream in, int count) throws IOException {
        Object[] constants = new Object[count];
        for (int i = 1; i < constants.length; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> constants[i] = in.readUTF();
                case 7 -> constants[i] = in.readUnsignedShort();
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                default -> in.skipNBytes(4);
            }
        }
        return constants;
    }

    private void members(DataInputStream in, boolean methods) throws IOException {
        for (int count = in.readUnsignedShort(); count > 0; count--) {
            in.skipNBytes(2);
            String member = (String) constants[in.readUnsignedShort()];
            String whole = member + constants[in.readUnsignedShort()];
            TreeSet<Integer> own = new TreeSet<>();
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                attribute(in, own, whole);
            }
            if (methods) {
                lines.addAll(own);
                if (!own.isEmpty()) {
                    bodies.add(Heads.Body.of(name, member, own.first()));
                }
                this.methods.merge(member, own.isEmpty() ? 0 : own.first(), (a, b) -> a == 0 ? b : a);
            }
        }
    }

    /** Reads line numbers and handlers out of a method's code; everything else is passed over. */
    private void attribute(DataInputStream in, TreeSet<Integer> lines, String method) throws IOException {
        String kind = (String) constants[in.readUnsignedShort()];
        int length = in.readInt();
        if (kind.equals("Code")) {
            code = true;
            in.skipNBytes(4);
            in.skipNBytes(in.readInt());
            List<Handler> all = new ArrayList<>();
            for (int entries = in.readUnsignedShort(); entries > 0; entries--) {
                all.add(new Handler(in.readUnsignedShort(), in.readUnsignedShort(), in.readUnsignedShort(), type(in.readUnsignedShort())));
            }
            if (!all.isEmpty()) {
                handlers.put(method, all);
            }
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                attribute(in, lines, method);
            }
        } else if (kind.equals("LineNumberTable")) {
            for (int entries = in.readUnsignedShort(); entries > 0; entries--) {
                in.skipNBytes(2);
                lines.add(in.readUnsignedShort());
            }
        } else {
            in.skipNBytes(length);
        }
    }

    /** The name of a class; null for none. */
    private String type(int index) {
        return index == 0 ? null : ((String) constants[(Integer) constants[index]]).replace('/', '.');
    }

    private String sourceFile(DataInputStream in) throws IOException {
        for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
            String kind = (String) constants[in.readUnsignedShort()];
            int length = in.readInt();
            if (kind.equals("SourceFile")) {
                return (String) constants[in.readUnsignedShort()];
            }
            in.skipNBytes(length);
        }
        return null;
    }
}
