package aidb.recorder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which variables of a method a name means at a line: others may go by it in other blocks. */
final class Sight {
    private final Code code;
    private final Set<Code.Variable> meant = new HashSet<>();

    Sight(Code code, String name, int line) {
        this.code = code;
        List<Code.Variable> named = code.variables.stream().filter(v -> v.name().equals(name)).toList();
        List<Code.Variable> next = new ArrayList<>(named.stream().filter(v -> seen(v, line)).toList());
        if (next.isEmpty()) {
            meant.addAll(named);
        }
        while (!next.isEmpty()) {
            Code.Variable v = next.remove(next.size() - 1);
            if (meant.add(v)) {
                named.stream().filter(o -> o.slot() == v.slot() && (goesOn(v, o) || goesOn(o, v))).forEach(next::add);
            }
        }
    }

    boolean means(Code.Variable v) {
        return meant.contains(v);
    }

    /** Whether it has its value somewhere in a line, or as that is over. */
    private boolean seen(Code.Variable v, int line) {
        for (Map.Entry<Integer, Integer> from : code.lines.entrySet()) {
            Integer to = code.lines.higherKey(from.getKey());
            if (from.getValue() == line && v.start() <= (to == null ? code.size() : to) && v.end() > from.getKey()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the same variable may have its value on in another range: the way there leads past what is put into it there. */
    private boolean goesOn(Code.Variable from, Code.Variable to) {
        for (int i = from.start(); i < Math.min(from.end() + 1, code.size()); i++) {
            if (code.targets(i).stream().anyMatch(t -> t >= to.start() && t < to.end())) {
                return true;
            }
        }
        return from.end() == to.start();
    }
}
