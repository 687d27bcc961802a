package aidb.recorder;

import aidb.asm.Opcodes;
import aidb.expression.Expression;
import aidb.expression.Lexer.Kind;
import aidb.expression.Lexer.Token;
import aidb.expression.Lexer;
import aidb.expression.Parser;
import aidb.text.Failure;
import aidb.text.Json;
import aidb.text.Obj;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What the run is to note: recording.Wish, with what it names looked up in classes. */
final class Wish {
    boolean all;
    final List<Site.Probe> probes = new ArrayList<>();
    Writes writes; // null: none
    long ends; // of the writes that are enough; 0: all are wanted
    Thin thin; // null: all calls are noted
    Lines lines; // null: none
    First first; // null: none
    LiveField field; // whose writes are told of in a running program; null: none
    final List<String> roots;
    final List<String> texts = new ArrayList<>(); // of the expressions at places

    private final List<Named> calls = new ArrayList<>();
    private Named followed;
    private final Set<String> said = new HashSet<>();

    /** The wish cannot be granted. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        final String field;

        Refused(String field, String why) {
            super(why, null, false, false);
            this.field = field;
        }
    }

    Wish(Path file) throws IOException {
        Obj o = (Obj) Json.parse(Agent.text(file));
        roots = o.texts("roots");
        Show.longest = o.number("text");
        for (Obj v : o.objects("values")) {
            Site.Probe p = new Site.Probe();
            p.number = probes.size();
            p.file = v.text("file");
            p.line = v.number("line");
            p.places = v.flag("places");
            p.condition = v.text("condition").isEmpty() ? null : parse("condition", v.text("condition"));
            p.expressions = v.texts("expressions").stream().map(e -> parse("expressions", e)).toList();
            texts.addAll(v.texts("expressions"));
            p.names = Lexer.cut(String.join(" , ", v.texts("expressions")) + " , " + v.text("condition")).stream()
                .filter(t -> t.kind() == Kind.NAME).map(Token::text).toList();
            probes.add(p);
        }
        for (String name : o.object("calls").texts("names")) {
            calls.add(new Named(name, false));
        }
        thin = o.object("calls").containsKey("thin") ? new Thin(o.object("calls").object("thin")) : null;
        if (o.containsKey("lines")) {
            readLines(o.object("lines"));
        }
        if (o.containsKey("first")) {
            first = new First(o.object("first"));
        }
        if (o.containsKey("writes")) {
            Obj w = o.object("writes");
            all = w.flag("all");
            writes = new Writes(w);
            if (w.containsKey("sparse")) {
                Sparse.ask(w.object("sparse"));
            }
            ends = w.id("ends");
        }
    }

    private void readLines(Obj l) {
        followed = new Named(l.text("function"), false);
        List<String> texts = l.texts("expressions");
        Expression condition = l.text("condition").isEmpty() ? null : parse("condition", l.text("condition"));
        lines = new Lines(l.number("call"), condition, texts, texts.stream().map(e -> parse("expressions", e)).toList());
    }

    /** The condition whose moments are wanted. */
    static final class First {
        final Condition condition;
        final List<String> texts;
        final List<Expression> expressions;
        final long limit;
        final String each; // the type for whose instances it is judged; empty: it is judged for the call
        final boolean changes; // the values of the condition are wanted, and no moments
        final Set<String> words = new HashSet<>(); // in the condition and the expressions
        private final List<Named> scope = new ArrayList<>();
        private final List<String> places = new ArrayList<>(); // file:line
        private final boolean everywhere;

        First(Obj f) {
            each = f.text("each");
            condition = new Condition(parse("condition", f.text("condition")), !each.isEmpty());
            texts = f.texts("expressions");
            expressions = texts.stream().map(e -> parse("expressions", e)).toList();
            limit = f.id("limit");
            changes = f.flag("changes");
            Lexer.cut(String.join(" , ", texts) + " , " + f.text("condition")).forEach(t -> words.add(t.text()));
            everywhere = f.texts("scope").isEmpty();
            for (String s : f.texts("scope")) {
                if (s.matches("(?s).*:\\d+")) {
                    places.add(s);
                } else {
                    scope.add(new Named(s, true));
                }
            }
        }

        /** Whether a method is in the scope, or what it stands in. */
        boolean covers(Nested nested, String type, String file, String method) {
            return everywhere || nested.any(type, method, (t, m) -> scope.stream().anyMatch(n -> n.matches(t, file, m)));
        }

        /** The lines of a file that are named by themselves. */
        List<Integer> lines(String file) {
            return places.stream().filter(p -> p.substring(0, p.lastIndexOf(':')).equals(file)).map(p -> Integer.parseInt(p.substring(p.lastIndexOf(':') + 1))).toList();
        }
    }

    static Expression parse(String field, String text) {
        try {
            return Parser.parseReading(text);
        } catch (Failure f) {
            throw new Refused(field, text + " is no expression that can be traced: " + f.getMessage());
        }
    }

    synchronized void once(String remark) {
        if (said.size() < 5 && said.add(remark)) {
            Hooks.remark(remark);
        }
    }

    /** Whether elements of all arrays and collections are asked for. */
    boolean elements() {
        return all || writes.kind.equals("[]");
    }

    boolean calls(String type, String file, String method) {
        for (Named n : calls) {
            if (n.matches(type, file, method)) {
                return true;
            }
        }
        return false;
    }

    boolean follows(String type, String file, String method) {
        return followed != null && followed.matches(type, file, method);
    }

    /** A name of functions: of one, of a class or package, of a file, or a pattern. */
    private static final class Named {
        private static final String ALL = "*";

