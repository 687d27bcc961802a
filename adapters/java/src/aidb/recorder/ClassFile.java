package aidb.recorder;

import aidb.asm.ClassReader;
import aidb.asm.ClassTooLargeException;
import aidb.asm.ClassVisitor;
import aidb.asm.ClassWriter;
import aidb.asm.MethodTooLargeException;
import aidb.asm.MethodVisitor;
import aidb.asm.Opcodes;
import aidb.asm.tree.AnnotationNode;
import aidb.asm.tree.ClassNode;
import aidb.asm.tree.FieldNode;
import aidb.asm.tree.MethodNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A class file, as far as code is to be put into its methods: those that are not touched stay byte for
 * byte as they are. Constants are only added. It knows nothing of what is recorded.
 */
final class ClassFile {
    private static final int FIRST_WITH_FRAMES = Opcodes.V1_6;
    private static final int NAME_AND_TYPE = 12; // the tag of such a constant
    private static final int MOST_LAID = 20_000; // characters about the handlers of one method
    private static final int NEAR = Short.MAX_VALUE; // what a jump reaches; beyond, ASM lays code anew at the end

    /** A method. */
    static final class Member {
        final int access;
        final String name;
        final String descriptor;
        final Code code; // null: it has none
        private final MethodNode node;

        Member(MethodNode node, boolean framed) {
            this.node = node;
            access = node.access;
            name = node.name;
            descriptor = node.desc;
            code = node.instructions.size() == 0 ? null : new Code(node, framed);
        }

        boolean isStatic() {
            return (access & Opcodes.ACC_STATIC) != 0;
        }

        /** Written by the compiler alone, unless it is a lambda expression. */
        boolean isSynthetic() {
            return (access & Opcodes.ACC_SYNTHETIC) != 0 && !name.startsWith("lambda$");
        }

        /** Those that the running program can see. */
        List<AnnotationNode> annotations() {
            return node.visibleAnnotations == null ? List.of() : node.visibleAnnotations;
        }
    }

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
    final List<FieldNode> fields;
    final List<Member> methods = new ArrayList<>();
    final String sourceFile;
    final String[] around; // class and method that it is declared in, if that is a method
    final List<String> unfit = new ArrayList<>(); // methods that could not be changed

    private final ClassReader reader;

    ClassFile(byte[] in) {
        reader = new ClassReader(in);
        ClassNode node = new ClassNode();
        reader.accept(node, 0);
        version = node.version & 0xffff;
        name = node.name;
        parent = node.superName;
        fields = node.fields;
        sourceFile = node.sourceFile;
        around = node.outerClass == null ? null : new String[] {node.outerClass, node.outerMethod == null ? "" : node.outerMethod};
        for (MethodNode m : node.methods) {
            methods.add(new Member(m, version >= FIRST_WITH_FRAMES));
        }
    }

    /** The types by which the class's own code and that which it refers to know a name. */
    List<String> typesOf(String named) {
        List<String> types = new ArrayList<>();
        char[] room = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int at = reader.getItem(i);
            if (at > 0 && reader.readByte(at - 1) == NAME_AND_TYPE && named.equals(reader.readUTF8(at, room))) {
                types.add(reader.readUTF8(at + 2, room));
            }
        }
        fields.stream().filter(f -> f.name.equals(named)).forEach(f -> types.add(f.desc));
        methods.stream().filter(m -> m.code != null).flatMap(m -> m.code.variables.stream()).filter(v -> v.name().equals(named)).forEach(v -> types.add(v.descriptor()));
        return types;
    }

    /** The class with what was put into its methods. */
    byte[] bytes() {
        Map<String, Member> changed = new HashMap<>();
        for (Member m : methods) {
            if (m.code != null && m.code.changed()) {
                m.code.weave();
                changed.put(m.name + m.descriptor, m);
            }
        }
        while (true) {
            try {
                return written(changed);
            } catch (MethodTooLargeException e) {
                unfit.add(e.getMethodName());
                changed.remove(e.getMethodName() + e.getDescriptor());
            } catch (ClassTooLargeException e) {
                throw new Unfit("it has too many constants");
            }
        }
    }

    private byte[] written(Map<String, Member> changed) {
        ClassWriter out = new ClassWriter(reader, 0);
        reader.accept(new ClassVisitor(Opcodes.ASM9, out) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
                Member m = changed.get(name + descriptor);
                if (m == null) {
                    return to; // and is copied
                }
                m.node.accept(to);
                return null;
            }
        }, 0);
        if (Hooks.flight) {
            for (Member m : changed.values()) {
                if (!m.code.handlers.isEmpty()) {
                    laid(m, out);
                }
            }
        }
        return out.toByteArray();
    }

    /** Tells the debugger where a method's handlers lie now: as a constant, which is all that it can read of a class. */
    private void laid(Member m, ClassWriter out) {
        String text = "aidb handlers " + m.name + m.descriptor + " " + m.code.laid();
        if (text.length() > MOST_LAID || m.code.length() > NEAR) {
            throw new MethodTooLargeException(name, m.name, m.descriptor, m.code.length());
        }
        out.newUTF8(text);
    }
}
