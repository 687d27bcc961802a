package aidb.expression;

import aidb.text.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads Java expressions, by recursive descent. Lambdas and statements are refused with a reason. */
public final class Parser {
    private static final String[][] LEVELS = {
        {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">=", "instanceof"}, {"<<", ">>", ">>>"}, {"+", "-"}, {"*", "/", "%"}
    };
    private static final Set<String> STATEMENTS = Set.of("if", "for", "while", "do", "return", "throw", "try", "switch", "var", "import", "class", "synchronized", "assert");

    private static final List<String> COMPOUND = List.of("+", "-", "*", "/", "%", "&", "|", "^", "<<");

    private final List<Lexer.Token> tokens;
    private final boolean readsOnly;
    private int at;

    private Parser(String text, boolean readsOnly) {
        tokens = Lexer.cut(text);
        this.readsOnly = readsOnly;
    }

    public static Expression parse(String text) {
        return new Parser(text, false).whole();
    }

    /** Refuses what changes the program. */
    public static Expression parseReading(String text) {
        return new Parser(text, true).whole();
    }

    /** The expression that the whole text is; a semicolon at its end does not matter. */
    private Expression whole() {
        if (kind() == Lexer.Kind.END) {
            throw new Failure("the expression is empty");
        }
        if (kind() == Lexer.Kind.NAME && STATEMENTS.contains(peek().text())) {
            throw new Failure("'%s' begins a statement: only expressions can be evaluated", peek().text());
        }
        Expression whole = expression();
        take(";");
        if (kind() != Lexer.Kind.END) {
            throw unexpected();
        }
        return whole;
    }

    private Lexer.Token peek() {
        return tokens.get(at);
    }

    private Lexer.Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    private Lexer.Kind kind() {
        return peek().kind();
    }

    /** Takes the next token, whatever it is. */
    private String next() {
        return tokens.get(at++).text();
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
        Lexer.Token t = peek();
        if (readsOnly && t.kind() == Lexer.Kind.SIGN && (t.is("++") || t.is("--") || t.text().endsWith("="))) {
            return new Failure("%s changes the program, and what is traced must only read it", shown(t));
        }
        if (t.is("->") || t.is("::")) {
            return new Failure("lambda expressions and method references cannot be evaluated");
        }
        return new Failure("%s at column %d is not expected there", shown(t), t.at() + 1);
    }

    private static String shown(Lexer.Token t) {
        return t.kind() == Lexer.Kind.END ? t.text() : "'" + t.text() + "'";
    }

    private String name() {
        if (kind() != Lexer.Kind.NAME) {
            throw unexpected();
        }
        return next();
    }

    private Expression expression() {
        Expression left = choice();
        if (readsOnly) {
            return left;
        }
        if (take("=")) {
            return new Changes.Assigned(left, expression());
        }
        Lexer.Token t = peek();
        boolean assigns = t.kind() == Lexer.Kind.SIGN && t.text().length() > 1 && t.text().endsWith("=");
        String sign = assigns ? t.text().substring(0, t.text().length() - 1) : "";
        if (!COMPOUND.contains(sign)) {
            return left;
        }
        next();
        return new Changes.Updated(left, sign, expression());
    }

    private Expression choice() {
        Expression condition = binary(0);
        if (!take("?")) {
            return condition;
        }
        Expression yes = expression();
        want(":");
        return new Nodes.Choice(condition, yes, expression());
    }

