package aidb.recorder;

import aidb.asm.Opcodes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Puts into one method what {@link Flight} needs of it. */
final class FlightWeaver {
    private static final String FLIGHT = "aidb/recorder/Flight";

    private final ClassFile in;
    private final ClassFile.Member member;
    private final Code code;
    private final Site.Method method;
    private final int from; // where the constructor of the parent has returned; 0 in other methods

    FlightWeaver(ClassFile in, ClassFile.Member member, Site.Method method, int from) {
        this.in = in;
        this.member = member;
        this.method = method;
        this.from = from;
        code = member.code;
    }

    /** Whether something was put in. */
    boolean weave(boolean calls) {
        if (from < 0 || from > 0 && !plain()) {
            if (calls) {
                Flight.misses(method, 0);
            }
            return false;
        }
        int number = calls ? Flight.number(in, member, method) : -1;
        if (calls && number < 0) {
            Flight.misses(method, 0);
        }
        if (number >= 0) {
            begins(number);
            ends(number);
        }
        exits();
        catches(number);
        return code.changed();
    }

    /** Whether all that is set where the parent's constructor has returned are the parameters, as the compiler of Java has it. */
    private boolean plain() {
        for (int i = 0; i < from; i++) {
            if (code.stores(i)) {
                return false;
            }
        }
        return in.sourceFile.endsWith(".java");
    }

    private void begins(int number) {
        List<Code.Variable> parameters = new ArrayList<>();
        List<String> names = new ArrayList<>();
        int slot = member.isStatic() ? 0 : 1;
        for (String type : Weaver.parameters(member.descriptor)) {
            Code.Variable v = code.variable(slot, 0);
            String name = v == null ? "arg" + slot : v.name();
            parameters.add(new Code.Variable(0, code.size(), name, type, slot));
            names.add(name);
            slot += Reading.wide(type) ? 2 : 1;
        }
        method.parameters = names;
        Piece p = from == 0 ? code.prologue() : code.after(from - 1);
        p.push(number).call(FLIGHT, "meets", "(I)Z").skip().values(parameters).push(number).call(FLIGHT, "enter", "([Ljava/lang/Object;I)V").land();
        code.lands(p, from, from == 0 ? null : locals());
    }

    /** What the slots hold behind the parent's constructor, as a stack map has it. */
    private Object[] locals() {
        List<Object> types = new ArrayList<>(List.of(in.name));
        for (String type : Weaver.parameters(member.descriptor)) {
            int plain = "ZBCSI".indexOf(type) >= 0 ? 1 : ".FDJ".indexOf(type) + 1; // as the stack map numbers them
            types.add(plain > 0 ? (Object) plain : type.startsWith("L") ? type.substring(1, type.length() - 1) : type);
        }
        return types.toArray();
    }

    private void ends(int number) {
        String result = member.descriptor.substring(member.descriptor.indexOf(')') + 1);
        for (int i = from; i < code.size(); i++) {
            int op = code.op(i);
            if (op == Opcodes.RETURN) {
                code.before(i).push(number).call(FLIGHT, "left", "(I)V");
            } else if (code.returns(i)) {
                String type = result.length() > 1 ? "Ljava/lang/Object;" : result;
                code.before(i).op(Reading.wide(result) ? Opcodes.DUP2 : Opcodes.DUP).push(number).call(FLIGHT, "left", "(" + type + "I)V");
            }
        }
    }

    private void exits() {
        for (int i = from; i < code.size(); i++) {
            if (Failures.exit(code, i)) {
                code.before(i).op(Opcodes.DUP).call(FLIGHT, "exits", "(I)V");
            }
        }
    }

    /** Where a handler begins by keeping what it gets, that stays its first instruction: the debugger looks at it. */
    private void catches(int number) {
        Set<Integer> seen = new HashSet<>();
        for (Code.Handler h : code.handlers) {
            if (h.target() < from || !seen.add(h.target())) {
                continue;
            }
            boolean keeps = code.op(h.target()) == Opcodes.ASTORE;
            Piece p = keeps ? code.after(h.target()).load(code.slot(h.target()), "L") : code.before(h.target()).op(Opcodes.DUP);
            p.push(number).call(FLIGHT, "caught", "(Ljava/lang/Throwable;I)V");
        }
    }
}
