package aidb.planting;

import aidb.asm.ClassReader;
import aidb.asm.ClassWriter;
import aidb.asm.Opcodes;
import aidb.asm.tree.AbstractInsnNode;
import aidb.asm.tree.ClassNode;
import aidb.asm.tree.FrameNode;
import aidb.asm.tree.InsnList;
import aidb.asm.tree.InsnNode;
import aidb.asm.tree.LabelNode;
import aidb.asm.tree.LineNumberNode;
import aidb.asm.tree.MethodInsnNode;
import aidb.asm.tree.MethodNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Puts a call that does nothing in front of lines: from a class file and the lines of its methods
 * (by name and descriptor) it makes another class file, null where a line is not there. Plants.java
 * of the bridge, which knows the call and its length, says what that is for.
 */
public final class Planter implements BiFunction<byte[], Map<String, Set<Integer>>, byte[]> {
    private static final String CARRIER = "java/lang/StrictMath";
    private static final int STACK = 2; // what the call needs

    @Override
    public byte[] apply(byte[] code, Map<String, Set<Integer>> wanted) {
        ClassReader reader = new ClassReader(code);
        ClassNode type = new ClassNode();
        reader.accept(type, 0);
        int missing = wanted.values().stream().mapToInt(Set::size).sum();
        for (MethodNode method : type.methods) {
            for (int line : wanted.getOrDefault(method.name + method.desc, Set.of())) {
                AbstractInsnNode first = first(method, line);
                if (first == null) {
                    return null;
                }
                plant(method, first);
                missing--;
            }
        }
        if (missing > 0) {
            return null;
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        type.accept(writer);
        return writer.toByteArray();
    }

    /** The first instruction of a line. */
    private static AbstractInsnNode first(MethodNode method, int line) {
        boolean reached = false;
        for (AbstractInsnNode node : method.instructions) {
            reached |= node instanceof LineNumberNode number && number.line == line;
            if (reached && node.getOpcode() >= 0) {
                return node;
            }
        }
        return null;
    }

    private static void plant(MethodNode method, AbstractInsnNode first) {
        InsnList call = new InsnList();
        call.add(new InsnNode(Opcodes.ICONST_1));
        call.add(new InsnNode(Opcodes.ICONST_1));
        call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, CARRIER, "floorMod", "(II)I", false));
        call.add(new InsnNode(Opcodes.POP));
        if (first.getOpcode() == Opcodes.NEW) {
            call.add(moved(method, first));
        }
        method.instructions.insertBefore(first, call);
        method.maxStack += STACK;
    }

    /** A label for an instruction that makes an object, by which the frames know it until it is initialized. */
    private static LabelNode moved(MethodNode method, AbstractInsnNode made) {
        Set<Object> former = new HashSet<>();
        for (AbstractInsnNode node = made.getPrevious(); node != null && node.getOpcode() < 0; node = node.getPrevious()) {
            former.add(node);
        }
        LabelNode label = new LabelNode();
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof FrameNode frame) {
                replace(frame.local, former, label);
                replace(frame.stack, former, label);
            }
        }
        return label;
    }

    private static void replace(List<Object> values, Set<Object> former, LabelNode label) {
        if (values != null && values.stream().anyMatch(former::contains)) {
            values.replaceAll(value -> former.contains(value) ? label : value);
        }
    }
}
