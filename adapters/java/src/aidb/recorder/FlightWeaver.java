package aidb.recorder;

import aidb.classfile.Ops;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Puts into one method what {@link Flight} needs of it. */
final class FlightWeaver {
    private static final String FLIGHT = "aidb/recorder/Flight";

    private final ClassBytes in;
    private final ClassBytes.Member member;
    private final Code code;
    private final Site.Method method;
    private final int from; // where the constructor of the parent has returned; 0 in other methods

    FlightWeaver(ClassBytes in, ClassBytes.Member member, Site.Method method, int from) {
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
        for (int i = 0; i < from; i += Ops.length(code.code, i)) {
            int op = code.code[i] & 0xff;
            if (op >= 0x36 && op <= 0x4e || op == 0xc4) {
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
            parameters.add(new Code.Variable(0, code.code.length, name, type, slot));
            names.add(name);
            slot += Reading.wide(type) ? 2 : 1;
        }
        method.parameters = names;
        Piece p = from == 0 ? code.prologue() : code.after(code.previous(from));
        p.push(number).call(FLIGHT, "meets", "(I)Z").skip().values(parameters).push(number).call(FLIGHT, "enter", "([Ljava/lang/Object;I)V").land();
        code.lands(from, from == 0 ? null : locals());
    }

    /** What the slots hold behind the parent's constructor, as a stack map has it. */
    private byte[] locals() {
        List<String> types = new ArrayList<>(List.of("L" + in.name + ";"));
        types.addAll(Weaver.parameters(member.descriptor));
        Bytes out = new Bytes(3 * types.size() + 2);
        ClassBytes.put2(out, types.size());
        for (String type : types) {
            int plain = "ZBCSI".indexOf(type) >= 0 ? 1 : ".FDJ".indexOf(type) + 1;
            out.write(plain > 0 ? plain : 7);
            if (plain <= 0) {
                ClassBytes.put2(out, in.type(type.startsWith("L") ? type.substring(1, type.length() - 1) : type));
            }
        }
        return out.toByteArray();
    }

    private void ends(int number) {
        String result = member.descriptor.substring(member.descriptor.indexOf(')') + 1);
        for (int i = from; i < code.code.length; i += Ops.length(code.code, i)) {
            int op = code.code[i] & 0xff;
            if (op == 0xb1) {
                code.before(i).push(number).call(FLIGHT, "left", "(I)V");
            } else if (op >= 0xac && op <= 0xb0) {
                String type = result.length() > 1 ? "Ljava/lang/Object;" : result;
                code.before(i).op(Reading.wide(result) ? 0x5c : 0x59).push(number).call(FLIGHT, "left", "(" + type + "I)V");
            }
        }
    }

    private void exits() {
        for (int i = from; i < code.code.length; i += Ops.length(code.code, i)) {
            if (Failures.exit(in, code, i)) {
                code.before(i).op(0x59).call(FLIGHT, "exits", "(I)V");
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
            int op = code.code[h.target()] & 0xff;
            int slot = op == 0x3a ? code.code[h.target() + 1] & 0xff : op >= 0x4b && op <= 0x4e ? op - 0x4b : -1;
            Piece p = slot < 0 ? code.before(h.target()).op(0x59) : code.after(h.target()).load(slot, "L");
            p.push(number).call(FLIGHT, "caught", "(Ljava/lang/Throwable;I)V");
        }
    }
}
