package aidb.recorder;

import aidb.asm.Opcodes;
import aidb.asm.tree.AbstractInsnNode;
import aidb.asm.tree.FieldInsnNode;
import aidb.asm.tree.FrameNode;
import aidb.asm.tree.IincInsnNode;
import aidb.asm.tree.InsnList;
import aidb.asm.tree.InvokeDynamicInsnNode;
import aidb.asm.tree.JumpInsnNode;
import aidb.asm.tree.LabelNode;
import aidb.asm.tree.LineNumberNode;
import aidb.asm.tree.LocalVariableNode;
import aidb.asm.tree.LookupSwitchInsnNode;
import aidb.asm.tree.MethodInsnNode;
import aidb.asm.tree.MethodNode;
import aidb.asm.tree.TableSwitchInsnNode;
import aidb.asm.tree.TryCatchBlockNode;
import aidb.asm.tree.VarInsnNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The code of one method, whose instructions are numbered from 0. Straight pieces of code are put into
 * it: before an instruction, where jumps to it come by, and after one, where only it comes by. Such
 * pieces need no stack maps; those that are there stay with their instructions.
 */
final class Code {
    private static final int ROOM = 16; // of stack that a piece needs at most
    private static final int MOST = 65535;

    /** A name of a slot, while the instruction is in the range. */
    record Variable(int start, int end, String name, String descriptor, int slot) {}

    /** What is thrown in a range goes on at the target; the type is null where all is caught. */
    record Handler(int start, int end, int target, String type) {}

    final List<Handler> handlers = new ArrayList<>();
    final List<Variable> variables = new ArrayList<>();
    final TreeMap<Integer, Integer> lines = new TreeMap<>(); // instruction to line
    final int maxLocals;

    private final MethodNode node;
    private final boolean framed; // its class has stack maps
    private final AbstractInsnNode[] at; // without labels, lines and frames
    private final int[] before; // how many of these stand before each node of the list
    private final LabelNode end = new LabelNode();
    private Piece[] ahead; // by the instructions that they stand before
    private Piece[] behind;
    private Piece prologue;
    private Piece caught;
    private int protectedFrom;
    private Piece jumping; // a piece that has a jump to its end
    private int lands; // the instruction that stands there
    private Object[] locals; // what the slots hold there, null: what they hold when the method begins

    Code(MethodNode node, boolean framed) {
        this.node = node;
        this.framed = framed;
        maxLocals = node.maxLocals;
        InsnList list = node.instructions;
        AbstractInsnNode[] real = new AbstractInsnNode[list.size()];
        before = new int[list.size()];
        int n = 0;
        int k = 0;
        for (AbstractInsnNode i = list.getFirst(); i != null; i = i.getNext()) {
            before[k++] = n;
            if (i.getOpcode() >= 0) {
                real[n++] = i;
            } else if (i instanceof LineNumberNode line) {
                lines.put(n, line.line);
            }
        }
        at = java.util.Arrays.copyOf(real, n);
        for (LocalVariableNode v : node.localVariables) {
            variables.add(new Variable(number(v.start), number(v.end), v.name, v.desc, v.index));
        }
        for (TryCatchBlockNode h : node.tryCatchBlocks) {
            handlers.add(new Handler(number(h.start), number(h.end), number(h.handler), h.type));
        }
        handlers.forEach(this::begins);
    }

    /** The instruction that stands behind a label. */
    private int number(LabelNode label) {
        return before[node.instructions.indexOf(label)];
    }

    int size() {
        return at.length;
    }

    int op(int i) {
        return at[i].getOpcode();
    }

    AbstractInsnNode instruction(int i) {
        return at[i];
    }

    /** The slot that an instruction loads, stores or increments; -1: none. */
    int slot(int i) {
        return at[i] instanceof VarInsnNode v ? v.var : at[i] instanceof IincInsnNode inc ? inc.var : -1;
    }

    boolean stores(int i) {
        return op(i) >= Opcodes.ISTORE && op(i) <= Opcodes.ASTORE;
    }

