package aidb.recorder;

import aidb.expression.Expression;
import aidb.expression.Nodes;
import aidb.expression.TypeName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The condition whose moments are wanted, and what it compares. */
final class Condition {
    static final String RESULT = "result"; // what a method has returned
    static final String EACH = "each"; // the instance for which it is judged

    private static final Set<String> COMPARED = Set.of("&&", "||", "==", "!=", "<", ">", "<=", ">=");
    private static final Set<String> READING = Set.of("size", "length", "isEmpty", "get", "getOrDefault", "charAt", "contains", "containsKey", "containsValue", "indexOf",
        "lastIndexOf", "equals", "hashCode", "peek", "peekFirst", "peekLast", "getFirst", "getLast", "first", "last", "firstKey", "lastKey", "element", "intValue",
        "longValue", "doubleValue", "booleanValue", "ordinal", "name", "isPresent", "compareTo", "startsWith", "endsWith", "abs", "min", "max", "signum", "getClass");

    /** What must have a meaning where an expression is to have a value; an object where something of it is named. */
    record Name(Kind kind, String text, int arguments, List<String> types, boolean object) {
        Name(Kind kind, String text) {
            this(kind, text, 0, List.of(), false);
        }
    }

    enum Kind { NAME, SELF, METHOD, TYPE }

    final Expression whole;
    final String text;
    final List<Expression> operands = new ArrayList<>(); // those first that only read
    final List<String> texts = new ArrayList<>(); // of the operands
    final int reading; // so many only read
    final Set<Name> names;
    final boolean ofResult;

    Condition(Expression parsed, boolean ofEach) {
        text = parsed.toString();
        Map<String, Expression> found = new LinkedHashMap<>();
        operands(parsed, found);
        found.forEach((text, e) -> {
            if (reads(e)) {
                texts.add(text);
                operands.add(e);
            }
        });
        reading = texts.size();
        found.forEach((text, e) -> {
            if (!texts.contains(text)) {
                texts.add(text);
                operands.add(e);
            }
        });
        whole = watch(parsed);
        names = names(parsed, ofEach);
        ofResult = !ofEach && names.stream().anyMatch(n -> n.text.equals(RESULT) && n.kind == Kind.NAME);
    }

    /** What a comparison or connection of comparisons is made of; nothing for what is neither. */
    private static List<Expression> compared(Expression e) {
        if (e instanceof Nodes.Joined j && COMPARED.contains(j.sign()) || e instanceof Nodes.Signed s && s.sign().equals("!")
            || e instanceof Nodes.Enclosed || e instanceof Nodes.Instance) {
            return e.parts();
        }
        if (e instanceof Nodes.Call c && c.name().equals("equals")) {
            return c.arguments().size() == 1 ? c.parts() : c.arguments();
        }
        return List.of();
    }

    private static void operands(Expression e, Map<String, Expression> into) {
        List<Expression> parts = compared(e);
        parts.forEach(p -> operands(p, into));
        if (parts.isEmpty() && !(e instanceof Nodes.Constant || e instanceof Nodes.ClassOf)) {
            into.putIfAbsent(e.toString(), e);
        }
    }

    /** The same expression with its operands watched. */
    private Expression watch(Expression e) {
        if (compared(e).isEmpty()) {
            int number = texts.indexOf(e.toString());
            return number < 0 ? e : new Nodes.Watched(number, e);
        }
        if (e instanceof Nodes.Joined j) {
            return new Nodes.Joined(j.sign(), watch(j.left()), watch(j.right()));
        }
        if (e instanceof Nodes.Signed s) {
            return new Nodes.Signed(s.sign(), watch(s.operand()));
        }
        if (e instanceof Nodes.Instance i) {
            return new Nodes.Instance(watch(i.value()), i.type());
        }
        if (e instanceof Nodes.Call c) {
            List<Expression> arguments = c.arguments().stream().map(this::watch).toList();
            return new Nodes.Call(arguments.size() == 1 ? watch(c.on()) : c.on(), c.name(), arguments);
        }
        return new Nodes.Enclosed(watch(e.parts().get(0)));
    }

    /** Whether looking at an expression does no more than that, as far as its text says: calls may still be of the program's own methods. */
    private static boolean reads(Expression e) {
        boolean called = e instanceof Nodes.Bare || e instanceof Nodes.Call c && !READING.contains(c.name());
        return !called && e.parts().stream().allMatch(Condition::reads);
    }

    /** Whether a method of a class is known to only read. */
    static boolean reads(Class<?> type, String method) {
        return READING.contains(method) && type.getName().startsWith("java.") && Show.library(type);
    }

    /** What an expression names, without the instance that may be given to it. */
    static Set<Name> names(Expression of, boolean ofEach) {
        Set<Name> all = new LinkedHashSet<>();
        collect(of, List.of(), false, all);
        if (ofEach) {
            all.removeIf(n -> n.kind == Kind.NAME && n.text.equals(EACH));
        }
        return all;
    }

    private static void collect(Expression e, List<String> longer, boolean object, Set<Name> into) {
        if (e instanceof Nodes.Member f) {
            List<String> names = new ArrayList<>(longer);
            if (f.dotted() != null) {
                names.add(0, f.dotted());
            }
            collect(f.on(), names, true, into);
            return;
        }
        if (e instanceof Nodes.Name n) {
            into.add(new Name(Kind.NAME, n.name(), 0, longer.stream().filter(Condition::namesType).toList(), object));
        } else if (e instanceof Nodes.Self s) {
            into.add(new Name(Kind.SELF, s.word()));
        } else if (e instanceof Nodes.Bare b) {
            into.add(new Name(Kind.METHOD, b.name(), b.arguments().size(), List.of(), false));
        } else if (e instanceof Nodes.Instance i) {
            type(i.type(), into);
        } else if (e instanceof Nodes.Cast c) {
            type(c.type(), into);
        }
        Expression on = e instanceof Nodes.Call c ? c.on() : e instanceof Nodes.Element x ? x.on() : null;
        e.parts().forEach(p -> collect(p, List.of(), p == on, into));
    }

    private static void type(TypeName type, Set<Name> into) {
        if (!TypeName.primitive(type.name())) {
            into.add(new Name(Kind.TYPE, type.name()));
        }
    }

    /** Whether a name, which may have packages, looks as those of classes do. */
    static boolean namesType(String name) {
        return Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1));
    }
}
