package aidb.recorder;

import aidb.asm.Opcodes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts into one method what judges the condition: in front of each statement in which it may have a
 * value, behind those whose effect nothing else sees, and where a call ends.
 */
final class Judging {
    private static final String LOOK = "(Ljava/lang/Object;[Ljava/lang/Object;I)V";

    private final Weaver weaver;
    private final ClassFile in;
    private final ClassFile.Member member;
    private final Code code;
    private final Wish.First wish;
    private final Reading reading;
    private final Assigned assigned;
    private final int from; // what is before it is of the parent's constructor
    private final TreeMap<Integer, Integer> statements = new TreeMap<>(); // where each begins, and its line
    private final Set<String> fields = new HashSet<>();

    Judging(Weaver weaver, ClassFile in, ClassFile.Member member, Wish.First wish, int from) {
        this.weaver = weaver;
        this.in = in;
        this.member = member;
        this.wish = wish;
        this.from = from;
        code = member.code;
        reading = new Reading(in, member);
        assigned = new Assigned(member);
        in.fields.forEach(f -> fields.add(f.name));
        begins();
    }

    /** Finds where statements begin: with a line and nothing on the stack, or as the head of a loop. */
    private void begins() {
        code.lines.keySet().forEach(this::begin);
        for (int i = from; i < code.size(); i++) {
            int target = code.jump(i);
            if (target >= 0 && target < i) {
                begin(target);
            }
        }
    }

    private void begin(int start) {
        boolean returns = code.op(start) == Opcodes.RETURN;
        if (start >= from && !returns && reading.statements.contains(start) && assigned.reached(start)) {
            statements.put(start, line(start));
        }
    }

    /** The line of the statement at an start: the first, where it has several. */
    private int line(int start) {
        Map.Entry<Integer, Integer> at = code.lines.floorEntry(start);
        int line = at == null ? code.lines.firstEntry().getValue() : at.getValue();
        int end = start + 1;
        while (end < code.size() && !reading.statements.contains(end)) {
            end++;
        }
        for (int other : code.lines.subMap(start, false, end, false).values()) {
            line = Math.min(line, other);
        }
        return line;
    }

    /** Judges in the whole method, or at some of its statements only; false where the condition has a value nowhere in it. */
    boolean weave(Set<Integer> places) {
        Map<Integer, List<Code.Variable>> before = new TreeMap<>();
        Map<Integer, List<Code.Variable>> after = new TreeMap<>();
        Map<Integer, List<Code.Variable>> ends = new TreeMap<>();
        boolean whole = places.isEmpty();
        if (!wish.condition.ofResult) {
            statements.keySet().stream().filter(i -> whole || places.contains(i)).forEach(i -> look(i, visible(i), before));
        }
        for (int i = from; i < code.size() && whole; i++) {
            if (!assigned.reached(i)) {
                continue;
            }
            int op = code.op(i);
            if (code.returns(i) && !(wish.condition.ofResult && op == Opcodes.RETURN)) {
                look(i, visible(i), ends);
            } else if (!wish.condition.ofResult && changes(i, op)) {
                behind(i, before, after);
            }
        }
        if (before.isEmpty() && after.isEmpty() && ends.isEmpty()) {
            return false;
        }
        put(before, after, ends);
        return true;
    }

    private void look(int start, List<Code.Variable> variables, Map<Integer, List<Code.Variable>> into) {
        if (may(variables)) {
            into.put(start, variables);
        }
    }

    private List<Code.Variable> visible(int start) {
        return named(code.variables.stream().filter(v -> v.start() <= start && start < v.end() && assigned.holds(v, start)));
    }

    private List<Code.Variable> named(java.util.stream.Stream<Code.Variable> variables) {
        return variables.filter(v -> wish.words.contains(v.name()) && !v.name().equals("this")).toList();
    }

    /** Whether all names of the condition may mean something where some variables are. */
    private boolean may(List<Code.Variable> variables) {
        for (Condition.Name n : wish.condition.names) {
            boolean there = n.kind() == Condition.Kind.SELF ? !member.isStatic() : n.kind() != Condition.Kind.NAME || means(n, variables);
            if (!there) {
                return false;
            }
        }
        return true;
    }

    private boolean means(Condition.Name n, List<Code.Variable> variables) {
        for (Code.Variable v : variables) {
            if (v.name().equals(n.text())) {
                return !n.object() || v.descriptor().length() > 1;
            }
        }
        return elsewhere(n);
    }

    /** Whether a name may be that of a field or a class, or is the result. */
    private boolean elsewhere(Condition.Name n) {
        return wish.condition.ofResult && n.text().equals(Condition.RESULT) || fields.contains(n.text()) || fields.contains("val$" + n.text())
            || Condition.namesType(n.text()) || !n.types().isEmpty() || !"java/lang/Object".equals(in.parent) || in.name.indexOf('$') >= 0;
    }

