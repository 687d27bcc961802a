package aidb.recorder;

import aidb.asm.Opcodes;
import aidb.asm.tree.FieldInsnNode;
import aidb.asm.tree.InsnList;
import aidb.asm.tree.InsnNode;
import aidb.asm.tree.IntInsnNode;
import aidb.asm.tree.JumpInsnNode;
import aidb.asm.tree.LabelNode;
import aidb.asm.tree.LdcInsnNode;
import aidb.asm.tree.MethodInsnNode;
import aidb.asm.tree.TypeInsnNode;
import aidb.asm.tree.VarInsnNode;
import java.util.List;
import java.util.Map;

/** Code that is put into a method: without jumps, but for one to its end (Code.lands). */
final class Piece {
    static String hooks = "aidb/recorder/Hooks"; // another where the recorder came into a running program
    private static final String MOMENTS = "aidb/recorder/Moments";
    private static final Map<String, String> WRAPPERS = Map.of("Z", "java/lang/Boolean", "B", "java/lang/Byte", "C", "java/lang/Character", "S", "java/lang/Short",
        "I", "java/lang/Integer", "J", "java/lang/Long", "F", "java/lang/Float", "D", "java/lang/Double");

    private final InsnList code = new InsnList();
    private LabelNode landing;

    InsnList code() {
        return code;
    }

    Piece op(int... ops) {
        for (int op : ops) {
            code.add(new InsnNode(op));
        }
        return this;
    }

    Piece push(int n) {
        if (n >= -1 && n <= 5) {
            return op(Opcodes.ICONST_0 + n);
        }
        code.add(n == (short) n ? new IntInsnNode(Opcodes.SIPUSH, n) : new LdcInsnNode(n));
        return this;
    }

    /** Calls a method of {@link Hooks}, or of what stands for it. */
    Piece call(String name, String descriptor) {
        return call(hooks, name, descriptor);
    }

    /** Calls a method of {@link Moments}. */
    Piece judge(String name, String descriptor) {
        return call(MOMENTS, name, descriptor);
    }

    Piece call(String owner, String name, String descriptor) {
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false));
        return this;
    }

    /** Leaves out what follows, up to where it lands, when false lies on the stack. */
    Piece skip() {
        landing = new LabelNode();
        code.add(new JumpInsnNode(Opcodes.IFEQ, landing));
        return this;
    }

    Piece land() {
        code.add(landing);
        return this;
    }

    Piece load(int slot, String descriptor) {
        code.add(new VarInsnNode(load(descriptor), slot));
        return this;
    }

    private static int load(String descriptor) {
        return switch (descriptor.charAt(0)) {
            case 'J' -> Opcodes.LLOAD;
            case 'F' -> Opcodes.FLOAD;
            case 'D' -> Opcodes.DLOAD;
            case 'L', '[', 'A' -> Opcodes.ALOAD;
            default -> Opcodes.ILOAD;
        };
    }

    /** Makes an object of the primitive on the stack. */
    Piece box(String descriptor) {
        String wrapper = WRAPPERS.get(descriptor);
        return wrapper == null ? this : call(wrapper, "valueOf", "(" + descriptor + ")L" + wrapper + ";");
    }

    /** Reads or writes the field that an instruction names: owner, name and descriptor. */
    Piece field(int op, String[] reference) {
        code.add(new FieldInsnNode(op, reference[0], reference[1], reference[2]));
        return this;
    }

    Piece cast(String type) {
        code.add(new TypeInsnNode(Opcodes.CHECKCAST, type));
        return this;
    }

    /** An array of the values of variables. */
    Piece values(List<Code.Variable> variables) {
        push(variables.size());
        code.add(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"));
        for (int i = 0; i < variables.size(); i++) {
            op(Opcodes.DUP).push(i);
            load(variables.get(i).slot(), variables.get(i).descriptor()).box(variables.get(i).descriptor()).op(Opcodes.AASTORE);
        }
        return this;
    }
}