    boolean returns(int i) {
        return op(i) >= Opcodes.IRETURN && op(i) <= Opcodes.RETURN;
    }

    /** Whether the instruction that stands behind one is never the next to run. */
    boolean leaves(int i) {
        int op = op(i);
        return op == Opcodes.GOTO || op >= Opcodes.RET && op <= Opcodes.RETURN || op == Opcodes.ATHROW;
    }

    /** Owner, name and descriptor of the field or method that an instruction names, without an owner for a dynamic call; null for others. */
    String[] reference(int i) {
        if (at[i] instanceof MethodInsnNode m) {
            return new String[] {m.owner, m.name, m.desc};
        }
        if (at[i] instanceof FieldInsnNode f) {
            return new String[] {f.owner, f.name, f.desc};
        }
        return at[i] instanceof InvokeDynamicInsnNode d ? new String[] {"", d.name, d.desc} : null;
    }

    /** Where an instruction jumps to, -1 where it does not or has several targets. */
    int jump(int i) {
        return at[i] instanceof JumpInsnNode j && j.getOpcode() != Opcodes.JSR ? number(j.label) : -1;
    }

    /** All that it jumps to. */
    List<Integer> targets(int i) {
        if (at[i] instanceof JumpInsnNode j) {
            return List.of(number(j.label));
        }
        if (at[i] instanceof TableSwitchInsnNode s) {
            return targets(s.dflt, s.labels);
        }
        return at[i] instanceof LookupSwitchInsnNode s ? targets(s.dflt, s.labels) : List.of();
    }

    private List<Integer> targets(LabelNode otherwise, List<LabelNode> labels) {
        List<Integer> all = new ArrayList<>();
        all.add(number(otherwise));
        for (LabelNode l : labels) {
            all.add(number(l));
        }
        return all;
    }

    /**
     * A handler first keeps what it was given: the statement that its line tells of begins behind that. One
     * that nobody has written closes or unlocks something.
     */
    private void begins(Handler h) {
        int next = h.target + 1;
        Map.Entry<Integer, Integer> line = lines.floorEntry(h.target);
        if (op(h.target) != Opcodes.ASTORE || line == null || next >= size()) {
            return;
        }
        boolean written = h.type == null ? !unlocks(next) : variable(slot(h.target), next) != null;
        if (written && lines.putIfAbsent(next, line.getValue()) == null && passes(line.getKey(), h.target)) {
            lines.remove(line.getKey());
        }
    }

    /** Says that all that stands between two places is a jump past the second: what was tried has gone well. */
    private boolean passes(int from, int handler) {
        return op(from) == Opcodes.GOTO && from + 1 == handler;
    }

    private boolean unlocks(int i) {
        return i + 1 < size() && op(i + 1) == Opcodes.MONITOREXIT;
    }

    boolean named() {
        return !variables.isEmpty();
    }

    /** The variable of a slot at an instruction; null where it has no name. */
    Variable variable(int slot, int i) {
        for (Variable v : variables) {
            if (v.slot == slot && v.start <= i && i < v.end) {
                return v;
            }
        }
        return null;
    }

    // What is put in.

    Piece before(int i) {
        ahead = ahead == null ? new Piece[size()] : ahead;
        return ahead[i] == null ? ahead[i] = new Piece() : ahead[i];
    }

    Piece after(int i) {
        behind = behind == null ? new Piece[size()] : behind;
        return behind[i] == null ? behind[i] = new Piece() : behind[i];
    }

    /** Runs once, when the method begins. */
    Piece prologue() {
        return prologue == null ? prologue = new Piece() : prologue;
    }

    /** Runs with what is thrown out of the code from an instruction on, which is then thrown on. */
    Piece caught(int from) {
        protectedFrom = from;
        return caught = new Piece();
    }

    /** Says that the piece which ends before an instruction jumps to its end, where nothing lies on the stack. */
    void lands(Piece piece, int i, Object[] locals) {
        jumping = piece;
        lands = i;
        this.locals = locals;
    }