    private Expression binary(int level) {
        if (level == LEVELS.length) {
            return unary();
        }
        Expression left = binary(level + 1);
        while (true) {
            String sign = operator(LEVELS[level]);
            if (sign == null) {
                return left;
            }
            left = sign.equals("instanceof") ? instance(left) : new Nodes.Joined(sign, left, binary(level + 1));
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
        if (kind() == Lexer.Kind.STRING || kind() == Lexer.Kind.CHAR || !List.of(level).contains(sign)) {
            return null;
        }
        at += length;
        return sign;
    }

    private Expression instance(Expression value) {
        take("final");
        TypeName type = typeName();
        if (kind() == Lexer.Kind.NAME || peek().is("(")) {
            throw new Failure("patterns cannot be evaluated");
        }
        return new Nodes.Instance(value, type);
    }

    private Expression unary() {
        for (String step : List.of("++", "--")) {
            if (!readsOnly && take(step)) {
                return new Changes.Stepped(unary(), step, false);
            }
        }
        for (String sign : List.of("+", "-", "!", "~")) {
            if (take(sign)) {
                if (sign.equals("-") && kind() == Lexer.Kind.NUMBER && !peek(1).is(".")) {
                    return number("-" + next());
                }
                return new Nodes.Signed(sign, unary());
            }
        }
        Expression cast = cast();
        return cast != null ? cast : postfix(primary());
    }

    /** "(" Type ")" operand, when it can be nothing else; otherwise nothing is taken. */
    private Expression cast() {
        int start = at;
        TypeName type = castType();
        if (type == null) {
            at = start;
            return null;
        }
        return new Nodes.Cast(type, unary());
    }

    private TypeName castType() {
        if (!take("(") || kind() != Lexer.Kind.NAME) {
            return null;
        }
        TypeName type;
        try {
            type = typeName();
        } catch (Failure e) {
            return null;
        }
        boolean operand = take(")") && (type.primitive() ? !peek().is(")") && kind() != Lexer.Kind.END : startsOperand(peek()));
        return operand ? type : null;
    }

    private static boolean startsOperand(Lexer.Token t) {
        return t.kind() == Lexer.Kind.NAME && !t.is("instanceof") || t.kind() == Lexer.Kind.NUMBER || t.kind() == Lexer.Kind.STRING || t.kind() == Lexer.Kind.CHAR
            || t.is("(") || t.is("!") || t.is("~");
    }

    private TypeName typeName() {
        StringBuilder name = new StringBuilder(name());
        generics();
        while (peek().is(".") && peek(1).kind() == Lexer.Kind.NAME) {
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
        for (int depth = 0; ; at++) {
            Lexer.Token t = peek();
            depth += t.is("<") ? 1 : t.is(">") ? -1 : 0;
            boolean inside = kind() == Lexer.Kind.NAME || t.is("<") || t.is(">") || t.is(",") || t.is(".") || t.is("?") || t.is("[") || t.is("]") || t.is("&");
            if (!inside) {
                throw unexpected();
            }
            if (depth == 0) {
                at++;
                return;
            }
        }
    }

    private Expression postfix(Expression value) {
        while (true) {
            Expression next = take("[") ? element(value) : take(".") ? member(value) : after(value);
            if (next == null) {
                return value;
            }
            value = next;
        }
    }

    private Expression after(Expression value) {
        boolean steps = !readsOnly && (peek().is("++") || peek().is("--"));
        return steps ? new Changes.Stepped(value, next(), true) : null;
    }

    private Expression element(Expression on) {
        Expression index = expression();
        want("]");
        return new Nodes.Element(on, index);
    }

    private Expression member(Expression on) {
        if (take("class")) {
            return new Nodes.ClassOf(on);
        }
        if (take("new")) {
            throw new Failure("creating objects of inner classes through an outer one cannot be evaluated");
        }
        generics();
        String name = name();
        return peek().is("(") ? new Nodes.Call(on, name, arguments()) : new Nodes.Member(on, name);
    }

    private List<Expression> arguments() {
        List<Expression> arguments = new ArrayList<>();
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

    private Expression primary() {
        return switch (kind()) {
            case NUMBER -> number(next());
            case STRING -> Nodes.Constant.of(next());
            case CHAR -> character(next());
            case NAME -> word(next());
            default -> enclosed();
        };
    }

    private static Expression character(String c) {
        if (c.length() != 1) {
            throw new Failure("'%s' is not one character: strings are written in \"double quotes\"", c);
        }
        return Nodes.Constant.of(c.charAt(0));
    }

    private Expression enclosed() {
        if (!take("(")) {
            throw unexpected();
        }
        Expression inner = expression();
        want(")");
        return new Nodes.Enclosed(inner);
    }

    private static Expression number(String text) {
        return new Nodes.Constant(text, Arithmetic.number(text));
    }

    /** An expression that begins with a name or a word of the language, which has been taken. */
    private Expression word(String word) {
        return switch (word) {
            case "true", "false" -> new Nodes.Constant(word, word.equals("true"));
            case "null" -> new Nodes.Constant(word, null);
            case "this" -> new Nodes.Self(word);
            case "super" -> {
                want(".");
                String name = name();
                yield peek().is("(") && !readsOnly ? new Nodes.Inherited(name, arguments()) : new Nodes.Member(new Nodes.Self(word), name);
            }
            case "new" -> creation();
            default -> {
                if (peek().is("->")) {
                    throw unexpected();
                }
                yield peek().is("(") ? new Nodes.Bare(word, arguments()) : new Nodes.Name(word);
            }
        };
    }

    private Expression creation() {
        if (readsOnly) {
            throw new Failure("making objects is not traced: what is traced must only read the program");
        }
        StringBuilder name = new StringBuilder(name());
        while (take(".")) {
            name.append('.').append(name());
        }
        generics();
        if (peek().is("(")) {
            List<Expression> arguments = arguments();
            if (peek().is("{")) {
                throw new Failure("anonymous classes cannot be evaluated");
            }
            return new Changes.Created(name.toString(), arguments);
        }
        int dimensions = 0;
        Expression length = null;
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
        return length != null ? new Changes.Array(type, length) : new Changes.Elements(type, elements());
    }

    private List<Expression> elements() {
        List<Expression> elements = new ArrayList<>();
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