    /** Whether an instruction may change what a condition reads, as the last one of a statement. */
    private boolean changes(int i, int op) {
        int next = i + 1;
        if (next >= code.size() || !reading.statements.contains(next)) {
            return false;
        }
        if (code.stores(i) || op == Opcodes.IINC) {
            return reading.written.containsKey(i);
        }
        return op >= Opcodes.IASTORE && op <= Opcodes.POP2 || op == Opcodes.PUTSTATIC || op == Opcodes.PUTFIELD
            || op >= Opcodes.INVOKEVIRTUAL && op <= Opcodes.INVOKEDYNAMIC;
    }

    /** Judges behind an instruction, unless the statement that comes next is judged with the same names. */
    private void behind(int i, Map<Integer, List<Code.Variable>> before, Map<Integer, List<Code.Variable>> after) {
        int next = i + 1;
        List<Code.Variable> variables = named(code.variables.stream()
            .filter(v -> v.start() <= next && (i < v.end() || v.start() == next) && next <= v.end() && assigned.holdsAfter(v, i)));
        if (!may(variables)) {
            return;
        }
        int then = next;
        for (int hops = 0; hops < 4 && !statements.containsKey(then) && code.op(then) == Opcodes.GOTO; hops++) {
            then = code.jump(then);
        }
        boolean returns = code.op(then) == Opcodes.RETURN;
        List<Code.Variable> there = returns ? visible(then) : before.get(then);
        if (there == null || !same(there, variables)) {
            after.put(i, variables);
        }
    }

    private static boolean same(List<Code.Variable> there, List<Code.Variable> variables) {
        return variables.stream().allMatch(v -> there.stream().anyMatch(t -> t.name().equals(v.name()) && t.slot() == v.slot()));
    }

    private void put(Map<Integer, List<Code.Variable>> before, Map<Integer, List<Code.Variable>> after, Map<Integer, List<Code.Variable>> ends) {
        int over = Sites.add(weaver.site());
        weaver.prologue().push(over).judge("begins", "(I)V");
        for (Map.Entry<Integer, Integer> s : statements.entrySet()) {
            if (before.containsKey(s.getKey())) {
                look(code.before(s.getKey()), before.get(s.getKey()), s.getValue(), "before");
            } else if (!wish.condition.ofResult) {
                code.before(s.getKey()).push(Sites.add(site(List.of(), s.getValue()))).judge("runs", "(I)V");
            }
        }
        after.forEach((i, variables) -> look(code.after(i), variables, 0, "after"));
        for (int i = from; i < code.size(); i++) {
            if (code.returns(i) && assigned.reached(i)) {
                end(i, ends.get(i), over);
            }
        }
        Piece caught = code.caught(from);
        weaver.failed(caught);
        caught.push(over).judge("thrown", "(I)V").op(Opcodes.ATHROW);
    }

    /** Tells of the object that a constructor has built, behind what is judged there. */
    void builds() {
        if (code.reference(from - 1)[0].equals(in.name)) {
            weaver.self(weaver.prologue()).judge("unbuilt", "(Ljava/lang/Object;)V");
        }
        for (int i = from; i < code.size(); i++) {
            if (code.op(i) == Opcodes.RETURN && assigned.reached(i)) {
                weaver.self(code.before(i)).push(Sites.add(weaver.site())).judge("built", "(Ljava/lang/Object;I)V");
            }
        }
    }

    private void look(Piece p, List<Code.Variable> variables, int line, String how) {
        weaver.self(p).values(variables).push(Sites.add(site(variables, line))).judge(how, LOOK);
    }

    private void end(int i, List<Code.Variable> variables, int over) {
        Piece p = code.before(i);
        if (variables == null) {
            p.push(over).judge("over", "(I)V");
        } else if (!wish.condition.ofResult) {
            look(p, variables, 0, "ends");
        } else {
            Map.Entry<Integer, Integer> at = statements.floorEntry(i);
            String type = member.descriptor.substring(member.descriptor.indexOf(')') + 1);
            weaver.self(Weaver.copy(p, type)).values(variables).push(Sites.add(site(variables, at == null ? line(i) : at.getValue())))
                .judge("returns", "(Ljava/lang/Object;Ljava/lang/Object;[Ljava/lang/Object;I)V");
        }
    }

    private Site site(List<Code.Variable> variables, int line) {
        Site s = weaver.site();
        s.line = line;
        s.variables = variables;
        s.index = code.named();
        return s;
    }

    /** Where statements on a line begin, else the one that goes on there. */
    Set<Integer> at(int line) {
        Set<Integer> found = new HashSet<>();
        statements.forEach((i, of) -> {
            if (of == line) {
                found.add(i);
            }
        });
        for (Map.Entry<Integer, Integer> e : code.lines.entrySet()) {
            Integer begin = e.getValue() == line && found.isEmpty() ? statements.floorKey(e.getKey()) : null;
            if (begin != null) {
                found.add(begin);
            }
        }
        return found;
    }
}