        private final String name;
        private final Pattern pattern;
        private final boolean every; // also what has no name in the source
        private String of = ""; // the class that was asked about last, and how it is called
        private String dotted;
        private String simple;

        Named(String name, boolean every) {
            this.name = name;
            this.every = every;
            pattern = name.contains("*") && !name.equals(ALL) ? Pattern.compile(("\\Q" + name + "\\E").replace("*", "\\E.*\\Q")) : null;
        }

        synchronized boolean matches(String type, String file, String method) {
            if (name.equals(ALL)) {
                return every || !method.equals("<clinit>");
            }
            if (name.endsWith(".java")) {
                return (file.equals(name) || file.endsWith("/" + name)) && !hidden(method);
            }
            if (!type.equals(of)) {
                of = type;
                dotted = type.replace('/', '.').replace('$', '.') + ".";
                simple = type.substring(type.lastIndexOf('/') + 1).replace('$', '.') + ".";
            }
            String own = simple + method;
            String full = dotted + method;
            if (pattern != null) {
                return !hidden(method) && (pattern.matcher(method).matches() || pattern.matcher(own).matches() || pattern.matcher(full).matches());
            }
            boolean within = full.startsWith(name + ".") || own.startsWith(name + ".") || ("." + dotted).endsWith("." + name + ".");
            return ("." + full).endsWith("." + name) || !hidden(method) && within;
        }

        private boolean hidden(String method) {
            return !every && (method.startsWith("lambda$") || method.equals("<clinit>"));
        }
    }

    /** The places that are written to: what an expression ends in. */
    static final class Writes {
        private static final Set<String> PLAIN = Set.of("Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Long;", "Ljava/lang/Boolean;", "Ljava/lang/Double;");

        private final String kind; // "" a variable, "." a field, "[]" an element
        private final String name;
        private final String file;
        private final int line;
        private ClassFile asked; // last
        private boolean holds;

        Writes(Obj w) {
            file = w.text("file");
            line = w.number("line");
            String text = w.text("expression");
            if (text.isEmpty()) {
                kind = "";
                name = "";
                return;
            }
            parse("expression", text);
            List<Token> tokens = Lexer.cut(text);
            Token last = tokens.get(tokens.size() - 2);
            if (last.is("]") || text.endsWith(")")) {
                kind = "[]";
                name = "";
                if (!w.flag("all") && text.endsWith(")") && !text.matches("(?s).*\\.get\\w*\\(.+\\)")) {
                    throw new Refused("expression", text + " is a call, and what it reads has no name: ask for the field that it returns");
                }
            } else {
                if (last.kind() != Kind.NAME) {
                    throw new Refused("expression", text + " names no place that is written to: give a variable, a field or an element");
                }
                kind = tokens.size() > 2 && tokens.get(tokens.size() - 3).is(".") ? "." : "";
                name = last.text();
            }
        }

        /** Whether writes of a kind are wanted where they stand. */
        boolean asks(String of, String what, ClassFile in, ClassFile.Member m) {
            if (kind.equals("[]") || of.equals("[]")) {
                return kind.equals(of) || of.equals("[]") && mayHold(in);
            }
            if (!what.equals(name)) {
                return false;
            }
            if (kind.equals(".")) {
                return of.equals(".");
            }
            return of.isEmpty() ? line == 0 || covers(in, m) : !local(in);
        }

        /** Whether the name may be that of an array or a collection, by what is known of it so far. */
        private boolean mayHold(ClassFile in) {
            if (!holds && in != asked) {
                asked = in;
                holds = in.typesOf(name).stream().anyMatch(t -> t.startsWith("[") || t.startsWith("L") && !PLAIN.contains(t));
            }
            return holds;
        }

        /** What the name means in a method where the question was asked; null elsewhere. */
        Sight sight(ClassFile in, ClassFile.Member m) {
            return line == 0 || !covers(in, m) ? null : new Sight(m.code, name, line);
        }

        private boolean covers(ClassFile in, ClassFile.Member m) {
            if (m.code == null || m.code.lines.isEmpty() || !file.endsWith("/" + in.sourceFile)) {
                return false;
            }
            return m.code.lines.values().stream().mapToInt(x -> x).min().getAsInt() <= line
                && m.code.lines.values().stream().mapToInt(x -> x).max().getAsInt() >= line;
        }

        /** Whether the name is a variable of the function where the question was asked. */
        private boolean local(ClassFile in) {
            return line != 0 && in.methods.stream().anyMatch(m -> covers(in, m) && m.code.variables.stream().anyMatch(v -> v.name().equals(name)));
        }

        /** Whether a method has such writes. */
        boolean touches(ClassFile in, ClassFile.Member m) {
            if (kind.equals("[]")) {
                return true;
            }
            if (asks("", name, in, m) && m.code.variables.stream().anyMatch(v -> v.name().equals(name))) {
                return true;
            }
            for (int i = 0; i < m.code.size(); i++) {
                int op = m.code.op(i);
                boolean calls = op == Opcodes.INVOKEVIRTUAL || op == Opcodes.INVOKEINTERFACE || op == Opcodes.INVOKESTATIC;
                if (mayHold(in) && (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE || calls && WriteWeaver.changesCollection(m.code.reference(i), op))) {
                    return true;
                }
                if ((op == Opcodes.PUTSTATIC || op == Opcodes.PUTFIELD) && m.code.reference(i)[1].equals(name) && asks(".", name, in, m)) {
                    return true;
                }
            }
            return false;
        }
    }
}