    boolean changed() {
        return prologue != null || caught != null || ahead != null || behind != null;
    }

    /** Puts all pieces in. */
    void weave() {
        InsnList list = node.instructions;
        boolean lacksFrame = jumping != null && framed && !hasFrame(lands);
        Map<Integer, LabelNode> creations = creations();
        LabelNode start = new LabelNode();
        if (caught != null) {
            list.insertBefore(at[protectedFrom], start);
        }
        for (int i = 0; i < at.length; i++) {
            if (ahead != null && ahead[i] != null) {
                list.insertBefore(at[i], ahead[i].code());
            }
            if (creations.containsKey(i)) {
                list.insertBefore(at[i], creations.get(i));
            }
            if (behind != null && behind[i] != null) {
                list.insert(at[i], landed(behind[i], lacksFrame));
            }
        }
        list.add(end);
        if (caught != null) {
            if (framed) {
                list.add(new FrameNode(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
            }
            list.add(caught.code());
            node.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
        }
        if (prologue != null) {
            begin(landed(prologue, lacksFrame));
        }
        node.maxStack = Math.min(MOST, node.maxStack + ROOM);
    }

    /**
     * Frames tell of an object whose constructor has not run where exactly it is created: behind what is put
     * in front of that. These are the labels for such places, by instructions, which the frames have now.
     */
    private Map<Integer, LabelNode> creations() {
        Map<Integer, LabelNode> labels = new HashMap<>();
        for (AbstractInsnNode n = node.instructions.getFirst(); n != null && ahead != null; n = n.getNext()) {
            if (n instanceof FrameNode frame) {
                name(frame.local, labels);
                name(frame.stack, labels);
            }
        }
        return labels;
    }

    private void name(List<Object> types, Map<Integer, LabelNode> labels) {
        for (int k = 0; types != null && k < types.size(); k++) {
            int i = types.get(k) instanceof LabelNode label ? number(label) : -1;
            if (i >= 0 && ahead[i] != null) {
                types.set(k, labels.computeIfAbsent(i, creation -> new LabelNode()));
            }
        }
    }

    private InsnList landed(Piece p, boolean lacksFrame) {
        if (p == jumping && lacksFrame) {
            Object[] none = {};
            p.code().add(locals == null ? new FrameNode(Opcodes.F_SAME, 0, none, 0, none) : new FrameNode(Opcodes.F_FULL, locals.length, locals, 0, none));
        }
        return p.code();
    }

    private boolean hasFrame(int i) {
        AbstractInsnNode n = at[i].getPrevious();
        while (n != null && n.getOpcode() < 0 && !(n instanceof FrameNode)) {
            n = n.getPrevious();
        }
        return n instanceof FrameNode;
    }

    /** Has the method begin with a piece, which is of its first line, and in which its parameters have their names. */
    private void begin(InsnList piece) {
        LabelNode first = new LabelNode();
        if (lines.containsKey(0)) {
            piece.insert(new LineNumberNode(lines.get(0), first));
        }
        piece.insert(first);
        for (LocalVariableNode v : node.localVariables) {
            AbstractInsnNode n = v.start;
            while (n != null && n.getOpcode() < 0) {
                n = n.getPrevious();
            }
            v.start = n == null ? first : v.start;
        }
        node.instructions.insert(piece);
    }

    // Where it lies, once it has been written.

    /** The handlers as they were laid: "start,end,target,type;", the type empty where all is caught. */
    String laid() {
        StringBuilder out = new StringBuilder();
        for (TryCatchBlockNode h : node.tryCatchBlocks) {
            if (h.handler != end) {
                out.append(h.start.getLabel().getOffset()).append(',').append(h.end.getLabel().getOffset()).append(',').append(h.handler.getLabel().getOffset())
                    .append(',').append(h.type == null ? "" : h.type.replace('/', '.')).append(';');
            }
        }
        return out.toString();
    }

    int length() {
        return end.getLabel().getOffset();
    }
}
