package bridge;

import bridge.Lexer.Kind;
import bridge.Lexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads Java expressions, by recursive descent. Lambdas and statements are refused with a reason. */
final class Parser {
    private static final String[][] LEVELS = {
        {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">=", "instanceof"}, {"<<", ">>", ">>>"}, {"+", "-"}, {"*", "/", "%"}
    };
    private static final Set<String> STATEMENTS = Set.of("if", "for", "while", "do", "return", "throw", "try", "switch", "var", "import", "class", "synchronized", "assert");

    private final List<Token> tokens;
    private int at;

    private Parser(String text) {
        tokens = Lexer.cut(text);
    }

    /** The expression that the whole text is; a semicolon at its end does not matter. */
    static Expr parse(String text) {
        Parser parser = new Parser(text);
        if (parser.peek().kind() == Kind.END) {
            throw new Failure("the expression is empty");
        }
        if (parser.peek().kind() == Kind.NAME && STATEMENTS.contains(parser.peek().text())) {
            throw new Failure("'%s' begins a statement: only expressions can be evaluated", parser.peek().text());
        }
        Expr whole = parser.expression();
        parser.take(";");
        if (parser.peek().kind() != Kind.END) {
            throw parser.unexpected();
        }
        return whole;
    }

    private Token peek() {
        return tokens.get(at);
    }

    private Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    private boolean take(String sign) {
        if (!peek().is(sign)) {
            return false;
        }
        at++;
        return true;
    }

    private void want(String sign) {
        if (!take(sign)) {
            throw new Failure("'%s' is missing before %s at column %d", sign, shown(peek()), peek().at() + 1);
        }
    }

    private Failure unexpected() {
        Token t = peek();
        if (t.is("->") || t.is("::")) {
            return new Failure("lambda expressions and method references cannot be evaluated");
        }
        return new Failure("%s at column %d is not expected there", shown(t), t.at() + 1);
    }

    private static String shown(Token t) {
        return t.kind() == Kind.END ? t.text() : "'" + t.text() + "'";
    }

    private String name() {
        if (peek().kind() != Kind.NAME) {
            throw unexpected();
        }
        return tokens.get(at++).text();
    }

    private Expr expression() {
        Expr left = ternary();
        Token t = peek();
        if (t.is("=")) {
            at++;
            Expr right = expression();
            return c -> left.assign(c, right.value(c));
        }
        String sign = t.kind() == Kind.SIGN && t.text().length() > 1 && t.text().endsWith("=") ? t.text().substring(0, t.text().length() - 1) : "";
        if (!List.of("+", "-", "*", "/", "%", "&", "|", "^", "<<").contains(sign)) {
            return left;
        }
        at++;
        Expr right = expression();
        return c -> left.assign(c, Operators.back(c, Operators.binary(c, sign, left.value(c), right.value(c)), left.value(c)));
    }

    private Expr ternary() {
        Expr condition = binary(0);
        if (!take("?")) {
            return condition;
        }
        Expr yes = expression();
        want(":");
        Expr no = expression();
        return c -> Operators.truth(c, condition.value(c)) ? yes.value(c) : no.value(c);
    }

    private Expr binary(int level) {
        if (level == LEVELS.length) {
            return unary();
        }
        Expr left = binary(level + 1);
        while (true) {
            String sign = operator(LEVELS[level]);
            if (sign == null) {
                return left;
            }
            left = sign.equals("instanceof") ? instance(left) : join(sign, left, binary(level + 1));
        }
    }

    private static Expr join(String sign, Expr left, Expr right) {
        switch (sign) {
            case "&&":
                return c -> c.mirror(Operators.truth(c, left.value(c)) && Operators.truth(c, right.value(c)));
            case "||":
                return c -> c.mirror(Operators.truth(c, left.value(c)) || Operators.truth(c, right.value(c)));
            default:
                boolean identity = sign.equals("==") || sign.equals("!=");
                return c -> {
                    com.sun.jdi.Value first = identity ? Literals.shared(c, left) : left.value(c);
                    return Operators.binary(c, sign, first, identity ? Literals.shared(c, right) : right.value(c));
                };
        }
    }

    /** Takes an operator of a level; a shift to the right is written as several signs. */
    private String operator(String[] level) {
        String sign = peek().text();
        int length = 1;
        if (peek().is(">")) {
            while (length < 3 && peek(length).is(">") && peek(length).at() == peek().at() + length) {
                length++;
            }
            sign = ">".repeat(length);
        }
        if (peek().kind() == Kind.STRING || peek().kind() == Kind.CHAR || !List.of(level).contains(sign)) {
            return null;
        }
        at += length;
        return sign;
    }

    private Expr instance(Expr value) {
        take("final");
        TypeName type = typeName();
        if (peek().kind() == Kind.NAME || peek().is("(")) {
            throw new Failure("patterns cannot be evaluated");
        }
        return c -> c.mirror(Operators.instance(c, value.value(c), type));
    }

    private Expr unary() {
        for (String step : List.of("++", "--")) {
            if (take(step)) {
                Expr place = unary();
                return c -> step(c, place, step, false);
            }
        }
        for (String sign : List.of("+", "-", "!", "~")) {
            if (take(sign)) {
                if (sign.equals("-") && peek().kind() == Kind.NUMBER && !peek(1).is(".")) {
                    return Literals.number("-" + tokens.get(at++).text());
                }
                Expr operand = unary();
                return c -> Operators.unary(c, sign, operand.value(c));
            }
        }
        Expr cast = cast();
        return cast != null ? cast : postfix(primary());
    }

