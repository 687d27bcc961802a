package aidbrecorder;

import aidbrecorder.Lexer.Kind;
import aidbrecorder.Lexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads Java expressions that only read. Assignments, lambdas and statements are refused with a reason. */
final class Parser {
    private static final String[][] LEVELS = {
        {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">=", "instanceof"}, {"<<", ">>", ">>>"}, {"+", "-"}, {"*", "/", "%"}
    };
    private static final Set<String> STATEMENTS = Set.of("if", "for", "while", "do", "return", "throw", "try", "switch", "var", "import", "class", "synchronized", "assert");
    private static final Set<String> PRIMITIVES = Set.of("boolean", "byte", "char", "short", "int", "long", "float", "double");

    private final List<Token> tokens;
    private int at;

    private Parser(String text) {
        tokens = Lexer.cut(text);
    }

    static Expression parse(String text) {
        Parser parser = new Parser(text);
        if (parser.peek().kind() == Kind.END) {
            throw new Failure("the expression is empty");
        }
        if (parser.peek().kind() == Kind.NAME && STATEMENTS.contains(parser.peek().text())) {
            throw new Failure("'%s' begins a statement: only expressions can be evaluated", parser.peek().text());
        }
        Expression whole = parser.expression();
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
        if (t.kind() == Kind.SIGN && (t.is("++") || t.is("--") || t.text().endsWith("="))) {
            return new Failure("%s changes the program, and what is traced must only read it", shown(t));
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

    private Expression expression() {
        Expression condition = binary(0);
        if (!take("?")) {
            return condition;
        }
        Expression yes = expression();
        want(":");
        Expression no = expression();
        return s -> Operators.truth(condition.get(s)) ? yes.get(s) : no.get(s);
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
            left = sign.equals("instanceof") ? instance(left) : join(sign, left, binary(level + 1));
        }
    }

    private static Expression join(String sign, Expression left, Expression right) {
        switch (sign) {
            case "&&":
                return s -> Got.plain(Operators.truth(left.get(s)) && Operators.truth(right.get(s)));
            case "||":
                return s -> Got.plain(Operators.truth(left.get(s)) || Operators.truth(right.get(s)));
            default:
                return s -> Operators.binary(sign, left.get(s), right.get(s));
        }
    }

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

    private Expression instance(Expression value) {
        take("final");
        String type = typeName();
        if (peek().kind() == Kind.NAME || peek().is("(")) {
            throw new Failure("patterns cannot be evaluated");
        }
        return s -> Got.plain(Members.type(s, type).isInstance(value.value(s)));
    }

    private Expression unary() {
        for (String sign : List.of("+", "-", "!", "~")) {
            if (take(sign)) {
                if (sign.equals("-") && peek().kind() == Kind.NUMBER && !peek(1).is(".")) {
                    return Operators.number("-" + tokens.get(at++).text());
                }
                Expression operand = unary();
                return s -> Operators.unary(sign, operand.get(s));
            }
        }
        Expression cast = cast();
        return cast != null ? cast : postfix(primary());
    }

    /** "(" Type ")" operand, when it can be nothing else; otherwise nothing is taken. */
    private Expression cast() {
        int start = at;
        if (!take("(") || peek().kind() != Kind.NAME) {
            at = start;
            return null;
        }
        String type;
        try {
            type = typeName();
        } catch (Failure e) {
            at = start;
            return null;
        }
        boolean operand = take(")") && (PRIMITIVES.contains(type) ? !peek().is(")") && peek().kind() != Kind.END : startsOperand(peek()));
        if (!operand) {
            at = start;
            return null;
        }
        Expression value = unary();
        return s -> PRIMITIVES.contains(type) ? Operators.cast(type, value.get(s)) : Members.cast(s, type, value.get(s));
    }

    private static boolean startsOperand(Token t) {
        return t.kind() == Kind.NAME && !t.is("instanceof") || t.kind() == Kind.NUMBER || t.kind() == Kind.STRING || t.kind() == Kind.CHAR
            || t.is("(") || t.is("!") || t.is("~");
    }

    private String typeName() {
        StringBuilder name = new StringBuilder(name());
        generics();
        while (peek().is(".") && peek(1).kind() == Kind.NAME) {
            at++;
            name.append('.').append(name());
            generics();
        }
        while (peek().is("[") && peek(1).is("]")) {
            at += 2;
            name.append("[]");
        }
        return name.toString();
    }

    private void generics() {
        if (!peek().is("<")) {
            return;
        }
        for (int depth = 0; ; at++) {
            Token t = peek();
            depth += t.is("<") ? 1 : t.is(">") ? -1 : 0;
            boolean inside = t.kind() == Kind.NAME || t.is("<") || t.is(">") || t.is(",") || t.is(".") || t.is("?") || t.is("[") || t.is("]") || t.is("&");
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
            Expression on = value;
            if (take("[")) {
                Expression index = expression();
                want("]");
                value = s -> Members.element(on.get(s), index.get(s));
            } else if (take(".")) {
                if (take("class")) {
                    value = s -> Got.of(on.get(s).type);
                } else {
                    if (peek().is("<")) {
                        generics();
                    }
                    String name = name();
                    List<Expression> arguments = peek().is("(") ? arguments() : null;
                    value = arguments == null ? new Members.Field(on, name) : s -> Members.call(s, on.get(s), name, arguments);
                }
            } else {
                return value;
            }
        }
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
        Token t = peek();
        switch (t.kind()) {
            case NUMBER:
                at++;
                return Operators.number(t.text());
            case STRING:
                at++;
                String text = t.text().intern();
                return s -> Got.of(text);
            case CHAR:
                at++;
                if (t.text().length() != 1) {
                    throw new Failure("'%s' is not one character: strings are written in \"double quotes\"", t.text());
                }
                Got c = Got.plain(t.text().charAt(0));
                return s -> c;
            case NAME:
                return word();
            default:
        }
        if (!take("(")) {
            throw unexpected();
        }
        Expression inner = expression();
        want(")");
        return inner;
    }

    private Expression word() {
        String word = name();
        switch (word) {
            case "true":
                return s -> Got.plain(true);
            case "false":
                return s -> Got.plain(false);
            case "null":
                return s -> Got.of(null);
            case "this":
                return Parser::self;
            case "super":
                want(".");
                return new Members.Field(Parser::self, name());
            case "new":
                throw new Failure("making objects is not traced: what is traced must only read the program");
            default:
        }
        if (peek().is("->")) {
            throw unexpected();
        }
        if (peek().is("(")) {
            List<Expression> arguments = arguments();
            return s -> Members.bare(s, word, arguments);
        }
        return new Members.Name(word);
    }

    private static Got self(Scope s) {
        if (s.self == null) {
            throw new Failure("there is no this in a static method");
        }
        return Got.of(s.self);
    }
}
