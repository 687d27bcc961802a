package aidb.recorder;

import aidb.asm.ClassReader;
import aidb.asm.ClassVisitor;
import aidb.asm.FieldVisitor;
import aidb.asm.Label;
import aidb.asm.MethodVisitor;
import aidb.asm.Opcodes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What the file of a class says of it, without its code. */
final class LiveClass {
    /** A field. */
    record Member(String name, String descriptor, int access) {}

    final String type; // with dots
    String source = ""; // the name of its file
    final List<String> methods = new ArrayList<>();
    final Map<String, Member> fields = new HashMap<>();

    private final byte[] bytes;

    private LiveClass(String type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** That of a loaded class, as its loader finds it; null where it does not. */
    static LiveClass of(Class<?> c) {
        return of(c.getClassLoader(), c.getName());
    }

    static LiveClass of(ClassLoader loader, String type) {
        try (InputStream in = loader.getResourceAsStream(type.replace('.', '/') + ".class")) {
            return in == null ? null : of(type, in.readAllBytes());
        } catch (IOException | RuntimeException | LinkageError e) {
            return null;
        }
    }

    static LiveClass of(String type, byte[] bytes) {
        LiveClass made = new LiveClass(type, bytes);
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public void visitSource(String source, String debug) {
                made.source = source == null ? "" : source;
            }

            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0) {
                    made.methods.add(name);
                }
                return null;
            }

            @Override
            public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
                made.fields.put(name, new Member(name, descriptor, access));
                return null;
            }
        }, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
        return made;
    }

    /** The lines that have code. */
    TreeSet<Integer> lines() {
        TreeSet<Integer> lines = new TreeSet<>();
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitLineNumber(int line, Label start) {
                        lines.add(line);
                    }
                };
            }
        }, ClassReader.SKIP_FRAMES);
        return lines;
    }

    /** Whether a name may be in its code. */
    boolean mentions(String name) {
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        outer:
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            for (int k = 0; k < wanted.length; k++) {
                if (bytes[i + k] != wanted[k]) {
                    continue outer;
                }
            }
            return true;
        }
        return false;
    }

    /** Its source, relative to a root of sources. */
    String file() {
        int at = type.lastIndexOf('.');
        return type.substring(0, at + 1).replace('.', '/') + source;
    }
}