    static com.sun.jdi.Value step(Context c, Expr place, String sign, boolean after) {
        com.sun.jdi.Value before = place.value(c);
        com.sun.jdi.Value then = place.assign(c, Operators.back(c, Operators.binary(c, sign.substring(1), before, c.mirror(1)), before));
        return after ? before : then;
    }

    /** "(" Type ")" operand, when it can be nothing else; otherwise nothing is taken. */
    private Expr cast() {
        int start = at;
        if (!take("(") || peek().kind() != Kind.NAME) {
            at = start;
            return null;
        }
        TypeName type;
        try {
            type = typeName();
        } catch (Failure e) {
            at = start;
            return null;
        }
        boolean operand = take(")") && (type.primitive() ? !peek().is(")") && peek().kind() != Kind.END : startsOperand(peek()));
        if (!operand) {
            at = start;
            return null;
        }
        Expr value = unary();
        return c -> Operators.cast(c, value.value(c), type);
    }

    private static boolean startsOperand(Token t) {
        return t.kind() == Kind.NAME && !t.is("instanceof") || t.kind() == Kind.NUMBER || t.kind() == Kind.STRING || t.kind() == Kind.CHAR
            || t.is("(") || t.is("!") || t.is("~");
    }

    private TypeName typeName() {
        StringBuilder name = new StringBuilder(name());
        generics();
        while (peek().is(".") && peek(1).kind() == Kind.NAME) {
            at++;
            name.append('.').append(name());
            generics();
        }
        int dimensions = 0;
        while (peek().is("[") && peek(1).is("]")) {
            at += 2;
            dimensions++;
        }
        return new TypeName(name.toString(), dimensions);
    }

    private void generics() {
        if (!peek().is("<")) {
            return;
        }
        int start = at;
        for (int depth = 0; ; at++) {
            Token t = peek();
            depth += t.is("<") ? 1 : t.is(">") ? -1 : 0;
            boolean inside = t.kind() == Kind.NAME || t.is("<") || t.is(">") || t.is(",") || t.is(".") || t.is("?") || t.is("[") || t.is("]") || t.is("&");
            if (!inside) {
                at = start;
                throw unexpected();
            }
            if (depth == 0) {
                at++;
                return;
            }
        }
    }

    private Expr postfix(Expr value) {
        while (true) {
            Expr on = value;
            if (take("[")) {
                Expr index = expression();
                want("]");
                value = new Names.Element(on, index);
            } else if (take(".")) {
                if (take("class")) {
                    value = c -> Types.classOf(c, on);
                } else if (take("new")) {
                    throw new Failure("creating objects of inner classes through an outer one cannot be evaluated");
                } else {
                    if (peek().is("<")) {
                        generics();
                    }
                    String name = name();
                    value = peek().is("(") ? new Names.Call(on, name, arguments()) : new Names.Member(on, name);
                }
            } else if (peek().is("++") || peek().is("--")) {
                String sign = tokens.get(at++).text();
                value = c -> step(c, on, sign, true);
            } else {
                return value;
            }
        }
    }

    private List<Expr> arguments() {
        List<Expr> arguments = new ArrayList<>();
        want("(");
        if (take(")")) {
            return arguments;
        }
        do {
            arguments.add(expression());
        } while (take(","));
        if (peek().is("->") || peek().is("::")) {
            throw unexpected();
        }
        want(")");
        return arguments;
    }

    private Expr primary() {
        Token t = peek();
        switch (t.kind()) {
            case NUMBER:
                at++;
                return Literals.number(t.text());
            case STRING:
                at++;
                return new Literals.Text(t.text());
            case CHAR:
                at++;
                return Literals.character(t.text());
            case NAME:
                return word();
            default:
        }
        if (!take("(")) {
            throw unexpected();
        }
        Expr inner = expression();
        want(")");
        return inner;
    }

    private Expr word() {
        String word = name();
        switch (word) {
            case "true":
                return c -> c.mirror(true);
            case "false":
                return c -> c.mirror(false);
            case "null":
                return c -> null;
            case "this":
                return Parser::self;
            case "super":
                want(".");
                String method = name();
                return peek().is("(") ? new Names.Super(method, arguments()) : new Names.Member(Parser::self, method);
            case "new":
                return creation();
            default:
        }
        if (peek().is("->")) {
            throw unexpected();
        }
        return peek().is("(") ? new Names.Call(null, word, arguments()) : new Names.Name(word);
    }

    private static com.sun.jdi.Value self(Context c) {
        if (c.self() == null) {
            throw new Failure("there is no this in a static method");
        }
        return c.self();
    }

    private Expr creation() {
        StringBuilder name = new StringBuilder(name());
        while (take(".")) {
            name.append('.').append(name());
        }
        generics();
        if (peek().is("(")) {
            List<Expr> arguments = arguments();
            if (peek().is("{")) {
                throw new Failure("anonymous classes cannot be evaluated");
            }
            return c -> Calls.create(c, Types.need(c, name.toString()), c.values(arguments));
        }
        int dimensions = 0;
        Expr length = null;
        while (take("[")) {
            dimensions++;
            if (!peek().is("]")) {
                if (length != null) {
                    throw new Failure("only the first dimension of a new array can be given");
                }
                length = expression();
            }
            want("]");
        }
        TypeName type = new TypeName(name.toString(), dimensions);
        if (length != null) {
            Expr size = length;
            return c -> Types.array(c, type, Operators.integer(c, size.value(c)));
        }
        List<Expr> elements = elements();
        return c -> Types.array(c, type, c.values(elements));
    }

    private List<Expr> elements() {
        List<Expr> elements = new ArrayList<>();
        want("{");
        while (!take("}")) {
            elements.add(expression());
            if (!take(",")) {
                want("}");
                break;
            }
        }
        return elements;
    }
}
