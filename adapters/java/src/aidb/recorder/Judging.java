package aidb.recorder;

import aidb.classfile.Ops;
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
    private final ClassBytes in;
    private final ClassBytes.Member member;
    private final Code code;
    private final Wish.First wish;
    private final Reading reading;
    private final Assigned assigned;
    private final int from; // what is before it is of the parent's constructor
    private final TreeMap<Integer, Integer> statements = new TreeMap<>(); // where each begins, and its line
    private final Set<String> fields = new HashSet<>();

    Judging(Weaver weaver, ClassBytes in, ClassBytes.Member member, Wish.First wish, int from) {
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
        for (int i = from; i < code.code.length; i += Ops.length(code.code, i)) {
            int target = Code.jump(code.code, i);
            if (target >= 0 && target < i) {
                begin(target);
            }
        }
    }

    private void begin(int offset) {
        boolean returns = (code.code[offset] & 0xff) == 0xb1;
        if (offset >= from && !returns && reading.statements.contains(offset) && assigned.reached(offset)) {
            statements.put(offset, line(offset));
        }
    }

    /** The line of the statement at an offset: the first, where it has several. */
    private int line(int offset) {
        Map.Entry<Integer, Integer> at = code.lines.floorEntry(offset);
        int line = at == null ? code.lines.firstEntry().getValue() : at.getValue();
        int end = offset + Ops.length(code.code, offset);
        while (end < code.code.length && !reading.statements.contains(end)) {
            end += Ops.length(code.code, end);
        }
        for (int other : code.lines.subMap(offset, false, end, false).values()) {
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
        for (int i = from; i < code.code.length && whole; i += Ops.length(code.code, i)) {
            if (!assigned.reached(i)) {
                continue;
            }
            int op = code.code[i] & 0xff;
            if (op >= 0xac && op <= (wish.condition.ofResult ? 0xb0 : 0xb1)) {
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

    private void look(int offset, List<Code.Variable> variables, Map<Integer, List<Code.Variable>> into) {
        if (may(variables)) {
            into.put(offset, variables);
        }
    }

    private List<Code.Variable> visible(int offset) {
        return named(code.variables.stream().filter(v -> v.start() <= offset && offset < v.end() && assigned.holds(v, offset)));
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
        int next = i + Ops.length(code.code, i);
        if (next >= code.code.length || !reading.statements.contains(next)) {
            return false;
        }
        int real = op == 0xc4 ? code.code[i + 1] & 0xff : op;
        if (real >= 0x36 && real <= 0x4e || real == 0x84) {
            return reading.written.containsKey(i);
        }
        return op >= 0x4f && op <= 0x58 || op == 0xb3 || op == 0xb5 || op >= 0xb6 && op <= 0xba;
    }

    /** Judges behind an instruction, unless the statement that comes next is judged with the same names. */
    private void behind(int i, Map<Integer, List<Code.Variable>> before, Map<Integer, List<Code.Variable>> after) {
        int next = i + Ops.length(code.code, i);
        List<Code.Variable> variables = named(code.variables.stream()
            .filter(v -> v.start() <= next && (i < v.end() || v.start() == next) && next <= v.end() && assigned.holdsAfter(v, i)));
        if (!may(variables)) {
            return;
        }
        int then = next;
        for (int hops = 0; hops < 4 && !statements.containsKey(then) && (code.code[then] & 0xff) == 0xa7; hops++) {
            then = Code.jump(code.code, then);
        }
        boolean returns = (code.code[then] & 0xff) == 0xb1;
        List<Code.Variable> there = returns ? visible(then) : before.get(then);
        if (there == null || !same(there, variables)) {
            after.put(i, variables);
        }
    }

    private static boolean same(List<Code.Variable> there, List<Code.Variable> variables) {
        return variables.stream().allMatch(v -> there.stream().anyMatch(t -> t.name().equals(v.name()) && t.slot() == v.slot()));
    }

    private void put(Map<Integer, List<Code.Variable>> before, Map<Integer, List<Code.Variable>> after, Map<Integer, List<Code.Variable>> ends) {
        int over = Hooks.site(weaver.site());
        weaver.prologue().push(over).judge("begins", "(I)V");
        for (Map.Entry<Integer, Integer> s : statements.entrySet()) {
            if (before.containsKey(s.getKey())) {
                look(code.before(s.getKey()), before.get(s.getKey()), s.getValue(), "before");
            } else if (!wish.condition.ofResult) {
                code.before(s.getKey()).push(Hooks.site(site(List.of(), s.getValue()))).judge("runs", "(I)V");
            }
        }
        after.forEach((i, variables) -> look(code.after(i), variables, 0, "after"));
        for (int i = from; i < code.code.length; i += Ops.length(code.code, i)) {
            int op = code.code[i] & 0xff;
            if (op >= 0xac && op <= 0xb1 && assigned.reached(i)) {
                end(i, ends.get(i), over);
            }
        }
        Piece caught = code.caught(from);
        weaver.failed(caught);
        caught.push(over).judge("thrown", "(I)V").op(0xbf);
    }

    /** Tells of the object that a constructor has built, behind what is judged there. */
    void builds() {
        int parent = code.previous(from);
        if (in.reference(ClassBytes.u2(code.code, parent + 1))[0].equals(in.name)) {
            weaver.self(weaver.prologue()).judge("unbuilt", "(Ljava/lang/Object;)V");
        }
        for (int i = from; i < code.code.length; i += Ops.length(code.code, i)) {
            if ((code.code[i] & 0xff) == 0xb1 && assigned.reached(i)) {
                weaver.self(code.before(i)).push(Hooks.site(weaver.site())).judge("built", "(Ljava/lang/Object;I)V");
            }
        }
    }

    private void look(Piece p, List<Code.Variable> variables, int line, String how) {
        weaver.self(p).values(variables).push(Hooks.site(site(variables, line))).judge(how, LOOK);
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
            weaver.self(Weaver.copy(p, type)).values(variables).push(Hooks.site(site(variables, at == null ? line(i) : at.getValue())))
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
